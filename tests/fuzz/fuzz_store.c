/* SPDX-License-Identifier: MIT */
/*
 * The files of a run directory. The first byte of the input is the first letter of the command that
 * reads it, report, verify, check or diff (anything else: all of them), and each file is behind a
 * line "-- NAME". In run.json "@SPEC@" stands for the digest of the spec: the
 * corpus does not change with it.
 */
#include "fuzz.h"

#include <string.h>

#include "reports/diff.h"
#include "reports/exchanges.h"
#include "reports/loaded_run.h"
#include "reports/results.h"

#include "reports/tap.h"
#include "reports/verify.h"

/* Its plan is the one small plan, which nobody frees (--wrap in the Makefile). */
void __real_wcts_plan_free(struct wcts_plan *plan);
void __wrap_wcts_plan_free(struct wcts_plan *plan);

void __wrap_wcts_plan_free(struct wcts_plan *plan)
{
    if (plan != wcts_fuzz_plan())
        __real_wcts_plan_free(plan);
}

static struct wcts_plan *make_plan(const void *ctx, enum wcts_suite suite, uint64_t seed)
{
    (void)ctx;
    (void)suite;
    (void)seed;
    return (struct wcts_plan *)(uintptr_t)wcts_fuzz_plan();
}

static void report(const char *path)
{
    const struct wcts_options asked = {.level = WCTS_LEVEL_DOCUMENTED};
    const struct wcts_report_load_options options = {wcts_fuzz_spec(), &asked, make_plan, NULL,
                                                     NULL};
    struct wcts_report_loaded_run loaded = {0};
    if (wcts_report_loaded_run_init(&loaded, path, &options) == WCTS_EXIT_OK) {
        wcts_report_summary_print(wcts_fuzz_sink(), &loaded.run);
        wcts_report_tap_write(wcts_fuzz_sink(), &loaded.run);
        wcts_report_results_write(wcts_fuzz_sink(), wcts_fuzz_spec(), &loaded, 1);
    }
    wcts_report_loaded_run_release(&loaded);
}

static void verify(const char *path)
{
    struct wcts_options asked = {.level = WCTS_LEVEL_DOCUMENTED};
    struct wcts_store_reader reader = {0};
    struct wcts_report_verify verifying = {0};
    const struct wcts_report_verify_basis basis = {
        .plan = wcts_fuzz_plan(), .asked = &asked, .total = wcts_fuzz_plan()->count};
    wcts_store_reader_init(&reader, path, NULL);
    if (wcts_report_verify_settings(&reader, &asked)) {
        wcts_report_verify_init(&verifying, &basis, &reader);
        wcts_report_verify_print(wcts_fuzz_sink(), verifying.page);
    }
    wcts_report_verify_release(&verifying);
    wcts_store_reader_close(&reader);
}

static bool visit(void *context, const struct wcts_report_exchange *one)
{
    (void)context;
    wcts_exchange_print(wcts_fuzz_sink(), wcts_fuzz_spec(), one->exchange, 0);
    return true;
}

static void check(const char *path)
{
    struct wcts_options asked = {.level = WCTS_LEVEL_DOCUMENTED};
    struct wcts_store_reader reader = {0};
    wcts_store_reader_init(&reader, path, NULL);
    if (wcts_report_verify_settings(&reader, &asked))
        wcts_report_exchanges(&reader, wcts_fuzz_plan(), visit, NULL);
    wcts_store_reader_close(&reader);
}

static void diff(const char *path)
{
    json_t *difference = wcts_report_diff_runs(path, path);
    if (difference)
        wcts_report_diff_print(wcts_fuzz_sink(), difference, true);
    json_decref(difference);
}

/* The input with the digest of the spec in it; the caller frees it. */
static uint8_t *with_digest(const uint8_t *data, size_t *size)
{
    static const char mark[] = "@SPEC@";
    const char *digest = wcts_fuzz_spec()->digest;
    const uint8_t *found = memmem(data, *size, mark, sizeof mark - 1);
    size_t before = found ? (size_t)(found - data) : *size, length = strlen(digest);
    uint8_t *copy = malloc(*size + length + 1);
    WCTS_FUZZ_HOLDS(copy != NULL);
    memcpy(copy, data, before);
    if (found) {
        size_t behind = *size - before - (sizeof mark - 1);
        memcpy(copy + before, digest, length);
        memcpy(copy + before + length, found + sizeof mark - 1, behind);
        *size = before + length + behind;
    }
    return copy;
}

static const struct {
    char letter;
    void (*run)(const char *path);
} commands[] = {{'r', report}, {'v', verify}, {'c', check}, {'d', diff}};

#define COMMANDS (sizeof commands / sizeof *commands)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"run.json",     "plan.tsv", "journal.jsonl",
                                        "verdicts.txt", "records",  NULL};
    struct wcts_fuzz_directory directory;
    size_t length = size;
    bool known = size > 0 && data[0] != '\0' && strchr("rvcd", data[0]);
    uint8_t *copy = with_digest(data, &length);
    wcts_fuzz_directory_init(&directory, names);
    wcts_fuzz_directory_lay(&directory, copy, length);
    free(copy);
    for (size_t i = 0; i < COMMANDS; i++)
        if (!known || commands[i].letter == data[0])
            commands[i].run(directory.path);
    wcts_fuzz_directory_release(&directory);
    return 0;
}
