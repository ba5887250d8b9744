/* SPDX-License-Identifier: MIT */
/* The ladder of a run, read from its directory. */
#include <stdlib.h>
#include <string.h>

#include "../runner/base/arena.h"
#include "../runner/store/run_dir.h"
#include "json.h"
#include "ladder_parts.h"
#include "report.h"
#include "upgrade.h"

enum report_step { NOTHING, SELECTED, EXECUTED, EXERCISED, OBSERVED, CONCLUDED };

/* A case of the run. */
struct report_row {
    const char *id;
    int statement, rule, version; /* rule -1: a case of the whole statement */
    enum report_step step;
    enum wcts_verdict verdict; /* set when it was executed */
    const char *reason;        /* "" for none */
};

struct report_run_reading {
    struct wcts_report_ladder *ladder;
    const struct wcts_spec *spec;
    const struct wcts_report_ladder_scope *scope;
    struct wcts_store_reader reader;
    struct report_row *rows; /* as in plan.tsv */
    int count;
    uint32_t sides;              /* of the implementation: sum of enum wcts_side; 0: unknown */
    struct report_row **grouped; /* sorted by statement, then as in plan.tsv */
    int *groups;                 /* by statement: the first of its rows; last: the end */
    const char *unreached;       /* why cases were not executed */
    struct wcts_claims claims;   /* their last version, raised by --upgrade */
    uint32_t upgrade;            /* 0: the run is about what is claimed */
};

/* ---- plan.tsv ---- */

static bool add_row(struct report_run_reading *reading, const struct wcts_store_reader_row *from)
{
    const struct wcts_spec *spec = reading->spec;
    const char *version = from->version ? from->version : "no version";
    const struct report_row row = {.id = from->id,
                                   .rule = wcts_model_spec_rule_before(spec, from->id, "/,"),
                                   .version = wcts_model_spec_version(spec, version),
                                   .statement = wcts_model_spec_statement(spec, from->statement),
                                   .step = SELECTED,
                                   .reason = ""};
    if (row.version < 0)
        return wcts_store_reader_error(&reading->reader, WCTS_FILE_PLAN, from->line,
                                       "%s, expected a version of the spec", version);
    if (row.statement < 0)
        return wcts_store_reader_error(&reading->reader, WCTS_FILE_PLAN, from->line,
                                       "%s, expected a statement of the spec", from->statement);
    reading->rows[reading->count++] = row;
    return true;
}

static bool read_rows(struct report_run_reading *reading)
{
    bool good = true;
    if (!wcts_store_reader_plan(&reading->reader, NULL))
        return wcts_store_reader_report(&reading->reader);
    reading->rows = calloc((size_t)reading->reader.count + 1, sizeof *reading->rows);
    for (int i = 0; good && i < reading->reader.count; i++)
        good = reading->rows && add_row(reading, &reading->reader.rows[i]);
    return good;
}

/* ---- journal.jsonl ---- */

/* Declined cases for these reasons were exercised, all others were not. */
static const char *const exercised[] = {
    "twin refused",
    "the driver's valid answer refused",
};

static enum report_step step_of_entry(enum wcts_verdict verdict, const char *reason)
{
    if (wcts_store_verdict_judges(verdict))
        return OBSERVED;
    for (size_t i = 0; i < sizeof exercised / sizeof *exercised; i++)
        if (verdict == WCTS_VERDICT_DECLINED &&
            strncmp(reason, exercised[i], strlen(exercised[i])) == 0)
            return EXERCISED;
    return EXECUTED;
}

/* A sequence belongs to the rule that its reason names. One that breaks none is not counted. */
static void note_entry(const struct report_run_reading *reading, struct report_row *row,
                       const struct wcts_result *result)
{
    int broken =
        row->rule < 0 ? wcts_model_spec_rule_before(reading->spec, result->reason, "/,") : -1;
    row->verdict = result->verdict;
    row->step = step_of_entry(result->verdict, result->reason);
    row->reason = wcts_arena_string(reading->ladder->arena, result->reason, strlen(result->reason));
    if (row->rule < 0 && !wcts_store_verdict_breaks(result->verdict))
        row->step = NOTHING;
    if (broken >= 0)
        row->statement = reading->spec->rules[broken].statement;
}

