/* SPDX-License-Identifier: MIT */
/* Making cases: ids, versions, twins. */
#include <inttypes.h>
#include <string.h>

#include "../base/random.h"
#include "../base/text.h"
#include "planner.h"

/* ---- Ids ---- */

/* True if an earlier instance, on the same side of the call, has a member of that name. */
static bool is_further(const struct wcts_spec *spec, const struct wcts_world *world, int instance,
                       const char *name)
{
    int first = instance < world->adapter_count ? 0 : world->adapter_count;
    for (int i = first; i < instance; i++)
        if (wcts_model_spec_member(spec, world->instances[i].structure, name) >= 0)
            return true;
    return false;
}

/* The instance's name, with a number if earlier ones have the same. */
static void name_instance(struct wcts_text *text, const struct wcts_world *world, int instance)
{
    int number = 1;
    for (int i = 0; i < instance; i++)
        number += strcmp(world->instances[i].name, world->instances[instance].name) == 0;
    wcts_text_add(text, "%s", world->instances[instance].name);
    if (number > 1)
        wcts_text_add(text, "-%d", number);
    wcts_text_add(text, ".");
}

/* The flags that a word has, "Shared,Resource"; "none" of them. */
static void name_flags(struct wcts_text *text, const struct wcts_word *word, uint64_t value)
{
    const char *between = "";
    for (int i = 0; i < word->flag_count; i++)
        if (value >> word->flags[i].bit & 1) {
            wcts_text_add(text, "%s%s", between, word->flags[i].name);
            between = ",";
        }
    if (!*between)
        wcts_text_add(text, "no-flag");
}

/* flags: a word is told by its flags, else by its number. */
static void add_fact(struct wcts_text *text, const struct wcts_planner *planner,
                     const struct wcts_world *world, const struct wcts_fact *fact, bool flags)
{
    const struct wcts_member *member = wcts_model_ref_member(planner->spec, fact->ref);
    int symbol = fact->value.symbol;
    if (is_further(planner->spec, world, fact->instance, member->name))
        name_instance(text, world, fact->instance);
    if (fact->ref.flag >= 0) {
        wcts_text_add(text, "%s%s", fact->value.number ? "" : "no-",
                      planner->spec->words[member->word].flags[fact->ref.flag].name);
        return;
    }
    if (flags && member->word >= 0) {
        name_flags(text, &planner->spec->words[member->word], fact->value.number);
        return;
    }
    wcts_text_add(text, "%s-%s", member->name,
                  symbol < 0 ? "" : planner->spec->cases->symbols[symbol].name);
    if (symbol < 0 || fact->value.number)
        wcts_text_add(text, "%s0x%" PRIx64, symbol < 0 ? "" : ".", fact->value.number);
}

static bool is_changed(const struct wcts_series *series, int instance, struct wcts_ref ref)
{
    for (int i = 0; i < series->facts->count; i++)
        if (series->facts->facts[i].instance == instance &&
            series->facts->facts[i].ref.member == ref.member &&
            series->facts->facts[i].ref.flag == ref.flag)
            return true;
    return false;
}

/* The first instance of the rule's structure with a changed fact, or -1. */
static int instance_about(const struct wcts_planner *planner, const struct wcts_world *world,
                          const struct wcts_series *series)
{
    int structure = planner->spec->rules[series->rule].on;
    for (int i = 0; i < series->facts->count; i++)
        if (world->instances[series->facts->facts[i].instance].structure == structure)
            return series->facts->facts[i].instance;
    return -1;
}

/* The facts that name a case: the rule's flags that the base sets, and all changed facts. */
static int naming_facts(const struct wcts_planner *planner, const struct wcts_world *world,
                        const struct wcts_series *series, struct wcts_fact *facts, int room)
{
    int about = instance_about(planner, world, series), count = 0;
    struct wcts_plan_slots slots = {0};
    if (about >= 0)
        wcts_plan_slots_of(planner, world, &planner->spec->rules[series->rule], about, &slots);
    for (int i = 0; i < slots.own && count < room - series->facts->count; i++) {
        const struct wcts_plan_slot *slot = &slots.slots[i];
        struct wcts_value value = wcts_world_get(world, slot->instance, slot->ref);
        if (slot->ref.flag >= 0 && slot->instance == about && value.number &&
            !is_changed(series, about, slot->ref))
            facts[count++] = (struct wcts_fact){about, slot->ref, value};
    }
    for (int i = 0; i < series->facts->count; i++)
        facts[count++] = series->facts->facts[i];
    return count;
}

