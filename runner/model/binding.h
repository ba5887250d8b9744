/* SPDX-License-Identifier: MIT */
/*
 * The offsets and sizes of interface.xml's names in include/wddm-cts.h, from a table that the build
 * generates (binding.xsl). Documents read in addition can rename these, but cannot add to them.
 */
#ifndef WCTS_BINDING_H
#define WCTS_BINDING_H

#include <stdint.h>

/* A struct of the header: {"wcts_kernel_lock_request", its size}. */
struct wcts_binding_struct {
    const char *name; /* struct tag */
    uint32_t size;
};

/* Where a member is: {"wcts_kernel_lock_request", its name, .offset = 8, .width = 4}. */
struct wcts_binding_member {
    const char *name; /* struct tag */
    const char *field;
    uint32_t offset, width;
};

/* A request or a reply. Example: {"the struct of a call's arguments", "Args", 8}: they are in
 * the member Args, 8 bytes from the beginning. */
struct wcts_binding_half {
    const char *structure; /* struct tag of its content, NULL: it has none */
    const char *field;     /* that holds the content, NULL: the whole message does */
    uint32_t at;
};

/* An operation with the structs of its request and reply: {its name, its number, 24, 16, {...},
 * {...}}. */
struct wcts_binding_message {
    const char *name;
    uint32_t operation;
    uint32_t request_size, reply_size; /* of the message's own structs */
    struct wcts_binding_half request, reply;
};

/* NULL if the header, or the interface.xml of the build, does not have it. */
const struct wcts_binding_struct *wcts_model_binding_find_struct(const char *name);
const struct wcts_binding_member *wcts_model_binding_find_member(const char *name,
                                                                 const char *field);
const struct wcts_binding_message *wcts_model_binding_find_message(const char *name);

/* Calls visit for each bound field of a struct. */
void wcts_model_binding_each_field(const char *name,
                                   void (*visit)(void *context, const char *field), void *context);

#endif