static bool read_steps(struct report_run_reading *reading)
{
    struct wcts_store_reader *reader = &reading->reader;
    struct wcts_store_entry entry;
    int row;
    if (!wcts_store_reader_journal(reader))
        return wcts_store_reader_report(&reading->reader);
    while (wcts_store_reader_next(reader, &entry, &row)) {
        note_entry(reading, &reading->rows[row], &entry.result);
        wcts_store_entry_release(&entry);
    }
    return reader->flaw.kind == WCTS_FLAW_NONE || wcts_store_reader_report(&reading->reader);
}

/* ---- run.json ---- */

static const char *text_or_unknown(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "?";
}

/* In a run that was killed, "end" is "running". */
static bool read_description(struct report_run_reading *reading)
{
    struct wcts_arena *arena = reading->ladder->arena;
    const json_t *run, *implementation, *upgrade;
    bool other;
    if (!wcts_store_reader_run(&reading->reader))
        return wcts_store_reader_report(&reading->reader);
    run = reading->reader.run;
    implementation = json_object_get(run, "implementation");
    other = strcmp(text_or_unknown(run, "spec_digest"), reading->spec->digest) != 0;
    upgrade = json_object_get(run, "upgrade");
    reading->claims.last_interface_version = (uint32_t)json_integer_value(
        json_object_get(json_object_get(run, "claims"), "last_interface_version"));
    reading->upgrade = wcts_report_upgrade_of(reading->spec, run);
    wcts_model_claims_raise(&reading->claims, reading->upgrade);
    reading->ladder->about = wcts_arena_format(
        arena, "%s %s (%s%s%s), level %s%s%s%s%s%s", text_or_unknown(implementation, "name"),
        text_or_unknown(implementation, "version"), text_or_unknown(implementation, "path"),
        text_or_unknown(implementation, "options")[0] ? "," : "",
        text_or_unknown(implementation, "options"), text_or_unknown(run, "level"),
        upgrade ? ", what begins to bind from WDDM " : "",
        upgrade ? text_or_unknown(upgrade, "from") : "", upgrade ? " to " : "",
        upgrade ? text_or_unknown(upgrade, "to") : "",
        other ? "; made with another spec than this" : "");
    reading->sides =
        wcts_report_json_sides(json_object_get(json_object_get(run, "claims"), "sides"));
    reading->unreached =
        wcts_arena_format(arena, "the run ended before: %s", text_or_unknown(run, "end"));
    return true;
}

/* What run.json has of statements that were tested in part (part.h). */
static void note_hidden(struct report_run_reading *reading)
{
    const json_t *part,
        *list = json_object_get(json_object_get(reading->reader.run, "scope"), "parts");
    struct wcts_arena *arena = reading->ladder->arena;
    size_t i;
    json_array_foreach(list, i, part)
    {
        int statement =
            wcts_model_spec_statement(reading->spec, text_or_unknown(part, "statement"));
        struct wcts_report_rung *rung = statement >= 0 ? &reading->ladder->rungs[statement] : NULL;
        if (rung && rung->counted)
            rung->hidden = wcts_arena_format(
                arena, "%s%s%s (%s, WDDM %s): %s", rung->hidden ? rung->hidden : "",
                rung->hidden ? "\n" : "", text_or_unknown(part, "rule"),
                text_or_unknown(part, "side"), text_or_unknown(part, "versions"),
                text_or_unknown(part, "reason"));
    }
}

/* ---- the rows of a statement ---- */

