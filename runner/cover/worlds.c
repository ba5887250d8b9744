/* SPDX-License-Identifier: MIT */
/* Pairs of calls that differ in one fact, among all that the plan has made. */
#include <stdlib.h>
#include <string.h>

#include "../execute/parts.h"
#include "atom.h"

/* A call that the plan has made: of a case, or of its twin. */
struct trial {
    const struct wcts_case *one;
    bool twin, accepted; /* it breaks no rule, so it is accepted */
    struct wcts_world world;
};

struct looking {
    struct wcts_cover *cover;
    const struct wcts_spec *spec;
    struct wcts_eval eval;
    struct wcts_atoms *atoms; /* one for each rule */
    struct trial *trials;
    int count;
};

/* ---- the trials, those of one base, version and page size together ---- */

static int group_order(const struct wcts_case *a, const struct wcts_case *b)
{
    if (a->base != b->base)
        return a->base < b->base ? -1 : 1;
    if (a->version != b->version)
        return a->version < b->version ? -1 : 1;
    return (a->page_size > b->page_size) - (a->page_size < b->page_size);
}

/* In plan order within a group; a case before its twin. */
static int by_group(const void *left, const void *right)
{
    const struct trial *a = left, *b = right;
    int order = group_order(a->one, b->one);
    if (order == 0 && a->one != b->one)
        order = a->one < b->one ? -1 : 1;
    return order != 0 ? order : (int)a->twin - (int)b->twin;
}

static bool has_world(const struct wcts_case *one)
{
    return one->base >= 0 && !one->scenario && one->kind != WCTS_KIND_SEQUENCE &&
           one->expect != WCTS_EXPECT_ANSWER;
}

static bool collect(struct looking *looking, const struct wcts_plan *plan)
{
    looking->trials = calloc((size_t)plan->count * 2 + 1, sizeof *looking->trials);
    if (!looking->trials)
        return false;
    for (int i = 0; i < plan->count; i++) {
        const struct wcts_case *one = &plan->cases[i];
        if (!has_world(one))
            continue;
        looking->trials[looking->count++].one = one;
        if (one->twin_count < 0)
            continue;
        looking->trials[looking->count].twin = true;
        looking->trials[looking->count++].one = one;
    }
    qsort(looking->trials, (size_t)looking->count, sizeof *looking->trials, by_group);
    return true;
}

static bool build_world(struct looking *looking, struct trial *trial)
{
    const struct wcts_case *one = trial->one;
    struct wcts_outlook outlook;
    if (!wcts_case_world(&trial->world, &looking->eval, one, trial->twin ? one->twin : one->facts,
                         trial->twin ? one->twin_count : one->fact_count))
        return false;
    wcts_world_judge(&trial->world, &outlook);
    trial->accepted = outlook.expect == WCTS_EXPECT_ACCEPT;
    return true;
}

/* ---- a pair ---- */

struct pair {
    const struct wcts_rule *rule;
    const struct wcts_atoms *atoms;
    struct wcts_rule_cover *cover;
    const struct trial *one, *other;
    const struct wcts_plan *plan;
    struct wcts_difference place;
    int instance;
};

static void show(const struct pair *pair, int atom, enum wcts_shown shown)
{
    struct wcts_decision *decision = &pair->cover->decisions[atom];
    if (decision->shown >= shown)
        return;
    decision->shown = shown;
    decision->one = (int)(pair->one->one - pair->plan->cases);
    decision->other = (int)(pair->other->one - pair->plan->cases);
    decision->twin = pair->other->twin;
}

static bool flips(const struct pair *pair, const struct wcts_atom *atom)
{
    return wcts_atom_is_boolean(atom) &&
           wcts_atom_true(&pair->one->world, pair->rule, pair->instance, atom) !=
               wcts_atom_true(&pair->other->world, pair->rule, pair->instance, atom);
}

static bool form_flips(const struct pair *pair)
{
    return pair->atoms->whole &&
           (wcts_form_ask(&pair->one->world, pair->rule, pair->instance) == WCTS_BROKEN) !=
               (wcts_form_ask(&pair->other->world, pair->rule, pair->instance) == WCTS_BROKEN);
}

static bool looks(const struct pair *pair, int atom)
{
    return wcts_atom_looks_at(&pair->one->world, pair->rule, &pair->atoms->list[atom],
                              &pair->place);
}

