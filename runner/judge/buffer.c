/* SPDX-License-Identifier: MIT */
/* The function patched(): what patching leaves in the DMA buffer. The suite writes or reads the
 * buffer before the driver patches it, and reads it afterwards. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../exchange/bytes.h"
#include "recorded_functions.h"

/* How far before the end its fence command may begin. "At the end of the DMA buffer" may mean the
 * end of the submission, or that of the buffer. */
#define FENCE_MAX 64u

/* One DRIVER_PATCH, with the buffer before and after it; with the private data in its place where
 * the driver writes addresses there. */
struct judge_patching {
    const struct wcts_DXGKARG_PATCH *patch;
    const struct wcts_D3DDDI_PATCHLOCATIONLIST *locations;
    const struct wcts_DXGK_ALLOCATIONLIST *list;
    const uint8_t *before, *after;
    uint32_t known; /* bytes of the buffer that both hold */
    bool private;   /* it is the private data */
    struct wcts_judge_encoding encoding;
    const struct wcts_lang_call *call;
    int each; /* the condition on elements that count; 0: all do */
};

static const struct wcts_DXGKARG_PATCH *patch_at(const struct wcts_judge_effect_eval *eval,
                                                 int index)
{
    const struct wcts_exchange_record *record = wcts_judge_eval_record(eval, index);
    const struct wcts_driver_patch_request *request = (const void *)record->request;
    return record->operation == WCTS_DRIVER_PATCH && record->request_size >= sizeof *request
               ? &request->Patch
               : NULL;
}

/* Where the buffer, or the private data, is, and how many bytes of it are submitted. */
static uint64_t submitted_place(const struct judge_patching *one, uint32_t *submitted)
{
    *submitted = one->private ? one->patch->DmaBufferPrivateDataSubmissionEndOffset
                              : one->patch->DmaBufferSubmissionEndOffset;
    return one->private ? one->patch->pDmaBufferPrivateData : one->patch->pDmaBuffer;
}

/* The bytes of the buffer, at least all that is submitted, that the suite itself wrote or read in a
 * record. */
static const uint8_t *bytes_at(const struct wcts_judge_effect_eval *eval, int index,
                               struct judge_patching *one, bool *write)
{
    uint32_t submitted;
    uint64_t place = submitted_place(one, &submitted);
    struct wcts_exchange_memory memory;
    if (wcts_judge_eval_record(eval, index)->depth != 0 ||
        !wcts_exchange_memory(&eval->trace, index, &memory) || memory.space != 0 ||
        memory.address != place || memory.length < submitted)
        return NULL;
    one->known = memory.length < one->known ? (uint32_t)memory.length : one->known;
    *write = memory.write;
    return memory.bytes;
}

/* The buffer as last seen before the patching (direction -1), or first after it (1); NULL if
 * something else touched it in between. */
static const uint8_t *buffer_around(const struct wcts_judge_effect_eval *eval, int index,
                                    int direction, struct judge_patching *one)
{
    uint32_t submitted, others;
    uint64_t place = submitted_place(one, &submitted);
    for (int i = index + direction; i >= 0 && i < eval->trace.exchange->count; i += direction) {
        bool write = false;
        const uint8_t *bytes = bytes_at(eval, i, one, &write);
        const struct judge_patching other = {.patch = patch_at(eval, i), .private = one->private};
        if (bytes)
            return direction > 0 && write ? NULL : bytes;
        if (other.patch && submitted_place(&other, &others) == place)
            return NULL;
    }
    return NULL;
}

/* What is not seen of most patches. These texts are not formatted: there is one for each statement
 * about each patch. */
static const char no_buffer[] = "the DMA buffer was not looked at before and after DRIVER_PATCH";
static const char no_private[] = "the private data was not looked at before and after DRIVER_PATCH";
static const char no_place[] = "the DMA buffer was not looked at where it lies";

static const char *buffer_name(const struct judge_patching *one)
{
    return one->private ? "private data" : "DMA buffer";
}

