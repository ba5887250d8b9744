/* SPDX-License-Identifier: MIT */
#include "mutation.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../runner/base/arena.h"
#include "../runner/base/array.h"
#include "../runner/base/regular.h"

#define COLUMNS 6

struct report_record_reading {
    struct wcts_report_mutation *mutation;
    const struct wcts_spec *spec;
    struct wcts_diagnostics *diagnostics;
    struct wcts_place place;
};

static const char *const outcomes[WCTS_FAULT_OUTCOMES] = {
    [WCTS_FAULT_KILLED] = "killed", [WCTS_FAULT_SURVIVED] = "survived", [WCTS_FAULT_NONE] = "none"};

static bool find_outcome(const char *text, enum wcts_report_fault_outcome *outcome)
{
    for (int i = 0; i < WCTS_FAULT_OUTCOMES; i++)
        if (strcmp(outcomes[i], text) == 0) {
            *outcome = (enum wcts_report_fault_outcome)i;
            return true;
        }
    return false;
}

static bool parse_count(const char *text, int *count)
{
    char *end;
    long number = strtol(text, &end, 10);
    *count = (int)number;
    return text[0] >= '0' && text[0] <= '9' && *end == '\0' && number <= 1000000;
}

/* Splits a line into columns. Returns how many there are. */
static int split_columns(char *line, char *columns[COLUMNS])
{
    int count = 0;
    for (char *rest = line; rest; count++) {
        char *piece = strsep(&rest, "\t");
        if (count < COLUMNS)
            columns[count] = piece;
    }
    return count;
}

static char *keep_fault_text(const struct report_record_reading *reading, const char *text)
{
    return wcts_arena_string(reading->mutation->arena, text, strlen(text));
}

/* A row of a stale record may name a rule that no longer exists. */
static void read_fault_row(struct report_record_reading *reading, char *line)
{
    struct wcts_report_mutation *mutation = reading->mutation;
    struct wcts_report_fault_row row = {0}, *added;
    char *columns[COLUMNS];
    int count = split_columns(line, columns);
    if (count != COLUMNS) {
        wcts_error_at(reading->diagnostics, &reading->place, "%d columns, expected %d", count,
                      COLUMNS);
        return;
    }
    const char *blame = columns[5];
    row.rule = wcts_model_spec_rule_before(reading->spec, columns[0], "+");
    if (mutation->stale && row.rule < 0)
        return;
    if (row.rule < 0)
        wcts_error_at(reading->diagnostics, &reading->place,
                      "a fault \"%s\", expected the id of a rule, alone or before a \"+\"",
                      columns[0]);
    else if (strcmp(reading->spec->statements[reading->spec->rules[row.rule].statement].id,
                    columns[1]) != 0)
        wcts_error_at(reading->diagnostics, &reading->place,
                      "a statement \"%s\", expected \"%s\", the statement of the rule", columns[1],
                      reading->spec->statements[reading->spec->rules[row.rule].statement].id);
    else if (!find_outcome(columns[2], &row.outcome))
        wcts_error_at(reading->diagnostics, &reading->place,
                      "an outcome \"%s\", expected killed, survived or none", columns[2]);
    else if (!parse_count(columns[3], &row.tried))
        wcts_error_at(reading->diagnostics, &reading->place, "\"%s\" cases, expected a number",
                      columns[3]);
    else if (blame[0] != '\0' && strcmp(blame, "right") != 0 && strncmp(blame, "wrong: ", 7) != 0)
        wcts_error_at(reading->diagnostics, &reading->place,
                      "a blame \"%s\", expected right, or wrong: and ids", blame);
    else {
        row.id = keep_fault_text(reading, columns[0]);
        row.blame = keep_fault_text(reading, blame);
        added = WCTS_ARRAY_ADD(mutation->rows, mutation->row_count);
        if (added)
            *added = row;
    }
}

static void read_digest(struct report_record_reading *reading, const char *line)
{
    static const char key[] = "#digest\t";
    struct wcts_report_mutation *mutation = reading->mutation;
    const char *digest = line + sizeof key - 1;
    if (strncmp(line, key, sizeof key - 1) != 0 || strlen(digest) != 64 ||
        strspn(digest, "0123456789abcdef") != 64) {
        wcts_error_at(reading->diagnostics, &reading->place,
                      "\"%s\", expected #digest, a tab and 64 hexadecimal digits", line);
        return;
    }
    memcpy(mutation->digest, digest, sizeof mutation->digest);
    mutation->stale = strcmp(digest, reading->spec->digest) != 0;
}

/* Lines after the first that begin with "#" are comments. */
static void read_fault_lines(struct report_record_reading *reading, FILE *file)
{
    char *line = NULL;
    size_t size = 0;
    ssize_t length;
    while ((length = getline(&line, &size, file)) > 0) {
        reading->place.line++;
        if (line[length - 1] == '\n')
            line[length - 1] = '\0';
        if (reading->place.line == 1)
            read_digest(reading, line);
        else if (strncmp(line, "#part\t", 6) == 0)
            wcts_error_at(reading->diagnostics, &reading->place,
                          "a record of part %s, expected one of faults --try without --shard",
                          line + 6);
        else if (line[0] != '#' && line[0] != '\0')
            read_fault_row(reading, line);
    }
    free(line);
    if (reading->place.line == 0)
        wcts_error_at(reading->diagnostics, &reading->place,
                      "empty, expected #digest, a tab and 64 hexadecimal digits");
}

bool wcts_report_mutation_read(struct wcts_report_mutation *mutation, const struct wcts_spec *spec,
                               const char *cases_dir, struct wcts_diagnostics *diagnostics)
{
    int errors = diagnostics->errors;
    struct report_record_reading reading = {mutation, spec, diagnostics, {NULL, 0, NULL}};
    const char *wrong = NULL;
    FILE *file;
    errno = 0;
    *mutation = (struct wcts_report_mutation){.arena = wcts_arena_new()};
    reading.place.file = wcts_arena_format(mutation->arena, "%s/" WCTS_MUTATION_FILE, cases_dir);
    file = wcts_regular_file(reading.place.file, 0, &wrong);
    if (!file) {
        if (errno != ENOENT)
            wcts_error_at(diagnostics, &reading.place, "cannot be read: %s", wrong);
        return diagnostics->errors == errors;
    }
    mutation->there = true;
    read_fault_lines(&reading, file);
    fclose(file);
    return diagnostics->errors == errors;
}

void wcts_report_mutation_release(struct wcts_report_mutation *mutation)
{
    free(mutation->rows);
    wcts_arena_free(mutation->arena);
    *mutation = (struct wcts_report_mutation){0};
}
