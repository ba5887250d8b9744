/* SPDX-License-Identifier: MIT */
#include "order.h"

#include <stdlib.h>
#include <string.h>

#include "../base/text.h"
#include "settings.h"

/* Causes that are looked at: each takes a few milliseconds, and some seconds if its cases depend
 * on others. */
#define CAUSES_MAX 10
/* Cases after which one that fails alone is tried. */
#define OTHERS_MAX 16
/* How many of the cases before are named; all are options. */
#define NAMED_MAX 3
/* What fails by chance is repeated this many times as often as the failure took. */
#define OFTEN 4

/* "A, B, C and 5 others" */
static void name_cases(const struct wcts_report_run *run, const struct wcts_run_order *order,
                       struct wcts_text *text)
{
    for (int i = 0; i < order->count && i < NAMED_MAX; i++)
        wcts_text_add(text, "%s%s", i ? ", " : " ", WCTS_PLAN_CASE(run->plan, order->cases[i])->id);
    if (order->count > NAMED_MAX)
        wcts_text_add(text, " and %d others", order->count - NAMED_MAX);
    if (!order->smallest)
        wcts_text_add(text, " (fewer may do)");
}

/* Keeps what was found, with the options of replay that show the failure: none if it fails alone.
 */
static void keep_order(struct wcts_report_run *run, int index, const struct wcts_run_order *order)
{
    WCTS_TEXT(text);
    WCTS_TEXT(options);
    switch (order->kind) {
    case WCTS_ORDER_NONE:
        return;
    case WCTS_ORDER_TIMES:
        wcts_text_add(&text, "passes alone, fails when it is run %d times in one process",
                      order->times);
        wcts_text_add(&options, " --repeat %d", order->times);
        break;
    case WCTS_ORDER_AFTER:
        wcts_text_add(&text, "passes alone, fails after");
        name_cases(run, order, &text);
        for (int i = 0; i < order->count && order->count <= WCTS_STRINGS_MAX; i++)
            wcts_text_add(&options, " --after %s", WCTS_PLAN_CASE(run->plan, order->cases[i])->id);
        break;
    case WCTS_ORDER_WITHOUT:
        wcts_text_add(&text, "fails alone, passes after");
        name_cases(run, order, &text);
        break;
    case WCTS_ORDER_NEVER:
        wcts_text_add(&text, "passes alone, and also after all that ran before it in its process");
        break;
    case WCTS_ORDER_CHANCE:
        wcts_text_add(&text, "fails now and then, with the same cases before it");
        if (order->times > 0)
            wcts_text_add(&options, " --repeat %d", OFTEN * order->times);
        break;
    }
    wcts_report_orders_add(&run->orders,
                           (struct wcts_report_order){strdup(WCTS_PLAN_CASE(run->plan, index)->id),
                                                      wcts_text_take(&text),
                                                      strdup(wcts_text_get(&options))});
}

/* A sweep takes as long as thousands of cases, and makes as many calls of its own. */
static bool is_sweep(const struct wcts_report_run *run, int index)
{
    return WCTS_PLAN_CASE(run->plan, index)->kind == WCTS_KIND_SWEEP;
}

/* Cases of the run that passed, the nearest before the case, then those behind it. */
static int find_others(const struct wcts_report_run *run, int index, int *others)
{
    int at = 0, count = 0, from;
    while (at < run->selected_count && run->selected[at] != index)
        at++;
    from = at > OTHERS_MAX / 2 ? at - OTHERS_MAX / 2 : 0;
    for (int i = from; i < run->selected_count && count < OTHERS_MAX; i++)
        if (i != at && run->causes.of[run->selected[i]] == WCTS_CASE_GOOD &&
            !is_sweep(run, run->selected[i]))
            others[count++] = run->selected[i];
    return count;
}

static void look_at_order(struct wcts_report_run *run, struct wcts_run_order_search *search,
                          int index, enum wcts_found found)
{
    int others[OTHERS_MAX];
    struct wcts_run_order order;
    wcts_run_order_find(search, index, found, others, find_others(run, index, others), &order);
    keep_order(run, index, &order);
    free(order.cases);
}

void wcts_cli_order_look(struct wcts_report_run *run, struct wcts_run_order_search *search)
{
    static const enum wcts_found found[WCTS_VERDICT_COUNT] = {
        [WCTS_VERDICT_FAIL] = WCTS_FOUND_BROKEN,
        [WCTS_VERDICT_CRASH] = WCTS_FOUND_CRASH,
        [WCTS_VERDICT_DECLINED] = WCTS_FOUND_DECLINED,
        [WCTS_VERDICT_BROKEN] = WCTS_FOUND_TROUBLE};
    struct wcts_report_causes *causes = &run->causes;
    if (run->end != WCTS_POOL_DONE || !wcts_report_causes_conclude(causes))
        return;
    for (int i = 0; i < causes->count && i < CAUSES_MAX; i++) {
        const struct wcts_report_cause *cause = &causes->list[causes->order[i]];
        /* Each look at one that hangs would take as long as it did. What is observed of another
         * rule is reported in one case only, so other cases before it change that. */
        if (found[cause->verdict] != WCTS_FOUND_KEPT && !is_sweep(run, cause->smallest) &&
            WCTS_PLAN_CASE(run->plan, cause->smallest)->rule == cause->rule)
            look_at_order(run, search, cause->smallest, found[cause->verdict]);
    }
    for (int i = 0; i < WCTS_FLAKY_MAX && run->flaky[i].text; i++)
        if (found[run->flaky[i].failed] != WCTS_FOUND_KEPT)
            look_at_order(run, search, run->flaky[i].index, found[run->flaky[i].failed]);
}
