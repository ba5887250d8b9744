/* SPDX-License-Identifier: MIT */
/* Walks over all operations: drawn, performed and judged as scenarios, and shrunk if they fail. */
#ifndef WCTS_RUN_TOUR_H
#define WCTS_RUN_TOUR_H

#include "case.h"

/* Runs the walk of a test. */
void wcts_run_tour(struct wcts_machine_session *session, const struct wcts_case *test,
                   struct wcts_finding *finding);

#endif