/* Reads the request alone; false if it has not both lists. */
static bool read_request(const struct wcts_judge_effect_eval *eval, int index, bool private,
                         struct judge_patching *one)
{
    const struct wcts_exchange_record *record = wcts_judge_eval_record(eval, index);
    const struct wcts_DXGKARG_PATCH *patch = patch_at(eval, index);
    *one = (struct judge_patching){
        .patch = patch,
        .private = private,
        .known = private ? patch->DmaBufferPrivateDataSize : patch->DmaBufferSize,
        .encoding = wcts_judge_encoding_at(eval->trace.exchange, eval->on.record),
    };
    one->locations =
        wcts_message_at(record->request, record->request_size, patch->pPatchLocationList,
                        patch->PatchLocationListSize, sizeof *one->locations);
    one->list = wcts_message_at(record->request, record->request_size, patch->pAllocationList,
                                patch->AllocationListSize, sizeof *one->list);
    return one->locations && one->list;
}

void wcts_judge_buffers_release(struct wcts_judge_buffers *buffers)
{
    free(buffers->of[0]);
    free(buffers->of[1]);
    *buffers = (struct wcts_judge_buffers){0};
}

/* Where the bytes around a record are kept for the next effect; NULL: nowhere. */
static struct wcts_judge_buffer *kept_at(const struct wcts_judge_effect_eval *eval, int index,
                                         bool private)
{
    struct wcts_judge_buffers *buffers = eval->buffers;
    if (!buffers)
        return NULL;
    if (!buffers->of[private])
        buffers->of[private] =
            calloc((size_t)eval->trace.exchange->count, sizeof *buffers->of[private]);
    return buffers->of[private] ? &buffers->of[private][index] : NULL;
}

static bool read_patching(struct wcts_judge_effect_eval *eval, int index, bool private,
                          struct judge_patching *one)
{
    const bool given = read_request(eval, index, private, one);
    struct wcts_judge_buffer own = {0}, *kept = kept_at(eval, index, private);
    if (!kept)
        kept = &own;
    if (!kept->sought) {
        kept->before = buffer_around(eval, index, -1, one);
        kept->after = buffer_around(eval, index, 1, one);
        kept->known = one->known;
        kept->sought = true;
    }
    one->before = kept->before;
    one->after = kept->after;
    one->known = kept->known;
    if (private)
        memcpy(eval->text, no_private, sizeof no_private);
    else
        memcpy(eval->text, no_buffer, sizeof no_buffer);
    return given && one->before && one->after;
}

static uint32_t width_of(const struct judge_patching *one)
{
    return one->encoding.width;
}

/* Where the bytes of an element are, in the buffer or the private data. */
static uint64_t at_of(const struct judge_patching *one, uint32_t index)
{
    if (!one->private)
        return one->locations[index].PatchOffset;
    return (uint64_t)one->patch->DmaBufferPrivateDataSubmissionStartOffset +
           one->encoding.private_offset + (uint64_t)index * width_of(one);
}

/* Of a driver that writes elsewhere no location of the DMA buffer is. */
static bool is_processed(const struct judge_patching *one, uint32_t index)
{
    if (one->encoding.patches == WCTS_PATCHES_ELSEWHERE ||
        (one->encoding.patches == WCTS_PATCHES_PRIVATE && !one->private))
        return false;
    uint32_t start = one->patch->PatchLocationListSubmissionStart;
    return index >= start && index - start < one->patch->PatchLocationListSubmissionLength;
}

/* True if the byte is in a location to be processed. */
static bool is_in_processed(const struct judge_patching *one, uint32_t byte)
{
    for (uint32_t i = 0; i < one->patch->PatchLocationListSize; i++)
        if (is_processed(one, i) && byte >= at_of(one, i) && byte - at_of(one, i) < width_of(one))
            return true;
    return false;
}

static bool right_before(uint32_t byte, uint32_t end)
{
    return byte < end && end - byte <= FENCE_MAX;
}

static bool in_fence(const struct judge_patching *one, uint32_t byte)
{
    return !one->private && (right_before(byte, one->patch->DmaBufferSubmissionEndOffset) ||
                             right_before(byte, one->patch->DmaBufferSize));
}