/* Call it after the journal is read, which moves rows between statements. */
static bool group_rows(struct report_run_reading *reading)
{
    const int statements = reading->spec->statements_count;
    int *ends = calloc((size_t)statements + 1, sizeof *ends);
    reading->grouped = calloc((size_t)reading->count + 1, sizeof *reading->grouped);
    reading->groups = calloc((size_t)statements + 1, sizeof *reading->groups);
    if (!ends || !reading->grouped || !reading->groups) {
        free(ends);
        return false;
    }
    for (int i = 0; i < reading->count; i++)
        reading->groups[reading->rows[i].statement + 1]++;
    for (int i = 0; i < statements; i++)
        ends[i + 1] = reading->groups[i + 1] += reading->groups[i];
    for (int i = 0; i < reading->count; i++)
        reading->grouped[ends[reading->rows[i].statement]++] = &reading->rows[i];
    free(ends);
    return true;
}

struct report_row_group {
    struct report_row *const *rows;
    int count;
};

static struct report_row_group rows_of(const struct report_run_reading *reading, int statement)
{
    const int *at = &reading->groups[statement];
    return (struct report_row_group){reading->grouped + at[0], at[1] - at[0]};
}

/* Leaves out the statements that have no case of a side that the implementation has: none could be
 * in the run. False without memory. */
static bool leave_out_other_side(const struct report_run_reading *reading)
{
    struct wcts_report_scope suite;
    bool good = wcts_report_scope_init(&suite, reading->scope->plan);
    for (int i = 0; good && reading->sides != 0 && i < reading->spec->statements_count; i++) {
        struct wcts_report_rung *rung = &reading->ladder->rungs[i];
        uint32_t about = wcts_report_scope_sides_of_role(reading->spec->statements[i].role);
        if (rows_of(reading, i).count != 0 ||
            (rung->counted ? wcts_report_scope_counts(&suite, i, reading->sides)
                           : (about & reading->sides) != 0))
            continue;
        reading->ladder->left_out += rung->counted;
        rung->counted = rung->listed = false;
    }
    wcts_report_scope_release(&suite);
    return good;
}

/* True if the run is about the rule, at one of the versions of the scope. */
static bool is_rule_asked(const struct report_run_reading *reading, int rule)
{
    return wcts_report_rule_in_scope(reading->spec, rule, reading->scope) &&
           (reading->upgrade == 0 ||
            wcts_report_upgrade_begins(reading->spec, &reading->claims, reading->upgrade, rule));
}

/* Of --upgrade: leaves out the statements that do not begin to bind. */
static void leave_out_older(const struct report_run_reading *reading)
{
    for (int i = 0; reading->upgrade != 0 && i < reading->spec->statements_count; i++) {
        struct wcts_report_rung *rung = &reading->ladder->rungs[i];
        bool asked = false;
        for (int r = 0; r < reading->spec->rules_count && !asked; r++)
            asked = reading->spec->rules[r].statement == i && is_rule_asked(reading, r);
        rung->counted = rung->counted && asked;
        rung->listed = rung->listed && asked;
    }
}

/* ---- steps ---- */

/* The cases of a rule (-1: those without one), at one version or all (-1). */
struct report_pick {
    const struct report_run_reading *reading;
    int statement, rule, version;
};

static bool picks(const struct report_pick *pick, const struct report_row *row)
{
    return row->rule == pick->rule &&
           (pick->version >= 0 ? row->version == pick->version
                               : row->version >= pick->reading->scope->first_version &&
                                     row->version <= pick->reading->scope->last_version);
}

/* Not reached, or declined or broken. */
static bool is_in_doubt(const struct report_row *row)
{
    return row->step == SELECTED || row->verdict == WCTS_VERDICT_BROKEN ||
           row->verdict == WCTS_VERDICT_DECLINED;
}

/* The step of the best case; CONCLUDED when all were executed and none is in doubt. */
static enum report_step step_of_rule(const struct report_pick *pick)
{
    const struct report_row_group group = rows_of(pick->reading, pick->statement);
    enum report_step best = NOTHING;
    bool doubt = false;
    for (int i = 0; i < group.count; i++) {
        const struct report_row *row = group.rows[i];
        if (!picks(pick, row))
            continue;
        best = row->step > best ? row->step : best;
        doubt = doubt || is_in_doubt(row);
    }
    return best == OBSERVED && !doubt ? CONCLUDED : best;
}

