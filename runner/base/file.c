/* SPDX-License-Identifier: MIT */
#include "file.h"

#include <errno.h>
#include <string.h>

#include "regular.h"
#include "text.h"

char *wcts_file_read(const char *path, size_t limit, size_t *size,
                     struct wcts_diagnostics *diagnostics)
{
    struct wcts_place place = {path, 0, NULL};
    const char *wrong = NULL;
    FILE *file = wcts_regular_file(path, 0, &wrong);
    WCTS_TEXT(text);
    char chunk[16 * 1024];
    size_t got;
    while (file != NULL && text.length <= limit && (got = fread(chunk, 1, sizeof chunk, file)) > 0)
        wcts_text_add_bytes(&text, chunk, got);
    bool good = file != NULL && !ferror(file) && !text.failed;
    if (!good)
        wcts_error_at(diagnostics, &place, "cannot be read: %s", wrong ? wrong : strerror(errno));
    else if (text.length > limit)
        wcts_error_at(diagnostics, &place, "the file is larger than %zu bytes, the limit", limit);
    if (file != NULL)
        fclose(file);
    *size = text.length;
    return good && text.length <= limit ? wcts_text_take(&text) : NULL;
}
