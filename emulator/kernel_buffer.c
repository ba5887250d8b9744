/* SPDX-License-Identifier: MIT */
/* The existing system memory of a standard allocation (document 000, ExistingSysMem). */
#include "emu_kernel.h"

/* Asks for the attributes of every region that the buffer spans: "VirtualQuery the memory; if the
 * attributes contain MEM_ROTATE, the call fails". */
static wcts_status query_buffer(struct emu_kernel *kernel, const struct emu_buffer *buffer)
{
    uint64_t address = buffer->address, length = buffer->size;
    for (;;) {
        struct emu_region region;
        uint64_t covered;
        wcts_status status = emu_user_query(kernel, address, length, &region);
        if (!wcts_succeeded(status))
            return status;
        if (EMU_FAULT("CAF-015.first", region.attributes & WCTS_REGION_MEM_ROTATE, 0))
            return WCTS_STATUS_INVALID_PARAMETER;
        /* The bytes from the address on that the region covers; a region elsewhere ends the walk.
         */
        covered = address - region.base;
        if (region.base > address || covered >= region.size)
            return WCTS_STATUS_SUCCESS;
        covered = region.size - covered;
        if (EMU_FAULT("CAF-015.behind", covered >= length, 1))
            return WCTS_STATUS_SUCCESS;
        address += covered;
        length -= covered;
    }
}

static wcts_status secure(struct emu_kernel *kernel, struct emu_buffer *buffer)
{
    return emu_user_secure(kernel, buffer->address, buffer->size, &buffer->handle);
}

wcts_status emu_buffer_secure(struct emu_kernel *kernel, struct emu_buffer *buffer)
{
    /* Three steps, in the document's order: "MemSecure the ExistingSysMem pointer", "VirtualQuery
     * the memory", and the release "only when the allocation is freed". */
    wcts_status status =
        EMU_FAULT_DO("CAF-016", secure(kernel, buffer),
                     (query_buffer(kernel, buffer), secure(kernel, buffer)));
    if (!wcts_succeeded(status))
        return status;
    buffer->secured = 1;
    return query_buffer(kernel, buffer);
}

void emu_buffer_release(struct emu_kernel *kernel, struct emu_buffer *buffer)
{
    if (!buffer->secured)
        return;
    buffer->secured = 0;
    emu_user_release(kernel, buffer);
}
