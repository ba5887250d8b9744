/* SPDX-License-Identifier: MIT */
/* Which effect a wrong page, refusal or acceptance of a walk is a breach of. */
#include "walk.h"

/* How far a page's offset into its allocation is from the expected one. */
static uint64_t shift_of(const struct wcts_oracle_model *model, const struct wcts_page_shown *found,
                         int page)
{
    return found[page].of[WCTS_MEANS_OFFSET] - model->pages[page].page.of[WCTS_MEANS_OFFSET];
}

/* True if an item has several pages, all off by the same distance. */
static bool all_shifted(const struct wcts_oracle_model *model, const struct wcts_page_shown *found,
                        int page)
{
    uint64_t shift = shift_of(model, found, page);
    int count = 0;
    for (int i = 0; i < WCTS_WALK_PAGES; i++) {
        if (model->writer[i] != model->writer[page])
            continue;
        if (shift_of(model, found, i) != shift)
            return false;
        count++;
    }
    return count > 1;
}

/* The offset of a page follows from that of the first: if all are off by the same distance, the
 * first is wrong. */
int wcts_oracle_model_blame_page(const struct wcts_oracle_model *model,
                                 const struct wcts_oracle_walk_step *step,
                                 const struct wcts_page_shown *found, int page,
                                 enum wcts_meaning field)
{
    const struct wcts_oracle_walk_operation *operation =
        &model->shape->operations[step->items[model->writer[page]].operation];
    if (field == WCTS_MEANS_OFFSET && all_shifted(model, found, page))
        for (int e = 0; e < operation->effect_count; e++)
            if (model->spec.rules[operation->effects[e]].arg[WCTS_ARG_FROM].given)
                return operation->effects[e];
    return model->pages[page].by[field];
}

/* How well an effect explains that a refusal is wrong: best if it requires acceptance, then if it
 * has conditions. */
static int refusal_weight(const struct wcts_oracle_model *model, int index, int item)
{
    const struct wcts_rule *effect = &model->spec.rules[index];
    bool narrow = effect->when_count > 0 || effect->arg[WCTS_ARG_INTERSECT].given;
    if (!wcts_oracle_model_applies(model, index, item))
        return 0;
    return 1 + narrow + 2 * effect->arg[WCTS_ARG_ACCEPTED].given;
}

int wcts_oracle_model_blame_refusal(const struct wcts_oracle_model *model,
                                    const struct wcts_oracle_walk_step *step)
{
    int best = model->shape->operations[step->items[0].operation].effects[0], most = 0;
    for (int item = 0; item < step->item_count; item++) {
        const struct wcts_oracle_walk_operation *operation =
            &model->shape->operations[step->items[item].operation];
        for (int e = 0; e < operation->effect_count; e++) {
            int says = refusal_weight(model, operation->effects[e], item);
            if (says > most) {
                most = says;
                best = operation->effects[e];
            }
        }
    }
    return best;
}

int wcts_oracle_model_blame_refused(const struct wcts_oracle_model *model,
                                    const struct wcts_oracle_walk_step *step, int page)
{
    int item = model->writer[page] >= 0 ? model->writer[page] : step->item_count - 1;
    const struct wcts_oracle_walk_operation *operation =
        &model->shape->operations[step->items[item].operation];
    for (int e = 0; e < operation->effect_count; e++)
        if (model->spec.rules[operation->effects[e]].arg[WCTS_ARG_REFUSED].given)
            return operation->effects[e];
    return operation->effects[0];
}

int wcts_oracle_model_blame_outside(const struct wcts_oracle_model *model,
                                    const struct wcts_oracle_walk_step *step, int page)
{
    uint64_t state = model->pages[page].page.of[WCTS_MEANS_STATE];
    if (step->kind == WCTS_WALK_UPDATE) {
        int item = step->item_count - 1;
        for (int e = 0; e < model->shape->operations[step->items[item].operation].effect_count; e++)
            if (wcts_oracle_model_applies(
                    model, model->shape->operations[step->items[item].operation].effects[e], item))
                return model->shape->operations[step->items[item].operation].effects[e];
    }
    const int granule = page / WCTS_WALK_GRANULE;
    const bool reserved = step->kind == WCTS_WALK_RESERVE && granule >= step->first &&
                          granule < step->first + step->count;
    return (reserved ? model->shape->reserve_rules
                     : model->shape->state_rules)[state % WCTS_WALK_STATES];
}
