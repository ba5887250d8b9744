/* SPDX-License-Identifier: MIT */
/* What sequences are made of: operations, the uses of their members, and the steps of the cases
 * that calls are made from. */
#include <stdarg.h>
#include <string.h>

#include "../lang/expr.h"
#include "../model/names.h"
#include "walk.h"

/* Keeps the reason why there are no sequences. */
static bool missing(struct wcts_oracle_walk_shape *shape, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool missing(struct wcts_oracle_walk_shape *shape, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(shape->missing, sizeof shape->missing, format, arguments);
    va_end(arguments);
    return false;
}

/* The first step with the message; -1: none. */
static int step_with(const struct wcts_spec *spec, int message)
{
    for (int i = 0; message >= 0 && i < spec->cases->steps_count; i++)
        if (spec->cases->steps[i].message == message)
            return i;
    return -1;
}

/* The message whose request has what effects on pages are about; -1: none. */
static int message_of_pages(const struct wcts_spec *spec)
{
    for (int r = 0; r < spec->rules_count; r++)
        for (int m = 0; spec->rules[r].form == WCTS_FORM_EFFECT_PAGES && m < spec->messages_count;
             m++)
            if (spec->messages[m].holds[spec->rules[r].on] & WCTS_HELD_REQUEST)
                return m;
    return -1;
}

/* The first step that ends what another one makes; -1: none. */
static int step_ending(const struct wcts_spec *spec, int maker)
{
    int made = maker < 0 ? -1 : spec->cases->steps[maker].message, found = -1;
    for (int m = 0; made >= 0 && m < spec->messages_count && found < 0; m++)
        if (spec->messages[m].of == made)
            found = step_with(spec, m);
    return found;
}

static const struct wcts_symbol *result_of(const struct wcts_spec *spec, int step)
{
    int result = spec->cases->steps[step].result;
    return result < 0 ? NULL : &spec->cases->symbols[result];
}

/* ---- Members ---- */

/* The use of a member by the attribute of an effect; the first that fits counts. */
static const struct {
    enum wcts_attribute attribute;
    enum wcts_oracle_walk_role role;
} uses[] = {
    {WCTS_ARG_BASE, WCTS_WALK_BASE},     {WCTS_ARG_COPY, WCTS_WALK_SOURCE},
    {WCTS_ARG_SIZE, WCTS_WALK_SIZE},     {WCTS_ARG_OF, WCTS_WALK_HANDLE},
    {WCTS_ARG_FROM, WCTS_WALK_FROM},     {WCTS_ARG_EACH, WCTS_WALK_EACH},
    {WCTS_ARG_DRIVER, WCTS_WALK_NUMBER},
};

static bool uses_member(const struct wcts_rule *effect, enum wcts_attribute attribute, int member)
{
    const struct wcts_operand *operand = &effect->arg[attribute];
    return operand->count == 1 && operand->refs[0].structure == effect->on &&
           operand->refs[0].member == member && operand->refs[0].flag < 0;
}

static enum wcts_oracle_walk_role
role_of(const struct wcts_spec *spec, const struct wcts_oracle_walk_operation *operation, int index)
{
    const struct wcts_member *member = &spec->structures[operation->structure].members[index];
    if (member->offset == 0)
        return WCTS_WALK_TYPE;
    if (member->word >= 0)
        return WCTS_WALK_WORD;
    for (int e = 0; e < operation->effect_count; e++)
        for (size_t u = 0; u < sizeof uses / sizeof *uses; u++)
            if (uses_member(&spec->rules[operation->effects[e]], uses[u].attribute, index))
                return uses[u].role;
    return WCTS_WALK_UNUSED;
}

static void offer_choice(struct wcts_oracle_walk_member *member, uint64_t choice)
{
    if (member->choice_count < WCTS_WALK_CHOICES)
        member->choices[member->choice_count++] = choice;
}

/* Offers the flags of a word of which exactly one should be set. */
static void offer_one_of(struct wcts_oracle_walk_member *member, const struct wcts_spec *spec,
                         int structure, int index)
{
    for (int r = 0; r < spec->rules_count; r++) {
        const struct wcts_lang_node *nodes = spec->exprs->nodes;
        const struct wcts_lang_node *refuse = &nodes[spec->rules[r].breach.refuse];
        const struct wcts_word *word =
            &spec->words[spec->structures[structure].members[index].word];
        for (int i = refuse->op == WCTS_OP_NOT
                         ? wcts_lang_find_call(spec->exprs, refuse->a, "exactly_one")
                         : 0;
             i; i = nodes[i].next)
            if (nodes[i].op == WCTS_OP_MEMBER && nodes[i].ref.structure == structure &&
                nodes[i].ref.member == index && nodes[i].ref.flag >= 0) {
                offer_choice(member, UINT64_C(1) << word->flags[nodes[i].ref.flag].bit);
                member->one_of = true;
            }
    }
    for (int i = 0; member->one_of && i < member->choice_count; i++)
        member->flags = (i == 0 ? 0 : member->flags) | member->choices[i];
}

static void offer_domain(struct wcts_oracle_walk_member *member, const struct wcts_spec *spec,
                         int structure, int index)
{
    for (int d = 0; d < spec->cases->domains_count; d++) {
        const struct wcts_domain *domain = &spec->cases->domains[d];
        if (domain->of.structure != structure || domain->of.member != index || domain->of.flag >= 0)
            continue;
        for (int i = 0; i < domain->value_count; i++)
            if (domain->values[i].symbol < 0)
                offer_choice(member, domain->values[i].number);
    }
}

static void describe_member(struct wcts_oracle_walk_operation *operation,
                            const struct wcts_spec *spec, int index)
{
    struct wcts_oracle_walk_member *member = &operation->members[index];
    int word = spec->structures[operation->structure].members[index].word;
    member->role = role_of(spec, operation, index);
    for (int f = 0; word >= 0 && f < spec->words[word].flag_count; f++)
        member->flags |= UINT64_C(1) << spec->words[word].flags[f].bit;
    if (member->role == WCTS_WALK_WORD)
        offer_one_of(member, spec, operation->structure, index);
    if (member->role == WCTS_WALK_NUMBER ||
        (member->role == WCTS_WALK_WORD && member->choice_count == 0))
        offer_domain(member, spec, operation->structure, index);
    for (unsigned bit = 0; member->choice_count == 0 && bit < 64; bit++)
        if (member->flags >> bit & 1)
            offer_choice(member, UINT64_C(1) << bit);
    if (member->role == WCTS_WALK_BASE)
        operation->base = index;
    if (member->role == WCTS_WALK_SIZE)
        operation->size = index;
    if (member->role == WCTS_WALK_SOURCE)
        operation->source = index;
}

/* ---- Operations ---- */

static bool describe_operation(struct wcts_oracle_walk_shape *shape, int structure, uint64_t number)
{
    const struct wcts_spec *spec = shape->spec;
    struct wcts_oracle_walk_operation *operation = &shape->operations[shape->operation_count];
    int members = spec->structures[structure].member_count;
    if (shape->operation_count == WCTS_WALK_OPERATIONS)
        return missing(shape, "\"%s\" is one operation too many, expected at most %d",
                       spec->structures[structure].name, WCTS_WALK_OPERATIONS);
    if (members > WCTS_WALK_MEMBERS)
        return missing(shape, "\"%s\" has %d members, expected at most %d",
                       spec->structures[structure].name, members, WCTS_WALK_MEMBERS);
    *operation = (struct wcts_oracle_walk_operation){.structure = structure,
                                                     .number = number,
                                                     .member_count = members,
                                                     .base = -1,
                                                     .size = -1,
                                                     .source = -1};
    for (int r = 0; r < spec->rules_count; r++)
        if (spec->rules[r].on == structure && spec->rules[r].form == WCTS_FORM_EFFECT_PAGES) {
            if (operation->effect_count == WCTS_WALK_EFFECTS)
                return missing(shape, "%s is one effect on \"%s\" too many, expected at most %d",
                               spec->rules[r].id, spec->structures[structure].name,
                               WCTS_WALK_EFFECTS);
            operation->effects[operation->effect_count++] = r;
            if (shape->since < 0 || spec->rules[r].since < shape->since)
                shape->since = spec->rules[r].since;
        }
    for (int i = 0; i < members; i++)
        describe_member(operation, spec, i);
    /* Without a range, nothing of it is observed. */
    shape->operation_count += operation->base >= 0 && operation->size >= 0;
    return true;
}

/* The operations that the array of the update may hold, numbered in the order of their names. */
static bool find_operations(struct wcts_oracle_walk_shape *shape)
{
    const struct wcts_spec *spec = shape->spec;
    int root = spec->messages[spec->cases->steps[shape->update].message].request;
    for (int i = 0; i < spec->structures[root].member_count; i++) {
        const struct wcts_member *member = &spec->structures[root].members[i];
        const char *names = member->elements;
        char name[96];
        int taken;
        if (!names)
            continue;
        shape->array = (struct wcts_ref){root, i, -1};
        shape->count =
            (struct wcts_ref){root, wcts_model_spec_member(spec, root, member->count), -1};
        for (uint64_t number = 0; sscanf(names, " %95s%n", name, &taken) == 1; number++) {
            int structure = wcts_model_spec_structure(spec, name);
            if (structure < 0)
                return missing(shape, "there is no structure \"%s\" to be an operation", name);
            if (!describe_operation(shape, structure, number))
                return false;
            names += taken;
        }
        return shape->operation_count > 0 ||
               missing(shape, "none of \"%s\" has an effect with a range of pages",
                       member->elements);
    }
    return missing(shape, "\"%s\" has no array of operations", spec->structures[root].name);
}

/* ---- Steps of the cases ---- */

/* True if the request of a step says which range it is about. */
static bool has_range(const struct wcts_spec *spec, int step)
{
    return step >= 0 && spec->messages[spec->cases->steps[step].message].range_count == 2;
}

static void find_reserves(struct wcts_oracle_walk_shape *shape)
{
    const struct wcts_cases *cases = shape->spec->cases;
    for (int i = 0; i < cases->steps_count; i++) {
        const struct wcts_symbol *made = result_of(shape->spec, i);
        enum wcts_state state;
        bool known = false;
        if (!made || made->kind != WCTS_SYMBOL_RESERVATION ||
            strcmp(made->kind_name, "free") == 0 || !has_range(shape->spec, i))
            continue;
        state = strcmp(made->kind_name, "zero") == 0 ? WCTS_STATE_ZERO : WCTS_STATE_INVALID;
        for (int j = 0; j < shape->reserve_count; j++)
            known = known || shape->reserves[j].state == state;
        if (!known && shape->reserve_count < 2)
            shape->reserves[shape->reserve_count++] = (struct wcts_oracle_walk_reserve){i, state};
    }
}

// The base whose adapter sequences start: one that updates addresses, if possible with the adapter
// of the base that creates an allocation (step), so that what other updates need does not change
// kept sequences; -1: none.
static int find_base(const struct wcts_spec *spec, int create, int update)
{
    const struct wcts_cases *cases = spec->cases;
    int wanted = -1, found = -1;
    for (int i = 0; i < cases->bases_count && wanted < 0; i++)
        if (cases->bases[i].step == create)
            wanted = cases->bases[i].adapter;
    for (int i = 0; i < cases->bases_count; i++) {
        const struct wcts_base *base = &cases->bases[i];
        if (cases->steps[base->step].message != update)
            continue;
        if (base->adapter == wanted)
            return i;
        if (found < 0)
            found = i;
    }
    return found;
}

static bool find_steps(struct wcts_oracle_walk_shape *shape)
{
    const struct wcts_spec *spec = shape->spec;
    const struct wcts_cases *cases = spec->cases;
    int update = message_of_pages(spec);
    shape->update = step_with(spec, update);
    shape->create = -1;
    for (int i = 0; i < cases->steps_count && shape->create < 0; i++) {
        const struct wcts_symbol *made = result_of(spec, i);
        if (made && made->kind == WCTS_SYMBOL_HANDLE && made->size > 0 &&
            strcmp(made->kind_name, "allocation") == 0)
            shape->create = i;
    }
    shape->base = find_base(spec, shape->create, update);
    find_reserves(shape);
    shape->free = step_ending(spec, shape->reserve_count > 0 ? shape->reserves[0].step : -1);
    shape->destroy = step_ending(spec, shape->create);
    const struct {
        bool there;
        const char *what;
    } needed[] = {
        {shape->update >= 0, "step with such an effect"},
        {shape->base >= 0, "base with such an effect"},
        {shape->create >= 0, "step with an allocation for its result, and a size"},
        {shape->destroy >= 0, "step that ends an allocation"},
        {shape->reserve_count > 0, "step with a range, and a reservation for its result"},
        {has_range(spec, shape->free), "step with a range that ends a reservation"},
    };
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!needed[i].there)
            return missing(shape, "the cases have no %s", needed[i].what);
    return true;
}

