/* SPDX-License-Identifier: MIT */
/* The scripted driver: answers from the adapter instances of a world. */
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "probe.h"

/* Distinct handles for allocations of earlier calls. */
#define HANDLE_STRIDE UINT64_C(0x100100000)
/* DXGK_ALLOCATIONUSAGEHINT: a version, and nine words in which 0 says nothing. */
#define USAGE_HINT_SIZE 40u
/* Handles of devices and contexts. */
#define FIRST_DEVICE UINT64_C(0xD0000001000)
#define DEVICE_STRIDE UINT64_C(0x10)

void wcts_machine_probe_find_structures(struct wcts_machine_probe *probe)
{
    static const char *const names[] = {[WCTS_PROBE_INFO] = "DRIVER_INFO",
                                        [WCTS_PROBE_SEGMENTS] = "DRIVER_SEGMENTS_REPLY",
                                        [WCTS_PROBE_SEGMENT] = "DXGK_SEGMENTDESCRIPTOR",
                                        [WCTS_PROBE_ALLOCATION] = "DXGK_ALLOCATIONINFO",
                                        [WCTS_PROBE_STANDARD] = "DRIVER_STANDARD_ALLOCATION_REPLY"};
    for (int i = 0; i < WCTS_PROBE_STRUCTURES; i++)
        probe->structures[i] = wcts_model_spec_structure(probe->spec, names[i]);
}

/* The n-th adapter instance of a structure; -1 if there are fewer. */
static int scripted(const struct wcts_machine_probe *probe, int structure, int n)
{
    for (int i = 0; i < probe->world->adapter_count; i++)
        if (probe->world->instances[i].structure == structure &&
            probe->world->instances[i].present && n-- == 0)
            return i;
    return -1;
}

static int scripted_count(const struct wcts_machine_probe *probe, int structure)
{
    int count = 0;
    for (int i = 0; i < probe->world->adapter_count; i++)
        count +=
            probe->world->instances[i].structure == structure && probe->world->instances[i].present;
    return count;
}

static wcts_status answer_info(struct wcts_machine_probe *probe, void *reply)
{
    struct wcts_driver_info_reply *out = reply;
    int instance = scripted(probe, probe->structures[WCTS_PROBE_INFO], 0);
    const struct wcts_spec *spec = probe->spec;
    if (instance < 0)
        return WCTS_STATUS_NOT_SUPPORTED;
    wcts_machine_instance_write(spec, probe->world, instance, probe->symbols, reply);
    out->size = sizeof *out;
    if (out->first_interface_version == 0)
        out->first_interface_version = spec->versions[0].interface_version;
    if (out->last_interface_version == 0)
        out->last_interface_version = spec->versions[spec->versions_count - 1].interface_version;
    return WCTS_STATUS_SUCCESS;
}

/* Appends the ranges of a segment to the reply; returns their end. */
static uint32_t add_ranges(struct wcts_machine_probe *probe, int segment, uint8_t *reply,
                           uint32_t end, uint32_t room, uint8_t *descriptor)
{
    const struct wcts_world *world = probe->world;
    uint32_t at = end;
    for (int i = 0; i < world->adapter_count; i++) {
        uint32_t each = probe->spec->structures[world->instances[i].structure].size;
        const struct wcts_member *pointer;
        if (world->instances[i].parent != segment || end + each > room)
            continue;
        pointer = wcts_model_ref_member(probe->spec, world->instances[i].at);
        if (world->instances[segment].values[world->instances[i].at.member].symbol ==
            WCTS_SYMBOL_AUTO)
            wcts_exchange_bytes_put(descriptor + pointer->offset, pointer->width, at);
        memset(reply + end, 0, each);
        wcts_machine_instance_write(probe->spec, world, i, probe->symbols, reply + end);
        end += each;
    }
    return end;
}

