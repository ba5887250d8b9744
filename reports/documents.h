/* SPDX-License-Identifier: MIT */
/* The reports that are files (listed in asked.h), and the output of --xsl. A new format needs a row
 * of WCTS_FORMATS and its writer, wcts_write_NAME. */
#ifndef WCTS_DOCUMENTS_H
#define WCTS_DOCUMENTS_H

#include "loaded_run.h"
#include "transform.h"

/* The files that a run or a report was asked for, open until they are committed. Example: of
 * "--junit a.xml --html b.html" .files[WCTS_FORMAT_junit].path is "a.xml", and that of the
 * formats nobody asked for is NULL. */
struct wcts_report_documents {
    const struct wcts_report_load_options *options; /* not owned */
    struct wcts_report_output files[WCTS_FORMAT_COUNT];
    xsltStylesheetPtr own; /* --xsl; NULL: none */
};

/* What a format is made from: a counted run, and the result XML of one or more runs as a file and
 * as a tree (NULL when only JUnit is requested). */
struct wcts_report_document_source {
    const struct wcts_report_run *run;
    FILE *results;
    xmlDocPtr document;
};

/* The writer of each format; false with a message. */
#define WCTS_FORMAT_WRITER(name, commands, help, shown)                                            \
    bool wcts_write_##name(const struct wcts_report_document_source *from,                         \
                           const struct wcts_report_output *output);
WCTS_FORMATS(WCTS_FORMAT_WRITER)
#undef WCTS_FORMAT_WRITER

/* Opens all requested files and removes earlier ones. False with a message. Release it either way.
 */
bool wcts_report_documents_open(struct wcts_report_documents *documents,
                                const struct wcts_report_load_options *options);
/* Puts all files into place. False, with a message, when one is incomplete. */
bool wcts_report_documents_commit(struct wcts_report_documents *documents);
void wcts_report_documents_release(struct wcts_report_documents *documents);

/* True if a format other than JUnit is requested. */
bool wcts_report_documents_wanted(const struct wcts_options *asked);

/* Writes all formats for count runs; run is the one for JUnit. False with a message. */
bool wcts_report_documents_write(const struct wcts_report_documents *documents,
                                 const struct wcts_report_run *run,
                                 const struct wcts_report_loaded_run *runs, int count);

/* The same for one run that has ended; the others are made from its directory. */
bool wcts_report_documents_write_one(const struct wcts_report_documents *documents,
                                     const struct wcts_report_run *run);

#endif
