/* SPDX-License-Identifier: MIT */
/* Comparing two specs. Statements and rules are compared attribute by attribute and element by
 * element; blanks, comments and places are ignored. */
#include <stdlib.h>
#include <string.h>

#include "../runner/base/map.h"
#include "../runner/load/xml.h"
#include "diff.h"
#include "json.h"

/* ---- elements as text ---- */

static void write_element(FILE *out, const struct wcts_load_node *node)
{
    const struct wcts_load_attribute_row *rows = wcts_load_node_element(node)->attributes;
    fprintf(out, "<%s", wcts_load_node_element(node)->name);
    for (int i = 0; rows && rows[i].name; i++)
        if (node->values[i])
            fprintf(out, " %s=\"%s\"", rows[i].name, node->values[i]);
    if (!node->text && !node->first) {
        fputs("/>", out);
        return;
    }
    fprintf(out, ">%s", node->text ? node->text : "");
    for (const struct wcts_load_node *child = node->first; child; child = child->next)
        write_element(out, child);
    fprintf(out, "</%s>", wcts_load_node_element(node)->name);
}

static char *element_text(const struct wcts_load_node *node)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    write_element(out, node);
    fclose(out);
    return text;
}

/* Rules in a statement are compared separately. */
static bool is_own_part(const struct wcts_load_node *child)
{
    return child->kind != WCTS_EL_RULE && child->kind != WCTS_EL_EFFECT;
}

/* The children of an element except rules, as an array of strings. */
static json_t *parts_of(const struct wcts_load_node *node)
{
    json_t *parts = json_array();
    for (const struct wcts_load_node *child = node->first; child; child = child->next) {
        char *text = is_own_part(child) ? element_text(child) : NULL;
        if (text)
            json_array_append_new(parts, wcts_store_json_text(text));
        free(text);
    }
    return parts;
}

/* Removes an equal string from the array. False when there is none. */
static bool take_out(json_t *parts, const json_t *part)
{
    const json_t *one;
    size_t i;
    json_array_foreach(parts, i, one)
    {
        if (json_equal(one, part))
            return json_array_remove(parts, i) == 0;
    }
    return false;
}

static void append_line(json_t *changes, const char *sign, const json_t *part)
{
    json_array_append_new(changes, json_sprintf("%s %s", sign, json_string_value(part)));
}

static void compare_parts(json_t *changes, const struct wcts_load_node *a,
                          const struct wcts_load_node *b)
{
    json_t *left = parts_of(a), *right = parts_of(b), *one;
    size_t i;
    json_array_foreach(left, i, one)
    {
        if (!take_out(right, one))
            append_line(changes, "-", one);
    }
    json_array_foreach(right, i, one)
    {
        append_line(changes, "+", one);
    }
    json_decref(left);
    json_decref(right);
}

/* The differences between two elements: "level must -> should", "- <when .../>", ... */
static json_t *changes_of(const struct wcts_load_node *a, const struct wcts_load_node *b)
{
    json_t *changes = json_array();
    const struct wcts_load_attribute_row *rows = wcts_load_node_element(a)->attributes;
    if (a->kind != b->kind) {
        json_array_append_new(changes, json_sprintf("<%s> -> <%s>", wcts_load_node_element(a)->name,
                                                    wcts_load_node_element(b)->name));
        return changes;
    }
    for (int i = 0; rows && rows[i].name; i++) {
        const char *left = a->values[i], *right = b->values[i];
        if (left != right && (!left || !right || strcmp(left, right) != 0))
            json_array_append_new(changes,
                                  json_sprintf("%s %s -> %s", rows[i].name, left ? left : "(none)",
                                               right ? right : "(none)"));
    }
    compare_parts(changes, a, b);
    return changes;
}

/* ---- statements and rules ---- */

/* One element: a statement or a rule. */
struct report_item {
    const char *id;
    const char *text; /* the text of the statement */
    const struct wcts_load_node *node;
};

struct report_item_list {
    struct report_item *items; /* in the order of the spec */
    struct wcts_map by_id;
    int count;
};

static bool list_init(struct report_item_list *list, int count)
{
    *list = (struct report_item_list){.items = calloc((size_t)count + 1, sizeof *list->items),
                                      .count = count};
    return list->items != NULL;
}

