/* SPDX-License-Identifier: MIT */
#include "result_fields.h"

#include <stdlib.h>
#include <string.h>

#include "../plan/plan.h"
#include "json.h"

const struct wcts_store_result_field wcts_result_fields[] = {
#define ROW(name, type, member, place, xml)                                                        \
    {name, WCTS_FIELD_##type, offsetof(struct wcts_store_entry, member), WCTS_PLACE_##place, xml},
    WCTS_RESULT_FIELDS(ROW)
#undef ROW
        {0}};

/* ---- members that are objects ---- */

static void put_given(json_t *object, const char *key, const char *text)
{
    if (text && text[0])
        json_object_set_new(object, key, wcts_store_json_text(text));
}

static json_t *verdict_json(enum wcts_verdict verdict)
{
    return json_string(wcts_model_verdict_name(verdict));
}

static json_t *result_waiver_json(const struct wcts_baseline_waiver *waiver)
{
    json_t *value =
        json_pack("{s:o, s:I, s:o}", "file", wcts_store_json_path(waiver->place.file), "line",
                  (json_int_t)waiver->place.line, "reason", wcts_store_json_text(waiver->reason));
    put_given(value, "link", waiver->link);
    json_object_set_new(value, "expires", wcts_store_json_text(waiver->expires));
    return value;
}

static struct wcts_baseline_waiver *read_waiver(const json_t *value)
{
    struct wcts_baseline_waiver *waiver = calloc(1, sizeof *waiver);
    if (!waiver)
        return NULL;
    waiver->place.file = wcts_store_json_member(value, "file");
    waiver->place.line = (long)json_integer_value(json_object_get(value, "line"));
    waiver->reason = wcts_store_json_member(value, "reason");
    waiver->link = wcts_store_json_member(value, "link");
    waiver->expires = wcts_store_json_member(value, "expires");
    return waiver;
}

static void put_times(json_t *value, int times)
{
    if (times > 0)
        json_object_set_new(value, "times", json_integer(times));
}

static int times_of(const json_t *value)
{
    json_int_t times = json_integer_value(json_object_get(value, "times"));
    return times > 0 && times <= WCTS_REPEAT_MAX ? (int)times : 0;
}

static json_t *tries_json(const struct wcts_result *result)
{
    json_t *tries = json_array();
    for (int i = 0; i < result->try_count; i++) {
        const struct wcts_try *one = &result->tries[i];
        json_t *value = json_object();
        json_object_set_new(value, "verdict", verdict_json(one->verdict));
        json_object_set_new(value, "reason", wcts_store_json_text(one->reason ? one->reason : ""));
        put_given(value, "detail", one->detail);
        put_times(value, one->times);
        json_array_append_new(tries, value);
    }
    return tries;
}

static enum wcts_verdict find_verdict(const char *name)
{
    int i = 0;
    while (i < WCTS_VERDICT_COUNT &&
           strcmp(wcts_model_verdict_name((enum wcts_verdict)i), name) != 0)
        i++;
    return (enum wcts_verdict)i;
}

static char *text_of(const json_t *object, const char *key)
{
    return (char *)(uintptr_t)wcts_store_json_member(object, key);
}

static void read_tries(struct wcts_result *result, const json_t *value)
{
    result->tries = calloc(json_array_size(value) + 1, sizeof *result->tries);
    for (size_t i = 0; result->tries && i < json_array_size(value); i++) {
        const json_t *one = json_array_get(value, i);
        const struct wcts_try attempt = {.verdict =
                                             find_verdict(wcts_store_json_member(one, "verdict")),
                                         .reason = text_of(one, "reason"),
                                         .detail = text_of(one, "detail"),
                                         .times = times_of(one)};
        if (attempt.verdict != WCTS_VERDICT_COUNT)
            result->tries[result->try_count++] = attempt;
    }
}

/* ---- findings ---- */

static const char *rule_name(const struct wcts_spec *spec, int broken)
{
    return broken > 0 && broken <= spec->rules_count ? spec->rules[broken - 1].id : "";
}

/* The findings of an attempt; the first has how often it came. */
static json_t *attempt_json(const struct wcts_finding *finding, int times,
                            const struct wcts_spec *spec)
{
    json_t *list = json_array();
    for (; finding; finding = finding->next) {
        json_t *value = json_pack("{s:i, s:s}", "levels", (int)finding->levels, "found",
                                  wcts_model_found_name(finding->found));
        put_given(value, "skip", wcts_model_skip_name(finding->skip));
        put_given(value, "rule", rule_name(spec, finding->broken));
        put_given(value, "reason", finding->reason);
        put_given(value, "detail", finding->detail);
        if (finding->fails)
            json_object_set_new(value, "fails", json_true());
        if (finding->observed)
            json_object_set_new(value, "observed", json_true());
        if (finding->partly)
            json_object_set_new(value, "partly", json_true());
        put_times(value, times);
        times = 0;
        json_array_append_new(list, value);
    }
    return list;
}

static json_t *found_json(const struct wcts_result *result, const struct wcts_spec *spec)
{
    json_t *attempts = json_array();
    for (int i = 0; i < result->tried; i++)
        json_array_append_new(
            attempts, attempt_json(&result->tries[i].finding, result->tries[i].times, spec));
    json_array_append_new(attempts, attempt_json(&result->finding, result->times, spec));
    return attempts;
}

static int rule_named(const struct wcts_spec *spec, const char *id)
{
    for (int i = 0; spec && id[0] && i < spec->rules_count; i++)
        if (strcmp(spec->rules[i].id, id) == 0)
            return i + 1;
    return 0;
}

static enum wcts_skip find_skip(const char *name)
{
    int i = WCTS_SKIP_COUNT - 1;
    while (i > 0 && strcmp(wcts_model_skip_name((enum wcts_skip)i), name) != 0)
        i--;
    return (enum wcts_skip)i;
}

static char *given_copy(const char *text)
{
    return text && text[0] ? strdup(text) : NULL;
}

/* False when the value is no finding, or memory is short. */
static bool read_finding(struct wcts_finding *to, const json_t *value, const struct wcts_spec *spec)
{
    const char *name = wcts_store_json_member(value, "found");
    struct wcts_finding finding = {
        .levels = (unsigned)json_integer_value(json_object_get(value, "levels")) & WCTS_LEVELS_ALL,
        .skip = find_skip(wcts_store_json_member(value, "skip")),
        .fails = json_is_true(json_object_get(value, "fails")),
        .observed = json_is_true(json_object_get(value, "observed")),
        .partly = json_is_true(json_object_get(value, "partly")),
        .broken = rule_named(spec, wcts_store_json_member(value, "rule")),
        .reason = given_copy(wcts_store_json_member(value, "reason")),
        .detail = given_copy(wcts_store_json_member(value, "detail"))};
    int found = 0;
    while (found < WCTS_FOUND_COUNT &&
           strcmp(wcts_model_found_name((enum wcts_found)found), name) != 0)
        found++;
    finding.found = (enum wcts_found)found;
    if (found < WCTS_FOUND_COUNT && finding.levels != 0)
        return wcts_model_finding_add(to, &finding);
    wcts_model_finding_release(&finding);
    return false;
}

static bool read_attempt(struct wcts_finding *to, const json_t *list, const struct wcts_spec *spec)
{
    bool good = json_array_size(list) > 0;
    unsigned known = 0;
    for (size_t i = 0; good && i < json_array_size(list); i++) {
        const json_t *value = json_array_get(list, i);
        unsigned levels = (unsigned)json_integer_value(json_object_get(value, "levels"));
        good = (known & levels) == 0 && read_finding(to, value, spec);
        known |= levels;
    }
    return good;
}

/* Derives the finding from a verdict whose entry has no findings. */
static bool found_of(const struct wcts_result *read, struct wcts_finding *finding)
{
    static const enum wcts_found founds[] = {
        [WCTS_VERDICT_PASS] = WCTS_FOUND_KEPT,      [WCTS_VERDICT_WARN] = WCTS_FOUND_BROKEN,
        [WCTS_VERDICT_SKIP] = WCTS_FOUND_NOTHING,   [WCTS_VERDICT_WAIVED] = WCTS_FOUND_BROKEN,
        [WCTS_VERDICT_FIXED] = WCTS_FOUND_KEPT,     [WCTS_VERDICT_FAIL] = WCTS_FOUND_BROKEN,
        [WCTS_VERDICT_CRASH] = WCTS_FOUND_CRASH,    [WCTS_VERDICT_TIMEOUT] = WCTS_FOUND_HANG,
        [WCTS_VERDICT_FLAKY] = WCTS_FOUND_BROKEN,   [WCTS_VERDICT_DECLINED] = WCTS_FOUND_DECLINED,
        [WCTS_VERDICT_BROKEN] = WCTS_FOUND_TROUBLE, [WCTS_VERDICT_DEVIATES] = WCTS_FOUND_BROKEN,
    };
    bool fixed = read->verdict == WCTS_VERDICT_FIXED;
    *finding = (struct wcts_finding){.levels = WCTS_LEVELS_ALL,
                                     .found = founds[read->was],
                                     .skip = read->skip,
                                     .broken = read->broken,
                                     .reason = fixed ? NULL : given_copy(read->reason),
                                     .detail = given_copy(read->detail)};
    return fixed || !read->reason[0] || finding->reason;
}

bool wcts_store_entry_found(const struct wcts_store_entry *entry, const struct wcts_spec *spec,
                            struct wcts_result *result)
{
    const struct wcts_result *read = &entry->result;
    const json_t *attempts = json_object_get(entry->value, "found");
    size_t count = json_array_size(attempts);
    bool good = true;
    *result = (struct wcts_result){.seen = read->seen,
                                   .answered = read->answered,
                                   .nanoseconds = read->nanoseconds,
                                   .walk = read->walk,
                                   .ended = read->ended,
                                   .ended_in = read->ended_in,
                                   .backtrace = read->backtrace};
    if (count == 0)
        return found_of(read, &result->finding);
    result->tries = calloc(count, sizeof *result->tries);
    for (size_t i = 0; good && i < count; i++) {
        bool last = i + 1 == count;
        good = result->tries &&
               read_attempt(last ? &result->finding : &result->tries[result->tried].finding,
                            json_array_get(attempts, i), spec);
        int times = times_of(json_array_get(json_array_get(attempts, i), 0));
        if (last)
            result->times = times;
        else if (result->tries)
            result->tries[result->tried].times = times;
        result->tried += result->tries && !last;
    }
    if (!good)
        wcts_model_result_release(result);
    return good;
}

/* What is paged is there of drivers alone. */
static json_t *answered_json(const struct wcts_answered *answered)
{
    json_t *list;
    if (!(answered->implemented | answered->accepted | answered->missing))
        return NULL;
    list = json_pack("[I, I, I]", (json_int_t)answered->implemented, (json_int_t)answered->accepted,
                     (json_int_t)answered->missing);
    if (answered->paged | answered->unpaged) {
        json_array_append_new(list, json_integer(answered->paged));
        json_array_append_new(list, json_integer(answered->unpaged));
    }
    return list;
}

static void read_answered(struct wcts_answered *answered, const json_t *value)
{
    uint64_t *const members[] = {&answered->implemented, &answered->accepted, &answered->missing};
    for (size_t i = 0; i < 3; i++)
        *members[i] = (uint64_t)json_integer_value(json_array_get(value, i));
    answered->paged = (uint32_t)json_integer_value(json_array_get(value, 3));
    answered->unpaged = (uint32_t)json_integer_value(json_array_get(value, 4));
}

/* Of each set of entries, and of the two answers, a number. */
static json_t *profile_json(const struct wcts_result *result)
{
    const struct wcts_profile_seen *seen = &result->seen;
    if (!(seen->refused | seen->accepted | seen->holds | seen->declared | result->shown |
          result->against | result->unshown) &&
        !seen->own && !seen->swept)
        return NULL;
    return json_pack(
        "[I, I, I, I, i, i, I, I, I]", (json_int_t)seen->refused, (json_int_t)seen->accepted,
        (json_int_t)seen->holds, (json_int_t)seen->declared, (int)seen->own, (int)seen->swept,
        (json_int_t)result->shown, (json_int_t)result->against, (json_int_t)result->unshown);
}

static void read_result_profile(struct wcts_result *result, const json_t *value)
{
    struct wcts_profile_seen *seen = &result->seen;
    uint64_t *const sets[] = {
        &seen->refused, &seen->accepted, &seen->holds,     &seen->declared, NULL,
        NULL,           &result->shown,  &result->against, &result->unshown};
    json_int_t own = json_integer_value(json_array_get(value, 4));
    json_int_t swept = json_integer_value(json_array_get(value, 5));
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        if (sets[i])
            *sets[i] = (uint64_t)json_integer_value(json_array_get(value, i));
    if (own > 0 && own <= WCTS_PROFILE_REFUSED)
        seen->own = (enum wcts_profile_answer)own;
    if (swept > 0 && swept <= WCTS_PROFILE_SWEPT_UNKNOWN)
        seen->swept = (enum wcts_profile_swept)swept;
}

/* ---- sequences ---- */

/* steps, operations, open, seen, refused, reserved */
static json_t *walk_json(const struct wcts_walk_numbers *walk)
{
    if (walk->steps == 0)
        return NULL;
    return json_pack("[I, I, I, I, I, I, I]", (json_int_t)walk->steps, (json_int_t)walk->operations,
                     (json_int_t)walk->open, (json_int_t)walk->seen[0], (json_int_t)walk->seen[1],
                     (json_int_t)walk->refused, (json_int_t)walk->reserved);
}

static void read_walk(struct wcts_walk_numbers *walk, const json_t *value)
{
    uint64_t *const members[] = {&walk->steps, &walk->operations, &walk->open, &walk->seen[0],
                                 &walk->seen[1]};
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++)
        *members[i] = (uint64_t)json_integer_value(json_array_get(value, i));
    walk->refused = (uint32_t)json_integer_value(json_array_get(value, 5));
    walk->reserved = (uint32_t)json_integer_value(json_array_get(value, 6));
}

