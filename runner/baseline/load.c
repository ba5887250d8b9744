/* SPDX-License-Identifier: MIT */
/* Loading a baseline, and finding the cases that its waivers match. */
#include <stdlib.h>
#include <string.h>

#include "../base/arena.h"
#include "../base/array.h"
#include "../base/map.h"
#include "../base/regex.h"
#include "../base/text.h"
#include "../load/xml.h"
#include "../plan/plan.h"
#include "baseline.h"

struct baseline_waiver_loading {
    struct wcts_baseline *baseline;
    struct wcts_diagnostics *diagnostics;
};

/* ---- one waiver ---- */

static struct wcts_regex *waiver_pattern(const struct baseline_waiver_loading *loading,
                                         const struct wcts_baseline_waiver *waiver,
                                         const char *attribute, const char *expression)
{
    char error[256];
    struct wcts_regex *pattern = NULL;
    if (expression)
        pattern = wcts_regex_new(expression, WCTS_REGEX_WHOLE, error, sizeof error);
    if (expression && !pattern)
        wcts_error_at(loading->diagnostics, &waiver->place,
                      "attribute \"%s\" of <waiver> is \"%s\", expected an expression (PCRE2): %s",
                      attribute, expression, error);
    return pattern;
}

bool wcts_baseline_waiver_compared(const struct wcts_baseline_waiver *waiver, const char *attribute,
                                   const char *expression, const struct wcts_regex *pattern,
                                   struct wcts_diagnostics *diagnostics)
{
    const char *error = pattern ? wcts_regex_error(pattern) : NULL;
    if (error)
        wcts_error_at(diagnostics, &waiver->place,
                      "attribute \"%s\" of <waiver> is \"%s\", expected an expression that can be "
                      "compared: %s",
                      attribute, expression, error);
    return !error;
}

static bool match_compared(const struct wcts_baseline_waiver *waiver,
                           struct wcts_diagnostics *diagnostics)
{
    return wcts_baseline_waiver_compared(waiver, "match", waiver->match, waiver->pattern,
                                         diagnostics);
}

static void load_waiver(const struct baseline_waiver_loading *loading,
                        const struct wcts_load_node *node, struct wcts_baseline_waiver *waiver)
{
    waiver->place = node->place;
    waiver->id = wcts_load_node_value(node, "case");
    waiver->match = wcts_load_node_value(node, "match");
    waiver->signature = wcts_load_node_value(node, "signature");
    waiver->implementation = wcts_load_node_value(node, "implementation");
    waiver->implementation_version = wcts_load_node_value(node, "implementation-version");
    waiver->wddm = wcts_load_node_value(node, "wddm");
    waiver->reason = wcts_load_node_value(node, "reason");
    waiver->link = wcts_load_node_value(node, "link");
    waiver->expires = wcts_load_node_value(node, "expires");
    waiver->expired = strcmp(loading->baseline->today, waiver->expires) > 0;
    waiver->pattern = waiver_pattern(loading, waiver, "match", waiver->match);
    waiver->name_pattern =
        waiver_pattern(loading, waiver, "implementation", waiver->implementation);
    waiver->version_pattern =
        waiver_pattern(loading, waiver, "implementation-version", waiver->implementation_version);
    if (waiver->id && waiver->match)
        wcts_error_at(loading->diagnostics, &waiver->place,
                      "<waiver> has \"case\" and \"match\", expected one of them");
    if (!wcts_baseline_date_exists(waiver->expires))
        wcts_error_at(loading->diagnostics, &waiver->place,
                      "attribute \"expires\" of <waiver> is \"%s\": there is no such day, expected "
                      "a date such as 2027-01-31",
                      waiver->expires);
}

bool wcts_baseline_waiver_unexplained(const struct wcts_baseline_waiver *waiver)
{
    return strncmp(waiver->reason, WCTS_UNEXPLAINED, strlen(WCTS_UNEXPLAINED)) == 0;
}

