/* SPDX-License-Identifier: MIT */
/* Finding the smallest changes that break one rule and no other. */
#include <string.h>

#include "../base/text.h"
#include "../oracle/env.h"
#include "planner.h"

/* ---- Places ---- */

static void add_change_slot(struct wcts_plan_slots *slots, int instance, struct wcts_ref ref)
{
    if (instance < 0 || slots->count == WCTS_SLOTS_MAX)
        return;
    for (int i = 0; i < slots->count; i++)
        if (slots->slots[i].instance == instance && wcts_model_same_ref(slots->slots[i].ref, ref))
            return;
    slots->slots[slots->count++] = (struct wcts_plan_slot){instance, ref};
}

/* What an expression reads becomes slots of an instance of a world. */
struct plan_slot_reading {
    const struct wcts_world *world;
    int instance;
    struct wcts_plan_slots *slots;
    bool entries; /* of an array that hangs on the instance */
};

static void add_everywhere(const struct wcts_world *world, struct wcts_ref ref,
                           struct wcts_plan_slots *slots)
{
    for (int i = 0; i < world->count; i++)
        if (world->instances[i].structure == ref.structure)
            add_change_slot(slots, i, ref);
}

/* Members of numbered segments are facts of the adapter, and those behind a slash of another call:
 * they stay as they are. */
static void add_slot_read(void *context, struct wcts_ref ref, enum wcts_lang_use use)
{
    struct plan_slot_reading *reading = context;
    const struct wcts_world *world = reading->world;
    const struct wcts_spec *spec = world->eval->spec;
    const struct wcts_member *member = wcts_model_ref_member(spec, ref);
    int nearest = wcts_world_resolve(world, reading->instance, ref.structure);
    if (use == WCTS_USE_NUMBERED || use == WCTS_USE_BEHIND)
        return;
    if (use != WCTS_USE_ALL || nearest == reading->instance)
        add_change_slot(reading->slots, nearest, ref);
    if (use == WCTS_USE_ALL)
        add_everywhere(world, ref, reading->slots);
    if (use == WCTS_USE_ENTRIES && member->count)
        add_change_slot(
            reading->slots, nearest,
            (struct wcts_ref){ref.structure,
                              wcts_model_spec_member(spec, ref.structure, member->count), -1});
    reading->entries = reading->entries || use == WCTS_USE_ENTRIES;
}

static void add_entry_slots(const struct wcts_world *world, int instance,
                            struct wcts_plan_slots *slots)
{
    for (int i = 0; i < world->count; i++)
        if (world->instances[i].parent == instance)
            for (int member = 0; member < 2; member++)
                add_change_slot(slots, i,
                                (struct wcts_ref){world->instances[i].structure, member, -1});
}

/* Operands in the order of enum wcts_attribute. */
static void add_operands(const struct wcts_world *world, const struct wcts_operand *args,
                         int instance, struct wcts_plan_slots *slots)
{
    for (int a = 0; a < WCTS_ARG_COUNT; a++) {
        if (a == WCTS_ARG_FLAGS)
            continue;
        for (int i = 0; i < args[a].count; i++)
            add_change_slot(slots, wcts_world_resolve(world, instance, args[a].refs[i].structure),
                            args[a].refs[i]);
    }
}

/* First the breach, then its conditions: ids name facts in this order. */
void wcts_plan_slots_of(const struct wcts_planner *planner, const struct wcts_world *world,
                        const struct wcts_rule *rule, int instance, struct wcts_plan_slots *slots)
{
    const struct wcts_lang_exprs *exprs = planner->spec->exprs;
    struct plan_slot_reading reading = {world, instance, slots, false};
    if (wcts_model_is_effect(rule->form))
        add_operands(world, rule->arg, instance, slots);
    wcts_lang_reads(exprs, rule->premise, add_slot_read, &reading);
    wcts_lang_reads(exprs, rule->breach.refuse, add_slot_read, &reading);
    wcts_lang_reads(exprs, rule->breach.unless, add_slot_read, &reading);
    for (int i = 0; i < rule->when_count; i++)
        wcts_lang_reads(exprs, rule->when[i].expression, add_slot_read, &reading);
    if (reading.entries)
        add_entry_slots(world, instance, slots);
    slots->own = slots->count;
}

static bool shares_slot(const struct wcts_plan_slots *one, int count,
                        const struct wcts_plan_slots *other)
{
    for (int i = 0; i < count; i++)
        for (int j = 0; j < other->count; j++)
            if (one->slots[i].instance == other->slots[j].instance &&
                one->slots[i].ref.member == other->slots[j].ref.member)
                return true;
    return false;
}

