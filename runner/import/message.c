/* SPDX-License-Identifier: MIT */
/* A request or a reply of its members: bytes, and a mask of what is known of them. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "../base/text.h"
#include "../exchange/bytes.h"
#include "../model/names.h"
#include "import.h"

/* More elements, or bytes, than a judge reads (exchange/trace.c), and than a file has of memory. */
#define ELEMENTS_TOLD 4096u
#define BYTES_TOLD (1u << 26)
#define DEPTH_TOLD 4

/* The message that is being made. */
struct import_making {
    struct wcts_import_reading *reading;
    const struct wcts_spec *spec;
    int version;
    const struct wcts_import_bodies *bodies;
    bool reply;
    struct wcts_exchange_buffer bytes, known;
};

/* An object of the file, and where its structure is in the message. */
struct import_holder {
    int structure;
    size_t at;
    const json_t *object;
    bool root; /* of the message: members may have native names */
    int depth;
};

static bool exists_then(const struct import_making *making, const struct wcts_member *member)
{
    return making->version >= member->since && making->version < member->until;
}

/* ---- the mask ---- */

static void mark(struct import_making *making, size_t at, size_t size, int byte)
{
    if (making->known.bytes)
        memset(making->known.bytes + at, byte, size);
}

/* Room at the end, of which everything is known to be 0; 0 without memory. */
static size_t add_room(struct import_making *making, size_t size)
{
    size_t before = making->bytes.size, at = wcts_exchange_buffer_add(&making->bytes, size);
    size_t same = wcts_exchange_buffer_add(&making->known, size);
    if (!making->bytes.bytes || !making->known.bytes || at != same) {
        making->reading->failed = true;
        return 0;
    }
    mark(making, before, at + size - before, 0xFF);
    return at;
}

/* Nothing is known of the members of a structure that exist. */
static void hide_members(struct import_making *making, int structure, size_t at)
{
    const struct wcts_structure *of = &making->spec->structures[structure];
    for (int i = 0; i < of->member_count; i++)
        if (exists_then(making, &of->members[i]))
            mark(making, at + of->members[i].offset, of->members[i].width, 0);
}

static void put_number(struct import_making *making, size_t at, const struct wcts_member *member,
                       uint64_t number)
{
    wcts_exchange_bytes_put(making->bytes.bytes + at + member->offset, member->width, number);
    mark(making, at + member->offset, member->width, 0xFF);
}

static bool is_member_told(const struct import_making *making, size_t at,
                           const struct wcts_member *member)
{
    for (uint32_t i = 0; i < member->width; i++)
        if (making->known.bytes[at + member->offset + i] != 0xFF)
            return false;
    return true;
}

static uint64_t number_at(const struct import_making *making, size_t at,
                          const struct wcts_member *member)
{
    return wcts_exchange_bytes_get(making->bytes.bytes + at + member->offset, member->width);
}

/* A pointer, or a number that is no word of flags, of which nothing is known but that it is not 0:
 * one byte of its number, which shows that. */
static void put_somewhere(struct import_making *making, size_t at, const struct wcts_member *member,
                          uint64_t number)
{
    uint8_t *known = making->known.bytes + at + member->offset;
    uint32_t byte = 0;
    put_number(making, at, member, number);
    memset(known, 0, member->width);
    while (byte + 1 < member->width && (number >> 8 * byte & 0xFF) == 0)
        byte++;
    known[byte] = 0xFF;
}

/* ---- values ---- */

static bool wrong_value(struct import_making *making, const struct import_holder *holder,
                        const struct wcts_member *member, const json_t *value, const char *expected)
{
    char *found = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
    wcts_import_error(making->reading, "%s.%s is %.80s, expected %s",
                      making->spec->structures[holder->structure].name, member->name,
                      found ? wcts_text_clean(found) : "wrong", expected);
    free(found);
    return false;
}

static bool set_number(struct import_making *making, const struct import_holder *holder,
                       const struct wcts_member *member, const json_t *value)
{
    char expected[80];
    uint64_t number;
    if (!wcts_import_number(value, &number) && !wcts_import_number_named(member, value, &number)) {
        /* Native numbers have more names than the documents need. */
        if (making->bodies->native && member->number_count > 0 && json_is_string(value))
            return true;
        return wrong_value(making, holder, member, value,
                           member->number_count ? "a number, as 16 or \"0x10\", or its name"
                                                : "a number, as 16 or \"0x10\"");
    }
    if (member->width < 8 && number >> 8 * member->width) {
        snprintf(expected, sizeof expected, "a number of at most %" PRIu32 " bytes", member->width);
        return wrong_value(making, holder, member, value, expected);
    }
    if (is_member_told(making, holder->at, member) &&
        number_at(making, holder->at, member) != number)
        return wrong_value(making, holder, member, value, "what the other member in its place is");
    put_number(making, holder->at, member, number);
    return true;
}

