/* SPDX-License-Identifier: MIT */
#include "result_fields.h"

#include <stdlib.h>
#include <string.h>

#include "../plan/plan.h"
#include "json.h"

const struct wcts_result_field wcts_result_fields[] = {
#define ROW(name, type, member, place, xml)                                                        \
    {name, WCTS_FIELD_##type, offsetof(struct wcts_entry, member), WCTS_PLACE_##place, xml},
    WCTS_RESULT_FIELDS(ROW)
#undef ROW
        {0}};

/* ---- members that are objects ---- */

static void put_given(json_t *object, const char *key, const char *text)
{
    if (text && text[0])
        json_object_set_new(object, key, wcts_json_text(text));
}

static json_t *verdict_json(enum wcts_verdict verdict)
{
    return json_string(wcts_verdict_name(verdict));
}

static json_t *waiver_json(const struct wcts_waiver *waiver)
{
    json_t *value =
        json_pack("{s:o, s:I, s:o}", "file", wcts_json_path(waiver->place.file), "line",
                  (json_int_t)waiver->place.line, "reason", wcts_json_text(waiver->reason));
    put_given(value, "link", waiver->link);
    json_object_set_new(value, "expires", wcts_json_text(waiver->expires));
    return value;
}

static struct wcts_waiver *read_waiver(const json_t *value)
{
    struct wcts_waiver *waiver = calloc(1, sizeof *waiver);
    if (!waiver)
        return NULL;
    waiver->place.file = wcts_json_member(value, "file");
    waiver->place.line = (long)json_integer_value(json_object_get(value, "line"));
    waiver->reason = wcts_json_member(value, "reason");
    waiver->link = wcts_json_member(value, "link");
    waiver->expires = wcts_json_member(value, "expires");
    return waiver;
}

static json_t *tries_json(const struct wcts_result *result)
{
    json_t *tries = json_array();
    for (int i = 0; i < result->try_count; i++) {
        const struct wcts_try *one = &result->tries[i];
        json_t *value = json_object();
        json_object_set_new(value, "verdict", verdict_json(one->verdict));
        json_object_set_new(value, "reason", wcts_json_text(one->reason ? one->reason : ""));
        put_given(value, "detail", one->detail);
        json_array_append_new(tries, value);
    }
    return tries;
}

static enum wcts_verdict find_verdict(const char *name)
{
    int i = 0;
    while (i < WCTS_VERDICT_COUNT && strcmp(wcts_verdict_name((enum wcts_verdict)i), name) != 0)
        i++;
    return (enum wcts_verdict)i;
}

static char *text_of(const json_t *object, const char *key)
{
    return (char *)(uintptr_t)wcts_json_member(object, key);
}

static void read_tries(struct wcts_result *result, const json_t *value)
{
    result->tries = calloc(json_array_size(value) + 1, sizeof *result->tries);
    for (size_t i = 0; result->tries && i < json_array_size(value); i++) {
        const json_t *one = json_array_get(value, i);
        const struct wcts_try attempt = {.verdict = find_verdict(wcts_json_member(one, "verdict")),
                                         .reason = text_of(one, "reason"),
                                         .detail = text_of(one, "detail")};
        if (attempt.verdict != WCTS_VERDICT_COUNT)
            result->tries[result->try_count++] = attempt;
    }
}

/* ---- all members ---- */

/* Where a member is, by its type. */
union member {
    void *at;
    const char **text;
    char *chars;
    enum wcts_verdict *verdict;
    enum wcts_skip *skip;
    struct wcts_result *result;
    const struct wcts_waiver **waiver;
    uint64_t *nanoseconds;
    int *rule;
};

/* NULL: it is not written. */
static json_t *write_member(enum wcts_field_type type, union member from,
                            const struct wcts_spec *spec)
{
    const char *text = "";
    switch (type) {
    case WCTS_FIELD_TEXT:
        return wcts_json_text(*from.text ? *from.text : "");
    case WCTS_FIELD_GIVEN:
        text = *from.text;
        break;
    case WCTS_FIELD_CHARS:
        text = from.chars;
        break;
    case WCTS_FIELD_SKIP:
        text = wcts_skip_name(*from.skip);
        break;
    case WCTS_FIELD_VERDICT:
        return verdict_json(*from.verdict);
    case WCTS_FIELD_WAS:
        return from.result->waiver ? verdict_json(from.result->was) : NULL;
    case WCTS_FIELD_WAIVER:
        return *from.waiver ? waiver_json(*from.waiver) : NULL;
    case WCTS_FIELD_TRIES:
        return from.result->try_count ? tries_json(from.result) : NULL;
    case WCTS_FIELD_SECONDS:
        return wcts_json_seconds((double)*from.nanoseconds / 1e9);
    case WCTS_FIELD_RULE:
        text =
            *from.rule > 0 && *from.rule <= spec->rules_count ? spec->rules[*from.rule - 1].id : "";
    }
    return text && text[0] ? wcts_json_text(text) : NULL;
}

static void read_member(enum wcts_field_type type, union member to, const json_t *value,
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
        for (int i = 0; i < WCTS_SKIP_COUNT; i++)
            if (strcmp(wcts_skip_name((enum wcts_skip)i), text) == 0)
                *to.skip = (enum wcts_skip)i;
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
        for (int i = 0; spec && text[0] && i < spec->rules_count; i++)
            if (strcmp(spec->rules[i].id, text) == 0)
                *to.rule = i + 1;
    }
}

static union member entry_member(struct wcts_entry *entry, const struct wcts_result_field *field)
{
    return (union member){(char *)entry + field->offset};
}

json_t *wcts_result_json(const struct wcts_spec *spec, const struct wcts_case *one,
                         const struct wcts_result *result, const char *output)
{
    struct wcts_entry entry = {.id = one->id, .output = output, .result = *result};
    json_t *value = json_object();
    for (const struct wcts_result_field *field = wcts_result_fields; field->name; field++) {
        json_t *member = write_member(field->type, entry_member(&entry, field), spec);
        if (member)
            json_object_set_new(value, field->name, member);
    }
    return value;
}

bool wcts_entry_read(struct wcts_entry *entry, const struct wcts_spec *spec, json_t *value)
{
    *entry = (struct wcts_entry){.value = value};
    for (const struct wcts_result_field *field = wcts_result_fields; field->name; field++)
        read_member(field->type, entry_member(entry, field), json_object_get(value, field->name),
                    spec);
    return entry->id[0] != '\0' && entry->result.verdict != WCTS_VERDICT_COUNT;
}

void wcts_entry_release(struct wcts_entry *entry)
{
    free((void *)(uintptr_t)entry->result.waiver);
    free(entry->result.tries);
    json_decref(entry->value);
    *entry = (struct wcts_entry){0};
}
