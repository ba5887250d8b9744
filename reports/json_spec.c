/* SPDX-License-Identifier: MIT */
/* What the documents say, as JSON: statements and features, for list and explain. */
#include "../runner/model/names.h"
#include "counts.h"
#include "json.h"

static void place_json(json_t *value, const struct wcts_place *place)
{
    json_object_set_new(value, "file", wcts_store_json_text(place->file));
    json_object_set_new(value, "line", json_integer(place->line));
}

json_t *wcts_report_json_feature(const struct wcts_spec *spec, int feature)
{
    const struct wcts_feature *one = &spec->features[feature];
    json_t *operations = json_array(), *statements = json_array();
    for (int i = 0; i < one->operation_count; i++)
        json_array_append_new(operations, json_string(spec->messages[one->operations[i]].name));
    for (int i = 0; i < one->statement_count; i++)
        json_array_append_new(statements,
                              wcts_store_json_text(spec->statements[one->statements[i]].id));
    json_t *value = json_pack(
        "{s:o, s:o, s:s, s:b, s:o, s:o, s:o}", "name", wcts_store_json_text(one->name), "title",
        wcts_store_json_text(one->title), "side", wcts_model_party_name(one->driver), "core",
        one->core, "capability",
        one->capability ? json_string(wcts_model_capability_name(one->capability)) : json_null(),
        "operations", operations, "statements", statements);
    place_json(value, &one->place);
    return value;
}

json_t *wcts_report_json_statement(const struct wcts_spec *spec, int statement)
{
    const struct wcts_statement *one = &spec->statements[statement];
    const struct wcts_document *document = &spec->documents[one->document];
    json_t *rules = json_array();
    for (int i = 0; i < spec->rules_count; i++)
        if (spec->rules[i].statement == statement)
            json_array_append_new(rules, wcts_store_json_text(spec->rules[i].id));

    json_t *value = json_pack(
        "{s:o, s:o, s:o, s:s, s:s, s:o, s:o, s:s, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "id",
        wcts_store_json_text(one->id), "source", wcts_store_json_text(document->number), "member",
        wcts_store_json_text(one->member), "role", wcts_model_role_name(one->role), "level",
        wcts_model_force_name(one->force), "form", wcts_store_json_text(one->form), "since",
        wcts_store_json_text(spec->versions[one->since].name), "basis",
        wcts_model_basis_name(one->basis), "derived", one->derived, "until",
        wcts_store_json_text(wcts_model_until_name(spec, one->until)), "text",
        wcts_store_json_text(one->text), "quote", wcts_store_json_text(one->quote), "unquoted",
        wcts_store_json_text(one->unquoted), "language", wcts_store_json_text(document->language),
        "title", wcts_store_json_text(document->title), "where", wcts_store_json_text(one->where));
    place_json(value, &one->place);
    json_object_set_new(value, "status", json_string(wcts_report_statement_status(one)));
    json_object_set_new(value, "rules", rules);
    json_object_set_new(value, "reason", wcts_store_json_text(one->reason));
    return value;
}
