/* SPDX-License-Identifier: MIT */
/*
 * What a plug-in writes to standard output and error: a file per worker, appended to by the
 * worker and whatever it forks, bounded by the runner, which gives back the space of all but its
 * end when it grows too large. A resource limit would not do: it kills the writer.
 */
#ifndef WCTS_CAPTURE_H
#define WCTS_CAPTURE_H

#include <stdint.h>

/* How much of it is kept with a case. */
#define WCTS_CAPTURE_TAIL 65536u

/* Opens worker-N.txt of directory, empty; /dev/null when directory is NULL. -1 with errno. */
int wcts_capture_open(const char *directory, int number);

/* The bytes written so far. */
uint64_t wcts_capture_size(int file);

/* The last WCTS_CAPTURE_TAIL bytes of [start, end), cleaned; "" when there are none. An offset
 * beyond the file is cut. The caller frees it; NULL when memory is short. */
char *wcts_capture_tail(int file, uint64_t start, uint64_t end);

/* Makes a hole of all but the end when the file takes more than 32 MiB; offsets stay what they
 * are. To be called several times a second. */
void wcts_capture_bound(int file);

/* Closes the file; where it has a hole, only its end is kept. */
void wcts_capture_close(int file);

#endif