static bool lies_inside(const struct judge_patching *one, uint32_t index)
{
    uint64_t end = at_of(one, index) + width_of(one);
    uint32_t submitted;
    submitted_place(one, &submitted);
    return one->locations[index].AllocationIndex < one->patch->AllocationListSize &&
           end <= one->known && (!one->private || end <= submitted);
}

/* True if no document says what stands at a location: that of an element which is in no segment.
 * Drivers leave it as it is, also where an expression would give it a base of 0. */
static bool is_location_open(const struct judge_patching *one, uint32_t index)
{
    return (one->list[one->locations[index].AllocationIndex].Bits >> 1 & 31) == 0;
}

static bool is_in_open(const struct judge_patching *one, uint32_t byte)
{
    for (uint32_t i = 0; i < one->patch->PatchLocationListSize; i++)
        if (lies_inside(one, i) && is_location_open(one, i) && byte >= at_of(one, i) &&
            byte - at_of(one, i) < width_of(one))
            return true;
    return false;
}

/* True if a location overlaps the bytes of the fence command, which the driver may write last. */
static bool shares_with_fence(const struct judge_patching *one, uint32_t index)
{
    return in_fence(one, (uint32_t)at_of(one, index) + width_of(one) - 1);
}

/* True if the element is one that the function is asked about, and its location is in the buffer.
 */
static bool is_asked_about(const struct judge_patching *one, uint32_t index)
{
    const struct wcts_lang_call *call = one->call;
    const int record = wcts_judge_selection_at(call)->eval.on.record;
    const struct wcts_lang_subjects element = {
        wcts_exchange_instance((struct wcts_exchange_cursor){record, (int)index}), call->scope};
    struct wcts_lang_result each = wcts_lang_known(true);
    if (lies_inside(one, index) && one->each)
        each = call->value(call->exprs, one->each, call->env, &element);
    return lies_inside(one, index) && each.known && each.number != 0;
}

static enum wcts_truth breach_of_byte(struct wcts_judge_effect_eval *eval,
                                      const struct judge_patching *one, uint32_t byte,
                                      const char *what)
{
    snprintf(eval->text, sizeof eval->text,
             "byte 0x%" PRIx32 " of the %s, %s, is 0x%02x, expected 0x%02x as before", byte,
             buffer_name(one), what, one->after[byte], one->before[byte]);
    return WCTS_FALSE;
}

/* ---- Aspects ---- */

/* True if what an element is to become is what is there already. */
static bool stays_right(const struct wcts_judge_effect_eval *eval, const struct judge_patching *one,
                        uint32_t index)
{
    const struct wcts_D3DDDI_PATCHLOCATIONLIST *location = &one->locations[index];
    const uint8_t *before = one->before + at_of(one, index);
    uint64_t wanted;
    return wcts_judge_encode(&eval->trace, &one->encoding, location,
                             &one->list[location->AllocationIndex], before, &wanted) &&
           wcts_exchange_bytes_get(before, width_of(one)) == wanted;
}

/* True if anything was written to the bytes of an element from one record to another. */
static bool is_written_between(const struct wcts_judge_effect_eval *eval,
                               const struct judge_patching *one, uint32_t index, int from, int to)
{
    uint32_t submitted;
    const uint64_t at = submitted_place(one, &submitted) + at_of(one, index);
    for (int i = from; i < to; i++) {
        struct wcts_exchange_memory memory;
        if (wcts_exchange_memory(&eval->trace, i, &memory) && memory.write && memory.space == 0 &&
            memory.address < at + width_of(one) && at < memory.address + memory.length)
            return true;
    }
    return false;
}

/* True if what is there is a wrong address that an earlier patching of the buffer left there:
 * whoever writes it again processes the element, and leaves the bytes as they are. */
