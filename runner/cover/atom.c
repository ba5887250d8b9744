/* SPDX-License-Identifier: MIT */
/* The conditions of a rule, and whether they are true. */
#include "atom.h"

#include <string.h>

/* ---- the conditions of a rule ---- */

/* The operands of a form, in the order in which they are named. FACTS: each is true or false. */
enum use { USE_END, USE_FACTS, USE_OTHERS, USE_VALUES, USE_EDGES };

struct form_part {
    enum use use;
    enum wcts_attribute attribute;
};

#define PARTS_MAX 5

static const struct form_part forms[WCTS_FORM_COUNT_OF][PARTS_MAX] = {
    [WCTS_FORM_REQUIRES] = {{USE_FACTS, WCTS_ARG_FACT},
                            {USE_FACTS, WCTS_ARG_ANY},
                            {USE_FACTS, WCTS_ARG_ALL}},
    [WCTS_FORM_EXCLUDES] = {{USE_FACTS, WCTS_ARG_FACT}, {USE_FACTS, WCTS_ARG_WITH}},
    [WCTS_FORM_AT_LEAST_ONE] = {{USE_FACTS, WCTS_ARG_ANY}},
    [WCTS_FORM_EXACTLY_ONE] = {{USE_FACTS, WCTS_ARG_ANY}},
    [WCTS_FORM_EXCLUSIVE] = {{USE_FACTS, WCTS_ARG_FACT}, {USE_OTHERS, WCTS_ARG_FACT}},
    [WCTS_FORM_RESERVED] = {{USE_FACTS, WCTS_ARG_FACT}},
    [WCTS_FORM_GATE] = {{USE_FACTS, WCTS_ARG_FACT}},
    [WCTS_FORM_UNDEFINED] = {{USE_VALUES, WCTS_ARG_MEMBER}},
    [WCTS_FORM_ALIGN] = {{USE_VALUES, WCTS_ARG_MEMBER}, {USE_VALUES, WCTS_ARG_TO}},
    [WCTS_FORM_MULTIPLE] = {{USE_VALUES, WCTS_ARG_MEMBER}, {USE_VALUES, WCTS_ARG_TO}},
    [WCTS_FORM_RANGE] = {{USE_EDGES, WCTS_ARG_MEMBER},
                         {USE_VALUES, WCTS_ARG_MIN},
                         {USE_VALUES, WCTS_ARG_MAX}},
    [WCTS_FORM_NO_WRAP] = {{USE_VALUES, WCTS_ARG_BASE}, {USE_VALUES, WCTS_ARG_SIZE}},
    [WCTS_FORM_FITS] = {{USE_VALUES, WCTS_ARG_OFFSET},
                        {USE_VALUES, WCTS_ARG_SIZE},
                        {USE_VALUES, WCTS_ARG_OR},
                        {USE_VALUES, WCTS_ARG_WITHIN}},
    [WCTS_FORM_NONZERO] = {{USE_VALUES, WCTS_ARG_MEMBER}},
    [WCTS_FORM_ZERO] = {{USE_VALUES, WCTS_ARG_MEMBER}},
    [WCTS_FORM_HANDLE] = {{USE_VALUES, WCTS_ARG_MEMBER}},
    [WCTS_FORM_SUBSET] = {{USE_VALUES, WCTS_ARG_MEMBER}, {USE_VALUES, WCTS_ARG_OF}},
    [WCTS_FORM_SEGMENTS] = {{USE_VALUES, WCTS_ARG_MEMBER}},
    [WCTS_FORM_COUNT] = {{USE_VALUES, WCTS_ARG_FACT}},
    [WCTS_FORM_PAGES] = {{USE_VALUES, WCTS_ARG_BASE}, {USE_VALUES, WCTS_ARG_SIZE}},
    [WCTS_FORM_RESERVATION] = {{USE_VALUES, WCTS_ARG_BASE}, {USE_VALUES, WCTS_ARG_SIZE}},
    [WCTS_FORM_DISTINCT] = {{USE_VALUES, WCTS_ARG_MEMBER}},
    [WCTS_FORM_BANKS] = {{USE_VALUES, WCTS_ARG_WITHIN}},
};