/* Set flags come first, in the order of their word, then the rest in its order. */
static bool comes_before(const struct wcts_fact *a, const struct wcts_fact *b)
{
    bool set_a = a->ref.flag >= 0 && a->value.number, set_b = b->ref.flag >= 0 && b->value.number;
    if (set_a != set_b)
        return set_a;
    return set_a && a->instance == b->instance && a->ref.member == b->ref.member &&
           a->ref.flag < b->ref.flag;
}

static void sort_facts(struct wcts_fact *facts, int count)
{
    for (int i = 1; i < count; i++)
        for (int j = i; j > 0 && comes_before(&facts[j], &facts[j - 1]); j--) {
            struct wcts_fact swap = facts[j];
            facts[j] = facts[j - 1];
            facts[j - 1] = swap;
        }
}

static void add_fact_names(struct wcts_text *text, const struct wcts_planner *planner,
                           const struct wcts_series *series, bool first)
{
    const struct wcts_world *world = &planner->base_worlds[series->base].pristine;
    struct wcts_fact facts[WCTS_FACTS_MAX + WCTS_SLOTS_MAX];
    int count = naming_facts(planner, world, series, facts, WCTS_FACTS_MAX + WCTS_SLOTS_MAX);
    sort_facts(facts, count);
    for (int i = 0; i < count; i++) {
        wcts_text_add(text, "%s", first ? "" : ",");
        add_fact(text, planner, world, &facts[i], false);
        first = false;
    }
}

/* Adds what follows the version in the id, which is the same at all versions. */
static void add_rest(struct wcts_text *text, const struct wcts_planner *planner,
                     const struct wcts_series *series)
{
    const struct wcts_spec *spec = planner->spec;
    bool named = series->base != wcts_plan_default_base(planner) || series->facts->count == 0 ||
                 series->kind == WCTS_KIND_EFFECT;
    if (series->expect == WCTS_EXPECT_ANSWER)
        return;
    if (series->page_size != 4096)
        wcts_text_add(text, "/p%uk", series->page_size / 1024);
    wcts_text_add(text, "/%s", named ? spec->cases->bases[series->base].name : "");
    if (series->facts->count == 0 && planner->label)
        wcts_text_add(text, ",%s", planner->label);
    add_fact_names(text, planner, series, !named);
}

/* ---- Cases ---- */

struct plan_emission {
    struct wcts_planner *planner;
    enum wcts_kind kind;
    int base;
    uint32_t page_size;
    const struct wcts_plan_change *change, *twin;
};

static const struct wcts_gap *gap_of_change(const struct plan_emission *emission, int version,
                                            const struct wcts_plan_change *change)
{
    return wcts_plan_base_world_gap(emission->planner, emission->base, version, emission->page_size,
                                    change);
}

/* Sets the twin if the rules accept it at this version. */
static void put_twin(const struct plan_emission *emission, int version, struct wcts_series *series)
{
    struct wcts_oracle_prediction prediction;
    if (!emission->twin || emission->kind == WCTS_KIND_EFFECT)
        return;
    wcts_plan_base_world_predict(emission->planner, emission->base, version, emission->page_size,
                                 emission->twin, &prediction);
    if (prediction.expect != WCTS_EXPECT_ACCEPT)
        return;
    series->twin_gap = gap_of_change(emission, version, emission->twin);
    series->twin = wcts_plan_keep_facts(emission->planner, emission->twin);
}

