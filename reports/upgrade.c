/* SPDX-License-Identifier: MIT */
#include "upgrade.h"

#include <stdlib.h>
#include <string.h>

#include "../runner/store/json.h"
#include "replay.h"

enum report_upgrade_state { KEPT, BROKEN, NOT_SHOWN, STATES };

static const char *const state_names[STATES] = {
    [KEPT] = "kept", [BROKEN] = "broken", [NOT_SHOWN] = "cannot be shown"};

bool wcts_report_upgrade_begins(const struct wcts_spec *spec, const struct wcts_claims *claims,
                                uint32_t upgrade, int rule)
{
    const struct wcts_rule *one = &spec->rules[rule];
    uint32_t own = claims->raised_from ? claims->raised_from : claims->last_interface_version;
    uint32_t since = spec->versions[one->since].interface_version;
    return since > own && since <= upgrade;
}

/* ---- counting ---- */

/* A breach is told before what was not shown, and a smaller case before a larger. */
static bool is_told_before(const struct wcts_report_run *run,
                           const struct wcts_report_upgraded *told, bool breaks,
                           const struct wcts_case *test)
{
    if (!told->reason || breaks != told->breaks)
        return !told->reason || breaks;
    return wcts_report_case_size(test) <
           wcts_report_case_size(WCTS_PLAN_CASE(run->plan, told->test));
}

bool wcts_report_upgrade_count(struct wcts_report_run *run, const struct wcts_case *test, int rule,
                               const struct wcts_result *result)
{
    struct wcts_report_upgraded *one;
    bool breaks = wcts_store_verdict_breaks(result->verdict) ||
                  result->verdict == WCTS_VERDICT_WARN || result->verdict == WCTS_VERDICT_WAIVED;
    if (!run->asked.upgrade)
        return true;
    if (!run->upgraded)
        run->upgraded = calloc((size_t)run->plan->spec->statements_count, sizeof *run->upgraded);
    if (!run->upgraded)
        return false;
    one = &run->upgraded[run->plan->spec->rules[rule].statement];
    one->kept += result->verdict == WCTS_VERDICT_PASS;
    if (result->verdict == WCTS_VERDICT_PASS || !is_told_before(run, one, breaks, test))
        return true;
    free(one->reason);
    one->reason = strdup(result->reason ? result->reason : "");
    one->breaks = breaks;
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

static enum report_upgrade_state state_of(const struct wcts_report_upgraded *one)
{
    if (one->breaks)
        return BROKEN;
    return one->kept != 0 ? KEPT : NOT_SHOWN;
}

static const char *reason_of(const struct wcts_report_upgraded *one)
{
    return one->reason ? one->reason : "no case of it was reached";
}

static const char *own_last(const struct wcts_report_run *run)
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

static char *reproduce(const struct wcts_report_run *run, const struct wcts_report_upgraded *one)
{
    return wcts_report_replay_text(run, WCTS_PLAN_CASE(run->plan, one->test));
}

json_t *wcts_report_upgrade_json(const struct wcts_report_run *run)
{
    json_t *statements = json_array();
    const struct wcts_spec *spec = run->plan->spec;
    for (int i = 0; run->asked.upgrade && i < spec->statements_count; i++) {
        const struct wcts_report_upgraded *one = upgraded_of(run, i);
        enum report_upgrade_state state = state_of(one);
        int rule = first_rule(run, i);
        char *command = state == BROKEN && rule >= 0 ? reproduce(run, one) : NULL;
        if (rule >= 0)
            json_array_append_new(
                statements,
                json_pack("{s:o, s:s, s:o, s:o, s:o*, s:o*}", "id",
                          wcts_store_json_text(spec->statements[i].id), "state", state_names[state],
                          "since",
                          wcts_store_json_text(spec->versions[spec->rules[rule].since].name),
                          "text", wcts_store_json_text(spec->statements[i].text), "reason",
                          state == KEPT ? NULL : wcts_store_json_text(reason_of(one)), "reproduce",
                          command ? wcts_store_json_text(command) : NULL));
        free(command);
    }
    if (run->asked.upgrade)
        return json_pack("{s:s, s:s, s:o}", "from", own_last(run), "to", run->asked.upgrade_to,
                         "statements", statements);
    json_decref(statements);
    return NULL;
}

static void print_statement(FILE *out, const struct wcts_report_run *run, int statement, int rule)
{
    static const char indent[] = "                  ";
    const struct wcts_spec *spec = run->plan->spec;
    const struct wcts_report_upgraded *one = upgraded_of(run, statement);
    enum report_upgrade_state state = state_of(one);
    const char *text = spec->statements[statement].text;
    char *command;
    fprintf(out, "              %s, since %s: %s\n", spec->statements[statement].id,
            spec->versions[spec->rules[rule].since].name, text ? text : "");
    if (state == KEPT)
        return;
    fprintf(out, "%s%s %s\n", indent,
            state == BROKEN ? "got:      " : "reason:   ", reason_of(one));
    if (state != BROKEN)
        return;
    command = reproduce(run, one);
    fprintf(out, "%sreproduce: %s\n", indent, command ? command : "");
    free(command);
}

void wcts_report_upgrade_print(FILE *out, const struct wcts_report_run *run)
{
    const struct wcts_spec *spec = run->plan->spec;
    int counts[STATES] = {0};
    if (!run->asked.upgrade)
        return;
    for (int i = 0; i < spec->statements_count; i++)
        if (first_rule(run, i) >= 0)
            counts[state_of(upgraded_of(run, i))]++;
    fprintf(out, "  upgrade     WDDM %s to %s: %d statements begin to bind\n", own_last(run),
            run->asked.upgrade_to, counts[KEPT] + counts[BROKEN] + counts[NOT_SHOWN]);
    for (int state = KEPT; state < STATES; state++) {
        if (counts[state] == 0)
            continue;
        fprintf(out, "      %6d  %s\n", counts[state], state_names[state]);
        for (int i = 0; i < spec->statements_count; i++)
            if (first_rule(run, i) >= 0 && (int)state_of(upgraded_of(run, i)) == state)
                print_statement(out, run, i, first_rule(run, i));
    }
}
