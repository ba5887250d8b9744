/* SPDX-License-Identifier: MIT */
/* Values of members, and what is known of them (making.h). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/text.h"
#include "../model/names.h"
#include "making.h"

bool wcts_import_exists(const struct wcts_import_making *making, const struct wcts_member *member)
{
    return making->version >= member->since && making->version < member->until;
}

/* ---- the mask ---- */

void wcts_import_mark(struct wcts_import_making *making, size_t at, size_t size, int byte)
{
    if (making->known.bytes)
        memset(making->known.bytes + at, byte, size);
}

/* Room at the end, of which everything is known to be 0; 0 without memory. */
size_t wcts_import_add_room(struct wcts_import_making *making, size_t size)
{
    size_t before = making->bytes.size, at = wcts_exchange_buffer_add(&making->bytes, size);
    size_t same = wcts_exchange_buffer_add(&making->known, size);
    if (!making->bytes.bytes || !making->known.bytes || at != same) {
        making->reading->failed = true;
        return 0;
    }
    wcts_import_mark(making, before, at + size - before, 0xFF);
    return at;
}

/* Nothing is known of the members of a structure that exist. */
void wcts_import_hide_members(struct wcts_import_making *making, int structure, size_t at)
{
    const struct wcts_structure *of = &making->spec->structures[structure];
    for (int i = 0; i < of->member_count; i++)
        if (wcts_import_exists(making, &of->members[i]))
            wcts_import_mark(making, at + of->members[i].offset, of->members[i].width, 0);
}

void wcts_import_put_number(struct wcts_import_making *making, size_t at,
                            const struct wcts_member *member, uint64_t number)
{
    wcts_exchange_bytes_put(making->bytes.bytes + at + member->offset, member->width, number);
    wcts_import_mark(making, at + member->offset, member->width, 0xFF);
}

bool wcts_import_is_member_told(const struct wcts_import_making *making, size_t at,
                                const struct wcts_member *member)
{
    for (uint32_t i = 0; i < member->width; i++)
        if (making->known.bytes[at + member->offset + i] != 0xFF)
            return false;
    return true;
}

uint64_t wcts_import_number_at(const struct wcts_import_making *making, size_t at,
                               const struct wcts_member *member)
{
    return wcts_exchange_bytes_get(making->bytes.bytes + at + member->offset, member->width);
}

/* A pointer, or a number that is no word of flags, of which nothing is known but that it is not 0:
 * one byte of its number, which shows that. */
void wcts_import_put_somewhere(struct wcts_import_making *making, size_t at,
                               const struct wcts_member *member, uint64_t number)
{
    uint8_t *known = making->known.bytes + at + member->offset;
    uint32_t byte = 0;
    wcts_import_put_number(making, at, member, number);
    memset(known, 0, member->width);
    while (byte + 1 < member->width && (number >> 8 * byte & 0xFF) == 0)
        byte++;
    known[byte] = 0xFF;
}

/* ---- values ---- */

bool wcts_import_wrong_value(struct wcts_import_making *making,
                             const struct wcts_import_holder *holder,
                             const struct wcts_member *member, const json_t *value,
                             const char *expected)
{
    char *found = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
    wcts_import_error(making->reading, "%s.%s is %.80s, expected %s",
                      making->spec->structures[holder->structure].name, member->name,
                      found ? wcts_text_clean(found) : "wrong", expected);
    free(found);
    return false;
}

/* Says once that a native call's number has a name that the documents do not need; it stays
 * unknown.
 */
static void note_name(struct wcts_import_making *making, const struct wcts_import_holder *holder,
                      const struct wcts_member *member, const char *text)
{
    char name[64], candidate[64], of[128];
    const char *best = NULL;
    struct wcts_near near;
    wcts_import_fold(wcts_import_without_prefix(text), name, sizeof name);
    near = wcts_model_near_start(name, strlen(name));
    for (int i = 0; i < member->number_count; i++) {
        near.best = NULL;
        wcts_import_fold(member->numbers[i].name, candidate, sizeof candidate);
        wcts_model_near_try(&near, candidate);
        best = near.best ? member->numbers[i].name : best;
    }
    snprintf(of, sizeof of, "%s.%s", making->spec->structures[holder->structure].name,
             member->name);
    wcts_import_ignore(making->reading, text, of, best);
}

bool wcts_import_set_number(struct wcts_import_making *making,
                            const struct wcts_import_holder *holder,
                            const struct wcts_member *member, const json_t *value)
{
    char expected[80];
    uint64_t number;
    if (!wcts_import_number(value, &number) && !wcts_import_number_named(member, value, &number)) {
        if (wcts_import_is_too_long(value))
            return wcts_import_wrong_value(making, holder, member, value,
                                           "a number of at most 64 bits");
        /* Native numbers have more names than the documents need. */
        if (making->bodies->native && member->number_count > 0 && json_is_string(value)) {
            note_name(making, holder, member, json_string_value(value));
            return true;
        }
        return wcts_import_wrong_value(making, holder, member, value,
                                       member->number_count
                                           ? "a number, as 16 or \"0x10\", or its name"
                                           : "a number, as 16 or \"0x10\"");
    }
    if (member->width < 8 && number >> 8 * member->width) {
        snprintf(expected, sizeof expected, "a number of at most %" PRIu32 " bytes", member->width);
        return wcts_import_wrong_value(making, holder, member, value, expected);
    }
    if (wcts_import_is_member_told(making, holder->at, member) &&
        wcts_import_number_at(making, holder->at, member) != number)
        return wcts_import_wrong_value(making, holder, member, value,
                                       "what the other member in its place is");
    wcts_import_put_number(making, holder->at, member, number);
    return true;
}