/* The case of all versions between two edges; false if it is no evidence there. */
static bool common_case(const struct plan_emission *emission, int version,
                        struct wcts_series *series, struct wcts_oracle_prediction *prediction)
{
    struct wcts_planner *planner = emission->planner;
    const struct wcts_spec *spec = planner->spec;
    const struct wcts_rule *rule = &spec->rules[planner->rule];
    int message = spec->cases->steps[spec->cases->bases[emission->base].step].message;
    bool effect = emission->kind == WCTS_KIND_EFFECT;
    wcts_plan_base_world_predict(planner, emission->base, version, emission->page_size,
                                 emission->change, prediction);
    if (!wcts_plan_is_evidence(planner, planner->rule, prediction) ||
        (effect && !wcts_oracle_rule_binds(spec, rule, version)))
        return false;
    *series = (struct wcts_series){.rule = planner->rule,
                                   .kind = emission->kind,
                                   .expect = prediction->expect,
                                   .strict = prediction->strict,
                                   .page_size = emission->page_size,
                                   .base = emission->base,
                                   .scenario = -1,
                                   .driver = message >= 0 && spec->messages[message].driver,
                                   .instance = effect ? planner->instance : -1,
                                   .needs = effect ? planner->needs : 0,
                                   .facts = wcts_plan_keep_facts(planner, emission->change)};
    if (!series->facts)
        return false;
    series->gap = gap_of_change(emission, version, emission->change);
    put_twin(emission, version, series);
    return effect || series->twin ||
           !(wcts_oracle_is_refusal(series->expect) || wcts_oracle_is_refusal(series->strict));
}

/* As many as there can be versions (wcts_plan_version_bit). */
#define STRETCHES_MAX 64

/* Versions at which a case is the same: from the first up to until. */
struct plan_version_stretch {
    struct wcts_series series;
    struct wcts_oracle_prediction prediction;
    int from, until;
};

static bool continues(const struct plan_version_stretch *before,
                      const struct plan_version_stretch *now)
{
    const struct wcts_oracle_prediction *a = &before->prediction, *b = &now->prediction;
    return before->until == now->from && a->expect == b->expect && a->strict == b->strict &&
           a->broken_count == b->broken_count &&
           memcmp(a->broken, b->broken, (size_t)a->broken_count * sizeof *a->broken) == 0;
}

static void keep_stretch(struct wcts_planner *planner, const struct plan_version_stretch *stretch,
                         bool begins, bool ends, const struct wcts_text *rest)
{
    const struct wcts_plan_span span = {stretch->from, stretch->until, begins, ends};
    if (!rest->failed)
        wcts_plan_keep(planner, &stretch->series, wcts_text_get(rest), &span);
}

/* The versions between two edges at which the base exists, and their case; false if there is none.
 */
static bool find_stretch(const struct plan_emission *emission, int edge,
                         struct plan_version_stretch *stretch)
{
    const struct wcts_planner *planner = emission->planner;
    const struct wcts_base *base = &planner->spec->cases->bases[emission->base];
    const struct wcts_rule *rule = &planner->spec->rules[planner->rule];
    /* An effect shows nothing where it does not exist; of other rules the calls of later versions
     * are cases, too. */
    const bool over = wcts_model_is_effect(rule->form) && rule->until < base->until;
    const int newest = (over ? rule->until : base->until) - 1;
    int first = planner->newest_only ? newest : base->since;
    bool last = edge + 1 == planner->version_edge_count;
    stretch->from = planner->version_edges[edge];
    stretch->until = last ? planner->spec->versions_count : planner->version_edges[edge + 1];
    if (stretch->from < first)
        stretch->from = first;
    if (stretch->until > base->until)
        stretch->until = base->until;
    return stretch->from < stretch->until &&
           common_case(emission, stretch->from, &stretch->series, &stretch->prediction);
}

/* ---- The same in other states ---- */

/* True if an answer of the driver is changed. */
static bool has_answer(const struct plan_emission *emission, const struct wcts_plan_change *change)
{
    int answers = emission->planner->base_worlds[emission->base].pristine.adapter_count;
    bool has = false;
    for (int i = 0; change && i < change->count; i++)
        has = has || change->facts[i].instance < answers;
    return has;
}

/* Changed answers of the driver would meet the steps that a state takes before the call that they
 * are for. */
static bool has_state(const struct plan_emission *emission, const struct wcts_base_state *state)
{
    const struct wcts_cases *cases = emission->planner->spec->cases;
    if (state->take_count > 0 &&
        (has_answer(emission, emission->change) || has_answer(emission, emission->twin)))
        return false;
    return wcts_model_base_has_state(cases, &cases->bases[emission->base], state);
}

static uint64_t hash_of_text(const char *text, uint64_t hash)
{
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001B3);
    return hash;
}

/* How high a version is drawn for a case of the rule, whose highest has it: a version or a document
 * more moves no other case. */
static uint64_t draw_of(const struct wcts_planner *planner, uint64_t hash, int version)
{
    return wcts_random_mixed(hash_of_text(planner->spec->rules[planner->rule].id, hash) +
                             (uint64_t)version + 1);
}

