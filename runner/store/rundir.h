/* SPDX-License-Identifier: MIT */
/*
 * The run directory: where the stages of a run meet.
 *   plan.tsv       id, kind, what is expected, version, page size, statement; selected cases
 *   journal.jsonl  an object a case (json.h), as they come, in plan order
 *   verdicts.txt   verdict, id, reason; in plan order, the same in every run
 *   run.json       what was run and what it came to; its "end" is "running" before
 *   records        what the implementation did in each case (records.h)
 *   scenarios/     sequences that failed, in their smallest form (docs/scenarios.md)
 *   output/        what the plug-in wrote, a file per worker
 */
#ifndef WCTS_RUNDIR_H
#define WCTS_RUNDIR_H

#include <jansson.h>

#include "../../reports/report.h"

struct wcts_rundir {
    char *path;
    int fd;             /* of the directory, locked until the end; -1: none */
    bool made, stamped; /* it is new; its name is the time */
    bool locked;
    char *output; /* path of output/ */
    FILE *journal, *verdicts;
    const struct wcts_spec *spec; /* of the run; not owned, set by whoever makes the directory */
    FILE *records;                /* NULL: there are none */
};

/* True for the name of a file or directory that a run writes. */
bool wcts_rundir_owns(const char *name);

/* Makes the directory (NULL: out/<time>) and locks it, so that two runs never write to one. False,
 * with a message on standard error, when it cannot be written, another run has it, or it has
 * something that is no run's. To be released either way. */
bool wcts_rundir_init(struct wcts_rundir *directory, const char *path);
/* Takes the place of an earlier run in the directory; out/latest points to a stamped one. False
 * with a message. */
bool wcts_rundir_begin(struct wcts_rundir *directory);
void wcts_rundir_release(struct wcts_rundir *directory);

/* Begins the records with what kernel and driver claim. */
bool wcts_rundir_record(struct wcts_rundir *directory, const struct wcts_tape_record *claims);
/* plan.tsv: its first line, and that of a case. */
#define WCTS_PLAN_HEAD "#id\tkind\texpect\tversion\tpage_size\tstatement\n"
void wcts_rundir_plan_line(FILE *out, const struct wcts_plan *plan, const struct wcts_case *one);
bool wcts_rundir_plan(const struct wcts_rundir *directory, const struct wcts_run *run);
bool wcts_rundir_add(struct wcts_rundir *directory, const struct wcts_case *one,
                     const struct wcts_result *result, const char *output);
/* False, with a message, when a file is not as it was written: reports read them again. */
bool wcts_rundir_is_whole(const struct wcts_rundir *directory);
/* Writes run.json; finished: the run is over and run's totals hold. False with a message. */
bool wcts_rundir_describe(struct wcts_rundir *directory, const struct wcts_run *run, bool finished);

/* What run.json holds, as it was written last; NULL when it cannot be read. The caller's. */
json_t *wcts_rundir_run(const struct wcts_rundir *directory);

#endif
