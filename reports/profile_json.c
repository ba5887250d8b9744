/* SPDX-License-Identifier: MIT */
#include "profile_json.h"

#include <string.h>

#include "../runner/base/arena.h"
#include "../runner/store/json.h"

const char *wcts_report_profile_state(const struct wcts_report_run *run, int entry)
{
    uint64_t bit = wcts_model_profile_bit(entry);
    if (run->against & bit)
        return "contradicted";
    return run->shown & bit ? "shown" : "not shown";
}

static json_t *entry_json(const struct wcts_report_run *run, int index)
{
    const struct wcts_spec *spec = run->plan->spec;
    const struct wcts_profile_entry *entry = &run->asked.profile->entries[index];
    json_t *value = json_pack(
        "{s:o, s:s, s:s, s:o, s:o, s:o, s:s}", "id", wcts_store_json_text(entry->id), "kind",
        wcts_model_profile_kind_name(entry->kind), "side", wcts_model_party_name(entry->driver),
        "text", wcts_store_json_text(entry->text), "source", wcts_store_json_text(entry->source),
        "confidence", wcts_store_json_text(entry->confidence), "state",
        wcts_report_profile_state(run, index));
    if (entry->rows)
        json_object_set_new(value, "rows", wcts_store_json_text(entry->rows));
    if (entry->statement >= 0)
        json_object_set_new(value, "statement",
                            wcts_store_json_text(spec->statements[entry->statement].id));
    if (entry->condition) {
        json_object_set_new(value, "on", wcts_store_json_text(spec->structures[entry->on].name));
        json_object_set_new(value, "when", wcts_store_json_text(entry->condition));
    }
    if (entry->what)
        json_object_set_new(value, "what", wcts_store_json_text(entry->what));
    if (entry->since > 0)
        json_object_set_new(value, "since",
                            wcts_store_json_text(spec->versions[entry->since].name));
    if (entry->until < spec->versions_count)
        json_object_set_new(value, "until",
                            wcts_store_json_text(spec->versions[entry->until].name));
    return value;
}

json_t *wcts_report_profile_json(const struct wcts_report_run *run)
{
    const struct wcts_profile *profile = run->asked.profile;
    json_t *entries, *value;
    if (!profile)
        return NULL;
    entries = json_array();
    for (int i = 0; i < profile->count; i++)
        json_array_append_new(entries, entry_json(run, i));
    value = json_pack("{s:o, s:o, s:b, s:o, s:o, s:o}", "name", wcts_store_json_text(profile->name),
                      "title", wcts_store_json_text(profile->title), "shipped", profile->shipped,
                      "file", wcts_store_json_path(profile->path), "digest",
                      wcts_store_json_text(profile->digest), "entries", entries);
    if (run->asked.profile_named)
        json_object_set_new(value, "named", json_true());
    return value;
}

/* ---- and back ---- */

static const char *text_in(struct wcts_arena *arena, const json_t *value, const char *key)
{
    const char *text = wcts_store_json_member(value, key);
    return text[0] ? wcts_arena_string(arena, text, strlen(text)) : NULL;
}

static int version_in(const struct wcts_spec *spec, const json_t *value, const char *key,
                      int fallback)
{
    int version = spec ? wcts_model_spec_version(spec, wcts_store_json_member(value, key)) : -1;
    return version < 0 ? fallback : version;
}

static void read_entry(struct wcts_arena *arena, const json_t *value, const struct wcts_spec *spec,
                       struct wcts_profile_entry *entry)
{
    const char *kind = wcts_store_json_member(value, "kind");
    const char *statement = wcts_store_json_member(value, "statement");
    *entry = (struct wcts_profile_entry){
        .id = text_in(arena, value, "id"),
        .statement = spec ? wcts_model_spec_statement(spec, statement) : -1,
        .rule = -1,
        .driver = strcmp(wcts_store_json_member(value, "side"), wcts_model_party_name(true)) == 0,
        .since = version_in(spec, value, "since", 0),
        .until = version_in(spec, value, "until", spec ? spec->versions_count : 0),
        .on = spec ? wcts_model_spec_structure(spec, wcts_store_json_member(value, "on")) : -1,
        .condition = text_in(arena, value, "when"),
        .what = text_in(arena, value, "what"),
        .text = text_in(arena, value, "text"),
        .source = text_in(arena, value, "source"),
        .confidence = text_in(arena, value, "confidence"),
        .rows = text_in(arena, value, "rows")};
    entry->id = entry->id ? entry->id : "";
    entry->text = entry->text ? entry->text : "";
    for (int i = 0; i < WCTS_PROFILE_KINDS; i++)
        if (strcmp(kind, wcts_model_profile_kind_name((enum wcts_profile_kind)i)) == 0)
            entry->kind = (enum wcts_profile_kind)i;
}

struct wcts_profile *wcts_report_profile_read(const json_t *value, const struct wcts_spec *spec)
{
    const json_t *entries = json_object_get(value, "entries");
    size_t count = json_array_size(entries);
    struct wcts_arena *arena;
    struct wcts_profile *profile;
    if (!json_is_object(value) || count > WCTS_PROFILE_ENTRIES_MAX)
        return NULL;
    arena = wcts_arena_new();
    profile = wcts_arena_alloc(arena, sizeof *profile);
    *profile = (struct wcts_profile){.name = text_in(arena, value, "name"),
                                     .title = text_in(arena, value, "title"),
                                     .path = text_in(arena, value, "file"),
                                     .shipped = json_is_true(json_object_get(value, "shipped")),
                                     .arena = arena};
    profile->name = profile->name ? profile->name : "";
    profile->path = profile->path ? profile->path : "";
    snprintf(profile->digest, sizeof profile->digest, "%s",
             wcts_store_json_member(value, "digest"));
    profile->entries = wcts_arena_array(arena, count, sizeof *profile->entries);
    for (; profile->count < (int)count; profile->count++)
        read_entry(arena, json_array_get(entries, (size_t)profile->count), spec,
                   &profile->entries[profile->count]);
    return profile;
}
