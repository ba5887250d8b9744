/* SPDX-License-Identifier: MIT */
/* Walks over the elements of all files. */
#include "load.h"

bool wcts_load_next_element(const struct wcts_loader *loader, struct wcts_load_element_walk *walk,
                            enum wcts_load_element_id element)
{
    while (walk->root < loader->root_count) {
        const struct wcts_load_root *root = &loader->roots[walk->root];
        walk->node = wcts_load_node_next(root->node, walk->node, element);
        walk->document = root->document;
        if (walk->node != NULL)
            return true;
        walk->root++;
    }
    return false;
}

int wcts_load_count_elements(const struct wcts_loader *loader, enum wcts_load_element_id element)
{
    int count = 0;
    for (int i = 0; i < loader->root_count; i++)
        count += wcts_load_node_count(loader->roots[i].node, element);
    return count;
}
