/* SPDX-License-Identifier: MIT */
#include "records.h"

#include <stdlib.h>
#include <string.h>

#include "../base/array.h"
#include "input.h"

#define NAME_MAX_SIZE 4096u
#define HEAD 16

const char *wcts_store_records_side(int which)
{
    static const char *const names[] = {"=kernel", "=driver"};
    return names[which];
}

/* ---- writing ---- */

static void put(uint8_t *at, size_t number)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(number >> 8 * i);
}

bool wcts_store_records_begin(FILE *out)
{
    return fwrite(WCTS_RECORDS_MAGIC, 1, strlen(WCTS_RECORDS_MAGIC), out) ==
           strlen(WCTS_RECORDS_MAGIC);
}

bool wcts_store_records_add(FILE *out, const char *name, const struct wcts_stored *stored)
{
    uint8_t head[HEAD];
    size_t length = strlen(name), size = wcts_model_is_stored(stored->kept) ? stored->size : 0;
    if (stored->kept == WCTS_STORED_NONE)
        return true;
    put(head, length);
    put(head + 4, stored->kept);
    put(head + 8, size ? stored->raw : 0);
    put(head + 12, size);
    return fwrite(head, 1, HEAD, out) == HEAD && fwrite(name, 1, length, out) == length &&
           fwrite(size ? stored->bytes : head, 1, size, out) == size;
}

/* ---- reading ---- */

