/* SPDX-License-Identifier: MIT */
/* spec/spec.rng, written from the tables of elements.h. */
#ifndef WCTS_GRAMMAR_H
#define WCTS_GRAMMAR_H

#include <stdio.h>

/* Writes the grammar (RELAX NG, XML syntax) of all kinds of documents. */
void wcts_grammar_write(FILE *out);

#endif
