/* SPDX-License-Identifier: MIT */
/* What the driver is asked about the allocations of a create call, and what it answers:
 * DRIVER_STANDARD_ALLOCATION and DRIVER_ALLOCATION_CREATE. */
#include "emu_create.h"
#include "emu_flags.h"

#include <string.h>

/* Asks the driver how to describe the standard allocation to it. The data is in the port's reply
 * until its next call. */
static wcts_status ask_standard(struct emu_create *create, const void **data, uint32_t *size)
{
    const uint32_t type = create->standard.StandardAllocationType;
    const int surface = type == WCTS_STANDARD_GDISURFACE;
    const int primary = type == WCTS_STANDARD_SHAREDPRIMARYSURFACE;
    const struct wcts_driver_standard_allocation_reply *answer;
    struct emu_reply reply;
    uint64_t at;
    wcts_status status = emu_port_call(&create->kernel->base.port, WCTS_DRIVER_STANDARD_ALLOCATION,
                                       &create->standard, sizeof(create->standard), 0, &reply);
    if (!wcts_succeeded(status))
        return status;
    answer = reply.data;
    *size = answer->AllocationPrivateDriverDataSize;
    *size = EMU_FAULT("AIN-023.size", *size, primary && *size > 1 ? *size - 1 : *size);
    *size = EMU_FAULT("CAF-029.size", *size, surface && *size > 1 ? *size - 1 : *size);
    /* Document 000: parameters "that KMDs understand correctly". That the driver says nothing of
     * them is against advice only. */
    if (create->kernel->base.strict && surface && EMU_FAULT("CAF-048+kernel", *size == 0, 0))
        return WCTS_STATUS_INVALID_PARAMETER;
    at = answer->pAllocationPrivateDriverData;
    at = EMU_FAULT("AIN-023.data", at, primary && at > 8 ? at - 8 : at);
    at = EMU_FAULT("CAF-029.data", at, surface && at > 8 ? at - 8 : at);
    *data = wcts_message_at(reply.data, reply.size, at, *size, 1);
    return *data == NULL && *size != 0 ? WCTS_STATUS_INVALID_PARAMETER : status;
}

/* For faults: what lies there is another byte. */
static void spoil(struct emu_message *message, uint32_t offset)
{
    ((unsigned char *)message->data)[offset] ^= 1;
}

/* Appends the private data of one allocation and notes it in its info. Returns 0 when there is no
 * memory. */
static int append_private_data(struct emu_message *message, uint32_t info_offset, const void *data,
                               uint32_t size)
{
    struct wcts_DXGK_ALLOCATIONINFO *info;
    uint32_t offset;
    if (data == NULL || size == 0) {
        info = (void *)(message->data + info_offset);
        info->PrivateDriverDataSize = EMU_FAULT("AIN-025", 0u, 8u);
        return 1;
    }
    offset = emu_message_append(message, data, size);
    info = (void *)(message->data + info_offset);
    info->pPrivateDriverData = EMU_FAULT("AIN-003+pointer", offset, 0u);
    info->PrivateDriverDataSize =
        EMU_FAULT("AIN-003", EMU_FAULT("AIN-003+short", size, size - 1), (size + 7) & ~7u);
    if (offset == 0)
        return 0;
    EMU_FAULT_DO("AIN-024+first", (void)0, spoil(message, offset));
    EMU_FAULT_DO("AIN-024+second", (void)0, size > 8 ? spoil(message, offset + 8) : (void)0);
    return 1;
}

/* Appends the private data that the caller gave for an allocation. Returns 0 when there is no
 * memory. */
static int append_caller_data(const struct emu_create *create, struct emu_message *message,
                              uint32_t info_offset, uint32_t index)
{
    const uint32_t own = EMU_FAULT("AIN-002.own", index, 0u);
    const struct wcts_D3DDDI_ALLOCATIONINFO2 info = emu_create_info(
        create, EMU_FAULT("AIN-002.own+resource", own, create->new_resource ? 0u : own));
    const uint64_t at = info.pPrivateDriverData;
    return append_private_data(
        message, info_offset,
        EMU_CHOICE(SIZE_ALONE_TAKEN,
                   (const unsigned char *)create->message +
                       EMU_FAULT("AIN-024", at, at - (at != 0)),
                   at == 0 ? NULL : (const unsigned char *)create->message + at),
        info.PrivateDriverDataSize);
}

/* The private data of the first allocation of a request. */
static uint64_t data_of_first(const struct emu_message *message, uint32_t infos)
{
    struct wcts_DXGK_ALLOCATIONINFO info;
    memcpy(&info, message->data + infos, sizeof(info));
    return info.pPrivateDriverData;
}

/* The allocations of a request: all of the call, unless a fault asks for them one after the other.
 */
struct part {
    uint32_t first; /* in the order of the call */
    uint32_t count;
    struct emu_allocation *allocation; /* the first one */
};

/* How many of those that are left a request holds. */
static uint32_t part_count(uint32_t left)
{
    const uint32_t count = EMU_FAULT("HDR-002", left, 1u);
    return EMU_FAULT("HDR-002+last", count, left > 1 ? left - 1 : left);
}

