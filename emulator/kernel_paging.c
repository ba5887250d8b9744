/* SPDX-License-Identifier: MIT */
/* DRIVER_PAGING (DxgkDdiBuildPagingBuffer): every request is followed by the patching and the
 * submission of what the driver put into the paging buffer. A kernel that asks no driver moves the
 * bytes itself. */
#include "emu_flags.h"
#include "emu_kernel.h"

#define BUFFER_SIZE EMU_CHOICE_AT(paging_buffer, 0x10000u, emu_choice->paging_buffer)
#define PRIVATE_SIZE EMU_CHOICE_AT(private_data, 0x10000u, emu_choice->private_data)
/* When less is free the buffer is begun again. */
#define LEAST_ROOM EMU_CHOICE_AT(least_room, 0x4000u, emu_choice->least_room)

/* Fences begin where no small number of anything else is taken for one. */
#define FIRST_FENCE 0x10001u

/* For faults: what a kernel may take for the most that there is of an allocation. */
#define SOME_PAGES UINT64_C(0x40000)

uint32_t emu_fence_next(struct emu_kernel *kernel)
{
    if (EMU_CHOICE(FENCES_DESCEND, kernel->fence < FIRST_FENCE || ++kernel->fence == 0,
                   kernel->fence == 0 || --kernel->fence < FIRST_FENCE))
        kernel->fence = EMU_CHOICE(FENCES_DESCEND, FIRST_FENCE, 0xFFFFFFF0u);
    return kernel->fence;
}

/* "A single paging buffer is used for several independent submissions" (document 004,
 * pDmaBufferPrivateData). */
static wcts_status prepare_buffer(struct emu_kernel *kernel)
{
    struct emu_paging_buffer *buffer = &kernel->paging;
    struct emu_extent dma, data;
    if (EMU_CHOICE_AT(paging_buffer, buffer->address == 0, emu_choice_begin(buffer))) {
        if (!emu_memory_take(kernel, BUFFER_SIZE, &dma) ||
            !emu_memory_take(kernel, PRIVATE_SIZE, &data))
            return WCTS_STATUS_NO_MEMORY;
        buffer->address = dma.address;
        buffer->private_data = data.address;
        EMU_CHOICE(BUFFERS_FROM_ONE_POOL, (void)0,
                   emu_choice_give_buffer(kernel, dma.address, data.address));
    }
    if (BUFFER_SIZE - buffer->used < LEAST_ROOM ||
        PRIVATE_SIZE - buffer->private_used < LEAST_ROOM) {
        buffer->used = 0;
        buffer->private_used = 0;
    }
    return WCTS_STATUS_SUCCESS;
}

void emu_paging_send(struct emu_kernel *kernel, const struct wcts_driver_patch_request *patch,
                     const struct wcts_driver_submit_request *submit)
{
    const int passed = EMU_FAULT("HDR-014.patched", 1, kernel->paging_requests < 2);
    const int submitted =
        EMU_FAULT("HDR-014.submitted", 1, 0) &&
        EMU_FAULT("HDR-014.submitted+power", 1, kernel->operation != WCTS_KERNEL_POWER);
    wcts_status status = WCTS_STATUS_SUCCESS;
    if (passed)
        status =
            emu_port_call(&kernel->base.port, WCTS_DRIVER_PATCH, patch, sizeof(*patch), 0, NULL);
    /* The content has moved by now: what the driver answers cannot undo that. */
    if (submitted && (wcts_succeeded(status) || emu_operation_missing(status)))
        status = EMU_CHOICE(
            PAGING_SUBMITTED_LATE,
            emu_port_call(&kernel->base.port, WCTS_DRIVER_SUBMIT, submit, sizeof(*submit), 0, NULL),
            emu_choice_submit_late(kernel, submit));
    if (!wcts_succeeded(status) && !emu_operation_missing(status))
        emu_log(kernel->base.host, "emulator: the driver failed to submit a paging buffer");
}

/* Has the part [start, end) of the paging buffer patched and submitted. Document 004: the lists
 * are NULL and everything about them is zero for paging operations. */
