/* SPDX-License-Identifier: MIT */
/* What the files of cover/ share: conditions of rules, and pairs of calls. */
#ifndef WCTS_COVER_ATOM_H
#define WCTS_COVER_ATOM_H

#include "../base/arena.h"
#include "../oracle/world.h"
#include "cover.h"

enum wcts_cover_atom_kind {
    WCTS_ATOM_WHEN,    /* the number-th condition of the rule */
    WCTS_ATOM_FACT,    /* the expression number: that ref is set, or not */
    WCTS_ATOM_OTHERS,  /* the expression number: another flag of ref's word is set */
    WCTS_ATOM_BELOW,   /* the expression number: ref is less than a limit */
    WCTS_ATOM_ABOVE,   /* the expression number: ref is more than a limit */
    WCTS_ATOM_OPERAND, /* the value of ref, which the breach compares; neither true nor false */
    WCTS_ATOM_PLACE,   /* layout: ref has a value of its own */
    WCTS_ATOM_VERSION, /* gate: the version is one before the flag's */
};

/* A condition of a rule. Decision n of the rule's cover belongs to atom n. */
struct wcts_cover_atom {
    enum wcts_cover_atom_kind kind;
    struct wcts_ref ref;
    int number;
};

#define WCTS_ATOMS_MAX 96

/* The conditions of a rule. Example: of refuse="A" unless="B", two facts: {.count = 2, .list =
 * {{WCTS_ATOM_FACT, A}, {WCTS_ATOM_FACT, B}}}. */
struct wcts_cover_atoms {
    int count;
    struct wcts_cover_atom list[WCTS_ATOMS_MAX];
    bool whole; /* the breach compares operands, which is one condition more */
};

/* The conditions of a rule that worlds can evaluate, or of a layout. */
void wcts_cover_atoms_of(const struct wcts_spec *spec, const struct wcts_rule *rule,
                         struct wcts_cover_atoms *atoms);
const char *wcts_cover_atom_text(struct wcts_arena *arena, const struct wcts_spec *spec,
                                 const struct wcts_rule *rule, const struct wcts_cover_atom *atom);

/* True if the atom is either true or false; the value of the atom for an instance of a world. */
bool wcts_cover_atom_is_boolean(const struct wcts_cover_atom *atom);
bool wcts_cover_atom_true(const struct wcts_world *world, const struct wcts_rule *rule,
                          int instance, const struct wcts_cover_atom *atom);

/* Where two worlds of one base differ: bits of a member of an instance. */
struct wcts_cover_difference {
    int count; /* places; a flag is one, a member without flags is one */
    int instance, member;
    uint64_t bits; /* for a member with flags */
};

/* Finds the only difference; count is 2 when there are more. */
void wcts_cover_worlds_differ(const struct wcts_world *a, const struct wcts_world *b,
                              struct wcts_cover_difference *difference);
/* True if the atom reads the member that differs. */
bool wcts_cover_atom_reads(const struct wcts_world *world, const struct wcts_rule *rule,
                           const struct wcts_cover_atom *atom,
                           const struct wcts_cover_difference *place);
/* True if the rule's form reads the member that differs. */
bool wcts_cover_form_reads(const struct wcts_world *world, const struct wcts_rule *rule,
                           const struct wcts_cover_difference *place);

/* Two worlds of one base that differ in one place. */
struct wcts_cover_call_pair {
    const struct wcts_rule *rule;
    const struct wcts_cover_atoms *atoms;
    const struct wcts_world *one, *other;
    struct wcts_cover_difference place;
    int instance; /* an instance of the rule's structure in both */
};

/* True if the pair can show conditions for its instance: one breaks the rule there and other has
 * the instance, or the pair differs in a place of a layout. */
bool wcts_cover_pair_begins(const struct wcts_cover_call_pair *pair);
/* What the pair shows of the atom: whether the difference changes it alone, and with it the rule's
 * result. other breaks no rule. */
enum wcts_cover_shown wcts_cover_pair_shows(const struct wcts_cover_call_pair *pair, int atom);

/* True if the cover is of that rule, too. */
bool wcts_cover_is_asked(const struct wcts_cover *cover, int rule);

/* True if every condition of the rule is shown. */
bool wcts_cover_is_done(const struct wcts_cover_rule *rule);

/* The conditions of effects (records.c). */
bool wcts_cover_records(struct wcts_cover *cover);

#endif
