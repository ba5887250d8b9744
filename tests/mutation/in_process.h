/* SPDX-License-Identifier: MIT */
/* What the parts of in_process.c share. */
#ifndef IN_PROCESS_H
#define IN_PROCESS_H

#include <unistd.h>

#include "mutate_spec.h"
#include "runner/plan/plan.h"
#include "runner/run/case.h"

/* Documents, loaded and planned, as they are or with a mutant. */
struct near_suite {
    struct wcts_spec *spec;
    struct wcts_plan *plan;
};

/* What became of a test: its verdict, how it is skipped, and what the parties said in it, which is
 * kept if it is all that its finding depends on. */
struct near_result {
    bool made, quiet, red;
    enum wcts_verdict verdict;
    int performed; /* 1 + the test that it was performed with; 0: by itself */
    struct wcts_exchange_recording recording;
};

struct near_scenarios;
struct near_elsewhere;

/* An implementation with its results of the suite as it is, by the index of the test. */
struct near_host {
    char options[256];
    bool conforms; /* True if no test is to be red; else every difference counts */
    struct wcts_machine_session *sessions[2]; /* by the side under test; NULL: there is none */
    struct near_result *results;              /* made when they are asked for; NULL: none were */
    struct near_scenarios *scenarios;         /* NULL: none were performed yet */
};

enum { NEAR_MODES = 2 };

/* The mutants of the same statements: {"SEG-018 SEG-019", the suite as it is, ...}. */
struct near_group {
    const char *statements;
    struct near_suite suite;
    int errors;              /* that lint reports: procedures that only other scenarios use */
    struct wcts_case *cases; /* all tests of it */
    const struct wcts_case **sorted;    /* ... by their ids */
    struct near_host modes[NEAR_MODES]; /* of the emulator: strict, and as it is by default */
    struct near_host *rivals;
    struct near_elsewhere *elsewhere; /* of the effect that was looked at last */
};

/* A mutant's suite. */
struct near_trial {
    struct near_group *group;
    const struct near_suite *suite;
    int effect; /* the rule that is changed in the suite as it is: tests that are the same are
                 * judged by what was said before; -1: it is another suite */
    const struct wcts_rule *was; /* ... as it was */
    bool alone;                  /* True if no rival is tried */
};

/* Plans the tests of statements; false, with an error, if they cannot be. */
bool near_plan(struct near_suite *suite, const char *statements,
               struct wcts_diagnostics *diagnostics);

/* ---- in_process_run.c ---- */

struct wcts_machine_session *near_open_session(const struct wcts_plan *plan, const char *options,
                                               bool driver);
/* Runs a test; keep: what the parties said in it is taken out of the session. */
void near_run(struct wcts_machine_session *session, const struct wcts_case *test, bool keep,
              struct near_result *made);
/* The verdict of a test in a plan, by what the parties said in it; false: it is not claimed. */
bool near_judge(const struct wcts_plan *plan, const struct wcts_machine_session *session,
                const struct wcts_case *test, struct wcts_exchange_recording *recording,
                enum wcts_verdict *verdict);

/* Puts a changed effect back for as long as something is made of the suite as it is, and returns
 * it. */
struct wcts_rule near_change_back(const struct near_trial *trial);
void near_change_again(const struct near_trial *trial, const struct wcts_rule *changed);

bool near_group_init(struct near_group *group);
void near_group_release(struct near_group *group);
/* A rival with its results. */
struct near_host *near_rival(struct near_group *group, int rival);
/* True if a test fares otherwise than with the suite as it is, with its id. */
bool near_shows(const struct near_trial *trial, struct near_host *host, char *id, size_t room);

/* ---- in_process_elsewhere.c ---- */

/* Performs each scenario once, for all groups. */
bool near_elsewhere_start(const struct wcts_spec *spec);
/* The first scenario in whose exchange a changed effect is another than it was, whoever expects
 * it; -1: there is none. rival: of the group's; -1: the emulator as it is. */
int near_shows_elsewhere(const struct near_trial *trial, int rival);
void near_elsewhere_release(struct near_elsewhere *elsewhere);
void near_scenarios_release(struct near_scenarios *scenarios);

#endif
