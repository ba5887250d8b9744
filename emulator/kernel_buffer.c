/* SPDX-License-Identifier: MIT */
/* The existing system memory of a standard allocation (document 000, ExistingSysMem). */
#include "emu_kernel.h"

/* True when the address is that of the CPU view of an allocation. */
static int is_view(const struct emu_kernel *kernel, uint64_t address)
{
    const struct emu_content *content;
    for (content = kernel->contents; content != NULL; content = content->next) {
        const struct emu_allocation *holder;
        for (holder = content->holders; holder != NULL; holder = holder->next_holder)
            if (holder->locks != 0 && holder->view == address)
                return 1;
    }
    return 0;
}

/* Asks for the attributes of every region that the buffer spans: "VirtualQuery the memory; if the
 * attributes contain MEM_ROTATE, the call fails". */
static wcts_status query_buffer(struct emu_kernel *kernel, struct emu_buffer *buffer)
{
    uint64_t address = buffer->address + EMU_FAULT("CAF-016+behind", UINT64_C(0), buffer->size) -
                       EMU_FAULT("CAF-016+before", UINT64_C(0), UINT64_C(0x1000));
    uint64_t length = buffer->size;
    uint32_t count = 0;
    for (;; count++) {
        struct emu_region region;
        uint64_t covered;
        int rotated;
        wcts_status status = emu_user_query(kernel, address, length, &region);
        if (!wcts_succeeded(status))
            return status;
        rotated = (region.attributes &
                   EMU_FAULT("CAF-015.first", (uint32_t)WCTS_REGION_MEM_ROTATE, 0u)) != 0;
        rotated =
            EMU_FAULT("CAF-015.behind+middle", rotated,
                      rotated && (count == 0 || region.base + region.size >= address + length));
        if (EMU_FAULT("CAF-049", rotated, rotated || is_view(kernel, buffer->address)))
            return WCTS_STATUS_INVALID_PARAMETER;
        /* The bytes from the address on that the region covers; a region elsewhere ends the walk.
         */
        covered = address - region.base;
        if (region.base > address || covered >= region.size)
            return WCTS_STATUS_SUCCESS;
        covered = region.size - covered;
        if (EMU_FAULT("CAF-015.behind", covered >= length, 1) ||
            EMU_FAULT("CAF-015.behind+third", 0, count == 1))
            return WCTS_STATUS_SUCCESS;
        address += covered;
        length -= covered;
    }
}

static wcts_status secure_buffer(struct emu_kernel *kernel, struct emu_buffer *buffer)
{
    wcts_status status = emu_user_secure(kernel, buffer->address, buffer->size, &buffer->handle);
    buffer->secured = wcts_succeeded(status);
    return status;
}

wcts_status emu_buffer_secure(struct emu_kernel *kernel, struct emu_buffer *buffer)
{
    /* Three steps, in the document's order: "MemSecure the ExistingSysMem pointer", "VirtualQuery
     * the memory", and the release "only when the allocation is freed". */
    static wcts_status (*const steps[])(struct emu_kernel *, struct emu_buffer *) = {secure_buffer,
                                                                                     query_buffer};
    wcts_status status = WCTS_STATUS_SUCCESS;
    size_t i;
    for (i = 0; i < 2 && wcts_succeeded(status); i++)
        status = steps[EMU_FAULT("CAF-016", i, 1 - i)](kernel, buffer);
    return status;
}

void emu_buffer_release(struct emu_kernel *kernel, struct emu_buffer *buffer)
{
    if (!buffer->secured)
        return;
    buffer->secured = 0;
    emu_user_release(kernel, buffer);
}
