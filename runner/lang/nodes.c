/* SPDX-License-Identifier: MIT */
/* The nodes and names of a suite's expressions; what is reported of a text. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "../base/array.h"
#include "functions.h"

void wcts_lang_exprs_init(struct wcts_lang_exprs *exprs)
{
    *exprs = (struct wcts_lang_exprs){0};
    wcts_lang_exprs_add(exprs, (struct wcts_lang_node){.op = WCTS_OP_NONE});
}

void wcts_lang_exprs_release(struct wcts_lang_exprs *exprs)
{
    free(exprs->nodes);
    wcts_text_release(&exprs->names);
    *exprs = (struct wcts_lang_exprs){0};
}

void wcts_lang_exprs_move(struct wcts_lang_exprs *exprs, struct wcts_arena *arena)
{
    struct wcts_lang_exprs moved = {.node_count = exprs->node_count};
    moved.nodes = wcts_arena_array(arena, (size_t)exprs->node_count, sizeof *exprs->nodes);
    WCTS_ARRAY_COPY(moved.nodes, exprs->nodes, exprs->node_count);
    moved.names.length = moved.names.room = exprs->names.length;
    moved.names.bytes = wcts_arena_string(arena, wcts_text_get(&exprs->names), exprs->names.length);
    wcts_lang_exprs_release(exprs);
    *exprs = moved;
}

bool wcts_lang_exprs_own(struct wcts_lang_exprs *exprs)
{
    struct wcts_lang_exprs own = {0};
    bool good = true;
    wcts_text_add_bytes(&own.names, exprs->names.bytes, exprs->names.length);
    for (int i = 0; good && i < exprs->node_count; i++)
        good = wcts_lang_exprs_add(&own, exprs->nodes[i]) == i;
    good = good && !own.names.failed;
    if (good)
        *exprs = own;
    else
        wcts_lang_exprs_release(&own);
    return good;
}

int wcts_lang_exprs_add(struct wcts_lang_exprs *exprs, struct wcts_lang_node node)
{
    struct wcts_lang_node *added = WCTS_ARRAY_ADD(exprs->nodes, exprs->node_count);
    if (!added)
        return 0;
    *added = node;
    return exprs->node_count - 1;
}

int wcts_lang_exprs_name(struct wcts_lang_exprs *exprs, const char *name, size_t length)
{
    int at = (int)exprs->names.length;
    wcts_text_add_bytes(&exprs->names, name, length);
    wcts_text_add_bytes(&exprs->names, "", 1);
    return at;
}

const char *wcts_lang_name(const struct wcts_lang_exprs *exprs, int name)
{
    return wcts_text_get(&exprs->names) + name;
}

/* ---- what is reported ---- */

int wcts_lang_error(struct wcts_lang_text *text, int column, const char *format, ...)
{
    char *message = NULL;
    va_list arguments;
    va_start(arguments, format);
    if (text->failed || vasprintf(&message, format, arguments) < 0)
        message = NULL;
    va_end(arguments);
    if (!text->failed)
        wcts_error_at(text->diagnostics, &text->place, "attribute \"%s\" of <%s>, column %d: %s",
                      text->attribute, text->element, column, message ? message : "");
    text->failed = true;
    free(message);
    return 0;
}

static const char *name_of_element(const struct wcts_lang_names *names, int index)
{
    const void *element = (const char *)names->elements + (size_t)index * names->size;
    return *(const char *const *)element;
}

void wcts_names_try(const struct wcts_lang_names *names, struct wcts_near *near)
{
    for (int i = 0; i < names->count; i++)
        wcts_model_near_try(near, name_of_element(names, i));
}

void wcts_lang_report_unknown(struct wcts_lang_text *text, int column, const struct wcts_near *near,
                              const char *what, const char *of)
{
    char hint[128];
    wcts_lang_error(text, column, "unknown %s \"%.*s\"%s%s%s", what, (int)near->length, near->name,
                    of ? " of " : "", of ? of : "", wcts_model_near_text(near, hint, sizeof hint));
}

int wcts_names_find(const struct wcts_lang_names *names, struct wcts_lang_text *text, int column,
                    const char *name)
{
    struct wcts_near near = wcts_model_near_start(name, strlen(name));
    for (int i = 0; i < names->count; i++)
        if (strcmp(name_of_element(names, i), name) == 0)
            return i;
    wcts_names_try(names, &near);
    wcts_lang_report_unknown(text, column, &near, names->what, names->of);
    return -1;
}

const struct wcts_member *wcts_lang_named_numbers(const struct wcts_lang_exprs *exprs,
                                                  const struct wcts_spec *spec, int index)
{
    const struct wcts_lang_node *node = &exprs->nodes[index];
    const struct wcts_member *member;
    if (node->op == WCTS_OP_FOLLOW)
        node = &exprs->nodes[node->b];
    if (!spec || node->op != WCTS_OP_MEMBER || node->ref.flag >= 0)
        return NULL;
    member = &spec->structures[node->ref.structure].members[node->ref.member];
    return member->number_count > 0 ? member : NULL;
}