/* ---- Steps of sequences ---- */

int wcts_oracle_walk_base_step(const struct wcts_oracle_walk_shape *shape,
                               const struct wcts_oracle_walk_step *step)
{
    const int steps[] = {[WCTS_WALK_RESERVE] = shape->reserves[step->reserve].step,
                         [WCTS_WALK_FREE] = shape->free,
                         [WCTS_WALK_UPDATE] = shape->update,
                         [WCTS_WALK_CREATE] = shape->create,
                         [WCTS_WALK_DESTROY] = shape->destroy};
    return steps[step->kind];
}

const struct wcts_message *wcts_oracle_walk_message(const struct wcts_oracle_walk_shape *shape,
                                                    const struct wcts_oracle_walk_step *step)
{
    const struct wcts_spec *spec = shape->spec;
    return &spec->messages[spec->cases->steps[wcts_oracle_walk_base_step(shape, step)].message];
}

/* ---- Transitions of pages ---- */

void wcts_oracle_walk_note(struct wcts_walk_numbers *numbers, int doer, unsigned before,
                           unsigned after)
{
    unsigned cell = (unsigned)doer * WCTS_WALK_STATES * WCTS_WALK_STATES +
                    before % WCTS_WALK_STATES * WCTS_WALK_STATES + after % WCTS_WALK_STATES;
    numbers->seen[cell / 64] |= UINT64_C(1) << cell % 64;
}

