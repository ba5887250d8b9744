/* SPDX-License-Identifier: MIT */
/*
 * A version behind the newest adds cases, and changes none: no id, no fact, no twin, no walk. The
 * spec is copied with one more version. Runs in the top directory.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../runner/load/spec_files.h"
#include "runner/lang/expr.h"
#include "runner/plan/plan.h"
#include "runner/plan/sequence.h"
#include "suite.h"

#define NEXT "  <version name=\"3.3\" id=\"wddm3_3\" interface=\"0x12000\"/>\n"
#define NEXT_ID "/wddm3_3"
#define STEPS 20000

static struct wcts_spec *spec, *longer;
static struct wcts_plan *plan, *planned;

/* The file with NEXT behind the last version. */
static void add_version(const char *path)
{
    char text[8192];
    FILE *file = fopen(path, "r");
    size_t size = file ? fread(text, 1, sizeof text - 1, file) : 0;
    char *end;
    ck_assert_uint_gt(size, 0);
    fclose(file);
    text[size] = '\0';
    end = strstr(text, "</versions>");
    ck_assert_ptr_nonnull(end);
    file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fprintf(file, "%.*s" NEXT "%s", (int)(end - text), text, end);
    ck_assert_int_eq(fclose(file), 0);
}

static struct wcts_spec *load(const char *directory)
{
    struct wcts_diagnostics diagnostics = {.out = stderr};
    struct wcts_spec *loaded = wcts_load_spec_load(directory, "cases", NULL, 0, &diagnostics);
    ck_assert_ptr_nonnull(loaded);
    return loaded;
}

static struct wcts_spec *load_longer(void)
{
    char directory[] = "/tmp/wcts-versions-XXXXXX", command[200], path[100];
    struct wcts_spec *loaded;
    ck_assert_ptr_nonnull(mkdtemp(directory));
    snprintf(command, sizeof command, "cp -r spec/* %s", directory);
    ck_assert_int_eq(system(command), 0);
    snprintf(path, sizeof path, "%s/versions.xml", directory);
    add_version(path);
    loaded = load(directory);
    snprintf(command, sizeof command, "rm -r %s", directory);
    ck_assert_int_eq(system(command), 0);
    return loaded;
}

static struct wcts_plan *plan_of(const struct wcts_spec *of)
{
    const struct wcts_plan_options options = {.steps = STEPS, .seed = 1};
    struct wcts_diagnostics diagnostics = {.out = stderr};
    struct wcts_plan *made = wcts_plan_make(of, &options, &diagnostics);
    ck_assert_ptr_nonnull(made);
    return made;
}

static void set_up(void)
{
    spec = load("spec");
    longer = load_longer();
    plan = plan_of(spec);
    planned = plan_of(longer);
}

static void tear_down(void)
{
    wcts_plan_free(plan);
    wcts_plan_free(planned);
    wcts_load_spec_free(spec);
    wcts_load_spec_free(longer);
}

/* Pointers differ between two specs: ids and scenarios are compared by their names. What was the
 * last version is no edge any more, which no verdict depends on. */
static void check_equal(const struct wcts_case *before, const struct wcts_case *after)
{
    struct wcts_case a = *before, b = *after;
    ck_assert_str_eq(a.id, b.id);
    ck_assert_int_eq(a.scenario != NULL, b.scenario != NULL);
    if (a.scenario)
        ck_assert_str_eq(a.scenario->name, b.scenario->name);
    memset(a.id, 0, sizeof a.id);
    memset(b.id, 0, sizeof b.id);
    a.index = b.index = 0;
    a.scenario = b.scenario = NULL;
    ck_assert_int_eq(a.gap != NULL, b.gap != NULL);
    ck_assert_int_eq(a.twin_gap != NULL, b.twin_gap != NULL);
    a.gap = b.gap = a.twin_gap = b.twin_gap = NULL;
    ck_assert_msg(memcmp(&a, &b, sizeof a) == 0, "%s has changed", before->id);
}

/* True for a call in another state, or with larger pages that the rule does not depend on: it is
 * made at one version alone, which may be the new one. */
