/* SPDX-License-Identifier: MIT */
/* Which rules the call of a case breaks, found again from the case alone. */
#include "world.h"

int wcts_case_breaks(const struct wcts_spec *spec, const struct wcts_case *test,
                     int rules[WCTS_BREAKS_MAX])
{
    struct wcts_prediction prediction = {0};
    struct wcts_world world = {0};
    struct wcts_eval eval;
    bool good = !test->scenario && test->base >= 0 && wcts_eval_init(&eval, spec);
    if (!good)
        return 0;
    if (wcts_world_init_base(&world, &eval, test->base, test->version, test->page_size)) {
        for (int i = 0; i < test->fact_count; i++)
            wcts_world_put(&world, test->facts[i].instance, test->facts[i].ref,
                           test->facts[i].value);
        wcts_world_settle(&world);
        wcts_world_judge(&world, &prediction);
    }
    wcts_world_release(&world);
    wcts_eval_release(&eval);
    int count =
        prediction.broken_count < WCTS_BREAKS_MAX ? prediction.broken_count : WCTS_BREAKS_MAX;
    for (int i = 0; i < count; i++)
        rules[i] = prediction.broken[i];
    return count;
}
