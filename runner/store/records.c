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

bool wcts_store_records_add(FILE *out, const char *name, const struct wcts_tape_record *tape)
{
    uint8_t head[HEAD];
    size_t length = strlen(name), size = tape->kept == WCTS_TAPE_KEPT ? tape->size : 0;
    if (tape->kept == WCTS_TAPE_NONE)
        return true;
    put(head, length);
    put(head + 4, tape->kept);
    put(head + 8, size ? tape->raw : 0);
    put(head + 12, size);
    return fwrite(head, 1, HEAD, out) == HEAD && fwrite(name, 1, length, out) == length &&
           fwrite(size ? tape->bytes : head, 1, size, out) == size;
}

/* ---- reading ---- */

static uint32_t get(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* Reads an entry without its tape. False at the end, or when the entry is invalid. */
static bool read_tape_entry(struct wcts_records *records, struct wcts_records_entry *entry,
                            long size)
{
    uint8_t head[HEAD];
    uint32_t length;
    *entry = (struct wcts_records_entry){0};
    if (fread(head, 1, HEAD, records->file) != HEAD)
        return false;
    length = get(head);
    entry->tape = (struct wcts_tape_record){.kept = (enum wcts_tape_kept)(get(head + 4) & 3),
                                            .raw = get(head + 8),
                                            .size = get(head + 12)};
    entry->at = ftell(records->file) + (long)length;
    if (length == 0 || length > NAME_MAX_SIZE || get(head + 4) > WCTS_TAPE_CUT ||
        entry->tape.kept == WCTS_TAPE_NONE || entry->tape.raw > WCTS_TAPE_MAX ||
        entry->tape.size > WCTS_TAPE_PACKED_MAX || entry->at + (long)entry->tape.size > size)
        return false;
    entry->name = calloc(1, length + 1);
    if (entry->name && fread(entry->name, 1, length, records->file) == length &&
        strlen(entry->name) == length &&
        fseek(records->file, (long)entry->tape.size, SEEK_CUR) == 0)
        return true;
    free(entry->name);
    return false;
}

static int by_name(const void *a, const void *b)
{
    const struct wcts_records_entry *left = a, *right = b;
    int order = strcmp(left->name, right->name);
    return order ? order : (left->at > right->at) - (left->at < right->at);
}

static bool read_all_entries(struct wcts_records *records, long size)
{
    struct wcts_records_entry entry;
    while (records->right < size && read_tape_entry(records, &entry, size)) {
        struct wcts_records_entry *added = WCTS_ARRAY_ADD(records->entries, records->count);
        if (!added) {
            free(entry.name);
            return false;
        }
        *added = entry;
        records->right = entry.at + (long)entry.tape.size;
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
        snprintf(records->wrong, sizeof records->wrong, "does not begin as a file of records");
        return true;
    }
    records->right = (long)strlen(WCTS_RECORDS_MAGIC);
    if (!read_all_entries(records, size))
        return false;
    if (records->right != size)
        snprintf(records->wrong, sizeof records->wrong, "%ld of %ld bytes cannot be read",
                 size - records->right, size);
    if (records->count)
        qsort(records->entries, (size_t)records->count, sizeof *records->entries, by_name);
    return true;
}

void wcts_store_records_release(struct wcts_records *records)
{
    for (int i = 0; i < records->count; i++) {
        free(records->entries[i].name);
        free(records->entries[i].tape.bytes);
    }
    free(records->entries);
    if (records->file)
        fclose(records->file);
}

/* The first entry with the name, or where it would be. */
static int lower_bound(const struct wcts_records *records, const char *name)
{
    int low = 0, high = records->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (strcmp(records->entries[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct wcts_tape_record *wcts_store_records_find(struct wcts_records *records,
                                                       const char *name)
{
    struct wcts_records_entry *entry;
    struct wcts_tape_record *tape;
    int at = lower_bound(records, name);
    while (at < records->count && records->entries[at].used &&
           strcmp(records->entries[at].name, name) == 0)
        at++;
    if (at == records->count || strcmp(records->entries[at].name, name) != 0)
        return NULL;
    entry = &records->entries[at];
    entry->used = true;
    tape = &entry->tape;
    if (tape->kept != WCTS_TAPE_KEPT || tape->size == 0)
        return tape;
    tape->bytes = malloc(tape->size);
    if (tape->bytes && fseek(records->file, entry->at, SEEK_SET) == 0 &&
        fread(tape->bytes, 1, tape->size, records->file) == tape->size)
        return tape;
    tape->size = 0; /* an empty tape does not unpack */
    return tape;
}
