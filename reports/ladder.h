/* SPDX-License-Identifier: MIT */
/*
 * The two ladders (docs/coverage.md): how far each statement has come in the suite, and in a run.
 * Each is a struct wcts_ladder of its own; nothing adds one to the other.
 */
#ifndef WCTS_LADDER_H
#define WCTS_LADDER_H

#include <jansson.h>

#include "../runner/cover/cover.h"
#include "../runner/plan/plan.h"
#include "mutation.h"

#define WCTS_LADDER_STEPS 5

/* How far one statement has come. */
struct wcts_rung {
    bool counted; /* it is selected, and can be tested */
    bool listed;  /* it is selected, and cannot */
    int reached;  /* so many steps, 0 to WCTS_LADDER_STEPS */
    const char
        *reason; /* why no further; on the last step of a run which case breaks it; or NULL */
    const char *verdict; /* of a run, on the last step: "pass", "warn", "fail", ...; else NULL */
};

struct wcts_ladder {
    const struct wcts_spec *spec;
    const char *name;                     /* "suite" or "run" */
    const char *steps[WCTS_LADDER_STEPS]; /* "both ways" */
    struct wcts_rung *rungs;              /* one for each statement of the spec */
    int *at_version; /* statement * versions_count + version: steps, -1: it does
                        not count there */
    const char
        *stop; /* why nobody can reach the last step: a record that is stale; NULL: nothing */
    const char *stop_word; /* the same in a word, for a table: "stale" */
    const char *about;     /* of what it is, a line; NULL: nothing to say */
    struct wcts_arena *arena;
};

/* Which statements are looked at. */
struct wcts_ladder_scope {
    const bool *statements;          /* one for each; NULL: all */
    int first_version, last_version; /* rules that bind nowhere there are left out */
};

/* The suite's: recorded, ruled, generated, both ways, killed. */
bool wcts_ladder_suite(struct wcts_ladder *ladder, const struct wcts_plan *plan,
                       const struct wcts_cover *cover, const struct wcts_mutation *mutation,
                       const struct wcts_ladder_scope *scope);
/* A run's, from its directory: selected, executed, exercised, observed, verdict. False, with a
 * message on standard error, when that cannot be read as the directory of a run. */
bool wcts_ladder_run(struct wcts_ladder *ladder, const struct wcts_spec *spec,
                     const char *directory, const struct wcts_ladder_scope *scope);
void wcts_ladder_release(struct wcts_ladder *ladder);

/* How many of the counted statements that belong to a group have come to each step. */
struct wcts_ladder_count {
    int all, steps[WCTS_LADDER_STEPS];
};

/* document, role: -1 for all. */
struct wcts_ladder_count wcts_ladder_count(const struct wcts_ladder *ladder, int document,
                                           int role);
struct wcts_ladder_count wcts_ladder_count_at(const struct wcts_ladder *ladder, int version);

/* The step with that name ("both ways" is also written "both-ways"); -1 when there is none. */
int wcts_ladder_step(const struct wcts_ladder *ladder, const char *name, size_t length);

/* Tables, then the statements that stopped short, then those that cannot be tested. */
void wcts_ladder_print(FILE *out, const struct wcts_ladder *ladder);
json_t *wcts_ladder_json(const struct wcts_ladder *ladder);
/* The conditions of the rules of counted statements with their pairs. */
void wcts_cover_print(FILE *out, const struct wcts_cover *cover, const struct wcts_ladder *ladder);
json_t *wcts_cover_json(const struct wcts_cover *cover, const struct wcts_ladder *ladder);

#endif