static bool is_made_once(const struct wcts_spec *of, const struct wcts_case *test)
{
    const struct wcts_lang_rule *breach = &of->rules[test->rule].breach;
    return test->state > 0 || (!test->scenario && !wcts_model_is_drawn(test->kind) &&
                               test->kind != WCTS_KIND_COMBINATION && test->page_size != 4096 &&
                               !wcts_lang_has(of->exprs, breach->refuse, WCTS_OP_PAGE) &&
                               !wcts_lang_has(of->exprs, breach->unless, WCTS_OP_PAGE));
}

START_TEST(a_new_version_changes_no_case)
{
    int at = 0, added = 0;
    for (int i = 0; i < planned->count; i++) {
        if (is_made_once(longer, WCTS_PLAN_CASE(planned, i)))
            continue;
        while (at < plan->count && is_made_once(spec, WCTS_PLAN_CASE(plan, at)))
            at++;
        if (strstr(WCTS_PLAN_CASE(planned, i)->id, NEXT_ID)) {
            ck_assert_int_eq(WCTS_PLAN_CASE(planned, i)->version, spec->versions_count);
            added++;
            continue;
        }
        ck_assert_msg(at < plan->count, "%s is new", WCTS_PLAN_CASE(planned, i)->id);
        check_equal(WCTS_PLAN_CASE(plan, at++), WCTS_PLAN_CASE(planned, i));
    }
    while (at < plan->count && is_made_once(spec, WCTS_PLAN_CASE(plan, at)))
        at++;
    ck_assert_int_eq(at, plan->count);
    ck_assert_int_gt(added, 0);
}
END_TEST

static int count_at(const struct wcts_plan *of, int version)
{
    int count = 0;
    for (int i = 0; i < of->count; i++)
        count += WCTS_PLAN_CASE(of, i)->version == version &&
                 WCTS_PLAN_CASE(of, i)->kind != WCTS_KIND_SEQUENCE &&
                 !is_made_once(of->spec, WCTS_PLAN_CASE(of, i));
    return count;
}

/* Of those that every version has. Nothing ends with it; what is not judged at the version before
 * may be at it. */
START_TEST(a_new_version_has_the_cases_of_the_one_before)
{
    ck_assert_int_ge(count_at(planned, longer->versions_count - 1),
                     count_at(plan, spec->versions_count - 1));
}
END_TEST

START_TEST(a_new_version_changes_no_walk)
{
    static struct wcts_oracle_walk_sequence before, after;
    struct wcts_oracle_walk_shape shape, later;
    ck_assert(wcts_oracle_walk_shape_init(&shape, spec));
    ck_assert(wcts_oracle_walk_shape_init(&later, longer));
    for (uint32_t number = 0; number < 30; number++) {
        memset(&before, 0, sizeof before);
        memset(&after, 0, sizeof after);
        wcts_plan_walk_generate(&before, &shape, 1, number);
        wcts_plan_walk_generate(&after, &later, 1, number);
        ck_assert_mem_eq(&before, &after, sizeof before);
    }
}
END_TEST

/* Each version has its walks, the new one too. */
START_TEST(every_version_is_walked)
{
    int *walks = calloc((size_t)longer->versions_count, sizeof *walks), since = -1;
    for (int i = 0; i < planned->count; i++)
        if (WCTS_PLAN_CASE(planned, i)->kind == WCTS_KIND_SEQUENCE)
            walks[WCTS_PLAN_CASE(planned, i)->version]++;
    for (int version = 0; version < longer->versions_count; version++) {
        if (since < 0 && walks[version] > 0)
            since = version;
        ck_assert_msg(since < 0 || walks[version] > 10, "%s has %d walks",
                      longer->versions[version].name, walks[version]);
    }
    ck_assert_int_ge(since, 0);
    free(walks);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("versions");
    TCase *tcase = tcase_create("versions");
    tcase_add_unchecked_fixture(tcase, set_up, tear_down);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, a_new_version_changes_no_case);
    tcase_add_test(tcase, a_new_version_has_the_cases_of_the_one_before);
    tcase_add_test(tcase, a_new_version_changes_no_walk);
    tcase_add_test(tcase, every_version_is_walked);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
