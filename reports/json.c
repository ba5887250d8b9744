/* SPDX-License-Identifier: MIT */
#include "json.h"

#include <stdlib.h>
#include <string.h>

#include "../runner/base/address.h"
#include "../runner/base/path.h"
#include "../runner/judge/judge.h"
#include "../runner/load/profile.h"
#include "../runner/model/names.h"
#include "../runner/oracle/walk.h"
#include "counts.h"
#include "declaration.h"
#include "profile_json.h"
#include "replay.h"
#include "upgrade.h"

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

/* The file, and how many waivers are used, fixed, ... */
static json_t *baseline_json(const struct wcts_baseline *baseline)
{
    json_t *value = json_object();
    json_object_set_new(value, "file", wcts_store_json_path(baseline->path));
    json_object_set_new(value, "digest", wcts_store_json_text(baseline->digest));
    json_object_set_new(value, "today", wcts_store_json_text(baseline->today));
    json_object_set_new(value, "waivers", json_integer(baseline->count));
    for (int i = 0; i < WCTS_WAIVER_STATE_COUNT; i++)
        json_object_set_new(value, state_keys[i], json_integer(baseline->states[i]));
    json_object_set_new(value, "unexplained", json_integer(baseline->unexplained));
    return value;
}

/* ---- claims ---- */

struct report_bit {
    uint32_t bit;
    const char *name;
};

static const struct report_bit side_bits[] = {
    {WCTS_SIDE_KERNEL, "kernel"}, {WCTS_SIDE_DRIVER, "driver"}, {0, NULL}};
static json_t *bit_names(const struct report_bit *bits, uint32_t value)
{
    json_t *names = json_array();
    for (; bits->name; bits++)
        if (value & bits->bit)
            json_array_append_new(names, json_string(bits->name));
    return names;
}

/* The sum of the bits with these names; other names are ignored. */
/* The words of the bits of a sum. */
static json_t *bit_words(const char *const *words, const uint32_t *bits, uint32_t value)
{
    json_t *names = json_array();
    for (int i = 0; words[i]; i++)
        if (value & bits[i])
            json_array_append_new(names, json_string(words[i]));
    return names;
}

static uint32_t worded_bits(const char *const *words, const uint32_t *bits, const json_t *names)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < json_array_size(names); i++) {
        const char *name = json_string_value(json_array_get(names, i));
        int word = name ? wcts_model_word_index(words, name, strlen(name)) : -1;
        sum |= word >= 0 ? bits[word] : 0;
    }
    return sum;
}

static uint32_t named_bits(const struct report_bit *bits, const json_t *names)
{
    uint32_t sum = 0;
    for (; bits->name; bits++)
        for (size_t i = 0; i < json_array_size(names); i++) {
            const char *name = json_string_value(json_array_get(names, i));
            if (name && strcmp(name, bits->name) == 0)
                sum |= bits->bit;
        }
    return sum;
}

uint32_t wcts_report_json_sides(const json_t *names)
{
    return named_bits(side_bits, names);
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
            json_array_append_new(lines, wcts_store_json_text(line));
    free(text);
    return lines;
}

static json_t *kinds_json(const struct wcts_claims *claims)
{
    json_t *kinds = json_array();
    const char *name = claims->kinds;
    for (uint32_t i = 0; i < claims->kind_count; i++, name += strlen(name) + 1)
        json_array_append_new(kinds, wcts_store_json_text(name));
    return kinds;
}

/* What the side itself answered. */
static json_t *side_json(const struct wcts_claims *claims, bool driver)
{
    const struct wcts_claims_side *of = &claims->of[driver];
    json_t *value;
    if (of->last_interface_version == 0)
        return NULL;
    value = json_pack("{s:I, s:I, s:o}", "first_interface_version",
                      (json_int_t)of->first_interface_version, "last_interface_version",
                      (json_int_t)of->last_interface_version, "capabilities",
                      bit_words(wcts_capability_words, wcts_capability_bits, of->capabilities));
    if (driver) {
        json_object_set_new(value, "paging",
                            bit_words(wcts_paging_words, wcts_paging_bits, claims->paging));
        json_object_set_new(value, "kinds", kinds_json(claims));
    }
    return value;
}

