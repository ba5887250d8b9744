/* SPDX-License-Identifier: MIT */
/* What the files of a JUnit report share: units are the cases of a testcase (junit_units.c), then
 * their text (junit_case.c), suites and files (junit.c). */
#ifndef WCTS_JUNIT_PARTS_H
#define WCTS_JUNIT_PARTS_H

#include "../runner/store/run_dir.h"
#include "report.h"
#include "xmlout.h"

/* A selected case in the journal. */
struct wcts_report_junit_entry {
    bool reached;
    bool untried; /* cases like it died, or a rule below it is broken */
    long offset;  /* in the journal */
    enum wcts_verdict verdict;
    double seconds;
    int rule; /* the broken or tested one */
};

/* A testcase: the cases of a rule that test one side, or a single case. */
struct wcts_report_junit_unit {
    int document, rule;
    bool driver;
    int first, count; /* in positions */
};

/* With a testcase for each case there may be a million: entries are read again when they are
 * wanted, which is mostly one after the other, and a unit is made of its position. */
struct wcts_report_junit {
    const struct wcts_report_run *run;
    bool each_case; /* a testcase for each case */
    struct wcts_store_journal journal;
    bool has_journal;
    struct wcts_report_junit_entry *entries; /* of each selected case; each_case: NULL */
    struct wcts_report_junit_unit
        *units; /* sorted by document, then as in the spec; each_case: NULL */
    int unit_count;
    int *positions;                     /* in selected; those of a unit are contiguous */
    struct wcts_report_junit_entry one; /* each_case: the entry last read, */
    int one_at;                         /* its position, -1: none, */
    long next;                          /* and where in the journal the entry behind it begins */
};

/* Reads the journal and sets entries, units and positions. Release it either way. */
bool wcts_report_junit_units_make(struct wcts_report_junit *junit);
void wcts_report_junit_units_release(struct wcts_report_junit *junit);

/* A unit, and the entry at a position, which is valid until the next one is wanted. */
struct wcts_report_junit_unit wcts_report_junit_unit_at(const struct wcts_report_junit *junit,
                                                        int unit);
const struct wcts_report_junit_entry *wcts_report_junit_entry_at(struct wcts_report_junit *junit,
                                                                 int position);

/* Makes the case at a position; returns it. */
const struct wcts_case *wcts_report_junit_case(const struct wcts_report_junit *junit, int position,
                                               struct wcts_case *test);

enum wcts_report_junit_child {
    WCTS_JUNIT_NONE,
    WCTS_JUNIT_FAILURE,
    WCTS_JUNIT_ERROR,
    WCTS_JUNIT_SKIPPED
};

/* The counts of a test suite, as attributes of its element: {.tests = 40, .failures = 2, .errors
 * = 1, .skipped = 3, .seconds = 0.25}. An error is a crash or a hang. */
struct wcts_report_junit_counts {
    int tests, failures, errors, skipped;
    double seconds;
};

/* Writes <failure>, <error> or <skipped> with a message, which is the title, and a text. */
void wcts_report_junit_put_child(struct wcts_report_xml *xml, enum wcts_report_junit_child child,
                                 const char *type, const char *message, const char *text);

/* Writes the testcase of a unit and counts it. */
void wcts_report_junit_put_unit(struct wcts_report_junit *junit, struct wcts_report_xml *xml,
                                const struct wcts_report_junit_unit *unit,
                                struct wcts_report_junit_counts *counts);

#endif
