/* SPDX-License-Identifier: MIT */
/*
 * What rooms need of an operating system: pages between guarded ones, and to be told where a
 * process dies. room_pages.c is for Linux; the agent has another one for Windows.
 */
#ifndef WCTS_ROOM_PAGES_H
#define WCTS_ROOM_PAGES_H

#include <stddef.h>
#include <stdint.h>

/* *size bytes, rounded up to pages, zeroed, with that many guarded bytes before and after them.
 * NULL without memory. */
uint8_t *wcts_machine_room_pages_new(size_t *size, size_t guarded);
void wcts_machine_room_pages_free(uint8_t *pages, size_t size, size_t guarded);

/* The function is called with the address at which this process is about to die, in the state of a
 * signal handler; not for a process that it forks. */
typedef void wcts_machine_room_fault_fn(uintptr_t at);
void wcts_machine_room_pages_watch(wcts_machine_room_fault_fn *fault);

#endif
