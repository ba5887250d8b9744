/* SPDX-License-Identifier: MIT */
/* wddm-cts report: reports from run directories, side by side. */
#include <errno.h>
#include <libxml/parser.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../reports/results.h"
#include "../reports/tap.h"
#include "../reports/transform.h"

/* The result XML in a temporary file, which is gone when it is closed. */
static FILE *write_results(const struct wcts_context *context, const struct wcts_saved *runs,
                           int count)
{
    FILE *file = tmpfile();
    if (!file) {
        fprintf(stderr, "wddm-cts: a temporary file: %s\n", strerror(errno));
        return NULL;
    }
    if (wcts_results_write(file, context->spec, runs, count))
        return file;
    fclose(file);
    return NULL;
}

static bool copy_to(FILE *from, const char *path)
{
    char bytes[65536];
    size_t size;
    FILE *out = fopen(path, "we");
    bool written = out != NULL;
    rewind(from);
    while (written && (size = fread(bytes, 1, sizeof bytes, from)) > 0)
        written = fwrite(bytes, 1, size, out) == size;
    if (out)
        written = fclose(out) == 0 && written;
    if (!written)
        fprintf(stderr, "wddm-cts: %s: %s\n", path, strerror(errno));
    return written;
}

/* What the stylesheets make. */
static bool transform(FILE *results, const struct wcts_settings *settings)
{
    const char *const paths[WCTS_SHEET_COUNT] = {[WCTS_SHEET_HTML] = settings->html,
                                                 [WCTS_SHEET_COBERTURA] = settings->cobertura,
                                                 [WCTS_SHEET_MARKDOWN] = settings->markdown};
    xmlDocPtr document = NULL;
    bool written = true;
    rewind(results);
    for (int i = 0; i < WCTS_SHEET_COUNT; i++) {
        if (!paths[i])
            continue;
        if (!document)
            document = xmlReadFd(fileno(results), "results.xml", NULL,
                                 XML_PARSE_NONET | XML_PARSE_HUGE | XML_PARSE_COMPACT);
        written = document && wcts_transform(document, (enum wcts_sheet)i, paths[i]) && written;
    }
    xmlFreeDoc(document);
    return written;
}

static bool wants_results(const struct wcts_settings *settings)
{
    return settings->xml || settings->html || settings->cobertura || settings->markdown;
}

static bool write_reports(const struct wcts_context *context, const struct wcts_saved *runs,
                          int count)
{
    const struct wcts_settings *settings = context->settings;
    bool written = true;
    if (wants_results(settings)) {
        FILE *results = write_results(context, runs, count);
        if (!results)
            return false;
        if (settings->xml)
            written = copy_to(results, settings->xml);
        written = transform(results, settings) && written;
        fclose(results);
    }
    if (settings->junit)
        written = wcts_junit_write(&runs[0].run, settings->junit) && written;
    if (settings->tap)
        written = wcts_tap_write(stdout, &runs[0].run) && written;
    else if (!wants_results(settings) && !settings->junit)
        for (int i = 0; i < count; i++)
            wcts_summary_print(stdout, &runs[i].run);
    return fflush(stdout) == 0 && written;
}

static enum wcts_exit report(const struct wcts_context *context)
{
    const struct wcts_settings *settings = context->settings;
    int count = settings->argument_count, loaded = 0;
    enum wcts_exit status = WCTS_EXIT_OK;
    struct wcts_saved *runs = calloc((size_t)count, sizeof *runs);

    if (!runs)
        return WCTS_EXIT_BROKEN;
    while (loaded < count && status == WCTS_EXIT_OK) {
        status = wcts_saved_load(&runs[loaded], settings->arguments[loaded], context);
        loaded++;
    }
    if (status == WCTS_EXIT_OK && !write_reports(context, runs, count))
        status = WCTS_EXIT_BROKEN;
    while (loaded > 0)
        wcts_saved_release(&runs[--loaded]);
    free(runs);
    return status;
}

/* One entry a case: JUnit and TAP have no place for a second run. */
static bool is_right(const struct wcts_settings *settings)
{
    if (settings->argument_count == 0) {
        wcts_settings_usage(stderr, WCTS_COMMAND_report);
        return false;
    }
    if (settings->argument_count > 1 && (settings->junit || settings->tap)) {
        fprintf(stderr, "wddm-cts: --%s: %d run directories, expected one\n",
                settings->junit ? "junit" : "tap", settings->argument_count);
        return false;
    }
    return true;
}

int wcts_command_report(const struct wcts_settings *settings)
{
    struct wcts_context context = {0};
    enum wcts_exit status = WCTS_EXIT_USAGE;
    if (is_right(settings) && wcts_context_init(&context, settings))
        status = report(&context);
    wcts_context_release(&context);
    return (int)status;
}
