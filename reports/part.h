/* SPDX-License-Identifier: MIT */
/* Statements that a run shows in part: they were tested, but not every rule of theirs that applies
 * to the implementation was. One rule that passes is no evidence for its neighbours. */
#ifndef WCTS_PART_H
#define WCTS_PART_H

#include "../runner/base/arena.h"
#include "../runner/model/claims.h"
#include "../runner/model/finding.h"
#include "../runner/plan/mustpass.h"

/* The sides of a rule, in the order of WCTS_MUSTPASS_KERNEL and _DRIVER. */
#define WCTS_PART_SIDES WCTS_MUSTPASS_ROLES

/* What cases of one side show of a rule, as sets of versions (wcts_plan_version_bit()). */
struct wcts_report_rule_seen {
    bool any;        /* a case of it was counted */
    uint64_t shown;  /* a case reached a verdict */
    uint64_t hidden; /* a case that applies reached none */
};

/*
 * The cases of a run, counted by rule, side and version. struct wcts_report_scope owns it. For
 * example of a kernel without KERNEL_LOCK, which keeps one of the rules of a
 * statement about segments: rules[KERNEL][hidden] =
 * {true, all versions, 0}, rules[KERNEL][seen] = {true, 0, all versions}, and the reasons of the
 * latter are "not claimed: KERNEL_LOCK answered NOT_IMPLEMENTED (0xC0000002)".
 */
struct wcts_report_parts {
    const struct wcts_spec *spec;
    struct wcts_report_rule_seen *rules[WCTS_PART_SIDES];
    const char **reasons[WCTS_PART_SIDES]; /* by rule * versions_count + version: the first one */
    struct wcts_arena *arena;              /* of the reasons */
};

/* False without memory. To be released either way. */
bool wcts_report_parts_init(struct wcts_report_parts *parts, const struct wcts_spec *spec);
void wcts_report_parts_release(struct wcts_report_parts *parts);

/* Counts a case of a side that the implementation has. A case applies if its version and page size
 * are claimed, the profile has nothing else in its place, and it is not "not applicable". */
void wcts_report_parts_add(struct wcts_report_parts *parts, const struct wcts_case *test,
                           const struct wcts_claims *claims, const struct wcts_result *result);

#endif
