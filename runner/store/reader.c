/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "../base/array.h"
#include "input.h"
#include "run_dir.h"

/* ---- the journal alone ---- */

bool wcts_store_journal_open(struct wcts_store_journal *journal, const char *directory,
                             const struct wcts_spec *spec)
{
    *journal = (struct wcts_store_journal){
        .file = wcts_store_input_open(directory, WCTS_FILE_JOURNAL, NULL), .spec = spec};
    return journal->file != NULL;
}

void wcts_store_journal_close(struct wcts_store_journal *journal)
{
    if (journal->file)
        fclose(journal->file);
    free(journal->line);
}

bool wcts_store_journal_next(struct wcts_store_journal *journal, struct wcts_store_entry *entry)
{
    ssize_t size = wcts_store_input_line(&journal->line, &journal->room, journal->file);
    bool line = size > 0 && journal->line[size - 1] == '\n';
    json_t *value = line ? wcts_store_input_clean(json_loads(journal->line, 0, NULL)) : NULL;
    *entry = (struct wcts_store_entry){0};
    journal->half = !line && (size > 0 || !wcts_store_input_ended(journal->file));
    journal->flaw = line || journal->half ? WCTS_FLAW_ENTRY : WCTS_FLAW_NONE;
    if (!value)
        return false;
    if (wcts_store_entry_read(entry, journal->spec, value)) {
        journal->flaw = WCTS_FLAW_NONE;
        return true;
    }
    wcts_store_entry_release(entry);
    return false;
}

long wcts_store_journal_tell(const struct wcts_store_journal *journal)
{
    return ftell(journal->file);
}

bool wcts_store_journal_skip(struct wcts_store_journal *journal)
{
    return wcts_store_input_line(&journal->line, &journal->room, journal->file) > 0;
}

/* Going to where it is would empty the file's buffer. */
bool wcts_store_journal_seek(struct wcts_store_journal *journal, long position)
{
    return ftell(journal->file) == position || fseek(journal->file, position, SEEK_SET) == 0;
}

bool wcts_store_journal_at(struct wcts_store_journal *journal, long position,
                           struct wcts_store_entry *entry)
{
    return wcts_store_journal_seek(journal, position) && wcts_store_journal_next(journal, entry);
}

/* ---- a run directory ---- */

static bool set_flaw(struct wcts_store_reader *reader, enum wcts_store_flaw_kind kind,
                     const char *file, long line, const char *found)
{
    reader->flaw.kind = kind;
    reader->flaw.file = file;
    reader->flaw.line = line;
    snprintf(reader->flaw.found, sizeof reader->flaw.found, "%s", found);
    return false;
}

static void put_reader_place(const struct wcts_store_reader *reader, const char *file, long line)
{
    fprintf(stderr, "%s/%s:", reader->directory, file);
    if (line > 0)
        fprintf(stderr, "%ld:", line);
    fputc(' ', stderr);
}

bool wcts_store_reader_error(const struct wcts_store_reader *reader, const char *file, long line,
                             const char *format, ...)
{
    va_list list;
    put_reader_place(reader, file, line);
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fputc('\n', stderr);
    return false;
}

bool wcts_store_reader_unchanged(const struct wcts_store_reader *reader)
{
    const json_t *digests = json_object_get(reader->run, "digests");
    for (int i = 0; wcts_digest_files[i]; i++) {
        const char *name = wcts_digest_files[i], *expected = wcts_store_json_member(digests, name);
        char digest[65] = "";
        bool there = wcts_store_digest_file(reader->directory, name, digest);
        if (strcmp(expected, digest) != 0 && (there || expected[0]))
            return wcts_store_reader_error(reader, name, 0,
                                           "found digest %.12s, expected %.12s: the file was "
                                           "changed after the run",
                                           there ? digest : "of no file",
                                           expected[0] ? expected : "none");
    }
    return true;
}

/* The index of the row behind the last record that is whole; 0: none is. */
static int rows_recorded(const struct wcts_store_reader *reader)
{
    struct wcts_store_records records;
    int last = -1;
    if (wcts_store_records_open(&records, reader->directory)) {
        if (records.right > 0)
            wcts_store_records_end(&records);
        last = wcts_store_reader_find(reader, records.last);
    }
    wcts_store_records_release(&records);
    return last + 1;
}