/* ---- equal waivers ---- */

static int compare_texts(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "");
}

/* By what they match; equal ones by their places. */
static int by_match(const void *a, const void *b)
{
    const struct wcts_baseline_waiver *left = *(struct wcts_baseline_waiver *const *)a;
    const struct wcts_baseline_waiver *right = *(struct wcts_baseline_waiver *const *)b;
    int order = compare_texts(left->id, right->id);
    order = order != 0 ? order : compare_texts(left->match, right->match);
    order = order != 0 ? order : compare_texts(left->signature, right->signature);
    order = order != 0 ? order : compare_texts(left->implementation, right->implementation);
    order = order != 0 ? order
                       : compare_texts(left->implementation_version, right->implementation_version);
    return order != 0 ? order : compare_texts(left->wddm, right->wddm);
}

static int by_match_and_place(const void *a, const void *b)
{
    int order = by_match(a, b);
    const struct wcts_baseline_waiver *left = *(struct wcts_baseline_waiver *const *)a;
    const struct wcts_baseline_waiver *right = *(struct wcts_baseline_waiver *const *)b;
    return order != 0 ? order : (left > right) - (left < right);
}

static void check_equal_waivers(const struct baseline_waiver_loading *loading)
{
    const struct wcts_baseline *baseline = loading->baseline;
    struct wcts_baseline_waiver **sorted = calloc((size_t)baseline->count + 1, sizeof *sorted);
    for (int i = 0; sorted && i < baseline->count; i++)
        sorted[i] = &baseline->waivers[i];
    if (sorted && baseline->count > 0)
        qsort(sorted, (size_t)baseline->count, sizeof *sorted, by_match_and_place);
    for (int i = 1; sorted && i < baseline->count; i++)
        if (by_match(&sorted[i - 1], &sorted[i]) == 0)
            wcts_error_at(loading->diagnostics, &sorted[i]->place,
                          "<waiver> matches what the one in line %ld matches, expected one",
                          sorted[i - 1]->place.line);
    free(sorted);
}

/* ---- the file ---- */

static void load_waivers(const struct baseline_waiver_loading *loading,
                         const struct wcts_load_node *root)
{
    struct wcts_baseline *baseline = loading->baseline;
    struct wcts_load_node *node = NULL;
    baseline->waivers =
        wcts_arena_array(baseline->arena, (size_t)wcts_load_node_count(root, WCTS_EL_WAIVER),
                         sizeof *baseline->waivers);
    while ((node = wcts_load_node_next(root, node, WCTS_EL_WAIVER)) != NULL) {
        struct wcts_baseline_waiver *waiver = &baseline->waivers[baseline->count++];
        load_waiver(loading, node, waiver);
        baseline->unexplained += wcts_baseline_waiver_unexplained(waiver);
    }
    check_equal_waivers(loading);
}

struct wcts_baseline *wcts_baseline_load(const char *path, struct wcts_diagnostics *diagnostics)
{
    static const enum wcts_load_element_id roots[] = {WCTS_EL_BASELINE, WCTS_EL_NONE};
    struct wcts_arena *arena = wcts_arena_new();
    struct wcts_baseline *baseline = wcts_arena_alloc(arena, sizeof *baseline);
    const struct baseline_waiver_loading loading = {baseline, diagnostics};
    struct wcts_digest digest;
    const struct wcts_load_xml_source xml = {arena, diagnostics, &digest};
    char today[WCTS_DATE_SIZE];
    int errors = diagnostics->errors;

    baseline->arena = arena;
    baseline->path = wcts_arena_string(arena, path, strlen(path));
    wcts_digest_init(&digest);
    if (wcts_baseline_today(today, diagnostics)) {
        const struct wcts_load_node *root = wcts_load_xml_read(&xml, baseline->path, roots);
        baseline->today = wcts_arena_string(arena, today, strlen(today));
        if (root)
            load_waivers(&loading, root);
    }
    wcts_digest_end(&digest, baseline->digest);
    if (diagnostics->errors == errors)
        return baseline;
    wcts_baseline_free(baseline);
    return NULL;
}

