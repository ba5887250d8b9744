/* SPDX-License-Identifier: MIT */
#include "causes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../runner/base/array.h"
#include "../runner/base/text.h"
#include "../runner/baseline/baseline.h"
#include "../runner/judge/judge.h"
#include "../runner/plan/plan.h"
#include "../runner/store/tally.h"

bool wcts_report_causes_init(struct wcts_report_causes *causes, const struct wcts_plan *plan)
{
    *causes = (struct wcts_report_causes){.plan = plan};
    causes->of = calloc((size_t)plan->count + 1, sizeof *causes->of);
    return causes->of != NULL;
}

static void release_cause(struct wcts_report_cause *cause)
{
    free(cause->key);
    free(cause->reason);
    free(cause->shrunk);
    free(cause->call);
    free(cause->output);
    free(cause->backtrace);
    free(cause->about);
    free(cause->patterns[0].text);
    free(cause->patterns[1].text);
}

void wcts_report_causes_release(struct wcts_report_causes *causes)
{
    for (int i = 0; i < causes->count; i++)
        release_cause(&causes->list[i]);
    free(causes->list);
    free(causes->of);
    free(causes->order);
}

/* ---- what failures have in common ---- */

/* How a verdict is grouped. */
static const struct {
    bool fails; /* it has a cause */
    bool death; /* the implementation's end, a refusal or a failed set-up, whatever was tested */
} groups[WCTS_VERDICT_COUNT] = {
    [WCTS_VERDICT_FAIL] = {.fails = true},
    [WCTS_VERDICT_CRASH] = {.fails = true, .death = true},
    [WCTS_VERDICT_TIMEOUT] = {.fails = true, .death = true},
    [WCTS_VERDICT_DECLINED] = {.fails = true, .death = true},
    [WCTS_VERDICT_BROKEN] = {.fails = true, .death = true},
};

static const char *given_reason(const struct wcts_result *result)
{
    return result->reason ? result->reason : "";
}

/* The caller frees it. */
static char *key_of(const struct wcts_spec *spec, int rule, const struct wcts_result *result)
{
    const struct wcts_rule *broken = &spec->rules[rule];
    bool death = groups[result->verdict].death;
    char *reason = death ? wcts_baseline_signature_text(given_reason(result))
                         : wcts_baseline_signature_reason(spec, broken, given_reason(result));
    char *key = NULL;
    if (reason && asprintf(&key, "%s %s %s", wcts_model_verdict_name(result->verdict),
                           death ? "" : spec->statements[broken->statement].id, reason) < 0)
        key = NULL;
    free(reason);
    return key;
}

/* The cause with the key, which is taken over; a new one if there is none. NULL when memory is
 * short. */
static struct wcts_report_cause *cause_with(struct wcts_report_causes *causes, char *key, int rule,
                                            enum wcts_verdict verdict)
{
    struct wcts_report_cause *cause;
    for (int i = 0; i < causes->count; i++)
        if (strcmp(causes->list[i].key, key) == 0) {
            free(key);
            return &causes->list[i];
        }
    cause = WCTS_ARRAY_ADD(causes->list, causes->count);
    if (!cause) {
        free(key);
        return NULL;
    }
    *cause = (struct wcts_report_cause){
        .key = key,
        .verdict = verdict,
        .death = groups[verdict].death,
        .rule = rule,
        .smallest = -1,
        .walked = true,
        .about = calloc((size_t)causes->plan->spec->statements_count + 1, 1)};
    return cause->about ? cause : NULL;
}

/* ---- counting ---- */

int wcts_report_case_size(const struct wcts_case *test)
{
    /* A fact of a combination is a word of flags. */
    if (test->kind == WCTS_KIND_COMBINATION)
        return WCTS_FACTS_MAX + test->fact_count;
    return wcts_model_is_drawn(test->kind) ? 2 * WCTS_FACTS_MAX + 1 : test->fact_count;
}

/* Lines of the output that a cause keeps, and bytes of each. */
#define OUTPUT_LINES 6
#define OUTPUT_LINE_MOST 400

/* True if the line is one of those from a place on. */
static bool is_line_of(const char *lines, const char *line, size_t length)
{
    while (*lines) {
        size_t size = strcspn(lines, "\n");
        if (size == length && memcmp(lines, line, length) == 0)
            return true;
        lines += size + (lines[size] == '\n');
    }
    return false;
}

/* The last different lines of what a plug-in wrote; NULL: it wrote nothing, or memory is short. */
static char *last_lines(const char *output)
{
    const char *kept[OUTPUT_LINES];
    const char *end = output ? output + strlen(output) : NULL;
    struct wcts_text text = {0};
    int count = 0;
    while (end && end > output && count < OUTPUT_LINES) {
        const char *line = end - (end[-1] == '\n');
        const char *stop = line;
        while (line > output && line[-1] != '\n')
            line--;
        if (stop > line && !is_line_of(end, line, (size_t)(stop - line)))
            kept[count++] = line;
        end = line;
    }
    while (count-- > 0) {
        size_t size = strcspn(kept[count], "\n");
        wcts_text_add(&text, "%.*s%s\n", (int)(size < OUTPUT_LINE_MOST ? size : OUTPUT_LINE_MOST),
                      kept[count], size < OUTPUT_LINE_MOST ? "" : "...");
    }
    return text.length > 0 ? wcts_text_clean(wcts_text_take(&text)) : NULL;
}