/* How far apart the descriptors are: as the adapter has it, or no farther than they have to be. */
static uint32_t segment_stride(const struct wcts_machine_probe *probe)
{
    struct wcts_driver_segments_reply segments = {0};
    int instance = scripted(probe, probe->structures[WCTS_PROBE_SEGMENTS], 0);
    if (instance >= 0)
        wcts_machine_instance_write(probe->spec, probe->world, instance, probe->symbols,
                                    (uint8_t *)&segments);
    return segments.Stride > sizeof(struct wcts_DXGK_SEGMENTDESCRIPTOR)
               ? segments.Stride
               : sizeof(struct wcts_DXGK_SEGMENTDESCRIPTOR);
}

static wcts_status answer_segments(struct wcts_machine_probe *probe, uint8_t *reply, uint32_t room,
                                   uint32_t *reply_size)
{
    struct wcts_driver_segments_reply *out = (void *)reply;
    int structure = probe->structures[WCTS_PROBE_SEGMENT];
    uint32_t each = segment_stride(probe);
    uint32_t count = (uint32_t)scripted_count(probe, structure);
    uint32_t end = (uint32_t)sizeof *out + count * each;
    if (end > room)
        return WCTS_STATUS_BUFFER_TOO_SMALL;
    out->Count = count;
    out->Stride = each;
    out->pSegments = sizeof *out;
    memset(reply + sizeof *out, 0, end - sizeof *out);
    for (uint32_t n = 0; n < count; n++) {
        uint8_t *descriptor = reply + sizeof *out + n * each;
        int instance = scripted(probe, structure, (int)n);
        wcts_machine_instance_write(probe->spec, probe->world, instance, probe->symbols,
                                    descriptor);
        end = add_ranges(probe, instance, reply, end, room, descriptor);
        /* Behind it lies what nobody should take for the next one: itself. */
        for (uint32_t byte = sizeof(struct wcts_DXGK_SEGMENTDESCRIPTOR); byte < each; byte++)
            descriptor[byte] = descriptor[byte - sizeof(struct wcts_DXGK_SEGMENTDESCRIPTOR)];
    }
    *reply_size = end;
    return WCTS_STATUS_SUCCESS;
}

/* The instance with which the n-th allocation of a request is answered; -1: none. */
static int answer_for(const struct wcts_machine_probe *probe, int n)
{
    int structure = probe->structures[WCTS_PROBE_ALLOCATION];
    int count = scripted_count(probe, structure);
    if (probe->answer_count > 0)
        return probe->answers[n < probe->answer_count ? n : probe->answer_count - 1];
    return scripted(probe, structure, n < count ? n : count - 1);
}

/* Writes the [out] members of an answer: those of the instance, without the private data. Of the
 * allocations of a request that are answered alike, each has a handle of its own. */
static void answer_allocation(struct wcts_machine_probe *probe, int n,
                              struct wcts_DXGK_ALLOCATIONINFO *info)
{
    int instance = answer_for(probe, n), alike = 0;
    for (int i = 0; i < n; i++)
        alike += answer_for(probe, i) == instance;
    if (instance < 0)
        return;
    wcts_machine_instance_write(probe->spec, probe->world, instance, probe->symbols,
                                (uint8_t *)info);
    info->pPrivateDriverData = 0;
    info->PrivateDriverDataSize = 0;
    if (info->hAllocation)
        info->hAllocation += (uint64_t)probe->creations * HANDLE_STRIDE + (uint64_t)alike * 8;
}

