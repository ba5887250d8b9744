/* SPDX-License-Identifier: MIT */
/* What is added to the plan: facts that are kept once, series, and tests. */
#include <stdlib.h>
#include <string.h>

#include "../base/array.h"
#include "../base/text.h"
#include "../model/facts.h"
#include "planner.h"

/* ---- Facts ---- */

static bool are_facts_of(const struct wcts_facts *facts, const struct wcts_plan_change *change)
{
    return wcts_model_same_facts(facts->facts, facts->count, change->facts, change->count);
}

/* Where the facts are, or are to be; there is always a free place. */
static const struct wcts_facts **facts_place(const struct wcts_plan_facts_table *table,
                                             const struct wcts_plan_change *change)
{
    size_t at = wcts_plan_change_hash(change);
    while (table->entries[at & (table->size - 1)] &&
           !are_facts_of(table->entries[at & (table->size - 1)], change))
        at++;
    return &table->entries[at & (table->size - 1)];
}

static bool grow_facts_table(struct wcts_plan_facts_table *table)
{
    struct wcts_plan_facts_table grown = {.size = table->size ? table->size * 2 : 256,
                                          .count = table->count};
    grown.entries = calloc(grown.size, sizeof *grown.entries);
    for (size_t i = 0; grown.entries && i < table->size; i++)
        if (table->entries[i]) {
            struct wcts_plan_change change = {.count = table->entries[i]->count};
            memcpy(change.facts, table->entries[i]->facts,
                   (size_t)change.count * sizeof *change.facts);
            *facts_place(&grown, &change) = table->entries[i];
        }
    if (!grown.entries)
        return false;
    free(table->entries);
    *table = grown;
    return true;
}

static const struct wcts_facts *copy_facts(struct wcts_arena *arena,
                                           const struct wcts_plan_change *change)
{
    struct wcts_facts *copy =
        wcts_arena_alloc(arena, sizeof *copy + (size_t)change->count * sizeof *copy->facts);
    copy->count = change->count;
    memcpy(copy->facts, change->facts, (size_t)change->count * sizeof *copy->facts);
    return copy;
}

const struct wcts_facts *wcts_plan_keep_facts(struct wcts_planner *planner,
                                              const struct wcts_plan_change *change)
{
    struct wcts_plan_facts_table *table = &planner->facts;
    const struct wcts_facts **place;
    if (table->count * 2 >= table->size && !grow_facts_table(table))
        return NULL;
    place = facts_place(table, change);
    if (!*place) {
        *place = copy_facts(planner->plan->arena, change);
        table->count++;
    }
    return *place;
}

/* ---- Series and tests ---- */

static bool same_series(const struct wcts_series *a, const struct wcts_series *b)
{
    return a->rule == b->rule && a->base == b->base && a->state == b->state &&
           a->scenario == b->scenario && a->instance == b->instance &&
           a->page_size == b->page_size && a->needs == b->needs && a->kind == b->kind &&
           a->expect == b->expect && a->strict == b->strict && a->driver == b->driver &&
           a->gap == b->gap && a->twin_gap == b->twin_gap && a->facts == b->facts &&
           a->twin == b->twin && a->name == b->name && a->swept == b->swept && a->alone == b->alone;
}

/* The longest that the ids of the series may be; polarity and version count as 64. */
static size_t id_length(const struct wcts_spec *spec, const struct wcts_series *series)
{
    size_t length = strlen(spec->rules[series->rule].id) + strlen(series->name) + 64;
    const struct wcts_scenario *scenario =
        series->scenario >= 0 ? &spec->cases->scenarios[series->scenario] : NULL;
    for (int i = 0; scenario && i < scenario->loop_count; i++) {
        size_t longest = strlen("0xffffffffffffffff");
        for (int j = 0; j < scenario->loops[i].value_count; j++) {
            int symbol = scenario->loops[i].values[j].symbol;
            size_t own = symbol < 0 ? 0 : strlen(spec->cases->symbols[symbol].name);
            longest = own > longest ? own : longest;
        }
        length += strlen(spec->cases->symbols[scenario->loops[i].symbol].name) + 2 + longest;
    }
    return length;
}

