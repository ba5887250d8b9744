/* SPDX-License-Identifier: MIT */
/* Writes and reads of memory that the suite makes itself, in parts that are recorded like calls. */
#include "use.h"

#include <string.h>

/* A seed that no write or read of a scenario has. */
#define SPOILED 256
/* The most bytes in one record of a use of memory, and in all of them. */
#define PART_SIZE UINT64_C(8192)
#define LENGTH_MAX (UINT64_C(8) << 20)

/* In a pattern, a byte is STEP more than the one before it, of VALUES values that are not 0; at
 * each RUN it is one more, so that the pattern does not repeat soon. */
#define PATTERN_STEP 7u
#define PATTERN_VALUES 255u
#define PATTERN_RUN 251u
/* STEP * INVERSE % VALUES is 1: it gives the position of a value in the steps from 0. */
#define PATTERN_INVERSE 73u

/* Copies of a fixed size are an instruction or two each; one of any size, begun anew for each run,
 * takes longer to begin than to copy. */
static void copy_run(uint8_t *to, const uint8_t *from, size_t length)
{
    enum { PIECE = 32 };
    for (; length >= PIECE; length -= PIECE, to += PIECE, from += PIECE)
        memcpy(to, from, PIECE);
    for (size_t i = 0; i < length; i++)
        to[i] = from[i];
}

/* Fills in bytes that differ from each other, from those of other seeds, and from 0; index:
 * position of the first one in the pattern. */
static void fill_pattern(uint8_t *bytes, uint64_t length, int seed, uint64_t index)
{
    static uint8_t steps[PATTERN_VALUES + PATTERN_RUN];
    for (unsigned i = 0; steps[sizeof steps - 1] == 0 && i < sizeof steps; i++)
        steps[i] = (uint8_t)(1 + i * PATTERN_STEP % PATTERN_VALUES);
    for (uint64_t part; length > 0; length -= part, bytes += part, index += part) {
        uint64_t value = (uint64_t)seed * 89 + index * PATTERN_STEP + index / PATTERN_RUN;
        part = PATTERN_RUN - index % PATTERN_RUN;
        part = part < length ? part : length;
        copy_run(bytes, steps + value % PATTERN_VALUES * PATTERN_INVERSE % PATTERN_VALUES, part);
    }
}

static struct wcts_value member_symbol(const struct wcts_machine_session *session,
                                       const struct wcts_world *world, const char *name)
{
    int structure = world->instances[0].structure;
    struct wcts_ref ref = {structure, wcts_model_spec_member(session->spec, structure, name), -1};
    return wcts_world_get(world, 0, ref);
}

static uint64_t member_number(const struct wcts_machine_session *session,
                              const struct wcts_world *world, const char *name)
{
    return wcts_model_value_resolve(session->spec, &session->symbols,
                                    member_symbol(session, world, name));
}

/* True if nothing is there to use: a call that was not accepted should have returned the member, or
 * returned a space in which the allocation is not. */
static bool is_object_missing(const struct wcts_machine_session *session,
                              const struct wcts_world *world, const char *name)
{
    struct wcts_value value = member_symbol(session, world, name);
    const struct wcts_symbol *symbol;
    if (value.symbol < 0)
        return false;
    symbol = &session->spec->cases->symbols[value.symbol];
    return symbol->scenario >= 0 && symbol->kind == WCTS_SYMBOL_HANDLE &&
           (!session->steps_done[symbol->step] ||
            (strcmp(name, "Space") == 0 && session->symbols.values[value.symbol] == 0));
}

