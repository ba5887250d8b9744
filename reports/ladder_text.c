/* SPDX-License-Identifier: MIT */
/* The ladders as text, 100 columns wide, and as JSON. */
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "ladder.h"

#define WIDTH 100

/* ---- text ---- */

static void print_ladder_row(FILE *out, const struct wcts_report_ladder *ladder, const char *label,
                             const struct wcts_report_ladder_count *count)
{
    fprintf(out, " %-40.40s%9d", label, count->all);
    for (int i = 0; i < WCTS_LADDER_STEPS; i++)
        if (i == WCTS_LADDER_STEPS - 1 && ladder->stop_word)
            fprintf(out, " %9s", ladder->stop_word);
        else
            fprintf(out, "%5d %3d%%", count->steps[i],
                    count->all > 0 ? count->steps[i] * 100 / count->all : 0);
    fputc('\n', out);
}

static void print_heading(FILE *out, const struct wcts_report_ladder *ladder, const char *label)
{
    fprintf(out, "%-41s%9s", label, "testable");
    for (int i = 0; i < WCTS_LADDER_STEPS; i++)
        fprintf(out, " %9s", ladder->steps[i]);
    fputc('\n', out);
}

/* Prints the counts of documents, roles and versions that have statements. */
static void print_groups(FILE *out, const struct wcts_report_ladder *ladder)
{
    const struct wcts_spec *spec = ladder->spec;
    struct wcts_report_ladder_count count;
    print_heading(out, ladder, "document");
    for (int i = 0; i < spec->documents_count; i++)
        if ((count = wcts_report_ladder_count(ladder, i, -1)).all > 0)
            print_ladder_row(out, ladder, spec->documents[i].title, &count);
    print_heading(out, ladder, "role");
    for (int i = WCTS_ROLE_CALLER; i <= WCTS_ROLE_BOTH; i++)
        if ((count = wcts_report_ladder_count(ladder, -1, i)).all > 0)
            print_ladder_row(out, ladder, wcts_model_role_name((enum wcts_role)i), &count);
    print_heading(out, ladder, "version");
    for (int i = 0; i < spec->versions_count; i++)
        if ((count = wcts_report_ladder_count_at(ladder, i)).all > 0)
            print_ladder_row(out, ladder, spec->versions[i].name, &count);
}

/* Prints words, wrapped at the width; further lines are indented. */
static void print_ladder_text(FILE *out, int column, int indent, const char *text)
{
    while (*text != '\0') {
        size_t length = strcspn(text, " ");
        if (column > indent && column + (int)length + 1 > WIDTH) {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
        }
        fprintf(out, "%s%.*s", column > indent ? " " : "", (int)length, text);
        column += (int)length + (column > indent);
        text += length + (text[length] == ' ');
    }
    fputc('\n', out);
}

/* Prints statements that stopped for their own reason; ladder->stop is already printed. */
static void print_stopped(FILE *out, const struct wcts_report_ladder *ladder)
{
    bool any = false;
    for (int i = 0; i < ladder->spec->statements_count; i++) {
        const struct wcts_report_rung *rung = &ladder->rungs[i];
        if (!rung->counted || rung->reached == WCTS_LADDER_STEPS || rung->reason == ladder->stop)
            continue;
        if (!any)
            fputs("\nstopped at\n", out);
        any = true;
        fprintf(out, "  %-10s%-11s", ladder->spec->statements[i].id,
                rung->reached > 0 ? ladder->steps[rung->reached - 1] : "nothing");
        print_ladder_text(out, 23, 23, rung->reason);
    }
}

static void print_broken(FILE *out, const struct wcts_report_ladder *ladder)
{
    static const char *const verdicts[] = {"fail", "waived", "warn", "flaky"};
    for (size_t v = 0; v < sizeof verdicts / sizeof *verdicts; v++) {
        bool any = false;
        for (int i = 0; i < ladder->spec->statements_count; i++) {
            const struct wcts_report_rung *rung = &ladder->rungs[i];
            if (!rung->counted || !rung->verdict || strcmp(rung->verdict, verdicts[v]) != 0)
                continue;
            if (!any)
                fprintf(out, "\nverdict %s\n", verdicts[v]);
            any = true;
            fprintf(out, "  %-10s", ladder->spec->statements[i].id);
            print_ladder_text(out, 12, 12, ladder->spec->statements[i].text);
            fprintf(out, "%12s", "");
            print_ladder_text(out, 12, 12, rung->reason);
        }
    }
}