int wcts_plan_keep_series(struct wcts_planner *planner, const struct wcts_series *series)
{
    struct wcts_plan *plan = planner->plan;
    struct wcts_series *added;
    size_t length = id_length(planner->spec, series);
    if (plan->series_count > 0 && same_series(&plan->series[plan->series_count - 1], series))
        return plan->series_count - 1;
    if (length > WCTS_ID_ROOM) {
        wcts_error_at(planner->diagnostics, &planner->spec->rules[series->rule].place,
                      "ids of %zu letters for cases of rule %s, expected at most %d", length,
                      planner->spec->rules[series->rule].id, WCTS_ID_ROOM);
        return -1;
    }
    added = WCTS_ARRAY_ADD(plan->series, plan->series_count);
    if (!added)
        return -1;
    *added = *series;
    return plan->series_count - 1;
}

void wcts_plan_keep_test(struct wcts_planner *planner, struct wcts_test test)
{
    struct wcts_test *added = WCTS_ARRAY_ADD(planner->plan->tests, planner->plan->count);
    if (added)
        *added = test;
}

/* ---- Names: what tests of a rule at all versions have in common in their ids ---- */

/* The tests with one polarity and name: by version, 1 + the index of the test, 0: none. */
struct wcts_named {
    const char *name;
    int *tests;
};

void wcts_plan_names_release(struct wcts_planner *planner)
{
    for (int i = 0; i < planner->named_count; i++)
        free(planner->named[i].tests);
    free(planner->named);
    planner->named = NULL;
    planner->named_count = 0;
    wcts_map_release(&planner->names);
}

/* NULL without memory. */
static struct wcts_named *name_of(struct wcts_planner *planner, const struct wcts_series *series,
                                  const char *name)
{
    struct wcts_named *named = NULL;
    const char *polarity = wcts_plan_polarity(series);
    WCTS_TEXT(key);
    wcts_text_add_bytes(&key, polarity, strlen(polarity));
    wcts_text_add_bytes(&key, name, strlen(name));
    int index = key.failed ? -1 : wcts_map_get(&planner->names, wcts_text_get(&key), -1);
    if (index >= 0)
        return &planner->named[index];
    if (!key.failed)
        named = WCTS_ARRAY_ADD(planner->named, planner->named_count);
    if (!named)
        return NULL;
    const char *kept =
        wcts_arena_string(planner->plan->arena, wcts_text_get(&key), strlen(wcts_text_get(&key)));
    named->name = kept + strlen(polarity);
    named->tests = calloc((size_t)planner->spec->versions_count + 1, sizeof *named->tests);
    return named->tests && wcts_map_add(&planner->names, kept, planner->named_count - 1) ? named
                                                                                         : NULL;
}

/* True if both have the same facts, in any order. */
static bool same_fact_set(const struct wcts_series *a, const struct wcts_series *b)
{
    int count = a->facts ? a->facts->count : 0;
    if (a->base != b->base || a->state != b->state || count != (b->facts ? b->facts->count : 0))
        return false;
    for (int i = 0; i < count; i++) {
        bool found = false;
        for (int j = 0; j < count; j++)
            found = found || wcts_model_same_fact(&a->facts->facts[i], &b->facts->facts[j]);
        if (!found)
            return false;
    }
    return true;
}

static void report_same_id(struct wcts_planner *planner, int index)
{
    struct wcts_case other;
    wcts_plan_case(planner->plan, index, &other);
    wcts_error_at(planner->diagnostics, &planner->spec->rules[other.rule].place,
                  "two cases with the id \"%s\", expected different facts to have "
                  "different names",
                  other.id);
}

void wcts_plan_keep(struct wcts_planner *planner, const struct wcts_series *series,
                    const char *name, const struct wcts_plan_span *span)
{
    struct wcts_named *named = name_of(planner, series, name);
    struct wcts_series own = *series;
    int since = planner->spec->rules[series->rule].since;
    if (!named)
        return;
    own.name = named->name;
    for (int version = span->from; version < span->until; version++) {
        int same = named->tests[version] - 1, kept;
        if (same >= 0) {
            if (!same_fact_set(wcts_plan_series(planner->plan, same), series))
                report_same_id(planner, same);
            continue;
        }
        kept = wcts_plan_keep_series(planner, &own);
        if (kept < 0)
            return;
        wcts_plan_keep_test(planner,
                            (struct wcts_test){.series = kept,
                                               .version = (uint16_t)version,
                                               .edge = (span->begins && version == span->from) ||
                                                       (span->ends && version == span->until - 1) ||
                                                       version == since});
        named->tests[version] = planner->plan->count;
    }
}