/* ---- all members ---- */

/* A pointer to a member, by its type. */
union store_member {
    void *at;
    const char **text;
    char *chars;
    enum wcts_verdict *verdict;
    enum wcts_skip *skip;
    struct wcts_result *result;
    const struct wcts_baseline_waiver **waiver;
    uint64_t *nanoseconds;
    int *rule;
    struct wcts_answered *answered;
    struct wcts_walk_numbers *walk;
};

/* NULL when the member is not written. */
static json_t *write_member(enum wcts_store_field_type type, union store_member from,
                            const struct wcts_spec *spec)
{
    const char *text = "";
    switch (type) {
    case WCTS_FIELD_TEXT:
        return wcts_store_json_text(*from.text ? *from.text : "");
    case WCTS_FIELD_GIVEN:
        text = *from.text;
        break;
    case WCTS_FIELD_CHARS:
        text = from.chars;
        break;
    case WCTS_FIELD_SKIP:
        text = wcts_model_skip_name(*from.skip);
        break;
    case WCTS_FIELD_VERDICT:
        return verdict_json(*from.verdict);
    case WCTS_FIELD_WAS:
        return from.result->waiver ? verdict_json(from.result->was) : NULL;
    case WCTS_FIELD_WAIVER:
        return *from.waiver ? result_waiver_json(*from.waiver) : NULL;
    case WCTS_FIELD_TRIES:
        return from.result->try_count ? tries_json(from.result) : NULL;
    case WCTS_FIELD_SECONDS:
        return wcts_store_json_seconds((double)*from.nanoseconds / 1e9);
    case WCTS_FIELD_RULE:
        text = rule_name(spec, *from.rule);
        break;
    case WCTS_FIELD_FOUND:
        /* unless verdict, reason and attempts determine the findings */
        return from.result->tried > 0 || from.result->finding.next || from.result->finding.fails ||
                       from.result->profiled || from.result->finding.observed ||
                       from.result->finding.partly
                   ? found_json(from.result, spec)
                   : NULL;
    case WCTS_FIELD_PROFILE:
        return profile_json(from.result);
    case WCTS_FIELD_ANSWERED:
        return answered_json(from.answered);
    case WCTS_FIELD_WALK:
        return walk_json(from.walk);
    case WCTS_FIELD_ENDED:
        return from.result->ended ? json_integer(from.result->ended_in) : NULL;
    }
    return text && text[0] ? wcts_store_json_text(text) : NULL;
}

