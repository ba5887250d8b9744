/* SPDX-License-Identifier: MIT */
/* What the files of cover/ share. */
#ifndef WCTS_COVER_ATOM_H
#define WCTS_COVER_ATOM_H

#include "../base/arena.h"
#include "../oracle/world.h"
#include "cover.h"

enum wcts_atom_kind {
    WCTS_ATOM_WHEN,    /* the number-th condition of the rule */
    WCTS_ATOM_FACT,    /* whether ref is set */
    WCTS_ATOM_OTHERS,  /* whether another flag of ref's word is set */
    WCTS_ATOM_BELOW,   /* whether ref is less than the form's min */
    WCTS_ATOM_ABOVE,   /* whether ref is more than the form's max */
    WCTS_ATOM_OPERAND, /* the value of ref: not true or false, but what the form is asked about */
    WCTS_ATOM_PLACE,   /* layout: ref has a value of its own */
    WCTS_ATOM_VERSION, /* gate: the version is one before the flag's */
};

/* A condition of a rule. Decision number n of the rule's cover is about atom number n. */
struct wcts_atom {
    enum wcts_atom_kind kind;
    struct wcts_ref ref;
    int number;
};

#define WCTS_ATOMS_MAX 96

struct wcts_atoms {
    int count;
    struct wcts_atom list[WCTS_ATOMS_MAX];
    bool whole; /* the form is a comparison of operands: one condition of its own */
};

/* The conditions of a rule that worlds are asked about, or of a layout. */
void wcts_atoms_of(const struct wcts_spec *spec, const struct wcts_rule *rule,
                   struct wcts_atoms *atoms);
const char *wcts_atom_text(struct wcts_arena *arena, const struct wcts_spec *spec,
                           const struct wcts_rule *rule, const struct wcts_atom *atom);
const char *wcts_when_text(struct wcts_arena *arena, const struct wcts_condition *when);

/* Whether the atom is true or false at all, and whether it is true for an instance of a world. */
bool wcts_atom_is_boolean(const struct wcts_atom *atom);
bool wcts_atom_true(const struct wcts_world *world, const struct wcts_rule *rule, int instance,
                    const struct wcts_atom *atom);

/* Where two worlds of one base differ: bits of a member of an instance. */
struct wcts_difference {
    int count; /* of places; a flag is one, a member without flags is one */
    int instance, member;
    uint64_t bits; /* of a member with flags */
};

/* Looks for one place; count is 2 when there are more. */
void wcts_worlds_differ(const struct wcts_world *a, const struct wcts_world *b,
                        struct wcts_difference *difference);
/* Whether the place is that of ref; whether the atom looks at the place. */
bool wcts_place_is(const struct wcts_world *world, const struct wcts_difference *place,
                   struct wcts_ref ref);
bool wcts_atom_looks_at(const struct wcts_world *world, const struct wcts_rule *rule,
                        const struct wcts_atom *atom, const struct wcts_difference *place);
/* True if the rule's form looks at the place. */
bool wcts_form_looks_at(const struct wcts_world *world, const struct wcts_rule *rule,
                        const struct wcts_difference *place);

/* Two worlds of one base that differ in one place. */
struct wcts_call_pair {
    const struct wcts_rule *rule;
    const struct wcts_atoms *atoms;
    const struct wcts_world *one, *other;
    struct wcts_difference place;
    int instance; /* of the rule's structure, in both */
};

/* True if the pair can say anything of its instance: it breaks the rule in the one and is there in
 * the other, or has the place that a layout is about. */
bool wcts_pair_begins(const struct wcts_call_pair *pair);
/* Whether the place changes that atom alone, and the rule's mind with it, given that the other
 * breaks no rule. */
enum wcts_shown wcts_pair_shows(const struct wcts_call_pair *pair, int atom);

/* Effects, in records (records.c). */
bool wcts_cover_records(struct wcts_cover *cover);

#endif
