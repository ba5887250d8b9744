/* SPDX-License-Identifier: MIT */
#include "budget.h"

#include <stdlib.h>
#include <string.h>

#include "../base/array.h"
#include "../plan/plan.h"
#include "../run/watch.h"

struct wcts_budget_result {
    int index; /* of the case in the plan */
    struct wcts_result result;
    char *output;
};

/* ---- The clock ---- */

/* Set: the time that passes is counted in cases, so that a test ends the same on every machine. */
static const char rate_variable[] = "WCTS_CASES_A_SECOND";

static uint64_t given_rate(void)
{
    const char *text = getenv(rate_variable);
    return text ? strtoull(text, NULL, 10) : 0;
}

static bool is_over(void *ctx)
{
    struct wcts_cli_budget *budget = ctx;
    if (budget->seconds <= 0)
        return false;
    double passed = budget->rate ? (double)budget->reached / (double)budget->rate
                                 : wcts_run_watch_now() - budget->begin;
    budget->over = budget->over || passed >= budget->seconds;
    return budget->over;
}

/* ---- Results ---- */

/* Takes over what the result holds. */
static bool keep_result(void *ctx, const struct wcts_case *test, struct wcts_result *result,
                        const char *output)
{
    struct wcts_cli_budget *budget = ctx;
    struct wcts_budget_result *kept = WCTS_ARRAY_ADD(budget->results, budget->reached);
    if (!kept)
        return false;
    *kept = (struct wcts_budget_result){test->index, *result, strdup(output)};
    *result = (struct wcts_result){0};
    return kept->output && !is_over(budget);
}

static int by_index(const void *a, const void *b)
{
    const struct wcts_budget_result *left = a, *right = b;
    return left->index - right->index;
}

void wcts_cli_budget_run(struct wcts_cli_budget *budget,
                         const struct wcts_run_pool_options *options,
                         const struct wcts_claims *claims, int *selected)
{
    struct wcts_run_pool_options limited = *options;
    limited.selected = selected;
    limited.apart = true;
    limited.over = is_over;
    limited.over_ctx = budget;
    budget->rate = given_rate();
    budget->begin = wcts_run_watch_now();
    budget->end = wcts_run_pool_run_again(&limited, claims, keep_result, budget, budget->error,
                                          sizeof budget->error);
    budget->spent = wcts_run_watch_now() - budget->begin;
    if (budget->end == WCTS_POOL_STOPPED && budget->over && budget->error[0] == '\0')
        budget->end = WCTS_POOL_DONE;
    if (budget->reached > 0)
        qsort(budget->results, (size_t)budget->reached, sizeof *budget->results, by_index);
    for (int i = 0; i < budget->reached; i++)
        selected[i] = budget->results[i].index;
}

enum wcts_run_pool_end wcts_cli_budget_hand_on(struct wcts_cli_budget *budget,
                                               const struct wcts_plan *plan,
                                               wcts_pool_result_fn *each, void *ctx)
{
    for (int i = 0; i < budget->reached; i++) {
        struct wcts_budget_result *one = &budget->results[i];
        if (!each(ctx, WCTS_PLAN_CASE(plan, one->index), &one->result, one->output))
            return WCTS_POOL_STOPPED;
    }
    return budget->end;
}

void wcts_cli_budget_release(struct wcts_cli_budget *budget)
{
    for (int i = 0; i < budget->reached; i++) {
        wcts_model_result_release(&budget->results[i].result);
        free(budget->results[i].output);
    }
    free(budget->results);
    free(budget->worths);
    *budget = (struct wcts_cli_budget){0};
}