static void read_side(struct wcts_claims *claims, bool driver, const json_t *value)
{
    struct wcts_claims_side *of = &claims->of[driver];
    const json_t *kinds = json_object_get(value, "kinds");
    size_t used = 0;
    of->first_interface_version =
        (uint32_t)json_integer_value(json_object_get(value, "first_interface_version"));
    of->last_interface_version =
        (uint32_t)json_integer_value(json_object_get(value, "last_interface_version"));
    of->capabilities = worded_bits(wcts_capability_words, wcts_capability_bits,
                                   json_object_get(value, "capabilities"));
    if (!driver)
        return;
    claims->paging =
        worded_bits(wcts_paging_words, wcts_paging_bits, json_object_get(value, "paging"));
    for (size_t i = 0; i < json_array_size(kinds); i++) {
        const char *name = json_string_value(json_array_get(kinds, i));
        size_t size = name ? strlen(name) + 1 : 0;
        if (size == 0 || size > sizeof claims->kinds - used)
            continue;
        memcpy(claims->kinds + used, name, size);
        used += size;
        claims->kind_count++;
    }
}

json_t *wcts_report_json_claims(const struct wcts_claims *claims)
{
    const char *patch =
        claims->patches <= WCTS_PATCHES_PRIVATE ? wcts_patches_words[claims->patches] : "unknown";
    return json_pack(
        "{s:o, s:o, s:o*, s:o, s:o, s:I, s:I, s:o, s:s, s:o*, s:o*, s:o}", "name",
        wcts_store_json_text(claims->name), "version", wcts_store_json_text(claims->version),
        "profile", claims->profile[0] ? wcts_store_json_text(claims->profile) : NULL, "sides",
        bit_names(side_bits, claims->sides), "capabilities",
        bit_words(wcts_capability_words, wcts_capability_bits, claims->capabilities),
        "first_interface_version", (json_int_t)claims->first_interface_version,
        "last_interface_version",
        (json_int_t)(claims->raised_from ? claims->raised_from : claims->last_interface_version),
        "page_sizes", page_sizes(claims->page_sizes), "patches", patch, "kernel",
        side_json(claims, false), "driver", side_json(claims, true), "remarks",
        lines_json(strdup(claims->remarks)));
}

/* ---- the run ---- */

static json_t *tally_json(const struct wcts_store_tally *tally)
{
    json_t *value = json_object();
    for (int i = 0; i < WCTS_VERDICT_COUNT; i++)
        json_object_set_new(value, wcts_model_verdict_name((enum wcts_verdict)i),
                            json_integer(tally->verdicts[i]));
    return value;
}

static json_t *versions_json(const struct wcts_report_run *run)
{
    const struct wcts_spec *spec = run->plan->spec;
    const struct wcts_options *asked = &run->asked;
    const char *first = asked->first_version, *last = asked->last_version;
    if (!first && spec->versions_count > 0) {
        first = spec->versions[0].name;
        last = spec->versions[spec->versions_count - 1].name;
    }
    return json_pack("{s:o, s:o}", "first", wcts_store_json_text(first), "last",
                     wcts_store_json_text(last));
}

static json_t *started_json(time_t started)
{
    char text[32];
    struct tm tm;
    gmtime_r(&started, &tm);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &tm);
    return json_string(text);
}

static json_t *implementation_json(const struct wcts_report_run *run)
{
    const struct wcts_implementation *implementation = &run->asked.implementation;
    char path[WCTS_PATH_ROOM], options[WCTS_PATH_ROOM];
    return json_pack(
        "{s:o, s:o, s:o, s:o, s:o}", "path",
        wcts_store_json_text(wcts_address_shown(implementation->path, path, sizeof path)),
        "options",
        wcts_store_json_text(wcts_path_options(implementation->options, options, sizeof options)),
        "name", wcts_store_json_text(run->claims.name), "version",
        wcts_store_json_text(run->claims.version), "sha256",
        wcts_store_json_text(given(run->implementation_digest) ? run->implementation_digest
                                                               : NULL));
}

