/* SPDX-License-Identifier: MIT */
/* Evaluates rules in worlds. */
#include <string.h>

#include "../model/cases.h"
#include "env.h"

/* ---- Conditions ---- */

static struct wcts_lang_result value_of(const struct wcts_world *world, int instance,
                                        struct wcts_ref ref)
{
    const struct wcts_lang_env env = wcts_world_env(world);
    const struct wcts_lang_ref step = {.structure = (int16_t)ref.structure,
                                       .member = (int16_t)ref.member,
                                       .flag = (int16_t)ref.flag};
    return env.value(&env, instance, &step, 1);
}

static bool expression_holds(const struct wcts_world *world, int expression, int instance)
{
    const struct wcts_lang_env env = wcts_world_env(world);
    return wcts_lang_truth(env.spec->exprs, expression, &env, instance) == WCTS_TRUE;
}

bool wcts_oracle_ranges_intersect(const struct wcts_world *world, const struct wcts_rule *rule,
                                  int instance)
{
    struct wcts_lang_result to = value_of(world, instance, rule->arg[WCTS_ARG_BASE].refs[0]);
    struct wcts_lang_result from = value_of(world, instance, rule->arg[WCTS_ARG_COPY].refs[0]);
    __int128 size = value_of(world, instance, rule->arg[WCTS_ARG_SIZE].refs[0]).number;
    return to.symbol == from.symbol && to.number - from.number < size &&
           from.number - to.number < size;
}

struct oracle_state_search {
    uint64_t states;
    bool found;
};

static bool find_state(void *context, const struct wcts_lang_page *page)
{
    struct oracle_state_search *search = context;
    search->found = search->states >> page->state & 1;
    return !search->found;
}

bool wcts_oracle_source_has(const struct wcts_world *world, const struct wcts_rule *rule,
                            int instance, uint64_t states)
{
    const struct wcts_lang_env env = wcts_world_env(world);
    struct oracle_state_search search = {states, false};
    env.pages(&env, value_of(world, instance, rule->arg[WCTS_ARG_COPY].refs[0]),
              (uint64_t)value_of(world, instance, rule->arg[WCTS_ARG_SIZE].refs[0]).number,
              find_state, &search);
    return search.found;
}

bool wcts_oracle_conditions_hold(const struct wcts_world *world, const struct wcts_rule *rule,
                                 int instance)
{
    for (int i = 0; i < rule->when_count; i++)
        if (!wcts_oracle_condition_holds(world, rule, i, instance))
            return false;
    return true;
}

bool wcts_oracle_condition_holds(const struct wcts_world *world, const struct wcts_rule *rule,
                                 int n, int instance)
{
    return expression_holds(world, rule->when[n].expression, instance);
}

enum wcts_truth wcts_oracle_form_ask(const struct wcts_world *world, const struct wcts_rule *rule,
                                     int instance)
{
    const struct wcts_lang_rule form = {0, rule->breach.refuse, rule->breach.unless};
    const struct wcts_lang_env env = wcts_world_env(world);
    return wcts_lang_rule_ask(env.spec->exprs, &form, &env, instance);
}

enum wcts_truth wcts_oracle_rule_ask(const struct wcts_world *world, const struct wcts_rule *rule,
                                     int instance)
{
    const struct wcts_lang_env env = wcts_world_env(world);
    return wcts_lang_rule_ask(env.spec->exprs, &rule->breach, &env, instance);
}

enum wcts_truth wcts_oracle_rule_ask_all(const struct wcts_world *world,
                                         const struct wcts_rule *rule, int *where)
{
    enum wcts_truth truth = WCTS_UNKNOWN;
    for (int i = 0; i < world->count; i++) {
        enum wcts_truth here;
        if (world->instances[i].structure != rule->on || !world->instances[i].present)
            continue;
        here = wcts_oracle_rule_ask(world, rule, i);
        if (here > truth) {
            truth = here;
            if (where)
                *where = i;
        }
    }
    return truth;
}

/* ---- All rules ---- */

bool wcts_oracle_left_open(const struct wcts_world *world, int instance)
{
    const struct wcts_spec *spec = world->eval->spec;
    const struct wcts_oracle_world_instance *one = &world->instances[instance];
    const struct wcts_structure *structure = &spec->structures[one->structure];
    for (int i = 0; i < structure->member_count; i++) {
        const struct wcts_member *member = &structure->members[i];
        if (member->word < 0 || world->version < member->since || world->version >= member->until)
            continue;
        if (one->values[i].number &
            wcts_oracle_eval_masks(world->eval, member->word, world->version)->open &
            ~wcts_world_hidden(world, instance, (struct wcts_ref){one->structure, i, -1}))
            return true;
    }
    for (int i = 0; i < spec->opens_count; i++) {
        if (spec->opens[i].on == one->structure &&
            expression_holds(world, spec->opens[i].when, instance))
            return true;
    }
    return false;
}

void wcts_oracle_prediction_add(struct wcts_oracle_prediction *prediction,
                                const struct wcts_spec *spec, int index)
{
    const struct wcts_rule *rule = &spec->rules[index];
    for (int i = 0; i < prediction->broken_count; i++)
        if (prediction->broken[i] == index)
            return;
    if (prediction->broken_count < (int)(sizeof prediction->broken / sizeof *prediction->broken))
        prediction->broken[prediction->broken_count++] = index;
    prediction->strict = WCTS_EXPECT_REFUSE;
    if (rule->outcome == WCTS_OUTCOME_EITHER) {
        if (prediction->expect == WCTS_EXPECT_ACCEPT)
            prediction->expect = WCTS_EXPECT_OPEN;
        return;
    }
    prediction->must_broken++;
    if (rule->outcome == WCTS_OUTCOME_REFUSE)
        prediction->expect = WCTS_EXPECT_REFUSE;
    else if (prediction->expect != WCTS_EXPECT_REFUSE)
        prediction->expect = WCTS_EXPECT_ASSERT;
}

