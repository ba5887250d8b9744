/* SPDX-License-Identifier: MIT */
/* The rules that the call of a case breaks, from the case alone. */
#include "world.h"

int wcts_oracle_case_breaks(const struct wcts_spec *spec, const struct wcts_case *test,
                            int rules[WCTS_BREAKS_MAX])
{
    struct wcts_oracle_prediction prediction = {0};
    struct wcts_world world = {0};
    struct wcts_eval eval;
    if (test->scenario || test->base < 0 || !wcts_oracle_eval_init(&eval, spec))
        return 0;
    if (wcts_oracle_case_world(&world, &eval, test, test->facts, test->fact_count))
        wcts_world_judge(&world, &prediction);
    wcts_world_release(&world);
    wcts_oracle_eval_release(&eval);
    int count =
        prediction.broken_count < WCTS_BREAKS_MAX ? prediction.broken_count : WCTS_BREAKS_MAX;
    for (int i = 0; i < count; i++)
        rules[i] = prediction.broken[i];
    return count;
}
