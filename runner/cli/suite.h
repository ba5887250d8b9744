/* SPDX-License-Identifier: MIT */
/*
 * The loaded suite of a command: the spec, its plan, and what a command reads or loads with them.
 * Messages go to standard error.
 *
 * The spec directory is --spec-dir, else $WCTS_SPEC_DIR, else the one beside the executable (in a
 * build tree, or PREFIX/bin), else the compiled-in one. cases/ likewise, with $WCTS_CASES_DIR.
 */
#ifndef WCTS_CLI_SUITE_H
#define WCTS_CLI_SUITE_H

#include <jansson.h>

#include "../baseline/baseline.h"
#include "../generate/combine.h"
#include "../plan/mustpass.h"
#include "../run/pool.h"
#include "settings.h"

/* Of "explain ID": the whole spec, a plan of the rules that the ID may belong to, and {.partial =
 * true}. All is owned. It must not move: settings points into it. */
struct wcts_cli_suite {
    const struct wcts_cli_settings *settings; /* own, with the profile */
    struct wcts_cli_settings own;
    struct wcts_profile *profile;         /* of --profile; NULL: none */
    struct wcts_declaration *declaration; /* of --declaration; NULL: none */
    struct wcts_spec *spec;
    struct wcts_plan *plan;
    char *spec_dir, *cases_dir; /* where spec/ and cases/ were found */
    /* What the options select by, and what frees it (selection.c); NULL: nothing was selected. */
    struct cli_selection *selection;
    void (*free_selection)(struct cli_selection *selection);
    bool partial; /* the plan holds only the rules that the command line may want */
    int strength; /* of the combinations, which a second plan uses again; 0: there are none */
    struct wcts_generate_combinations combinations;
};

/* Loads, checks and plans; plans no more than an ID or an anchored --filter may name. False if the
 * spec has an error (exit status USAGE). To be released either way. */
bool wcts_cli_suite_init(struct wcts_cli_suite *suite, const struct wcts_cli_settings *settings);
void wcts_cli_suite_release(struct wcts_cli_suite *suite);

/* Runs a command with its suite loaded. Returns its exit status, or USAGE if the spec has an error.
 */
int wcts_cli_suite_run(const struct wcts_cli_settings *settings,
                       int (*command)(struct wcts_cli_suite *suite));

/* Plans in full what was planned in part, to offer near misses of an unknown id. */
void wcts_cli_suite_plan_all(struct wcts_cli_suite *suite);

/* The number of cases in the whole plan of --suite; for smoke, which is a part of standard, that of
 * standard. Plans again if it was not stored. -1 on an error. */
int wcts_cli_suite_total(const struct wcts_cli_suite *suite);

struct wcts_report_run;
/* Of a plan in part, makes the numbers of statements those of the whole plan of --suite. False on
 * an error. */
bool wcts_cli_suite_count_sides(const struct wcts_cli_suite *suite, struct wcts_report_run *run);

/* Writes the documents as the tool reads them at its next starts (load/stored.h). The exit
 * status, with a message if that fails: 2 if something is wrong with the documents, 3 if they
 * cannot be stored. */
int wcts_cli_suite_store_spec(const struct wcts_cli_settings *settings, const char *path);

/* Writes the plan as the tool reads it at its next starts (plan/stored.h). False, with errno, if
 * that fails. */
bool wcts_cli_suite_store(const struct wcts_cli_suite *suite, const char *path);

/* The strength of the combinations of the largest suite. */
int wcts_cli_suite_strength_max(void);

/* What run directories are read with: the spec and the options. */
struct wcts_report_load_options wcts_cli_suite_load_options(const struct wcts_cli_suite *suite);

/* The run directory as read at --level with --profile: itself without them, else a temporary one,
 * which *made owns (wcts_report_reread_remove). NULL, with a message, on an error. */
const char *wcts_cli_suite_reread(const struct wcts_cli_suite *suite, const char *directory,
                                  char **made);

/* Loads a profile: one of spec/profiles by its name, any other by its path, which ends with ".xml"
 * or has a "/". NULL, with a message; the caller frees it. */
struct wcts_profile *wcts_cli_suite_profile(const struct wcts_cli_suite *suite, const char *name,
                                            struct wcts_diagnostics *diagnostics);
/* Loads the profile that the implementation names in its claims, unless --profile was given; the
 * settings have it then. False, with a message, if there is no such profile or it is wrong. */
bool wcts_cli_suite_name_profile(struct wcts_cli_suite *suite, const struct wcts_claims *claims);
/* Why there is no such profile: what was looked for, near misses, and what would do. */
void wcts_cli_suite_profile_problem(const struct wcts_cli_suite *suite, const char *name,
                                    struct wcts_text *text);
/* Takes over the profile that the side names which was not asked what it claims, as --role and
 * replay leave one out: it is the whole implementation's. Nothing is asked where --profile decides,
 * and one that cannot be asked, which is reported, names none. NO_START, with an error, if both
 * sides name different ones; else as wcts_run_pool_probe(). */
enum wcts_run_pool_end wcts_cli_suite_ask_other_side(const struct wcts_cli_suite *suite,
                                                     const struct wcts_run_pool_options *options,
                                                     struct wcts_claims *claims, char *error,
                                                     size_t room);
/* For the documents alone, where a run has a profile. */
#define WCTS_CLI_NO_PROFILE "none"
/* In the folder of the documents: what the events of traces say. */
#define WCTS_CLI_TRACES "traces/dxgkrnl.xml"
/* What --profile would have to be for the profile of a run; NULL: the run had none. Valid as long
 * as the description of the run. */
const char *wcts_cli_profile_of_run(const json_t *run);
/* The names of the profiles of the suite, sorted; *count of them. The caller frees them and the
 * list. */
char **wcts_cli_suite_profiles(const struct wcts_cli_suite *suite, int *count);

/* The list of cases that a claim needs; NULL if there is none or, with a message, if it is wrong.
 * The caller frees it. */
struct wcts_plan_mustpass *wcts_cli_suite_mustpass(const struct wcts_cli_suite *suite,
                                                   struct wcts_diagnostics *diagnostics);

/*
 * Loads a baseline and binds it to the plan; a waiver for a case of a larger suite is no orphan.
 * False if it has an error (exit status USAGE). path NULL: *baseline is NULL. The caller frees it
 * before the suite.
 */
bool wcts_cli_suite_baseline(const struct wcts_cli_suite *suite, const char *path,
                             struct wcts_baseline **baseline);

/* Binds it to the plan once more, if tests of it were moved since (plan/claimed.h). False without
 * memory. */
bool wcts_cli_suite_bind_again(const struct wcts_cli_suite *suite, struct wcts_baseline *baseline);

/* ---- the implementation ---- */

/* False, with a message, if there is no such file: the command line is wrong, not the plug-in. */
bool wcts_cli_implementation_is_there(const struct wcts_implementation *implementation);

/* Puts the implementation's path before an error that does not begin with it, if both have room. */
void wcts_cli_implementation_name(const struct wcts_implementation *implementation, char *error,
                                  size_t room);

/* Prints an error so. */
void wcts_cli_implementation_complain(const struct wcts_implementation *implementation,
                                      const char *error);

/* Loads the plug-in in a process of its own, whose output goes to the terminal, and reads its
 * claims. Returns an exit status, with a message unless it is OK. */
int wcts_cli_suite_claims(const struct wcts_cli_suite *suite, struct wcts_claims *claims);

#endif
