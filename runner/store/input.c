/* SPDX-License-Identifier: MIT */
#include "input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/regular.h"
#include "../base/text.h"

/* The limit for run.json, which is usually some kilobytes. */
#define OBJECT_MAX ((off_t)16 << 20)

FILE *wcts_store_input_open(const char *directory, const char *name, const char **wrong)
{
    const char *unused;
    char *path = NULL;
    FILE *file = asprintf(&path, "%s/%s", directory, name) < 0
                     ? NULL
                     : wcts_regular_file(path, O_NOFOLLOW, wrong ? wrong : &unused);
    free(path);
    return file;
}

/* True if the text is clean. *cleaned, which the caller frees, is the text without what is not. */
static bool is_clean_text(const char *text, char **cleaned)
{
    *cleaned = strdup(text);
    return *cleaned && strcmp(wcts_text_clean(*cleaned), text) == 0;
}

static void clean_members(json_t *object)
{
    const char *key;
    json_t *member;
    void *next;
    json_object_foreach_safe(object, next, key, member)
    {
        char *cleaned;
        if (is_clean_text(key, &cleaned))
            wcts_store_input_clean(member);
        else
            json_object_del(object, key);
        free(cleaned);
    }
}

json_t *wcts_store_input_clean(json_t *value)
{
    size_t i;
    json_t *one;
    char *cleaned = NULL;
    if (json_is_string(value) && !is_clean_text(json_string_value(value), &cleaned))
        json_string_set(value, cleaned ? cleaned : "");
    free(cleaned);
    if (json_is_object(value))
        clean_members(value);
    json_array_foreach(value, i, one)
    {
        wcts_store_input_clean(one);
    }
    return value;
}

json_t *wcts_store_input_json(const char *directory, const char *name, const char **wrong,
                              int *line)
{
    static json_error_t error;
    const char *unused = NULL;
    int nowhere = 0;
    struct stat status;
    json_t *value = NULL;
    wrong = wrong ? wrong : &unused;
    line = line ? line : &nowhere;
    *line = 0;
    FILE *file = wcts_store_input_open(directory, name, wrong);
    if (!file)
        return NULL;
    if (fstat(fileno(file), &status) != 0 || status.st_size > OBJECT_MAX) {
        *wrong = "is too large";
    } else {
        value = wcts_store_input_clean(json_loadf(file, 0, &error));
        *wrong = error.text;
        *line = error.line;
    }
    fclose(file);
    if (!value || json_is_object(value))
        return value;
    json_decref(value);
    *wrong = "no object";
    *line = 1;
    return NULL;
}

static bool make_line_room(char **line, size_t *room, size_t needed)
{
    size_t more = *room ? *room : 4096;
    while (more < needed)
        more *= 2;
    char *grown = more == *room ? *line : realloc(*line, more);
    if (grown) {
        *line = grown;
        *room = more;
    }
    return grown != NULL;
}

ssize_t wcts_store_input_line(char **line, size_t *room, FILE *file)
{
    size_t size = 0;
    int byte = 0;
    while (byte != '\n' && (byte = getc_unlocked(file)) != EOF) {
        if (byte == '\0' || size >= WCTS_LINE_MAX || !make_line_room(line, room, size + 2))
            return -1;
        (*line)[size++] = (char)byte;
    }
    if (size == 0)
        return -1;
    (*line)[size] = '\0';
    wcts_text_clean(*line);
    return (ssize_t)size;
}

bool wcts_store_input_ended(FILE *file)
{
    return feof(file) && !ferror(file);
}