/* D3DKMDT_GDISURFACE_TEXTURE_CPUVISIBLE. */
#define SURFACE_CPU_VISIBLE 6u

static int is_visible_surface(const struct emu_create *create)
{
    return create->standard.StandardAllocationType == WCTS_STANDARD_GDISURFACE &&
           create->standard.Type == SURFACE_CPU_VISIBLE;
}

/* Builds the request to the driver. standard: the private data of a standard allocation. */
static wcts_status build_request(const struct emu_create *create, const struct part *part,
                                 const void *standard, uint32_t standard_size)
{
    struct emu_message *message = &create->kernel->request;
    const uint32_t count = part->count;
    struct wcts_driver_allocation_create_request *request;
    /* For a fault: what describes a surface that the CPU sees is not the element's. */
    const int apart = EMU_FAULT("AIN-023.surface", 0, is_visible_surface(create));
    uint32_t i, infos, blob = 0;
    int fits = emu_message_begin(message, sizeof(*request));
    if (fits && create->private_data != NULL)
        fits = (blob = emu_message_append(message, create->private_data,
                                          create->args->PrivateDriverDataSize)) != 0;
    if (fits && apart && standard_size != 0)
        fits = (blob = emu_message_append(message, standard, standard_size)) != 0;
    infos = fits ? emu_message_append(message, NULL,
                                      count * (uint32_t)sizeof(struct wcts_DXGK_ALLOCATIONINFO))
                 : 0;
    create->kernel->descriptions++;
    for (i = 0, fits = infos != 0; fits && i < count; i++) {
        const uint32_t at = infos + i * (uint32_t)sizeof(struct wcts_DXGK_ALLOCATIONINFO);
        emu_garbage_fill(create->kernel, i, (void *)(message->data + at));
        fits = emu_create_is_standard(create)
                   ? append_private_data(message, at, apart ? NULL : standard, standard_size)
                   : append_caller_data(create, message, at, part->first + i);
    }
    if (!fits)
        return WCTS_STATUS_NO_MEMORY;
    request = (void *)message->data;
    request->StandardAllocationType = create->standard.StandardAllocationType;
    request->hDevice = create->device->hDevice;
    request->pPrivateDriverData = EMU_FAULT("AIN-002.call", blob, data_of_first(message, infos));
    request->PrivateDriverDataSize = blob ? create->args->PrivateDriverDataSize : 0;
    if (apart)
        request->PrivateDriverDataSize = standard_size;
    request->NumAllocations = count;
    request->pAllocationInfo = infos;
    request->hResource = create->resource ? create->resource->body->driver_resource : 0;
    request->Flags = create->resource ? EMU_DRIVER_CREATE_RESOURCE : 0;
    return WCTS_STATUS_SUCCESS;
}

/* Bytes of the allocation: document 001, Size: "expanded to a multiple of the native host page
 * size". */
static uint64_t expanded(const struct emu_create *create, uint64_t size)
{
    const uint64_t mask =
        EMU_CHOICE_AT(rounding, create->kernel->base.host->page_size - 1, emu_choice->rounding - 1);
    return size > UINT64_MAX - mask ? UINT64_MAX & ~mask : (size + mask) & ~mask;
}

/* Notes that the driver has the allocation. Strict: a handle that cannot tell two live allocations
 * apart does not refer to a tracking structure (document 001, hAllocation). */
static wcts_status take_handle(const struct emu_create *create, struct emu_content *content,
                               uint64_t handle)
{
    int added = 1;
    if (create->kernel->base.strict)
        added = handle == 0
                    ? 0
                    : emu_handle_set_add(&create->device->adapter->driver_allocations, handle);
    content->driver_allocation = handle;
    content->driver_knows = added != 0;
    if (added < 0)
        return WCTS_STATUS_NO_MEMORY;
    return added || handle == 0 ? WCTS_STATUS_SUCCESS : WCTS_STATUS_INVALID_PARAMETER;
}

/* For faults: takes a member of the first answer for that of another. */
static void mistake_for_first(const unsigned char *infos, struct wcts_DXGK_ALLOCATIONINFO *info)
{
    struct wcts_DXGK_ALLOCATIONINFO first;
    memcpy(&first, infos, sizeof(first));
    info->Alignment = EMU_FAULT("AIN-004+first", info->Alignment, first.Alignment);
    info->Size = EMU_FAULT("AIN-005.multiple+first", info->Size, first.Size);
    info->AllocationPriority =
        EMU_FAULT("AIN-034+first", info->AllocationPriority, first.AllocationPriority);
    info->MaximumRenamingListLength = EMU_FAULT("AIN-028+first", info->MaximumRenamingListLength,
                                                first.MaximumRenamingListLength);
    info->SupportedWriteSegmentSet =
        EMU_FAULT("AIN-041+first", info->SupportedWriteSegmentSet, first.SupportedWriteSegmentSet);
}

/* Takes the driver's answers: first all handles, so that a refusal can destroy all that the driver
 * created, then the judgements. */
