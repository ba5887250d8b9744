/* SPDX-License-Identifier: MIT */
/* DRIVER_PATCH (DxgkDdiPatch): physical addresses into the DMA buffer, by document 004. */
#include "emu_driver.h"

#include <string.h>

/* DXGK_ALLOCATIONLIST: SegmentId is bits 1 to 5. */
#define SEGMENT_ID(bits) ((bits) >> 1 & 0x1F)

/* How an address is written. */
struct encoding {
    uint32_t size; /* bytes, little endian */
    int relative;  /* to the segment's BaseAddress */
    int apart;     /* into the private data */
};

static const struct encoding encodings[] = {
    [WCTS_PATCHES_NONE] = {0, 0, 0},       [WCTS_PATCHES_32] = {4, 0, 0},
    [WCTS_PATCHES_64] = {8, 0, 0},         [WCTS_PATCHES_32_SEGMENT] = {4, 1, 0},
    [WCTS_PATCHES_64_SEGMENT] = {8, 1, 0}, [WCTS_PATCHES_PRIVATE] = {EMU_PRIVATE_WIDTH, 0, 1},
};

/* A patch call on its way. The lists have any alignment. */
struct patch {
    struct emu_driver *driver;
    const struct wcts_DXGKARG_PATCH *args;
    const struct encoding *encoding;
    const unsigned char *allocations;
    const unsigned char *locations;
    uint64_t fence; /* address of the fence command, 0 for none */
    uint32_t stood; /* the id that it had; for a fault */
};

/* Bytes that go to one place of the DMA buffer, or of its private data. */
struct patched_address {
    uint64_t offset;
    unsigned char bytes[16]; /* the address, then zeros */
};

uint32_t emu_patch_size(const struct emu_driver *driver)
{
    const struct encoding *encoding = &encodings[driver->base.patches];
    return encoding->apart ? 0 : encoding->size;
}

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
           args->pDmaBuffer > UINT64_MAX - args->DmaBufferSize ||
           args->pDmaBufferPrivateData > UINT64_MAX - args->DmaBufferPrivateDataSize;
}

/* Finds the lists. Returns 0 when they are no part of the message, or when a paging buffer has any:
 * "for paging operations pAllocationList is NULL", and so on. */
