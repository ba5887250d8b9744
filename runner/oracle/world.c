/* SPDX-License-Identifier: MIT */
#include "world.h"

#include <stdlib.h>
#include <string.h>

#include "../base/array.h"

static const struct wcts_ref no_ref = {-1, -1, -1};

/* ---- Masks and the index of rules ---- */

static void fill_masks(const struct wcts_word *word, int version, struct wcts_oracle_masks *masks)
{
    for (int i = 0; i < word->flag_count; i++) {
        const struct wcts_flag *flag = &word->flags[i];
        uint64_t bit = UINT64_C(1) << flag->bit;
        if (version >= flag->since && version < flag->until)
            masks->defined |= bit;
        else if (flag->gate >= 0 && version < flag->since)
            masks->gated |= bit;
        if (version >= flag->open_since && version < flag->open_until)
            masks->open |= bit;
    }
}

static void index_rules(struct wcts_eval *eval)
{
    const struct wcts_spec *spec = eval->spec;
    int next = 0;
    for (int structure = 0; structure < spec->structures_count; structure++) {
        eval->first[structure] = next;
        for (int i = 0; i < spec->rules_count; i++)
            if (spec->rules[i].on == structure && wcts_model_is_asked(spec->rules[i].form))
                eval->rules[next++] = i;
    }
    eval->first[spec->structures_count] = next;
}

/* Members that share storage (unions) lead to each other in a ring. */
static bool index_members(struct wcts_eval *eval)
{
    const struct wcts_spec *spec = eval->spec;
    int total = 0;
    eval->first_member = calloc((size_t)spec->structures_count + 1, sizeof *eval->first_member);
    for (int s = 0; s < spec->structures_count; s++)
        total += spec->structures[s].member_count;
    eval->shared = calloc((size_t)total + 1, sizeof *eval->shared);
    if (!eval->first_member || !eval->shared)
        return false;
    total = 0;
    for (int s = 0; s < spec->structures_count; s++) {
        const struct wcts_structure *one = &spec->structures[s];
        eval->first_member[s] = total;
        for (int i = 0; i < one->member_count; i++) {
            int next = i;
            do
                next = (next + 1) % one->member_count;
            while (one->members[next].offset != one->members[i].offset ||
                   one->members[next].width != one->members[i].width);
            eval->shared[total + i] = next;
        }
        total += one->member_count;
    }
    return true;
}

static bool may_be_open(const struct wcts_spec *spec, int structure)
{
    for (int i = 0; i < spec->opens_count; i++)
        if (spec->opens[i].on == structure)
            return true;
    for (int m = 0; m < spec->structures[structure].member_count; m++) {
        int word = spec->structures[structure].members[m].word;
        for (int f = 0; word >= 0 && f < spec->words[word].flag_count; f++)
            if (spec->words[word].flags[f].open_since < spec->words[word].flags[f].open_until)
                return true;
    }
    return false;
}

/* A gate binds at the versions before its flag, except where the bit is open. */
bool wcts_oracle_rule_binds(const struct wcts_spec *spec, const struct wcts_rule *rule, int version)
{
    if (rule->form == WCTS_FORM_GATE) {
        struct wcts_ref ref = rule->gate;
        const struct wcts_flag *flag =
            &spec->words[wcts_model_ref_member(spec, ref)->word].flags[ref.flag];
        bool open = version >= flag->open_since && version < flag->open_until;
        return version < flag->since && !open;
    }
    return version >= rule->since && version < rule->until;
}

static bool index_answers(struct wcts_eval *eval)
{
    const struct wcts_spec *spec = eval->spec;
    size_t versions = (size_t)spec->versions_count;
    eval->binds = calloc((size_t)spec->rules_count * versions + 1, sizeof *eval->binds);
    eval->left_open = calloc((size_t)spec->structures_count + 1, sizeof *eval->left_open);
    if (!eval->binds || !eval->left_open)
        return false;
    for (int r = 0; r < spec->rules_count; r++)
        for (int v = 0; v < spec->versions_count; v++)
            eval->binds[(size_t)r * versions + (size_t)v] =
                wcts_oracle_rule_binds(spec, &spec->rules[r], v);
    for (int s = 0; s < spec->structures_count; s++)
        eval->left_open[s] = may_be_open(spec, s);
    return true;
}

