/* SPDX-License-Identifier: MIT */
/*
 * What recordings from elsewhere show, statement by statement (wddm-cts check): as text, JSON,
 * JUnit XML and HTML. There is no run, no plan and no implementation.
 */
#ifndef WCTS_REPORT_CHECK_H
#define WCTS_REPORT_CHECK_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "../runner/judge/partial.h"
#include "../runner/model/options.h"

/* What is said of a statement, about one side. */
enum wcts_report_check_result {
    WCTS_CHECKED_NOT,      /* nothing in the recordings is about it */
    WCTS_CHECKED_KEPT,     /* wherever it was asked */
    WCTS_CHECKED_PARTLY,   /* kept, as far as it can be said */
    WCTS_CHECKED_UNKNOWN,  /* it cannot be said anywhere */
    WCTS_CHECKED_WARN,     /* broken, which does not count at the level */
    WCTS_CHECKED_DEVIATES, /* broken as the profile declares */
    WCTS_CHECKED_BROKEN
};

/* What a breach weighs: a profile declares it, it does not bind at the level, or it does. */
enum wcts_report_check_weight {
    WCTS_CHECK_BREACH_DECLARED,
    WCTS_CHECK_BREACH_WARNS,
    WCTS_CHECK_BREACH_FAILS
};

/* How often, and where. Texts are owned. Example: {kept 3, broken 1, .breach = {rule 7,
 * "rec.jsonl:4",
 * "...", "Flags is 0x1"}}. */
struct wcts_report_check_row {
    long kept, broken, unknown;
    bool fails; /* a breach of one of its rules counts at the level, and is not declared */
    struct {
        int rule; /* -1: there is none */
        char *place, *call, *text;
        size_t size; /* of the call: the smallest is shown */
        enum wcts_report_check_weight weight;
    } breach;
    char *missing; /* without which it cannot be said: the first such thing; NULL: nothing */
};

/* A recording from elsewhere, or several, as they are judged: a row for each statement and side.
 * Example: after two recordings at 2.0 and 2.1, .recordings is 2, .first_version and
 * .last_version are their indices in the spec. */
struct wcts_report_check {
    const struct wcts_spec *spec; /* not owned, as the next one */
    const struct wcts_eval *eval;
    enum wcts_level level;
    const struct wcts_profile *profile; /* NULL: none; the caller sets it after init. Not owned */
    bool sides[WCTS_JUDGE_SIDES];       /* that are judged */
    struct wcts_report_check_row *rows; /* statement * WCTS_JUDGE_SIDES + side */
    int first_version, last_version;    /* of what was read; -1: nothing */
    long recordings, messages;
    bool failed; /* memory ran out */
};

bool wcts_report_check_init(struct wcts_report_check *check, const struct wcts_spec *spec,
                            const struct wcts_eval *eval, enum wcts_level level);
void wcts_report_check_release(struct wcts_report_check *check);

/* An exchange, and where it is from. */
struct wcts_report_check_source {
    const char *path, *name; /* of the file; of the recording, NULL: it has none */
    const struct wcts_exchange *exchange;
    int first_version, last_version;
    uint32_t page_size;
    int judged_before; /* so many of its first messages are there for the others */
};

/* Judges it and counts what it shows. False without memory. */
bool wcts_report_check_add(struct wcts_report_check *check,
                           const struct wcts_report_check_source *source);

enum wcts_report_check_result wcts_report_check_result(const struct wcts_report_check *check,
                                                       int statement, enum wcts_judge_side side);

/* A statement and a side of which something is said. */
struct wcts_report_checked {
    const struct wcts_report_check *check;
    const struct wcts_statement *statement;
    enum wcts_judge_side side;
    enum wcts_report_check_result result;
    const struct wcts_report_check_row *row;
};

/* Visits all of them, in the order of the statements. */
typedef void wcts_report_checked_visit(void *context, const struct wcts_report_checked *one);
void wcts_report_check_each(const struct wcts_report_check *check, wcts_report_checked_visit *visit,
                            void *context);
/* True if it is broken, whether that counts or not. */
bool wcts_report_checked_breach(const struct wcts_report_checked *one);

/* All of it as an object; verbose: with what cannot be said. NULL without memory. */
json_t *wcts_report_check_json(const struct wcts_report_check *check, bool verbose);
void wcts_report_check_print(FILE *out, const struct wcts_report_check *check, bool verbose);
/* JUnit XML, and one HTML file that needs no other. False if it cannot be written. */
bool wcts_report_check_junit(FILE *out, const struct wcts_report_check *check);
bool wcts_report_check_html(FILE *out, const struct wcts_report_check *check);
/* "from a recording: no breach seen: ...", and the exit status that goes with it. The caller frees
 * it. */
char *wcts_report_check_headline(const struct wcts_report_check *check, int *status);

/* "caller", "kernel" or "driver". */
const char *wcts_report_check_side(enum wcts_judge_side side);
const char *wcts_report_check_result_name(enum wcts_report_check_result result);

#endif
