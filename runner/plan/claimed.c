/* SPDX-License-Identifier: MIT */
#include "claimed.h"

#include <stdlib.h>
#include <string.h>

#include "../base/array.h"
#include "../base/map.h"
#include "../base/text.h"
#include "../model/facts.h"
#include "mustpass.h"
#include "planner.h"
#include "tour.h"

/* As many as there can be (wcts_plan_version_bit). */
#define VERSIONS_MAX 64

/* What is known of a call at a version, in whatever state. */
struct plan_claimed_outcome {
    bool known, is_test;
    struct wcts_series series; /* of is_test */
};

/* The calls that tests are moved with; it ends with wcts_plan_claim(). */
struct plan_claiming {
    struct wcts_plan *plan;
    struct wcts_planner planner; /* what wcts_plan_is_evidence() reads of one */
    struct wcts_eval eval;
    uint64_t versions;
    struct wcts_map ids;      /* of the tests of one rule, but for those that are yet to be moved */
    struct wcts_arena *names; /* of ids */
    const struct wcts_series *asked; /* of which outcomes are known */
    struct wcts_series copy;         /* that is it */
    struct plan_claimed_outcome outcomes[VERSIONS_MAX];
};

/* ---- Which tests have one version ---- */

static bool rule_reads_page(const struct wcts_spec *spec, int rule)
{
    const struct wcts_lang_rule *breach = &spec->rules[rule].breach;
    return wcts_lang_has(spec->exprs, breach->refuse, WCTS_OP_PAGE) ||
           wcts_lang_has(spec->exprs, breach->unless, WCTS_OP_PAGE);
}

/* True for a call in a state, at larger pages where the rule does not depend on them, and a row. */
static bool is_call_at_one(const struct wcts_spec *spec, const struct wcts_series *series)
{
    switch (series->kind) {
    case WCTS_KIND_WITNESS:
    case WCTS_KIND_BOUNDARY:
    case WCTS_KIND_LAYOUT:
    case WCTS_KIND_EFFECT:
        return series->base >= 0 && !series->driver &&
               (series->state ||
                (series->page_size != 4096 && !rule_reads_page(spec, series->rule)));
    case WCTS_KIND_COMBINATION:
        return true;
    default:
        return false;
    }
}

bool wcts_plan_may_move(const struct wcts_plan *plan, int index)
{
    const struct wcts_series *series = wcts_plan_series(plan, index);
    return wcts_model_is_drawn(series->kind) || series->kind == WCTS_KIND_SCENARIO ||
           is_call_at_one(plan->spec, series);
}

/* ---- The call at another version ---- */

static bool call_exists_at(const struct wcts_spec *spec, const struct wcts_series *series,
                           int version)
{
    const struct wcts_rule *rule = &spec->rules[series->rule];
    const struct wcts_base *base = &spec->cases->bases[series->base];
    const struct wcts_base_state *state =
        series->state ? &spec->cases->states[series->state - 1] : NULL;
    return version >= base->since && version < base->until &&
           (!state || (version >= state->since && version < state->until)) &&
           (series->kind != WCTS_KIND_EFFECT ||
            (wcts_oracle_rule_binds(spec, rule, version) && version < rule->until));
}

/* What the rules say of the facts; *gap: why no document requires it. False without memory. */
static bool predict_at(const struct plan_claiming *claiming, const struct wcts_series *series,
                       const struct wcts_facts *facts, int version,
                       struct wcts_oracle_prediction *prediction, const struct wcts_gap **gap)
{
    struct wcts_case test = {.base = series->base,
                             .version = version,
                             .page_size = series->page_size,
                             .alone = series->alone};
    struct wcts_world world = {0};
    bool made = wcts_oracle_case_world(&world, &claiming->eval, &test, facts ? facts->facts : NULL,
                                       facts ? facts->count : 0);
    if (made) {
        wcts_world_judge(&world, prediction);
        *gap = wcts_world_gap(&world);
    }
    wcts_world_release(&world);
    return made;
}

/* A row is what it was drawn for, or no test: what breaks nothing, or the rule alone. */
static bool row_at(const struct plan_claiming *claiming, int version, struct wcts_series *series)
{
    struct wcts_oracle_prediction prediction;
    const struct wcts_gap *gap;
    if (!predict_at(claiming, series, series->facts, version, &prediction, &gap) || gap)
        return false;
    if (!series->twin)
        return prediction.broken_count == 0 && prediction.expect == WCTS_EXPECT_ACCEPT;
    return wcts_oracle_is_refusal(prediction.expect) &&
           wcts_plan_breaks_alone(&claiming->planner, series->rule, &prediction) &&
           predict_at(claiming, series, series->twin, version, &prediction, &gap) && !gap &&
           prediction.broken_count == 0 && prediction.expect == WCTS_EXPECT_ACCEPT;
}

