/* SPDX-License-Identifier: MIT */
/* Running cases: machine and judge together. */
#ifndef WCTS_CASE_H
#define WCTS_CASE_H

#include "../judge/judge.h"
#include "../machine/session.h"

/* Runs one case on fresh instances, at each level at which something else is decided. Fills in what
 * was found, for wcts_result_read; may not return when the plug-in misbehaves. */
void wcts_session_run(struct wcts_session *session, const struct wcts_case *test,
                      struct wcts_result *result);

/* Runs a case and judges it by itself. */
void wcts_session_judge(struct wcts_session *session, const struct wcts_case *test,
                        struct wcts_finding *finding);
/* The gap in which an accepted call falls that breaks the end of an allocation alone, if the kernel
 * made the allocation large enough for it (own_size.c); NULL: it falls in none. */
const struct wcts_gap *wcts_session_rounds(struct wcts_session *session,
                                           const struct wcts_case *test);
/* Notes what the driver under test was asked by the reference kernel and denied. */
void wcts_session_decline_owed(struct wcts_session *session);
/* Why a call of this world is denied: VALID, BREACH or GAP, with the gap. */
enum wcts_denial wcts_denial_in(const struct wcts_world *world, const struct wcts_gap **gap);
/* Skips a case that broke if a rule on which its own rests is broken, too (layers.c). */
void wcts_session_excuse(struct wcts_session *session, const struct wcts_case *test,
                         struct wcts_finding *finding);
/* Runs a case of a scenario (scenario.c). */
void wcts_run_scenario(struct wcts_session *session, const struct wcts_case *test,
                       struct wcts_finding *finding);
/* Runs a case of a pages effect (pages.c). */
void wcts_run_pages(struct wcts_session *session, const struct wcts_case *test,
                    struct wcts_finding *finding);

/* Leaves out of a failing scenario what can be left out: result becomes that of the smallest form,
 * with its words and its file (shrink.c). */
void wcts_shrink_scenario(struct wcts_session *session, const struct wcts_case *test,
                          struct wcts_finding *finding);
/* Boots, goes through the case's scenario and judges it (scenario.c); false when there is nothing
 * more to ask of it. */
bool wcts_scenario_once(struct wcts_session *session, const struct wcts_case *test,
                        struct wcts_finding *finding);
enum wcts_found wcts_scenario_found(struct wcts_session *session, const struct wcts_case *test);
/* The pages were asked for last, and not told. */
void wcts_judge_unseen_pages(struct wcts_session *session, struct wcts_finding *finding);
#endif