/* How many of the rules that a claim needs were reached; null when they are unknown. */
static json_t *mustpass_json(const struct wcts_report_run *run)
{
    const struct wcts_plan_mustpass_count *must = &run->must;
    json_t *missing;
    if (!run->mustpass)
        return json_null();
    missing = json_array();
    for (int i = 0; i < must->missing_count && i < WCTS_MUSTPASS_SHOWN; i++)
        json_array_append_new(missing, wcts_store_json_text(must->missing[i]));
    return json_pack("{s:o, s:i, s:i, s:o}", "version",
                     wcts_store_json_text(run->plan->spec->version), "of", must->of, "reached",
                     must->there, "missing", missing);
}

static json_t *feature_scope_json(const struct wcts_report_run *run, int index)
{
    const struct wcts_feature *feature = &run->plan->spec->features[index];
    struct wcts_report_feature_scope scope;
    wcts_report_scope_feature(&run->scope, &run->claims, index, &scope);
    return json_pack("{s:o, s:b, s:i, s:i, s:i}", "name", wcts_store_json_text(feature->name),
                     "claimed", scope.claimed, "statements", feature->statement_count, "in_scope",
                     scope.in, "tested", scope.tested);
}

/* How many cases show nothing of a kind of the driver's that other kinds show. */
static json_t *unshown_kinds_json(const struct wcts_report_scope *scope)
{
    json_t *object = json_object();
    for (int i = 0; i < scope->kind_count; i++) {
        const char *name = scope->kinds[i].name;
        json_int_t before = json_integer_value(json_object_get(object, name));
        json_object_set_new(object, name, json_integer(before + scope->kinds[i].cases));
    }
    return object;
}

/* The tested features, and how many statements are tested. */
static json_t *scope_json(const struct wcts_report_run *run)
{
    json_t *features = json_array();
    const struct wcts_report_counts counts = wcts_report_run_counts(run);
    for (int i = 0; i < run->plan->spec->features_count; i++)
        json_array_append_new(features, feature_scope_json(run, i));
    return json_pack("{s:o, s:i, s:i, s:i, s:i, s:i, s:o, s:o}", "features", features, "statements",
                     counts.in_scope, "tested", counts.tested, "testable", counts.testable,
                     "proven", counts.proven, "in_part", counts.in_part, "parts",
                     wcts_report_parts_json(run), "unshown_kinds", unshown_kinds_json(&run->scope));
}

/* What to implement next; empty when cases were left out. */
static json_t *next_json(const struct wcts_report_next *next)
{
    json_t *list = json_array();
    for (int i = 0; i < next->unlock_count; i++) {
        const struct wcts_report_unlock *unlock = &next->unlocks[i];
        json_array_append_new(list, json_pack("{s:o, s:i, s:i}", "implement",
                                              wcts_store_json_text(unlock->what), "cases",
                                              unlock->cases, "statements", unlock->statements));
    }
    return list;
}

/* The causes of failures in the order of the reports; empty before the end of the run. */
static json_t *causes_json(const struct wcts_report_run *run)
{
    const struct wcts_report_causes *causes = &run->causes;
    json_t *list = json_array();
    for (int i = 0; causes->order && i < causes->count; i++) {
        const struct wcts_report_cause *cause = &causes->list[causes->order[i]];
        const struct wcts_report_failure failure = wcts_report_cause_failure(cause);
        struct wcts_case made;
        const struct wcts_case *smallest = wcts_plan_case(run->plan, cause->smallest, &made);
        const struct wcts_statement *statement = wcts_report_cause_statement(causes, cause);
        json_t *value =
            json_pack("{s:s, s:o, s:i, s:i, s:o, s:o, s:o, s:o, s:o}", "verdict",
                      wcts_model_verdict_name(cause->verdict), "statement",
                      wcts_store_json_text(statement->id), "cases", cause->count, "statements",
                      cause->statements, "reason", wcts_store_json_text(cause->reason), "smallest",
                      wcts_store_json_text(smallest->id), "read-by",
                      lines_json(wcts_model_statement_read_by(causes->plan->spec, statement)),
                      "wrong", lines_json(wcts_report_wrong_text(causes->plan, &failure)),
                      "pattern", lines_json(wcts_report_pattern_text(causes, &failure)));
        if (cause->output)
            json_object_set_new(value, "output", lines_json(strdup(cause->output)));
        if (cause->backtrace)
            json_object_set_new(value, "backtrace", lines_json(strdup(cause->backtrace)));
        const struct wcts_report_order *order = wcts_report_order_of(run, smallest->id);
        if (order)
            json_object_set_new(value, "order", wcts_store_json_text(order->text));
        char *command =
            wcts_report_replay_text(run, wcts_report_failure_case(run->plan, &failure, &made));
        json_object_set_new(value, "reproduce", wcts_store_json_text(command));
        free(command);
        json_array_append_new(list, value);
    }
    return list;
}