static void add_atom(struct wcts_atoms *atoms, enum wcts_atom_kind kind, struct wcts_ref ref,
                     int number)
{
    if (atoms->count < WCTS_ATOMS_MAX)
        atoms->list[atoms->count++] =
            (struct wcts_atom){.kind = kind, .ref = ref, .number = number};
}

static void add_edges(const struct wcts_rule *rule, struct wcts_ref ref, struct wcts_atoms *atoms)
{
    if (rule->arg[WCTS_ARG_MIN].given)
        add_atom(atoms, WCTS_ATOM_BELOW, ref, 0);
    if (rule->arg[WCTS_ARG_MAX].given)
        add_atom(atoms, WCTS_ATOM_ABOVE, ref, 0);
}

static void add_part_atoms(const struct wcts_rule *rule, const struct form_part *part,
                           struct wcts_atoms *atoms)
{
    static const enum wcts_atom_kind kinds[] = {[USE_FACTS] = WCTS_ATOM_FACT,
                                                [USE_OTHERS] = WCTS_ATOM_OTHERS,
                                                [USE_VALUES] = WCTS_ATOM_OPERAND};
    const struct wcts_operand *arg = &rule->arg[part->attribute];
    for (int i = 0; i < arg->count; i++)
        if (part->use == USE_EDGES)
            add_edges(rule, arg->refs[i], atoms);
        else
            add_atom(atoms, kinds[part->use], arg->refs[i], 0);
    if (part->use == USE_VALUES || part->use == USE_EDGES)
        atoms->whole = true;
}

/* The entries of a table: the begin and the length of each. */
static void add_entry_atoms(const struct wcts_spec *spec, const struct wcts_rule *rule,
                            struct wcts_atoms *atoms)
{
    const struct wcts_member *table = wcts_ref_member(spec, rule->arg[WCTS_ARG_MEMBER].refs[0]);
    struct wcts_ref ref = {table->elements ? wcts_spec_structure(spec, table->elements) : -1, 0,
                           -1};
    for (; ref.structure >= 0 && ref.member < 2; ref.member++)
        add_atom(atoms, WCTS_ATOM_OPERAND, ref, 0);
}

/* The members of a structure or the flags of a word; for a set of segments, the members that name
 * segments. */
static void add_layout(const struct wcts_spec *spec, const struct wcts_rule *rule,
                       struct wcts_atoms *atoms)
{
    const struct wcts_operand *only = &rule->arg[WCTS_ARG_FACT];
    struct wcts_ref ref = {rule->on, -1, -1};
    for (int i = 0; i < rule->at_count && !rule->layout_sets; i++) {
        ref.member = rule->at[i].member;
        add_atom(atoms, WCTS_ATOM_PLACE, ref, 0);
    }
    for (int i = 0; rule->layout_sets && i < spec->rules_count; i++)
        if (spec->rules[i].form == WCTS_FORM_SUBSET && spec->rules[i].on == rule->on)
            add_atom(atoms, WCTS_ATOM_PLACE, spec->rules[i].arg[WCTS_ARG_OF].refs[0], 0);
    if (rule->word < 0 || rule->layout_sets)
        return;
    ref = rule->arg[WCTS_ARG_MEMBER].refs[0];
    for (ref.flag = 0; ref.flag < spec->words[rule->word].flag_count; ref.flag++)
        if (!only->given || only->refs[0].flag == ref.flag)
            add_atom(atoms, WCTS_ATOM_PLACE, ref, 0);
}

