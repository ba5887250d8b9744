/* SPDX-License-Identifier: MIT */
/*
 * What a remote address leads to: a program that is started, or a connection. This is all that the
 * host knows of the operating system.
 */
#ifndef WCTS_WIRE_TARGET_H
#define WCTS_WIRE_TARGET_H

#include "../base/address.h"
#include "files.h"

/*
 * One attempt to reach it; connected from open() to close(). Example of a program: {.kind = EXEC,
 * .files = {5, 6, false}, .pid = 4711}; of a connection: {.kind = TCP, .files = {5, 5, true}}.
 */
struct wcts_wire_target {
    enum wcts_address_kind kind;
    struct wcts_wire_files files; /* -1: not connected */
    int pid;                      /* of the program, until it was waited for */
};

enum wcts_wire_reached {
    WCTS_WIRE_REACHED,
    WCTS_WIRE_NOT_YET, /* nobody answers there; it may be starting */
    WCTS_WIRE_NEVER    /* it cannot be reached so: what was found and what was expected */
};

/* Reaches what the words of an address name (wcts_address_words). Otherwise with a one-line error,
 * without the address. A program is killed when the process that started it ends. */
enum wcts_wire_reached wcts_wire_target_open(struct wcts_wire_target *target,
                                             enum wcts_address_kind kind, char *const *words,
                                             char *error, size_t room);

/* True if the other end has closed, and all that it sent was read. */
bool wcts_wire_target_has_ended(const struct wcts_wire_target *target);

/* Closes the connection; waits until the program has ended by itself. Returns its wait status, -1
 * of a connection. */
int wcts_wire_target_wait(struct wcts_wire_target *target);
/* The same, but kills a program that has not ended after that time. */
int wcts_wire_target_close(struct wcts_wire_target *target, int milliseconds);

#endif
