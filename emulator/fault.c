/* SPDX-License-Identifier: MIT */
/* Looking up faults; the linker gathers their places in a section of their own. */
#include "fault.h"

#include <string.h>

extern const struct emu_fault_site __start_emu_faults[] __attribute__((visibility("hidden")));
extern const struct emu_fault_site __stop_emu_faults[] __attribute__((visibility("hidden")));

struct emu_fault_state emu_fault_state;

static const struct emu_fault *const tables[] = {emu_faults_000, emu_faults_001, emu_faults_002,
                                                 emu_faults_003, emu_faults_004};

#define TABLE_COUNT (sizeof(tables) / sizeof(tables[0]))

static const char *const kind_names[EMU_FAULT_KIND_COUNT] = {
    [EMU_FAULT_MISSING] = "check missing",
    [EMU_FAULT_INVERTED] = "inverted",
    [EMU_FAULT_LIMIT] = "wrong limit",
    [EMU_FAULT_PAGE] = "wrong page size",
    [EMU_FAULT_VERSION] = "wrong version",
    [EMU_FAULT_STATE] = "wrong state after",
    [EMU_FAULT_LEAK] = "leaked",
    [EMU_FAULT_PARTIAL] = "partial effect",
    [EMU_FAULT_BYTE] = "wrong byte",
    [EMU_FAULT_VALUE] = "wrong value",
    [EMU_FAULT_ORDER] = "wrong order",
    [EMU_FAULT_LOST] = "not done",
    [EMU_FAULT_NONE] = "none",
};

size_t emu_fault_site_count(void)
{
    return (size_t)(__stop_emu_faults - __start_emu_faults);
}

const struct emu_fault_site *emu_fault_site(size_t index)
{
    return index < emu_fault_site_count() ? &__start_emu_faults[index] : NULL;
}

const struct emu_fault_site *emu_fault_find(const char *id, size_t length)
{
    size_t i;
    for (i = 0; i < emu_fault_site_count(); i++)
        if (strlen(__start_emu_faults[i].id) == length &&
            memcmp(__start_emu_faults[i].id, id, length) == 0)
            return &__start_emu_faults[i];
    return NULL;
}

const struct emu_fault *emu_fault_entry(size_t index)
{
    size_t table;
    for (table = 0; table < TABLE_COUNT; table++) {
        const struct emu_fault *entry = tables[table];
        for (; entry->id != NULL; entry++)
            if (index-- == 0)
                return entry;
    }
    return NULL;
}

const char *emu_fault_kind_name(enum emu_fault_kind kind)
{
    return kind_names[kind];
}

void emu_fault_trace(unsigned char *marks)
{
    emu_fault_state.marks = marks;
}

void emu_fault_mark(const struct emu_fault_site *site)
{
    emu_fault_state.marks[site - __start_emu_faults] = 1;
}