void wcts_cover_atoms_of(const struct wcts_spec *spec, const struct wcts_rule *rule,
                         struct wcts_atoms *atoms)
{
    const struct wcts_ref none = {-1, -1, -1};
    atoms->count = 0;
    atoms->whole = false;
    for (int i = 0; i < rule->when_count; i++)
        add_atom(atoms, WCTS_ATOM_WHEN, none, i);
    for (int i = 0; i < PARTS_MAX && forms[rule->form][i].use != USE_END; i++)
        add_part_atoms(rule, &forms[rule->form][i], atoms);
    for (int i = 0; i < rule->cell_count; i++)
        add_atom(atoms, WCTS_ATOM_FACT, rule->cells[i].flag, 0);
    for (int i = 0; i < rule->range_count; i++) {
        add_atom(atoms, WCTS_ATOM_OPERAND, rule->ranges[i].base, 0);
        add_atom(atoms, WCTS_ATOM_OPERAND, rule->ranges[i].size, 0);
        atoms->whole = true;
    }
    if (rule->form == WCTS_FORM_BANKS)
        add_entry_atoms(spec, rule, atoms);
    if (rule->form == WCTS_FORM_GATE)
        add_atom(atoms, WCTS_ATOM_VERSION, none, 0);
    if (rule->form == WCTS_FORM_LAYOUT)
        add_layout(spec, rule, atoms);
}

/* ---- as text ---- */

static const struct {
    enum wcts_attribute attribute;
    const char *words;
} tests[] = {
    {WCTS_ARG_IS, "is"},
    {WCTS_ARG_LESS, "is less than"},
    {WCTS_ARG_EQUALS, "equals"},
    {WCTS_ARG_DIFFERS, "differs from"},
    {WCTS_ARG_SEGMENT, "names a segment with"},
    {WCTS_ARG_NO_SEGMENT, "names no segment with"},
};

const char *wcts_cover_when_text(struct wcts_arena *arena, const struct wcts_condition *when)
{
    const struct wcts_operand *of =
        when->arg[WCTS_ARG_FACT].given ? &when->arg[WCTS_ARG_FACT] : &when->arg[WCTS_ARG_MEMBER];
    const char *text = wcts_arena_format(arena, "when %s", of->text);
    if (when->arg[WCTS_ARG_OR].given)
        text = wcts_arena_format(arena, "%s or %s", text, when->arg[WCTS_ARG_OR].text);
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        if (when->arg[tests[i].attribute].given)
            text = wcts_arena_format(arena, "%s %s %s", text, tests[i].words,
                                     when->arg[tests[i].attribute].text);
    return text;
}

const char *wcts_cover_atom_text(struct wcts_arena *arena, const struct wcts_spec *spec,
                                 const struct wcts_rule *rule, const struct wcts_atom *atom)
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
        return wcts_cover_when_text(arena, &rule->when[atom->number]);
    if (atom->kind == WCTS_ATOM_VERSION)
        return "the version";
    name = wcts_ref_name(arena, spec, atom->ref);
    if (atom->ref.structure != rule->on)
        return wcts_arena_format(
            arena, formats[atom->kind],
            wcts_arena_format(arena, "%s.%s", spec->structures[atom->ref.structure].name, name));
    return wcts_arena_format(arena, formats[atom->kind], name);
}

/* ---- true or false ---- */

bool wcts_cover_atom_is_boolean(const struct wcts_atom *atom)
{
    return atom->kind != WCTS_ATOM_OPERAND && atom->kind != WCTS_ATOM_PLACE &&
           atom->kind != WCTS_ATOM_VERSION;
}

static struct wcts_value value_in_world(const struct wcts_world *world, int instance,
                                        struct wcts_ref ref)
{
    struct wcts_value none = {-1, 0};
    int where = wcts_world_resolve(world, instance, ref.structure);
    return where < 0 ? none : wcts_world_get(world, where, ref);
}

static uint64_t limit(const struct wcts_world *world, int instance,
                      const struct wcts_operand *operand)
{
    return operand->count > 0 ? value_in_world(world, instance, operand->refs[0]).number
                              : operand->number;
}

