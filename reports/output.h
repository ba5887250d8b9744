/* SPDX-License-Identifier: MIT */
/* An output file: opened before the work that it is for, so that a wrong path is reported early,
 * written to a temporary file, and renamed when it is complete. Even if the process is killed, its
 * place never has an old or incomplete file. Devices, pipes, and the files of standard output and
 * error are written directly. */
#ifndef WCTS_OUTPUT_H
#define WCTS_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

enum wcts_report_output_old {
    WCTS_OUTPUT_REMOVE, /* the old file is removed on opening */
    WCTS_OUTPUT_KEEP,   /* the old file remains until it is replaced */
};

/* A file that takes its name when all of it is written, so that nobody reads a part. Example:
 * "report.html" is written as report.html.XXXXXX beside it, or without a name, and renamed by
 * wcts_report_output_commit. */
struct wcts_report_output {
    const char *path; /* as given; not owned. NULL: no output */
    FILE *file;       /* NULL: not open */
    char *target;     /* path with links resolved; NULL: not a regular file */
    char *temporary;  /* next to the target */
    bool unnamed;     /* the file has no name until it is committed */
};

/* path NULL: no file, and the other functions do nothing. False with a message. Release it either
 * way. */
bool wcts_report_output_open(struct wcts_report_output *output, const char *path,
                             enum wcts_report_output_old old);

/* Renames the file to its place. False, with a message, when it could not be written completely;
 * there is no file then. */
bool wcts_report_output_commit(struct wcts_report_output *output);

/* A file that is not committed is removed. */
void wcts_report_output_release(struct wcts_report_output *output);

#endif
