/* SPDX-License-Identifier: MIT */
/*
 * The file "records" of a run directory: what is stored of the cases of a run
 * (runner/exchange/stream.h), in plan order.
 *     8 bytes           WCTS_RECORDS_MAGIC
 *   and for what each side claims, and each attempt at each case, also where nothing is stored:
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
#include "../model/test.h"

#define WCTS_RECORDS_FILE "records"
#define WCTS_RECORDS_MAGIC "wctsrec4"

/* The name for the claims of a side; which: 0 kernel, 1 driver. */
const char *wcts_store_records_side(int which);

bool wcts_store_records_begin(FILE *out);
/* Writes a stored; nothing when it was not recorded. */
bool wcts_store_records_add(FILE *out, const char *name, const struct wcts_stored *stored);

#define WCTS_RECORDS_NAME_MAX 4096u

/* A file that is being read, from its beginning to its end. */
struct wcts_store_records {
    FILE *file;
    long size;
    struct wcts_packer *packer;
    struct wcts_stored found; /* the last entry that was read, unpacked */
    int count, unused;        /* entries so far, and those of them that nobody looked for */
    long right;               /* bytes so far; 0: it is no such file */
    char wrong[120];          /* what is wrong behind them; "": nothing */
    char last[WCTS_ID_ROOM];  /* the name of the last entry that wcts_store_records_end counted */
};

/* False, with errno, when the file cannot be read; another file sets wrong. Release it either
 * way. */
bool wcts_store_records_open(struct wcts_store_records *records, const char *directory);
void wcts_store_records_release(struct wcts_store_records *records);

/* The next entry, which should have the name, unpacked; what cannot be unpacked has no bytes. If
 * other entries come before it they are unused; NULL when it does not come soon. It is valid until
 * the next call. */
const struct wcts_stored *wcts_store_records_find(struct wcts_store_records *records,
                                                  const char *name);
/* Packs an unpacked entry behind those before it; of what was not unpacked there is nothing. The
 * caller frees the bytes. False if it cannot be. */
bool wcts_store_records_pack(struct wcts_packer *packer, const struct wcts_stored *from,
                             struct wcts_stored *to);
/* So many cases are packed behind each other, as a worker packs those of a batch. */
#define WCTS_PACKED_TOGETHER 64

/* Packs records together that come apart. All zero at first; the owner releases it. */
struct wcts_store_repack {
    struct wcts_packer *from, *to;
    int count;
};
/* Packs a record, which came apart, behind those before it, in its place. If that cannot be done it
 * stays as it is. */
void wcts_store_repack(struct wcts_store_repack *repack, struct wcts_stored *stored);
void wcts_store_repack_release(struct wcts_store_repack *repack);

/* Counts the rest, which nobody looks for, by its heads. */
void wcts_store_records_end(struct wcts_store_records *records);

#endif
