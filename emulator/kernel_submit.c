/* SPDX-License-Identifier: MIT */
/* KERNEL_SUBMIT and KERNEL_PRESENT: DMA buffers by document 004. The driver renders (DxgkDdiRender,
 * DxgkDdiPresent), what it then names is paged in, the driver patches with the addresses
 * (DxgkDdiPatch), and the buffer is submitted. */
#include "emu_flags.h"
#include "emu_submission.h"

#include <stdlib.h>
#include <string.h>

#define LEAST_DMA_SIZE 0x4000u
#define MOST_COMMAND_LENGTH 0x1000000u

/* A submit call on its way, or a present as the submit call that it comes to. */
struct submit {
    struct emu_kernel *kernel;
    const struct wcts_kernel_submit_request *asked;
    uint32_t operation; /* WCTS_DRIVER_RENDER or WCTS_DRIVER_PRESENT */
    struct emu_device *device;
    struct emu_allocation **allocations; /* AllocationCount, NULL for none; owned */
    const unsigned char *command;
    const unsigned char *locations;
    struct emu_submission *made; /* owned until it is the device's last */
};

/* ---- What the caller asks for ---- */

static wcts_status find_allocations(struct submit *submit, const void *request,
                                    uint32_t request_size)
{
    const uint32_t count = submit->asked->AllocationCount;
    const unsigned char *handles = wcts_message_at(
        request, request_size, submit->asked->pAllocations, count, sizeof(uint32_t));
    uint32_t i, handle;
    if (count == 0)
        return WCTS_STATUS_SUCCESS;
    if (handles == NULL)
        return WCTS_STATUS_INVALID_PARAMETER;
    submit->allocations = calloc(count, sizeof(*submit->allocations));
    if (submit->allocations == NULL)
        return WCTS_STATUS_NO_MEMORY;
    for (i = 0; i < count; i++) {
        memcpy(&handle, handles + (size_t)i * sizeof(handle), sizeof(handle));
        submit->allocations[i] = emu_allocation_of(submit->kernel, submit->device->hDevice, handle);
        if (submit->allocations[i] == NULL)
            return WCTS_STATUS_INVALID_HANDLE;
        /* Document 000, NoKmdAccess: the driver does not know of it. */
        if (EMU_CHOICE(
                RENDERS_WITHOUT_IT,
                EMU_FAULT("CAF-037.submitted", !submit->allocations[i]->content->driver_knows, 0),
                !submit->allocations[i]->content->driver_knows &&
                    !emu_choice_leave_out(submit->asked)))
            return WCTS_STATUS_NOT_SUPPORTED;
    }
    return WCTS_STATUS_SUCCESS;
}

/* A part of a DMA buffer. */
struct part {
    uint32_t start;
    uint32_t end; /* asked for: 0 is the end of what is rendered */
};

static struct part part_asked(const struct wcts_kernel_submit_request *asked)
{
    const int backwards = asked->EndOffset != 0 && asked->StartOffset > asked->EndOffset;
    const struct part given = {asked->StartOffset, asked->EndOffset};
    const struct part swapped = {asked->EndOffset, asked->StartOffset};
    return EMU_FAULT("HDR-010", 0, backwards) ? swapped : given;
}

static wcts_status read_request(struct submit *submit, const void *request, uint32_t request_size)
{
    const struct wcts_kernel_submit_request *asked = submit->asked;
    const struct part part = part_asked(asked);
    submit->command =
        wcts_message_at(request, request_size, asked->pCommand, asked->CommandLength, 1);
    submit->locations =
        wcts_message_at(request, request_size, asked->pPatchLocationList,
                        asked->PatchLocationListSize, sizeof(struct wcts_D3DDDI_PATCHLOCATIONLIST));
    if ((submit->command == NULL && asked->CommandLength != 0) ||
        (submit->locations == NULL && asked->PatchLocationListSize != 0) ||
        asked->CommandLength > MOST_COMMAND_LENGTH || (part.end != 0 && part.start > part.end))
        return WCTS_STATUS_INVALID_PARAMETER;
    /* The part of the list that is to be processed is a part of it. */
    if (asked->PatchLocationListSubmissionStart > asked->PatchLocationListSize ||
        asked->PatchLocationListSubmissionLength >
            asked->PatchLocationListSize - asked->PatchLocationListSubmissionStart)
        return WCTS_STATUS_INVALID_PARAMETER;
    return find_allocations(submit, request, request_size);
}