static void submit_part(struct emu_kernel *kernel, uint64_t context, uint32_t start, uint32_t end,
                        uint32_t flags)
{
    const struct emu_paging_buffer *buffer = &kernel->paging;
    const struct wcts_driver_patch_request patch = {
        .size = sizeof(patch),
        .Patch = {.hContext = EMU_FAULT("HDR-005.paging-patched", context, 0),
                  .DmaBufferPhysicalAddress = buffer->address,
                  .pDmaBuffer = buffer->address,
                  .DmaBufferSize = BUFFER_SIZE,
                  .DmaBufferSubmissionStartOffset = start,
                  .DmaBufferSubmissionEndOffset = end,
                  .pDmaBufferPrivateData = buffer->private_data,
                  .DmaBufferPrivateDataSize = PRIVATE_SIZE,
                  .DmaBufferPrivateDataSubmissionStartOffset =
                      EMU_FAULT("PAT-008.start", buffer->private_used, PRIVATE_SIZE + 1),
                  .DmaBufferPrivateDataSubmissionEndOffset =
                      EMU_FAULT("HDR-038", PRIVATE_SIZE, PRIVATE_SIZE - 8),
                  .pAllocationList =
                      EMU_FAULT("PAT-010+power", EMU_FAULT("PAT-010", 0u, sizeof(patch)),
                                context == 0 ? sizeof(patch) : 0u),
                  .AllocationListSize =
                      EMU_FAULT("PAT-030+power", EMU_FAULT("PAT-030", 0u, 1u), context == 0),
                  .pPatchLocationList = EMU_FAULT("PAT-031", 0u, sizeof(patch)),
                  .PatchLocationListSize = EMU_FAULT("PAT-011", 0u, 1u),
                  .PatchLocationListSubmissionStart = EMU_FAULT("PAT-032", 0u, 1u),
                  .PatchLocationListSubmissionLength = EMU_FAULT("PAT-033", 0u, 1u),
                  .SubmissionFenceId = EMU_FAULT_DO(
                      "PAT-038.submitted+power", emu_fence_next(kernel),
                      context == 0 && kernel->fence != 0 ? kernel->fence : emu_fence_next(kernel)),
                  .Flags = flags}};
    const struct wcts_driver_submit_request submit = {.size = sizeof(submit),
                                                      .hContext = context,
                                                      .DmaBufferSize = BUFFER_SIZE,
                                                      .DmaBufferPhysicalAddress = buffer->address,
                                                      .DmaBufferSubmissionStartOffset = start,
                                                      .DmaBufferSubmissionEndOffset = end,
                                                      .SubmissionFenceId =
                                                          patch.Patch.SubmissionFenceId,
                                                      .Flags = EMU_PATCH_PAGING};
    EMU_CHOICE(PAGING_BUILT_AHEAD, emu_paging_send(kernel, &patch, &submit),
               emu_choice_hold(kernel, &patch, &submit));
}

/* For a fault: the context, or, of work, that of the first device. */
static uint64_t first_context(const struct emu_kernel *kernel, uint64_t context)
{
    return context != 0 && kernel->operation == WCTS_KERNEL_SUBMIT
               ? emu_device_first(kernel)->driver_context
               : context;
}

/* For a fault: by what the driver knows the device of a context. */
static uint64_t device_of(const struct emu_kernel *kernel, uint64_t context)
{
    uint32_t i;
    for (i = 0; context != 0 && i < kernel->handles.count; i++) {
        const struct emu_device *device = kernel->handles.entries[i].object;
        if (kernel->handles.entries[i].kind == EMU_HANDLE_DEVICE &&
            device->driver_context == context && device->adapter->creates_contexts)
            return device->driver_device;
    }
    return context;
}

/* For a fault: without the last of several bytes. */
static uint32_t one_less(uint32_t length)
{
    return length > 1 ? length - 1 : length;
}

