/* SPDX-License-Identifier: MIT */
/* DRIVER_PAGING (DxgkDdiBuildPagingBuffer): operations that are carried out at once. What goes into
 * the paging buffer is a note of the operation and a fence command. */
#include "emu_driver.h"
#include "emu_flags.h"

#include <string.h>

/* What the driver puts in a paging buffer. */
struct paging_commands {
    uint32_t opcode;
    uint32_t operation; /* enum wcts_paging_operation */
    uint64_t hAllocation;
    struct emu_fence_command fence;
};

#define PAGING_OPCODE 0x45474150u /* "PAGE" */

typedef wcts_status paging_fn(struct emu_driver *driver,
                              const struct wcts_driver_paging_request *asked,
                              const struct emu_record *record);

/* How much of a fill is carried out: all of it, but for faults. */
static uint64_t filled_size(const struct emu_driver *driver,
                            const struct wcts_driver_paging_request *asked)
{
    const uint64_t size = asked->TransferSize, more = size + EMU_GPU_PAGE;
    const int fits =
        emu_memory_reachable(driver, asked->DestinationSegmentId, asked->DestinationAddress, more);
    uint64_t filled = EMU_FAULT("HDR-034", size, UINT64_C(0));
    filled = EMU_FAULT("HDR-034+first-filled", filled, size < EMU_GPU_PAGE ? size : EMU_GPU_PAGE);
    filled = EMU_FAULT("HDR-034+last-unfilled", filled,
                       size > EMU_GPU_PAGE ? size - EMU_GPU_PAGE : size);
    filled = EMU_FAULT("HDR-054", filled, fits && asked->FillPattern != 0 ? more : size);
    return EMU_FAULT("HDR-034+filled-behind", filled, fits ? more : size);
}

static wcts_status fill(struct emu_driver *driver, const struct wcts_driver_paging_request *asked,
                        const struct emu_record *record)
{
    const uint64_t size = filled_size(driver, asked);
    const uint64_t address =
        EMU_FAULT("HDR-034+filled-at-start", asked->DestinationAddress, UINT64_C(0));
    const int far = asked->DestinationSegmentId >> 16 != 0;
    uint32_t pattern =
        EMU_FAULT("HDR-055", EMU_FAULT("HDR-034+pattern", asked->FillPattern, ~asked->FillPattern),
                  (asked->FillPattern & 0xFF) * 0x01010101u);
    unsigned char bytes[4];
    uint32_t chunk[EMU_CHUNK / 4], i;
    wcts_status status = WCTS_STATUS_SUCCESS;
    uint64_t done;
    (void)record;
    pattern =
        EMU_FAULT("HDR-055+second-adapter", pattern, far && pattern != 0 ? ~pattern : pattern);
    if (!emu_memory_reachable(driver, asked->DestinationSegmentId, asked->DestinationAddress,
                              asked->TransferSize))
        return WCTS_STATUS_INVALID_PARAMETER;
    for (i = 0; i < 4; i++)
        bytes[i] = (unsigned char)(pattern >> 8 * i & 0xFF);
    memcpy(&chunk[0], bytes, sizeof(bytes));
    for (i = 1; i < EMU_CHUNK / 4 && i * 4 < size; i++)
        chunk[i] = chunk[0];
    for (done = 0; done < size && wcts_succeeded(status); done += EMU_CHUNK) {
        const uint64_t left = size - done;
        status = emu_memory_write(driver, asked->DestinationSegmentId, address + done, chunk,
                                  left < EMU_CHUNK ? (uint32_t)left : EMU_CHUNK);
    }
    return status;
}

/* For faults: true for a segment with Aperture, which is what the document wants map and unmap for.
 * Agp is a member of its own, for which the interface alone sends them. */
static int has_aperture(uint32_t space)
{
    const struct emu_driver_segment *segment = emu_segment_of(space);
    return segment != NULL && (segment->flags & EMU_SEGMENT_APERTURE) != 0;
}

/* Document 003, Aperture: "if the driver specifies this member, it must also implement the
 * map-aperture-segment and unmap-aperture-segment operation types". */
static wcts_status map_aperture(struct emu_driver *driver,
                                const struct wcts_driver_paging_request *asked,
                                const struct emu_record *record)
{
    (void)record;
    return EMU_FAULT("SEG-004.carried", 0, has_aperture(asked->SegmentId)) ||
                   EMU_FAULT("SEG-004.carried+second-adapter", 0,
                             has_aperture(asked->SegmentId) && asked->SegmentId >> 16 != 0)
               ? WCTS_STATUS_INVALID_PARAMETER
               : emu_aperture_map(driver, asked->SegmentId, asked->OffsetInPages,
                                  asked->NumberOfPages, asked->SystemAddress);
}

static wcts_status unmap_aperture(struct emu_driver *driver,
                                  const struct wcts_driver_paging_request *asked,
                                  const struct emu_record *record)
{
    (void)record;
    return EMU_FAULT("SEG-037.carried", 0, has_aperture(asked->SegmentId))
               ? WCTS_STATUS_INVALID_PARAMETER
               : emu_aperture_unmap(driver, asked->SegmentId, asked->OffsetInPages,
                                    asked->NumberOfPages);
}

