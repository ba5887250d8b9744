/* SPDX-License-Identifier: MIT */
/* Files of bounded size. */
#ifndef WCTS_FILE_H
#define WCTS_FILE_H

#include <stddef.h>

#include "diagnostics.h"

/* The bytes of a file, at most limit of them, and a zero behind them; the caller frees them. NULL
 * when it cannot be read or is larger, with a message. */
char *wcts_file_read(const char *path, size_t limit, size_t *size,
                     struct wcts_diagnostics *diagnostics);

#endif
