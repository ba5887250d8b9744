/* SPDX-License-Identifier: MIT */
/* Tests as their users see them: what the plan keeps, and their ids. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "planner.h"

/* ---- Ids ---- */

/* An id while it is written; what has no room is left out, which the planner reports. */
struct plan_id_text {
    char *at, *end;
};

static void put_id_text(struct plan_id_text *id, const char *text)
{
    size_t length = strlen(text), room = (size_t)(id->end - id->at);
    if (length > room)
        length = room;
    memcpy(id->at, text, length);
    id->at += length;
}

static void put_decimal(struct plan_id_text *id, uint64_t number)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, number);
    put_id_text(id, text);
}

static void put_hexadecimal(struct plan_id_text *id, uint64_t number)
{
    char text[32];
    snprintf(text, sizeof text, "0x%" PRIx64, number);
    put_id_text(id, text);
}

/* What the rules say of the call, not what an implementation should do, so that an id outlives a
 * change of outcome. */
const char *wcts_plan_polarity(const struct wcts_series *series)
{
    if (series->expect == WCTS_EXPECT_ANSWER)
        return "answer";
    if (series->kind == WCTS_KIND_EFFECT)
        return "effect";
    if (series->kind == WCTS_KIND_COMBINATION)
        return "combination";
    if (series->strict == WCTS_EXPECT_REFUSE || series->expect == WCTS_EXPECT_REFUSE ||
        series->expect == WCTS_EXPECT_ASSERT)
        return "refuse";
    return series->expect == WCTS_EXPECT_ACCEPT ? "accept" : "either";
}

static void put_values(struct plan_id_text *id, const struct wcts_spec *spec,
                       const struct wcts_case *test)
{
    for (int i = 0; i < test->scenario->loop_count; i++) {
        const struct wcts_loop *loop = &test->scenario->loops[i];
        const struct wcts_value *value = &loop->values[test->values[i]];
        put_id_text(id, ",");
        put_id_text(id, spec->cases->symbols[loop->symbol].name);
        put_id_text(id, "-");
        if (value->symbol >= 0)
            put_id_text(id, spec->cases->symbols[value->symbol].name);
        else
            put_hexadecimal(id, value->number);
    }
}

/* What the id begins with, before the first slash: the rule, or what the documents' sequences have
 * in common, which no rule owns. */
static const char *head_of_id(const struct wcts_plan *plan, const struct wcts_series *series)
{
    const struct wcts_spec *spec = plan->spec;
    const struct wcts_rule *rule = &spec->rules[series->rule];
    return wcts_model_is_drawn(series->kind)
               ? spec->documents[spec->statements[rule->statement].document].prefix
               : rule->id;
}

bool wcts_plan_is_of(const struct wcts_plan *plan, int index, const char *id, size_t length)
{
    const char *head = head_of_id(plan, wcts_plan_series(plan, index));
    return strlen(head) == length && strncmp(head, id, length) == 0;
}

static void put_id(const struct wcts_plan *plan, const struct wcts_series *series,
                   struct wcts_case *test)
{
    const struct wcts_spec *spec = plan->spec;
    struct plan_id_text id = {test->id, test->id + sizeof test->id - 1};
    bool tour = test->kind == WCTS_KIND_TOUR;
    bool sequence = wcts_model_is_drawn(test->kind);
    put_id_text(&id, head_of_id(plan, series));
    put_id_text(&id, "/");
    if (series->swept)
        put_id_text(&id, "sweep-");
    put_id_text(&id, tour             ? "walk"
                     : sequence       ? "sequence"
                     : test->scenario ? "scenario"
                                      : wcts_plan_polarity(series));
    put_id_text(&id, "/");
    put_id_text(&id, spec->versions[test->version].id);
    if (sequence) {
        put_id_text(&id, "/");
        put_decimal(&id, test->seed);
        put_id_text(&id, "-");
        put_decimal(&id, test->walk);
    }
    if (series->name)
        put_id_text(&id, series->name);
    if (test->scenario)
        put_values(&id, spec, test);
    *id.at = '\0';
}

