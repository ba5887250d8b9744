/* SPDX-License-Identifier: MIT */
/* The members of a result in the journal and in --json. From this one list they are written, read,
 * and put into the result XML: a new member of struct wcts_result needs one row. */
#ifndef WCTS_RESULT_FIELDS_H
#define WCTS_RESULT_FIELDS_H

#include <jansson.h>
#include <stddef.h>

#include "../baseline/baseline.h"

/*
 * A case and its result, as an object of the journal. An entry that was read owns its strings, none
 * of which is NULL, its waiver (place, reason, link and expires are set) and its tries. The line
 *     {"id": "RULE/witness", "verdict": "fail", "reason": "answered 0", "seconds": 0.002, ...}
 * becomes
 *     {.id = "RULE/witness", .output = "", .result = {.verdict = WCTS_VERDICT_FAIL,
 *      .reason = "answered 0", .nanoseconds = 2000000}}
 */
struct wcts_store_entry {
    json_t *value; /* the object in the file; NULL: the entry was not read */
    const char *id, *output;
    struct wcts_result result;
};

/* The type of a member, and when the member is written. */
enum wcts_store_field_type {
    WCTS_FIELD_TEXT,    /* const char *, always */
    WCTS_FIELD_GIVEN,   /* const char *, unless empty */
    WCTS_FIELD_CHARS,   /* char[WCTS_SIGNATURE_SIZE], unless empty */
    WCTS_FIELD_VERDICT, /* enum wcts_verdict, always */
    WCTS_FIELD_WAS,    /* struct wcts_result: the verdict before the waiver, if there is a waiver */
    WCTS_FIELD_SKIP,   /* enum wcts_skip, for a skip */
    WCTS_FIELD_WAIVER, /* const struct wcts_baseline_waiver *, if there is a waiver */
    WCTS_FIELD_TRIES,  /* struct wcts_result: earlier attempts, if there are any */
    WCTS_FIELD_SECONDS,  /* uint64_t, nanoseconds, always */
    WCTS_FIELD_RULE,     /* int, 1 + index of a rule of the spec, unless 0 */
    WCTS_FIELD_FOUND,    /* struct wcts_result: the findings, unless the verdict determines them */
    WCTS_FIELD_PROFILE,  /* struct wcts_result: what it shows of a profile, unless it is nothing */
    WCTS_FIELD_ANSWERED, /* struct wcts_answered, unless nothing was answered */
    WCTS_FIELD_WALK,     /* struct wcts_walk_numbers, of a sequence */
    WCTS_FIELD_ENDED,    /* struct wcts_result: where the worker ended with the case, if it did */
};

/* The place of the member in <case> of the result XML; NOWHERE: none, or it is written separately.
 */
enum wcts_store_field_place {
    WCTS_PLACE_NOWHERE,
    WCTS_PLACE_FIRST,    /* an attribute after the id */
    WCTS_PLACE_LAST,     /* an attribute after all others */
    WCTS_PLACE_ELEMENT,  /* before the description of the case */
    WCTS_PLACE_EVIDENCE, /* the last elements, if the verdict is about the implementation */
};

/* X(name, type, member of struct wcts_store_entry, place in the result XML, its name there), in the
 * order in which they are written. */
#define WCTS_RESULT_FIELDS(X)                                                                      \
    X("id", TEXT, id, NOWHERE, NULL)                                                               \
    X("verdict", VERDICT, result.verdict, FIRST, "verdict")                                        \
    X("reason", TEXT, result.reason, ELEMENT, "why")                                               \
    X("skip", SKIP, result.skip, NOWHERE, NULL)                                                    \
    X("detail", GIVEN, result.detail, NOWHERE, NULL)                                               \
    X("backtrace", GIVEN, result.backtrace, NOWHERE, NULL)                                         \
    X("signature", CHARS, result.signature, NOWHERE, NULL)                                         \
    X("was", WAS, result, NOWHERE, NULL)                                                           \
    X("waiver", WAIVER, result.waiver, NOWHERE, NULL)                                              \
    X("attempts", TRIES, result, NOWHERE, NULL)                                                    \
    X("seconds", SECONDS, result.nanoseconds, LAST, "seconds")                                     \
    X("output", GIVEN, output, EVIDENCE, "output")                                                 \
    X("rule", RULE, result.broken, NOWHERE, NULL)                                                  \
    X("found", FOUND, result, NOWHERE, NULL)                                                       \
    X("profile", PROFILE, result, NOWHERE, NULL)                                                   \
    X("answered", ANSWERED, result.answered, NOWHERE, NULL)                                        \
    X("walk", WALK, result.walk, NOWHERE, NULL)                                                    \
    X("ended", ENDED, result, NOWHERE, NULL)

/* A row of the list above: {"reason", WCTS_FIELD_TEXT, its offset, WCTS_PLACE_ELEMENT, "why"}. */
struct wcts_store_result_field {
    const char *name;
    enum wcts_store_field_type type;
    size_t offset; /* in struct wcts_store_entry */
    enum wcts_store_field_place place;
    const char *xml;
};

/* The list, terminated by a row without a name. */
extern const struct wcts_store_result_field wcts_result_fields[];

/* The object of a case with its result; the caller owns it. */
json_t *wcts_store_result_json(const struct wcts_spec *spec, const struct wcts_case *test,
                               const struct wcts_result *result, const char *output);

/* Reads the object and takes it over. With spec NULL, rules are not looked up. False when it has no
 * id or no verdict; release the entry either way. */
bool wcts_store_entry_read(struct wcts_store_entry *entry, const struct wcts_spec *spec,
                           json_t *value);
void wcts_store_entry_release(struct wcts_store_entry *entry);

/* The findings of the entry's case at all levels and in all attempts, as a result whose verdict is
 * not set yet (wcts_judge_result_read). The caller releases it. False when memory is short. */
bool wcts_store_entry_found(const struct wcts_store_entry *entry, const struct wcts_spec *spec,
                            struct wcts_result *result);

#endif
