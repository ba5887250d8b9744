/* SPDX-License-Identifier: MIT */
#include "cover.h"

#include <stdio.h>
#include <stdlib.h>

#include "worlds.h"

bool wcts_cover_init(struct wcts_cover *cover, const struct wcts_plan *plan, const bool *statements)
{
    struct wcts_cover_worlds worlds = {0};
    *cover = (struct wcts_cover){
        .plan = plan, .statements = statements, .arena = wcts_arena_new(), .error = "no memory"};
    cover->rules =
        wcts_arena_array(cover->arena, (size_t)plan->spec->rules_count, sizeof *cover->rules);
    cover->cases = wcts_plan_cases(plan);
    bool good = cover->cases && wcts_cover_worlds_init(&worlds, cover) &&
                wcts_cover_pairs(&worlds) && wcts_cover_masks(&worlds) &&
                wcts_cover_values(&worlds) && wcts_cover_records(cover);
    if (good)
        snprintf(cover->error, sizeof cover->error, "no memory");
    good = good && wcts_cover_whens(&worlds);
    wcts_cover_worlds_release(&worlds);
    if (good)
        cover->error[0] = '\0';
    return good;
}

void wcts_cover_release(struct wcts_cover *cover)
{
    wcts_arena_free(cover->arena);
    free(cover->cases);
    *cover = (struct wcts_cover){0};
}

const struct wcts_cover_decision *wcts_cover_missing(const struct wcts_cover_rule *rule)
{
    for (int i = 0; i < rule->count; i++)
        if (rule->decisions[i].shown == WCTS_SHOWN_NOT)
            return &rule->decisions[i];
    return NULL;
}
