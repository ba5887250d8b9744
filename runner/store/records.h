/* SPDX-License-Identifier: MIT */
/*
 * The file "records" of a run directory: the tapes of a run (runner/exchange/tape.h), in plan
 * order. 8 bytes        WCTS_RECORDS_MAGIC then, each:    four little-endian numbers of 4 bytes:
 * the name's length, enum wcts_tape_kept, bytes before they were packed, bytes of the tape; name;
 * tape The name is the id of the case, or "=kernel" and "=driver" for what a side claims.
 */
#ifndef WCTS_RECORDS_H
#define WCTS_RECORDS_H

#include <stdio.h>

#include "../model/finding.h"

#define WCTS_RECORDS_FILE "records"
#define WCTS_RECORDS_MAGIC "wctsrec1"

/* What a side claims is kept under that name; which: 0 kernel, 1 driver. */
const char *wcts_records_side(int which);

bool wcts_records_begin(FILE *out);
/* Writes a tape; one that was not asked for is none. */
bool wcts_records_add(FILE *out, const char *name, const struct wcts_tape_record *tape);

struct wcts_records_entry {
    char *name;
    long at; /* of the tape */
    struct wcts_tape_record tape;
    bool used; /* has been found */
};

struct wcts_records {
    FILE *file;
    struct wcts_records_entry *entries; /* by name */
    int count;
    char wrong[120]; /* where the file is no such file any more; "" */
    long right;      /* bytes up to there */
};

/* Reads what there is of which tapes. False when the file cannot be read, with errno; what is
 * wrong in it, wrong says. To be released either way. */
bool wcts_records_open(struct wcts_records *records, const char *directory);
void wcts_records_release(struct wcts_records *records);

/* The first tape of that name that was not found yet; NULL: there is none. It belongs to
 * records. */
const struct wcts_tape_record *wcts_records_find(struct wcts_records *records, const char *name);

#endif