bool wcts_store_reader_recorded(const struct wcts_store_reader *reader)
{
    const char *expected =
        wcts_store_json_member(json_object_get(reader->run, "digests"), WCTS_RECORDS_FILE);
    char digest[65];
    int whole;
    if (!expected[0])
        return true;
    if (!wcts_store_digest_file(reader->directory, WCTS_RECORDS_FILE, digest))
        return errno == ENOENT ||
               wcts_store_reader_error(reader, WCTS_RECORDS_FILE, 0,
                                       "%s, expected the records of the run", strerror(errno));
    if (strcmp(expected, digest) == 0)
        return true;
    whole = rows_recorded(reader);
    if (whole >= reader->count)
        return wcts_store_reader_error(reader, WCTS_RECORDS_FILE, 0,
                                       "found digest %.12s, expected %.12s: the file was changed "
                                       "after the run; wddm-cts verify lists the cases that differ",
                                       digest, expected);
    return wcts_store_reader_error(
        reader, WCTS_RECORDS_FILE, 0,
        "found records up to %s, expected digest %.12s: the file was cut or changed after the run, "
        "and those of %d of %d cases are lost, from %s on",
        whole > 0 ? reader->rows[whole - 1].id : "none", expected, reader->count - whole,
        reader->count, reader->rows[whole].id);
}

/* @: what was found, #: the number that was expected, ~: the case that was expected. */
static const char *const flaw_texts[WCTS_FLAW_COUNT] = {
    [WCTS_FLAW_FILE] = "@, expected a file of a run directory",
    [WCTS_FLAW_RUN] = "@, expected the description of a run",
    [WCTS_FLAW_LINE] = "a line that is too long or has a zero byte, expected a line of a plan",
    [WCTS_FLAW_COLUMNS] = "@, expected #",
    [WCTS_FLAW_ENTRY] = "no entry, expected an object with id and verdict",
    [WCTS_FLAW_UNKNOWN] = "case @, expected ~",
    [WCTS_FLAW_TWICE] = "a second entry for case @, expected ~",
    [WCTS_FLAW_MORE] = "case @, expected no more than the # of plan.tsv",
    [WCTS_FLAW_CUT] = "the journal ends here, expected # entries: it was cut short",
};

bool wcts_store_reader_report(const struct wcts_store_reader *reader)
{
    const struct wcts_store_flaw *flaw = &reader->flaw;
    const char *at = flaw_texts[flaw->kind];
    if (!at)
        return false; /* no memory, or the caller reports it */
    put_reader_place(reader, flaw->file, flaw->line);
    for (; *at; at++)
        if (*at == '#')
            fprintf(stderr, "%d", flaw->expected);
        else if (*at == '@' || *at == '~')
            fputs(*at == '@' ? flaw->found : flaw->wanted, stderr);
        else
            fputc(*at, stderr);
    fputc('\n', stderr);
    return false;
}

void wcts_store_reader_init(struct wcts_store_reader *reader, const char *directory,
                            const struct wcts_spec *spec)
{
    *reader = (struct wcts_store_reader){.directory = directory, .spec = spec};
}

void wcts_store_reader_close(struct wcts_store_reader *reader)
{
    for (int i = 0; i < reader->count; i++)
        free(reader->rows[i].text);
    free(reader->rows);
    wcts_map_release(&reader->ids);
    json_decref(reader->run);
    wcts_store_journal_close(&reader->journal);
}

static FILE *open_in(struct wcts_store_reader *reader, const char *name)
{
    const char *reason;
    FILE *file = wcts_store_input_open(reader->directory, name, &reason);
    if (!file)
        set_flaw(reader, WCTS_FLAW_FILE, name, 0, reason);
    return file;
}

bool wcts_store_reader_is_run(struct wcts_store_reader *reader)
{
    static const char *const names[] = {WCTS_FILE_RUN, WCTS_FILE_PLAN, WCTS_FILE_JOURNAL};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        FILE *file = open_in(reader, names[i]);
        if (!file)
            return false;
        fclose(file);
    }
    return true;
}

json_t *wcts_store_rundir_run(const char *directory)
{
    return wcts_store_input_json(directory, WCTS_FILE_RUN, NULL, NULL);
}

