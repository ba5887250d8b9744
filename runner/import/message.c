/* SPDX-License-Identifier: MIT */
/* A request or a reply of its members: bytes, and a mask of what is known of them. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../base/text.h"
#include "../model/names.h"
#include "making.h"

/* More elements, or bytes, than a judge reads (exchange/trace.c), and than a file has of memory. */
#define ELEMENTS_TOLD 4096u
#define BYTES_TOLD (1u << 26)
#define DEPTH_TOLD 4

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
static void put_bytes(struct wcts_import_making *making, size_t at, size_t size,
                      const json_t *value, const char *digits)
{
    uint64_t fill;
    if (digits) {
        size_t given = strlen(digits) / 2;
        for (size_t i = 0; i < size && i < given; i++)
            making->bytes.bytes[at + i] = (uint8_t)(16 * hexadecimal_digit(digits[2 * i]) +
                                                    hexadecimal_digit(digits[2 * i + 1]));
        if (given < size)
            wcts_import_mark(making, at + given, size - given, 0);
    } else if (wcts_import_number(json_object_get(value, "Fill"), &fill) && fill <= 0xFF) {
        memset(making->bytes.bytes + at, (int)fill, size);
    } else {
        wcts_import_mark(making, at, size, 0);
    }
}

/* ---- arrays ---- */

static bool fill_structure(struct wcts_import_making *making,
                           const struct wcts_import_holder *holder);

/* Another pointer at the same place, whose array is made already; its offset, 0: none. */
static uint64_t array_made(const struct wcts_import_making *making,
                           const struct wcts_import_holder *holder,
                           const struct wcts_member *pointer)
{
    uint64_t at = wcts_import_number_at(making, holder->at, pointer);
    return wcts_import_is_member_told(making, holder->at, pointer) && at > 1 &&
                   at < making->bytes.size
               ? at
               : 0;
}

/* The structure of an element; of several, the one that the number in its first member selects;
 * -1: it is not told. */
static int element_told(const struct wcts_import_making *making, const struct wcts_member *pointer,
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
static void hide_element(struct wcts_import_making *making, const struct wcts_import_holder *holder,
                         const struct wcts_member *pointer, size_t at, int selected)
{
    const struct wcts_structure *of = &making->spec->structures[holder->structure];
    uint32_t size = making->spec->structures[pointer->least_element].size;
    if (selected < 0) {
        wcts_import_mark(making, at, size, 0);
        return;
    }
    wcts_import_hide_members(making, selected, at);
    for (int i = 0; i < of->pointer_count; i++) {
        const struct wcts_member *twin = &of->members[of->pointers[i]];
        if (twin != pointer && twin->offset == pointer->offset &&
            wcts_import_exists(making, twin) && twin->element_of_count == 1 &&
            making->spec->structures[twin->element_of[0]].size <= size)
            wcts_import_hide_members(making, twin->element_of[0], at);
    }
}

/* An element that is a number is the only member of its structure. */
static bool fill_element(struct wcts_import_making *making, const struct wcts_import_holder *holder,
                         const struct wcts_member *pointer, size_t at, const json_t *element)
{
    int selected = element_told(making, pointer, element);
    struct wcts_import_holder inner = {selected, at, element, false, holder->depth + 1};
    if (selected < 0)
        return true;
    if (json_is_object(element) && json_object_get(element, "Bytes")) {
        const char *digits;
        uint64_t size;
        if (!bytes_told(element, &size, &digits))
            return wcts_import_wrong_value(making, holder, pointer, element,
                                           "\"Bytes\" in hexadecimal digits");
        put_bytes(making, at, making->spec->structures[selected].size, element, digits);
        return true;
    }
    if (json_is_object(element))
        return fill_structure(making, &inner);
    if (making->spec->structures[selected].member_count == 1)
        return wcts_import_set_number(making, &inner,
                                      &making->spec->structures[selected].members[0], element);
    return making->bodies->native ||
           wcts_import_wrong_value(making, holder, pointer, element, "an object with members");
}

/* The list of an array, where it begins and how long the whole is. */
struct import_list {
    const json_t *list; /* NULL: its elements are not told */
    uint64_t from, size;
};

static bool read_list(struct wcts_import_making *making, const struct wcts_import_holder *holder,
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
        return wcts_import_wrong_value(making, holder, pointer, value,
                                       "ListFrom and ListSize, two numbers");
    if (list->from + json_array_size(list->list) > list->size)
        return wcts_import_wrong_value(making, holder, pointer, value,
                                       "a list within its ListSize");
    return true;
}

/* Makes room for the elements of a pointer, of which nothing is known; 0: there are none, or they
 * cannot be told. */
static size_t make_array(struct wcts_import_making *making, const struct wcts_import_holder *holder,
                         const struct wcts_member *pointer, uint64_t count)
{
    uint32_t each = making->spec->structures[pointer->least_element].size;
    size_t at = array_made(making, holder, pointer);
    if (at > 0)
        return at;
    at = count == 0 || count > ELEMENTS_TOLD ? 0 : wcts_import_add_room(making, count * each);
    if (at > 0)
        wcts_import_put_number(making, holder->at, pointer, at);
    for (uint64_t i = 0; at > 0 && i < count; i++)
        hide_element(making, holder, pointer, at + i * each,
                     pointer->element_of_count == 1 ? pointer->element_of[0] : -1);
    return at;
}

static bool set_elements(struct wcts_import_making *making, const struct wcts_import_holder *holder,
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
    if (counter && !wcts_import_is_member_told(making, holder->at, counter))
        wcts_import_put_number(making, holder->at, counter, list.size);
    if (counter && wcts_import_number_at(making, holder->at, counter) != list.size) {
        wcts_import_put_somewhere(making, holder->at, pointer, 1);
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
            wcts_import_mark(making, place, each, selected < 0 ? 0 : 0xFF);
            hide_element(making, holder, pointer, place, selected);
        }
        if (!fill_element(making, holder, pointer, place, element))
            return false;
    }
    /* There may be more than are listed. */
    if (at > 0 && counter && json_is_true(json_object_get(value, "More")))
        wcts_import_mark(making, holder->at + counter->offset, counter->width, 0);
    return !making->reading->failed;
}

