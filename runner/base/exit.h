/* SPDX-License-Identifier: MIT */
/* How a process ended, in words. */
#ifndef WCTS_EXIT_H
#define WCTS_EXIT_H

#include <stddef.h>

/* "killed by SIGSEGV", "called exit(3)", of a wait status. Returns buffer. The words are part of
 * the signatures of deaths. */
const char *wcts_exit_text(int status, char *buffer, size_t room);

#endif
