/* SPDX-License-Identifier: MIT */
/* JSON lines, as "wddm-cts check" reads and judges them, reports them, and writes them again. */
#include "fuzz.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "reports/check.h"
#include "runner/import/import.h"

/* What is read is judged, and written where it is to go. */
struct jsonl_work {
    struct wcts_report_check check;
    FILE *again;
};

static bool take(void *context, struct wcts_import_recording *recording)
{
    struct jsonl_work *work = context;
    for (int i = 0; i < recording->count; i++) {
        struct wcts_exchange *exchange = &recording->exchanges[i];
        const struct wcts_report_check_source source = {
            recording->path,         recording->name,      exchange, recording->first_version,
            recording->last_version, recording->page_size, 0};
        const struct wcts_import_head head = {recording->name, recording->first_version,
                                              recording->page_size, recording->judged, NULL};
        wcts_report_check_add(&work->check, &source);
        wcts_import_write(work->again, wcts_fuzz_spec(), &head, exchange, exchange->count);
        wcts_exchange_print(work->again, wcts_fuzz_spec(), exchange, 2);
    }
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct wcts_eval eval;
    const struct wcts_spec *spec = wcts_fuzz_spec();
    struct wcts_diagnostics diagnostics = {.out = wcts_fuzz_sink()};
    const struct wcts_import_options options = {
        .spec = spec, .version = -1, .diagnostics = &diagnostics};
    struct jsonl_work work = {.again = wcts_fuzz_sink()};
    int file = memfd_create("input", MFD_CLOEXEC);
    char path[64];
    bool good;
    WCTS_FUZZ_HOLDS(file >= 0 && write(file, data, size) == (ssize_t)size);
    if (!eval.spec)
        WCTS_FUZZ_HOLDS(wcts_oracle_eval_init(&eval, spec));
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    WCTS_FUZZ_HOLDS(wcts_report_check_init(&work.check, spec, &eval, WCTS_LEVEL_DOCUMENTED));
    for (int side = 0; side < WCTS_JUDGE_SIDES; side++)
        work.check.sides[side] = true;
    good = wcts_import_file(&options, path, take, &work);
    WCTS_FUZZ_HOLDS(good == (diagnostics.errors == 0));
    if (good) {
        json_t *page = wcts_report_check_json(&work.check, true);
        json_dumpf(page, wcts_fuzz_sink(), 0);
        json_decref(page);
        wcts_report_check_print(wcts_fuzz_sink(), &work.check, true);
    }
    wcts_report_check_release(&work.check);
    close(file);
    return 0;
}