static bool set_bytes(struct wcts_import_making *making, const struct wcts_import_holder *holder,
                      const struct wcts_member *pointer, const json_t *value)
{
    const struct wcts_structure *of = &making->spec->structures[holder->structure];
    const struct wcts_member *counter =
        pointer->counter < 0 ? NULL : &of->members[pointer->counter];
    const char *digits;
    uint64_t size;
    size_t at;
    if (!json_is_object(value) || !bytes_told(value, &size, &digits) || size > BYTES_TOLD)
        return wcts_import_wrong_value(
            making, holder, pointer, value,
            "\"0x0\", or an object with \"Bytes\" in hexadecimal digits");
    wcts_import_put_somewhere(making, holder->at, pointer, 1);
    if (!counter || size == 0)
        return true;
    if (!wcts_import_is_member_told(making, holder->at, counter))
        wcts_import_put_number(making, holder->at, counter, size);
    if (wcts_import_number_at(making, holder->at, counter) != size)
        return true;
    at = wcts_import_add_room(making, size);
    if (at > 0) {
        wcts_import_put_number(making, holder->at, pointer, at);
        put_bytes(making, at, size, value, digits);
    }
    return at > 0;
}

/* A structure that a pointer without a count leads to. */
static bool set_behind(struct wcts_import_making *making, const struct wcts_import_holder *holder,
                       const struct wcts_member *pointer, const json_t *value)
{
    const json_t *stated = json_object_get(value, "Size");
    uint64_t size;
    size_t at;
    /* What is too short for the structure is not one: the pointer leads to nothing of the message.
     */
    if (json_object_size(value) == 1 && wcts_import_number(stated, &size) &&
        size < making->spec->structures[pointer->least_element].size) {
        wcts_import_put_number(making, holder->at, pointer,
                               UINT64_C(1) << (8 * pointer->width - 2));
        return true;
    }
    at = make_array(making, holder, pointer, 1);
    return at > 0 && fill_element(making, holder, pointer, at, value);
}

/* True if a pointer, or another one at the same place, leads to something of the message: then its
 * number is no place there. */
static bool does_lead(const struct wcts_import_making *making,
                      const struct wcts_import_holder *holder, const struct wcts_member *pointer)
{
    const struct wcts_structure *of = &making->spec->structures[holder->structure];
    bool leads = pointer->least_element >= 0 || pointer->counter >= 0;
    for (int i = 0; i < of->pointer_count && !leads; i++) {
        const struct wcts_member *twin = &of->members[of->pointers[i]];
        leads = twin->offset == pointer->offset && wcts_import_exists(making, twin) &&
                (twin->least_element >= 0 || twin->counter >= 0);
    }
    return leads;
}

static bool set_pointer(struct wcts_import_making *making, const struct wcts_import_holder *holder,
                        const struct wcts_member *pointer, const json_t *value)
{
    bool leads = pointer->least_element >= 0 || pointer->counter >= 0;
    uint64_t number;
    if (holder->depth >= DEPTH_TOLD)
        return true;
    if (wcts_import_number(value, &number)) {
        /* Of two pointers in one place, one says where it leads. */
        if (wcts_import_is_member_told(making, holder->at, pointer)) {
            if ((wcts_import_number_at(making, holder->at, pointer) != 0) == (number != 0))
                return true;
            return wcts_import_wrong_value(making, holder, pointer, value,
                                           "what the other member in its place is");
        }
        if (number == 0 || !does_lead(making, holder, pointer))
            wcts_import_put_number(making, holder->at, pointer, number);
        else
            wcts_import_put_somewhere(making, holder->at, pointer, number);
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
        wcts_import_put_somewhere(making, holder->at, pointer, 1);
        return true;
    }
    return wcts_import_wrong_value(making, holder, pointer, value, "\"0x0\", or what it points to");
}

/* ---- structures ---- */

/* A pointer of which the address alone counts: what it leads to is in no message. */
static bool is_address_of_bytes(const struct wcts_member *member)
{
    return member->type == WCTS_TYPE_ADDRESS && member->name[0] == 'p';
}

