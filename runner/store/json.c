/* SPDX-License-Identifier: MIT */
#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../base/checksum.h"
#include "../base/path.h"
#include "../base/text.h"

json_t *wcts_store_json_text(const char *text)
{
    if (!text)
        return json_null();
    json_t *value = json_string(text);
    if (value)
        return value;
    char *copy = strdup(text);
    value = copy ? json_string(wcts_text_clean(copy)) : NULL;
    free(copy);
    return value ? value : json_null();
}

json_t *wcts_store_json_path(const char *path)
{
    char buffer[WCTS_PATH_ROOM];
    return wcts_store_json_text(wcts_path_shown(path, buffer, sizeof buffer));
}

json_t *wcts_store_json_seconds(double seconds)
{
    return json_real(round(seconds * 1e6) / 1e6);
}

const char *wcts_store_json_member(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

json_t *wcts_store_json_sum(const json_t *texts)
{
    uint64_t sum = 0;
    char digits[17];
    for (size_t i = 0; i < json_array_size(texts); i++) {
        const char *text = json_string_value(json_array_get(texts, i));
        sum = wcts_checksum(sum, text ? text : "", text ? strlen(text) + 1 : 1);
    }
    snprintf(digits, sizeof digits, "%016" PRIx64, sum);
    return json_string(digits);
}

bool wcts_store_json_line(FILE *out, json_t *value)
{
    bool written = value && json_dumpf(value, out, JSON_COMPACT | JSON_REAL_PRECISION(9)) == 0 &&
                   fputc('\n', out) != EOF;
    json_decref(value);
    return written;
}