/* As it would have been planned at the version (emit.c); false if it is no test there. */
static bool call_at(const struct plan_claiming *claiming, int version, struct wcts_series *series)
{
    struct wcts_oracle_prediction prediction;
    const struct wcts_facts *twin = series->twin;
    if (!predict_at(claiming, series, series->facts, version, &prediction, &series->gap) ||
        !wcts_plan_is_evidence(&claiming->planner, series->rule, &prediction))
        return false;
    series->expect = prediction.expect;
    series->strict = prediction.strict;
    series->twin = NULL;
    series->twin_gap = NULL;
    if (twin && predict_at(claiming, series, twin, version, &prediction, &series->twin_gap) &&
        prediction.expect == WCTS_EXPECT_ACCEPT)
        series->twin = twin;
    else
        series->twin_gap = NULL;
    return series->kind == WCTS_KIND_EFFECT || series->twin ||
           !(wcts_oracle_is_refusal(series->expect) || wcts_oracle_is_refusal(series->strict));
}

static bool same_facts(const struct wcts_facts *a, const struct wcts_facts *b)
{
    if (!a || !b)
        return a == b;
    return wcts_model_same_facts(a->facts, a->count, b->facts, b->count);
}

/* True if both make the same call, in whatever state. */
static bool same_call(const struct wcts_series *a, const struct wcts_series *b)
{
    return a->rule == b->rule && a->kind == b->kind && a->base == b->base &&
           a->page_size == b->page_size && a->instance == b->instance && a->alone == b->alone &&
           a->needs == b->needs && same_facts(a->facts, b->facts) && same_facts(a->twin, b->twin);
}

/* What the rules say of the call at the version, once for all states. */
static const struct plan_claimed_outcome *ask_at(struct plan_claiming *claiming,
                                                 const struct wcts_series *from, int version)
{
    struct plan_claimed_outcome *outcome = &claiming->outcomes[version];
    if (!claiming->asked || !same_call(claiming->asked, from)) {
        memset(claiming->outcomes, 0, sizeof claiming->outcomes);
        claiming->copy = *from;
        claiming->asked = &claiming->copy;
    }
    if (!outcome->known) {
        claiming->planner.rule = from->rule;
        claiming->planner.with_masks = claiming->plan->spec->rules[from->rule].masked_by != NULL;
        outcome->series = *from;
        outcome->is_test = from->kind == WCTS_KIND_COMBINATION
                               ? row_at(claiming, version, &outcome->series)
                               : call_at(claiming, version, &outcome->series);
        outcome->known = true;
    }
    return outcome;
}

/* What an id of a rule has behind it. */
static void put_end_of_id(struct wcts_text *id, const char *polarity, int version, const char *name)
{
    wcts_text_add(id, "%s/%d%s", polarity, version, name);
}

/* The series of the test that makes the call at the version in no state, which decides what one in
 * a state is: no state changes what is expected. NULL: there is none. */
static const struct wcts_series *plain_at(const struct plan_claiming *claiming,
                                          const struct wcts_series *from, int version)
{
    static const char *const polarities[] = {"accept", "refuse", "either", "effect"};
    const struct wcts_plan *plan = claiming->plan;
    const char *name = from->name + 1 + strlen(plan->spec->cases->states[from->state - 1].name);
    for (size_t i = 0; i < sizeof polarities / sizeof *polarities; i++) {
        WCTS_TEXT(id);
        put_end_of_id(&id, polarities[i], version, name);
        int index = id.failed ? -1 : wcts_map_get(&claiming->ids, wcts_text_get(&id), -1);
        if (index >= 0)
            return wcts_plan_series(plan, index);
    }
    return NULL;
}

/* The series of the test at the version; false if it is no test there. */
static bool series_when_at(struct plan_claiming *claiming, const struct wcts_series *from,
                           int version, struct wcts_series *at)
{
    const struct plan_claimed_outcome *outcome;
    const struct wcts_series *plain;
    if (!call_exists_at(claiming->plan->spec, from, version))
        return false;
    if (from->state && from->kind != WCTS_KIND_COMBINATION) {
        plain = plain_at(claiming, from, version);
        if (!plain)
            return false;
        *at = *plain;
        at->state = from->state;
        at->name = from->name;
        return true;
    }
    outcome = ask_at(claiming, from, version);
    *at = outcome->series;
    at->state = from->state;
    at->name = from->name;
    at->strength = from->strength;
    return outcome->is_test;
}

