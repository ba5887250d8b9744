/* SPDX-License-Identifier: MIT */
/* Scenarios: one boot, calls in their order, and a look at all that was recorded. */
#include <string.h>

#include "parts.h"

/* Bytes that differ from each other, from those of other seeds, and from 0. */
static uint8_t pattern(int seed, uint64_t index)
{
    return (uint8_t)(1 + ((uint64_t)seed * 89 + index * 7 + index / 251) % 255);
}

static uint64_t member_of(const struct wcts_session *session, const struct wcts_world *world,
                          const char *name)
{
    int structure = world->instances[0].structure;
    int member = wcts_spec_member(session->spec, structure, name);
    struct wcts_ref ref = {structure, member, -1};
    return wcts_value_resolve(session->spec, &session->symbols, wcts_world_get(world, 0, ref));
}

/* The suite's own use of memory, recorded like a call. */
static wcts_status use_memory(struct wcts_session *session, const struct wcts_step *step,
                              const struct wcts_world *world)
{
    uint32_t operation = session->spec->messages[step->message].operation, reply_size = 0;
    struct wcts_machine_memory_request head = {
        .size = sizeof head,
        .Space = (uint32_t)member_of(session, world, "Space"),
        .Address = member_of(session, world, "Address"),
        .Length = member_of(session, world, "Length"),
    };
    bool write = operation == WCTS_MACHINE_WRITE;
    wcts_status status;
    if (head.Length > WCTS_REPLY_ROOM - sizeof(struct wcts_machine_memory_reply))
        return WCTS_STATUS_BUFFER_TOO_SMALL;
    session->request.size = 0;
    wcts_buffer_add(&session->request, sizeof head + (write ? (size_t)head.Length : 0));
    if (session->request.size < sizeof head)
        return WCTS_STATUS_NO_MEMORY;
    head.pData = write ? sizeof head : 0;
    memcpy(session->request.bytes, &head, sizeof head);
    for (uint64_t i = 0; write && i < head.Length; i++)
        session->request.bytes[sizeof head + i] = pattern(step->seed, i);
    memset(session->reply, 0, WCTS_REPLY_ROOM);
    status = wcts_recorded_call(&session->exchange, wcts_machine_call, session->machine, operation,
                                session->request.bytes, (uint32_t)session->request.size,
                                session->reply, WCTS_REPLY_ROOM, &reply_size);
    if (session->exchange.count > 0)
        session->exchange.records[session->exchange.count - 1].seed = step->seed;
    return status;
}

/* A call of the scenario itself: whether it is refused is the effect's matter. */
static wcts_status make_call(struct wcts_session *session, const struct wcts_step *step)
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
        status = memory ? use_memory(session, step, &world)
                        : wcts_session_send(session, step, &world, 0, &reply_size);
    session->probe.answer_count = 0;
    if (wcts_succeeded(status) && !memory)
        wcts_session_keep_results(session, step, reply_size);
    wcts_world_release(&world);
    return status;
}

static void set_parameters(struct wcts_session *session, const struct wcts_case *one)
{
    const struct wcts_scenario *scenario = one->scenario;
    for (int i = 0; i < scenario->loop_count; i++)
        session->symbols.values[scenario->loops[i].symbol] = wcts_value_resolve(
            session->spec, &session->symbols, scenario->loops[i].values[one->values[i]]);
}

/* Goes through the scenario; false when a step that it takes stopped it. */
static bool act(struct wcts_session *session, const struct wcts_scenario *scenario,
                struct wcts_attempt *attempt)
{
    const struct wcts_cases *cases = session->spec->cases;
    for (int i = 0; i < scenario->act_count; i++) {
        if (session->exchange.breach[0])
            return true;
        if (!scenario->acts[i].take)
            make_call(session, &cases->steps[scenario->acts[i].step]);
        else if (!wcts_session_take(session, scenario->acts[i].step, attempt))
            return false;
    }
    return true;
}

void wcts_run_scenario(struct wcts_session *session, const struct wcts_case *one,
                       struct wcts_result *result)
{
    struct wcts_attempt attempt = {.end = WCTS_ATTEMPT_NO_BOOT};
    struct wcts_world world;
    bool done = false;
    if (!wcts_world_init_adapter(&world, &session->eval, one->scenario->adapter, one->version,
                                 one->page_size)) {
        wcts_result_set(result, WCTS_VERDICT_BROKEN, "no memory");
        wcts_world_release(&world);
        return;
    }
    session->probe.world = &world;
    if (wcts_session_boot(session, one->version, one->page_size)) {
        set_parameters(session, one);
        wcts_session_mark_call(session, true);
        done = act(session, one->scenario, &attempt);
        wcts_session_mark_call(session, false);
    }
    if (done)
        wcts_judge_effect(session->plan, one, session->options.judging, &session->exchange, 0,
                          result);
    else
        wcts_judge_no_answer(&attempt, "set-up", result);
    wcts_session_shut_down(session);
    session->probe.world = NULL;
    wcts_world_release(&world);
}
