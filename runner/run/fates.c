/* SPDX-License-Identifier: MIT */
#include "fates.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../generate/cause.h"

/* So many equal deaths in a row are known, as for cases (deaths.c). */
#define EQUAL_MAX 3
/* The share of similar values that is still sent: one in so many, and half as many after each
 * further death. Fewer after hangs, since each costs a timeout. */
#define SAMPLE 20
#define SAMPLE_HANGS 1280
#define SAMPLE_MAX (UINT32_C(1) << 24)
/* Values that were survived, of which a cause is looked for: those with the fewest flags say most,
 * and all that are spared or not hangs on it alone. */
#define SURVIVED_MAX 65536
/* After so many values that contradict a cause, no further cause is looked for. */
#define CONTRADICTIONS_MAX 16

struct run_deciding {
    const struct wcts_exchange_deadly *deadly;
    uint32_t *survived; /* of those before */
    int survived_count;
    int contradictions;
    uint32_t dead[WCTS_DEADLY_MAX];
    int dead_count;
    int equal;                        /* deaths of the last sort in a row */
    const char *sort;                 /* of the last one */
    uint32_t interval;                /* 0: nothing is spared */
    uint32_t seen;                    /* values that are alike, since the last death */
    uint64_t sampled;                 /* groups of which a value that is alike was sent */
    struct wcts_generate_cause cause; /* count 0: all are alike */
};

static int find_deadly(const struct wcts_exchange_deadly *deadly, uint64_t word)
{
    for (int i = 0; i < deadly->count; i++)
        if (deadly->of[i].value == word)
            return i;
    return -1;
}

static void find_cause(struct run_deciding *deciding)
{
    const struct wcts_generate_swept words = {deciding->dead, deciding->survived,
                                              deciding->dead_count, deciding->survived_count};
    if (deciding->contradictions == CONTRADICTIONS_MAX ||
        !wcts_generate_cause_find(&words, &deciding->cause))
        deciding->cause.count = 0;
}

/* Notes a value that was survived; alike: although it has what the deadly ones have in common. */
static void note_survivor(struct run_deciding *deciding, uint32_t word, bool alike)
{
    bool contradicts = alike && deciding->cause.count > 0;
    if (deciding->survived_count < SURVIVED_MAX || contradicts)
        deciding->survived[deciding->survived_count++] = word;
    if (!contradicts)
        return;
    deciding->contradictions++;
    find_cause(deciding);
}

static void note_death(struct run_deciding *deciding, int index)
{
    const char *sort = deciding->deadly->of[index].what;
    bool same = deciding->sort && strcmp(deciding->sort, sort) == 0;
    deciding->dead[deciding->dead_count++] = (uint32_t)deciding->deadly->of[index].value;
    deciding->equal = same ? deciding->equal + 1 : 1;
    deciding->sort = sort;
    deciding->seen = 0;
    if (deciding->equal < EQUAL_MAX) {
        deciding->interval = 0;
        return;
    }
    if (deciding->interval == 0)
        deciding->interval = deciding->deadly->of[index].hung ? SAMPLE_HANGS : SAMPLE;
    else if (deciding->interval < SAMPLE_MAX)
        deciding->interval *= 2;
    find_cause(deciding);
}

static bool is_alike(const struct run_deciding *deciding, uint32_t word)
{
    for (int i = 0; i < deciding->cause.count; i++)
        if (wcts_generate_cube_has(deciding->cause.cubes[i], word))
            return true;
    return deciding->cause.count == 0;
}

static bool is_spared(struct run_deciding *deciding, int group)
{
    uint64_t bit = UINT64_C(1) << group;
    bool first = !(deciding->sampled & bit);
    deciding->sampled |= bit;
    if (first)
        return false;
    return ++deciding->seen % deciding->interval != 0;
}

bool wcts_run_fates_decide(const struct wcts_run_sending *sending,
                           const struct wcts_exchange_deadly *deadly, uint8_t *fates)
{
    struct run_deciding deciding = {.deadly = deadly};
    memset(fates, WCTS_FATE_SENT, (size_t)sending->count);
    if (deadly->count == 0)
        return true;
    deciding.survived = calloc((size_t)sending->count + 1, sizeof *deciding.survived);
    for (int i = 0; deciding.survived && i < sending->count; i++) {
        int at = sending->order[i];
        uint32_t word = sending->words[at];
        int known = find_deadly(deadly, word);
        bool alike = deciding.interval && is_alike(&deciding, word);
        if (known >= 0) {
            fates[at] = WCTS_FATE_DEADLY;
            if (alike)
                deciding.sampled |= UINT64_C(1) << sending->groups[at];
            note_death(&deciding, known);
        } else if (alike && is_spared(&deciding, sending->groups[at])) {
            fates[at] = WCTS_FATE_SPARED;
        } else {
            note_survivor(&deciding, word, alike);
        }
    }
    free(deciding.survived);
    return deciding.survived != NULL;
}

bool wcts_run_fates_add(struct wcts_exchange_deadly *deadly, uint64_t value, bool hung,
                        uint32_t operation, const char *what)
{
    int count = deadly->count;
    if (count == WCTS_DEADLY_MAX || find_deadly(deadly, value) >= 0)
        return false;
    deadly->of[count].value = value;
    deadly->of[count].hung = hung;
    deadly->of[count].operation = operation;
    snprintf(deadly->of[count].what, sizeof deadly->of[count].what, "%s", what);
    deadly->count++;
    return true;
}
