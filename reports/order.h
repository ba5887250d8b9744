/* SPDX-License-Identifier: MIT */
/* Failures that depend on what ran before them (runner/run/order.h), as reports show them. */
#ifndef WCTS_REPORT_ORDER_H
#define WCTS_REPORT_ORDER_H

#include <jansson.h>
#include <stdbool.h>

struct wcts_report_run;

/*
 * What was found of a case. Owned by its struct wcts_report_orders:
 *     {.id = "STATEMENT/accept/wddm1_0/base", .text = "passes alone, fails after OTHER/...",
 *      .options = " --after OTHER/..."}
 */
struct wcts_report_order {
    char *id, *text;
    char *options; /* of replay, that show it; "": none would */
};

/* What was found of a run's failures, one entry for each case that was tried again. */
struct wcts_report_orders {
    struct wcts_report_order *of;
    int count;
};

void wcts_report_orders_release(struct wcts_report_orders *orders);

/* Takes over the texts, also when it fails, for lack of memory. */
bool wcts_report_orders_add(struct wcts_report_orders *orders, struct wcts_report_order order);

/* What was found of a case; NULL: nothing. */
const struct wcts_report_order *wcts_report_order_of(const struct wcts_report_run *run,
                                                     const char *id);

/* The member "order" of run.json; NULL: there is none. Reading adds what it has; false when it is
 * wrong. */
json_t *wcts_report_orders_json(const struct wcts_report_orders *orders);
bool wcts_report_orders_read(struct wcts_report_orders *orders, const json_t *value);

#endif
