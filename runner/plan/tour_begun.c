/* SPDX-License-Identifier: MIT */
/* What a walk has begun and must not begin again before it has ended. */
#include <string.h>

#include "tour.h"

bool wcts_plan_tour_is_begun(const struct wcts_plan_tour *tour,
                             const struct wcts_plan_tour_call *call, const struct wcts_step *like)
{
    for (int i = 0; i < tour->read->act_count; i++) {
        const struct wcts_step *end = &tour->cases.steps[tour->read->acts[i].step];
        struct wcts_plan_tour_slot slots[WCTS_TOUR_SLOTS];
        bool begins = false, named = false;
        if (tour->read->acts[i].kind != WCTS_ACT_CALL || end->ends < 0)
            continue;
        for (int j = 0; j < like->output_count; j++)
            begins = begins || strcmp(tour->cases.symbols[like->outputs[j].symbol].kind_name,
                                      tour->cases.symbols[end->ends].kind_name) == 0;
        if (!begins)
            continue;
        for (int j = 0; j < end->instance_count; j++)
            for (int k = 0; k < end->instances[j].set_count; k++)
                named = named || end->instances[j].sets[k].value.symbol == end->ends;
        if ((named && !tour->spec.messages[end->message].stops) ||
            wcts_plan_tour_slots(tour, end, slots) == 0)
            continue;
        for (int o = 0; o < tour->object_count; o++) {
            const struct wcts_plan_tour_object *one = &tour->objects[o];
            bool same =
                one->live && one->act >= 0 &&
                tour->cases.steps[tour->cases.symbols[one->symbol].step].message == like->message;
            for (int s = 0; s < call->slot_count && same; s++) {
                same = false;
                for (int p = 0; p < one->parent_count; p++)
                    same = same || one->parents[p] == call->slots[s].object;
            }
            if (same)
                return true;
        }
    }
    return false;
}
