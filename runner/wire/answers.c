/* SPDX-License-Identifier: MIT */
#include "answers.h"

/* Bytes of a request that has nothing but a handle. */
#define HANDLE_SIZE 8

/* ---- the request ---- */

static bool check_answer(const struct wcts_wire_answers *in, const struct wcts_wire_answer *answer,
                         const uint8_t *body, uint32_t size)
{
    bool has = answer->MemberOffset != WCTS_WIRE_NO_MEMBER;
    return answer->QuestionSize > 0 &&
           (answer->ReplySize > 0 || !wcts_succeeded((wcts_status)answer->Status)) &&
           wcts_message_at(body, size, answer->pQuestion, answer->QuestionSize, 1) &&
           wcts_message_at(body, size, answer->pReply, answer->ReplySize, 1) &&
           answer->Operation >> 8 == WCTS_DRIVER_INFO >> 8 &&
           (!has || (answer->MemberOffset <= answer->ReplySize &&
                     in->MemberWidth <= answer->ReplySize - answer->MemberOffset));
}

static bool check_ranges(const struct wcts_wire_answers *in, const uint8_t *body, uint32_t size)
{
    struct wcts_sweep_range range;
    const uint8_t *ranges = wcts_message_at(body, size, in->pRanges, in->RangeCount, sizeof range);
    uint64_t count = 0;
    for (uint32_t i = 0; ranges && i < in->RangeCount; i++) {
        memcpy(&range, ranges + i * sizeof range, sizeof range);
        if (range.Count > WCTS_SWEEP_VALUES_MAX)
            return false;
        count += range.Count;
    }
    return ranges && count == in->ValueCount && count <= WCTS_SWEEP_VALUES_MAX;
}

static bool is_of_kernel(uint32_t operation)
{
    return operation >> 8 == WCTS_KERNEL_INFO >> 8 && wcts_request_size(operation) > 0;
}

/* What an accepted call made has to be ended with nothing but the handle in its reply. */
static bool check_answered_call(const struct wcts_wire_answers *in, const uint8_t *body,
                                uint32_t size)
{
    bool ends =
        in->End == 0 || (is_of_kernel(in->End) && wcts_request_size(in->End) == HANDLE_SIZE);
    return ends && is_of_kernel(in->Operation) &&
           in->RequestSize >= wcts_request_size(in->Operation) && in->pRequest % 8 == 0 &&
           (in->MemberWidth == 4 || in->MemberWidth == 8) &&
           wcts_message_at(body, size, in->pRequest, in->RequestSize, 1);
}

bool wcts_wire_answering_init(struct wcts_wire_answering *answering, const uint8_t *body,
                              uint32_t size)
{
    struct wcts_wire_answers *in = &answering->in;
    *answering = (struct wcts_wire_answering){.body = body};
    if (size < sizeof *in)
        return false;
    memcpy(in, body, sizeof *in);
    const uint8_t *answers =
        wcts_message_at(body, size, in->pAnswers, in->AnswerCount, sizeof *answering->answers);
    bool right = in->size >= sizeof *in && answers && in->AnswerCount <= WCTS_WIRE_ANSWERS_MAX &&
                 check_answered_call(in, body, size) && check_ranges(in, body, size);
    for (uint32_t i = 0; right && i < in->AnswerCount; i++) {
        memcpy(&answering->answers[i], answers + i * sizeof *answering->answers,
               sizeof *answering->answers);
        right = check_answer(in, &answering->answers[i], body, size);
    }
    return right;
}

/* ---- questions ---- */

bool wcts_wire_answering_give(struct wcts_wire_answering *answering, uint32_t operation,
                              const void *request, uint32_t request_size, void *reply,
                              uint32_t room, uint32_t *reply_size, wcts_status *status)
{
    for (uint32_t i = 0; !answering->strayed && i < answering->in.AnswerCount; i++) {
        const struct wcts_wire_answer *answer = &answering->answers[i];
        if (answer->Operation != operation || answer->QuestionSize != request_size ||
            memcmp(answering->body + answer->pQuestion, request, request_size) != 0 ||
            answer->ReplySize > room)
            continue;
        *status = (wcts_status)answer->Status;
        *reply_size = wcts_succeeded(*status) ? answer->ReplySize : 0;
        if (*reply_size > 0)
            memcpy(reply, answering->body + answer->pReply, *reply_size);
        if (*reply_size > 0 && answer->MemberOffset != WCTS_WIRE_NO_MEMBER) {
            uint8_t *member = (uint8_t *)reply + answer->MemberOffset;
            for (uint32_t n = 0; n < answering->in.MemberWidth; n++)
                member[n] = (uint8_t)(answering->value >> 8 * n);
        }
        return true;
    }
    answering->strayed |= operation >> 8 == WCTS_DRIVER_INFO >> 8;
    return false;
}

/* ---- the calls ---- */

/* One value. Returns its class, NOT_SENT if it is of no use; *on: True if another may follow. */
static enum wcts_sweep_answer send_value(struct wcts_wire_answering *answering, wcts_call_fn *call,
                                         void *instance, uint8_t *room, bool *on)
{
    const struct wcts_wire_answers *in = &answering->in;
    const uint8_t *request = answering->body + in->pRequest;
    uint32_t size = 0;
    memset(room, 0, wcts_reply_size(in->Operation));
    wcts_status status =
        call(instance, in->Operation, request, in->RequestSize, room, WCTS_REPLY_ROOM, &size);
    enum wcts_sweep_answer answer = wcts_sweep_answer_of(status);
    *on = true;
    if (wcts_succeeded(status) &&
        (size < wcts_reply_least(in->Operation) || size > WCTS_REPLY_ROOM)) {
        answer = WCTS_SWEEP_MISSING;
        *on = false;
    } else if (wcts_succeeded(status)) {
        *on = wcts_succeeded(wcts_sweep_end(call, instance, in->End, request, room, size));
    }
    *on = *on && !answering->strayed;
    return answering->strayed ? WCTS_SWEEP_NOT_SENT : answer;
}

wcts_status wcts_wire_answering_run(struct wcts_wire_answering *answering, wcts_call_fn *call,
                                    void *instance, uint8_t *reply, uint32_t *reply_size)
{
    const struct wcts_wire_answers *in = &answering->in;
    struct wcts_kernel_sweep_reply out = {
        .size = sizeof out, .Count = in->ValueCount, .pAnswers = sizeof out};
    uint8_t *answers = reply + sizeof out, *room = reply + WCTS_SWEEP_ROOM - WCTS_REPLY_ROOM;
    bool on = true;
    uint32_t sent = 0;
    memset(answers, WCTS_SWEEP_NOT_SENT, in->ValueCount);
    for (uint32_t i = 0; on && i < in->RangeCount; i++) {
        struct wcts_sweep_range range;
        memcpy(&range, answering->body + in->pRanges + i * sizeof range, sizeof range);
        for (uint64_t n = 0; on && n < range.Count; n++) {
            answering->value = wcts_sweep_value(&range, n);
            answers[sent++] = (uint8_t)send_value(answering, call, instance, room, &on);
        }
    }
    memcpy(reply, &out, sizeof out);
    *reply_size = (uint32_t)sizeof out + in->ValueCount;
    return WCTS_STATUS_SUCCESS;
}
