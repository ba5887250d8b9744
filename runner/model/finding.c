/* SPDX-License-Identifier: MIT */
#include "finding.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void wcts_result_release(struct wcts_result *result)
{
    free(result->reason);
    free(result->detail);
    free(result->scenario);
    for (int i = 0; i < result->try_count; i++) {
        free(result->tries[i].reason);
        free(result->tries[i].detail);
    }
    free(result->tries);
    free(result->tape.bytes);
    result->reason = result->detail = result->scenario = NULL;
    result->tries = NULL;
    result->try_count = 0;
    result->tape = (struct wcts_tape_record){0};
}

void wcts_result_set(struct wcts_result *result, enum wcts_verdict verdict, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    result->verdict = verdict;
    result->skip = WCTS_SKIP_NONE;
    free(result->reason);
    result->reason = strdup(text);
}

void wcts_result_skip(struct wcts_result *result, enum wcts_skip skip, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    wcts_result_set(result, WCTS_VERDICT_SKIP, "%s: %s", wcts_skip_name(skip), text);
    result->skip = skip;
}

const char *wcts_verdict_name(enum wcts_verdict verdict)
{
    static const char *const names[] = {
        [WCTS_VERDICT_PASS] = "pass",         [WCTS_VERDICT_WARN] = "warn",
        [WCTS_VERDICT_SKIP] = "skip",         [WCTS_VERDICT_FAIL] = "fail",
        [WCTS_VERDICT_CRASH] = "crash",       [WCTS_VERDICT_TIMEOUT] = "timeout",
        [WCTS_VERDICT_BROKEN] = "broken",     [WCTS_VERDICT_WAIVED] = "waived",
        [WCTS_VERDICT_FIXED] = "fixed",       [WCTS_VERDICT_FLAKY] = "flaky",
        [WCTS_VERDICT_DECLINED] = "declined",
    };
    return names[verdict];
}

const char *wcts_skip_name(enum wcts_skip skip)
{
    static const char *const names[] = {
        [WCTS_SKIP_NONE] = "",
        [WCTS_SKIP_NOT_CLAIMED] = "not claimed",
        [WCTS_SKIP_NOT_APPLICABLE] = "not applicable",
        [WCTS_SKIP_NOT_SHOWN] = "not shown",
        [WCTS_SKIP_NOT_TRIED] = "not tried",
        [WCTS_SKIP_NOT_JUDGED] = "not judged",
    };
    return names[skip];
}

bool wcts_verdict_is_death(enum wcts_verdict verdict)
{
    return verdict == WCTS_VERDICT_CRASH || verdict == WCTS_VERDICT_TIMEOUT;
}

bool wcts_verdict_is_first_hand(enum wcts_verdict verdict)
{
    return verdict != WCTS_VERDICT_WAIVED && verdict != WCTS_VERDICT_FIXED &&
           verdict != WCTS_VERDICT_FLAKY;
}

const char *wcts_detail_came(const char *detail)
{
    const char *came = strstr(detail, WCTS_MESSAGES);
    return came ? came : detail;
}

const char *wcts_detail_shrunk(const char *detail)
{
    const char *shrunk = strstr(detail, "\n" WCTS_SHRUNK);
    return shrunk ? shrunk + 1 + strlen(WCTS_SHRUNK) : NULL;
}
