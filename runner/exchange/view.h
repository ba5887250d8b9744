/* SPDX-License-Identifier: MIT */
/*
 * A recording as what expressions are about (lang/expr.h). An instance is a message, and the
 * element of its arrays; UNKNOWN is what was not recorded.
 */
#ifndef WCTS_VIEW_H
#define WCTS_VIEW_H

#include "../lang/expr.h"
#include "trace.h"

/* The view is borrowed: it is the context of the environment, or the first member of it. Where the
 * environment has neither "recorded" nor "answer" of its own, the latter is what was answered. */
struct wcts_lang_env wcts_exchange_env(const struct wcts_exchange_view *view);

/* An instance of the environment, and the other way round. An element is below 4096. */
static inline int wcts_exchange_instance(struct wcts_exchange_cursor cursor)
{
    return cursor.record << 12 | cursor.element;
}

static inline struct wcts_exchange_cursor wcts_exchange_cursor_at(int instance)
{
    return (struct wcts_exchange_cursor){instance >> 12, instance & 0xFFF};
}

#endif