static bool same_outcome(const struct wcts_series *a, const struct wcts_series *b)
{
    return a->kind == b->kind && a->expect == b->expect && a->strict == b->strict &&
           a->gap == b->gap && a->twin_gap == b->twin_gap && a->facts == b->facts &&
           a->twin == b->twin;
}

/* The test has this series and version from now on. False without memory. */
static bool put_test(struct wcts_plan *plan, struct wcts_test *test,
                     const struct wcts_series *series, int version)
{
    test->version = (uint16_t)version;
    if (same_outcome(&plan->series[test->series], series))
        return true;
    struct wcts_series *added = WCTS_ARRAY_ADD(plan->series, plan->series_count);
    if (!added)
        return false;
    *added = *series;
    test->series = plan->series_count - 1;
    return true;
}

/* ---- Choosing ---- */

/* The versions, the one that is drawn highest for the test first; returns how many. */
static int rank_versions(const struct plan_claiming *claiming, const struct wcts_test *test,
                         int ranked[VERSIONS_MAX])
{
    const struct wcts_plan *plan = claiming->plan;
    const struct wcts_series *series = &plan->series[test->series];
    /* A scenario is performed once for all rules that expect it, in a plan of a part of them, too.
     */
    const bool of_scenario = series->kind == WCTS_KIND_SCENARIO;
    uint64_t drawn[VERSIONS_MAX];
    int count = 0;
    for (int v = 0; v < plan->spec->versions_count && v < VERSIONS_MAX; v++) {
        int at = count;
        uint64_t own;
        if (!(claiming->versions & wcts_plan_version_bit(v)))
            continue;
        own = of_scenario ? wcts_plan_draw_named(series->name, v) : wcts_plan_draw(plan, test, v);
        for (; at > 0 && drawn[at - 1] < own; at--) {
            drawn[at] = drawn[at - 1];
            ranked[at] = ranked[at - 1];
        }
        drawn[at] = own;
        ranked[at] = v;
        count++;
    }
    return count;
}

/* False if a test has the id already, which is not asked for, or without memory. */
static bool take_id(struct plan_claiming *claiming, const struct wcts_series *series, int version,
                    int index)
{
    WCTS_TEXT(id);
    put_end_of_id(&id, wcts_plan_polarity(series), version, series->name);
    return !id.failed && wcts_map_get(&claiming->ids, wcts_text_get(&id), -1) < 0 &&
           wcts_map_add(&claiming->ids,
                        wcts_arena_string(claiming->names, wcts_text_get(&id), id.length), index);
}

static bool is_claimed(const struct plan_claiming *claiming, const struct wcts_test *test)
{
    return (claiming->versions & wcts_plan_version_bit(test->version)) != 0;
}

/* Moves a call, or leaves it where it is: at a version that is not claimed. False without memory.
 */
static bool move_call(struct plan_claiming *claiming, int index)
{
    struct wcts_plan *plan = claiming->plan;
    struct wcts_test *test = &plan->tests[index];
    const struct wcts_series from = plan->series[test->series];
    struct wcts_series at;
    int ranked[VERSIONS_MAX], count = rank_versions(claiming, test, ranked);
    for (int i = 0; i < count; i++)
        if (series_when_at(claiming, &from, ranked[i], &at) &&
            take_id(claiming, &at, ranked[i], index))
            return put_test(plan, test, &at, ranked[i]);
    return true;
}

/* True for a call that is to be moved. */
static bool is_to_move(const struct plan_claiming *claiming, int index)
{
    return is_call_at_one(claiming->plan->spec, wcts_plan_series(claiming->plan, index)) &&
           !is_claimed(claiming, &claiming->plan->tests[index]);
}

/* Has the ids of those tests from first up to end, which are of one rule, that stay. */
static void take_ids(struct plan_claiming *claiming, int first, int end)
{
    for (int i = first; i < end; i++)
        if (!is_to_move(claiming, i) && wcts_plan_series(claiming->plan, i)->name)
            take_id(claiming, wcts_plan_series(claiming->plan, i), claiming->plan->tests[i].version,
                    i);
}

static void forget_ids(struct plan_claiming *claiming)
{
    wcts_map_release(&claiming->ids);
    wcts_arena_free(claiming->names);
    claiming->names = wcts_arena_new();
}

