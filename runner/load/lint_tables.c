/* SPDX-License-Identifier: MIT */
/* Tables: each of the 2^columns rows once; valid rows name statements about the kernel, invalid
 * ones about the driver or the caller. */
#include <string.h>

#include "lint.h"

/* More would make more rows than anyone writes. */
#define COLUMN_LIMIT 8

static const char *row_text(uint64_t values, int columns, char *buffer, size_t room)
{
    buffer[0] = '\0';
    for (int i = 0; i < columns && (size_t)i * 2 + 2 < room; i++)
        snprintf(buffer + strlen(buffer), room - strlen(buffer), "%s%d", i > 0 ? " " : "",
                 (int)(values >> i & 1));
    return buffer;
}

static void lint_row_statements(const struct wcts_load_lint *lint, const struct wcts_row *row)
{
    for (int i = 0; i < row->statement_count; i++) {
        const struct wcts_statement *statement = &lint->spec->statements[row->statements[i]];
        bool kernel = statement->role == WCTS_ROLE_KERNEL;
        if (statement->role == WCTS_ROLE_BOTH || kernel == row->valid)
            continue;
        wcts_error_at(
            lint->diagnostics, &row->place, "%s row names statement \"%s\" of role %s, expected %s",
            row->valid ? "valid" : "invalid", statement->id, wcts_model_role_name(statement->role),
            row->valid ? "the kernel's" : "the driver's or the caller's");
    }
}

/* True, with a message, if an earlier row has the same values. */
static bool repeats_row(const struct wcts_load_lint *lint, const struct wcts_table *table,
                        int index)
{
    const struct wcts_row *row = &table->rows[index];
    char text[2 * COLUMN_LIMIT + 2];
    for (int i = 0; i < index; i++) {
        const struct wcts_row *other = &table->rows[i];
        if (other->values != row->values || other->value_count != row->value_count)
            continue;
        wcts_error_at(lint->diagnostics, &row->place, "row %s %s line %ld, expected each row once",
                      row_text(row->values, table->column_count, text, sizeof(text)),
                      other->valid == row->valid ? "repeats" : "contradicts", other->place.line);
        return true;
    }
    return false;
}

static void lint_missing(const struct wcts_load_lint *lint, const struct wcts_table *table)
{
    bool seen[1 << COLUMN_LIMIT] = {false};
    char text[2 * COLUMN_LIMIT + 2];
    for (int i = 0; i < table->row_count; i++)
        if (table->rows[i].values < (uint64_t)1 << COLUMN_LIMIT)
            seen[table->rows[i].values] = true;
    for (uint64_t values = 0; values < (uint64_t)1 << table->column_count; values++)
        if (!seen[values])
            wcts_error_at(lint->diagnostics, &table->place,
                          "table \"%s\" lacks the row %s, expected all", table->name,
                          row_text(values, table->column_count, text, sizeof(text)));
}

static void lint_columns(const struct wcts_load_lint *lint, const struct wcts_table *table)
{
    for (int i = 0; i < table->column_count; i++) {
        int since, until;
        wcts_load_lint_exists(lint->spec, table->columns[i], &since, &until);
        if (table->since < since || table->until > until)
            wcts_error_at(
                lint->diagnostics, &table->place,
                "table \"%s\" holds since %s until %s, expected no version without \"%s\"",
                table->name, wcts_load_lint_version(lint, table->since),
                wcts_load_lint_version(lint, table->until),
                wcts_load_lint_ref(lint->spec, table->columns[i]));
        for (int j = 0; j < i; j++)
            if (wcts_model_same_ref(table->columns[i], table->columns[j]))
                wcts_error_at(lint->diagnostics, &table->place,
                              "column \"%s\" occurs twice in table \"%s\", expected once",
                              wcts_load_lint_ref(lint->spec, table->columns[i]), table->name);
    }
}

static void lint_table_rows(const struct wcts_load_lint *lint, const struct wcts_table *table)
{
    bool whole = true;
    wcts_load_lint_range(lint, &table->place, "table", table->name, table->since, table->until);
    lint_columns(lint, table);
    if (table->column_count > COLUMN_LIMIT) {
        wcts_error_at(lint->diagnostics, &table->place,
                      "table \"%s\" has %d columns, expected at most %d", table->name,
                      table->column_count, COLUMN_LIMIT);
        return;
    }
    for (int i = 0; i < table->row_count; i++) {
        const struct wcts_row *row = &table->rows[i];
        lint_row_statements(lint, row);
        if (row->value_count != table->column_count) {
            wcts_error_at(lint->diagnostics, &row->place,
                          "row of %d values, expected one for each of the %d columns",
                          row->value_count, table->column_count);
            whole = false;
        } else if (repeats_row(lint, table, i)) {
            continue;
        }
    }
    if (whole)
        lint_missing(lint, table);
}

void wcts_load_lint_tables(const struct wcts_load_lint *lint)
{
    for (int i = 0; i < lint->spec->tables_count; i++)
        lint_table_rows(lint, &lint->spec->tables[i]);
}
