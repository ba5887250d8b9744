/* SPDX-License-Identifier: MIT */
/* Running cases: machine and judge together. */
#ifndef WCTS_CASE_H
#define WCTS_CASE_H

#include "../judge/judge.h"
#include "../machine/session.h"

/* Runs one case on fresh instances, at each level at which a decision differs. Fills in the
 * findings, for wcts_result_read; may not return if the plug-in misbehaves. */
void wcts_session_run(struct wcts_session *session, const struct wcts_case *test,
                      struct wcts_result *result);

/* Runs a case at the session's level and judges it on its own. */
void wcts_session_judge(struct wcts_session *session, const struct wcts_case *test,
                        struct wcts_finding *finding);
/* The gap of an accepted call that breaks nothing but the end of an allocation, if the kernel made
 * the allocation large enough for it (own_size.c); NULL if there is none. */
const struct wcts_gap *wcts_session_rounds(struct wcts_session *session,
                                           const struct wcts_case *test);
/* Marks the calls of the reference kernel that the driver under test wrongly denied. */
void wcts_session_decline_owed(struct wcts_session *session);
/* Why a call of this world may be denied: VALID, BREACH or GAP, with the gap. */
enum wcts_denial wcts_denial_in(const struct wcts_world *world, const struct wcts_gap **gap);
/* Skips a broken case if a rule that its own rests on is broken too (layers.c). */
void wcts_session_excuse(struct wcts_session *session, const struct wcts_case *test,
                         struct wcts_finding *finding);
/* Runs a case of a pages effect (pages.c). */
void wcts_run_pages(struct wcts_session *session, const struct wcts_case *test,
                    struct wcts_finding *finding);

/* Leaves out of a failing scenario what it does not need: the finding becomes that of the smallest
 * form, with its words and its file (shrink.c). */
void wcts_shrink_scenario(struct wcts_session *session, const struct wcts_case *test,
                          struct wcts_finding *finding);
/* True unless the finding is a breach, a death or trouble. */
static inline bool wcts_shows_no_breach(enum wcts_found found)
{
    return found == WCTS_FOUND_KEPT || found == WCTS_FOUND_NOTHING || found == WCTS_FOUND_DECLINED;
}

/* Boots, runs the case's scenario and judges it (scenario.c); false if no other kind of allocation
 * is worth trying. */
bool wcts_scenario_once(struct wcts_session *session, const struct wcts_case *test,
                        struct wcts_finding *finding);
enum wcts_found wcts_scenario_found(struct wcts_session *session, const struct wcts_case *test);
/* The finding if the last call, a query of pages, was not answered. */
void wcts_judge_unseen_pages(struct wcts_session *session, struct wcts_finding *finding);
#endif