void wcts_baseline_free(struct wcts_baseline *baseline)
{
    if (!baseline)
        return;
    for (int i = 0; i < baseline->count; i++) {
        wcts_regex_free(baseline->waivers[i].pattern);
        wcts_regex_free(baseline->waivers[i].name_pattern);
        wcts_regex_free(baseline->waivers[i].version_pattern);
    }
    free(baseline->pairs);
    wcts_arena_free(baseline->arena);
}

/* ---- the plan ---- */

/* The versions of attribute "wddm", "1.0" or "1.0..1.1". */
static bool find_versions(const struct wcts_baseline_waiver *waiver, const struct wcts_spec *spec,
                          int *first, int *last, struct wcts_diagnostics *diagnostics)
{
    const char *names[2] = {waiver->wddm, waiver->wddm};
    int *const versions[2] = {first, last};
    char *copy = waiver->wddm ? strdup(waiver->wddm) : NULL,
         *dots = copy ? strstr(copy, "..") : NULL;
    bool found = true;

    *first = 0;
    *last = spec->versions_count - 1;
    if (dots) {
        *dots = '\0';
        names[0] = copy;
        names[1] = dots + 2;
    }
    for (int i = 0; waiver->wddm && found && i < 2; i++) {
        *versions[i] = wcts_model_spec_version(spec, names[i]);
        found = *versions[i] >= 0;
        if (!found)
            wcts_error_at(diagnostics, &waiver->place,
                          "attribute \"wddm\" of <waiver>: unknown version \"%s\", expected one "
                          "from %s to %s",
                          names[i], spec->versions[0].name,
                          spec->versions[spec->versions_count - 1].name);
    }
    free(copy);
    return found;
}

static bool add_pair(struct wcts_baseline *baseline, int index, int waiver)
{
    struct wcts_baseline_waived_case *pair = WCTS_ARRAY_ADD(baseline->pairs, baseline->pair_count);
    if (!pair)
        return false;
    *pair = (struct wcts_baseline_waived_case){index, waiver};
    if (baseline->waivers[waiver].planned++ == 0)
        baseline->waivers[waiver].first = index;
    return true;
}

/* True for a waiver with a pattern that may be used at the version. */
static bool is_pattern_at(const struct wcts_baseline_waiver *waiver, int version)
{
    return !waiver->id && version >= waiver->first_version && version <= waiver->last_version;
}

bool wcts_baseline_waives_rule(const struct wcts_baseline_waiver *waiver,
                               const struct wcts_spec *spec, int rule, int version)
{
    WCTS_TEXT(id);
    bool waives;
    wcts_text_add(&id, "%s/observed", spec->rules[rule].id);
    waives =
        is_pattern_at(waiver, version) && wcts_regex_matches(waiver->pattern, wcts_text_get(&id));
    wcts_text_release(&id);
    return waives;
}

/* Adds the pairs of a case: of waivers with its id, and of those with a pattern that matches it.
 * ids: the last waiver with each id; next: the one before it, -1: none. */
static bool bind_case(struct wcts_baseline *baseline, const int *next, const struct wcts_map *ids,
                      const struct wcts_case *test)
{
    bool added = true;
    for (int i = wcts_map_get(ids, test->id, -1); added && i >= 0; i = next[i])
        if (test->version >= baseline->waivers[i].first_version &&
            test->version <= baseline->waivers[i].last_version)
            added = add_pair(baseline, test->index, i);
    for (int i = 0; added && i < baseline->count; i++)
        if (is_pattern_at(&baseline->waivers[i], test->version) &&
            wcts_regex_matches(baseline->waivers[i].pattern, test->id))
            added = add_pair(baseline, test->index, i);
    return added;
}