bool wcts_world_judge_one(const struct wcts_world *world, int instance,
                          struct wcts_oracle_prediction *prediction)
{
    const struct wcts_eval *eval = world->eval;
    int structure = world->instances[instance].structure;
    for (int r = eval->first[structure]; r < eval->first[structure + 1]; r++) {
        const struct wcts_rule *rule = &eval->spec->rules[eval->rules[r]];
        if (eval->binds[eval->rules[r] * eval->spec->versions_count + world->version] &&
            wcts_oracle_rule_ask(world, rule, instance) == WCTS_FALSE)
            wcts_oracle_prediction_add(prediction, eval->spec, eval->rules[r]);
    }
    return eval->left_open[structure] && wcts_oracle_left_open(world, instance);
}

void wcts_oracle_prediction_end(struct wcts_oracle_prediction *prediction, bool open)
{
    if (open && prediction->must_broken == 0)
        prediction->expect = prediction->strict = WCTS_EXPECT_OPEN;
    else if (open)
        prediction->strict = prediction->expect;
}

void wcts_world_judge(const struct wcts_world *world, struct wcts_oracle_prediction *prediction)
{
    bool open = false;
    *prediction =
        (struct wcts_oracle_prediction){.expect = WCTS_EXPECT_ACCEPT, .strict = WCTS_EXPECT_ACCEPT};
    for (int i = 0; i < world->count; i++)
        if (world->instances[i].present && wcts_world_judge_one(world, i, prediction))
            open = true;
    wcts_oracle_prediction_end(prediction, open);
}

/* ---- Gaps ---- */

/* True if a set of segments has one behind those that are described. */
static bool names_absent(const struct wcts_world *world, struct wcts_ref member, uint64_t set)
{
    const struct wcts_spec *spec = world->eval->spec;
    int structure = wcts_model_shown_structure(spec, WCTS_SHOWS_SEGMENTS), count = 0;
    if (wcts_model_ref_member(spec, member)->type == WCTS_TYPE_SEGMENT_PREFERENCE)
        set = wcts_lang_segments_preferred(set);
    for (int i = 0; i < world->count; i++)
        count += world->instances[i].structure == structure && world->instances[i].present;
    return count < 32 && (uint32_t)set >> count != 0;
}

static bool is_gap_value(const struct wcts_world *world, int instance, struct wcts_ref member,
                         enum wcts_gap_value value)
{
    struct wcts_lang_result read =
        value == WCTS_GAP_ANY ? wcts_lang_known(0) : value_of(world, instance, member);
    uint64_t number = (uint64_t)read.number;
    if (!read.known)
        return false;
    switch (value) {
    case WCTS_GAP_ABSENT:
        return names_absent(world, member, number);
    case WCTS_GAP_HUGE:
        return number >> 63;
    case WCTS_GAP_UNEVEN:
        return number & (number - 1);
    case WCTS_GAP_ROUNDED:
        return false; /* for whoever can ask the kernel */
    default:
        return true;
    }
}

static bool breaks_any(const struct wcts_world *world, int statement, int instance)
{
    const struct wcts_spec *spec = world->eval->spec;
    int structure = world->instances[instance].structure;
    for (int r = world->eval->first[structure]; r < world->eval->first[structure + 1]; r++) {
        const struct wcts_rule *rule = &spec->rules[world->eval->rules[r]];
        if (rule->statement == statement &&
            wcts_oracle_rule_ask(world, rule, instance) == WCTS_FALSE)
            return true;
    }
    return false;
}

static bool gap_covers_one(const struct wcts_world *world, const struct wcts_gap *gap, int instance)
{
    return world->instances[instance].present && world->instances[instance].structure == gap->on &&
           is_gap_value(world, instance, gap->member, gap->value) &&
           (gap->breaks < 0 || breaks_any(world, gap->breaks, instance)) &&
           (!gap->when || expression_holds(world, gap->when, instance));
}

bool wcts_oracle_gap_fits(const struct wcts_world *world, const struct wcts_gap *gap)
{
    for (int i = 0; i < world->count; i++)
        if (gap_covers_one(world, gap, i))
            return true;
    return false;
}

bool wcts_oracle_gap_covers(const struct wcts_world *world, const struct wcts_gap *gap)
{
    return wcts_oracle_gap_is_at(gap, world->version) && wcts_oracle_gap_fits(world, gap);
}

const struct wcts_gap *wcts_world_gap(const struct wcts_world *world)
{
    const struct wcts_spec *spec = world->eval->spec;
    for (int g = 0; g < spec->gaps_count; g++)
        if (wcts_oracle_gap_covers(world, &spec->gaps[g]))
            return &spec->gaps[g];
    return NULL;
}

bool wcts_world_is_valid(const struct wcts_world *world)
{
    struct wcts_oracle_prediction prediction;
    wcts_world_judge(world, &prediction);
    return prediction.broken_count == 0 && prediction.expect == WCTS_EXPECT_ACCEPT &&
           !wcts_world_gap(world);
}
