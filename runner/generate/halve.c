/* SPDX-License-Identifier: MIT */
#include "halve.h"

#include <stdlib.h>
#include <string.h>

/* Calls with which a combination is confirmed in the end. */
#define DRAWN 16

#define ROW_MAX WCTS_GENERATE_PARAMETERS_MAX

/* Rows from one to another, each allowed, and one parameter, or two of them, changed from one to
 * the next. */
struct generate_chain {
    uint8_t rows[ROW_MAX + 1][ROW_MAX];
    int last;
};

/* guilty: without its value there, or one of the other values, a row was judged right. */
struct generate_search {
    struct wcts_generate_halving *halving;
    struct generate_chain chain;
    uint8_t row[ROW_MAX]; /* misjudged, the smallest one so far */
    bool guilty[ROW_MAX];
    uint64_t clear[ROW_MAX]; /* beside: the values with which it stays misjudged; 0: all */
    int *left;               /* calls */
    bool spent;              /* more would have been needed */
};

static int row_size(const struct generate_search *search)
{
    return search->halving->parameter_count;
}

static bool allows(const struct generate_search *search, const uint8_t *row)
{
    return search->halving->allows(search->halving->ctx, row);
}

static bool fails_row(struct generate_search *search, const uint8_t *row)
{
    if (*search->left == 0)
        search->spent = true;
    if (search->spent)
        return false;
    --*search->left;
    return search->halving->fails(search->halving->ctx, row);
}

/* ---- Down ---- */

/* Makes the next row of the chain with one parameter, or two, as in the smallest call; false if
 * there is none that is allowed. Those that are guilty stay. */
static bool step_down(struct generate_search *search)
{
    struct generate_chain *chain = &search->chain;
    const uint8_t *row = chain->rows[chain->last];
    uint8_t *next = chain->rows[chain->last + 1];
    int size = row_size(search);
    for (int both = 0; both < 2; both++)
        for (int p = 0; p < size; p++)
            for (int q = both ? p + 1 : p; q < (both ? size : p + 1); q++) {
                if (row[p] == 0 || row[q] == 0 || search->guilty[p] || search->guilty[q])
                    continue;
                memcpy(next, row, (size_t)size);
                next[p] = next[q] = 0;
                if (allows(search, next)) {
                    chain->last++;
                    return true;
                }
            }
    return false;
}

static void go_down(struct generate_search *search)
{
    memcpy(search->chain.rows[0], search->row, sizeof search->row);
    search->chain.last = 0;
    while (step_down(search))
        ;
}

/* The last row of the chain that fails as the first one does, if the last of all does not. */
static int last_failing(struct generate_search *search)
{
    int failing = 0, right = search->chain.last;
    while (right - failing > 1 && !search->spent) {
        int middle = (failing + right) / 2;
        if (fails_row(search, search->chain.rows[middle]))
            failing = middle;
        else
            right = middle;
    }
    return failing;
}

/* True if the last row of the chain fails; the smallest call does not, if that is known. */
static bool ends_failing(struct generate_search *search)
{
    static const uint8_t smallest[ROW_MAX];
    const uint8_t *row = search->chain.rows[search->chain.last];
    if (search->halving->smallest_is_right && memcmp(row, smallest, (size_t)row_size(search)) == 0)
        return false;
    return fails_row(search, row);
}

/* Finds a combination of which nothing can be left out: each round finds one part of it. */
static bool find_guilty(struct generate_search *search)
{
    while (!search->spent) {
        int failing;
        go_down(search);
        if (search->chain.last == 0 || ends_failing(search)) {
            memcpy(search->row, search->chain.rows[search->chain.last], sizeof search->row);
            return true;
        }
        failing = last_failing(search);
        memcpy(search->row, search->chain.rows[failing], sizeof search->row);
        for (int p = 0; p < row_size(search); p++)
            if (search->row[p] != search->chain.rows[failing + 1][p])
                search->guilty[p] = true;
    }
    return false;
}

/* ---- Without each part ---- */

/* The row without a parameter, and without the companions that nothing else needs; false if it has
 * to be as it is: then the others imply it. */
static bool leave_out_parameter(const struct generate_search *search, int parameter, uint8_t *row)
{
    memcpy(row, search->row, sizeof search->row);
    row[parameter] = 0;
    if (allows(search, row))
        return true;
    for (int p = 0; p < row_size(search); p++) {
        uint8_t before = row[p];
        if (before == 0 || search->guilty[p])
            continue;
        row[p] = 0;
        if (allows(search, row))
            return true;
        row[p] = before;
    }
    for (int p = 0; p < row_size(search); p++)
        if (!search->guilty[p])
            row[p] = 0;
    return allows(search, row);
}

