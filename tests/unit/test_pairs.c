/* SPDX-License-Identifier: MIT */
/* Which flags of a word stand together: what is found by enumerating, held against asking all rules
 * about each word alone. Runs in the top directory. */
#include <stdlib.h>
#include <string.h>

#include "../../runner/load/spec_files.h"
#include "runner/oracle/world.h"
#include "runner/plan/plan.h"
#include "suite.h"

static struct wcts_spec *spec;
static struct wcts_eval eval;

static void set_up(void)
{
    struct wcts_diagnostics diagnostics = {stderr, 0};
    spec = wcts_load_spec_load("spec", "cases", NULL, 0, &diagnostics);
    ck_assert_ptr_nonnull(spec);
    ck_assert(wcts_oracle_eval_init(&eval, spec));
}

static void tear_down(void)
{
    wcts_oracle_eval_release(&eval);
    wcts_load_spec_free(spec);
}

static int word_of(const char *name)
{
    int word = 0;
    while (strcmp(spec->words[word].name, name) != 0)
        ck_assert_int_lt(++word, spec->words_count);
    return word;
}

static int bit_of(int word, const char *flag)
{
    int index = wcts_model_spec_flag(spec, word, flag);
    ck_assert_int_ge(index, 0);
    return spec->words[word].flags[index].bit;
}

static bool together(const uint64_t *with, int word, const char *one, const char *other)
{
    return (with[bit_of(word, one)] >> bit_of(word, other) & 1) != 0;
}

START_TEST(it_goes_both_ways)
{
    for (int word = 0; word < spec->words_count; word++) {
        struct wcts_oracle_pairs pairs = {0};
        if (wcts_plan_pairs(&eval, word, &pairs) < 0)
            continue;
        for (int i = 0; i < 64; i++)
            for (int j = 0; j < 64; j++) {
                ck_assert_int_eq((int)(pairs.valid[i] >> j & 1), (int)(pairs.valid[j] >> i & 1));
                /* What is valid can be borne. */
                ck_assert(!(pairs.valid[i] >> j & 1) || (pairs.bearable[i] >> j & 1));
            }
    }
}
END_TEST

START_TEST(only_defined_flags_that_are_judged)
{
    for (int word = 0; word < spec->words_count; word++) {
        struct wcts_oracle_pairs pairs = {0};
        int version = wcts_plan_pairs(&eval, word, &pairs);
        if (version < 0)
            continue;
        const struct wcts_oracle_masks *masks = wcts_oracle_eval_masks(&eval, word, version);
        for (int i = 0; i < 64; i++)
            ck_assert_uint_eq(pairs.bearable[i] & ~(masks->defined & ~masks->open), 0);
    }
}
END_TEST

START_TEST(words_of_the_documents_alone)
{
    for (int word = 0; word < spec->words_count; word++) {
        struct wcts_oracle_pairs pairs = {0};
        ck_assert_int_eq(wcts_plan_pairs(&eval, word, &pairs) >= 0,
                         spec->words[word].document >= 0);
    }
}
END_TEST

/* What the first document says of a few. */
START_TEST(the_flags_of_creation)
{
    int word = word_of("D3DKMT_CREATEALLOCATIONFLAGS");
    struct wcts_oracle_pairs pairs = {0};
    int version = wcts_plan_pairs(&eval, word, &pairs);
    ck_assert_int_eq(version, spec->versions_count - 1);
    ck_assert(together(pairs.valid, word, "CreateResource", "CreateResource"));
    ck_assert(together(pairs.valid, word, "CreateShared", "CreateResource"));
    ck_assert(!together(pairs.bearable, word, "CreateShared", "CreateShared"));
    ck_assert(!together(pairs.bearable, word, "ExistingSysMem", "ExistingSection"));
    ck_assert(together(pairs.valid, word, "ExistingSysMem", "StandardAllocation"));
    ck_assert(!together(pairs.valid, word, "CreateProtected", "CreateProtected"));
    ck_assert(together(pairs.bearable, word, "CreateProtected", "CreateProtected"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("pairs");
    TCase *one = tcase_create("pairs");
    tcase_add_unchecked_fixture(one, set_up, tear_down);
    tcase_set_timeout(one, 60);
    tcase_add_test(one, it_goes_both_ways);
    tcase_add_test(one, only_defined_flags_that_are_judged);
    tcase_add_test(one, words_of_the_documents_alone);
    tcase_add_test(one, the_flags_of_creation);
    suite_add_tcase(suite, one);
    return suite_run(suite);
}
