/* SPDX-License-Identifier: MIT */
/* The calls that cases vary: bases, the states in which they are made, values to try. */
#include <string.h>

#include "../base/text.h"
#include "load.h"

static bool base_has_answer(const struct wcts_adapter *adapter, const char *name, size_t length)
{
    for (int i = 0; i < adapter->instance_count; i++)
        if (strlen(adapter->instances[i].name) == length &&
            memcmp(adapter->instances[i].name, name, length) == 0)
            return true;
    return false;
}

static void check_answers(struct wcts_loader *loader, const struct wcts_load_node *node,
                          const struct wcts_base *base)
{
    const char *list = base->answers, *piece;
    size_t length;
    while (list && base->adapter >= 0 && (length = wcts_next_piece(&list, &piece)) > 0)
        if (!base_has_answer(&loader->cases->adapters[base->adapter], piece, length))
            wcts_error_at(loader->diagnostics, &node->place,
                          "attribute \"answers\" of <base>: adapter \"%s\" has no answer \"%.*s\"",
                          loader->cases->adapters[base->adapter].name, (int)length, piece);
}

static void load_bases(struct wcts_loader *loader)
{
    struct wcts_cases *cases = loader->cases;
    struct wcts_load_element_walk walk = {0};
    WCTS_LOAD_ARRAY(loader, cases->bases, wcts_load_count_elements(loader, WCTS_EL_BASE));
    while (wcts_load_next_element(loader, &walk, WCTS_EL_BASE)) {
        struct wcts_base *base = &cases->bases[cases->bases_count++];
        base->name = wcts_load_node_value(walk.node, "name");
        base->place = walk.node->place;
        base->step = wcts_load_use_step(loader, walk.node, "step", -1);
        base->adapter = wcts_load_use_adapter(loader, walk.node, "adapter", -1);
        base->since = wcts_load_use_version(loader, walk.node, "since", 0);
        base->until =
            wcts_load_use_version(loader, walk.node, "until", loader->spec->versions_count);
        base->driver = wcts_load_yes(walk.node, "driver");
        base->kinds = wcts_load_yes(walk.node, "kinds");
        base->answers = wcts_load_node_value(walk.node, "answers");
        check_answers(loader, walk.node, base);
        base->alone =
            wcts_load_node_value(walk.node, "states") && !wcts_load_yes(walk.node, "states");
        base->breaks = wcts_load_use_list(loader, walk.node, "breaks", wcts_find_statement,
                                          &base->break_count);
        base->also =
            wcts_load_use_list(loader, walk.node, "also", wcts_find_step, &base->also_count);
    }
}

static void load_states(struct wcts_loader *loader)
{
    struct wcts_cases *cases = loader->cases;
    struct wcts_load_element_walk walk = {0};
    WCTS_LOAD_ARRAY(loader, cases->states, wcts_load_count_elements(loader, WCTS_EL_STATE));
    while (wcts_load_next_element(loader, &walk, WCTS_EL_STATE)) {
        struct wcts_base_state *state = &cases->states[cases->states_count++];
        state->name = wcts_load_node_value(walk.node, "name");
        state->place = walk.node->place;
        state->since = wcts_load_use_version(loader, walk.node, "since", 0);
        state->until =
            wcts_load_use_version(loader, walk.node, "until", loader->spec->versions_count);
        state->takes =
            wcts_load_use_list(loader, walk.node, "takes", wcts_find_step, &state->take_count);
        state->of = wcts_load_use_step(loader, walk.node, "of", -1);
        state->with = wcts_load_use_step(loader, walk.node, "with", -1);
    }
}

static void load_domains(struct wcts_loader *loader)
{
    struct wcts_cases *cases = loader->cases;
    struct wcts_load_element_walk walk = {0};
    WCTS_LOAD_ARRAY(loader, cases->domains, wcts_load_count_elements(loader, WCTS_EL_DOMAIN));
    while (wcts_load_next_element(loader, &walk, WCTS_EL_DOMAIN)) {
        struct wcts_domain *domain = &cases->domains[cases->domains_count++];
        const char *list = wcts_load_node_value(walk.node, "values"), *piece;
        size_t length;
        domain->place = walk.node->place;
        domain->of = wcts_load_use_ref(loader, walk.node, "of", -1);
        domain->only = wcts_load_yes(walk.node, "only");
        WCTS_LOAD_ARRAY(loader, domain->values, wcts_load_count_pieces(list));
        while ((length = wcts_next_piece(&list, &piece)) > 0)
            domain->values[domain->value_count++] =
                wcts_load_value(loader, walk.node, "values", piece, length);
    }
}

void wcts_load_bases(struct wcts_loader *loader)
{
    load_bases(loader);
    load_states(loader);
    load_domains(loader);
}
