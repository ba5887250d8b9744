/* SPDX-License-Identifier: MIT */
/* Run against run: of each the cases that were planned, and what each came to. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../runner/store/input.h"
#include "../runner/store/journal.h"
#include "diff.h"
#include "json.h"
#include "report.h"

/* A case of a run. */
struct outcome {
    char *id, *statement, *reason, *signature;
    enum wcts_verdict verdict;
    bool reached;
    int position; /* in the plan */
};

struct side {
    const char *directory;
    json_t *run;              /* run.json */
    struct outcome *outcomes; /* in the order of the plan */
    int count;
    struct outcome **by_id;
    struct wcts_diagnostics *diagnostics;
};

/* ---- reading ---- */

static bool wrong(const struct side *side, const char *file, long line, const char *text)
{
    char *path = NULL;
    struct wcts_place place = {NULL, line};
    if (asprintf(&path, "%s/%s", side->directory, file) >= 0) {
        place.file = path;
        wcts_error_at(side->diagnostics, &place, "%s", text);
    }
    free(path);
    return false;
}

static FILE *open_in(const struct side *side, const char *name)
{
    const char *reason;
    FILE *file = wcts_input_open(side->directory, name, &reason);
    if (!file)
        wrong(side, name, 0, reason);
    return file;
}

static bool read_run(struct side *side)
{
    const char *reason;
    int line;
    side->run = wcts_input_json(side->directory, "run.json", &reason, &line);
    if (!side->run)
        return wrong(side, "run.json", line, reason);
    if (!json_is_object(json_object_get(side->run, "implementation")))
        return wrong(side, "run.json", 1, "is no run, expected an object with \"implementation\"");
    return true;
}

/* The n-th of the columns that tabs separate, from 0; NULL: there are fewer. Owned by the caller.
 */
static char *column(const char *line, int n)
{
    for (; n > 0 && line; n--) {
        line = strchr(line, '\t');
        line = line ? line + 1 : NULL;
    }
    return line ? strndup(line, strcspn(line, "\t\n")) : NULL;
}

/* Which column has that name in its first line; -1: none. */
static int find_column(const char *line, const char *name)
{
    int found = -1;
    for (int i = 0; found < 0; i++) {
        char *text = column(line, i);
        if (!text)
            return -1;
        if (strcmp(text + (text[0] == '#'), name) == 0)
            found = i;
        free(text);
    }
    return found;
}

static bool add_outcome(struct side *side, int *room, char *id, char *statement)
{
    if (side->count == *room) {
        int more = *room * 2 + 256;
        struct outcome *grown = reallocarray(side->outcomes, (size_t)more, sizeof *grown);
        if (!grown)
            return false;
        side->outcomes = grown;
        *room = more;
    }
    side->outcomes[side->count] =
        (struct outcome){.id = id, .statement = statement, .position = side->count};
    side->count++;
    return true;
}

static bool read_plan_lines(struct side *side, FILE *file)
{
    char *line = NULL;
    size_t size = 0;
    int id = -1, statement = -1, room = 0;
    bool good = true;
    long number = 1;
    for (; good && wcts_input_line(&line, &size, file) > 0; number++) {
        if (number == 1) {
            id = find_column(line, "id");
            statement = find_column(line, "statement");
            good = (id >= 0 && statement >= 0) ||
                   wrong(side, "plan.tsv", 1, "is no plan, expected columns id and statement");
            continue;
        }
        char *name = column(line, id), *of = column(line, statement);
        good = name && of && add_outcome(side, &room, name, of);
        if (!good) {
            free(name);
            free(of);
            wrong(side, "plan.tsv", number, "has too few columns, expected as in line 1");
        }
    }
    if (good && !wcts_input_ended(file))
        good = wrong(side, "plan.tsv", number, "is no line of a plan");
    free(line);
    return good;
}

static bool read_plan(struct side *side)
{
    FILE *file = open_in(side, "plan.tsv");
    bool good = file && read_plan_lines(side, file);
    if (file)
        fclose(file);
    return good;
}

static int by_id(const void *a, const void *b)
{
    const struct outcome *const *left = a, *const *right = b;
    return strcmp((*left)->id, (*right)->id);
}

static bool sort(struct side *side)
{
    side->by_id = calloc((size_t)side->count + 1, sizeof *side->by_id);
    for (int i = 0; side->by_id && i < side->count; i++)
        side->by_id[i] = &side->outcomes[i];
    if (side->by_id && side->count > 0)
        qsort(side->by_id, (size_t)side->count, sizeof *side->by_id, by_id);
    return side->by_id != NULL;
}

