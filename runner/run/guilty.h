/* SPDX-License-Identifier: MIT */
/* Which of a combination's many facts are to blame, by further calls (generate/halve.h). */
#ifndef WCTS_GUILTY_H
#define WCTS_GUILTY_H

#include "../machine/session.h"

/* Adds to the reason of a misjudged combination, or of one whose twin is refused, what is always
 * misjudged, "exactly when A and B are set, if there is one cause"; nothing if that is not found or
 * not confirmed. The recording of the test stays. */
void wcts_run_find_guilty(struct wcts_machine_session *session, const struct wcts_case *test,
                          struct wcts_finding *finding);

#endif
