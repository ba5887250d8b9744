/* SPDX-License-Identifier: MIT */
/* Why calls were denied: what the rules, or the driver's own answers, would have required. */
#include <string.h>

#include "recorded.h"

struct wcts_symbols wcts_judge_boot_symbols(const struct wcts_exchange_boot *boot)
{
    return (struct wcts_symbols){.values = boot->symbols};
}

static enum wcts_exchange_denial denial_in(const struct wcts_world *world,
                                           const struct wcts_gap **gap)
{
    struct wcts_oracle_prediction prediction;
    wcts_world_judge(world, &prediction);
    *gap = wcts_world_gap(world);
    if (prediction.broken_count > 0 || prediction.expect != WCTS_EXPECT_ACCEPT)
        return WCTS_DENIAL_BREACH;
    return *gap ? WCTS_DENIAL_GAP : WCTS_DENIAL_VALID;
}

void wcts_judge_note_denial(struct wcts_exchange_record *record, const struct wcts_world *world)
{
    record->denial = denial_in(world, &record->gap);
}

/* True if the driver must make what the request asks for: the suite asked for a kind that it lists,
 * or the driver gave the private data itself, as that of a standard allocation, or it lists no
 * kinds, so that there is none. Other private data may be refused. */
static bool is_owed_allocation(uint64_t standard, bool of_kind, uint32_t kinds)
{
    return of_kind || standard != WCTS_STANDARD_NONE || kinds == 0;
}

/* True if the suite asked, itself or through the kernel, for what the driver may refuse. */
static bool is_refusable(const struct wcts_spec *spec, const struct wcts_exchange_record *asked)
{
    return asked->step > 0 && spec->cases->steps[asked->step - 1].refusable;
}

/* The caller is the reference kernel, which names only what the driver has made and asks for
 * nothing that a kernel would not; or the suite. */
void wcts_judge_decline_owed(const struct wcts_spec *spec, struct wcts_exchange *exchange)
{
    const struct wcts_exchange_view view = {spec, exchange, 0};
    const uint8_t *ignored;
    uint32_t size, kinds = wcts_exchange_kinds(exchange, &ignored, &size);
    const struct wcts_exchange_record *asked = exchange->records;
    bool of_kind = false;
    for (int i = 0; i < exchange->count; i++) {
        struct wcts_exchange_record *record = &exchange->records[i];
        uint64_t standard;
        if (record->depth == 0) {
            asked = record;
            of_kind = record->of_kind;
        }
        if ((wcts_exchange_is_denied(record->status) || wcts_judge_is_lost(exchange, i)) &&
            record->operation >> 8 == WCTS_DRIVER_INFO >> 8 && !is_refusable(spec, asked) &&
            (!wcts_exchange_meant(&view, i, false, WCTS_MEANS_STANDARD, &standard) ||
             is_owed_allocation(standard, of_kind, kinds)))
            record->denial = WCTS_DENIAL_VALID;
    }
}

/* ---- Operations that are there and then are not ---- */

/* NOT_IMPLEMENTED and NOT_SUPPORTED are said of an operation or of a use of it; which use it is
 * depends on what is asked for, not on when. */
static bool is_missing(const struct wcts_exchange_record *record)
{
    return wcts_exchange_answer_of(record->status) == WCTS_ANSWER_MISSING;
}

/* True if somebody who was asked during the call lacks something, which the call hands on. */
static bool hands_on(const struct wcts_exchange *exchange, int index)
{
    const int depth = exchange->records[index].depth;
    for (int i = index + 1; i < exchange->count && exchange->records[i].depth > depth; i++)
        if (is_missing(&exchange->records[i]))
            return true;
    return false;
}

bool wcts_judge_is_lost(const struct wcts_exchange *exchange, int index)
{
    const struct wcts_exchange_record *record = &exchange->records[index];
    if (!is_missing(record) || hands_on(exchange, index))
        return false;
    for (int i = 0; i < index; i++)
        if (wcts_succeeded(exchange->records[i].status) &&
            wcts_judge_is_same_use(&exchange->records[i], record))
            return true;
    return false;
}

void wcts_judge_lost_setup(const struct wcts_exchange_recording *recording,
                           struct wcts_finding *finding)
{
    for (int i = 0; i < recording->count; i++) {
        const struct wcts_exchange_boot *boot = &recording->boots[i];
        int last = wcts_exchange_last_call(&boot->exchange);
        if (finding->skip == WCTS_SKIP_NOT_CLAIMED && boot->attempt.end == WCTS_ATTEMPT_SETUP &&
            last >= 0 && wcts_judge_is_lost(&boot->exchange, last))
            wcts_judge_denied(&boot->exchange, last, finding);
    }
}