static json_t *strings_json(const struct wcts_strings *strings)
{
    json_t *value = json_array();
    for (int i = 0; i < strings->count; i++)
        json_array_append_new(value, wcts_store_json_text(strings->of[i]));
    return value;
}

/* The options as they were given; NULL when they are not known. */
static json_t *words_json(const struct wcts_options *asked)
{
    json_t *words = asked->words ? json_array() : NULL;
    for (int i = 0; words && i < asked->word_count; i++)
        json_array_append_new(words, wcts_store_json_text(asked->words[i]));
    return words;
}

/* What a run that is resumed knows its options by. */
static json_t *words_sum_json(const struct wcts_options *asked)
{
    json_t *words = words_json(asked), *sum = words ? wcts_store_json_sum(words) : NULL;
    json_decref(words);
    return sum;
}

/* The options that left cases out; shard and versions are separate members. */
static json_t *selection_json(const struct wcts_report_run *run)
{
    const struct wcts_options *asked = &run->asked;
    return json_pack("{s:b, s:b, s:o, s:o, s:o}", "narrowed", run->narrowed, "partial",
                     run->partial, "filters", strings_json(&asked->filters), "excludes",
                     strings_json(&asked->excludes), "failed_of",
                     wcts_store_json_path(asked->failed_of));
}

/* How far --max-cases or --budget reaches, sort by sort; NULL without them. */
static json_t *budget_json(const struct wcts_report_run *run)
{
    json_t *sorts = json_object(), *sort;
    if (run->asked.max_cases == 0 && run->asked.budget == 0) {
        json_decref(sorts);
        return NULL;
    }
    for (int i = 0; i < WCTS_WORTH_COUNT; i++)
        if (run->strength.of[i] != 0) {
            sort = json_pack("{s:i, s:i}", "reached", run->strength.reached[i], "of",
                             run->strength.of[i]);
            if (run->strength.partly[i])
                json_object_set_new(sort, "partly", json_integer(run->strength.partly[i]));
            json_object_set_new(sorts, wcts_plan_worth_name((enum wcts_plan_worth)i), sort);
        }
    return json_pack("{s:o*, s:o*, s:o}", "max_cases",
                     run->asked.max_cases ? json_integer(run->asked.max_cases) : NULL, "seconds",
                     run->asked.budget > 0 ? json_real(run->asked.budget) : NULL, "strength",
                     sorts);
}

static json_t *sequences_json(const struct wcts_report_run *run)
{
    int seen, all;
    wcts_oracle_walk_coverage(run->plan->spec, &run->walk, &seen, &all);
    return json_pack("{s:I, s:I, s:I, s:i, s:i, s:o}", "steps", (json_int_t)run->walk.steps,
                     "operations", (json_int_t)run->walk.operations, "open",
                     (json_int_t)run->walk.open, "transitions", all, "transitions_seen", seen,
                     "unseen", lines_json(wcts_oracle_walk_unseen(run->plan->spec, &run->walk)));
}

/* ---- reading a run again ---- */

static bool read_text(const json_t *value, const char **to)
{
    *to = json_string_value(value);
    return *to != NULL;
}

/* Joins lines to one text, as far as there is room. */
static void join_lines(char *text, size_t room, const json_t *list)
{
    size_t used = 0;
    for (size_t i = 0; i < json_array_size(list) && used < room; i++) {
        const char *line = json_string_value(json_array_get(list, i));
        int wrote = snprintf(text + used, room - used, "%s%s", i ? "\n" : "", line ? line : "");
        used += wrote > 0 ? (size_t)wrote : 0;
    }
}

