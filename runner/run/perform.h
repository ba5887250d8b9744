/* SPDX-License-Identifier: MIT */
/* Performing a test by its script: everything said is kept in the session's recording. */
#ifndef WCTS_PERFORM_H
#define WCTS_PERFORM_H

#include "../machine/script.h"

/* Performs a test that is claimed, and adds its boots to the recording. Returns its own, which is
 * valid until the next one is added; NULL without memory. Sequences are walked elsewhere
 * (sequence.h). May not return if the plug-in misbehaves. */
const struct wcts_exchange_boot *wcts_run_perform(struct wcts_machine_session *session,
                                                  const struct wcts_case *test);
/* The same of a driver's test, with allocations of another kind than the driver's first if those
 * cannot show all of it, as one that cannot be paged. The kind that shows most is recorded. */
const struct wcts_exchange_boot *wcts_run_perform_some_kind(struct wcts_machine_session *session,
                                                            const struct wcts_case *test);
/* How much of a driver's test another kind of allocation may still show: answers that what was
 * asked is not supported, of the driver, as paging of a kind that cannot be moved, or of the
 * kernel, as paging in a kind that is in no segment, and, more than all of these, a set-up that it
 * refuses, or a kind that the driver does not create. */
int wcts_run_unshown(const struct wcts_spec *spec, const struct wcts_exchange_boot *boot);
/* Sends all values of a sweep, and adds two boots: of the base, and of one value (sweep.c). */
void wcts_run_perform_sweep(struct wcts_machine_session *session, const struct wcts_case *test);
/* Judges what is recorded of a test. */
void wcts_run_judge_recording(struct wcts_machine_session *session, const struct wcts_case *test,
                              struct wcts_exchange_recording *recording,
                              struct wcts_finding *finding);
/* Performs a test into a recording of its own, and judges it. */
void wcts_run_once(struct wcts_machine_session *session, const struct wcts_case *test,
                   struct wcts_finding *finding);

#endif
