/* SPDX-License-Identifier: MIT */
#include "check.h"

#include <inttypes.h>
#include <string.h>

#include "../exchange/bytes.h"
#include "../oracle/world.h"

/* The record that a way starts from: the one that is looked at, unless only the other has the
 * structure. */
static struct wcts_spot begins_at(const struct wcts_looking *looking, const struct wcts_way *way)
{
    const struct wcts_hop *first = &way->hops[0];
    bool there = !way->on && wcts_trace_find(&looking->trace, looking->found, first->ref.structure,
                                             first->reply);
    return there ? looking->found : looking->on;
}

bool wcts_look_value(const struct wcts_looking *looking, const struct wcts_operand *operand,
                     int number, uint64_t *value)
{
    const struct wcts_way *way;
    if (operand->page) {
        *value = looking->trace.page_size;
        return true;
    }
    if (operand->count == 0) {
        *value = operand->number;
        return true;
    }
    way = &operand->ways[number];
    return wcts_trace_follow(&looking->trace, begins_at(looking, way), way, value);
}

/* The bits of flags of a word. */
static uint64_t mask_of(const struct wcts_spec *spec, const struct wcts_operand *flags)
{
    uint64_t mask = 0;
    for (int i = 0; i < flags->count; i++) {
        int word = wcts_ref_member(spec, flags->refs[i])->word;
        mask |= UINT64_C(1) << spec->words[word].flags[flags->refs[i].flag].bit;
    }
    return mask;
}

/* A value that something is compared with: the operand, plus, rounded up. */
static bool compared(const struct wcts_looking *looking, const struct wcts_operand *arg,
                     enum wcts_attribute attribute, uint64_t *value)
{
    uint64_t plus = 0, page = looking->trace.page_size;
    if (!wcts_look_value(looking, &arg[attribute], 0, value))
        return false;
    if (arg[WCTS_ARG_PLUS].given && !wcts_look_value(looking, &arg[WCTS_ARG_PLUS], 0, &plus))
        return false;
    *value += plus;
    if (arg[WCTS_ARG_ROUNDED].given)
        *value = (*value + page - 1) / page * page;
    return true;
}

