/* SPDX-License-Identifier: MIT */
/* Conditions that no pair of the plan shows: could a call show them? Each call that breaks the
 * rule, and each with one more flag, is changed to all values that the plan has for the fact. If
 * one of these calls breaks nothing, the plan lacks it; if all break another rule, that rule masks
 * the condition. */
#include <string.h>

#include "../lang/expr.h"
#include "worlds.h"

#define VALUES_MAX 160

struct cover_mask_search {
    struct wcts_cover_worlds *worlds;
    const struct wcts_cover_trial *from;
    struct wcts_cover_call_pair pair;
    int rule, atom;
    struct wcts_world one; /* the first world of the pair: the trial's, or with one more flag */
    const struct wcts_fact *more;
    bool good;    /* there was memory so far */
    bool found;   /* a call would show the condition */
    int mask;     /* a rule that is broken instead; -1: none yet */
    bool is_open; /* the documents leave such calls open */
};

/* ---- values ---- */

struct cover_tried_values {
    struct wcts_value list[VALUES_MAX];
    int count;
};

static void add_tried(struct cover_tried_values *values, struct wcts_value value)
{
    for (int i = 0; i < values->count; i++)
        if (values->list[i].symbol == value.symbol && values->list[i].number == value.number)
            return;
    if (values->count < VALUES_MAX)
        values->list[values->count++] = value;
}

static void add_tried_facts(struct cover_tried_values *values, const struct wcts_fact *facts,
                            int count, struct wcts_ref ref)
{
    for (int i = 0; i < count; i++)
        if (wcts_model_same_ref(facts[i].ref, ref))
            add_tried(values, facts[i].value);
}

/* Adds the values of base.xml. True if there are to be no others. */
static bool add_tried_domain(struct cover_tried_values *values, const struct wcts_cases *cases,
                             struct wcts_ref ref)
{
    bool only = false;
    for (int i = 0; i < cases->domains_count; i++) {
        if (!wcts_model_same_ref(cases->domains[i].of, ref))
            continue;
        only = only || cases->domains[i].only;
        for (int j = 0; j < cases->domains[i].value_count; j++)
            add_tried(values, cases->domains[i].values[j]);
    }
    return only;
}

/* The values of base.xml; else 0, 1 and all values that the plan sends there in this base. */
static void find_tried_values(const struct cover_mask_search *search, struct wcts_ref ref,
                              struct cover_tried_values *values)
{
    const struct wcts_plan *plan = search->worlds->cover->plan;
    values->count = 0;
    if (ref.flag < 0 && add_tried_domain(values, plan->spec->cases, ref))
        return;
    add_tried(values, (struct wcts_value){.symbol = -1, .number = 0});
    add_tried(values, (struct wcts_value){.symbol = -1, .number = 1});
    if (ref.flag >= 0)
        return;
    for (int i = 0; i < plan->series_count; i++) {
        const struct wcts_series *series = &plan->series[i];
        if (series->base != search->from->test->base || series->scenario >= 0)
            continue;
        if (series->facts)
            add_tried_facts(values, series->facts->facts, series->facts->count, ref);
        if (series->twin)
            add_tried_facts(values, series->twin->facts, series->twin->count, ref);
    }
}

/* ---- trying ---- */

static bool copy_world(const struct cover_mask_search *search, struct wcts_world *world)
{
    const struct wcts_case *test = search->from->test;
    if (!wcts_oracle_case_world(world, &search->worlds->eval, test, test->facts, test->fact_count))
        return false;
    if (search->more)
        wcts_world_put(world, search->more->instance, search->more->ref, search->more->value);
    wcts_world_settle(world);
    return true;
}

