/* SPDX-License-Identifier: MIT */
/* What the readers of files share: numbers, and what is said of a file. */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "../base/text.h"
#include "import.h"

bool wcts_import_number(const json_t *value, uint64_t *number)
{
    const char *text = json_string_value(value);
    char *end;
    if (json_is_integer(value)) {
        *number = (uint64_t)json_integer_value(value);
        return json_integer_value(value) >= 0;
    }
    if (!text || text[0] != '0' || (text[1] != 'x' && text[1] != 'X') ||
        !isxdigit((unsigned char)text[2]) || strlen(text) > 18)
        return false;
    *number = strtoull(text + 2, &end, 16);
    return *end == '\0';
}

bool wcts_import_error(struct wcts_import_reading *reading, const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        text = NULL;
    va_end(arguments);
    wcts_error_at(reading->options->diagnostics, &reading->place, "%s", text ? text : "no memory");
    free(text);
    reading->failed = true;
    return false;
}

void wcts_import_ignore(struct wcts_import_reading *reading, const char *key, const char *of,
                        const char *near)
{
    char *name = NULL;
    if (asprintf(&name, "%s %s", of, key) < 0)
        return;
    wcts_text_clean(name);
    if (wcts_map_get(&reading->ignored, name, 0) || reading->ignored.count >= 1000 ||
        !wcts_map_add(&reading->ignored, name, 1)) {
        free(name);
        return;
    }
    wcts_warning_at(reading->options->diagnostics, &reading->place, "%s: \"%s\" is ignored%s%s%s",
                    of, name + strlen(of) + 1, near ? ", did you mean \"" : "", near ? near : "",
                    near ? "\"?" : "");
}

void wcts_import_reading_release(struct wcts_import_reading *reading)
{
    for (size_t i = 0; i < reading->ignored.size; i++)
        free((char *)(uintptr_t)reading->ignored.entries[i].name);
    wcts_map_release(&reading->ignored);
}

/* ---- files ---- */

/* True if a file begins as XML does: with "<", or with the mark of UTF-16, or with that of UTF-8
 * and "<". What was read is put back: as many bytes as that may be with glibc. */
static bool is_xml(FILE *in)
{
    static const char mark[] = "\xEF\xBB\xBF<";
    int at = 0, c = getc(in);
    bool xml = c == '<' || c == 0xFF || c == 0xFE;
    while (c != EOF && at < 3 && c == (unsigned char)mark[at]) {
        at++;
        c = getc(in);
    }
    xml = xml || (at == 3 && c == '<');
    ungetc(c, in);
    while (at > 0)
        ungetc((unsigned char)mark[--at], in);
    return xml;
}

bool wcts_import_file(const struct wcts_import_options *options, const char *path,
                      wcts_import_visit *visit, void *context)
{
    bool standard = strcmp(path, "-") == 0, good;
    FILE *in = standard ? stdin : fopen(path, "re");
    if (!in) {
        const struct wcts_place place = {.file = path};
        wcts_error_at(options->diagnostics, &place, "%s, expected a file of JSON lines, or a trace",
                      strerror(errno));
        return false;
    }
    good = (is_xml(in) ? wcts_import_etw : wcts_import_jsonl)(options, path, in, visit, context);
    if (!standard)
        fclose(in);
    return good;
}
