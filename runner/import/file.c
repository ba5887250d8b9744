/* SPDX-License-Identifier: MIT */
/* Files: what is in one shows how it is read. */
#include <errno.h>
#include <string.h>

#include "import.h"

/* True if a file begins as XML does: with "<" behind the mark of an encoding, blanks, or nothing.
 * What was read is put back, which glibc does with more than one byte. */
static bool is_xml(FILE *in)
{
    static const struct {
        const char *bytes;
        size_t size;
    } starts[] = {{"\xEF\xBB\xBF<", 4}, {"\xFF\xFE<", 3}, {"\xFE\xFF\0<", 4}};
    char begin[64];
    size_t size = fread(begin, 1, sizeof begin - 1, in);
    bool xml;
    begin[size] = '\0';
    xml = begin[strspn(begin, " \t\r\n")] == '<';
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        xml =
            xml || (size >= starts[i].size && memcmp(begin, starts[i].bytes, starts[i].size) == 0);
    for (size_t i = size; i-- > 0;)
        ungetc((unsigned char)begin[i], in);
    return xml;
}

bool wcts_import_file(const struct wcts_import_options *options, const char *path,
                      wcts_import_visit *visit, void *context)
{
    FILE *in = strcmp(path, "-") == 0 ? stdin : fopen(path, "re");
    bool good;
    if (!in) {
        const struct wcts_place place = {.file = path};
        wcts_error_at(options->diagnostics, &place, "%s, expected a file of JSON lines, or a trace",
                      strerror(errno));
        return false;
    }
    if (is_xml(in)) {
        good = wcts_import_etw(options, path, in, visit, context);
    } else if (options->adapter > 0) {
        const struct wcts_place place = {.file = path};
        wcts_error_at(options->diagnostics, &place,
                      "no trace, expected one: an adapter is asked for");
        good = false;
    } else {
        good = wcts_import_jsonl(options, path, in, visit, context);
    }
    if (in != stdin)
        fclose(in);
    return good;
}