/* Whether all that flips beside the atom looks at the same fact; *alone: nothing does. */
static bool is_cause(const struct pair *pair, int cause, bool *alone)
{
    bool of_form = pair->atoms->list[cause].kind != WCTS_ATOM_WHEN;
    *alone = true;
    for (int i = 0; i < pair->atoms->count; i++) {
        if (i == cause || !flips(pair, &pair->atoms->list[i]))
            continue;
        if (!looks(pair, i) || !looks(pair, cause))
            return false;
        *alone = false;
    }
    if (!of_form && form_flips(pair)) {
        if (!wcts_form_looks_at(&pair->one->world, pair->rule, &pair->place))
            return false;
        *alone = false;
    }
    return true;
}

/* An operand is shown when the form changes its mind over it, and no condition does. */
static bool operand_is_cause(const struct pair *pair, int operand)
{
    if (!looks(pair, operand) || !form_flips(pair))
        return false;
    for (int i = 0; i < pair->atoms->count; i++)
        if (pair->atoms->list[i].kind == WCTS_ATOM_WHEN && flips(pair, &pair->atoms->list[i]))
            return false;
    return true;
}

static void look_at_atom(const struct pair *pair, int i)
{
    const struct wcts_atom *atom = &pair->atoms->list[i];
    bool alone;
    if (atom->kind == WCTS_ATOM_PLACE) {
        if (looks(pair, i))
            show(pair, i, WCTS_SHOWN);
    } else if (atom->kind == WCTS_ATOM_OPERAND) {
        if (operand_is_cause(pair, i))
            show(pair, i, WCTS_SHOWN);
    } else if (flips(pair, atom) && is_cause(pair, i, &alone)) {
        show(pair, i, alone ? WCTS_SHOWN : WCTS_SHOWN_COUPLED);
    }
}

/* Of a rule: the instances that break it in the one call, in the other they are there and do not.
 * Of a layout there is nothing to break. */
static void look_at_pair(struct pair *pair)
{
    const struct wcts_world *one = &pair->one->world, *other = &pair->other->world;
    bool layout = pair->rule->form == WCTS_FORM_LAYOUT;
    wcts_worlds_differ(one, other, &pair->place);
    if (pair->place.count != 1)
        return;
    for (int i = 0; i < one->count; i++) {
        if (layout ? i != pair->place.instance
                   : one->instances[i].structure != pair->rule->on || !one->instances[i].present ||
                         !other->instances[i].present ||
                         wcts_rule_ask(one, pair->rule, i) != WCTS_BROKEN)
            continue;
        pair->instance = i;
        for (int atom = 0; atom < pair->atoms->count; atom++)
            if (pair->cover->decisions[atom].shown != WCTS_SHOWN)
                look_at_atom(pair, atom);
    }
}

/* ---- all pairs ---- */

static bool is_done(const struct wcts_rule_cover *cover)
{
    for (int i = 0; i < cover->count; i++)
        if (cover->decisions[i].shown != WCTS_SHOWN)
            return false;
    return true;
}

static bool refused(enum wcts_expect expect)
{
    return expect == WCTS_EXPECT_REFUSE || expect == WCTS_EXPECT_ASSERT;
}

/* Whether the case breaks its rule, or lays something out. */
static bool begins_pair(const struct looking *looking, const struct trial *trial)
{
    const struct wcts_rule *rule = &looking->spec->rules[trial->one->rule];
    if (trial->twin)
        return false;
    if (rule->form == WCTS_FORM_LAYOUT)
        return true;
    return wcts_is_asked(rule->form) &&
           (refused(trial->one->expect) || refused(trial->one->strict)) &&
           wcts_rule_ask_all(&trial->world, rule, NULL) == WCTS_BROKEN;
}

/* One trial against all of its group [first, end): its own twin is among them. */
static void look_at_trial(const struct looking *looking, const struct trial *one, int first,
                          int end)
{
    struct pair pair = {.rule = &looking->spec->rules[one->one->rule],
                        .atoms = &looking->atoms[one->one->rule],
                        .cover = &looking->cover->rules[one->one->rule],
                        .plan = looking->cover->plan,
                        .one = one};
    bool layout = pair.rule->form == WCTS_FORM_LAYOUT;
    pair.cover->came = true;
    for (int i = first; i < end && !is_done(pair.cover); i++) {
        pair.other = &looking->trials[i];
        if (pair.other->one != one->one && !layout && !pair.other->accepted)
            continue;
        if (pair.other != one && (layout || pair.other->accepted))
            look_at_pair(&pair);
    }
}

