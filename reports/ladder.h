/* SPDX-License-Identifier: MIT */
/* The two ladders (docs/coverage.md): how far each statement has come in the suite, and in a run.
 * They are separate and never added up. */
#ifndef WCTS_LADDER_H
#define WCTS_LADDER_H

#include <jansson.h>

#include "../runner/cover/cover.h"
#include "../runner/plan/plan.h"
#include "mutation.h"

#define WCTS_LADDER_STEPS 5

/* How far one statement has come. */
struct wcts_report_rung {
    bool counted;        /* selected and testable */
    bool listed;         /* selected, not testable */
    int reached;         /* number of steps, 0 to WCTS_LADDER_STEPS */
    const char *reason;  /* why no further; on a run's last step the case that breaks it; or NULL */
    const char *verdict; /* on a run's last step "pass", "warn", "fail", ...; else NULL */
    const char *hidden;  /* of a run: its rules that apply and were not shown, a line each; NULL:
                            none, or it was not tested at all */
};

/*
 * A ladder: each statement has a rung, which holds the steps it has reached. The caller owns it;
 * the arena holds its strings. For example a statement whose rule lacks a case, in the ladder of
 * the suite (steps "recorded", "ruled", "generated", "both ways", "killed"):
 *     rungs[s] = {.counted = true, .reached = 2, .reason = "rule ... has no case in the ..."}
 */
struct wcts_report_ladder {
    const struct wcts_spec *spec;
    const char *name;                     /* "suite" or "run" */
    const char *steps[WCTS_LADDER_STEPS]; /* "both ways" */
    struct wcts_report_rung *rungs;       /* one for each statement of the spec */
    int *at_version; /* steps, by statement * versions_count + version; -1: not counted there */
    const char
        *stop; /* why no statement can reach the last step, as a stale record; NULL: nothing */
    const char *stop_word; /* the same in a word for a table: "stale" */
    const char *about;     /* describes the run in a line; NULL: nothing */
    int left_out;          /* testable statements, for want of a case of the run's sides */
    struct wcts_arena *arena;
};

/* The statements to count. */
struct wcts_report_ladder_scope {
    const bool *statements;          /* one for each; NULL: all */
    int first_version, last_version; /* rules that bind at none of them are left out */
    const struct wcts_plan *plan;    /* of a run: statements without a case of its sides in here are
                                        left out; NULL: none are */
};

/* The ladder of the suite: recorded, ruled, generated, both ways, killed. */
bool wcts_report_ladder_suite(struct wcts_report_ladder *ladder, const struct wcts_plan *plan,
                              const struct wcts_cover *cover,
                              const struct wcts_report_mutation *mutation,
                              const struct wcts_report_ladder_scope *scope);
/* The ladder of a run, from its directory: selected, executed, exercised, observed, verdict. False,
 * with a message, when the directory cannot be read as a run. */
bool wcts_report_ladder_run(struct wcts_report_ladder *ladder, const struct wcts_spec *spec,
                            const char *directory, const struct wcts_report_ladder_scope *scope);
void wcts_report_ladder_release(struct wcts_report_ladder *ladder);

/* How many of the counted statements of a group have reached each step. */
struct wcts_report_ladder_count {
    int all, steps[WCTS_LADDER_STEPS];
};

/* document, role: -1 for all. */
struct wcts_report_ladder_count wcts_report_ladder_count(const struct wcts_report_ladder *ladder,
                                                         int document, int role);
struct wcts_report_ladder_count wcts_report_ladder_count_at(const struct wcts_report_ladder *ladder,
                                                            int version);

/* The step with that name, also written "both-ways"; -1 when there is none. */
int wcts_report_ladder_step(const struct wcts_report_ladder *ladder, const char *name,
                            size_t length);

/* Prints tables, then the statements that stopped, then those that are not testable. */
void wcts_report_ladder_print(FILE *out, const struct wcts_report_ladder *ladder);
json_t *wcts_report_ladder_json(const struct wcts_report_ladder *ladder);
/* Prints the conditions of the rules of counted statements with their pairs. */
void wcts_report_cover_print(FILE *out, const struct wcts_cover *cover,
                             const struct wcts_report_ladder *ladder);
json_t *wcts_report_cover_json(const struct wcts_cover *cover,
                               const struct wcts_report_ladder *ladder);

#endif
