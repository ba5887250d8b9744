/* SPDX-License-Identifier: MIT */
/* The stylesheets that make reports from the result XML. They are part of the tool (see the
 * Makefile: build/stylesheets.inc). */
#ifndef WCTS_TRANSFORM_H
#define WCTS_TRANSFORM_H

#include <libxml/tree.h>
#include <libxslt/xsltInternals.h>
#include <stdbool.h>
#include <stdio.h>

#include "output.h"

enum wcts_sheet { WCTS_SHEET_HTML, WCTS_SHEET_COBERTURA, WCTS_SHEET_MARKDOWN, WCTS_SHEET_COUNT };

/* Applies a stylesheet to the result XML and writes to the open file. False with a message. */
bool wcts_transform(xmlDocPtr results, enum wcts_sheet sheet, const struct wcts_output *output);

/* The stylesheet of a file; NULL with a message. */
xsltStylesheetPtr wcts_transform_load(const char *path);

/* The same as wcts_transform with that stylesheet, to out; path: for messages. */
bool wcts_transform_by(xmlDocPtr results, xsltStylesheetPtr style, const char *path, FILE *out);

#endif
