/* SPDX-License-Identifier: MIT */
/* Base worlds with a change, and their predictions. */
#include <string.h>

#include "planner.h"

const struct wcts_world *wcts_plan_base_world_with(struct wcts_planner *planner, int base,
                                                   int version, uint32_t page_size,
                                                   const struct wcts_change *change)
{
    struct wcts_base_world *base_world = &planner->base_worlds[base];
    struct wcts_world *scratch = &base_world->scratch;
    for (int i = 0; i < scratch->count; i++) {
        const struct wcts_world_instance *from = &base_world->pristine.instances[i];
        int members = planner->spec->structures[from->structure].member_count;
        memcpy(scratch->instances[i].values, from->values, (size_t)members * sizeof *from->values);
        scratch->instances[i].present = true;
    }
    scratch->version = version;
    scratch->page_size = page_size;
    for (int i = 0; i < change->count; i++)
        wcts_world_put(scratch, change->facts[i].instance, change->facts[i].ref,
                       change->facts[i].value);
    wcts_world_settle(scratch);
    return scratch;
}

void wcts_plan_base_world_predict(struct wcts_planner *planner, int base, int version,
                                  uint32_t page_size, const struct wcts_change *change,
                                  struct wcts_prediction *prediction)
{
    wcts_world_judge(wcts_plan_base_world_with(planner, base, version, page_size, change),
                     prediction);
}

bool wcts_plan_change_add(struct wcts_change *change, int instance, struct wcts_ref ref,
                          struct wcts_value value)
{
    for (int i = 0; i < change->count; i++) {
        struct wcts_fact *fact = &change->facts[i];
        if (fact->instance == instance && fact->ref.member == ref.member &&
            fact->ref.flag == ref.flag) {
            fact->value = value;
            return true;
        }
    }
    if (change->count == WCTS_FACTS_MAX)
        return false;
    change->facts[change->count++] = (struct wcts_fact){instance, ref, value};
    return true;
}
