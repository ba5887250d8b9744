/* SPDX-License-Identifier: MIT */
/* The recorder: see wddm-cts-recorder.h. It needs atomic additions of 64 bits, and nothing else. */
#include "wddm-cts-recorder.h"

#if defined(_MSC_VER)
#include <intrin.h>
/* Windows' compiler: both are full barriers. */
static uint64_t recorder_add(volatile uint64_t *counter, uint64_t number)
{
    return (uint64_t)_InterlockedExchangeAdd64((volatile __int64 *)counter, (__int64)number);
}

static void recorder_publish(volatile uint64_t *turn, uint64_t number)
{
    _InterlockedExchange64((volatile __int64 *)turn, (__int64)number);
}
#else
static uint64_t recorder_add(volatile uint64_t *counter, uint64_t number)
{
    return __atomic_fetch_add(counter, number, __ATOMIC_SEQ_CST);
}

static void recorder_publish(volatile uint64_t *turn, uint64_t number)
{
    __atomic_store_n(turn, number, __ATOMIC_SEQ_CST);
}
#endif

/* The header says so: a dump is read by another program. */
typedef char recorder_entry_size[sizeof(struct wcts_recorder_entry) == 256 ? 1 : -1];

void wcts_recorder_init(struct wcts_recorder *recorder, struct wcts_recorder_entry *entries,
                        uint32_t count, uint32_t wddm_version, uint32_t interface_version,
                        uint32_t page_size)
{
    uint32_t i;
    recorder->entry_size = (uint32_t)sizeof *entries;
    recorder->entry_count = count;
    recorder->wddm_version = wddm_version;
    recorder->interface_version = interface_version;
    recorder->page_size = page_size;
    recorder->reserved = 0;
    recorder->next_seq = 1;
    recorder->next_turn = 1;
    recorder->entries = entries;
    for (i = 0; i < count; i++)
        entries[i].turn = 0;
    recorder->magic = WCTS_RECORDER_MAGIC;
}

uint64_t wcts_recorder_enter(struct wcts_recorder *recorder)
{
    return recorder_add(&recorder->next_seq, 1);
}

/* ---- members ---- */

/* The bytes of a record are written through volatile pointers: no compiler makes a call of memcpy
 * or memset of them, which need not be there. */
static uint32_t add_text(struct wcts_record *record, uint32_t at, const char *text)
{
    volatile uint8_t *bytes = record->bytes;
    for (; *text; text++, at++)
        if (at < sizeof record->bytes)
            bytes[at] = (uint8_t)*text;
    return at;
}

/* A decimal number in brackets. */
static uint32_t add_index(struct wcts_record *record, uint32_t at, uint32_t index)
{
    char text[13];
    uint32_t first = sizeof text - 1;
    text[first] = '\0';
    text[--first] = ']';
    do
        text[--first] = (char)('0' + index % 10);
    while ((index /= 10) != 0);
    text[--first] = '[';
    return add_text(record, at, text + first);
}

/* The end of the path, and the number: the member counts only if all of it has room. */
static void end_member(struct wcts_record *record, uint32_t at, uint64_t number)
{
    volatile uint8_t *bytes = record->bytes;
    uint32_t width = 1, i;
    while (width < 8 && number >> 8 * width != 0)
        width++;
    if (at + 2 + width > sizeof record->bytes) {
        record->lost++;
        return;
    }
    bytes[at++] = 0;
    bytes[at++] = (uint8_t)width;
    for (i = 0; i < width; i++)
        bytes[at++] = (uint8_t)(number >> 8 * i);
    record->used = at;
}

void wcts_record_begin(struct wcts_record *record, const char *ddi, uint64_t seq, int32_t status)
{
    record->seq = seq;
    record->used = 0;
    record->lost = 0;
    end_member(record, add_text(record, 0, ddi), (uint32_t)status);
}

void wcts_record_number(struct wcts_record *record, const char *path, uint64_t number)
{
    end_member(record, add_text(record, record->used, path), number);
}

void wcts_record_element(struct wcts_record *record, const char *array, uint32_t index,
                         const char *member, uint64_t number)
{
    uint32_t at = add_index(record, add_text(record, record->used, array), index);
    if (member)
        at = add_text(record, add_text(record, at, "."), member);
    end_member(record, at, number);
}

/* ---- the ring ---- */

/* Writes a part into the entry whose turn it is. */
static void put_part(struct wcts_recorder *recorder, uint64_t turn,
                     const struct wcts_record *record, uint32_t part, uint32_t parts)
{
    volatile struct wcts_recorder_entry *entry =
        &recorder->entries[(turn - 1) % recorder->entry_count];
    uint32_t from = part * WCTS_RECORDER_BYTES, i;
    uint32_t size = record->used - from;
    if (size > WCTS_RECORDER_BYTES)
        size = WCTS_RECORDER_BYTES;
    recorder_publish(&entry->turn, 0);
    entry->seq = record->seq;
    entry->part = (uint16_t)part;
    entry->parts = (uint16_t)parts;
    entry->size = (uint16_t)size;
    entry->reserved = (uint16_t)(record->lost != 0);
    for (i = 0; i < size; i++)
        entry->bytes[i] = record->bytes[from + i];
    recorder_publish(&entry->turn, turn);
}

void wcts_record_end(struct wcts_recorder *recorder, const struct wcts_record *record)
{
    uint32_t parts = (record->used + WCTS_RECORDER_BYTES - 1) / WCTS_RECORDER_BYTES, part;
    uint64_t turn;
    if (recorder->entry_count == 0 || parts == 0)
        return;
    turn = recorder_add(&recorder->next_turn, parts);
    for (part = 0; part < parts; part++)
        put_part(recorder, turn + part, record, part, parts);
}
