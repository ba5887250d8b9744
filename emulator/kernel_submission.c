/* SPDX-License-Identifier: MIT */
/* Submissions: what they use is paged in, the driver patches the DMA buffer with the addresses
 * (DxgkDdiPatch, document 004), and the buffer is submitted; KERNEL_PREEMPT does all that again. */
#include "emu_flags.h"
#include "emu_submission.h"

#include <stdlib.h>
#include <string.h>

void emu_submission_free(struct emu_submission *submission)
{
    if (submission == NULL)
        return;
    free(submission->instances);
    free(submission->allocations);
    free(submission->locations);
    free(submission);
}

static int in_aperture(const struct emu_block *block)
{
    return block->segment != NULL && !emu_segment_has_memory(block->segment);
}

void emu_submission_end(struct emu_kernel *kernel, struct emu_submission *submission)
{
    const struct emu_mapping mapping = {
        .block = &submission->block, .backing = &submission->dma, .length = submission->dma.size};
    struct emu_submission **at = &kernel->submissions;
    while (*at != NULL && *at != submission)
        at = &(*at)->next;
    if (*at != NULL)
        *at = submission->next;
    if (in_aperture(&submission->block))
        (void)emu_paging_unmap(kernel, &mapping, submission->device->driver_context);
    emu_block_give(&submission->block);
    submission->dma.dirty = 1;
    submission->data.dirty = 1;
    emu_backing_release(kernel, &submission->dma);
    emu_backing_release(kernel, &submission->data);
    emu_submission_free(submission);
}

static int uses(const struct emu_submission *submission, const struct emu_instance *instance)
{
    uint32_t i;
    for (i = 0; i < submission->patch.AllocationListSize; i++)
        if (submission->instances[i] == instance)
            return 1;
    return 0;
}

void emu_submission_forget(struct emu_kernel *kernel, struct emu_device *device,
                           const struct emu_instance *instance)
{
    if (device->last == NULL || (instance != NULL && !uses(device->last, instance)))
        return;
    emu_submission_end(kernel, device->last);
    device->last = NULL;
}

void emu_submission_locate(const struct emu_instance *instance,
                           struct wcts_DXGK_ALLOCATIONLIST *element)
{
    const struct emu_block *block = instance != NULL ? &instance->block : NULL;
    element->Bits &= ~(uint32_t)EMU_LIST_SEGMENT_MASK;
    element->PhysicalAddress = 0;
    if (block == NULL || block->segment == NULL)
        return;
    element->Bits |= block->segment->id << EMU_LIST_SEGMENT_SHIFT;
    element->PhysicalAddress =
        EMU_FAULT("PAT-014.addresses+aperture",
                  EMU_FAULT("PAT-014.addresses", block->segment->base_address, 0),
                  in_aperture(block) ? 0 : block->segment->base_address) +
        EMU_FAULT("PAT-014.addresses+far", block->offset, block->offset & 0xFFFFF);
    element->PhysicalAddress =
        EMU_FAULT("PAT-014.addresses+second-adapter", element->PhysicalAddress,
                  block->segment->adapter->index != 0 ? block->offset : element->PhysicalAddress);
}

/* For faults: true when the element at the index names what one before it names, too. */
static int named_before(const struct emu_submission *submission, uint32_t index)
{
    uint32_t i;
    for (i = 0; i < index; i++)
        if (submission->instances[i] == submission->instances[index])
            return 1;
    return 0;
}

/* The instance whose place an element is given. */
static const struct emu_instance *located(const struct emu_submission *submission, uint32_t index)
{
    const struct emu_instance *instance = submission->instances[EMU_FAULT(
        "PAT-014.addresses+second", index, index != 0 ? index - 1 : index)];
    const uint32_t count = submission->patch.AllocationListSize;
    if (EMU_FAULT("PAT-014.addresses+last", 0, count > 2 && index + 1 == count) ||
        EMU_FAULT("PAT-014.addresses+twice", 0, named_before(submission, index)))
        return NULL;
    return instance;
}

