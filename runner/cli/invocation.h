/* SPDX-License-Identifier: MIT */
/* The command line as it was given, but with its paths as reports show them (path.h). */
#ifndef WCTS_INVOCATION_H
#define WCTS_INVOCATION_H

#include <stdbool.h>

/* The command line as it was given, which is what run.json has. Example: "run -q --out dir":
 * .given are argv's pointers, .shown copies of the same words. */
struct wcts_cli_invocation {
    char **given; /* argv's in their order, which getopt changes */
    char **shown; /* copies, which options do not cut to pieces */
    int count;
};

/* False when there is no memory. To be released either way. */
bool wcts_cli_invocation_init(struct wcts_cli_invocation *line, int count, char **words);
void wcts_cli_invocation_release(struct wcts_cli_invocation *line);

/* The value of an option, which is a word or the end of one, is a path; has_options: that of a
 * plug-in, with options behind a comma. Its text must not have been changed yet. */
void wcts_cli_invocation_path(struct wcts_cli_invocation *line, const char *value,
                              bool has_options);

/* The caller frees it; NULL when there is no memory. */
char *wcts_cli_invocation_text(const struct wcts_cli_invocation *line);

#endif
