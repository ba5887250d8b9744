/* SPDX-License-Identifier: MIT */
/*
 * The rules that a claim needs: cases/mustpass-VERSION.txt, where VERSION is the spec's. It lists
 * the rules that the standard suite tests, without sequences, which depend on the seed, and at
 * which versions: # role kernel RULE 1.0..2.1 2.3         a rule's id, sorted by bytes # role
 * driver
 *   ...
 * Other lines that begin with # are comments.
 */
#ifndef WCTS_MUSTPASS_H
#define WCTS_MUSTPASS_H

#include "plan.h"

enum { WCTS_MUSTPASS_KERNEL, WCTS_MUSTPASS_DRIVER, WCTS_MUSTPASS_ROLES };

/* A set of versions is a sum of these, for the first 64 of the spec. */
static inline uint64_t wcts_plan_version_bit(int version)
{
    return version >= 0 && version < 64 ? UINT64_C(1) << version : 0;
}

struct wcts_text;
/* Adds "1.0..2.1 2.3". */
void wcts_plan_add_versions(struct wcts_text *text, const struct wcts_spec *spec,
                            uint64_t versions);

/* A line of the list: "RULE 2.0..3.2" is {"RULE", its index, the bits of these versions}. */
struct wcts_plan_mustpass_rule {
    const char *id;
    int rule;          /* index in the spec, -1 if it has no such rule */
    uint64_t versions; /* sum of wcts_plan_version_bit() */
};

/* The rules of one role, in the order of the file. */
struct wcts_plan_mustpass_list {
    struct wcts_plan_mustpass_rule *rules;
    int count;
};

/* cases/mustpass-VERSION.txt: which rules a claim needs a result of, for each role. */
struct wcts_plan_mustpass {
    char *path;
    char *bytes; /* into which the ids point */
    struct wcts_plan_mustpass_list roles[WCTS_MUSTPASS_ROLES];
};

/* Reads the list of the spec's version. NULL if there is none or, with a message, if it is wrong.
 * The caller frees it. */
struct wcts_plan_mustpass *wcts_plan_mustpass_load(const char *cases_dir,
                                                   const struct wcts_spec *spec,
                                                   struct wcts_diagnostics *diagnostics);
void wcts_plan_mustpass_free(struct wcts_plan_mustpass *mustpass);

/* Writes the list of a plan of the standard suite. */
void wcts_plan_mustpass_write(FILE *out, const struct wcts_plan *plan);

/* Reports the differences between the list and the plan of the standard suite. */
void wcts_plan_mustpass_lint(const struct wcts_plan_mustpass *mustpass,
                             const struct wcts_plan *plan, struct wcts_diagnostics *diagnostics);

/* The results of a rule's cases, of one role, as sets of versions. */
struct wcts_plan_rule_seen {
    uint64_t passed;  /* some passed; failures count elsewhere */
    uint64_t skipped; /* some were skipped */
    uint64_t excused; /* some are not in the profile of the run */
    uint64_t unshown; /* some were not shown, though spec/ does not leave that to the kernel */
};

#define WCTS_MUSTPASS_SHOWN 5

/* How much of a list a run has shown. */
struct wcts_plan_mustpass_count {
    int of, there;                            /* rules */
    const char *missing[WCTS_MUSTPASS_SHOWN]; /* the first, with their versions; the spec's */
    int missing_count;
};

/* Counts the rules of the sides (sum of enum wcts_side) that were seen at each version of the list
 * that is among versions. seen: by role, one for each rule of the spec. */
void wcts_plan_mustpass_hold(const struct wcts_plan_mustpass *mustpass,
                             const struct wcts_spec *spec,
                             const struct wcts_plan_rule_seen *const seen[WCTS_MUSTPASS_ROLES],
                             uint64_t versions, uint32_t sides,
                             struct wcts_plan_mustpass_count *count);

#endif
