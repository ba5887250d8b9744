/* SPDX-License-Identifier: MIT */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "pattern.h"

#include <pcre2.h>
#include <stdio.h>
#include <stdlib.h>

struct wcts_pattern {
    pcre2_code *code;
    pcre2_match_data *match;
};

struct wcts_pattern *wcts_pattern_new(const char *expression, char *error, size_t room)
{
    struct wcts_pattern *pattern = calloc(1, sizeof *pattern);
    PCRE2_UCHAR text[200];
    size_t offset;
    int code;

    snprintf(error, room, "out of memory");
    if (!pattern)
        return NULL;
    pattern->code = pcre2_compile((PCRE2_SPTR)expression, PCRE2_ZERO_TERMINATED,
                                  PCRE2_ANCHORED | PCRE2_ENDANCHORED, &code, &offset, NULL);
    if (pattern->code) {
        pcre2_jit_compile(pattern->code, PCRE2_JIT_COMPLETE); /* slower without, no worse */
        pattern->match = pcre2_match_data_create_from_pattern(pattern->code, NULL);
    } else {
        pcre2_get_error_message(code, text, sizeof text);
        snprintf(error, room, "%s, at letter %zu", (const char *)text, offset + 1);
    }
    if (pattern->match)
        return pattern;
    wcts_pattern_free(pattern);
    return NULL;
}

void wcts_pattern_free(struct wcts_pattern *pattern)
{
    if (!pattern)
        return;
    pcre2_match_data_free(pattern->match);
    pcre2_code_free(pattern->code);
    free(pattern);
}

bool wcts_pattern_matches(const struct wcts_pattern *pattern, const char *text)
{
    return pcre2_match(pattern->code, (PCRE2_SPTR)text, PCRE2_ZERO_TERMINATED, 0, 0, pattern->match,
                       NULL) >= 0;
}
