/* SPDX-License-Identifier: MIT */
/*
 * What --impl names: an implementation in a file, or in another process or machine.
 *
 *     emulator                        the built-in one; NULL is the same
 *     ./mine.so                       a shared object
 *     exec:COMMAND                    a program that is started, spoken to over its input and
 * output tcp:HOST:PORT, tcp:[::1]:PORT   a connection unix:PATH                       a connection
 * to a socket
 *
 * Behind the first comma are the implementation's options. In what follows exec:, unix: and tcp: a
 * backslash takes the next letter as it is, and so do single and double quotes (in double quotes a
 * backslash still works): so a comma or a blank may be part of a word. COMMAND is words between
 * blanks; no shell reads it.
 */
#ifndef WCTS_ADDRESS_H
#define WCTS_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>

enum wcts_address_kind {
    WCTS_ADDRESS_BUILTIN,
    WCTS_ADDRESS_FILE,
    WCTS_ADDRESS_EXEC,
    WCTS_ADDRESS_TCP,
    WCTS_ADDRESS_UNIX
};

enum wcts_address_kind wcts_address_kind(const char *address);

/* True for what is not loaded but spoken to. */
static inline bool wcts_address_is_remote(const char *address)
{
    return wcts_address_kind(address) >= WCTS_ADDRESS_EXEC;
}

/* How long the address is in the value of --impl: up to the comma before the options, or all of it.
 */
size_t wcts_address_length(const char *value);

/* The words of a remote address without its kind and its quotes, ended by NULL: one piece of
 * memory, the caller frees it. NULL with a one-line error: what was found, what was expected. */
char **wcts_address_words(const char *address, char *error, size_t room);

/* The address as reports show it: without a directory of this machine (see path.h). Returns address
 * or buffer, which should have WCTS_PATH_ROOM bytes. */
const char *wcts_address_shown(const char *address, char *buffer, size_t room);

#endif
