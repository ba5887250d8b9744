/* SPDX-License-Identifier: MIT */
/* spec/spec.rng and spec/baseline.rng, written from the tables of elements.h. */
#ifndef WCTS_GRAMMAR_H
#define WCTS_GRAMMAR_H

#include <stdio.h>

enum wcts_load_grammar { WCTS_GRAMMAR_SPEC, WCTS_GRAMMAR_BASELINE };

/* Writes the RELAX NG grammar (XML syntax) of the documents of spec/ and cases/, or of baselines.
 */
void wcts_load_grammar_write(FILE *out, enum wcts_load_grammar grammar);

#endif
