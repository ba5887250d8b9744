/* SPDX-License-Identifier: MIT */
/* Sequences as cases of the plan. */
#include "sequence.h"

#include "../base/array.h"

/* Reports that an effect on pages would have no sequence. */
static void report_missing_shape(const struct wcts_oracle_walk_shape *shape,
                                 struct wcts_diagnostics *diagnostics)
{
    const struct wcts_spec *spec = shape->spec;
    for (int r = 0; r < spec->rules_count; r++)
        if (spec->rules[r].form == WCTS_FORM_EFFECT_PAGES) {
            wcts_error_at(diagnostics, &spec->rules[r].place,
                          "no sequence can be made for effects on pages such as %s: %s",
                          spec->rules[r].id, shape->missing);
            return;
        }
}

/* The distance between numbers of one version's walks. It does not depend on the number of
 * versions: a new version adds walks and changes no other. */
#define VERSION_STRIDE 13

/* Every fourth walk of a version uses large host pages. It maps GPU pages, as all walks do: their
 * size does not depend on the host's. */
#define LARGE_PAGES_EVERY 4
#define LARGE_PAGE 16384u

/* The series of all walks with a host page size; its index, -1 without memory. */
static int add_walk_series(struct wcts_plan *plan, const struct wcts_oracle_walk_shape *shape,
                           uint32_t page_size)
{
    struct wcts_series *series = WCTS_ARRAY_ADD(plan->series, plan->series_count);
    if (!series)
        return -1;
    *series = (struct wcts_series){.rule = shape->operations[0].effects[0],
                                   .kind = WCTS_KIND_SEQUENCE,
                                   .expect = WCTS_EXPECT_ACCEPT,
                                   .strict = WCTS_EXPECT_ACCEPT,
                                   .page_size = page_size,
                                   .base = shape->base,
                                   .scenario = -1,
                                   .instance = -1};
    return plan->series_count - 1;
}

static bool add_walk(struct wcts_plan *plan, int series, int number, int version)
{
    struct wcts_test *walk = WCTS_ARRAY_ADD(plan->tests, plan->count);
    if (walk)
        *walk = (struct wcts_test){.series = series,
                                   .number = (uint32_t)number,
                                   .version = (uint16_t)version,
                                   .edge = true};
    return walk != NULL;
}

/* The n-th version from that of the shape on has the walks n, n + stride and so on. */
bool wcts_plan_walks(struct wcts_plan *plan, uint64_t seed, int steps,
                     struct wcts_diagnostics *diagnostics)
{
    const struct wcts_spec *spec = plan->spec;
    int walks = (steps + WCTS_WALK_STEPS - 1) / WCTS_WALK_STEPS;
    struct wcts_oracle_walk_shape shape;
    bool added;
    int series, large;
    if (walks == 0)
        return true;
    if (!wcts_oracle_walk_shape_init(&shape, spec)) {
        report_missing_shape(&shape, diagnostics);
        return true;
    }
    plan->seed = seed;
    series = add_walk_series(plan, &shape, (uint32_t)WCTS_GPU_PAGE);
    large = add_walk_series(plan, &shape, LARGE_PAGE);
    added = series >= 0 && large >= 0;
    for (int i = 0; i < walks; i++)
        for (int version = shape.since + i % VERSION_STRIDE;
             added && version < spec->versions_count; version += VERSION_STRIDE)
            added = add_walk(
                plan,
                i / VERSION_STRIDE % LARGE_PAGES_EVERY == LARGE_PAGES_EVERY - 1 ? large : series, i,
                version);
    return added;
}
