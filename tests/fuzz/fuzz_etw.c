/* SPDX-License-Identifier: MIT */
/* Events of a trace, as "wddm-cts check" reads and judges them, and reports them. What the events
 * mean is read from spec/: run it from the source directory. */
#include "fuzz.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "reports/check.h"
#include "runner/import/import.h"

static bool take(void *context, struct wcts_import_recording *recording)
{
    struct wcts_report_check *check = context;
    WCTS_FUZZ_HOLDS(recording->count == 1 && recording->exchanges->count > 0);
    const struct wcts_report_check_source source = {
        recording->path,          recording->name,         recording->exchanges,
        recording->first_version, recording->last_version, recording->page_size,
        recording->judged_before};
    return wcts_report_check_add(check, &source);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct wcts_eval eval;
    const struct wcts_spec *spec = wcts_fuzz_spec();
    struct wcts_diagnostics diagnostics = {.out = wcts_fuzz_sink()};
    /* The first byte is the version. */
    const struct wcts_import_options options = {.spec = spec,
                                                .version =
                                                    size ? data[0] % spec->versions_count : 0,
                                                .traces = "spec/traces/dxgkrnl.xml",
                                                .diagnostics = &diagnostics};
    struct wcts_report_check check;
    FILE *in;
    bool good;
    if (size < 2)
        return 0;
    in = fmemopen((void *)(uintptr_t)(data + 1), size - 1, "r");
    if (!eval.spec)
        WCTS_FUZZ_HOLDS(wcts_oracle_eval_init(&eval, spec));
    WCTS_FUZZ_HOLDS(in && wcts_report_check_init(&check, spec, &eval, WCTS_LEVEL_DOCUMENTED));
    good = wcts_import_etw(&options, "trace.xml", in, take, &check);
    WCTS_FUZZ_HOLDS(good == (diagnostics.errors == 0));
    if (good) {
        WCTS_FUZZ_HOLDS(wcts_report_check_html(wcts_fuzz_sink(), &check));
        wcts_report_check_print(wcts_fuzz_sink(), &check, true);
    }
    wcts_report_check_release(&check);
    fclose(in);
    return 0;
}
