/* SPDX-License-Identifier: MIT */
/* The capabilities that a scenario needs; those of an effect are known when it is loaded. */
#include "../model/names.h"
#include "planner.h"

uint32_t wcts_plan_scenario_needs(const struct wcts_spec *spec,
                                  const struct wcts_scenario *scenario)
{
    /* With answers of its own it needs a kernel that asks the driver for them. */
    uint32_t needs = scenario->adapter == 0 ? 0 : WCTS_CAPABILITY_PROBE;
    for (int i = 0; i < scenario->act_count; i++) {
        int message = spec->cases->steps[scenario->acts[i].step].message;
        if (message >= 0)
            needs |= wcts_model_shown_by(&spec->messages[message]);
    }
    return needs;
}