/* Sends one request, whose operation and range are filled in. */
static wcts_status page(struct emu_kernel *kernel, struct wcts_driver_paging_request *request,
                        uint64_t context)
{
    struct emu_paging_buffer *buffer = &kernel->paging;
    const struct wcts_driver_paging_reply *answer;
    struct emu_reply reply;
    uint64_t data;
    uint32_t start, length, flags;
    wcts_status status = prepare_buffer(kernel);
    if (!wcts_succeeded(status))
        return status;
    start = buffer->used;
    data = buffer->private_data + buffer->private_used;
    request->size = sizeof(*request);
    request->hContext = EMU_FAULT("HDR-005.paging", context, first_context(kernel, context));
    request->hContext = EMU_FAULT("HDR-005.paging+none", request->hContext,
                                  kernel->operation == WCTS_KERNEL_SUBMIT ? 0 : request->hContext);
    request->hContext = EMU_FAULT(
        "HDR-005.preempted", request->hContext,
        kernel->operation == WCTS_KERNEL_PREEMPT ? device_of(kernel, context) : request->hContext);
    request->pDmaBuffer = buffer->address + start;
    request->DmaSize = EMU_FAULT("HDR-014.room", BUFFER_SIZE - start, BUFFER_SIZE);
    request->pDmaBufferPrivateData = data;
    request->DmaBufferPrivateDataSize = PRIVATE_SIZE - buffer->private_used;
    kernel->paging_requests++;
    status =
        emu_port_call(&kernel->base.port, WCTS_DRIVER_PAGING, request, sizeof(*request), 0, &reply);
    if (!wcts_succeeded(status))
        return emu_operation_missing(status) ? WCTS_STATUS_NOT_SUPPORTED : status;
    answer = reply.data;
    length = answer->DmaLength <= request->DmaSize ? answer->DmaLength : 0;
    buffer->used += (length + 7) & ~7u;
    /* The range that the driver chose is that of this submission and those after it. */
    if (EMU_FAULT("PAT-042", answer->pDmaBufferPrivateData, data) > data &&
        EMU_FAULT("PAT-042+many", 1, buffer->private_used < 0x100) &&
        answer->pDmaBufferPrivateData - data <= request->DmaBufferPrivateDataSize)
        buffer->private_used += (uint32_t)(answer->pDmaBufferPrivateData - data);
    buffer->private_used =
        EMU_FAULT("PAT-042.range", buffer->private_used, buffer->private_used | 0x40);
    flags = EMU_FAULT("PAT-017.in", (uint32_t)EMU_PATCH_PAGING,
                      request->Operation == WCTS_PAGING_MAP_APERTURE ? 0u : EMU_PATCH_PAGING);
    flags = EMU_FAULT(
        "PAT-017.out", flags,
        request->Operation == WCTS_PAGING_TRANSFER && request->DestinationSegmentId == 0 ? 0u
                                                                                         : flags);
    flags = EMU_FAULT("PAT-017.in+third", flags, kernel->paging_requests > 2 ? 0u : flags);
    flags = EMU_FAULT("PAT-017.out+unmap", flags,
                      request->Operation == WCTS_PAGING_UNMAP_APERTURE ? 0u : flags);
    flags =
        EMU_FAULT("PAT-017.power", flags,
                  context == 0 && request->Operation == WCTS_PAGING_UNMAP_APERTURE ? 0u : flags);
    flags =
        EMU_FAULT("PAT-017.paging", flags, kernel->operation == WCTS_KERNEL_SUBMIT ? 0u : flags);
    submit_part(kernel, context, start, start + EMU_FAULT("HDR-014.part", length, one_less(length)),
                flags);
    return status;
}

/* True when a content goes by the handle. */
static int is_given(const struct emu_kernel *kernel, uint64_t handle)
{
    const struct emu_content *content = kernel->contents;
    while (content != NULL && content->driver_allocation != handle)
        content = content->next;
    return content != NULL;
}

/* For faults: a handle with one bit flipped. The highest bits come first: a driver that counts, or
 * takes addresses, has not given such a value to what is gone, either. */
static uint64_t never_given(const struct emu_kernel *kernel, uint64_t handle)
{
    uint64_t bit = UINT64_C(1) << 62;
    while (bit > 1 && (handle == bit || is_given(kernel, handle ^ bit)))
        bit >>= 1;
    return handle ^ bit;
}

/* For faults: true when a request has the wrong handle. It is the last one for what is moved, and
 * never the first one of the call, so that only who looks at all of them notices. inwards: it
 * fetches or maps. What makes room for another one is that of AIN-031.room. */
