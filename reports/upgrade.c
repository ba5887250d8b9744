/* SPDX-License-Identifier: MIT */
#include "upgrade.h"

#include <stdlib.h>
#include <string.h>

#include "../runner/model/names.h"
#include "../runner/plan/claimed.h"
#include "../runner/store/json.h"
#include "replay.h"
#include "scope.h"

const char *const wcts_report_upgrade_states[WCTS_UPGRADE_STATES] = {
    [WCTS_UPGRADE_STATE_KEPT] = "kept",
    [WCTS_UPGRADE_STATE_BROKEN] = "broken",
    [WCTS_UPGRADE_STATE_DECLARED] = "broken as the profile declares",
    [WCTS_UPGRADE_STATE_NOT_SHOWN] = "cannot be shown"};

bool wcts_report_upgrade_begins(const struct wcts_spec *spec, const struct wcts_claims *claims,
                                uint32_t upgrade, int rule)
{
    const struct wcts_rule *one = &spec->rules[rule];
    uint32_t own = claims->raised_from ? claims->raised_from : claims->last_interface_version;
    uint32_t since = spec->versions[one->since].interface_version;
    return since > own && since <= upgrade;
}

bool wcts_report_upgrade_takes(const struct wcts_plan *plan, const struct wcts_claims *claims,
                               uint32_t upgrade, int test)
{
    uint32_t version = plan->spec->versions[plan->tests[test].version].interface_version;
    return claims->raised_from && version > claims->raised_from && version <= upgrade &&
           wcts_report_upgrade_begins(plan->spec, claims, upgrade,
                                      wcts_plan_series(plan, test)->rule);
}

uint32_t wcts_report_upgrade_of(const struct wcts_spec *spec, const json_t *run)
{
    const char *to = wcts_store_json_member(json_object_get(run, "upgrade"), "to");
    int version = wcts_model_spec_version(spec, to);
    return version < 0 ? 0 : spec->versions[version].interface_version;
}

struct wcts_claims wcts_report_upgrade_claims(const struct wcts_spec *spec, const json_t *run)
{
    const json_t *claims = json_object_get(run, "claims");
    struct wcts_claims versions = {.first_interface_version = (uint32_t)json_integer_value(
                                       json_object_get(claims, "first_interface_version")),
                                   .last_interface_version = (uint32_t)json_integer_value(
                                       json_object_get(claims, "last_interface_version"))};
    wcts_model_claims_raise(&versions, wcts_report_upgrade_of(spec, run));
    return versions;
}

bool wcts_report_upgrade_plan(struct wcts_plan *plan, const json_t *run)
{
    const struct wcts_claims claims = wcts_report_upgrade_claims(plan->spec, run);
    return wcts_plan_claim(plan, wcts_report_scope_claimed(plan->spec, &claims));
}

/* ---- counting ---- */

static enum wcts_report_upgrade_shown shown_by(enum wcts_verdict verdict)
{
    if (verdict == WCTS_VERDICT_DEVIATES)
        return WCTS_UPGRADE_DEVIATES;
    if (wcts_store_verdict_hinders(verdict) || verdict == WCTS_VERDICT_FLAKY)
        return WCTS_UPGRADE_DOUBTS;
    return wcts_store_verdict_breaks(verdict) || verdict == WCTS_VERDICT_WARN ||
                   verdict == WCTS_VERDICT_WAIVED
               ? WCTS_UPGRADE_BREAKS
               : WCTS_UPGRADE_NOTHING;
}

/* The worst outcome is reported; of equally bad ones, that of the smallest case. */
static bool is_told_before(const struct wcts_report_run *run,
                           const struct wcts_report_upgraded *told,
                           enum wcts_report_upgrade_shown shown, const struct wcts_case *test)
{
    if (!told->reason || shown != told->worst)
        return !told->reason || shown > told->worst;
    return wcts_report_case_size(test) <
           wcts_report_case_size(WCTS_PLAN_CASE(run->plan, told->test));
}

bool wcts_report_upgrade_count(struct wcts_report_run *run, const struct wcts_case *test, int rule,
                               const struct wcts_result *result)
{
    struct wcts_report_upgraded *one;
    enum wcts_report_upgrade_shown shown = shown_by(result->verdict);
    bool kept = result->verdict == WCTS_VERDICT_PASS || result->verdict == WCTS_VERDICT_FIXED;
    if (!run->asked.upgrade)
        return true;
    if (!run->upgraded)
        run->upgraded = calloc((size_t)run->plan->spec->statements_count, sizeof *run->upgraded);
    if (!run->upgraded)
        return false;
    one = &run->upgraded[run->plan->spec->rules[rule].statement];
    one->kept += kept;
    if (kept || !is_told_before(run, one, shown, test))
        return true;
    free(one->reason);
    one->reason = strdup(result->reason ? result->reason : "");
    one->worst = shown;
    one->test = test->index;
    return one->reason != NULL;
}

void wcts_report_upgrade_release(struct wcts_report_run *run)
{
    for (int i = 0; run->upgraded && i < run->plan->spec->statements_count; i++)
        free(run->upgraded[i].reason);
    free(run->upgraded);
    run->upgraded = NULL;
}

/* ---- what is told ---- */

/* The first rule of the statement that begins to bind; -1: none. */
static int first_rule(const struct wcts_report_run *run, int statement)
{
    const struct wcts_spec *spec = run->plan->spec;
    if (!wcts_report_scope_counts(&run->scope, statement, run->claims.sides))
        return -1;
    for (int i = 0; i < spec->rules_count; i++)
        if (spec->rules[i].statement == statement &&
            wcts_report_upgrade_begins(spec, &run->claims, run->asked.upgrade, i))
            return i;
    return -1;
}

