/* SPDX-License-Identifier: MIT */
/*
 * The result XML: what the spec says and what each run came to, in one file, from which the HTML,
 * Cobertura and Markdown reports are made by the stylesheets beside this file. results.rng is its
 * grammar.
 */
#ifndef WCTS_RESULTS_H
#define WCTS_RESULTS_H

#include "loaded_run.h"

/* Writes the result XML of runs of one spec as it goes over their journals. False with a message
 * when a journal cannot be read again or the file cannot be written. */
bool wcts_results_write(FILE *out, const struct wcts_spec *spec, const struct wcts_loaded_run *runs,
                        int count);

#endif
