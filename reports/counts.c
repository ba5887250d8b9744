/* SPDX-License-Identifier: MIT */
#include "counts.h"

#include <string.h>

#include "../runner/base/text.h"
#include "json.h"
#include "xmlout.h"

/* ---- what was not shown ---- */

/* Why a rule that applies was not shown on a side, and where: {KERNEL, a rule about locks, the
 * versions 1.0 to 3.2, "not claimed: KERNEL_LOCK ..."}. Valid until the visit returns. */
struct report_unshown {
    int side, rule;
    uint64_t versions; /* with this reason */
    const char *reason;
};

typedef void report_part_visit(void *context, const struct report_unshown *part);

/* ---- what is missing ---- */

/* The versions of a run at which a rule binds. */
static uint64_t binding_versions(const struct wcts_report_run *run, const struct wcts_rule *rule)
{
    uint64_t versions = 0;
    for (int i = rule->since; i < rule->until && i < run->plan->spec->versions_count; i++)
        versions |= wcts_plan_version_bit(i);
    return versions & wcts_report_run_version_bits(run);
}

/* True if the suite has a case of the rule on a side that the run is about. */
static bool is_planned(const struct wcts_report_run *run, int side, int rule)
{
    return (run->scope.sides[rule] & run->claims.sides &
            wcts_report_scope_side(side == WCTS_MUSTPASS_DRIVER)) != 0;
}

static int count_part(const struct report_unshown *part, report_part_visit *visit, void *context)
{
    if (part->versions != 0 && visit)
        visit(context, part);
    return part->versions != 0;
}

/* One part for each reason, by its first version. */
static int each_of_rule(const struct wcts_report_run *run, int side, int rule,
                        report_part_visit *visit, void *context)
{
    const struct wcts_spec *spec = run->plan->spec;
    const struct wcts_report_parts *parts = &run->scope.parts;
    const struct wcts_report_rule_seen *seen = &parts->rules[side][rule];
    const char *const *reasons = &parts->reasons[side][(size_t)rule * (size_t)spec->versions_count];
    uint64_t left = seen->hidden & ~seen->shown;
    int count = 0;
    if (!seen->any && is_planned(run, side, rule))
        return count_part(&(struct report_unshown){side, rule,
                                                   binding_versions(run, &spec->rules[rule]),
                                                   "no case of it was run"},
                          visit, context);
    while (left != 0) {
        struct report_unshown part = {side, rule, 0, reasons[__builtin_ctzll(left)]};
        for (int i = 0; i < spec->versions_count; i++)
            if (left & wcts_plan_version_bit(i) && reasons[i] == part.reason)
                part.versions |= wcts_plan_version_bit(i);
        left &= ~part.versions;
        count += count_part(&part, visit, context);
    }
    return count;
}

/* Visits what was not shown of the rules of a statement, in the order of rules, sides and versions:
 * where a case of a rule that applies shows nothing, or none of it ran. visit may be NULL. Returns
 * how many there are; 0 of a statement that was not tested at all. */
static int each_part(const struct wcts_report_run *run, int statement, report_part_visit *visit,
                     void *context)
{
    const struct wcts_spec *spec = run->plan->spec;
    int count = 0;
    if (!run->scope.statements[statement].tested)
        return 0;
    for (int i = 0; i < spec->rules_count; i++)
        for (int side = 0; spec->rules[i].statement == statement && side < WCTS_PART_SIDES; side++)
            count += each_of_rule(run, side, i, visit, context);
    return count;
}

bool wcts_report_is_in_part(const struct wcts_report_run *run, int statement)
{
    return each_part(run, statement, NULL, NULL) != 0;
}

bool wcts_report_is_proven(const struct wcts_report_run *run, int statement)
{
    return run->scope.statements[statement].tested && !wcts_report_is_in_part(run, statement) &&
           wcts_store_tally_proven(&run->statements[statement]);
}

/* Shown on each side and at each version at which it applies, and nothing is against it. */
static bool is_rule_proven(const struct wcts_report_run *run, int rule)
{
    bool shown = false;
    for (int side = 0; side < WCTS_PART_SIDES; side++) {
        shown = shown || run->scope.parts.rules[side][rule].shown != 0;
        if (each_of_rule(run, side, rule, NULL, NULL) != 0)
            return false;
    }
    return shown && wcts_store_tally_proven(&run->rules[rule]);
}

/* ---- run.json, and the result XML ---- */

struct report_parts_list {
    const struct wcts_spec *spec;
    json_t *list;
};

static void add_part(void *context, const struct report_unshown *part)
{
    const struct report_parts_list *to = context;
    const struct wcts_rule *rule = &to->spec->rules[part->rule];
    WCTS_TEXT(versions);
    wcts_plan_add_versions(&versions, to->spec, part->versions);
    json_array_append_new(to->list,
                          json_pack("{s:o, s:o, s:s, s:o, s:o}", "statement",
                                    wcts_store_json_text(to->spec->statements[rule->statement].id),
                                    "rule", wcts_store_json_text(rule->id), "side",
                                    part->side == WCTS_MUSTPASS_DRIVER ? "driver" : "kernel",
                                    "versions", wcts_store_json_text(wcts_text_get(&versions)),
                                    "reason", wcts_store_json_text(part->reason)));
}

json_t *wcts_report_parts_json(const struct wcts_report_run *run)
{
    const struct report_parts_list to = {run->plan->spec, json_array()};
    for (int i = 0; i < run->plan->spec->statements_count; i++)
        each_part(run, i, add_part, (void *)&to);
    return to.list;
}

struct report_parts_xml {
    struct wcts_report_xml *xml;
    const struct wcts_spec *spec;
};

static void put_part(void *context, const struct report_unshown *part)
{
    const struct report_parts_xml *to = context;
    WCTS_TEXT(versions);
    wcts_plan_add_versions(&versions, to->spec, part->versions);
    wcts_report_xml_start(to->xml, "hidden");
    wcts_report_xml_attribute(to->xml, "rule", to->spec->rules[part->rule].id);
    wcts_report_xml_attribute(to->xml, "side",
                              part->side == WCTS_MUSTPASS_DRIVER ? "driver" : "kernel");
    wcts_report_xml_attribute(to->xml, "versions", wcts_text_get(&versions));
    wcts_report_xml_text(to->xml, part->reason, strlen(part->reason));
    wcts_report_xml_end(to->xml);
}

void wcts_report_parts_write(struct wcts_report_xml *xml, const struct wcts_report_run *run,
                             int statement)
{
    struct report_parts_xml to = {xml, run->plan->spec};
    each_part(run, statement, put_part, &to);
}

/* ---- the numbers ---- */

struct wcts_report_counts wcts_report_run_counts(const struct wcts_report_run *run)
{
    const struct wcts_spec *spec = run->plan->spec;
    struct wcts_report_counts counts = {0};
    for (int i = 0; i < spec->statements_count; i++) {
        counts.in_scope += run->scope.statements[i].claimed;
        counts.tested += run->scope.statements[i].tested;
        counts.in_part += wcts_report_is_in_part(run, i);
        if (!wcts_report_scope_counts(&run->scope, i, run->claims.sides))
            continue;
        counts.testable++;
        counts.pending += spec->statements[i].pending;
        counts.proven += wcts_report_is_proven(run, i);
    }
    for (int i = 0; i < spec->rules_count; i++) {
        bool counted = wcts_report_scope_counts_rule(&run->scope, i, run->claims.sides);
        counts.rules += counted;
        counts.proven_rules += counted && is_rule_proven(run, i);
    }
    return counts;
}
