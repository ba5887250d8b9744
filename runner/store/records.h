/* SPDX-License-Identifier: MIT */
/*
 * The file "records" of a run directory: what is stored of the cases of a run
 * (runner/exchange/stream.h), in plan order.
 *     8 bytes           WCTS_RECORDS_MAGIC
 *   and for each case:
 *     4 x 4 bytes       little-endian: length of the name, enum wcts_stored_kept, size of the
 * stream before it was packed, size of the stream name, stream The name is the id of the case;
 * "=kernel" and "=driver" hold what a side claims. A stream that is the NEXT one is packed behind
 * those before it, up to the FIRST one.
 */
#ifndef WCTS_RECORDS_H
#define WCTS_RECORDS_H

#include <stdio.h>

#include "../exchange/strip.h"
#include "../model/finding.h"

#define WCTS_RECORDS_FILE "records"
#define WCTS_RECORDS_MAGIC "wctsrec2"

/* The name for the claims of a side; which: 0 kernel, 1 driver. */
const char *wcts_store_records_side(int which);

bool wcts_store_records_begin(FILE *out);
/* Writes a stored; nothing when it was not recorded. */
bool wcts_store_records_add(FILE *out, const char *name, const struct wcts_stored *stored);

struct wcts_records_entry {
    char *name;
    long at; /* offset of the stored */
    struct wcts_stored stored;
    bool used; /* wcts_store_records_find has returned it */
};

struct wcts_records {
    FILE *file;
    struct wcts_records_entry *entries; /* in the order of the file */
    struct wcts_records_entry **by_name;
    int count;
    struct wcts_packer *packer;
    int next;                 /* the entry behind the one that was unpacked last */
    uint8_t *unpacked;        /* its bytes */
    struct wcts_stored found; /* what was found last */
    char wrong[120];          /* what is wrong behind the last valid entry; "": nothing */
    long right;               /* bytes up to the end of the last valid entry; 0: no such file */
};

/* Reads the names and sizes of all entries. False, with errno, when the file cannot be read; an
 * invalid file sets wrong. Release it either way. */
bool wcts_store_records_open(struct wcts_records *records, const char *directory);
void wcts_store_records_release(struct wcts_records *records);

/* The first entry with the name that no call has returned yet, unpacked; NULL when there is none.
 * What cannot be unpacked has no bytes. It is valid until the next call. */
const struct wcts_stored *wcts_store_records_find(struct wcts_records *records, const char *name);

#endif
