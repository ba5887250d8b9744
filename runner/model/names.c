/* SPDX-License-Identifier: MIT */
#include "names.h"

#include "../../include/wddm-cts.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "../base/text.h"
#include "spec.h"
#include "test.h"

const char *const wcts_role_words[] = {"caller", "kernel", "driver", "both", NULL};
const char *const wcts_force_words[] = {"must", "should", "meaning", "info", NULL};
const char *const wcts_basis_words[] = {"stated", "inferred", NULL};
const char *const wcts_outcome_words[] = {"refuse", "assert", "either", NULL};
const char *const wcts_statement_form_words[] = {
    "align",  "atomic",   "count",    "effect",   "exactly-one", "excludes", "exclusive", "gate",
    "handle", "info",     "layout",   "lifetime", "multiple",    "nonzero",  "order",     "out",
    "range",  "requires", "reserved", "state",    "subset",      "table",    NULL,
};
const char *const wcts_member_type_words[] = {
    "number", "pointer", "handle", "address", "segment-set", "segment-preference", "segment", NULL,
};
const char *const wcts_page_state_words[] = {"unreserved", "zero", "invalid", "mapped", NULL};
const char *const wcts_reservation_words[] = {"zero", "no-access", NULL};
const char *const wcts_result_of_words[] = {"zero", "no-access", "free", NULL};
const char *const wcts_gap_value_words[] = {"absent", "huge", "uneven", "rounded", NULL};
const char *const wcts_party_words[] = {"kernel", "driver", NULL};
const char *const wcts_capability_words[] = {"probe", "machine",    "pages",     "placement",
                                             "fresh", "strict",     "lenient",   "any-priority",
                                             "sweep", "unexecuted", "unpatched", NULL};
const uint32_t wcts_capability_bits[] = {
    WCTS_CAPABILITY_PROBE,      WCTS_CAPABILITY_MACHINE,      WCTS_CAPABILITY_PAGES,
    WCTS_CAPABILITY_PLACEMENT,  WCTS_CAPABILITY_FRESH,        WCTS_CAPABILITY_STRICT,
    WCTS_CAPABILITY_LENIENT,    WCTS_CAPABILITY_ANY_PRIORITY, WCTS_CAPABILITY_SWEEP,
    WCTS_CAPABILITY_UNEXECUTED, WCTS_CAPABILITY_UNPATCHED};
const char *const wcts_page_words[] = {"4096", "16384", "65536", NULL};
const uint32_t wcts_page_bits[] = {4096, 16384, 65536};
const char *const wcts_patches_words[] = {
    "none",      "32",      "64", "32 in segment", "64 in segment", "expression",
    "elsewhere", "private", NULL};
const char *const wcts_paging_words[] = {"transfer", "fill", "map-aperture", "unmap-aperture",
                                         NULL};
const uint32_t wcts_paging_bits[] = {1u << WCTS_PAGING_TRANSFER, 1u << WCTS_PAGING_FILL,
                                     1u << WCTS_PAGING_MAP_APERTURE,
                                     1u << WCTS_PAGING_UNMAP_APERTURE};
const char *const wcts_yes_no_words[] = {"yes", "no", NULL};
const char *const wcts_content_words[] = {"zero", "written", "kept", "partly", "purged", NULL};
const char *const wcts_buffer_words[] = {"processed", "addresses", "left",  "rest", "again",
                                         "fence",     "part",      "block", NULL};
const char *const wcts_span_words[] = {"during", "after", "before", "resting", NULL};
const char *const wcts_profile_shows_words[] = {"every", "some", NULL};
const char *const wcts_too_words[] = {"too", NULL};
const char *const wcts_recorded_words[] = {"denied", NULL};
const char *const wcts_shows_words[] = {"place", "segments", "pages", NULL};
const char *const wcts_meaning_words[] = {
    "state",  "allocation", "offset",       "protection",  "driver-protection",
    "count",  "segment",    "segment-size", "size",        "base",
    "length", "transfer",   "source",       "destination", "power",
    "space",  "data",       "adapter",      "standard",    "context",
    NULL};
const char *const wcts_column_words[] = {"standby", "hibernate", NULL};

static const char *const form_names[WCTS_FORM_COUNT_OF] = {
    [WCTS_FORM_GATE] = "gate",
    [WCTS_FORM_ROW] = "row",
    [WCTS_FORM_EFFECT_PAGES] = "pages effect",
    [WCTS_FORM_EFFECT_REPLY] = "reply effect",
    [WCTS_FORM_EFFECT_TOLD] = "told effect",
    [WCTS_FORM_EFFECT_LATER] = "later effect",
    [WCTS_FORM_EFFECT_PLACED] = "placed effect",
    [WCTS_FORM_EFFECT_BYTES] = "bytes effect",
    [WCTS_FORM_EFFECT_MACHINE] = "machine effect",
    [WCTS_FORM_EFFECT_POWER] = "power effect",
    [WCTS_FORM_EFFECT_PATCH] = "patch effect",
    [WCTS_FORM_LAYOUT] = "layout",
};

