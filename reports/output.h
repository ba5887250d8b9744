/* SPDX-License-Identifier: MIT */
/*
 * A file that is written: opened before the work whose result it is, so that a wrong path is known
 * at once, written beside its place, and put there when it is whole. Whatever ends the process,
 * nothing in its place is old or half. A device, a pipe and the files of standard output and error
 * are written to as they are.
 */
#ifndef WCTS_OUTPUT_H
#define WCTS_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

enum wcts_output_old {
    WCTS_OUTPUT_REMOVE, /* an old file is removed when this one is opened */
    WCTS_OUTPUT_KEEP,   /* an old file is there until this one replaces it */
};

struct wcts_output {
    const char *path; /* as it was given; not owned. NULL: none */
    FILE *file;       /* NULL: not open */
    char *target;     /* path without links; NULL: no regular file */
    char *temporary;  /* beside the target */
    bool unnamed;     /* the file has no name before it is put in its place */
};

/* path NULL: no file, and all that follows does nothing. False with a message on standard error. To
 * be released either way. */
bool wcts_output_open(struct wcts_output *output, const char *path, enum wcts_output_old old);

/* Puts the file in its place. False, with a message, when not all of it could be written: nothing
 * is in its place then. */
bool wcts_output_commit(struct wcts_output *output);

/* What was not committed leaves nothing. */
void wcts_output_release(struct wcts_output *output);

#endif