static bool read_claims(struct wcts_claims *claims, const json_t *value)
{
    const char *name, *version;
    const json_t *sizes;
    if (!read_text(json_object_get(value, "name"), &name) ||
        !read_text(json_object_get(value, "version"), &version))
        return false;
    snprintf(claims->name, sizeof claims->name, "%s", name);
    snprintf(claims->version, sizeof claims->version, "%s", version);
    snprintf(claims->profile, sizeof claims->profile, "%s",
             wcts_store_json_member(value, "profile"));
    claims->first_interface_version =
        (uint32_t)json_integer_value(json_object_get(value, "first_interface_version"));
    claims->last_interface_version =
        (uint32_t)json_integer_value(json_object_get(value, "last_interface_version"));
    claims->sides = wcts_report_json_sides(json_object_get(value, "sides"));
    claims->capabilities = worded_bits(wcts_capability_words, wcts_capability_bits,
                                       json_object_get(value, "capabilities"));
    read_side(claims, false, json_object_get(value, "kernel"));
    read_side(claims, true, json_object_get(value, "driver"));
    sizes = json_object_get(value, "page_sizes");
    for (size_t i = 0; i < json_array_size(sizes); i++)
        claims->page_sizes |= (uint32_t)json_integer_value(json_array_get(sizes, i));
    for (uint32_t i = 0; wcts_patches_words[i]; i++)
        if (strcmp(wcts_patches_words[i], wcts_store_json_member(value, "patches")) == 0)
            claims->patches = i;
    join_lines(claims->remarks, sizeof claims->remarks, json_object_get(value, "remarks"));
    return true;
}

static bool read_started(time_t *started, const char *text)
{
    struct tm tm = {0};
    if (!strptime(text, "%Y-%m-%dT%H:%M:%SZ", &tm))
        return false;
    *started = timegm(&tm);
    return true;
}

/* An unfinished run counts as stopped. */
static bool read_end(enum wcts_run_pool_end *end, const char *text)
{
    *end = WCTS_POOL_STOPPED;
    for (int i = WCTS_POOL_DONE; i <= WCTS_POOL_NO_START; i++)
        if (strcmp(text, wcts_report_end_name((enum wcts_run_pool_end)i)) == 0)
            *end = (enum wcts_run_pool_end)i;
    return text[0] != '\0';
}

static bool read_selection(struct wcts_report_run *run, const json_t *value)
{
    run->narrowed = json_is_true(json_object_get(value, "narrowed"));
    run->partial = run->narrowed && !json_is_false(json_object_get(value, "partial"));
    return true;
}

bool wcts_report_json_read_budget(struct wcts_report_run *run, const json_t *value)
{
    const json_t *sorts = json_object_get(value, "strength");
    run->asked.max_cases = (int)json_integer_value(json_object_get(value, "max_cases"));
    run->asked.budget = json_number_value(json_object_get(value, "seconds"));
    for (int i = 0; i < WCTS_WORTH_COUNT; i++) {
        const json_t *sort = json_object_get(sorts, wcts_plan_worth_name((enum wcts_plan_worth)i));
        run->strength.reached[i] = (int)json_integer_value(json_object_get(sort, "reached"));
        run->strength.of[i] = (int)json_integer_value(json_object_get(sort, "of"));
        run->strength.partly[i] = (int)json_integer_value(json_object_get(sort, "partly"));
    }
    return true;
}

/* A number and a text; NULL when the number is 0. */
static json_t *noted_json(int count, const char *number, const char *name, const char *text)
{
    return count ? json_pack("{s:i, s:o}", number, count, name, wcts_store_json_text(text)) : NULL;
}

static bool read_noted(const json_t *value, const char *number, int *count, const char *name,
                       char *text, size_t room)
{
    *count = (int)json_integer_value(json_object_get(value, number));
    snprintf(text, room, "%s", wcts_store_json_member(value, name));
    return true;
}

static bool read_next_step(struct wcts_report_next *next, const json_t *value)
{
    const json_t *one;
    size_t i;
    wcts_report_next_clear(next);
    json_array_foreach(value, i, one)
    {
        if (json_is_string(json_object_get(one, "implement")))
            wcts_report_next_keep(next, wcts_store_json_member(one, "implement"),
                                  (int)json_integer_value(json_object_get(one, "cases")),
                                  (int)json_integer_value(json_object_get(one, "statements")));
    }
    return true;
}

