/* SPDX-License-Identifier: MIT */
#include "records.h"

#include <stdlib.h>
#include <string.h>

#include "../exchange/bytes.h"
#include "input.h"

#define HEAD 16
/* Entries that are looked through for a name; only in a file that was changed it is not the next.
 */
#define AHEAD_MAX 256

const char *wcts_store_records_side(int which)
{
    static const char *const names[] = {"=kernel", "=driver"};
    return names[which];
}

/* ---- writing ---- */

bool wcts_store_records_begin(FILE *out)
{
    return fwrite(WCTS_RECORDS_MAGIC, 1, strlen(WCTS_RECORDS_MAGIC), out) ==
           strlen(WCTS_RECORDS_MAGIC);
}

bool wcts_store_records_add(FILE *out, const char *name, const struct wcts_stored *stored)
{
    uint8_t head[HEAD];
    size_t length = strlen(name), size = wcts_model_is_stored(stored->kept) ? stored->size : 0;
    wcts_exchange_bytes_put(head, 4, length);
    wcts_exchange_bytes_put(head + 4, 4, stored->kept);
    wcts_exchange_bytes_put(head + 8, 4, size ? stored->raw : 0);
    wcts_exchange_bytes_put(head + 12, 4, size);
    return fwrite(head, 1, HEAD, out) == HEAD && fwrite(name, 1, length, out) == length &&
           fwrite(size ? stored->bytes : head, 1, size, out) == size;
}

/* ---- reading ---- */

