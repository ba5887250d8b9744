/* SPDX-License-Identifier: MIT */
/* DRIVER_PATCH (DxgkDdiPatch): physical addresses into the DMA buffer, by document 004. */
#include "emu_driver.h"

#include <string.h>

/* Bytes of a patched address: WCTS_PATCHES_64. */
#define PATCH_SIZE 8u

/* A patch call on its way. The lists have any alignment. */
struct patch {
    const struct wcts_DXGKARG_PATCH *args;
    const unsigned char *allocations;
    const unsigned char *locations;
};

/* True when [start, end) is not a part of size bytes. */
static int not_part(uint32_t start, uint32_t end, uint32_t size)
{
    return start > end || end > size;
}

/* The ranges that document 004 describes: submissions are parts of their buffers. */
static int ranges_malformed(const struct wcts_DXGKARG_PATCH *args)
{
    return not_part(args->DmaBufferSubmissionStartOffset, args->DmaBufferSubmissionEndOffset,
                    args->DmaBufferSize) ||
           not_part(args->DmaBufferPrivateDataSubmissionStartOffset,
                    args->DmaBufferPrivateDataSubmissionEndOffset,
                    args->DmaBufferPrivateDataSize) ||
           args->PatchLocationListSubmissionStart > args->PatchLocationListSize ||
           args->PatchLocationListSubmissionLength >
               args->PatchLocationListSize - args->PatchLocationListSubmissionStart ||
           args->pDmaBuffer > UINT64_MAX - args->DmaBufferSize;
}

/* Finds the lists. Returns 0 when they are no part of the message. */
static int find_lists(struct patch *patch, const void *request, uint32_t request_size)
{
    const struct wcts_DXGKARG_PATCH *args = patch->args;
    patch->allocations =
        wcts_message_at(request, request_size, args->pAllocationList, args->AllocationListSize,
                        sizeof(struct wcts_DXGK_ALLOCATIONLIST));
    patch->locations =
        wcts_message_at(request, request_size, args->pPatchLocationList,
                        args->PatchLocationListSize, sizeof(struct wcts_D3DDDI_PATCHLOCATIONLIST));
    return (patch->allocations != NULL || args->AllocationListSize == 0) &&
           (patch->locations != NULL || args->PatchLocationListSize == 0);
}

/* "PatchLocationListSubmissionStart is the index of the first element that must be processed." */
static struct wcts_D3DDDI_PATCHLOCATIONLIST location_at(const struct patch *patch, uint32_t index)
{
    struct wcts_D3DDDI_PATCHLOCATIONLIST location;
    const size_t element = (size_t)patch->args->PatchLocationListSubmissionStart + index;
    memcpy(&location, patch->locations + element * sizeof(location), sizeof(location));
    return location;
}

static int location_malformed(const struct patch *patch,
                              const struct wcts_D3DDDI_PATCHLOCATIONLIST *location)
{
    return location->AllocationIndex >= patch->args->AllocationListSize ||
           patch->args->DmaBufferSize < PATCH_SIZE ||
           location->PatchOffset > patch->args->DmaBufferSize - PATCH_SIZE;
}

/* Remarks: "DxgkDdiPatch patches places in the DMA buffer with these physical addresses". */
static wcts_status write_address(struct emu_driver *driver, const struct patch *patch,
                                 const struct wcts_D3DDDI_PATCHLOCATIONLIST *location)
{
    struct wcts_DXGK_ALLOCATIONLIST allocation;
    unsigned char bytes[PATCH_SIZE];
    uint64_t address;
    uint32_t i;
    memcpy(&allocation, patch->allocations + location->AllocationIndex * sizeof(allocation),
           sizeof(allocation));
    address = allocation.PhysicalAddress + location->AllocationOffset;
    for (i = 0; i < PATCH_SIZE; i++)
        bytes[i] = (unsigned char)(address >> (8 * i) & 0xFF);
    return emu_machine_write(driver, 0, patch->args->pDmaBuffer + location->PatchOffset, bytes,
                             sizeof(bytes));
}

wcts_status emu_driver_patch(void *instance, const void *request, uint32_t request_size,
                             void *reply, uint32_t reply_room, uint32_t *reply_size)
{
    const struct wcts_driver_patch_request *asked = request;
    struct patch patch = {.args = &asked->Patch};
    const uint32_t count = asked->Patch.PatchLocationListSubmissionLength;
    wcts_status status = WCTS_STATUS_SUCCESS;
    uint32_t i;
    (void)reply, (void)reply_room, (void)reply_size;
    if (ranges_malformed(patch.args) || !find_lists(&patch, request, request_size))
        return WCTS_STATUS_INVALID_PARAMETER;
    /* Nothing is written before all of the range is known to be sound. */
    for (i = 0; i < count; i++) {
        const struct wcts_D3DDDI_PATCHLOCATIONLIST location = location_at(&patch, i);
        if (location_malformed(&patch, &location))
            return WCTS_STATUS_INVALID_PARAMETER;
    }
    for (i = 0; i < count && wcts_succeeded(status); i++) {
        const struct wcts_D3DDDI_PATCHLOCATIONLIST location = location_at(&patch, i);
        status = write_address(instance, &patch, &location);
    }
    return status;
}
