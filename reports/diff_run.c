/* SPDX-License-Identifier: MIT */
/* Comparing two runs: the cases of each plan and their results. */
#include <stdlib.h>
#include <string.h>

#include "../runner/store/run_dir.h"
#include "diff.h"
#include "report.h"

/* A case of a run, and its result. */
struct report_outcome {
    const char *id, *statement; /* owned by the reader */
    char *reason, signature[WCTS_SIGNATURE_SIZE];
    enum wcts_verdict verdict;
    bool reached;
};

struct report_run_side {
    struct wcts_store_reader reader;
    struct report_outcome *outcomes; /* one for each row of the reader */
};

/* ---- reading ---- */

static bool read_side_run(struct report_run_side *side)
{
    if (!wcts_store_reader_run(&side->reader))
        return wcts_store_reader_report(&side->reader);
    return json_is_object(json_object_get(side->reader.run, "implementation")) ||
           wcts_store_reader_error(&side->reader, WCTS_FILE_RUN, 1,
                                   "no implementation, expected the description of a run");
}

static bool read_planned(struct report_run_side *side)
{
    const struct wcts_store_reader *reader = &side->reader;
    bool good = wcts_store_reader_plan(&side->reader, NULL);
    if (!reader->named && (reader->count > 0 || reader->flaw.kind == WCTS_FLAW_COLUMNS))
        return wcts_store_reader_error(&side->reader, WCTS_FILE_PLAN, 1,
                                       "no plan, expected columns id and statement");
    if (!good)
        return wcts_store_reader_report(&side->reader);
    side->outcomes = calloc((size_t)reader->count + 1, sizeof *side->outcomes);
    for (int i = 0; side->outcomes && i < reader->count; i++)
        side->outcomes[i] = (struct report_outcome){.id = reader->rows[i].id,
                                                    .statement = reader->rows[i].statement};
    return side->outcomes != NULL;
}

static bool read_outcomes(struct report_run_side *side)
{
    struct wcts_store_entry entry;
    bool good = true;
    int row;
    if (!wcts_store_reader_journal(&side->reader))
        return wcts_store_reader_report(&side->reader);
    while (good && wcts_store_reader_next(&side->reader, &entry, &row)) {
        struct report_outcome *outcome = &side->outcomes[row];
        outcome->reached = true;
        outcome->verdict = entry.result.verdict;
        outcome->reason = strdup(entry.result.reason);
        memcpy(outcome->signature, entry.result.signature, sizeof outcome->signature);
        good = outcome->reason != NULL;
        wcts_store_entry_release(&entry);
    }
    return good &&
           (side->reader.flaw.kind == WCTS_FLAW_NONE || wcts_store_reader_report(&side->reader));
}

static const struct report_outcome *find_outcome_of(const struct report_run_side *side,
                                                    const char *id)
{
    int row = wcts_store_reader_find(&side->reader, id);
    return row < 0 ? NULL : &side->outcomes[row];
}

static bool side_init(struct report_run_side *side, const char *directory)
{
    *side = (struct report_run_side){0};
    wcts_store_reader_init(&side->reader, directory, NULL);
    return read_side_run(side) && read_planned(side) && read_outcomes(side) &&
           wcts_store_reader_recorded(&side->reader);
}

static void side_release(struct report_run_side *side)
{
    for (int i = 0; side->outcomes && i < side->reader.count; i++)
        free(side->outcomes[i].reason);
    free(side->outcomes);
    wcts_store_reader_close(&side->reader);
}

/* ---- comparing ---- */

/* In the order of the output. */
enum report_difference_group {
    NEWLY_FAILING,
    FAILING_OTHERWISE,
    NEWLY_PASSING,
    NEWLY_SKIPPED,
    OTHER_VERDICT,
    OTHER_REASON,
    ONLY_A,
    ONLY_B,
    GROUP_COUNT,
    SAME = GROUP_COUNT
};

static const char *const group_names[GROUP_COUNT] = {
    [NEWLY_FAILING] = "newly_failing",
    [FAILING_OTHERWISE] = "failing_otherwise",
    [NEWLY_PASSING] = "newly_passing",
    [NEWLY_SKIPPED] = "newly_skipped",
    [OTHER_VERDICT] = "other_verdict",
    [OTHER_REASON] = "other_reason",
    [ONLY_A] = "only_in_a",
    [ONLY_B] = "only_in_b",
};

static bool passes(enum wcts_verdict verdict)
{
    return verdict == WCTS_VERDICT_PASS || verdict == WCTS_VERDICT_FIXED;
}

/* Compares signatures; without them reasons, except for numbers. */
static bool same_reason(const struct report_outcome *a, const struct report_outcome *b)
{
    if (a->signature[0] && b->signature[0])
        return strcmp(a->signature, b->signature) == 0;
    char *left = wcts_baseline_signature_text(a->reason),
         *right = wcts_baseline_signature_text(b->reason);
    bool same = left && right && strcmp(left, right) == 0;
    free(left);
    free(right);
    return same;
}

/* a NULL: only b has the case, which is a new failure if it fails. */
static enum report_difference_group difference_of(const struct report_outcome *a,
                                                  const struct report_outcome *b)
{
    bool same = a && a->verdict == b->verdict;
    if (!a)
        return wcts_store_verdict_breaks(b->verdict) ? NEWLY_FAILING : ONLY_B;
    if (wcts_store_verdict_breaks(b->verdict)) {
        if (!wcts_store_verdict_breaks(a->verdict))
            return NEWLY_FAILING;
        return same && same_reason(a, b) ? SAME : FAILING_OTHERWISE;
    }
    if (passes(b->verdict) && !passes(a->verdict))
        return NEWLY_PASSING;
    if (b->verdict == WCTS_VERDICT_SKIP && !same)
        return NEWLY_SKIPPED;
    if (!same)
        return OTHER_VERDICT;
    return same_reason(a, b) ? SAME : OTHER_REASON;
}