static void put_bits(struct import_making *making, size_t at, const struct wcts_member *member,
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
static bool set_bits(struct import_making *making, const struct import_holder *holder,
                     const struct wcts_member *member, const json_t *value)
{
    uint64_t bits, mask;
    if (!wcts_import_number(json_object_get(value, "Value"), &bits) ||
        !wcts_import_number(json_object_get(value, "Known"), &mask))
        return wrong_value(making, holder, member, value, "Value and Known, two numbers");
    put_bits(making, holder->at, member, bits, mask);
    return true;
}

/* What an object has of the bits that native structures have as members of their own. */
static bool set_fields(struct import_making *making, const struct import_holder *holder,
                       const struct wcts_member *member, const json_t *object)
{
    uint64_t bits = 0, mask = 0;
    if (!wcts_import_fields(member, object, &bits, &mask))
        return wrong_value(making, holder, member, object, "bit fields with numbers that fit");
    put_bits(making, holder->at, member, bits, mask);
    return true;
}

/* The member itself as an object: its bit fields, or "Value". */
static bool set_fielded(struct import_making *making, const struct import_holder *holder,
                        const struct wcts_member *member, const json_t *value)
{
    const json_t *whole = json_object_get(value, "Value");
    const char *key;
    json_t *field;
    if (whole)
        return set_number(making, holder, member, whole);
    json_object_foreach((json_t *)value, key, field)
    {
        struct wcts_near near = wcts_model_near_start(key, strlen(key));
        if (wcts_import_has_field(member, key))
            continue;
        for (int i = 0; i < member->field_count; i++)
            wcts_model_near_try(&near, member->fields[i].name);
        wcts_import_ignore(making->reading, key, member->name, near.best);
    }
    return set_fields(making, holder, member, value);
}

/* {"Shared": 1, "Paging": 0}: those bits are known, and no other. */
static bool set_flags(struct import_making *making, const struct import_holder *holder,
                      const struct wcts_member *member, const json_t *value)
{
    const struct wcts_word *word = &making->spec->words[member->word];
    uint8_t *bytes = making->bytes.bytes + holder->at + member->offset;
    uint8_t *known = making->known.bytes + holder->at + member->offset;
    const char *key;
    json_t *flag;
    if (json_object_get(value, "Known"))
        return set_bits(making, holder, member, value);
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
            return wrong_value(making, holder, member, value, "flags that are 0 or 1");
        if ((uint32_t)word->flags[index].bit >= 8 * member->width)
            continue;
        bytes[word->flags[index].bit / 8] |= (uint8_t)(set << word->flags[index].bit % 8);
        known[word->flags[index].bit / 8] |= (uint8_t)(1 << word->flags[index].bit % 8);
    }
    return true;
}

/* ---- bytes ---- */