/* A run that is read again has a profile already, or none on purpose. */
static bool read_profile(struct wcts_report_run *run, const json_t *value)
{
    wcts_load_profile_free(run->described);
    run->described = wcts_report_profile_read(value, run->plan ? run->plan->spec : NULL);
    run->asked.profile = run->described;
    run->asked.profile_named = run->described && json_is_true(json_object_get(value, "named"));
    return true;
}

/* The claims are raised again, as the run raised them. */
static bool read_upgrade(struct wcts_report_run *run, const json_t *value)
{
    int version =
        run->plan ? wcts_model_spec_version(run->plan->spec, wcts_store_json_member(value, "to"))
                  : -1;
    if (version < 0)
        return !value || !run->plan;
    run->asked.upgrade_to = run->plan->spec->versions[version].name;
    run->asked.upgrade = run->plan->spec->versions[version].interface_version;
    wcts_model_claims_raise(&run->claims, run->asked.upgrade);
    return true;
}

static bool read_headline(struct wcts_report_run *run, const json_t *value)
{
    if (json_is_string(value)) {
        free(run->headline);
        run->headline = strdup(json_string_value(value));
    }
    return true;
}

#define FLAG_FIELD(flag, X)                                                                        \
    X(#flag, ASKED, run->asked.flag ? json_true() : NULL,                                          \
      (run->asked.flag = json_is_true(value), true))

/* The members of run.json, in order. X(name, when it is read, value to write, expression that reads
 * it). A member whose value is NULL is not written. The reading expression is false when the member
 * is invalid; value is the member and text its string or "". */