/* The states of a reservation's pages: those of its kind, except in areas. */
static uint8_t *states_of(const struct wcts_cases *cases, int reservation)
{
    const struct wcts_symbol *symbol = &cases->symbols[reservation];
    size_t count = (size_t)(symbol->size / WCTS_GPU_PAGE);
    uint8_t *states = malloc(count + 1);
    if (!states)
        return NULL;
    memset(states, strcmp(symbol->kind_name, "zero") == 0 ? WCTS_STATE_ZERO : WCTS_STATE_INVALID,
           count + 1);
    for (int i = cases->symbols_count - 1; i >= 0; i--) {
        const struct wcts_symbol *area = &cases->symbols[i];
        if (area->kind != WCTS_SYMBOL_AREA || area->of != reservation)
            continue;
        for (uint64_t at = 0; at < area->size; at += WCTS_GPU_PAGE)
            if ((area->offset + at) / WCTS_GPU_PAGE < count)
                states[(area->offset + at) / WCTS_GPU_PAGE] = (uint8_t)area->state;
    }
    return states;
}

static bool index_pages(struct wcts_eval *eval)
{
    const struct wcts_cases *cases = eval->spec->cases;
    eval->page_states = calloc((size_t)cases->symbols_count + 1, sizeof *eval->page_states);
    for (int i = 0; eval->page_states && i < cases->symbols_count; i++)
        if (cases->symbols[i].kind == WCTS_SYMBOL_RESERVATION &&
            strcmp(cases->symbols[i].kind_name, "free") != 0) {
            eval->page_states[i] = states_of(cases, i);
            if (!eval->page_states[i])
                return false;
        }
    return eval->page_states != NULL;
}

bool wcts_oracle_eval_init(struct wcts_eval *eval, const struct wcts_spec *spec)
{
    size_t words = (size_t)spec->words_count * (size_t)spec->versions_count;
    *eval = (struct wcts_eval){.spec = spec};
    eval->masks = calloc(words + 1, sizeof *eval->masks);
    eval->rules = calloc((size_t)spec->rules_count + 1, sizeof *eval->rules);
    eval->first = calloc((size_t)spec->structures_count + 1, sizeof *eval->first);
    if (!index_members(eval) || !index_answers(eval) || !index_pages(eval) || !eval->masks ||
        !eval->rules || !eval->first) {
        wcts_oracle_eval_release(eval);
        return false;
    }
    for (int word = 0; word < spec->words_count; word++)
        for (int version = 0; version < spec->versions_count; version++)
            fill_masks(&spec->words[word], version,
                       &eval->masks[word * spec->versions_count + version]);
    index_rules(eval);
    return true;
}

void wcts_oracle_eval_release(struct wcts_eval *eval)
{
    free(eval->masks);
    free(eval->rules);
    free(eval->first);
    free(eval->shared);
    free(eval->binds);
    free(eval->left_open);
    for (int i = 0; eval->page_states && i < eval->spec->cases->symbols_count; i++)
        free(eval->page_states[i]);
    free(eval->page_states);
    free(eval->first_member);
    *eval = (struct wcts_eval){0};
}

const struct wcts_oracle_masks *wcts_oracle_eval_masks(const struct wcts_eval *eval, int word,
                                                       int version)
{
    return &eval->masks[word * eval->spec->versions_count + version];
}

/* ---- Worlds ---- */

void wcts_world_init(struct wcts_world *world, const struct wcts_eval *eval, int version,
                     uint32_t page_size)
{
    *world =
        (struct wcts_world){.eval = eval, .version = version, .page_size = page_size, .base = -1};
}

void wcts_world_release(struct wcts_world *world)
{
    for (int i = 0; i < world->count; i++)
        free(world->instances[i].values);
    free(world->instances);
    world->instances = NULL;
    world->count = 0;
}