static void read_member(enum wcts_store_field_type type, union store_member to, const json_t *value,
                        const struct wcts_spec *spec)
{
    const char *text = json_is_string(value) ? json_string_value(value) : "";
    double nanoseconds;
    switch (type) {
    case WCTS_FIELD_TEXT:
    case WCTS_FIELD_GIVEN:
        *to.text = text;
        break;
    case WCTS_FIELD_CHARS:
        snprintf(to.chars, WCTS_SIGNATURE_SIZE, "%s", text);
        break;
    case WCTS_FIELD_SKIP:
        *to.skip = find_skip(text);
        break;
    case WCTS_FIELD_VERDICT:
        *to.verdict = find_verdict(text);
        break;
    case WCTS_FIELD_WAS:
        to.result->was = find_verdict(text);
        if (to.result->was == WCTS_VERDICT_COUNT)
            to.result->was = to.result->verdict;
        break;
    case WCTS_FIELD_WAIVER:
        *to.waiver = json_is_object(value) ? read_waiver(value) : NULL;
        break;
    case WCTS_FIELD_TRIES:
        if (json_array_size(value) > 0)
            read_tries(to.result, value);
        break;
    case WCTS_FIELD_SECONDS:
        nanoseconds = json_number_value(value) * 1e9;
        *to.nanoseconds = nanoseconds > 0 && nanoseconds < 1e18 ? (uint64_t)(nanoseconds + 0.5) : 0;
        break;
    case WCTS_FIELD_RULE:
        *to.rule = rule_named(spec, text);
        break;
    case WCTS_FIELD_FOUND: /* read on demand: wcts_store_entry_found */
        break;
    case WCTS_FIELD_PROFILE:
        read_result_profile(to.result, value);
        break;
    case WCTS_FIELD_ANSWERED:
        read_answered(to.answered, value);
        break;
    case WCTS_FIELD_WALK:
        read_walk(to.walk, value);
        break;
    case WCTS_FIELD_ENDED:
        to.result->ended = value != NULL;
        to.result->ended_in = (uint32_t)json_integer_value(value);
    }
}

