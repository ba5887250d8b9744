/* SPDX-License-Identifier: MIT */
/*
 * The run directory. Only this folder knows its files; reports, diff and verify get cases from the
 * reader below.
 *   plan.tsv       the selected cases: id, kind, expectation, version, page size, statement
 *   journal.jsonl  an object for each case (result_fields.h), in plan order
 *   verdicts.txt   verdict, id, reason; in plan order, the same in every run
 *   run.json       what was run, and the result; its "end" is "running" before the end
 *   records        what the implementation did in each case (records.h)
 *   batches        how far the files above are whole, while the run goes on (batches.c)
 *   reached/       a run directory of its own, in the order in which the cases run, where that is
 *                  not plan order; until the end
 *   scenarios/     failing sequences, shrunk (docs/scenarios.md)
 *   output/        what the plug-in wrote, a file for each worker
 */
#ifndef WCTS_RUN_DIR_H
#define WCTS_RUN_DIR_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "../base/map.h"
#include "../plan/plan.h"
#include "json.h"
#include "records.h"
#include "result_fields.h"

#define WCTS_FILE_PLAN "plan.tsv"
#define WCTS_FILE_JOURNAL "journal.jsonl"
#define WCTS_FILE_VERDICTS "verdicts.txt"
#define WCTS_FILE_RUN "run.json"
#define WCTS_FILE_BATCHES "batches"
#define WCTS_DIRECTORY_REACHED "reached"

/* The first line of plan.tsv; the "end" in run.json of an unfinished run, and of a stopped one. */
#define WCTS_PLAN_HEAD "#id\tkind\texpect\tversion\tpage_size\tstatement\n"
#define WCTS_RUNNING "running"
#define WCTS_STOPPED "stopped"

/* True if a run writes a file or directory of that name. */
bool wcts_store_rundir_owns(const char *name);

/* ---- writing ---- */

/* How much of a run is in its files: so many cases, and bytes of each file that grows. Example of
 * two short cases: {.cases = 2, .milliseconds = 3, .sizes = {310, 64, 2048}}. */
struct wcts_store_extent {
    int cases;
    uint64_t milliseconds; /* that the run has taken */
#define WCTS_STORE_GROWING 3
    long sizes[WCTS_STORE_GROWING]; /* journal, verdicts, records */
};

/* The directory of a run as it is written; nobody else knows its files. Example: {.path =
 * "out/20261128T190000Z", .made = true, .stamped = true} of a run without --out. */
struct wcts_store_rundir {
    char *path;
    int fd;             /* the directory, locked until the end; -1: not open */
    bool made, stamped; /* made: this run created it; stamped: its name is the time */
    bool locked;
    bool goes_on; /* set by the caller: it begins again with the results in reached/, which stay,
                   * and so does run.json until it is described anew */
    char *output; /* path of output/ */
    FILE *journal, *verdicts;
    const struct wcts_spec *spec; /* set by the caller; not owned */
    FILE *records;                /* NULL: nothing is recorded */
    FILE *batches;                /* NULL: the run cannot be resumed */
    int added;                    /* cases in the files, written or still in memory */
    long batches_end; /* reopened: so much of batches is right, the rest is to be cut off */
    struct wcts_store_extent whole; /* what the last line of batches covers */
};

/* Creates the directory (NULL: out/<time>) and locks it, so that two runs never write to one.
 * False, with a message, when it cannot be written, another run holds it, or it has foreign files.
 * Release it either way. */
bool wcts_store_rundir_init(struct wcts_store_rundir *directory, const char *path);
/* Replaces an earlier run in the directory and lets out/latest point to a stamped one. False with a
 * message. */
bool wcts_store_rundir_begin(struct wcts_store_rundir *directory);
/* True if a run that has not ended has results in reached/. */
bool wcts_store_rundir_has_reached(const struct wcts_store_rundir *directory);
void wcts_store_rundir_release(struct wcts_store_rundir *directory);

/*
 * Writes what was added to the disk, and then that it is whole: a run that is killed later has it,
 * also if the machine is. milliseconds: that the run has taken. False with a message.
 */
bool wcts_store_rundir_flush(struct wcts_store_rundir *directory, uint64_t milliseconds);

/*
 * Goes on with the run in the directory instead of beginning another. *count is how many cases are
 * left; 0: nothing to go on with, as no result was stored yet, or the run has ended, which *ended
 * says. The directory is left as it is. False, with a message, when the files are not what the run
 * wrote.
 */
bool wcts_store_rundir_reopen(struct wcts_store_rundir *directory, int *count, bool *ended);

