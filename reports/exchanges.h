/* SPDX-License-Identifier: MIT */
/* The exchanges of a run directory, as its records give them again: without any implementation. */
#ifndef WCTS_REPORT_EXCHANGES_H
#define WCTS_REPORT_EXCHANGES_H

#include "../runner/exchange/recording.h"
#include "../runner/model/claims.h"
#include "../runner/store/run_dir.h"

/* An exchange of a case: what crossed in one boot, up to where the parties were closed. Valid
 * during the visit. Example: {the third test, 12 messages}. */
struct wcts_report_exchange {
    const struct wcts_case *test;
    const struct wcts_exchange *exchange;
    const struct wcts_claims *claims; /* of the side that the case is about */
};

/* False ends the walk. */
typedef bool wcts_report_exchange_visit(void *context, const struct wcts_report_exchange *one);

/* Visits them in plan order. The reader's run was read (wcts_report_verify_settings), and the plan
 * is that of its suite. False, with a message, if the records cannot be read, or are of other
 * documents. */
bool wcts_report_exchanges(struct wcts_store_reader *reader, const struct wcts_plan *plan,
                           wcts_report_exchange_visit *visit, void *context);

#endif
