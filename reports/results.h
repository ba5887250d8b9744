/* SPDX-License-Identifier: MIT */
/* The result XML: the spec and the results of one or more runs in one file, from which stylesheets
 * in this folder make HTML, Cobertura and Markdown. results.rng is its grammar. */
#ifndef WCTS_RESULTS_H
#define WCTS_RESULTS_H

#include "loaded_run.h"

/* Writes the result XML of runs of one spec while reading their journals. False, with a message,
 * when a journal cannot be read or the file cannot be written. */
bool wcts_report_results_write(FILE *out, const struct wcts_spec *spec,
                               const struct wcts_report_loaded_run *runs, int count);

#endif
