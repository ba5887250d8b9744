/* SPDX-License-Identifier: MIT */
/* DRIVER_RENDER (DxgkDdiRender): a command buffer becomes a DMA buffer, by the remarks of document
 * 004: the driver "returns the allocation list after it has translated the command buffer". The
 * commands are the GPU's own already; what the driver adds is the fence command at the end.
 * DRIVER_PRESENT (DxgkDdiPresent): the commands are the driver's, too. */
#include "emu_driver.h"
#include "emu_flags.h"

#include <string.h>

/* A fence command begins at a multiple of this. */
#define COMMAND_ALIGNMENT 4u

/* A render call on its way. The lists have any alignment. */
struct render {
    struct emu_driver *driver;
    const struct wcts_driver_render_request *asked;
    const unsigned char *command;
    const void *allocations;
    const void *locations;
    uint32_t fence; /* offset of the fence command */
    int present;    /* it is one; for faults */
};

/* Finds command buffer and lists. Returns 0 when they are no part of the message. */
static int find_arrays(struct render *render, uint32_t request_size)
{
    const struct wcts_driver_render_request *asked = render->asked;
    render->command =
        wcts_message_at(asked, request_size, asked->pCommand, asked->CommandLength, 1);
    render->allocations =
        wcts_message_at(asked, request_size, asked->pAllocationList, asked->AllocationListSize,
                        sizeof(struct wcts_DXGK_ALLOCATIONLIST));
    render->locations =
        wcts_message_at(asked, request_size, asked->pPatchLocationList,
                        asked->PatchLocationListSize, sizeof(struct wcts_D3DDDI_PATCHLOCATIONLIST));
    return (render->command != NULL || asked->CommandLength == 0) &&
           (render->allocations != NULL || asked->AllocationListSize == 0) &&
           (render->locations != NULL || asked->PatchLocationListSize == 0);
}

/* True when every patch location names an allocation of the list and lies in the commands. */
static int locations_sound(const struct render *render)
{
    const uint32_t size = emu_patch_size(render->driver);
    struct wcts_D3DDDI_PATCHLOCATIONLIST location;
    uint32_t i;
    for (i = 0; i < render->asked->PatchLocationListSize; i++) {
        memcpy(&location, (const unsigned char *)render->locations + i * sizeof(location),
               sizeof(location));
        if (location.AllocationIndex >= render->asked->AllocationListSize ||
            size > render->asked->CommandLength ||
            location.PatchOffset > render->asked->CommandLength - size)
            return 0;
    }
    return 1;
}

/* Finds the place of the fence command. Returns 0 when the DMA buffer has no room for it. */
static int place_fence(struct render *render)
{
    const uint64_t fence = ((uint64_t)render->asked->CommandLength + COMMAND_ALIGNMENT - 1) &
                           ~(uint64_t)(COMMAND_ALIGNMENT - 1);
    if (fence + sizeof(struct emu_fence_command) > render->asked->DmaSize)
        return 0;
    render->fence = (uint32_t)fence;
    return 1;
}

static wcts_status write_dma_buffer(const struct render *render)
{
    const struct wcts_driver_render_request *asked = render->asked;
    const struct emu_fence_command fence = {EMU_FENCE_OPCODE, 0};
    unsigned char tail[COMMAND_ALIGNMENT + sizeof(fence)] = {0};
    const uint32_t padding = render->fence - asked->CommandLength;
    uint32_t done;
    memcpy(tail + padding, &fence, sizeof(fence));
    emu_patched_forget(render->driver, asked->pDmaBuffer, asked->DmaSize);
    for (done = 0; done < asked->CommandLength; done += EMU_CHUNK) {
        const uint32_t left = asked->CommandLength - done;
        wcts_status status =
            emu_machine_write(render->driver, 0, asked->pDmaBuffer + done, render->command + done,
                              left < EMU_CHUNK ? left : EMU_CHUNK);
        if (!wcts_succeeded(status))
            return status;
    }
    return emu_machine_write(render->driver, 0, asked->pDmaBuffer + asked->CommandLength, tail,
                             padding + (uint32_t)sizeof(fence));
}

/* Writes down where the fence command is. Without room DRIVER_PATCH will not fill it in, nor any of
 * the addresses that a driver patches there, behind it. */
