/* SPDX-License-Identifier: MIT */
/* Scenarios: one boot, the calls in their order, and all that was recorded judged. */
#include <stdlib.h>
#include <string.h>

#include "case.h"
#include "perform.h"

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
        memcpy(bytes, steps + value % PATTERN_VALUES * PATTERN_INVERSE % PATTERN_VALUES, part);
    }
}

static struct wcts_value member_symbol(const struct wcts_session *session,
                                       const struct wcts_world *world, const char *name)
{
    int structure = world->instances[0].structure;
    struct wcts_ref ref = {structure, wcts_spec_member(session->spec, structure, name), -1};
    return wcts_world_get(world, 0, ref);
}

static uint64_t member_number(const struct wcts_session *session, const struct wcts_world *world,
                              const char *name)
{
    return wcts_model_value_resolve(session->spec, &session->symbols,
                                    member_symbol(session, world, name));
}

/* True if nothing is there to use: a call that was not accepted should have returned the member, or
 * returned a space in which the allocation is not. */
static bool is_missing(const struct wcts_session *session, const struct wcts_world *world,
                       const char *name)
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

/* Uses one part of a range of memory, recorded; part: its offset. */
static wcts_status use_part(struct wcts_session *session, uint32_t operation,
                            const struct wcts_machine_memory_request *whole, uint64_t part,
                            int seed)
{
    struct wcts_machine_memory_request head = *whole;
    bool write = operation == WCTS_MACHINE_WRITE;
    uint32_t reply_size = 0;
    wcts_status status;
    head.Address += part;
    head.Length = whole->Length - part < PART_SIZE ? whole->Length - part : PART_SIZE;
    session->request.size = 0;
    wcts_exchange_buffer_add(&session->request, sizeof head + (write ? (size_t)head.Length : 0));
    if (session->request.size < sizeof head)
        return WCTS_STATUS_NO_MEMORY;
    head.pData = write ? sizeof head : 0;
    memcpy(session->request.bytes, &head, sizeof head);
    if (write)
        fill_pattern(session->request.bytes + sizeof head, head.Length, seed, part);
    memset(session->reply, 0, WCTS_REPLY_ROOM);
    status = wcts_exchange_recorded_call(
        &session->exchange, wcts_probe_memory, &session->probe, operation, session->request.bytes,
        (uint32_t)session->request.size, session->reply, WCTS_REPLY_ROOM, &reply_size);
    if (session->exchange.count > 0) {
        session->exchange.records[session->exchange.count - 1].seed = seed;
        session->exchange.records[session->exchange.count - 1].part = part;
    }
    return status;
}

/* The suite's own use of memory, recorded like calls. */
static wcts_status use_range(struct wcts_session *session, const struct wcts_step *step,
                             const struct wcts_world *world)
{
    uint32_t operation = session->spec->messages[step->message].operation;
    struct wcts_machine_memory_request whole = {
        .size = sizeof whole,
        .Space = (uint32_t)member_number(session, world, "Space"),
        .Address = member_number(session, world, "Address"),
        .Length = member_number(session, world, "Length"),
    };
    wcts_status status = WCTS_STATUS_SUCCESS;
    if (is_missing(session, world, "Address") || is_missing(session, world, "Space") ||
        is_missing(session, world, "Length"))
        return WCTS_STATUS_NOT_SUPPORTED;
    if (whole.Length > LENGTH_MAX)
        return WCTS_STATUS_BUFFER_TOO_SMALL;
    for (uint64_t part = 0; wcts_succeeded(status) && part < whole.Length; part += PART_SIZE)
        status = use_part(session, operation, &whole, part, step->seed);
    return status;
}

/* True if the allocation of a transfer was not used otherwise since: its content is no longer
 * needed at its source. */
static bool is_moved(const struct wcts_exchange *exchange, int index)
{
    const struct wcts_driver_paging_request *in = (const void *)exchange->records[index].request;
    for (int i = index + 1; i < exchange->count; i++) {
        const struct wcts_record *record = &exchange->records[i];
        const struct wcts_driver_paging_request *later = (const void *)record->request;
        if (record->operation == WCTS_DRIVER_PAGING && record->request_size >= sizeof *later &&
            later->hAllocation == in->hAllocation &&
            (later->Operation != WCTS_PAGING_TRANSFER || later->SourceSegmentId != 0))
            return false;
    }
    return true;
}

/* Overwrites the system memory that content was moved out of: otherwise what a driver failed to
 * move would still be there when it fails to move it back. */