static int is_present(const struct submit *submit)
{
    return submit->operation == WCTS_DRIVER_PRESENT;
}

/* True when what is presented, source or destination by its index, is of another process. */
static int is_foreign(const struct submit *submit, const struct emu_allocation *allocation,
                      uint32_t index)
{
    const int foreign = allocation->device->process != submit->device->process;
    return EMU_FAULT("HDR-022.source", foreign, foreign && index != EMU_PRESENT_SOURCE) &&
           EMU_FAULT("HDR-022.destination", 1, index != EMU_PRESENT_DESTINATION);
}

/* True when the driver does not know what is presented: "both allocations [...] are known to the
 * driver (no NoKmdAccess)". */
static int is_unknown(const struct emu_allocation *allocation, uint32_t index)
{
    return !allocation->content->driver_knows &&
           EMU_FAULT("HDR-045.source", 1, index != EMU_PRESENT_SOURCE) &&
           EMU_FAULT("HDR-045.destination", 1, index != EMU_PRESENT_DESTINATION);
}

/* Finds what is presented, where the list of DxgkDdiPresent has it. It may be another device's of
 * the process. */
static wcts_status find_presented(struct submit *submit,
                                  const struct wcts_kernel_present_request *asked)
{
    const uint32_t handles[EMU_PRESENT_COUNT] = {
        [EMU_PRESENT_SOURCE] = asked->hSource, [EMU_PRESENT_DESTINATION] = asked->hDestination};
    uint32_t i;
    submit->allocations = calloc(EMU_PRESENT_COUNT, sizeof(*submit->allocations));
    if (submit->allocations == NULL)
        return WCTS_STATUS_NO_MEMORY;
    for (i = EMU_PRESENT_SOURCE; i < EMU_PRESENT_COUNT; i++) {
        struct emu_allocation *allocation =
            emu_handle_object(&submit->kernel->handles, handles[i], EMU_HANDLE_ALLOCATION);
        if (allocation == NULL || is_foreign(submit, allocation, i) ||
            allocation->device->adapter != submit->device->adapter ||
            EMU_FAULT("HDR-080", 0, allocation->device != submit->device))
            return WCTS_STATUS_INVALID_HANDLE;
        if (is_unknown(allocation, i))
            return WCTS_STATUS_INVALID_PARAMETER;
        /* What the driver does not know is no element of the list, while a fault is on. */
        if (allocation->content->driver_knows)
            submit->allocations[i] = allocation;
    }
    return WCTS_STATUS_SUCCESS;
}

/* ---- Rendering ---- */

static wcts_status make_submission(struct submit *submit)
{
    struct emu_kernel *kernel = submit->kernel;
    const uint32_t size =
        EMU_CHOICE(SHORT_COMMANDS_GET_MORE, LEAST_DMA_SIZE + 2 * submit->asked->CommandLength,
                   LEAST_DMA_SIZE + 2 * submit->asked->CommandLength +
                       (submit->asked->CommandLength < 0x20 ? 0x8000 : 0));
    struct emu_submission *made = calloc(1, sizeof(*made));
    wcts_status status;
    if (made == NULL)
        return WCTS_STATUS_NO_MEMORY;
    submit->made = made;
    made->device = submit->device;
    made->patch.Flags = is_present(submit) ? EMU_PATCH_PRESENT : 0;
    /* Document 004, DmaBufferSegmentId: "a contiguous block of system memory". */
    status = emu_backing_make(kernel, &made->dma, size, 1, 0);
    if (wcts_succeeded(status))
        status = emu_backing_make(kernel, &made->data,
                                  EMU_CHOICE(SHORT_COMMANDS_GET_MORE, 1,
                                             submit->asked->CommandLength < 0x20 ? 0x8000 : 1),
                                  1, 0);
    if (wcts_succeeded(status) && (made->dma.base == 0 || made->data.base == 0))
        status = WCTS_STATUS_INSUFFICIENT_RESOURCES;
    return status;
}

