/* SPDX-License-Identifier: MIT */
/* Which rules the call of a case breaks, found again from the case alone. */
#include "world.h"

int wcts_case_breaks(const struct wcts_spec *spec, const struct wcts_case *one,
                     int rules[WCTS_BREAKS_MAX])
{
    struct wcts_outlook outlook = {0};
    struct wcts_world world = {0};
    struct wcts_eval eval;
    bool good = !one->scenario && one->base >= 0 && wcts_eval_init(&eval, spec);
    if (!good)
        return 0;
    if (wcts_world_init_base(&world, &eval, one->base, one->version, one->page_size)) {
        for (int i = 0; i < one->fact_count; i++)
            wcts_world_put(&world, one->facts[i].instance, one->facts[i].ref, one->facts[i].value);
        wcts_world_settle(&world);
        wcts_world_judge(&world, &outlook);
    }
    wcts_world_release(&world);
    wcts_eval_release(&eval);
    int count = outlook.broken_count < WCTS_BREAKS_MAX ? outlook.broken_count : WCTS_BREAKS_MAX;
    for (int i = 0; i < count; i++)
        rules[i] = outlook.broken[i];
    return count;
}