static const struct wcts_report_upgraded *upgraded_of(const struct wcts_report_run *run,
                                                      int statement)
{
    static const struct wcts_report_upgraded none = {.reason = NULL};
    return run->upgraded ? &run->upgraded[statement] : &none;
}

static enum wcts_report_upgrade_state upgrade_state(const struct wcts_report_upgraded *one)
{
    if (one->worst == WCTS_UPGRADE_BREAKS)
        return WCTS_UPGRADE_STATE_BROKEN;
    if (one->worst == WCTS_UPGRADE_DEVIATES)
        return WCTS_UPGRADE_STATE_DECLARED;
    return one->kept != 0 && one->worst == WCTS_UPGRADE_NOTHING ? WCTS_UPGRADE_STATE_KEPT
                                                                : WCTS_UPGRADE_STATE_NOT_SHOWN;
}

const char *wcts_report_upgrade_from(const struct wcts_report_run *run)
{
    const struct wcts_spec *spec = run->plan->spec;
    const struct wcts_claims *claims = &run->claims;
    uint32_t own = claims->raised_from ? claims->raised_from : claims->last_interface_version;
    const char *name = "none";
    for (int i = 0; i < spec->versions_count; i++)
        if (spec->versions[i].interface_version <= own)
            name = spec->versions[i].name;
    return name;
}

static void visit_one(const struct wcts_report_run *run, int statement, int rule,
                      wcts_report_upgrade_visit *visit, void *context)
{
    const struct wcts_spec *spec = run->plan->spec;
    const struct wcts_report_upgraded *one = upgraded_of(run, statement);
    struct wcts_report_upgrade_row row = {.statement = &spec->statements[statement],
                                          .since = spec->versions[spec->rules[rule].since].name,
                                          .state = upgrade_state(one)};
    char *command = NULL;
    if (row.state != WCTS_UPGRADE_STATE_KEPT)
        row.reason = one->reason ? one->reason : "no case of it was reached";
    if (one->worst != WCTS_UPGRADE_NOTHING)
        command = wcts_report_replay_text(run, WCTS_PLAN_CASE(run->plan, one->test));
    row.command = command;
    visit(context, &row);
    free(command);
}

void wcts_report_upgrade_each(const struct wcts_report_run *run, wcts_report_upgrade_visit *visit,
                              void *context)
{
    for (int state = 0; run->asked.upgrade && state < WCTS_UPGRADE_STATES; state++)
        for (int i = 0; i < run->plan->spec->statements_count; i++)
            if ((int)upgrade_state(upgraded_of(run, i)) == state && first_rule(run, i) >= 0)
                visit_one(run, i, first_rule(run, i), visit, context);
}

static void add_json(void *context, const struct wcts_report_upgrade_row *row)
{
    json_t *one = json_pack(
        "{s:o, s:s, s:o, s:o, s:o*, s:o*}", "id", wcts_store_json_text(row->statement->id), "state",
        wcts_report_upgrade_states[row->state], "since", wcts_store_json_text(row->since), "text",
        wcts_store_json_text(row->statement->text), "reason",
        row->reason ? wcts_store_json_text(row->reason) : NULL, "reproduce",
        row->command ? wcts_store_json_text(row->command) : NULL);
    json_array_append_new(context, one);
}

json_t *wcts_report_upgrade_json(const struct wcts_report_run *run)
{
    json_t *statements;
    if (!run->asked.upgrade)
        return NULL;
    statements = json_array();
    wcts_report_upgrade_each(run, add_json, statements);
    return json_pack("{s:s, s:s, s:o}", "from", wcts_report_upgrade_from(run), "to",
                     run->asked.upgrade_to, "statements", statements);
}

/* Where the summary is printed, and what is in it. */
struct report_upgrade_printing {
    FILE *out;
    int counts[WCTS_UPGRADE_STATES];
    int state; /* under whose heading it is; -1: none yet */
};

static void count_row(void *context, const struct wcts_report_upgrade_row *row)
{
    struct report_upgrade_printing *printing = context;
    printing->counts[row->state]++;
}

static void print_row(void *context, const struct wcts_report_upgrade_row *row)
{
    static const char indent[] = "                  ";
    struct report_upgrade_printing *printing = context;
    FILE *out = printing->out;
    const char *text = row->statement->text;
    if (printing->state != (int)row->state)
        fprintf(out, "      %6d  %s\n", printing->counts[row->state],
                wcts_report_upgrade_states[row->state]);
    printing->state = (int)row->state;
    fprintf(out, "              %s, since %s: %s\n", row->statement->id, row->since,
            text ? text : "");
    if (row->reason)
        fprintf(
            out, "%s%s %s\n", indent,
            row->state == WCTS_UPGRADE_STATE_NOT_SHOWN ? "reason:   " : "got:      ", row->reason);
    if (row->command)
        fprintf(out, "%sreproduce: %s\n", indent, row->command);
}

void wcts_report_upgrade_print(FILE *out, const struct wcts_report_run *run)
{
    struct report_upgrade_printing printing = {.out = out, .state = -1};
    int all = 0;
    if (!run->asked.upgrade)
        return;
    wcts_report_upgrade_each(run, count_row, &printing);
    for (int state = 0; state < WCTS_UPGRADE_STATES; state++)
        all += printing.counts[state];
    fprintf(out, "  upgrade     WDDM %s to %s: %d statement%s\n", wcts_report_upgrade_from(run),
            run->asked.upgrade_to, all, all == 1 ? " begins to bind" : "s begin to bind");
    wcts_report_upgrade_each(run, print_row, &printing);
}