static wcts_status write_private_data(const struct render *render, uint32_t locations,
                                      uint32_t *length)
{
    const struct wcts_driver_render_request *asked = render->asked;
    const struct emu_private_data data = {
        EMU_RENDER_MAGIC, render->fence + (uint32_t)sizeof(struct emu_fence_command),
        asked->hContext};
    const int apart = render->driver->base.patches == WCTS_PATCHES_PRIVATE;
    const uint64_t addresses = apart ? (uint64_t)locations * EMU_PRIVATE_WIDTH : 0;
    const uint64_t used = EMU_PRIVATE_OFFSET + addresses;
    wcts_status status;
    *length = 0;
    if (addresses != 0 && used > asked->DmaBufferPrivateDataSize)
        return WCTS_STATUS_BUFFER_TOO_SMALL;
    if (asked->pDmaBufferPrivateData == 0 || asked->DmaBufferPrivateDataSize < sizeof(data))
        return WCTS_STATUS_SUCCESS;
    status =
        emu_machine_write(render->driver, 0, asked->pDmaBufferPrivateData, &data, sizeof(data));
    if (wcts_succeeded(status))
        *length = (uint32_t)used;
    return status;
}

/* Answers how much was written: at most what there was room for. */
static void answer_lengths(const struct render *render, uint32_t private_length,
                           struct wcts_driver_render_reply *answer)
{
    const uint32_t beyond = render->asked->DmaSize + 1;
    const uint32_t private_beyond = render->asked->DmaBufferPrivateDataSize + 1;
    uint32_t length = render->fence + (uint32_t)sizeof(struct emu_fence_command);
    length = EMU_FAULT("HDR-018.length", length, render->present ? length : beyond);
    length = EMU_FAULT("HDR-018.present", length, render->present ? beyond : length);
    private_length = EMU_FAULT("HDR-018.private", private_length,
                               render->present ? private_length : private_beyond);
    private_length = EMU_FAULT("HDR-018.present+private", private_length,
                               render->present ? private_beyond : private_length);
    answer->DmaLength = length;
    answer->PrivateDataLength = private_length;
}

/* For faults: writes behind the room of a rendering, of commands or of private data. */
static wcts_status write_beyond(const struct render *render)
{
    const struct wcts_driver_render_request *asked = render->asked;
    const uint64_t end =
        (uint64_t)asked->CommandLength + COMMAND_ALIGNMENT - 1 + sizeof(struct emu_fence_command);
    const int rendered = !render->present && asked->pDmaBuffer != 0;
    const int private_data = !render->present && asked->pDmaBufferPrivateData != 0;
    wcts_status status = WCTS_STATUS_SUCCESS;
    if (EMU_FAULT("HDR-051.rendered", 0, rendered && end >= asked->DmaSize))
        status = emu_stray_word(render->driver, asked->pDmaBuffer + asked->DmaSize);
    if (EMU_FAULT("HDR-051.private", 0, private_data))
        status = emu_stray_word(render->driver,
                                asked->pDmaBufferPrivateData + asked->DmaBufferPrivateDataSize);
    return status;
}

static wcts_status write_buffers(const struct render *render,
                                 struct wcts_driver_render_reply *answer)
{
    uint32_t private_length = 0;
    wcts_status status = write_dma_buffer(render);
    if (wcts_succeeded(status))
        status = write_private_data(render, answer->PatchLocationListSize, &private_length);
    answer_lengths(render, private_length, answer);
    return status;
}

static int addresses_valid(const struct wcts_driver_render_request *asked)
{
    return asked->pDmaBuffer <= UINT64_MAX - asked->DmaSize &&
           asked->pDmaBufferPrivateData <= UINT64_MAX - asked->DmaBufferPrivateDataSize;
}

/* Puts a list into the reply. Returns 0 without room. */
static int append_list(const void *list, uint32_t count, uint32_t each, void *reply,
                       uint32_t reply_room, uint32_t *reply_size, uint64_t *offset)
{
    *offset = 0;
    if (count == 0)
        return 1;
    *offset = emu_reply_append(reply, reply_room, reply_size, list, count * each);
    return *offset != 0;
}

