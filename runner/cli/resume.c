/* SPDX-License-Identifier: MIT */
#include "resume.h"

#include <stdlib.h>
#include <string.h>

#include "../base/text.h"
#include "../store/input.h"
#include "../store/run_dir.h"
#include "options.h"
#include "suite.h"

/* ---- words ---- */

/* The words "--name=value", or "--name", of a command line. */
struct cli_words {
    const char *const *of;
    int count;
};

static bool is_word_of(const char *word, const char *name)
{
    size_t length = strlen(name);
    return strncmp(word, "--", 2) == 0 && strncmp(word + 2, name, length) == 0 &&
           (word[2 + length] == '\0' || word[2 + length] == '=');
}

static void add_argument(struct wcts_text *list, const char *word)
{
    wcts_text_add(list, "%s%s", list->length ? " " : "", word);
}

/* True if what a run finds may depend on the option. */
static bool makes_results(const struct wcts_cli_option *option)
{
    return option->commands & 1u << WCTS_COMMAND_run && !(option->commands & WCTS_OPTION_FREE);
}

char *wcts_cli_resume_difference(const char *const *found, int found_count, const json_t *expected,
                                 bool some, const char *skipped)
{
    for (size_t i = 0; i < wcts_cli_options_count; i++) {
        const char *name = wcts_cli_options[i].name;
        WCTS_TEXT(ours);
        WCTS_TEXT(theirs);
        char *text = NULL;
        if (!makes_results(&wcts_cli_options[i]) || (skipped && strcmp(skipped, name) == 0))
            continue;
        for (int word = 0; word < found_count; word++)
            if (is_word_of(found[word], name))
                add_argument(&ours, found[word]);
        for (size_t word = 0; word < json_array_size(expected); word++)
            if (is_word_of(json_string_value(json_array_get(expected, word)), name))
                add_argument(&theirs, json_string_value(json_array_get(expected, word)));
        if ((some && ours.length == 0) || strcmp(wcts_text_get(&ours), wcts_text_get(&theirs)) == 0)
            continue;
        if (asprintf(&text, "found %s%s, expected %s%s", ours.length ? "" : "no --",
                     ours.length ? wcts_text_get(&ours) : name, theirs.length ? "" : "no --",
                     theirs.length ? wcts_text_get(&theirs) : name) < 0)
            return NULL;
        return text;
    }
    return NULL;
}

/* ---- a command line again ---- */

static bool report_run(const char *directory, const char *what)
{
    fprintf(stderr, "wddm-cts: %s/%s: %s\n", directory, WCTS_FILE_RUN, what);
    return false;
}

/* A path as run.json has it, in a home directory; the caller frees it. */
static char *quoted_argument(const char *word)
{
    const char *home = getenv("HOME"), *value = strchr(word, '=');
    char *whole = NULL;
    if (!home || !value || strncmp(value, "=~/", 3) != 0)
        return strdup(word);
    if (asprintf(&whole, "%.*s%s%s", (int)(value - word + 1), word, home, value + 2) < 0)
        return NULL;
    return whole;
}

/* The stored words, and of the given ones those that count beside them; ended by NULL. The caller
 * frees them. without: the name of an option that is left out; NULL: none. */
static char **make_line(const json_t *stored, const struct cli_words *given, const char *without)
{
    size_t count = json_array_size(stored) + (size_t)given->count, used = 0;
    char **line = calloc(count + 3, sizeof *line);
    if (!line)
        return NULL;
    line[used++] = strdup("wddm-cts");
    line[used++] = strdup("run");
    for (size_t i = 0; i < json_array_size(stored); i++) {
        const char *word = json_string_value(json_array_get(stored, i));
        if (!without || !is_word_of(word, without))
            line[used++] = quoted_argument(word);
    }
    for (int i = 0; i < given->count; i++)
        for (size_t option = 0; option < wcts_cli_options_count; option++)
            if (!makes_results(&wcts_cli_options[option]) &&
                is_word_of(given->of[i], wcts_cli_options[option].name))
                line[used++] = quoted_argument(given->of[i]);
    return line;
}

/* The options in run.json; NULL, with a message, if there are none. */
static const json_t *stored_words(const char *directory, const json_t *run)
{
    const json_t *words = json_object_get(run, "options");
    bool right = json_is_array(words);
    for (size_t i = 0; right && i < json_array_size(words); i++) {
        const char *word = json_string_value(json_array_get(words, i));
        right = word && strncmp(word, "--", 2) == 0 && strlen(word) > 2;
    }
    if (!right)
        report_run(directory, "\"options\" is missing or wrong, expected those of the run");
    return right ? words : NULL;
}

