/* SPDX-License-Identifier: MIT */
/*
 * What the names of interface.xml are in include/wddm-cts.h: offsets and sizes, from the table that
 * the build makes of interface.xml (binding.xsl). Names here are the header's, so a document that
 * is read in addition may give them other names but cannot add to them.
 */
#ifndef WCTS_BINDING_H
#define WCTS_BINDING_H

#include <stdint.h>

struct wcts_binding_struct {
    const char *name; /* struct tag */
    uint32_t size;
};

struct wcts_binding_member {
    const char *name; /* struct tag */
    const char *field;
    uint32_t offset, width;
};

/* A request or a reply. */
struct wcts_binding_half {
    const char *structure; /* struct tag of what it carries, NULL: nothing */
    const char *field;     /* where, NULL: it is all of the message */
    uint32_t at;
};

struct wcts_binding_message {
    const char *name;
    uint32_t operation;
    uint32_t request_size, reply_size; /* of the message's own structs */
    struct wcts_binding_half request, reply;
};

/* NULL: the header has it not, or the build did not see it in interface.xml. */
const struct wcts_binding_struct *wcts_binding_find_struct(const char *name);
const struct wcts_binding_member *wcts_binding_find_member(const char *name, const char *field);
const struct wcts_binding_message *wcts_binding_find_message(const char *name);

/* Calls visit for each field of a struct that is bound: for what a message suggests. */
void wcts_binding_each_field(const char *name, void (*visit)(void *context, const char *field),
                             void *context);

#endif
