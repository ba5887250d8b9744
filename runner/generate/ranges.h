/* SPDX-License-Identifier: MIT */
/*
 * A set of words as ranges of the plug-in interface (struct wcts_sweep_range): bits that can be
 * flipped in every word without leaving the set are free, and each combination of the others is a
 * range.
 *
 *     words   0x0 0x1 0x4 0x5 0x6 0x7      bit 0 is free
 *     ranges  {Base 0x0, Mask 0x1, First 0, Count 2} {0x4, 0x1, 0, 2} {0x6, 0x1, 0, 2}
 */
#ifndef WCTS_RANGES_H
#define WCTS_RANGES_H

#include "../../include/wddm-cts.h"

/* Fills in the ranges of words, which ascend, each once; there is room for one for each word.
 * Returns how many there are. */
int wcts_generate_ranges(const uint32_t *words, int count, struct wcts_sweep_range *ranges);

#endif
