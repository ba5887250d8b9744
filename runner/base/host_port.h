/* SPDX-License-Identifier: MIT */
/* "HOST:PORT" taken apart, for the tool and for the agent, which has the C library alone. */
#ifndef WCTS_HOST_PORT_H
#define WCTS_HOST_PORT_H

#include <stdbool.h>

/*
 * Cuts the word in two at its last colon: "[::1]:70" has host "::1" and port "70", and ":70" the
 * host "". Both point into the word. False, with the word as it was, if it has no colon, or nothing
 * behind it, or a number that is no port.
 */
bool wcts_address_split(char *word, char **host, char **port);

/* True if the word could be cut so. */
bool wcts_address_has_port(const char *word);

#endif
