/* SPDX-License-Identifier: MIT */
/*
 * What a driver gave before (judge/partial_earlier.c): an index says of each allocation of drawn
 * recordings the same as a look at each one before it, with the same first thing that is missing,
 * whatever is lost, refused or not recorded. Runs in the top directory.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/base/random.h"
#include "runner/import/import.h"
#include "runner/judge/partial.h"
#include "runner/load/load.h"
#include "runner/load/spec_files.h"

#define RECORDINGS 4000
#define LINES 40

static struct wcts_spec *spec;
static struct wcts_eval eval;
static uint64_t state = 20241128;
static int rule;
static long said_times[4];

/* ---- recordings ---- */

static unsigned draw(unsigned below)
{
    return (unsigned)wcts_random_below(&state, below);
}

/* What is drawn of a recording: how often something is not as it should be, of 100 times. */
static unsigned odd;

static bool is_odd(void)
{
    return draw(100) < odd;
}

/* An element with a handle, of few of them. */
static void put_element(FILE *out, const char *name)
{
    if (is_odd())
        fprintf(out, "{}");
    else
        fprintf(out, "{\"%s\":%u}", name, draw(12));
}

static void put_list(FILE *out, const char *list, const char *name, unsigned count)
{
    fprintf(out, "\"%s\":[", list);
    for (unsigned i = 0; i < count; i++) {
        fprintf(out, "%s", i ? "," : "");
        put_element(out, name);
    }
    fprintf(out, "]");
}

static void put_line(FILE *out, unsigned seq)
{
    const unsigned count = 1 + draw(3), sort = draw(12);
    fprintf(out, "{\"seq\":%u", seq);
    if (!is_odd())
        fprintf(out, ",\"status\":\"%s\"", draw(8) ? "0x00000000" : "0xC0000001");
    if (sort == 0) {
        fprintf(out, ",\"ddi\":\"DxgkDdiQueryAdapterInfo\",\"in\":{},\"out\":{}}\n");
        return;
    }
    fprintf(out, ",\"ddi\":\"DxgkDdi%sAllocation\",\"in\":{", sort < 7 ? "Create" : "Destroy");
    if (!is_odd())
        fprintf(out, "\"NumAllocations\":%u%s", count, sort < 7 ? "" : ",");
    if (sort < 7) {
        fprintf(out, "},\"out\":{");
        if (!is_odd())
            put_list(out, "pAllocationInfo", "hAllocation", count);
    } else {
        put_list(out, "pAllocationList", "hAllocation", count);
    }
    fprintf(out, "}}\n");
}

/* A recording of which lines are lost, or not all calls are recorded. */
static void put_recording(FILE *out)
{
    static const char *const records[] = {
        "\"all\"", "[\"DxgkDdiCreateAllocation\",\"DxgkDdiDestroyAllocation\"]",
        "[\"DxgkDdiCreateAllocation\"]", "[\"DxgkDdiDestroyAllocation\"]"};
    const unsigned lines = 1 + draw(LINES);
    unsigned seq = draw(6) ? 1 : 2;
    odd = draw(4) ? draw(6) : 0;
    fprintf(out, "{\"wddm\":\"ddi\",\"version\":1,\"WDDMVersion\":\"2.6\",\"Records\":%s%s}\n",
            records[draw(3) ? 0 : draw(4)], draw(2) ? ",\"Complete\":true" : "");
    for (unsigned i = 0; i < lines; i++, seq += is_odd() && draw(3) == 0 ? 2 : 1)
        put_line(out, seq);
}

/* ---- both ways ---- */

/* What the rule says of one place. */
struct said {
    enum wcts_judge_said said;
    struct wcts_exchange_missing missing;
};

static struct said ask(const struct wcts_judge_partial *judge, const struct wcts_exchange *exchange,
                       int record, int element)
{
    struct said said;
    exchange->partial->missing = (struct wcts_exchange_missing){.record = -1};
    said.said = wcts_judge_partial_rule(judge, exchange, rule, record, element);
    said.missing = exchange->partial->missing;
    return said;
}