void wcts_oracle_walk_note_refused(struct wcts_walk_numbers *numbers, int doer, unsigned state)
{
    numbers->refused |= 1u << ((unsigned)doer * WCTS_WALK_STATES + state % WCTS_WALK_STATES);
}

/* The states in which a rule wants no page of a range: zero in pages(base, size) or ... */
static uint64_t states_of_rule(const struct wcts_spec *spec, const struct wcts_rule *rule)
{
    const struct wcts_lang_node *nodes = spec->exprs->nodes;
    int refuse = rule->breach.refuse;
    uint64_t states = 0;
    for (int i = wcts_lang_operand(spec->exprs, refuse, WCTS_OP_OR); i;
         i = wcts_lang_operand_behind(spec->exprs, refuse, i))
        if (nodes[i].op == WCTS_OP_IN && nodes[nodes[i].a].op == WCTS_OP_WORD &&
            wcts_lang_find_call(spec->exprs, nodes[i].b, "pages"))
            states |= UINT64_C(1) << nodes[nodes[i].a].b;
    return states;
}

/* Pages in these states keep a call from being certain to be accepted. */
static uint64_t states_refused(const struct wcts_spec *spec, int structure)
{
    uint64_t states = 1u << WCTS_STATE_UNRESERVED;
    for (int r = 0; r < spec->rules_count; r++)
        if (spec->rules[r].on == structure)
            states |= states_of_rule(spec, &spec->rules[r]);
    return states;
}

