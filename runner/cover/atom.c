/* SPDX-License-Identifier: MIT */
/* The conditions of a rule, and whether they are true. */
#include "atom.h"

#include <string.h>

#include "../lang/functions.h"
#include "../oracle/env.h"

/* ---- the conditions of a rule ---- */

static void add_atom(struct wcts_cover_atoms *atoms, enum wcts_cover_atom_kind kind,
                     struct wcts_ref ref, int number)
{
    if (atoms->count < WCTS_ATOMS_MAX)
        atoms->list[atoms->count++] =
            (struct wcts_cover_atom){.kind = kind, .ref = ref, .number = number};
}

/* Collects the atoms of a rule's breach. */
struct cover_atom_search {
    const struct wcts_spec *spec;
    const struct wcts_rule *rule;
    struct wcts_cover_atoms *atoms;
    int entries; /* the structure of a table's elements, -1: there is no table */
};

/* An operand is there once, and so is the flag that two conditions read. */
static void add_operand_atom(void *context, struct wcts_ref ref, enum wcts_lang_use use)
{
    struct cover_atom_search *search = context;
    const char *elements = wcts_model_ref_member(search->spec, ref)->elements;
    if (use == WCTS_USE_NUMBERED || use == WCTS_USE_BEHIND)
        return;
    search->atoms->whole = true;
    if (use == WCTS_USE_ENTRIES && elements)
        search->entries = wcts_model_spec_structure(search->spec, elements);
    for (int i = 0; i < search->atoms->count; i++)
        if (search->atoms->list[i].kind == WCTS_ATOM_OPERAND &&
            wcts_model_same_ref(search->atoms->list[i].ref, ref))
            return;
    if (use != WCTS_USE_ENTRIES)
        add_atom(search->atoms, WCTS_ATOM_OPERAND, ref, 0);
}

static bool is_others(const struct wcts_lang_node *call)
{
    return call->op == WCTS_OP_CALL && wcts_functions[call->b].params[0] == WCTS_EXPR_BIT;
}

static void note_ref(void *context, struct wcts_ref ref, enum wcts_lang_use use)
{
    struct wcts_ref *first = context;
    (void)use;
    if (first->structure < 0)
        *first = ref;
}

/* What kind of atom a condition is. A member that is compared with 0 is a fact among others, unless
 * the rule is about nothing else. */
static enum wcts_cover_atom_kind kind_of_condition(const struct cover_atom_search *search,
                                                   int condition)
{
    const struct wcts_lang_exprs *exprs = search->spec->exprs;
    const struct wcts_lang_rule *breach = &search->rule->breach;
    const struct wcts_lang_node *node = &exprs->nodes[condition];
    const struct wcts_lang_edge edge = wcts_lang_edge(exprs, condition);
    bool number = edge.of && exprs->nodes[edge.of].type == WCTS_EXPR_NUMBER;
    if (node->op == WCTS_OP_MEMBER)
        return WCTS_ATOM_FACT;
    if (edge.kind == WCTS_EDGE_ZERO && condition != breach->refuse &&
        exprs->nodes[edge.of].type != WCTS_EXPR_SEGMENTS)
        return WCTS_ATOM_FACT;
    if (edge.kind == WCTS_EDGE_LIMIT && number &&
        (node->op == WCTS_OP_LT || node->op == WCTS_OP_LE))
        return WCTS_ATOM_BELOW;
    if (edge.kind == WCTS_EDGE_LIMIT && number &&
        (node->op == WCTS_OP_GT || node->op == WCTS_OP_GE))
        return WCTS_ATOM_ABOVE;
    return is_others(node) ? WCTS_ATOM_OTHERS : WCTS_ATOM_OPERAND;
}

static void add_condition_atoms(void *context, int condition)
{
    struct cover_atom_search *search = context;
    const struct wcts_lang_exprs *exprs = search->spec->exprs;
    enum wcts_cover_atom_kind kind = kind_of_condition(search, condition);
    struct wcts_ref ref = {-1, -1, -1};
    if (kind == WCTS_ATOM_OPERAND) {
        wcts_lang_reads(exprs, condition, add_operand_atom, search);
        return;
    }
    wcts_lang_reads(exprs, condition, note_ref, &ref);
    add_atom(search->atoms, kind, ref, condition);
    if (kind != WCTS_ATOM_BELOW && kind != WCTS_ATOM_ABOVE)
        return;
    search->atoms->whole = true;
    wcts_lang_reads(exprs, exprs->nodes[condition].b, add_operand_atom, search);
}