static uint32_t get(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

bool wcts_store_records_open(struct wcts_store_records *records, const char *directory)
{
    char magic[sizeof WCTS_RECORDS_MAGIC] = "";
    *records = (struct wcts_store_records){0};
    records->file = wcts_store_input_open(directory, WCTS_RECORDS_FILE, NULL);
    if (!records->file || fseek(records->file, 0, SEEK_END) != 0)
        return false;
    records->size = ftell(records->file);
    rewind(records->file);
    if (fread(magic, 1, sizeof magic - 1, records->file) == sizeof magic - 1 &&
        strcmp(magic, WCTS_RECORDS_MAGIC) == 0)
        records->right = (long)strlen(WCTS_RECORDS_MAGIC);
    else if (strncmp(magic, WCTS_RECORDS_MAGIC, strlen(WCTS_RECORDS_MAGIC) - 1) == 0)
        snprintf(records->wrong, sizeof records->wrong,
                 "are of format %s, expected %s: verify the run with the tool that made it", magic,
                 WCTS_RECORDS_MAGIC);
    else
        snprintf(records->wrong, sizeof records->wrong, "does not begin as a file of records");
    records->packer = wcts_exchange_packer_new();
    return records->packer != NULL;
}

void wcts_store_records_release(struct wcts_store_records *records)
{
    free(records->found.bytes);
    wcts_exchange_packer_free(records->packer);
    if (records->file)
        fclose(records->file);
}

/* Reads the head and the name of the entry that begins at a place. Returns where its bytes begin; 0
 * if there is no more, or it is invalid, which sets wrong. */
static long read_head(struct wcts_store_records *records, long from, struct wcts_stored *stored,
                      char *name)
{
    uint8_t head[HEAD];
    uint32_t length;
    long at = from + HEAD;
    *stored = (struct wcts_stored){0};
    if (from == records->size || from == 0)
        return 0;
    snprintf(records->wrong, sizeof records->wrong, "%ld of %ld bytes cannot be read",
             records->size - from, records->size);
    if (fseek(records->file, from, SEEK_SET) != 0 || fread(head, 1, HEAD, records->file) != HEAD)
        return 0;
    length = get(head);
    *stored = (struct wcts_stored){.kept = (enum wcts_stored_kept)(get(head + 4) & 3),
                                   .raw = get(head + 8),
                                   .size = get(head + 12)};
    at += (long)length;
    if (length == 0 || length > WCTS_RECORDS_NAME_MAX || get(head + 4) > WCTS_STORED_CUT ||
        stored->raw > WCTS_STRIP_MAX || stored->size > WCTS_PACKED_MAX ||
        at + (long)stored->size > records->size ||
        (!wcts_model_is_stored(stored->kept) && stored->raw + stored->size > 0) ||
        fread(name, 1, length, records->file) != length || memchr(name, '\0', length) != NULL)
        return 0;
    name[length] = '\0';
    records->wrong[0] = '\0';
    return at;
}

/* Reads and unpacks the next entry, behind those before it; what cannot be has no bytes. */
static bool read_next(struct wcts_store_records *records, char *name)
{
    struct wcts_stored stored;
    long at = read_head(records, records->right, &stored, name);
    uint8_t *bytes;
    free(records->found.bytes);
    records->found = (struct wcts_stored){0};
    if (at == 0)
        return false;
    records->right = at + (long)stored.size;
    records->count++;
    records->found.kept = stored.kept;
    if (!wcts_model_is_stored(stored.kept))
        return true;
    if (stored.kept == WCTS_STORED_FIRST)
        wcts_exchange_packer_begin(records->packer);
    bytes = malloc(stored.size + 1);
    if (bytes && fseek(records->file, at, SEEK_SET) == 0 &&
        fread(bytes, 1, stored.size, records->file) == stored.size)
        records->found.bytes =
            wcts_exchange_packer_unpack(records->packer, bytes, stored.size, stored.raw);
    records->found.raw = records->found.bytes ? stored.raw : 0;
    free(bytes);
    return true;
}

const struct wcts_stored *wcts_store_records_find(struct wcts_store_records *records,
                                                  const char *name)
{
    char there[WCTS_RECORDS_NAME_MAX + 1];
    struct wcts_stored stored;
    long at = 0, next = records->right, first = next;
    int ahead = -1, skipped = 0; /* entries before the one that is read, and before the FIRST one */
    do {
        long from = next;
        at = read_head(records, from, &stored, there);
        next = at + (long)stored.size;
        ahead++;
        if (at != 0 && stored.kept == WCTS_STORED_FIRST) {
            first = from;
            skipped = ahead;
        }
    } while (at != 0 && strcmp(there, name) != 0 && ahead < AHEAD_MAX);
    if (at == 0 || strcmp(there, name) != 0)
        return NULL;
    records->right = first;
    records->count += skipped;
    records->unused += ahead;
    for (int i = skipped; i <= ahead; i++)
        read_next(records, there);
    return &records->found;
}

bool wcts_store_records_pack(struct wcts_packer *packer, const struct wcts_stored *from,
                             struct wcts_stored *to)
{
    *to = (struct wcts_stored){.kept = from->kept};
    if (!wcts_model_is_stored(from->kept))
        return true;
    if (!from->bytes)
        return false;
    to->kept = wcts_exchange_packer_begins(packer) ? WCTS_STORED_FIRST : WCTS_STORED_NEXT;
    to->bytes = wcts_exchange_packer_pack(packer, from->bytes, from->raw, &to->size);
    to->raw = from->raw;
    return to->bytes != NULL;
}

void wcts_store_repack(struct wcts_store_repack *repack, struct wcts_stored *stored)
{
    struct wcts_stored found = *stored, packed = {0};
    if (!wcts_model_is_stored(stored->kept))
        return;
    if (!repack->from)
        repack->from = wcts_exchange_packer_new();
    if (!repack->to)
        repack->to = wcts_exchange_packer_new();
    if (!repack->from || !repack->to)
        return;
    if (repack->count++ % WCTS_PACKED_TOGETHER == 0)
        wcts_exchange_packer_begin(repack->to);
    wcts_exchange_packer_begin(repack->from);
    found.bytes =
        wcts_exchange_packer_unpack(repack->from, stored->bytes, stored->size, stored->raw);
    bool good = found.bytes && wcts_store_records_pack(repack->to, &found, &packed) &&
                packed.size <= WCTS_PACKED_MAX;
    free(found.bytes);
    if (!good) {
        free(packed.bytes);
        wcts_exchange_packer_begin(repack->to); /* what comes next cannot be behind it */
        return;
    }
    free(stored->bytes);
    *stored = packed;
}

void wcts_store_repack_release(struct wcts_store_repack *repack)
{
    wcts_exchange_packer_free(repack->from);
    wcts_exchange_packer_free(repack->to);
    *repack = (struct wcts_store_repack){0};
}

void wcts_store_records_end(struct wcts_store_records *records)
{
    char name[WCTS_RECORDS_NAME_MAX + 1];
    struct wcts_stored stored;
    long at;
    while ((at = read_head(records, records->right, &stored, name)) != 0) {
        records->right = at + (long)stored.size;
        records->count++;
        records->unused++;
        snprintf(records->last, sizeof records->last, "%.*s", WCTS_ID_ROOM - 1, name);
    }
}
