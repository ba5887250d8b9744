/* SPDX-License-Identifier: MIT */
/* The options of a run and its reports, and how an option finds its way to where it is applied. */
#ifndef WCTS_OPTIONS_H
#define WCTS_OPTIONS_H

#include <stdint.h>

#include "choices.h"

/* An implementation as --impl names it: {"./plugin.so", "strict"}. */
struct wcts_implementation {
    const char *path;    /* NULL or "emulator": the built-in one */
    const char *options; /* "" for none */
};

enum wcts_colours { WCTS_COLOURS_AUTO, WCTS_COLOURS_ALWAYS, WCTS_COLOURS_NEVER };

/*
 * The reports that are files, each with an option of its name. X(name, commands that have the
 * option, help, true if the summary names the file). Each is written by wcts_write_NAME
 * (reports/documents.h).
 */
#define WCTS_FORMATS(X)                                                                            \
    X(junit, ON(run) | ON(report) | ON(merge) | ON(check), "also write JUnit XML", true)           \
    X(html, ON(run) | ON(report) | ON(merge) | ON(profile) | ON(check),                            \
      "write one HTML file that needs no other", true)                                             \
    X(cobertura, ON(report), "write coverage of the spec", false)                                  \
    X(markdown, ON(run) | ON(report) | ON(merge), "write a summary for a CI job", true)            \
    X(xml, ON(report) | ON(probe),                                                                 \
      "write the result XML behind the other reports; probe: the declaration, with what the "      \
      "smoke "                                                                                     \
      "suite finds implemented",                                                                   \
      false)

enum wcts_format {
#define WCTS_FORMAT_ENUM(name, commands, help, shown) WCTS_FORMAT_##name,
    WCTS_FORMATS(WCTS_FORMAT_ENUM)
#undef WCTS_FORMAT_ENUM
        WCTS_FORMAT_COUNT
};

/*
 * Flags that change verdicts or the exit status. Each is a member of struct wcts_options, and of
 * run.json where it is true, so that report and verify judge as the run did. X(name, ...)
 */
#define WCTS_JUDGING_FLAGS(X, ...)                                                                 \
    X(strict_baseline, __VA_ARGS__)                                                                \
    X(fail_on_flaky, __VA_ARGS__)

#define WCTS_SPEC_FILES_MAX 64
#define WCTS_STRINGS_MAX 64

struct wcts_profile;
struct wcts_declaration;

/* The values of an option that may be repeated. Example: "--filter A --filter B" is {{"A", "B"},
 * 2}. */
struct wcts_strings {
    const char *of[WCTS_STRINGS_MAX];
    int count;
};

/*
 * The options of a run. The command line fills them (cli/options.c), or the reader of a run
 * directory (reports/json.c); everybody else has a pointer to const. Strings belong to whoever
 * filled them. As "run --impl ./plugin.so,strict --wddm 2.0..2.4 --shard 1/4" has them:
 *
 *     {.implementation = {"./plugin.so", "strict"}, .first_version = "2.0", .last_version = "2.4",
 *      .shard = 1, .shards = 4, .suite = WCTS_SUITE_STANDARD, .level = WCTS_LEVEL_DOCUMENTED, ...}
 *
 * A new option is a member here, its row in cli/options.c, and the place that applies it.
 */
struct wcts_options {
    struct wcts_implementation implementation;

    /* What is planned and selected. */
    enum wcts_suite suite;
    uint64_t seed;
    const char *spec_dir, *cases_dir; /* NULL: where they are found, see cli/suite.h */
    const char *spec_files[WCTS_SPEC_FILES_MAX];
    int spec_file_count;
    const char *first_version, *last_version; /* --wddm: names, NULL: all */
    const char *upgrade_to;                   /* --upgrade: the name of a version, NULL: none */
    uint32_t upgrade;                         /* ... and its interface version, 0: none */
    uint32_t sides;                           /* --role: sum of enum wcts_side, 0: the plug-in's */
    struct wcts_strings filters, excludes;    /* expressions; none: all, nothing */
    const char *failed_of;                    /* a run directory; NULL: none */
    int shard, shards;                        /* 1 of 1: all */
    const char *durations;                    /* a run, by whose times parts are equal; or NULL */
    int max_cases;                            /* those that are worth most; 0: all */
    double budget;                            /* seconds of a run for those that are; 0: no limit */
    bool narrowed, partial;                   /* cases are left out (struct wcts_report_run) */

    /* How it is run. */
    int workers;
    double timeout;        /* seconds of silence, see run/watch.h */
    uint64_t memory_limit; /* bytes that the plug-in may take in a worker; 0: any number */
    int retries;           /* how often a case that fails is run again */
    int repeat;            /* how often each case is run; 0: once, by no request */
    bool shuffle;          /* in an order of shuffle_seed, not of the plan */
    uint64_t shuffle_seed;
    int max_failures;  /* after so many the run is cut short; 0: never */
    bool all_deaths;   /* every case is tried, however many like it died (run/deaths.h) */
    bool no_backtrace; /* gdb is not called */
    bool no_records;   /* exchanges are not recorded */

    /* How it is judged. */
    enum wcts_level level;
    const struct wcts_profile *profile;         /* NULL: the documents alone. Not owned */
    bool profile_named;                         /* by the implementation, not by --profile */
    const struct wcts_declaration *declaration; /* NULL: none. Not owned */
#define WCTS_FLAG_MEMBER(name, ...) bool name;
    WCTS_JUDGING_FLAGS(WCTS_FLAG_MEMBER, )
#undef WCTS_FLAG_MEMBER

    /* How it is reported. */
    const char *command_line; /* with paths as reports show them */
    char **words; /* its options, each "--name=value" or "--name", without --out; paths likewise */
    int word_count;
    const char *files[WCTS_FORMAT_COUNT]; /* NULL: not written */
    const char *xsl;                      /* a stylesheet for standard output; NULL: none */
    bool junit_cases; /* with a testcase for each case, not for each rule and side */
    enum wcts_colours colours;
    bool quiet;
};

#endif
