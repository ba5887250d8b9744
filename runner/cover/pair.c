/* SPDX-License-Identifier: MIT */
/* What two calls that differ in one fact show of the conditions of a rule. */
#include "atom.h"

static bool flips(const struct wcts_cover_call_pair *pair, const struct wcts_cover_atom *atom)
{
    return wcts_cover_atom_is_boolean(atom) &&
           wcts_cover_atom_true(pair->one, pair->rule, pair->instance, atom) !=
               wcts_cover_atom_true(pair->other, pair->rule, pair->instance, atom);
}

static bool form_flips(const struct wcts_cover_call_pair *pair)
{
    return pair->atoms->whole &&
           (wcts_oracle_form_ask(pair->one, pair->rule, pair->instance) == WCTS_FALSE) !=
               (wcts_oracle_form_ask(pair->other, pair->rule, pair->instance) == WCTS_FALSE);
}

static bool reads_place(const struct wcts_cover_call_pair *pair, int atom)
{
    return wcts_cover_atom_reads(pair->one, pair->rule, &pair->atoms->list[atom], &pair->place);
}

/* True if the form keeps its result, or reads the member that differs. */
static bool is_form_coupled(const struct wcts_cover_call_pair *pair, bool *alone)
{
    if (!form_flips(pair))
        return true;
    *alone = false;
    return wcts_cover_form_reads(pair->one, pair->rule, &pair->place);
}

/* True if everything that changes with the atom reads the member that differs. *alone: nothing else
 * changes. */
static bool is_cause(const struct wcts_cover_call_pair *pair, int cause, bool *alone)
{
    *alone = true;
    for (int i = 0; i < pair->atoms->count; i++) {
        if (i == cause || !flips(pair, &pair->atoms->list[i]))
            continue;
        if (!reads_place(pair, i) || !reads_place(pair, cause))
            return false;
        *alone = false;
    }
    return pair->atoms->list[cause].kind != WCTS_ATOM_WHEN || is_form_coupled(pair, alone);
}

/* An operand is shown when the form's result changes with it, and no condition does. */
static bool operand_is_cause(const struct wcts_cover_call_pair *pair, int operand)
{
    if (!reads_place(pair, operand) || !form_flips(pair))
        return false;
    for (int i = 0; i < pair->atoms->count; i++)
        if (pair->atoms->list[i].kind == WCTS_ATOM_WHEN && flips(pair, &pair->atoms->list[i]))
            return false;
    return true;
}

bool wcts_cover_pair_begins(const struct wcts_cover_call_pair *pair)
{
    const struct wcts_oracle_world_instance *one = &pair->one->instances[pair->instance];
    if (pair->rule->form == WCTS_FORM_LAYOUT)
        return pair->instance == pair->place.instance;
    return one->structure == pair->rule->on && one->present &&
           pair->other->instances[pair->instance].present &&
           wcts_oracle_rule_ask(pair->one, pair->rule, pair->instance) == WCTS_FALSE;
}

enum wcts_cover_shown wcts_cover_pair_shows(const struct wcts_cover_call_pair *pair, int atom)
{
    const struct wcts_cover_atom *one = &pair->atoms->list[atom];
    bool alone, shown;
    if (one->kind == WCTS_ATOM_PLACE)
        shown = alone = reads_place(pair, atom);
    else if (one->kind == WCTS_ATOM_OPERAND)
        shown = alone = operand_is_cause(pair, atom);
    else
        shown = flips(pair, one) && is_cause(pair, atom, &alone);
    return !shown ? WCTS_SHOWN_NOT : alone ? WCTS_SHOWN : WCTS_SHOWN_COUPLED;
}

bool wcts_cover_is_asked(const struct wcts_cover *cover, int rule)
{
    return !cover->statements || cover->statements[cover->plan->spec->rules[rule].statement];
}

bool wcts_cover_is_done(const struct wcts_cover_rule *rule)
{
    for (int i = 0; i < rule->count; i++)
        if (rule->decisions[i].shown != WCTS_SHOWN)
            return false;
    return true;
}