static bool stays_wrong(const struct wcts_judge_effect_eval *eval, const struct judge_patching *one,
                        uint32_t index)
{
    const uint8_t *before = one->before + at_of(one, index);
    uint32_t submitted, others;
    for (int i = eval->on.record - 1; i >= 0; i--) {
        const struct judge_patching other = {.patch = patch_at(eval, i), .private = one->private};
        struct judge_patching earlier;
        uint64_t wanted;
        if (!other.patch || submitted_place(&other, &others) != submitted_place(one, &submitted))
            continue;
        if (!read_request(eval, i, one->private, &earlier) ||
            index >= earlier.patch->PatchLocationListSize || !lies_inside(&earlier, index) ||
            at_of(&earlier, index) != at_of(one, index) || !is_processed(&earlier, index))
            continue;
        return !is_written_between(eval, one, index, wcts_exchange_end(&eval->trace, i),
                                   eval->on.record) &&
               wcts_judge_encode(&eval->trace, &one->encoding, &earlier.locations[index],
                                 &earlier.list[earlier.locations[index].AllocationIndex], before,
                                 &wanted) &&
               wcts_exchange_bytes_get(before, width_of(one)) != wanted;
    }
    return false;
}

static enum wcts_truth eval_processed(struct wcts_judge_effect_eval *eval,
                                      const struct judge_patching *one)
{
    enum wcts_truth all = WCTS_UNKNOWN;
    for (uint32_t i = 0; i < one->patch->PatchLocationListSize; i++) {
        uint32_t at = (uint32_t)at_of(one, i);
        if (!is_processed(one, i) || !is_asked_about(one, i) || is_location_open(one, i))
            continue;
        if (memcmp(one->before + at, one->after + at, width_of(one)) == 0 &&
            !stays_right(eval, one, i)) {
            if (stays_wrong(eval, one, i))
                continue;
            snprintf(eval->text, sizeof eval->text,
                     "the bytes of element %u, at 0x%x of the %s, are as before, expected "
                     "it to be processed",
                     i, at, buffer_name(one));
            return WCTS_FALSE;
        }
        all = WCTS_TRUE;
    }
    return all;
}

static enum wcts_truth eval_addresses(struct wcts_judge_effect_eval *eval,
                                      const struct judge_patching *one)
{
    enum wcts_truth all = WCTS_UNKNOWN;
    for (uint32_t i = 0; i < one->patch->PatchLocationListSize; i++) {
        const struct wcts_D3DDDI_PATCHLOCATIONLIST *location = &one->locations[i];
        uint64_t wanted, found;
        if (!is_processed(one, i) || !is_asked_about(one, i) || is_location_open(one, i) ||
            shares_with_fence(one, i) ||
            !wcts_judge_encode(&eval->trace, &one->encoding, location,
                               &one->list[location->AllocationIndex], one->before + at_of(one, i),
                               &wanted))
            continue;
        found = wcts_exchange_bytes_get(one->after + at_of(one, i), width_of(one));
        if (found != wanted) {
            snprintf(eval->text, sizeof eval->text,
                     "the location of element %u, at 0x%" PRIx64 " of the %s, holds 0x%" PRIx64
                     ", expected 0x%" PRIx64,
                     i, at_of(one, i), buffer_name(one), found, wanted);
            return WCTS_FALSE;
        }
        all = WCTS_TRUE;
    }
    return all;
}

static enum wcts_truth eval_left(struct wcts_judge_effect_eval *eval,
                                 const struct judge_patching *one)
{
    enum wcts_truth all = WCTS_UNKNOWN;
    for (uint32_t i = 0; i < one->patch->PatchLocationListSize; i++) {
        uint32_t at = (uint32_t)at_of(one, i);
        if (is_processed(one, i) || !is_asked_about(one, i))
            continue;
        for (uint32_t byte = at; byte < at + width_of(one); byte++) {
            if (is_in_processed(one, byte) || in_fence(one, byte))
                continue;
            if (one->before[byte] != one->after[byte])
                return breach_of_byte(eval, one, byte, "of an element that is not to be processed");
            all = WCTS_TRUE;
        }
    }
    return all;
}

static enum wcts_truth eval_rest(struct wcts_judge_effect_eval *eval,
                                 const struct judge_patching *one)
{
    for (uint32_t byte = 0; byte < one->known; byte++)
        if (one->before[byte] != one->after[byte] && !is_in_processed(one, byte) &&
            !in_fence(one, byte))
            return breach_of_byte(eval, one, byte, "of no element and no fence command");
    return WCTS_TRUE;
}