/* For faults: the place of a present's source for its destination, and the other way round. */
static uint32_t place_of(const struct submit *submit, uint32_t index)
{
    const struct emu_allocation *onto;
    uint32_t other;
    if (!is_present(submit) || index == 0)
        return index;
    onto = submit->allocations[EMU_PRESENT_DESTINATION];
    other = EMU_PRESENT_COUNT - index;
    index = EMU_FAULT("HDR-012.source+swapped", index, other);
    return EMU_FAULT("HDR-012.source+swapped-onto-nowhere", index,
                     onto != NULL && onto->content->current->block.segment == NULL ? other : index);
}

/* An element of the list for the driver; it names nothing where there is no allocation. */
static struct wcts_DXGK_ALLOCATIONLIST element_of(const struct submit *submit, uint32_t place)
{
    const uint32_t index = place_of(submit, place);
    struct emu_allocation **allocations = submit->allocations;
    const struct emu_allocation *allocation = allocations[index];
    struct wcts_DXGK_ALLOCATIONLIST element = {0};
    const struct emu_content *content;
    uint64_t handle;
    if (allocation == NULL || EMU_FAULT("HDR-012.elements+same", 0,
                                        is_present(submit) && index == EMU_PRESENT_DESTINATION &&
                                            allocation == allocations[EMU_PRESENT_SOURCE]))
        return element;
    content = allocation->content;
    handle = EMU_FAULT("AIN-031.submit", content->driver_allocation,
                       allocations[is_present(submit) ? index : 0]->content->driver_allocation);
    handle = EMU_FAULT(
        "AIN-031.submit+last", handle,
        allocations[index > 1 && !is_present(submit) ? 1u : index]->content->driver_allocation);
    handle = EMU_FAULT("HDR-012.source", handle,
                       allocations[is_present(submit) ? EMU_PRESENT_DESTINATION : index]
                           ->content->driver_allocation);
    handle = EMU_FAULT(
        "HDR-012.destination", handle,
        allocations[is_present(submit) ? EMU_PRESENT_SOURCE : index]->content->driver_allocation);
    element.hDeviceSpecificAllocation =
        EMU_FAULT("AIN-031.submit+opened", handle,
                  allocation->next_holder != NULL ? allocation->hAllocation : handle);
    /* What is presented onto is written. */
    if (is_present(submit) && index == EMU_PRESENT_DESTINATION)
        element.Bits = EMU_LIST_WRITE_OPERATION;
    emu_submission_locate(content->current, &element);
    return element;
}

/* For faults: without the last one of several. */
static uint32_t one_less(uint32_t count)
{
    return count > 1 ? count - 1 : count;
}

/* For faults: true when an allocation is presented onto itself. */
static int onto_itself(const struct submit *submit)
{
    return is_present(submit) &&
           submit->allocations[EMU_PRESENT_SOURCE] == submit->allocations[EMU_PRESENT_DESTINATION];
}

/* How much the driver is given of what was asked for: all of it, and of a present no command. */
static uint32_t command_length(const struct submit *submit)
{
    const uint32_t asked = submit->asked->CommandLength;
    const uint32_t length = EMU_FAULT("HDR-009.command", asked, one_less(asked));
    return EMU_FAULT("HDR-012.command", length, is_present(submit) ? 4u : length);
}

static uint32_t list_length(const struct submit *submit)
{
    const uint32_t count = submit->asked->AllocationCount;
    const uint32_t less = is_present(submit) ? EMU_PRESENT_COUNT - 1 : count;
    const uint32_t given =
        EMU_FAULT("HDR-009.allocations", count, is_present(submit) ? count : one_less(count));
    return EMU_FAULT("HDR-012.list+same", EMU_FAULT("HDR-012.list", given, less),
                     onto_itself(submit) ? less : given);
}

static uint32_t location_count(const struct submit *submit)
{
    const uint32_t count = submit->asked->PatchLocationListSize;
    return EMU_FAULT("HDR-009.locations", count, one_less(count));
}

