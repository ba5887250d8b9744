/* SPDX-License-Identifier: MIT */
/*
 * Reads a document into nodes and checks it against the tables of elements.h. Input is not trusted:
 * a document type declaration, entities other than the predefined ones, elements of a namespace
 * (such as XInclude), an encoding other than UTF-8 and anything beyond the limits below are errors.
 * Nothing is ever fetched.
 */
#ifndef WCTS_XML_H
#define WCTS_XML_H

#include "../base/arena.h"
#include "../base/digest.h"
#include "../model/spec.h"
#include "elements.h"

#define WCTS_XML_FILE_LIMIT ((size_t)4 * 1024 * 1024) /* bytes */
#define WCTS_XML_VALUE_LIMIT ((size_t)4 * 1024)       /* bytes of an attribute value */
#define WCTS_XML_DEPTH_LIMIT 16                       /* elements in each other */

/* An attribute that is not in the table of its element: {"Flags.Lock", "1"}. */
struct wcts_load_argument {
    const char *name, *value;
};

/* An element of a document: <flag name="Lock" bit="3"/> has values {"Lock", "3", NULL...} in the
 * order of its rows in elements.c. In the arena, as all that it points to. */
struct wcts_load_node {
    enum wcts_load_element_id kind;
    struct wcts_place place;
    const char **values;             /* in the order of element->attributes; NULL: not given */
    struct wcts_load_argument *more; /* attributes beside those: element->more; in their order */
    int more_count;
    const char *text; /* of an element with text: blanks collapsed; else NULL */
    struct wcts_load_node *first, *last, *next;
};

static inline const struct wcts_load_element *
wcts_load_node_element(const struct wcts_load_node *node)
{
    return &wcts_elements[node->kind];
}

/* How a file is read: {arena, diagnostics, NULL}. Errors name the file and the line. */
struct wcts_load_xml_source {
    struct wcts_arena *arena; /* nodes and their strings live here */
    struct wcts_diagnostics *diagnostics;
    struct wcts_digest *digest; /* takes the bytes of the file; may be NULL */
};

/* Reads a file whose root must be one of roots (ends with WCTS_EL_NONE). Reports every error;
 * NULL if there is one. The path, to which the places of nodes point, has to outlive them. */
struct wcts_load_node *wcts_load_xml_read(const struct wcts_load_xml_source *xml, const char *path,
                                          const enum wcts_load_element_id *roots);

/* Reports an attribute whose value is not written as its row requires. */
void wcts_load_attribute_check(const struct wcts_load_node *node, const char *name,
                               const char *value, const struct wcts_load_attribute_row *row,
                               struct wcts_diagnostics *diagnostics);
/* Reports required attributes that a node lacks. */
void wcts_load_node_check(const struct wcts_load_node *node, struct wcts_diagnostics *diagnostics);
/* Adds a child behind those that a node has. */
void wcts_load_node_add(struct wcts_load_node *parent, struct wcts_load_node *child);
/* The value of an attribute, NULL if it is not given. */
const char *wcts_load_node_value(const struct wcts_load_node *node, const char *attribute);
/* The next child of that kind after another (NULL: the first one), or NULL. */
struct wcts_load_node *wcts_load_node_next(const struct wcts_load_node *node,
                                           const struct wcts_load_node *after,
                                           enum wcts_load_element_id element);
int wcts_load_node_count(const struct wcts_load_node *node, enum wcts_load_element_id element);

#endif
