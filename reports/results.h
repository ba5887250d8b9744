/* SPDX-License-Identifier: MIT */
/* The result XML: the spec and the results of one or more runs in one file, from which stylesheets
 * in this folder make HTML, Cobertura and Markdown. results.rng is its grammar. */
#ifndef WCTS_RESULTS_H
#define WCTS_RESULTS_H

#include "loaded_run.h"
#include "xmlout.h"

/* Writes the result XML of runs of one spec while reading their journals. False, with a message,
 * when a journal cannot be read or the file cannot be written. */
bool wcts_report_results_write(FILE *out, const struct wcts_spec *spec,
                               const struct wcts_report_loaded_run *runs, int count);

/* Its table of the pairs of flags of a word, by its index in the spec; nothing if there is none. */
void wcts_report_results_pairs(struct wcts_report_xml *xml, const struct wcts_spec *spec, int index,
                               const struct wcts_report_matrix *matrix);

#endif
