/* SPDX-License-Identifier: MIT */
/* Memory as the GPU reaches it: system memory, memory segments, and the system pages that are
 * mapped into aperture segments. */
#include "emu_driver.h"
#include "emu_flags.h"

#include <stdlib.h>

#define MAPPED UINT64_C(1) /* of an entry of an aperture's table */

/* A part of a range that lies together in a space of the machine. */
struct piece {
    uint32_t space;
    uint32_t length;
    uint64_t address;
};

const struct emu_driver_segment *emu_segment_of(uint32_t space)
{
    const uint32_t adapter = space >> 16, id = space & 0xFFFF;
    if (adapter >= EMU_ADAPTER_COUNT || id == 0 || id > EMU_SEGMENT_COUNT)
        return NULL;
    return &emu_segments[id - 1];
}

/* "The AGP-type aperture segment is an aperture", although its flag stands alone. */
static int is_aperture(const struct emu_driver_segment *segment)
{
    return (segment->flags & (EMU_SEGMENT_APERTURE | EMU_SEGMENT_AGP)) != 0;
}

/* The table of a segment that emu_segment_of finds. */
static uint64_t *const *table_of(const struct emu_driver *driver, uint32_t space)
{
    return &driver->apertures[space >> 16][(space & 0xFFFF) - 1];
}

/* True when all pages of [first, first + count) are mapped. */
static int pages_mapped(const uint64_t *table, uint64_t first, uint64_t count)
{
    uint64_t i;
    if (table == NULL)
        return count == 0;
    for (i = 0; i < count; i++)
        if (!(table[first + i] & MAPPED))
            return 0;
    return 1;
}

int emu_memory_reachable(const struct emu_driver *driver, uint32_t space, uint64_t address,
                         uint64_t length)
{
    const struct emu_driver_segment *segment = emu_segment_of(space);
    uint64_t first, end;
    if (length > UINT64_MAX - address)
        return 0;
    if (segment == NULL)
        return space == 0;
    if (address + length > segment->size)
        return 0;
    if (!is_aperture(segment) || length == 0)
        return 1;
    first = address / EMU_GPU_PAGE;
    end = (address + length - 1) / EMU_GPU_PAGE + 1;
    return pages_mapped(*table_of(driver, space), first, end - first);
}

/* The first piece of a reachable range. */
static struct piece first_piece(const struct emu_driver *driver, uint32_t space, uint64_t address,
                                uint32_t length)
{
    struct piece piece = {space, length, address};
    const struct emu_driver_segment *segment = emu_segment_of(space);
    const uint64_t within = address % EMU_GPU_PAGE;
    if (segment == NULL || !is_aperture(segment))
        return piece;
    piece.space = 0;
    piece.address = ((*table_of(driver, space))[address / EMU_GPU_PAGE] & ~MAPPED) + within;
    if (length > EMU_GPU_PAGE - within)
        piece.length = (uint32_t)(EMU_GPU_PAGE - within);
    return piece;
}

wcts_status emu_memory_read(struct emu_driver *driver, uint32_t space, uint64_t address, void *data,
                            uint32_t length)
{
    wcts_status status = WCTS_STATUS_SUCCESS;
    unsigned char *bytes = data;
    uint32_t done = 0;
    while (done < length && wcts_succeeded(status)) {
        const struct piece piece = first_piece(driver, space, address + done, length - done);
        status = emu_machine_read(driver, piece.space, piece.address, bytes + done, piece.length);
        done += piece.length;
    }
    return status;
}

wcts_status emu_memory_write(struct emu_driver *driver, uint32_t space, uint64_t address,
                             const void *data, uint32_t length)
{
    wcts_status status = WCTS_STATUS_SUCCESS;
    const unsigned char *bytes = data;
    uint32_t done = 0;
    while (done < length && wcts_succeeded(status)) {
        const struct piece piece = first_piece(driver, space, address + done, length - done);
        status = emu_machine_write(driver, piece.space, piece.address, bytes + done, piece.length);
        done += piece.length;
    }
    return status;
}

wcts_status emu_stray_word(struct emu_driver *driver, uint64_t address)
{
    static const unsigned char word[4] = {'S', 'T', 'R', 'Y'};
    return emu_machine_write(driver, 0, address, word, sizeof(word));
}

/* Finds the aperture that has these pages, or NULL. */
static const struct emu_driver_segment *find_aperture(uint32_t space, uint64_t first,
                                                      uint64_t count)
{
    const struct emu_driver_segment *segment = emu_segment_of(space);
    uint64_t pages;
    if (segment == NULL || !is_aperture(segment))
        return NULL;
    pages = segment->size / EMU_GPU_PAGE;
    return first <= pages && count <= pages - first ? segment : NULL;
}

wcts_status emu_aperture_map(struct emu_driver *driver, uint32_t space, uint64_t first,
                             uint64_t count, uint64_t system_address)
{
    const struct emu_driver_segment *segment = find_aperture(space, first, count);
    uint64_t **table;
    uint64_t i;
    if (segment == NULL || system_address % EMU_GPU_PAGE != 0 ||
        count * EMU_GPU_PAGE > UINT64_MAX - system_address)
        return WCTS_STATUS_INVALID_PARAMETER;
    table = &driver->apertures[space >> 16][(space & 0xFFFF) - 1];
    if (*table == NULL)
        *table = calloc((size_t)(segment->size / EMU_GPU_PAGE), sizeof(**table));
    if (*table == NULL)
        return WCTS_STATUS_NO_MEMORY;
    for (i = 0; i < count; i++)
        (*table)[first + i] = (system_address + i * EMU_GPU_PAGE) | MAPPED;
    return WCTS_STATUS_SUCCESS;
}

wcts_status emu_aperture_unmap(struct emu_driver *driver, uint32_t space, uint64_t first,
                               uint64_t count)
{
    uint64_t *table;
    uint64_t i;
    if (find_aperture(space, first, count) == NULL)
        return WCTS_STATUS_INVALID_PARAMETER;
    table = *table_of(driver, space);
    for (i = 0; i < count && table != NULL; i++)
        table[first + i] = 0;
    return WCTS_STATUS_SUCCESS;
}

void emu_apertures_release(struct emu_driver *driver)
{
    uint32_t adapter, id;
    for (adapter = 0; adapter < EMU_ADAPTER_COUNT; adapter++)
        for (id = 0; id < EMU_SEGMENT_COUNT; id++)
            free(driver->apertures[adapter][id]);
}
