/* SPDX-License-Identifier: MIT */
/* What the forms of effects share that have code of their own. */
#ifndef WCTS_CHECK_H
#define WCTS_CHECK_H

#include "../exchange/trace.h"

/* The bytes around a record that patches: those of the DMA buffer, or of the private data. */
struct wcts_judge_buffer {
    const uint8_t *before, *after; /* borrowed from the exchange; NULL: not looked at */
    uint32_t known;                /* bytes that both hold */
    bool sought;                   /* all of it is known */
};

/*
 * What several effects ask of the same records (buffer.c), looked for once: one a record, of the
 * DMA buffer and of the private data. All 0 before the first; the exchange must not change.
 */
struct wcts_judge_buffers {
    struct wcts_judge_buffer *of[2]; /* owned */
};

void wcts_judge_buffers_release(struct wcts_judge_buffers *buffers);

/*
 * The evaluation of one effect in one trace: on is where the effect applies, found the record that
 * is compared. Lives on the stack of the judge. Example: effect "the driver is asked to page the
 * allocation in", on {record 4, the call PAGE_IN}, found {record 5, DRIVER_PAGING}, text "" or
 * "DRIVER_PAGING.SegmentId is 0x2, expected 0x1".
 */
struct wcts_judge_effect_eval {
    struct wcts_exchange_view trace;
    const struct wcts_rule *effect;
    struct wcts_exchange_cursor on, found;
    bool walked; /* True in a walk: what is lost counts if nobody else may have lost it */
    struct wcts_judge_buffers *buffers; /* shared with other effects; NULL: with none. Not owned */
    char text[320];                     /* of a breach, or why nothing is seen; one line */
};

/* An offset in a segment, the hint of a bank, and the offset that the kernel chooses without one,
 * in the same segment for as many bytes; is_known: whenever it had to, before and after. */
struct wcts_judge_hint {
    uint64_t offset, hint, without;
    bool is_known;
};

/* Checks that an offset is in the bank that a hint names (bank.c). */
enum wcts_truth wcts_judge_check_bank(struct wcts_judge_effect_eval *eval,
                                      const struct wcts_judge_hint *hint);

/* True if a wrong read of what was written, the same member of both messages, breaks the effect at
 * eval.on, and nothing else (content.c): it was read and right right before that call, and wrong
 * right after it; or nothing moved at all since it was written. */
bool wcts_judge_is_lost_by(const struct wcts_judge_effect_eval *eval, int written, int read,
                           const char *member);

/* How a driver writes addresses (patch.c), borrowed from its DRIVER_INFO. Example: {.patches =
 * WCTS_PATCHES_EXPRESSION, .width = 4, .text = "address + offset - base", .room = 24}. */
struct wcts_judge_encoding {
    uint32_t patches;
    uint32_t width;          /* bytes, 1 to 8 */
    uint32_t private_offset; /* of PRIVATE: where the bytes of the first element are */
    const char *text;        /* of EXPRESSION and PRIVATE, as it is in the message; else NULL */
    size_t room;             /* bytes of the message from text on */
};

/* The last DRIVER_INFO before a record; NONE if there is none. */
struct wcts_judge_encoding wcts_judge_encoding_at(const struct wcts_exchange *exchange, int before);
/* What the driver writes for one element over the bytes at before. False if that is not known: the
 * segment was not described. */
bool wcts_judge_encode(const struct wcts_exchange_view *trace,
                       const struct wcts_judge_encoding *encoding,
                       const struct wcts_D3DDDI_PATCHLOCATIONLIST *location,
                       const struct wcts_DXGK_ALLOCATIONLIST *allocation, const uint8_t *before,
                       uint64_t *encoded);

static inline const struct wcts_exchange_record *
wcts_judge_eval_record(const struct wcts_judge_effect_eval *eval, int index)
{
    return &eval->trace.exchange->records[index];
}

#endif
