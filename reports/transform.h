/* SPDX-License-Identifier: MIT */
/* Stylesheets that make reports from the result XML. The tool contains its own (Makefile:
 * build/stylesheets.inc). */
#ifndef WCTS_TRANSFORM_H
#define WCTS_TRANSFORM_H

#include <libxml/tree.h>
#include <libxslt/xsltInternals.h>
#include <stdbool.h>
#include <stdio.h>

/* Loads a stylesheet; NULL with a message. */
xsltStylesheetPtr wcts_report_transform_load(const char *path);

/* Applies the stylesheet to the result XML and writes to out. path: for messages. False with a
 * message. */
bool wcts_report_transform_by(xmlDocPtr results, xsltStylesheetPtr style, const char *path,
                              FILE *out);

#endif
