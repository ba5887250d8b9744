/* SPDX-License-Identifier: MIT */
/* Messages and statuses in words. */
#include <inttypes.h>
#include <string.h>

#include "../model/spec.h"
#include "bytes.h"
#include "exchange.h"

/* A status of the graphics kernel's facility. */
#define GRAPHICS(code) ((wcts_status)(UINT32_C(0xC01E0000) + (code)))

void wcts_exchange_status_text(wcts_status status, char *text, size_t room)
{
    static const struct {
        wcts_status status;
        const char *name;
    } names[] = {
        {WCTS_STATUS_SUCCESS, "SUCCESS"},
        {WCTS_STATUS_PENDING, "PENDING"},
        {WCTS_STATUS_NOT_IMPLEMENTED, "NOT_IMPLEMENTED"},
        {WCTS_STATUS_INVALID_HANDLE, "INVALID_HANDLE"},
        {WCTS_STATUS_INVALID_PARAMETER, "INVALID_PARAMETER"},
        {WCTS_STATUS_NO_MEMORY, "NO_MEMORY"},
        {WCTS_STATUS_ACCESS_DENIED, "ACCESS_DENIED"},
        {WCTS_STATUS_BUFFER_TOO_SMALL, "BUFFER_TOO_SMALL"},
        {WCTS_STATUS_INSUFFICIENT_RESOURCES, "INSUFFICIENT_RESOURCES"},
        {WCTS_STATUS_NOT_SUPPORTED, "NOT_SUPPORTED"},
        {WCTS_STATUS_DEVICE_REMOVED, "DEVICE_REMOVED"},
        /* Names that begin so are no part of a signature (baseline/signature.c). */
        {GRAPHICS(0x0001), "GRAPHICS_INSUFFICIENT_DMA_BUFFER"},
        {GRAPHICS(0x0009), "GRAPHICS_DRIVER_MISMATCH"},
        {GRAPHICS(0x0100), "GRAPHICS_NO_VIDEO_MEMORY"},
        {GRAPHICS(0x0101), "GRAPHICS_CANT_LOCK_MEMORY"},
        {GRAPHICS(0x0102), "GRAPHICS_ALLOCATION_BUSY"},
        {GRAPHICS(0x0103), "GRAPHICS_TOO_MANY_REFERENCES"},
        {GRAPHICS(0x0104), "GRAPHICS_TRY_AGAIN_LATER"},
        {GRAPHICS(0x0105), "GRAPHICS_TRY_AGAIN_NOW"},
        {GRAPHICS(0x0106), "GRAPHICS_ALLOCATION_INVALID"},
        {GRAPHICS(0x0107), "GRAPHICS_UNSWIZZLING_APERTURE_UNAVAILABLE"},
        {GRAPHICS(0x0108), "GRAPHICS_UNSWIZZLING_APERTURE_UNSUPPORTED"},
        {GRAPHICS(0x0109), "GRAPHICS_CANT_EVICT_PINNED_ALLOCATION"},
        {GRAPHICS(0x0110), "GRAPHICS_INVALID_ALLOCATION_USAGE"},
        {GRAPHICS(0x0111), "GRAPHICS_CANT_RENDER_LOCKED_ALLOCATION"},
        {GRAPHICS(0x0112), "GRAPHICS_ALLOCATION_CLOSED"},
        {GRAPHICS(0x0113), "GRAPHICS_INVALID_ALLOCATION_INSTANCE"},
        {GRAPHICS(0x0114), "GRAPHICS_INVALID_ALLOCATION_HANDLE"},
        {GRAPHICS(0x0115), "GRAPHICS_WRONG_ALLOCATION_DEVICE"},
        {GRAPHICS(0x0116), "GRAPHICS_ALLOCATION_CONTENT_LOST"},
        {GRAPHICS(0x0200), "GRAPHICS_GPU_EXCEPTION_ON_DEVICE"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].status == status) {
            snprintf(text, room, "%s (0x%08X)", names[i].name, (unsigned)status);
            return;
        }
    snprintf(text, room, "0x%08X", (unsigned)status);
}