/* Marks the rules that read a member of the places. */
static void mark_sharing(struct wcts_planner *planner, const struct wcts_plan_slots *slots)
{
    const struct wcts_oracle_reads *reads = &planner->reads;
    int rules = planner->spec->rules_count;
    memset(planner->sharing, 0, ((size_t)rules / 64 + 1) * sizeof *planner->sharing);
    for (int i = 0; i < slots->count; i++) {
        struct wcts_ref ref = slots->slots[i].ref;
        int member = planner->eval.first_member[ref.structure] + ref.member;
        for (int r = reads->first[member]; r < reads->first[member + 1]; r++)
            if (reads->readings[r].reader < rules)
                planner->sharing[reads->readings[r].reader / 64] |=
                    UINT64_C(1) << reads->readings[r].reader % 64;
    }
}

static void extend_by_rule(const struct wcts_planner *planner, const struct wcts_world *world,
                           const struct wcts_rule *rule, int own, struct wcts_plan_slots *slots)
{
    for (int i = 0; i < world->count && slots->count < WCTS_SLOTS_MAX; i++) {
        struct wcts_plan_slots other = {0};
        if (world->instances[i].structure != rule->on)
            continue;
        wcts_plan_slots_of(planner, world, rule, i, &other);
        if (!shares_slot(slots, own, &other))
            continue;
        for (int s = 0; s < other.count; s++)
            add_change_slot(slots, other.slots[s].instance, other.slots[s].ref);
    }
}

static bool same_slots(const struct wcts_plan_slots *a, const struct wcts_plan_slots *b)
{
    bool same = a->count == b->count && a->own == b->own;
    for (int i = 0; same && i < a->count; i++)
        same = a->slots[i].instance == b->slots[i].instance &&
               wcts_model_same_ref(a->slots[i].ref, b->slots[i].ref);
    return same;
}

/* Rules that read the same have the same places: the last extension in each base is kept. */
void wcts_plan_slots_extend(struct wcts_planner *planner, const struct wcts_world *world,
                            struct wcts_plan_slots *slots)
{
    struct wcts_plan_extension *kept = &planner->base_worlds[world->base].extension;
    int own = slots->count;
    if (kept->known && same_slots(&kept->from, slots)) {
        *slots = kept->to;
        return;
    }
    kept->known = true;
    kept->from = *slots;
    mark_sharing(planner, slots);
    for (int word = 0; word <= planner->spec->rules_count / 64; word++)
        for (uint64_t left = planner->sharing[word]; left; left &= left - 1)
            extend_by_rule(planner, world, &planner->spec->rules[word * 64 + __builtin_ctzll(left)],
                           own, slots);
    kept->to = *slots;
}

/* ---- Values ---- */

struct plan_candidate_values {
    struct wcts_value *list;
    int count;
    uint64_t most; /* largest value that the member holds */
    struct wcts_value base;
    bool bits; /* the rule is about bits without a flag */
};

static void add_candidate(struct plan_candidate_values *values, struct wcts_value value)
{
    if (values->count == WCTS_VALUES_MAX || (value.symbol < 0 && value.number > values->most))
        return;
    for (int i = 0; i < values->count; i++)
        if (values->list[i].symbol == value.symbol && values->list[i].number == value.number)
            return;
    values->list[values->count++] = value;
}

static void try_number(struct plan_candidate_values *values, uint64_t number)
{
    add_candidate(values, (struct wcts_value){.symbol = -1, .number = number});
}

static void add_near(struct plan_candidate_values *values, uint64_t distance)
{
    struct wcts_value value = values->base;
    value.number = values->base.number + distance;
    add_candidate(values, value);
    if (values->base.number < distance)
        return;
    value.number = values->base.number - distance;
    add_candidate(values, value);
}

/* Both sides of every edge of an alignment. */
static void add_alignment_edges(struct plan_candidate_values *values, uint64_t to)
{
    add_near(values, 1);
    add_near(values, to / 2);
    add_near(values, to - 1);
    add_near(values, to);
    add_near(values, to + 1);
    if (values->base.symbol >= 0)
        return;
    try_number(values, 0);
    try_number(values, to / 2);
    try_number(values, UINT64_C(0x100000000));
    try_number(values, UINT64_C(0x100000001));
    try_number(values, UINT64_MAX - to + 1);
    try_number(values, UINT64_MAX);
}

static void add_limit_edges(struct plan_candidate_values *values, uint64_t limit)
{
    try_number(values, limit);
    try_number(values, limit + 1);
    if (limit)
        try_number(values, limit - 1);
    try_number(values, UINT64_C(0x100000000));
    try_number(values, UINT64_MAX);
}