/* States in which the effects of an operation leave a page. */
static uint64_t states_left(const struct wcts_spec *spec,
                            const struct wcts_oracle_walk_operation *operation)
{
    uint64_t states = 0;
    for (int e = 0; e < operation->effect_count; e++) {
        const struct wcts_operand *arg = spec->rules[operation->effects[e]].arg;
        if (arg[WCTS_ARG_COPY].given)
            states |= arg[WCTS_ARG_SOURCE].number;
        else if (arg[WCTS_ARG_STATE].given)
            states |= arg[WCTS_ARG_STATE].number;
    }
    return states & ~(UINT64_C(1) << WCTS_STATE_UNRESERVED);
}

static void find_possible(struct wcts_oracle_walk_shape *shape)
{
    for (int o = 0; o < shape->operation_count; o++) {
        uint64_t not = states_refused(shape->spec, shape->operations[o].structure);
        uint64_t left = states_left(shape->spec, &shape->operations[o]);
        for (unsigned before = 0; before < WCTS_WALK_STATES; before++) {
            wcts_oracle_walk_note_refused(&shape->possible, o, before);
            for (unsigned after = 0; after < WCTS_WALK_STATES; after++)
                if (!(not >> before & 1) && left >> after & 1)
                    wcts_oracle_walk_note(&shape->possible, o, before, after);
        }
    }
    for (int i = 0; i < shape->reserve_count; i++)
        wcts_oracle_walk_note(&shape->possible, WCTS_WALK_RESERVING, WCTS_STATE_UNRESERVED,
                              shape->reserves[i].state);
    for (unsigned before = WCTS_STATE_ZERO; before < WCTS_WALK_STATES; before++)
        wcts_oracle_walk_note(&shape->possible, WCTS_WALK_FREEING, before, WCTS_STATE_UNRESERVED);
}

