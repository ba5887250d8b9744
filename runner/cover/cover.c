/* SPDX-License-Identifier: MIT */
#include "cover.h"

#include <stdio.h>

#include "atom.h"

bool wcts_cover_init(struct wcts_cover *cover, const struct wcts_plan *plan)
{
    *cover = (struct wcts_cover){.plan = plan, .arena = wcts_arena_new()};
    cover->rules =
        wcts_arena_array(cover->arena, (size_t)plan->spec->rules_count, sizeof *cover->rules);
    if (wcts_cover_worlds(cover))
        return wcts_cover_records(cover);
    snprintf(cover->error, sizeof cover->error, "no memory");
    return false;
}

void wcts_cover_release(struct wcts_cover *cover)
{
    wcts_arena_free(cover->arena);
    *cover = (struct wcts_cover){0};
}

const struct wcts_decision *wcts_cover_missing(const struct wcts_rule_cover *rule)
{
    for (int i = 0; i < rule->count; i++)
        if (rule->decisions[i].shown == WCTS_SHOWN_NOT)
            return &rule->decisions[i];
    return NULL;
}
