/* SPDX-License-Identifier: MIT */
#include "json.h"

#include <stdlib.h>
#include <string.h>

#include "../runner/base/path.h"
#include "../runner/cli/context.h"
#include "../runner/judge/judge.h"
#include "../runner/oracle/walk.h"
#include "replay.h"

static bool given(const char *text)
{
    return text && text[0] != '\0';
}

/* ---- waivers ---- */

static const char *const state_keys[WCTS_WAIVER_STATE_COUNT] = {
    [WCTS_WAIVER_IDLE] = "idle",         [WCTS_WAIVER_USED] = "used",
    [WCTS_WAIVER_FIXED] = "fixed",       [WCTS_WAIVER_DIFFERS] = "differs",
    [WCTS_WAIVER_BROAD] = "over_broad",  [WCTS_WAIVER_EXPIRED] = "expired",
    [WCTS_WAIVER_ORPHANED] = "orphaned",
};

json_t *wcts_json_baseline(const struct wcts_baseline *baseline)
{
    json_t *value = json_object();
    json_object_set_new(value, "file", wcts_json_path(baseline->path));
    json_object_set_new(value, "digest", wcts_json_text(baseline->digest));
    json_object_set_new(value, "today", wcts_json_text(baseline->today));
    json_object_set_new(value, "waivers", json_integer(baseline->count));
    for (int i = 0; i < WCTS_WAIVER_STATE_COUNT; i++)
        json_object_set_new(value, state_keys[i], json_integer(baseline->states[i]));
    json_object_set_new(value, "unexplained", json_integer(baseline->unexplained));
    return value;
}

/* ---- claims ---- */

struct bit {
    uint32_t bit;
    const char *name;
};

static const struct bit side_bits[] = {
    {WCTS_SIDE_KERNEL, "kernel"}, {WCTS_SIDE_DRIVER, "driver"}, {0, NULL}};
static const struct bit capability_bits[] = {
    {WCTS_CAPABILITY_PROBE, "probe"},     {WCTS_CAPABILITY_MACHINE, "machine"},
    {WCTS_CAPABILITY_PAGES, "pages"},     {WCTS_CAPABILITY_PLACEMENT, "placement"},
    {WCTS_CAPABILITY_FRESH, "fresh"},     {WCTS_CAPABILITY_STRICT, "strict"},
    {WCTS_CAPABILITY_LENIENT, "lenient"}, {0, NULL}};
static const char *const patch_names[] = {
    [WCTS_PATCHES_NONE] = "none",
    [WCTS_PATCHES_32] = "32",
    [WCTS_PATCHES_64] = "64",
    [WCTS_PATCHES_32_SEGMENT] = "32 in segment",
    [WCTS_PATCHES_64_SEGMENT] = "64 in segment",
};

static json_t *bit_names(const struct bit *bits, uint32_t value)
{
    json_t *names = json_array();
    for (; bits->name; bits++)
        if (value & bits->bit)
            json_array_append_new(names, json_string(bits->name));
    return names;
}

uint32_t wcts_json_sides(const json_t *names)
{
    uint32_t sides = 0;
    for (const struct bit *bit = side_bits; bit->name; bit++)
        for (size_t i = 0; i < json_array_size(names); i++) {
            const char *name = json_string_value(json_array_get(names, i));
            if (name && strcmp(name, bit->name) == 0)
                sides |= bit->bit;
        }
    return sides;
}

static json_t *page_sizes(uint32_t sum)
{
    json_t *sizes = json_array();
    for (uint32_t bit = 1; bit != 0; bit <<= 1)
        if (sum & bit)
            json_array_append_new(sizes, json_integer(bit));
    return sizes;
}

static json_t *lines_json(char *text)
{
    json_t *lines = json_array();
    char *rest = text, *line;
    while (text && (line = strsep(&rest, "\n")) != NULL)
        if (line[0] != '\0')
            json_array_append_new(lines, wcts_json_text(line));
    free(text);
    return lines;
}

json_t *wcts_json_claims(const struct wcts_claims *claims)
{
    json_t *value = json_object();
    size_t patches = sizeof patch_names / sizeof patch_names[0];
    json_object_set_new(value, "name", wcts_json_text(claims->name));
    json_object_set_new(value, "version", wcts_json_text(claims->version));
    json_object_set_new(value, "sides", bit_names(side_bits, claims->sides));
    json_object_set_new(value, "capabilities", bit_names(capability_bits, claims->capabilities));
    json_object_set_new(value, "first_interface_version",
                        json_integer(claims->first_interface_version));
    json_object_set_new(value, "last_interface_version",
                        json_integer(claims->last_interface_version));
    json_object_set_new(value, "page_sizes", page_sizes(claims->page_sizes));
    const char *patch = claims->patches < patches && patch_names[claims->patches]
                            ? patch_names[claims->patches]
                            : "unknown";
    json_object_set_new(value, "patches", json_string(patch));
    json_object_set_new(value, "remarks", lines_json(strdup(claims->remarks)));
    return value;
}