void wcts_exchange_flags_print(FILE *out, const struct wcts_word *word, uint64_t value)
{
    const char *separator = " = ";
    for (int i = 0; i < word->flag_count; i++) {
        if (!(value >> word->flags[i].bit & 1))
            continue;
        fprintf(out, "%s%s", separator, word->flags[i].name);
        separator = " | ";
    }
}

/* A message that is being printed; depth counts the pointers followed so far. */
struct exchange_printing {
    FILE *out;
    const struct wcts_spec *spec;
    const uint8_t *bytes;
    uint64_t size;
    int depth;
    bool memory; /* its bytes are those of memory that is read or written */
};

#define DATA_MAX 64
#define DATA_LINE 16

static void print_data(const struct exchange_printing *printing,
                       const struct wcts_structure *holder, uint64_t at,
                       const struct wcts_member *pointer, int indent);
static void print_elements(const struct exchange_printing *printing,
                           const struct wcts_structure *holder, uint64_t at,
                           const struct wcts_member *pointer, int indent);

static void print_member(const struct exchange_printing *printing,
                         const struct wcts_structure *structure, uint64_t at,
                         const struct wcts_member *member, int indent)
{
    uint64_t value = wcts_exchange_bytes_get(printing->bytes + at + member->offset, member->width);
    fprintf(printing->out, "%*s%s.%s 0x%" PRIx64, indent, "", structure->name, member->name, value);
    if (member->word >= 0)
        wcts_exchange_flags_print(printing->out, &printing->spec->words[member->word], value);
    fputc('\n', printing->out);
    if (member->elements && printing->depth < 3)
        print_elements(printing, structure, at, member, indent + 2);
    else if (printing->memory && member->type == WCTS_TYPE_POINTER && member->count)
        print_data(printing, structure, at, member, indent + 2);
}

/* Prints the members that are not 0 of a structure at an offset of the message. */
static void print_structure(const struct exchange_printing *printing, int index, uint64_t at,
                            int indent)
{
    const struct wcts_structure *structure = &printing->spec->structures[index];
    uint32_t last = UINT32_MAX;
    for (int i = 0; i < structure->member_count; i++) {
        const struct wcts_member *member = &structure->members[i];
        if (at > printing->size || member->offset + member->width > printing->size - at ||
            member->offset == last ||
            wcts_exchange_bytes_get(printing->bytes + at + member->offset, member->width) == 0)
            continue;
        last = member->offset;
        print_member(printing, structure, at, member, indent);
    }
}

/* The structure of an array's element: if there are several names, the number in the first member
 * selects one. -1 if there is none. */
static int element_structure(const struct exchange_printing *printing, const char *names,
                             uint64_t at)
{
    uint64_t n = strchr(names, ' ') ? wcts_exchange_bytes_get(printing->bytes + at, 4) : 0;
    char name[96];
    int length;
    for (; sscanf(names, " %95s%n", name, &length) == 1; names += length)
        if (n-- == 0)
            return wcts_model_spec_structure(printing->spec, name);
    return -1;
}

/* The value of the member whose name is a name and an ending; other if there is none. */
static uint64_t printed_value(const struct exchange_printing *printing,
                              const struct wcts_structure *holder, uint64_t at, const char *name,
                              const char *ending, uint64_t other)
{
    size_t length = strlen(name);
    for (int i = 0; i < holder->member_count; i++) {
        const struct wcts_member *member = &holder->members[i];
        if (strncmp(member->name, name, length) == 0 &&
            strcmp(member->name + length, ending) == 0 &&
            member->offset + member->width <= printing->size - at)
            return wcts_exchange_bytes_get(printing->bytes + at + member->offset, member->width);
    }
    return other;
}

