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
    if (wcts_cli_sink_flush(&budget->sink))
        return true;
    if (budget->seconds <= 0)
        return false;
    double passed = budget->rate ? (double)budget->reached / (double)budget->rate
                                 : wcts_run_watch_now() - budget->begin;
    budget->over = budget->over || passed >= budget->seconds;
    return budget->over;
}

/* ---- Results ---- */

/* The record of a result that was stored before, and what else the journal does not have. */
static bool read_record(struct wcts_cli_budget *budget, const char *id, struct wcts_stored *stored)
{
    const struct wcts_stored *found = wcts_store_records_find(&budget->stored, id);
    wcts_exchange_packer_begin(budget->packer);
    if (found && wcts_store_records_pack(budget->packer, found, stored))
        return true;
    fprintf(stderr,
            "wddm-cts: %s/" WCTS_RECORDS_FILE ": found no record that can be read, "
            "expected that of %s\n",
            budget->sink.directory->path, id);
    return false;
}

static bool read_budget_records(struct wcts_cli_budget *budget, const char *id,
                                struct wcts_result *result)
{
    const struct wcts_store_rundir *directory = budget->sink.directory;
    bool good = true;
    result->backtrace = NULL;
    free(result->scenario);
    result->scenario = wcts_cli_earlier_scenario(directory->path, id);
    if (!budget->sink.stored_claims)
        return true;
    if (!budget->packer) {
        budget->packer = wcts_exchange_packer_new();
        good = budget->packer && wcts_store_records_open(&budget->stored, directory->path);
    }
    for (int i = 0; good && i <= result->tried; i++)
        good =
            read_record(budget, id, i < result->tried ? &result->tries[i].stored : &result->stored);
    return good;
}

/* Takes over what the result holds. */
static bool keep_budgeted(void *ctx, const struct wcts_case *test, struct wcts_result *result,
                          const char *output)
{
    struct wcts_cli_budget *budget = ctx;
    const struct wcts_cli_earlier *earlier = budget->sink.earlier;
    bool was_stored = earlier && budget->reached < earlier->count;
    bool good = was_stored ? read_budget_records(budget, test->id, result)
                           : wcts_cli_sink_store(&budget->sink, test, result, output);
    if (!good) {
        snprintf(budget->error, sizeof budget->error, "results cannot be %s",
                 was_stored ? "read" : "written");
        return false;
    }
    struct wcts_budget_result *kept = WCTS_ARRAY_ADD(budget->results, budget->reached);
    if (!kept)
        return false;
    wcts_store_tally_add(&budget->total, result);
    *kept = (struct wcts_budget_result){test->index, *result, strdup(output)};
    *result = (struct wcts_result){0};
    return kept->output && (was_stored || !is_over(budget));
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
    limited.earlier_count = budget->sink.earlier ? budget->sink.earlier->count : 0;
    limited.earlier = wcts_cli_earlier_next;
    limited.earlier_ctx = budget->sink.earlier;
    char error[sizeof budget->error];
    budget->sink.total = &budget->total;
    budget->rate = given_rate();
    budget->begin = budget->sink.begin =
        wcts_run_watch_now() - (double)budget->sink.directory->whole.milliseconds / 1e3;
    limited.until = budget->seconds > 0 ? budget->begin + budget->seconds : 0;
    budget->end =
        wcts_run_pool_run_again(&limited, claims, keep_budgeted, budget, error, sizeof error);
    budget->spent = wcts_run_watch_now() - budget->begin;
    wcts_cli_sink_clear(&budget->sink);
    if (budget->error[0] == '\0')
        memcpy(budget->error, error, sizeof error);
    /* What was reached is there for a run that goes on, also if this one is stopped now. */
    wcts_store_rundir_flush(budget->sink.directory, (uint64_t)(budget->spent * 1e3));
    if (budget->end == WCTS_POOL_STOPPED && budget->over && budget->error[0] == '\0')
        budget->end = WCTS_POOL_DONE;
    if (budget->reached > 0)
        qsort(budget->results, (size_t)budget->reached, sizeof *budget->results, by_index);
    for (int i = 0; i < budget->reached; i++)
        selected[i] = budget->results[i].index;
}

void wcts_cli_budget_count_parts(const struct wcts_cli_budget *budget, const struct wcts_plan *plan,
                                 struct wcts_plan_strength *strength)
{
    for (int i = 0; i < budget->reached; i++)
        if (budget->results[i].result.finding.partly)
            wcts_plan_strength_partly(strength, plan, budget->results[i].index);
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
    if (budget->packer)
        wcts_store_records_release(&budget->stored);
    wcts_exchange_packer_free(budget->packer);
    *budget = (struct wcts_cli_budget){0};
}
