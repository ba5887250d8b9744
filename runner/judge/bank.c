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

static bool is_in_bank(const struct judge_bank *bank, uint64_t offset)
{
    return offset >= bank->base && offset - bank->base < bank->length;
}

/* True if the bank of that number in another segment begins at the offset, or ends behind it for a
 * hint that counts from the end. */
static bool is_of_another(struct wcts_judge_effect_eval *eval, int segments,
                          const struct wcts_judge_hint *hint, const struct judge_bank *own,
                          const struct wcts_exchange_place *place)
{
    const uint32_t n = (uint32_t)hint->hint & BANK_BITS;
    struct judge_bank other;
    for (uint64_t id = 1; id <= 31; id++) {
        bool ends;
        if (id == place->segment || !find_bank(&eval->trace, segments, id, n, &other))
            continue;
        ends = hint->hint & BANK_FROM_END && is_in_bank(&other, hint->offset) &&
               other.base + other.length - hint->offset == place->segment_size;
        if (hint->offset != other.base && !ends)
            continue;
        snprintf(eval->text, sizeof eval->text,
                 "the offset in segment %" PRIu64 " is 0x%" PRIx64
                 ", where bank %u of segment %" PRIu64
                 " %s, expected its own bank %u from 0x%" PRIx64,
                 place->segment, hint->offset, n, id, ends ? "ends" : "begins", n, own->base);
        return true;
    }
    return false;
}

/* True if the hint changes the place, and to none of the banks that it names, though the first one
 * has room. */
static bool is_misled(struct wcts_judge_effect_eval *eval, int segments,
                      const struct wcts_judge_hint *hint, const struct judge_bank *own,
                      const struct wcts_exchange_place *place)
{
    struct judge_bank bank;
    if (!hint->is_known || is_in_bank(own, hint->without) || hint->offset == hint->without ||
        own->length < place->segment_size)
        return false;
    for (uint64_t hints = hint->hint; hints != 0; hints >>= 8)
        if (find_bank(&eval->trace, segments, place->segment, (uint32_t)hints & BANK_BITS, &bank) &&
            is_in_bank(&bank, hint->offset))
            return false;
    snprintf(eval->text, sizeof eval->text,
             "the offset in segment %" PRIu64 " is 0x%" PRIx64 ", and 0x%" PRIx64
             " without a hint, expected the hinted bank %u from 0x%" PRIx64,
             place->segment, hint->offset, hint->without, (uint32_t)hint->hint & BANK_BITS,
             own->base);
    return true;
}

/* A hint need not be followed. What shows that it was, or wrongly, is the place that the kernel
 * chooses without one: where the hint changes it, that is for the hinted bank, and what is there
 * without a hint, too, shows nothing. */
enum wcts_truth wcts_judge_check_bank(struct wcts_judge_effect_eval *eval,
                                      const struct wcts_judge_hint *hint)
{
    const int segments = described(eval);
    const uint32_t n = (uint32_t)hint->hint & BANK_BITS;
    struct wcts_exchange_place place;
    struct judge_bank own;
    if (segments < 0 || !wcts_exchange_place(&eval->trace, eval->found.record, &place) ||
        !find_bank(&eval->trace, segments, place.segment, n, &own))
        return WCTS_UNKNOWN;
    if (is_in_bank(&own, hint->offset)) {
        if (hint->is_known && !is_in_bank(&own, hint->without))
            return WCTS_TRUE;
        snprintf(eval->text, sizeof eval->text, "it may be in bank %u without the hint of it, too",
                 n);
        return WCTS_UNKNOWN;
    }
    if (is_of_another(eval, segments, hint, &own, &place) ||
        is_misled(eval, segments, hint, &own, &place))
        return WCTS_FALSE;
    snprintf(eval->text, sizeof eval->text, "the hint of bank %u was not followed", n);
    return WCTS_UNKNOWN;
}