static bool compare(void *context, struct wcts_import_recording *recording)
{
    const struct wcts_judge_partial one_by_one = {.spec = spec,
                                                  .eval = &eval,
                                                  .version = recording->first_version,
                                                  .last_version = recording->last_version};
    const char *text = context;
    for (int x = 0; x < recording->count; x++) {
        const struct wcts_exchange *exchange = &recording->exchanges[x];
        struct wcts_judge_partial judge = one_by_one;
        judge.earlier = wcts_judge_earlier_new();
        ck_assert_ptr_nonnull(judge.earlier);
        for (int r = 0; r < exchange->count; r++) {
            bool untold = false;
            int count = wcts_judge_partial_count(&judge, exchange, rule, r, &untold);
            for (int e = 0; e < count; e++) {
                struct said expected = ask(&one_by_one, exchange, r, e);
                struct said got = ask(&judge, exchange, r, e);
                said_times[got.said]++;
                ck_assert_msg(got.said == expected.said, "record %d, element %d is %d, not %d:\n%s",
                              r, e, got.said, expected.said, text);
                ck_assert_msg(got.missing.lack == expected.missing.lack &&
                                  got.missing.record == expected.missing.record &&
                                  got.missing.structure == expected.missing.structure &&
                                  got.missing.member == expected.missing.member,
                              "record %d, element %d: lack %d of record %d, not %d of %d:\n%s", r,
                              e, got.missing.lack, got.missing.record, expected.missing.lack,
                              expected.missing.record, text);
            }
        }
        wcts_judge_earlier_free(judge.earlier);
    }
    return true;
}

START_TEST(test_index)
{
    struct wcts_diagnostics diagnostics = {.out = fopen("/dev/null", "w")};
    const struct wcts_import_options options = {
        .spec = spec, .version = -1, .diagnostics = &diagnostics};
    for (int i = 0; i < RECORDINGS; i++) {
        char *text = NULL;
        size_t size = 0;
        FILE *out = open_memstream(&text, &size), *in;
        put_recording(out);
        fclose(out);
        in = fmemopen(text, size, "r");
        ck_assert_msg(wcts_import_jsonl(&options, "drawn", in, compare, text), "%s", text);
        fclose(in);
        free(text);
    }
    fclose(diagnostics.out);
    printf("%ld nothing, %ld kept, %ld broken, %ld unknown\n", said_times[WCTS_SAID_NOTHING],
           said_times[WCTS_SAID_KEPT], said_times[WCTS_SAID_BROKEN], said_times[WCTS_SAID_UNKNOWN]);
    for (int i = 0; i < 4; i++)
        ck_assert_int_gt(said_times[i], 500);
}
END_TEST

static void load(void)
{
    struct wcts_diagnostics diagnostics = {.out = stderr};
    spec = wcts_load_spec_load("spec", "cases", NULL, 0, &diagnostics);
    ck_assert_ptr_nonnull(spec);
    ck_assert(wcts_oracle_eval_init(&eval, spec));
    rule = 0;
    while (rule < spec->rules_count && strcmp(spec->rules[rule].id, "AIN-030.distinct") != 0)
        rule++;
    ck_assert_int_lt(rule, spec->rules_count);
}

static void unload(void)
{
    wcts_oracle_eval_release(&eval);
    wcts_load_spec_free(spec);
}

int main(void)
{
    Suite *suite = suite_create("earlier");
    TCase *tcase = tcase_create("repeats");
    SRunner *runner = srunner_create(suite);
    int failed;
    srunner_set_fork_status(runner, CK_NOFORK);
    tcase_set_timeout(tcase, 0);
    tcase_add_unchecked_fixture(tcase, load, unload);
    tcase_add_test(tcase, test_index);
    suite_add_tcase(suite, tcase);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