static const char *row_reason(const struct report_run_reading *reading,
                              const struct report_row *row)
{
    return row->step == SELECTED ? reading->unreached : row->reason;
}

/* True if the case explains the step: it stopped there, or is in doubt. */
static bool explains(const struct report_pick *pick, const struct report_row *row,
                     enum report_step step)
{
    if (!picks(pick, row))
        return false;
    return step == OBSERVED ? is_in_doubt(row) : row->step == step;
}

static int same_reasons(const struct report_pick *pick, const struct report_row *like,
                        enum report_step step)
{
    const struct report_run_reading *reading = pick->reading;
    const struct report_row_group group = rows_of(reading, pick->statement);
    int count = 0;
    for (int i = 0; i < group.count; i++)
        count += explains(pick, group.rows[i], step) &&
                 strcmp(row_reason(reading, group.rows[i]), row_reason(reading, like)) == 0;
    return count;
}

static const char *why(const struct report_pick *pick, enum report_step step)
{
    const struct report_run_reading *reading = pick->reading;
    const struct report_row_group group = rows_of(reading, pick->statement);
    const char *rule = reading->spec->rules[pick->rule].id, *best = NULL;
    int most = 0, all = 0;
    if (step == NOTHING)
        return wcts_arena_format(reading->ladder->arena, "no case of rule %s is in the run", rule);
    for (int i = 0; i < group.count; i++) {
        int count;
        all += picks(pick, group.rows[i]);
        if (!explains(pick, group.rows[i], step))
            continue;
        count = same_reasons(pick, group.rows[i], step);
        if (count > most) {
            most = count;
            best = row_reason(reading, group.rows[i]);
        }
    }
    return wcts_arena_format(reading->ladder->arena, "rule %s: %s (%d of %d case%s)", rule, best,
                             most, all, all == 1 ? "" : "s");
}

/* From best to worst. A waived failure is still a failure. */
enum report_rank { NOT_JUDGED, PASSED, FLAKY, DEVIATES, WARNED, WAIVED, FAILED, RANK_COUNT };

static const char *const rank_names[RANK_COUNT] = {
    [PASSED] = "pass", [FLAKY] = "flaky",   [DEVIATES] = "deviates",
    [WARNED] = "warn", [WAIVED] = "waived", [FAILED] = "fail",
};

static enum report_rank rank_of_verdict(enum wcts_verdict verdict)
{
    static const enum report_rank ranks[WCTS_VERDICT_COUNT] = {[WCTS_VERDICT_WARN] = WARNED,
                                                               [WCTS_VERDICT_DEVIATES] = DEVIATES,
                                                               [WCTS_VERDICT_WAIVED] = WAIVED,
                                                               [WCTS_VERDICT_FLAKY] = FLAKY};
    if (wcts_store_verdict_breaks(verdict))
        return FAILED;
    return ranks[verdict] != NOT_JUDGED ? ranks[verdict] : PASSED;
}

/* The worst verdict of the cases of a statement. */
static enum report_rank worst_rank(const struct report_run_reading *reading, int statement,
                                   int version)
{
    const struct report_row_group group = rows_of(reading, statement);
    enum report_rank worst = NOT_JUDGED;
    for (int i = 0; i < group.count; i++) {
        const struct report_row *row = group.rows[i];
        bool here = version >= 0 ? row->version == version
                                 : row->version >= reading->scope->first_version &&
                                       row->version <= reading->scope->last_version;
        enum report_rank rank = rank_of_verdict(row->verdict);
        if (here && row->step == OBSERVED && rank > worst)
            worst = rank;
    }
    return worst;
}

/* The lowest step of the rules that bind (at one version: that have a case there). A breach is a
 * verdict whatever the others are. */