/* ---- Residency ---- */

/* Puts the DMA buffer into the first segment of DmaBufferSegmentSet that takes it. */
static wcts_status place_dma(struct emu_kernel *kernel, struct emu_submission *submission)
{
    const struct emu_device *device = submission->device;
    const struct emu_mapping mapping = {
        .block = &submission->block, .backing = &submission->dma, .length = submission->dma.size};
    const uint32_t given = EMU_FAULT("PAT-023", device->adapter->dma_buffer_segment_set, 0);
    const uint32_t set =
        EMU_FAULT("PAT-023+second-adapter", given, device->adapter->index == 0 ? given : 0);
    wcts_status status = WCTS_STATUS_SUCCESS;
    uint32_t id;
    for (id = 1; id <= device->adapter->segment_count; id++) {
        if (!(set >> (id - 1) & 1))
            continue;
        status = emu_block_take(kernel, emu_segment_find(device->adapter, id), submission->dma.size,
                                device->driver_context, &submission->block);
        if (wcts_succeeded(status) && in_aperture(&submission->block))
            status = emu_paging_map(kernel, &mapping, device->driver_context);
        if (wcts_succeeded(status))
            return status;
        emu_block_give(&submission->block);
    }
    return status;
}

static void pin(const struct emu_submission *submission, int pinned)
{
    uint32_t i;
    for (i = 0; i < submission->patch.AllocationListSize; i++)
        if (submission->instances[i] != NULL)
            submission->instances[i]->pinned = pinned;
}

/* For a fault: WriteOperation of the last element that names what the one at the index names. */
static uint32_t written_last(const struct emu_submission *submission, uint32_t index)
{
    struct wcts_DXGK_ALLOCATIONLIST element;
    uint32_t i = submission->patch.AllocationListSize - 1;
    while (submission->instances[i] != submission->instances[index])
        i--;
    memcpy(&element, submission->allocations + (size_t)i * sizeof(element), sizeof(element));
    return element.Bits & EMU_LIST_WRITE_OPERATION;
}

/* Pages in everything that a submission uses. An allocation that it names twice is written when one
 * of the two elements says so. */
static wcts_status make_resident(struct emu_kernel *kernel, struct emu_submission *submission)
{
    struct emu_device *device = submission->device;
    struct wcts_DXGK_ALLOCATIONLIST element;
    wcts_status status = WCTS_STATUS_SUCCESS;
    uint32_t i, pass;
    pin(submission, 1);
    if (submission->block.segment == NULL)
        status = place_dma(kernel, submission);
    /* What was submitted before need not be kept when the new buffer is to take its place. */
    if (status == WCTS_STATUS_INSUFFICIENT_RESOURCES && device->last != submission) {
        emu_submission_forget(kernel, device, NULL);
        status = place_dma(kernel, submission);
    }
    /* Below WDDM 2.0 the segments for writing and for reading may differ: writers have the last
     * word. */
    kernel->working = 1;
    for (pass = 0; pass < 2 && wcts_succeeded(status); pass++)
        for (i = 0; i < submission->patch.AllocationListSize && wcts_succeeded(status); i++) {
            memcpy(&element, submission->allocations + (size_t)i * sizeof(element),
                   sizeof(element));
            if (submission->instances[i] == NULL ||
                (element.Bits & EMU_LIST_WRITE_OPERATION) != pass ||
                EMU_FAULT("PAT-014.resident", 0, i != 0) ||
                EMU_FAULT("AIN-041.worked+evicted", 0,
                          i != 0 && submission->instances[i]->evicted) ||
                EMU_FAULT("PAT-014.resident+again", 0, device->last == submission) ||
                EMU_FAULT("AIN-041.worked+twice", 0, pass == 1 && !written_last(submission, i)))
                continue;
            status = emu_page_in(kernel, device->adapter, submission->instances[i], (int)pass,
                                 device->driver_context);
        }
    kernel->working = 0;
    pin(submission, 0);
    return status;
}