/* True if two requests are the same except for their fences. */
static bool asks_same(const struct wcts_exchange_record *a, const struct wcts_exchange_record *b)
{
    size_t fence = offsetof(struct wcts_driver_patch_request, Patch.SubmissionFenceId);
    size_t behind = fence + sizeof(uint32_t);
    return a->request_size == b->request_size && memcmp(a->request, b->request, fence) == 0 &&
           memcmp(a->request + behind, b->request + behind, a->request_size - behind) == 0;
}

/* The same patching was done before, over other bytes: the result must be the same. */
static enum wcts_truth eval_again(struct wcts_judge_effect_eval *eval,
                                  const struct judge_patching *one)
{
    const struct wcts_exchange_record *record = wcts_judge_eval_record(eval, eval->on.record);
    enum wcts_truth all = WCTS_UNKNOWN;
    for (int i = 0; i < eval->on.record; i++) {
        struct judge_patching first;
        uint32_t known;
        if (!patch_at(eval, i) || !asks_same(wcts_judge_eval_record(eval, i), record) ||
            !wcts_succeeded(wcts_judge_eval_record(eval, i)->status) ||
            !read_patching(eval, i, one->private, &first))
            continue;
        known = first.known < one->known ? first.known : one->known;
        if (memcmp(first.before, one->before, known) == 0)
            continue;
        for (uint32_t byte = 0; byte < known; byte++)
            if (first.after[byte] != one->after[byte] && !in_fence(one, byte) &&
                !is_in_open(one, byte) && (!one->private || is_in_processed(one, byte))) {
                snprintf(eval->text, sizeof eval->text,
                         "byte 0x%" PRIx32 " of the %s is 0x%02x, expected 0x%02x as where "
                         "the same was patched alone",
                         byte, buffer_name(one), one->after[byte], first.after[byte]);
                return WCTS_FALSE;
            }
        all = WCTS_TRUE;
    }
    return all;
}

/* The bytes where a fence may be, in both places, as the driver leaves them when it has patched. */
struct judge_fences {
    uint32_t from[2]; /* in the buffer */
    uint8_t bytes[2][FENCE_MAX];
    bool known[2][FENCE_MAX], written[2][FENCE_MAX]; /* written: by this patching */
    bool any;                                        /* something was */
    unsigned unknown;                                /* how many are not known yet */
};

/* Takes what a record wrote or read of them, as far as nothing later did. */
static void take_bytes(struct judge_fences *fences, const struct judge_patching *one,
                       const struct wcts_exchange_memory *memory, bool patching)
{
    for (int place = 0; place < 2; place++) {
        const uint64_t first = one->patch->pDmaBuffer + fences->from[place];
        const uint64_t skipped = memory->address > first ? memory->address - first : 0;
        for (uint64_t i = skipped; i < FENCE_MAX && first + i - memory->address < memory->length;
             i++) {
            if (fences->known[place][i])
                continue;
            fences->known[place][i] = true;
            fences->unknown--;
            fences->bytes[place][i] = memory->bytes[first + i - memory->address];
            fences->written[place][i] = patching && memory->write;
            fences->any |= fences->written[place][i];
        }
    }
}

/* A driver's adapter may report the bytes that became others, and no more: the rest is what was
 * seen there before. */
static void read_fences(const struct wcts_judge_effect_eval *eval, const struct judge_patching *one,
                        struct judge_fences *fences)
{
    const uint32_t ends[] = {one->patch->DmaBufferSubmissionEndOffset, one->patch->DmaBufferSize};
    *fences = (struct judge_fences){.unknown = 2 * FENCE_MAX};
    for (int place = 0; place < 2; place++)
        fences->from[place] = ends[place] > FENCE_MAX ? ends[place] - FENCE_MAX : 0;
    for (int i = wcts_exchange_end(&eval->trace, eval->on.record) - 1;
         i >= 0 && fences->unknown > 0; i--) {
        struct wcts_exchange_memory memory;
        if (i == eval->on.record && !fences->any)
            return;
        if (wcts_exchange_memory(&eval->trace, i, &memory) && memory.space == 0)
            take_bytes(fences, one, &memory, i > eval->on.record);
    }
}

