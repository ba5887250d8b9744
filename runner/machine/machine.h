/* SPDX-License-Identifier: MIT */
/* The machine party: memory, user regions, physical addresses of the CPU. */
#ifndef WCTS_MACHINE_H
#define WCTS_MACHINE_H

#include <stdbool.h>

#include "../../include/wddm-cts.h"

struct wcts_machine;

struct wcts_machine *wcts_machine_new(void);
void wcts_machine_free(struct wcts_machine *machine);
void wcts_machine_reset(struct wcts_machine *machine);
/* A region of user memory: at wanted or, if that is 0, 64 KiB aligned. Returns 0 without memory. */
uint64_t wcts_machine_region(struct wcts_machine *machine, uint64_t size, uint32_t attributes,
                             uint64_t wanted);
/* True if such a region may have that address. */
bool wcts_machine_is_region(uint64_t address, uint64_t wanted);
/* Makes the CPU's physical addresses [address, address + size) the segment's memory. */
bool wcts_machine_map_segment(struct wcts_machine *machine, uint64_t address, uint64_t size,
                              uint32_t space);
/* Copies bytes from memory, or into it. False beyond the end of the address space, or without
 * memory. */
bool wcts_machine_read(struct wcts_machine *machine, uint32_t space, uint64_t address,
                       uint8_t *bytes, uint64_t length);
bool wcts_machine_write(struct wcts_machine *machine, uint32_t space, uint64_t address,
                        const uint8_t *bytes, uint64_t length);
/* The machine party; ctx is the machine. */
wcts_call_fn wcts_machine_call;

#endif