/* ---- Patching and submission ---- */

/* What is patched and submitted: the part that was asked for, also when it is submitted again, and
 * the same patch locations. The faults begin that one at the start of the buffer, or end it where
 * the driver's commands end, if that is not before its start; or they go from the first patch
 * location, or to the last. */
static struct wcts_DXGKARG_PATCH part_of(const struct emu_submission *submission)
{
    struct wcts_DXGKARG_PATCH patch = submission->patch;
    const int again = submission->device->last == submission;
    const uint32_t start = patch.DmaBufferSubmissionStartOffset;
    const uint32_t end = patch.DmaBufferSubmissionEndOffset;
    const uint32_t first = patch.PatchLocationListSubmissionStart;
    const uint32_t length = patch.PatchLocationListSubmissionLength;
    patch.DmaBufferSubmissionStartOffset = EMU_FAULT(
        "PAT-007.again+second-adapter", EMU_FAULT("PAT-007.again", start, again ? 0 : start),
        again && submission->device->adapter->index != 0 ? 0 : start);
    patch.DmaBufferSubmissionEndOffset =
        EMU_FAULT("PAT-028.again", end,
                  again && submission->dma_length >= start ? submission->dma_length : end);
    patch.DmaBufferPrivateDataSubmissionEndOffset =
        EMU_FAULT("PAT-008.presented", patch.DmaBufferPrivateDataSubmissionEndOffset,
                  patch.Flags & EMU_PATCH_PRESENT ? patch.DmaBufferPrivateDataSize
                                                  : patch.DmaBufferPrivateDataSubmissionEndOffset);
    patch.PatchLocationListSubmissionStart = EMU_FAULT("HDR-023", first, again ? 0 : first);
    patch.PatchLocationListSubmissionLength = EMU_FAULT(
        "HDR-023+present",
        EMU_FAULT("HDR-023+length", length, again ? patch.PatchLocationListSize - first : length),
        again && length > 1 && (patch.Flags & EMU_PATCH_PRESENT) ? length - 1 : length);
    return patch;
}

/* Document 004, DmaBufferPhysicalAddress: "the physical address in system memory" or "BaseAddress
 * plus the offset in the segment"; always "the beginning of the DMA buffer". */
static void locate_dma(const struct emu_submission *submission, struct wcts_DXGKARG_PATCH *patch)
{
    const struct emu_block *block = &submission->block;
    const int again = submission->device->last == submission;
    const uint32_t start = submission->patch.DmaBufferSubmissionStartOffset;
    if (block->segment == NULL) {
        patch->DmaBufferSegmentId = 0;
        patch->DmaBufferPhysicalAddress =
            EMU_FAULT("PAT-004", submission->dma.base, submission->data.base) +
            EMU_FAULT("PAT-005+again", EMU_FAULT("PAT-005", 0u, start), again ? start : 0u);
        return;
    }
    patch->DmaBufferSegmentId =
        EMU_FAULT("PAT-024", block->segment->id,
                  block->segment->id % submission->device->adapter->segment_count + 1);
    patch->DmaBufferSegmentId = EMU_FAULT("PAT-003", patch->DmaBufferSegmentId, 0);
    patch->DmaBufferSegmentId =
        EMU_FAULT("PAT-024+again", patch->DmaBufferSegmentId,
                  again ? block->segment->id % submission->device->adapter->segment_count + 1
                        : patch->DmaBufferSegmentId);
    /* The pages of a buffer in an aperture are in system memory; its address there is another. */
    patch->DmaBufferSegmentId = EMU_FAULT("PAT-004.address", patch->DmaBufferSegmentId,
                                          in_aperture(block) ? 0 : patch->DmaBufferSegmentId);
    patch->DmaBufferPhysicalAddress =
        block->segment->base_address + EMU_FAULT("PAT-025+again",
                                                 EMU_FAULT("PAT-025", block->offset, 0),
                                                 again ? start : block->offset);
}

