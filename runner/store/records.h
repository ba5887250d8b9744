/* SPDX-License-Identifier: MIT */
/*
 * The file "records" of a run directory: the tapes of a run (runner/exchange/tape.h), in plan
 * order.
 *     8 bytes           WCTS_RECORDS_MAGIC
 *   and for each tape:
 *     4 x 4 bytes       little-endian: length of the name, enum wcts_tape_kept, size of the tape
 *                       before it was packed, size of the tape
 *     name, tape
 * The name is the id of the case; "=kernel" and "=driver" hold what a side claims.
 */
#ifndef WCTS_RECORDS_H
#define WCTS_RECORDS_H

#include <stdio.h>

#include "../model/finding.h"

#define WCTS_RECORDS_FILE "records"
#define WCTS_RECORDS_MAGIC "wctsrec1"

/* The name for the claims of a side; which: 0 kernel, 1 driver. */
const char *wcts_store_records_side(int which);

bool wcts_store_records_begin(FILE *out);
/* Writes a tape; nothing when it was not recorded. */
bool wcts_store_records_add(FILE *out, const char *name, const struct wcts_tape_record *tape);

struct wcts_records_entry {
    char *name;
    long at; /* offset of the tape */
    struct wcts_tape_record tape;
    bool used; /* wcts_store_records_find has returned it */
};

struct wcts_records {
    FILE *file;
    struct wcts_records_entry *entries; /* by name */
    int count;
    char wrong[120]; /* what is wrong behind the last valid entry; "": nothing */
    long right;      /* bytes up to the end of the last valid entry */
};

/* Reads the names and sizes of all tapes. False, with errno, when the file cannot be read; an
 * invalid file sets wrong. Release it either way. */
bool wcts_store_records_open(struct wcts_records *records, const char *directory);
void wcts_store_records_release(struct wcts_records *records);

/* The first tape with the name that no call has returned yet; NULL when there is none. It belongs
 * to records. */
const struct wcts_tape_record *wcts_store_records_find(struct wcts_records *records,
                                                       const char *name);

#endif