static bool move_calls(struct plan_claiming *claiming, int first, int end)
{
    bool good = true;
    int count = 0;
    for (int i = first; i < end; i++)
        count += is_to_move(claiming, i);
    if (count == 0)
        return true;
    take_ids(claiming, first, end);
    for (int i = first; good && i < end; i++)
        good = !is_to_move(claiming, i) || move_call(claiming, i);
    forget_ids(claiming);
    return good;
}

/* A sequence is drawn from its seed, number and version, and no two have one number. */
static void move_sequence(const struct plan_claiming *claiming, struct wcts_test *test)
{
    const struct wcts_plan *plan = claiming->plan;
    const struct wcts_base *base = &plan->spec->cases->bases[plan->series[test->series].base];
    int ranked[VERSIONS_MAX], count = rank_versions(claiming, test, ranked);
    for (int i = 0; i < count; i++)
        if (ranked[i] >= base->since && ranked[i] < base->until) {
            test->version = (uint16_t)ranked[i];
            return;
        }
}

/* So is a walk, of which each version has its own numbers: the next ones. */
static bool move_walks(const struct plan_claiming *claiming)
{
    int versions[VERSIONS_MAX], count = 0;
    for (int v = 0; v < claiming->plan->spec->versions_count && v < VERSIONS_MAX; v++)
        if (claiming->versions & wcts_plan_version_bit(v))
            versions[count++] = v;
    return wcts_plan_move_tours(claiming->plan, versions, count);
}

/* ---- Scenarios ---- */

/* The versions at which scenarios are, by series; the caller frees it. NULL without memory. */
static uint64_t *versions_of_scenarios(const struct wcts_plan *plan)
{
    uint64_t *versions = calloc((size_t)plan->series_count + 1, sizeof *versions);
    for (int i = 0; versions && i < plan->count; i++)
        if (wcts_plan_series(plan, i)->kind == WCTS_KIND_SCENARIO)
            versions[plan->tests[i].series] |= wcts_plan_version_bit(plan->tests[i].version);
    return versions;
}

/* True if a scenario that is at these versions, for what it costs, is one at the version, too: at
 * one between them, and behind them if it says so. */
static bool is_elsewhere(const struct wcts_spec *spec, const struct wcts_series *series,
                         uint64_t versions, int version)
{
    const struct wcts_rule *rule = &spec->rules[series->rule];
    const uint64_t before = wcts_plan_version_bit(version) - 1;
    return (versions & before) && version >= rule->since && version < rule->until &&
           (versions & ~before || spec->cases->scenarios[series->scenario].or_later) &&
           !(versions & wcts_plan_version_bit(version));
}

/* The version nearest to one that is none of these: the next one, at which the same rules bind and
 * more, or the last. */
static int nearest(uint64_t versions, int version)
{
    int at = version + 1;
    while (at < VERSIONS_MAX && !(versions & wcts_plan_version_bit(at)))
        at++;
    while (at == VERSIONS_MAX || !(versions & wcts_plan_version_bit(at)))
        at = at == VERSIONS_MAX ? version - 1 : at - 1;
    return at;
}

/* The versions of the scenario itself: each of the rules that expect it may have fewer, and not all
 * of them need be planned. */
static uint64_t versions_of_scenario(const struct wcts_spec *spec, int scenario)
{
    uint64_t versions = 0;
    for (int v = 0; v < spec->versions_count; v++)
        if (wcts_plan_scenario_is_at(&spec->cases->scenarios[scenario], v))
            versions |= wcts_plan_version_bit(v);
    return versions;
}

/* Moves those of the tests from first up to end, which are one scenario's at one page size, that
 * are at the version nearest to one that is claimed, unless it is at one that is claimed. */
static void move_scenario(const struct plan_claiming *claiming, const uint64_t *planned, int first,
                          int end)
{
    const struct wcts_plan *plan = claiming->plan;
    const int scenario = wcts_plan_series(plan, first)->scenario;
    const bool or_later = plan->spec->cases->scenarios[scenario].or_later;
    const uint64_t all = versions_of_scenario(plan->spec, scenario);
    int ranked[VERSIONS_MAX], target = -1;
    int count = all & claiming->versions ? 0 : rank_versions(claiming, &plan->tests[first], ranked);
    for (int i = 0; i < count && target < 0; i++)
        if ((all & (wcts_plan_version_bit(ranked[i]) - 1)) && (or_later || all >> ranked[i]))
            target = ranked[i];
    for (int i = first; target >= 0 && i < end; i++) {
        struct wcts_test *test = &plan->tests[i];
        const struct wcts_series *series = &plan->series[test->series];
        if (is_elsewhere(plan->spec, series, planned[test->series], target) &&
            test->version == nearest(planned[test->series], target))
            test->version = (uint16_t)target;
    }
}