/* ---- Tests ---- */

static int facts_to_case(struct wcts_fact *to, const struct wcts_facts *from, int none)
{
    if (!from)
        return none;
    memcpy(to, from->facts, (size_t)from->count * sizeof *to);
    return from->count;
}

/* Which value of each loop has the number. */
static void read_values(const struct wcts_scenario *scenario, uint32_t number, int *values)
{
    for (int i = WCTS_LOOPS_MAX - 1; i >= 0; i--) {
        uint32_t count = i < scenario->loop_count ? (uint32_t)scenario->loops[i].value_count : 1;
        values[i] = (int)(number % count);
        number /= count;
    }
}

const struct wcts_case *wcts_plan_case(const struct wcts_plan *plan, int index,
                                       struct wcts_case *test)
{
    const struct wcts_test *kept = &plan->tests[index];
    const struct wcts_series *series = &plan->series[kept->series];
    const struct wcts_spec *spec = plan->spec;
    test->index = index;
    test->rule = series->rule;
    test->statement = spec->rules[series->rule].statement;
    test->kind = series->kind;
    test->expect = series->expect;
    test->strict = series->strict;
    test->gap = series->gap;
    test->version = kept->version;
    test->page_size = series->page_size;
    test->base = series->base;
    test->state = series->state;
    test->driver = series->driver;
    test->instance = series->instance;
    test->needs = series->needs;
    test->twin_gap = series->twin_gap;
    test->fact_count = facts_to_case(test->facts, series->facts, 0);
    test->twin_count = facts_to_case(test->twin, series->twin, -1);
    test->swept = series->swept;
    test->limit = series->kind == WCTS_KIND_SWEEP ? kept->number : 0;
    test->alone = series->alone;
    test->seed = wcts_model_is_drawn(series->kind) ? plan->seed : 0;
    test->walk = wcts_model_is_drawn(series->kind) ? kept->number : 0;
    test->scenario = series->scenario >= 0 ? &spec->cases->scenarios[series->scenario] : NULL;
    test->moves = series->kind == WCTS_KIND_TOUR ? test->scenario : NULL;
    test->scenario = test->moves ? NULL : test->scenario;
    memset(test->values, 0, sizeof test->values);
    if (test->scenario)
        read_values(test->scenario, kept->number, test->values);
    put_id(plan, series, test);
    return test;
}

struct wcts_case *wcts_plan_cases(const struct wcts_plan *plan)
{
    struct wcts_case *cases = calloc((size_t)plan->count + 1, sizeof *cases);
    for (int i = 0; cases && i < plan->count; i++)
        wcts_plan_case(plan, i, &cases[i]);
    return cases;
}

int wcts_plan_find(const struct wcts_plan *plan, const char *id)
{
    struct wcts_case test;
    const char *head = NULL;
    bool may_be = false; /* True if the id may be one with this head */
    for (int i = 0; i < plan->count; i++) {
        const char *own = head_of_id(plan, wcts_plan_series(plan, i));
        if (own != head) {
            size_t length = strlen(own);
            head = own;
            may_be = strncmp(id, head, length) == 0 && id[length] == '/';
        }
        if (!may_be)
            continue;
        wcts_plan_case(plan, i, &test);
        if (strcmp(test.id, id) == 0)
            return i;
    }
    return -1;
}

uint32_t *wcts_plan_sides(const struct wcts_plan *plan)
{
    uint32_t *sides = calloc((size_t)plan->spec->rules_count + 1, sizeof *sides);
    for (int i = 0; sides && i < plan->count; i++) {
        const struct wcts_series *series = wcts_plan_series(plan, i);
        sides[series->rule] |= series->driver ? WCTS_SIDE_DRIVER : WCTS_SIDE_KERNEL;
    }
    return sides;
}
