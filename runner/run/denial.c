/* SPDX-License-Identifier: MIT */
/* Why calls were denied: what the rules, or the driver's own answers, would have required. */
#include "case.h"

enum wcts_denial wcts_denial_in(const struct wcts_world *world, const struct wcts_gap **gap)
{
    struct wcts_prediction prediction;
    wcts_world_judge(world, &prediction);
    *gap = wcts_world_gap(world);
    if (prediction.broken_count > 0 || prediction.expect != WCTS_EXPECT_ACCEPT)
        return WCTS_DENIAL_BREACH;
    return *gap ? WCTS_DENIAL_GAP : WCTS_DENIAL_VALID;
}

/* True if the driver must accept the call: the reference kernel names only what the driver has
 * made, and requests nothing that a kernel would not. An allocation it must make if it gave the
 * private data itself, as for a standard allocation, or if it lists no kinds, so that there is
 * none. */
static bool is_owed(const struct wcts_record *record, int kinds)
{
    const struct wcts_driver_allocation_create_request *in = (const void *)record->request;
    if (record->operation >> 8 != WCTS_DRIVER_INFO >> 8)
        return false;
    return record->operation != WCTS_DRIVER_ALLOCATION_CREATE ||
           (record->request_size >= sizeof *in &&
            (in->StandardAllocationType != WCTS_STANDARD_NONE || kinds == 0));
}

void wcts_session_decline_owed(struct wcts_session *session)
{
    struct wcts_exchange *exchange = &session->exchange;
    int kinds = wcts_session_kinds(session);
    for (int i = 0; i < exchange->count; i++)
        if (wcts_is_denied(exchange->records[i].status) && is_owed(&exchange->records[i], kinds))
            exchange->records[i].denial = WCTS_DENIAL_VALID;
}
