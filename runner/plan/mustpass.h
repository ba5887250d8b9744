/* SPDX-License-Identifier: MIT */
/*
 * The cases that a claim needs: cases/mustpass-VERSION.txt, where VERSION is the spec's. It holds
 * the ids of the standard suite that are the same for every seed, so not those of sequences:
 *   # role kernel
 *   one id a line, in the order of their bytes
 *   # role driver
 *   likewise
 * Other lines that begin with # are comments.
 */
#ifndef WCTS_MUSTPASS_H
#define WCTS_MUSTPASS_H

#include "plan.h"

enum { WCTS_MUSTPASS_KERNEL, WCTS_MUSTPASS_DRIVER, WCTS_MUSTPASS_ROLES };

struct wcts_mustpass_list {
    const char **ids;
    int count, room;
};

struct wcts_mustpass {
    char *path;
    char *bytes; /* what the ids point into */
    struct wcts_mustpass_list roles[WCTS_MUSTPASS_ROLES];
};

/* Reads the list of the spec's version. NULL when there is none, or when it is wrong, which is
 * reported. The caller frees it. */
struct wcts_mustpass *wcts_mustpass_load(const char *cases_dir, const struct wcts_spec *spec,
                                         struct wcts_diagnostics *diagnostics);
void wcts_mustpass_free(struct wcts_mustpass *mustpass);

/* Writes the list of a plan of the standard suite. */
void wcts_mustpass_write(FILE *out, const struct wcts_plan *plan);

/* Reports what of the list is not in the plan of the standard suite, and what of that is not in the
 * list. */
void wcts_mustpass_lint(const struct wcts_mustpass *mustpass, const struct wcts_plan *plan,
                        struct wcts_diagnostics *diagnostics);

#define WCTS_MUSTPASS_SHOWN 5

/* What of a list some cases hold. */
struct wcts_mustpass_count {
    int of, there;
    const char *missing[WCTS_MUSTPASS_SHOWN]; /* the first; they belong to the list */
    int missing_count;
};

/* Counts the cases for the sides (sum of enum wcts_side) among chosen, indices in the plan. */
void wcts_mustpass_hold(const struct wcts_mustpass *mustpass, const struct wcts_plan *plan,
                        const int *chosen, int chosen_count, uint32_t sides,
                        struct wcts_mustpass_count *count);

#endif