static bool same_scenario(const struct wcts_series *a, const struct wcts_series *b)
{
    return a->kind == b->kind && a->scenario == b->scenario && a->page_size == b->page_size;
}

static bool move_scenarios(const struct plan_claiming *claiming)
{
    const struct wcts_plan *plan = claiming->plan;
    uint64_t *planned = versions_of_scenarios(plan);
    for (int i = 0, end; planned && i < plan->count; i = end) {
        const struct wcts_series *series = wcts_plan_series(plan, i);
        for (end = i + 1; end < plan->count && same_scenario(wcts_plan_series(plan, end), series);)
            end++;
        if (series->kind == WCTS_KIND_SCENARIO)
            move_scenario(claiming, planned, i, end);
    }
    free(planned);
    return planned != NULL;
}

static bool move_all(struct plan_claiming *claiming)
{
    struct wcts_plan *plan = claiming->plan;
    bool good = true;
    for (int i = 0, end; good && i < plan->count; i = end) {
        const int rule = wcts_plan_series(plan, i)->rule;
        for (end = i + 1; end < plan->count && wcts_plan_series(plan, end)->rule == rule;)
            end++;
        good = move_calls(claiming, i, end);
    }
    for (int i = 0; i < plan->count; i++)
        if (wcts_plan_series(plan, i)->kind == WCTS_KIND_SEQUENCE &&
            !is_claimed(claiming, &plan->tests[i]))
            move_sequence(claiming, &plan->tests[i]);
    return good && move_scenarios(claiming) && move_walks(claiming);
}

/* ---- The commands ---- */

static bool claiming_init(struct plan_claiming *claiming, struct wcts_plan *plan, uint64_t versions)
{
    *claiming = (struct plan_claiming){.plan = plan, .versions = versions};
    claiming->planner.spec = plan->spec;
    claiming->names = wcts_arena_new();
    return wcts_oracle_eval_init(&claiming->eval, plan->spec);
}

static void claiming_release(struct plan_claiming *claiming)
{
    wcts_oracle_eval_release(&claiming->eval);
    wcts_map_release(&claiming->ids);
    wcts_arena_free(claiming->names);
}

static uint64_t all_versions(const struct wcts_spec *spec)
{
    uint64_t all = 0;
    for (int i = 0; i < spec->versions_count; i++)
        all |= wcts_plan_version_bit(i);
    return all;
}

/* Has all tests as planned, and no series but theirs. False without memory. */
static bool begin_moving(struct wcts_plan *plan)
{
    if (plan->planned) {
        plan->count = plan->planned_count;
        plan->series_count = plan->planned_series;
        WCTS_ARRAY_COPY(plan->tests, plan->planned, plan->planned_count);
        return true;
    }
    plan->planned = calloc((size_t)plan->count + 1, sizeof *plan->planned);
    if (!plan->planned)
        return false;
    plan->planned_count = plan->count;
    plan->planned_series = plan->series_count;
    WCTS_ARRAY_COPY(plan->planned, plan->tests, plan->count);
    return true;
}

bool wcts_plan_claim(struct wcts_plan *plan, uint64_t versions)
{
    const uint64_t all = all_versions(plan->spec);
    struct plan_claiming *claiming;
    bool good;
    versions &= all;
    if (!plan->planned && (versions == 0 || versions == all))
        return true;
    if (!begin_moving(plan))
        return false;
    if (versions == 0 || versions == all)
        return true;
    claiming = malloc(sizeof *claiming);
    good = claiming && claiming_init(claiming, plan, versions) && move_all(claiming);
    if (claiming)
        claiming_release(claiming);
    free(claiming);
    return good;
}

/* ---- An id that names another version ---- */

/* The parts of an id, RULE/polarity/version/rest; the rest begins with its slash. */
struct plan_id_parts {
    const char *rest;
    int head; /* the length of RULE */
    int version;
    uint32_t number; /* of a sequence or walk, whose rest is /SEED-NUMBER */
};

