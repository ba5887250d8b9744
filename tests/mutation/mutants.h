/* SPDX-License-Identifier: MIT */
/*
 * The mutants of the documents: each is one thing wrong at one element. Who tries them applies one
 * to a copy of its document.
 */
#ifndef MUTANTS_H
#define MUTANTS_H

#include <libxml/parser.h>
#include <libxml/tree.h>
#include <stdbool.h>
#include <stdio.h>

/* ---- mutations.c ---- */

/* A mutation of one node; variant counts from 0. Returns false when there is no such variant. One
 * that leaves the node as it is gives it the attribute "unchanged". */
typedef bool mutate_fn(xmlNodePtr node, int variant);

struct mutation {
    const char *name;
    mutate_fn *mutate;
    enum {
        MUTATES_ELEMENT,  /* it is gone afterwards */
        MUTATES_SENTENCE, /* what a rule or an effect says: expressions, and which messages count */
        MUTATES_OTHER
    } mutates;
};

extern const struct mutation mutations[];
extern const int mutation_count;

bool mutate_is(xmlNodePtr node, const char *name);
/* The caller frees it. */
char *mutate_get(xmlNodePtr node, const char *name);
/* Versions that move are those of this directory. */
void mutate_read_versions(const char *spec_dir);

/* ---- mutants.c ---- */

/*
 * Example: {"003-segmentflags.xml", 61, 8, 3, 187, "SEG-011", "SEG-011", "SEG-011: change
 * expression 3 of <rule>", ...} exchanges a token in an expression of the rule.
 */
struct mutant {
    char file[256];
    int node; /* in document order */
    int mutation, variant;
    long line;
    char statements[128]; /* ids that it concerns, space separated */
    char rule[192];       /* the rule or effect, as in the list of statements */
    char what[320];
    bool effect; /* it changes what an effect says, not whether there is one */
    bool pages;  /* ... which is one of pages: sequences show it */
    bool chosen; /* to be tried */
    bool listed; /* nothing is expected to notice it */
};

struct mutants {
    struct mutant *of;
    int count;
};

/* Reads the documents of a directory, and collects all mutants of them. */
void mutants_collect(struct mutants *mutants, const char *spec_dir);
/* A fresh copy of the mutant's document with that one thing wrong; the caller frees it. */
xmlDocPtr mutant_apply(const struct mutant *mutant);
/* Prints the attributes that it changes. */
void mutant_show(FILE *out, const struct mutant *mutant);
/* The element with this number, in document order. */
xmlNodePtr mutant_node(xmlDocPtr doc, int number);

#endif
