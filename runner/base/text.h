/* SPDX-License-Identifier: MIT */
/*
 * A text that grows; text that came from somewhere else, made fit for terminals, JSON and XML; and
 * the names that a wrong one may have meant.
 *
 *     WCTS_TEXT(known);
 *     for (int i = 0; i < count; i++)
 *         wcts_text_add(&known, "%s%s", i > 0 ? ", " : "", names[i]);
 *     fprintf(stderr, "expected one of %s\n", wcts_text_get(&known));
 */
#ifndef WCTS_TEXT_H
#define WCTS_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* A text that grows. It needs no check until its end: what did not fit in memory leaves
 * "failed". Example: WCTS_TEXT(text); wcts_text_add(&text, "%d of %d", 3, 4);
 * puts(wcts_text_get(&text)); it is released where its block ends. */
struct wcts_text {
    char *bytes; /* terminated; NULL: nothing yet */
    size_t length, room;
    bool failed; /* memory ran out: nothing more is added */
};

/* An empty text that is released at the end of its block. */
#define WCTS_TEXT(name) __attribute__((cleanup(wcts_text_release))) struct wcts_text name = {0}

void wcts_text_add(struct wcts_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void wcts_text_add_bytes(struct wcts_text *text, const char *bytes, size_t length);

/* What was added, "" when that is nothing; up to where memory ran out. Valid up to the next call
 * with this text. */
const char *wcts_text_get(const struct wcts_text *text);

/* The same, now the caller's to free, and text is empty; NULL when memory ran out. */
char *wcts_text_take(struct wcts_text *text);

/* Text is empty again, and may be added to. */
void wcts_text_release(struct wcts_text *text);

/* Replaces, in place, every byte of invalid UTF-8 and every control character by '?'.
 * Returns text. */
char *wcts_text_clean(char *text);

/* Replaces line breaks and tabs by spaces, in place. Returns text. */
char *wcts_text_one_line(char *text);

/* Writes text in lines of at most width columns, each after the indent. A line ends at a blank, or
 * between letters that are two columns wide, since Chinese, Japanese and Korean have no blanks. A
 * word that is longer has a line to itself. */
void wcts_text_wrap(FILE *out, const char *indent, const char *text, size_t width);

/* How many letters have to be changed, added or removed to get from a to b (Levenshtein);
 * more than 255 letters count as 255. */
size_t wcts_text_distance(const char *a, size_t a_length, const char *b, size_t b_length);

/* The few names that a wrong one may have meant. */
#define WCTS_SUGGESTIONS_MAX 5

/* Names that are near a wrong one. Example: of "crate" among steps {.names = {"create",
 * "create-two"}, .scores = {1, 5}, .count = 2}. */
struct wcts_suggestions {
    char names[WCTS_SUGGESTIONS_MAX][512]; /* best first, as much as has room */
    size_t scores[WCTS_SUGGESTIONS_MAX];
    int count;
    size_t limit; /* worse than that is not near; 0: a third of the wrong name's length */
};

/* Offers a candidate for the wrong name. */
void wcts_suggest(struct wcts_suggestions *near, const char *wrong, const char *candidate);

/* Takes the next piece of a list that spaces separate: advances *list, returns its length or 0 at
 * the end; *piece is where it begins. A list that is NULL is empty. */
size_t wcts_next_piece(const char **list, const char **piece);

/* Takes the next whole number, behind spaces and ends of lines: advances *list. For files of the
 * build, whose checksum says that nothing else is there. */
int64_t wcts_next_number(const char **list);

static inline int wcts_next_int(const char **list)
{
    return (int)wcts_next_number(list);
}

/* True if both are the same text. Most names that are looked at begin with another letter. */
static inline bool wcts_text_same(const char *a, const char *b)
{
    return a[0] == b[0] && strcmp(a, b) == 0;
}

/* True if the piece is the whole of name. */
static inline bool wcts_is_piece(const char *name, const char *piece, size_t length)
{
    return (length == 0 || name[0] == piece[0]) && strncmp(name, piece, length) == 0 &&
           name[length] == '\0';
}

/* True if a list has name as a piece; list may be NULL. */
bool wcts_list_has(const char *list, const char *name);

#endif
