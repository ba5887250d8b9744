/* SPDX-License-Identifier: MIT */
/*
 * The run directory: where the stages of a run meet. Only this folder knows its files; whatever
 * reports, compares or verifies a run takes its cases from the reader below.
 *   plan.tsv       id, kind, what is expected, version, page size, statement; selected cases
 *   journal.jsonl  an object a case (result_fields.h), as they come, in plan order
 *   verdicts.txt   verdict, id, reason; in plan order, the same in every run
 *   run.json       what was run and its result; its "end" is "running" before
 *   records        what the implementation did in each case (records.h)
 *   scenarios/     sequences that failed, in their smallest form (docs/scenarios.md)
 *   output/        what the plug-in wrote, a file per worker
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

/* The first line of plan.tsv, and the "end" of a run that has none yet. */
#define WCTS_PLAN_HEAD "#id\tkind\texpect\tversion\tpage_size\tstatement\n"
#define WCTS_RUNNING "running"

/* True for the name of a file or directory that a run writes. */
bool wcts_rundir_owns(const char *name);

/* ---- writing ---- */

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
bool wcts_rundir_plan(const struct wcts_rundir *directory, const struct wcts_plan *plan,
                      const int *selected, int count);
bool wcts_rundir_add(struct wcts_rundir *directory, const struct wcts_case *test,
                     const struct wcts_result *result, const char *output);
/* False, with a message, when a file is not as it was written: reports read them again. */
bool wcts_rundir_is_whole(const struct wcts_rundir *directory);
/* Writes run.json and takes the reference; finished: the run is over, and the digests of the other
 * files belong to it. False with a message. */
bool wcts_rundir_describe(struct wcts_rundir *directory, json_t *run, bool finished);

/* Copies what an implementation did to another run directory; what is not there is not copied.
 * False with a message. */
bool wcts_rundir_copy_records(const char *from, const char *to);

/* A line of plan.tsv and one of verdicts.txt. The caller frees them; NULL without memory. */
char *wcts_rundir_plan_line(const struct wcts_plan *plan, const struct wcts_case *test);
char *wcts_rundir_verdict_line(enum wcts_verdict verdict, const char *id, const char *reason);

/* ---- digests ---- */

/* The files of a run directory that a claim rests on; NULL behind the last. */
extern const char *const wcts_digest_files[];

/* The SHA-256 of one of them in hexadecimal digits; false with errno when it cannot be read. */
bool wcts_digest_file(const char *directory, const char *name, char digest[65]);
/* The same of any file, also where a link leads to it. "" when it cannot be read. */
void wcts_digest_path(const char *path, char digest[65]);

/* ---- the journal alone ---- */

/* What is wrong with a run directory. */
enum wcts_flaw_kind {
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

struct wcts_flaw {
    enum wcts_flaw_kind kind;
    const char *file, *wanted;
    long line;        /* 0: none */
    char found[1024]; /* an id, or why a file cannot be read */
    int expected;
};

struct wcts_journal {
    FILE *file;
    char *line;
    size_t room;
    const struct wcts_spec *spec; /* rules of entries are looked up in it; NULL: they are not */
    enum wcts_flaw_kind flaw;     /* why there was no next entry; NONE: it is the end */
    bool half;                    /* that line has no end, as a killed run leaves one */
};

/* False, with errno, when there is none, or none that is a regular file. */
bool wcts_journal_open(struct wcts_journal *journal, const char *directory,
                       const struct wcts_spec *spec);
void wcts_journal_close(struct wcts_journal *journal);

/* Reads on; false at the end, or at a line that is no entry. The caller releases the entry. */
bool wcts_journal_next(struct wcts_journal *journal, struct wcts_entry *entry);

/* The position of the next entry, and the entry at a position. */
long wcts_journal_tell(const struct wcts_journal *journal);
bool wcts_journal_at(struct wcts_journal *journal, long position, struct wcts_entry *entry);

/* ---- reading ---- */

/* A line of plan.tsv. */
struct wcts_reader_row {
    const char *id, *version, *statement; /* version NULL: there is no such column */
    long line;
    int test;     /* index in the plan that was given; -1: the rest of that has no such case */
    bool exact;   /* the line is the one that a run of that plan writes */
    bool reached; /* the journal's entry of it was read */
    char *text;   /* what holds the columns; owned */
};

/*
 * A run directory that is read: finished, cut short, or still written to. Each step returns false
 * when something is wrong, and flaw says what; whoever reads decides how to put it. For example
 *     wcts_reader_plan(&reader, NULL) && wcts_reader_run(&reader) && wcts_reader_journal(&reader)
 *     while (wcts_reader_next(&reader, &entry, &row)) ...
 * and flaw.kind is NONE behind that, unless something was wrong.
 */
struct wcts_reader {
    const char *directory;        /* not owned */
    const struct wcts_spec *spec; /* NULL: rules are not looked up; not owned */
    json_t *run;                  /* run.json */
    bool running, done;           /* it has no end yet; it came to all its cases */
    struct wcts_reader_row *rows;
    int count;
    bool named, exact;   /* the first line of plan.tsv names columns; it is the usual one */
    struct wcts_map ids; /* id to index in rows; of equal ids the first */
    struct wcts_journal journal;
    int entries;
    struct wcts_flaw flaw;
};

/* Prints the flaw on standard error, "DIRECTORY/FILE:LINE: text", and returns false. */
bool wcts_reader_report(const struct wcts_reader *reader);
/* The same of what somebody else found wrong. line 0: none. */
bool wcts_reader_error(const struct wcts_reader *reader, const char *file, long line,
                       const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Reads nothing yet. To be closed. */
void wcts_reader_init(struct wcts_reader *reader, const char *directory,
                      const struct wcts_spec *spec);
void wcts_reader_close(struct wcts_reader *reader);

/* The object in run.json alone; NULL when it cannot be read. The caller's. */
json_t *wcts_rundir_run(const char *directory);

/* False when one of run.json, plan.tsv and the journal cannot be opened. */
bool wcts_reader_is_run(struct wcts_reader *reader);
bool wcts_reader_run(struct wcts_reader *reader);
/* plan not NULL: that in which the cases of the rows are looked up; rows have its order. */
bool wcts_reader_plan(struct wcts_reader *reader, const struct wcts_plan *plan);
bool wcts_reader_journal(struct wcts_reader *reader);

/* The next entry and its row. The caller releases the entry. */
bool wcts_reader_next(struct wcts_reader *reader, struct wcts_entry *entry, int *row);

/* The row with the id; -1: there is none. */
int wcts_reader_find(const struct wcts_reader *reader, const char *id);

/* The first line of verdicts.txt that is not the one that line_of gives for it, of count lines; 0:
 * all are. line_of's texts are freed here. -1: there is no such file. */
long wcts_reader_verdicts(const char *directory, int count, char *(*line_of)(void *ctx, int i),
                          void *ctx);

#endif