/* A waiver of what cases of other rules show needs no case of its own. */
static void find_observed(struct wcts_baseline_waiver *waiver, const struct wcts_spec *spec)
{
    for (int i = 0; i < spec->rules_count && !waiver->found; i++)
        waiver->found = spec->rules[i].effect && !spec->rules[i].effect->unobserved &&
                        wcts_baseline_waives_rule(waiver, spec, i, waiver->first_version);
}

/* Finds the versions of the waivers, and those with equal ids. A waiver that names wrong ones has
 * no version. */
static bool prepare_waivers(struct wcts_baseline *baseline, int *next, struct wcts_map *ids,
                            struct wcts_diagnostics *diagnostics)
{
    bool right = true;
    for (int i = 0; i < baseline->count; i++) {
        struct wcts_baseline_waiver *waiver = &baseline->waivers[i];
        waiver->planned = 0;
        waiver->first = -1;
        next[i] = -1;
        if (!find_versions(waiver, baseline->plan->spec, &waiver->first_version,
                           &waiver->last_version, diagnostics)) {
            waiver->first_version = 1;
            waiver->last_version = 0;
            right = false;
        }
        find_observed(waiver, baseline->plan->spec);
    }
    for (int i = baseline->count - 1; i >= 0; i--) {
        const char *id = baseline->waivers[i].id;
        int later = id ? wcts_map_get(ids, id, -1) : -1;
        if (later >= 0) {
            next[i] = next[later];
            next[later] = i;
        } else if (id) {
            right = wcts_map_add(ids, id, i) && right;
        }
    }
    return right;
}

static int by_case(const void *a, const void *b)
{
    const struct wcts_baseline_waived_case *left = a, *right = b;
    return left->index != right->index ? left->index - right->index : left->waiver - right->waiver;
}

bool wcts_baseline_bind(struct wcts_baseline *baseline, const struct wcts_plan *plan,
                        struct wcts_diagnostics *diagnostics)
{
    int *next = calloc((size_t)baseline->count + 1, sizeof *next);
    struct wcts_map ids = {0};
    struct wcts_case test;
    bool good = next != NULL, added = good;

    free(baseline->pairs);
    baseline->pairs = NULL;
    baseline->pair_count = 0;
    baseline->plan = plan;
    if (next)
        good = prepare_waivers(baseline, next, &ids, diagnostics);
    for (int i = 0; added && i < plan->count && baseline->count > 0; i++)
        added = bind_case(baseline, next, &ids, wcts_plan_case(plan, i, &test));
    for (int i = 0; i < baseline->count; i++)
        good = match_compared(&baseline->waivers[i], diagnostics) && good;
    if (baseline->pair_count > 0)
        qsort(baseline->pairs, (size_t)baseline->pair_count, sizeof *baseline->pairs, by_case);
    wcts_map_release(&ids);
    free(next);
    return good && added;
}

bool wcts_baseline_has_orphans(const struct wcts_baseline *baseline)
{
    for (int i = 0; i < baseline->count; i++)
        if (baseline->waivers[i].planned == 0 && !baseline->waivers[i].found)
            return true;
    return false;
}

bool wcts_baseline_seek(struct wcts_baseline *baseline, const struct wcts_plan *plan,
                        struct wcts_diagnostics *diagnostics)
{
    bool compared = true;
    for (int k = 0; k < plan->count && wcts_baseline_has_orphans(baseline); k++) {
        struct wcts_case test;
        wcts_plan_case(plan, k, &test);
        for (int i = 0; i < baseline->count; i++) {
            struct wcts_baseline_waiver *waiver = &baseline->waivers[i];
            if (waiver->planned == 0 && !waiver->found)
                waiver->found = waiver->id ? strcmp(test.id, waiver->id) == 0
                                           : wcts_regex_matches(waiver->pattern, test.id);
        }
    }
    for (int i = 0; i < baseline->count; i++)
        compared = match_compared(&baseline->waivers[i], diagnostics) && compared;
    return compared;
}
