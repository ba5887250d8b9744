/* SPDX-License-Identifier: MIT */
/* spec/spec.rng, spec/baseline.rng and spec/profile.rng, written from the tables of elements.h. */
#ifndef WCTS_GRAMMAR_H
#define WCTS_GRAMMAR_H

#include <stdio.h>

enum wcts_load_grammar { WCTS_GRAMMAR_SPEC, WCTS_GRAMMAR_BASELINE, WCTS_GRAMMAR_PROFILE };

/* Writes the RELAX NG grammar (XML syntax) of the documents of spec/ and cases/, of baselines, or
 * of profiles.
 */
void wcts_load_grammar_write(FILE *out, enum wcts_load_grammar grammar);

#endif
