/* SPDX-License-Identifier: MIT */
#include "part.h"

#include <stdlib.h>
#include <string.h>

#include "../runner/base/text.h"
#include "json.h"
#include "report.h"

bool wcts_report_parts_init(struct wcts_report_parts *parts, const struct wcts_spec *spec)
{
    size_t rules = (size_t)spec->rules_count + 1;
    bool good = true;
    *parts = (struct wcts_report_parts){.spec = spec, .arena = wcts_arena_new()};
    for (int i = 0; i < WCTS_PART_SIDES; i++) {
        parts->rules[i] = calloc(rules, sizeof *parts->rules[i]);
        parts->reasons[i] =
            calloc(rules * (size_t)(spec->versions_count + 1), sizeof *parts->reasons[i]);
        good = good && parts->rules[i] && parts->reasons[i];
    }
    return good && parts->arena;
}

void wcts_report_parts_release(struct wcts_report_parts *parts)
{
    for (int i = 0; i < WCTS_PART_SIDES; i++) {
        free(parts->rules[i]);
        free(parts->reasons[i]);
    }
    if (parts->arena)
        wcts_arena_free(parts->arena);
}

/* Sequences and walks are drawn for no rule. */
static bool applies(const struct wcts_report_parts *parts, const struct wcts_case *test,
                    const struct wcts_claims *claims, const struct wcts_result *result)
{
    const uint32_t number = parts->spec->versions[test->version].interface_version;
    return !wcts_model_is_drawn(test->kind) && number >= claims->first_interface_version &&
           number <= claims->last_interface_version &&
           (test->driver || (test->page_size & ~claims->page_sizes) == 0) &&
           result->skip != WCTS_SKIP_NOT_APPLICABLE && result->skip != WCTS_SKIP_NOT_IN_PROFILE;
}

/* Most versions of a rule have the same reason. */
static const char *keep_reason(struct wcts_report_parts *parts, const char *const *of_rule,
                               const char *reason)
{
    for (int i = 0; i < parts->spec->versions_count; i++)
        if (of_rule[i] && strcmp(of_rule[i], reason) == 0)
            return of_rule[i];
    return wcts_arena_string(parts->arena, reason, strlen(reason));
}

void wcts_report_parts_add(struct wcts_report_parts *parts, const struct wcts_case *test,
                           const struct wcts_claims *claims, const struct wcts_result *result)
{
    int side = test->driver ? WCTS_MUSTPASS_DRIVER : WCTS_MUSTPASS_KERNEL;
    struct wcts_report_rule_seen *seen = &parts->rules[side][test->rule];
    const char **reasons =
        &parts->reasons[side][(size_t)test->rule * (size_t)parts->spec->versions_count];
    uint64_t version = wcts_plan_version_bit(test->version);
    seen->any = true;
    if (wcts_store_verdict_judges(result->verdict)) {
        seen->shown |= wcts_model_is_drawn(test->kind) ? 0 : version;
    } else if (applies(parts, test, claims, result) && !(seen->hidden & version)) {
        seen->hidden |= version;
        reasons[test->version] = keep_reason(parts, reasons, result->reason ? result->reason : "");
    }
}

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

static int count_part(const struct wcts_report_part *part, wcts_report_part_visit *visit,
                      void *context)
{
    if (part->versions != 0 && visit)
        visit(context, part);
    return part->versions != 0;
}

/* One part for each reason, by its first version. */
static int each_of_rule(const struct wcts_report_run *run, int side, int rule,
                        wcts_report_part_visit *visit, void *context)
{
    const struct wcts_spec *spec = run->plan->spec;
    const struct wcts_report_parts *parts = &run->scope.parts;
    const struct wcts_report_rule_seen *seen = &parts->rules[side][rule];
    const char *const *reasons = &parts->reasons[side][(size_t)rule * (size_t)spec->versions_count];
    uint64_t left = seen->hidden & ~seen->shown;
    int count = 0;
    if (!seen->any && is_planned(run, side, rule))
        return count_part(&(struct wcts_report_part){side, rule,
                                                     binding_versions(run, &spec->rules[rule]),
                                                     "no case of it was run"},
                          visit, context);
    while (left != 0) {
        struct wcts_report_part part = {side, rule, 0, reasons[__builtin_ctzll(left)]};
        for (int i = 0; i < spec->versions_count; i++)
            if (left & wcts_plan_version_bit(i) && reasons[i] == part.reason)
                part.versions |= wcts_plan_version_bit(i);
        left &= ~part.versions;
        count += count_part(&part, visit, context);
    }
    return count;
}

int wcts_report_parts_each(const struct wcts_report_run *run, int statement,
                           wcts_report_part_visit *visit, void *context)
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
    return wcts_report_parts_each(run, statement, NULL, NULL) != 0;
}

bool wcts_report_is_proven(const struct wcts_report_run *run, int statement)
{
    return run->scope.statements[statement].tested && !wcts_report_is_in_part(run, statement) &&
           wcts_store_tally_proven(&run->statements[statement]);
}

bool wcts_report_rule_is_proven(const struct wcts_report_run *run, int rule)
{
    bool shown = false;
    for (int side = 0; side < WCTS_PART_SIDES; side++) {
        shown = shown || run->scope.parts.rules[side][rule].shown != 0;
        if (each_of_rule(run, side, rule, NULL, NULL) != 0)
            return false;
    }
    return shown && wcts_store_tally_proven(&run->rules[rule]);
}

/* ---- run.json ---- */

struct parts_list {
    const struct wcts_spec *spec;
    json_t *list;
};

static void add_part(void *context, const struct wcts_report_part *part)
{
    const struct parts_list *to = context;
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
    const struct parts_list to = {run->plan->spec, json_array()};
    for (int i = 0; i < run->plan->spec->statements_count; i++)
        wcts_report_parts_each(run, i, add_part, (void *)&to);
    return to.list;
}