/* ---- the run ---- */

static json_t *tally_json(const struct wcts_tally *tally)
{
    json_t *value = json_object();
    for (int i = 0; i < WCTS_VERDICT_COUNT; i++)
        json_object_set_new(value, wcts_verdict_name((enum wcts_verdict)i),
                            json_integer(tally->verdicts[i]));
    return value;
}

static json_t *versions_json(const struct wcts_run *run)
{
    const struct wcts_spec *spec = run->plan->spec;
    const struct wcts_settings *settings = run->settings;
    const char *first = settings->first_version, *last = settings->last_version;
    if (!first && spec->versions_count > 0) {
        first = spec->versions[0].name;
        last = spec->versions[spec->versions_count - 1].name;
    }
    json_t *value = json_object();
    json_object_set_new(value, "first", wcts_json_text(first));
    json_object_set_new(value, "last", wcts_json_text(last));
    return value;
}

static json_t *started_json(time_t started)
{
    char text[32];
    struct tm tm;
    gmtime_r(&started, &tm);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &tm);
    return json_string(text);
}

static json_t *implementation_json(const struct wcts_run *run)
{
    json_t *value = json_object();
    const struct wcts_implementation *implementation = &run->settings->implementation;
    char options[WCTS_PATH_ROOM];
    json_object_set_new(value, "path", wcts_json_path(implementation->path));
    json_object_set_new(
        value, "options",
        wcts_json_text(wcts_path_options(implementation->options, options, sizeof options)));
    json_object_set_new(value, "name", wcts_json_text(run->claims.name));
    json_object_set_new(value, "version", wcts_json_text(run->claims.version));
    json_object_set_new(
        value, "sha256",
        wcts_json_text(given(run->implementation_digest) ? run->implementation_digest : NULL));
    return value;
}

/* How much was reached of what a claim needs; null where that is not known. */
static json_t *mustpass_json(const struct wcts_run *run)
{
    const struct wcts_mustpass_count *must = &run->must;
    json_t *value = json_object(), *missing = json_array();
    if (!run->mustpass) {
        json_decref(value);
        json_decref(missing);
        return json_null();
    }
    for (int i = 0; i < must->missing_count && i < WCTS_MUSTPASS_SHOWN; i++)
        json_array_append_new(missing, wcts_json_text(must->missing[i]));
    json_object_set_new(value, "version", wcts_json_text(run->plan->spec->version));
    json_object_set_new(value, "of", json_integer(must->of));
    json_object_set_new(value, "reached", json_integer(must->there));
    json_object_set_new(value, "missing", missing);
    return value;
}

static json_t *feature_scope_json(const struct wcts_run *run, int index)
{
    const struct wcts_feature *feature = &run->plan->spec->features[index];
    struct wcts_feature_scope scope;
    json_t *value = json_object();
    wcts_scope_feature(&run->scope, &run->claims, index, &scope);
    json_object_set_new(value, "name", wcts_json_text(feature->name));
    json_object_set_new(value, "claimed", json_boolean(scope.claimed));
    json_object_set_new(value, "statements", json_integer(feature->statement_count));
    json_object_set_new(value, "in_scope", json_integer(scope.in));
    json_object_set_new(value, "tested", json_integer(scope.tested));
    return value;
}

/* What was put to the test: features, and how many statements of how many. */
static json_t *scope_json(const struct wcts_run *run)
{
    const struct wcts_spec *spec = run->plan->spec;
    json_t *value = json_object(), *features = json_array();
    const struct wcts_counts counts = wcts_run_counts(run);
    for (int i = 0; i < spec->features_count; i++)
        json_array_append_new(features, feature_scope_json(run, i));
    json_object_set_new(value, "features", features);
    json_object_set_new(value, "statements", json_integer(counts.in_scope));
    json_object_set_new(value, "tested", json_integer(counts.tested));
    json_object_set_new(value, "testable", json_integer(counts.testable));
    json_object_set_new(value, "proven", json_integer(counts.proven));
    return value;
}

/* What to implement next; empty of a run that leaves cases out. */
static json_t *next_json(const struct wcts_next *next)
{
    json_t *list = json_array();
    for (int i = 0; i < next->unlock_count; i++) {
        const struct wcts_unlock *unlock = &next->unlocks[i];
        json_t *value = json_object();
        json_object_set_new(value, "implement", wcts_json_text(unlock->what));
        json_object_set_new(value, "cases", json_integer(unlock->cases));
        json_object_set_new(value, "statements", json_integer(unlock->statements));
        json_array_append_new(list, value);
    }
    return list;
}

