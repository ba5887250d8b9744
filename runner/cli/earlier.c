/* SPDX-License-Identifier: MIT */
#include "earlier.h"

#include <stdlib.h>
#include <string.h>

#include "../../reports/json.h"
#include "../base/text.h"
#include "../model/profile.h"
#include "../store/input.h"

bool wcts_cli_earlier_open(struct wcts_cli_earlier *earlier, const char *directory)
{
    const char *wrong;
    int line;
    *earlier = (struct wcts_cli_earlier){.directory = directory};
    earlier->description = wcts_store_input_json(directory, WCTS_FILE_RUN, &wrong, &line);
    if (!earlier->description)
        fprintf(stderr, "wddm-cts: %s/%s:%d: %s, expected the description of a run\n", directory,
                WCTS_FILE_RUN, line, wrong);
    return earlier->description != NULL;
}

void wcts_cli_earlier_release(struct wcts_cli_earlier *earlier)
{
    wcts_store_entry_release(&earlier->entry);
    wcts_store_journal_close(&earlier->journal);
    json_decref(earlier->description);
    *earlier = (struct wcts_cli_earlier){0};
}

bool wcts_cli_earlier_has_ended(const struct wcts_cli_earlier *earlier, int *status)
{
    const json_t *code = json_object_get(earlier->description, "exit_code");
    const char *end = wcts_store_json_member(earlier->description, "end");
    *status = (int)json_integer_value(code);
    return json_is_integer(code) && *status >= WCTS_EXIT_OK && *status <= WCTS_EXIT_NOTHING &&
           strcmp(end, WCTS_RUNNING) != 0 && strcmp(end, WCTS_STOPPED) != 0;
}

bool wcts_cli_earlier_describe(const struct wcts_cli_earlier *earlier, struct wcts_report_run *run)
{
    struct wcts_report_run described = {0};
    const char *wrong = wcts_report_json_read_run(&described, earlier->description, false);
    if (wrong) {
        fprintf(stderr, "wddm-cts: %s/%s: \"%s\" is missing or wrong\n", earlier->directory,
                WCTS_FILE_RUN, wrong);
        return false;
    }
    run->started = described.started;
    run->unrepeated = described.unrepeated;
    run->left = described.left;
    run->claims = described.claims;
    return true;
}

/* ---- what has to be the same ---- */

static bool compare_member(const struct wcts_cli_earlier *earlier, const char *what,
                           const char *found, const char *expected)
{
    if (strcmp(found, expected) == 0)
        return true;
    fprintf(stderr,
            "wddm-cts: %s/%s: %s has digest %.16s now, expected %.16s, with which the run "
            "was begun\n",
            earlier->directory, WCTS_FILE_RUN, what, found[0] ? found : "none",
            expected[0] ? expected : "none");
    return false;
}

bool wcts_cli_earlier_is_same(const struct wcts_cli_earlier *earlier,
                              const struct wcts_report_run *run)
{
    const json_t *description = earlier->description;
    const json_t *implementation = json_object_get(description, "implementation");
    const json_t *baseline = json_object_get(description, "baseline");
    return compare_member(earlier, "the spec", run->plan->spec->digest,
                          wcts_store_json_member(description, "spec_digest")) &&
           compare_member(earlier, "the implementation", run->implementation_digest,
                          wcts_store_json_member(implementation, "sha256")) &&
           compare_member(
               earlier, "the profile", run->asked.profile ? run->asked.profile->digest : "",
               wcts_store_json_member(json_object_get(description, "profile"), "digest")) &&
           compare_member(earlier, "the baseline", run->baseline ? run->baseline->digest : "",
                          wcts_store_json_member(baseline, "digest"));
}

bool wcts_cli_earlier_claims_same(const struct wcts_cli_earlier *earlier,
                                  const struct wcts_claims *claims)
{
    json_t *now = wcts_report_json_claims(claims);
    const json_t *then = json_object_get(earlier->description, "claims"), *value;
    const char *key, *differs = NULL;
    json_object_foreach(now, key, value)
    {
        /* A remark may be about the process that was asked. */
        if (!differs && strcmp(key, "remarks") != 0 &&
            !json_equal(value, json_object_get(then, key)))
            differs = key;
    }
    if (differs)
        fprintf(stderr,
                "wddm-cts: %s/%s: the implementation claims another \"%s\" now than in the run\n",
                earlier->directory, WCTS_FILE_RUN, differs);
    json_decref(now);
    return !differs;
}

/* ---- results ---- */

char *wcts_cli_earlier_scenario(const char *directory, const char *id)
{
    char *path = NULL, *text = NULL;
    size_t size = 0;
    const char *unused;
    if (asprintf(&path, "%s/scenarios", directory) < 0)
        return NULL;
    WCTS_TEXT(name);
    wcts_text_add(&name, "%s.xml", id);
    char *file = wcts_text_take(&name);
    for (char *at = file; at && *at; at++)
        if (*at == '/')
            *at = '-';
    FILE *in = file ? wcts_store_input_open(path, file, &unused) : NULL;
    FILE *out = in ? open_memstream(&text, &size) : NULL;
    for (int byte; out && (byte = getc(in)) != EOF;)
        putc(byte, out);
    if (out)
        fclose(out);
    if (in)
        fclose(in);
    free(file);
    free(path);
    return text;
}

static bool report_entry(const struct wcts_cli_earlier *earlier, int position, const char *found,
                         const char *expected)
{
    fprintf(stderr, "wddm-cts: %s/%s:%d: %s, expected %s\n", earlier->directory, WCTS_FILE_JOURNAL,
            position + 1, found, expected);
    return false;
}

bool wcts_cli_earlier_next(void *ctx, int position, struct wcts_result *result, char **output)
{
    struct wcts_cli_earlier *earlier = ctx;
    const struct wcts_report_run *run = earlier->run;
    struct wcts_case made;
    const struct wcts_case *test = wcts_plan_case(run->plan, run->selected[position], &made);
    wcts_store_entry_release(&earlier->entry);
    if (!earlier->journal.file &&
        !wcts_store_journal_open(&earlier->journal, earlier->directory, run->plan->spec))
        return report_entry(earlier, position, "cannot be read", "the journal of the run");
    if (!wcts_store_journal_next(&earlier->journal, &earlier->entry))
        return report_entry(earlier, position, "no entry", "an object with id and verdict");
    if (strcmp(earlier->entry.id, test->id) != 0)
        return report_entry(earlier, position, earlier->entry.id, test->id);
    if (!wcts_store_entry_found(&earlier->entry, run->plan->spec, result))
        return report_entry(earlier, position, "\"found\" cannot be read",
                            "the findings of the case");
    *output = strdup(earlier->entry.output);
    return *output != NULL;
}