#define RUN_FIELDS(X)                                                                              \
    X("tool_version", NEVER, json_string(WCTS_VERSION), true)                                      \
    X("spec_version", NEVER, wcts_store_json_text(run->plan->spec->version), true)                 \
    X("spec_digest", NEVER, wcts_store_json_text(run->plan->spec->digest), true)                   \
    X("command_line", NEVER, wcts_store_json_text(run->asked.command_line), true)                  \
    X("options", NEVER, words_json(&run->asked), true)                                             \
    X("options_checksum", NEVER, words_sum_json(&run->asked), true)                                \
    X("implementation", ASKED, implementation_json(run),                                           \
      read_text(json_object_get(value, "path"), &run->asked.implementation.path) &&                \
          read_text(json_object_get(value, "options"), &run->asked.implementation.options))        \
    X("claims", ASKED, wcts_report_json_claims(&run->claims), read_claims(&run->claims, value))    \
    X("level", ASKED, json_string(wcts_model_level_name(run->asked.level)),                        \
      wcts_model_level_find(text, &run->asked.level))                                              \
    X("profile", ASKED, wcts_report_profile_json(run), read_profile(run, value))                   \
    X("declaration", ASKED, wcts_report_declaration_json(run),                                     \
      wcts_report_declaration_read(run, value))                                                    \
    X("upgrade", ASKED, wcts_report_upgrade_json(run), read_upgrade(run, value))                   \
    X("suite", ASKED, json_string(wcts_model_suite_name(run->asked.suite)),                        \
      wcts_model_suite_find(text, &run->asked.suite))                                              \
    X("wddm", ASKED, versions_json(run),                                                           \
      read_text(json_object_get(value, "first"), &run->asked.first_version) &&                     \
          read_text(json_object_get(value, "last"), &run->asked.last_version))                     \
    X("seed", ASKED, json_integer((json_int_t)run->asked.seed),                                    \
      (run->asked.seed = (uint64_t)json_integer_value(value), json_is_integer(value)))             \
    X("shard", ASKED,                                                                              \
      json_pack("{s:i, s:i}", "number", run->asked.shard, "of", run->asked.shards),                \
      (run->asked.shard = (int)json_integer_value(json_object_get(value, "number")),               \
       run->asked.shards = (int)json_integer_value(json_object_get(value, "of")), true))           \
    X("selection", ASKED, selection_json(run), read_selection(run, value))                         \
    X("budget", ASKED, budget_json(run), wcts_report_json_read_budget(run, value))                 \
    X("merged", NEVER, run->merged ? json_deep_copy(run->merged) : NULL, true)                     \
    X("missing", ASKED, run->missing ? json_integer(run->missing) : NULL,                          \
      (run->missing = (int)json_integer_value(value), run->missing >= 0))                          \
    X("started", ASKED, started_json(run->started), read_started(&run->started, text))             \
    X("seconds", ASKED, wcts_store_json_seconds(run->seconds),                                     \
      (run->seconds = json_number_value(value), true))                                             \
    X("selected", NEVER, json_integer(run->selected_count), true)                                  \
    X("reached", NEVER, json_integer(run->total.count), true)                                      \
    X("totals", NEVER, tally_json(&run->total), true)                                              \
    X("sequences", NEVER, run->walk.steps ? sequences_json(run) : NULL, true)                      \
    X("baseline", NEVER, run->baseline ? baseline_json(run->baseline) : NULL, true)                \
    WCTS_JUDGING_FLAGS(FLAG_FIELD, X)                                                              \
    X("retries", NEVER, run->asked.retries ? json_integer(run->asked.retries) : NULL, true)        \
    X("repeat", NEVER, run->asked.repeat ? json_integer(run->asked.repeat) : NULL, true)           \
    X("memory_limit", ASKED,                                                                       \
      run->asked.memory_limit ? json_integer((json_int_t)run->asked.memory_limit) : NULL,          \
      (run->asked.memory_limit = (uint64_t)json_integer_value(value), true))                       \
    X("shuffle", ASKED,                                                                            \
      run->asked.shuffle ? json_integer((json_int_t)run->asked.shuffle_seed) : NULL,               \
      (run->asked.shuffle = json_is_integer(value),                                                \
       run->asked.shuffle_seed = (uint64_t)json_integer_value(value), true))                       \
    X("unrepeated", ASKED,                                                                         \
      noted_json(run->unrepeated.count, "cases", "first", run->unrepeated.first),                  \
      read_noted(value, "cases", &run->unrepeated.count, "first", run->unrepeated.first,           \
                 sizeof run->unrepeated.first))                                                    \
    X("order", ASKED, wcts_report_orders_json(&run->orders),                                       \
      wcts_report_orders_read(&run->orders, value))                                                \
    X("left_behind", ASKED, noted_json(run->left.count, "processes", "names", run->left.names),    \
      read_noted(value, "processes", &run->left.count, "names", run->left.names,                   \
                 sizeof run->left.names))                                                          \
    X("mustpass", NEVER, mustpass_json(run), true)                                                 \
    X("planned", NEVER, json_integer(run->planned), true)                                          \
    X("scope", NEVER, scope_json(run), true)                                                       \
    X("next", COUNTED, next_json(&run->next), read_next_step(&run->next, value))                   \
    X("causes", NEVER, causes_json(run), true)                                                     \
    X("end", ASKED, json_string(wcts_report_end_name(run->end)), read_end(&run->end, text))        \
    X("error", ASKED, wcts_store_json_text(given(run->error) ? run->error : NULL),                 \
      snprintf(run->error, sizeof run->error, "%s", text) >= 0)                                    \
    X("conclusion", COUNTED, wcts_store_json_text(run->conclusion),                                \
      (read_text(value, &run->conclusion), true))                                                  \
    X("headline", COUNTED, wcts_store_json_text(run->headline), read_headline(run, value))         \
    X("exit_code", COUNTED, json_integer(run->exit_code),                                          \
      (run->exit_code = (int)json_integer_value(value), true))

enum report_when { NEVER, ASKED, COUNTED };

json_t *wcts_report_json_run(const struct wcts_report_run *run)
{
    json_t *object = json_object();
#define WRITE(name, when, write, read) json_object_set_new(object, name, write);
    RUN_FIELDS(WRITE)
#undef WRITE
    return object;
}

const char *wcts_report_json_read_run(struct wcts_report_run *run, const json_t *object,
                                      bool counted)
{
    const enum report_when now = counted ? COUNTED : ASKED;
    const json_t *value;
    const char *text;
#define READ(name, when, write, read)                                                              \
    value = json_object_get(object, name);                                                         \
    text = value ? wcts_store_json_member(object, name) : "";                                      \
    if ((when) == now && !(read))                                                                  \
        return name;
    RUN_FIELDS(READ)
#undef READ
    return NULL;
}
