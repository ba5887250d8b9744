/* SPDX-License-Identifier: MIT */
/* Calls to the other parties: requests that are built piece by piece, replies that are checked. */
#ifndef EMU_PORT_H
#define EMU_PORT_H

#include "wddm-cts.h"

/* The way of an instance to the other parties. All zero but host is a new port. */
struct emu_port {
    const struct wcts_host *host;
    unsigned char *room; /* where replies arrive: zero but for its first dirty bytes */
    uint32_t room_size;
    uint32_t dirty;
};

/* A reply that succeeded and is at least as long as its struct. */
struct emu_reply {
    const void *data; /* owned by the port, valid until its next call; aligned to 8 bytes */
    uint32_t size;
};

/* A message under construction. All zero is a new one; it keeps its memory between messages. */
struct emu_message {
    unsigned char *data;
    uint32_t size; /* a multiple of 8 */
    uint32_t room;
};

#pragma GCC visibility push(hidden)

/* Calls an operation whose reply may need reply_room bytes (0: WCTS_REPLY_ROOM is enough). reply
 * may be NULL. A reply that is too short or too long for its own struct is INVALID_PARAMETER. */
wcts_status emu_port_call(struct emu_port *port, uint32_t operation, const void *request,
                          uint32_t request_size, uint32_t reply_room, struct emu_reply *reply);

void emu_port_release(struct emu_port *port);

/* Writes a line of text to the record. */
void emu_log(const struct wcts_host *host, const char *text);

/* Begins a message with size zero bytes for its struct, and writes that size as its first
 * member. Returns 0 when there is no memory. */
int emu_message_begin(struct emu_message *message, uint32_t size);

/* Appends count bytes (zeros when data is NULL) and pads to 8 bytes. Returns their offset, or 0
 * when there is no memory. Pointers into the message end. */
uint32_t emu_message_append(struct emu_message *message, const void *data, uint32_t count);

void emu_message_release(struct emu_message *message);

#pragma GCC visibility pop

#endif