bool wcts_store_reader_run(struct wcts_store_reader *reader)
{
    const char *reason, *end;
    int line;
    reader->run = wcts_store_input_json(reader->directory, WCTS_FILE_RUN, &reason, &line);
    if (!reader->run)
        return set_flaw(reader, WCTS_FLAW_RUN, WCTS_FILE_RUN, line, reason);
    end = wcts_store_json_member(reader->run, "end");
    reader->running = strcmp(end, WCTS_RUNNING) == 0;
    reader->done = end[0] == '\0' || strcmp(end, "done") == 0;
    return true;
}

/* ---- plan.tsv ---- */

#define COLUMNS 6

/* The positions of the columns that are read, and the number of all columns. */
struct store_columns {
    int id, version, statement, count;
};

/* Splits a line at its tabs and keeps the first COLUMNS columns. Returns how many there are. */
static int cut_columns(char *line, char *columns[COLUMNS])
{
    int count = 0;
    line[strcspn(line, "\n")] = '\0';
    for (char *rest = line; rest; count++) {
        char *column = strsep(&rest, "\t");
        if (count < COLUMNS)
            columns[count] = column;
    }
    return count;
}

/* The first line may name the columns: other tools may write other columns. */
static bool read_names(struct store_columns *columns, const char *line)
{
    struct store_columns named = {-1, -1, -1, 0};
    char *names[COLUMNS], *copy = strdup(line + (line[0] == '#'));
    named.count = copy ? cut_columns(copy, names) : 0;
    for (int i = 0; i < named.count && i < COLUMNS; i++) {
        if (strcmp(names[i], "id") == 0)
            named.id = i;
        else if (strcmp(names[i], "version") == 0)
            named.version = i;
        else if (strcmp(names[i], "statement") == 0)
            named.statement = i;
    }
    free(copy);
    if (named.id >= 0 && named.statement >= 0)
        *columns = named;
    return named.id >= 0 && named.statement >= 0;
}

/* Finds the row's test in the plan, beginning after the test of the row before. */
static void find_test(struct wcts_store_reader_row *row, const struct wcts_store_reader_row *before,
                      const struct wcts_plan *plan, const char *line)
{
    int at = before ? before->test + 1 : 0;
    if (before && before->test < 0)
        return;
    while (at < plan->count && strcmp(WCTS_PLAN_CASE(plan, at)->id, row->id) != 0)
        at++;
    if (at == plan->count)
        return;
    char *own = wcts_store_rundir_plan_line(plan, WCTS_PLAN_CASE(plan, at));
    row->test = at;
    row->exact = own && strcmp(own, line) == 0;
    free(own);
}

static bool read_plan_row(struct wcts_store_reader *reader, const struct store_columns *columns,
                          const char *line, long number, const struct wcts_plan *plan)
{
    char *cells[COLUMNS] = {NULL};
    struct wcts_store_reader_row *row = WCTS_ARRAY_ADD(reader->rows, reader->count);
    if (!row)
        return set_flaw(reader, WCTS_FLAW_FILE, WCTS_FILE_PLAN, number, strerror(ENOMEM));
    *row = (struct wcts_store_reader_row){.line = number, .test = -1, .text = strdup(line)};
    int count = row->text ? cut_columns(row->text, cells) : 0;
    if (count != columns->count) {
        char found[32];
        snprintf(found, sizeof found, "%d column%s", count, count == 1 ? "" : "s");
        reader->flaw.expected = columns->count;
        free(row->text);
        reader->count--; /* whoever reads on finds no row without an id */
        return set_flaw(reader, WCTS_FLAW_COLUMNS, WCTS_FILE_PLAN, number, found);
    }
    row->id = cells[columns->id];
    row->version = columns->version < 0 ? NULL : cells[columns->version];
    row->statement = cells[columns->statement];
    if (plan)
        find_test(row, reader->count > 1 ? row - 1 : NULL, plan, line);
    return wcts_map_get(&reader->ids, row->id, -1) >= 0 ||
           wcts_map_add(&reader->ids, row->id, reader->count - 1);
}

