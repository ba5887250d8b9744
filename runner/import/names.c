/* SPDX-License-Identifier: MIT */
/* Names of a recording's members: which are the same, which are meant to be, and where a path of
 * them leads (import.h). */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "../base/text.h"
#include "import.h"

/* A shorter name of a native call may be near to a member and still be another one. */
#define MISSPELT_SHORTEST 6

bool wcts_import_same_name(const char *a, const char *b)
{
    for (;; a++, b++) {
        while (*a == '_')
            a++;
        while (*b == '_')
            b++;
        if (tolower((unsigned char)*a) != tolower((unsigned char)*b))
            return false;
        if (*a == '\0')
            return true;
    }
}

const json_t *wcts_import_follow(const json_t *object, const char *path, size_t length)
{
    while (object && length > 0) {
        const char *dot = memchr(path, '.', length);
        size_t piece = dot ? (size_t)(dot - path) : length;
        object = json_object_getn(object, path, piece);
        piece += dot ? 1 : 0;
        path += piece;
        length -= piece;
    }
    return object;
}

/* pAllocationInfo2 is not meant to be pAllocationInfo. */
bool wcts_import_misspelt(const char *key, const char *name)
{
    return strlen(name) >= MISSPELT_SHORTEST && !isdigit((unsigned char)key[strlen(key) - 1]) &&
           (strcasecmp(key, name) == 0 ||
            wcts_text_distance(key, strlen(key), name, strlen(name)) == 1);
}