static void put_bits(struct wcts_import_making *making, size_t at, const struct wcts_member *member,
                     uint64_t bits, uint64_t mask)
{
    uint8_t *bytes = making->bytes.bytes + at + member->offset;
    uint8_t *known = making->known.bytes + at + member->offset;
    for (uint32_t i = 0; i < member->width; i++) {
        bytes[i] |= (uint8_t)(bits >> 8 * i & mask >> 8 * i);
        known[i] |= (uint8_t)(mask >> 8 * i);
    }
}

/* {"Value": "0x5", "Known": "0x7F"}: bits of a word, by their numbers. */
static bool set_bits(struct wcts_import_making *making, const struct wcts_import_holder *holder,
                     const struct wcts_member *member, const json_t *value)
{
    uint64_t bits, mask;
    if (!wcts_import_number(json_object_get(value, "Value"), &bits) ||
        !wcts_import_number(json_object_get(value, "Known"), &mask))
        return wcts_import_wrong_value(making, holder, member, value,
                                       "Value and Known, two numbers");
    put_bits(making, holder->at, member, bits, mask);
    return true;
}

/* What an object has of the bits that native structures have as members of their own. */
bool wcts_import_set_fields(struct wcts_import_making *making,
                            const struct wcts_import_holder *holder,
                            const struct wcts_member *member, const json_t *object)
{
    uint64_t bits = 0, mask = 0;
    if (!wcts_import_fields(member, object, &bits, &mask))
        return wcts_import_wrong_value(making, holder, member, object,
                                       "bit fields with numbers that fit");
    put_bits(making, holder->at, member, bits, mask);
    return true;
}

/* The member itself as an object: its bit fields, or "Value". */
static bool set_fielded(struct wcts_import_making *making, const struct wcts_import_holder *holder,
                        const struct wcts_member *member, const json_t *value)
{
    const json_t *whole = json_object_get(value, "Value");
    const char *key;
    json_t *field;
    if (whole)
        return wcts_import_set_number(making, holder, member, whole);
    json_object_foreach((json_t *)value, key, field)
    {
        struct wcts_near near = wcts_model_near_start(key, strlen(key));
        if (wcts_import_has_field(member, key))
            continue;
        for (int i = 0; i < member->field_count; i++)
            wcts_model_near_try(&near, member->fields[i].name);
        wcts_import_ignore(making->reading, key, member->name, near.best);
    }
    return wcts_import_set_fields(making, holder, member, value);
}

/* {"Shared": 1, "Paging": 0}: those bits are known, and no other. */
static bool set_flags(struct wcts_import_making *making, const struct wcts_import_holder *holder,
                      const struct wcts_member *member, const json_t *value)
{
    const struct wcts_word *word = &making->spec->words[member->word];
    uint8_t *bytes = making->bytes.bytes + holder->at + member->offset;
    uint8_t *known = making->known.bytes + holder->at + member->offset;
    const char *key;
    json_t *flag;
    json_object_foreach((json_t *)value, key, flag)
    {
        int index = wcts_model_spec_flag(making->spec, member->word, key);
        uint64_t set;
        if (index < 0) {
            struct wcts_near near = wcts_model_near_start(key, strlen(key));
            for (int i = 0; i < word->flag_count; i++)
                wcts_model_near_try(&near, word->flags[i].name);
            wcts_import_ignore(making->reading, key, word->name, near.best);
            continue;
        }
        if (json_is_boolean(flag))
            set = json_is_true(flag);
        else if (!wcts_import_number(flag, &set) || set > 1)
            return wcts_import_wrong_value(making, holder, member, value, "flags that are 0 or 1");
        if ((uint32_t)word->flags[index].bit >= 8 * member->width)
            continue;
        bytes[word->flags[index].bit / 8] |= (uint8_t)(set << word->flags[index].bit % 8);
        known[word->flags[index].bit / 8] |= (uint8_t)(1 << word->flags[index].bit % 8);
    }
    return true;
}

/* True if a member without names for its bits is a word of flags all the same. */
static bool is_nameless_word(const struct wcts_member *member)
{
    const size_t length = strlen(member->name);
    return length >= 5 && strcmp(member->name + length - 5, "Flags") == 0;
}

/* Flags that the documents need no names of: nothing is known of them. */
static bool set_nameless(struct wcts_import_making *making, const struct wcts_import_holder *holder,
                         const struct wcts_member *member, const json_t *value)
{
    const char *key;
    char of[128];
    json_t *flag;
    snprintf(of, sizeof of, "%s.%s", making->spec->structures[holder->structure].name,
             member->name);
    json_object_foreach((json_t *)value, key, flag)
    {
        wcts_import_ignore(making->reading, key, of, NULL);
    }
    return true;
}

bool wcts_import_set_value(struct wcts_import_making *making,
                           const struct wcts_import_holder *holder,
                           const struct wcts_member *member, const json_t *value)
{
    const json_t *whole = json_object_get(value, "QuadPart");
    if (!json_is_object(value))
        return wcts_import_set_number(making, holder, member, value);
    if (member->word < 0 && json_is_true(json_object_get(value, "NotZero"))) {
        wcts_import_put_somewhere(making, holder->at, member, 1);
        return true;
    }
    if ((member->word >= 0 || member->field_count > 0 || is_nameless_word(member)) &&
        json_object_get(value, "Known"))
        return set_bits(making, holder, member, value);
    if (member->word >= 0)
        return set_flags(making, holder, member, value);
    if (member->field_count > 0)
        return set_fielded(making, holder, member, value);
    if (is_nameless_word(member))
        return set_nameless(making, holder, member, value);
    /* PHYSICAL_ADDRESS and LARGE_INTEGER are unions with the number as a whole. */
    return wcts_import_set_number(making, holder, member,
                                  member->width == 8 && whole ? whole : value);
}