static wcts_status answer_create(struct wcts_machine_probe *probe, const uint8_t *request,
                                 uint32_t request_size, uint8_t *reply, uint32_t room,
                                 uint32_t *reply_size)
{
    const struct wcts_driver_allocation_create_request *in = (const void *)request;
    struct wcts_driver_allocation_create_reply *out = (void *)reply;
    static const uint32_t hint_version = 1;
    uint64_t each = sizeof(struct wcts_DXGK_ALLOCATIONINFO);
    if (!wcts_message_at(request, request_size, in->pAllocationInfo, in->NumAllocations, each))
        return WCTS_STATUS_INVALID_PARAMETER;
    if (in->NumAllocations > (room - sizeof *out) / each)
        return WCTS_STATUS_BUFFER_TOO_SMALL;
    out->NumAllocations = in->NumAllocations;
    out->pAllocationInfo = sizeof *out;
    out->hResource = in->hResource;
    *reply_size = (uint32_t)(sizeof *out + in->NumAllocations * each);
    for (uint32_t i = 0; i < in->NumAllocations; i++) {
        struct wcts_DXGK_ALLOCATIONINFO *info = (void *)(reply + sizeof *out + i * each);
        answer_allocation(probe, (int)i, info);
        if (info->pAllocationUsageHint == 0 || room - *reply_size < USAGE_HINT_SIZE)
            continue;
        memcpy(reply + *reply_size, &hint_version, sizeof hint_version);
        info->pAllocationUsageHint = *reply_size;
        *reply_size += USAGE_HINT_SIZE;
    }
    probe->creations++;
    return WCTS_STATUS_SUCCESS;
}

static wcts_status answer_standard(struct wcts_machine_probe *probe, uint8_t *reply, uint32_t room,
                                   uint32_t *reply_size)
{
    struct wcts_driver_standard_allocation_reply *out = (void *)reply;
    int instance = scripted(probe, probe->structures[WCTS_PROBE_STANDARD], 0);
    if (instance < 0)
        return WCTS_STATUS_NOT_SUPPORTED;
    wcts_machine_instance_write(probe->spec, probe->world, instance, probe->symbols, reply);
    out->size = sizeof *out;
    if (out->AllocationPrivateDriverDataSize == 0)
        return WCTS_STATUS_SUCCESS;
    if (out->AllocationPrivateDriverDataSize > room - sizeof *out)
        return WCTS_STATUS_BUFFER_TOO_SMALL;
    out->pAllocationPrivateDriverData = sizeof *out;
    memset(reply + sizeof *out, 0xA5, out->AllocationPrivateDriverDataSize);
    *reply_size = (uint32_t)sizeof *out + out->AllocationPrivateDriverDataSize;
    return WCTS_STATUS_SUCCESS;
}

/* True if the answer goes on behind its struct; answer_segments() clears what it adds. */
static bool adds_arrays(uint32_t operation)
{
    return operation == WCTS_DRIVER_ALLOCATION_CREATE ||
           operation == WCTS_DRIVER_STANDARD_ALLOCATION || operation == WCTS_DRIVER_RENDER ||
           operation == WCTS_DRIVER_PRESENT;
}

/* True if the scenario has the driver refuse such a paging operation during this call. */
static bool refuses_paging(const struct wcts_machine_probe *probe,
                           const struct wcts_driver_paging_request *request)
{
    return (probe->unmoved && request->Operation == WCTS_PAGING_TRANSFER) ||
           (probe->unmapped && request->Operation == WCTS_PAGING_MAP_APERTURE);
}