/* Keeps the case with the fewest facts; of equals, the first. */
static bool keep_smallest(const struct wcts_report_causes *causes, struct wcts_report_cause *cause,
                          const struct wcts_case *test, int rule, const struct wcts_result *result,
                          const char *output)
{
    if (cause->smallest >= 0 && wcts_report_case_size(WCTS_PLAN_CASE(
                                    causes->plan, cause->smallest)) <= wcts_report_case_size(test))
        return true;
    const char *shrunk = result->detail ? wcts_model_detail_shrunk(result->detail) : NULL;
    free(cause->reason);
    free(cause->shrunk);
    free(cause->call);
    free(cause->output);
    cause->output = last_lines(output);
    cause->call = test->kind == WCTS_KIND_SWEEP ? wcts_model_detail_call(result->detail) : NULL;
    cause->smallest = test->index;
    cause->rule = rule;
    cause->reason = strdup(given_reason(result));
    cause->shrunk = shrunk ? strdup(shrunk) : NULL;
    return cause->reason && (cause->shrunk || !shrunk);
}

bool wcts_report_causes_count(struct wcts_report_causes *causes, const struct wcts_case *test,
                              int rule, const struct wcts_result *result, const char *output)
{
    const struct wcts_spec *spec = causes->plan->spec;
    int index = test->index, statement = spec->rules[rule].statement;
    causes->counted++;
    if (!groups[result->verdict].fails) {
        causes->of[index] = wcts_store_verdict_judges(result->verdict) ? WCTS_CASE_GOOD
                            : result->skip == WCTS_SKIP_NOT_TRIED      ? WCTS_CASE_UNTRIED
                                                                       : WCTS_CASE_UNKNOWN;
        return true;
    }
    char *key = key_of(spec, rule, result);
    struct wcts_report_cause *cause = key ? cause_with(causes, key, rule, result->verdict) : NULL;
    if (!cause)
        return false;
    causes->of[index] = 1 + (int)(cause - causes->list);
    cause->count++;
    cause->statements += !cause->about[statement];
    cause->about[statement] = 1;
    cause->walked = cause->walked && test->kind == WCTS_KIND_SEQUENCE;
    if (result->backtrace && result->backtrace[0] && !cause->backtrace)
        cause->backtrace = strdup(result->backtrace);
    return keep_smallest(causes, cause, test, rule, result, output);
}

/* ---- order ---- */

/* Deaths first, since they hide the result. What only sequences find may follow from the rest. */
static int rank_of_cause(const struct wcts_report_cause *cause)
{
    if (wcts_store_verdict_hinders(cause->verdict))
        return 3;
    if (cause->death)
        return 0;
    return cause->walked ? 2 : 1;
}

static int by_rank(const void *a, const void *b, void *ctx)
{
    const struct wcts_report_causes *causes = ctx;
    const int *left = a, *right = b;
    const struct wcts_report_cause *first = &causes->list[*left], *second = &causes->list[*right];
    int one = causes->plan->spec->rules[first->rule].statement;
    int other = causes->plan->spec->rules[second->rule].statement;
    if (rank_of_cause(first) != rank_of_cause(second))
        return rank_of_cause(first) - rank_of_cause(second);
    return one != other ? one - other : *left - *right;
}

bool wcts_report_causes_conclude(struct wcts_report_causes *causes)
{
    int *order = calloc((size_t)causes->count + 1, sizeof *order);
    if (!order)
        return false;
    for (int i = 0; i < causes->count; i++)
        order[i] = i;
    qsort_r(order, (size_t)causes->count, sizeof *order, by_rank, causes);
    free(causes->order);
    causes->order = order;
    return true;
}

struct wcts_report_failure wcts_report_cause_failure(const struct wcts_report_cause *cause)
{
    return (struct wcts_report_failure){cause->rule,      cause->smallest, cause->reason,
                                        cause->backtrace, cause->death,    cause->call,
                                        cause->output};
}

const struct wcts_case *wcts_report_failure_case(const struct wcts_plan *plan,
                                                 const struct wcts_report_failure *failure,
                                                 struct wcts_case *made)
{
    wcts_plan_case(plan, failure->smallest, made);
    if (failure->call)
        snprintf(made->id, sizeof made->id, "%s", failure->call);
    return made;
}

char *wcts_report_wrong_text(const struct wcts_plan *plan,
                             const struct wcts_report_failure *failure)
{
    struct wcts_case made;
    wcts_plan_case(plan, failure->smallest, &made);
    /* The fact of a sweep is its smallest value, which may have been answered rightly. */
    if (failure->call && made.fact_count == 1)
        made.facts[0].value.number = strtoull(strrchr(failure->call, '/') + 1, NULL, 16);
    return wcts_judge_wrong_text(plan, &made);
}

const struct wcts_statement *wcts_report_cause_statement(const struct wcts_report_causes *causes,
                                                         const struct wcts_report_cause *cause)
{
    const struct wcts_spec *spec = causes->plan->spec;
    return &spec->statements[spec->rules[cause->rule].statement];
}