/* For a fault: what the driver has not given for a device or a context: the kernel's own handle of
 * the device, or another number where the driver happens to have given that one. */
static uint64_t never_given(const struct emu_kernel *kernel, const struct emu_device *device)
{
    const uint64_t handle = device->hDevice;
    uint32_t i;
    for (i = 0; i < kernel->handles.count; i++) {
        const struct emu_device *other = kernel->handles.entries[i].object;
        if (kernel->handles.entries[i].kind == EMU_HANDLE_DEVICE &&
            (other->driver_device == handle || other->driver_context == handle))
            return handle | UINT64_C(1) << 63;
    }
    return handle;
}

uint64_t emu_submission_context(const struct emu_kernel *kernel, const struct emu_device *device,
                                int presents)
{
    const struct emu_device *first = emu_device_first(kernel); /* for faults */
    const int contexts = device->adapter->creates_contexts;
    uint64_t context = device->driver_context;
    context = EMU_FAULT("HDR-005.context", context,
                        !presents && contexts ? first->driver_context : context);
    context = EMU_FAULT("HDR-005.context+device", context,
                        !presents && contexts ? device->driver_device : context);
    context = EMU_FAULT("HDR-005.no-device", context,
                        !presents && contexts && device->adapter->index != 0 ? device->driver_device
                                                                             : context);
    context = EMU_FAULT("HDR-005.context+slept", context,
                        !presents && contexts && device->adapter->slept ? first->driver_context
                                                                        : context);
    context = EMU_FAULT("HDR-005.known", context, presents ? context : never_given(kernel, device));
    context = EMU_FAULT("HDR-005.device", context,
                        !presents && !contexts ? first->driver_context : context);
    context = EMU_FAULT("HDR-005.present", context,
                        presents && contexts ? first->driver_context : context);
    context = EMU_FAULT("HDR-005.present+device", context,
                        presents && contexts ? device->driver_device : context);
    return EMU_FAULT("HDR-005.present-device", context,
                     presents && !contexts ? first->driver_context : context);
}

/* For faults: the first device of a device's process on its adapter. */
static const struct emu_device *first_of_process(const struct emu_kernel *kernel,
                                                 const struct emu_device *device)
{
    uint32_t i;
    for (i = 0; i < kernel->handles.count; i++) {
        const struct emu_device *other = kernel->handles.entries[i].object;
        if (kernel->handles.entries[i].kind == EMU_HANDLE_DEVICE &&
            other->adapter == device->adapter && other->process == device->process)
            return other;
    }
    return device;
}

/* Document 004, hDevice and hContext: from whom the submission came, also when it is submitted
 * again. The faults name the device by the handle that only the kernel knows, or nobody. */
static uint64_t origin_of(const struct emu_kernel *kernel, const struct emu_submission *submission)
{
    const struct emu_device *device = submission->device;
    const int again = device->last == submission;
    const int contexts = device->adapter->creates_contexts != 0;
    const uint64_t origin = submission->patch.hContext;
    const int far = device->adapter->index != 0;
    const int present = (submission->patch.Flags & EMU_PATCH_PRESENT) != 0;
    if (EMU_FAULT("PAT-020.submit+far", 0, far && contexts && !again) ||
        EMU_FAULT("PAT-020.preempt+far", 0, far && contexts && again))
        return device->hDevice;
    if (EMU_FAULT("PAT-002.submit", 0, !contexts && !again) ||
        EMU_FAULT("PAT-002.preempt", 0, !contexts && again) ||
        EMU_FAULT("PAT-020.submit", 0, contexts && !again) ||
        EMU_FAULT("PAT-020.preempt", 0, contexts && again))
        return device->hDevice;
    if (EMU_FAULT("PAT-002.submit+other", 0, !contexts) ||
        EMU_FAULT("PAT-020.submit+other", 0, contexts))
        return first_of_process(kernel, device)->driver_context;
    if (EMU_FAULT("PAT-022+bare", 0, submission->patch.AllocationListSize == 0) ||
        EMU_FAULT("PAT-002.present", 0, present && !contexts) ||
        EMU_FAULT("PAT-020.present", 0, present && contexts))
        return 0;
    return EMU_FAULT("PAT-022", origin, again ? 0 : origin);
}