/* True if the driver, while it patched, wrote a number where its fence may be. */
static bool writes_at_end(const struct judge_fences *fences, const struct judge_patching *one,
                          uint32_t number)
{
    for (int place = 0; place < 2; place++)
        for (uint32_t i = 0; i + 4 <= FENCE_MAX; i++) {
            const bool *known = fences->known[place] + i, *written = fences->written[place] + i;
            uint32_t byte = fences->from[place] + i;
            if (known[0] && known[1] && known[2] && known[3] &&
                (written[0] || written[1] || written[2] || written[3]) && in_fence(one, byte) &&
                in_fence(one, byte + 3) && !is_in_processed(one, byte) &&
                wcts_exchange_bytes_get(fences->bytes[place] + i, 4) == number)
                return true;
        }
    return false;
}

/* A driver need not write a fence, and no document describes one; but what it writes must not be
 * the fence of another submission. A small number may be anything. */
static enum wcts_truth eval_fence(struct wcts_judge_effect_eval *eval,
                                  const struct judge_patching *one)
{
    uint32_t own = one->patch->SubmissionFenceId;
    struct judge_fences fences;
    read_fences(eval, one, &fences);
    if (!fences.any || writes_at_end(&fences, one, own))
        return WCTS_TRUE;
    for (int i = 0; i < eval->trace.exchange->count; i++) {
        const struct wcts_DXGKARG_PATCH *other = patch_at(eval, i);
        if (!other || other->SubmissionFenceId == own || other->SubmissionFenceId <= UINT16_MAX ||
            !writes_at_end(&fences, one, other->SubmissionFenceId))
            continue;
        snprintf(eval->text, sizeof eval->text,
                 "fence 0x%" PRIx32 " of another submission stands at the end, expected 0x%" PRIx32,
                 other->SubmissionFenceId, own);
        return WCTS_FALSE;
    }
    return WCTS_TRUE;
}

/* ---- The place of the buffer ---- */

/* The bytes that the driver read at a place during a record. */
static const uint8_t *read_at(const struct wcts_judge_effect_eval *eval, int during, uint32_t space,
                              uint64_t address, uint32_t *length)
{
    int end = wcts_exchange_end(&eval->trace, during);
    for (int i = during + 1; i < end; i++) {
        struct wcts_exchange_memory memory;
        if (!wcts_exchange_memory(&eval->trace, i, &memory) || memory.write ||
            memory.space != space || memory.address != address ||
            (*length != 0 && memory.length != *length))
            continue;
        *length = (uint32_t)memory.length;
        return memory.bytes;
    }
    return NULL;
}

/* The record that submits the patched buffer; -1 if there is none. */
static int submitted_at(const struct wcts_judge_effect_eval *eval, uint32_t fence)
{
    for (int i = eval->on.record + 1; i < eval->trace.exchange->count; i++) {
        const struct wcts_exchange_record *record = wcts_judge_eval_record(eval, i);
        const struct wcts_driver_submit_request *request = (const void *)record->request;
        if (record->operation == WCTS_DRIVER_SUBMIT && record->request_size >= sizeof *request &&
            request->SubmissionFenceId == fence)
            return i;
    }
    return -1;
}

