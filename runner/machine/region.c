/* SPDX-License-Identifier: MIT */
/* Regions in the suite's own machine, for a side under test that has none of its own. */
#include "session.h"

uint64_t wcts_machine_session_region(struct wcts_machine_session *session,
                                     const struct wcts_symbol *symbol, uint64_t wanted)
{
    struct wcts_exchange_stream *stream = &session->stream;
    uint64_t address = session->machine ? wcts_machine_region(session->machine, symbol->size,
                                                              symbol->attributes, wanted)
                                        : 0;
    wcts_exchange_stream_event(stream, WCTS_STREAM_VALUE);
    address = wcts_exchange_stream_number(stream, address);
    if (!session->machine && !wcts_machine_is_region(address, wanted))
        wcts_exchange_stream_differs(stream, "the record holds a region that the suite never made");
    return address;
}