const char *wcts_model_kind_name(enum wcts_kind kind)
{
    static const char *const names[] = {
        [WCTS_KIND_WITNESS] = "witness",         [WCTS_KIND_BOUNDARY] = "boundary",
        [WCTS_KIND_LAYOUT] = "layout",           [WCTS_KIND_ANSWER] = "answer",
        [WCTS_KIND_EFFECT] = "effect",           [WCTS_KIND_SCENARIO] = "scenario",
        [WCTS_KIND_SEQUENCE] = "sequence",       [WCTS_KIND_SWEEP] = "sweep",
        [WCTS_KIND_COMBINATION] = "combination", [WCTS_KIND_TOUR] = "walk"};
    return names[kind];
}

const char *wcts_model_expect_name(enum wcts_expect expect)
{
    static const char *const names[] = {[WCTS_EXPECT_ACCEPT] = "accept",
                                        [WCTS_EXPECT_REFUSE] = "refuse",
                                        [WCTS_EXPECT_ASSERT] = "refuse or stop",
                                        [WCTS_EXPECT_OPEN] = "either",
                                        [WCTS_EXPECT_ANSWER] = "answers keep the rule"};
    return names[expect];
}

const char *wcts_model_role_name(enum wcts_role role)
{
    return wcts_role_words[role];
}

const char *wcts_model_force_name(enum wcts_force force)
{
    return wcts_force_words[force];
}

const char *wcts_model_basis_name(enum wcts_basis basis)
{
    return wcts_basis_words[basis];
}

const char *wcts_model_outcome_name(enum wcts_outcome outcome)
{
    return wcts_outcome_words[outcome];
}

const char *wcts_model_form_name(const struct wcts_spec *spec, const struct wcts_rule *rule)
{
    const char *name = form_names[rule->form];
    return name ? name : spec->statements[rule->statement].form;
}

const char *wcts_model_party_name(bool driver)
{
    return wcts_party_words[driver];
}

const char *wcts_model_capability_name(uint32_t capability)
{
    return wcts_capability_words[__builtin_ctz(capability)];
}

int wcts_model_word_index(const char *const *words, const char *text, size_t length)
{
    for (int i = 0; words[i] != NULL; i++)
        if (strlen(words[i]) == length && memcmp(words[i], text, length) == 0)
            return i;
    return -1;
}

/* Longer names are not compared: no document has one. */
#define NEAR_LONGEST 79

struct wcts_near wcts_model_near_start(const char *name, size_t length)
{
    /* A third of the letters may differ, at least two. */
    struct wcts_near near = {name, length, NULL, length / 3 < 2 ? 3 : length / 3 + 1};
    if (near.distance > length)
        near.distance = length;
    return near;
}

void wcts_model_near_try(struct wcts_near *near, const char *candidate)
{
    size_t length = strlen(candidate), edits;
    size_t longer = length > near->length ? length - near->length : near->length - length;
    if (length > NEAR_LONGEST || near->length > NEAR_LONGEST || longer >= near->distance)
        return;
    edits = wcts_text_distance(near->name, near->length, candidate, length);
    if (edits < near->distance) {
        near->best = candidate;
        near->distance = edits;
    }
}

const char *wcts_model_near_text(const struct wcts_near *near, char *buffer, size_t room)
{
    if (near->best == NULL)
        buffer[0] = '\0';
    else
        snprintf(buffer, room, ", did you mean \"%s\"?", near->best);
    return buffer;
}

enum wcts_missing wcts_model_operation_missing(uint32_t operation)
{
    switch (operation) {
#define MISSING(party, name, number, request, reply, by, missing, need)                            \
    case number:                                                                                   \
        return WCTS_MISSING_##missing;
        WCTS_OPERATIONS(MISSING)
#undef MISSING
    default:
        return WCTS_MISSING_MAY;
    }
}

uint32_t wcts_model_shown_by(const struct wcts_message *message)
{
    static const uint32_t shown[] = {[WCTS_SHOWS_PLACE] = WCTS_CAPABILITY_PLACEMENT,
                                     [WCTS_SHOWS_SEGMENTS] = 0,
                                     [WCTS_SHOWS_PAGES] = WCTS_CAPABILITY_PAGES};
    return message->driver    ? (uint32_t)WCTS_CAPABILITY_PROBE
           : message->machine ? (uint32_t)WCTS_CAPABILITY_MACHINE
                              : shown[message->shows];
}
