/* SPDX-License-Identifier: MIT */
/* Sequences as cases of the plan. */
#include "sequence.h"

#include <inttypes.h>

#include "../base/arena.h"
#include "../base/array.h"

/* Reports that an effect on pages would have no sequence. */
static void report_missing(const struct wcts_walk_shape *shape,
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

static bool add_walk(struct wcts_plan *plan, const struct wcts_walk_shape *shape, uint64_t seed,
                     int number, int version)
{
    const struct wcts_spec *spec = plan->spec;
    int rule = shape->operations[0].effects[0];
    int statement = spec->rules[rule].statement;
    const char *prefix = spec->documents[spec->statements[statement].document].prefix;
    struct wcts_case *walk = WCTS_ARRAY_ADD(plan->cases, plan->count);
    if (walk)
        *walk = (struct wcts_case){
            .id = wcts_arena_format(plan->arena, "%s/sequence/%s/%" PRIu64 "-%d", prefix,
                                    spec->versions[version].id, seed, number),
            .rule = rule,
            .statement = statement,
            .kind = WCTS_KIND_SEQUENCE,
            .expect = WCTS_EXPECT_ACCEPT,
            .strict = WCTS_EXPECT_ACCEPT,
            .version = version,
            .page_size = (uint32_t)WCTS_GPU_PAGE,
            .base = shape->base,
            .instance = -1,
            .seed = seed,
            .walk = (uint32_t)number,
            .edge = true,
            .twin_count = -1};
    return walk != NULL;
}

/* The n-th version from that of the shape on has the walks n, n + stride and so on. */
bool wcts_plan_walks(struct wcts_plan *plan, uint64_t seed, int steps,
                     struct wcts_diagnostics *diagnostics)
{
    const struct wcts_spec *spec = plan->spec;
    int walks = (steps + WCTS_WALK_STEPS - 1) / WCTS_WALK_STEPS;
    struct wcts_walk_shape shape;
    bool added = true;
    if (walks == 0)
        return true;
    if (!wcts_oracle_walk_shape_init(&shape, spec)) {
        report_missing(&shape, diagnostics);
        return true;
    }
    for (int i = 0; i < walks; i++)
        for (int version = shape.since + i % VERSION_STRIDE;
             added && version < spec->versions_count; version += VERSION_STRIDE)
            added = add_walk(plan, &shape, seed, i, version);
    return added;
}