/* If ids are equal, the first one is found. */
static bool list_index(struct report_item_list *list)
{
    bool good = true;
    for (int i = 0; good && i < list->count; i++)
        good = wcts_map_get(&list->by_id, list->items[i].id, -1) >= 0 ||
               wcts_map_add(&list->by_id, list->items[i].id, i);
    return good;
}

static void list_release(struct report_item_list *list)
{
    free(list->items);
    wcts_map_release(&list->by_id);
}

static const struct report_item *list_find(const struct report_item_list *list, const char *id)
{
    int at = wcts_map_get(&list->by_id, id, -1);
    return at < 0 ? NULL : &list->items[at];
}

static bool statements_of(const struct wcts_spec *spec, struct report_item_list *list)
{
    if (!list_init(list, spec->statements_count))
        return false;
    for (int i = 0; i < list->count; i++) {
        const struct wcts_statement *one = &spec->statements[i];
        list->items[i] = (struct report_item){.id = one->id, .text = one->text, .node = one->node};
    }
    return list_index(list);
}

static bool rules_of(const struct wcts_spec *spec, struct report_item_list *list)
{
    if (!list_init(list, spec->rules_count))
        return false;
    for (int i = 0; i < list->count; i++) {
        const struct wcts_rule *one = &spec->rules[i];
        list->items[i] = (struct report_item){
            .id = one->id, .text = spec->statements[one->statement].text, .node = one->node};
    }
    return list_index(list);
}

static json_t *item_json(const struct report_item *item)
{
    return json_pack("{s:o, s:o}", "id", wcts_store_json_text(item->id), "text",
                     wcts_store_json_text(item->text));
}

/* The items of list that other does not have. */
static json_t *lacking(const struct report_item_list *list, const struct report_item_list *other)
{
    json_t *values = json_array();
    for (int i = 0; i < list->count; i++)
        if (!list_find(other, list->items[i].id))
            json_array_append_new(values, item_json(&list->items[i]));
    return values;
}

static json_t *changed_items(const struct report_item_list *a, const struct report_item_list *b)
{
    json_t *values = json_array();
    for (int i = 0; i < b->count; i++) {
        const struct report_item *left = list_find(a, b->items[i].id);
        json_t *changes = left ? changes_of(left->node, b->items[i].node) : NULL;
        if (json_array_size(changes) != 0) {
            json_t *value = item_json(&b->items[i]);
            json_object_set(value, "changes", changes);
            json_array_append_new(values, value);
        }
        json_decref(changes);
    }
    return values;
}

typedef bool list_fn(const struct wcts_spec *spec, struct report_item_list *list);

static json_t *lists_json(list_fn *list_of, const struct wcts_spec *a, const struct wcts_spec *b)
{
    struct report_item_list left = {0}, right = {0};
    json_t *value = json_object();
    bool listed = list_of(a, &left);
    listed = list_of(b, &right) && listed;
    if (listed) {
        json_object_set_new(value, "added", lacking(&right, &left));
        json_object_set_new(value, "removed", lacking(&left, &right));
        json_object_set_new(value, "changed", changed_items(&left, &right));
    }
    list_release(&left);
    list_release(&right);
    return value;
}

/* ---- cases ---- */

struct report_index {
    const struct wcts_plan *plan;
    struct wcts_case *cases;
    struct wcts_map by_id;
};

static bool index_init(struct report_index *index, const struct wcts_plan *plan)
{
    bool good;
    index->plan = plan;
    index->cases = wcts_plan_cases(plan);
    good = index->cases != NULL;
    for (int i = 0; good && i < plan->count; i++)
        good = wcts_map_add(&index->by_id, index->cases[i].id, i);
    return good;
}

static const struct wcts_case *index_find(const struct report_index *index, const char *id)
{
    int at = wcts_map_get(&index->by_id, id, -1);
    return at < 0 ? NULL : &index->cases[at];
}

static json_t *case_json(const struct wcts_plan *plan, const struct wcts_case *test)
{
    return json_pack("{s:o, s:o}", "id", wcts_store_json_text(test->id), "statement",
                     wcts_store_json_text(plan->spec->statements[test->statement].id));
}

static json_t *cases_lacking(const struct report_index *index, const struct report_index *other)
{
    const struct wcts_plan *plan = index->plan;
    json_t *values = json_array();
    for (int i = 0; i < plan->count; i++)
        if (!index_find(other, index->cases[i].id))
            json_array_append_new(values, case_json(plan, &index->cases[i]));
    return values;
}

