/* SPDX-License-Identifier: MIT */
/* Which failures of a run depend on what ran before them. */
#ifndef WCTS_CLI_ORDER_H
#define WCTS_CLI_ORDER_H

#include "../../reports/report.h"
#include "../run/order.h"

/* Looks at the smallest case of each of the first causes of failures, and at flaky cases, and adds
 * what it finds to run->orders. To be called after the last case. */
void wcts_cli_order_look(struct wcts_report_run *run, struct wcts_run_order_search *search);

#endif
