/* SPDX-License-Identifier: MIT */
#include "documents.h"

#include <errno.h>
#include <libxml/parser.h>
#include <string.h>

#include "results.h"

static bool (*const writers[])(const struct wcts_report_document_source *,
                               const struct wcts_report_output *) = {
#define WRITER(name, commands, help, shown) wcts_write_##name,
    WCTS_FORMATS(WRITER)
#undef WRITER
};

/* The result XML in a temporary file, which is removed when it is closed. */
static FILE *write_results(const struct wcts_spec *spec, const struct wcts_report_loaded_run *runs,
                           int count)
{
    FILE *file = tmpfile();
    if (!file) {
        fprintf(stderr, "wddm-cts: a temporary file: %s\n", strerror(errno));
        return NULL;
    }
    if (wcts_report_results_write(file, spec, runs, count)) {
        rewind(file);
        return file;
    }
    fclose(file);
    return NULL;
}

bool wcts_write_xml(const struct wcts_report_document_source *from,
                    const struct wcts_report_output *output)
{
    char bytes[65536];
    size_t size;
    bool written = true;
    rewind(from->results);
    while (output->file && written && (size = fread(bytes, 1, sizeof bytes, from->results)) > 0)
        written = fwrite(bytes, 1, size, output->file) == size;
    if (!written)
        fprintf(stderr, "wddm-cts: %s: %s\n", output->path, strerror(errno));
    return written;
}

bool wcts_write_junit(const struct wcts_report_document_source *from,
                      const struct wcts_report_output *output)
{
    return wcts_report_junit_write(from->run, output);
}

/* ---- the files ---- */

bool wcts_report_documents_open(struct wcts_report_documents *documents,
                                const struct wcts_report_load_options *options)
{
    const struct wcts_options *asked = options->asked;
    *documents = (struct wcts_report_documents){.options = options};
    documents->own = asked->xsl ? wcts_report_transform_load(asked->xsl) : NULL;
    bool opened = (!asked->xsl || documents->own) &&
                  wcts_report_junit_open(&documents->files[WCTS_FORMAT_junit],
                                         asked->files[WCTS_FORMAT_junit]);
    for (int i = 0; opened && i < WCTS_FORMAT_COUNT; i++)
        if (i != WCTS_FORMAT_junit)
            opened =
                wcts_report_output_open(&documents->files[i], asked->files[i], WCTS_OUTPUT_REMOVE);
    return opened;
}

bool wcts_report_documents_commit(struct wcts_report_documents *documents)
{
    bool written = true;
    for (int i = 0; i < WCTS_FORMAT_COUNT; i++)
        written = wcts_report_output_commit(&documents->files[i]) && written;
    return written;
}

void wcts_report_documents_release(struct wcts_report_documents *documents)
{
    for (int i = 0; i < WCTS_FORMAT_COUNT; i++)
        wcts_report_output_release(&documents->files[i]);
    if (documents->own)
        xsltFreeStylesheet(documents->own);
}

/* ---- what is in them ---- */

bool wcts_report_documents_wanted(const struct wcts_options *asked)
{
    bool wanted = asked->xsl != NULL;
    for (int i = 0; i < WCTS_FORMAT_COUNT; i++)
        wanted = wanted || (i != WCTS_FORMAT_junit && asked->files[i]);
    return wanted;
}

static bool write_all(const struct wcts_report_documents *documents,
                      const struct wcts_report_document_source *from)
{
    bool written = true;
    for (int i = 0; i < WCTS_FORMAT_COUNT; i++)
        if (documents->files[i].path)
            written = writers[i](from, &documents->files[i]) && written;
    if (documents->own)
        written = wcts_report_transform_by(from->document, documents->own,
                                           documents->options->asked->xsl, stdout) &&
                  written;
    return written;
}

bool wcts_report_documents_write(const struct wcts_report_documents *documents,
                                 const struct wcts_report_run *run,
                                 const struct wcts_report_loaded_run *runs, int count)
{
    struct wcts_report_document_source from = {.run = run};
    bool wanted = wcts_report_documents_wanted(documents->options->asked);
    from.results = wanted ? write_results(documents->options->spec, runs, count) : NULL;
    from.document = from.results ? xmlReadFd(fileno(from.results), "results.xml", NULL,
                                             XML_PARSE_NONET | XML_PARSE_HUGE | XML_PARSE_COMPACT)
                                 : NULL;
    bool written = (!wanted || from.document) && write_all(documents, &from);
    xmlFreeDoc(from.document);
    if (from.results)
        fclose(from.results);
    return written;
}

bool wcts_report_documents_write_one(const struct wcts_report_documents *documents,
                                     const struct wcts_report_run *run)
{
    struct wcts_report_loaded_run saved = {0};
    bool wanted = wcts_report_documents_wanted(documents->options->asked);
    bool written = (!wanted || wcts_report_loaded_run_init(&saved, run->directory,
                                                           documents->options) == WCTS_EXIT_OK) &&
                   wcts_report_documents_write(documents, run, &saved, 1);
    if (wanted)
        wcts_report_loaded_run_release(&saved);
    return written;
}
