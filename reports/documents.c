/* SPDX-License-Identifier: MIT */
#include "documents.h"

#include <errno.h>
#include <libxml/parser.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "results.h"

/* The result XML in a temporary file, which is gone when it is closed. */
static FILE *write_results(const struct wcts_context *context, const struct wcts_saved *runs,
                           int count)
{
    FILE *file = tmpfile();
    if (!file) {
        fprintf(stderr, "wddm-cts: a temporary file: %s\n", strerror(errno));
        return NULL;
    }
    if (wcts_results_write(file, context->spec, runs, count))
        return file;
    fclose(file);
    return NULL;
}

static bool copy_to(FILE *from, const struct wcts_output *output)
{
    char bytes[65536];
    size_t size;
    bool written = true;
    rewind(from);
    while (output->file && written && (size = fread(bytes, 1, sizeof bytes, from)) > 0)
        written = fwrite(bytes, 1, size, output->file) == size;
    if (!written)
        fprintf(stderr, "wddm-cts: %s: %s\n", output->path, strerror(errno));
    return written;
}

/* ---- the files ---- */

bool wcts_documents_open(struct wcts_documents *documents, const struct wcts_settings *settings)
{
    const char *const paths[WCTS_SHEET_COUNT] = {[WCTS_SHEET_HTML] = settings->html,
                                                 [WCTS_SHEET_COBERTURA] = settings->cobertura,
                                                 [WCTS_SHEET_MARKDOWN] = settings->markdown};
    *documents = (struct wcts_documents){0};
    documents->own = settings->xsl ? wcts_transform_load(settings->xsl) : NULL;
    if (settings->xsl && !documents->own)
        return false;
    bool opened = wcts_junit_open(&documents->junit, settings->junit) &&
                  wcts_output_open(&documents->xml, settings->xml, WCTS_OUTPUT_REMOVE);
    for (int i = 0; opened && i < WCTS_SHEET_COUNT; i++)
        opened = wcts_output_open(&documents->sheets[i], paths[i], WCTS_OUTPUT_REMOVE);
    return opened;
}

bool wcts_documents_commit(struct wcts_documents *documents)
{
    bool written = wcts_output_commit(&documents->junit);
    written = wcts_output_commit(&documents->xml) && written;
    for (int i = 0; i < WCTS_SHEET_COUNT; i++)
        written = wcts_output_commit(&documents->sheets[i]) && written;
    return written;
}

void wcts_documents_release(struct wcts_documents *documents)
{
    wcts_output_release(&documents->junit);
    wcts_output_release(&documents->xml);
    for (int i = 0; i < WCTS_SHEET_COUNT; i++)
        wcts_output_release(&documents->sheets[i]);
    if (documents->own)
        xsltFreeStylesheet(documents->own);
}

/* ---- what is in them ---- */

/* What the stylesheets make. */
static bool transform(FILE *results, const struct wcts_documents *documents,
                      const struct wcts_settings *settings)
{
    xmlDocPtr document;
    bool written = true;
    rewind(results);
    document = xmlReadFd(fileno(results), "results.xml", NULL,
                         XML_PARSE_NONET | XML_PARSE_HUGE | XML_PARSE_COMPACT);
    if (!document)
        return false;
    for (int i = 0; i < WCTS_SHEET_COUNT; i++)
        if (documents->sheets[i].path)
            written =
                wcts_transform(document, (enum wcts_sheet)i, &documents->sheets[i]) && written;
    if (documents->own)
        written = wcts_transform_by(document, documents->own, settings->xsl, stdout) && written;
    xmlFreeDoc(document);
    return written;
}

bool wcts_documents_wanted(const struct wcts_settings *settings)
{
    return settings->xml || settings->html || settings->cobertura || settings->markdown ||
           settings->xsl;
}

bool wcts_documents_write(const struct wcts_context *context,
                          const struct wcts_documents *documents, const struct wcts_saved *runs,
                          int count)
{
    if (!wcts_documents_wanted(context->settings))
        return true;
    FILE *results = write_results(context, runs, count);
    bool written = results && copy_to(results, &documents->xml) &&
                   transform(results, documents, context->settings);
    if (results)
        fclose(results);
    return written;
}

bool wcts_documents_of(const struct wcts_context *context, const struct wcts_documents *documents,
                       const char *directory)
{
    struct wcts_saved run;
    if (!wcts_documents_wanted(context->settings))
        return true;
    bool written = wcts_saved_load(&run, directory, context) == WCTS_EXIT_OK &&
                   wcts_documents_write(context, documents, &run, 1);
    wcts_saved_release(&run);
    return written;
}
