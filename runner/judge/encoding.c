/* SPDX-License-Identifier: MIT */
/* How a driver declares that it writes addresses, and what it then has to write. */
#include "../exchange/encoding.h"
#include "../exchange/bytes.h"
#include "check.h"

/* By enum wcts_patches: what the names of the older members stand for. */
static const struct judge_patches {
    uint32_t width;
    bool relative;
} kinds[] = {
    [WCTS_PATCHES_NONE] = {8, false},      [WCTS_PATCHES_32] = {4, false},
    [WCTS_PATCHES_64] = {8, false},        [WCTS_PATCHES_32_SEGMENT] = {4, true},
    [WCTS_PATCHES_64_SEGMENT] = {8, true}, [WCTS_PATCHES_EXPRESSION] = {8, false},
    [WCTS_PATCHES_ELSEWHERE] = {8, false},
};

struct wcts_judge_encoding wcts_judge_encoding_at(const struct wcts_exchange *exchange, int before)
{
    struct wcts_judge_encoding encoding = {.patches = WCTS_PATCHES_NONE, .width = 8};
    for (int i = before; i >= 0; i--) {
        const struct wcts_exchange_record *record = &exchange->records[i];
        const struct wcts_driver_info_reply *info = (const void *)record->reply;
        if (record->operation != WCTS_DRIVER_INFO ||
            record->reply_size < wcts_reply_least(WCTS_DRIVER_INFO) ||
            info->patches >= sizeof kinds / sizeof *kinds)
            continue;
        encoding.patches = info->patches;
        encoding.width = kinds[info->patches].width;
        if (info->patches != WCTS_PATCHES_EXPRESSION || record->reply_size < sizeof *info)
            break;
        encoding.text = wcts_message_at(info, record->reply_size, info->pPatchExpression, 1, 1);
        encoding.room = encoding.text ? record->reply_size - info->pPatchExpression : 0;
        if (info->PatchWidth >= 1 && info->PatchWidth <= sizeof(uint64_t))
            encoding.width = info->PatchWidth;
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
    bool expression = encoding->patches == WCTS_PATCHES_EXPRESSION;
    uint64_t base = 0;
    char error[80];
    if ((kinds[encoding->patches].relative || (expression && segment != 0)) &&
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
