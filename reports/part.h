/* SPDX-License-Identifier: MIT */
/* Statements that a run shows in part: they were tested, but not every rule of theirs that applies
 * to the implementation was. One rule that passes is no evidence for its neighbours. */
#ifndef WCTS_PART_H
#define WCTS_PART_H

#include <jansson.h>

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
 * example of a kernel without KERNEL_LOCK, which keeps one rule of SEG-009: rules[KERNEL][hidden] =
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

/* Why a rule that applies was not shown on a side, and where: {KERNEL, SEG-009.seen, the versions
 * 1.0 to 3.2, "not claimed: KERNEL_LOCK ..."}. Valid until the visit returns. */
struct wcts_report_part {
    int side, rule;
    uint64_t versions; /* with this reason */
    const char *reason;
};

struct wcts_report_run;
typedef void wcts_report_part_visit(void *context, const struct wcts_report_part *part);

/* Visits what was not shown of the rules of a statement, in the order of rules, sides and versions:
 * where a case of a rule that applies shows nothing, or none of it ran. visit may be NULL. Returns
 * how many there are; 0 of a statement that was not tested at all. */
int wcts_report_parts_each(const struct wcts_report_run *run, int statement,
                           wcts_report_part_visit *visit, void *context);

/* True if a statement was tested, and not all of it. */
bool wcts_report_is_in_part(const struct wcts_report_run *run, int statement);
/* True if a statement was tested, all of it, and there is nothing against it. */
bool wcts_report_is_proven(const struct wcts_report_run *run, int statement);
/* The same of a rule: shown on each side and at each version at which it applies. */
bool wcts_report_rule_is_proven(const struct wcts_report_run *run, int rule);

/* "parts" of run.json: of what was tested in part each statement, rule, side, versions, reason. */
json_t *wcts_report_parts_json(const struct wcts_report_run *run);

#endif
