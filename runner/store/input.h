/* SPDX-License-Identifier: MIT */
/*
 * Reading the files of a run directory, which may be anybody's: only regular files are opened, so
 * that nothing hangs and nothing is read that is elsewhere, and lines and objects have a limit.
 */
#ifndef WCTS_INPUT_H
#define WCTS_INPUT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* Opens DIRECTORY/NAME for reading. NULL with the reason in *wrong (which may be NULL). A link in
 * the place of the file is not followed. */
FILE *wcts_input_open(const char *directory, const char *name, const char **wrong);

/* The object in DIRECTORY/NAME, the caller's; NULL with the reason in *wrong, which lasts until the
 * next call, and the line in *line (0: none). Both may be NULL. */
json_t *wcts_input_json(const char *directory, const char *name, const char **wrong, int *line);

/* Longer than any line that a run writes. */
#define WCTS_LINE_MAX ((size_t)64 << 20)

/* Cleans all texts of a value as wcts_text_clean does, and drops members whose names are not clean:
 * whatever is printed of it does nothing to a terminal. Returns the value. */
json_t *wcts_input_clean(json_t *value);

/* A line with its end, as getline, cleaned; at the end of the file and for a line that is longer
 * than WCTS_LINE_MAX or has a zero byte: -1. */
ssize_t wcts_input_line(char **line, size_t *room, FILE *file);
/* True behind the last line; false where a line could not be read. */
bool wcts_input_ended(FILE *file);

#endif