static void add_zero_edges(struct plan_candidate_values *values)
{
    try_number(values, 0);
    try_number(values, 1);
    try_number(values, values->most);
}

/* The edges of a rule's breach, about an instance of a world. */
struct plan_edge_search {
    struct plan_candidate_values *values;
    const struct wcts_lang_exprs *exprs;
    const struct wcts_rule *rule;
    struct wcts_lang_env env;
    int instance;
};

/* That a member is 0 is a fact among others, unless the rule is about nothing else. */
static void add_condition_edges(void *context, int condition)
{
    const struct plan_edge_search *search = context;
    const struct wcts_lang_rule *breach = &search->rule->breach;
    struct wcts_lang_edge edge = wcts_lang_edge(search->exprs, condition);
    uint64_t value =
        (uint64_t)wcts_lang_value(search->exprs, edge.value, &search->env, search->instance).number;
    if (edge.kind == WCTS_EDGE_MULTIPLE)
        add_alignment_edges(search->values, value);
    else if (edge.kind == WCTS_EDGE_LIMIT)
        add_limit_edges(search->values, value);
    else if (edge.kind == WCTS_EDGE_ZERO && condition == breach->refuse && !breach->unless)
        add_zero_edges(search->values);
}

static void add_rule_edges(struct plan_candidate_values *values, const struct wcts_world *world,
                           const struct wcts_rule *rule, int instance, uint32_t page_size)
{
    const struct wcts_lang_exprs *exprs = world->eval->spec->exprs;
    struct plan_edge_search search = {values, exprs, rule, wcts_world_env(world), instance};
    search.env.page_size = page_size;
    wcts_lang_conditions(exprs, rule->breach.refuse, add_condition_edges, &search);
    wcts_lang_conditions(exprs, rule->breach.unless, add_condition_edges, &search);
}

/* Notes whether a condition is about bits that have no flag. */
static void note_bits(void *context, int condition)
{
    const struct plan_edge_search *search = context;
    if (wcts_lang_edge(search->exprs, condition).kind == WCTS_EDGE_BITS)
        search->values->bits = true;
}

/* Single bits that some version does not define. */
static void add_undefined_bits(struct plan_candidate_values *values,
                               const struct wcts_planner *planner, int word)
{
    for (int bit = 0; bit < planner->spec->words[word].bits; bit++) {
        bool always = true;
        for (int v = 0; v < planner->spec->versions_count; v++)
            always =
                always && (wcts_oracle_eval_masks(&planner->eval, word, v)->defined >> bit & 1);
        if (!always)
            try_number(values, values->base.number | UINT64_C(1) << bit);
    }
}

static bool add_domain_candidates(struct plan_candidate_values *values,
                                  const struct wcts_cases *cases, struct wcts_ref ref)
{
    for (int i = 0; i < cases->domains_count; i++) {
        if (!wcts_model_same_ref(cases->domains[i].of, ref))
            continue;
        for (int j = 0; j < cases->domains[i].value_count; j++)
            add_candidate(values, cases->domains[i].values[j]);
        return cases->domains[i].only;
    }
    return false;
}

int wcts_plan_candidates(const struct wcts_planner *planner, const struct wcts_world *pristine,
                         const struct wcts_rule *rule, const struct wcts_plan_slot *slot,
                         uint32_t page_size, struct wcts_value *list)
{
    const struct wcts_member *member = wcts_model_ref_member(planner->spec, slot->ref);
    struct plan_candidate_values values = {.list = list, .most = UINT64_MAX};
    values.base = wcts_world_get(pristine, slot->instance, slot->ref);
    if (slot->ref.flag >= 0) {
        try_number(&values, values.base.number ? 0 : 1);
        return values.count;
    }
    if (member->width < 8)
        values.most = (UINT64_C(1) << (8 * member->width)) - 1;
    wcts_lang_conditions(
        planner->spec->exprs, rule->breach.refuse, note_bits,
        &(struct plan_edge_search){.values = &values, .exprs = planner->spec->exprs});
    if (values.bits && member->word >= 0) {
        add_undefined_bits(&values, planner, member->word);
        return values.count;
    }
    if (!add_domain_candidates(&values, planner->spec->cases, slot->ref) &&
        values.base.symbol != WCTS_SYMBOL_AUTO && member->type != WCTS_TYPE_HANDLE)
        add_rule_edges(&values, pristine, rule, slot->instance, page_size);
    return values.count;
}

/* ---- Evidence ---- */

