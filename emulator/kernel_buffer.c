/* SPDX-License-Identifier: MIT */
/* The existing system memory of a standard allocation (document 000, ExistingSysMem). */
#include "emu_kernel.h"

/* Asks for the attributes of every region that the buffer spans: "VirtualQuery the memory; if the
 * attributes contain MEM_ROTATE, the call fails". */
static wcts_status query_buffer(struct emu_kernel *kernel, const struct emu_allocation *allocation)
{
    struct wcts_machine_range_request request = {.size = sizeof(request),
                                                 .Address = allocation->buffer_address,
                                                 .Length = allocation->buffer_size};
    for (;;) {
        struct emu_reply reply;
        const struct wcts_machine_query_reply *region;
        uint64_t covered;
        wcts_status status = emu_port_call(&kernel->base.port, WCTS_MACHINE_QUERY, &request,
                                           sizeof(request), 0, &reply);
        if (!wcts_succeeded(status))
            return status;
        region = reply.data;
        if (region->Attributes & WCTS_REGION_MEM_ROTATE)
            return WCTS_STATUS_INVALID_PARAMETER;
        /* The bytes from Address on that the region covers; a region elsewhere ends the walk. */
        covered = request.Address - region->Base;
        if (region->Base > request.Address || covered >= region->Length)
            return WCTS_STATUS_SUCCESS;
        covered = region->Length - covered;
        if (covered >= request.Length)
            return WCTS_STATUS_SUCCESS;
        request.Address += covered;
        request.Length -= covered;
    }
}

wcts_status emu_buffer_secure(struct emu_kernel *kernel, struct emu_allocation *allocation)
{
    const struct wcts_machine_range_request request = {.size = sizeof(request),
                                                       .Address = allocation->buffer_address,
                                                       .Length = allocation->buffer_size};
    struct emu_reply reply;
    /* Three steps, in the document's order: "MemSecure the ExistingSysMem pointer", "VirtualQuery
     * the memory", and the release "only when the allocation is freed". */
    wcts_status status = emu_port_call(&kernel->base.port, WCTS_MACHINE_SECURE, &request,
                                       sizeof(request), 0, &reply);
    if (!wcts_succeeded(status))
        return status;
    allocation->buffer_handle = ((const struct wcts_machine_secure_reply *)reply.data)->Handle;
    allocation->secured = 1;
    return query_buffer(kernel, allocation);
}

void emu_buffer_release(struct emu_kernel *kernel, struct emu_allocation *allocation)
{
    const struct wcts_machine_range_request request = {.size = sizeof(request),
                                                       .Address = allocation->buffer_address,
                                                       .Length = allocation->buffer_size,
                                                       .Handle = allocation->buffer_handle};
    if (!allocation->secured)
        return;
    allocation->secured = 0;
    (void)emu_port_call(&kernel->base.port, WCTS_MACHINE_RELEASE, &request, sizeof(request), 0,
                        NULL);
}
