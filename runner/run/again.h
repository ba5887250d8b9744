/* SPDX-License-Identifier: MIT */
/*
 * A scenario is performed once, and judged for each effect that it expects: the plan has those
 * tests behind each other. What is stored of each is whole, as if it had been performed for it
 * alone.
 */
#ifndef WCTS_AGAIN_H
#define WCTS_AGAIN_H

#include "../machine/session.h"

/* Notes that the session's recording is of this test's scenario, which was performed to its end and
 * not judged yet. */
void wcts_run_keep(struct wcts_machine_session *session, const struct wcts_case *test);

/* True if the recording is what performing the test would give: then it need only be judged, and
 * the stream has it already. A test that is tried again is performed again. */
bool wcts_run_take_up(struct wcts_machine_session *session, const struct wcts_case *test);

/* True if one of the boots, judged alone, shows a breach of the test's rule. */
bool wcts_run_shows_breach(struct wcts_machine_session *session, const struct wcts_case *test,
                           int boot);

#endif