bool wcts_store_reader_plan(struct wcts_store_reader *reader, const struct wcts_plan *plan)
{
    struct store_columns columns = {0, 3, 5, COLUMNS};
    FILE *file = open_in(reader, WCTS_FILE_PLAN);
    char *line = NULL;
    size_t room = 0;
    bool good = file != NULL;
    long number = 1;
    for (; good && wcts_store_input_line(&line, &room, file) > 0; number++) {
        if (number == 1) {
            reader->exact = strcmp(line, WCTS_PLAN_HEAD) == 0;
            reader->named = read_names(&columns, line);
        }
        if (line[0] != '#' && (number > 1 || !reader->named))
            good = read_plan_row(reader, &columns, line, number, plan);
    }
    if (good && !wcts_store_input_ended(file))
        good = set_flaw(reader, WCTS_FLAW_LINE, WCTS_FILE_PLAN, number, "");
    free(line);
    if (file)
        fclose(file);
    return good;
}

int wcts_store_reader_find(const struct wcts_store_reader *reader, const char *id)
{
    return wcts_map_get(&reader->ids, id, -1);
}

/* ---- the journal of the cases of plan.tsv ---- */

bool wcts_store_reader_journal(struct wcts_store_reader *reader)
{
    reader->journal = (struct wcts_store_journal){.spec = reader->spec,
                                                  .file = open_in(reader, WCTS_FILE_JOURNAL)};
    return reader->journal.file != NULL;
}

/* A finished run has an entry for each case, and a stopped one as many as run.json states: a
 * shorter journal was cut. Of a run that is still going on, or was killed, the number is unknown
 * and the last line may be incomplete. */
static bool end(struct wcts_store_reader *reader)
{
    const json_t *said = json_object_get(reader->run, "reached");
    const struct wcts_store_journal *journal = &reader->journal;
    int expected = reader->done            ? reader->count
                   : json_is_integer(said) ? (int)json_integer_value(said)
                                           : INT_MAX;
    enum wcts_store_flaw_kind flaw = WCTS_FLAW_NONE;
    if (journal->flaw != WCTS_FLAW_NONE && !journal->half)
        flaw = journal->flaw;
    else if (reader->running || expected == INT_MAX)
        return false;
    else if (journal->half && reader->entries >= expected)
        flaw = WCTS_FLAW_ENTRY;
    else if (reader->entries != expected)
        flaw = WCTS_FLAW_CUT;
    reader->flaw.expected = expected;
    return set_flaw(reader, flaw, WCTS_FILE_JOURNAL, reader->entries + 1, "");
}

bool wcts_store_reader_next(struct wcts_store_reader *reader, struct wcts_store_entry *entry,
                            int *row)
{
    enum wcts_store_flaw_kind flaw;
    if (!wcts_store_journal_next(&reader->journal, entry))
        return end(reader);
    /* Entries are in the order of the plan, so the next row is the likely one. */
    *row =
        reader->entries < reader->count && strcmp(reader->rows[reader->entries].id, entry->id) == 0
            ? reader->entries
            : wcts_store_reader_find(reader, entry->id);
    reader->entries++;
    if (*row >= 0 && !reader->rows[*row].reached)
        return reader->rows[*row].reached = true;
    flaw = *row >= 0 ? WCTS_FLAW_TWICE : WCTS_FLAW_UNKNOWN;
    reader->flaw.expected = reader->count;
    reader->flaw.wanted =
        reader->entries <= reader->count ? reader->rows[reader->entries - 1].id : "no more";
    if (*row < 0 && reader->entries > reader->count)
        flaw = WCTS_FLAW_MORE;
    set_flaw(reader, flaw, WCTS_FILE_JOURNAL, reader->entries, entry->id);
    wcts_store_entry_release(entry);
    return false;
}

/* ---- verdicts.txt ---- */

long wcts_store_reader_verdicts(const char *directory, int count,
                                char *(*line_of)(void *ctx, int i), void *ctx)
{
    FILE *file = wcts_store_input_open(directory, WCTS_FILE_VERDICTS, NULL);
    char *line = NULL;
    size_t room = 0;
    int i = 0;
    if (!file)
        return -1;
    for (bool same = true; same && i <= count; i++) {
        bool more = wcts_store_input_line(&line, &room, file) > 0;
        char *expected = i < count ? line_of(ctx, i) : NULL;
        same = expected ? more && strcmp(line, expected) == 0 : !more && i == count;
        free(expected);
        if (!same)
            break;
    }
    free(line);
    fclose(file);
    return i > count ? 0 : i + 1;
}
