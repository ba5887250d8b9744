/* SPDX-License-Identifier: MIT */
/*
 * ANSWERS at the peer: a call with the values in what the driver answers. The kernel here asks the
 * driver twice, and answers as the lowest bits of the flags that it is told say.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "runner/wire/answers.h"
#include "suite.h"

#define VALUES 6

/* ---- the kernel ---- */

struct kernel {
    struct wcts_wire_answering *answering;
    uint32_t asks;     /* of the driver, besides; 0: nothing */
    uint32_t asks_for; /* the flags with which it does */
    uint64_t seen[VALUES + 2];
    int calls, ends, crossed;
};

/* What wcts_host.call is there. */
static uint32_t ask(struct kernel *kernel, uint32_t operation, uint32_t room)
{
    const struct wcts_none question = {.size = sizeof question};
    uint32_t reply[8] = {0}, size = 0;
    wcts_status status = WCTS_STATUS_SUCCESS;
    if (!wcts_wire_answering_give(kernel->answering, operation, &question, sizeof question, reply,
                                  room, &size, &status))
        kernel->crossed++;
    return wcts_succeeded(status) ? reply[3] : 0;
}

static wcts_status call(void *instance, uint32_t operation, const void *request,
                        uint32_t request_size, void *reply, uint32_t room, uint32_t *reply_size)
{
    static const wcts_status statuses[] = {WCTS_STATUS_SUCCESS, WCTS_STATUS_INVALID_PARAMETER,
                                           WCTS_STATUS_NOT_SUPPORTED, WCTS_STATUS_NO_MEMORY};
    struct kernel *kernel = instance;
    struct wcts_kernel_handle_reply *out = reply;
    ck_assert_uint_ge(room, sizeof *out);
    if (operation == WCTS_KERNEL_ADAPTER_STOP) {
        ck_assert_uint_eq(((const struct wcts_kernel_handle_request *)request)->Handle, 7);
        kernel->ends++;
        *reply_size = sizeof(struct wcts_none);
        return WCTS_STATUS_SUCCESS;
    }
    ck_assert_uint_eq(operation, WCTS_KERNEL_ADAPTER_START);
    ck_assert_uint_eq(request_size, sizeof(struct wcts_kernel_adapter_start_request));
    ck_assert_uint_eq(out->Handle, 0);
    ck_assert_uint_eq(ask(kernel, WCTS_DRIVER_INFO, 32), 0xAAAAAAAA);
    uint32_t flags = ask(kernel, WCTS_DRIVER_SEGMENTS, 32);
    if (kernel->asks && flags == kernel->asks_for)
        ask(kernel, kernel->asks, 32);
    ck_assert_int_lt(kernel->calls, VALUES + 2);
    kernel->seen[kernel->calls++] = flags;
    *out = (struct wcts_kernel_handle_reply){.size = sizeof *out, .Handle = 7};
    *reply_size = sizeof *out;
    return statuses[flags % 4];
}

/* ---- the request ---- */

struct request {
    struct wcts_wire_answers in;
    struct wcts_wire_answer answers[2];
    struct wcts_sweep_range ranges[2];
    struct wcts_kernel_adapter_start_request call;
    struct wcts_none question;
    uint32_t info[4], segments[4];
};

#define AT(member) ((uint64_t)offsetof(struct request, member))

static struct request make_request(void)
{
    struct request made = {.in = {.size = sizeof made.in,
                                  .Operation = WCTS_KERNEL_ADAPTER_START,
                                  .pRequest = AT(call),
                                  .RequestSize = sizeof made.call,
                                  .End = WCTS_KERNEL_ADAPTER_STOP,
                                  .pAnswers = AT(answers),
                                  .pRanges = AT(ranges),
                                  .AnswerCount = 2,
                                  .RangeCount = 2,
                                  .ValueCount = VALUES,
                                  .MemberWidth = 4},
                           .answers = {{WCTS_DRIVER_INFO, sizeof made.question, AT(question),
                                        AT(info), sizeof made.info, WCTS_WIRE_NO_MEMBER, 0, 0},
                                       {WCTS_DRIVER_SEGMENTS, sizeof made.question, AT(question),
                                        AT(segments), sizeof made.segments, 12, 0, 0}},
                           .ranges = {{0x10, 0x3, 0, 4}, {0x20, 0x80000000, 0, 2}},
                           .call = {.size = sizeof made.call},
                           .question = {.size = sizeof made.question},
                           .info = {16, 0, 0, 0xAAAAAAAA},
                           .segments = {16, 0, 0, 0x55555555}};
    return made;
}