static int misnamed(const struct emu_kernel *kernel, int inwards, int last)
{
    const int later = last && kernel->paging_requests != 0 && kernel->newcomer == NULL;
    const uint32_t call = later ? kernel->operation : 0;
    return EMU_FAULT("AIN-031.brought", 0, call == WCTS_KERNEL_PAGE_IN && inwards) ||
           EMU_FAULT("AIN-031.evicted", 0, call == WCTS_KERNEL_EVICT && !inwards) ||
           EMU_FAULT("AIN-031.power", 0, call == WCTS_KERNEL_POWER && !inwards);
}

/* Sends a request for a run. A driver that refuses a wrong handle is told the right one behind it:
 * what is moved is moved all the same, and nothing but the handle is wrong. */
static wcts_status page_run(struct emu_kernel *kernel, struct wcts_driver_paging_request *request,
                            uint64_t context, int inwards, int last)
{
    const uint64_t handle = request->hAllocation;
    wcts_status status;
    if (!misnamed(kernel, inwards, last))
        return page(kernel, request, context);
    request->hAllocation = never_given(kernel, handle);
    status = page(kernel, request, context);
    request->hAllocation = handle;
    return status == WCTS_STATUS_INVALID_HANDLE ? page(kernel, request, context) : status;
}

/* The name of a segment in a request. */
static uint32_t space_of(const struct emu_segment *segment)
{
    return WCTS_SPACE(segment->adapter->index, segment->id);
}

/* For a fault: a run beyond 64 KiB without what is left behind its last 64 KiB. */
static uint64_t without_rest(uint64_t length)
{
    return length > EMU_64KB ? length & ~(EMU_64KB - 1) : length;
}

/* Moves a run of a backing store where no driver does: the memory of the segment is the kernel's
 * own. */
static wcts_status move_run(struct emu_kernel *kernel, const struct emu_block *block,
                            uint64_t offset, uint64_t address, uint64_t length, int fetch)
{
    const uint64_t there = block->segment->base_address + block->offset + offset;
    return emu_memory_copy(kernel, 0, fetch ? there : address, fetch ? address : there, length);
}

/* A run without its part behind a limit of the allocation. */
static uint64_t cut_at(uint64_t offset, uint64_t length, uint64_t limit)
{
    if (offset >= limit)
        return 0;
    return length < limit - offset ? length : limit - offset;
}

/* For faults: how much of a run is transferred, of allocations of one sort or another. */
static uint64_t part_of_run(const struct emu_kernel *kernel, const struct emu_instance *instance,
                            uint64_t offset, uint64_t length, int fetch)
{
    const uint64_t size = instance->backing.size;
    const uint64_t whole = size > EMU_64KB ? size & ~(EMU_64KB - 1) : size;
    const int small = size <= kernel->base.host->page_size;
    if (!fetch) {
        length = EMU_FAULT("AIN-027.kept+ragged", length, cut_at(offset, length, whole));
        length = EMU_FAULT("AIN-027.kept+large", length, cut_at(offset, length, SOME_PAGES));
        length = EMU_FAULT("AIN-027.kept+section", length,
                           kernel->operation == WCTS_KERNEL_EVICT &&
                                   (instance->content->flags & EMU_CREATE_EXISTING_SECTION)
                               ? 0
                               : length);
        return EMU_FAULT("AIN-027.kept+small", length, small ? 0 : length);
    }
    length = EMU_FAULT("SEG-003+ragged", length, cut_at(offset, length, whole));
    length = EMU_FAULT("SEG-003+large", length, cut_at(offset, length, SOME_PAGES));
    length = EMU_FAULT("SEG-003+small", length, small ? 0 : length);
    length = EMU_FAULT("SEG-003+second", length, instance->content->place == 1 ? 0 : length);
    length = EMU_FAULT("SEG-003+back", length, instance->moves != 0 ? 0 : length);
    length = EMU_FAULT("SEG-003+slept", length,
                       instance->block.segment->adapter->slept && offset != 0 ? 0 : length);
    return EMU_FAULT("SEG-003.work", length, instance->pinned ? 0 : length);
}

/* Transfers the content run by run: "the memory manager transfers the content of the allocation
 * from the system memory backing store to the segment's location" (document 003, Aperture), and
 * back. */