static struct outcome *find(const struct side *side, const char *id)
{
    const struct outcome wanted = {.id = (char *)id}, *key = &wanted;
    struct outcome **found = NULL;
    if (side->count > 0)
        found = bsearch(&key, side->by_id, (size_t)side->count, sizeof *side->by_id, by_id);
    return found ? *found : NULL;
}

static char *copy_of(const json_t *value, const char *key)
{
    const char *text = json_string_value(json_object_get(value, key));
    return strdup(text ? text : "");
}

static bool take_entry(struct side *side, const json_t *value, long line)
{
    const char *id = json_string_value(json_object_get(value, "id"));
    const char *verdict = json_string_value(json_object_get(value, "verdict"));
    struct outcome *outcome = id ? find(side, id) : NULL;
    int i = 0;
    while (verdict && i < WCTS_VERDICT_COUNT &&
           strcmp(wcts_verdict_name((enum wcts_verdict)i), verdict) != 0)
        i++;
    if (!id || !verdict || i == WCTS_VERDICT_COUNT)
        return wrong(side, "journal.jsonl", line, "is no entry, expected an id and a verdict");
    if (!outcome)
        return wrong(side, "journal.jsonl", line, "has a case that plan.tsv lacks");
    if (outcome->reached)
        return wrong(side, "journal.jsonl", line, "has a case for the second time");
    outcome->reached = true;
    outcome->verdict = (enum wcts_verdict)i;
    outcome->reason = copy_of(value, "reason");
    outcome->signature = copy_of(value, "signature");
    return outcome->reason && outcome->signature;
}

/* Whether the run came to all its cases. */
static bool has_ended(const struct side *side)
{
    const char *end = json_string_value(json_object_get(side->run, "end"));
    return !end || strcmp(end, "done") == 0;
}

/* A killed run leaves half a line behind: the last one, of a run that has not ended. */
static bool is_half(const struct side *side, const char *line)
{
    return line[0] != '\0' && line[strlen(line) - 1] != '\n' && !has_ended(side);
}

/* What is missing was cut off, and would pass for cases that were not reached. */
static bool is_whole(const struct side *side, long number)
{
    char found[96];
    if (!has_ended(side) || number > side->count)
        return true;
    snprintf(found, sizeof found,
             "the journal ends here, expected an entry for each of the %d cases", side->count);
    return wrong(side, "journal.jsonl", number, found);
}

static bool read_journal_lines(struct side *side, FILE *file)
{
    char *line = NULL;
    size_t size = 0;
    long number = 1;
    bool good = true;
    for (; good && wcts_input_line(&line, &size, file) > 0; number++) {
        json_error_t error;
        json_t *value = wcts_input_clean(json_loads(line, 0, &error));
        if (!value && is_half(side, line))
            break;
        good = value ? take_entry(side, value, number)
                     : wrong(side, "journal.jsonl", number, "is no entry, expected an object");
        json_decref(value);
    }
    if (good && has_ended(side) && !wcts_input_ended(file))
        good = wrong(side, "journal.jsonl", number, "is no entry, expected an object");
    free(line);
    return good && is_whole(side, number);
}

static bool read_journal(struct side *side)
{
    FILE *file = open_in(side, "journal.jsonl");
    bool good = file && read_journal_lines(side, file);
    if (file)
        fclose(file);
    return good;
}

static bool side_init(struct side *side, const char *directory,
                      struct wcts_diagnostics *diagnostics)
{
    *side = (struct side){.directory = directory, .diagnostics = diagnostics};
    return read_run(side) && read_plan(side) && sort(side) && read_journal(side);
}

static void side_release(struct side *side)
{
    for (int i = 0; i < side->count; i++) {
        free(side->outcomes[i].id);
        free(side->outcomes[i].statement);
        free(side->outcomes[i].reason);
        free(side->outcomes[i].signature);
    }
    free(side->outcomes);
    free(side->by_id);
    json_decref(side->run);
}

/* ---- comparing ---- */

