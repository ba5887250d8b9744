/* SPDX-License-Identifier: MIT */
/*
 * KERNEL_SWEEP: ranges of words, and the helper of the plug-in header that sends their values. The
 * kernel here notes what it is sent, and answers as the lowest bits of the word say.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "runner/generate/ranges.h"
#include "suite.h"

/* ---- Ranges ---- */

static uint64_t drawn = 1;

static uint32_t draw(void)
{
    drawn = drawn * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(drawn >> 33);
}

static int by_number(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

/* The values of the ranges are the words, each once. Returns how many ranges there are. */
static int check_ranges(const uint32_t *words, int count)
{
    struct wcts_sweep_range *ranges = calloc((size_t)count + 1, sizeof *ranges);
    uint32_t *values = calloc((size_t)count + 1, sizeof *values);
    int made, valued = 0;
    ck_assert(ranges && values);
    made = wcts_generate_ranges(words, count, ranges);
    for (int i = 0; i < made; i++)
        for (uint64_t n = 0; n < ranges[i].Count; n++) {
            ck_assert_int_lt(valued, count);
            values[valued++] = (uint32_t)wcts_sweep_value(&ranges[i], n);
        }
    ck_assert_int_eq(valued, count);
    qsort(values, (size_t)count, sizeof *values, by_number);
    ck_assert(count == 0 || memcmp(values, words, (size_t)count * sizeof *words) == 0);
    free(ranges);
    free(values);
    return made;
}

START_TEST(a_cube_is_one_range)
{
    uint32_t words[8] = {0x10, 0x11, 0x14, 0x15, 0x80000010, 0x80000011, 0x80000014, 0x80000015};
    ck_assert_int_eq(check_ranges(words, 8), 1);
}
END_TEST

START_TEST(what_is_no_cube_is_several)
{
    uint32_t words[6] = {0, 1, 4, 5, 6, 7}, two[2] = {1, 2}, none[1] = {0};
    ck_assert_int_eq(check_ranges(words, 6), 3);
    ck_assert_int_eq(check_ranges(two, 2), 2);
    ck_assert_int_eq(check_ranges(none, 0), 0);
    ck_assert_int_eq(check_ranges(none, 1), 1);
}
END_TEST

START_TEST(ranges_have_the_words_of_any_set)
{
    uint32_t words[1024];
    for (int round = 0; round < 200; round++) {
        uint32_t keep = draw() & 0x3FF, value = draw() & keep;
        bool random = round % 2;
        int count = 0;
        for (uint32_t word = 0; word < 1024; word++)
            if (random ? draw() % 8 == 0 : (word & keep) != value)
                words[count++] = word;
        check_ranges(words, count);
    }
}
END_TEST

START_TEST(a_value_is_in_the_bits_of_the_mask)
{
    const struct wcts_sweep_range range = {0x10, 0x5, 1, 3};
    const struct wcts_sweep_range wide = {1, UINT64_C(0xF000000000000000), 15, 1};
    ck_assert_uint_eq(wcts_sweep_value(&range, 0), 0x11);
    ck_assert_uint_eq(wcts_sweep_value(&range, 1), 0x14);
    ck_assert_uint_eq(wcts_sweep_value(&range, 2), 0x15);
    ck_assert_uint_eq(wcts_sweep_value(&wide, 0), UINT64_C(0xF000000000000001));
}
END_TEST

/* ---- A kernel ---- */

#define SENT_MAX 64

struct kernel {
    uint32_t words[SENT_MAX];
    int sent, open, destroyed;
    uint32_t handles[2]; /* of the last that was destroyed */
    uint32_t resource;   /* what create calls answer */
    bool keeps;          /* nothing can be ended */
    bool dirty;          /* a reply was not zero */
};

static bool is_zero(const uint8_t *bytes, uint32_t size)
{
    for (uint32_t i = 0; i < size; i++)
        if (bytes[i])
            return false;
    return true;
}

/* Bits 0 to 2 of the word: accepted, and so on. */
static wcts_status create(struct kernel *kernel, const void *request, uint8_t *reply, uint32_t room,
                          uint32_t *reply_size)
{
    static const wcts_status statuses[] = {WCTS_STATUS_SUCCESS,         WCTS_STATUS_PENDING,
                                           WCTS_STATUS_ACCESS_DENIED,   WCTS_STATUS_NOT_SUPPORTED,
                                           WCTS_STATUS_NOT_IMPLEMENTED, WCTS_STATUS_NO_MEMORY,
                                           WCTS_STATUS_DEVICE_REMOVED,  WCTS_STATUS_SUCCESS};
    const struct wcts_kernel_allocation_create *in = request;
    struct wcts_kernel_allocation_create *out = (void *)reply;
    struct wcts_D3DDDI_ALLOCATIONINFO2 infos[2] = {{.hAllocation = 0x11}, {.hAllocation = 0x22}};
    uint32_t word = in->Args.Flags, at = word & 7;
    ck_assert_int_lt(kernel->sent, SENT_MAX);
    ck_assert_uint_ge(room, WCTS_REPLY_ROOM);
    kernel->dirty = kernel->dirty || !is_zero(reply, room);
    kernel->words[kernel->sent++] = word;
    memset(reply, 0xA5, sizeof *out); /* also what is refused may leave something */
    if (!wcts_succeeded(statuses[at]))
        return statuses[at];
    *out = *in;
    out->Args.hResource = kernel->resource;
    out->Args.pAllocationInfo2 = sizeof *out;
    memcpy(reply + sizeof *out, infos, sizeof infos);
    *reply_size = at == 7 ? 8 : sizeof *out + sizeof infos;
    kernel->open++;
    return statuses[at];
}

static wcts_status destroy(struct kernel *kernel, const void *request, uint32_t request_size)
{
    const struct wcts_kernel_allocation_destroy_request *in = request;
    const void *list = wcts_message_at(request, request_size, in->Args.phAllocationList,
                                       in->Args.AllocationCount, 4);
    if (kernel->keeps)
        return WCTS_STATUS_INVALID_HANDLE;
    ck_assert_uint_eq(in->Args.hDevice, 0x77);
    ck_assert_uint_eq(in->Args.hResource, kernel->resource);
    ck_assert_int_eq(list != NULL, kernel->resource == 0);
    if (list) {
        ck_assert_uint_eq(in->Args.AllocationCount, 2);
        memcpy(kernel->handles, list, sizeof kernel->handles);
    }
    kernel->open--;
    kernel->destroyed++;
    return WCTS_STATUS_SUCCESS;
}

static wcts_status kernel_call(void *ctx, uint32_t operation, const void *request,
                               uint32_t request_size, void *reply, uint32_t reply_room,
                               uint32_t *reply_size)
{
    struct kernel *kernel = ctx;
    const struct wcts_kernel_handle_request *stop = request;
    *reply_size = 0;
    switch (operation) {
    case WCTS_KERNEL_ALLOCATION_CREATE:
        ck_assert_uint_eq(request_size, sizeof(struct wcts_kernel_allocation_create));
        return create(kernel, request, reply, reply_room, reply_size);
    case WCTS_KERNEL_ALLOCATION_DESTROY:
        return destroy(kernel, request, request_size);
    case WCTS_KERNEL_ADAPTER_START:
        ((struct wcts_kernel_handle_reply *)reply)->Handle = 0x33;
        *reply_size = sizeof(struct wcts_kernel_handle_reply);
        kernel->sent++;
        return WCTS_STATUS_SUCCESS;
    case WCTS_KERNEL_ADAPTER_STOP:
        ck_assert_uint_eq(stop->Handle, 0x33);
        kernel->destroyed++;
        return WCTS_STATUS_SUCCESS;
    default:
        return WCTS_STATUS_NOT_IMPLEMENTED;
    }
}

/* ---- The helper ---- */

/* A message with a create call of two allocations, and two ranges of three values and one. */
struct message {
    struct wcts_kernel_sweep_request head;
    struct wcts_kernel_allocation_create create;
    struct wcts_sweep_range ranges[2];
};

static struct message message;
static uint64_t reply[WCTS_SWEEP_ROOM / 8];
static uint32_t reply_size;

static void make_message(void)
{
    memset(&message, 0, sizeof message);
    memset(reply, 0, sizeof reply);
    message.head = (struct wcts_kernel_sweep_request){
        .size = sizeof message.head,
        .Operation = WCTS_KERNEL_ALLOCATION_CREATE,
        .pRequest = offsetof(struct message, create),
        .RequestSize = sizeof message.create,
        .MemberOffset = offsetof(struct wcts_kernel_allocation_create, Args.Flags),
        .MemberWidth = 4,
        .RangeCount = 2,
        .pRanges = offsetof(struct message, ranges),
        .ValueCount = 4,
        .End = WCTS_KERNEL_ALLOCATION_DESTROY};
    message.create.size = sizeof message.create;
    message.create.Args.hDevice = 0x77;
    message.create.Args.NumAllocations = 2;
    message.ranges[0] = (struct wcts_sweep_range){0x100, 0x9, 0, 3};
    message.ranges[1] = (struct wcts_sweep_range){0x200, 0, 0, 1};
}

static wcts_status sweep(struct kernel *kernel)
{
    return wcts_sweep(kernel_call, kernel, &message, sizeof message, reply, sizeof reply,
                      &reply_size);
}

/* The answers, as digits. */
static const char *answers(void)
{
    static char text[SENT_MAX];
    const struct wcts_kernel_sweep_reply *out = (const void *)reply;
    const uint8_t *bytes = wcts_message_at(reply, reply_size, out->pAnswers, out->Count, 1);
    ck_assert_uint_eq(out->size, sizeof *out);
    ck_assert_ptr_nonnull(bytes);
    for (uint32_t i = 0; i < out->Count; i++)
        text[i] = (char)('0' + bytes[i]);
    text[out->Count] = 0;
    return text;
}

START_TEST(each_value_is_sent_in_its_order)
{
    struct kernel kernel = {.sent = 0};
    const struct message before = message;
    ck_assert_int_eq(sweep(&kernel), WCTS_STATUS_SUCCESS);
    ck_assert_str_eq(answers(), "1111");
    ck_assert_int_eq(kernel.sent, 4);
    ck_assert_uint_eq(kernel.words[0], 0x100);
    ck_assert_uint_eq(kernel.words[1], 0x101);
    ck_assert_uint_eq(kernel.words[2], 0x108);
    ck_assert_uint_eq(kernel.words[3], 0x200);
    ck_assert_int_eq(kernel.destroyed, 4);
    ck_assert_uint_eq(kernel.handles[0], 0x11);
    ck_assert_uint_eq(kernel.handles[1], 0x22);
    ck_assert_int_eq(memcmp(&before, &message, sizeof message), 0);
}
END_TEST

START_TEST(a_resource_goes_as_a_whole)
{
    struct kernel kernel = {.resource = 0x55};
    ck_assert_int_eq(sweep(&kernel), WCTS_STATUS_SUCCESS);
    ck_assert_int_eq(kernel.destroyed, 4);
    ck_assert_uint_eq(kernel.handles[0], 0);
}
END_TEST

START_TEST(each_status_has_its_class)
{
    struct kernel kernel = {.sent = 0};
    message.ranges[0] = (struct wcts_sweep_range){0x40, 0x7, 0, 7};
    message.head.ValueCount = 8;
    ck_assert_int_eq(sweep(&kernel), WCTS_STATUS_SUCCESS);
    ck_assert_str_eq(answers(), "11233441");
    ck_assert_int_eq(kernel.open, 0);
    ck_assert(!kernel.dirty);
}
END_TEST

START_TEST(what_cannot_be_ended_stops_it)
{
    struct kernel kernel = {.keeps = true};
    message.ranges[0] = (struct wcts_sweep_range){0x42, 0xC, 0, 3};
    message.ranges[1] = (struct wcts_sweep_range){0x40, 0xB8, 0, 6};
    message.head.ValueCount = 9;
    ck_assert_int_eq(sweep(&kernel), WCTS_STATUS_SUCCESS);
    ck_assert_str_eq(answers(), "242100000"); /* 0x42 0x46 0x4A 0x40 */
    ck_assert_int_eq(kernel.sent, 4);
    kernel = (struct kernel){.sent = 0};
    message.ranges[0] =
        (struct wcts_sweep_range){0x42, 0x5, 0, 4}; /* the last reply is too short */
    message.head.ValueCount = 10;
    ck_assert_int_eq(sweep(&kernel), WCTS_STATUS_SUCCESS);
    ck_assert_str_eq(answers(), "2343000000");
}
END_TEST

START_TEST(an_adapter_is_stopped)
{
    struct kernel kernel = {.sent = 0};
    message.head.Operation = WCTS_KERNEL_ADAPTER_START;
    message.head.End = WCTS_KERNEL_ADAPTER_STOP;
    message.head.RequestSize = sizeof(struct wcts_kernel_adapter_start_request);
    message.head.MemberOffset = 4;
    ck_assert_int_eq(sweep(&kernel), WCTS_STATUS_SUCCESS);
    ck_assert_str_eq(answers(), "1111");
    ck_assert_int_eq(kernel.destroyed, 4);
    message.head.End = 0;
    ck_assert_int_eq(sweep(&kernel), WCTS_STATUS_SUCCESS);
    ck_assert_int_eq(kernel.sent, 8);
    ck_assert_int_eq(kernel.destroyed, 4);
}
END_TEST

/* Whoever sends what the helper cannot do gets that as an answer, and nothing is read or written
 * outside the messages. */
START_TEST(what_it_cannot_do_it_does_not_support)
{
    static const struct {
        size_t at;
        uint32_t value;
    } changes[] = {
#define CHANGE(member, value) {offsetof(struct wcts_kernel_sweep_request, member), value}
        CHANGE(Operation, WCTS_KERNEL_SWEEP),
        CHANGE(Operation, WCTS_KERNEL_ADAPTER_START), /* which End does not end */
        CHANGE(pRequest, 0),
        CHANGE(pRequest, sizeof(struct message) - 8),
        CHANGE(RequestSize, 8),
        CHANGE(RequestSize, WCTS_SWEEP_REQUEST_MAX + 8),
        CHANGE(MemberOffset, sizeof(struct wcts_kernel_allocation_create) - 3),
        CHANGE(MemberOffset, UINT32_MAX),
        CHANGE(MemberWidth, 2),
        CHANGE(MemberWidth, 0),
        CHANGE(RangeCount, 1),
        CHANGE(RangeCount, 3),
        CHANGE(RangeCount, UINT32_MAX),
        CHANGE(pRanges, 0),
        CHANGE(pRanges, UINT32_MAX),
        CHANGE(ValueCount, 3),
        CHANGE(ValueCount, WCTS_SWEEP_VALUES_MAX + 1),
        CHANGE(End, WCTS_KERNEL_SWEEP),
        CHANGE(End, WCTS_KERNEL_ADAPTER_STOP),
#undef CHANGE
    };
    struct kernel kernel = {.sent = 0};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        make_message();
        memcpy((uint8_t *)&message.head + changes[i].at, &changes[i].value, 4);
        ck_assert_int_eq(sweep(&kernel), WCTS_STATUS_NOT_SUPPORTED);
        ck_assert_uint_eq(reply_size, 0);
    }
    make_message();
    message.ranges[0].Count = UINT64_MAX; /* the sum is that of ValueCount all the same */
    message.ranges[1].Count = 5;
    ck_assert_int_eq(sweep(&kernel), WCTS_STATUS_NOT_SUPPORTED);
    make_message();
    ck_assert_int_eq(wcts_sweep(kernel_call, &kernel, &message, sizeof message.head - 8, reply,
                                sizeof reply, &reply_size),
                     WCTS_STATUS_INVALID_PARAMETER);
    ck_assert_int_eq(wcts_sweep(kernel_call, &kernel, &message, sizeof message, reply,
                                WCTS_SWEEP_ROOM - 8, &reply_size),
                     WCTS_STATUS_BUFFER_TOO_SMALL);
    ck_assert_int_eq(kernel.sent, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("many");
    TCase *ranges = tcase_create("ranges"), *helper = tcase_create("helper");
    tcase_add_test(ranges, a_cube_is_one_range);
    tcase_add_test(ranges, what_is_no_cube_is_several);
    tcase_add_test(ranges, ranges_have_the_words_of_any_set);
    tcase_add_test(ranges, a_value_is_in_the_bits_of_the_mask);
    tcase_add_checked_fixture(helper, make_message, NULL);
    tcase_add_test(helper, each_value_is_sent_in_its_order);
    tcase_add_test(helper, a_resource_goes_as_a_whole);
    tcase_add_test(helper, each_status_has_its_class);
    tcase_add_test(helper, what_cannot_be_ended_stops_it);
    tcase_add_test(helper, an_adapter_is_stopped);
    tcase_add_test(helper, what_it_cannot_do_it_does_not_support);
    suite_add_tcase(suite, ranges);
    suite_add_tcase(suite, helper);
    return suite_run(suite);
}
