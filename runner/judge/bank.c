/* SPDX-License-Identifier: MIT */
/* The form bank: checks that an offset in a segment is in the bank of a hint. */
#include <inttypes.h>

#include "check.h"

/* The bits of a hint with the number of the bank, from 1. */
#define BANK_BITS 0x7Fu
#define BANK_FROM_END 0x80u

struct judge_bank {
    uint64_t base, length;
};

/* The n-th bank, from 1, of a segment that a record describes; false if it has none. */
static bool find_bank(const struct wcts_exchange_view *trace, int record, uint64_t segment,
                      uint32_t n, struct judge_bank *bank)
{
    const struct wcts_spec *spec = trace->spec;
    const struct wcts_structure *type =
        &spec->structures[wcts_model_shown_structure(spec, WCTS_SHOWS_SEGMENTS)];
    int of = type->pointer_count > 0 ? type->members[type->pointers[0]].element_of[0] : -1;
    const uint8_t *at = NULL;
    if (segment > 0 && n > 0 && of >= 0)
        at = wcts_exchange_behind(trace, (struct wcts_exchange_cursor){record, (int)segment - 1},
                                  of, n - 1);
    if (at)
        *bank = (struct judge_bank){wcts_exchange_meaning_in(spec, of, WCTS_MEANS_BASE, at),
                                    wcts_exchange_meaning_in(spec, of, WCTS_MEANS_LENGTH, at)};
    return at != NULL;
}

/* The last record before the one in question that describes segments; -1: none. */
static int described(const struct wcts_judge_effect_eval *eval)
{
    int i = eval->found.record;
    while (i >= 0) {
        const struct wcts_message *message =
            wcts_exchange_message_of(eval->trace.spec, wcts_judge_eval_record(eval, i)->operation);
        if (message && message->shows == WCTS_SHOWS_SEGMENTS &&
            wcts_succeeded(wcts_judge_eval_record(eval, i)->status))
            break;
        i--;
    }
    return i;
}

/* A hint need not be followed: an offset proves something only if it is in that bank of its
 * segment, or where the bank of that number in another segment begins, or ends for a hint that
 * counts from the end. */
enum wcts_truth wcts_judge_check_bank(struct wcts_judge_effect_eval *eval, uint64_t offset,
                                      uint64_t hint)
{
    const int segments = described(eval);
    uint32_t n = (uint32_t)hint & BANK_BITS;
    struct wcts_exchange_place place;
    struct judge_bank own, other;
    if (segments < 0 || !wcts_exchange_place(&eval->trace, eval->found.record, &place) ||
        !find_bank(&eval->trace, segments, place.segment, n, &own))
        return WCTS_UNKNOWN;
    if (offset >= own.base && offset - own.base < own.length)
        return WCTS_TRUE;
    for (uint64_t id = 1; id <= 31; id++) {
        bool ends;
        if (id == place.segment || !find_bank(&eval->trace, segments, id, n, &other))
            continue;
        ends = hint & BANK_FROM_END && offset < other.base + other.length &&
               other.base + other.length - offset == place.segment_size;
        if (offset != other.base && !ends)
            continue;
        snprintf(eval->text, sizeof eval->text,
                 "the offset in segment %" PRIu64 " is 0x%" PRIx64
                 ", where bank %u of segment %" PRIu64
                 " %s, expected its own bank %u from 0x%" PRIx64,
                 place.segment, offset, n, id, ends ? "ends" : "begins", n, own.base);
        return WCTS_FALSE;
    }
    snprintf(eval->text, sizeof eval->text, "the hint of bank %u was not followed", n);
    return WCTS_UNKNOWN;
}