/* What failed, by cause, in the order of the reports; empty before the end of the run. */
static json_t *causes_json(const struct wcts_run *run)
{
    const struct wcts_causes *causes = &run->causes;
    json_t *list = json_array();
    for (int i = 0; causes->order && i < causes->count; i++) {
        const struct wcts_cause *cause = &causes->list[causes->order[i]];
        const struct wcts_failure failure = wcts_cause_failure(cause);
        const struct wcts_case *smallest = &run->plan->cases[cause->smallest];
        json_t *value = json_object();
        json_object_set_new(value, "verdict", json_string(wcts_verdict_name(cause->verdict)));
        json_object_set_new(value, "statement",
                            wcts_json_text(wcts_cause_statement(causes, cause)->id));
        json_object_set_new(value, "cases", json_integer(cause->count));
        json_object_set_new(value, "statements", json_integer(cause->statements));
        json_object_set_new(value, "reason", wcts_json_text(cause->reason));
        json_object_set_new(value, "smallest", wcts_json_text(smallest->id));
        json_object_set_new(value, "read-by",
                            lines_json(wcts_statement_read_by(
                                causes->plan->spec, wcts_cause_statement(causes, cause))));
        json_object_set_new(value, "wrong", lines_json(wcts_wrong_text(causes->plan, smallest)));
        json_object_set_new(value, "pattern", lines_json(wcts_pattern_text(causes, &failure)));
        if (cause->backtrace)
            json_object_set_new(value, "backtrace", lines_json(strdup(cause->backtrace)));
        char *command = wcts_replay_text(run->settings, smallest);
        json_object_set_new(value, "reproduce", wcts_json_text(command));
        free(command);
        json_array_append_new(list, value);
    }
    return list;
}

static json_t *shard_json(const struct wcts_settings *settings)
{
    json_t *value = json_object();
    json_object_set_new(value, "number", json_integer(settings->shard));
    json_object_set_new(value, "of", json_integer(settings->shards));
    return value;
}

static json_t *strings_json(const struct wcts_strings *strings)
{
    json_t *value = json_array();
    for (int i = 0; i < strings->count; i++)
        json_array_append_new(value, wcts_json_text(strings->of[i]));
    return value;
}

/* The options that left cases out; a shard and versions have members of their own. */
static json_t *selection_json(const struct wcts_run *run)
{
    const struct wcts_settings *settings = run->settings;
    json_t *value = json_object();
    json_object_set_new(value, "narrowed", json_boolean(run->narrowed));
    json_object_set_new(value, "partial", json_boolean(run->partial));
    json_object_set_new(value, "filters", strings_json(&settings->filters));
    json_object_set_new(value, "excludes", strings_json(&settings->excludes));
    json_object_set_new(value, "failed_of", wcts_json_path(settings->failed_of));
    return value;
}

static json_t *sequences_json(const struct wcts_run *run)
{
    json_t *value = json_object();
    int seen, all;
    wcts_walk_coverage(run->plan->spec, &run->walk, &seen, &all);
    json_object_set_new(value, "steps", json_integer((json_int_t)run->walk.steps));
    json_object_set_new(value, "operations", json_integer((json_int_t)run->walk.operations));
    json_object_set_new(value, "open", json_integer((json_int_t)run->walk.open));
    json_object_set_new(value, "transitions", json_integer(all));
    json_object_set_new(value, "transitions_seen", json_integer(seen));
    json_object_set_new(value, "unseen", lines_json(wcts_walk_unseen(run->plan->spec, &run->walk)));
    return value;
}