/* Cuts off what is behind the last batch that is whole, with a message if there is any: what was
 * being written when the reopened run ended. False with a message. */
bool wcts_store_rundir_cut(struct wcts_store_rundir *directory);

/* How many results a run that has not ended has whole, as reopening it would find. False with a
 * message. */
bool wcts_store_rundir_count_whole(const char *path, int *count);

/* Compares plan.tsv with the plan of a run that goes on. False with a message. */
bool wcts_store_rundir_same_plan(const struct wcts_store_rundir *directory,
                                 const struct wcts_plan *plan, const int *selected, int count);

/* Starts the file of records with the claims of kernel and driver. */
bool wcts_store_rundir_record(struct wcts_store_rundir *directory,
                              const struct wcts_stored *claims);
bool wcts_store_rundir_plan(const struct wcts_store_rundir *directory, const struct wcts_plan *plan,
                            const int *selected, int count);
bool wcts_store_rundir_add(struct wcts_store_rundir *directory, const struct wcts_case *test,
                           const struct wcts_result *result, const char *output);
/* False, with a message, when a file has changed since it was written: reports read it again. */
bool wcts_store_rundir_is_whole(const struct wcts_store_rundir *directory);
/* Writes run.json and releases run. finished: the run is over, and the digests of the other files
 * are added. False with a message. */
bool wcts_store_rundir_describe(struct wcts_store_rundir *directory, json_t *run, bool finished);

/* The run has reached its end, and all that was asked for is written: nothing can go on. */
void wcts_store_rundir_end(struct wcts_store_rundir *directory);

/* Copies the file of records, if there is one, to another run directory. False with a message. */
bool wcts_store_rundir_copy_records(const char *from, const char *to);

/* A line of plan.tsv and one of verdicts.txt. The caller frees them; NULL when memory is short. */
char *wcts_store_rundir_plan_line(const struct wcts_plan *plan, const struct wcts_case *test);
char *wcts_store_rundir_verdict_line(enum wcts_verdict verdict, const char *id, const char *reason);

/* ---- digests ---- */

/* The files that verify compares with their digests, NULL-terminated. */
extern const char *const wcts_digest_files[];

/* The SHA-256 of one of them as hexadecimal digits. False, with errno, when it cannot be read. */
bool wcts_store_digest_file(const char *directory, const char *name, char digest[65]);
/* The same for any file; a link is followed. "" when it cannot be read. */
void wcts_store_digest_path(const char *path, char digest[65]);

/* ---- the journal alone ---- */

/* What can be wrong with a run directory. */
enum wcts_store_flaw_kind {
    WCTS_FLAW_NONE,
    WCTS_FLAW_FILE,    /* a file cannot be opened; found: the reason */
    WCTS_FLAW_RUN,     /* run.json cannot be read or is no object; found: the reason */
    WCTS_FLAW_LINE,    /* a line of plan.tsv is too long or has a zero byte */
    WCTS_FLAW_COLUMNS, /* a line of plan.tsv has found columns, not expected */
    WCTS_FLAW_ENTRY,   /* a line of the journal is no object with an id and a verdict */
    WCTS_FLAW_UNKNOWN, /* an entry's case, found, is not in plan.tsv; the next one is wanted */
    WCTS_FLAW_TWICE,   /* a second entry for a case, found; the next one is wanted */
    WCTS_FLAW_MORE,    /* an entry for an unknown case, found, after expected entries */
    WCTS_FLAW_CUT,     /* the journal does not have expected entries */
    WCTS_FLAW_COUNT
};

/* What is wrong with a run directory, where, and what was expected: {WCTS_FLAW_COLUMNS,
 * "plan.tsv", .line = 3, .found = "2", .expected = 4}. */
struct wcts_store_flaw {
    enum wcts_store_flaw_kind kind;
    const char *file, *wanted;
    long line;        /* 0: none */
    char found[1024]; /* an id, or a reason */
    int expected;
};

/* journal.jsonl as it is read, an entry at a time. At its end .flaw is NONE, and .half tells a
 * killed run. */
struct wcts_store_journal {
    FILE *file;
    char *line;
    size_t room;
    const struct wcts_spec *spec;   /* for the rules of entries; NULL: they are not looked up */
    enum wcts_store_flaw_kind flaw; /* why there is no next entry; NONE: end of the file */
    bool half;                      /* the last line has no end, as after a kill */
};

/* False, with errno, when there is no such regular file. */
bool wcts_store_journal_open(struct wcts_store_journal *journal, const char *directory,
                             const struct wcts_spec *spec);
void wcts_store_journal_close(struct wcts_store_journal *journal);

