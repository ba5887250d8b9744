/* SPDX-License-Identifier: MIT */
/*
 * Recordings from elsewhere, and the other way round: JSON lines (docs/recordings.md), each a call
 * with the members that somebody wrote down, and traces of Windows, as exchanges that a judge can
 * read. What was not written down is masked (exchange/partial.h).
 */
#ifndef WCTS_IMPORT_H
#define WCTS_IMPORT_H

#include <jansson.h>
#include <stdio.h>

#include "../base/map.h"
#include "../exchange/partial.h"
#include "../model/names.h"

/* What a first line begins, {"wddm":"ddi",...}, up to the next one: the calls of one instance. The
 * reader owns it, and all that it points to, until the visit returns. Calls of several adapters are
 * exchanges of their own. Example: {"emulator 1.0", wddm 2.6, pages of 4096, one exchange of 12
 * messages}. */
struct wcts_import_recording {
    const char *path, *name; /* name NULL: it has none */
    /* The versions between which it may be: rules have to be judged at both, if they differ. */
    int first_version, last_version;
    uint32_t page_size; /* 0: it is not known */
    unsigned judged;    /* who is to be judged, 1 << enum wcts_role; 0: everybody */
    struct wcts_exchange *exchanges;
    struct wcts_exchange_partial *partials; /* of each exchange */
    int count;
    int judged_before; /* messages of each exchange that an earlier recording had, too: they are
                          there for the others */
};

/* False ends the reading. */
typedef bool wcts_import_visit(void *context, struct wcts_import_recording *recording);

/* How a file is read. */
struct wcts_import_options {
    const struct wcts_spec *spec;
    int version; /* of all recordings, whatever they say; -1: what they say */
    int adapter; /* of a trace, from 1 on in the order in which they appear; 0: all of them */
    const char *traces; /* the file that says what events mean: spec/traces/dxgkrnl.xml */
    struct wcts_diagnostics *diagnostics; /* errors, and warnings of what is ignored */
};

/* Reads a file of JSON lines, or a trace as XML: its content shows which. "-" is standard input.
 * False, with an error reported, if something is wrong with it, or if a visit returned false. */
bool wcts_import_file(const struct wcts_import_options *options, const char *path,
                      wcts_import_visit *visit, void *context);

/* ---- the other way round ---- */

/* What is written in front of an exchange. all: see struct wcts_exchange_partial. */
struct wcts_import_head {
    const char *name; /* may be NULL */
    int version;
    uint32_t page_size;
    unsigned judged;                   /* as in the recording */
    const struct wcts_operations *all; /* NULL: all operations, and nothing is missing */
};

/* Writes the first line, and a line for each of the first count messages. False if the file cannot
 * be written, or without memory. */
bool wcts_import_write(FILE *out, const struct wcts_spec *spec, const struct wcts_import_head *head,
                       const struct wcts_exchange *exchange, int count);

/* ---- Its parts ---- */

/* The readers; the path is for messages. */
bool wcts_import_jsonl(const struct wcts_import_options *options, const char *path, FILE *in,
                       wcts_import_visit *visit, void *context);
bool wcts_import_etw(const struct wcts_import_options *options, const char *path, FILE *in,
                     wcts_import_visit *visit, void *context);

/* Where in a file something is, and what was said about the file so far. */
struct wcts_import_reading {
    const struct wcts_import_options *options;
    struct wcts_place place;
    struct wcts_map ignored; /* keys that were reported; owns their names */
    bool failed;
};

/* Reports an error of the line; false. */
bool wcts_import_error(struct wcts_import_reading *reading, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Frees what it noted. */
void wcts_import_reading_release(struct wcts_import_reading *reading);
/* Says once that a key is ignored; near: the best of several names, or NULL. */
void wcts_import_ignore(struct wcts_import_reading *reading, const char *key, const char *of,
                        const char *near);

/* Reports the keys of a line that are none of its own (up to NULL); others: it may have more, of
 * which only those are reported that are near to one. */
void wcts_import_note_keys(struct wcts_import_reading *reading, const json_t *line, const char *of,
                           const char *const *own, bool others);

/* A number as JSON has it: an integer, or "0x1F". False if it is none. */
bool wcts_import_number(const json_t *value, uint64_t *number);
/* True for "0x..." of more than 64 bits. */
bool wcts_import_is_too_long(const json_t *value);

/* True if a key is meant to be the name: it differs in the case of letters, or in one of them. */
bool wcts_import_misspelt(const char *key, const char *name);
/* The bits of a member that an object has as members of their own, by the member's fields: sets
 * bits of *value and *known. False if one of them is no number, or too wide. */
bool wcts_import_fields(const struct wcts_member *member, const json_t *object, uint64_t *value,
                        uint64_t *known);

bool wcts_import_has_field(const struct wcts_member *member, const char *name);
/* The number that a text names, of those that a member names. False: it names none. */
bool wcts_import_number_named(const struct wcts_member *member, const json_t *value,
                              uint64_t *number);
/* A name of the kit's enumerations without what stands before all names of its kind:
 * DXGK_OPERATION_TRANSFER is TRANSFER. */
const char *wcts_import_without_prefix(const char *name);
/* A name in small letters and without "_", as far as there is room: so names of numbers are
 * compared. */
void wcts_import_fold(const char *name, char *folded, size_t room);
/* True for a call of Windows that no document is about. */
bool wcts_import_is_other_call(const char *name);
/* True if the name of a call is so near to another one that it is meant. */
bool wcts_import_is_typo(const struct wcts_near *near);
/* Compares a call that is not known with the names of a message. */
void wcts_import_try_names(struct wcts_near *near, const struct wcts_message *message);

/* A line's "in" and "out"; native: its members may have the names of a native call. */
struct wcts_import_bodies {
    const json_t *in, *out;
    bool native;
};

/* What a member's native path (model/spec.h) leads to, from half on, a body of the line or one of
 * its objects: what is recorded, a bit of a number, or a difference. The caller releases it; NULL:
 * nothing. */
json_t *wcts_import_native(const struct wcts_import_bodies *bodies, const json_t *half,
                           const char *path, size_t length);

/* Makes the request, or the reply, of a record: bytes and mask. False, with an error reported. */
bool wcts_import_message(struct wcts_import_reading *reading, int version,
                         const struct wcts_message *message,
                         const struct wcts_import_bodies *bodies, bool reply,
                         struct wcts_exchange_record *record);

#endif
