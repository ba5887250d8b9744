/* SPDX-License-Identifier: MIT */
/*
 * A profile: what an implementation is known to do otherwise than the documents say. Loaded from
 * spec/profiles or from a file of the user's (load/profile.h), applied where findings become
 * verdicts (judge/profile.h).
 */
#ifndef WCTS_PROFILE_H
#define WCTS_PROFILE_H

#include "spec.h"

enum wcts_profile_kind {
    WCTS_PROFILE_DEVIATION,   /* the outcome of a statement is the opposite */
    WCTS_PROFILE_RESTRICTION, /* it refuses what no document lets it refuse */
    WCTS_PROFILE_ABSENT,      /* it has no such operation, or none of a feature */
    WCTS_PROFILE_KINDS
};

/* Sets of entries are numbers with a bit for each. */
#define WCTS_PROFILE_ENTRIES_MAX 64

/*
 * One entry. Example: {.id "W3", DEVIATION, .statement DOC-001, .text "It is accepted all the
 * same.", .source "WT", .confidence "T U", .rows "W3 W24"}. A restriction has on = the structure of
 * a request, when = the root of "Flags.A and not Flags.B".
 */
struct wcts_profile_entry {
    const char *id;
    struct wcts_place place;
    enum wcts_profile_kind kind;
    int statement;         /* deviation: of which statement; else -1 */
    int rule;              /* ... and of which of its rules, -1: of all */
    bool some;             /* deviation: it shows in some of the cases, not in every one */
    bool driver;           /* the driver side is the one that deviates or refuses */
    int since, until;      /* versions at which it holds; until is exclusive */
    int on, when;          /* structure, and expression of the profile about it; -1, 0: always */
    const char *condition; /* that expression in its canonical form; NULL: none */
    const char *what;      /* absent: the feature or operation, as it is written */
    uint64_t operations;   /* absent: wcts_model_operation_bit() */
    const char *text;      /* what really happens, in words */
    const char *source, *confidence, *rows; /* rows: of the fact collection; may be NULL */
};

/*
 * A profile; the caller of wcts_load_profile frees it (wcts_load_profile_free). One that a run
 * directory names has no expressions: {.name "windows", .shipped true, .count 2}.
 */
struct wcts_profile {
    const char *name, *title, *about; /* about: what it is of; NULL: not said */
    const char *path;
    bool shipped; /* of spec/profiles of the suite */
    char digest[65];
    struct wcts_profile_entry *entries;
    int count;
    struct wcts_lang_exprs *exprs; /* its own; NULL: none */
    struct wcts_arena *arena;
};

/* "deviation" */
const char *wcts_model_profile_kind_name(enum wcts_profile_kind kind);
/* How many entries are of the kind. */
int wcts_model_profile_count(const struct wcts_profile *profile, enum wcts_profile_kind kind);

static inline uint64_t wcts_model_profile_bit(int entry)
{
    return UINT64_C(1) << entry;
}

#endif
