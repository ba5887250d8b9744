/* SPDX-License-Identifier: MIT */
/*
 * The last line of a run and its exit status: decided here, in one table, and said in the same
 * words everywhere. It carries its scope: features, statements, versions, level.
 */
#ifndef WCTS_HEADLINE_H
#define WCTS_HEADLINE_H

#include "report.h"

/* What the last line says, without what comes before the scope in it. */
enum wcts_conclusion {
    WCTS_CONCLUSION_NOT_LOADED,
    WCTS_CONCLUSION_NOTHING_SELECTED,
    WCTS_CONCLUSION_STOPPED,
    WCTS_CONCLUSION_NO_VERDICT,
    WCTS_CONCLUSION_BROKEN, /* does not conform */
    WCTS_CONCLUSION_FLAKY,  /* --fail-on-flaky */
    WCTS_CONCLUSION_FIXED,  /* --strict-baseline */
    WCTS_CONCLUSION_INCOMPLETE,
    WCTS_CONCLUSION_SELECTION, /* no failure, but not all cases were to run */
    WCTS_CONCLUSION_CONFORMS,
    WCTS_CONCLUSION_COUNT
};

/* "conforms", "does-not-conform", ...: for reports that look it up. */
const char *wcts_conclusion_name(enum wcts_conclusion conclusion);

/* The first that applies to a run whose results are all counted. */
enum wcts_conclusion wcts_conclude(const struct wcts_run *run);
enum wcts_exit wcts_conclusion_exit(enum wcts_conclusion conclusion);

/* The last line; the caller frees it. NULL without memory. */
char *wcts_headline(const struct wcts_run *run);

/* Works out headline and exit code and puts reasons in order, once end and all counts are there. */
void wcts_run_conclude(struct wcts_run *run);

/* Makes an end of the run that is no result, although all cases have one: what they came to could
 * not be written. */
void wcts_run_fail(struct wcts_run *run, const char *error);

#endif