/* False if a part of it is not needed after all: then nothing is known. */
static bool confirm_parts(struct generate_search *search)
{
    uint8_t row[ROW_MAX];
    int parts = 0;
    for (int p = 0; p < row_size(search); p++) {
        if (!search->guilty[p])
            continue;
        search->guilty[p] = false;
        if (!leave_out_parameter(search, p, row))
            continue;
        if (fails_row(search, row) || search->spent)
            return false;
        search->guilty[p] = true;
        parts++;
    }
    return parts > 0;
}

/* ---- Beside all else ---- */

static bool may_have_value(const struct generate_search *search, int parameter, int value)
{
    return !search->clear[parameter] || search->clear[parameter] >> value & 1;
}

/* Makes the next row of the chain with another value of a parameter, or of two; false if none is
 * allowed. later: of several values the last one. */
static bool step_up_with(struct generate_search *search, int parameter, int other, bool later)
{
    struct generate_chain *chain = &search->chain;
    const int *values = search->halving->values;
    uint8_t *next = chain->rows[chain->last + 1];
    for (int i = 1; i < values[parameter]; i++)
        for (int k = 1; k < values[other]; k++) {
            int value = later ? values[parameter] - i : i;
            int beside = other == parameter ? value : later ? values[other] - k : k;
            if (!may_have_value(search, parameter, value) || !may_have_value(search, other, beside))
                continue;
            memcpy(next, chain->rows[chain->last], ROW_MAX);
            next[other] = (uint8_t)beside;
            next[parameter] = (uint8_t)value;
            if (allows(search, next)) {
                chain->last++;
                return true;
            }
        }
    return false;
}

/* With another one that it needs if it is not allowed alone. */
static bool step_up(struct generate_search *search, int parameter, bool later)
{
    const uint8_t *row = search->chain.rows[search->chain.last];
    if (step_up_with(search, parameter, parameter, later))
        return true;
    for (int other = 0; other < row_size(search); other++)
        if (other != parameter && row[other] == 0 && step_up_with(search, parameter, other, later))
            return true;
    return false;
}

/* Begins a chain with the combination and one other thing; false if that is not allowed. */
static bool start_up(struct generate_search *search, int parameter)
{
    memcpy(search->chain.rows[0], search->row, sizeof search->row);
    search->chain.last = 0;
    return step_up(search, parameter, false);
}

/* From the combination to a row with as much else as can be. What needs another thing comes in the
 * second round. */
static void go_up(struct generate_search *search, bool later)
{
    int size = row_size(search);
    memcpy(search->chain.rows[0], search->row, sizeof search->row);
    search->chain.last = 0;
    for (int i = 0; i < 2 * size; i++) {
        int p = later ? size - 1 - i % size : i % size;
        if (search->chain.rows[search->chain.last][p] == 0)
            step_up(search, p, later);
    }
}

/* True if the row with this parameter as in the next one is misjudged as it was. */
static bool is_innocent(struct generate_search *search, const uint8_t *row, const uint8_t *next,
                        int parameter)
{
    uint8_t alone[ROW_MAX];
    memcpy(alone, row, sizeof alone);
    alone[parameter] = next[parameter];
    return memcmp(alone, next, (size_t)row_size(search)) != 0 && allows(search, alone) &&
           fails_row(search, alone);
}

static bool exclude(struct generate_search *search, int parameter, uint8_t value)
{
    if (!search->clear[parameter])
        search->clear[parameter] = (UINT64_C(1) << search->halving->values[parameter]) - 1;
    search->clear[parameter] &= ~(UINT64_C(1) << value);
    return !search->guilty[parameter];
}

/* Beside something else it is judged right: the parameter in question has to be as in the smallest
 * call, or have another value beside which it is misjudged. */
static bool note_clear(struct generate_search *search)
{
    int failing = last_failing(search), changed = -1;
    const uint8_t *row = search->chain.rows[failing], *next = search->chain.rows[failing + 1];
    bool noted = false;
    for (int p = 0; p < row_size(search) && !search->spent; p++) {
        if (row[p] == next[p])
            continue;
        changed = p;
        if (is_innocent(search, row, next, p))
            continue;
        if (!exclude(search, p, next[p]))
            return false;
        noted = true;
    }
    return !search->spent && (noted || exclude(search, changed, next[changed]));
}

/* Confirms that the last row of the chain is misjudged; or notes what has to be clear: then it is
 * to be asked once more. False if the chain contradicts the combination. */
static bool confirm_last(struct generate_search *search, bool *again)
{
    *again = !fails_row(search, search->chain.rows[search->chain.last]);
    return !search->spent && (!*again || note_clear(search));
}

