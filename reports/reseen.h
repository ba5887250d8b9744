/* SPDX-License-Identifier: MIT */
/* What the records of a finished run show of a profile that the run did not have. */
#ifndef WCTS_RESEEN_H
#define WCTS_RESEEN_H

#include "../runner/exchange/recording.h"
#include "../runner/model/profile.h"
#include "../runner/store/run_dir.h"
#include "report.h"

struct wcts_report_reseen;

/* before: the run's own profile, as run.json has it; NULL: none. NULL, with a message, if the run
 * has no records. All that is given has to outlive it. */
struct wcts_report_reseen *wcts_report_reseen_new(const char *directory,
                                                  const struct wcts_plan *plan,
                                                  const struct wcts_claims *claims,
                                                  const struct wcts_profile *before,
                                                  const struct wcts_profile *profile);
void wcts_report_reseen_free(struct wcts_report_reseen *reseen);

/* Sets what the next case of the journal shows, of which result has what was seen of the profile
 * before. False, with a message, if its record cannot be read. */
bool wcts_report_reseen_case(struct wcts_report_reseen *reseen, const struct wcts_case *test,
                             struct wcts_result *result);

/* Passes over the next case of the journal instead. */
void wcts_report_reseen_skip(struct wcts_report_reseen *reseen, const struct wcts_case *test,
                             const struct wcts_result *result);

/* Has a function called with the recording of each case that is judged again. */
void wcts_report_reseen_watch(struct wcts_report_reseen *reseen,
                              void (*see)(void *ctx, const struct wcts_case *test,
                                          const struct wcts_exchange_recording *recording),
                              void *ctx);

#endif