/* Prints the statements of which some rules were not shown, with these. */
static void print_in_part(FILE *out, const struct wcts_report_ladder *ladder)
{
    bool any = false;
    for (int i = 0; i < ladder->spec->statements_count; i++) {
        const char *line = ladder->rungs[i].hidden;
        if (!line)
            continue;
        fprintf(out, "%s  %s\n", any ? "" : "\nshown in part: a rule that applies was not shown\n",
                ladder->spec->statements[i].id);
        any = true;
        while (*line) {
            char *one = strndup(line, strcspn(line, "\n"));
            fprintf(out, "%12s", "");
            print_ladder_text(out, 12, 16, one ? one : "");
            free(one);
            line += strcspn(line, "\n");
            line += *line == '\n';
        }
    }
}

static void print_not_testable(FILE *out, const struct wcts_report_ladder *ladder)
{
    bool any = false;
    for (int i = 0; i < ladder->spec->statements_count; i++) {
        if (!ladder->rungs[i].listed)
            continue;
        if (!any)
            fputs("\nnot testable\n", out);
        any = true;
        fprintf(out, "  %-10s", ladder->spec->statements[i].id);
        print_ladder_text(out, 12, 12, ladder->spec->statements[i].reason);
    }
}

void wcts_report_ladder_print(FILE *out, const struct wcts_report_ladder *ladder)
{
    struct wcts_report_ladder_count all = wcts_report_ladder_count(ladder, -1, -1);
    fprintf(out, "the %s%s%s\n", ladder->name, ladder->about ? ": " : "",
            ladder->about ? ladder->about : "");
    if (ladder->left_out != 0)
        fprintf(out,
                "left out: %d statements without a case of its side (--role both counts them)\n",
                ladder->left_out);
    print_heading(out, ladder, "");
    print_ladder_row(out, ladder, "all statements", &all);
    print_groups(out, ladder);
    if (ladder->stop) {
        fprintf(out, "\n%-11s", ladder->steps[WCTS_LADDER_STEPS - 1]);
        print_ladder_text(out, 11, 11, ladder->stop);
    }
    print_stopped(out, ladder);
    print_broken(out, ladder);
    print_in_part(out, ladder);
    print_not_testable(out, ladder);
}

/* ---- conditions ---- */

static const char *const shown_names[] = {[WCTS_SHOWN_NOT] = "not shown",
                                          [WCTS_SHOWN_MASKED] = "masked",
                                          [WCTS_SHOWN_COUPLED] = "coupled",
                                          [WCTS_SHOWN] = "shown"};

static void print_decision(FILE *out, const struct wcts_plan *plan,
                           const struct wcts_cover_decision *decision)
{
    fprintf(out, "    %-9s  ", shown_names[decision->shown]);
    print_ladder_text(out, 15, 15, decision->text);
    if (decision->one >= 0)
        fprintf(out, "               %s\n", WCTS_PLAN_CASE(plan, decision->one)->id);
    if (decision->other >= 0)
        fprintf(out, "               %s%s\n", decision->twin ? "the twin of " : "",
                WCTS_PLAN_CASE(plan, decision->other)->id);
    if (decision->why) {
        fputs("               ", out);
        print_ladder_text(out, 15, 15, decision->why);
    }
}

void wcts_report_cover_print(FILE *out, const struct wcts_cover *cover,
                             const struct wcts_report_ladder *ladder)
{
    const struct wcts_spec *spec = ladder->spec;
    fputs("\nconditions\n", out);
    for (int r = 0; r < spec->rules_count; r++) {
        const struct wcts_cover_rule *rule = &cover->rules[r];
        if (!ladder->rungs[spec->rules[r].statement].counted)
            continue;
        fprintf(out, "  %s%s%s\n", spec->rules[r].id, rule->note ? ": " : "",
                rule->note ? rule->note : "");
        for (int i = 0; i < rule->count; i++)
            print_decision(out, cover->plan, &rule->decisions[i]);
    }
}

/* ---- JSON ---- */

static json_t *count_json(const struct wcts_report_ladder *ladder,
                          const struct wcts_report_ladder_count *count)
{
    json_t *value = json_object();
    json_object_set_new(value, "testable", json_integer(count->all));
    for (int i = 0; i < WCTS_LADDER_STEPS; i++)
        json_object_set_new(value, ladder->steps[i],
                            i == WCTS_LADDER_STEPS - 1 && ladder->stop
                                ? json_null()
                                : json_integer(count->steps[i]));
    return value;
}