/* Only flags that the version has, as the form counts them. */
static bool has_others(const struct wcts_world *world, int instance, struct wcts_ref ref)
{
    const struct wcts_spec *spec = world->eval->spec;
    int word = wcts_ref_member(spec, ref)->word;
    uint64_t own = UINT64_C(1) << spec->words[word].flags[ref.flag].bit;
    ref.flag = -1;
    return (value_in_world(world, instance, ref).number &
            wcts_oracle_eval_masks(world->eval, word, world->version)->defined & ~own) != 0;
}

bool wcts_cover_atom_true(const struct wcts_world *world, const struct wcts_rule *rule,
                          int instance, const struct wcts_atom *atom)
{
    struct wcts_value value;
    if (atom->kind == WCTS_ATOM_WHEN)
        return wcts_oracle_condition_holds(world, rule, atom->number, instance);
    if (atom->kind == WCTS_ATOM_OTHERS)
        return has_others(world, instance, atom->ref);
    value = value_in_world(world, instance, atom->ref);
    if (atom->kind == WCTS_ATOM_BELOW)
        return value.number < limit(world, instance, &rule->arg[WCTS_ARG_MIN]);
    if (atom->kind == WCTS_ATOM_ABOVE)
        return value.number > limit(world, instance, &rule->arg[WCTS_ARG_MAX]);
    return value.symbol >= 0 || value.number != 0;
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

static void note_difference(struct wcts_difference *difference, int instance, int member,
                            uint64_t bits)
{
    difference->count += bits != 0 && (bits & (bits - 1)) != 0 ? 2 : 1;
    difference->instance = instance;
    difference->member = member;
    difference->bits = bits;
}

static void instances_differ(const struct wcts_world *a, const struct wcts_world *b, int instance,
                             struct wcts_difference *difference)
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
                              struct wcts_difference *difference)
{
    *difference = (struct wcts_difference){.count = a->count == b->count ? 0 : 2};
    for (int i = 0; i < a->count && difference->count < 2; i++)
        instances_differ(a, b, i, difference);
}

bool wcts_cover_place_is(const struct wcts_world *world, const struct wcts_difference *place,
                         struct wcts_ref ref)
{
    const struct wcts_spec *spec = world->eval->spec;
    int structure = world->instances[place->instance].structure, word;
    if (ref.structure != structure || first_sharer(world, structure, ref.member) != place->member)
        return false;
    word = word_of_member(spec, structure, ref.member);
    return ref.flag < 0 || place->bits == UINT64_C(1) << spec->words[word].flags[ref.flag].bit;
}

static bool operands_read(const struct wcts_world *world, const struct wcts_operand *args,
                          const struct wcts_difference *place)
{
    for (int a = 0; a < WCTS_ARG_COUNT; a++)
        for (int i = 0; i < args[a].count; i++)
            if (wcts_cover_place_is(world, place, args[a].refs[i]))
                return true;
    return false;
}

bool wcts_cover_form_reads(const struct wcts_world *world, const struct wcts_rule *rule,
                           const struct wcts_difference *place)
{
    for (int i = 0; i < rule->range_count; i++)
        if (wcts_cover_place_is(world, place, rule->ranges[i].base) ||
            wcts_cover_place_is(world, place, rule->ranges[i].size))
            return true;
    return operands_read(world, rule->arg, place);
}

bool wcts_cover_atom_reads(const struct wcts_world *world, const struct wcts_rule *rule,
                           const struct wcts_atom *atom, const struct wcts_difference *place)
{
    if (atom->kind == WCTS_ATOM_WHEN)
        return operands_read(world, rule->when[atom->number].arg, place);
    if (atom->kind == WCTS_ATOM_VERSION)
        return false;
    if (atom->kind == WCTS_ATOM_OTHERS) {
        struct wcts_ref word = {atom->ref.structure, atom->ref.member, -1};
        return wcts_cover_place_is(world, place, word) &&
               !wcts_cover_place_is(world, place, atom->ref);
    }
    return wcts_cover_place_is(world, place, atom->ref);
}