/* An element of the patch-location list for the driver. */
static struct wcts_D3DDDI_PATCHLOCATIONLIST location_of(const struct submit *submit, uint32_t index)
{
    struct wcts_D3DDDI_PATCHLOCATIONLIST location;
    memcpy(&location, submit->locations + (size_t)index * sizeof(location), sizeof(location));
    location.DriverId = EMU_FAULT("HDR-009.elements", location.DriverId, location.DriverId + 1);
    location.DriverId =
        EMU_FAULT("HDR-009.elements+later", location.DriverId, index == 0 ? location.DriverId : 0);
    return location;
}

/* Appends the command of the caller, or, for faults, one without its last byte, without what is
 * left behind its last whole quadword, or with the second quadword of the one before it. Returns 0
 * when there is no memory. */
static uint32_t append_command(const struct submit *submit, struct emu_message *message)
{
    struct emu_kernel *kernel = submit->kernel;
    const uint32_t length = submit->asked->CommandLength;
    const uint32_t at = emu_message_append(message, submit->command, length);
    unsigned char *bytes;
    uint64_t second;
    uint32_t i;
    if (at == 0)
        return 0;
    bytes = (unsigned char *)message->data + at;
    bytes[length - 1] = (unsigned char)EMU_FAULT("HDR-009.bytes", bytes[length - 1], 0);
    for (i = length / 8 * 8; i < length; i++)
        bytes[i] = (unsigned char)EMU_FAULT("HDR-009.tail", bytes[i], 0);
    if (length <= 16)
        return at;
    memcpy(&second, bytes + 8, sizeof(second));
    if (kernel->second_before == 0)
        kernel->second_before = second;
    EMU_FAULT_DO("HDR-009.bytes+second", (void)0,
                 (void)memcpy(bytes + 8, &kernel->second_before, sizeof(second)));
    kernel->second_before = second;
    return at;
}

static wcts_status build_render(struct submit *submit)
{
    const struct wcts_kernel_submit_request *asked = submit->asked;
    struct emu_message *message = &submit->kernel->request;
    struct wcts_driver_render_request *request;
    uint32_t i, command = 0, allocations = 0, locations = 0;
    int fits = emu_message_begin(message, sizeof(*request));
    if (fits && asked->CommandLength != 0)
        fits = (command = append_command(submit, message)) != 0;
    for (i = 0; fits && i < asked->AllocationCount; i++) {
        const struct wcts_DXGK_ALLOCATIONLIST element = element_of(submit, i);
        const uint32_t at = emu_message_append(message, &element, sizeof(element));
        allocations = i == 0 ? at : allocations;
        fits = at != 0;
    }
    for (i = 0; fits && i < asked->PatchLocationListSize; i++) {
        const struct wcts_D3DDDI_PATCHLOCATIONLIST location = location_of(submit, i);
        const uint32_t at = emu_message_append(message, &location, sizeof(location));
        locations = i == 0 ? at : locations;
        fits = at != 0;
    }
    if (!fits)
        return WCTS_STATUS_NO_MEMORY;
    request = (void *)message->data;
    request->CommandLength = command_length(submit);
    request->hContext = emu_submission_context(submit->kernel, submit->device, is_present(submit));
    request->pCommand = command;
    request->pDmaBuffer = submit->made->dma.base;
    request->DmaSize = (uint32_t)submit->made->dma.size;
    request->AllocationListSize = list_length(submit);
    request->pDmaBufferPrivateData = submit->made->data.base;
    request->DmaBufferPrivateDataSize = (uint32_t)submit->made->data.size;
    request->PatchLocationListSize = location_count(submit);
    request->pAllocationList = allocations;
    request->pPatchLocationList = locations;
    return WCTS_STATUS_SUCCESS;
}

/* The instance that an element names. The handles of a driver may be alike: the allocation that the
 * caller gave at the same place goes first. */