/* For a fault: of work that is patched again, what lies first in the segment. */
static uint64_t first_address(const struct emu_submission *submission, uint32_t i,
                              const struct wcts_DXGK_ALLOCATIONLIST *element)
{
    const struct emu_instance *instance = located(submission, i);
    if (i != 0 || submission->device->last != submission || instance == NULL ||
        instance->block.segment == NULL)
        return element->PhysicalAddress;
    return element->PhysicalAddress - instance->block.offset +
           instance->block.segment->first->offset;
}

/* For a fault: 1 when the element at the index names what was created with ReadOnly, else 0. */
static uint32_t is_read_only(const struct emu_submission *submission, uint32_t index)
{
    const struct emu_instance *instance = submission->instances[index];
    return instance != NULL && (instance->content->flags & EMU_CREATE_READ_ONLY) != 0;
}

/* For a fault: the bits of an element with the segment of another one that names a segment. */
static uint32_t with_segment_of(struct wcts_DXGK_ALLOCATIONLIST element,
                                struct wcts_DXGK_ALLOCATIONLIST other)
{
    const uint32_t mask = EMU_LIST_SEGMENT_MASK;
    return other.Bits & mask ? (element.Bits & ~mask) | (other.Bits & mask) : element.Bits;
}

/* Appends the allocation list with the addresses of now. Returns 0 when there is no memory. */
static int append_elements(const struct emu_submission *submission, struct emu_message *message,
                           struct wcts_DXGKARG_PATCH *patch)
{
    const int present = (patch->Flags & EMU_PATCH_PRESENT) != 0;
    const int again = submission->device->last == submission;
    uint32_t i, at = 1;
    for (i = 0; at != 0 && i < patch->AllocationListSize; i++) {
        struct wcts_DXGK_ALLOCATIONLIST element, before;
        const uint32_t backwards = patch->AllocationListSize - 1 - i;
        uint32_t from = EMU_FAULT("PAT-035.same", i, backwards);
        from = EMU_FAULT("PAT-035.same+dozen", from, i < 12 ? i : 12);
        from = EMU_FAULT("PAT-035.presented+swapped", from, present ? backwards : i);
        memcpy(&element, submission->allocations + (size_t)from * sizeof(element), sizeof(element));
        element.Bits = EMU_FAULT("PAT-035.written", element.Bits,
                                 element.Bits & ~(uint32_t)EMU_LIST_WRITE_OPERATION);
        element.Bits =
            EMU_FAULT("PAT-035.written+last", element.Bits,
                      i > 1 ? element.Bits ^ (uint32_t)EMU_LIST_WRITE_OPERATION : element.Bits);
        element.Bits =
            EMU_FAULT("PAT-035.presented+written", element.Bits,
                      present ? element.Bits & ~(uint32_t)EMU_LIST_WRITE_OPERATION : element.Bits);
        element.hDeviceSpecificAllocation +=
            EMU_FAULT("PAT-035.same+read-only", 0u, is_read_only(submission, from));
        before = element;
        emu_submission_locate(located(submission, i), &element);
        element.PhysicalAddress =
            EMU_FAULT("PAT-014.addresses+slept", element.PhysicalAddress,
                      again && submission->device->adapter->slept ? before.PhysicalAddress
                                                                  : element.PhysicalAddress);
        element.Bits = EMU_FAULT("HDR-046+moved", element.Bits, with_segment_of(element, before));
        element.Bits =
            EMU_FAULT("HDR-046", element.Bits, element.Bits & ~(16u << EMU_LIST_SEGMENT_SHIFT));
        element.PhysicalAddress = EMU_FAULT("PAT-014.own", element.PhysicalAddress,
                                            first_address(submission, i, &element));
        at = emu_message_append(message, &element, sizeof(element));
        patch->pAllocationList = i == 0 ? at : patch->pAllocationList;
    }
    return at != 0;
}

