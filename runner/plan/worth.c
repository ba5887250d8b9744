/* SPDX-License-Identifier: MIT */
#include "worth.h"

#include <stdlib.h>
#include <string.h>

#include "../base/text.h"
#include "planner.h"

static const struct {
    const char *name, *some, *all;
} sorts[] = {
#define SORT_ENTRY(name, ...) [WCTS_WORTH_##name] = {__VA_ARGS__},
    WCTS_WORTHS(SORT_ENTRY)
#undef SORT_ENTRY
};

const char *wcts_plan_worth_name(enum wcts_plan_worth worth)
{
    return sorts[worth].name;
}

/* ---- The order ---- */

/* A test, and by what it is ordered: the sort, then rounds, so that no rule waits for all of
 * another, then the plan. */
struct plan_valued {
    int index, version;
    int series;
    uint32_t number;
    enum wcts_plan_worth worth;
    int group; /* what a round has one of: see group_of */
    int round;
};

static enum wcts_plan_worth worth_of(const struct wcts_plan *plan, const struct wcts_series *series)
{
    switch (series->kind) {
    case WCTS_KIND_COMBINATION:
        return series->strength > 2 ? WCTS_WORTH_TRIPLES : WCTS_WORTH_PAIRS;
    case WCTS_KIND_SEQUENCE:
        return WCTS_WORTH_SEQUENCES;
    case WCTS_KIND_TOUR:
        return WCTS_WORTH_WALKS;
    case WCTS_KIND_SWEEP:
        return series->expect == WCTS_EXPECT_ACCEPT                       ? WCTS_WORTH_LEGAL
               : plan->spec->rules[series->rule].form == WCTS_FORM_LAYOUT ? WCTS_WORTH_SEVERAL
                                                                          : WCTS_WORTH_SINGLE;
    default:
        return WCTS_WORTH_CALLS;
    }
}

/* Of calls a round has one of each rule, side and expectation; of rows also one of each base. */
static int group_of(const struct wcts_plan *plan, const struct plan_valued *one)
{
    const struct wcts_series *series = &plan->series[one->series];
    bool refused = series->expect == WCTS_EXPECT_REFUSE || series->expect == WCTS_EXPECT_ASSERT;
    int base = series->kind == WCTS_KIND_COMBINATION ? 1 + series->base : 0;
    return ((series->rule * (plan->spec->cases->bases_count + 1) + base) * 2 + series->driver) * 2 +
           refused;
}

