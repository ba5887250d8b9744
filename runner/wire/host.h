/* SPDX-License-Identifier: MIT */
/*
 * The runner's end of a connection to an implementation in another process: what a plug-in's table
 * is for one in this process. A worker has one, for all its sessions; it connects when it is first
 * needed, and again after the target has ended the connection while no instance was open.
 */
#ifndef WCTS_WIRE_HOST_H
#define WCTS_WIRE_HOST_H

#include <stdbool.h>

#include "../../include/wddm-cts.h"

/* What the loss of the implementation was. */
enum wcts_wire_loss {
    WCTS_WIRE_LOST_NOTHING,
    WCTS_WIRE_LOST_TARGET,  /* it ended, or broke the protocol: the implementation's own fault */
    WCTS_WIRE_LOST_CONTACT, /* it cannot be reached any more */
};

/* How to reach an implementation elsewhere: {.address = "tcp:localhost:7000", .patience = 10}.
 * Members that are NULL are not called. */
struct wcts_wire_host_options {
    const char *address; /* remote (address.h); not owned */
    /* Seconds that a target may be away between two cases, to start again. 0: it was never there,
     * and that it cannot be reached is no loss but an error. */
    double patience;
    /* Called when the implementation is lost, with "killed by SIGSEGV", "sent garbage: ..."; status
     * is the wait status of a program, else -1. It need not return. NULL: calls fail from then on.
     */
    void (*lost)(void *ctx, enum wcts_wire_loss loss, int status, const char *why);
    /* True when the host begins to wait for a target that is away, false when it ends. NULL: nobody
     * cares. */
    void (*waits)(void *ctx, bool waits);
    /* See struct wcts_wire_stream. */
    void (*partly)(void *ctx, uint32_t got, uint32_t wanted);
    void *ctx;
    /* Called with the reason that the implementation gave for a refusal. NULL: nobody cares. */
    void (*explain)(const struct wcts_host *party, const char *operation, const char *reason);
};

struct wcts_wire_host;

/* NULL without memory. */
struct wcts_wire_host *wcts_wire_host_new(const struct wcts_wire_host_options *options);
/* Ends the connection, and a program that does not end by itself within a second. */
void wcts_wire_host_free(struct wcts_wire_host *host);

/* Connects, if that was not done. NULL with a one-line error, or the implementation's table, in
 * which open is NULL: see wcts_wire_host_open. The host owns it. */
const struct wcts_plugin *wcts_wire_host_plugin(struct wcts_wire_host *host, char *error,
                                                size_t room);
/* How many connections the target serves at a time; 0: any number. After wcts_wire_host_plugin. */
uint32_t wcts_wire_host_connections(const struct wcts_wire_host *host);

/* True if the target took ANSWERS (protocol.h) when it was last reached; wcts_plugin.call sends it
 * as any operation. */
bool wcts_wire_host_takes_many(const struct wcts_wire_host *host);

/* wcts_plugin.open; party is valid until the instance is closed. */
void *wcts_wire_host_open(struct wcts_wire_host *host, const struct wcts_host *party,
                          uint32_t side);

#endif
