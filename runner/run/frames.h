/* SPDX-License-Identifier: MIT */
/* The stack that gdb printed, in a few lines that are the same on every machine. */
#ifndef WCTS_FRAMES_H
#define WCTS_FRAMES_H

/* How many frames gdb prints. */
#define WCTS_FRAMES_READ 32

/*
 * The frames in the output of "frame apply N info symbol $pc", innermost first, a line each: "#0
 * lock at driver.c:42", "#1 memcpy in libc.so.6"; without the callers of the implementation, and
 * with consecutive frames of the program in one line. program: its name, without a directory. No
 * address, no directory, no control character. "" if there are none. The caller frees it; NULL
 * without memory.
 */
char *wcts_run_frames_text(const char *output, const char *program);

#endif
