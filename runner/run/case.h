/* SPDX-License-Identifier: MIT */
/* Running cases: machine and judge together. */
#ifndef WCTS_CASE_H
#define WCTS_CASE_H

#include "../judge/judge.h"
#include "../machine/session.h"

/* Runs one case on fresh instances, at each level at which a decision differs. Fills in the
 * findings, for wcts_judge_result_read; may not return if the plug-in misbehaves. */
void wcts_run_case(struct wcts_machine_session *session, const struct wcts_case *test,
                   struct wcts_result *result);

/* The same from a stored case, unpacked, in a session that reads (wcts_session_options.claims).
 * Returns what is wrong with it, NULL for nothing; valid until the next one. */
const char *wcts_run_case_again(struct wcts_machine_session *session, const struct wcts_case *test,
                                const struct wcts_stored *stored, struct wcts_result *result);

/* Runs a case at the session's level and judges it on its own. */
void wcts_run_judge(struct wcts_machine_session *session, const struct wcts_case *test,
                    struct wcts_finding *finding);
/* Skips a broken case if a rule that its own rests on is broken too, and takes back an observed
 * breach if one that the broken rule rests on is (layers.c). */
void wcts_run_excuse(struct wcts_machine_session *session, const struct wcts_case *test,
                     struct wcts_finding *finding);
/* What is broken, and not skipped for it, becomes as small as it can: a scenario without the acts
 * that it does not need, a combination the facts to blame. */
void wcts_run_reduce(struct wcts_machine_session *session, const struct wcts_case *test,
                     struct wcts_finding *finding);
/* Leaves out of a failing scenario what it does not need: the finding becomes that of the smallest
 * form, with its words and its file (shrink.c). */
void wcts_run_shrink_scenario(struct wcts_machine_session *session, const struct wcts_case *test,
                              struct wcts_finding *finding);

#endif