int wcts_world_add(struct wcts_world *world, int structure, const char *name, int parent,
                   struct wcts_ref at)
{
    int members = world->eval->spec->structures[structure].member_count;
    struct wcts_oracle_world_instance *one = WCTS_ARRAY_ADD(world->instances, world->count);
    if (!one)
        return -1;
    *one = (struct wcts_oracle_world_instance){.structure = structure,
                                               .parent = parent,
                                               .at = at,
                                               .when = no_ref,
                                               .present = true,
                                               .name = name};
    one->values = malloc(((size_t)members + 1) * sizeof *one->values);
    if (!one->values) {
        world->count--;
        return -1;
    }
    for (int i = 0; i < members; i++)
        one->values[i] = (struct wcts_value){.symbol = -1};
    return world->count - 1;
}

static bool add_template(struct wcts_world *world, const struct wcts_instance *from, int first)
{
    int parent = from->at.structure < 0 ? -1 : first + from->at_instance;
    int index = wcts_world_add(world, from->structure, from->name, parent, from->at);
    if (index < 0)
        return false;
    world->instances[index].when = from->when;
    world->instances[index].unless = from->unless;
    world->instances[index].least = from->least;
    for (int i = 0; i < from->set_count; i++)
        wcts_world_put(world, index, from->sets[i].ref, from->sets[i].value);
    return true;
}

/* Members that share storage hold one value. */
static void put_shared(struct wcts_world *world, int instance, int member, struct wcts_value value)
{
    struct wcts_oracle_world_instance *one = &world->instances[instance];
    const int *shared = world->eval->shared + world->eval->first_member[one->structure];
    int next = member;
    do {
        one->values[next] = value;
        next = shared[next];
    } while (next != member);
}

void wcts_world_put(struct wcts_world *world, int instance, struct wcts_ref ref,
                    struct wcts_value value)
{
    if (ref.flag >= 0) {
        const struct wcts_spec *spec = world->eval->spec;
        const struct wcts_member *member = wcts_model_ref_member(spec, ref);
        uint64_t bit = UINT64_C(1) << spec->words[member->word].flags[ref.flag].bit;
        uint64_t old = world->instances[instance].values[ref.member].number;
        value = (struct wcts_value){.symbol = -1, .number = value.number ? old | bit : old & ~bit};
    }
    put_shared(world, instance, ref.member, value);
}

struct wcts_value wcts_world_get(const struct wcts_world *world, int instance, struct wcts_ref ref)
{
    struct wcts_value value = world->instances[instance].values[ref.member];
    if (ref.flag >= 0) {
        const struct wcts_spec *spec = world->eval->spec;
        const struct wcts_member *member = wcts_model_ref_member(spec, ref);
        value.number = value.number >> spec->words[member->word].flags[ref.flag].bit & 1;
        value.symbol = -1;
    }
    return value;
}

/* A companion is present if its flag says so; a pointer to one is not null, unless the case sets a
 * number. */
void wcts_world_settle(struct wcts_world *world)
{
    for (int i = 0; i < world->count; i++) {
        struct wcts_oracle_world_instance *one = &world->instances[i];
        if (one->when.structure >= 0) {
            int owner = wcts_world_resolve(world, i, one->when.structure);
            bool set = owner >= 0 &&
                       wcts_world_get(world, owner, one->when).number >= (uint64_t)one->least;
            one->present = set != one->unless;
        }
        /* Answers belong to a message, but to no pointer of the cases. */
        if (one->parent >= 0 && one->at.structure >= 0) {
            struct wcts_value *pointer = &world->instances[one->parent].values[one->at.member];
            if (!world->instances[one->parent].present)
                one->present = false;
            if (one->present && pointer->symbol == WCTS_SYMBOL_AUTO)
                pointer->number = 1;
        }
    }
}

/* Pointers to companions, of the instances from one on, get their value when the message is built.
 */
static void point_at_companions(struct wcts_world *world, int first)
{
    const struct wcts_value automatic = {.symbol = WCTS_SYMBOL_AUTO, .number = 0};
    for (int i = first; i < world->count; i++)
        if (world->instances[i].at.structure >= 0)
            put_shared(world, world->instances[i].parent, world->instances[i].at.member, automatic);
    wcts_world_settle(world);
}