static int compare_numbers(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* Tests of one call together, the newest version first. */
static int by_call(const void *a, const void *b)
{
    const struct plan_valued *left = a, *right = b;
    int order = compare_numbers(left->series, right->series);
    if (order == 0)
        order = compare_numbers(left->number, right->number);
    return order != 0 ? order : compare_numbers(right->version, left->version);
}

/* Tests of one group together, in plan order; of the rules' calls those of the newest version come
 * first, as they are the most likely ones to be claimed. */
static int by_worth_group(const void *a, const void *b)
{
    const struct plan_valued *left = a, *right = b;
    int order = compare_numbers(left->worth, right->worth);
    if (order == 0)
        order = compare_numbers(left->group, right->group);
    if (order == 0 && left->worth == WCTS_WORTH_CALLS)
        order = compare_numbers(right->version, left->version);
    return order != 0 ? order : compare_numbers(left->index, right->index);
}

static int by_worth(const void *a, const void *b)
{
    const struct plan_valued *left = a, *right = b;
    int order = compare_numbers(left->worth, right->worth);
    if (order == 0)
        order = compare_numbers(left->round, right->round);
    return order != 0 ? order : compare_numbers(left->index, right->index);
}

/* A call at other versions than the newest is worth less, and the less the older they are; with a
 * sweep, each version is another set. */
static void set_versions(struct plan_valued *tests, int count)
{
    qsort(tests, (size_t)count, sizeof *tests, by_call);
    for (int i = 1; i < count; i++) {
        struct plan_valued *one = &tests[i];
        if (one->worth != WCTS_WORTH_CALLS || one->series != one[-1].series ||
            one->number != one[-1].number || one[-1].worth == WCTS_WORTH_UNCLAIMED)
            continue;
        one->worth = WCTS_WORTH_VERSIONS;
        one->round = one[-1].round + 1;
    }
}

/* The first of each group of calls shows its rule; the others have their rounds. */
static void set_rounds(struct plan_valued *tests, int count)
{
    qsort(tests, (size_t)count, sizeof *tests, by_worth_group);
    for (int i = 0; i < count; i++) {
        struct plan_valued *one = &tests[i];
        const struct plan_valued *before = i > 0 ? one - 1 : NULL;
        bool first = !before || before->group != one->group ||
                     (before->worth != one->worth && before->worth != WCTS_WORTH_RULES);
        switch (one->worth) {
        case WCTS_WORTH_CALLS:
            one->round = first ? 0 : before->round + 1;
            one->worth = first ? WCTS_WORTH_RULES : WCTS_WORTH_CALLS;
            break;
        case WCTS_WORTH_PAIRS:
        case WCTS_WORTH_TRIPLES:
            one->round = first ? 0 : before->round + 1;
            break;
        case WCTS_WORTH_LEGAL:
        case WCTS_WORTH_SINGLE:
        case WCTS_WORTH_SEVERAL:
            one->round = -one->version;
            break;
        default:
            break;
        }
    }
}

bool wcts_plan_by_worth(const struct wcts_plan *plan, const bool *unclaimed, int *selected,
                        enum wcts_plan_worth *worths, int count)
{
    struct plan_valued *tests = calloc((size_t)count + 1, sizeof *tests);
    for (int i = 0; tests && i < count; i++) {
        const struct wcts_test *test = &plan->tests[selected[i]];
        struct plan_valued *one = &tests[i];
        *one = (struct plan_valued){.index = selected[i],
                                    .version = test->version,
                                    .series = test->series,
                                    .number = test->number};
        one->worth = unclaimed && unclaimed[i] ? WCTS_WORTH_UNCLAIMED
                                               : worth_of(plan, &plan->series[test->series]);
        one->group = group_of(plan, one);
    }
    if (!tests)
        return false;
    set_versions(tests, count);
    set_rounds(tests, count);
    qsort(tests, (size_t)count, sizeof *tests, by_worth);
    for (int i = 0; i < count; i++) {
        selected[i] = tests[i].index;
        worths[i] = tests[i].worth;
    }
    free(tests);
    return true;
}

/* ---- How far a prefix reaches ---- */

void wcts_plan_strength(struct wcts_plan_strength *strength, const enum wcts_plan_worth *worths,
                        int count, int reached)
{
    *strength = (struct wcts_plan_strength){0};
    for (int i = 0; i < count; i++) {
        strength->of[worths[i]]++;
        strength->reached[worths[i]] += i < reached;
    }
}

void wcts_plan_strength_partly(struct wcts_plan_strength *strength, const struct wcts_plan *plan,
                               int index)
{
    enum wcts_plan_worth worth = worth_of(plan, wcts_plan_series(plan, index));
    strength->reached[worth]--;
    strength->partly[worth]++;
}

char *wcts_plan_strength_text(const struct wcts_plan_strength *strength)
{
    struct wcts_text text = {0};
    bool whole = true;
    const char *separator = "";
    for (int i = 0; whole && i < WCTS_WORTH_UNCLAIMED; i++) {
        int of = strength->of[i], reached = strength->reached[i];
        whole = reached == of;
        if (of == 0 || (reached == 0 && !strength->partly[i] && separator[0] != '\0'))
            continue;
        if (whole)
            wcts_text_add(&text, "%s%s", separator, sorts[i].all);
        else
            wcts_text_add(&text, "%s%d of %d %s", separator, reached, of, sorts[i].some);
        if (strength->partly[i])
            wcts_text_add(&text, ", %d more in part", strength->partly[i]);
        separator = "; ";
    }
    return wcts_text_take(&text);
}