static wcts_status find_instance(const struct submit *submit, uint32_t index, uint64_t handle,
                                 struct emu_instance **instance)
{
    const uint32_t count = submit->asked->AllocationCount;
    uint32_t i;
    *instance = NULL;
    for (i = 0; i <= count; i++) {
        const uint32_t at = i == 0 ? index : i - 1;
        if (at >= count || submit->allocations[at] == NULL ||
            submit->allocations[at]->content->driver_allocation != handle)
            continue;
        *instance = submit->allocations[at]->content->current;
        return WCTS_STATUS_SUCCESS;
    }
    /* An element may name nothing. */
    return handle == 0 ? WCTS_STATUS_SUCCESS : WCTS_STATUS_INVALID_PARAMETER;
}

/* A copy of an array of a reply; NULL for an empty one. Returns 0 when there is no memory. */
static int copy_array(const void *array, uint32_t count, size_t each, unsigned char **copy)
{
    *copy = NULL;
    if (count == 0)
        return 1;
    *copy = malloc(count * each);
    if (*copy != NULL)
        memcpy(*copy, array, count * each);
    return *copy != NULL;
}

/* An allocation list. */
struct list {
    const void *elements;
    uint32_t count;
};

/* For faults: another allocation list for a present than the driver's. */
static void spoil_list(const struct submit *submit, struct list *list)
{
    const struct emu_message *message = &submit->kernel->request;
    const struct wcts_driver_render_request *request = (const void *)message->data;
    const struct emu_submission *last = submit->device->last;
    const struct list own = {message->data + request->pAllocationList, EMU_PRESENT_COUNT};
    const struct list shorter = {list->elements, list->count != 0 ? list->count - 1 : 0};
    static struct wcts_DXGK_ALLOCATIONLIST filled[EMU_PRESENT_COUNT];
    struct list earlier = *list, full = {filled, 0};
    uint32_t i;
    for (i = 0; i < list->count && full.count < EMU_PRESENT_COUNT; i++) {
        memcpy(&filled[full.count],
               (const unsigned char *)list->elements + (size_t)i * sizeof(*filled),
               sizeof(*filled));
        if (filled[full.count].hDeviceSpecificAllocation != 0)
            full.count++;
    }
    if (last != NULL && last->allocations != NULL)
        earlier = (struct list){last->allocations, last->patch.AllocationListSize};
    EMU_FAULT_DO("PAT-035.presented", (void)0, (void)(*list = own));
    EMU_FAULT_DO("PAT-035.presented+empty", (void)0, (void)(*list = full));
    EMU_FAULT_DO("PAT-035.presented-all", (void)0, (void)(*list = shorter));
    EMU_FAULT_DO("PAT-035.same+earlier", (void)0, (void)(*list = earlier));
}

/* For a fault: true when the caller's patch-location list is another one than the driver's. */
static int is_rewritten(const struct submit *submit, const void *locations, uint32_t count)
{
    const uint32_t given = submit->asked->PatchLocationListSize;
    if (is_present(submit))
        return 0;
    return count != given ||
           (count != 0 && memcmp(locations, submit->locations,
                                 count * sizeof(struct wcts_D3DDDI_PATCHLOCATIONLIST)) != 0);
}

/* Keeps the patch-location list of the driver's reply, or, for a fault, the caller's. Returns 0
 * when there is no memory. */
static int keep_locations(const struct submit *submit, const void *locations, uint32_t count)
{
    struct emu_submission *made = submit->made;
    if (EMU_FAULT("PAT-041.elements+asked", 0, is_rewritten(submit, locations, count))) {
        locations = submit->locations;
        count = submit->asked->PatchLocationListSize;
    }
    made->patch.PatchLocationListSize = count;
    return copy_array(locations, count, sizeof(struct wcts_D3DDDI_PATCHLOCATIONLIST),
                      &made->locations);
}

/* Takes the lists of the driver's reply: "the display miniport driver returns an array in the
 * pAllocationList member of DXGKARG_RENDER". */