/* In the order in which they are shown. */
enum group {
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

/* Failures by their signatures; what has none by its reason, but for numbers. */
static bool same_reason(const struct outcome *a, const struct outcome *b)
{
    if (a->signature[0] && b->signature[0])
        return strcmp(a->signature, b->signature) == 0;
    char *left = wcts_signature_text(a->reason), *right = wcts_signature_text(b->reason);
    bool same = left && right && strcmp(left, right) == 0;
    free(left);
    free(right);
    return same;
}

/* a NULL: only b has the case, which is a new failure if it fails. */
static enum group group_of(const struct outcome *a, const struct outcome *b)
{
    bool same = a && a->verdict == b->verdict;
    if (!a)
        return wcts_verdict_breaks(b->verdict) ? NEWLY_FAILING : ONLY_B;
    if (wcts_verdict_breaks(b->verdict)) {
        if (!wcts_verdict_breaks(a->verdict))
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

static json_t *outcome_json(const struct outcome *outcome)
{
    json_t *value = json_object();
    json_object_set_new(value, "verdict", json_string(wcts_verdict_name(outcome->verdict)));
    json_object_set_new(value, "reason", wcts_json_text(outcome->reason));
    if (outcome->signature[0])
        json_object_set_new(value, "signature", wcts_json_text(outcome->signature));
    return value;
}

struct comparison {
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

/* a or b NULL: the case is of one run only. */
static void add(struct comparison *comparison, enum group group, const struct outcome *a,
                const struct outcome *b)
{
    const struct outcome *one = b ? b : a;
    json_t *value = json_object();
    json_object_set_new(value, "id", wcts_json_text(one->id));
    json_object_set_new(value, "statement", wcts_json_text(one->statement));
    if (a)
        json_object_set_new(value, "a", outcome_json(a));
    if (b)
        json_object_set_new(value, "b", outcome_json(b));
    json_array_append_new(comparison->groups[group], value);
    count_in(comparison->statements, one->statement, group_names[group]);
    comparison->new_failures += group == NEWLY_FAILING;
}

static const struct outcome *reached(const struct outcome *outcome)
{
    return outcome && outcome->reached ? outcome : NULL;
}

static void compare(struct comparison *comparison, const struct side *a, const struct side *b)
{
    for (int i = 0; i < b->count; i++) {
        const struct outcome *right = reached(&b->outcomes[i]);
        const struct outcome *left = reached(find(a, b->outcomes[i].id));
        enum group group = right ? group_of(left, right) : SAME;
        if (group != SAME)
            add(comparison, group, left, right);
        else if (right)
            comparison->same++;
    }
    for (int i = 0; i < a->count; i++) {
        const struct outcome *left = reached(&a->outcomes[i]);
        if (left && !reached(find(b, left->id)))
            add(comparison, ONLY_A, left, NULL);
    }
}

/* ---- what was run ---- */

/* Which members of run.json say what was run: differences in them explain others. */
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

static json_t *member_of(const struct side *side, size_t i)
{
    json_t *value = json_object_get(side->run, members[i][0]);
    return members[i][1] ? json_object_get(value, members[i][1]) : value;
}

static json_t *differs_json(const struct side *a, const struct side *b)
{
    json_t *differs = json_object();
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        json_t *left = member_of(a, i), *right = member_of(b, i);
        char name[64];
        snprintf(name, sizeof name, "%s%s%s", members[i][0], members[i][1] ? "." : "",
                 members[i][1] ? members[i][1] : "");
        if (!json_equal(left, right))
            json_object_set_new(differs, name, json_pack("[O?, O?]", left, right));
    }
    return differs;
}

static json_t *side_json(const struct side *side)
{
    json_t *value = json_object();
    int count = 0;
    for (int i = 0; i < side->count; i++)
        count += side->outcomes[i].reached;
    json_object_set_new(value, "directory", wcts_json_path(side->directory));
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++)
        if (!json_object_get(value, members[i][0]))
            json_object_set(value, members[i][0], json_object_get(side->run, members[i][0]));
    json_object_set_new(value, "ended", json_boolean(has_ended(side)));
    json_object_set_new(value, "cases", json_integer(side->count));
    json_object_set_new(value, "reached", json_integer(count));
    return value;
}

json_t *wcts_diff_runs(const char *a, const char *b, struct wcts_diagnostics *diagnostics)
{
    struct side left, right;
    struct comparison comparison = {.statements = json_object()};
    json_t *difference = NULL, *groups = json_object();
    bool good = side_init(&left, a, diagnostics);

    good = side_init(&right, b, diagnostics) && good;
    for (int i = 0; i < GROUP_COUNT; i++) {
        comparison.groups[i] = json_array();
        json_object_set_new(groups, group_names[i], comparison.groups[i]);
    }
    if (good) {
        compare(&comparison, &left, &right);
        difference = json_pack("{s:s, s:o, s:o, s:o, s:O, s:O, s:i, s:i}", "kind", "runs", "a",
                               side_json(&left), "b", side_json(&right), "differs",
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
