/* SPDX-License-Identifier: MIT */
#include "emu_handles.h"

#include "choice.h"

#include <stdlib.h>
#include <string.h>

/* Handle values: BASE + STEP for the first entry, and so on, so that small numbers and numbers one
 * off a live handle are never handles. */
#define HANDLE_BASE EMU_CHOICE(HUGE_HANDLES, 0x40000000u, 0xC0000000u)
#define HANDLE_STEP 4u
#define HANDLE_MAX_COUNT 0x0FFFFFFFu

uint32_t emu_handle_at(uint32_t index)
{
    return HANDLE_BASE + (index + 1) * HANDLE_STEP;
}

uint32_t emu_handle_new(struct emu_handles *handles, enum emu_handle_kind kind, void *object)
{
    if (handles->count == handles->room) {
        uint32_t room = handles->room ? handles->room * 2 : 16;
        struct emu_handle_entry *entries;
        if (handles->count >= HANDLE_MAX_COUNT)
            return 0;
        entries = realloc(handles->entries, room * sizeof(*entries));
        if (entries == NULL)
            return 0;
        handles->entries = entries;
        handles->room = room;
    }
    handles->entries[handles->count].object = object;
    handles->entries[handles->count].kind = kind;
    handles->entries[handles->count].was = EMU_HANDLE_NONE;
    handles->count++;
    return emu_handle_at(handles->count - 1);
}

/* The entry of a handle value that was once given out, or NULL. */
static struct emu_handle_entry *entry_of(const struct emu_handles *handles, uint64_t handle)
{
    uint64_t index;
    if (handle <= HANDLE_BASE || handle % HANDLE_STEP != 0)
        return NULL;
    index = (handle - HANDLE_BASE) / HANDLE_STEP - 1;
    return index < handles->count ? &handles->entries[index] : NULL;
}

void *emu_handle_object(const struct emu_handles *handles, uint64_t handle,
                        enum emu_handle_kind kind)
{
    const struct emu_handle_entry *entry = entry_of(handles, handle);
    return entry != NULL && entry->kind == kind ? entry->object : NULL;
}

void emu_handle_drop(struct emu_handles *handles, uint64_t handle)
{
    struct emu_handle_entry *entry = entry_of(handles, handle);
    if (entry == NULL)
        return;
    entry->was = entry->kind;
    entry->kind = EMU_HANDLE_NONE;
    entry->object = NULL;
    while (handles->first < handles->count &&
           handles->entries[handles->first].kind == EMU_HANDLE_NONE)
        handles->first++;
}

uint32_t emu_handle_dead(const struct emu_handles *handles, enum emu_handle_kind kind)
{
    uint32_t i;
    for (i = handles->count; i > 0; i--)
        if (handles->entries[i - 1].kind == EMU_HANDLE_NONE && handles->entries[i - 1].was == kind)
            return HANDLE_BASE + i * HANDLE_STEP;
    return 0;
}

uint32_t emu_handle_again(struct emu_handles *handles, uint32_t dead, enum emu_handle_kind kind,
                          void *object)
{
    struct emu_handle_entry *entry = entry_of(handles, dead);
    if (entry == NULL)
        return 0;
    const uint32_t index = (uint32_t)(entry - handles->entries);
    entry->object = object;
    entry->kind = kind;
    handles->first = index < handles->first ? index : handles->first;
    return dead;
}

void emu_handle_change(struct emu_handles *handles, uint64_t handle, enum emu_handle_kind kind)
{
    struct emu_handle_entry *entry = entry_of(handles, handle);
    if (entry != NULL)
        entry->kind = kind;
}

void emu_handles_release(struct emu_handles *handles)
{
    free(handles->entries);
    memset(handles, 0, sizeof(*handles));
}

/* Where the probing for a handle begins. */
static uint32_t home_of(const struct emu_handle_set *set, uint64_t handle)
{
    return (uint32_t)((handle * UINT64_C(0x9E3779B97F4A7C15)) >> 32) & (set->room - 1);
}

/* The slot of the handle, or the free slot where it would go. The set must have room. */
static uint32_t slot_of(const struct emu_handle_set *set, uint64_t handle)
{
    uint32_t slot = home_of(set, handle);
    while (set->slots[slot] != 0 && set->slots[slot] != handle)
        slot = (slot + 1) & (set->room - 1);
    return slot;
}

/* Doubles the room. Returns 0 when there is no memory. */
static int set_grow(struct emu_handle_set *set)
{
    struct emu_handle_set larger = {NULL, set->room ? set->room * 2 : 16, set->count};
    uint32_t i;
    if (larger.room == 0)
        return 0;
    larger.slots = calloc(larger.room, sizeof(*larger.slots));
    if (larger.slots == NULL)
        return 0;
    for (i = 0; i < set->room; i++)
        if (set->slots[i] != 0)
            larger.slots[slot_of(&larger, set->slots[i])] = set->slots[i];
    free(set->slots);
    *set = larger;
    return 1;
}

int emu_handle_set_add(struct emu_handle_set *set, uint64_t handle)
{
    uint32_t slot;
    if (set->count >= set->room / 2 && !set_grow(set))
        return -1;
    slot = slot_of(set, handle);
    if (set->slots[slot] == handle)
        return 0;
    set->slots[slot] = handle;
    set->count++;
    return 1;
}

void emu_handle_set_remove(struct emu_handle_set *set, uint64_t handle)
{
    uint32_t hole, slot, mask = set->room - 1;
    if (set->room == 0 || handle == 0)
        return;
    hole = slot_of(set, handle);
    if (set->slots[hole] != handle)
        return;
    set->slots[hole] = 0;
    set->count--;
    /* Move back every later member of the chain whose probing passes the hole. */
    for (slot = (hole + 1) & mask; set->slots[slot] != 0; slot = (slot + 1) & mask) {
        uint32_t home = home_of(set, set->slots[slot]);
        if (((slot - home) & mask) < ((slot - hole) & mask))
            continue;
        set->slots[hole] = set->slots[slot];
        set->slots[slot] = 0;
        hole = slot;
    }
}

void emu_handle_set_release(struct emu_handle_set *set)
{
    free(set->slots);
    memset(set, 0, sizeof(*set));
}
