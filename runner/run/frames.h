/* SPDX-License-Identifier: MIT */
/* What gdb printed of a stack, in a few lines that say the same on every machine. */
#ifndef WCTS_FRAMES_H
#define WCTS_FRAMES_H

/* So many frames gdb is asked for. */
#define WCTS_FRAMES_READ 32

/*
 * The frames in the output of "frame apply N info symbol $pc", innermost first, a line each: "#0
 * lock at driver.c:42", "#1  memcpy in libc.so.6"; without what called the implementation, and with
 * what the program did in between in one line. program: its name, without a directory. No address,
 * no directory, and no letter that a terminal would obey. "" when there are none. The caller frees
 * it; NULL without memory.
 */
char *wcts_frames_text(const char *output, const char *program);

#endif