static union store_member entry_member(struct wcts_store_entry *entry,
                                       const struct wcts_store_result_field *field)
{
    return (union store_member){(char *)entry + field->offset};
}

json_t *wcts_store_result_json(const struct wcts_spec *spec, const struct wcts_case *test,
                               const struct wcts_result *result, const char *output)
{
    struct wcts_store_entry entry = {.id = test->id, .output = output, .result = *result};
    json_t *value = json_object();
    for (const struct wcts_store_result_field *field = wcts_result_fields; field->name; field++) {
        json_t *member = write_member(field->type, entry_member(&entry, field), spec);
        if (member)
            json_object_set_new(value, field->name, member);
    }
    return value;
}

bool wcts_store_entry_read(struct wcts_store_entry *entry, const struct wcts_spec *spec,
                           json_t *value)
{
    *entry = (struct wcts_store_entry){.value = value};
    for (const struct wcts_store_result_field *field = wcts_result_fields; field->name; field++)
        read_member(field->type, entry_member(entry, field), json_object_get(value, field->name),
                    spec);
    return entry->id[0] != '\0' && entry->result.verdict != WCTS_VERDICT_COUNT;
}

void wcts_store_entry_release(struct wcts_store_entry *entry)
{
    free((void *)(uintptr_t)entry->result.waiver);
    free(entry->result.tries);
    json_decref(entry->value);
    *entry = (struct wcts_store_entry){0};
}