/* Whether a set names the segment: as bits, or as a list of preferences. */
static bool in_set(const struct wcts_looking *looking, const struct wcts_operand *set,
                   uint64_t segment, uint64_t value)
{
    const struct wcts_member *member = wcts_ref_member(looking->trace.spec, set->refs[0]);
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

struct comparison {
    enum wcts_attribute attribute;
    const char *expected;
};

static const struct comparison comparisons[] = {
    {WCTS_ARG_EQUALS, ""},
    {WCTS_ARG_DIFFERS, "anything but "},
    {WCTS_ARG_IN, "a segment of the set "},
    {WCTS_ARG_TO, "a multiple of "},
    {WCTS_ARG_MIN, "at least "},
    {WCTS_ARG_MAX, "at most "},
    {WCTS_ARG_LESS, "less than "},
};

static bool compare(const struct wcts_looking *looking, const struct wcts_operand *arg,
                    enum wcts_attribute attribute, uint64_t value, uint64_t with)
{
    uint64_t mask = ~mask_of(looking->trace.spec, &arg[WCTS_ARG_EXCEPT]);
    if (arg[WCTS_ARG_BITS].given)
        mask &= (UINT64_C(1) << arg[WCTS_ARG_BITS].number) - 1;
    switch (attribute) {
    case WCTS_ARG_EQUALS:
        return (value & mask) == (with & mask);
    case WCTS_ARG_DIFFERS:
        return value != with;
    case WCTS_ARG_IN:
        return in_set(looking, &arg[WCTS_ARG_IN], value, with);
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

static bool is_so(enum wcts_is is, uint64_t value)
{
    return is == WCTS_IS_SET || is == WCTS_IS_NONZERO ? value != 0 : value == 0;
}

static const char *structure_name(const struct wcts_looking *looking, struct wcts_ref ref)
{
    return looking->trace.spec->structures[ref.structure].name;
}

static void say(struct wcts_looking *looking, const struct wcts_operand *member, uint64_t value,
                const char *expected, const char *with)
{
    char name[96];
    wcts_ref_text(looking->trace.spec, member->refs[0], name, sizeof name);
    snprintf(looking->text, sizeof looking->text, "%s%s.%s is 0x%" PRIx64 ", expected %s%s",
             member->ways[0].hops[member->ways[0].count - 1].reply ? "the reply's " : "",
             structure_name(looking, member->refs[0]), name, value, expected, with);
}

enum wcts_seen wcts_look_check(struct wcts_looking *looking,
                               const struct wcts_operand arg[WCTS_ARG_COUNT])
{
    const struct wcts_operand *member =
        arg[WCTS_ARG_FACT].given ? &arg[WCTS_ARG_FACT] : &arg[WCTS_ARG_MEMBER];
    const struct wcts_operand *is = &arg[WCTS_ARG_IS];
    uint64_t value, with;
    if (!wcts_look_value(looking, member, 0, &value)) {
        char name[96];
        wcts_ref_text(looking->trace.spec, member->refs[0], name, sizeof name);
        snprintf(looking->text, sizeof looking->text, "%s.%s cannot be told from what was recorded",
                 structure_name(looking, member->refs[0]), name);
        return WCTS_UNSEEN;
    }
    if (is->given && !is_so((enum wcts_is)is->number, value)) {
        say(looking, member, value, is->text, "");
        return WCTS_BREACH;
    }
    for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++) {
        char text[40];
        if (!arg[comparisons[i].attribute].given)
            continue;
        if (!compared(looking, arg, comparisons[i].attribute, &with)) {
            snprintf(looking->text, sizeof looking->text,
                     "%s, with which it is compared, cannot be told from what was recorded",
                     arg[comparisons[i].attribute].text);
            return WCTS_UNSEEN;
        }
        if (compare(looking, arg, comparisons[i].attribute, value, with))
            continue;
        snprintf(text, sizeof text, "0x%" PRIx64, with);
        say(looking, member, value, comparisons[i].expected, text);
        return WCTS_BREACH;
    }
    if (!arg[WCTS_ARG_BANK].given)
        return WCTS_KEPT;
    return wcts_look_value(looking, &arg[WCTS_ARG_BANK], 0, &with)
               ? wcts_look_bank(looking, value, with)
               : WCTS_UNSEEN;
}

bool wcts_look_matches(struct wcts_looking *looking)
{
    for (int i = 0; i < looking->effect->match_count; i++)
        if (wcts_look_check(looking, looking->effect->match[i].arg) != WCTS_KEPT)
            return false;
    return true;
}

/* ---- Conditions ---- */

/* Whether one of the segments of a set has one of the flags. */
static bool any_segment(const struct wcts_looking *looking, const struct wcts_operand *of,
                        uint64_t set, const struct wcts_operand *flags)
{
    for (int id = 1; id <= 31; id++) {
        if (!in_set(looking, of, (uint64_t)id, set))
            continue;
        for (int i = 0; i < flags->count; i++) {
            const uint8_t *bytes = NULL;
            for (int r = looking->on.record; r >= 0 && !bytes; r--) {
                struct wcts_spot spot = {r, id - 1};
                if (looking->trace.exchange->records[r].operation == WCTS_DRIVER_SEGMENTS)
                    bytes = wcts_trace_find(&looking->trace, spot, flags->refs[i].structure, true);
            }
            if (bytes) {
                const struct wcts_member *member =
                    wcts_ref_member(looking->trace.spec, flags->refs[i]);
                uint64_t word = wcts_bytes_get(bytes + member->offset, member->width);
                const struct wcts_word *names = &looking->trace.spec->words[member->word];
                if (word >> names->flags[flags->refs[i].flag].bit & 1)
                    return true;
            }
        }
    }
    return false;
}

enum wcts_seen wcts_look_condition(struct wcts_looking *looking, int n)
{
    const struct wcts_operand *arg = looking->effect->when[n].arg;
    const struct wcts_operand *of =
        arg[WCTS_ARG_FACT].given ? &arg[WCTS_ARG_FACT] : &arg[WCTS_ARG_MEMBER];
    enum wcts_seen seen;
    uint64_t value;
    looking->found = looking->on;
    seen = wcts_look_check(looking, arg);
    if (seen != WCTS_KEPT)
        return seen;
    if (!wcts_look_value(looking, of, 0, &value))
        return WCTS_UNSEEN;
    if (arg[WCTS_ARG_SEGMENT].given && !any_segment(looking, of, value, &arg[WCTS_ARG_SEGMENT]))
        return WCTS_BREACH;
    return arg[WCTS_ARG_NO_SEGMENT].given &&
                   any_segment(looking, of, value, &arg[WCTS_ARG_NO_SEGMENT])
               ? WCTS_BREACH
               : WCTS_KEPT;
}

bool wcts_look_conditions(struct wcts_looking *looking)
{
    looking->found = looking->on;
    for (int i = 0; i < looking->effect->when_count; i++)
        if (wcts_look_condition(looking, i) != WCTS_KEPT)
            return false;
    return true;
}
