/* SPDX-License-Identifier: MIT */
/*
 * What may vary in a base call: the places of its model, in the order version, page size, state,
 * members; and the pairs of values that never meet, as they depend on what is there at all.
 */
#ifndef WCTS_GENERATE_BASE_PLACES_H
#define WCTS_GENERATE_BASE_PLACES_H

#include "base_model.h"

static inline const struct wcts_spec *spec_of(const struct wcts_generate_base *model)
{
    return model->eval->spec;
}

/* Adds them to a model whose world is made; false without memory, or if there are too many. */
bool wcts_generate_add_places(struct wcts_generate_base *model,
                              const struct wcts_generate_base_options *options);

#endif
