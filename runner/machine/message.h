/* SPDX-License-Identifier: MIT */
/* Requests built from the instances of a world. */
#ifndef WCTS_MESSAGE_H
#define WCTS_MESSAGE_H

#include "../exchange/bytes.h"
#include "../oracle/world.h"

/* Builds the request of a message from world instances [first, count). */
bool wcts_machine_message_build(struct wcts_exchange_buffer *buffer, const struct wcts_spec *spec,
                                const struct wcts_message *message, const struct wcts_world *world,
                                int first, const struct wcts_symbols *symbols);

/* Writes the members of an instance at base, except pointers to other instances. */
void wcts_machine_instance_write(const struct wcts_spec *spec, const struct wcts_world *world,
                                 int instance, const struct wcts_symbols *symbols, uint8_t *base);

#endif