bool wcts_world_add_step(struct wcts_world *world, const struct wcts_step *step)
{
    int first = world->count;
    bool good = true;
    for (int i = 0; good && i < step->instance_count; i++)
        good = add_template(world, &step->instances[i], first);
    point_at_companions(world, first);
    return good;
}

void wcts_world_put_flags(struct wcts_world *world, int first, const struct wcts_step *step,
                          const struct wcts_symbols *symbols)
{
    for (int i = 0; i < step->instance_count; i++)
        for (int j = 0; j < step->instances[i].set_count; j++) {
            const struct wcts_set *set = &step->instances[i].sets[j];
            const struct wcts_value value = {
                .symbol = -1,
                .number = wcts_model_value_resolve(world->eval->spec, symbols, set->value)};
            if (set->ref.flag >= 0 && set->value.symbol >= 0)
                wcts_world_put(world, first + i, set->ref, value);
        }
    wcts_world_settle(world);
}

bool wcts_world_init_adapter(struct wcts_world *world, const struct wcts_eval *eval, int adapter,
                             int version, uint32_t page_size)
{
    const struct wcts_adapter *from = &eval->spec->cases->adapters[adapter];
    bool good = true;
    wcts_world_init(world, eval, version, page_size);
    for (int i = 0; good && i < from->instance_count; i++)
        good = add_template(world, &from->instances[i], 0);
    world->adapter_count = world->count;
    point_at_companions(world, 0);
    return good;
}

bool wcts_world_init_base(struct wcts_world *world, const struct wcts_eval *eval, int base,
                          int version, uint32_t page_size)
{
    const struct wcts_cases *cases = eval->spec->cases;
    const struct wcts_base *from = &cases->bases[base];
    const struct wcts_adapter *adapter = &cases->adapters[from->adapter];
    const struct wcts_step *step = &cases->steps[from->step];
    bool good = true;
    wcts_world_init(world, eval, version, page_size);
    world->base = base;
    for (int i = 0; good && i < adapter->instance_count; i++)
        good = add_template(world, &adapter->instances[i], 0);
    world->adapter_count = world->count;
    for (int i = 0; good && i < step->instance_count; i++)
        good = add_template(world, &step->instances[i], world->adapter_count);
    point_at_companions(world, 0);
    return good;
}

void wcts_oracle_unsettle(struct wcts_world *world)
{
    for (int i = 0; i < world->count; i++) {
        struct wcts_oracle_world_instance *one = &world->instances[i];
        one->present = true;
        if (one->parent >= 0 && one->at.structure >= 0 &&
            world->instances[one->parent].values[one->at.member].symbol == WCTS_SYMBOL_AUTO)
            world->instances[one->parent].values[one->at.member].number = 0;
    }
}

void wcts_oracle_alone(struct wcts_world *world, int instance)
{
    for (int i = 0; i < world->adapter_count; i++)
        if (i != instance && instance < world->adapter_count &&
            world->instances[i].structure == world->instances[instance].structure)
            world->instances[i].present = false;
    wcts_world_settle(world);
}

int wcts_world_resolve(const struct wcts_world *world, int instance, int structure)
{
    if (world->instances[instance].structure == structure)
        return instance;
    for (int i = instance - 1; i >= 0; i--)
        if (world->instances[i].structure == structure && world->instances[i].present)
            return i;
    for (int i = instance + 1; i < world->count; i++)
        if (world->instances[i].structure == structure && world->instances[i].present)
            return i;
    return -1;
}

bool wcts_oracle_case_world(struct wcts_world *world, const struct wcts_eval *eval,
                            const struct wcts_case *test, const struct wcts_fact *facts, int count)
{
    if (!wcts_world_init_base(world, eval, test->base, test->version, test->page_size))
        return false;
    for (int i = 0; i < count; i++)
        wcts_world_put(world, facts[i].instance, facts[i].ref, facts[i].value);
    if (test->alone)
        wcts_oracle_alone(world, test->alone - 1);
    wcts_world_settle(world);
    return true;
}