static int hexadecimal_digit(char c)
{
    return isdigit((unsigned char)c)    ? c - '0'
           : isxdigit((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10
                                        : -1;
}

/* How many bytes are meant: "Bytes" in hexadecimal digits, or "Size" with "Fill". False if neither
 * is there, or they are wrong. */
static bool bytes_told(const json_t *value, uint64_t *size, const char **digits)
{
    const json_t *stated = json_object_get(value, "Size");
    const char *text = json_string_value(json_object_get(value, "Bytes"));
    *digits = text;
    *size = text ? strlen(text) / 2 : 0;
    if (text && (strlen(text) % 2 || text[strspn(text, "0123456789abcdefABCDEF")]))
        return false;
    return !stated || (wcts_import_number(stated, size) && (!text || *size == strlen(text) / 2));
}

/* Writes what is known of some bytes; the rest is not. */
static void put_bytes(struct import_making *making, size_t at, size_t size, const json_t *value,
                      const char *digits)
{
    uint64_t fill;
    if (digits) {
        size_t given = strlen(digits) / 2;
        for (size_t i = 0; i < size && i < given; i++)
            making->bytes.bytes[at + i] = (uint8_t)(16 * hexadecimal_digit(digits[2 * i]) +
                                                    hexadecimal_digit(digits[2 * i + 1]));
        if (given < size)
            mark(making, at + given, size - given, 0);
    } else if (wcts_import_number(json_object_get(value, "Fill"), &fill) && fill <= 0xFF) {
        memset(making->bytes.bytes + at, (int)fill, size);
    } else {
        mark(making, at, size, 0);
    }
}

/* ---- arrays ---- */

static bool fill_structure(struct import_making *making, const struct import_holder *holder);

/* Another pointer at the same place, whose array is made already; its offset, 0: none. */
static uint64_t array_made(const struct import_making *making, const struct import_holder *holder,
                           const struct wcts_member *pointer)
{
    uint64_t at = number_at(making, holder->at, pointer);
    return is_member_told(making, holder->at, pointer) && at > 1 && at < making->bytes.size ? at
                                                                                            : 0;
}

/* The structure of an element; of several, the one that the number in its first member selects;
 * -1: it is not told. */
static int element_told(const struct import_making *making, const struct wcts_member *pointer,
                        const json_t *element)
{
    const char *names = pointer->elements, *piece;
    size_t length;
    if (pointer->element_of_count == 1)
        return pointer->element_of[0];
    for (int i = 0; i < pointer->element_of_count; i++) {
        const struct wcts_structure *of = &making->spec->structures[pointer->element_of[i]];
        uint64_t number = 0, at;
        for (int m = 0; m < of->member_count; m++)
            if (of->members[m].offset == 0 &&
                !wcts_import_number(json_object_get(element, of->members[m].name), &number))
                return -1;
        names = pointer->elements;
        for (at = 0; (length = wcts_next_piece(&names, &piece)) > 0; at++)
            if (at == number && wcts_is_piece(of->name, piece, length))
                return pointer->element_of[i];
    }
    return -1;
}

/* Hides the members of all structures that the bytes of an element may be read as. */
static void hide_element(struct import_making *making, const struct import_holder *holder,
                         const struct wcts_member *pointer, size_t at, int selected)
{
    const struct wcts_structure *of = &making->spec->structures[holder->structure];
    uint32_t size = making->spec->structures[pointer->least_element].size;
    if (selected < 0) {
        mark(making, at, size, 0);
        return;
    }
    hide_members(making, selected, at);
    for (int i = 0; i < of->pointer_count; i++) {
        const struct wcts_member *twin = &of->members[of->pointers[i]];
        if (twin != pointer && twin->offset == pointer->offset && exists_then(making, twin) &&
            twin->element_of_count == 1 &&
            making->spec->structures[twin->element_of[0]].size <= size)
            hide_members(making, twin->element_of[0], at);
    }
}

/* An element that is a number is the only member of its structure. */
static bool fill_element(struct import_making *making, const struct import_holder *holder,
                         const struct wcts_member *pointer, size_t at, const json_t *element)
{
    int selected = element_told(making, pointer, element);
    struct import_holder inner = {selected, at, element, false, holder->depth + 1};
    if (selected < 0)
        return true;
    if (json_is_object(element) && json_object_get(element, "Bytes")) {
        const char *digits;
        uint64_t size;
        if (!bytes_told(element, &size, &digits))
            return wrong_value(making, holder, pointer, element, "\"Bytes\" in hexadecimal digits");
        put_bytes(making, at, making->spec->structures[selected].size, element, digits);
        return true;
    }
    if (json_is_object(element))
        return fill_structure(making, &inner);
    if (making->spec->structures[selected].member_count == 1)
        return set_number(making, &inner, &making->spec->structures[selected].members[0], element);
    return making->bodies->native ||
           wrong_value(making, holder, pointer, element, "an object with members");
}

/* The list of an array, where it begins and how long the whole is. */
struct import_list {
    const json_t *list; /* NULL: its elements are not told */
    uint64_t from, size;
};

static bool read_list(struct import_making *making, const struct import_holder *holder,
                      const struct wcts_member *pointer, const json_t *value,
                      struct import_list *list)
{
    const json_t *from = json_object_get(value, "ListFrom");
    const json_t *size = json_object_get(value, "ListSize");
    *list = (struct import_list){value, 0, json_array_size(value)};
    if (json_is_array(value)) {
        from = json_object_get(holder->object, "ListFrom");
        size = json_object_get(holder->object, "ListSize");
    } else {
        list->list = json_object_get(value, "List");
        list->size = json_array_size(list->list);
    }
    if (!from != !size || (from && (!wcts_import_number(from, &list->from) ||
                                    !wcts_import_number(size, &list->size))))
        return wrong_value(making, holder, pointer, value, "ListFrom and ListSize, two numbers");
    if (list->from + json_array_size(list->list) > list->size)
        return wrong_value(making, holder, pointer, value, "a list within its ListSize");
    return true;
}

/* Makes room for the elements of a pointer, of which nothing is known; 0: there are none, or they
 * cannot be told. */
static size_t make_array(struct import_making *making, const struct import_holder *holder,
                         const struct wcts_member *pointer, uint64_t count)
{
    uint32_t each = making->spec->structures[pointer->least_element].size;
    size_t at = array_made(making, holder, pointer);
    if (at > 0)
        return at;
    at = count == 0 || count > ELEMENTS_TOLD ? 0 : add_room(making, count * each);
    if (at > 0)
        put_number(making, holder->at, pointer, at);
    for (uint64_t i = 0; at > 0 && i < count; i++)
        hide_element(making, holder, pointer, at + i * each,
                     pointer->element_of_count == 1 ? pointer->element_of[0] : -1);
    return at;
}

static bool set_elements(struct import_making *making, const struct import_holder *holder,
                         const struct wcts_member *pointer, const json_t *value)
{
    const struct wcts_structure *of = &making->spec->structures[holder->structure];
    const struct wcts_member *counter =
        pointer->counter < 0 ? NULL : &of->members[pointer->counter];
    uint32_t each = making->spec->structures[pointer->least_element].size;
    struct import_list list;
    size_t at;
    if (!read_list(making, holder, pointer, value, &list))
        return false;
    if (counter && !is_member_told(making, holder->at, counter))
        put_number(making, holder->at, counter, list.size);
    if (counter && number_at(making, holder->at, counter) != list.size) {
        put_somewhere(making, holder->at, pointer, 1);
        wcts_import_ignore(making->reading, pointer->name,
                           "a list of another length than its count", NULL);
        return true;
    }
    at = make_array(making, holder, pointer, list.size);
    for (size_t i = 0; at > 0 && i < json_array_size(list.list); i++) {
        const json_t *element = json_array_get(list.list, i);
        size_t place = at + (list.from + i) * each;
        if (pointer->element_of_count > 1) {
            int selected = element_told(making, pointer, element);
            mark(making, place, each, selected < 0 ? 0 : 0xFF);
            hide_element(making, holder, pointer, place, selected);
        }
        if (!fill_element(making, holder, pointer, place, element))
            return false;
    }
    /* There may be more than are listed. */
    if (at > 0 && counter && json_is_true(json_object_get(value, "More")))
        mark(making, holder->at + counter->offset, counter->width, 0);
    return !making->reading->failed;
}

static bool set_bytes(struct import_making *making, const struct import_holder *holder,
                      const struct wcts_member *pointer, const json_t *value)
{
    const struct wcts_structure *of = &making->spec->structures[holder->structure];
    const struct wcts_member *counter =
        pointer->counter < 0 ? NULL : &of->members[pointer->counter];
    const char *digits;
    uint64_t size;
    size_t at;
    if (!json_is_object(value) || !bytes_told(value, &size, &digits) || size > BYTES_TOLD)
        return wrong_value(making, holder, pointer, value,
                           "\"0x0\", or an object with \"Bytes\" in hexadecimal digits");
    put_somewhere(making, holder->at, pointer, 1);
    if (!counter || size == 0)
        return true;
    if (!is_member_told(making, holder->at, counter))
        put_number(making, holder->at, counter, size);
    if (number_at(making, holder->at, counter) != size)
        return true;
    at = add_room(making, size);
    if (at > 0) {
        put_number(making, holder->at, pointer, at);
        put_bytes(making, at, size, value, digits);
    }
    return at > 0;
}

/* A structure that a pointer without a count leads to. */
static bool set_behind(struct import_making *making, const struct import_holder *holder,
                       const struct wcts_member *pointer, const json_t *value)
{
    const json_t *stated = json_object_get(value, "Size");
    uint64_t size;
    size_t at;
    /* What is too short for the structure is not one: the pointer leads to nothing of the message.
     */
    if (json_object_size(value) == 1 && wcts_import_number(stated, &size) &&
        size < making->spec->structures[pointer->least_element].size) {
        put_number(making, holder->at, pointer, UINT64_C(1) << (8 * pointer->width - 2));
        return true;
    }
    at = make_array(making, holder, pointer, 1);
    return at > 0 && fill_element(making, holder, pointer, at, value);
}

/* True if a pointer, or another one at the same place, leads to something of the message: then its
 * number is no place there. */
static bool does_lead(const struct import_making *making, const struct import_holder *holder,
                      const struct wcts_member *pointer)
{
    const struct wcts_structure *of = &making->spec->structures[holder->structure];
    bool leads = pointer->least_element >= 0 || pointer->counter >= 0;
    for (int i = 0; i < of->pointer_count && !leads; i++) {
        const struct wcts_member *twin = &of->members[of->pointers[i]];
        leads = twin->offset == pointer->offset && exists_then(making, twin) &&
                (twin->least_element >= 0 || twin->counter >= 0);
    }
    return leads;
}

static bool set_pointer(struct import_making *making, const struct import_holder *holder,
                        const struct wcts_member *pointer, const json_t *value)
{
    bool leads = pointer->least_element >= 0 || pointer->counter >= 0;
    uint64_t number;
    if (holder->depth >= DEPTH_TOLD)
        return true;
    if (wcts_import_number(value, &number)) {
        /* Of two pointers in one place, one says where it leads. */
        if (is_member_told(making, holder->at, pointer)) {
            if ((number_at(making, holder->at, pointer) != 0) == (number != 0))
                return true;
            return wrong_value(making, holder, pointer, value,
                               "what the other member in its place is");
        }
        if (number == 0 || !does_lead(making, holder, pointer))
            put_number(making, holder->at, pointer, number);
        else
            put_somewhere(making, holder->at, pointer, number);
        return true;
    }
    if (pointer->least_element >= 0 && json_is_object(value) && pointer->counter < 0)
        return set_behind(making, holder, pointer, value);
    if (pointer->least_element >= 0 &&
        (json_is_array(value) || json_is_array(json_object_get(value, "List")) ||
         json_object_get(value, "ListSize")))
        return set_elements(making, holder, pointer, value);
    if (pointer->least_element < 0 && leads)
        return set_bytes(making, holder, pointer, value);
    if (!leads && json_is_object(value)) {
        put_somewhere(making, holder->at, pointer, 1);
        return true;
    }
    return wrong_value(making, holder, pointer, value, "\"0x0\", or what it points to");
}

/* ---- structures ---- */

/* A pointer of which the address alone counts: what it leads to is in no message. */
static bool is_address_of_bytes(const struct wcts_member *member)
{
    return member->type == WCTS_TYPE_ADDRESS && member->name[0] == 'p';
}

static bool set_member(struct import_making *making, const struct import_holder *holder,
                       const struct wcts_member *member, const json_t *value)
{
    const char *digits;
    uint64_t size;
    if (json_is_null(value))
        return wrong_value(making, holder, member, value, "a value; what is not known is left out");
    if (member->type == WCTS_TYPE_POINTER)
        return set_pointer(making, holder, member, value);
    if (member->word >= 0 && json_is_object(value))
        return set_flags(making, holder, member, value);
    if (member->word < 0 && json_is_true(json_object_get(value, "NotZero"))) {
        put_somewhere(making, holder->at, member, 1);
        return true;
    }
    if (member->field_count > 0 && json_is_object(value) && !json_object_get(value, "Known"))
        return set_fielded(making, holder, member, value);
    if (member->field_count > 0 && json_is_object(value))
        return set_bits(making, holder, member, value);
    if (is_address_of_bytes(member) && json_is_object(value) && bytes_told(value, &size, &digits)) {
        wcts_import_ignore(making->reading, "Bytes", member->name, NULL);
        put_somewhere(making, holder->at, member, 1);
        return true;
    }
    return set_number(making, holder, member, value);
}

/* The value of a member, which the caller releases; NULL: the line has none. */
static json_t *value_of_member(struct import_making *making, const struct import_holder *holder,
                               const struct wcts_member *member)
{
    json_t *value = json_incref(json_object_get(holder->object, member->name));
    const char *paths = member->native, *path;
    size_t length;
    while (!value && holder->root && making->bodies->native &&
           (length = wcts_next_piece(&paths, &path)) > 0)
        value = wcts_import_native(making->bodies, holder->object, path, length);
    return value;
}

/* True if the structure has the member at the version. */
static bool has_member(const struct import_making *making, const struct wcts_structure *of,
                       const char *name)
{
    for (int i = 0; i < of->member_count; i++)
        if ((wcts_text_same(of->members[i].name, name) ||
             wcts_import_has_field(&of->members[i], name)) &&
            exists_then(making, &of->members[i]))
            return true;
    return false;
}

/* True if the key begins one of the paths, "in." before it or not, that lead to members of a native
 * call's request or reply. */
static bool is_native_key(const struct import_making *making, const struct wcts_structure *of,
                          const char *key)
{
    size_t length = strlen(key);
    for (int i = 0; i < of->member_count; i++) {
        const char *paths = of->members[i].native, *path;
        size_t size;
        while ((size = wcts_next_piece(&paths, &path)) > 0) {
            bool in = size > 3 && strncmp(path, "in.", 3) == 0;
            path += in ? 3 : 0;
            size -= in ? 3 : 0;
            if ((!in || !making->reply) && size >= length && strncmp(path, key, length) == 0 &&
                (size == length || path[length] == '.' || path[length] == '-'))
                return true;
        }
    }
    return false;
}

/* Says which keys of an object are members of nothing. Native calls have more than the documents
 * need: of theirs, only what is nearly a member. */
static void note_unknown(struct import_making *making, const struct import_holder *holder)
{
    static const char *const own[] = {"ListFrom", "ListSize", NULL};
    const struct wcts_structure *of = &making->spec->structures[holder->structure];
    bool native = making->bodies->native;
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)holder->object, key, value)
    {
        struct wcts_near near;
        if (has_member(making, of, key) || wcts_model_word_index(own, key, strlen(key)) >= 0 ||
            (native && holder->root && is_native_key(making, of, key)))
            continue;
        near = wcts_model_near_start(key, strlen(key));
        for (int i = 0; i < of->member_count; i++)
            if (exists_then(making, &of->members[i]))
                wcts_model_near_try(&near, of->members[i].name);
        if (!native || (near.best && wcts_import_misspelt(key, near.best)))
            wcts_import_ignore(making->reading, key, of->name, near.best);
    }
}