static json_t *outcome_json(const struct report_outcome *outcome)
{
    json_t *value = json_pack("{s:s, s:o}", "verdict", wcts_model_verdict_name(outcome->verdict),
                              "reason", wcts_store_json_text(outcome->reason));
    if (outcome->signature[0])
        json_object_set_new(value, "signature", wcts_store_json_text(outcome->signature));
    return value;
}

struct report_run_comparison {
    json_t *groups[GROUP_COUNT];
    json_t *statements; /* {statement: {group: count}} */
    int same, new_failures;
};

static void count_in(json_t *statements, const char *statement, const char *group)
{
    json_t *counts = json_object_get(statements, statement);
    if (!counts) {
        counts = json_object();
        json_object_set_new(statements, statement, counts);
    }
    json_int_t count = json_integer_value(json_object_get(counts, group));
    json_object_set_new(counts, group, json_integer(count + 1));
}

/* Adds a case. a or b NULL: only the other run has it. */
static void add_difference(struct report_run_comparison *comparison,
                           enum report_difference_group group, const struct report_outcome *a,
                           const struct report_outcome *b)
{
    const struct report_outcome *one = b ? b : a;
    json_t *value = json_pack("{s:o, s:o}", "id", wcts_store_json_text(one->id), "statement",
                              wcts_store_json_text(one->statement));
    if (a)
        json_object_set_new(value, "a", outcome_json(a));
    if (b)
        json_object_set_new(value, "b", outcome_json(b));
    json_array_append_new(comparison->groups[group], value);
    count_in(comparison->statements, one->statement, group_names[group]);
    comparison->new_failures += group == NEWLY_FAILING;
}

static const struct report_outcome *reached(const struct report_outcome *outcome)
{
    return outcome && outcome->reached ? outcome : NULL;
}

static void compare_sides(struct report_run_comparison *comparison, const struct report_run_side *a,
                          const struct report_run_side *b)
{
    for (int i = 0; i < b->reader.count; i++) {
        const struct report_outcome *right = reached(&b->outcomes[i]);
        const struct report_outcome *left = reached(find_outcome_of(a, b->outcomes[i].id));
        enum report_difference_group group = right ? difference_of(left, right) : SAME;
        if (group != SAME)
            add_difference(comparison, group, left, right);
        else if (right)
            comparison->same++;
    }
    for (int i = 0; i < a->reader.count; i++) {
        const struct report_outcome *left = reached(&a->outcomes[i]);
        if (left && !reached(find_outcome_of(b, left->id)))
            add_difference(comparison, ONLY_A, left, NULL);
    }
}

/* ---- what was run ---- */

/* The members of run.json that describe what was run: they may explain other differences. */
static const char *const members[][2] = {
    {"implementation", "name"},
    {"implementation", "version"},
    {"implementation", "path"},
    {"implementation", "options"},
    {"tool_version", NULL},
    {"spec_digest", NULL},
    {"level", NULL},
    {"suite", NULL},
    {"wddm", "first"},
    {"wddm", "last"},
    {"seed", NULL},
    {"end", NULL},
};

static json_t *run_member(const struct report_run_side *side, size_t i)
{
    json_t *value = json_object_get(side->reader.run, members[i][0]);
    return members[i][1] ? json_object_get(value, members[i][1]) : value;
}

static json_t *differs_json(const struct report_run_side *a, const struct report_run_side *b)
{
    json_t *differs = json_object();
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        json_t *left = run_member(a, i), *right = run_member(b, i);
        char name[64];
        snprintf(name, sizeof name, "%s%s%s", members[i][0], members[i][1] ? "." : "",
                 members[i][1] ? members[i][1] : "");
        if (!json_equal(left, right))
            json_object_set_new(differs, name, json_pack("[O?, O?]", left, right));
    }
    return differs;
}

static json_t *run_side_json(const struct report_run_side *side)
{
    json_t *value = json_object();
    int count = 0;
    for (int i = 0; i < side->reader.count; i++)
        count += side->outcomes[i].reached;
    json_object_set_new(value, "directory", wcts_store_json_path(side->reader.directory));
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++)
        if (!json_object_get(value, members[i][0]))
            json_object_set(value, members[i][0], json_object_get(side->reader.run, members[i][0]));
    json_object_set_new(value, "ended", json_boolean(side->reader.done));
    json_object_set_new(value, "cases", json_integer(side->reader.count));
    json_object_set_new(value, "reached", json_integer(count));
    return value;
}

json_t *wcts_report_diff_runs(const char *a, const char *b)
{
    struct report_run_side left, right;
    struct report_run_comparison comparison = {.statements = json_object()};
    json_t *difference = NULL, *groups = json_object();
    bool good = side_init(&left, a);

    good = side_init(&right, b) && good;
    for (int i = 0; i < GROUP_COUNT; i++) {
        comparison.groups[i] = json_array();
        json_object_set_new(groups, group_names[i], comparison.groups[i]);
    }
    if (good) {
        compare_sides(&comparison, &left, &right);
        difference = json_pack("{s:s, s:o, s:o, s:o, s:O, s:O, s:i, s:i}", "kind", "runs", "a",
                               run_side_json(&left), "b", run_side_json(&right), "differs",
                               differs_json(&left, &right), "groups", groups, "statements",
                               comparison.statements, "same", comparison.same, "new_failures",
                               comparison.new_failures);
    }
    json_decref(groups);
    json_decref(comparison.statements);
    side_release(&left);
    side_release(&right);
    return difference;
}
