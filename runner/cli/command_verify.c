/* SPDX-License-Identifier: MIT */
/* wddm-cts verify: somebody else's run directory, and what can be said of it. */
#include "../../reports/verify.h"
#include "context.h"

static int verify(const struct wcts_settings *settings, struct wcts_reader *reader)
{
    struct wcts_context context = {0};
    struct wcts_verify verify;
    int status = WCTS_EXIT_USAGE;
    if (wcts_context_init(&context, settings)) {
        struct wcts_diagnostics diagnostics = {.out = stderr};
        struct wcts_mustpass *mustpass = wcts_context_mustpass(&context, &diagnostics);
        const struct wcts_verify_basis basis = {.plan = context.plan,
                                                .asked = &settings->asked,
                                                .mustpass = mustpass,
                                                .total = wcts_context_total(&context),
                                                .implementation = settings->given_implementation};
        status = wcts_verify_init(&verify, &basis, reader);
        if (settings->json)
            json_dumpf(verify.page, stdout, JSON_INDENT(2));
        else
            wcts_verify_print(stdout, verify.page);
        if (settings->json)
            fputs("\n", stdout);
        wcts_verify_release(&verify);
        wcts_mustpass_free(mustpass);
    }
    wcts_context_release(&context);
    return fflush(stdout) == 0 ? status : WCTS_EXIT_BROKEN;
}

int wcts_command_verify(const struct wcts_settings *settings)
{
    struct wcts_settings asked = *settings; /* with the run's own suite, level and seed */
    struct wcts_reader reader = {0};
    int status = WCTS_EXIT_USAGE;
    if (settings->argument_count != 1)
        wcts_settings_usage(stderr, WCTS_COMMAND_verify);
    else if (wcts_implementation_is_there(&settings->asked.implementation)) {
        wcts_reader_init(&reader, settings->arguments[0], NULL);
        if (wcts_verify_settings(&reader, &asked.asked))
            status = verify(&asked, &reader);
    }
    wcts_reader_close(&reader);
    return status;
}
