/* SPDX-License-Identifier: MIT */
/* Errata in words: the chosen reading of a passage, and the statements that follow it. */
#include <stdio.h>
#include <string.h>

#include "../base/text.h"
#include "spec.h"

#define NEITHER "neither" /* a choice: no reading is wrong */

static bool lists_name(const char *list, const char *name)
{
    const char *piece;
    size_t length;
    while (list && (length = wcts_next_piece(&list, &piece)) > 0)
        if (strlen(name) == length && memcmp(name, piece, length) == 0)
            return true;
    return false;
}

bool wcts_model_is_read_by(const char *list, const struct wcts_erratum *erratum)
{
    return lists_name(list, erratum->id);
}

bool wcts_model_is_about(const struct wcts_erratum *erratum, const struct wcts_document *document)
{
    return lists_name(erratum->document, "all") || lists_name(erratum->document, document->number);
}

int wcts_model_spec_erratum(const struct wcts_spec *spec, const char *id)
{
    for (int i = 0; i < spec->errata_count; i++)
        if (strcmp(spec->errata[i].id, id) == 0)
            return i;
    return -1;
}

/* The start of "(b) " in the readings; NULL if there is none. */
static const char *find_mark(const char *readings, char letter)
{
    const char mark[] = {'(', letter, ')', ' ', '\0'};
    return strstr(readings, mark);
}

bool wcts_model_erratum_chooses(const struct wcts_erratum *erratum)
{
    const char *list = erratum->choice, *piece;
    size_t length;
    int count = 0;
    if (strcmp(list, NEITHER) == 0)
        return true;
    for (; (length = wcts_next_piece(&list, &piece)) > 0; count++)
        if (length != 1 || !find_mark(erratum->readings, *piece))
            return false;
    return count > 0;
}

static void put_choice(FILE *out, const struct wcts_erratum *erratum)
{
    const char *list = erratum->choice, *piece;
    if (strcmp(list, NEITHER) == 0) {
        fprintf(out, "left open: %s", erratum->readings);
        return;
    }
    for (int count = 0; wcts_next_piece(&list, &piece) > 0; count++) {
        /* A reading as a sentence, after the words that all readings share. */
        const char *first = find_mark(erratum->readings, 'a');
        const char *mark = find_mark(erratum->readings, *piece);
        fputs(count > 0 ? "; " : "", out);
        if (!mark)
            continue;
        const char *reading = mark + strlen("(a) "), *end = strstr(reading, "; (");
        size_t length = end ? (size_t)(end - reading) : strlen(reading);
        fprintf(out, "%.*s%.*s", first ? (int)(first - erratum->readings) : 0, erratum->readings,
                (int)length, reading);
    }
}

char *wcts_model_erratum_choice(const struct wcts_erratum *erratum)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    put_choice(out, erratum);
    fclose(out);
    return text;
}

char *wcts_model_statement_read_by(const struct wcts_spec *spec,
                                   const struct wcts_statement *statement)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    for (int i = 0; i < spec->errata_count; i++) {
        if (!wcts_model_is_read_by(statement->errata, &spec->errata[i]))
            continue;
        fprintf(out, "%s: ", spec->errata[i].id);
        put_choice(out, &spec->errata[i]);
        fputc('\n', out);
    }
    fclose(out);
    return text;
}
