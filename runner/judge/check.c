/* SPDX-License-Identifier: MIT */
/* One value of a record against the attributes that all forms of effects share. */
#include "check.h"

#include <inttypes.h>
#include <string.h>

#include "../exchange/bytes.h"
#include "../oracle/world.h"

bool wcts_judge_effect_value(const struct wcts_effect_eval *eval,
                             const struct wcts_operand *operand, int number, uint64_t *value)
{
    const struct wcts_path *path;
    const struct wcts_path_step *first;
    bool found;
    if (operand->page) {
        *value = eval->trace.page_size;
        return true;
    }
    if (operand->count == 0) {
        *value = operand->number;
        return true;
    }
    path = &operand->paths[number];
    /* A path starts at the found record, unless only that of the effect has the structure. */
    first = &path->steps[0];
    found = !path->on &&
            wcts_exchange_find(&eval->trace, eval->found, first->ref.structure, first->reply);
    return wcts_exchange_follow(&eval->trace, found ? eval->found : eval->on, path, value);
}

uint64_t wcts_judge_flags_mask(const struct wcts_spec *spec, const struct wcts_operand *flags)
{
    uint64_t mask = 0;
    for (int i = 0; i < flags->count; i++) {
        int word = wcts_ref_member(spec, flags->refs[i])->word;
        mask |= UINT64_C(1) << spec->words[word].flags[flags->refs[i].flag].bit;
    }
    return mask;
}

/* A value to compare with: the operand, plus, rounded up. */
static bool compared(const struct wcts_effect_eval *eval, const struct wcts_operand *arg,
                     enum wcts_attribute attribute, uint64_t *value)
{
    uint64_t plus = 0, page = eval->trace.page_size;
    if (!wcts_judge_effect_value(eval, &arg[attribute], 0, value))
        return false;
    if (arg[WCTS_ARG_PLUS].given && !wcts_judge_effect_value(eval, &arg[WCTS_ARG_PLUS], 0, &plus))
        return false;
    *value += plus;
    if (arg[WCTS_ARG_ROUNDED].given && page > 0)
        *value = (*value + page - 1) / page * page;
    return true;
}

/* True if a set contains the segment: as bits, or as a list of preferences. */
static bool in_set(const struct wcts_effect_eval *eval, const struct wcts_operand *set,
                   uint64_t segment, uint64_t value)
{
    const struct wcts_member *member = wcts_ref_member(eval->trace.spec, set->refs[0]);
    uint64_t id = segment & 0xFFFF;
    if (id == 0)
        return false;
    if (member->type != WCTS_TYPE_SEGMENT_PREFERENCE)
        return id <= 32 && value >> (id - 1) & 1;
    for (int group = 0; group < 5; group++)
        if ((value >> 6 * group & 31) == id)
            return true;
    return false;
}

struct value_comparison {
    enum wcts_attribute attribute;
    const char *expected;
};

static const struct value_comparison comparisons[] = {
    {WCTS_ARG_EQUALS, ""},
    {WCTS_ARG_DIFFERS, "anything but "},
    {WCTS_ARG_IN, "a segment of the set "},
    {WCTS_ARG_TO, "a multiple of "},
    {WCTS_ARG_MIN, "at least "},
    {WCTS_ARG_MAX, "at most "},
    {WCTS_ARG_LESS, "less than "},
};

static bool compare_values(const struct wcts_effect_eval *eval, const struct wcts_operand *arg,
                           enum wcts_attribute attribute, uint64_t value, uint64_t with)
{
    uint64_t mask = ~wcts_judge_flags_mask(eval->trace.spec, &arg[WCTS_ARG_EXCEPT]);
    if (arg[WCTS_ARG_BITS].given)
        mask &= (UINT64_C(1) << arg[WCTS_ARG_BITS].number) - 1;
    switch (attribute) {
    case WCTS_ARG_EQUALS:
        return (value & mask) == (with & mask);
    case WCTS_ARG_DIFFERS:
        return value != with;
    case WCTS_ARG_IN:
        return in_set(eval, &arg[WCTS_ARG_IN], value, with);
    case WCTS_ARG_TO:
        return with == 0 || value % with == 0;
    case WCTS_ARG_MIN:
        return value >= with;
    case WCTS_ARG_LESS:
        return value < with;
    default:
        return value <= with;
    }
}

static const char *structure_name(const struct wcts_effect_eval *eval, struct wcts_ref ref)
{
    return eval->trace.spec->structures[ref.structure].name;
}

static void describe_breach(struct wcts_effect_eval *eval, const struct wcts_operand *member,
                            uint64_t value, const char *expected, const char *with)
{
    char name[96];
    wcts_ref_text(eval->trace.spec, member->refs[0], name, sizeof name);
    snprintf(eval->text, sizeof eval->text, "%s%s.%s is 0x%" PRIx64 ", expected %s%s",
             member->paths[0].steps[member->paths[0].count - 1].reply ? "the reply's " : "",
             structure_name(eval, member->refs[0]), name, value, expected, with);
}