/* Bytes of memory, 16 a line, each with the offset of its first. */
static void print_data(const struct exchange_printing *printing,
                       const struct wcts_structure *holder, uint64_t at,
                       const struct wcts_member *pointer, int indent)
{
    uint64_t offset =
        wcts_exchange_bytes_get(printing->bytes + at + pointer->offset, pointer->width);
    uint64_t count = printed_value(printing, holder, at, pointer->count, "", 0);
    if (offset > printing->size || count > printing->size - offset) {
        fprintf(printing->out, "%*s(outside the message)\n", indent, "");
        return;
    }
    for (uint64_t i = 0; i < count && i < DATA_MAX; i++) {
        if (i % DATA_LINE == 0)
            fprintf(printing->out, "%*s0x%02" PRIx64 " ", indent, "", i);
        fprintf(printing->out, " %02x", printing->bytes[offset + i]);
        if (i % DATA_LINE == DATA_LINE - 1 || i == count - 1)
            fputc('\n', printing->out);
    }
    if (count > DATA_MAX)
        fprintf(printing->out, "%*s... %" PRIu64 " bytes\n", indent, "", count);
}

static void print_elements(const struct exchange_printing *printing,
                           const struct wcts_structure *holder, uint64_t at,
                           const struct wcts_member *pointer, int indent)
{
    struct exchange_printing deeper = *printing;
    uint64_t offset =
        wcts_exchange_bytes_get(printing->bytes + at + pointer->offset, pointer->width);
    uint64_t count =
        pointer->count ? printed_value(printing, holder, at, pointer->count, "", 0) : 1;
    /* What is behind pData and is not counted may be shorter than its structure: it has DataSize
     * bytes. */
    uint64_t size =
        pointer->count || pointer->name[0] != 'p'
            ? UINT64_MAX
            : printed_value(printing, holder, at, pointer->name + 1, "Size", UINT64_MAX);
    if (size < printing->size && offset < printing->size - size)
        deeper.size = offset + size;
    deeper.depth++;
    for (uint64_t i = 0; i < count && i < 64; i++) {
        int index = offset + 4 <= printing->size
                        ? element_structure(printing, pointer->elements, offset)
                        : -1;
        if (index < 0) {
            fprintf(printing->out, "%*s(outside the message)\n", indent, "");
            return;
        }
        fprintf(printing->out, "%*s[%" PRIu64 "]\n", indent, "", i);
        print_structure(&deeper, index, offset, indent + 2);
        offset += printing->spec->structures[index].size;
    }
}

static void print_side(FILE *out, const struct wcts_spec *spec, int structure, uint32_t at,
                       const uint8_t *bytes, uint32_t size, bool memory, int indent)
{
    /* Offsets in a message count from its start, also in a structure inside it. */
    struct exchange_printing printing = {out, spec, bytes, size, 0, memory};
    if (structure >= 0 && size > at)
        print_structure(&printing, structure, at, indent);
}

static void print_record(FILE *out, const struct wcts_spec *spec,
                         const struct wcts_exchange_record *record, int left)
{
    const struct wcts_message *message = wcts_exchange_message_of(spec, record->operation);
    int indent = left + 2 * record->depth + 4;
    char status[64];
    wcts_exchange_status_text(record->status, status, sizeof status);
    fprintf(out, "%*s%s -> %s\n", indent - 4, "", wcts_operation_name(record->operation), status);
    if (!message)
        return;
    print_side(out, spec, message->request, message->request_at, record->request,
               record->request_size, message->writes, indent);
    if (message->reply < 0 || record->reply_size <= message->reply_at)
        return;
    fprintf(out, "%*sanswer:\n", indent - 2, "");
    print_side(out, spec, message->reply, message->reply_at, record->reply, record->reply_size,
               message->machine, indent);
}

void wcts_exchange_print(FILE *out, const struct wcts_spec *spec,
                         const struct wcts_exchange *exchange, int indent)
{
    for (int i = 0; i < exchange->count; i++)
        print_record(out, spec, &exchange->records[i], indent);
    if (exchange->log[0])
        fprintf(out, "%*slog: %s\n", indent, "", exchange->log);
}