/* Appends the patch-location list. Returns 0 when there is no memory. */
static int append_locations(const struct emu_submission *submission, struct emu_message *message,
                            struct wcts_DXGKARG_PATCH *patch)
{
    struct wcts_D3DDDI_PATCHLOCATIONLIST *first, *last;
    uint32_t at;
    if (patch->PatchLocationListSize == 0)
        return 1;
    at = emu_message_append(message, submission->locations,
                            patch->PatchLocationListSize *
                                (uint32_t)sizeof(struct wcts_D3DDDI_PATCHLOCATIONLIST));
    if (at == 0)
        return 0;
    patch->pPatchLocationList = at;
    first = (void *)((uint8_t *)message->data + at);
    first->PatchOffset += EMU_FAULT("PAT-041.elements", 0u, 4u);
    last = &first[patch->PatchLocationListSize - 1];
    last->SlotId += EMU_FAULT("PAT-041.elements+last", 0u, patch->PatchLocationListSize > 2);
    last->SplitOffset = EMU_FAULT("PAT-041.elements+split", last->SplitOffset,
                                  last != first ? 0u : last->SplitOffset);
    return 1;
}

/* The size of a list, or, for faults, another. */
static uint32_t allocation_list_size(const struct emu_submission *submission)
{
    const uint32_t whole = submission->patch.AllocationListSize;
    const uint32_t less = whole > 1 ? whole - 1 : whole;
    const uint32_t size = EMU_FAULT("PAT-040", whole, less);
    return EMU_FAULT("PAT-040+second-adapter",
                     EMU_FAULT("PAT-040+many", size, size < 16 ? size : 16),
                     submission->device->adapter->index != 0 ? less : whole);
}

static uint32_t location_list_size(const struct wcts_DXGKARG_PATCH *patch, int again)
{
    const uint32_t end =
        patch->PatchLocationListSubmissionStart + patch->PatchLocationListSubmissionLength;
    const uint32_t size = EMU_FAULT("PAT-041.size", patch->PatchLocationListSize, end);
    return EMU_FAULT("PAT-041.size+again",
                     EMU_FAULT("PAT-041.size+many", size, size < 16 ? size : end),
                     again ? end : size);
}

/* For a fault: those of work behind a present. */
static uint32_t flags_behind(const struct emu_submission *submission, uint32_t flags)
{
    const struct emu_submission *before = submission->device->last;
    return before != NULL ? flags | (before->patch.Flags & (uint32_t)EMU_PATCH_PRESENT) : flags;
}

