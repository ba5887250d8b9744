/* SPDX-License-Identifier: MIT */
#include "invocation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/address.h"
#include "../base/path.h"
#include "../base/text.h"

bool wcts_cli_invocation_init(struct wcts_cli_invocation *line, int count, char **words)
{
    *line = (struct wcts_cli_invocation){.given = calloc((size_t)count + 1, sizeof *line->given),
                                         .shown = calloc((size_t)count + 1, sizeof *line->shown)};
    bool copied = line->given && line->shown;
    for (int i = 0; copied && i < count; i++) {
        line->given[i] = words[i];
        line->shown[i] = strdup(words[i]);
        line->count = i + 1;
        copied = line->shown[i] != NULL;
    }
    if (copied && count > 0)
        wcts_cli_invocation_path(line, words[0], false);
    return copied;
}

void wcts_cli_invocation_release(struct wcts_cli_invocation *line)
{
    for (int i = 0; i < line->count; i++)
        free(line->shown[i]);
    free(line->shown);
    free(line->given);
}

/* The word that the value is in: the last that begins before it. -1: none. */
static int word_with(const struct wcts_cli_invocation *line, const char *value)
{
    int word = -1;
    for (int i = 0; i < line->count; i++)
        if (line->given[i] <= value && (word < 0 || line->given[i] > line->given[word]))
            word = i;
    return word;
}

void wcts_cli_invocation_path(struct wcts_cli_invocation *line, const char *value, bool has_options)
{
    char buffer[WCTS_PATH_ROOM], options[WCTS_PATH_ROOM];
    int word = word_with(line, value);
    size_t size = has_options ? wcts_address_length(value) : strlen(value);
    char *path = word >= 0 ? strndup(value, size) : NULL, *shown;
    if (path &&
        asprintf(&shown, "%.*s%s%s", (int)(value - line->given[word]), line->given[word],
                 (has_options ? wcts_address_shown : wcts_path_shown)(path, buffer, sizeof buffer),
                 wcts_path_options(value + size, options, sizeof options)) >= 0) {
        free(line->shown[word]);
        line->shown[word] = shown;
    }
    free(path);
}

char *wcts_cli_invocation_text(const struct wcts_cli_invocation *line)
{
    struct wcts_text text = {0};
    for (int i = 0; i < line->count; i++)
        wcts_text_add(&text, "%s%s", i != 0 ? " " : "", line->shown[i]);
    return wcts_text_take(&text);
}