/* For faults: the first element of the reply's list refers to something else. */
static void refer_elsewhere(const struct wcts_driver_render_request *asked,
                            unsigned char *locations)
{
    struct wcts_D3DDDI_PATCHLOCATIONLIST location;
    memcpy(&location, locations, sizeof(location));
    location.AllocationIndex =
        EMU_FAULT("HDR-031.same", location.AllocationIndex,
                  (location.AllocationIndex + 1) % asked->AllocationListSize);
    location.AllocationOffset =
        EMU_FAULT("HDR-031.same+offset", location.AllocationOffset, location.AllocationOffset ^ 8);
    memcpy(locations, &location, sizeof(location));
}

/* For a fault: the offsets of the elements behind many others have twelve bits. */
static void cut_offsets(unsigned char *locations, uint32_t count)
{
    uint32_t i;
    for (i = 32; i < count; i++) {
        unsigned char *at = locations + i * sizeof(struct wcts_D3DDDI_PATCHLOCATIONLIST);
        struct wcts_D3DDDI_PATCHLOCATIONLIST location;
        memcpy(&location, at, sizeof(location));
        location.AllocationOffset = EMU_FAULT("HDR-031.same+offset-many", location.AllocationOffset,
                                              location.AllocationOffset & 0xFFF);
        memcpy(at, &location, sizeof(location));
    }
}

/* For a fault: the list of the reply says of nothing that it is written to. */
static void forget_writes(unsigned char *elements, uint32_t count)
{
    struct wcts_DXGK_ALLOCATIONLIST element;
    uint32_t i;
    for (i = 0; i < count; i++) {
        memcpy(&element, elements + i * sizeof(element), sizeof(element));
        element.Bits =
            EMU_FAULT("HDR-052", element.Bits, element.Bits & ~(uint32_t)EMU_LIST_WRITE_OPERATION);
        memcpy(elements + i * sizeof(element), &element, sizeof(element));
    }
}

/* For a fault: the last one of many elements of the reply's list names what the first one does. */
static void name_first(unsigned char *elements, uint32_t count)
{
    unsigned char *at = elements + (size_t)(count - 1) * sizeof(struct wcts_DXGK_ALLOCATIONLIST);
    struct wcts_DXGK_ALLOCATIONLIST first, last;
    memcpy(&first, elements, sizeof(first));
    memcpy(&last, at, sizeof(last));
    last.hDeviceSpecificAllocation =
        EMU_FAULT("HDR-031.list", last.hDeviceSpecificAllocation,
                  count > 2 ? first.hDeviceSpecificAllocation : last.hDeviceSpecificAllocation);
    memcpy(at, &last, sizeof(last));
}

wcts_status emu_driver_render(void *instance, const void *request, uint32_t request_size,
                              void *reply, uint32_t reply_room, uint32_t *reply_size)
{
    struct render render = {.driver = instance, .asked = request};
    const struct wcts_driver_render_request *asked = request;
    struct wcts_driver_render_reply *answer = reply;
    wcts_status status;
    const uint32_t locations =
        EMU_FAULT("HDR-031.each", asked->PatchLocationListSize,
                  asked->PatchLocationListSize == 0 ? 0 : asked->PatchLocationListSize - 1);
    if (!emu_context_known(render.driver, asked->hContext))
        return WCTS_STATUS_INVALID_HANDLE;
    if (!find_arrays(&render, request_size) || !locations_sound(&render) || !addresses_valid(asked))
        return WCTS_STATUS_INVALID_PARAMETER;
    status = write_beyond(&render);
    if (!wcts_succeeded(status))
        return status;
    answer->AllocationListSize = asked->AllocationListSize;
    answer->PatchLocationListSize = locations;
    if (!place_fence(&render) ||
        !append_list(render.allocations, asked->AllocationListSize,
                     sizeof(struct wcts_DXGK_ALLOCATIONLIST), reply, reply_room, reply_size,
                     &answer->pAllocationList) ||
        !append_list(render.locations, locations, sizeof(struct wcts_D3DDDI_PATCHLOCATIONLIST),
                     reply, reply_room, reply_size, &answer->pPatchLocationList))
        return WCTS_STATUS_BUFFER_TOO_SMALL;
    if (locations != 0) {
        refer_elsewhere(asked, (unsigned char *)reply + answer->pPatchLocationList);
        cut_offsets((unsigned char *)reply + answer->pPatchLocationList, locations);
    }
    if (asked->AllocationListSize != 0) {
        forget_writes((unsigned char *)reply + answer->pAllocationList, asked->AllocationListSize);
        name_first((unsigned char *)reply + answer->pAllocationList, asked->AllocationListSize);
    }
    return write_buffers(&render, answer);
}

