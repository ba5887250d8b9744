/* SPDX-License-Identifier: MIT */
#include "replay.h"

#include <inttypes.h>
#include <string.h>

#include "../runner/base/address.h"
#include "../runner/base/path.h"

#define PLAIN "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./,=:+@%"

/* Prints a word of a command line, quoted if the shell needs that. "~/" is left to the shell. */
static void print_word(FILE *out, const char *word)
{
    if (strncmp(word, "~/", 2) == 0 && word[2] != '\0') {
        fputs("~/", out);
        word += 2;
    }
    if (word[0] != '\0' && word[strspn(word, PLAIN)] == '\0') {
        fputs(word, out);
        return;
    }
    fputc('\'', out);
    for (; *word != '\0'; word++)
        if (*word == '\'')
            fputs("'\\''", out);
        else
            fputc(*word, out);
    fputc('\'', out);
}

static void print_option(FILE *out, const char *name, const char *value)
{
    fprintf(out, " --%s ", name);
    print_word(out, value);
}

static void print_path(FILE *out, const char *name, const char *path)
{
    char buffer[WCTS_PATH_ROOM];
    print_option(out, name, wcts_path_shown(path, buffer, sizeof buffer));
}

/* " --memory-limit 2G", in the largest unit of which it is a whole number. */
static void print_size(FILE *out, const char *name, uint64_t size)
{
    const char *unit = "\0KMG";
    while (size % 1024 == 0 && unit[1] != '\0') {
        size /= 1024;
        unit++;
    }
    fprintf(out, " --%s %" PRIu64 "%.1s", name, size, unit);
}

static void print_implementation(FILE *out, const struct wcts_implementation *implementation)
{
    char path[WCTS_PATH_ROOM], options[WCTS_PATH_ROOM], word[2 * WCTS_PATH_ROOM];
    bool standard = strcmp(implementation->path, "emulator") == 0 &&
                    strcmp(implementation->options, "strict") == 0;
    snprintf(word, sizeof word, "%s%s%s",
             wcts_address_shown(implementation->path, path, sizeof path),
             implementation->options[0] ? "," : "",
             wcts_path_options(implementation->options, options, sizeof options));
    if (!standard)
        print_option(out, "impl", word);
}

void wcts_report_replay_print(FILE *out, const struct wcts_report_run *run,
                              const struct wcts_case *test)
{
    const struct wcts_options *asked = &run->asked;
    const struct wcts_report_order *order = wcts_report_order_of(run, test->id);
    fputs("wddm-cts replay ", out);
    print_word(out, test->id);
    if (order)
        fputs(order->options, out);
    print_implementation(out, &asked->implementation);
    if (asked->upgrade_to)
        print_option(out, "upgrade", asked->upgrade_to);
    if (asked->level != WCTS_LEVEL_DOCUMENTED)
        print_option(out, "level", wcts_model_level_name(asked->level));
    if (asked->memory_limit)
        print_size(out, "memory-limit", asked->memory_limit);
    if (wcts_model_is_drawn(test->kind))
        fprintf(out, " --seed %" PRIu64, asked->seed);
    if (asked->spec_dir)
        print_path(out, "spec-dir", asked->spec_dir);
    if (asked->cases_dir)
        print_path(out, "cases-dir", asked->cases_dir);
    for (int i = 0; i < asked->spec_file_count; i++)
        print_path(out, "spec", asked->spec_files[i]);
}

char *wcts_report_replay_text(const struct wcts_report_run *run, const struct wcts_case *test)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    wcts_report_replay_print(out, run, test);
    fclose(out);
    return text;
}