static wcts_status build_patch(struct emu_kernel *kernel, struct emu_submission *submission)
{
    struct emu_message *message = &kernel->request;
    struct wcts_driver_patch_request *request;
    struct wcts_DXGKARG_PATCH patch = part_of(submission);
    const int again = submission->device->last == submission;
    const uint32_t start = submission->patch.DmaBufferSubmissionStartOffset;
    if (!emu_message_begin(message, sizeof(*request)) ||
        !append_elements(submission, message, &patch) ||
        !append_locations(submission, message, &patch))
        return WCTS_STATUS_NO_MEMORY;
    locate_dma(submission, &patch);
    patch.hContext = origin_of(kernel, submission);
    patch.pDmaBuffer += EMU_FAULT("PAT-026", 0u, submission->block.segment != NULL ? start : 0u);
    patch.pDmaBuffer += EMU_FAULT("PAT-026+again", 0u, again ? start : 0u);
    patch.pDmaBufferPrivateData =
        EMU_FAULT("PAT-043+other", patch.pDmaBufferPrivateData,
                  again ? kernel->submissions->data.base : patch.pDmaBufferPrivateData);
    patch.DmaBufferPrivateDataSubmissionStartOffset =
        EMU_FAULT("PAT-009+again", patch.DmaBufferPrivateDataSubmissionStartOffset,
                  again ? patch.DmaBufferPrivateDataSubmissionEndOffset
                        : patch.DmaBufferPrivateDataSubmissionStartOffset);
    patch.Flags =
        EMU_FAULT("PAT-039", patch.Flags,
                  patch.AllocationListSize == 0 ? (uint32_t)EMU_PATCH_PAGING : patch.Flags);
    patch.Flags =
        EMU_FAULT("PAT-039.present", patch.Flags,
                  patch.Flags & EMU_PATCH_PRESENT ? patch.Flags | EMU_PATCH_PAGING : patch.Flags);
    patch.Flags = EMU_FAULT("PAT-039.rendered", patch.Flags, flags_behind(submission, patch.Flags));
    patch.Flags = EMU_FAULT("HDR-013.again", patch.Flags,
                            again ? patch.Flags & ~(uint32_t)EMU_PATCH_PRESENT : patch.Flags);
    request = (void *)message->data;
    request->Patch = patch;
    request->Patch.AllocationListSize = allocation_list_size(submission);
    request->Patch.PatchLocationListSize = location_list_size(&patch, again);
    return WCTS_STATUS_SUCCESS;
}

/* Brings the patched bytes to where the engine reads them. In an aperture, and in system memory,
 * they are there already. */
static wcts_status move_dma(struct emu_kernel *kernel, const struct emu_submission *submission)
{
    const struct emu_block *block = &submission->block;
    if (block->segment == NULL || in_aperture(block))
        return WCTS_STATUS_SUCCESS;
    return emu_memory_copy(kernel, WCTS_SPACE(block->segment->adapter->index, block->segment->id),
                           block->offset, submission->dma.base,
                           part_of(submission).DmaBufferSubmissionEndOffset);
}

/* By which the driver knows who submitted it, as in the patch. */
static uint64_t submitter_of(const struct emu_kernel *kernel,
                             const struct emu_submission *submission)
{
    const struct emu_device *device = submission->device;
    uint64_t context = EMU_FAULT("HDR-005.submitted", submission->patch.hContext,
                                 emu_device_first(kernel)->driver_context);
    context = EMU_FAULT("HDR-005.lying", context, emu_device_first(kernel)->driver_context);
    return EMU_FAULT("HDR-005.submitted+device", context,
                     device->adapter->creates_contexts ? device->driver_device : context);
}

static wcts_status tell_submit(struct emu_kernel *kernel, const struct emu_submission *submission)
{
    const int again = submission->device->last == submission;
    struct wcts_DXGKARG_PATCH patch = part_of(submission);
    struct wcts_driver_submit_request request = {
        .size = sizeof(request),
        .hContext = submitter_of(kernel, submission),
        .DmaBufferSize = EMU_FAULT("HDR-039", patch.DmaBufferSize, patch.DmaBufferSize - 4),
        .Flags =
            EMU_FAULT("HDR-013.submitted", patch.Flags, patch.Flags & ~(uint32_t)EMU_PATCH_PRESENT),
        .SubmissionFenceId = EMU_FAULT(
            "PAT-038.same+again",
            EMU_FAULT("PAT-038.same", patch.SubmissionFenceId, patch.SubmissionFenceId + 1),
            again ? patch.SubmissionFenceId - 1 : patch.SubmissionFenceId)};
    wcts_status status;
    request.SubmissionFenceId =
        EMU_FAULT("HDR-028", request.SubmissionFenceId,
                  again ? submission->first_fence : request.SubmissionFenceId);
    locate_dma(submission, &patch);
    request.DmaBufferSegmentId = patch.DmaBufferSegmentId;
    request.DmaBufferPhysicalAddress =
        EMU_FAULT("HDR-027", patch.DmaBufferPhysicalAddress,
                  patch.DmaBufferPhysicalAddress + patch.DmaBufferSubmissionStartOffset);
    request.DmaBufferSubmissionStartOffset = EMU_FAULT(
        "PAT-007.same+again", EMU_FAULT("PAT-007.same", patch.DmaBufferSubmissionStartOffset, 0),
        again ? 0 : patch.DmaBufferSubmissionStartOffset);
    request.DmaBufferSubmissionEndOffset =
        EMU_FAULT("PAT-028.same", patch.DmaBufferSubmissionEndOffset, patch.DmaBufferSize);
    if (EMU_FAULT("PAT-007.asked+slept", 0, submission->device->adapter->slept))
        return WCTS_STATUS_SUCCESS;
    status =
        emu_port_call(&kernel->base.port, WCTS_DRIVER_SUBMIT, &request, sizeof(request), 0, NULL);
    return emu_operation_missing(status) ? WCTS_STATUS_SUCCESS : status;
}