/* not reservation(base, size, zero). */
static bool wants_zero(const struct wcts_spec *spec, const struct wcts_rule *rule)
{
    const struct wcts_lang_node *nodes = spec->exprs->nodes, *refuse = &nodes[rule->breach.refuse];
    int kind =
        wcts_lang_find_call(spec->exprs, refuse->op == WCTS_OP_NOT ? refuse->a : 0, "reservation");
    while (nodes[kind].next)
        kind = nodes[kind].next;
    return kind && strcmp(wcts_reservation_words[nodes[kind].b], "zero") == 0;
}

/* The state that an effect of reserving demands of each page; -1: it demands none. */
static int state_demanded(const struct wcts_oracle_walk_shape *shape, const struct wcts_rule *rule)
{
    const struct wcts_spec *spec = shape->spec;
    const struct wcts_lang_node *nodes = spec->exprs->nodes, *holds, *shown, *state;
    const int step = shape->reserves[0].step;
    if (!rule->effect ||
        rule->effect->on != spec->messages[spec->cases->steps[step].message].request)
        return -1;
    holds = &nodes[rule->effect->holds];
    if (holds->op != WCTS_OP_EQ)
        return -1;
    shown = &nodes[holds->a];
    state = &nodes[holds->b];
    return shown->op == WCTS_OP_MEMBER && state->op == WCTS_OP_NUMBER &&
                   spec->structures[shown->ref.structure].means[WCTS_MEANS_STATE] ==
                       shown->ref.member + 1 &&
                   state->number < WCTS_WALK_STATES
               ? (int)state->number
               : -1;
}

/* Of what freeing does to pages no document says anything: a wrong page is blamed on the rule about
 * pages in the resulting state. So it is after reserving, unless a statement says what they are. */
static void find_state_rules(struct wcts_oracle_walk_shape *shape)
{
    const struct wcts_spec *spec = shape->spec;
    for (int state = 0; state < WCTS_WALK_STATES; state++)
        shape->state_rules[state] = shape->operations[0].effects[0];
    for (int r = spec->rules_count - 1; r >= 0; r--) {
        uint64_t states = states_of_rule(spec, &spec->rules[r]);
        for (int state = 0; state < WCTS_WALK_STATES; state++)
            if (states >> state & 1)
                shape->state_rules[state] = r;
        if (wants_zero(spec, &spec->rules[r]))
            shape->state_rules[WCTS_STATE_ZERO] = r;
    }
    memcpy(shape->reserve_rules, shape->state_rules, sizeof shape->reserve_rules);
    for (int r = 0; r < spec->rules_count; r++) {
        const int state = state_demanded(shape, &spec->rules[r]);
        if (state >= 0)
            shape->reserve_rules[state] = r;
    }
}

