/* SPDX-License-Identifier: MIT */
/* Mutates the spec: what its parts share (mutate_spec.c). */
#ifndef MUTATE_SPEC_H
#define MUTATE_SPEC_H

#include "mutants.h"

#define PATH_ROOM 4096

/* The command line. */
struct settings {
    const char *tool, *spec_dir, *cases_dir, *scratch, *filter, *seed;
    int jobs, sample;
    bool verbose, slow, fast, compare, listed;
};

extern struct settings settings;

/* Writes a path; one that is too long ends the program. */
void make_path(char path[PATH_ROOM], const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- rivals.c ---- */

/* Another implementation: the emulator with a fault of `wddm-cts faults`, or with a choice that
 * does otherwise what the statements leave open (a line of tests/faults/choices: NAME |
 * STATEMENTS). */
struct rival {
    char implementation[512], name[64], statements[256];
};

struct rivals {
    struct rival *of;
    int count;
};

extern struct rivals rivals;

bool rivals_read_choices(const char *path);
/* Reads the faults that the tool lists. */
bool rivals_read_faults(const char *tool);
/* True if it has a fault in one of the statements, or does otherwise what they leave open. */
bool rival_concerns(const struct rival *rival, const char *statements);
/* True if it is of the same document as the statements. */
bool rival_is_of_document(const struct rival *rival, const char *statements);

/* ---- in_process.c ---- */

/* What was found out about a mutant. UNDECIDED: nothing, as this process died of it. SURVIVED:
 * nothing that was tried shows it. */
enum decision { UNTRIED, UNDECIDED, REFUSED, RED, ELSEWHERE, FAULT, SURVIVED };

struct decided {
    enum decision decision;
    char by[160]; /* the case, the fault, or the message; "" for none */
};

/* Loads what all mutants are compared with. */
void near_start(void);
/*
 * Decides about the mutants of one group, all of the same statements, without starting the tool:
 * documents, plan and exchanges of the emulator are there already. decided is shared with whoever
 * asks: this process may die of a mutant, which is then left as it is.
 */
void near_try_group(const struct mutant *const *group, int count, struct decided *decided);

/* ---- by_tool.c ---- */

/* Reads what every scenario is written anew from. False, with errno. */
bool tool_read_cases(void);
/* Makes a directory for a worker. */
void tool_make_directory(int worker, char dir[PATH_ROOM]);
/* Returns NULL when nothing noticed the mutant, else how it was noticed. */
const char *tool_try_mutant(const char *dir, const struct mutant *mutant, char *id, size_t room);

#endif
