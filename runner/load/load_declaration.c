/* SPDX-License-Identifier: MIT */
/* Declarations: sides, kinds and features, and what of them cannot be right. */
#include <string.h>

#include "../../include/wddm-cts.h"
#include "../model/names.h"
#include "declaration.h"
#include "load.h"

/* The bits that a list of words stands for; bits[i] is that of words[i]. */
static uint32_t load_bits(const struct wcts_load_node *node, const char *attribute,
                          const char *const *words, const uint32_t *bits)
{
    const char *list = wcts_load_node_value(node, attribute);
    uint32_t sum = 0;
    for (size_t length; list && *list; list += length) {
        int word;
        list += strspn(list, " ");
        length = strcspn(list, " ");
        word = length ? wcts_model_word_index(words, list, length) : -1;
        sum |= word >= 0 ? bits[word] : 0;
    }
    return sum;
}

/* The attribute of the child that names it, and no earlier one has. */
static struct wcts_declared_name load_name(struct wcts_loader *loader,
                                           const struct wcts_load_node *node,
                                           const struct wcts_declared_name *earlier, int count)
{
    struct wcts_declared_name one = {.place = node->place,
                                     .name = wcts_load_node_value(node, "name")};
    for (int i = 0; i < count; i++)
        if (strcmp(earlier[i].name, one.name) == 0) {
            wcts_error_at(loader->diagnostics, &node->place,
                          "<%s> \"%s\" is there twice, expected it once: it is in line %ld",
                          wcts_load_node_element(node)->name, one.name, earlier[i].place.line);
            break;
        }
    return one;
}

/* Finds the feature, which has to belong to the side. */
static int use_feature(struct wcts_loader *loader, const struct wcts_load_node *node,
                       const char *name, bool driver)
{
    const struct wcts_spec *spec = loader->spec;
    struct wcts_near near = wcts_model_near_start(name, strlen(name));
    for (int i = 0; i < spec->features_count; i++) {
        const struct wcts_feature *one = &spec->features[i];
        if (one->driver == driver)
            wcts_model_near_try(&near, one->name);
        if (strcmp(one->name, name) != 0)
            continue;
        if (one->driver != driver)
            wcts_error_at(loader->diagnostics, &node->place,
                          "attribute \"name\" of <provides> is \"%s\", a feature of the %s, "
                          "expected one of the %s",
                          name, wcts_model_party_name(one->driver), wcts_model_party_name(driver));
        return i;
    }
    wcts_load_report_unknown(loader, (struct wcts_load_use){node, "name"}, "feature", &near, NULL);
    return -1;
}

static void load_names(struct wcts_loader *loader, const struct wcts_load_node *root, bool driver,
                       struct wcts_declared_side *side)
{
    struct wcts_load_node *node = NULL;
    WCTS_LOAD_ARRAY(loader, side->kinds, wcts_load_node_count(root, WCTS_EL_OFFERS));
    WCTS_LOAD_ARRAY(loader, side->features, wcts_load_node_count(root, WCTS_EL_PROVIDES));
    while ((node = wcts_load_node_next(root, node, WCTS_EL_OFFERS)) != NULL) {
        side->kinds[side->kind_count] = load_name(loader, node, side->kinds, side->kind_count);
        side->kind_count++;
    }
    while ((node = wcts_load_node_next(root, node, WCTS_EL_PROVIDES)) != NULL) {
        struct wcts_declared_name *one = &side->features[side->feature_count];
        *one = load_name(loader, node, side->features, side->feature_count);
        one->feature = use_feature(loader, node, one->name, driver);
        side->feature_count++;
    }
}

static void load_side(struct wcts_loader *loader, const struct wcts_load_node *node, bool driver,
                      struct wcts_declared_side *side)
{
    const uint32_t both = WCTS_CAPABILITY_STRICT | WCTS_CAPABILITY_LENIENT;
    *side = (struct wcts_declared_side){
        .there = true,
        .place = node->place,
        .first = wcts_load_use_version(loader, node, "first", -1),
        .last = wcts_load_use_version(loader, node, "last", -1),
        .capabilities =
            load_bits(node, "capabilities", wcts_capability_words, wcts_capability_bits),
        .pages = load_bits(node, "pages", wcts_page_words, wcts_page_bits),
        .patches = wcts_load_word(node, "patches", wcts_patches_words, -1),
        .paging = load_bits(node, "paging", wcts_paging_words, wcts_paging_bits)};
    if (side->first > side->last && side->last >= 0)
        wcts_error_at(loader->diagnostics, &node->place,
                      "<%s> is from WDDM %s to %s, expected \"first\" not behind \"last\"",
                      wcts_model_party_name(driver), loader->spec->versions[side->first].name,
                      loader->spec->versions[side->last].name);
    if ((side->capabilities & both) == both)
        wcts_error_at(loader->diagnostics, &node->place,
                      "attribute \"capabilities\" of <%s> has strict and lenient, expected one of "
                      "them at most",
                      wcts_model_party_name(driver));
    load_names(loader, node, driver, side);
}

static void load_sides(struct wcts_loader *loader, const struct wcts_load_node *root,
                       struct wcts_declaration *declaration)
{
    static const enum wcts_load_element_id elements[2] = {WCTS_EL_KERNEL_SIDE, WCTS_EL_DRIVER_SIDE};
    for (int i = 0; i < 2; i++) {
        const struct wcts_load_node *node = wcts_load_node_next(root, NULL, elements[i]);
        if (node)
            load_side(loader, node, i == 1, &declaration->sides[i]);
    }
    if (!declaration->sides[0].there && !declaration->sides[1].there)
        wcts_error_at(loader->diagnostics, &root->place,
                      "<declaration> has no side, expected <kernel> or <driver>");
}

struct wcts_declaration *wcts_load_declaration(const char *path, const struct wcts_spec *spec,
                                               struct wcts_diagnostics *diagnostics)
{
    static const enum wcts_load_element_id roots[] = {WCTS_EL_DECLARATION, WCTS_EL_NONE};
    struct wcts_arena *arena = wcts_arena_new();
    struct wcts_declaration *declaration = wcts_arena_alloc(arena, sizeof *declaration);
    struct wcts_spec own = *spec;
    struct wcts_loader loader = {
        .spec = &own, .arena = arena, .diagnostics = diagnostics, .scenario = -1};
    struct wcts_digest digest;
    const struct wcts_load_xml_source xml = {arena, diagnostics, &digest};
    const struct wcts_load_node *root;
    char unused[65];
    int errors = diagnostics->errors;

    *declaration = (struct wcts_declaration){.arena = arena};
    declaration->path = wcts_arena_string(arena, path, strlen(path));
    wcts_digest_init(&digest);
    root = wcts_load_xml_read(&xml, declaration->path, roots);
    wcts_digest_end(&digest, unused);
    if (root) {
        declaration->place = root->place;
        declaration->name = wcts_load_node_value(root, "name");
        load_sides(&loader, root, declaration);
    }
    if (diagnostics->errors == errors)
        return declaration;
    wcts_load_declaration_free(declaration);
    return NULL;
}

void wcts_load_declaration_free(struct wcts_declaration *declaration)
{
    if (declaration)
        wcts_arena_free(declaration->arena);
}