static wcts_status take_lists(struct submit *submit, const struct emu_reply *reply)
{
    const struct wcts_driver_render_reply *answer = reply->data;
    const size_t element_size = sizeof(struct wcts_DXGK_ALLOCATIONLIST);
    const size_t location_size = sizeof(struct wcts_D3DDDI_PATCHLOCATIONLIST);
    struct list list = {wcts_message_at(reply->data, reply->size, answer->pAllocationList,
                                        answer->AllocationListSize, element_size),
                        answer->AllocationListSize};
    const void *locations = wcts_message_at(reply->data, reply->size, answer->pPatchLocationList,
                                            answer->PatchLocationListSize, location_size);
    struct emu_submission *made = submit->made;
    wcts_status status = WCTS_STATUS_SUCCESS;
    uint32_t i, count;
    if ((list.elements == NULL && list.count != 0) ||
        (locations == NULL && answer->PatchLocationListSize != 0))
        return WCTS_STATUS_INVALID_PARAMETER;
    if (is_present(submit))
        spoil_list(submit, &list);
    count = list.count;
    made->instances = calloc(count ? count : 1, sizeof(*made->instances));
    if (made->instances == NULL ||
        !copy_array(list.elements, count, element_size, &made->allocations) ||
        !keep_locations(submit, locations, answer->PatchLocationListSize))
        return WCTS_STATUS_NO_MEMORY;
    made->patch.AllocationListSize = count;
    for (i = 0; i < count && wcts_succeeded(status); i++) {
        struct wcts_DXGK_ALLOCATIONLIST element;
        memcpy(&element, made->allocations + i * element_size, element_size);
        status = find_instance(submit, i, element.hDeviceSpecificAllocation, &made->instances[i]);
    }
    return status;
}

static wcts_status render(struct submit *submit)
{
    const struct emu_message *message = &submit->kernel->request;
    const struct wcts_driver_render_reply *answer;
    struct emu_submission *made = submit->made;
    struct emu_reply reply;
    wcts_status status = build_render(submit);
    if (wcts_succeeded(status))
        status = emu_port_call(&submit->kernel->base.port, submit->operation, message->data,
                               message->size, 2 * message->size + WCTS_REPLY_ROOM, &reply);
    if (emu_operation_missing(status))
        return WCTS_STATUS_NOT_SUPPORTED;
    if (!wcts_succeeded(status))
        return status;
    answer = reply.data;
    if (answer->DmaLength > made->dma.size || answer->PrivateDataLength > made->data.size)
        return WCTS_STATUS_INVALID_PARAMETER;
    made->dma_length = answer->DmaLength;
    /* DmaBufferPrivateDataSubmissionStartOffset: "always zero for a non-paging request". */
    made->patch.DmaBufferPrivateDataSubmissionStartOffset =
        EMU_FAULT("PAT-009+present", EMU_FAULT("PAT-009", 0u, answer->PrivateDataLength),
                  is_present(submit) ? answer->PrivateDataLength : 0u);
    made->patch.DmaBufferPrivateDataSubmissionEndOffset =
        EMU_FAULT("PAT-008.end",
                  EMU_FAULT("PAT-008.part", answer->PrivateDataLength,
                            submit->asked->StartOffset != 0 ? (uint32_t)made->data.size
                                                            : answer->PrivateDataLength),
                  (uint32_t)made->data.size + 1);
    return take_lists(submit, &reply);
}

/* The end of a part that is asked for without one: of what the driver rendered. */
static uint32_t end_of_rendered(const struct submit *submit, uint32_t start)
{
    const uint32_t length = submit->made->dma_length, size = (uint32_t)submit->made->dma.size;
    const int present = is_present(submit);
    const uint32_t end = EMU_FAULT("HDR-011.whole", length, present ? length : size);
    return EMU_FAULT("HDR-011.whole+moved", end,
                     present || start > size - length ? length : start + length);
}

/* Finds the part that is submitted. Returns 0 when it is no part of the DMA buffer. */
static int find_part(const struct submit *submit, struct part *part)
{
    const uint32_t length = submit->made->dma_length, size = (uint32_t)submit->made->dma.size;
    const uint32_t start = part->start;
    const uint32_t wanted = EMU_FAULT("PAT-028.asked+behind", part->end,
                                      start != 0 && part->end > length ? 0 : part->end);
    uint32_t end = EMU_FAULT("PAT-028.asked", wanted, 0) ? wanted : end_of_rendered(submit, start),
             shift;
    end = EMU_FAULT("HDR-011.inside", end, end > size ? size : end);
    end = EMU_FAULT("HDR-011.end", end,
                    end > length && end <= size && start <= length ? length : end);
    end = EMU_FAULT("HDR-010.whole", end,
                    part->end == 0 && start > end && start <= size ? start : end);
    if (start > end || end > size ||
        EMU_FAULT("HDR-010.empty", 0, part->end == 0 && start != 0 && start == length) ||
        EMU_FAULT("HDR-011.taken", 0, part->end == size))
        return 0;
    shift = EMU_FAULT("HDR-013.whole", 0u, is_present(submit) ? size - length : 0u);
    *part = (struct part){start + shift, end + shift};
    return 1;
}

