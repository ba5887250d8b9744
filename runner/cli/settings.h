/* SPDX-License-Identifier: MIT */
/*
 * What the command line says. Commands and options stand in two tables; parsing, --help and
 * usage come from them. Strings point into argv.
 */
#ifndef WCTS_SETTINGS_H
#define WCTS_SETTINGS_H

#include <stdio.h>

#include "../../include/wddm-cts.h"
#include "../../reports/asked.h"

/* X(name, function suffix, arguments, help) */
#define WCTS_COMMANDS(X)                                                                           \
    X("run", run, "", "run the suite against an implementation")                                   \
    X("list", list, "", "list cases, rules, statements or features")                               \
    X("explain", explain, "ID...",                                                                 \
      "describe cases, rules or statements in words, with their results")                          \
    X("replay", replay, "ID", "run one case alone, in the foreground")                             \
    X("report", report, "DIR...", "make reports from run directories, side by side")               \
    X("lint", lint, "", "check spec and cases, and count them")                                    \
    X("verify", verify, "DIR", "check a run directory, and judge its records again")               \
    X("probe", probe, "", "print what an implementation claims")                                   \
    X("faults", faults, "[ID...]", "list the faults that an implementation can show, or try them") \
    X("diff", diff, "A B", "compare two runs, or two specs")                                       \
    X("coverage", coverage, "[DIR]", "show how far each statement got: in the suite, or in a run") \
    X("version", version, "", "print the version")                                                 \
    X("help", help, "[COMMAND]", "print this help")

enum wcts_command_number {
#define WCTS_COMMAND_ENUM(name, suffix, arguments, help) WCTS_COMMAND_##suffix,
    WCTS_COMMANDS(WCTS_COMMAND_ENUM)
#undef WCTS_COMMAND_ENUM
        WCTS_COMMAND_COUNT
};

enum wcts_listing {
    WCTS_LIST_CASES,
    WCTS_LIST_RULES,
    WCTS_LIST_STATEMENTS,
    WCTS_LIST_FEATURES,
    WCTS_LIST_MUSTPASS
};

#define WCTS_REQUIRES_MAX 16

/* --require STEP=N%: so many of the testable statements are to have come to the step. */
struct wcts_require {
    const char *text; /* as it was given */
    size_t step;      /* letters of the step's name, with which the text begins */
    double percent;
};

struct wcts_settings {
    enum wcts_command_number command;
    struct wcts_options options;
    bool given_implementation;              /* --impl was */
    bool level_given;                       /* --level was */
    const char *out;                        /* NULL: out/<stamp> */
    const char *baseline, *update_baseline; /* files, NULL: none */
    const char *run_directory;              /* explain --run */
    bool only[WCTS_SPEC_FILES_MAX];         /* --case: nothing but the scenarios of that file */
    bool try_faults;                        /* faults --try */
    const char *record;                     /* faults --record; NULL: none */
    bool json, tap, verbose, no_fork, gdb, help;
    enum wcts_listing listing;
    struct wcts_require requires[WCTS_REQUIRES_MAX]; /* coverage */
    int require_count;
    char **arguments; /* what follows the options */
    int argument_count;
    char **all_arguments; /* a copy of argv as it was given */
    int argument_total;
};

/* One function per command; each returns an exit code. */
#define WCTS_COMMAND_FUNCTION(name, suffix, arguments, help)                                       \
    int wcts_command_##suffix(const struct wcts_settings *settings);
WCTS_COMMANDS(WCTS_COMMAND_FUNCTION)
#undef WCTS_COMMAND_FUNCTION

/* False when the command line is wrong; a message and a hint have then been printed. To be
 * released either way. Parsing modifies argv's strings, which must outlive the settings. */
bool wcts_settings_parse(struct wcts_settings *settings, int argc, char **argv);
void wcts_settings_release(struct wcts_settings *settings);

/* The sides that a plug-in is asked for: those of --role, by default both. */
uint32_t wcts_settings_sides(const struct wcts_settings *settings);

/* Usage of the tool, or of one command (WCTS_COMMAND_COUNT: of the tool). */
void wcts_settings_usage(FILE *out, enum wcts_command_number command);

/* The command with this name; WCTS_COMMAND_COUNT when there is none. */
enum wcts_command_number wcts_settings_command(const char *name);

#endif