bool wcts_plan_breaks_alone(const struct wcts_planner *planner, int rule,
                            const struct wcts_oracle_prediction *prediction)
{
    const struct wcts_rule *one = &planner->spec->rules[rule];
    bool found = false;
    for (int i = 0; i < prediction->broken_count; i++) {
        if (prediction->broken[i] == rule)
            found = true;
        else if (!planner->with_masks ||
                 !wcts_list_has(one->masked_by, planner->spec->rules[prediction->broken[i]].id))
            return false;
    }
    return found;
}

static bool breaks_rule(int rule, const struct wcts_oracle_prediction *prediction)
{
    for (int i = 0; i < prediction->broken_count; i++)
        if (prediction->broken[i] == rule)
            return true;
    return false;
}

/* A refusal is evidence for the rule if it is the only broken must; advice of other rules does not
 * matter. */
bool wcts_plan_is_evidence(const struct wcts_planner *planner, int rule,
                           const struct wcts_oracle_prediction *prediction)
{
    const struct wcts_rule *one = &planner->spec->rules[rule];
    if (wcts_model_is_effect(one->form))
        return one->arg[WCTS_ARG_REFUSED].given ? prediction->must_broken > 0
                                                : prediction->expect == WCTS_EXPECT_ACCEPT;
    if (prediction->must_broken == 0)
        return prediction->broken_count == 0 || one->form == WCTS_FORM_LAYOUT ||
               breaks_rule(rule, prediction);
    if (one->form == WCTS_FORM_LAYOUT)
        return prediction->must_broken == 1;
    return wcts_plan_breaks_alone(planner, rule, prediction) ||
           (breaks_rule(rule, prediction) && prediction->must_broken == 1 &&
            one->outcome != WCTS_OUTCOME_EITHER);
}

/* ---- Search ---- */

/* The most ways to break a rule that are kept of a base, from one instance. */
#define SOLUTIONS_A_BASE 24

struct plan_solution_search {
    struct wcts_planner *planner;
    int rule, base, instance, version;
    uint32_t page_size;
    struct wcts_plan_solution *solutions;
    int room, count;
    int mask;
};

/* Keeps a change that breaks the rule alone. */
static void try_solution(struct plan_solution_search *search, const struct wcts_plan_change *change)
{
    struct wcts_planner *planner = search->planner;
    const struct wcts_rule *rule = &planner->spec->rules[search->rule];
    const struct wcts_world *world = wcts_plan_base_world_with(
        planner, search->base, search->version, search->page_size, change);
    struct wcts_oracle_prediction prediction;
    if (search->count == search->room || !world->instances[search->instance].present ||
        wcts_oracle_rule_ask(world, rule, search->instance) != WCTS_FALSE)
        return;
    wcts_plan_base_world_predict(planner, search->base, search->version, search->page_size, change,
                                 &prediction);
    if (wcts_plan_breaks_alone(planner, search->rule, &prediction))
        search->solutions[search->count++] =
            (struct wcts_plan_solution){search->base, search->instance, *change};
    else if (search->mask < 0)
        for (int i = 0; i < prediction.broken_count; i++)
            if (prediction.broken[i] != search->rule)
                search->mask = prediction.broken[i];
}

/* Tries changes of depth facts from first on, at least one of them the rule's own. */
static void try_solution_depth(struct plan_solution_search *search,
                               const struct wcts_plan_slots *slots, int first, int depth,
                               const struct wcts_plan_change *so_far)
{
    struct wcts_value values[WCTS_VALUES_MAX];
    const struct wcts_world *pristine = &search->planner->base_worlds[search->base].pristine;
    if (depth == 0) {
        try_solution(search, so_far);
        return;
    }
    for (int i = first; i < slots->count && search->count < search->room; i++) {
        int count;
        if (so_far->count == 0 && i >= slots->own)
            return;
        count = wcts_plan_candidates(search->planner, pristine,
                                     &search->planner->spec->rules[search->rule], &slots->slots[i],
                                     search->page_size, values);
        for (int j = 0; j < count; j++) {
            struct wcts_plan_change change = *so_far;
            if (wcts_plan_change_add(&change, slots->slots[i].instance, slots->slots[i].ref,
                                     values[j]))
                try_solution_depth(search, slots, i + 1, depth - 1, &change);
        }
    }
}