static wcts_status transfer(struct emu_kernel *kernel, struct emu_instance *instance,
                            uint64_t context, int fetch)
{
    const struct emu_block *block = &instance->block;
    /* For faults: to evict it, and not for the power to go. */
    const int asked = !fetch && context != 0;
    uint64_t offset, length, address;
    wcts_status status = WCTS_STATUS_SUCCESS;
    for (offset = 0; wcts_succeeded(status); offset += length) {
        struct wcts_driver_paging_request request = {
            .Operation = (uint32_t)EMU_FAULT("AIN-027.transfer+fill", WCTS_PAGING_TRANSFER,
                                             asked ? WCTS_PAGING_FILL : WCTS_PAGING_TRANSFER),
            .hAllocation = EMU_FAULT("AIN-031.paging", instance->content->driver_allocation,
                                     fetch ? 0 : instance->content->driver_allocation)};
        request.hAllocation += (uint64_t)EMU_FAULT("AIN-027.transfer+handle", 0, asked);
        request.hAllocation =
            EMU_FAULT("AIN-031.room", request.hAllocation,
                      kernel->newcomer != NULL ? kernel->newcomer->content->driver_allocation
                                               : request.hAllocation);
        length = emu_backing_run(kernel, &instance->backing, offset, &address);
        EMU_CHOICE_AT(run, (void)0, (void)(length = emu_choice_run(length)));
        if (length == 0)
            break;
        request.TransferSize = part_of_run(kernel, instance, offset, length, fetch);
        request.TransferSize = EMU_FAULT("AIN-027.transfer+large", request.TransferSize,
                                         asked ? without_rest(length) : request.TransferSize);
        request.TransferSize =
            EMU_FAULT("AIN-027.power", request.TransferSize,
                      fetch || asked ? request.TransferSize : cut_at(offset, length, SOME_PAGES));
        request.SourceSegmentId = fetch ? 0 : space_of(block->segment);
        request.SourceSegmentId = EMU_FAULT("AIN-027.transfer+source", request.SourceSegmentId,
                                            asked ? 0 : request.SourceSegmentId);
        request.SourceAddress = fetch ? address : block->offset + offset;
        request.DestinationSegmentId = fetch ? space_of(block->segment) : 0;
        request.DestinationAddress =
            fetch ? block->offset +
                        EMU_FAULT("SEG-003", offset,
                                  offset / kernel->base.host->page_size << EMU_GPU_PAGE_SHIFT)
                  : address;
        status = kernel->base.probe ? page_run(kernel, &request, context, fetch,
                                               offset + length >= instance->backing.size)
                                    : move_run(kernel, block, offset, address, length, fetch);
    }
    instance->moves++;
    EMU_CHOICE_AT(built, (void)0, emu_choice->built(kernel));
    return status;
}

/* True when the backing store holds zeros that nobody has written, and the driver fills: it is the
 * kernel's own, was in no segment and has no view. */
static int is_blank(const struct emu_kernel *kernel, const struct emu_instance *instance)
{
    const struct emu_backing *backing = &instance->backing;
    const struct emu_segment *segment = instance->block.segment;
    int written = backing->dirty || !backing->owned;
    written = EMU_FAULT("SEG-003+filled", written, !backing->owned);
    written = EMU_FAULT("SEG-003+filled-back", written, instance->moves == 0 && written);
    written = EMU_FAULT("SEG-003+filled-existing", written, backing->owned && backing->dirty);
    return kernel->base.probe && segment->adapter->fills && emu_segment_has_memory(segment) &&
           !written;
}

/* Makes the whole block zero: of content that nobody has written nothing is to be moved. */
static wcts_status fill(struct emu_kernel *kernel, struct emu_instance *instance, uint64_t context)
{
    const struct emu_block *block = &instance->block;
    const uint64_t page = kernel->base.host->page_size;
    struct wcts_driver_paging_request request = {
        .Operation = WCTS_PAGING_FILL,
        .hAllocation = instance->content->driver_allocation,
        .DestinationSegmentId = space_of(block->segment),
        .DestinationAddress = block->offset,
        .TransferSize = EMU_FAULT("CAF-057+short-fill", block->size,
                                  block->size > page ? block->size - page : block->size)};
    wcts_status status = page_run(kernel, &request, context, 1, 1);
    instance->moves += !emu_operation_missing(status);
    EMU_CHOICE_AT(built, (void)0, emu_choice->built(kernel));
    return status;
}

