/* SPDX-License-Identifier: MIT */
#include "documents.h"

#include <errno.h>
#include <libexslt/exslt.h>
#include <libxml/parser.h>
#include <libxslt/security.h>
#include <libxslt/transform.h>
#include <libxslt/variables.h>
#include <libxslt/xsltutils.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../runner/base/regular.h"

#include "stylesheets.inc"

static xsltStylesheetPtr parse(const char *name, const char *text)
{
    xmlDocPtr document =
        xmlReadMemory(text, (int)strlen(text), name, NULL, XML_PARSE_NONET | XML_PARSE_NOCDATA);
    xsltStylesheetPtr style = document ? xsltParseStylesheetDoc(document) : NULL;
    if (document && !style)
        xmlFreeDoc(document);
    return style;
}

/* A stylesheet may not read or write other files. */
static xsltSecurityPrefsPtr forbid(xsltTransformContextPtr context)
{
    static const xsltSecurityOption options[] = {
        XSLT_SECPREF_READ_FILE, XSLT_SECPREF_WRITE_FILE, XSLT_SECPREF_CREATE_DIRECTORY,
        XSLT_SECPREF_READ_NETWORK, XSLT_SECPREF_WRITE_NETWORK};
    xsltSecurityPrefsPtr prefs = xsltNewSecurityPrefs();
    for (size_t i = 0; prefs && i < sizeof options / sizeof options[0]; i++)
        xsltSetSecurityPrefs(prefs, options[i], xsltSecurityForbid);
    if (prefs)
        xsltSetCtxtSecurityPrefs(prefs, context);
    return prefs;
}

/* css and script: parameters of a stylesheet that embeds them; NULL: none. */
static xmlDocPtr apply_stylesheet(xsltStylesheetPtr style, xmlDocPtr results, const char *css,
                                  const char *script)
{
    xsltTransformContextPtr context = xsltNewTransformContext(style, results);
    if (!context)
        return NULL;
    xsltSecurityPrefsPtr prefs = forbid(context);
    if (css) {
        xsltQuoteOneUserParam(context, BAD_CAST "style", BAD_CAST css);
        xsltQuoteOneUserParam(context, BAD_CAST "script", BAD_CAST script);
    }
    xmlDocPtr made =
        prefs ? xsltApplyStylesheetUser(style, results, NULL, NULL, NULL, context) : NULL;
    if (made && context->state != XSLT_STATE_OK) {
        xmlFreeDoc(made);
        made = NULL;
    }
    xsltFreeTransformContext(context);
    xsltFreeSecurityPrefs(prefs);
    return made;
}

static void say_nothing(void *context, xmlErrorPtr error)
{
    (void)context;
    (void)error;
}

/* False with errno if there is no room for it: libxml2 would say so, too, but not of which file. */
static bool save(FILE *out, xmlDocPtr made, xsltStylesheetPtr style)
{
    xmlStructuredErrorFunc before = xmlStructuredError;
    void *context = xmlStructuredErrorContext;
    xmlSetStructuredErrorFunc(NULL, say_nothing);
    bool written = xsltSaveResultToFile(out, made, style) >= 0;
    xmlSetStructuredErrorFunc(context, before);
    return written;
}

static bool transform(const struct wcts_report_document_source *from,
                      const struct wcts_report_output *output, const char *name, const char *text,
                      const char *css, const char *script)
{
    exsltRegisterAll();
    xsltStylesheetPtr style = parse(name, text);
    xmlDocPtr made = style ? apply_stylesheet(style, from->document, css, script) : NULL;
    if (!made)
        fprintf(stderr, "wddm-cts: %s: %s cannot be applied\n", output->path, name);
    bool written = made && save(output->file, made, style);
    if (made && !written)
        fprintf(stderr, "wddm-cts: %s: %s\n", output->path, strerror(errno));
    if (made)
        xmlFreeDoc(made);
    if (style)
        xsltFreeStylesheet(style);
    return written;
}

/* The writer of a format made by NAME.xsl, with the stylesheet's parameters. */
#define SHEET(name, css, script)                                                                   \
    bool wcts_write_##name(const struct wcts_report_document_source *from,                         \
                           const struct wcts_report_output *output)                                \
    {                                                                                              \
        return transform(from, output, #name ".xsl", wcts_##name##_xsl, css, script);              \
    }
SHEET(html, wcts_report_css, wcts_report_js)
SHEET(cobertura, NULL, NULL)
SHEET(markdown, NULL, NULL)

xsltStylesheetPtr wcts_report_transform_load(const char *path)
{
    const char *wrong = "is no stylesheet";
    int fd = wcts_regular_open(path, 0, &wrong);
    xmlDocPtr document =
        fd >= 0 ? xmlReadFd(fd, path, NULL, XML_PARSE_NONET | XML_PARSE_NOCDATA) : NULL;
    exsltRegisterAll();
    xsltStylesheetPtr style = document ? xsltParseStylesheetDoc(document) : NULL;
    if (!style)
        fprintf(stderr, "wddm-cts: --xsl %s: %s\n", path, wrong);
    if (document && !style)
        xmlFreeDoc(document);
    if (fd >= 0)
        close(fd);
    return style;
}

bool wcts_report_transform_by(xmlDocPtr results, xsltStylesheetPtr style, const char *path,
                              FILE *out)
{
    exsltRegisterAll();
    xmlDocPtr made = apply_stylesheet(style, results, NULL, NULL);
    if (!made)
        fprintf(stderr, "wddm-cts: --xsl %s: cannot be applied\n", path);
    bool written = made && save(out, made, style);
    if (made)
        xmlFreeDoc(made);
    return written;
}