/* deep: also facts of rules that read the same members, up to three at a time. */
static void search_instance(struct plan_solution_search *search, bool deep)
{
    const struct wcts_world *pristine = &search->planner->base_worlds[search->base].pristine;
    const struct wcts_plan_change none = {0};
    struct wcts_plan_slots slots = {0};
    wcts_plan_slots_of(search->planner, pristine, &search->planner->spec->rules[search->rule],
                       search->instance, &slots);
    if (!deep) {
        for (int depth = 1; depth <= 2; depth++)
            try_solution_depth(search, &slots, 0, depth, &none);
        return;
    }
    wcts_plan_slots_extend(search->planner, pristine, &slots);
    for (int depth = 2; depth <= 3 && search->count == 0; depth++)
        try_solution_depth(search, &slots, 0, depth, &none);
}

/* The answers of one adapter are the same in every base that uses it. */
static bool answered_before(const struct wcts_planner *planner, int base, int instance)
{
    const struct wcts_base *bases = planner->spec->cases->bases;
    if (instance >= planner->base_worlds[base].pristine.adapter_count)
        return false;
    for (int i = 0; i < base; i++)
        if (bases[i].adapter == bases[base].adapter)
            return true;
    return false;
}

static void search_bases(struct plan_solution_search *search, bool deep)
{
    const struct wcts_spec *spec = search->planner->spec;
    int room = search->room;
    for (int base = 0; base < spec->cases->bases_count; base++) {
        const struct wcts_world *pristine = &search->planner->base_worlds[base].pristine;
        int before = search->count;
        if (search->version < spec->cases->bases[base].since ||
            search->version >= spec->cases->bases[base].until)
            continue;
        for (int i = 0; i < pristine->count && search->count == before; i++) {
            if (pristine->instances[i].structure != spec->rules[search->rule].on ||
                answered_before(search->planner, base, i))
                continue;
            search->base = base;
            search->instance = i;
            search->room = before + SOLUTIONS_A_BASE < room ? before + SOLUTIONS_A_BASE : room;
            search_instance(search, deep);
        }
    }
}

int wcts_plan_solve(struct wcts_planner *planner, int rule, int version,
                    struct wcts_plan_solution *solutions, int room, int *mask)
{
    struct plan_solution_search search = {.planner = planner,
                                          .rule = rule,
                                          .version = version,
                                          .page_size = 4096,
                                          .solutions = solutions,
                                          .room = room,
                                          .mask = -1};
    search_bases(&search, false);
    search.room = room;
    if (search.count == 0)
        search_bases(&search, true);
    *mask = search.mask;
    return search.count;
}

/* ---- Setting a fact without breaking a rule ---- */

bool wcts_plan_is_accepted(struct wcts_planner *planner, int base, int version,
                           const struct wcts_plan_change *change,
                           struct wcts_oracle_prediction *prediction)
{
    wcts_plan_base_world_predict(planner, base, version, 4096, change, prediction);
    return prediction->expect == WCTS_EXPECT_ACCEPT;
}

static bool flip_flags(struct wcts_planner *planner, int base, int version,
                       const struct wcts_plan_slots *slots, int first, int depth,
                       struct wcts_plan_change *change)
{
    struct wcts_oracle_prediction prediction;
    if (depth == 0)
        return wcts_plan_is_accepted(planner, base, version, change, &prediction);
    for (int i = first; i < slots->count; i++) {
        struct wcts_plan_change more = *change;
        struct wcts_value flipped = wcts_world_get(&planner->base_worlds[base].pristine,
                                                   slots->slots[i].instance, slots->slots[i].ref);
        if (slots->slots[i].ref.flag < 0)
            continue;
        flipped.number = !flipped.number;
        if (wcts_plan_change_add(&more, slots->slots[i].instance, slots->slots[i].ref, flipped) &&
            flip_flags(planner, base, version, slots, i + 1, depth - 1, &more)) {
            *change = more;
            return true;
        }
    }
    return false;
}

bool wcts_plan_find_accepted_with(struct wcts_planner *planner, int base, int version,
                                  const struct wcts_plan_slot *slot, struct wcts_value value,
                                  struct wcts_plan_change *change,
                                  struct wcts_oracle_prediction *best)
{
    const struct wcts_world *pristine = &planner->base_worlds[base].pristine;
    struct wcts_value now = wcts_world_get(pristine, slot->instance, slot->ref);
    struct wcts_plan_slots slots = {0};
    *change = (struct wcts_plan_change){0};
    if (now.number != value.number || now.symbol != value.symbol)
        wcts_plan_change_add(change, slot->instance, slot->ref, value);
    if (wcts_plan_is_accepted(planner, base, version, change, best))
        return true;
    add_change_slot(&slots, slot->instance, slot->ref);
    wcts_plan_slots_extend(planner, pristine, &slots);
    for (int depth = 1; depth <= 2; depth++)
        if (flip_flags(planner, base, version, &slots, 1, depth, change))
            return true;
    return false;
}