enum wcts_truth wcts_judge_check_value(struct wcts_effect_eval *eval,
                                       const struct wcts_operand arg[WCTS_ARG_COUNT])
{
    const struct wcts_operand *member =
        arg[WCTS_ARG_FACT].given ? &arg[WCTS_ARG_FACT] : &arg[WCTS_ARG_MEMBER];
    const struct wcts_operand *is = &arg[WCTS_ARG_IS];
    bool wants_set = is->number == WCTS_IS_SET || is->number == WCTS_IS_NONZERO;
    uint64_t value, with;
    if (!wcts_judge_effect_value(eval, member, 0, &value)) {
        char name[96];
        wcts_ref_text(eval->trace.spec, member->refs[0], name, sizeof name);
        snprintf(eval->text, sizeof eval->text, "%s.%s cannot be told from what was recorded",
                 structure_name(eval, member->refs[0]), name);
        return WCTS_UNKNOWN;
    }
    if (is->given && (value != 0) != wants_set) {
        describe_breach(eval, member, value, is->text, "");
        return WCTS_FALSE;
    }
    for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++) {
        char text[40];
        if (!arg[comparisons[i].attribute].given)
            continue;
        if (!compared(eval, arg, comparisons[i].attribute, &with)) {
            snprintf(eval->text, sizeof eval->text,
                     "%s, with which it is compared, cannot be told from what was recorded",
                     arg[comparisons[i].attribute].text);
            return WCTS_UNKNOWN;
        }
        if (compare_values(eval, arg, comparisons[i].attribute, value, with))
            continue;
        snprintf(text, sizeof text, "0x%" PRIx64, with);
        describe_breach(eval, member, value, comparisons[i].expected, text);
        return WCTS_FALSE;
    }
    if (!arg[WCTS_ARG_BANK].given)
        return WCTS_TRUE;
    return wcts_judge_effect_value(eval, &arg[WCTS_ARG_BANK], 0, &with)
               ? wcts_judge_check_bank(eval, value, with)
               : WCTS_UNKNOWN;
}

bool wcts_judge_effect_matches(struct wcts_effect_eval *eval)
{
    for (int i = 0; i < eval->effect->match_count; i++)
        if (wcts_judge_check_value(eval, eval->effect->match[i].arg) != WCTS_TRUE)
            return false;
    return true;
}

/* ---- Conditions ---- */

/* True if one of the segments of a set has one of the flags. */
static bool any_segment(const struct wcts_effect_eval *eval, const struct wcts_operand *of,
                        uint64_t set, const struct wcts_operand *flags)
{
    for (int id = 1; id <= 31; id++) {
        if (!in_set(eval, of, (uint64_t)id, set))
            continue;
        for (int i = 0; i < flags->count; i++) {
            const uint8_t *bytes = NULL;
            for (int r = eval->on.record; r >= 0 && !bytes; r--) {
                struct wcts_cursor cursor = {r, id - 1};
                if (eval->trace.exchange->records[r].operation == WCTS_DRIVER_SEGMENTS)
                    bytes =
                        wcts_exchange_find(&eval->trace, cursor, flags->refs[i].structure, true);
            }
            if (bytes) {
                const struct wcts_member *member =
                    wcts_ref_member(eval->trace.spec, flags->refs[i]);
                uint64_t word = wcts_exchange_bytes_get(bytes + member->offset, member->width);
                const struct wcts_word *names = &eval->trace.spec->words[member->word];
                if (word >> names->flags[flags->refs[i].flag].bit & 1)
                    return true;
            }
        }
    }
    return false;
}

enum wcts_truth wcts_judge_effect_condition(struct wcts_effect_eval *eval, int n)
{
    const struct wcts_operand *arg = eval->effect->when[n].arg;
    const struct wcts_operand *of =
        arg[WCTS_ARG_FACT].given ? &arg[WCTS_ARG_FACT] : &arg[WCTS_ARG_MEMBER];
    enum wcts_truth seen;
    uint64_t value;
    eval->found = eval->on;
    seen = wcts_judge_check_value(eval, arg);
    if (seen != WCTS_TRUE)
        return seen;
    if (!wcts_judge_effect_value(eval, of, 0, &value))
        return WCTS_UNKNOWN;
    if (arg[WCTS_ARG_SEGMENT].given && !any_segment(eval, of, value, &arg[WCTS_ARG_SEGMENT]))
        return WCTS_FALSE;
    return arg[WCTS_ARG_NO_SEGMENT].given && any_segment(eval, of, value, &arg[WCTS_ARG_NO_SEGMENT])
               ? WCTS_FALSE
               : WCTS_TRUE;
}

bool wcts_judge_effect_conditions(struct wcts_effect_eval *eval)
{
    eval->found = eval->on;
    for (int i = 0; i < eval->effect->when_count; i++)
        if (wcts_judge_effect_condition(eval, i) != WCTS_TRUE)
            return false;
    return true;
}