/* The command of a present; the addresses are patched in. */
struct present_command {
    uint32_t opcode;
    uint32_t reserved;
    uint64_t source;
    uint64_t destination;
};

#define PRESENT_OPCODE 0x53455250u /* "PRES" */

/* What a present names, and the places of the addresses. */
struct presented {
    struct wcts_DXGK_ALLOCATIONLIST elements[EMU_PRESENT_COUNT];
    struct wcts_D3DDDI_PATCHLOCATIONLIST locations[EMU_PRESENT_COUNT];
    uint32_t count; /* of the elements; empty ones are left out */
    uint32_t location_count;
};

static struct presented list_presented(const struct render *render)
{
    static const uint32_t offsets[EMU_PRESENT_COUNT] = {
        [EMU_PRESENT_SOURCE] = offsetof(struct present_command, source),
        [EMU_PRESENT_DESTINATION] = offsetof(struct present_command, destination)};
    struct presented presented = {.count = 0};
    uint32_t i;
    for (i = EMU_PRESENT_SOURCE; i < EMU_PRESENT_COUNT; i++) {
        struct wcts_DXGK_ALLOCATIONLIST element;
        memcpy(&element, (const unsigned char *)render->allocations + i * sizeof(element),
               sizeof(element));
        if (element.hDeviceSpecificAllocation == 0)
            continue;
        if (render->driver->base.patches != WCTS_PATCHES_NONE) {
            const uint32_t first = presented.location_count == 0 ? i : EMU_PRESENT_SOURCE;
            const struct wcts_D3DDDI_PATCHLOCATIONLIST location = {
                .AllocationIndex = presented.count,
                .SlotId = i,
                .PatchOffset = EMU_FAULT("HDR-106", offsets[i], offsets[first])};
            presented.locations[presented.location_count++] = location;
        }
        presented.elements[presented.count++] = element;
    }
    return presented;
}

/* For a fault: the empty element of the request comes first, and the first location is of that. */
static void name_empty(struct presented *presented)
{
    uint32_t i;
    memmove(&presented->elements[1], presented->elements,
            presented->count * sizeof(presented->elements[0]));
    presented->elements[0] = (struct wcts_DXGK_ALLOCATIONLIST){0};
    presented->count++;
    for (i = 1; i < presented->location_count; i++)
        presented->locations[i].AllocationIndex++;
}

wcts_status emu_driver_present(void *instance, const void *request, uint32_t request_size,
                               void *reply, uint32_t reply_room, uint32_t *reply_size)
{
    const struct present_command command = {.opcode = PRESENT_OPCODE};
    struct wcts_driver_render_request own = *(const struct wcts_driver_render_request *)request;
    struct render render = {.driver = instance, .asked = request, .present = 1};
    struct wcts_driver_render_reply *answer = reply;
    struct presented presented;
    if (!emu_context_known(render.driver, own.hContext))
        return WCTS_STATUS_INVALID_HANDLE;
    if (!find_arrays(&render, request_size) || !addresses_valid(&own) ||
        own.AllocationListSize != EMU_PRESENT_COUNT)
        return WCTS_STATUS_INVALID_PARAMETER;
    presented = list_presented(&render);
    if (EMU_FAULT("HDR-105", 0, presented.location_count != 0))
        name_empty(&presented);
    own.CommandLength = sizeof(command);
    render.asked = &own;
    render.command = (const unsigned char *)&command;
    answer->AllocationListSize = presented.count;
    answer->PatchLocationListSize = presented.location_count;
    if (!place_fence(&render) ||
        !append_list(presented.elements, presented.count, sizeof(presented.elements[0]), reply,
                     reply_room, reply_size, &answer->pAllocationList) ||
        !append_list(presented.locations, presented.location_count, sizeof(presented.locations[0]),
                     reply, reply_room, reply_size, &answer->pPatchLocationList))
        return WCTS_STATUS_BUFFER_TOO_SMALL;
    return write_buffers(&render, answer);
}
