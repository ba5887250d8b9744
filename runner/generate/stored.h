/* SPDX-License-Identifier: MIT */
/*
 * The combinations of all suites as a file that is made with the tool: to make them takes a tenth
 * of a second at each start, and ten times that for the full suite. Numbers are those of the loaded
 * spec, so that a file is good for one spec alone, the one with its digest, and for the same with
 * more scenarios (shared_digest). A part for each strength, with the number of its lines and bytes,
 * and their checksum. A line is a combination: rule, base, version, state, page size, the number of
 * facts, and each fact as instance, structure, member, symbol and number of its value; then the
 * same of the twin, or -1. The parts of one with a twin, and of one without:
 *
 *     wddm-cts combinations 3 SPEC-DIGEST
 *     2 2 61 CHECKSUM
 *     14 3 7 0 4096 1 0 5 1 -1 96 1 0 5 1 -1 32
 *     14 3 7 2 4096 2 0 5 1 -1 64 0 5 3 -1 1 -1
 */
#ifndef WCTS_GENERATE_STORED_H
#define WCTS_GENERATE_STORED_H

#include <stdio.h>

#include "combine.h"

/* Writes those of each strength up to this one; false if they cannot be made or written. */
bool wcts_generate_store(const struct wcts_spec *spec, int strength, FILE *out);

/*
 * Reads what wcts_generate_combine() would make. False, and nothing is kept, if the file is not
 * there, is of another spec or is damaged: then they have to be made.
 */
bool wcts_generate_read_stored(const struct wcts_spec *spec, int strength, const char *path,
                               struct wcts_generate_combinations *combinations);

#endif