/* For faults: the patch locations of what is rendered, but the last one, or from the one before the
 * first on. */
static void miss_locations(const struct submit *submit, struct wcts_DXGKARG_PATCH *patch)
{
    const uint32_t start = patch->PatchLocationListSubmissionStart;
    const uint32_t length = patch->PatchLocationListSubmissionLength;
    const int present = is_present(submit);
    patch->PatchLocationListSubmissionStart =
        EMU_FAULT("HDR-036.start", start, start != 0 && !present ? start - 1 : start);
    patch->PatchLocationListSubmissionLength =
        EMU_FAULT("HDR-036.length", length, length > 1 && !present ? length - 1 : length);
    patch->PatchLocationListSubmissionLength =
        EMU_FAULT("HDR-013.locations", patch->PatchLocationListSubmissionLength,
                  length != 0 && present ? length - 1 : patch->PatchLocationListSubmissionLength);
}

/* Fills in the part that is submitted: of the DMA buffer, and of the patch-location list. */
static wcts_status choose_part(struct submit *submit)
{
    const struct wcts_kernel_submit_request *asked = submit->asked;
    struct wcts_DXGKARG_PATCH *patch = &submit->made->patch;
    struct part part = part_asked(asked);
    uint32_t left, end;
    if (!find_part(submit, &part))
        return WCTS_STATUS_INVALID_PARAMETER;
    end = part.end;
    patch->hContext = submit->device->driver_context;
    patch->pDmaBuffer = submit->made->dma.base;
    patch->DmaBufferSize = EMU_FAULT("PAT-027", (uint32_t)submit->made->dma.size, end);
    patch->DmaBufferSize =
        EMU_FAULT("PAT-027+large", patch->DmaBufferSize,
                  patch->DmaBufferSize < EMU_64KB ? patch->DmaBufferSize : (uint32_t)EMU_64KB);
    patch->DmaBufferSize = EMU_FAULT("PAT-027.presented", patch->DmaBufferSize,
                                     is_present(submit) ? end : patch->DmaBufferSize);
    patch->DmaBufferSubmissionStartOffset =
        EMU_FAULT("PAT-006.start", EMU_FAULT("PAT-007.asked", part.start, 0), end + 4);
    patch->DmaBufferSubmissionEndOffset = EMU_FAULT("PAT-006.end", end, patch->DmaBufferSize + 4);
    patch->pDmaBufferPrivateData =
        EMU_FAULT("PAT-043", submit->made->data.base, submit->kernel->paging.private_data);
    patch->DmaBufferPrivateDataSize = EMU_FAULT("PAT-029", (uint32_t)submit->made->data.size,
                                                patch->DmaBufferPrivateDataSubmissionEndOffset);
    patch->DmaBufferPrivateDataSize =
        EMU_FAULT("PAT-029.presented", patch->DmaBufferPrivateDataSize,
                  is_present(submit) ? patch->DmaBufferPrivateDataSubmissionEndOffset
                                     : patch->DmaBufferPrivateDataSize);
    /* The driver may have given back a shorter list. */
    patch->PatchLocationListSubmissionStart = asked->PatchLocationListSubmissionStart;
    if (patch->PatchLocationListSubmissionStart > patch->PatchLocationListSize)
        patch->PatchLocationListSubmissionStart = patch->PatchLocationListSize;
    left = patch->PatchLocationListSize - patch->PatchLocationListSubmissionStart;
    patch->PatchLocationListSubmissionLength = asked->PatchLocationListSubmissionLength < left
                                                   ? asked->PatchLocationListSubmissionLength
                                                   : EMU_FAULT("PAT-012", left, left + 1);
    miss_locations(submit, patch);
    return WCTS_STATUS_SUCCESS;
}