/* Makes the calls; returns the answers, VALUES of them. */
static const uint8_t *make_calls(struct kernel *kernel, const struct request *request,
                                 uint8_t *reply)
{
    struct wcts_wire_answering answering;
    struct wcts_kernel_sweep_reply out;
    uint32_t size = 0;
    ck_assert(
        wcts_wire_answering_init(&answering, (const uint8_t *)request, (uint32_t)sizeof *request));
    kernel->answering = &answering;
    ck_assert_int_eq(wcts_wire_answering_run(&answering, call, kernel, reply, &size),
                     WCTS_STATUS_SUCCESS);
    memcpy(&out, reply, sizeof out);
    ck_assert_uint_eq(out.Count, VALUES);
    ck_assert_uint_eq(size, sizeof out + VALUES);
    return wcts_message_at(reply, size, out.pAnswers, out.Count, 1);
}

START_TEST(each_value_is_answered_with)
{
    static const uint8_t expected[VALUES] = {WCTS_SWEEP_ACCEPTED, WCTS_SWEEP_REFUSED,
                                             WCTS_SWEEP_MISSING,  WCTS_SWEEP_NO_TEST,
                                             WCTS_SWEEP_ACCEPTED, WCTS_SWEEP_ACCEPTED};
    static const uint64_t values[VALUES] = {0x10, 0x11, 0x12, 0x13, 0x20, 0x80000020};
    static uint64_t reply[WCTS_SWEEP_ROOM / 8];
    struct kernel kernel = {.asks = 0};
    struct request request = make_request();
    const uint8_t *answers = make_calls(&kernel, &request, (uint8_t *)reply);
    ck_assert(memcmp(answers, expected, sizeof expected) == 0);
    ck_assert_int_eq(kernel.calls, VALUES);
    ck_assert(memcmp(kernel.seen, values, sizeof values) == 0);
    ck_assert_int_eq(kernel.ends, 3);
    ck_assert_int_eq(kernel.crossed, 0);
}
END_TEST

/* What else the driver is asked is the host's to answer, with another value perhaps. */
START_TEST(another_question_ends_it)
{
    static uint64_t reply[WCTS_SWEEP_ROOM / 8];
    struct kernel kernel = {.asks = WCTS_DRIVER_DEVICE, .asks_for = 0x12};
    struct request request = make_request();
    const uint8_t *answers = make_calls(&kernel, &request, (uint8_t *)reply);
    static const uint8_t expected[VALUES] = {WCTS_SWEEP_ACCEPTED, WCTS_SWEEP_REFUSED};
    ck_assert(memcmp(answers, expected, sizeof expected) == 0);
    ck_assert_int_eq(kernel.calls, 3);
    ck_assert_int_eq(kernel.crossed, 1);
}
END_TEST

START_TEST(the_machine_is_asked_as_ever)
{
    static uint64_t reply[WCTS_SWEEP_ROOM / 8];
    struct kernel kernel = {.asks = WCTS_MACHINE_LOG, .asks_for = 0x12};
    struct request request = make_request();
    make_calls(&kernel, &request, (uint8_t *)reply);
    ck_assert_int_eq(kernel.calls, VALUES);
    ck_assert_int_eq(kernel.crossed, 1);
}
END_TEST

/* An answer for which there is no room is the host's, too: it knows how to refuse. */
START_TEST(an_answer_has_room)
{
    struct wcts_wire_answering answering;
    struct request request = make_request();
    uint32_t reply[4] = {0}, size = 77;
    wcts_status status = 0;
    const struct wcts_none question = {.size = sizeof question};
    ck_assert(wcts_wire_answering_init(&answering, (const uint8_t *)&request, sizeof request));
    ck_assert(wcts_wire_answering_give(&answering, WCTS_DRIVER_INFO, &question, sizeof question,
                                       reply, 16, &size, &status));
    ck_assert_uint_eq(size, 16);
    ck_assert(!wcts_wire_answering_give(&answering, WCTS_DRIVER_INFO, &question, sizeof question,
                                        reply, 15, &size, &status));
    ck_assert(answering.strayed);
}
END_TEST

/* ---- what is wrong ---- */

#define WRONG(member, value)                                                                       \
    {                                                                                              \
        offsetof(struct request, member), value                                                    \
    }

