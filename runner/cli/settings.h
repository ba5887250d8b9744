/* SPDX-License-Identifier: MIT */
/*
 * The command line. Commands and options are in two tables, from which parsing, --help and usage
 * come. Strings point into argv.
 */
#ifndef WCTS_SETTINGS_H
#define WCTS_SETTINGS_H

#include <stdio.h>

#include "../../include/wddm-cts.h"
#include "../../reports/asked.h"

#define WCTS_ARGUMENTS_MAX 1000000

/* X(name, function suffix, arguments, these in words, the least and the most of them, help) */
#define WCTS_COMMANDS(X)                                                                           \
    X("run", run, "", "", 0, 0, "run the suite against an implementation")                         \
    X("list", list, "", "", 0, 0, "list cases, rules, statements or features")                     \
    X("explain", explain, "ID...", "a case, rule or statement", 1, WCTS_ARGUMENTS_MAX,             \
      "describe cases, rules or statements in words, with their results")                          \
    X("replay", replay, "ID", "a case", 1, 1, "run one case alone, in the foreground")             \
    X("report", report, "DIR...", "a run directory", 1, WCTS_ARGUMENTS_MAX,                        \
      "make reports from run directories, side by side")                                           \
    X("merge", merge, "DIR...", "the run directories of all parts", 1, WCTS_ARGUMENTS_MAX,         \
      "make one run of all parts of a run (--shard)")                                              \
    X("lint", lint, "", "", 0, 0, "check spec and cases, and count them")                          \
    X("generate", generate, "BASE", "a base call of cases/", 0, 1,                                 \
      "print calls with every combination of flags, values and versions")                          \
    X("verify", verify, "DIR", "a run directory", 1, 1,                                            \
      "check a run directory, and judge its records again")                                        \
    X("check", check, "FILE...", "a recording, or a run directory", 1, WCTS_ARGUMENTS_MAX,         \
      "judge recordings from elsewhere, without an implementation")                                \
    X("profile", profile, "[NAME...]", "a profile, or derive and run directories", 0,              \
      WCTS_ARGUMENTS_MAX, "list profiles, print one, or propose one from runs (derive RUN...)")    \
    X("probe", probe, "", "", 0, 0, "print what an implementation claims")                         \
    X("faults", faults, "[ID...]", "", 0, WCTS_ARGUMENTS_MAX,                                      \
      "list the faults that an implementation can show, or try them")                              \
    X("diff", diff, "A B", "two runs or two specs", 2, 2, "compare two runs, or two specs")        \
    X("coverage", coverage, "[DIR]", "one run directory", 0, 1,                                    \
      "show how far each statement got: in the suite, or in a run")                                \
    X("version", version, "", "", 0, WCTS_ARGUMENTS_MAX, "print the version")                      \
    X("help", help, "[COMMAND]", "", 0, WCTS_ARGUMENTS_MAX, "print this help")

enum wcts_cli_command_number {
#define WCTS_COMMAND_ENUM(name, suffix, ...) WCTS_COMMAND_##suffix,
    WCTS_COMMANDS(WCTS_COMMAND_ENUM)
#undef WCTS_COMMAND_ENUM
        WCTS_COMMAND_COUNT
};

enum wcts_cli_listing {
    WCTS_LIST_CASES,
    WCTS_LIST_RULES,
    WCTS_LIST_STATEMENTS,
    WCTS_LIST_FEATURES,
    WCTS_LIST_MUSTPASS
};

enum wcts_cli_array_format { WCTS_ARRAY_CSV, WCTS_ARRAY_JSON, WCTS_ARRAY_XML };

#define WCTS_REQUIRES_MAX 16

/* --require STEP=N%: at least that part of the testable statements reaches the step. */
struct wcts_cli_require {
    const char *text; /* as it was given */
    size_t step;      /* letters of the step's name, with which the text begins */
    double percent;
};

/*
 * The settings of a command: the options of runs and reports, which other folders read, and what
 * only the command needs. Owned by main(). "explain --run out/a ID":
 *
 *     {.command = WCTS_COMMAND_explain, .run_directory = "out/a", .arguments = {"ID"},
 *      .argument_count = 1, .options = defaults}
 */
struct wcts_cli_settings {
    enum wcts_cli_command_number command;
    struct wcts_options options;
    bool given_implementation; /* True if --impl is given */
    bool level_given;          /* True if --level is given */
    const char *profile;       /* --profile; NULL: not given */
    char *named_profile;       /* that which the implementation named in a run; NULL: none */
    const char *declaration;   /* --declaration; NULL: not given */
    const char *out;           /* NULL: out/<stamp> */
    bool shard_given;          /* True if --shard is given */
    bool shard_auto;           /* --shard auto, or auto/N with shard_total parts; else 0 */
    char *engine_out;          /* the run directory of the engine of --shard auto; NULL: none */
    int shard_total;
    const char *shard_env;                  /* --shard-env; NULL: none */
    bool seedless;                          /* --shuffle without a seed: one is drawn */
    struct wcts_strings after;              /* replay --after */
    bool partial;                           /* merge --partial */
    const char *resume;                     /* the run that goes on; NULL: another begins */
    const char *baseline, *update_baseline; /* files, NULL: none */
    const char *run_directory;              /* explain --run */
    bool only[WCTS_SPEC_FILES_MAX]; /* --case: of the spec files, those whose scenarios alone are
                                       selected */
    bool try_faults;                /* faults --try */
    const char *record;             /* faults --record; NULL: none */
    const char *export;             /* check --export; NULL: none */
    int adapter;                    /* check --adapter: of a trace; 0: all */
    unsigned judged_sides;          /* check --side: 1 << enum wcts_judge_side; 0: not given */
    bool json, tap, verbose, no_fork, gdb, help;
    enum wcts_cli_listing listing;
    struct wcts_cli_require requires[WCTS_REQUIRES_MAX]; /* coverage */
    int require_count;
    /* generate */
    int strength;
    uint64_t effort;
    const char *breaks, *measure, *store; /* a rule; files; NULL: none */
    enum wcts_cli_array_format array_format;
    char **arguments; /* what follows the options */
    int argument_count;
    char **all_arguments; /* a copy of argv as it was given */
    int argument_total;
    char **again; /* words of another command line, to which the strings point; NULL: argv */
};

/* One function per command; each returns an exit code. */
#define WCTS_COMMAND_FUNCTION(name, suffix, ...)                                                   \
    int wcts_command_##suffix(const struct wcts_cli_settings *settings);
WCTS_COMMANDS(WCTS_COMMAND_FUNCTION)
#undef WCTS_COMMAND_FUNCTION

/* False when the command line is wrong; a message and a hint have then been printed. To be
 * released either way. Parsing modifies argv's strings, which must outlive the settings. */
bool wcts_cli_settings_parse(struct wcts_cli_settings *settings, int argc, char **argv);
void wcts_cli_settings_release(struct wcts_cli_settings *settings);

/* False, with a message, when an option has no effect without another that is not given. */
bool wcts_cli_settings_have_effect(const struct wcts_cli_settings *settings);

/* The sides of --role, by default both. */
uint32_t wcts_cli_settings_sides(const struct wcts_cli_settings *settings);

/* Usage of the tool, or of one command (WCTS_COMMAND_COUNT: of the tool). */
void wcts_cli_settings_usage(FILE *out, enum wcts_cli_command_number command);

/* The command with this name; WCTS_COMMAND_COUNT when there is none. */
enum wcts_cli_command_number wcts_cli_settings_command(const char *name);
/* Says that there is no such command, and what may be meant. */
void wcts_cli_settings_unknown(const char *name);

#endif