json_t *wcts_json_run(const struct wcts_run *run)
{
    const struct wcts_settings *settings = run->settings;
    json_t *value = json_object();
    json_object_set_new(value, "tool_version", json_string(WCTS_VERSION));
    json_object_set_new(value, "spec_version", wcts_json_text(run->plan->spec->version));
    json_object_set_new(value, "spec_digest", wcts_json_text(run->plan->spec->digest));
    json_object_set_new(value, "command_line", wcts_json_text(settings->command_line));
    json_object_set_new(value, "implementation", implementation_json(run));
    json_object_set_new(value, "claims", wcts_json_claims(&run->claims));
    json_object_set_new(value, "level", json_string(wcts_judging_name(settings->judging)));
    json_object_set_new(value, "suite", json_string(wcts_suite_name(settings->suite)));
    json_object_set_new(value, "wddm", versions_json(run));
    json_object_set_new(value, "seed", json_integer((json_int_t)settings->seed));
    json_object_set_new(value, "shard", shard_json(settings));
    json_object_set_new(value, "selection", selection_json(run));
    json_object_set_new(value, "started", started_json(run->started));
    json_object_set_new(value, "seconds", wcts_json_seconds(run->seconds));
    json_object_set_new(value, "selected", json_integer(run->selected_count));
    json_object_set_new(value, "reached", json_integer(run->total.count));
    json_object_set_new(value, "totals", tally_json(&run->total));
    if (run->walk.steps != 0)
        json_object_set_new(value, "sequences", sequences_json(run));
    if (run->baseline)
        json_object_set_new(value, "baseline", wcts_json_baseline(run->baseline));
    if (settings->retries != 0)
        json_object_set_new(value, "retries", json_integer(settings->retries));
    if (run->unrepeated.count != 0)
        json_object_set_new(value, "unrepeated",
                            json_pack("{s:i, s:o}", "cases", run->unrepeated.count, "first",
                                      wcts_json_text(run->unrepeated.first)));
    if (run->left.count != 0)
        json_object_set_new(value, "left_behind",
                            json_pack("{s:i, s:o}", "processes", run->left.count, "names",
                                      wcts_json_text(run->left.names)));
    json_object_set_new(value, "mustpass", mustpass_json(run));
    json_object_set_new(value, "planned", json_integer(run->planned));
    json_object_set_new(value, "scope", scope_json(run));
    json_object_set_new(value, "next", next_json(&run->next));
    json_object_set_new(value, "causes", causes_json(run));
    json_object_set_new(value, "end", json_string(wcts_end_name(run->end)));
    json_object_set_new(value, "error", wcts_json_text(given(run->error) ? run->error : NULL));
    json_object_set_new(value, "conclusion", wcts_json_text(run->conclusion));
    json_object_set_new(value, "headline", wcts_json_text(run->headline));
    json_object_set_new(value, "exit_code", json_integer(run->exit_code));
    return value;
}

/* ---- the spec ---- */

static void place_json(json_t *value, const struct wcts_place *place)
{
    json_object_set_new(value, "file", wcts_json_text(place->file));
    json_object_set_new(value, "line", json_integer(place->line));
}

json_t *wcts_json_feature(const struct wcts_spec *spec, int feature)
{
    const struct wcts_feature *one = &spec->features[feature];
    json_t *value = json_object(), *operations = json_array(), *statements = json_array();
    for (int i = 0; i < one->operation_count; i++)
        json_array_append_new(operations, json_string(spec->messages[one->operations[i]].name));
    for (int i = 0; i < one->statement_count; i++)
        json_array_append_new(statements, wcts_json_text(spec->statements[one->statements[i]].id));
    json_object_set_new(value, "name", wcts_json_text(one->name));
    json_object_set_new(value, "title", wcts_json_text(one->title));
    json_object_set_new(value, "side", json_string(wcts_party_name(one->driver)));
    json_object_set_new(value, "core", json_boolean(one->core));
    json_object_set_new(value, "capability",
                        one->capability ? json_string(wcts_capability_name(one->capability))
                                        : json_null());
    json_object_set_new(value, "operations", operations);
    json_object_set_new(value, "statements", statements);
    place_json(value, &one->place);
    return value;
}

json_t *wcts_json_statement(const struct wcts_spec *spec, int statement)
{
    const struct wcts_statement *one = &spec->statements[statement];
    const struct wcts_document *document = &spec->documents[one->document];
    json_t *value = json_object(), *rules = json_array();
    for (int i = 0; i < spec->rules_count; i++)
        if (spec->rules[i].statement == statement)
            json_array_append_new(rules, wcts_json_text(spec->rules[i].id));

    json_object_set_new(value, "id", wcts_json_text(one->id));
    json_object_set_new(value, "source", wcts_json_text(document->number));
    json_object_set_new(value, "member", wcts_json_text(one->member));
    json_object_set_new(value, "role", json_string(wcts_role_name(one->role)));
    json_object_set_new(value, "level", json_string(wcts_level_name(one->level)));
    json_object_set_new(value, "form", wcts_json_text(one->form));
    json_object_set_new(value, "since", wcts_json_text(spec->versions[one->since].name));
    json_object_set_new(value, "basis", json_string(wcts_basis_name(one->basis)));
    json_object_set_new(value, "derived", json_boolean(one->derived));
    json_object_set_new(value, "until", wcts_json_text(wcts_until_name(spec, one->until)));
    json_object_set_new(value, "text", wcts_json_text(one->text));
    json_object_set_new(value, "quote", wcts_json_text(one->quote));
    json_object_set_new(value, "unquoted", wcts_json_text(one->unquoted));
    json_object_set_new(value, "language", wcts_json_text(document->language));
    json_object_set_new(value, "title", wcts_json_text(document->title));
    json_object_set_new(value, "where", wcts_json_text(one->where));
    place_json(value, &one->place);
    json_object_set_new(value, "status", json_string(wcts_statement_status(one)));
    json_object_set_new(value, "rules", rules);
    json_object_set_new(value, "reason", wcts_json_text(one->reason));
    return value;
}
