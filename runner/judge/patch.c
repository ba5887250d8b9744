/* SPDX-License-Identifier: MIT */
/* How a driver declares that it writes addresses, and a single DRIVER_PATCH that the suite sends:
 * the buffer must hold what document 004 states. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../exchange/bytes.h"
#include "../exchange/encoding.h"
#include "../model/test.h"
#include "check.h"
#include "judge.h"

static bool is_relative(uint32_t patches)
{
    return patches == WCTS_PATCHES_32_SEGMENT || patches == WCTS_PATCHES_64_SEGMENT;
}

struct wcts_judge_encoding wcts_judge_encoding_at(const struct wcts_exchange *exchange, int before)
{
    const struct wcts_operations asking = wcts_model_operations_of(WCTS_DRIVER_INFO);
    struct wcts_judge_encoding encoding = {.patches = WCTS_PATCHES_NONE, .width = 8};
    for (int i = before; (i = wcts_exchange_back(exchange, &asking, i)) >= 0; i--) {
        const uint32_t least = offsetof(struct wcts_driver_info_reply, pProfile);
        const struct wcts_exchange_record *record = &exchange->records[i];
        const struct wcts_driver_info_reply *info = (const void *)record->reply;
        if (record->reply_size < wcts_reply_least(WCTS_DRIVER_INFO) ||
            info->patches > WCTS_PATCHES_PRIVATE)
            continue;
        encoding.patches = info->patches;
        encoding.width = wcts_exchange_encoding_width(info, record->reply_size);
        if (!wcts_exchange_encoding_is_text(info->patches) || info->size < least ||
            record->reply_size < least)
            break;
        encoding.private_offset = info->PrivateOffset;
        encoding.text = wcts_message_at(info, record->reply_size, info->pPatchExpression, 1, 1);
        encoding.room = encoding.text ? record->reply_size - info->pPatchExpression : 0;
        break;
    }
    return encoding;
}

bool wcts_judge_encode(const struct wcts_exchange_view *trace,
                       const struct wcts_judge_encoding *encoding,
                       const struct wcts_D3DDDI_PATCHLOCATIONLIST *location,
                       const struct wcts_DXGK_ALLOCATIONLIST *allocation, const uint8_t *before,
                       uint64_t *encoded)
{
    uint32_t segment = allocation->Bits >> 1 & 31;
    bool expression = wcts_exchange_encoding_is_text(encoding->patches);
    uint64_t base = 0;
    char error[80];
    if ((is_relative(encoding->patches) || (expression && segment != 0)) &&
        !wcts_exchange_base(trace, trace->exchange->count, segment, &base))
        return false;
    *encoded = allocation->PhysicalAddress + location->AllocationOffset - base;
    if (expression) {
        const uint64_t values[WCTS_ENCODING_VALUES] = {
            [WCTS_ENCODING_ADDRESS] = allocation->PhysicalAddress,
            [WCTS_ENCODING_OFFSET] = location->AllocationOffset,
            [WCTS_ENCODING_BASE] = base,
            [WCTS_ENCODING_SEGMENT] = segment,
            [WCTS_ENCODING_SLOT] = location->SlotId & 0xFFFFFF,
            [WCTS_ENCODING_DRIVER] = location->DriverId,
            [WCTS_ENCODING_OLD] = wcts_exchange_bytes_get(before, encoding->width),
        };
        if (!wcts_exchange_encoding(encoding->text, encoding->room, values, encoded, error,
                                    sizeof error))
            return false;
    }
    if (encoding->width < sizeof *encoded)
        *encoded &= (UINT64_C(1) << 8 * encoding->width) - 1;
    return true;
}

/* ---- A single call ---- */

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
                               "DRIVER_PATCH answered %s, " WCTS_JUDGE_REFUSAL, text);
    } else {
        for (uint32_t i = first; i < first + patch->PatchLocationListSubmissionLength; i++)
            if (!check_location(&trace, request, i, &buffer, text, sizeof text)) {
                wcts_model_finding_set(finding, WCTS_FOUND_BROKEN, "%s", text);
                return;
            }
    }
}