static void group_json(json_t *groups, const struct wcts_report_ladder *ladder, const char *name,
                       struct wcts_report_ladder_count count)
{
    if (count.all > 0)
        json_object_set_new(groups, name, count_json(ladder, &count));
}

static json_t *statement_json(const struct wcts_report_ladder *ladder, int i)
{
    const struct wcts_statement *one = &ladder->spec->statements[i];
    const struct wcts_report_rung *rung = &ladder->rungs[i];
    json_t *value = json_pack(
        "{s:o, s:b, s:o, s:o, s:o}", "id", wcts_store_json_text(one->id), "testable", rung->counted,
        "reached", rung->counted ? json_integer(rung->reached) : json_null(), "step",
        rung->counted && rung->reached > 0 ? wcts_store_json_text(ladder->steps[rung->reached - 1])
                                           : json_null(),
        "reason", wcts_store_json_text(rung->counted ? rung->reason : one->reason));
    if (rung->verdict)
        json_object_set_new(value, "verdict", json_string(rung->verdict));
    if (rung->hidden)
        json_object_set_new(value, "hidden", wcts_store_json_text(rung->hidden));
    return value;
}

json_t *wcts_report_ladder_json(const struct wcts_report_ladder *ladder)
{
    const struct wcts_spec *spec = ladder->spec;
    json_t *steps = json_array(), *statements = json_array();
    json_t *documents = json_object(), *roles = json_object(), *versions = json_object();
    struct wcts_report_ladder_count all = wcts_report_ladder_count(ladder, -1, -1);
    for (int i = 0; i < WCTS_LADDER_STEPS; i++)
        json_array_append_new(steps, json_string(ladder->steps[i]));
    for (int i = 0; i < spec->documents_count; i++)
        group_json(documents, ladder, spec->documents[i].title,
                   wcts_report_ladder_count(ladder, i, -1));
    for (int i = WCTS_ROLE_CALLER; i <= WCTS_ROLE_BOTH; i++)
        group_json(roles, ladder, wcts_model_role_name((enum wcts_role)i),
                   wcts_report_ladder_count(ladder, -1, i));
    for (int i = 0; i < spec->versions_count; i++)
        group_json(versions, ladder, spec->versions[i].name,
                   wcts_report_ladder_count_at(ladder, i));
    for (int i = 0; i < spec->statements_count; i++)
        if (ladder->rungs[i].counted || ladder->rungs[i].listed)
            json_array_append_new(statements, statement_json(ladder, i));
    return json_pack(
        "{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "ladder", ladder->name, "about",
        wcts_store_json_text(ladder->about), "spec_digest", wcts_store_json_text(spec->digest),
        "steps", steps, "stop", wcts_store_json_text(ladder->stop), "all", count_json(ladder, &all),
        "documents", documents, "roles", roles, "versions", versions, "statements", statements);
}

static json_t *decision_json(const struct wcts_plan *plan,
                             const struct wcts_cover_decision *decision)
{
    return json_pack(
        "{s:o, s:s, s:o, s:o, s:o}", "condition", wcts_store_json_text(decision->text), "shown",
        shown_names[decision->shown], "case",
        decision->one >= 0 ? wcts_store_json_text(WCTS_PLAN_CASE(plan, decision->one)->id)
                           : json_null(),
        decision->twin ? "twin_of" : "other",
        decision->other >= 0 ? wcts_store_json_text(WCTS_PLAN_CASE(plan, decision->other)->id)
                             : json_null(),
        "why", wcts_store_json_text(decision->why));
}

json_t *wcts_report_cover_json(const struct wcts_cover *cover,
                               const struct wcts_report_ladder *ladder)
{
    const struct wcts_spec *spec = ladder->spec;
    json_t *rules = json_array();
    for (int r = 0; r < spec->rules_count; r++) {
        const struct wcts_cover_rule *rule = &cover->rules[r];
        json_t *value, *conditions;
        if (!ladder->rungs[spec->rules[r].statement].counted)
            continue;
        conditions = json_array();
        for (int i = 0; i < rule->count; i++)
            json_array_append_new(conditions, decision_json(cover->plan, &rule->decisions[i]));
        value = json_pack("{s:o, s:o, s:o, s:o}", "rule", wcts_store_json_text(spec->rules[r].id),
                          "statement",
                          wcts_store_json_text(spec->statements[spec->rules[r].statement].id),
                          "note", wcts_store_json_text(rule->note), "conditions", conditions);
        json_array_append_new(rules, value);
    }
    return rules;
}
