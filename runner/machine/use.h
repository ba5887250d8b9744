/* SPDX-License-Identifier: MIT */
/* The suite's own use of memory, recorded like calls. */
#ifndef WCTS_MACHINE_USE_H
#define WCTS_MACHINE_USE_H

#include "session.h"

/* Writes the pattern of a step's seed to the range that its call in the world names, or reads that
 * range; NOT_SUPPORTED where a call that was refused should have returned it. */
wcts_status wcts_machine_use_range(struct wcts_machine_session *session,
                                   const struct wcts_step *step, const struct wcts_world *world);

/* Overwrites the system memory that content was moved out of: otherwise what a driver failed to
 * move would still be there when it fails to move it back. */
void wcts_machine_use_spoil(struct wcts_machine_session *session);

#endif
