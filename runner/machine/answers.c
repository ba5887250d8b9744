/* SPDX-License-Identifier: MIT */
/*
 * Many values of a member that the driver answers with, for a kernel behind a connection: what it
 * asks the driver during one such call is noted, and is sent beforehand with the other values, so
 * that no value crosses the connection alone.
 */
#include <stdlib.h>
#include <string.h>

#include "../wire/host.h"
#include "../wire/protocol.h"
#include "session.h"

bool wcts_machine_session_takes_many(const struct wcts_machine_session *session)
{
    return session->options.remote && wcts_wire_host_takes_many(session->options.remote);
}

/* ---- where the value is ---- */

/* The place of the member where the replies differ, WCTS_WIRE_NO_MEMBER if they are the same. False
 * if they differ in anything else. */
static bool find_difference(struct wcts_machine_answer *answer, const uint8_t *reply, uint32_t size,
                            uint32_t width, uint64_t before, uint64_t after)
{
    uint32_t at = 0;
    answer->at = WCTS_WIRE_NO_MEMBER;
    if (size != answer->reply_size)
        return false;
    while (at < size && reply[at] == answer->reply[at])
        at++;
    if (at == size)
        return true;
    at -= at % width;
    if (width > size - at || wcts_exchange_bytes_get(answer->reply + at, width) != before ||
        wcts_exchange_bytes_get(reply + at, width) != after ||
        memcmp(answer->reply + at + width, reply + at + width, size - at - width) != 0)
        return false;
    answer->at = at;
    return true;
}

bool wcts_machine_session_find_value(struct wcts_machine_session *session,
                                     struct wcts_machine_answers *answers, uint32_t width,
                                     uint64_t before, uint64_t after)
{
    uint8_t *reply = malloc(WCTS_REPLY_ROOM);
    bool right = reply && !answers->more && !session->driver;
    int found = 0;
    for (int i = 0; right && i < answers->count; i++) {
        struct wcts_machine_answer *answer = &answers->list[i];
        uint32_t size = 0;
        wcts_status status =
            wcts_machine_probe_call(&session->probe, answer->operation, answer->question,
                                    answer->question_size, reply, WCTS_REPLY_ROOM, &size);
        right = status == answer->status &&
                (wcts_succeeded(status) ? find_difference(answer, reply, size, width, before, after)
                                        : true);
        if (!wcts_succeeded(status))
            answer->at = WCTS_WIRE_NO_MEMBER;
        found += answer->at != WCTS_WIRE_NO_MEMBER;
    }
    free(reply);
    return right && found == 1;
}

/* ---- the call ---- */

/* Appends bytes at a multiple of 8; returns their offset, 0 without memory. */
static uint64_t append_bytes(struct wcts_exchange_buffer *buffer, const void *bytes, size_t size)
{
    uint64_t at = wcts_exchange_buffer_add(buffer, (size + 8) / 8 * 8);
    if (at && size)
        memcpy(buffer->bytes + at, bytes, size);
    return at;
}

static bool append_answers(struct wcts_exchange_buffer *buffer,
                           const struct wcts_machine_answers *answers,
                           struct wcts_wire_answer *list)
{
    for (int i = 0; i < answers->count; i++) {
        const struct wcts_machine_answer *answer = &answers->list[i];
        list[i] = (struct wcts_wire_answer){
            .Operation = answer->operation,
            .QuestionSize = answer->question_size,
            .pQuestion = append_bytes(buffer, answer->question, answer->question_size),
            .pReply = append_bytes(buffer, answer->reply, answer->reply_size),
            .ReplySize = answer->reply_size,
            .MemberOffset = answer->at,
            .Status = (uint32_t)answer->status};
        if (!list[i].pQuestion || !list[i].pReply)
            return false;
    }
    return true;
}

static bool build_answers(struct wcts_exchange_buffer *buffer, const struct wcts_machine_many *many,
                          const struct wcts_machine_answers *answers)
{
    struct wcts_wire_answers head = {.size = sizeof head,
                                     .Operation = many->operation,
                                     .RequestSize = (uint32_t)many->request->size,
                                     .End = wcts_machine_session_ending(many->operation),
                                     .AnswerCount = (uint32_t)answers->count,
                                     .RangeCount = (uint32_t)many->range_count,
                                     .ValueCount = (uint32_t)many->value_count,
                                     .MemberWidth = many->width};
    struct wcts_wire_answer list[WCTS_MACHINE_ANSWERS_MAX] = {{0}};
    wcts_exchange_buffer_add(buffer, sizeof head);
    if (!append_answers(buffer, answers, list))
        return false;
    head.pRequest = append_bytes(buffer, many->request->bytes, many->request->size);
    head.pAnswers = append_bytes(buffer, list, (size_t)answers->count * sizeof *list);
    head.pRanges =
        append_bytes(buffer, many->ranges, (size_t)many->range_count * sizeof *many->ranges);
    if (!head.pRequest || !head.pAnswers || !head.pRanges)
        return false;
    memcpy(buffer->bytes, &head, sizeof head);
    return true;
}

/* What was answered counts as answered, as if each value had been sent alone. */
static void note_all(struct wcts_machine_session *session, uint32_t operation,
                     const wcts_status *statuses, int count)
{
    for (int i = 0; i < count; i++) {
        wcts_machine_session_note_answered(session, operation, statuses[i]);
        if (wcts_succeeded(statuses[i]) && wcts_machine_session_ending(operation))
            wcts_machine_session_note_answered(session, wcts_machine_session_ending(operation),
                                               WCTS_STATUS_SUCCESS);
    }
}

int wcts_machine_session_quiet_answers(struct wcts_machine_session *session,
                                       const struct wcts_machine_many *many,
                                       const struct wcts_machine_answers *answers,
                                       wcts_status *statuses, char *lie, size_t room)
{
    struct wcts_exchange_buffer request = {0};
    int sent = WCTS_MANY_MISSING;
    /* What any peer takes: a longer message would end the connection. */
    if (build_answers(&request, many, answers) &&
        request.size <= WCTS_WIRE_LONGEST_LEAST - sizeof(struct wcts_wire_head))
        sent = wcts_machine_session_send_many(session, many, WCTS_WIRE_ANSWERS, &request, statuses,
                                              lie, room);
    free(request.bytes);
    if (sent > 0)
        note_all(session, many->operation, statuses, sent);
    return sent;
}
