/* SPDX-License-Identifier: MIT */
/* A single DRIVER_PATCH that the suite sends: the buffer must hold what document 004 states. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../model/test.h"
#include "check.h"
#include "judge.h"

/* The buffer of the call. */
struct judge_buffer {
    struct wcts_judge_encoding encoding;
    const uint8_t *before, *after; /* NULL: not looked at */
};

/* Compares one location; false, with the difference in text, if it is wrong. */
static bool check_location(const struct wcts_exchange_view *trace,
                           const struct wcts_exchange_buffer *request, uint32_t index,
                           const struct judge_buffer *buffer, char *text, size_t room)
{
    const struct wcts_DXGKARG_PATCH *patch =
        &((const struct wcts_driver_patch_request *)(const void *)request->bytes)->Patch;
    const struct wcts_D3DDDI_PATCHLOCATIONLIST *location =
        (const void *)(request->bytes + patch->pPatchLocationList);
    const struct wcts_DXGK_ALLOCATIONLIST *list =
        (const void *)(request->bytes + patch->pAllocationList);
    uint32_t width = buffer->encoding.width;
    uint64_t wanted, found;
    location += index;
    snprintf(text, room, "location %u lies in no segment that the driver described", index);
    if (!buffer->before || !buffer->after || width > patch->DmaBufferSize ||
        location->PatchOffset > patch->DmaBufferSize - width ||
        !wcts_judge_encode(trace, &buffer->encoding, location, &list[location->AllocationIndex],
                           buffer->before + location->PatchOffset, &wanted))
        return false;
    found = wcts_exchange_bytes_get(buffer->after + location->PatchOffset, width);
    snprintf(text, room,
             "location %u, at 0x%x of the DMA buffer, holds 0x%" PRIx64 ", expected 0x%" PRIx64,
             index, location->PatchOffset, found, wanted);
    return found == wanted;
}

void wcts_judge_patch(const struct wcts_plan *plan, const struct wcts_case *test,
                      const struct wcts_exchange_attempt *attempt,
                      const struct wcts_exchange_buffer *request,
                      const struct wcts_exchange *exchange, const uint8_t *before,
                      const uint8_t *after, struct wcts_finding *finding)
{
    const struct wcts_exchange_view trace = {plan->spec, exchange, test->page_size};
    const struct judge_buffer buffer = {wcts_judge_encoding_at(exchange, exchange->count - 1),
                                        before, after};
    const struct wcts_DXGKARG_PATCH *patch =
        &((const struct wcts_driver_patch_request *)(const void *)request->bytes)->Patch;
    uint32_t first = patch->PatchLocationListSubmissionStart;
    char text[160];
    if (wcts_judge_no_answer(attempt, "call", finding))
        return;
    finding->found = WCTS_FOUND_KEPT;
    if (wcts_exchange_answer_of(attempt->status) != WCTS_ANSWER_ACCEPTED) {
        wcts_exchange_status_text(attempt->status, text, sizeof text);
        wcts_model_finding_set(finding, WCTS_FOUND_BROKEN,
                               "DRIVER_PATCH answered %s, expected it to be accepted", text);
    } else {
        for (uint32_t i = first; i < first + patch->PatchLocationListSubmissionLength; i++)
            if (!check_location(&trace, request, i, &buffer, text, sizeof text)) {
                wcts_model_finding_set(finding, WCTS_FOUND_BROKEN, "%s", text);
                return;
            }
    }
}
