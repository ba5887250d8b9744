/* SPDX-License-Identifier: MIT */
/* Errors of the input: each is one line "FILE:LINE: TEXT", and is counted. */
#ifndef WCTS_DIAGNOSTICS_H
#define WCTS_DIAGNOSTICS_H

#include <stdio.h>

/* Where an element is. file is owned by whoever read it: the suite, or a baseline. */
struct wcts_place {
    const char *file;
    long line;                    /* 0: the file as a whole */
    const struct wcts_place *use; /* of an act of a procedure: the place that uses it; else NULL */
};

/* Where messages about files go, and how many were errors: {stderr, 2} after two. Warnings do
 * not count. */
struct wcts_diagnostics {
    FILE *out; /* not owned; NULL: errors are only counted */
    int errors;
};

void wcts_error_at(struct wcts_diagnostics *diagnostics, const struct wcts_place *place,
                   const char *format, ...) __attribute__((format(printf, 3, 4)));
/* The same line with "warning: " in front of the text; it is not counted. */
void wcts_warning_at(struct wcts_diagnostics *diagnostics, const struct wcts_place *place,
                     const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