wcts_status wcts_machine_probe_call(void *ctx, uint32_t operation, const void *request,
                                    uint32_t request_size, void *reply, uint32_t reply_room,
                                    uint32_t *reply_size)
{
    struct wcts_machine_probe *probe = ctx;
    uint32_t least = wcts_reply_size(operation);
    *reply_size = 0;
    if (least == 0)
        return WCTS_STATUS_NOT_IMPLEMENTED;
    if (request_size < wcts_request_size(operation))
        return WCTS_STATUS_INVALID_PARAMETER;
    if (reply_room < least)
        return WCTS_STATUS_BUFFER_TOO_SMALL;
    memset(reply, 0, adds_arrays(operation) ? reply_room : least);
    *(uint32_t *)reply = least;
    *reply_size = least;
    switch (operation) {
    case WCTS_DRIVER_INFO:
        return answer_info(probe, reply);
    case WCTS_DRIVER_SEGMENTS:
        return answer_segments(probe, reply, reply_room, reply_size);
    case WCTS_DRIVER_ALLOCATION_CREATE:
        if (probe->unmade)
            return WCTS_STATUS_INVALID_PARAMETER;
        return answer_create(probe, request, request_size, reply, reply_room, reply_size);
    case WCTS_DRIVER_STANDARD_ALLOCATION:
        return answer_standard(probe, reply, reply_room, reply_size);
    case WCTS_DRIVER_DEVICE:
    case WCTS_DRIVER_CONTEXT:
        /* A new handle. */
        ((struct wcts_driver_handle_reply *)reply)->Handle =
            FIRST_DEVICE + probe->next_handle++ * DEVICE_STRIDE;
        return WCTS_STATUS_SUCCESS;
    case WCTS_DRIVER_PAGING:
        if (refuses_paging(probe, request))
            return WCTS_STATUS_INVALID_PARAMETER;
        return wcts_machine_probe_paging(probe, request, reply);
    case WCTS_DRIVER_RENDER:
        return wcts_machine_probe_render(probe, request, request_size, reply, reply_room,
                                         reply_size);
    case WCTS_DRIVER_PRESENT:
        return wcts_machine_probe_present(probe, request, request_size, reply, reply_room,
                                          reply_size);
    case WCTS_DRIVER_PATCH:
        return wcts_machine_probe_patches(probe)
                   ? wcts_machine_probe_patch(probe, request, request_size)
                   : WCTS_STATUS_SUCCESS;
    case WCTS_DRIVER_SUBMIT:
        return wcts_machine_probe_patches(probe) ? wcts_machine_probe_submit(probe, request)
                                                 : WCTS_STATUS_SUCCESS;
    case WCTS_DRIVER_ALLOCATION_DESTROY:
        return WCTS_STATUS_SUCCESS;
    default:
        return WCTS_STATUS_NOT_SUPPORTED;
    }
}

/* ---- answers that are sent beforehand ---- */

/* True if the answer depends on nothing but the question and the world. */
static bool is_plain_operation(uint32_t operation)
{
    return operation == WCTS_DRIVER_INFO || operation == WCTS_DRIVER_SEGMENTS ||
           operation == WCTS_DRIVER_STANDARD_ALLOCATION;
}

static uint8_t *copy_probed(const void *bytes, uint32_t size)
{
    uint8_t *made = malloc((size_t)size + 1);
    if (made && size)
        memcpy(made, bytes, size);
    return made;
}

void wcts_machine_answers_note(struct wcts_machine_answers *noted, uint32_t operation,
                               const void *request, uint32_t request_size, wcts_status status,
                               const void *reply, uint32_t reply_size)
{
    struct wcts_machine_answer answer = {.operation = operation,
                                         .status = status,
                                         .question_size = request_size,
                                         .reply_size = reply_size};
    for (int i = 0; i < noted->count; i++)
        if (noted->list[i].operation == operation && noted->list[i].question_size == request_size &&
            memcmp(noted->list[i].question, request, request_size) == 0)
            return;
    if (is_plain_operation(operation) && noted->count < WCTS_MACHINE_ANSWERS_MAX) {
        answer.question = copy_probed(request, request_size);
        answer.reply = copy_probed(reply, reply_size);
    }
    if (answer.question && answer.reply) {
        noted->list[noted->count++] = answer;
    } else {
        free(answer.question);
        free(answer.reply);
        noted->more = true;
    }
}

void wcts_machine_answers_release(struct wcts_machine_answers *answers)
{
    for (int i = 0; i < answers->count; i++) {
        free(answers->list[i].question);
        free(answers->list[i].reply);
    }
    *answers = (struct wcts_machine_answers){0};
}
