/* SPDX-License-Identifier: MIT */
/* The options of a run: those that its results depend on, and those of its reports. They come from
 * the command line, or from run.json. */
#ifndef WCTS_ASKED_H
#define WCTS_ASKED_H

#include <stdint.h>

#include "../runner/machine/session.h"
#include "../runner/model/choices.h"

/* The exit statuses of the tool. If several apply, the order is USAGE, NOTHING, FAIL, BROKEN, OK.
 */
enum wcts_exit {
    WCTS_EXIT_OK = 0,
    WCTS_EXIT_FAIL = 1,    /* fail, crash or timeout */
    WCTS_EXIT_USAGE = 2,   /* usage or spec error */
    WCTS_EXIT_NOTHING = 3, /* stopped, nothing selected, no case reached a verdict */
    WCTS_EXIT_BROKEN = 3,  /* valid calls refused, harness or set-up failed */
};

enum wcts_colours { WCTS_COLOURS_AUTO, WCTS_COLOURS_ALWAYS, WCTS_COLOURS_NEVER };

/* The reports that are files, each with an option of its name. X(name, commands with the option,
 * help, true if the summary names the file). wcts_write_NAME (documents.h) writes it. */
#define WCTS_FORMATS(X)                                                                            \
    X(junit, ON(run) | ON(report), "also write JUnit XML", true)                                   \
    X(html, ON(run) | ON(report), "write one HTML file that needs no other", true)                 \
    X(cobertura, ON(report), "write coverage of the spec", false)                                  \
    X(markdown, ON(run) | ON(report), "write a summary for a CI job", true)                        \
    X(xml, ON(report), "write the result XML behind the other reports", false)

enum wcts_format {
#define WCTS_FORMAT_ENUM(name, commands, help, shown) WCTS_FORMAT_##name,
    WCTS_FORMATS(WCTS_FORMAT_ENUM)
#undef WCTS_FORMAT_ENUM
        WCTS_FORMAT_COUNT
};

#define WCTS_SPEC_FILES_MAX 64
#define WCTS_STRINGS_MAX 64

/* The values of an option that may be repeated. */
struct wcts_strings {
    const char *of[WCTS_STRINGS_MAX];
    int count;
};

/*
 * The options of a run. Strings belong to the command line or to run.json. For example
 *     wddm-cts run --impl my.so,strict --suite smoke --wddm 2.0..3.2 --junit out.xml
 * gives {.implementation = {"my.so", "strict"}, .suite = WCTS_SUITE_SMOKE, .first_version = "2.0",
 * .last_version = "3.2", .files[WCTS_FORMAT_junit] = "out.xml", .shard = 1, .shards = 1}.
 */
struct wcts_asked {
    struct wcts_implementation implementation;
    const char *first_version, *last_version; /* names of --wddm; NULL: all */
    enum wcts_suite suite;
    struct wcts_strings filters, excludes; /* expressions; none: all, nothing */
    const char *failed_of;                 /* a run directory; NULL: none */
    bool narrowed, partial;                /* see struct wcts_run */
    enum wcts_level level;
    uint64_t seed;
    int shard, shards; /* 1 of 1: all */
    int retries;
    const char *spec_dir, *cases_dir; /* NULL: the default, see cli/context.h */
    const char *spec_files[WCTS_SPEC_FILES_MAX];
    int spec_file_count;
    const char *command_line; /* as given, with paths as reports show them */
    /* The options of reports. */
    const char *files[WCTS_FORMAT_COUNT]; /* NULL: not written */
    const char *xsl;                      /* --xsl: a stylesheet for standard output; NULL: none */
    bool junit_cases;                     /* a testcase for each case, not for each rule and side */
    enum wcts_colours colours;
    bool quiet, strict_baseline, fail_on_flaky;
};

struct wcts_spec;
struct wcts_plan;

/* The options for reading run directories. */
struct wcts_load_options {
    const struct wcts_spec *spec; /* must be that of the run */
    const struct wcts_asked *asked;
    /* Makes the plan of a suite and seed, which the caller frees. NULL with a message. */
    struct wcts_plan *(*plan)(const struct wcts_spec *spec, enum wcts_suite suite, uint64_t seed);
};

#endif