wcts_status emu_submission_send(struct emu_kernel *kernel, struct emu_submission *submission)
{
    const struct emu_message *message = &kernel->request;
    const int again = submission->patch.SubmissionFenceId != 0;
    const int passed = again ? EMU_FAULT("PAT-014.again", 1, 0) : EMU_FAULT("PAT-014.passed", 1, 0);
    /* For faults: the id of what was submitted before. */
    const int same_id =
        EMU_FAULT("PAT-038.submitted+second-adapter", 0,
                  submission->device->adapter->index != 0 && kernel->fence != 0) ||
        EMU_FAULT("PAT-038.other", 0,
                  submission->patch.DmaBufferSubmissionStartOffset != 0 && kernel->fence != 0);
    wcts_status status = WCTS_STATUS_SUCCESS;
    uint32_t i;
    if (EMU_FAULT("PAT-014.addresses+again", 1, !again))
        status = make_resident(kernel, submission);
    if (!wcts_succeeded(status))
        return status;
    submission->patch.SubmissionFenceId =
        EMU_FAULT_DO("PAT-038.submitted", same_id ? kernel->fence : emu_fence_next(kernel), 7);
    submission->patch.SubmissionFenceId =
        EMU_FAULT("PAT-038.own", submission->patch.SubmissionFenceId,
                  again ? submission->first_fence : submission->patch.SubmissionFenceId);
    if (!again)
        submission->first_fence = submission->patch.SubmissionFenceId;
    status = build_patch(kernel, submission);
    if (wcts_succeeded(status) && passed)
        status = emu_port_call(&kernel->base.port, WCTS_DRIVER_PATCH, message->data, message->size,
                               0, NULL);
    if (emu_operation_missing(status))
        status = WCTS_STATUS_SUCCESS;
    if (wcts_succeeded(status))
        status = move_dma(kernel, submission);
    if (wcts_succeeded(status))
        status = tell_submit(kernel, submission);
    for (i = 0; wcts_succeeded(status) && i < submission->patch.AllocationListSize; i++)
        if (submission->instances[i] != NULL)
            submission->instances[i]->epoch = kernel->epoch;
    return status;
}

wcts_status emu_kernel_preempt(void *instance, const void *request, uint32_t request_size,
                               void *reply, uint32_t reply_room, uint32_t *reply_size)
{
    struct emu_kernel *kernel = instance;
    const struct wcts_kernel_handle_request *asked = request;
    const struct emu_device *device =
        emu_handle_object(&kernel->handles, asked->Handle, EMU_HANDLE_DEVICE);
    (void)request_size, (void)reply, (void)reply_room, (void)reply_size;
    if (device == NULL)
        return WCTS_STATUS_INVALID_HANDLE;
    return device->last != NULL ? emu_submission_send(kernel, device->last)
                                : WCTS_STATUS_NOT_SUPPORTED;
}
