/* SPDX-License-Identifier: MIT */
/*
 * What a claim needs: cases/mustpass-VERSION.txt, where VERSION is the spec's. It lists the rules
 * that the standard suite puts to the test, each with the versions at which it does, whatever the
 * seed is, so without sequences:
 *   # role kernel
 *   RULE 1.0..2.1 2.3         a rule's id a line, in the order of their bytes
 *   # role driver
 *   likewise
 * Other lines that begin with # are comments.
 */
#ifndef WCTS_MUSTPASS_H
#define WCTS_MUSTPASS_H

#include "plan.h"

enum { WCTS_MUSTPASS_KERNEL, WCTS_MUSTPASS_DRIVER, WCTS_MUSTPASS_ROLES };

/* Versions as a sum of these: the first 64 of the spec. */
static inline uint64_t wcts_version_bit(int version)
{
    return version >= 0 && version < 64 ? UINT64_C(1) << version : 0;
}

struct wcts_mustpass_rule {
    const char *id;
    int rule;          /* index in the spec, -1: it has none of that id */
    uint64_t versions; /* sum of wcts_version_bit() */
};

struct wcts_mustpass_list {
    struct wcts_mustpass_rule *rules;
    int count;
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

/* At which versions the cases of a rule, of one role, came to what. */
struct wcts_rule_seen {
    uint64_t passed;  /* some passed; those that failed count elsewhere */
    uint64_t skipped; /* some were skipped: nothing to see */
    uint64_t unshown; /* some were not shown, though nothing in spec/ leaves that to the kernel */
};

#define WCTS_MUSTPASS_SHOWN 5

/* How much of a list a run has seen. */
struct wcts_mustpass_count {
    int of, there;                            /* rules */
    const char *missing[WCTS_MUSTPASS_SHOWN]; /* the first, with their versions; the spec's */
    int missing_count;
};

/* Counts the rules for the sides (sum of enum wcts_side) that were seen at each version that the
 * list names and that is among versions. seen: by role, one a rule of the spec. */
void wcts_mustpass_hold(const struct wcts_mustpass *mustpass, const struct wcts_spec *spec,
                        const struct wcts_rule_seen *const seen[WCTS_MUSTPASS_ROLES],
                        uint64_t versions, uint32_t sides, struct wcts_mustpass_count *count);

#endif
