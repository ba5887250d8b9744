/* SPDX-License-Identifier: MIT */
/* The run directories of which one run is made: what they have to have in common, and the proof
 * that together they are all of it. */
#ifndef WCTS_CLI_PARTS_H
#define WCTS_CLI_PARTS_H

#include "../../reports/report.h"
#include "../store/run_dir.h"

/* A directory. Example of part 2 of 3 with its 1200 cases: {.number = 2, .of = 3, .entries = 1200,
 * .ended = true}. */
struct wcts_cli_part {
    const char *directory; /* not owned */
    struct wcts_store_reader reader;
    struct wcts_store_records records;
    bool recorded; /* records is open */
    int number, of;
    int entries; /* results that are there */
    bool ended;  /* all of its cases have one */
};

/* The runs that are merged, and which of them has the result of each case. Example: .owners =
 * {0, 0, 1, -1}: the first part has two results, the second one, and one is missing. */
struct wcts_cli_parts {
    struct wcts_cli_part *of;
    int count;
    int *owners; /* of each selected case, the part that has its result; -1: none */
    int missing; /* selected cases without one */
};

/* Reads what each of them is. False, with a message, when one is no run, or the parts differ in
 * options, tool, spec, implementation, claims or baseline, or two are the same part. To be released
 * either way. */
bool wcts_cli_parts_open(struct wcts_cli_parts *parts, char **directories, int count);
void wcts_cli_parts_release(struct wcts_cli_parts *parts);

/* Finds the results of the selected cases of an undivided run. False, with a message, when a part
 * has other cases, two have the same, files were changed or cut or, without partial, a case is
 * missing. */
bool wcts_cli_parts_prove(struct wcts_cli_parts *parts, const struct wcts_plan *plan,
                          const int *selected, int count, bool partial);

/* For run.json: each part with the digest of its journal. */
json_t *wcts_cli_parts_json(const struct wcts_cli_parts *parts);

#endif
