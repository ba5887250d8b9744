/* SPDX-License-Identifier: MIT */
#include "stored.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/arena.h"
#include "../base/array.h"
#include "../base/checksum.h"
#include "../base/digest.h"
#include "../base/text.h"
#include "../model/facts.h"

#define FIRST_LINE "wddm-cts plan 5"
#define BODY_MAX ((size_t)64 << 20)
#define TESTS_MAX 10000000
#define LINE_ROOM 256

/* ---- Writing ---- */

static int gap_number(const struct wcts_spec *spec, const struct wcts_gap *gap)
{
    return gap ? (int)(gap - spec->gaps) : -1;
}

static void write_series(struct wcts_text *text, const struct wcts_spec *spec,
                         const struct wcts_series *series)
{
    wcts_text_add(text, "%d %d %d %d %d %" PRIu32 " %" PRIu32 " %d %d %d %d %d %d %d %d %d",
                  series->rule, series->base, series->state, series->scenario, series->instance,
                  series->page_size, series->needs, series->kind, series->expect, series->strict,
                  series->driver, gap_number(spec, series->gap), gap_number(spec, series->twin_gap),
                  series->swept, series->alone, series->strength);
    wcts_model_facts_put(text, series->facts);
    wcts_model_facts_put(text, series->twin);
    wcts_text_add(text, series->name ? " =%s\n" : "\n", series->name);
}

#define SIDES "sides "

static bool write_sides(FILE *out, const struct wcts_plan *plan)
{
    uint32_t *sides = wcts_plan_sides(plan);
    bool good = sides && fputs(SIDES, out) >= 0;
    for (int i = 0; good && i < plan->spec->rules_count; i++)
        good = fputc((int)('0' + sides[i]), out) != EOF;
    free(sides);
    return good && fputc('\n', out) != EOF;
}

bool wcts_plan_store(const struct wcts_plan *plan, const struct wcts_plan_total *totals, int count,
                     FILE *out)
{
    bool good = fprintf(out, FIRST_LINE " %s\n", plan->spec->digest) > 0;
    WCTS_TEXT(text);
    for (int i = 0; good && i < count; i++)
        good = fprintf(out, "tests %d %d\n", totals[i].strength, totals[i].tests) > 0;
    good = good && write_sides(out, plan);
    for (int i = 0; i < plan->series_count; i++)
        write_series(&text, plan->spec, &plan->series[i]);
    for (int i = 0; i < plan->count; i++)
        wcts_text_add(&text, "%d %" PRIu32 " %d %d\n", plan->tests[i].series, plan->tests[i].number,
                      plan->tests[i].version, plan->tests[i].edge);
    return good && !text.failed &&
           fprintf(out, "%d %d %zu %" PRIx64 "\n%s", plan->series_count, plan->count, text.length,
                   wcts_checksum(0, wcts_text_get(&text), text.length), wcts_text_get(&text)) > 0 &&
           fflush(out) == 0;
}

/* ---- Reading ---- */

static const struct wcts_gap *read_gap(const char **at, const struct wcts_spec *spec)
{
    int number = wcts_next_int(at);
    return number < 0 ? NULL : &spec->gaps[number];
}

static void read_series(const char **at, const struct wcts_plan *plan, struct wcts_series *series)
{
    const char *end;
    series->rule = wcts_next_int(at);
    series->base = wcts_next_int(at);
    series->state = wcts_next_int(at);
    series->scenario = wcts_next_int(at);
    series->instance = wcts_next_int(at);
    series->page_size = (uint32_t)wcts_next_number(at);
    series->needs = (uint32_t)wcts_next_number(at);
    series->kind = (enum wcts_kind)wcts_next_int(at);
    series->expect = (enum wcts_expect)wcts_next_int(at);
    series->strict = (enum wcts_expect)wcts_next_int(at);
    series->driver = wcts_next_int(at);
    series->gap = read_gap(at, plan->spec);
    series->twin_gap = read_gap(at, plan->spec);
    series->swept = wcts_next_int(at);
    series->alone = wcts_next_int(at);
    series->strength = wcts_next_int(at);
    series->facts = wcts_model_facts_take(at, plan->arena);
    series->twin = wcts_model_facts_take(at, plan->arena);
    end = *at + strcspn(*at, "\n");
    if (**at == ' ')
        series->name = wcts_arena_string(plan->arena, *at + 2, (size_t)(end - *at) - 2);
    *at = end;
}

