/* SPDX-License-Identifier: MIT */
#include "binding.h"

#include <stddef.h>
#include <string.h>

#include "../base/text.h"
#include "wddm-cts.h"

/* The structs of each operation's messages, under the operation's name. */
#define BIND_TYPES(party, name, number, request, reply, by, missing, need)                         \
    typedef struct wcts_##request bind_request_##party##_##name;                                   \
    typedef struct wcts_##reply bind_reply_##party##_##name;
WCTS_OPERATIONS(BIND_TYPES)
#undef BIND_TYPES

/* 0; does not compile unless both types are the same. */
#define BIND_SAME(type, other)                                                                     \
    (0 * sizeof(struct {                                                                           \
         _Static_assert(__builtin_types_compatible_p(type, other),                                 \
                        "interface.xml: a message carries another struct");                        \
         char one;                                                                                 \
     }))

#define WCTS_BIND_STRUCT(structure, type) {#type, (uint32_t)sizeof(struct type)},
static const struct wcts_binding_struct structs[] = {
#include "binding.inc"
    {NULL, 0},
};
#undef WCTS_BIND_STRUCT

#define WCTS_BIND(structure, member, type, field)                                                  \
    {#type, #field, (uint32_t)offsetof(struct type, field),                                        \
     (uint32_t)sizeof(((struct type *)0)->field)},
static const struct wcts_binding_member members[] = {
#include "binding.inc"
    {NULL, NULL, 0, 0},
};
#undef WCTS_BIND

#define WCTS_BIND_NONE                                                                             \
    {                                                                                              \
        NULL, NULL, 0                                                                              \
    }
#define WCTS_BIND_WHOLE(half, operation, type)                                                     \
    {                                                                                              \
#type, NULL, (uint32_t)BIND_SAME(bind_##half##_##operation, struct type)                   \
    }
#define WCTS_BIND_FIELD(half, operation, type, field)                                              \
    {                                                                                              \
#type, #field,                                                                             \
            (uint32_t)(offsetof(bind_##half##_##operation, field) +                                \
                       BIND_SAME(__typeof__(((bind_##half##_##operation *)0)->field),              \
                                 struct type))                                                     \
    }
#define WCTS_BIND_MESSAGE(operation, ...)                                                          \
    {#operation, WCTS_##operation, (uint32_t)sizeof(bind_request_##operation),                     \
     (uint32_t)sizeof(bind_reply_##operation), __VA_ARGS__},
static const struct wcts_binding_message messages[] = {
#include "../../include/wddm-cts.h"
#include "binding.inc"
    {NULL, 0, 0, 0, WCTS_BIND_NONE, WCTS_BIND_NONE},
};
#undef WCTS_BIND_MESSAGE

const struct wcts_binding_struct *wcts_model_binding_find_struct(const char *name)
{
    for (const struct wcts_binding_struct *row = structs; row->name != NULL; row++)
        if (strcmp(row->name, name) == 0)
            return row;
    return NULL;
}

const struct wcts_binding_member *wcts_model_binding_find_member(const char *name,
                                                                 const char *field)
{
    for (const struct wcts_binding_member *row = members; row->name != NULL; row++)
        if (wcts_text_same(row->field, field) && strcmp(row->name, name) == 0)
            return row;
    return NULL;
}

const struct wcts_binding_message *wcts_model_binding_find_message(const char *name)
{
    for (const struct wcts_binding_message *row = messages; row->name != NULL; row++)
        if (strcmp(row->name, name) == 0)
            return row;
    return NULL;
}

void wcts_model_binding_each_field(const char *name,
                                   void (*visit)(void *context, const char *field), void *context)
{
    for (const struct wcts_binding_member *row = members; row->name != NULL; row++)
        if (strcmp(row->name, name) == 0)
            visit(context, row->field);
}
