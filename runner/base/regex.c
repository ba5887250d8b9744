/* SPDX-License-Identifier: MIT */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "regex.h"

#include <pcre2.h>
#include <stdio.h>
#include <stdlib.h>

/* Steps of one comparison. An expression that people write needs some hundred for the longest id;
 * tens of thousands of ids, if each needs nearly all of them, take about a second. */
#define STEPS_MAX 20000u
#define HEAP_MAX_KIB (16u * 1024)
#define JIT_STACK_MIN (32u * 1024)
#define JIT_STACK_MAX (1024u * 1024)

struct wcts_regex {
    pcre2_code *code;
    pcre2_match_data *match;
    pcre2_match_context *limits;
    pcre2_jit_stack *stack; /* NULL: without JIT */
    char error[200];        /* "": none */
};

static bool prepare_match(struct wcts_regex *pattern)
{
    pattern->match = pcre2_match_data_create_from_pattern(pattern->code, NULL);
    pattern->limits = pcre2_match_context_create(NULL);
    if (!pattern->match || !pattern->limits)
        return false;
    pcre2_set_match_limit(pattern->limits, STEPS_MAX);
    pcre2_set_depth_limit(pattern->limits, STEPS_MAX);
    pcre2_set_heap_limit(pattern->limits, HEAP_MAX_KIB);
    /* Without JIT it is slower, and no worse. */
    if (pcre2_jit_compile(pattern->code, PCRE2_JIT_COMPLETE) == 0)
        pattern->stack = pcre2_jit_stack_create(JIT_STACK_MIN, JIT_STACK_MAX, NULL);
    if (pattern->stack)
        pcre2_jit_stack_assign(pattern->limits, NULL, pattern->stack);
    return true;
}

struct wcts_regex *wcts_regex_new(const char *expression, enum wcts_regex_extent extent,
                                  char *error, size_t room)
{
    static const uint32_t options[] = {
        [WCTS_REGEX_WHOLE] = PCRE2_ANCHORED | PCRE2_ENDANCHORED, [WCTS_REGEX_PART] = 0};
    struct wcts_regex *pattern = calloc(1, sizeof *pattern);
    PCRE2_UCHAR text[200];
    size_t offset;
    int code;

    snprintf(error, room, "out of memory");
    if (!pattern)
        return NULL;
    pattern->code = pcre2_compile((PCRE2_SPTR)expression, PCRE2_ZERO_TERMINATED, options[extent],
                                  &code, &offset, NULL);
    if (pattern->code && prepare_match(pattern))
        return pattern;
    if (!pattern->code) {
        pcre2_get_error_message(code, text, sizeof text);
        snprintf(error, room, "%s, at letter %zu", (const char *)text, offset + 1);
    }
    wcts_regex_free(pattern);
    return NULL;
}

void wcts_regex_free(struct wcts_regex *pattern)
{
    if (!pattern)
        return;
    pcre2_match_context_free(pattern->limits);
    pcre2_jit_stack_free(pattern->stack);
    pcre2_match_data_free(pattern->match);
    pcre2_code_free(pattern->code);
    free(pattern);
}

bool wcts_regex_matches(struct wcts_regex *pattern, const char *text)
{
    PCRE2_UCHAR reason[120];
    if (pattern->error[0])
        return false;
    int code = pcre2_match(pattern->code, (PCRE2_SPTR)text, PCRE2_ZERO_TERMINATED, 0, 0,
                           pattern->match, pattern->limits);
    if (code >= 0 || code == PCRE2_ERROR_NOMATCH)
        return code >= 0;
    pcre2_get_error_message(code, reason, sizeof reason);
    snprintf(pattern->error, sizeof pattern->error, "%s, at \"%.60s\"", (const char *)reason, text);
    return false;
}

const char *wcts_regex_error(const struct wcts_regex *pattern)
{
    return pattern->error[0] ? pattern->error : NULL;
}