/* They grow as those of a plan do. */
static bool read_body(const char *at, int series, int tests, struct wcts_plan *plan)
{
    while (plan->series_count < series) {
        struct wcts_series *one = WCTS_ARRAY_ADD(plan->series, plan->series_count);
        if (!one)
            return false;
        read_series(&at, plan, one);
    }
    while (plan->count < tests) {
        struct wcts_test *test = WCTS_ARRAY_ADD(plan->tests, plan->count);
        if (!test)
            return false;
        test->series = wcts_next_int(&at);
        test->number = (uint32_t)wcts_next_number(&at);
        test->version = (uint16_t)wcts_next_number(&at);
        test->edge = wcts_next_int(&at);
    }
    return true;
}

/* Opens a file with the digest, of which the first line is read; NULL if it is not. */
static FILE *open_stored(const char *of, const char *path)
{
    char line[LINE_ROOM], digest[WCTS_DIGEST_SIZE];
    FILE *in = fopen(path, "re");
    if (in && fgets(line, sizeof line, in) && sscanf(line, FIRST_LINE " %64s", digest) == 1 &&
        strcmp(digest, of) == 0)
        return in;
    if (in)
        fclose(in);
    return NULL;
}

/* Reads up to the line with the sides of the rules, and that; NULL if there is none. */
static uint32_t *read_sides(FILE *in, const struct wcts_spec *spec)
{
    uint32_t *sides = calloc((size_t)spec->rules_count + 1, sizeof *sides);
    char *line = NULL;
    size_t room = 0;
    const size_t length = sizeof SIDES - 1 + (size_t)spec->rules_count;
    bool good = sides != NULL;
    do
        good = good && getline(&line, &room, in) > 0;
    while (good && strncmp(line, "tests ", 6) == 0);
    good = good && strncmp(line, SIDES, sizeof SIDES - 1) == 0 && strcspn(line, "\n") == length;
    for (int i = 0; good && i < spec->rules_count; i++)
        sides[i] = (uint32_t)(line[sizeof SIDES - 1 + (size_t)i] - '0') & 3;
    free(line);
    if (good)
        return sides;
    free(sides);
    return NULL;
}

static bool read_stored(FILE *in, struct wcts_plan *plan)
{
    uint32_t *sides = read_sides(in, plan->spec);
    char line[LINE_ROOM];
    uint64_t sum;
    int series, tests;
    size_t size;
    char *bytes;
    bool good;
    good = sides && fgets(line, sizeof line, in) != NULL;
    free(sides);
    if (!good || sscanf(line, "%d %d %zu %" SCNx64, &series, &tests, &size, &sum) != 4 ||
        size > BODY_MAX || series < 0 || tests < 0 || series > TESTS_MAX || tests > TESTS_MAX)
        return false;
    bytes = wcts_checksum_read(in, size, sum);
    good = bytes && read_body(bytes, series, tests, plan);
    free(bytes);
    return good;
}

bool wcts_plan_read_stored(struct wcts_plan *plan, const char *path)
{
    FILE *in = open_stored(plan->spec->shared_digest, path);
    bool good = in && read_stored(in, plan);
    if (in)
        fclose(in);
    if (!good) {
        free(plan->series);
        free(plan->tests);
        plan->series = NULL;
        plan->tests = NULL;
        plan->series_count = plan->count = 0;
    }
    return good;
}

int wcts_plan_stored_total(const struct wcts_spec *spec, int strength, const char *path)
{
    char line[LINE_ROOM];
    FILE *in = open_stored(spec->digest, path);
    int of, tests, total = -1;
    while (in && total < 0 && fgets(line, sizeof line, in) &&
           sscanf(line, "tests %d %d", &of, &tests) == 2)
        total = of == strength ? tests : -1;
    if (in)
        fclose(in);
    return total;
}

uint32_t *wcts_plan_stored_sides(const struct wcts_spec *spec, const char *path)
{
    FILE *in = open_stored(spec->digest, path);
    uint32_t *sides = in ? read_sides(in, spec) : NULL;
    if (in)
        fclose(in);
    return sides;
}