static bool look_at_group(struct looking *looking, int first, int end)
{
    bool good = true;
    for (int i = first; good && i < end; i++)
        good = build_world(looking, &looking->trials[i]);
    for (int i = first; good && i < end; i++)
        if (begins_pair(looking, &looking->trials[i]))
            look_at_trial(looking, &looking->trials[i], first, end);
    for (int i = first; i < end; i++)
        wcts_world_release(&looking->trials[i].world);
    return good;
}

static bool look_at_all(struct looking *looking)
{
    bool good = true;
    for (int first = 0, end; good && first < looking->count; first = end) {
        for (end = first + 1; end < looking->count; end++)
            if (group_order(looking->trials[first].one, looking->trials[end].one) != 0)
                break;
        good = look_at_group(looking, first, end);
    }
    return good;
}

/* ---- versions ---- */

static bool same_facts(const struct wcts_case *a, const struct wcts_case *b)
{
    if (a->base != b->base || a->page_size != b->page_size || a->fact_count != b->fact_count)
        return false;
    for (int i = 0; i < a->fact_count; i++) {
        const struct wcts_fact *x = &a->facts[i], *y = &b->facts[i];
        if (x->instance != y->instance || x->ref.structure != y->ref.structure ||
            x->ref.member != y->ref.member || x->ref.flag != y->ref.flag ||
            x->value.symbol != y->value.symbol || x->value.number != y->value.number)
            return false;
    }
    return true;
}

/* The same call at two versions: breaks the gate at the one, no rule at the other. */
static void look_at_versions(const struct looking *looking, int rule, int atom)
{
    const struct wcts_plan *plan = looking->cover->plan;
    struct wcts_decision *decision = &looking->cover->rules[rule].decisions[atom];
    for (int i = 0; i < plan->count; i++) {
        const struct wcts_case *one = &plan->cases[i];
        if (one->rule != rule || !has_world(one) ||
            !(refused(one->expect) || refused(one->strict)))
            continue;
        for (int j = 0; j < plan->count && decision->shown == WCTS_SHOWN_NOT; j++)
            if (plan->cases[j].rule == rule && plan->cases[j].expect == WCTS_EXPECT_ACCEPT &&
                same_facts(one, &plan->cases[j]))
                *decision =
                    (struct wcts_decision){decision->text, WCTS_SHOWN, i, j, false, NULL};
    }
}

/* ---- decisions ---- */

static void prepare(struct looking *looking, int rule)
{
    struct wcts_cover *cover = looking->cover;
    struct wcts_rule_cover *one = &cover->rules[rule];
    const struct wcts_atoms *atoms = &looking->atoms[rule];
    one->count = atoms->count;
    one->decisions = wcts_arena_array(cover->arena, (size_t)atoms->count, sizeof *one->decisions);
    for (int i = 0; i < atoms->count; i++)
        one->decisions[i] = (struct wcts_decision){
            .text = wcts_atom_text(cover->arena, looking->spec, &looking->spec->rules[rule],
                                   &atoms->list[i]),
            .one = -1,
            .other = -1};
}

bool wcts_cover_worlds(struct wcts_cover *cover)
{
    struct looking looking = {.cover = cover, .spec = cover->plan->spec};
    int rules = looking.spec->rules_count;
    bool good = wcts_eval_init(&looking.eval, looking.spec) && collect(&looking, cover->plan);
    looking.atoms = wcts_arena_array(cover->arena, (size_t)rules, sizeof *looking.atoms);
    for (int i = 0; good && i < rules; i++) {
        if (wcts_is_effect(looking.spec->rules[i].form))
            continue;
        wcts_atoms_of(looking.spec, &looking.spec->rules[i], &looking.atoms[i]);
        prepare(&looking, i);
    }
    good = good && look_at_all(&looking);
    for (int i = 0; good && i < rules; i++)
        for (int j = 0; j < looking.atoms[i].count; j++)
            if (looking.atoms[i].list[j].kind == WCTS_ATOM_VERSION)
                look_at_versions(&looking, i, j);
    free(looking.trials);
    wcts_eval_release(&looking.eval);
    return good;
}