/* Numbers first: they count what pointers lead to. */
static bool fill_structure(struct import_making *making, const struct import_holder *holder)
{
    const struct wcts_structure *of = &making->spec->structures[holder->structure];
    note_unknown(making, holder);
    for (int pointers = 0; pointers < 2; pointers++)
        for (int i = 0; i < of->member_count; i++) {
            const struct wcts_member *member = &of->members[i];
            json_t *value;
            bool good;
            if ((member->type == WCTS_TYPE_POINTER) != pointers || !exists_then(making, member))
                continue;
            value = value_of_member(making, holder, member);
            good = value ? set_member(making, holder, member, value)
                         : set_fields(making, holder, member, holder->object);
            json_decref(value);
            if (!good)
                return false;
        }
    return !making->reading->failed;
}

bool wcts_import_message(struct wcts_import_reading *reading, int version,
                         const struct wcts_message *message,
                         const struct wcts_import_bodies *bodies, bool reply,
                         struct wcts_exchange_record *record)
{
    struct import_making making = {.reading = reading,
                                   .spec = reading->options->spec,
                                   .version = version,
                                   .bodies = bodies,
                                   .reply = reply};
    const json_t *object = reply ? bodies->out : bodies->in;
    struct import_holder root = {reply ? message->reply : message->request,
                                 reply ? message->reply_at : message->request_at, object, true, 0};
    uint32_t size = reply ? message->reply_size : message->request_size;
    bool good;
    if (size < sizeof(uint32_t))
        size = sizeof(uint32_t);
    add_room(&making, size);
    good = !reading->failed;
    if (good) {
        /* Every message begins with its size. */
        wcts_exchange_bytes_put(making.bytes.bytes, 4, size);
        if (root.structure >= 0)
            hide_members(&making, root.structure, root.at);
        if (root.structure >= 0 && (object || bodies->native))
            good = fill_structure(&making, &root);
    }
    if (!good) {
        free(making.bytes.bytes);
        free(making.known.bytes);
        return false;
    }
    if (reply) {
        record->reply = making.bytes.bytes;
        record->reply_known = making.known.bytes;
        record->reply_size = (uint32_t)making.bytes.size;
    } else {
        record->request = making.bytes.bytes;
        record->request_known = making.known.bytes;
        record->request_size = (uint32_t)making.bytes.size;
    }
    return true;
}