static bool set_member(struct wcts_import_making *making, const struct wcts_import_holder *holder,
                       const struct wcts_member *member, const json_t *value)
{
    const char *digits;
    uint64_t size;
    if (json_is_null(value))
        return wcts_import_wrong_value(making, holder, member, value,
                                       "a value; what is not known is left out");
    if (member->type == WCTS_TYPE_POINTER)
        return set_pointer(making, holder, member, value);
    if (is_address_of_bytes(member) && json_is_object(value) && bytes_told(value, &size, &digits)) {
        wcts_import_ignore(making->reading, "Bytes", member->name, NULL);
        wcts_import_put_somewhere(making, holder->at, member, 1);
        return true;
    }
    return wcts_import_set_value(making, holder, member, value);
}

/* What an element of a native call has in the arm of its union, a member that is named as its kind
 * is; NULL: it has no such object. */
static const json_t *arm_of(const struct wcts_import_making *making,
                            const struct wcts_import_holder *holder)
{
    const json_t *arm =
        making->bodies->native && !holder->root
            ? json_object_get(holder->object, making->spec->structures[holder->structure].name)
            : NULL;
    return json_is_object(arm) ? arm : NULL;
}

/* The value of a member, which the caller releases; NULL: the line has none. */
static json_t *value_of_member(struct wcts_import_making *making,
                               const struct wcts_import_holder *holder,
                               const struct wcts_member *member)
{
    json_t *value = json_incref(json_object_get(holder->object, member->name));
    const json_t *arm = arm_of(making, holder);
    const char *paths = member->native, *path;
    size_t length;
    if (!value && arm)
        value = json_incref(json_object_get(arm, member->name));
    while (!value && holder->root && making->bodies->native &&
           (length = wcts_next_piece(&paths, &path)) > 0)
        value = wcts_import_native(making->bodies, holder->object, path, length);
    return value;
}

/* True if the structure has the member at the version. */
static bool has_member(const struct wcts_import_making *making, const struct wcts_structure *of,
                       const char *name)
{
    for (int i = 0; i < of->member_count; i++)
        if ((wcts_text_same(of->members[i].name, name) ||
             wcts_import_has_field(&of->members[i], name)) &&
            wcts_import_exists(making, &of->members[i]))
            return true;
    return false;
}

/* True if the key begins one of the paths, "in." before it or not, that lead to members of a native
 * call's request or reply. */
static bool is_native_key(const struct wcts_import_making *making, const struct wcts_structure *of,
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
static void note_unknown(struct wcts_import_making *making, const struct wcts_import_holder *holder,
                         const json_t *object)
{
    static const char *const own[] = {"ListFrom", "ListSize", NULL};
    const struct wcts_structure *of = &making->spec->structures[holder->structure];
    bool native = making->bodies->native;
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)object, key, value)
    {
        struct wcts_near near;
        if (has_member(making, of, key) || wcts_model_word_index(own, key, strlen(key)) >= 0 ||
            (native && holder->root && is_native_key(making, of, key)))
            continue;
        near = wcts_model_near_start(key, strlen(key));
        for (int i = 0; i < of->member_count; i++)
            if (wcts_import_exists(making, &of->members[i]))
                wcts_model_near_try(&near, of->members[i].name);
        if (!native || (near.best && wcts_import_misspelt(key, near.best)))
            wcts_import_ignore(making->reading, key, of->name, near.best);
    }
}

/* Numbers first: they count what pointers lead to. */
static bool fill_structure(struct wcts_import_making *making,
                           const struct wcts_import_holder *holder)
{
    const struct wcts_structure *of = &making->spec->structures[holder->structure];
    note_unknown(making, holder, holder->object);
    note_unknown(making, holder, arm_of(making, holder));
    for (int pointers = 0; pointers < 2; pointers++)
        for (int i = 0; i < of->member_count; i++) {
            const struct wcts_member *member = &of->members[i];
            json_t *value;
            bool good;
            if ((member->type == WCTS_TYPE_POINTER) != pointers ||
                !wcts_import_exists(making, member))
                continue;
            value = value_of_member(making, holder, member);
            good = value ? set_member(making, holder, member, value)
                         : wcts_import_set_fields(making, holder, member, holder->object);
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
    struct wcts_import_making making = {.reading = reading,
                                        .spec = reading->options->spec,
                                        .version = version,
                                        .bodies = bodies,
                                        .reply = reply};
    const json_t *object = reply ? bodies->out : bodies->in;
    struct wcts_import_holder root = {reply ? message->reply : message->request,
                                      reply ? message->reply_at : message->request_at, object, true,
                                      0};
    uint32_t size = reply ? message->reply_size : message->request_size;
    bool good;
    if (size < sizeof(uint32_t))
        size = sizeof(uint32_t);
    wcts_import_add_room(&making, size);
    good = !reading->failed;
    if (good) {
        /* Every message begins with its size. */
        wcts_exchange_bytes_put(making.bytes.bytes, 4, size);
        if (root.structure >= 0)
            wcts_import_hide_members(&making, root.structure, root.at);
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
