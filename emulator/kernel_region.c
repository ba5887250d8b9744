/* SPDX-License-Identifier: MIT */
/* User memory: the services that document 000 names, and CPU views. They are the machine's, or, for
 * a kernel that does without it, of regions that it keeps itself and that have no bytes. */
#include "emu_kernel.h"

#include <stdlib.h>
#include <string.h>

/* Where the kernel's own regions lie. */
#define REGION_FIRST UINT64_C(0x10000000)
#define REGION_END UINT64_C(0x700000000000)
#define REGION_GRANULE UINT64_C(0x10000)

/* Makes a region that begins misalignment bytes after a 64 KiB boundary. */
static wcts_status region_new(struct emu_kernel *kernel, uint64_t size, uint32_t misalignment,
                              uint32_t attributes, uint64_t *address)
{
    const uint64_t next = kernel->region_next ? kernel->region_next : REGION_FIRST;
    struct emu_region *grown;
    uint64_t span;
    if (size == 0 || size > REGION_END || next > REGION_END)
        return WCTS_STATUS_INVALID_PARAMETER;
    /* A granule without a region lies between any two. */
    span = ((size + misalignment + REGION_GRANULE - 1) / REGION_GRANULE + 1) * REGION_GRANULE;
    if (span > REGION_END - next)
        return WCTS_STATUS_NO_MEMORY;
    grown = realloc(kernel->regions, (kernel->region_count + 1) * sizeof(*grown));
    if (grown == NULL)
        return WCTS_STATUS_NO_MEMORY;
    *address = next + misalignment;
    kernel->regions = grown;
    grown[kernel->region_count++] = (struct emu_region){*address, size, attributes};
    kernel->region_next = next + span;
    return WCTS_STATUS_SUCCESS;
}

/* The region that the address lies in, or NULL. */
static struct emu_region *region_at(const struct emu_kernel *kernel, uint64_t address)
{
    uint32_t i;
    for (i = 0; i < kernel->region_count; i++)
        if (address >= kernel->regions[i].base &&
            address - kernel->regions[i].base < kernel->regions[i].size)
            return &kernel->regions[i];
    return NULL;
}

wcts_status emu_kernel_region(void *instance, const void *request, uint32_t request_size,
                              void *reply, uint32_t reply_room, uint32_t *reply_size)
{
    struct emu_kernel *kernel = instance;
    const struct wcts_kernel_region_request *asked = request;
    (void)request_size, (void)reply_room, (void)reply_size;
    if (kernel->base.machine)
        return WCTS_STATUS_NOT_SUPPORTED;
    if (emu_handle_object(&kernel->handles, asked->hProcess, EMU_HANDLE_PROCESS) == NULL)
        return WCTS_STATUS_INVALID_HANDLE;
    return region_new(kernel, asked->Size, asked->Misalignment, asked->Attributes,
                      &((struct wcts_kernel_region_reply *)reply)->Address);
}

wcts_status emu_user_secure(struct emu_kernel *kernel, uint64_t address, uint64_t length,
                            uint64_t *handle)
{
    const struct wcts_machine_range_request request = {
        .size = sizeof(request), .Address = address, .Length = length};
    const struct emu_region *region;
    struct emu_reply reply;
    wcts_status status;
    if (kernel->base.machine) {
        status = emu_port_call(&kernel->base.port, WCTS_MACHINE_SECURE, &request, sizeof(request),
                               0, &reply);
        if (wcts_succeeded(status))
            *handle = ((const struct wcts_machine_secure_reply *)reply.data)->Handle;
        return status;
    }
    *handle = address;
    region = region_at(kernel, address);
    if (region == NULL || length > region->size - (address - region->base))
        return WCTS_STATUS_INVALID_PARAMETER;
    return WCTS_STATUS_SUCCESS;
}

wcts_status emu_user_query(struct emu_kernel *kernel, uint64_t address, uint64_t length,
                           struct emu_region *region)
{
    const struct wcts_machine_range_request request = {
        .size = sizeof(request), .Address = address, .Length = length};
    const struct wcts_machine_query_reply *answer;
    const struct emu_region *found;
    struct emu_reply reply;
    wcts_status status;
    if (!kernel->base.machine) {
        found = region_at(kernel, address);
        if (found == NULL)
            return WCTS_STATUS_INVALID_PARAMETER;
        *region = *found;
        return WCTS_STATUS_SUCCESS;
    }
    status =
        emu_port_call(&kernel->base.port, WCTS_MACHINE_QUERY, &request, sizeof(request), 0, &reply);
    if (!wcts_succeeded(status))
        return status;
    answer = reply.data;
    *region = (struct emu_region){answer->Base, answer->Length, answer->Attributes};
    return status;
}

void emu_user_release(struct emu_kernel *kernel, const struct emu_buffer *buffer)
{
    const struct wcts_machine_range_request request = {.size = sizeof(request),
                                                       .Address = buffer->address,
                                                       .Length = buffer->size,
                                                       .Handle = buffer->handle};
    if (kernel->base.machine)
        (void)emu_port_call(&kernel->base.port, WCTS_MACHINE_RELEASE, &request, sizeof(request), 0,
                            NULL);
}

wcts_status emu_user_view(struct emu_kernel *kernel, struct wcts_machine_view_request *request)
{
    struct emu_reply reply;
    wcts_status status;
    if (!kernel->base.machine)
        return request->View != 0
                   ? WCTS_STATUS_SUCCESS
                   : region_new(kernel, request->Length, 0, request->Attributes, &request->View);
    status =
        emu_port_call(&kernel->base.port, WCTS_MACHINE_VIEW, request, sizeof(*request), 0, &reply);
    if (wcts_succeeded(status) && request->View == 0)
        request->View = ((const struct wcts_machine_view_reply *)reply.data)->View;
    return status;
}

void emu_user_view_end(struct emu_kernel *kernel, uint64_t view)
{
    const struct wcts_machine_range_request request = {.size = sizeof(request), .Address = view};
    struct emu_region *region = region_at(kernel, view);
    if (kernel->base.machine)
        (void)emu_port_call(&kernel->base.port, WCTS_MACHINE_VIEW_END, &request, sizeof(request), 0,
                            NULL);
    else if (region != NULL)
        *region = kernel->regions[--kernel->region_count];
}
