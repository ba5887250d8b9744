/* SPDX-License-Identifier: MIT */
#include "address.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host_port.h"
#include "path.h"

static const struct {
    const char *prefix, *expected;
} kinds[] = {[WCTS_ADDRESS_EXEC] = {"exec:", "exec:COMMAND"},
             [WCTS_ADDRESS_TCP] = {"tcp:", "tcp:HOST:PORT"},
             [WCTS_ADDRESS_UNIX] = {"unix:", "unix:PATH"}};

enum wcts_address_kind wcts_address_kind(const char *address)
{
    if (!address || strcmp(address, "emulator") == 0)
        return WCTS_ADDRESS_BUILTIN;
    for (enum wcts_address_kind kind = WCTS_ADDRESS_EXEC; kind <= WCTS_ADDRESS_UNIX; kind++)
        if (strncmp(address, kinds[kind].prefix, strlen(kinds[kind].prefix)) == 0)
            return kind;
    return WCTS_ADDRESS_FILE;
}

/* ---- quotes ---- */

/* Where the text is read. */
struct reading {
    const char *at;
    char quote; /* that has no end yet; 0: none */
};

/* The next letter, with *plain: True if it is taken as it is. -1 at the end; quotes are passed
 * over.
 */
static int next_letter(struct reading *reading, bool *plain)
{
    while (*reading->at != '\0') {
        char letter = *reading->at++;
        bool marks = letter == '\'' || letter == '"';
        if (letter == '\\' && reading->quote != '\'' && *reading->at != '\0') {
            *plain = true;
            return (unsigned char)*reading->at++;
        }
        if (marks && (reading->quote == 0 || reading->quote == letter)) {
            if (reading->quote)
                reading->quote = 0;
            else
                reading->quote = letter;
            continue;
        }
        *plain = reading->quote != 0;
        return (unsigned char)letter;
    }
    return -1;
}

size_t wcts_address_length(const char *value)
{
    struct reading reading = {.at = value};
    bool plain;
    int letter;
    if (!wcts_address_is_remote(value))
        return strcspn(value, ",");
    while ((letter = next_letter(&reading, &plain)) >= 0)
        if (letter == ',' && !plain)
            return (size_t)(reading.at - value) - 1;
    return strlen(value);
}

/* ---- words ---- */

static char *end_word(char **words, size_t *count, char *word, char *at)
{
    *at = '\0';
    words[(*count)++] = word;
    return at + 1;
}

/* Copies the words, which are not longer than the text, behind their pointers. */
static char **cut_words(struct reading *reading)
{
    size_t size = strlen(reading->at), count = 0, most = size / 2 + 2;
    char **words = calloc(1, most * sizeof *words + 2 * size + 2);
    bool plain, begun = false;
    char *at, *word;
    if (!words)
        return NULL;
    word = at = (char *)(words + most);
    for (;;) {
        const char *before = reading->at;
        int letter = next_letter(reading, &plain);
        /* '' is a word, too. */
        begun = begun || reading->at - before > 1 || (letter >= 0 && (letter != ' ' || plain));
        if (letter >= 0 && (letter != ' ' || plain)) {
            *at++ = (char)letter;
            continue;
        }
        if (begun)
            word = at = end_word(words, &count, word, at);
        begun = false;
        if (letter < 0)
            return words;
    }
}

static bool is_right(enum wcts_address_kind kind, char **words)
{
    if (!words[0] || words[0][0] == '\0' || (kind != WCTS_ADDRESS_EXEC && words[1]))
        return false;
    return kind != WCTS_ADDRESS_TCP || (words[0][0] != ':' && wcts_address_has_port(words[0]));
}

char **wcts_address_words(const char *address, char *error, size_t room)
{
    enum wcts_address_kind kind = wcts_address_kind(address);
    struct reading reading = {.quote = 0};
    char **words;
    if (kind < WCTS_ADDRESS_EXEC) {
        snprintf(error, room, "expected an address of another process");
        return NULL;
    }
    reading.at = address + strlen(kinds[kind].prefix);
    words = cut_words(&reading);
    if (!words)
        snprintf(error, room, "no memory");
    else if (reading.quote)
        snprintf(error, room, "%s: a %c without its end, expected another one", address,
                 reading.quote);
    else if (!is_right(kind, words))
        snprintf(error, room, "%s: expected %s", address, kinds[kind].expected);
    else
        return words;
    free(words);
    return NULL;
}

/* ---- as reports show it ---- */

/* The length of the word at the beginning, as it is written. */
static size_t written_length(const char *text)
{
    struct reading reading = {.at = text};
    bool plain;
    int letter;
    const char *end = text;
    while ((letter = next_letter(&reading, &plain)) >= 0 && (letter != ' ' || plain))
        end = reading.at;
    return letter < 0 ? strlen(text) : (size_t)(end - text);
}

/* Words that are absolute paths, without quotes in them, become relative ones. */
const char *wcts_address_shown(const char *address, char *buffer, size_t room)
{
    enum wcts_address_kind kind = wcts_address_kind(address);
    char word[WCTS_PATH_ROOM], path[WCTS_PATH_ROOM];
    size_t used;
    if (kind < WCTS_ADDRESS_EXEC)
        return wcts_path_shown(address, buffer, room);
    if (kind == WCTS_ADDRESS_TCP)
        return address;
    used = (size_t)snprintf(buffer, room, "%s", kinds[kind].prefix);
    for (const char *at = address + used; *at != '\0' && used < room;) {
        size_t size = written_length(at), blanks = strspn(at, " ");
        if (size == 0)
            size = blanks;
        snprintf(word, sizeof word, "%.*s", (int)size, at);
        bool simple = word[strcspn(word, "\\'\"")] == '\0';
        used += (size_t)snprintf(buffer + used, room - used, "%s",
                                 simple ? wcts_path_word(word, path, sizeof path) : word);
        at += size;
    }
    return buffer;
}
