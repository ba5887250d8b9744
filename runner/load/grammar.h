/* SPDX-License-Identifier: MIT */
/* The grammars of spec/, written from the tables of elements.h. */
#ifndef WCTS_GRAMMAR_H
#define WCTS_GRAMMAR_H

#include <stdio.h>

enum wcts_load_grammar {
    WCTS_GRAMMAR_SPEC,
    WCTS_GRAMMAR_BASELINE,
    WCTS_GRAMMAR_PROFILE,
    WCTS_GRAMMAR_DECLARATION,
    WCTS_GRAMMAR_TRACE
};

/* Writes the RELAX NG grammar (XML syntax) of the documents of spec/ and cases/, of baselines, of
 * profiles, of declarations, or of the events of traces. */
void wcts_load_grammar_write(FILE *out, enum wcts_load_grammar grammar);

#endif