wcts_status emu_paging_fetch(struct emu_kernel *kernel, struct emu_instance *instance,
                             uint64_t context)
{
    wcts_status status = WCTS_STATUS_NOT_SUPPORTED;
    EMU_CHOICE_AT(transfer, (void)0, emu_choice->transfer(kernel, instance, context, page));
    if (is_blank(kernel, instance))
        status = fill(kernel, instance, context);
    /* A driver that fills nothing of this kind gets the zeros as they are. */
    return emu_operation_missing(status) ? transfer(kernel, instance, context, 1) : status;
}

wcts_status emu_paging_flush(struct emu_kernel *kernel, struct emu_instance *instance,
                             uint64_t context)
{
    return transfer(kernel, instance, context, 0);
}

wcts_status emu_paging_through(struct emu_kernel *kernel, struct emu_instance *instance,
                               const struct emu_block *aperture, uint64_t context)
{
    struct wcts_driver_paging_request request = {
        .Operation = WCTS_PAGING_TRANSFER,
        .hAllocation = instance->content->driver_allocation,
        .SourceSegmentId = space_of(instance->block.segment),
        .SourceAddress = instance->block.offset,
        .DestinationSegmentId = space_of(aperture->segment),
        .DestinationAddress = aperture->offset,
        .TransferSize = EMU_FAULT("SEG-056.evict", instance->backing.size,
                                  aperture->segment->flags & EMU_SEGMENT_AGP
                                      ? instance->backing.size - kernel->base.host->page_size
                                      : instance->backing.size)};
    wcts_status status;
    request.TransferSize = EMU_FAULT("AIN-013.kept", request.TransferSize,
                                     instance->content->info.Size & ~(uint64_t)0xFFF);
    request.TransferSize = EMU_FAULT("AIN-013.kept+large", request.TransferSize,
                                     cut_at(0, request.TransferSize, SOME_PAGES));
    request.TransferSize =
        EMU_FAULT("AIN-013.kept+small", request.TransferSize,
                  request.TransferSize <= kernel->base.host->page_size ? 0 : request.TransferSize);
    instance->moves++;
    if (!kernel->base.probe)
        return transfer(kernel, instance, context, 0);
    status = page_run(kernel, &request, context, 0, 1);
    EMU_CHOICE_AT(built, (void)0, emu_choice->built(kernel));
    return status;
}

void emu_paging_disturb(struct emu_kernel *kernel, const struct emu_content *content,
                        uint64_t context)
{
    struct wcts_driver_paging_request request = {.Operation = WCTS_PAGING_TRANSFER,
                                                 .hAllocation = content->driver_allocation};
    if (!content->driver_knows && kernel->base.probe)
        (void)page(kernel, &request, context);
}

/* For a fault. */
static uint32_t is_visible_aperture(const struct emu_segment *segment)
{
    return segment != NULL && (segment->flags & EMU_SEGMENT_APERTURE) &&
           (segment->flags & EMU_SEGMENT_CPU_VISIBLE);
}

/* For a fault: true for an allocation of one GPU page where host pages have 16, and while it lives.
 */
static int is_sliver(const struct emu_kernel *kernel, const struct emu_mapping *mapping)
{
    const struct emu_instance *instance = mapping->block->instance;
    return kernel->base.host->page_size == EMU_64KB && instance != NULL && !kernel->stopping &&
           kernel->operation != WCTS_KERNEL_ALLOCATION_DESTROY &&
           instance->content->info.Size <= EMU_GPU_PAGE_SIZE;
}

/* For a fault: true of a refusal of what KERNEL_PAGE_IN asks for, not of what makes room for it. */
static int paged_in(const struct emu_kernel *kernel, wcts_status status)
{
    return kernel->operation == WCTS_KERNEL_PAGE_IN && kernel->newcomer == NULL &&
           !wcts_succeeded(status) && !emu_operation_missing(status);
}

/* Maps or unmaps the part of the mapping before its byte end, run by run. *done: how far it came.
 */