uint64_t wcts_plan_draw(const struct wcts_plan *plan, const struct wcts_test *test, int version)
{
    const struct wcts_series *series = &plan->series[test->series];
    const struct wcts_planner planner = {.spec = plan->spec, .rule = series->rule};
    return draw_of(&planner, hash_of_text(series->name ? series->name : "", test->number), version);
}

uint64_t wcts_plan_draw_named(const char *name, int version)
{
    return wcts_random_mixed(hash_of_text(name, 0) + (uint64_t)version + 1);
}

/* Adds the case in each state that its base can be in, each at one version, which the rule, the
 * facts and the state decide: no state changes what is expected. */
static void emit_in_states(const struct plan_emission *emission,
                           const struct plan_version_stretch *stretches, int count,
                           const struct wcts_text *rest)
{
    struct wcts_planner *planner = emission->planner;
    const struct wcts_cases *cases = planner->spec->cases;
    for (int i = 0; i < cases->states_count && !rest->failed; i++) {
        const struct wcts_base_state *state = &cases->states[i];
        uint64_t best = 0;
        int chosen = -1, version = -1;
        WCTS_TEXT(name);
        if (!has_state(emission, state))
            continue;
        wcts_text_add(&name, "/%s%s", state->name, wcts_text_get(rest));
        for (int k = 0; k < count; k++)
            for (int v = stretches[k].from; v < stretches[k].until; v++) {
                uint64_t drawn = draw_of(planner, hash_of_text(wcts_text_get(&name), 0), v);
                if (v < state->since || v >= state->until || (chosen >= 0 && drawn <= best))
                    continue;
                best = drawn;
                chosen = k;
                version = v;
            }
        if (chosen >= 0 && !name.failed && !stretches[chosen].series.driver) {
            struct wcts_series series = stretches[chosen].series;
            const struct wcts_plan_span span = {version, version + 1, false, false};
            series.state = i + 1;
            wcts_plan_keep(planner, &series, wcts_text_get(&name), &span);
        }
    }
}

/* Adds the case at every version at which its base exists. Outcomes change at edges only. */
static void emit_series(const struct plan_emission *emission)
{
    struct wcts_planner *planner = emission->planner;
    struct plan_version_stretch stretches[STRETCHES_MAX];
    WCTS_TEXT(rest);
    int count = 0;
    for (int i = 0; i < planner->version_edge_count && count < STRETCHES_MAX; i++)
        count += find_stretch(emission, i, &stretches[count]);
    if (count == 0)
        return;
    add_rest(&rest, planner, &stretches[0].series);
    for (int i = 0; i < count; i++)
        keep_stretch(planner, &stretches[i], i == 0 || !continues(&stretches[i - 1], &stretches[i]),
                     i + 1 == count || !continues(&stretches[i], &stretches[i + 1]), &rest);
    if (!planner->newest_only && !planner->few)
        emit_in_states(emission, stretches, count, &rest);
}

/* Where the rule does not depend on the host's pages: at one version with larger ones, both of
 * which the rule and the facts decide. */
static void emit_with_pages(struct wcts_planner *planner, enum wcts_kind kind, int base,
                            const struct wcts_plan_change *change,
                            const struct wcts_plan_change *twin)
{
    const struct wcts_base *of = &planner->spec->cases->bases[base];
    const uint64_t hash = hash_of_text(of->name, wcts_plan_change_hash(change));
    const struct plan_emission emission = {
        planner, kind,
        base,    wcts_page_sizes[1 + draw_of(planner, hash, -1) % (WCTS_PAGE_SIZES - 1)],
        change,  twin};
    struct plan_version_stretch stretch;
    int version = of->since;
    WCTS_TEXT(rest);
    for (int v = of->since + 1; v < of->until; v++)
        if (draw_of(planner, hash, v) > draw_of(planner, hash, version))
            version = v;
    if (!common_case(&emission, version, &stretch.series, &stretch.prediction) ||
        stretch.series.driver)
        return;
    add_rest(&rest, planner, &stretch.series);
    if (!rest.failed)
        wcts_plan_keep(planner, &stretch.series, wcts_text_get(&rest),
                       &(struct wcts_plan_span){version, version + 1, false, false});
}

