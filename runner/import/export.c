/* SPDX-License-Identifier: MIT */
/* Exchanges as JSON lines. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/text.h"
#include "../exchange/bytes.h"
#include "../model/names.h"
#include "import.h"

#define WRITTEN_ELEMENTS 4096u
#define WRITTEN_DEPTH 4

/* The message that is being written. */
struct import_writing {
    const struct wcts_spec *spec;
    int version;
    const struct wcts_exchange_record *record;
    bool reply;
    const uint8_t *bytes;
    uint32_t size;
};

static json_t *hexadecimal(uint64_t number)
{
    return json_sprintf("0x%" PRIX64, number);
}

static bool is_written(const struct import_writing *writing, const struct wcts_member *member,
                       const uint8_t *at)
{
    uint64_t all = member->width < 8 ? (UINT64_C(1) << 8 * member->width) - 1 : UINT64_MAX;
    return writing->version >= member->since && writing->version < member->until &&
           (all & ~wcts_exchange_known_bits(writing->record, writing->reply, at + member->offset,
                                            member->width)) == 0;
}

static uint64_t written_number(const struct wcts_member *member, const uint8_t *at)
{
    return wcts_exchange_bytes_get(at + member->offset, member->width);
}

static json_t *write_structure(const struct import_writing *writing, int structure,
                               const uint8_t *at, int depth);

/* The structure of an element; -1: the number in its first member selects none. */
static int selected_to_write(const struct import_writing *writing,
                             const struct wcts_member *pointer, const uint8_t *at)
{
    const char *names = pointer->elements, *piece;
    uint64_t number = wcts_exchange_bytes_get(at, 4);
    size_t length;
    if (pointer->element_of_count == 1)
        return pointer->element_of[0];
    for (uint64_t n = 0; (length = wcts_next_piece(&names, &piece)) > 0; n++)
        for (int i = 0; number == n && i < pointer->element_of_count; i++)
            if (wcts_is_piece(writing->spec->structures[pointer->element_of[i]].name, piece,
                              length))
                return pointer->element_of[i];
    return -1;
}

static json_t *write_elements(const struct import_writing *writing,
                              const struct wcts_member *pointer, const uint8_t *first,
                              uint64_t count, int depth)
{
    uint32_t each = writing->spec->structures[pointer->least_element].size;
    json_t *list = json_array();
    if (pointer->counter < 0) {
        json_decref(list);
        return write_structure(writing, pointer->element_of[0], first, depth + 1);
    }
    for (uint64_t i = 0; i < count; i++) {
        int structure = selected_to_write(writing, pointer, first + i * each);
        json_array_append_new(
            list, structure < 0 ? json_object()
                                : write_structure(writing, structure, first + i * each, depth + 1));
    }
    return list;
}

/* Bytes, in hexadecimal digits; many that are alike, as such. */
static json_t *bytes_written(const uint8_t *bytes, uint64_t size)
{
    static const char digits[] = "0123456789abcdef";
    char *text;
    json_t *object;
    if (size > 16 && memcmp(bytes, bytes + 1, size - 1) == 0)
        return json_pack("{s:I, s:i}", "Size", (json_int_t)size, "Fill", bytes[0]);
    text = malloc(2 * size + 1);
    for (uint64_t i = 0; text && i < size; i++) {
        text[2 * i] = digits[bytes[i] >> 4];
        text[2 * i + 1] = digits[bytes[i] & 15];
    }
    object = text ? json_object() : NULL;
    json_object_set_new(object, "Bytes", json_stringn_nocheck(text ? text : "", 2 * size));
    free(text);
    return object;
}

/* What a pointer leads to; that it is not 0, if it leads nowhere. */
static json_t *write_pointer(const struct import_writing *writing,
                             const struct wcts_structure *holder, const struct wcts_member *pointer,
                             const uint8_t *at, int depth)
{
    const struct wcts_member *counter =
        pointer->counter < 0 ? NULL : &holder->members[pointer->counter];
    uint64_t offset = written_number(pointer, at), count = 1;
    const uint8_t *first = NULL;
    bool leads = pointer->least_element >= 0 || counter;
    uint32_t each =
        pointer->least_element < 0 ? 1 : writing->spec->structures[pointer->least_element].size;
    if (counter)
        count = is_written(writing, counter, at) ? written_number(counter, at) : 0;
    if (leads && count > 0 && depth < WRITTEN_DEPTH &&
        (pointer->least_element < 0 || count <= WRITTEN_ELEMENTS))
        first = wcts_message_at(writing->bytes, writing->size, offset, count, each);
    if (first && pointer->least_element >= 0)
        return write_elements(writing, pointer, first, count, depth);
    if (first)
        return bytes_written(first, count);
    /* There are fewer bytes than the structure has. */
    if (offset && pointer->least_element >= 0 && !counter && depth < WRITTEN_DEPTH)
        return json_pack("{s:i}", "Size", 0);
    return hexadecimal(offset ? 1 : 0);
}

