/* SPDX-License-Identifier: MIT */
/* What the readers of files share: numbers, and what is said of a file. */
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "../base/text.h"
#include "../model/names.h"
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

bool wcts_import_is_too_long(const json_t *value)
{
    const char *text = json_string_value(value);
    return text && text[0] == '0' && (text[1] == 'x' || text[1] == 'X') && strlen(text) > 18 &&
           text[2 + strspn(text + 2, "0123456789abcdefABCDEF")] == '\0';
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

void wcts_import_note_keys(struct wcts_import_reading *reading, const json_t *line, const char *of,
                           const char *const *own, bool others)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)line, key, value)
    {
        struct wcts_near near = wcts_model_near_start(key, strlen(key));
        if (wcts_model_word_index(own, key, strlen(key)) >= 0)
            continue;
        for (int i = 0; own[i]; i++)
            wcts_model_near_try(&near, own[i]);
        if (near.best || !others)
            wcts_import_ignore(reading, key, of, near.best);
    }
}

void wcts_import_reading_release(struct wcts_import_reading *reading)
{
    for (size_t i = 0; i < reading->ignored.size; i++)
        free((char *)(uintptr_t)reading->ignored.entries[i].name);
    wcts_map_release(&reading->ignored);
}
