/* SPDX-License-Identifier: MIT */
/* The scripted driver patches if its adapter states so. When the buffer is submitted it reads both
 * the patched buffer and the place where the request says that it is. */
#include <string.h>

#include "../exchange/trace.h"
#include "message.h"
#include "probe.h"

/* The most bytes of a buffer that are read. */
#define LOOKED_AT 8192u

/* As the device sees memory: a buffer may lie in an aperture segment. */
static wcts_status recorded(struct wcts_machine_probe *probe, uint32_t operation,
                            struct wcts_machine_memory_request *request, uint32_t size)
{
    static _Alignas(8) uint8_t reply[WCTS_REPLY_ROOM];
    uint32_t reply_size = 0;
    request->size = sizeof *request;
    return wcts_exchange_recorded_call(probe->exchange, wcts_machine_probe_memory, probe, operation,
                                       request, size, reply, sizeof reply, &reply_size);
}

/* Writes 64-bit addresses at the elements to be processed that are inside the buffer. */
static void patch_elements(struct wcts_machine_probe *probe, const uint8_t *request, uint32_t size)
{
    const struct wcts_DXGKARG_PATCH *patch =
        &((const struct wcts_driver_patch_request *)(const void *)request)->Patch;
    const struct wcts_D3DDDI_PATCHLOCATIONLIST *location = wcts_message_at(
        request, size, patch->pPatchLocationList, patch->PatchLocationListSize, sizeof *location);
    const struct wcts_DXGK_ALLOCATIONLIST *list = wcts_message_at(
        request, size, patch->pAllocationList, patch->AllocationListSize, sizeof *list);
    uint64_t first = patch->PatchLocationListSubmissionStart;
    for (uint64_t i = first; location && list && i < patch->PatchLocationListSize &&
                             i - first < patch->PatchLocationListSubmissionLength;
         i++) {
        struct {
            struct wcts_machine_memory_request head;
            uint64_t address;
        } write = {{.Address = patch->pDmaBuffer + location[i].PatchOffset,
                    .Length = sizeof write.address,
                    .pData = sizeof write.head},
                   0};
        if (location[i].AllocationIndex >= patch->AllocationListSize ||
            (uint64_t)location[i].PatchOffset + sizeof(uint64_t) > patch->DmaBufferSize)
            continue;
        write.address =
            list[location[i].AllocationIndex].PhysicalAddress + location[i].AllocationOffset;
        recorded(probe, WCTS_MACHINE_WRITE, &write.head, sizeof write);
    }
}

wcts_status wcts_machine_probe_patch(struct wcts_machine_probe *probe, const void *request,
                                     uint32_t size)
{
    const struct wcts_driver_patch_request *in = request;
    probe->patched[probe->patch_count++ % WCTS_PROBE_PATCHES] = in->Patch;
    patch_elements(probe, request, size);
    return WCTS_STATUS_SUCCESS;
}

static void read_place(struct wcts_machine_probe *probe, uint32_t space, uint64_t address,
                       uint32_t from, uint32_t to)
{
    struct wcts_machine_memory_request request = {
        .Space = space,
        .Address = address + from,
        .Length = to - from < LOOKED_AT ? to - from : LOOKED_AT,
    };
    if (from < to)
        recorded(probe, WCTS_MACHINE_READ, &request, sizeof request);
}

wcts_status wcts_machine_probe_submit(struct wcts_machine_probe *probe, const void *request)
{
    const struct wcts_driver_submit_request *in = request;
    const struct wcts_exchange_view trace = {probe->spec, probe->exchange, 0};
    for (unsigned i = 0; i < WCTS_PROBE_PATCHES && i < probe->patch_count; i++) {
        const struct wcts_DXGKARG_PATCH *patch =
            &probe->patched[(probe->patch_count - 1 - i) % WCTS_PROBE_PATCHES];
        uint32_t start = patch->DmaBufferSubmissionStartOffset, id = patch->DmaBufferSegmentId;
        uint32_t end = patch->DmaBufferSubmissionEndOffset;
        uint64_t base = 0;
        if (patch->SubmissionFenceId != in->SubmissionFenceId)
            continue;
        if (id != 0 && !wcts_exchange_base(&trace, probe->exchange->count, id, &base))
            break;
        read_place(probe, 0, patch->pDmaBuffer, start, end);
        read_place(probe, id, patch->DmaBufferPhysicalAddress - base, start, end);
        read_place(probe, 0, patch->pDmaBuffer, 0, patch->DmaBufferSize);
        read_place(probe, id, patch->DmaBufferPhysicalAddress - base, 0, patch->DmaBufferSize);
        break;
    }
    return WCTS_STATUS_SUCCESS;
}