/* Compares the bytes at pDmaBuffer with those at DmaBufferPhysicalAddress, in [from, to). */
static enum wcts_truth eval_place(struct wcts_judge_effect_eval *eval, uint32_t from, uint32_t to)
{
    const struct wcts_DXGKARG_PATCH *patch = patch_at(eval, eval->on.record);
    int submit = submitted_at(eval, patch->SubmissionFenceId);
    uint32_t id = wcts_exchange_buffer_space(&eval->trace, eval->on.record, patch->hContext,
                                             patch->DmaBufferSegmentId);
    uint32_t length = 0;
    uint64_t base = 0, place;
    const uint8_t *wanted, *found;
    memcpy(eval->text, no_place, sizeof no_place);
    if (submit < 0 || from >= to)
        return WCTS_UNKNOWN;
    if (id != 0 && !wcts_exchange_base(&eval->trace, eval->on.record, id, &base)) {
        snprintf(eval->text, sizeof eval->text,
                 "DmaBufferSegmentId is %" PRIu32 ", expected a segment of the driver", id);
        return WCTS_FALSE;
    }
    place = patch->DmaBufferPhysicalAddress - base;
    wanted = read_at(eval, submit, 0, patch->pDmaBuffer + from, &length);
    found = wanted ? read_at(eval, submit, id, place + from, &length) : NULL;
    if (!found)
        return WCTS_UNKNOWN;
    if (memcmp(wanted, found, length) == 0)
        return WCTS_TRUE;
    for (uint32_t i = 0; i < length; i++)
        if (wanted[i] != found[i]) {
            snprintf(eval->text, sizeof eval->text,
                     "in segment %" PRIu32 ", at 0x%" PRIx64
                     ", lies 0x%02x, expected 0x%02x, which stands at 0x%" PRIx32
                     " of the DMA buffer",
                     id, place + from + i, found[i], wanted[i], from + i);
            return WCTS_FALSE;
        }
    return WCTS_TRUE;
}

typedef enum wcts_truth eval_fn(struct wcts_judge_effect_eval *eval,
                                const struct judge_patching *one);

/* By the words of the language. locations: it is about what the driver writes there. */
static const struct judge_aspect {
    eval_fn *eval;
    bool locations;
} aspects[] = {
    {eval_processed, true}, {eval_addresses, true}, {eval_left, false},
    {eval_rest, false},     {eval_again, true},
};

bool wcts_judge_patched_locations(int aspect)
{
    return aspect < (int)(sizeof aspects / sizeof *aspects) && aspects[aspect].locations;
}

static enum wcts_truth eval_aspect(const struct wcts_lang_call *call)
{
    struct wcts_judge_effect_eval *eval = &wcts_judge_selection_at(call)->eval;
    int aspect = wcts_judge_word(call, 0), count = sizeof aspects / sizeof *aspects;
    const struct wcts_DXGKARG_PATCH *patch = patch_at(eval, eval->on.record);
    struct judge_patching one;
    bool seen;
    if (!patch || wcts_exchange_answer_of(wcts_judge_eval_record(eval, eval->on.record)->status) !=
                      WCTS_ANSWER_ACCEPTED)
        return WCTS_UNKNOWN;
    if (aspect == count + 1)
        return eval_place(eval, patch->DmaBufferSubmissionStartOffset,
                          patch->DmaBufferSubmissionEndOffset);
    if (aspect > count)
        return eval_place(eval, 0, patch->DmaBufferSize);
    seen =
        read_patching(eval, eval->on.record,
                      aspect < count && aspects[aspect].eval != eval_rest &&
                          wcts_judge_encoding_at(eval->trace.exchange, eval->on.record).patches ==
                              WCTS_PATCHES_PRIVATE,
                      &one);
    one.call = call;
    one.each = wcts_lang_argument(call->exprs, call->first, 2);
    if (aspect == count)
        return one.locations || patch->PatchLocationListSize == 0 ? eval_fence(eval, &one)
                                                                  : WCTS_UNKNOWN;
    if (!seen)
        return WCTS_UNKNOWN;
    if (one.encoding.patches == WCTS_PATCHES_NONE) {
        snprintf(eval->text, sizeof eval->text,
                 "PATCHES: the driver does not say how it writes addresses");
        return WCTS_UNKNOWN;
    }
    if (one.encoding.patches == WCTS_PATCHES_ELSEWHERE && aspects[aspect].locations)
        return WCTS_UNKNOWN;
    return aspects[aspect].eval(eval, &one);
}

struct wcts_lang_result wcts_judge_ask_patched(const struct wcts_lang_call *call)
{
    return wcts_judge_result(eval_aspect(call));
}
