/* SPDX-License-Identifier: MIT */
/*
 * A part of what "run" does, in this process alone, so that valgrind can count its instructions:
 * loads and plans as the tool does, opens the implementation, then performs and judges cases by the
 * functions of a worker and packs what is stored of them. What is left out is what a worker and the
 * runner say to each other, and the files of the run directory.
 *
 * Arguments: N, of how many cases one is performed, or 0 for none at all, and the options of "run".
 * Prints how many cases were performed, and how many of them failed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../runner/cli/selection.h"
#include "runner/base/checksum.h"
#include "runner/exchange/strip.h"
#include "runner/judge/judge.h"
#include "runner/run/case.h"
#include "runner/run/worker.h"
#include "runner/store/tally.h"

/* So many cases are packed behind one another, as in a worker. */
#define BATCH 64

enum { KERNEL, DRIVER, SIDES };

struct bench {
    const struct wcts_cli_suite *suite;
    struct wcts_machine_session *sessions[SIDES];
    struct wcts_packer *packer;
    struct wcts_claims claims;
    int performed, failed;
};

static bool open_side(struct bench *bench, int side)
{
    static const uint32_t bits[SIDES] = {WCTS_SIDE_KERNEL, WCTS_SIDE_DRIVER};
    const struct wcts_machine_session_options options = {.driver = side == DRIVER, .stores = true};
    struct wcts_claims claims = {0};
    char error[512] = "";
    bench->sessions[side] = wcts_machine_session_open(
        bench->suite->plan, &bench->suite->settings->options.implementation, &options, &claims,
        error, sizeof error);
    if (!bench->sessions[side]) {
        fprintf(stderr, "bench-suite: %s\n", error);
        return false;
    }
    wcts_run_claims_merge(&bench->claims, &claims, bits[side]);
    return true;
}

static void perform(struct bench *bench, const struct wcts_case *test)
{
    struct wcts_machine_session *session = bench->sessions[test->driver ? DRIVER : KERNEL];
    struct wcts_result result;
    if (wcts_run_not_asked(bench->suite->plan, test, &bench->claims, NULL))
        return;
    if (bench->performed++ % BATCH == 0)
        wcts_exchange_packer_begin(bench->packer);
    wcts_run_case(session, test, &result);
    wcts_exchange_stream_store(&session->stream, bench->packer, &result.stored);
    wcts_judge_result_read(bench->suite->plan, test, &bench->suite->settings->options, &result);
    bench->failed += wcts_store_verdict_breaks(result.verdict);
    wcts_model_result_release(&result);
}

/* Of each scenario, and of each call otherwise, another version than of those beside it. That
 * depends on nothing but the id, RULE/KIND/VERSION/NAME: what is added to the suite changes no
 * choice. Scenarios are chosen for all their rules, which share what is performed. */
static bool is_chosen(const struct wcts_case *test, int nth)
{
    const char *kind = strchrnul(test->id, '/'), *version = strchrnul(kind + 1, '/'),
               *name = strchrnul(version + 1, '/');
    uint64_t sum = wcts_checksum(0, name, strlen(name));
    if (!test->scenario)
        sum = wcts_checksum(sum, test->id, (size_t)(version - test->id));
    return (sum + (uint64_t)test->version) % (uint64_t)nth == 0;
}

static void perform_chosen(struct bench *bench, const int *selected, int count, int nth)
{
    for (int i = 0; nth > 0 && i < count; i++) {
        struct wcts_case made;
        const struct wcts_case *test = wcts_plan_case(bench->suite->plan, selected[i], &made);
        if (is_chosen(test, nth))
            perform(bench, test);
    }
}

static int bench_suite(struct wcts_cli_suite *suite, int nth)
{
    struct bench bench = {.suite = suite, .packer = wcts_exchange_packer_new()};
    int *selected = NULL, count, status = wcts_cli_select_cases(suite, &selected, &count);
    if (status == WCTS_EXIT_OK && open_side(&bench, KERNEL) && open_side(&bench, DRIVER))
        perform_chosen(&bench, selected, count, nth);
    printf("%d cases, %d failed\n", bench.performed, bench.failed);
    for (int side = 0; side < SIDES; side++)
        wcts_machine_session_close(bench.sessions[side]);
    wcts_exchange_packer_free(bench.packer);
    free(selected);
    return status;
}

int main(int argc, char **argv)
{
    struct wcts_cli_settings settings;
    struct wcts_cli_suite suite = {0};
    int nth = argc > 1 ? atoi(argv[1]) : 0, status = WCTS_EXIT_USAGE;
    if (argc < 2)
        return status;
    argv[1] = (char[]){"run"}; /* the options are parsed as its own */
    if (wcts_cli_settings_parse(&settings, argc, argv) && wcts_cli_suite_init(&suite, &settings))
        status = bench_suite(&suite, nth);
    wcts_cli_suite_release(&suite);
    wcts_cli_settings_release(&settings);
    return status;
}
