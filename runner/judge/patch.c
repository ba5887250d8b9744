/* SPDX-License-Identifier: MIT */
/* What a driver's patching leaves in the DMA buffer, by document 004. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

#define PATTERN 0xEE

static const struct wcts_driver_patch_request *patch_of(const struct wcts_buffer *request)
{
    return (const void *)request->bytes;
}

void wcts_patch_prepare(struct wcts_machine *machine, const struct wcts_buffer *request)
{
    const struct wcts_DXGKARG_PATCH *patch = &patch_of(request)->Patch;
    struct wcts_machine_memory_request *write;
    size_t size = sizeof *write + patch->DmaBufferSize;
    struct wcts_none reply;
    uint32_t reply_size;
    write = calloc(1, size);
    if (!write)
        return;
    *write = (struct wcts_machine_memory_request){.size = sizeof *write,
                                                  .Address = patch->pDmaBuffer,
                                                  .Length = patch->DmaBufferSize,
                                                  .pData = sizeof *write};
    memset(write + 1, PATTERN, patch->DmaBufferSize);
    wcts_machine_call(machine, WCTS_MACHINE_WRITE, write, (uint32_t)size, &reply, sizeof reply,
                      &reply_size);
    free(write);
}

static bool read_memory(struct wcts_machine *machine, uint64_t address, uint32_t length,
                        uint8_t *bytes)
{
    struct wcts_machine_memory_request request = {
        .size = sizeof request, .Address = address, .Length = length};
    struct {
        struct wcts_machine_memory_reply head;
        uint8_t bytes[16];
    } reply;
    uint32_t reply_size;
    wcts_status status = wcts_machine_call(machine, WCTS_MACHINE_READ, &request, sizeof request,
                                           &reply, sizeof reply, &reply_size);
    memcpy(bytes, reply.bytes, length);
    return wcts_succeeded(status);
}

/* Compares one location; false when it is not as expected, with the reason in the result. */
static bool check_location(const struct wcts_trace *trace, const struct wcts_buffer *request,
                           uint32_t index, uint32_t patches, struct wcts_machine *machine,
                           char *text, size_t room)
{
    const struct wcts_DXGKARG_PATCH *patch = &patch_of(request)->Patch;
    const struct wcts_D3DDDI_PATCHLOCATIONLIST *location =
        (const void *)(request->bytes + patch->pPatchLocationList);
    const struct wcts_DXGK_ALLOCATIONLIST *list =
        (const void *)(request->bytes + patch->pAllocationList);
    uint32_t width = wcts_encoded_width(patches);
    uint64_t wanted, found;
    uint8_t bytes[8];
    location += index;
    snprintf(text, room, "location %u lies in no segment that the driver described", index);
    if (!wcts_encode_address(trace, patches, &list[location->AllocationIndex],
                             location->AllocationOffset, &wanted) ||
        !read_memory(machine, patch->pDmaBuffer + location->PatchOffset, width, bytes))
        return false;
    found = wcts_bytes_get(bytes, width);
    snprintf(text, room,
             "location %u, at 0x%x of the DMA buffer, holds 0x%" PRIx64 ", expected 0x%" PRIx64,
             index, location->PatchOffset, found, wanted);
    return found == wanted;
}

void wcts_judge_patch(const struct wcts_plan *plan, const struct wcts_case *one,
                      const struct wcts_claims *claims, enum wcts_judging judging,
                      const struct wcts_attempt *attempt, const struct wcts_buffer *request,
                      const struct wcts_exchange *exchange, struct wcts_machine *machine,
                      struct wcts_result *result)
{
    const struct wcts_trace trace = {plan->spec, exchange, one->page_size};
    const struct wcts_DXGKARG_PATCH *patch = &patch_of(request)->Patch;
    uint32_t first = patch->PatchLocationListSubmissionStart;
    char text[160];
    if (wcts_judge_no_answer(attempt, "call", result))
        return;
    result->verdict = WCTS_VERDICT_PASS;
    if (wcts_answer_of(attempt->status) != WCTS_ANSWER_ACCEPTED) {
        wcts_status_text(attempt->status, text, sizeof text);
        wcts_result_set(result, wcts_weight(plan, one, judging),
                        "DRIVER_PATCH answered %s, expected it to be accepted", text);
    } else {
        for (uint32_t i = first; i < first + patch->PatchLocationListSubmissionLength; i++)
            if (!check_location(&trace, request, i, claims->patches, machine, text, sizeof text)) {
                wcts_result_set(result, wcts_weight(plan, one, judging), "%s", text);
                return;
            }
    }
}
