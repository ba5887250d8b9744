/* SPDX-License-Identifier: MIT */
#include "journal.h"

#include <stdlib.h>
#include <string.h>

#include "input.h"

bool wcts_journal_open(struct wcts_journal *journal, const char *directory)
{
    *journal = (struct wcts_journal){.file = wcts_input_open(directory, "journal.jsonl", NULL)};
    return journal->file != NULL;
}

void wcts_journal_close(struct wcts_journal *journal)
{
    if (journal->file)
        fclose(journal->file);
    free(journal->line);
}

bool wcts_journal_skip(struct wcts_journal *journal)
{
    ssize_t size = wcts_input_line(&journal->line, &journal->room, journal->file);
    return size > 0 && journal->line[size - 1] == '\n';
}

static const char *text_of(const json_t *value, const char *key)
{
    const char *text = json_string_value(json_object_get(value, key));
    return text ? text : "";
}

static bool find_verdict(const char *name, enum wcts_verdict *verdict)
{
    for (int i = 0; i < WCTS_VERDICT_COUNT; i++)
        if (strcmp(wcts_verdict_name((enum wcts_verdict)i), name) == 0) {
            *verdict = (enum wcts_verdict)i;
            return true;
        }
    return false;
}

static enum wcts_skip skip_of(const char *name)
{
    enum wcts_skip skip = WCTS_SKIP_COUNT;
    while (skip > WCTS_SKIP_NONE && strcmp(wcts_skip_name(--skip), name) != 0)
        continue;
    return skip;
}

bool wcts_journal_next(struct wcts_journal *journal, struct wcts_entry *entry)
{
    *entry = (struct wcts_entry){0};
    if (!wcts_journal_skip(journal))
        return false;
    entry->value = wcts_input_clean(json_loads(journal->line, 0, NULL));
    entry->id = text_of(entry->value, "id");
    entry->reason = text_of(entry->value, "reason");
    entry->detail = text_of(entry->value, "detail");
    entry->backtrace = text_of(entry->value, "backtrace");
    entry->output = text_of(entry->value, "output");
    entry->skip = skip_of(text_of(entry->value, "skip"));
    entry->seconds = json_number_value(json_object_get(entry->value, "seconds"));
    if (entry->id[0] != '\0' && find_verdict(text_of(entry->value, "verdict"), &entry->verdict)) {
        entry->was = entry->verdict;
        find_verdict(text_of(entry->value, "was"), &entry->was);
        return true;
    }
    wcts_entry_release(entry);
    return false;
}

void wcts_entry_release(struct wcts_entry *entry)
{
    json_decref(entry->value);
    entry->value = NULL;
}

long wcts_journal_tell(const struct wcts_journal *journal)
{
    return ftell(journal->file);
}

bool wcts_journal_seek(struct wcts_journal *journal, long position)
{
    return fseek(journal->file, position, SEEK_SET) == 0;
}

bool wcts_journal_find(const char *directory, const char *id, struct wcts_entry *entry)
{
    struct wcts_journal journal;
    bool found = false;
    if (!wcts_journal_open(&journal, directory))
        return false;
    while (!found && wcts_journal_next(&journal, entry)) {
        found = strcmp(entry->id, id) == 0;
        if (!found)
            wcts_entry_release(entry);
    }
    wcts_journal_close(&journal);
    return found;
}
