/* SPDX-License-Identifier: MIT */
#include "file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "regular.h"

static char *read_all(FILE *file, size_t limit, size_t *size)
{
    size_t room = 64 * 1024;
    char *bytes = malloc(room);
    *size = 0;
    while (bytes != NULL) {
        size_t got = fread(bytes + *size, 1, room - *size, file);
        char *grown;
        *size += got;
        if (got == 0 || *size > limit)
            return bytes;
        if (*size < room)
            continue;
        room *= 2;
        grown = realloc(bytes, room);
        if (grown == NULL)
            free(bytes);
        bytes = grown;
    }
    return NULL;
}

char *wcts_file_read(const char *path, size_t limit, size_t *size,
                     struct wcts_diagnostics *diagnostics)
{
    struct wcts_place place = {path, 0};
    const char *wrong = NULL;
    FILE *file = wcts_regular_file(path, 0, &wrong);
    char *bytes = NULL;
    if (file != NULL) {
        bytes = read_all(file, limit, size);
        if (bytes != NULL && ferror(file)) {
            free(bytes);
            bytes = NULL;
        }
        if (bytes != NULL && *size > limit) {
            free(bytes);
            fclose(file);
            wcts_error_at(diagnostics, &place, "the file is larger than %zu bytes, the limit",
                          limit);
            return NULL;
        }
    }
    if (bytes == NULL)
        wcts_error_at(diagnostics, &place, "cannot be read: %s", wrong ? wrong : strerror(errno));
    if (file != NULL)
        fclose(file);
    return bytes;
}
