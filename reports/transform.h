/* SPDX-License-Identifier: MIT */
/* The stylesheets that make reports from the result XML. They are part of the tool (see the
 * Makefile: build/stylesheets.inc). */
#ifndef WCTS_TRANSFORM_H
#define WCTS_TRANSFORM_H

#include <libxml/tree.h>
#include <stdbool.h>
#include <stdio.h>

#include "output.h"

enum wcts_sheet { WCTS_SHEET_HTML, WCTS_SHEET_COBERTURA, WCTS_SHEET_MARKDOWN, WCTS_SHEET_COUNT };

/* Applies a stylesheet to the result XML and writes to the open file. False with a message. */
bool wcts_transform(xmlDocPtr results, enum wcts_sheet sheet, const struct wcts_output *output);

/* The same with the stylesheet of a file, to out. */
bool wcts_transform_by(xmlDocPtr results, const char *sheet, FILE *out);

#endif