/* By number; the operations between are not of this interface. */
static paging_fn *const operations[] = {
    [WCTS_PAGING_TRANSFER] = emu_transfer,
    [WCTS_PAGING_FILL] = fill,
    [WCTS_PAGING_MAP_APERTURE] = map_aperture,
    [WCTS_PAGING_UNMAP_APERTURE] = unmap_aperture,
};

#define OPERATION_COUNT (sizeof(operations) / sizeof(operations[0]))

/* Puts the commands in the paging buffer. They are a note only: without room there are none. */
static wcts_status write_commands(struct emu_driver *driver,
                                  const struct wcts_driver_paging_request *asked,
                                  uint32_t *dma_length)
{
    const struct paging_commands commands = {
        PAGING_OPCODE, asked->Operation, asked->hAllocation, {EMU_FENCE_OPCODE, 0}};
    wcts_status status;
    *dma_length = 0;
    if (asked->pDmaBuffer == 0 || asked->DmaSize < sizeof(commands))
        return WCTS_STATUS_SUCCESS;
    emu_patched_forget(driver, asked->pDmaBuffer, sizeof(commands));
    status = emu_machine_write(driver, 0, asked->pDmaBuffer, &commands, sizeof(commands));
    if (wcts_succeeded(status))
        *dma_length = sizeof(commands);
    return status;
}

/* Document 004, pDmaBufferPrivateData: "the driver may indicate (by the pointer that it returns) a
 * single range of private data for all submissions, or one for each". Each call is given the room
 * from the range before on, so a range of its own begins one further. */
static wcts_status write_private_data(struct emu_driver *driver,
                                      const struct wcts_driver_paging_request *asked,
                                      uint32_t dma_length, uint64_t *address)
{
    const struct emu_private_data data = {EMU_PAGING_MAGIC, dma_length, asked->hContext};
    const uint64_t room = asked->pDmaBufferPrivateData;
    uint64_t range = room;
    *address = range;
    if (room == 0 || asked->DmaBufferPrivateDataSize < sizeof(data))
        return WCTS_STATUS_SUCCESS;
    if (!driver->base.shared_private && asked->DmaBufferPrivateDataSize >= 2 * sizeof(data))
        range += sizeof(data);
    *address = EMU_FAULT("HDR-019.begin", range, room - 8);
    *address = EMU_FAULT("HDR-019.end", *address, room + asked->DmaBufferPrivateDataSize + 8);
    return emu_machine_write(driver, 0, range, &data, sizeof(data));
}

/* For a fault: writes a word behind the end of the memory segment that a transfer or a fill has
 * reached. Whether that is anybody's memory does not matter to it. */
static void write_behind(struct emu_driver *driver, const struct wcts_driver_paging_request *asked)
{
    static const unsigned char word[4] = {'S', 'T', 'R', 'Y'};
    const struct emu_driver_segment *segment = emu_segment_of(asked->DestinationSegmentId);
    if (asked->Operation > WCTS_PAGING_FILL || segment == NULL || asked->TransferSize == 0 ||
        (segment->flags & (EMU_SEGMENT_APERTURE | EMU_SEGMENT_AGP)) != 0)
        return;
    (void)emu_machine_write(driver, asked->DestinationSegmentId, segment->size, word, sizeof(word));
}

wcts_status emu_driver_paging(void *instance, const void *request, uint32_t request_size,
                              void *reply, uint32_t reply_room, uint32_t *reply_size)
{
    struct emu_driver *driver = instance;
    const struct wcts_driver_paging_request *asked = request;
    struct wcts_driver_paging_reply *answer = reply;
    struct emu_record *record =
        emu_handle_object(&driver->handles, asked->hAllocation, EMU_HANDLE_ALLOCATION);
    wcts_status status;
    (void)request_size, (void)reply_room, (void)reply_size;
    if (asked->Operation >= OPERATION_COUNT || operations[asked->Operation] == NULL)
        return WCTS_STATUS_NOT_SUPPORTED;
    if ((asked->hAllocation != 0 && record == NULL) ||
        (asked->hContext != 0 && !emu_context_known(driver, asked->hContext)))
        return WCTS_STATUS_INVALID_HANDLE;
    if (asked->pDmaBuffer > UINT64_MAX - asked->DmaSize ||
        asked->pDmaBufferPrivateData > UINT64_MAX - asked->DmaBufferPrivateDataSize)
        return WCTS_STATUS_INVALID_PARAMETER;
    status = operations[asked->Operation](driver, asked, record);
    if (wcts_succeeded(status))
        EMU_FAULT_DO("HDR-091", (void)0, write_behind(driver, asked));
    if (wcts_succeeded(status) && record != NULL)
        emu_track(driver, asked, record);
    if (wcts_succeeded(status))
        status = write_commands(driver, asked, &answer->DmaLength);
    answer->DmaLength = EMU_FAULT("HDR-051.commands", answer->DmaLength, asked->DmaSize + 16);
    if (wcts_succeeded(status) && EMU_FAULT("HDR-051.paged", 0, asked->pDmaBuffer != 0))
        status = emu_stray_word(driver, asked->pDmaBuffer + asked->DmaSize);
    if (wcts_succeeded(status))
        status =
            write_private_data(driver, asked, answer->DmaLength, &answer->pDmaBufferPrivateData);
    return status;
}