void wcts_plan_emit(struct wcts_planner *planner, enum wcts_kind kind, int base,
                    const struct wcts_plan_change *change, const struct wcts_plan_change *twin)
{
    const struct wcts_lang_rule *breach = &planner->spec->rules[planner->rule].breach;
    bool by_page = wcts_lang_has(planner->spec->exprs, breach->refuse, WCTS_OP_PAGE) ||
                   wcts_lang_has(planner->spec->exprs, breach->unless, WCTS_OP_PAGE);
    for (int i = 0; i < (by_page ? WCTS_PAGE_SIZES : 1); i++) {
        struct plan_emission emission = {planner, kind, base, wcts_page_sizes[i], change, twin};
        emit_series(&emission);
    }
    if (!by_page && !planner->few && !planner->newest_only)
        emit_with_pages(planner, kind, base, change, twin);
}

void wcts_plan_emit_answer(struct wcts_planner *planner, int version, uint32_t page_size)
{
    const struct wcts_series series = {.rule = planner->rule,
                                       .kind = WCTS_KIND_ANSWER,
                                       .expect = WCTS_EXPECT_ANSWER,
                                       .strict = WCTS_EXPECT_ANSWER,
                                       .page_size = page_size,
                                       .driver = true,
                                       .scenario = -1,
                                       .instance = -1};
    WCTS_TEXT(rest);
    if (page_size != 4096)
        wcts_text_add(&rest, "/p%uk", page_size / 1024);
    wcts_plan_keep(planner, &series, wcts_text_get(&rest),
                   &(struct wcts_plan_span){version, version + 1, true, true});
}

static const struct wcts_facts *kept_facts(struct wcts_planner *planner,
                                           const struct wcts_facts *facts)
{
    size_t size = facts ? sizeof *facts + (size_t)facts->count * sizeof *facts->facts : 0;
    return facts ? memcpy(wcts_arena_alloc(planner->plan->arena, size), facts, size) : NULL;
}

/* Everything is predicted where the combination was made. */
void wcts_plan_emit_combination(struct wcts_planner *planner,
                                const struct wcts_combination *combination)
{
    const struct wcts_spec *spec = planner->spec;
    const struct wcts_world *world = &planner->base_worlds[combination->base].pristine;
    bool asserts = spec->rules[combination->rule].outcome == WCTS_OUTCOME_ASSERT;
    struct wcts_series series = {
        .rule = combination->rule,
        .kind = WCTS_KIND_COMBINATION,
        .expect = WCTS_EXPECT_ACCEPT,
        .strict = WCTS_EXPECT_ACCEPT,
        .page_size = combination->page_size,
        .base = combination->base,
        .state = combination->state,
        .strength = combination->strength,
        .scenario = -1,
        .instance = -1,
        .facts = kept_facts(planner, combination->facts),
        .twin = kept_facts(planner, combination->twin),
    };
    const struct wcts_plan_span span = {combination->version, combination->version + 1, true, true};
    WCTS_TEXT(rest);
    if (combination->twin) {
        series.expect = asserts ? WCTS_EXPECT_ASSERT : WCTS_EXPECT_REFUSE;
        series.strict = WCTS_EXPECT_REFUSE;
    }
    if (combination->state)
        wcts_text_add(&rest, "/%s", spec->cases->states[combination->state - 1].name);
    if (combination->page_size != 4096)
        wcts_text_add(&rest, "/p%uk", combination->page_size / 1024);
    wcts_text_add(&rest, "/%s", spec->cases->bases[combination->base].name);
    for (int i = 0; i < combination->facts->count; i++) {
        wcts_text_add(&rest, ",");
        add_fact(&rest, planner, world, &combination->facts->facts[i],
                 combination->facts->facts[i].instance >= world->adapter_count);
    }
    if (rest.failed)
        return;
    wcts_plan_keep(planner, &series, wcts_text_get(&rest), &span);
}

static bool base_has(const struct wcts_planner *planner, int base, int structure)
{
    const struct wcts_world *world = &planner->base_worlds[base].pristine;
    for (int i = 0; i < world->count; i++)
        if (world->instances[i].structure == structure)
            return true;
    return false;
}

int wcts_plan_default_base(const struct wcts_planner *planner)
{
    for (int base = 0; base < planner->spec->cases->bases_count; base++)
        if (base_has(planner, base, planner->spec->rules[planner->rule].on))
            return base;
    return -1;
}