static json_t *write_structure(const struct import_writing *writing, int structure,
                               const uint8_t *at, int depth)
{
    const struct wcts_structure *of = &writing->spec->structures[structure];
    json_t *object = json_object();
    for (int i = 0; i < of->member_count; i++) {
        const struct wcts_member *member = &of->members[i];
        if (!is_written(writing, member, at))
            continue;
        json_object_set_new(object, member->name,
                            member->type == WCTS_TYPE_POINTER
                                ? write_pointer(writing, of, member, at, depth)
                                : hexadecimal(written_number(member, at)));
    }
    return object;
}

/* The request or the reply; NULL: there is none. */
static json_t *side_written(const struct wcts_spec *spec, int version,
                            const struct wcts_exchange_record *record, bool reply)
{
    const struct wcts_message *message = wcts_exchange_message_of(spec, record->operation);
    struct import_writing writing = {spec,
                                     version,
                                     record,
                                     reply,
                                     reply ? record->reply : record->request,
                                     reply ? record->reply_size : record->request_size};
    int structure = !message ? -1 : reply ? message->reply : message->request;
    uint32_t at = structure < 0 ? 0 : reply ? message->reply_at : message->request_at;
    if (structure < 0 || !writing.bytes ||
        (uint64_t)at + spec->structures[structure].size > writing.size)
        return NULL;
    return write_structure(&writing, structure, writing.bytes + at, 0);
}

static bool write_json_line(FILE *out, json_t *line)
{
    bool good = line && json_dumpf(line, out, JSON_COMPACT | JSON_ENSURE_ASCII) == 0 &&
                fputc('\n', out) != EOF;
    json_decref(line);
    return good;
}

static json_t *records_written(const struct wcts_spec *spec, const struct wcts_operations *all)
{
    json_t *names = json_array();
    for (int i = 0; i < spec->messages_count; i++)
        if (wcts_model_operations_have(all, spec->messages[i].operation))
            json_array_append_new(names, json_string(spec->messages[i].name));
    return names;
}

static bool is_every(const struct wcts_spec *spec, const struct wcts_operations *all)
{
    for (int i = 0; i < spec->messages_count; i++)
        if (!wcts_model_operations_have(all, spec->messages[i].operation))
            return false;
    return true;
}

static bool write_head(FILE *out, const struct wcts_spec *spec, const struct wcts_import_head *head)
{
    json_t *line = json_pack("{s:s, s:i, s:s, s:b}", "wddm", "ddi", "version", 1, "WDDMVersion",
                             spec->versions[head->version].name, "Complete", 1);
    if (head->page_size)
        json_object_set_new(line, "PageSize", json_integer(head->page_size));
    if (head->name)
        json_object_set_new(line, "Name", json_string(head->name));
    for (int role = 0; role < WCTS_ROLE_BOTH; role++)
        if (head->judged >> role & 1)
            json_object_set_new(line, "Judge", json_string(wcts_role_words[role]));
    if (head->all && !is_every(spec, head->all))
        json_object_set_new(line, "Records", records_written(spec, head->all));
    return write_json_line(out, line);
}

/* The last record before one that has a smaller depth: the call in which it was made. */
static int made_in(const struct wcts_exchange *exchange, int record)
{
    int above = record - 1;
    while (above >= 0 && exchange->records[above].depth >= exchange->records[record].depth)
        above--;
    return exchange->records[record].depth == 0 ? -1 : above;
}

bool wcts_import_write(FILE *out, const struct wcts_spec *spec, const struct wcts_import_head *head,
                       const struct wcts_exchange *exchange, int count)
{
    bool good = write_head(out, spec, head);
    for (int i = 0; i < count && good; i++) {
        const struct wcts_exchange_record *record = &exchange->records[i];
        const struct wcts_message *message = wcts_exchange_message_of(spec, record->operation);
        json_t *line = json_pack("{s:i, s:s}", "seq", i + 1, "call",
                                 message ? message->name : "UNKNOWN"),
               *in = side_written(spec, head->version, record, false),
               *reply = side_written(spec, head->version, record, true);
        int above = made_in(exchange, i);
        if (above >= 0 || (message && (message->driver || message->machine)))
            json_object_set_new(line, "within", json_integer(above + 1)); /* 0: in none */
        if (!record->status_unknown)
            json_object_set_new(line, "status",
                                json_sprintf("0x%08" PRIX32, (uint32_t)record->status));
        if (record->seed)
            json_object_set_new(line, "Seed", json_integer(record->seed));
        if (record->part)
            json_object_set_new(line, "Part", hexadecimal(record->part));
        if (in)
            json_object_set_new(line, "in", in);
        if (reply && (record->status_unknown || wcts_succeeded(record->status)))
            json_object_set(line, "out", reply);
        json_decref(reply);
        good = write_json_line(out, line);
    }
    return good;
}
