/* SPDX-License-Identifier: MIT */
/* Reads the files of a run directory that nobody has checked. Only regular files are opened, so
 * that no open blocks, links are not followed, and lines and objects are limited. */
#ifndef WCTS_INPUT_H
#define WCTS_INPUT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* Opens DIRECTORY/NAME for reading; a link is not followed. NULL with the reason in *wrong, which
 * may be NULL. */
FILE *wcts_store_input_open(const char *directory, const char *name, const char **wrong);

/* The object in DIRECTORY/NAME, which the caller releases. NULL with the reason in *wrong, valid up
 * to the next call, and the line in *line (0: none). Both pointers may be NULL. */
json_t *wcts_store_input_json(const char *directory, const char *name, const char **wrong,
                              int *line);

/* Longer than any line that a run writes. */
#define WCTS_LINE_MAX ((size_t)64 << 20)

/* Cleans all strings of a value with wcts_text_clean and drops members whose names are not clean,
 * so that nothing printed can control a terminal. Returns the value. */
json_t *wcts_store_input_clean(json_t *value);

/* Reads a line as getline does, with its end, and cleans it. -1 at the end of the file, and for a
 * line that is longer than WCTS_LINE_MAX or has a zero byte. */
ssize_t wcts_store_input_line(char **line, size_t *room, FILE *file);
/* True after the last line; false when a line could not be read. */
bool wcts_store_input_ended(FILE *file);

#endif
