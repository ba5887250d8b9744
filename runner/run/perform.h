/* SPDX-License-Identifier: MIT */
/* Performing a test: its calls are made, and everything said is kept in the session's recording. */
#ifndef WCTS_PERFORM_H
#define WCTS_PERFORM_H

#include "../machine/session.h"

/* Clears the recording and performs a test that is claimed. Sequences are walked elsewhere
 * (sequence.h). May not return if the plug-in misbehaves. */
void wcts_run_perform(struct wcts_session *session, const struct wcts_case *test);

/* Boots, goes through a scenario with the session's kind, and keeps it (scenario.c). Returns how
 * many kinds the driver lists. The probe must answer for the scenario's adapter. */
int wcts_run_perform_scenario(struct wcts_session *session, const struct wcts_case *test);

/* Sends all values of a sweep (sweep.c). */
void wcts_run_perform_sweep(struct wcts_session *session, const struct wcts_case *test);

/* A call between two looks at the pages of its range (pages.c). */
void wcts_run_perform_pages(struct wcts_session *session, const struct wcts_case *test);

#endif