/* The entries of a table: the begin and the length of each. */
static void add_entry_atoms(const struct cover_atom_search *search)
{
    struct wcts_ref ref = {search->entries, 0, -1};
    for (; ref.structure >= 0 && ref.member < 2; ref.member++)
        add_atom(search->atoms, WCTS_ATOM_OPERAND, ref, 0);
}

/* The members of a structure or the flags of a word; for a set of segments, the members that name
 * segments. */
static void add_layout(const struct wcts_spec *spec, const struct wcts_rule *rule,
                       struct wcts_cover_atoms *atoms)
{
    const struct wcts_operand *only = &rule->arg[WCTS_ARG_FACT];
    struct wcts_ref ref = {rule->on, -1, -1}, member;
    for (int i = 0; i < rule->at_count && !rule->layout_sets; i++) {
        ref.member = rule->at[i].member;
        add_atom(atoms, WCTS_ATOM_PLACE, ref, 0);
    }
    for (int i = 0; rule->layout_sets && i < spec->rules_count; i++)
        if (spec->rules[i].on == rule->on &&
            wcts_lang_subset(spec->exprs, &spec->rules[i].breach, &member, &ref))
            add_atom(atoms, WCTS_ATOM_PLACE, ref, 0);
    if (rule->word < 0 || rule->layout_sets)
        return;
    ref = rule->arg[WCTS_ARG_MEMBER].refs[0];
    for (ref.flag = 0; ref.flag < spec->words[rule->word].flag_count; ref.flag++)
        if (!only->given || only->refs[0].flag == ref.flag)
            add_atom(atoms, WCTS_ATOM_PLACE, ref, 0);
}

void wcts_cover_atoms_of(const struct wcts_spec *spec, const struct wcts_rule *rule,
                         struct wcts_cover_atoms *atoms)
{
    const struct wcts_ref none = {-1, -1, -1};
    struct cover_atom_search search = {spec, rule, atoms, -1};
    atoms->count = 0;
    atoms->whole = false;
    for (int i = 0; i < rule->when_count; i++)
        add_atom(atoms, WCTS_ATOM_WHEN, none, i);
    wcts_lang_conditions(spec->exprs, rule->premise, add_condition_atoms, &search);
    wcts_lang_conditions(spec->exprs, rule->breach.refuse, add_condition_atoms, &search);
    wcts_lang_conditions(spec->exprs, rule->breach.unless, add_condition_atoms, &search);
    add_entry_atoms(&search);
    if (rule->form == WCTS_FORM_GATE)
        add_atom(atoms, WCTS_ATOM_VERSION, none, 0);
    if (rule->form == WCTS_FORM_LAYOUT)
        add_layout(spec, rule, atoms);
}

/* ---- as text ---- */

const char *wcts_cover_atom_text(struct wcts_arena *arena, const struct wcts_spec *spec,
                                 const struct wcts_rule *rule, const struct wcts_cover_atom *atom)
{
    static const char *const formats[] = {
        [WCTS_ATOM_FACT] = "%s",
        [WCTS_ATOM_OTHERS] = "another flag beside %s",
        [WCTS_ATOM_BELOW] = "%s below the least",
        [WCTS_ATOM_ABOVE] = "%s above the most",
        [WCTS_ATOM_OPERAND] = "the value of %s",
        [WCTS_ATOM_PLACE] = "the place of %s",
    };
    const char *name;
    if (atom->kind == WCTS_ATOM_WHEN)
        return wcts_arena_format(arena, "when %s", rule->when[atom->number].text);
    if (atom->kind == WCTS_ATOM_VERSION)
        return "the version";
    name = wcts_model_ref_name(arena, spec, atom->ref);
    if (atom->ref.structure != rule->on)
        return wcts_arena_format(
            arena, formats[atom->kind],
            wcts_arena_format(arena, "%s.%s", spec->structures[atom->ref.structure].name, name));
    return wcts_arena_format(arena, formats[atom->kind], name);
}

/* ---- true or false ---- */

bool wcts_cover_atom_is_boolean(const struct wcts_cover_atom *atom)
{
    return atom->kind != WCTS_ATOM_OPERAND && atom->kind != WCTS_ATOM_PLACE &&
           atom->kind != WCTS_ATOM_VERSION;
}