static int find_lists(struct patch *patch, const void *request, uint32_t request_size)
{
    const struct wcts_DXGKARG_PATCH *args = patch->args;
    if (EMU_FAULT("PAT-001", args->Flags & EMU_FLAG_PAGING, args->Flags & EMU_FLAG_PAGING << 1) &&
        (args->AllocationListSize != 0 || args->PatchLocationListSize != 0))
        return 0;
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

/* The value that stands for an offset in an allocation. Returns 0 when there is none. */
static int encode(const struct encoding *encoding,
                  const struct wcts_DXGK_ALLOCATIONLIST *allocation, uint32_t offset,
                  uint64_t *value)
{
    const uint32_t id = SEGMENT_ID(allocation->Bits);
    const struct emu_driver_segment *segment = emu_segment_of(id);
    const uint64_t base = encoding->relative && segment != NULL ? segment->base_address : 0;
    if (encoding->relative && segment == NULL && id != 0)
        return 0;
    if (allocation->PhysicalAddress < base || allocation->PhysicalAddress > UINT64_MAX - offset)
        return 0;
    *value = allocation->PhysicalAddress + offset - base;
    *value = EMU_FAULT("PAT-036+carry", *value,
                       ((allocation->PhysicalAddress - base) & ~(uint64_t)UINT32_MAX) |
                           (*value & UINT32_MAX));
    /* An absolute address is cut to its low half; an offset that does not fit would be wrong. */
    return !encoding->relative || encoding->size == 8 || *value <= UINT32_MAX;
}

/* For a fault: what an address on the second adapter lacks, the base of the segment. */
static uint64_t left_out(const struct patch *patch,
                         const struct wcts_DXGK_ALLOCATIONLIST *allocation)
{
    const struct emu_driver *driver = patch->driver;
    const struct emu_driver_segment *segment = emu_segment_of(SEGMENT_ID(allocation->Bits));
    const struct emu_record *origin =
        emu_handle_object(&driver->handles, patch->args->hContext,
                          driver->base.contexts ? EMU_HANDLE_CONTEXT : EMU_HANDLE_DEVICE);
    const int far = origin != NULL && origin->adapter != 0;
    return far && segment != NULL && !patch->encoding->relative ? segment->base_address : 0;
}

/* For a fault: the AllocationOffset of the first of the locations in a row, up to the one at the
 * index, that have one AllocationIndex. */
static uint32_t offset_of_row(const struct patch *patch, uint32_t index)
{
    const uint32_t allocation = location_at(patch, index).AllocationIndex;
    while (index != 0 && location_at(patch, index - 1).AllocationIndex == allocation)
        index--;
    return location_at(patch, index).AllocationOffset;
}

/* The offset whose address a location is given. */
static uint32_t offset_of(const struct patch *patch, uint32_t index)
{
    const struct wcts_D3DDDI_PATCHLOCATIONLIST location = location_at(patch, index);
    const uint32_t offset =
        EMU_FAULT("PAT-036+second",
                  EMU_FAULT("PAT-036+far", EMU_FAULT("PAT-036", location.AllocationOffset, 0),
                            location.AllocationOffset & 0xFFFF),
                  location.AllocationIndex == 1 ? 0 : location.AllocationOffset);
    return EMU_FAULT("PAT-015+row", offset, offset_of_row(patch, index));
}

/* Remarks: "DxgkDdiPatch patches places in the DMA buffer with these physical addresses". Returns 0
 * when the element is malformed. */
static int resolve(const struct patch *patch, uint32_t index, struct patched_address *out)
{
    const struct wcts_D3DDDI_PATCHLOCATIONLIST location = location_at(patch, index);
    const uint32_t size = patch->encoding->size;
    struct wcts_DXGK_ALLOCATIONLIST allocation;
    uint64_t value;
    uint32_t i;
    if (location.AllocationIndex >= patch->args->AllocationListSize ||
        (!patch->encoding->apart && (patch->args->DmaBufferSize < size ||
                                     location.PatchOffset > patch->args->DmaBufferSize - size)))
        return 0;
    memcpy(&allocation,
           patch->allocations + EMU_FAULT("PAT-015+many",
                                          EMU_FAULT("PAT-015", location.AllocationIndex, 0),
                                          location.AllocationIndex % 8) *
                                    sizeof(allocation),
           sizeof(allocation));
    if (!encode(patch->encoding, &allocation, offset_of(patch, index), &value))
        return 0;
    value = EMU_FAULT("PAT-015+second-adapter", value, value - left_out(patch, &allocation));
    out->offset = location.PatchOffset;
    if (patch->encoding->apart)
        out->offset = (uint64_t)patch->args->DmaBufferPrivateDataSubmissionStartOffset +
                      EMU_PRIVATE_OFFSET +
                      ((uint64_t)patch->args->PatchLocationListSubmissionStart + index) * size;
    for (i = 0; i < sizeof(out->bytes); i++)
        out->bytes[i] = (unsigned char)(i < sizeof(value) ? value >> (8 * i) & 0xFF : 0);
    return 1;
}

/* Finds the fence command at the end of the part: the private data says that the driver put one
 * there, and it is still there. Any other end of a part is somebody's commands. */
static wcts_status find_fence(struct patch *patch)
{
    const struct wcts_DXGKARG_PATCH *args = patch->args;
    const int paging = (args->Flags & EMU_FLAG_PAGING) != 0;
    const uint32_t private_length = args->DmaBufferPrivateDataSubmissionEndOffset -
                                    args->DmaBufferPrivateDataSubmissionStartOffset;
    const uint32_t length =
        args->DmaBufferSubmissionEndOffset - args->DmaBufferSubmissionStartOffset;
    struct emu_private_data data;
    struct emu_fence_command command;
    uint64_t address;
    wcts_status status;
    if (args->pDmaBufferPrivateData == 0 || private_length < sizeof(data) ||
        length < sizeof(command))
        return WCTS_STATUS_SUCCESS;
    status = emu_machine_read(patch->driver, 0,
                              args->pDmaBufferPrivateData +
                                  args->DmaBufferPrivateDataSubmissionStartOffset,
                              &data, sizeof(data));
    if (!wcts_succeeded(status) || data.magic != (paging ? EMU_PAGING_MAGIC : EMU_RENDER_MAGIC) ||
        data.end != (paging ? length : args->DmaBufferSubmissionEndOffset))
        return status;
    address = args->pDmaBuffer + args->DmaBufferSubmissionEndOffset - sizeof(command);
    status = emu_machine_read(patch->driver, 0, address, &command, sizeof(command));
    if (wcts_succeeded(status) && command.opcode == EMU_FENCE_OPCODE) {
        patch->fence = address;
        patch->stood = command.fence_id;
    }
    return status;
}

/* For a fault: the id of the submission before, paging or not, in a command that had none yet. */
static uint32_t fence_before(const struct patch *patch, uint32_t id)
{
    const uint32_t before = patch->driver->fence;
    return patch->fence != 0 && patch->stood == 0 && before != 0 ? before : id;
}

/* "SubmissionFenceId: that the driver can write in the fence command at the end": a permission. To
 * write it, and where the command stands, is a choice, no duty; the id is what was given. */
static wcts_status write_fence(const struct patch *patch)
{
    const uint32_t given = patch->args->SubmissionFenceId;
    const uint32_t id =
        EMU_FAULT("PAT-016+before",
                  EMU_FAULT("PAT-016+paging", given,
                            patch->args->Flags & EMU_FLAG_PAGING ? patch->driver->fence : given),
                  fence_before(patch, given));
    const struct emu_fence_command command = {
        EMU_FENCE_OPCODE, EMU_FAULT("PAT-016+high", EMU_FAULT("PAT-016", id, id - 1), id & 0xFFFF)};
    if (patch->fence == 0)
        return WCTS_STATUS_SUCCESS;
    return emu_machine_write(patch->driver, 0, patch->fence, &command, sizeof(command));
}

/* How much of an address is written at an offset: all, or, for a fault, what lies on its first
 * page.
 */
static uint32_t written_at(const struct patch *patch, uint64_t offset, uint32_t size)
{
    const uint32_t within = (uint32_t)((patch->args->pDmaBuffer + offset) % EMU_GPU_PAGE);
    const uint32_t left = (uint32_t)EMU_GPU_PAGE - within;
    size = EMU_FAULT("PAT-037", size, size + 1);
    return EMU_FAULT("PAT-015+page", size, size < left ? size : left);
}

/* For a fault: true when the list has an element without an allocation or a segment that no
 * location names. */
static int has_idle_element(const struct patch *patch)
{
    uint32_t i, k;
    for (i = 0; i < patch->args->AllocationListSize; i++) {
        struct wcts_DXGK_ALLOCATIONLIST element;
        memcpy(&element, patch->allocations + i * sizeof(element), sizeof(element));
        if (element.hDeviceSpecificAllocation != 0 && SEGMENT_ID(element.Bits) != 0)
            continue;
        for (k = 0; k < patch->args->PatchLocationListSubmissionLength; k++)
            if (location_at(patch, k).AllocationIndex == i)
                break;
        if (k == patch->args->PatchLocationListSubmissionLength)
            return 1;
    }
    return 0;
}

/* Writes an address where it belongs. Header, PrivateOffset: "nothing is written of an element that
 * has no room in the range". */
static wcts_status write_address(const struct patch *patch, const struct patched_address *out,
                                 uint32_t size)
{
    const struct wcts_DXGKARG_PATCH *args = patch->args;
    const uint64_t base = patch->encoding->apart ? args->pDmaBufferPrivateData : args->pDmaBuffer;
    const uint64_t end = args->DmaBufferPrivateDataSubmissionEndOffset;
    const uint64_t last = EMU_FAULT("HDR-053+first-without-room", end, end + patch->encoding->size);
    if (patch->encoding->apart &&
        (args->pDmaBufferPrivateData == 0 || out->offset + patch->encoding->size > last))
        return WCTS_STATUS_SUCCESS;
    return emu_machine_write(patch->driver, 0, base + out->offset, out->bytes,
                             written_at(patch, out->offset, size));
}

/* Writes the addresses of a range that is known to be sound. */
static wcts_status write_addresses(const struct patch *patch)
{
    wcts_status status = WCTS_STATUS_SUCCESS;
    struct patched_address out;
    uint32_t i;
    const uint32_t size = EMU_FAULT("PAT-019+high", patch->encoding->size,
                                    patch->driver->patched_count == 0 ? patch->encoding->size : 4);
    const uint32_t start = patch->args->PatchLocationListSubmissionStart;
    const uint32_t length = patch->args->PatchLocationListSubmissionLength;
    const uint32_t count = EMU_FAULT(
        "PAT-034", EMU_FAULT("PAT-013", length, start != 0 && length > 1 ? length - 1 : length),
        patch->args->PatchLocationListSize - start);
    for (i = 0;
         i < EMU_FAULT("PAT-013+dozen", count, count < 12 ? count : 12) && wcts_succeeded(status);
         i++)
        if (resolve(patch, i, &out) &&
            EMU_FAULT("PAT-013+last", 1,
                      out.offset + patch->encoding->size != patch->args->DmaBufferSize) &&
            EMU_FAULT("PAT-019", 1, patch->driver->patched_count == 0 || i % 2 != 0))
            status = write_address(patch, &out, size);
    return status;
}

/* True when the request comes from where one may. To refuse others is a choice, no duty. */
static int origin_known(const struct emu_driver *driver, const struct wcts_DXGKARG_PATCH *args)
{
    /* Document 004: "for some paging operations hContext is NULL". */
    if (args->hContext == 0 && (args->Flags & EMU_FLAG_PAGING))
        return EMU_FAULT("PAT-013+nobody", 1, 0);
    return emu_context_known(driver, args->hContext);
}

wcts_status emu_driver_patch(void *instance, const void *request, uint32_t request_size,
                             void *reply, uint32_t reply_room, uint32_t *reply_size)
{
    struct emu_driver *driver = instance;
    const struct wcts_driver_patch_request *asked = request;
    struct patch patch = {
        .driver = driver, .args = &asked->Patch, .encoding = &encodings[driver->base.patches]};
    struct patched_address out;
    wcts_status status;
    uint32_t i;
    (void)reply, (void)reply_room, (void)reply_size;
    if (driver->base.patches == WCTS_PATCHES_NONE)
        return WCTS_STATUS_NOT_SUPPORTED;
    if (!origin_known(driver, patch.args))
        return WCTS_STATUS_INVALID_HANDLE;
    if (ranges_malformed(patch.args) || !find_lists(&patch, request, request_size))
        return WCTS_STATUS_INVALID_PARAMETER;
    /* Nothing is written before all of the range is known to be sound. */
    for (i = 0; i < patch.args->PatchLocationListSubmissionLength; i++)
        if (!resolve(&patch, i, &out))
            return WCTS_STATUS_INVALID_PARAMETER;
    if (EMU_FAULT("PAT-013+null", 0, has_idle_element(&patch)))
        return WCTS_STATUS_INVALID_PARAMETER;
    status = find_fence(&patch);
    /* The addresses come last: a place that they share with the fence command is theirs. */
    if (wcts_succeeded(status))
        status = write_fence(&patch);
    driver->fence = patch.args->SubmissionFenceId;
    if (wcts_succeeded(status))
        status = write_addresses(&patch);
    if (wcts_succeeded(status) && EMU_FAULT("HDR-053", 0, patch.args->pDmaBufferPrivateData != 0))
        status = emu_stray_word(driver, patch.args->pDmaBufferPrivateData +
                                            patch.args->DmaBufferPrivateDataSubmissionEndOffset);
    if (wcts_succeeded(status) && !emu_patched_add(driver, patch.args))
        status = WCTS_STATUS_NO_MEMORY;
    return status;
}