static wcts_status spoil(struct wcts_session *session)
{
    wcts_status status = WCTS_STATUS_SUCCESS;
    int count = session->exchange.count;
    for (int i = 0; i < count && wcts_succeeded(status); i++) {
        const struct wcts_record *record = &session->exchange.records[i];
        const struct wcts_driver_paging_request *in = (const void *)record->request;
        struct wcts_machine_memory_request whole = {.size = sizeof whole};
        if (record->operation != WCTS_DRIVER_PAGING || record->request_size < sizeof *in ||
            !wcts_succeeded(record->status) || in->Operation != WCTS_PAGING_TRANSFER ||
            in->SourceSegmentId != 0 || !is_moved(&session->exchange, i))
            continue;
        whole.Address = in->SourceAddress;
        whole.Length = in->TransferSize;
        for (uint64_t part = 0; part < whole.Length && part < LENGTH_MAX; part += PART_SIZE)
            status = use_part(session, WCTS_MACHINE_WRITE, &whole, part, SPOILED);
    }
    return status;
}

/* Makes a call of the scenario itself; the effect decides whether it may be refused. */
static void make_call(struct wcts_session *session, const struct wcts_step *step)
{
    struct wcts_world world;
    uint32_t reply_size = 0;
    wcts_status status = WCTS_STATUS_NO_MEMORY;
    uint32_t operation = session->spec->messages[step->message].operation;
    bool memory = operation == WCTS_MACHINE_READ || operation == WCTS_MACHINE_WRITE;
    wcts_world_init(&world, &session->eval, 0, 4096);
    session->probe.answers = step->answers;
    session->probe.answer_count = step->answer_count;
    if (wcts_world_add_step(&world, step))
        status = memory ? use_range(session, step, &world)
                        : wcts_session_send(session, step, &world, 0, &reply_size);
    session->probe.answer_count = 0;
    if (wcts_succeeded(status) && !memory) {
        wcts_session_keep_results(session, step, reply_size);
        session->steps_done[step - session->spec->cases->steps] = true;
    }
    wcts_world_release(&world);
}

/* Runs the acts; false if a step of base.xml stopped it. */
static bool run_acts(struct wcts_session *session, const struct wcts_case *test,
                     struct wcts_attempt *attempt)
{
    const struct wcts_scenario *scenario = test->scenario;
    const struct wcts_cases *cases = session->spec->cases;
    for (int i = 0; i < scenario->act_count; i++) {
        if (session->exchange.breach[0])
            return true;
        if (scenario->acts[i].spoil)
            spoil(session);
        else if (!scenario->acts[i].is_step)
            make_call(session, &cases->steps[scenario->acts[i].step]);
        else if (!wcts_session_ensure_step(session, scenario->acts[i].step, attempt))
            return false;
    }
    return true;
}

int wcts_run_perform_scenario(struct wcts_session *session, const struct wcts_case *test)
{
    struct wcts_attempt attempt = {.end = WCTS_ATTEMPT_NO_BOOT};
    int kinds;
    session->kinds_asked = 0;
    if (wcts_session_boot(session, test->version, test->page_size)) {
        for (int i = 0; i < test->scenario->loop_count; i++) {
            const struct wcts_loop *loop = &test->scenario->loops[i];
            session->symbols.values[loop->symbol] = wcts_model_value_resolve(
                session->spec, &session->symbols, loop->values[test->values[i]]);
        }
        wcts_session_mark_call(session, true);
        if (run_acts(session, test, &attempt))
            attempt.end = WCTS_ATTEMPT_ANSWERED;
        wcts_session_mark_call(session, false);
    }
    kinds = wcts_session_kinds(session);
    wcts_session_keep(session, WCTS_FOR_TEST, &attempt);
    return kinds;
}

void wcts_run_scenario_once(struct wcts_session *session, const struct wcts_case *test,
                            struct wcts_finding *finding)
{
    wcts_exchange_recording_clear(&session->recording);
    wcts_run_perform_scenario(session, test);
    wcts_run_judge_recording(session, test, finding);
}

void wcts_run_judge_recording(struct wcts_session *session, const struct wcts_case *test,
                              struct wcts_finding *finding)
{
    const struct wcts_judge judge = {session->plan, &session->eval, &session->claims};
    wcts_model_finding_release(finding);
    wcts_judge_test(&judge, test, &session->recording, &session->strictness, finding);
}