bool wcts_cover_atom_true(const struct wcts_world *world, const struct wcts_rule *rule,
                          int instance, const struct wcts_cover_atom *atom)
{
    struct wcts_lang_env env;
    if (atom->kind == WCTS_ATOM_WHEN)
        return wcts_oracle_condition_holds(world, rule, atom->number, instance);
    env = wcts_world_env(world);
    return wcts_lang_truth(env.spec->exprs, atom->number, &env, instance) == WCTS_TRUE;
}

/* ---- differences ---- */

/* The first of the members that share the storage. */
static int first_sharer(const struct wcts_world *world, int structure, int member)
{
    const int *shared = world->eval->shared + world->eval->first_member[structure];
    int first = member;
    for (int next = shared[member]; next != member; next = shared[next])
        if (next < first)
            first = next;
    return first;
}

static int word_of_member(const struct wcts_spec *spec, int structure, int member)
{
    return spec->structures[structure].members[member].word;
}

static void note_difference(struct wcts_cover_difference *difference, int instance, int member,
                            uint64_t bits)
{
    difference->count += bits != 0 && (bits & (bits - 1)) != 0 ? 2 : 1;
    difference->instance = instance;
    difference->member = member;
    difference->bits = bits;
}

static void instances_differ(const struct wcts_world *a, const struct wcts_world *b, int instance,
                             struct wcts_cover_difference *difference)
{
    const struct wcts_spec *spec = a->eval->spec;
    int structure = a->instances[instance].structure;
    for (int m = 0; m < spec->structures[structure].member_count; m++) {
        struct wcts_value one = a->instances[instance].values[m];
        struct wcts_value other = b->instances[instance].values[m];
        bool flags = word_of_member(spec, structure, m) >= 0;
        if (one.symbol == other.symbol &&
            (one.symbol == WCTS_SYMBOL_AUTO || one.number == other.number))
            continue;
        if (first_sharer(a, structure, m) == m)
            note_difference(difference, instance, m, flags ? one.number ^ other.number : 0);
    }
}

void wcts_cover_worlds_differ(const struct wcts_world *a, const struct wcts_world *b,
                              struct wcts_cover_difference *difference)
{
    *difference = (struct wcts_cover_difference){.count = a->count == b->count ? 0 : 2};
    for (int i = 0; i < a->count && difference->count < 2; i++)
        instances_differ(a, b, i, difference);
}

/* True if the difference is in ref. */
static bool is_place_of(const struct wcts_world *world, const struct wcts_cover_difference *place,
                        struct wcts_ref ref)
{
    const struct wcts_spec *spec = world->eval->spec;
    int structure = world->instances[place->instance].structure, word;
    if (ref.structure != structure || first_sharer(world, structure, ref.member) != place->member)
        return false;
    word = word_of_member(spec, structure, ref.member);
    return ref.flag < 0 || place->bits == UINT64_C(1) << spec->words[word].flags[ref.flag].bit;
}

/* Looks whether the place is read. */
struct cover_place_search {
    const struct wcts_world *world;
    const struct wcts_cover_difference *place;
    bool found;
};

static void note_place(void *context, struct wcts_ref ref, enum wcts_lang_use use)
{
    struct cover_place_search *search = context;
    if (use == WCTS_USE_OTHERS)
        ref.flag = -1;
    search->found =
        search->found || (use != WCTS_USE_BEHIND && is_place_of(search->world, search->place, ref));
}

static bool is_read(const struct wcts_world *world, int expression,
                    const struct wcts_cover_difference *place)
{
    struct cover_place_search search = {world, place, false};
    wcts_lang_reads(world->eval->spec->exprs, expression, note_place, &search);
    return search.found;
}

bool wcts_cover_form_reads(const struct wcts_world *world, const struct wcts_rule *rule,
                           const struct wcts_cover_difference *place)
{
    return is_read(world, rule->premise, place) || is_read(world, rule->breach.refuse, place) ||
           is_read(world, rule->breach.unless, place);
}

bool wcts_cover_atom_reads(const struct wcts_world *world, const struct wcts_rule *rule,
                           const struct wcts_cover_atom *atom,
                           const struct wcts_cover_difference *place)
{
    if (atom->kind == WCTS_ATOM_WHEN)
        return is_read(world, rule->when[atom->number].expression, place);
    if (atom->kind == WCTS_ATOM_VERSION)
        return false;
    if (atom->kind == WCTS_ATOM_OTHERS) {
        struct wcts_ref word = {atom->ref.structure, atom->ref.member, -1};
        return is_place_of(world, place, word) && !is_place_of(world, place, atom->ref);
    }
    return is_place_of(world, place, atom->ref);
}