static wcts_status each_run(struct emu_kernel *kernel, const struct emu_mapping *mapping,
                            uint32_t operation, uint64_t context, uint64_t *done)
{
    const int inwards = operation == WCTS_PAGING_MAP_APERTURE; /* for faults */
    wcts_status status = WCTS_STATUS_SUCCESS;
    uint64_t length = 0, address;
    for (*done = 0; *done < mapping->length && kernel->base.probe; *done += length) {
        struct wcts_driver_paging_request request = {
            .Operation = operation,
            .hAllocation =
                EMU_FAULT("AIN-013.asked+handle", mapping->hAllocation, mapping->hAllocation + 1),
            .SegmentId = space_of(mapping->block->segment)};
        request.hAllocation = EMU_FAULT("AIN-031.unmapped", request.hAllocation,
                                        inwards ? request.hAllocation : kernel->mapped_last);
        if (inwards)
            kernel->mapped_last = request.hAllocation; /* for a fault */
        const uint64_t offset = mapping->offset + *done;
        length = emu_backing_run(kernel, mapping->backing, offset, &address);
        EMU_CHOICE_AT(run, (void)0, (void)(length = emu_choice_run(length)));
        if (length > mapping->length - *done)
            length = mapping->length - *done;
        if (length == 0)
            break;
        request.OffsetInPages = EMU_FAULT(
            "SEG-035.mapped", (mapping->block->offset + offset) >> EMU_GPU_PAGE_SHIFT,
            (mapping->block->offset >> EMU_GPU_PAGE_SHIFT) + offset / kernel->base.host->page_size);
        request.OffsetInPages -=
            EMU_FAULT("HDR-026.first+again", UINT64_C(0),
                      mapping->block->instance != NULL && mapping->block->instance->moves > 1
                          ? mapping->block->offset >> EMU_GPU_PAGE_SHIFT
                          : 0);
        request.OffsetInPages +=
            EMU_FAULT("SEG-008.mapped", 0u, is_visible_aperture(mapping->block->segment));
        request.NumberOfPages = length >> EMU_GPU_PAGE_SHIFT;
        request.NumberOfPages =
            EMU_FAULT("SEG-035.mapped+ragged", request.NumberOfPages,
                      length > EMU_64KB ? (length & ~(EMU_64KB - 1)) >> EMU_GPU_PAGE_SHIFT
                                        : request.NumberOfPages);
        request.NumberOfPages = EMU_FAULT("SEG-035.mapped+large", request.NumberOfPages,
                                          cut_at(offset, length, SOME_PAGES) >> EMU_GPU_PAGE_SHIFT);
        request.NumberOfPages -=
            EMU_FAULT("HDR-026.last", UINT64_C(0),
                      (uint64_t)(!inwards && mapping->length > EMU_GPU_PAGE_SIZE &&
                                 *done + length >= mapping->length));
        request.NumberOfPages -= EMU_FAULT("HDR-026.last+64k", UINT64_C(0),
                                           (uint64_t)(!inwards && is_sliver(kernel, mapping)));
        if (!inwards && request.NumberOfPages == 0) /* while such a fault is on, not else */
            break;
        request.SystemAddress = address;
        status = page_run(kernel, &request, context, inwards, *done + length >= mapping->length);
        status = EMU_FAULT("SEG-035.mapped+refused", status,
                           inwards && paged_in(kernel, status) ? WCTS_STATUS_SUCCESS : status);
        if (!wcts_succeeded(status))
            break;
    }
    EMU_CHOICE_AT(built, (void)0, emu_choice->built(kernel));
    return status;
}

wcts_status emu_paging_map(struct emu_kernel *kernel, const struct emu_mapping *mapping,
                           uint64_t context)
{
    struct emu_mapping mapped = *mapping;
    wcts_status status;
    EMU_CHOICE_AT(mapping, (void)0, emu_choice->mapping(kernel, mapping, context, page));
    status = each_run(kernel, mapping, WCTS_PAGING_MAP_APERTURE, context, &mapped.length);
    if (!wcts_succeeded(status) && mapped.length != 0)
        (void)emu_paging_unmap(kernel, &mapped, context);
    return status;
}

wcts_status emu_paging_unmap(struct emu_kernel *kernel, const struct emu_mapping *mapping,
                             uint64_t context)
{
    uint64_t done;
    return each_run(kernel, mapping, WCTS_PAGING_UNMAP_APERTURE, context, &done);
}
