/* SPDX-License-Identifier: MIT */
#include "durations.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../base/array.h"
#include "../base/map.h"
#include "../base/regular.h"
#include "../store/run_dir.h"

/* ---- what cases took ---- */

struct cli_durations {
    struct wcts_map ids; /* id to its place in the lists */
    char **names;
    int name_count;
    uint64_t *nanoseconds;
    int count;
};

static void durations_release(struct cli_durations *durations)
{
    wcts_map_release(&durations->ids);
    for (int i = 0; i < durations->name_count; i++)
        free(durations->names[i]);
    free(durations->names);
    free(durations->nanoseconds);
}

/* The journal of a run directory, or a journal on its own. */
static bool open_journal(struct wcts_store_journal *journal, const char *path)
{
    struct stat status;
    const char *wrong = "no journal.jsonl, expected a run directory or a journal";
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        wcts_store_journal_open(journal, path, NULL);
    else
        *journal = (struct wcts_store_journal){.file = wcts_regular_file(path, 0, &wrong)};
    if (!journal->file)
        fprintf(stderr, "wddm-cts: --durations %s: %s\n", path, wrong);
    return journal->file != NULL;
}

static bool add_duration(struct cli_durations *durations, const struct wcts_store_entry *entry)
{
    char **name = WCTS_ARRAY_ADD(durations->names, durations->name_count);
    uint64_t *time = NULL;
    if (name)
        time = WCTS_ARRAY_ADD(durations->nanoseconds, durations->count);
    if (!time || !(*name = strdup(entry->id)))
        return false;
    *time = entry->result.nanoseconds;
    return wcts_map_add(&durations->ids, *name, durations->count - 1);
}

static bool durations_read(struct cli_durations *durations, const char *path)
{
    struct wcts_store_journal journal;
    struct wcts_store_entry entry;
    bool good = open_journal(&journal, path);
    if (!good)
        return false;
    while (good && wcts_store_journal_next(&journal, &entry)) {
        good = wcts_map_get(&durations->ids, entry.id, -1) >= 0 || add_duration(durations, &entry);
        wcts_store_entry_release(&entry);
    }
    if (good && durations->count == 0) {
        fprintf(stderr, "wddm-cts: --durations %s: no case, expected a run with some\n", path);
        good = false;
    }
    if (good && journal.flaw != WCTS_FLAW_NONE) {
        fprintf(stderr,
                "wddm-cts: --durations %s:%d: no entry, expected an object with id and "
                "verdict\n",
                path, durations->count + 1);
        good = false;
    }
    wcts_store_journal_close(&journal);
    return good;
}

/* ---- parts ---- */

struct cli_load {
    uint64_t nanoseconds;
    int part; /* from 0 */
};

static bool is_less(const struct cli_load *a, const struct cli_load *b)
{
    return a->nanoseconds != b->nanoseconds ? a->nanoseconds < b->nanoseconds : a->part < b->part;
}

/* The first of a heap has grown: it goes down to its place. */
static void settle(struct cli_load *heap, int count)
{
    for (int at = 0, least;; at = least) {
        least = at;
        for (int child = 2 * at + 1; child <= 2 * at + 2 && child < count; child++)
            if (is_less(&heap[child], &heap[least]))
                least = child;
        if (least == at)
            return;
        struct cli_load moved = heap[at];
        heap[at] = heap[least];
        heap[least] = moved;
    }
}

struct cli_timed {
    uint64_t nanoseconds;
    int position; /* in the selection */
};

static int longest_first(const void *a, const void *b)
{
    const struct cli_timed *left = a, *right = b;
    if (left->nanoseconds != right->nanoseconds)
        return left->nanoseconds > right->nanoseconds ? -1 : 1;
    return left->position - right->position;
}

static void time_cases(const struct cli_durations *durations, const struct wcts_plan *plan,
                       const int *selected, struct cli_timed *timed, int count)
{
    uint64_t sum = 0, known = 0;
    for (int i = 0; i < count; i++) {
        int at = wcts_map_get(&durations->ids, WCTS_PLAN_CASE(plan, selected[i])->id, -1);
        timed[i] = (struct cli_timed){at < 0 ? UINT64_MAX : durations->nanoseconds[at], i};
        sum += at < 0 ? 0 : timed[i].nanoseconds;
        known += at >= 0;
    }
    for (int i = 0; i < count; i++)
        if (timed[i].nanoseconds == UINT64_MAX)
            timed[i].nanoseconds = known ? sum / known : 0;
    if (count > 1)
        qsort(timed, (size_t)count, sizeof *timed, longest_first);
}

static int deal(const struct wcts_options *options, const struct cli_timed *timed,
                struct cli_load *heap, bool *kept, int *selected, int count)
{
    int left = 0;
    for (int i = 0; i < options->shards; i++)
        heap[i] = (struct cli_load){0, i};
    for (int i = 0; i < count; i++) {
        kept[timed[i].position] = heap[0].part == options->shard - 1;
        heap[0].nanoseconds += timed[i].nanoseconds + 1; /* also what takes no time is dealt out */
        settle(heap, options->shards);
    }
    for (int i = 0; i < count; i++)
        if (kept[i])
            selected[left++] = selected[i];
    return left;
}

bool wcts_cli_durations_are_there(const struct wcts_options *options)
{
    struct cli_durations durations = {0};
    bool there = !options->durations || durations_read(&durations, options->durations);
    durations_release(&durations);
    return there;
}

int wcts_cli_durations_select(const struct wcts_options *options, const struct wcts_plan *plan,
                              int *selected, int count)
{
    struct cli_durations durations = {0};
    struct cli_timed *timed = calloc((size_t)count + 1, sizeof *timed);
    struct cli_load *heap = calloc((size_t)options->shards, sizeof *heap);
    bool *kept = calloc((size_t)count + 1, sizeof *kept);
    int left = -1;
    if (timed && heap && kept && durations_read(&durations, options->durations)) {
        time_cases(&durations, plan, selected, timed, count);
        left = deal(options, timed, heap, kept, selected, count);
    }
    durations_release(&durations);
    free(timed);
    free(heap);
    free(kept);
    return left;
}