static uint32_t get(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* Reads an entry without its stream. False at the end, or when the entry is invalid. */
static bool read_stored_entry(struct wcts_records *records, struct wcts_records_entry *entry,
                              long size)
{
    uint8_t head[HEAD];
    uint32_t length;
    *entry = (struct wcts_records_entry){0};
    if (fread(head, 1, HEAD, records->file) != HEAD)
        return false;
    length = get(head);
    entry->stored = (struct wcts_stored){.kept = (enum wcts_stored_kept)(get(head + 4) & 3),
                                         .raw = get(head + 8),
                                         .size = get(head + 12)};
    entry->at = ftell(records->file) + (long)length;
    if (length == 0 || length > NAME_MAX_SIZE || get(head + 4) > WCTS_STORED_CUT ||
        entry->stored.kept == WCTS_STORED_NONE || entry->stored.raw > WCTS_STRIP_MAX ||
        entry->stored.size > WCTS_PACKED_MAX || entry->at + (long)entry->stored.size > size)
        return false;
    entry->name = calloc(1, length + 1);
    if (entry->name && fread(entry->name, 1, length, records->file) == length &&
        strlen(entry->name) == length &&
        fseek(records->file, (long)entry->stored.size, SEEK_CUR) == 0)
        return true;
    free(entry->name);
    return false;
}

/* Entries of one name in the order of the file. */
static int by_name(const void *a, const void *b)
{
    const struct wcts_records_entry *left = *(struct wcts_records_entry *const *)a,
                                    *right = *(struct wcts_records_entry *const *)b;
    int order = strcmp(left->name, right->name);
    return order ? order : (left > right) - (left < right);
}

static bool sort_entries(struct wcts_records *records)
{
    records->by_name = calloc((size_t)records->count + 1, sizeof(struct wcts_records_entry *));
    if (!records->by_name)
        return false;
    for (int i = 0; i < records->count; i++)
        records->by_name[i] = &records->entries[i];
    qsort(records->by_name, (size_t)records->count, sizeof *records->by_name, by_name);
    return true;
}

static bool read_all_entries(struct wcts_records *records, long size)
{
    struct wcts_records_entry entry;
    while (records->right < size && read_stored_entry(records, &entry, size)) {
        struct wcts_records_entry *added = WCTS_ARRAY_ADD(records->entries, records->count);
        if (!added) {
            free(entry.name);
            return false;
        }
        *added = entry;
        records->right = entry.at + (long)entry.stored.size;
    }
    return true;
}

bool wcts_store_records_open(struct wcts_records *records, const char *directory)
{
    char magic[sizeof WCTS_RECORDS_MAGIC] = "";
    long size;
    *records = (struct wcts_records){0};
    records->file = wcts_store_input_open(directory, WCTS_RECORDS_FILE, NULL);
    if (!records->file || fseek(records->file, 0, SEEK_END) != 0)
        return false;
    size = ftell(records->file);
    rewind(records->file);
    if (fread(magic, 1, sizeof magic - 1, records->file) != sizeof magic - 1 ||
        strcmp(magic, WCTS_RECORDS_MAGIC) != 0) {
        if (strncmp(magic, WCTS_RECORDS_MAGIC, strlen(WCTS_RECORDS_MAGIC) - 1) == 0)
            snprintf(records->wrong, sizeof records->wrong,
                     "are of format %s, expected %s: verify the run with the tool that made it",
                     magic, WCTS_RECORDS_MAGIC);
        else
            snprintf(records->wrong, sizeof records->wrong, "does not begin as a file of records");
        return true;
    }
    records->right = (long)strlen(WCTS_RECORDS_MAGIC);
    if (!read_all_entries(records, size))
        return false;
    if (records->right != size)
        snprintf(records->wrong, sizeof records->wrong, "%ld of %ld bytes cannot be read",
                 size - records->right, size);
    records->packer = wcts_exchange_packer_new();
    return records->packer && sort_entries(records);
}

void wcts_store_records_release(struct wcts_records *records)
{
    for (int i = 0; i < records->count; i++)
        free(records->entries[i].name);
    free(records->entries);
    free(records->by_name);
    free(records->unpacked);
    wcts_exchange_packer_free(records->packer);
    if (records->file)
        fclose(records->file);
}

/* The first entry with the name, or where it would be. */
static int lower_bound(const struct wcts_records *records, const char *name)
{
    int low = 0, high = records->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (strcmp(records->by_name[middle]->name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Unpacks one entry behind the one before it; NULL if that cannot be. */
static uint8_t *unpack(struct wcts_records *records, const struct wcts_records_entry *entry)
{
    const struct wcts_stored *stored = &entry->stored;
    uint8_t *bytes = malloc(stored->size + 1), *raw = NULL;
    if (stored->kept == WCTS_STORED_FIRST)
        wcts_exchange_packer_begin(records->packer);
    if (bytes && fseek(records->file, entry->at, SEEK_SET) == 0 &&
        fread(bytes, 1, stored->size, records->file) == stored->size)
        raw = wcts_exchange_packer_unpack(records->packer, bytes, stored->size, stored->raw);
    free(bytes);
    return raw;
}

/* Unpacks an entry, and before it what it is packed behind. */
static void unpack_up_to(struct wcts_records *records, int index)
{
    int from = index;
    while (from > 0 && from != records->next &&
           records->entries[from].stored.kept != WCTS_STORED_FIRST)
        from--;
    for (int i = from; i <= index; i++) {
        free(records->unpacked);
        records->unpacked = NULL;
        if (wcts_model_is_stored(records->entries[i].stored.kept))
            records->unpacked = unpack(records, &records->entries[i]);
    }
    records->next = index + 1;
}

const struct wcts_stored *wcts_store_records_find(struct wcts_records *records, const char *name)
{
    struct wcts_records_entry *entry;
    int at = lower_bound(records, name);
    while (at < records->count && records->by_name[at]->used &&
           strcmp(records->by_name[at]->name, name) == 0)
        at++;
    if (at == records->count || strcmp(records->by_name[at]->name, name) != 0)
        return NULL;
    entry = records->by_name[at];
    entry->used = true;
    unpack_up_to(records, (int)(entry - records->entries));
    records->found = entry->stored;
    records->found.bytes = records->unpacked;
    if (!records->unpacked)
        records->found.raw = 0; /* which is not a case */
    return &records->found;
}
