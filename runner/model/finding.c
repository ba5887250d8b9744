/* SPDX-License-Identifier: MIT */
#include "finding.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *wcts_model_found_name(enum wcts_found found)
{
    static const char *const names[] = {
        [WCTS_FOUND_KEPT] = "kept",       [WCTS_FOUND_BROKEN] = "broken",
        [WCTS_FOUND_NOTHING] = "nothing", [WCTS_FOUND_DECLINED] = "declined",
        [WCTS_FOUND_CRASH] = "crash",     [WCTS_FOUND_HANG] = "hang",
        [WCTS_FOUND_TROUBLE] = "trouble",
    };
    return names[found];
}

static void set_reason(struct wcts_finding *finding, const char *before, const char *format,
                       va_list arguments)
{
    char *text = NULL;
    free(finding->reason);
    finding->reason = NULL;
    if (vasprintf(&text, format, arguments) < 0)
        return;
    if (before[0] == '\0') {
        finding->reason = text;
        return;
    }
    if (asprintf(&finding->reason, "%s: %s", before, text) < 0)
        finding->reason = NULL;
    free(text);
}

void wcts_model_finding_set(struct wcts_finding *finding, enum wcts_found found, const char *format,
                            ...)
{
    va_list arguments;
    finding->found = found;
    finding->skip = WCTS_SKIP_NONE;
    finding->fails = false;
    va_start(arguments, format);
    set_reason(finding, "", format, arguments);
    va_end(arguments);
}

void wcts_model_finding_append(struct wcts_finding *finding, const char *format, ...)
{
    char *before = finding->reason, *after = NULL;
    va_list arguments;
    int length;
    va_start(arguments, format);
    length = vasprintf(&after, format, arguments);
    va_end(arguments);
    if (before && length >= 0) {
        if (asprintf(&finding->reason, "%s%s", before, after) < 0)
            finding->reason = before;
        else
            free(before);
    }
    if (length >= 0)
        free(after);
}

void wcts_model_finding_skip(struct wcts_finding *finding, enum wcts_skip skip, const char *format,
                             ...)
{
    va_list arguments;
    finding->found = WCTS_FOUND_NOTHING;
    finding->skip = skip;
    va_start(arguments, format);
    set_reason(finding, wcts_model_skip_name(skip), format, arguments);
    va_end(arguments);
}

static void release_one(struct wcts_finding *finding)
{
    free(finding->reason);
    free(finding->detail);
    free(finding->scenario);
}

void wcts_model_finding_take_back(struct wcts_finding *finding)
{
    release_one(finding);
    *finding = (struct wcts_finding){.levels = finding->levels,
                                     .found = WCTS_FOUND_KEPT,
                                     .cleared = finding->cleared,
                                     .next = finding->next};
}

void wcts_model_finding_release(struct wcts_finding *finding)
{
    for (struct wcts_finding *next = finding->next, *behind; next; next = behind) {
        behind = next->next;
        release_one(next);
        free(next);
    }
    release_one(finding);
    *finding = (struct wcts_finding){0};
}

static bool is_same_text(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}

bool wcts_model_finding_add(struct wcts_finding *finding, struct wcts_finding *more)
{
    struct wcts_finding *last = finding, *added;
    if (finding->levels == 0) {
        *finding = *more;
        return true;
    }
    for (struct wcts_finding *one = finding; one; last = one, one = one->next)
        if (one->found == more->found && one->skip == more->skip && one->fails == more->fails &&
            one->broken == more->broken && one->observed == more->observed &&
            one->partly == more->partly && is_same_text(one->reason, more->reason) &&
            is_same_text(one->detail, more->detail) &&
            is_same_text(one->scenario, more->scenario)) {
            one->levels |= more->levels;
            wcts_model_finding_release(more);
            return true;
        }
    added = malloc(sizeof *added);
    if (!added) {
        wcts_model_finding_release(more);
        return false;
    }
    *added = *more;
    last->next = added;
    return true;
}