static wcts_status take_answers(struct emu_create *create, const struct part *part,
                                const unsigned char *infos, uint32_t standard_size)
{
    struct wcts_DXGK_ALLOCATIONINFO info;
    struct emu_allocation *allocation;
    const unsigned char *at = infos;
    wcts_status status = WCTS_STATUS_SUCCESS;
    uint32_t i;
    for (i = 0, allocation = part->allocation; i < part->count;
         i++, allocation = allocation->next) {
        wcts_status taken;
        memcpy(&info, at, sizeof(info));
        at += sizeof(info);
        emu_garbage_report(create->kernel, i, &info);
        taken = take_handle(create, allocation->content, info.hAllocation);
        status = wcts_succeeded(status) ? taken : status;
        mistake_for_first(infos, &info);
        allocation->content->private_data = standard_size;
        allocation->content->size = expanded(create, info.Size);
        allocation->content->info = info;
    }
    for (i = 0, at = infos; i < part->count && wcts_succeeded(status); i++, at += sizeof(info)) {
        memcpy(&info, at, sizeof(info));
        status = emu_answer_judge(create->kernel, create->device->adapter,
                                  create->standard.StandardAllocationType, part->first + i, &info);
    }
    return status;
}

/* The description of an allocation by a kernel that asks no driver: memory first, the aperture for
 * eviction (see emu_segments_default). */
static wcts_status take_defaults(struct emu_create *create)
{
    const uint64_t primary = (uint64_t)create->standard.Width * create->standard.Height * 4;
    struct wcts_DXGK_ALLOCATIONINFO info = {.Size = EMU_64KB,
                                            .PreferredSegment = 1,
                                            .SupportedReadSegmentSet = 3,
                                            .SupportedWriteSegmentSet = 3,
                                            .EvictionSegmentSet = 2,
                                            .AllocationPriority = EMU_PRIORITY_NORMAL};
    struct emu_allocation *allocation;
    wcts_status status = WCTS_STATUS_SUCCESS;
    if (create->standard.StandardAllocationType == WCTS_STANDARD_GDISURFACE)
        info.Size = create->heap_size;
    else if (emu_create_is_standard(create))
        info.Size = primary;
    for (allocation = create->first; allocation != NULL && wcts_succeeded(status);
         allocation = allocation->next) {
        info.hAllocation = ++create->kernel->default_handles;
        status = take_handle(create, allocation->content, info.hAllocation);
        /* What the kernel describes itself is described. */
        if (emu_create_is_standard(create))
            allocation->content->private_data = sizeof(create->standard);
        allocation->content->size = expanded(create, info.Size);
        allocation->content->info = info;
    }
    return status;
}

/* Has the driver create a part of the allocations, and judges what it says of them. */
static wcts_status ask_part(struct emu_create *create, const struct part *part)
{
    const uint64_t room =
        sizeof(struct wcts_driver_allocation_create_reply) + (uint64_t)part->count * 256;
    const struct emu_message *message = &create->kernel->request;
    const struct wcts_driver_allocation_create_reply *answer;
    const void *infos, *standard = NULL;
    struct emu_reply reply;
    uint32_t standard_size = 0;
    wcts_status status = WCTS_STATUS_SUCCESS;
    if (room > UINT32_MAX)
        return WCTS_STATUS_NO_MEMORY;
    if (emu_create_is_standard(create) &&
        EMU_FAULT("CAF-029.asked", 1, !(create->flags & EMU_CREATE_EXISTING_SECTION)))
        status = ask_standard(create, &standard, &standard_size);
    if (wcts_succeeded(status))
        status = build_request(create, part, standard, standard_size);
    if (wcts_succeeded(status))
        status = emu_port_call(&create->kernel->base.port, WCTS_DRIVER_ALLOCATION_CREATE,
                               message->data, message->size, (uint32_t)room, &reply);
    create->refused = !wcts_succeeded(status);
    if (!wcts_succeeded(status))
        return status;
    answer = reply.data;
    infos = wcts_message_at(reply.data, reply.size, answer->pAllocationInfo, answer->NumAllocations,
                            sizeof(struct wcts_DXGK_ALLOCATIONINFO));
    if (infos == NULL || answer->NumAllocations != part->count)
        return WCTS_STATUS_INVALID_PARAMETER;
    if (create->new_resource && part->first == 0) {
        create->resource->body->driver_resource = answer->hResource;
        create->resource->body->driver_knows = 1;
    }
    return take_answers(create, part, infos, standard_size);
}

wcts_status emu_create_ask_driver(struct emu_create *create)
{
    const uint32_t count = create->args->NumAllocations;
    struct part part = {.allocation = create->first};
    wcts_status status = WCTS_STATUS_SUCCESS;
    uint32_t i;
    if (!create->kernel->base.probe)
        return take_defaults(create);
    for (; part.first < count && wcts_succeeded(status); part.first += part.count) {
        part.count = part_count(count - part.first);
        status = ask_part(create, &part);
        for (i = 0; i < part.count; i++)
            part.allocation = part.allocation->next;
    }
    return status;
}