bool wcts_oracle_walk_shape_init(struct wcts_oracle_walk_shape *shape, const struct wcts_spec *spec)
{
    *shape = (struct wcts_oracle_walk_shape){.spec = spec, .since = -1};
    if (!find_steps(shape) || !find_operations(shape))
        return false;
    if (shape->since < 0)
        return missing(shape, "no effect on pages is of an operation");
    if (shape->since < spec->cases->bases[shape->base].since)
        shape->since = spec->cases->bases[shape->base].since;
    if (shape->since >= spec->versions_count)
        return missing(shape, "no version has them");
    for (int o = 0; o < shape->operation_count; o++)
        if (shape->operations[o].effect_count == 0)
            return missing(shape, "\"%s\" has no effect on pages",
                           spec->structures[shape->operations[o].structure].name);
    find_possible(shape);
    find_state_rules(shape);
    return true;
}

static int numbers_in_common(const struct wcts_walk_numbers *numbers,
                             const struct wcts_walk_numbers *of)
{
    return __builtin_popcountll(numbers->seen[0] & of->seen[0]) +
           __builtin_popcountll(numbers->seen[1] & of->seen[1]) +
           __builtin_popcount(numbers->refused & of->refused);
}

void wcts_oracle_walk_coverage(const struct wcts_spec *spec,
                               const struct wcts_walk_numbers *numbers, int *seen, int *all)
{
    struct wcts_oracle_walk_shape shape;
    *seen = *all = 0;
    if (!wcts_oracle_walk_shape_init(&shape, spec))
        return;
    *seen = numbers_in_common(numbers, &shape.possible);
    *all = numbers_in_common(&shape.possible, &shape.possible);
}

static const char *const state_names[WCTS_WALK_STATES] = {"unreserved", "zero", "invalid",
                                                          "mapped"};

static const char *doer_name(const struct wcts_oracle_walk_shape *shape, int doer)
{
    const struct wcts_spec *spec = shape->spec;
    const struct wcts_cases *cases = spec->cases;
    if (doer == WCTS_WALK_RESERVING)
        return spec->messages[cases->steps[shape->reserves[0].step].message].name;
    if (doer == WCTS_WALK_FREEING)
        return spec->messages[cases->steps[shape->free].message].name;
    return spec->structures[shape->operations[doer].structure].name;
}

/* True if the spec has the transition and it was not seen. */
static bool is_unseen(const struct wcts_oracle_walk_shape *shape,
                      const struct wcts_walk_numbers *numbers, const struct wcts_walk_numbers *one)
{
    return numbers_in_common(one, &shape->possible) > 0 && numbers_in_common(one, numbers) == 0;
}

static void print_unseen(FILE *out, const struct wcts_oracle_walk_shape *shape, int doer,
                         unsigned before, const struct wcts_walk_numbers *numbers)
{
    struct wcts_walk_numbers refused = {0};
    wcts_oracle_walk_note_refused(&refused, doer, before);
    if (doer < WCTS_WALK_OPERATIONS && is_unseen(shape, numbers, &refused))
        fprintf(out, "%s %s refused\n", doer_name(shape, doer), state_names[before]);
    for (unsigned after = 0; after < WCTS_WALK_STATES; after++) {
        struct wcts_walk_numbers way = {0};
        wcts_oracle_walk_note(&way, doer, before, after);
        if (is_unseen(shape, numbers, &way))
            fprintf(out, "%s %s -> %s\n", doer_name(shape, doer), state_names[before],
                    state_names[after]);
    }
}

char *wcts_oracle_walk_unseen(const struct wcts_spec *spec, const struct wcts_walk_numbers *numbers)
{
    struct wcts_oracle_walk_shape shape;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    for (int doer = 0; wcts_oracle_walk_shape_init(&shape, spec) && doer <= WCTS_WALK_FREEING;
         doer++)
        for (unsigned before = 0; before < WCTS_WALK_STATES; before++)
            print_unseen(out, &shape, doer, before, numbers);
    fclose(out);
    return text;
}

void wcts_oracle_walk_numbers_add(struct wcts_walk_numbers *sum,
                                  const struct wcts_walk_numbers *more)
{
    sum->steps += more->steps;
    sum->operations += more->operations;
    sum->open += more->open;
    sum->seen[0] |= more->seen[0];
    sum->seen[1] |= more->seen[1];
    sum->refused |= more->refused;
}