static bool same_text(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}

bool wcts_model_finding_same(const struct wcts_finding *a, const struct wcts_finding *b)
{
    for (; a && b; a = a->next, b = b->next)
        if (a->levels != b->levels || a->found != b->found || a->skip != b->skip ||
            a->fails != b->fails || a->broken != b->broken || a->observed != b->observed ||
            !same_text(a->reason, b->reason))
            return false;
    return a == b;
}

const struct wcts_finding *wcts_model_finding_last(const struct wcts_finding *finding)
{
    while (finding->next)
        finding = finding->next;
    return finding;
}

const struct wcts_finding *wcts_model_finding_at(const struct wcts_finding *finding,
                                                 enum wcts_level level)
{
    for (const struct wcts_finding *one = finding; one; one = one->next)
        if (one->levels & wcts_model_level_bit(level))
            return one;
    return finding;
}

void wcts_model_result_release(struct wcts_result *result)
{
    free(result->reason);
    free(result->detail);
    free(result->scenario);
    wcts_model_finding_release(&result->finding);
    for (int i = 0; i < result->tried; i++) {
        free(result->tries[i].reason);
        free(result->tries[i].detail);
        free(result->tries[i].stored.bytes);
        wcts_model_finding_release(&result->tries[i].finding);
    }
    free(result->tries);
    free(result->stored.bytes);
    result->reason = result->detail = result->scenario = NULL;
    result->tries = NULL;
    result->tried = result->try_count = result->times = 0;
    result->stored = (struct wcts_stored){0};
}

const char *wcts_model_verdict_name(enum wcts_verdict verdict)
{
    static const char *const names[] = {
        [WCTS_VERDICT_PASS] = "pass",         [WCTS_VERDICT_WARN] = "warn",
        [WCTS_VERDICT_SKIP] = "skip",         [WCTS_VERDICT_FAIL] = "fail",
        [WCTS_VERDICT_CRASH] = "crash",       [WCTS_VERDICT_TIMEOUT] = "timeout",
        [WCTS_VERDICT_BROKEN] = "broken",     [WCTS_VERDICT_WAIVED] = "waived",
        [WCTS_VERDICT_FIXED] = "fixed",       [WCTS_VERDICT_FLAKY] = "flaky",
        [WCTS_VERDICT_DECLINED] = "declined", [WCTS_VERDICT_DEVIATES] = "deviates",
    };
    return names[verdict];
}

const char *wcts_model_skip_name(enum wcts_skip skip)
{
    static const char *const names[] = {
        [WCTS_SKIP_NONE] = "",
        [WCTS_SKIP_NOT_CLAIMED] = "not claimed",
        [WCTS_SKIP_NOT_APPLICABLE] = "not applicable",
        [WCTS_SKIP_NOT_SHOWN] = "not shown",
        [WCTS_SKIP_NOT_TRIED] = "not tried",
        [WCTS_SKIP_NOT_JUDGED] = "not judged",
        [WCTS_SKIP_NOT_IN_PROFILE] = "not in profile",
    };
    return names[skip];
}

bool wcts_model_verdict_is_death(enum wcts_verdict verdict)
{
    return verdict == WCTS_VERDICT_CRASH || verdict == WCTS_VERDICT_TIMEOUT;
}

const char *wcts_model_detail_messages(const char *detail)
{
    const char *messages = strstr(detail, WCTS_MESSAGES);
    return messages ? messages : detail;
}

const char *wcts_model_detail_shrunk(const char *detail)
{
    const char *shrunk = strstr(detail, "\n" WCTS_SHRUNK);
    return shrunk ? shrunk + 1 + strlen(WCTS_SHRUNK) : NULL;
}

char *wcts_model_detail_call(const char *detail)
{
    const char *at = detail ? strstr(detail, "\n" WCTS_ONE_CALL) : NULL;
    if (!at)
        return NULL;
    at += 1 + strlen(WCTS_ONE_CALL);
    return strndup(at, strcspn(at, "\n"));
}
