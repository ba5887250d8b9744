/* SPDX-License-Identifier: MIT */
/* Looking up faults; the linker gathers their places in a section of their own. */
#include "fault.h"

#include <string.h>

extern const struct emu_fault_site __start_emu_faults[] __attribute__((visibility("hidden")));
extern const struct emu_fault_site __stop_emu_faults[] __attribute__((visibility("hidden")));

struct emu_fault_state emu_fault_state;

static const struct emu_fault *const tables[] = {
    emu_faults_000, emu_faults_001,    emu_faults_002,   emu_faults_003,
    emu_faults_004, emu_faults_header, emu_faults_narrow};

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

static size_t site_count(void)
{
    return (size_t)(__stop_emu_faults - __start_emu_faults);
}

const struct emu_fault_site *emu_fault_find(const char *id, size_t length)
{
    size_t i;
    for (i = 0; i < site_count(); i++)
        if (strlen(__start_emu_faults[i].id) == length &&
            memcmp(__start_emu_faults[i].id, id, length) == 0)
            return &__start_emu_faults[i];
    return NULL;
}

/* ---- the table that is exported ---- */

/* More than there will be; one that finds no room is missed by name. */
#define FAULTS_MAX 1024

static struct wcts_fault faults[FAULTS_MAX];
static uint16_t numbers[FAULTS_MAX]; /* by site: 1 + the position among faults; 0: none */

void emu_fault_mark(const struct emu_fault_site *site)
{
    const size_t index = (size_t)(site - __start_emu_faults);
    if (index < FAULTS_MAX && numbers[index] != 0)
        emu_fault_state.marks[numbers[index] - 1] = 1;
}

static void trace(uint8_t *marks)
{
    emu_fault_state.marks = marks;
}

static void fill(struct wcts_fault *fault, const struct emu_fault *entry,
                 const struct emu_fault_site *site)
{
    *fault = (struct wcts_fault){.size = sizeof(*fault),
                                 .id = entry->id,
                                 .kind = kind_names[entry->kind],
                                 .options = entry->options,
                                 .why = entry->why};
    memcpy(fault->also, entry->also, sizeof(fault->also));
    if (site == NULL)
        return;
    fault->file = site->file;
    fault->line = (uint32_t)site->line;
    fault->good = site->good;
    fault->bad = site->bad;
}

static uint32_t gather(void)
{
    uint32_t count = 0;
    size_t table;
    for (table = 0; table < TABLE_COUNT; table++) {
        const struct emu_fault *entry = tables[table];
        for (; entry->id != NULL && count < FAULTS_MAX; entry++) {
            const struct emu_fault_site *site = emu_fault_find(entry->id, strlen(entry->id));
            if (site != NULL && site - __start_emu_faults < FAULTS_MAX)
                numbers[site - __start_emu_faults] = (uint16_t)(count + 1);
            fill(&faults[count++], entry, site);
        }
    }
    return count;
}

__attribute__((visibility("default"))) const struct wcts_fault_table *wcts_plugin_faults(void)
{
    static struct wcts_fault_table table = {.size = sizeof(table),
                                            .abi_version = WCTS_ABI_VERSION,
                                            .fault_size = sizeof(struct wcts_fault),
                                            .faults = faults,
                                            .trace = trace};
    if (table.count == 0)
        table.count = gather();
    return &table;
}
