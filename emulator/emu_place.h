/* SPDX-License-Identifier: MIT */
/* Places in segments. */
#ifndef EMU_PLACE_H
#define EMU_PLACE_H

#include "emu_kernel.h"

/* What is to be put into a segment. */
struct emu_want {
    uint64_t size;      /* bytes */
    uint64_t alignment; /* bytes, not 0 */
    uint32_t banks;     /* DXGK_ALLOCATIONINFO.HintedBank, or 0 */
    int from_end;       /* rather at the end of the segment */
};

#pragma GCC visibility push(hidden)

/* What an allocation wants of a segment. */
struct emu_want emu_want_of(const struct emu_kernel *kernel, const struct emu_content *content,
                            const struct emu_segment *segment);

/* Finds free space in [low, high) of a segment, and anywhere in it, its hinted banks first. Returns
 * 0 when there is none. */
int emu_segment_fit(const struct emu_segment *segment, const struct emu_want *want, uint64_t low,
                    uint64_t high, int from_end, uint64_t *offset);
int emu_segment_place(const struct emu_segment *segment, const struct emu_want *want,
                      uint64_t *offset);

/* Takes free space. */
void emu_block_put(struct emu_block *block, struct emu_segment *segment, uint64_t offset,
                   uint64_t size);

#pragma GCC visibility pop

#endif
