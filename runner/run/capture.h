/* SPDX-License-Identifier: MIT */
/*
 * What a plug-in writes to standard output and error: a file for each worker, to which the worker
 * and its descendants append. The runner bounds it: if it grows too large, only its end keeps its
 * space. A resource limit would not do, since it kills the writer.
 */
#ifndef WCTS_CAPTURE_H
#define WCTS_CAPTURE_H

#include <stdint.h>

/* How many bytes are kept with a case. */
#define WCTS_CAPTURE_TAIL 65536u

/* Opens worker-N.txt of directory, empty; /dev/null when directory is NULL. -1 with errno. */
int wcts_run_capture_open(const char *directory, int number);

/* The bytes written so far. */
uint64_t wcts_run_capture_size(int file);

/* The last WCTS_CAPTURE_TAIL bytes of [start, end), cleaned; "" if there are none. An offset beyond
 * the file is cut. The caller frees it; NULL without memory. */
char *wcts_run_capture_tail(int file, uint64_t start, uint64_t end);

/* Makes a hole of all but the end if the file takes more than 32 MiB; offsets stay valid. To be
 * called several times a second. */
void wcts_run_capture_bound(int file);

/* Closes the file; if it has a hole, only its end is kept. */
void wcts_run_capture_close(int file);

#endif
