/* SPDX-License-Identifier: MIT */
/*
 * The reports that are files (model/options.h lists them), and what --xsl makes. A new one is a row
 * of WCTS_FORMATS and its writer, wcts_write_NAME.
 */
#ifndef WCTS_DOCUMENTS_H
#define WCTS_DOCUMENTS_H

#include "saved.h"
#include "transform.h"

struct wcts_documents {
    const struct wcts_saved_options *options; /* not owned */
    struct wcts_output files[WCTS_FORMAT_COUNT];
    xsltStylesheetPtr own; /* --xsl; NULL: none */
};

/* What a format is made from: a run as it is counted, and the result XML of one or more, as a file
 * and as a tree (NULL: only JUnit is asked for). */
struct wcts_material {
    const struct wcts_run *run;
    FILE *results;
    xmlDocPtr document;
};

/* The writer of each format; false with a message. */
#define WCTS_FORMAT_WRITER(name, commands, help, shown)                                            \
    bool wcts_write_##name(const struct wcts_material *from, const struct wcts_output *output);
WCTS_FORMATS(WCTS_FORMAT_WRITER)
#undef WCTS_FORMAT_WRITER

/* Opens all files that are asked for, and removes what is there of earlier ones. False with a
 * message. To be released either way. */
bool wcts_documents_open(struct wcts_documents *documents,
                         const struct wcts_saved_options *options);
/* Puts all files in their places; false, with a message, when one of them is not whole. */
bool wcts_documents_commit(struct wcts_documents *documents);
void wcts_documents_release(struct wcts_documents *documents);

/* True if a document other than JUnit is asked for. */
bool wcts_documents_wanted(const struct wcts_options *asked);

/* Writes all documents, of count runs side by side; run: the one that JUnit is of. False with a
 * message. */
bool wcts_documents_write(const struct wcts_documents *documents, const struct wcts_run *run,
                          const struct wcts_saved *runs, int count);

/* The same of a run that has come to its end, and of its directory. */
bool wcts_documents_of(const struct wcts_documents *documents, const struct wcts_run *run);

#endif
