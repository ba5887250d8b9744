/* SPDX-License-Identifier: MIT */
/* Reading the journal of a run directory again, an entry at a time. */
#ifndef WCTS_JOURNAL_H
#define WCTS_JOURNAL_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "../model/finding.h"

/* One entry; the strings belong to the entry. */
struct wcts_entry {
    json_t *value;
    const char *id, *reason, *detail, *backtrace, *output; /* never NULL */
    enum wcts_verdict verdict;
    enum wcts_verdict was; /* of what a waiver names: before that; else the verdict */
    enum wcts_skip skip;
    double seconds;
};

struct wcts_journal {
    FILE *file;
    char *line;
    size_t room;
};

/* False when there is none, or none that is a regular file. */
bool wcts_journal_open(struct wcts_journal *journal, const char *directory);
void wcts_journal_close(struct wcts_journal *journal);

/* Reads on; false at the end, or at a line that is no entry (as a killed run leaves one). */
bool wcts_journal_next(struct wcts_journal *journal, struct wcts_entry *entry);
void wcts_entry_release(struct wcts_entry *entry);

/* Reads on past an entry without looking at it. */
bool wcts_journal_skip(struct wcts_journal *journal);

/* The position of the next entry, and back to it. */
long wcts_journal_tell(const struct wcts_journal *journal);
bool wcts_journal_seek(struct wcts_journal *journal, long position);

/* Looks for the entry of a case from the journal's beginning. */
bool wcts_journal_find(const char *directory, const char *id, struct wcts_entry *entry);

#endif
