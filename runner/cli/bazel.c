/* SPDX-License-Identifier: MIT */
#include "bazel.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/text.h"

static const char *variable_value(const char *variable)
{
    const char *value = getenv(variable);
    return value && value[0] != '\0' ? value : NULL;
}

static bool is_bazel(const struct wcts_cli_settings *settings)
{
    return settings->command == WCTS_COMMAND_run && settings->shard_auto &&
           (variable_value("TEST_SHARD_INDEX") || variable_value("BAZEL_TEST"));
}

const char *wcts_cli_bazel_filter(const struct wcts_cli_settings *settings)
{
    return is_bazel(settings) ? variable_value("TESTBRIDGE_TEST_ONLY") : NULL;
}

bool wcts_cli_bazel_settings(struct wcts_cli_settings *settings)
{
    const char *outputs = variable_value("TEST_UNDECLARED_OUTPUTS_DIR");
    if (!is_bazel(settings))
        return true;
    if (!settings->options.files[WCTS_FORMAT_junit])
        settings->options.files[WCTS_FORMAT_junit] = variable_value("XML_OUTPUT_FILE");
    if (settings->out || settings->resume || !outputs)
        return true;
    if (asprintf(&settings->engine_out, "%s/run", outputs) < 0)
        settings->engine_out = NULL;
    settings->out = settings->engine_out;
    return settings->out != NULL;
}

static bool write_variable_file(const char *variable, const char *text)
{
    const char *path = variable_value(variable);
    FILE *out = path ? fopen(path, "we") : NULL;
    bool written = out && fputs(text, out) >= 0;
    written = out && fclose(out) == 0 && written;
    if (path && !written)
        fprintf(stderr, "wddm-cts: %s=%s: %s\n", variable, path, strerror(errno));
    return !path || written;
}

bool wcts_cli_bazel_begin(const struct wcts_cli_settings *settings)
{
    return !is_bazel(settings) || (write_variable_file("TEST_SHARD_STATUS_FILE", "") &&
                                   write_variable_file("TEST_PREMATURE_EXIT_FILE", ""));
}

void wcts_cli_bazel_end(const struct wcts_cli_settings *settings)
{
    const char *path = variable_value("TEST_PREMATURE_EXIT_FILE");
    if (is_bazel(settings) && path)
        unlink(path);
}

/* A line for each statement that is broken, though the level does not demand it. */
static void write_warnings(const struct wcts_report_run *run)
{
    const struct wcts_spec *spec = run->plan->spec;
    WCTS_TEXT(text);
    for (int i = 0; i < spec->statements_count; i++)
        if (run->warnings[i].reason)
            wcts_text_add(&text, "warn %s: %s: %s\n", spec->statements[i].id,
                          WCTS_PLAN_CASE(run->plan, run->warnings[i].smallest)->id,
                          run->warnings[i].reason);
    if (text.length > 0)
        write_variable_file("TEST_WARNINGS_OUTPUT_FILE", wcts_text_get(&text));
}

void wcts_cli_bazel_conclude(const struct wcts_cli_settings *settings,
                             const struct wcts_report_run *run)
{
    bool broken = run->end == WCTS_POOL_NO_START || run->end == WCTS_POOL_STOPPED ||
                  run->total.verdicts[WCTS_VERDICT_BROKEN] > 0;
    char *text = NULL;
    if (is_bazel(settings) && run->warnings)
        write_warnings(run);
    if (is_bazel(settings) && broken && run->headline &&
        asprintf(&text, "wddm-cts\n%s\n", run->headline) >= 0)
        write_variable_file("TEST_INFRASTRUCTURE_FAILURE_FILE", text);
    free(text);
}