/* False, with a message, if they are not those that were written: the rest of the run would be that
 * of another one. */
static bool are_unchanged(const char *directory, const json_t *run)
{
    json_t *found = wcts_store_json_sum(json_object_get(run, "options"));
    const char *expected = wcts_store_json_member(run, "options_checksum");
    bool same = found && strcmp(json_string_value(found), expected) == 0;
    if (!same)
        fprintf(stderr,
                "wddm-cts: %s/%s: \"options\" have checksum %s, expected %s: the file was "
                "changed\n",
                directory, WCTS_FILE_RUN, found ? json_string_value(found) : "none",
                expected[0] ? expected : "one");
    json_decref(found);
    return same;
}

static bool same_tool(const char *directory, const json_t *run)
{
    const char *version = wcts_store_json_member(run, "tool_version");
    if (strcmp(version, WCTS_VERSION) == 0)
        return true;
    fprintf(stderr, "wddm-cts: %s/%s: made by version %s of the tool, expected this one, %s\n",
            directory, WCTS_FILE_RUN, version[0] ? version : "none", WCTS_VERSION);
    return false;
}

/* The profile that the implementation named in that run, so that it is the run's whatever the
 * implementation names now. False without memory. */
static bool keep_named_profile(struct wcts_cli_settings *settings, const json_t *run)
{
    const char *name = wcts_cli_profile_of_run(run);
    if (settings->profile || !name ||
        !json_is_true(json_object_get(json_object_get(run, "profile"), "named")))
        return true;
    settings->profile = settings->named_profile = strdup(name);
    settings->options.profile_named = true;
    return settings->profile != NULL;
}

static bool parse_again(struct wcts_cli_settings *settings, const char *directory,
                        const json_t *run, const struct cli_words *given, const char *without)
{
    const json_t *stored = same_tool(directory, run) ? stored_words(directory, run) : NULL;
    char **line = stored ? make_line(stored, given, without) : NULL;
    int count = 0;
    *settings = (struct wcts_cli_settings){0};
    while (line && line[count])
        count++;
    bool right = line && wcts_cli_settings_parse(settings, count, line);
    settings->again = line;
    if (line && !right)
        report_run(directory, "the run's own \"options\" are wrong");
    return right && keep_named_profile(settings, run);
}

bool wcts_cli_resume_parse(struct wcts_cli_settings *settings, const char *directory,
                           const json_t *run)
{
    return parse_again(settings, directory, run, &(struct cli_words){0}, "shard");
}

/* ---- going on ---- */

static json_t *read_run(const char *directory)
{
    const char *wrong;
    int line;
    json_t *run = wcts_store_input_json(directory, WCTS_FILE_RUN, &wrong, &line);
    if (!run)
        fprintf(stderr, "wddm-cts: --resume %s: %s: %s, expected the directory of a run\n",
                directory, WCTS_FILE_RUN, wrong);
    return run;
}

static bool may_resume(const struct wcts_cli_settings *settings, const json_t *run)
{
    const json_t *words = json_object_get(run, "options");
    char *text = wcts_cli_resume_difference((const char *const *)settings->options.words,
                                            settings->options.word_count, words, true, NULL);
    if (text)
        fprintf(stderr, "wddm-cts: --resume %s: %s, as the run was begun\n", settings->resume,
                text);
    if (!text && settings->out)
        fprintf(stderr, "wddm-cts: --resume %s: found --out %s too, expected one of the two\n",
                settings->resume, settings->out);
    free(text);
    return !text && !settings->out;
}

bool wcts_cli_resume_apply(struct wcts_cli_settings *settings)
{
    const struct cli_words given = {(const char *const *)settings->options.words,
                                    settings->options.word_count};
    struct wcts_cli_settings again = {0};
    json_t *run = read_run(settings->resume);
    bool right = run && same_tool(settings->resume, run) && may_resume(settings, run) &&
                 stored_words(settings->resume, run) && are_unchanged(settings->resume, run) &&
                 parse_again(&again, settings->resume, run, &given, NULL);
    if (right) {
        again.resume = again.out = settings->resume;
        free((char *)(uintptr_t)again.options.command_line);
        again.options.command_line = strdup(wcts_store_json_member(run, "command_line"));
        wcts_cli_settings_release(settings);
        *settings = again;
    } else {
        wcts_cli_settings_release(&again);
    }
    json_decref(run);
    return right;
}