static bool split_id(const struct wcts_spec *spec, const char *id, struct plan_id_parts *parts)
{
    const char *polarity = strchr(id, '/');
    const char *version = polarity ? strchr(polarity + 1, '/') : NULL;
    const char *rest = version ? strchr(version + 1, '/') : NULL;
    if (!rest)
        return false;
    *parts = (struct plan_id_parts){.rest = rest, .head = (int)(polarity - id), .version = -1};
    if (strchr(rest, '-'))
        parts->number = (uint32_t)strtoul(strchr(rest, '-') + 1, NULL, 10);
    for (int i = 0; i < spec->versions_count; i++)
        if (strlen(spec->versions[i].id) == (size_t)(rest - version - 1) &&
            strncmp(spec->versions[i].id, version + 1, (size_t)(rest - version - 1)) == 0)
            parts->version = i;
    return parts->version >= 0;
}

/* True if the scenario of the test, with its values, is that of the id, and is at its version. */
static bool is_scenario_of(const struct wcts_plan *plan, int index,
                           const struct plan_id_parts *parts)
{
    const int series = plan->tests[index].series;
    struct plan_id_parts own;
    struct wcts_case test;
    uint64_t versions = 0;
    if (!split_id(plan->spec, wcts_plan_case(plan, index, &test)->id, &own) ||
        strcmp(own.rest, parts->rest) != 0)
        return false;
    for (int i = 0; i < plan->count; i++)
        if (plan->tests[i].series == series)
            versions |= wcts_plan_version_bit(plan->tests[i].version);
    return is_elsewhere(plan->spec, &plan->series[series], versions, parts->version);
}

/* True if the call of the test is that of the id, and a test at its version, of series *at. */
static bool is_call_with_id(struct plan_claiming *claiming, const struct wcts_series *from,
                            const struct plan_id_parts *parts, struct wcts_series *at)
{
    return strcmp(from->name, parts->rest) == 0 &&
           series_when_at(claiming, from, parts->version, at);
}

/* Adds the test at the version of the id, if it is one there. False without memory. */
static bool add_at(struct plan_claiming *claiming, int index, const struct plan_id_parts *parts)
{
    struct wcts_plan *plan = claiming->plan;
    struct wcts_test test = plan->tests[index], *added;
    const struct wcts_series from = plan->series[test.series];
    struct wcts_series at = from;
    if (from.kind == WCTS_KIND_TOUR)
        return wcts_plan_add_tour(plan, parts->version, parts->number);
    if (from.kind == WCTS_KIND_SEQUENCE
            ? test.number != parts->number ||
                  parts->version < plan->spec->cases->bases[from.base].since ||
                  parts->version >= plan->spec->cases->bases[from.base].until
        : from.kind == WCTS_KIND_SCENARIO ? !is_scenario_of(plan, index, parts)
                                          : !is_call_with_id(claiming, &from, parts, &at))
        return true;
    added = WCTS_ARRAY_ADD(plan->tests, plan->count);
    if (!added)
        return false;
    *added = test;
    return put_test(plan, added, &at, parts->version);
}

/* Adds tests like those that may be moved, until one has the id. */
static int add_with_id(struct plan_claiming *claiming, const char *id,
                       const struct plan_id_parts *parts)
{
    struct wcts_plan *plan = claiming->plan;
    const int count = plan->count;
    for (int i = 0; i < count; i++)
        if (wcts_plan_is_of(plan, i, id, (size_t)parts->head))
            take_ids(claiming, i, i + 1);
    for (int i = 0; i < count; i++) {
        struct wcts_case test;
        if (!wcts_plan_may_move(plan, i) || !wcts_plan_is_of(plan, i, id, (size_t)parts->head) ||
            !add_at(claiming, i, parts))
            continue;
        if (plan->count > count && strcmp(wcts_plan_case(plan, count, &test)->id, id) == 0)
            return count;
        plan->count = count;
    }
    return -1;
}

int wcts_plan_find_anywhere(struct wcts_plan *plan, const char *id)
{
    struct plan_id_parts parts;
    int index = wcts_plan_find(plan, id);
    struct plan_claiming *claiming;
    if (index >= 0 || !split_id(plan->spec, id, &parts))
        return index;
    claiming = malloc(sizeof *claiming);
    if (claiming && claiming_init(claiming, plan, 0))
        index = add_with_id(claiming, id, &parts);
    if (claiming)
        claiming_release(claiming);
    free(claiming);
    return index;
}

bool wcts_plan_is_anywhere(struct wcts_plan *plan, const char *id)
{
    const int count = plan->count;
    bool found = wcts_plan_find_anywhere(plan, id) >= 0;
    plan->count = count;
    return found;
}
