/* SPDX-License-Identifier: MIT */
/* The documents that are made of run directories: result XML, and what stylesheets make of it. */
#ifndef WCTS_DOCUMENTS_H
#define WCTS_DOCUMENTS_H

#include "saved.h"
#include "transform.h"

/* The files, with JUnit's, which comes from the run itself. */
struct wcts_documents {
    struct wcts_output junit, xml, sheets[WCTS_SHEET_COUNT];
    xsltStylesheetPtr own; /* --xsl; NULL: none */
};

/* Opens all files that the settings name, and removes what is there of earlier ones. False with a
 * message. To be released either way. */
bool wcts_documents_open(struct wcts_documents *documents, const struct wcts_settings *settings);
/* Puts all files in their places; false, with a message, when one of them is not whole. */
bool wcts_documents_commit(struct wcts_documents *documents);
void wcts_documents_release(struct wcts_documents *documents);

/* True if the settings name a document other than JUnit. */
bool wcts_documents_wanted(const struct wcts_settings *settings);

/* Writes all documents but JUnit, of count runs side by side. False with a message. */
bool wcts_documents_write(const struct wcts_context *context,
                          const struct wcts_documents *documents, const struct wcts_saved *runs,
                          int count);

/* The same of the run in a directory. */
bool wcts_documents_of(const struct wcts_context *context, const struct wcts_documents *documents,
                       const char *directory);

#endif