static enum report_step step_of_statement(const struct report_run_reading *reading, int statement,
                                          int version, const char **reason)
{
    const struct wcts_spec *spec = reading->spec;
    enum report_step least = CONCLUDED;
    int at = -1, rules = 0;
    for (int r = 0; r < spec->rules_count; r++) {
        const struct report_pick pick = {reading, statement, r, version};
        enum report_step step;
        if (spec->rules[r].statement != statement || !is_rule_asked(reading, r))
            continue;
        step = step_of_rule(&pick);
        if (version >= 0 && step == NOTHING)
            continue;
        rules++;
        if (step >= least)
            continue;
        least = step;
        at = r;
    }
    *reason = NULL;
    if (worst_rank(reading, statement, version) >= WAIVED)
        return CONCLUDED;
    if (rules == 0) {
        *reason = "it has no rule that binds";
        return NOTHING;
    }
    if (at >= 0 && version < 0)
        *reason = why(&(struct report_pick){reading, statement, at, version}, least);
    return least;
}

static bool has_case(const struct report_run_reading *reading, int statement, int version)
{
    const struct report_row_group group = rows_of(reading, statement);
    for (int i = 0; i < group.count; i++)
        if (group.rows[i]->version == version && group.rows[i]->rule >= 0)
            return true;
    return false;
}

/* The number of cases that break the statement, and the first of them. */
static const char *first_breach(const struct report_run_reading *reading, int statement)
{
    const struct report_row_group group = rows_of(reading, statement);
    const struct report_row *first = NULL;
    int count = 0, all = 0;
    for (int i = 0; i < group.count; i++) {
        const struct report_row *row = group.rows[i];
        if (row->step != OBSERVED)
            continue;
        all++;
        if (rank_of_verdict(row->verdict) == PASSED)
            continue;
        count++;
        first = first ? first : row;
    }
    if (!first)
        return NULL;
    return wcts_arena_format(reading->ladder->arena, "%d of %d cases, the first is %s: %s", count,
                             all, first->id, first->reason);
}

static void climb_statement(const struct report_run_reading *reading, int statement)
{
    struct wcts_report_rung *rung = &reading->ladder->rungs[statement];
    const char *unused;
    rung->reached = (int)step_of_statement(reading, statement, -1, &rung->reason);
    if (rung->reached == CONCLUDED) {
        rung->verdict = rank_names[worst_rank(reading, statement, -1)];
        rung->reason = first_breach(reading, statement);
    }
    for (int v = reading->scope->first_version; v <= reading->scope->last_version; v++)
        if (has_case(reading, statement, v))
            reading->ladder->at_version[statement * reading->spec->versions_count + v] =
                (int)step_of_statement(reading, statement, v, &unused);
}

bool wcts_report_ladder_run(struct wcts_report_ladder *ladder, const struct wcts_spec *spec,
                            const char *directory, const struct wcts_report_ladder_scope *scope)
{
    static const char *const steps[WCTS_LADDER_STEPS] = {"selected", "executed", "exercised",
                                                         "observed", "verdict"};
    struct report_run_reading reading = {.ladder = ladder, .spec = spec, .scope = scope};
    bool good;
    wcts_store_reader_init(&reading.reader, directory, NULL);
    wcts_report_ladder_begin(ladder, spec, "run", steps, scope);
    good = read_rows(&reading) && read_description(&reading) && read_steps(&reading) &&
           wcts_store_reader_recorded(&reading.reader) && group_rows(&reading) &&
           (!scope->plan || leave_out_other_side(&reading));
    if (good) {
        leave_out_older(&reading);
        note_hidden(&reading);
    }
    for (int i = 0; good && i < spec->statements_count; i++)
        if (ladder->rungs[i].counted)
            climb_statement(&reading, i);
    wcts_store_reader_close(&reading.reader);
    free(reading.rows);
    free(reading.grouped);
    free(reading.groups);
    return good;
}
