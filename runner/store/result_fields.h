/* SPDX-License-Identifier: MIT */
/*
 * What a result is in the journal and in --json: the one list from which it is written, read again
 * and put into the result XML. A new member of struct wcts_result is written and read by a row.
 */
#ifndef WCTS_RESULT_FIELDS_H
#define WCTS_RESULT_FIELDS_H

#include <jansson.h>
#include <stddef.h>

#include "../baseline/baseline.h"

/* A case with its result: an object of the journal. Read again, texts are the entry's and never
 * NULL, and so are result's waiver (place, reason, link and expires are known) and tries. */
struct wcts_entry {
    json_t *value; /* as it is in the file; NULL: it was not read */
    const char *id, *output;
    struct wcts_result result;
};

/* The type of a member, and when it is written. */
enum wcts_field_type {
    WCTS_FIELD_TEXT,     /* const char *, always */
    WCTS_FIELD_GIVEN,    /* const char *, unless it is empty */
    WCTS_FIELD_CHARS,    /* char[WCTS_SIGNATURE_SIZE], unless it is empty */
    WCTS_FIELD_VERDICT,  /* enum wcts_verdict, always */
    WCTS_FIELD_WAS,      /* of the whole result: the verdict before a waiver, of what has one */
    WCTS_FIELD_SKIP,     /* enum wcts_skip, of a skip */
    WCTS_FIELD_WAIVER,   /* const struct wcts_waiver *, of what has one */
    WCTS_FIELD_TRIES,    /* of the whole result: attempts before this one, if there were any */
    WCTS_FIELD_SECONDS,  /* uint64_t, nanoseconds, always */
    WCTS_FIELD_RULE,     /* int, 1 + a rule of the spec, unless it is 0 */
    WCTS_FIELD_FOUND,    /* of the whole result: what was found, where a level decides more than how
                          * much a breach weighs */
    WCTS_FIELD_ANSWERED, /* struct wcts_answered, unless nothing was */
};

/* Where <case> of the result XML has it; what says NOWHERE has a place of its own there, or none.
 */
enum wcts_field_place {
    WCTS_PLACE_NOWHERE,
    WCTS_PLACE_FIRST,    /* an attribute behind the id */
    WCTS_PLACE_LAST,     /* an attribute behind those of the case */
    WCTS_PLACE_ELEMENT,  /* before the case in words */
    WCTS_PLACE_EVIDENCE, /* the last elements, of what says something about the implementation */
};

/* X(name, type, member of struct wcts_entry, place in the result XML, its name there), in the order
 * in which they are written. */
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
    X("answered", ANSWERED, result.answered, NOWHERE, NULL)

struct wcts_result_field {
    const char *name;
    enum wcts_field_type type;
    size_t offset; /* in struct wcts_entry */
    enum wcts_field_place place;
    const char *xml;
};

/* The list, and behind its last row one without a name. */
extern const struct wcts_result_field wcts_result_fields[];

/* The object of a case with its result. The caller owns it. */
json_t *wcts_result_json(const struct wcts_spec *spec, const struct wcts_case *test,
                         const struct wcts_result *result, const char *output);

/* Reads the object, which the entry takes over; spec NULL: rules are not looked up. False when it
 * has no id or no verdict; to be released either way. */
bool wcts_entry_read(struct wcts_entry *entry, const struct wcts_spec *spec, json_t *value);
void wcts_entry_release(struct wcts_entry *entry);

/* What the entry's case found at all levels, in all attempts, as a result of its own that is yet to
 * be read at one (wcts_result_read). The caller releases it. False without memory. */
bool wcts_entry_found(const struct wcts_entry *entry, const struct wcts_spec *spec,
                      struct wcts_result *result);

#endif