/* Makes a submission the last one of its device. */
static void keep(struct submit *submit)
{
    emu_submission_forget(submit->kernel, submit->device, NULL);
    submit->made->next = submit->kernel->submissions;
    submit->kernel->submissions = submit->made;
    submit->device->last = submit->made;
    submit->made = NULL;
}

/* For a fault: what was rendered, and refused behind that, takes the place of what the device
 * submitted last; all of it, where the part that was asked for is none. */
static void keep_refused(struct submit *submit)
{
    const struct wcts_kernel_submit_request *asked = submit->asked;
    struct wcts_kernel_submit_request whole = *asked;
    if (submit->device->last == NULL)
        return;
    whole.StartOffset = whole.EndOffset = 0;
    submit->asked = &whole;
    if (submit->made->patch.pDmaBuffer != 0 || wcts_succeeded(choose_part(submit)))
        keep(submit);
    submit->asked = asked;
}

/* Has what was asked for rendered, patched and submitted. */
static wcts_status carry_out(struct submit *submit, struct wcts_kernel_submit_reply *reply)
{
    wcts_status status = make_submission(submit);
    uint32_t fence;
    if (wcts_succeeded(status))
        status = render(submit);
    if (!wcts_succeeded(status))
        return status;
    status = choose_part(submit);
    if (wcts_succeeded(status))
        status = emu_submission_send(submit->kernel, submit->made);
    if (!wcts_succeeded(status)) {
        EMU_FAULT_DO("HDR-070", (void)0, keep_refused(submit));
        return status;
    }
    fence = submit->made->patch.SubmissionFenceId;
    reply->SubmissionFenceId = EMU_FAULT("PAT-038.answered", fence, fence - 1);
    keep(submit);
    return status;
}

wcts_status emu_kernel_submit(void *instance, const void *request, uint32_t request_size,
                              void *reply, uint32_t reply_room, uint32_t *reply_size)
{
    const struct wcts_kernel_submit_request *asked = request;
    struct submit submit = {.kernel = instance, .asked = asked, .operation = WCTS_DRIVER_RENDER};
    wcts_status status = WCTS_STATUS_INVALID_HANDLE;
    (void)reply_room, (void)reply_size;
    submit.device = emu_handle_object(&submit.kernel->handles, asked->hDevice, EMU_HANDLE_DEVICE);
    if (!submit.kernel->base.probe)
        return WCTS_STATUS_NOT_SUPPORTED;
    if (submit.device != NULL)
        status = read_request(&submit, request, request_size);
    if (wcts_succeeded(status))
        status = carry_out(&submit, reply);
    if (submit.made != NULL)
        emu_submission_end(submit.kernel, submit.made);
    free(submit.allocations);
    return status;
}

wcts_status emu_kernel_present(void *instance, const void *request, uint32_t request_size,
                               void *reply, uint32_t reply_room, uint32_t *reply_size)
{
    const struct wcts_kernel_present_request *asked = request;
    /* All of the buffer, and all of the patch locations that the driver returns. */
    const struct wcts_kernel_submit_request submitted = {.hDevice = asked->hDevice,
                                                         .AllocationCount = EMU_PRESENT_COUNT,
                                                         .PatchLocationListSubmissionLength =
                                                             UINT32_MAX};
    struct submit submit = {
        .kernel = instance, .asked = &submitted, .operation = WCTS_DRIVER_PRESENT};
    wcts_status status = WCTS_STATUS_INVALID_HANDLE;
    (void)request_size, (void)reply_room, (void)reply_size;
    submit.device = emu_handle_object(&submit.kernel->handles, asked->hDevice, EMU_HANDLE_DEVICE);
    if (!submit.kernel->base.probe)
        return WCTS_STATUS_NOT_SUPPORTED;
    if (submit.device != NULL)
        status = find_presented(&submit, asked);
    if (wcts_succeeded(status))
        status = carry_out(&submit, reply);
    if (submit.made != NULL)
        emu_submission_end(submit.kernel, submit.made);
    free(submit.allocations);
    return status;
}