/* True if the rule declares to be masked by the other; lint has proved it. */
static bool is_declared(const struct wcts_rule *rule, const char *by)
{
    size_t length = strlen(by);
    for (const char *at = rule->masked_by; at && (at = strstr(at, by)); at += length)
        if ((at == rule->masked_by || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

/* Both values of a fact are tried, but not all values of an operand. */
static bool is_proof(const struct cover_mask_search *search)
{
    const struct wcts_spec *spec = search->worlds->spec;
    return wcts_cover_atom_is_boolean(&search->pair.atoms->list[search->atom]) ||
           (search->mask >= 0 && is_declared(search->pair.rule, spec->rules[search->mask].id));
}

/* Of several masks of an operand, one that the rule declares is kept. */
static void note_mask(struct cover_mask_search *search,
                      const struct wcts_oracle_prediction *prediction)
{
    const struct wcts_spec *spec = search->worlds->spec;
    for (int i = 0; i < prediction->broken_count; i++)
        if (search->mask < 0 ||
            is_declared(search->pair.rule, spec->rules[prediction->broken[i]].id))
            search->mask = prediction->broken[i];
}

static void judge_call(struct cover_mask_search *search, const struct wcts_world *world)
{
    struct wcts_oracle_prediction prediction;
    wcts_world_judge(world, &prediction);
    if (prediction.expect == WCTS_EXPECT_ACCEPT)
        search->found = true;
    else if (prediction.broken_count == 0)
        search->is_open = true;
    note_mask(search, &prediction);
}

/* Tries one value at one place: does it change the condition alone, and with it the rule's result?
 */
static bool try_value(struct cover_mask_search *search, int instance, struct wcts_ref ref,
                      struct wcts_value value)
{
    struct wcts_world other = {0};
    bool good = copy_world(search, &other);
    if (good) {
        wcts_world_put(&other, instance, ref, value);
        wcts_world_settle(&other);
        search->pair.one = &search->one;
        search->pair.other = &other;
        wcts_cover_worlds_differ(&search->one, &other, &search->pair.place);
        for (int i = 0; search->pair.place.count == 1 && !search->found && i < other.count; i++) {
            search->pair.instance = i;
            if (wcts_cover_pair_begins(&search->pair) &&
                wcts_oracle_rule_ask(&other, search->pair.rule, i) != WCTS_FALSE &&
                wcts_cover_pair_shows(&search->pair, search->atom) != WCTS_SHOWN_NOT)
                judge_call(search, &other);
        }
    }
    wcts_world_release(&other);
    return good;
}

static bool try_ref(struct cover_mask_search *search, struct wcts_ref ref)
{
    struct cover_tried_values values;
    bool good = true;
    find_tried_values(search, ref, &values);
    for (int i = 0; i < search->one.count; i++)
        for (int v = 0; good && !search->found && v < values.count; v++)
            if (search->one.instances[i].structure == ref.structure &&
                search->one.instances[i].present)
                good = try_value(search, i, ref, values.list[v]);
    return good;
}

static void try_read(void *context, struct wcts_ref ref, enum wcts_lang_use use)
{
    struct cover_mask_search *search = context;
    if (search->good && use != WCTS_USE_BEHIND)
        search->good = try_ref(search, ref);
}

/* All members that the condition reads. */
static bool try_atom(struct cover_mask_search *search)
{
    const struct wcts_cover_atom *atom = &search->pair.atoms->list[search->atom];
    if (atom->kind != WCTS_ATOM_WHEN)
        return try_ref(search, atom->ref);
    search->good = true;
    wcts_lang_reads(search->worlds->spec->exprs, search->pair.rule->when[atom->number].expression,
                    try_read, search);
    return search->good;
}

static bool try_from(struct cover_mask_search *search, const struct wcts_fact *more)
{
    struct wcts_oracle_prediction prediction = {.broken_count = 0};
    bool good;
    search->more = more;
    good = copy_world(search, &search->one);
    if (good && more)
        wcts_world_judge(&search->one, &prediction);
    if (good && (!more || (prediction.broken_count == 1 && prediction.broken[0] == search->rule)))
        good = try_atom(search);
    wcts_world_release(&search->one);
    return good;
}

/* With each other flag of the words of the rule's structure. */
static bool try_flags(struct cover_mask_search *search)
{
    const struct wcts_spec *spec = search->worlds->spec;
    const struct wcts_structure *on = &spec->structures[search->pair.rule->on];
    const struct wcts_world *world = &search->from->world;
    bool good = true;
    for (int i = 0; i < world->count; i++)
        for (int m = 0; m < on->member_count; m++) {
            int flags = on->members[m].word < 0 ? 0 : spec->words[on->members[m].word].flag_count;
            if (world->instances[i].structure != search->pair.rule->on)
                continue;
            for (int f = 0; good && !search->found && f < flags; f++) {
                struct wcts_fact more = {
                    i, {search->pair.rule->on, m, f}, {.symbol = -1, .number = 0}};
                more.value.number = !wcts_world_get(world, i, more.ref).number;
                good = try_from(search, &more);
            }
        }
    return good;
}

/* ---- the result ---- */

/* A rule that is broken in the same calls and changes with the condition, one that the rule
 * declares to be masked by if there is one; NULL: none. */
static const char *broken_with(struct cover_mask_search *search)
{
    const struct wcts_spec *spec = search->worlds->spec;
    const char *with = NULL;
    for (int i = 0; !(with && is_declared(search->pair.rule, with)) && i < search->worlds->count;
         i++) {
        struct wcts_cover_trial trial = search->worlds->trials[i];
        struct wcts_oracle_prediction prediction;
        if (trial.twin || !wcts_cover_trial_world(search->worlds, &trial))
            continue;
        wcts_world_judge(&trial.world, &prediction);
        search->from = &trial;
        for (int b = 0; prediction.broken_count == 2 && b < 2; b++) {
            search->found = false;
            if (prediction.broken[b] == search->rule && try_from(search, NULL) && search->found)
                with = spec->rules[prediction.broken[1 - b]].id;
        }
        search->from = NULL;
        wcts_world_release(&trial.world);
    }
    search->found = false;
    return with;
}

/* Sets the decision from the result of the search. */
static void conclude_mask(struct cover_mask_search *search)
{
    struct wcts_cover_decision *decision =
        &search->worlds->cover->rules[search->rule].decisions[search->atom];
    struct wcts_arena *arena = search->worlds->cover->arena;
    const struct wcts_spec *spec = search->worlds->spec;
    const char *with = search->found || is_proof(search) ? NULL : broken_with(search);
    if (search->found) {
        decision->why = "the plan has no such pair";
    } else if (with) {
        if (is_declared(search->pair.rule, with))
            decision->shown = WCTS_SHOWN_MASKED;
        decision->why = wcts_arena_format(
            arena, "it changes the rule's result only where %s changes, too", with);
    } else if (search->mask >= 0) {
        decision->shown = is_proof(search) ? WCTS_SHOWN_MASKED : WCTS_SHOWN_NOT;
        decision->why = wcts_arena_format(arena, "the other side of it breaks %s, or another rule",
                                          spec->rules[search->mask].id);
    } else if (search->is_open) {
        decision->shown = is_proof(search) ? WCTS_SHOWN_MASKED : WCTS_SHOWN_NOT;
        decision->why = "the documents leave the other side of it open";
    } else {
        decision->why = "no value that the plan knows changes it alone";
    }
}

static bool search_atom(struct wcts_cover_worlds *worlds, int rule, int atom)
{
    struct cover_mask_search search = {.worlds = worlds, .rule = rule, .atom = atom, .mask = -1};
    bool good = true;
    search.pair.rule = &worlds->spec->rules[rule];
    search.pair.atoms = &worlds->atoms[rule];
    for (int deep = 0; deep < 2; deep++)
        for (int i = 0; good && !search.found && i < worlds->count; i++) {
            struct wcts_cover_trial trial = worlds->trials[i];
            if (trial.test->rule != rule || trial.twin)
                continue;
            search.from = &trial;
            good = wcts_cover_trial_build(worlds, &trial);
            if (good && wcts_cover_trial_begins(worlds, &trial))
                good = deep ? try_flags(&search) : try_from(&search, NULL);
            wcts_world_release(&trial.world);
        }
    conclude_mask(&search);
    return good;
}

bool wcts_cover_masks(struct wcts_cover_worlds *worlds)
{
    bool good = true;
    for (int r = 0; r < worlds->spec->rules_count; r++) {
        if (!wcts_model_is_asked(worlds->spec->rules[r].form))
            continue;
        for (int i = 0; good && i < worlds->atoms[r].count; i++)
            if (worlds->cover->rules[r].decisions[i].shown == WCTS_SHOWN_NOT &&
                worlds->atoms[r].list[i].kind != WCTS_ATOM_VERSION)
                good = search_atom(worlds, r, i);
    }
    return good;
}