static const struct {
    size_t at;
    uint32_t value;
} wrong[] = {WRONG(in.size, 8),
             WRONG(in.Operation, WCTS_DRIVER_INFO),
             WRONG(in.Operation, 0x1FF),
             WRONG(in.pRequest, 0),
             WRONG(in.pRequest, 4),
             WRONG(in.pRequest, sizeof(struct request)),
             WRONG(in.RequestSize, 4),
             WRONG(in.RequestSize, 0xFFFFFFFF),
             WRONG(in.End, WCTS_KERNEL_ALLOCATION_DESTROY),
             WRONG(in.pAnswers, sizeof(struct request) - 8),
             WRONG(in.AnswerCount, 17),
             WRONG(in.AnswerCount, 0xFFFFFFFF),
             WRONG(in.pRanges, 0),
             WRONG(in.RangeCount, 0x10000000),
             WRONG(in.ValueCount, VALUES + 1),
             WRONG(in.MemberWidth, 2),
             WRONG(ranges[0].Count, 0xFFFFFFFF),
             WRONG(answers[0].Operation, WCTS_MACHINE_READ),
             WRONG(answers[0].pQuestion, 0),
             WRONG(answers[0].QuestionSize, 0),
             WRONG(answers[0].QuestionSize, sizeof(struct request)),
             WRONG(answers[1].pReply, sizeof(struct request) - 8),
             WRONG(answers[1].ReplySize, 15),
             WRONG(answers[1].MemberOffset, 13),
             WRONG(answers[1].MemberOffset, 0xFFFFFFFE)};

START_TEST(what_breaks_a_rule_is_refused)
{
    struct wcts_wire_answering answering;
    struct request request = make_request();
    memcpy((uint8_t *)&request + wrong[_i].at, &wrong[_i].value, sizeof wrong[_i].value);
    ck_assert(!wcts_wire_answering_init(&answering, (const uint8_t *)&request, sizeof request));
}
END_TEST

static uint64_t drawn = 1;

static uint32_t draw(uint32_t below)
{
    drawn = drawn * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(drawn >> 33) % below;
}

static wcts_status refuse(void *instance, uint32_t operation, const void *request,
                          uint32_t request_size, void *reply, uint32_t room, uint32_t *reply_size)
{
    struct kernel *kernel = instance;
    uint32_t answer[8], size = 0;
    wcts_status status = WCTS_STATUS_SUCCESS;
    const struct wcts_none question = {.size = sizeof question};
    (void)operation, (void)reply, (void)room;
    for (uint32_t i = 0; i < request_size; i++)
        kernel->seen[0] += ((const uint8_t *)request)[i];
    for (uint32_t asked = WCTS_DRIVER_INFO; asked <= WCTS_DRIVER_SEGMENTS; asked++)
        wcts_wire_answering_give(kernel->answering, asked, &question, sizeof question, answer,
                                 sizeof answer, &size, &status);
    *reply_size = 0;
    return WCTS_STATUS_INVALID_PARAMETER;
}

/* Of damaged requests, each in memory of its own size, nothing is read that is not there. */
START_TEST(damaged_requests_do_no_harm)
{
    static uint64_t reply[WCTS_SWEEP_ROOM / 8];
    static const uint32_t odd[] = {0, 1, 4, 8, 0x400, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF};
    int right = 0;
    for (int i = 0; i < 20000; i++) {
        const struct request request = make_request();
        uint32_t size = draw(8) ? (uint32_t)sizeof request : draw(sizeof request), answered = 0;
        uint8_t *body = malloc(size ? size : 1);
        struct wcts_wire_answering answering;
        struct kernel kernel = {.answering = &answering};
        ck_assert_ptr_nonnull(body);
        memcpy(body, &request, size);
        for (uint32_t n = draw(3); n > 0 && size >= 4; n--) {
            uint32_t value = draw(2) ? odd[draw(sizeof odd / sizeof *odd)] : draw(0x200);
            memcpy(body + draw(size / 4) * 4, &value, sizeof value);
        }
        if (wcts_wire_answering_init(&answering, body, size)) {
            wcts_wire_answering_run(&answering, refuse, &kernel, (uint8_t *)reply, &answered);
            ck_assert_uint_le(answered, sizeof reply);
            right++;
        }
        free(body);
    }
    ck_assert_int_gt(right, 1000);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("answers");
    TCase *tests = tcase_create("answers");
    tcase_add_test(tests, each_value_is_answered_with);
    tcase_add_test(tests, another_question_ends_it);
    tcase_add_test(tests, the_machine_is_asked_as_ever);
    tcase_add_test(tests, an_answer_has_room);
    tcase_add_loop_test(tests, what_breaks_a_rule_is_refused, 0, sizeof wrong / sizeof *wrong);
    tcase_add_test(tests, damaged_requests_do_no_harm);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