/* Uses one part of a range of memory, recorded; part: its offset; offset: that of the range. */
static wcts_status use_part(struct wcts_machine_session *session, uint32_t operation,
                            const struct wcts_machine_memory_request *whole, uint64_t part,
                            uint64_t offset, int seed)
{
    struct wcts_machine_memory_request head = *whole;
    bool write = operation == WCTS_MACHINE_WRITE;
    uint32_t reply_size = 0;
    wcts_status status;
    head.Address += part;
    head.Length = whole->Length - part < PART_SIZE ? whole->Length - part : PART_SIZE;
    session->request.size = 0;
    wcts_exchange_buffer_add(&session->request, sizeof head + (size_t)head.Length);
    if (session->request.size < sizeof head + head.Length)
        return WCTS_STATUS_NO_MEMORY;
    head.pData = write ? sizeof head : 0;
    memcpy(session->request.bytes, &head, sizeof head);
    fill_pattern(session->request.bytes + sizeof head, head.Length, seed, part);
    wcts_exchange_stream_expect(session->exchange.stream, operation,
                                session->request.bytes + sizeof head, (size_t)head.Length);
    if (!write)
        session->request.size = sizeof head;
    /* The room is not cleared: the suite's own machine fills in all that it answers. */
    status = wcts_exchange_recorded_call(&session->exchange, wcts_machine_probe_memory,
                                         &session->probe, operation, session->request.bytes,
                                         (uint32_t)session->request.size, session->reply,
                                         WCTS_REPLY_ROOM, &reply_size);
    if (session->exchange.count > 0) {
        session->exchange.records[session->exchange.count - 1].seed = seed;
        session->exchange.records[session->exchange.count - 1].part = part;
        session->exchange.records[session->exchange.count - 1].offset = offset + part;
    }
    return status;
}

wcts_status wcts_machine_use_range(struct wcts_machine_session *session,
                                   const struct wcts_step *step, const struct wcts_world *world)
{
    uint32_t operation = session->spec->messages[step->message].operation;
    struct wcts_machine_memory_request whole = {
        .size = sizeof whole,
        .Space = (uint32_t)member_number(session, world, "Space"),
        .Address = member_number(session, world, "Address"),
        .Length = member_number(session, world, "Length"),
    };
    const struct wcts_value address = member_symbol(session, world, "Address");
    wcts_status status = WCTS_STATUS_SUCCESS;
    if (is_object_missing(session, world, "Address") ||
        is_object_missing(session, world, "Space") || is_object_missing(session, world, "Length"))
        return WCTS_STATUS_NOT_SUPPORTED;
    if (whole.Length > LENGTH_MAX)
        return WCTS_STATUS_BUFFER_TOO_SMALL;
    for (uint64_t part = 0; wcts_succeeded(status) && part < whole.Length; part += PART_SIZE)
        status = use_part(session, operation, &whole, part, address.symbol < 0 ? 0 : address.number,
                          step->seed);
    return status;
}

/* True if the allocation of a transfer was not used otherwise since: its content is no longer
 * needed at its source. */
static bool is_moved(const struct wcts_exchange *exchange, int index)
{
    const struct wcts_driver_paging_request *in = (const void *)exchange->records[index].request;
    for (int i = index + 1; i < exchange->count; i++) {
        const struct wcts_exchange_record *record = &exchange->records[i];
        const struct wcts_driver_paging_request *later = (const void *)record->request;
        if (record->operation == WCTS_DRIVER_PAGING && record->request_size >= sizeof *later &&
            later->hAllocation == in->hAllocation &&
            (later->Operation != WCTS_PAGING_TRANSFER || later->SourceSegmentId != 0))
            return false;
    }
    return true;
}

void wcts_machine_use_spoil(struct wcts_machine_session *session)
{
    wcts_status status = WCTS_STATUS_SUCCESS;
    int count = session->exchange.count;
    for (int i = 0; i < count && wcts_succeeded(status); i++) {
        const struct wcts_exchange_record *record = &session->exchange.records[i];
        const struct wcts_driver_paging_request *in = (const void *)record->request;
        struct wcts_machine_memory_request whole = {.size = sizeof whole};
        if (record->operation != WCTS_DRIVER_PAGING || record->request_size < sizeof *in ||
            !wcts_succeeded(record->status) || in->Operation != WCTS_PAGING_TRANSFER ||
            in->SourceSegmentId != 0 || !is_moved(&session->exchange, i))
            continue;
        whole.Address = in->SourceAddress;
        whole.Length = in->TransferSize;
        for (uint64_t part = 0; part < whole.Length && part < LENGTH_MAX; part += PART_SIZE)
            status = use_part(session, WCTS_MACHINE_WRITE, &whole, part, 0, SPOILED);
    }
}
