/* SPDX-License-Identifier: MIT */
/*
 * The implementation's end of a connection: a plug-in that is loaded here is called by the host
 * there. wddm-cts-agent is this and an operating system; it needs nothing but the C library.
 */
#ifndef WCTS_WIRE_PEER_H
#define WCTS_WIRE_PEER_H

#include "talk.h"

/* What a peer serves: {a plug-in, NULL, "", 0}: any number of connections, each with the options
 * that the host sends. */
struct wcts_wire_peer_options {
    const struct wcts_plugin *plugin; /* not owned, without a flaw */
    /* Takes the place of the plug-in's, and zeroes the reply itself; NULL: the plug-in's own */
    wcts_call_fn *call;
    const char *options;  /* that go before those of the host; "" for none */
    uint32_t connections; /* that the program serves at a time; 0: any number */
};

/* NULL, or what is wrong with the table of a plug-in. */
const char *wcts_wire_peer_flaw(const struct wcts_plugin *plugin);

/* Serves one connection until the host closes it. Returns how it ended, with the reason in why:
 * CLOSED is as it should be. Instances that are open then are closed. */
enum wcts_wire_end wcts_wire_peer_run(const struct wcts_wire_bytes *bytes,
                                      const struct wcts_wire_peer_options *options, char *why,
                                      size_t room);

/* Says why the program that served the connection ends, on its behalf, between two messages. */
void wcts_wire_peer_bye(const struct wcts_wire_bytes *bytes, const char *reason);

#endif