/* Beside one other thing, since of several each may be misjudged for another cause; and beside as
 * much as can be, in two orders, since two things may only together make a difference. */
static bool confirm_beside(struct generate_search *search)
{
    bool good = true, again;
    for (int p = 0; good && p < row_size(search); p++)
        for (again = true; good && again;) {
            again = search->row[p] == 0 && start_up(search, p);
            good = !again || confirm_last(search, &again);
        }
    for (int later = 0; good && later < 2; later++)
        for (again = true; good && again;) {
            go_up(search, later);
            good = confirm_last(search, &again);
        }
    return good;
}

/* ---- Classes ---- */

static bool add_term(struct wcts_generate_guilty *guilty, int parameter, uint64_t values)
{
    if (guilty->count == WCTS_GENERATE_GUILTY_MAX)
        return false;
    guilty->terms[guilty->count++] = (struct wcts_generate_term){parameter, values};
    return true;
}

/* The values of a guilty parameter with which it is misjudged. */
static uint64_t class_of(struct generate_search *search, int parameter)
{
    uint64_t values = UINT64_C(1) << search->row[parameter];
    uint8_t row[ROW_MAX];
    memcpy(row, search->row, sizeof row);
    for (int value = 1; value < search->halving->values[parameter]; value++) {
        row[parameter] = (uint8_t)value;
        if (value != search->row[parameter] && allows(search, row) && fails_row(search, row))
            values |= UINT64_C(1) << value;
    }
    return values;
}

/* First what is set, then what is not. */
static bool make_terms(struct generate_search *search, struct wcts_generate_guilty *guilty)
{
    bool good = true;
    for (int p = 0; p < row_size(search); p++)
        if (search->guilty[p])
            good = good && add_term(guilty, p, class_of(search, p));
    for (int p = 0; p < row_size(search); p++)
        if (search->clear[p])
            good = good && add_term(guilty, p, search->clear[p]);
    return good && !search->spent;
}

/* ---- At random ---- */

static uint64_t draw(uint64_t *drawn, uint64_t below)
{
    *drawn = *drawn * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (*drawn >> 33) % below;
}

/* Gives a parameter of the row another value, if that is allowed. */
static void change(const struct generate_search *search, uint8_t *row, int parameter, uint8_t value)
{
    uint8_t before = row[parameter];
    row[parameter] = value;
    if (!allows(search, row))
        row[parameter] = before;
}

/* A row with the combination, other values of its classes and of what it only needs, and some of
 * all else: the last one of the chain. */
static void draw_row(struct generate_search *search, const struct wcts_generate_guilty *guilty,
                     uint64_t *drawn)
{
    uint8_t *row = search->chain.rows[0];
    memcpy(row, search->row, sizeof search->row);
    search->chain.last = 0;
    for (int i = 0; i < guilty->count; i++) {
        const struct wcts_generate_term *term = &guilty->terms[i];
        uint8_t value = (uint8_t)draw(drawn, (uint64_t)search->halving->values[term->parameter]);
        if (search->guilty[term->parameter] && term->values >> value & 1)
            change(search, row, term->parameter, value);
    }
    for (int p = 0; p < row_size(search); p++)
        if (row[p] != 0 && !search->guilty[p])
            change(search, row, p, (uint8_t)draw(drawn, (uint64_t)search->halving->values[p]));
    for (int p = 0; p < row_size(search); p++)
        if (draw(drawn, 2) && search->chain.rows[search->chain.last][p] == 0)
            step_up(search, p, draw(drawn, 2));
}

/* Calls with the combination and whatever else is drawn: where several causes hide each other, what
 * was found may not be all. */
static bool confirm_at_random(struct generate_search *search,
                              const struct wcts_generate_guilty *guilty)
{
    uint64_t drawn = 1;
    for (int n = 0; n < DRAWN; n++) {
        draw_row(search, guilty, &drawn);
        if (!fails_row(search, search->chain.rows[search->chain.last]))
            return false;
    }
    return true;
}

bool wcts_generate_halve(struct wcts_generate_halving *halving, const uint8_t *misjudged,
                         struct wcts_generate_guilty *guilty)
{
    struct generate_search *search = calloc(1, sizeof *search);
    bool found;
    *guilty = (struct wcts_generate_guilty){.count = 0};
    if (!search)
        return false;
    search->halving = halving;
    search->left = &halving->calls;
    memcpy(search->row, misjudged, (size_t)halving->parameter_count);
    found = find_guilty(search);
    search->left = &halving->confirmations;
    found = found && confirm_parts(search) && confirm_beside(search) &&
            make_terms(search, guilty) && confirm_at_random(search, guilty);
    if (!found)
        guilty->count = 0;
    free(search);
    return found;
}