/* The expected outcome of the case, also at the strict level. */
static char *expectation(const struct wcts_case *test)
{
    char *text = NULL;
    bool same = test->expect == test->strict;
    if (asprintf(&text, "%s%s%s", wcts_model_expect_name(test->expect), same ? "" : ", strict ",
                 same ? "" : wcts_model_expect_name(test->strict)) < 0)
        return NULL;
    return text;
}

static json_t *cases_changed(const struct report_index *a, const struct report_index *b)
{
    json_t *values = json_array();
    for (int i = 0; i < b->plan->count; i++) {
        const struct wcts_case *right = &b->cases[i], *left = index_find(a, right->id);
        if (!left || (left->expect == right->expect && left->strict == right->strict))
            continue;
        char *before = expectation(left), *after = expectation(right);
        json_t *value = case_json(b->plan, right);
        json_object_set_new(value, "expect", json_pack("[s?, s?]", before, after));
        json_array_append_new(values, value);
        free(before);
        free(after);
    }
    return values;
}

static json_t *cases_json(const struct wcts_plan *a, const struct wcts_plan *b)
{
    struct report_index left = {0}, right = {0};
    json_t *value = json_object();
    bool ready = index_init(&left, a);
    ready = index_init(&right, b) && ready;
    if (ready) {
        json_object_set_new(value, "appear", cases_lacking(&right, &left));
        json_object_set_new(value, "vanish", cases_lacking(&left, &right));
        json_object_set_new(value, "changed", cases_changed(&left, &right));
    }
    wcts_map_release(&left.by_id);
    wcts_map_release(&right.by_id);
    free(left.cases);
    free(right.cases);
    return value;
}

/* ---- waivers ---- */

/* The waivers that match a case of a and none of b. NULL when they cannot be bound to both. */
static json_t *orphans_json(struct wcts_baseline *baseline, const struct wcts_plan *a,
                            const struct wcts_plan *b, struct wcts_diagnostics *diagnostics)
{
    bool *matched = calloc((size_t)baseline->count + 1, sizeof *matched);
    json_t *orphans = NULL;
    if (matched && wcts_baseline_bind(baseline, a, diagnostics)) {
        for (int i = 0; i < baseline->count; i++)
            matched[i] = baseline->waivers[i].planned > 0;
        if (wcts_baseline_bind(baseline, b, diagnostics))
            orphans = json_array();
    }
    for (int i = 0; orphans && i < baseline->count; i++) {
        const struct wcts_baseline_waiver *waiver = &baseline->waivers[i];
        if (matched[i] && waiver->planned == 0)
            json_array_append_new(
                orphans,
                json_pack("{s:o, s:I, s:o}", "file", wcts_store_json_path(waiver->place.file),
                          "line", (json_int_t)waiver->place.line, waiver->id ? "case" : "match",
                          wcts_store_json_text(waiver->id ? waiver->id : waiver->match)));
    }
    free(matched);
    return orphans;
}

/* ---- the whole ---- */

static json_t *spec_side_json(const struct wcts_report_diff_spec *side)
{
    const struct wcts_spec *spec = side->plan->spec;
    return json_pack("{s:s, s:s, s:i, s:i, s:i}", "directory", side->directory, "digest",
                     spec->digest, "statements", spec->statements_count, "rules", spec->rules_count,
                     "cases", side->plan->count);
}

json_t *wcts_report_diff_specs(const struct wcts_report_diff_spec *a,
                               const struct wcts_report_diff_spec *b,
                               struct wcts_baseline *baseline, struct wcts_diagnostics *diagnostics)
{
    const struct wcts_spec *left = a->plan->spec, *right = b->plan->spec;
    json_t *orphans = baseline ? orphans_json(baseline, a->plan, b->plan, diagnostics) : NULL;
    if (baseline && !orphans)
        return NULL;
    json_t *value =
        json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "kind", "specs", "a", spec_side_json(a), "b",
                  spec_side_json(b), "statements", lists_json(statements_of, left, right), "rules",
                  lists_json(rules_of, left, right), "cases", cases_json(a->plan, b->plan));
    if (orphans)
        json_object_set_new(value, "orphaned", orphans);
    return value;
}