/* Reads the next entry. False at the end, or at an invalid line. The caller releases the entry. */
bool wcts_store_journal_next(struct wcts_store_journal *journal, struct wcts_store_entry *entry);

/* Passes over the next entry. False at the end. */
bool wcts_store_journal_skip(struct wcts_store_journal *journal);

/* The position of the next entry; goes there; the entry at a position. */
long wcts_store_journal_tell(const struct wcts_store_journal *journal);
bool wcts_store_journal_seek(struct wcts_store_journal *journal, long position);
bool wcts_store_journal_at(struct wcts_store_journal *journal, long position,
                           struct wcts_store_entry *entry);

/* ---- reading ---- */

/* A line of plan.tsv. */
struct wcts_store_reader_row {
    const char *id, *version, *statement; /* version NULL: there is no such column */
    long line;
    int test;     /* index in the given plan; -1: not found after the row before */
    bool exact;   /* the line equals the one that a run of that plan writes */
    bool reached; /* its entry in the journal was read */
    char *text;   /* the columns point into it; owned */
};

/*
 * A reader of a run directory: finished, cut, or still being written. The caller owns it. Each step
 * returns false when something is wrong; flaw then holds what, and wcts_store_reader_report prints
 * it. wcts_store_reader_init(&reader, "out/latest", NULL); if (wcts_store_reader_run(&reader) &&
 * wcts_store_reader_plan(&reader, NULL) && wcts_store_reader_journal(&reader)) while
 * (wcts_store_reader_next(&reader, &entry, &row))
 *             ... reader.rows[row].id is entry.id ...; wcts_store_entry_release(&entry);
 *     if (reader.flaw.kind != WCTS_FLAW_NONE)
 *         wcts_store_reader_report(&reader);
 *     wcts_store_reader_close(&reader);
 */
struct wcts_store_reader {
    const char *directory; /* not owned */
    const struct wcts_spec
        *spec;          /* for the rules of entries; NULL: they are not looked up. Not owned */
    json_t *run;        /* run.json */
    bool running, done; /* running: it has no end yet; done: all its cases were run */
    struct wcts_store_reader_row *rows;
    int count;
    bool named,
        exact; /* named: the first line of plan.tsv names columns; exact: it is WCTS_PLAN_HEAD */
    struct wcts_map ids; /* id to index in rows; of equal ids the first */
    struct wcts_store_journal journal;
    int entries;
    struct wcts_store_flaw flaw;
};

/* Prints the flaw on standard error as "DIRECTORY/FILE:LINE: text" and returns false. */
bool wcts_store_reader_report(const struct wcts_store_reader *reader);
/* Prints another error in the same form. line 0: none. */
bool wcts_store_reader_error(const struct wcts_store_reader *reader, const char *file, long line,
                             const char *format, ...) __attribute__((format(printf, 4, 5)));

/* After wcts_store_reader_run: false, with a message, when a file is not the one whose digest the
 * run named at its end. */
bool wcts_store_reader_unchanged(const struct wcts_store_reader *reader);

/* After wcts_store_reader_plan: false, with a message that has what is lost, when the records are
 * not those whose digest the run named at its end. A run may have none, also because they were
 * removed. */
bool wcts_store_reader_recorded(const struct wcts_store_reader *reader);

/* Reads nothing yet. */
void wcts_store_reader_init(struct wcts_store_reader *reader, const char *directory,
                            const struct wcts_spec *spec);
void wcts_store_reader_close(struct wcts_store_reader *reader);

/* The object in run.json, which the caller releases; NULL when it cannot be read. */
json_t *wcts_store_rundir_run(const char *directory);

/* True if run.json, plan.tsv and the journal can be opened. */
bool wcts_store_reader_is_run(struct wcts_store_reader *reader);
bool wcts_store_reader_run(struct wcts_store_reader *reader);
/* plan not NULL: its tests are looked up for the rows, which must have its order. */
bool wcts_store_reader_plan(struct wcts_store_reader *reader, const struct wcts_plan *plan);
bool wcts_store_reader_journal(struct wcts_store_reader *reader);

/* The next entry and the index of its row. The caller releases the entry. */
bool wcts_store_reader_next(struct wcts_store_reader *reader, struct wcts_store_entry *entry,
                            int *row);

/* The index of the row with the id; -1 when there is none. */
int wcts_store_reader_find(const struct wcts_store_reader *reader, const char *id);

/* Compares verdicts.txt with count lines; line_of returns line i, which is freed here. Returns the
 * number of the first line that differs, 0: none; -1: there is no such file. */
long wcts_store_reader_verdicts(const char *directory, int count,
                                char *(*line_of)(void *ctx, int i), void *ctx);

#endif
