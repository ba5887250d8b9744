/* SPDX-License-Identifier: MIT */
/* Many values of a sweep in one call, for a kernel under test that answers KERNEL_SWEEP. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "session.h"

/* The call, and whether the kernel broke the protocol during it, in a message of its own. */
struct machine_many_call {
    struct wcts_machine_session *session;
    uint32_t operation;
    bool disturbed;
};

static wcts_status call_kernel(void *ctx, uint32_t operation, const void *request,
                               uint32_t request_size, void *reply, uint32_t reply_room,
                               uint32_t *reply_size)
{
    struct machine_many_call *call = ctx;
    struct wcts_machine_session *session = call->session;
    const void *lent = wcts_machine_room_lend(&session->asked_room, request, request_size);
    (void)operation; /* as which it is recorded */
    wcts_status status = session->kernel_plugin->call(session->kernel, call->operation, lent,
                                                      request_size, reply, reply_room, reply_size);
    wcts_machine_room_return(&session->asked_room, lent);
    call->disturbed = session->exchange.breach_kind != WCTS_BREACH_NONE;
    return status;
}

static bool build_sweep(struct wcts_exchange_buffer *buffer, const struct wcts_machine_many *many)
{
    struct wcts_kernel_sweep_request head = {.size = sizeof head,
                                             .Operation = many->operation,
                                             .RequestSize = (uint32_t)many->request->size,
                                             .MemberOffset = many->at,
                                             .MemberWidth = many->width,
                                             .RangeCount = (uint32_t)many->range_count,
                                             .ValueCount = (uint32_t)many->value_count,
                                             .End = wcts_machine_session_ending(many->operation)};
    size_t ranges_size = (size_t)many->range_count * sizeof *many->ranges;
    wcts_exchange_buffer_add(buffer, sizeof head);
    head.pRequest = wcts_exchange_buffer_add(buffer, many->request->size);
    head.pRanges = wcts_exchange_buffer_add(buffer, ranges_size);
    if (!head.pRequest || !head.pRanges)
        return false;
    memcpy(buffer->bytes, &head, sizeof head);
    memcpy(buffer->bytes + head.pRequest, many->request->bytes, many->request->size);
    memcpy(buffer->bytes + head.pRanges, many->ranges, ranges_size);
    return true;
}

/* Statuses that stand for the classes; NOT_SENT has none. */
static const wcts_status classes[] = {[WCTS_SWEEP_ACCEPTED] = WCTS_STATUS_SUCCESS,
                                      [WCTS_SWEEP_REFUSED] = WCTS_STATUS_INVALID_PARAMETER,
                                      [WCTS_SWEEP_MISSING] = WCTS_STATUS_NOT_SUPPORTED,
                                      [WCTS_SWEEP_NO_TEST] = WCTS_STATUS_NO_MEMORY};

/* Reads the answers; returns how many there are up to the first NOT_SENT, or LIED. */
static int read_answers(const struct wcts_machine_many *many, const char *name,
                        const uint8_t *reply, uint32_t reply_size, wcts_status *statuses, char *lie,
                        size_t room)
{
    const struct wcts_kernel_sweep_reply *out = (const void *)reply;
    const uint8_t *answers = wcts_message_at(reply, reply_size, out->pAnswers, out->Count, 1);
    int sent = 0;
    lie[0] = '\0';
    if (out->Count != (uint32_t)many->value_count)
        snprintf(lie, room, "%s: Count is %u, expected one for each of %d values", name, out->Count,
                 many->value_count);
    else if (!answers)
        snprintf(lie, room,
                 "%s: pAnswers leads out of the message: offset 0x%" PRIx64 ", %u bytes, in %u",
                 name, out->pAnswers, out->Count, reply_size);
    for (int i = 0; answers && !lie[0] && i < many->value_count; i++) {
        if (answers[i] >= sizeof classes / sizeof *classes)
            snprintf(lie, room, "%s: answer %d is %u, expected 0 to %zu", name, i, answers[i],
                     sizeof classes / sizeof *classes - 1);
        else if (answers[i] != WCTS_SWEEP_NOT_SENT && i > sent)
            snprintf(lie, room, "%s: answer %d is %u, behind one that was not sent", name, i,
                     answers[i]);
        else if (answers[i] != WCTS_SWEEP_NOT_SENT)
            statuses[sent++] = classes[answers[i]];
    }
    if (!lie[0] && sent == 0 && many->must)
        snprintf(lie, room, "%s: no value was sent, expected the first one at least", name);
    return lie[0] ? WCTS_MANY_LIED : sent;
}

int wcts_machine_session_send_many(struct wcts_machine_session *session,
                                   const struct wcts_machine_many *many, uint32_t operation,
                                   const struct wcts_exchange_buffer *request,
                                   wcts_status *statuses, char *lie, size_t room)
{
    struct machine_many_call call = {session, operation, false};
    uint8_t *reply = wcts_machine_room_get(&session->many_room, WCTS_SWEEP_ROOM);
    uint32_t reply_size = 0;
    wcts_status status;
    if (!reply)
        return WCTS_MANY_MISSING;
    memset(reply, 0, WCTS_SWEEP_ROOM);
    status = wcts_exchange_recorded_call(&session->exchange, call_kernel, &call, WCTS_KERNEL_SWEEP,
                                         request->bytes, (uint32_t)request->size, reply,
                                         WCTS_SWEEP_ROOM, &reply_size);
    if (call.disturbed)
        return WCTS_MANY_DISTURBED;
    if (session->exchange.breach_kind != WCTS_BREACH_NONE) {
        snprintf(lie, room, "%.*s", (int)room - 1, session->exchange.breach);
        return WCTS_MANY_LIED;
    }
    if (!wcts_succeeded(status))
        return WCTS_MANY_MISSING;
    const char *name = operation == WCTS_KERNEL_SWEEP ? "KERNEL_SWEEP" : "ANSWERS";
    return read_answers(many, name, reply, reply_size, statuses, lie, room);
}

int wcts_machine_session_quiet_many(struct wcts_machine_session *session,
                                    const struct wcts_machine_many *many, wcts_status *statuses,
                                    char *lie, size_t room)
{
    struct wcts_exchange_buffer request = {0};
    int sent = WCTS_MANY_MISSING;
    if (build_sweep(&request, many))
        sent = wcts_machine_session_send_many(session, many, WCTS_KERNEL_SWEEP, &request, statuses,
                                              lie, room);
    free(request.bytes);
    return sent;
}
