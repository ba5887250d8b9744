/* SPDX-License-Identifier: MIT */
/*
 * Judging effects: records made by hand, in which the effects of tests/data/effects come about, are
 * broken, or are not to be seen. Runs in the top directory.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../runner/load/spec_files.h"
#include "runner/judge/check.h"
#include "runner/judge/differing.h"
#include "runner/judge/judge.h"
#include "runner/lang/effect.h"
#include "runner/load/xml.h"
#include "runner/model/test.h"
#include "suite.h"

#define OK WCTS_STATUS_SUCCESS
#define NO WCTS_STATUS_INVALID_PARAMETER

static struct wcts_spec *spec;
static struct wcts_plan plan;
static struct wcts_exchange exchange;

/* ---- Records ---- */

static uint8_t *copy(const void *bytes, size_t size)
{
    uint8_t *made = malloc(size + 1);
    ck_assert_ptr_nonnull(made);
    if (size)
        memcpy(made, bytes, size);
    return made;
}

static struct wcts_exchange_record *put(int depth, uint32_t operation, wcts_status status,
                                        const void *request, size_t request_size, const void *reply,
                                        size_t reply_size)
{
    struct wcts_exchange_record *record;
    exchange.records = realloc(exchange.records, (size_t)(exchange.count + 1) * sizeof *record);
    ck_assert_ptr_nonnull(exchange.records);
    record = &exchange.records[exchange.count++];
    *record = (struct wcts_exchange_record){.operation = operation,
                                            .depth = depth,
                                            .status = status,
                                            .request = copy(request, request_size),
                                            .request_size = (uint32_t)request_size,
                                            .reply = copy(reply, reply_size),
                                            /* what fails has no reply */
                                            .reply_size =
                                                wcts_succeeded(status) ? (uint32_t)reply_size : 0};
    return record;
}

#define PUT(depth, operation, status, request, reply)                                              \
    put(depth, operation, status, &(request), sizeof(request), &(reply), sizeof(reply))

static const struct wcts_none none = {.size = sizeof none};

static void lock(uint32_t handle, uint32_t write, wcts_status status, uint64_t address)
{
    struct wcts_kernel_lock_request request = {
        .size = sizeof request, .hDevice = 3, .hAllocation = handle, .Write = write};
    struct wcts_kernel_lock_reply reply = {.size = sizeof reply, .Address = address};
    PUT(0, WCTS_KERNEL_LOCK, status, request, reply);
}

/* KERNEL_ALLOCATION_CREATE with one element, and the driver's answer within it. */
struct create {
    struct wcts_kernel_allocation_create head;
    struct wcts_D3DDDI_ALLOCATIONINFO2 info;
};

struct answer {
    struct wcts_driver_allocation_create_reply head;
    struct wcts_DXGK_ALLOCATIONINFO info;
};

/* Over memory of the caller's; 0: none. */
static void create_over(uint64_t memory, uint32_t handle, wcts_status status,
                        struct wcts_DXGK_ALLOCATIONINFO info)
{
    struct create request = {.head = {.size = sizeof request.head}}, reply;
    struct wcts_driver_allocation_create_request asked = {.size = sizeof asked};
    struct answer answer = {.head = {.size = sizeof answer.head, .NumAllocations = 1},
                            .info = info};
    request.head.Args.NumAllocations = 1;
    request.head.Args.pAllocationInfo2 = offsetof(struct create, info);
    request.head.Args.hDevice = 3;
    request.info.pSystemMem = memory;
    reply = request;
    reply.info.hAllocation = handle;
    answer.head.pAllocationInfo = offsetof(struct answer, info);
    PUT(0, WCTS_KERNEL_ALLOCATION_CREATE, status, request, reply);
    PUT(1, WCTS_DRIVER_ALLOCATION_CREATE, OK, asked, answer);
}

static void create_as(uint32_t handle, wcts_status status, struct wcts_DXGK_ALLOCATIONINFO info)
{
    create_over(0, handle, status, info);
}

static void create(uint32_t handle)
{
    create_as(handle, OK,
              (struct wcts_DXGK_ALLOCATIONINFO){.hAllocation = 0x1000u + handle,
                                                .Alignment = 0x4000,
                                                .Size = 0x1001,
                                                .SupportedWriteSegmentSet = 0x2});
}

static void on_allocation(uint32_t operation, uint32_t handle)
{
    struct wcts_kernel_allocation_request request = {
        .size = sizeof request, .hDevice = 3, .hAllocation = handle};
    PUT(0, operation, OK, request, none);
}

static void query(uint32_t handle, uint32_t segment, uint64_t offset, uint64_t size)
{
    struct wcts_kernel_allocation_request request = {
        .size = sizeof request, .hDevice = 3, .hAllocation = handle};
    struct wcts_kernel_query_allocation_reply reply = {
        .size = sizeof reply, .SegmentId = segment, .Offset = offset, .Size = size};
    PUT(0, WCTS_KERNEL_QUERY_ALLOCATION, OK, request, reply);
}

static void page(uint32_t operation, uint64_t handle, uint32_t from, uint32_t to, uint64_t address)
{
    struct wcts_driver_paging_request request = {.size = sizeof request,
                                                 .Operation = operation,
                                                 .hAllocation = handle,
                                                 .SourceSegmentId = from,
                                                 .DestinationSegmentId = to,
                                                 .DestinationAddress = address,
                                                 .TransferSize = 0x1000};
    struct wcts_driver_paging_reply reply = {.size = sizeof reply};
    PUT(1, WCTS_DRIVER_PAGING, OK, request, reply);
}

static void map(uint64_t page, uint64_t system)
{
    struct wcts_driver_paging_request request = {.size = sizeof request,
                                                 .Operation = WCTS_PAGING_MAP_APERTURE,
                                                 .OffsetInPages = page,
                                                 .SystemAddress = system};
    struct wcts_driver_paging_reply reply = {.size = sizeof reply};
    PUT(1, WCTS_DRIVER_PAGING, OK, request, reply);
}

static void memory(uint32_t operation, int seed, uint64_t address, const char *bytes)
{
    struct {
        struct wcts_machine_memory_request head;
        char bytes[16];
    } request = {.head = {.size = sizeof request.head, .Address = address}};
    struct {
        struct wcts_machine_memory_reply head;
        char bytes[16];
    } reply = {.head = {.size = sizeof reply.head}};
    request.head.Length = reply.head.Length = (uint32_t)strlen(bytes);
    request.head.pData = sizeof request.head;
    reply.head.pData = sizeof reply.head;
    memcpy(request.bytes, bytes, strlen(bytes));
    memcpy(reply.bytes, bytes, strlen(bytes));
    if (bytes[0] == '0')
        memset(reply.bytes, 0, sizeof reply.bytes);
    PUT(0, operation, OK, request, reply)->seed = seed;
}

static void secure_range(uint64_t handle, uint64_t address, uint64_t length)
{
    struct wcts_machine_range_request request = {
        .size = sizeof request, .Address = address, .Length = length};
    struct wcts_machine_secure_reply reply = {.size = sizeof reply, .Handle = handle};
    PUT(1, WCTS_MACHINE_SECURE, OK, request, reply);
}

static void secure_at(uint64_t handle, uint64_t address)
{
    secure_range(handle, address, 1);
}

static void secure(uint64_t handle)
{
    secure_at(handle, 0);
}

static void range(int depth, uint32_t operation, uint64_t handle)
{
    struct wcts_machine_range_request request = {.size = sizeof request, .Handle = handle};
    PUT(depth, operation, OK, request, none);
}

static void destroy_listed(uint32_t handle)
{
    struct {
        struct wcts_kernel_allocation_destroy_request head;
        struct wcts_handle_entry list[2];
    } request = {.head = {.size = sizeof request.head}, .list = {{handle}, {0}}};
    request.head.Args.phAllocationList = sizeof request.head;
    request.head.Args.AllocationCount = 1;
    PUT(0, WCTS_KERNEL_ALLOCATION_DESTROY, OK, request, none);
}

static void destroy(void)
{
    destroy_listed(7);
}

static void patch(struct wcts_DXGKARG_PATCH members)
{
    struct wcts_driver_patch_request request = {.size = sizeof request, .Patch = members};
    PUT(1, WCTS_DRIVER_PATCH, OK, request, none);
}

static void submit(uint32_t fence)
{
    struct wcts_driver_submit_request request = {.size = sizeof request,
                                                 .SubmissionFenceId = fence};
    PUT(1, WCTS_DRIVER_SUBMIT, OK, request, none);
}

/* Two segments so many bytes apart, and a reply that holds all of them or not. */
static void distant_segments(uint32_t stride, bool whole)
{
    uint8_t bytes[1024] = {0};
    struct wcts_driver_segments_reply head = {
        .size = sizeof head, .Count = 2, .Stride = stride, .pSegments = sizeof head};
    struct wcts_DXGK_SEGMENTDESCRIPTOR one = {.BaseAddress = 0x100000000};
    memcpy(bytes, &head, sizeof head);
    memcpy(bytes + sizeof head, &one, sizeof one);
    one.BaseAddress = 0x200000000;
    memcpy(bytes + sizeof head + stride, &one, sizeof one);
    put(1, WCTS_DRIVER_SEGMENTS, OK, &none, sizeof none, bytes,
        (uint32_t)(sizeof head + 2 * stride - !whole));
}

static void segments(uint32_t first, uint32_t second)
{
    struct {
        struct wcts_driver_segments_reply head;
        struct wcts_DXGK_SEGMENTDESCRIPTOR list[2];
    } reply = {.head = {.size = sizeof reply.head, .Count = 2, .Stride = sizeof *reply.list}};
    reply.head.pSegments = sizeof reply.head;
    reply.list[0].NumInvalidMemoryRanges = first;
    reply.list[1].NumInvalidMemoryRanges = second;
    reply.list[0].BaseAddress = 0x100000000;
    reply.list[1].BaseAddress = 0x200000000;
    PUT(1, WCTS_DRIVER_SEGMENTS, OK, none, reply);
}

/* Two segments with two banks each, of which the second one begins elsewhere. */
static void segments_with_banks(void)
{
    struct {
        struct wcts_driver_segments_reply head;
        struct wcts_DXGK_SEGMENTDESCRIPTOR list[2];
        struct wcts_bank_range banks[4];
    } reply = {.head = {.size = sizeof reply.head, .Count = 2, .Stride = sizeof *reply.list},
               .banks = {{0, 0x40000}, {0x40000, 0xC0000}, {0, 0x80000}, {0x80000, 0x80000}}};
    reply.head.pSegments = sizeof reply.head;
    for (uint32_t i = 0; i < 2; i++) {
        reply.list[i].Size = 0x100000;
        reply.list[i].NbOfBanks = 2;
        reply.list[i].pBankRangeTable =
            sizeof reply.head + sizeof reply.list + i * 2 * sizeof *reply.banks;
    }
    PUT(1, WCTS_DRIVER_SEGMENTS, OK, none, reply);
}

/* One more allocation, with a hint, is paged into the first segment, and leaves it again. */
static void hinted(uint32_t handle, uint32_t hint, uint64_t offset)
{
    struct wcts_kernel_allocation_request request = {
        .size = sizeof request, .hDevice = 3, .hAllocation = handle};
    struct wcts_kernel_query_allocation_reply reply = {
        .size = sizeof reply, .SegmentId = 1, .Offset = offset, .SegmentSize = 0x2000};
    create_as(handle, OK,
              (struct wcts_DXGK_ALLOCATIONINFO){
                  .hAllocation = 0x1000u + handle, .Size = 0x2000, .HintedBank = hint});
    on_allocation(WCTS_KERNEL_PAGE_IN, handle);
    PUT(0, WCTS_KERNEL_QUERY_ALLOCATION, OK, request, reply);
    on_allocation(WCTS_KERNEL_EVICT, handle);
}

static void power(uint32_t state)
{
    struct wcts_kernel_power_request request = {.size = sizeof request, .State = state};
    PUT(0, WCTS_KERNEL_POWER, OK, request, none);
}

/* ---- Judging ---- */

static void begin(void)
{
    wcts_exchange_release(&exchange);
}

/* A hint, between two placements without one. */
static void hinted_between(uint32_t hint, uint64_t offset, uint64_t before, uint64_t after)
{
    begin();
    segments_with_banks();
    hinted(7, 0, before);
    hinted(8, hint, offset);
    hinted(9, 0, after);
}

static void expect(const char *name, enum wcts_verdict verdict, const char *piece)
{
    char id[64];
    struct wcts_case test = {.page_size = 4096, .rule = -1};
    struct wcts_finding finding = {.found = WCTS_FOUND_TROUBLE};
    struct wcts_strictness strictness = {.level = WCTS_LEVEL_DOCUMENTED};
    enum wcts_verdict got;
    snprintf(id, sizeof id, "EFF-001.%s", name);
    for (int i = 0; i < spec->rules_count; i++)
        if (strcmp(spec->rules[i].id, id) == 0)
            test.rule = i;
    ck_assert_msg(test.rule >= 0, "there is no %s", id);
    test.statement = spec->rules[test.rule].statement;
    wcts_judge_effect(&plan, &test, &strictness, &exchange, 0, &finding);
    got = wcts_judge_finding_verdict(&plan, &test, &finding, strictness.level);
    ck_assert_msg(got == verdict, "%s: %s (%s), expected %s", name, wcts_model_verdict_name(got),
                  finding.reason ? finding.reason : "", wcts_model_verdict_name(verdict));
    ck_assert_msg(!piece || (finding.reason && strstr(finding.reason, piece)),
                  "%s: \"%s\", expected \"%s\"", name, finding.reason ? finding.reason : "",
                  piece ? piece : "");
    wcts_model_finding_release(&finding);
}

#define PASS(name) expect(name, WCTS_VERDICT_PASS, NULL)
#define FAILS(name, piece) expect(name, WCTS_VERDICT_FAIL, piece)
#define SKIPS(name, piece) expect(name, WCTS_VERDICT_SKIP, piece)

START_TEST(test_reply)
{
    begin();
    SKIPS("reply", "not shown");
    lock(7, 0, OK, 0x5000);
    PASS("reply");
    lock(7, 0, OK, 0);
    FAILS("reply", "the reply's KERNEL_LOCK_REPLY.Address is 0x0, expected nonzero");
    begin();
    lock(7, 0, NO, 0);
    SKIPS("reply", "KERNEL_LOCK answered INVALID_PARAMETER");
    lock(7, 1, NO, 0);
    SKIPS("reply-accepted", "answered INVALID_PARAMETER");
    lock(8, 0, OK, 0x5000);
    FAILS("reply-accepted", "expected it to be accepted");
}
END_TEST

/* What is compared need not be a member: something is said all the same. */
START_TEST(test_sum)
{
    begin();
    lock(7, 0, OK, 0x2000);
    PASS("reply-sum");
    lock(7, 0, OK, 0x1000);
    FAILS("reply-sum", "reply.Address + 4096 is 0x2000, expected more than 0x2000");
    begin();
    lock(7, 0, OK, 0x8000);
    FAILS("reply-sum", "reply.Address * 2 is 0x10000, expected less than 0x10000");
}
END_TEST

START_TEST(test_told)
{
    begin();
    create(7);
    on_allocation(WCTS_KERNEL_PAGE_IN, 7);
    FAILS("told", "the driver was not asked DRIVER_PAGING");
    SKIPS("told-every", "not shown");
    page(0, 0x1007, 0, 2, 0x4000);
    PASS("told");
    PASS("told-every");
    page(2, 0x1007, 0, 0, 0x1001);
    PASS("told-every");
    page(0, 0x1007, 0, 2, 0x2000);
    FAILS("told-every", "DestinationAddress is 0x2000, expected a multiple of 0x4000");
    begin();
    create(7);
    on_allocation(WCTS_KERNEL_PAGE_IN, 7);
    page(0, 0x1007, 0, 1, 0x4000);
    FAILS("told", "DestinationSegmentId is 0x1, expected a segment of the set 0x2");
}
END_TEST

/* What settling brings about belongs to the call before it, what a later call does not. */
/* One message that shows it is enough; one that shows nothing hides none that shows the opposite.
 */
START_TEST(test_told_some)
{
    begin();
    create(7);
    on_allocation(WCTS_KERNEL_PAGE_IN, 7);
    page(0, 0x1007, 0, 2, 0x4001);
    SKIPS("told-some", "not shown");
    page(0, 0x1007, 2, 2, 0x4001);
    FAILS("told-some", "DestinationAddress");
    page(0, 0x1007, 0, 2, 0x4001);
    FAILS("told-some", "DestinationAddress");
    page(0, 0x1007, 2, 2, 0x4000);
    PASS("told-some");
    page(0, 0x1007, 2, 2, 0x4001);
    PASS("told-some");
}
END_TEST

/* The same of a message that is looked for: of no message, and of one that is another, it is known.
 */
START_TEST(test_told_first)
{
    begin();
    create(7);
    on_allocation(WCTS_KERNEL_PAGE_IN, 7);
    FAILS("told-first", "the driver was not asked DRIVER_PAGING");
    page(0, 0x1007, 0, 2, 0x4001);
    SKIPS("told-first", "not shown");
    page(0, 0x1007, 2, 2, 0x4001);
    FAILS("told-first", "the driver was asked DRIVER_PAGING, but never as expected");
    page(0, 0x1007, 2, 2, 0x4000);
    PASS("told-first");
}
END_TEST

START_TEST(test_told_scope)
{
    begin();
    on_allocation(WCTS_KERNEL_EVICT, 7);
    PASS("told-never");
    PUT(0, WCTS_KERNEL_SETTLE, OK, none, none);
    page(2, 0x1007, 0, 0, 0);
    FAILS("told-never", "expected it not to be");
    begin();
    on_allocation(WCTS_KERNEL_EVICT, 7);
    on_allocation(WCTS_KERNEL_PAGE_IN, 7);
    page(2, 0x1007, 0, 0, 0);
    PASS("told-never");
    /* Behind a query only what was pending is still done. */
    for (int pending = 0; pending < 2; pending++) {
        begin();
        on_allocation(WCTS_KERNEL_EVICT, 7);
        exchange.records[0].status = pending ? WCTS_STATUS_PENDING : OK;
        query(7, 2, 0x4000, 0x1001);
        PUT(0, WCTS_KERNEL_SETTLE, OK, none, none);
        page(2, 0x1007, 0, 0, 0);
        if (pending)
            FAILS("told-never", "expected it not to be");
        else
            PASS("told-never");
    }
    begin();
    lock(7, 0, WCTS_STATUS_NOT_SUPPORTED, 0);
    PASS("told-never-refused");
    page(2, 0x1007, 0, 0, 0);
    FAILS("told-never-refused", "expected it not to be");
}
END_TEST

START_TEST(test_later)
{
    begin();
    create(7);
    lock(8, 0, OK, 0x5001);
    SKIPS("later", "not shown");
    lock(7, 0, OK, 0x5000);
    PASS("later");
    lock(7, 0, NO, 0);
    FAILS("later",
          "KERNEL_LOCK answered INVALID_PARAMETER (0xC000000D), expected it to be accepted");
    begin();
    create(7);
    lock(7, 0, OK, 0x5001);
    FAILS("later", "expected a multiple of 0x1000");
}
END_TEST

START_TEST(test_later_refused)
{
    begin();
    create(7);
    lock(7, 1, NO, 0);
    SKIPS("later-refused", "not shown");
    lock(7, 0, OK, 0x5000);
    PASS("later-refused");
    lock(7, 1, OK, 0x5000);
    FAILS("later-refused", "answered SUCCESS (0x00000000), expected a refusal");
    begin();
    create(7);
    lock(7, 0, OK, 0x5000);
    lock(7, 1, WCTS_STATUS_NOT_SUPPORTED, 0);
    SKIPS("later-refused", "NOT_SUPPORTED");
    lock(7, 1, WCTS_STATUS_NO_MEMORY, 0);
    expect("later-refused", WCTS_VERDICT_BROKEN, "NO_MEMORY");
}
END_TEST

START_TEST(test_placed)
{
    begin();
    create(7);
    on_allocation(WCTS_KERNEL_PAGE_IN, 7);
    query(8, 2, 0x123, 0);
    SKIPS("placed", "not shown");
    query(7, 2, 0x8000, 0x2000);
    PASS("placed");
    PASS("placed-size");
    on_allocation(WCTS_KERNEL_EVICT, 7);
    query(7, 0, 0x123, 0x1000);
    PASS("placed");
    /* In any other call the kernel may page out of its own accord. */
    begin();
    create(7);
    on_allocation(WCTS_KERNEL_PAGE_IN, 7);
    create(8);
    query(7, 0, 0x123, 0x1001);
    SKIPS("placed", "not shown");
    begin();
    create(7);
    on_allocation(WCTS_KERNEL_PAGE_IN, 7);
    query(7, 2, 0x2000, 0x1001);
    FAILS("placed",
          "KERNEL_QUERY_ALLOCATION_REPLY.Offset is 0x2000, expected a multiple of 0x4000");
    FAILS("placed-size", "Size is 0x1001, expected 0x2000");
}
END_TEST

START_TEST(test_bank)
{
    /* The hint changes the place: to its bank, or another. */
    hinted_between(1, 0x20000, 0x90000, 0x90000);
    PASS("bank");
    hinted_between(2, 0x90000, 0x10000, 0x10000);
    PASS("bank");
    hinted_between(1, 0x50000, 0x90000, 0x90000);
    FAILS("bank", "the offset in segment 1 is 0x50000, and 0x90000 without a hint, expected the "
                  "hinted bank 1 from 0x0");
    /* It changes nothing, or would be there without it, too. */
    hinted_between(1, 0x90000, 0x90000, 0x90000);
    SKIPS("bank", "the hint of bank 1 was not followed");
    hinted_between(2, 0x90000, 0x90000, 0x90000);
    SKIPS("bank", "it may be in bank 2 without the hint of it, too");
    hinted_between(2, 0x20000, 0x90000, 0x90000);
    SKIPS("bank", "the hint of bank 2 was not followed");
    /* Now here, now there, without a hint; or nobody knows where. */
    hinted_between(1, 0x50000, 0x90000, 0xA0000);
    SKIPS("bank", "was not followed");
    begin();
    segments_with_banks();
    hinted(7, 0, 0x90000);
    hinted(8, 1, 0x50000);
    SKIPS("bank", "was not followed");
    begin();
    segments_with_banks();
    hinted(8, 1, 0x20000);
    SKIPS("bank", "it may be in bank 1 without the hint of it, too");
    /* A second hint is as good. */
    hinted_between(0x201, 0x50000, 0x90000, 0x90000);
    SKIPS("bank", "was not followed");
}
END_TEST

START_TEST(test_bytes)
{
    begin();
    lock(7, 0, OK, 0x5000);
    memory(WCTS_MACHINE_READ, 1, 0x6000, "abc");
    SKIPS("zero", "not shown");
    SKIPS("written", "not shown");
    memory(WCTS_MACHINE_READ, 1, 0x5000, "000");
    PASS("zero");
    memory(WCTS_MACHINE_READ, 1, 0x5000, "abc");
    FAILS("zero", "byte 0 of the memory is 0x61, expected 0x00");
    begin();
    lock(7, 0, OK, 0x5000);
    memory(WCTS_MACHINE_WRITE, 1, 0x5000, "abc");
    memory(WCTS_MACHINE_WRITE, 2, 0x9000, "xyz");
    memory(WCTS_MACHINE_READ, 1, 0x6000, "abc");
    PASS("written");
    memory(WCTS_MACHINE_READ, 2, 0x6000, "xyZ");
    FAILS("written", "byte 2 of the memory is 0x5a, expected 0x7a, which was written");
}
END_TEST

/* True if the last read is held against a call, the record n, in a walk. */
static bool is_lost_by(int n, int rests_on)
{
    const struct wcts_rule rule = {.rests_on_count = rests_on};
    const struct wcts_judge_effect_eval eval = {
        .trace = {spec, &exchange, 4096}, .effect = &rule, .on = {n, 0}, .walked = true};
    int written = exchange.count - 1;
    while (exchange.records[written].operation != WCTS_MACHINE_WRITE)
        written--;
    return wcts_judge_is_lost_by(&eval, written, exchange.count - 1, "pData");
}

/* What is read right before a call, and wrong after it. */
START_TEST(test_lost)
{
    begin();
    lock(7, 1, OK, 0x50000);
    memory(WCTS_MACHINE_WRITE, 1, 0x50000, "abc");
    on_allocation(WCTS_KERNEL_PAGE_IN, 7);
    memory(WCTS_MACHINE_READ, 1, 0x60000, "xyz");
    ck_assert_msg(!is_lost_by(2, 0), "who knows where it was written");
    begin();
    lock(7, 1, OK, 0x50000);
    memory(WCTS_MACHINE_WRITE, 1, 0x50000, "abc");
    lock(7, 0, OK, 0x60000);
    memory(WCTS_MACHINE_READ, 1, 0x60000, "abc");
    on_allocation(WCTS_KERNEL_PAGE_IN, 7);
    memory(WCTS_MACHINE_READ, 1, 0x60000, "xyz");
    ck_assert_msg(is_lost_by(4, 0), "nothing else was called");
    ck_assert_msg(!is_lost_by(0, 0), "the views were right");
    ck_assert_msg(!is_lost_by(2, 0), "the view was right, and something moved");
    ck_assert_msg(is_lost_by(2, 1), "a view is right whatever happens, but for what that rests on");
    on_allocation(WCTS_KERNEL_EVICT, 7);
    memory(WCTS_MACHINE_READ, 1, 0x60000, "xyz");
    ck_assert_msg(!is_lost_by(4, 0) && !is_lost_by(6, 0), "it may be one or the other");
}
END_TEST

/* Nothing moves, and another view shows something else. */
START_TEST(test_lost_without_a_move)
{
    begin();
    on_allocation(WCTS_KERNEL_QUERY_ALLOCATION, 7);
    lock(7, 1, OK, 0x50000);
    memory(WCTS_MACHINE_WRITE, 1, 0x50000, "abc");
    lock(7, 0, OK, 0x60000);
    memory(WCTS_MACHINE_READ, 1, 0x60008, "xyz");
    exchange.records[exchange.count - 1].offset = 8;
    ck_assert_msg(is_lost_by(0, 0), "what the call promised");
    ck_assert_msg(is_lost_by(1, 0), "the view that was written through");
    on_allocation(WCTS_KERNEL_EVICT, 7);
    memory(WCTS_MACHINE_READ, 1, 0x60000, "xyz");
    ck_assert_msg(!is_lost_by(0, 0) && !is_lost_by(1, 0), "it was moved");
    begin();
    lock(7, 1, OK, 0x50000);
    on_allocation(WCTS_KERNEL_EVICT, 7);
    memory(WCTS_MACHINE_WRITE, 1, 0x50000, "abc");
    memory(WCTS_MACHINE_READ, 1, 0x60000, "xyz");
    ck_assert_msg(!is_lost_by(1, 0), "what was written later it did not lose");
    ck_assert_msg(!is_lost_by(0, 0) && is_lost_by(0, 1), "the view did not follow");
}
END_TEST

/* A flag that marks the content is set when all reads show it, and clear when one does not. */
START_TEST(test_bytes_marks)
{
    begin();
    lock(7, 1, OK, 0x5000);
    SKIPS("marks", "not shown");
    memory(WCTS_MACHINE_READ, 1, 0x5000, "000");
    PASS("marks");
    memory(WCTS_MACHINE_READ, 1, 0x5000, "abc");
    FAILS("marks", "Write is set, expected clear: what was read is not zero");
    begin();
    lock(7, 0, OK, 0x5000);
    memory(WCTS_MACHINE_READ, 1, 0x5000, "abc");
    PASS("marks");
    begin();
    lock(7, 0, OK, 0x5000);
    memory(WCTS_MACHINE_READ, 1, 0x5000, "000");
    FAILS("marks", "Write is clear, expected set: what was read is zero");
}
END_TEST

/* Messages on one line, in any order, and one beside it. */
START_TEST(test_told_along)
{
    begin();
    on_allocation(WCTS_KERNEL_PAGE_IN, 7);
    SKIPS("told-along", "not shown");
    map(4, 0x9000);
    PASS("told-along");
    map(2, 0x7000);
    map(5, 0xA000);
    PASS("told-along");
    map(6, 0xC000);
    FAILS("told-along", "SystemAddress is 0xc000, expected 0xb000");
}
END_TEST

START_TEST(test_less)
{
    begin();
    lock(7, 0, OK, 0x5000);
    memory(WCTS_MACHINE_READ, 1, 0x6000, "000");
    SKIPS("less", "not shown");
    memory(WCTS_MACHINE_READ, 1, 0x5fff, "000");
    PASS("less");
    memory(WCTS_MACHINE_READ, 1, 0x5fff, "abc");
    expect("less", WCTS_VERDICT_WARN, "byte 0 of the memory is 0x61");
}
END_TEST

START_TEST(test_machine_order)
{
    const struct wcts_DXGK_ALLOCATIONINFO info = {.Size = 1};
    begin();
    create_as(7, OK, info);
    FAILS("order", "there was no MACHINE_SECURE");
    secure(5);
    FAILS("order", "there was no MACHINE_QUERY");
    range(1, WCTS_MACHINE_QUERY, 0);
    PASS("order");
    begin();
    create_as(7, OK, info);
    range(1, WCTS_MACHINE_QUERY, 0);
    secure(5);
    FAILS("order", "the first was MACHINE_QUERY, expected MACHINE_SECURE");
    range(1, WCTS_MACHINE_QUERY, 0);
    PASS("order");
}
END_TEST

/* A range may be secured in pieces; what is released, or wraps, is no piece of it. */
START_TEST(test_machine_range)
{
    const struct wcts_DXGK_ALLOCATIONINFO info = {.Size = 0x2000};
    begin();
    create_as(7, OK, info);
    secure_range(5, 0, 0x1000);
    range(1, WCTS_MACHINE_QUERY, 0);
    FAILS("order-range", "part of the range was not secured before MACHINE_QUERY");
    FAILS("held-range", "part of the range was left out by MACHINE_SECURE");
    secure_range(6, UINT64_MAX, 0x2000);
    FAILS("held-range", "part of the range was left out by MACHINE_SECURE");
    secure_range(6, 0x800, 0x1800);
    FAILS("order-range", "part of the range was not secured before MACHINE_QUERY");
    PASS("held-range");
    range(1, WCTS_MACHINE_QUERY, 0);
    PASS("order-range");
    range(1, WCTS_MACHINE_RELEASE, 6);
    FAILS("held-range", "there was a MACHINE_RELEASE");
    range(1, WCTS_MACHINE_QUERY, 0);
    PASS("order-range");
}
END_TEST

START_TEST(test_machine_held)
{
    const struct wcts_DXGK_ALLOCATIONINFO info = {.Size = 1};
    begin();
    create_over(0x5000, 7, OK, info);
    FAILS("held", "there was no MACHINE_SECURE");
    secure(5);
    PASS("held");
    lock(7, 0, OK, 0x5000);
    range(1, WCTS_MACHINE_RELEASE, 6);
    PASS("held");
    destroy();
    FAILS("released", "there was no MACHINE_RELEASE");
    range(1, WCTS_MACHINE_RELEASE, 5);
    PASS("held");
    PASS("released");
    begin();
    create_over(0x5000, 7, OK, info);
    secure(5);
    lock(7, 0, OK, 0x5000);
    range(1, WCTS_MACHINE_RELEASE, 5);
    FAILS("held", "none before the allocation is destroyed");
    begin();
    create_over(0x5000, 7, OK, info);
    secure_at(5, 0x7000);
    secure_at(6, 0x4000);
    destroy_listed(8);
    range(1, WCTS_MACHINE_RELEASE, 6);
    PASS("held-there");
    range(1, WCTS_MACHINE_RELEASE, 5);
    FAILS("held-there", "none before the allocation is destroyed");
}
END_TEST

/* All elements of a call share its standard allocation: the second is held to its size, too. */
START_TEST(test_machine_standard)
{
    struct {
        struct wcts_kernel_allocation_create head;
        struct wcts_D3DDDI_ALLOCATIONINFO2 infos[2];
        struct wcts_D3DKMT_CREATESTANDARDALLOCATION standard;
    } request = {.head = {.size = sizeof request.head}};
    request.head.Args.NumAllocations = 2;
    request.head.Args.pAllocationInfo2 = (uint64_t)((char *)request.infos - (char *)&request);
    request.head.Args.pStandardAllocation =
        (uint64_t)((char *)&request.standard - (char *)&request);
    request.head.Args.Flags = 1u << 16 | 1u << 5;
    request.infos[0].pSystemMem = 0x4000;
    request.infos[1].pSystemMem = 0x9000;
    request.standard.Size = 0x1000;
    begin();
    PUT(0, WCTS_KERNEL_ALLOCATION_CREATE, OK, request, request);
    secure_range(5, 0x4000, 0x1000);
    FAILS("held-standard", "part of the range was left out");
    secure_range(6, 0x9000, 0x1000);
    PASS("held-standard");
}
END_TEST

START_TEST(test_machine_released)
{
    const struct wcts_DXGK_ALLOCATIONINFO info = {.Size = 1};
    begin();
    create_over(0x5000, 7, OK, info);
    secure(5);
    destroy();
    FAILS("released", "there was no MACHINE_RELEASE");
    begin();
    create_over(0x5000, 8, OK, info);
    secure(5);
    create_over(0x5000, 7, OK, info);
    secure(6);
    destroy();
    range(1, WCTS_MACHINE_RELEASE, 6);
    PASS("released");
    begin();
    create_over(0x5000, 7, NO, info);
    SKIPS("released-refused", "INVALID_PARAMETER");
    secure(5);
    FAILS("released-refused", "there was no MACHINE_RELEASE");
    range(1, WCTS_MACHINE_RELEASE, 5);
    PASS("released-refused");
    begin();
    create_as(7, OK, info);
    secure(5);
    destroy();
    SKIPS("released", "not shown");
}
END_TEST

START_TEST(test_patch)
{
    begin();
    on_allocation(WCTS_KERNEL_PAGE_IN, 7);
    patch((struct wcts_DXGKARG_PATCH){.DmaBufferSize = 8, .DmaBufferSubmissionEndOffset = 8});
    PASS("patch");
    SKIPS("patch-null", "not shown");
    SKIPS("patch-after", "not shown");
    patch((struct wcts_DXGKARG_PATCH){.Flags = 1, .pAllocationList = 8, .SubmissionFenceId = 4});
    FAILS("patch-null", "DXGKARG_PATCH.pAllocationList is 0x8, expected zero");
    PASS("patch-before");
    submit(4);
    FAILS("patch-after", "SubmissionFenceId is 0x4, expected 0x0");
    patch((struct wcts_DXGKARG_PATCH){.SubmissionFenceId = 4});
    FAILS("patch-before", "expected anything but 0x4");
}
END_TEST

START_TEST(test_patch_segment)
{
    begin();
    on_allocation(WCTS_KERNEL_PAGE_IN, 7);
    segments(0, 0);
    patch((struct wcts_DXGKARG_PATCH){.DmaBufferSegmentId = 2,
                                      .DmaBufferPhysicalAddress = 0x200000000});
    PASS("patch-segment");
    patch((struct wcts_DXGKARG_PATCH){.DmaBufferSegmentId = 2,
                                      .DmaBufferPhysicalAddress = 0x100000000});
    FAILS("patch-segment", "expected at least 0x200000000");
    begin();
    on_allocation(WCTS_KERNEL_PAGE_IN, 7);
    distant_segments(sizeof(struct wcts_DXGK_SEGMENTDESCRIPTOR) + 24, true);
    patch((struct wcts_DXGKARG_PATCH){.DmaBufferSegmentId = 2,
                                      .DmaBufferPhysicalAddress = 0x100000000});
    FAILS("patch-segment", "expected at least 0x200000000");
    begin();
    on_allocation(WCTS_KERNEL_PAGE_IN, 7);
    distant_segments(sizeof(struct wcts_DXGK_SEGMENTDESCRIPTOR) + 24, false);
    patch((struct wcts_DXGKARG_PATCH){.DmaBufferSegmentId = 2});
    SKIPS("patch-segment", "cannot be told");
    begin();
    on_allocation(WCTS_KERNEL_PAGE_IN, 7);
    distant_segments(sizeof(struct wcts_DXGK_SEGMENTDESCRIPTOR) - 8, true);
    patch((struct wcts_DXGKARG_PATCH){.DmaBufferSegmentId = 2});
    SKIPS("patch-segment", "cannot be told");
    begin();
    on_allocation(WCTS_KERNEL_PAGE_IN, 7);
    patch((struct wcts_DXGKARG_PATCH){.DmaBufferSegmentId = 9});
    SKIPS("patch-segment", "cannot be told");
}
END_TEST

static const struct wcts_rule *rule_named(const char *id)
{
    for (int i = 0; i < spec->rules_count; i++)
        if (strcmp(spec->rules[i].id, id) == 0)
            return &spec->rules[i];
    ck_abort_msg("no rule %s", id);
}

/* Patches and submissions in turn, of two contexts: fences 0 to 199, of which some come again. */
static void put_fences(void)
{
    for (uint32_t i = 0; i < 200; i++) {
        const uint32_t fence = i == 120 ? 0 : i == 150 ? 8 : i == 151 ? 10 : i;
        struct wcts_driver_submit_request request = {
            .size = sizeof request, .hContext = 1 + i % 2, .SubmissionFenceId = fence};
        patch((struct wcts_DXGKARG_PATCH){.hContext = 1 + i % 2, .SubmissionFenceId = fence});
        PUT(1, WCTS_DRIVER_SUBMIT, OK, request, none);
    }
}

/* A value that differs from all earlier ones is recognised without comparing it with each of them.
 * Nothing else is: neither a breach, nor a value that another context had before, which is no
 * breach. */
START_TEST(test_differing)
{
    const struct wcts_exchange_view view = {.spec = spec, .exchange = &exchange};
    struct wcts_judge_selection selection;
    struct wcts_judge_differing differing;
    int same = 0, broken = 0;
    begin();
    put_fences();
    wcts_judge_selection(&selection, rule_named("PAT-038.own"), view);
    selection.quiet = true;
    differing = wcts_judge_differing(&selection);
    ck_assert_int_ne(differing.called, 0);
    for (int i = 0; i < exchange.count; i++) {
        bool differs;
        if (exchange.records[i].operation != WCTS_DRIVER_PATCH)
            continue;
        differs = wcts_judge_differs(&differing, &selection, i);
        same += !differs;
        if (wcts_judge_select_in(&selection, i) == WCTS_FALSE) {
            ck_assert(!differs);
            broken++;
        }
    }
    ck_assert_int_eq(same, 3);
    ck_assert_int_eq(broken, 2);
    wcts_judge_differing_release(&differing);
    wcts_judge_selection(&selection, rule_named("PAT-003"), view);
    ck_assert_int_eq(wcts_judge_differing(&selection).called, 0);
}
END_TEST

/* What the machine's memory is at an address, written or read while a driver patches. */
static void bytes_there(uint32_t operation, uint64_t address, const void *bytes, uint32_t length)
{
    struct {
        struct wcts_machine_memory_request head;
        uint8_t bytes[16];
    } request = {.head = {.size = sizeof request.head,
                          .Address = address,
                          .Length = length,
                          .pData = sizeof request.head}};
    struct {
        struct wcts_machine_memory_reply head;
        uint8_t bytes[16];
    } reply = {.head = {.size = sizeof reply.head, .Length = length, .pData = sizeof reply.head}};
    memcpy(request.bytes, bytes, length);
    memcpy(reply.bytes, bytes, length);
    PUT(2, operation, OK, request, reply);
}

/* Patches a buffer of 16 bytes at 0x5000, of whose last four those change that are not 0. */
static void patch_end(uint32_t fence, uint32_t written)
{
    const uint8_t nothing[16] = {0};
    patch((struct wcts_DXGKARG_PATCH){.pDmaBuffer = 0x5000,
                                      .DmaBufferSize = 16,
                                      .DmaBufferSubmissionEndOffset = 16,
                                      .SubmissionFenceId = fence});
    bytes_there(WCTS_MACHINE_READ, 0x5000, nothing, 16);
    for (uint32_t i = 0; i < 4; i++) {
        const uint8_t byte = (uint8_t)(written >> 8 * i);
        if (byte)
            bytes_there(WCTS_MACHINE_WRITE, 0x500C + i, &byte, 1);
    }
}

/* A fence is seen, too, where the bytes of it that are others than before are reported one by one.
 */
START_TEST(test_fence_in_pieces)
{
    const struct wcts_exchange_view view = {.spec = spec, .exchange = &exchange};
    struct wcts_judge_selection selection;
    begin();
    patch_end(0x10006, 0x10006);
    patch_end(0x10007, 0x10006);
    patch_end(0x10008, 0);
    patch_end(0x10009, 0x12345);
    wcts_judge_selection(&selection, rule_named("PAT-016"), view);
    for (int i = 0; i < exchange.count; i++) {
        const struct wcts_driver_patch_request *request = (const void *)exchange.records[i].request;
        if (exchange.records[i].operation == WCTS_DRIVER_PATCH)
            ck_assert_int_eq(wcts_judge_select_in(&selection, i) == WCTS_FALSE,
                             request->Patch.SubmissionFenceId == 0x10007);
    }
}
END_TEST

/* A list is held against the list of the other record, element for element. */
START_TEST(test_patch_elements)
{
    struct {
        struct wcts_driver_render_reply head;
        struct wcts_DXGK_ALLOCATIONLIST list[2];
    } rendered = {.head = {.size = sizeof rendered.head, .AllocationListSize = 2}};
    struct {
        struct wcts_driver_patch_request head;
        struct wcts_DXGK_ALLOCATIONLIST list[2];
    } patched = {.head = {.size = sizeof patched.head}};
    struct wcts_driver_render_request render = {.size = sizeof render};
    rendered.head.pAllocationList = sizeof rendered.head;
    patched.head.Patch.AllocationListSize = 2;
    patched.head.Patch.pAllocationList = sizeof patched.head;
    for (uint64_t i = 0; i < 2; i++)
        rendered.list[i].hDeviceSpecificAllocation = patched.list[i].hDeviceSpecificAllocation =
            10 + i;
    begin();
    PUT(0, WCTS_KERNEL_SETTLE, OK, none, none);
    PUT(1, WCTS_DRIVER_RENDER, OK, render, rendered);
    PUT(1, WCTS_DRIVER_PATCH, OK, patched, none);
    PASS("patch-element");
    patched.list[1].hDeviceSpecificAllocation = 10;
    PUT(1, WCTS_DRIVER_PATCH, OK, patched, none);
    FAILS("patch-element", "hDeviceSpecificAllocation is 0xa, expected 0xb");
}
END_TEST

/* Two allocations in segment 1 and one in segment 2, then a power state. */
static void residents(uint32_t first, uint32_t second)
{
    begin();
    PUT(0, WCTS_KERNEL_SETTLE, OK, none, none);
    segments(first, second);
    for (uint32_t handle = 7; handle <= 9; handle++) {
        create(handle);
        query(handle, handle == 9 ? 2 : 1, 0, 0x1000);
    }
}

START_TEST(test_power)
{
    residents(3, 0);
    power(1);
    FAILS("standby", "0 of the 1 allocations in segment 2 were moved out, expected all");
    page(0, 0x1009, 2, 0, 0);
    PASS("standby");
    SKIPS("hibernate", "not shown");
    page(0, 0x1007, 1, 0, 0);
    FAILS("standby", "1 of the 2 allocations in segment 1 were moved out, expected none");
    residents(1, 3);
    power(2);
    FAILS("hibernate", "expected some, but not all");
    page(0, 0x1007, 1, 0, 0);
    PASS("hibernate");
    page(0, 0x1008, 1, 0, 0);
    FAILS("hibernate", "2 of the 2 allocations in segment 1 were moved out, expected some");
    residents(3, 0);
    power(1);
    PUT(0, WCTS_KERNEL_SETTLE, OK, none, none);
    page(0, 0x1009, 2, 0, 0);
    PASS("standby");
    residents(3, 0);
    power(1);
    query(9, 2, 0, 0x1000);
    PUT(0, WCTS_KERNEL_SETTLE, OK, none, none);
    page(0, 0x1009, 2, 0, 0);
    FAILS("standby", "0 of the 1 allocations in segment 2 were moved out, expected all");
}
END_TEST

START_TEST(test_ways)
{
    struct wcts_kernel_process_request process = {.size = sizeof process, .Secure = 1};
    struct wcts_kernel_device_request device = {.size = sizeof device, .hProcess = 2};
    struct wcts_kernel_handle_reply made = {.size = sizeof made, .Handle = 2};
    struct wcts_kernel_open_global_request open = {
        .size = sizeof open, .hDevice = 3, .hGlobalShare = 10};
    struct wcts_kernel_open_reply opened = {.size = sizeof opened, .hResource = 11};
    begin();
    PUT(0, WCTS_KERNEL_PROCESS, OK, process, made);
    made.Handle = 3;
    PUT(0, WCTS_KERNEL_DEVICE, OK, device, made);
    PUT(0, WCTS_KERNEL_OPEN_GLOBAL, OK, open, opened);
    PASS("way");
    opened.hResource = 10;
    PUT(0, WCTS_KERNEL_OPEN_GLOBAL, OK, open, opened);
    FAILS("way", "the reply's OPEN_REPLY.hResource is 0xa, expected anything but 0xa");
    begin();
    process.Secure = 0;
    made.Handle = 2;
    PUT(0, WCTS_KERNEL_PROCESS, OK, process, made);
    made.Handle = 3;
    PUT(0, WCTS_KERNEL_DEVICE, OK, device, made);
    PUT(0, WCTS_KERNEL_OPEN_GLOBAL, OK, open, opened);
    SKIPS("way", "not shown");
}
END_TEST

/* What a party sends is believed nowhere: arrays outside the message, counts beyond reason. */
START_TEST(test_malformed)
{
    struct wcts_driver_segments_reply lies = {
        .size = sizeof lies, .Count = UINT32_MAX, .Stride = 1, .pSegments = 1u << 20};
    struct wcts_kernel_allocation_create request = {.size = sizeof request};
    request.Args.NumAllocations = 5;
    request.Args.pAllocationInfo2 = UINT64_MAX - 8;
    begin();
    PUT(0, WCTS_KERNEL_ALLOCATION_CREATE, OK, request, request);
    PUT(1, WCTS_DRIVER_SEGMENTS, OK, none, lies);
    lock(7, 0, OK, 0x5000);
    on_allocation(WCTS_KERNEL_PAGE_IN, 7);
    page(0, 0x1007, 0, 2, 0x4000);
    put(1, WCTS_DRIVER_PATCH, OK, &none, sizeof none, &none, sizeof none);
    power(1);
    SKIPS("told", "cannot be told");
    SKIPS("later", NULL);
    SKIPS("patch", NULL);
    SKIPS("standby", NULL);
}
END_TEST

/* The documents have the canonical text: what is read is printed as it is written. */
static void check_printed(const struct wcts_rule *rule, const char *attribute,
                          const struct wcts_lang_about *about, int root)
{
    const char *written = wcts_load_node_value(rule->node, attribute);
    WCTS_TEXT(printed);
    WCTS_TEXT(single); /* blanks */
    for (const char *at = written ? written : ""; *at; at++)
        if (*at != ' ' || at[1] != ' ')
            wcts_text_add_bytes(&single, at, 1);
    if (root)
        wcts_lang_print_about(spec->exprs, spec, about, root, &printed);
    ck_assert_msg(strcmp(wcts_text_get(&single), wcts_text_get(&printed)) == 0,
                  "%s: %s=\"%s\", printed as \"%s\"", rule->id, attribute, wcts_text_get(&single),
                  wcts_text_get(&printed));
    wcts_text_release(&printed);
    wcts_text_release(&single);
}

START_TEST(test_written)
{
    int count = 0;
    for (int i = 0; i < spec->rules_count; i++) {
        const struct wcts_rule *rule = &spec->rules[i];
        struct wcts_lang_effect_about about;
        if (!rule->effect)
            continue;
        wcts_lang_effect_about(spec, rule->effect, &about);
        check_printed(rule, "when", &about.call, rule->effect->when);
        check_printed(rule, "where", &about.message, rule->effect->where);
        check_printed(rule, "holds", &about.message, rule->effect->holds);
        count++;
    }
    ck_assert_int_gt(count, 200);
}
END_TEST

static void set_up(void)
{
    static const char *const extra[] = {"tests/data/effects/effects.xml"};
    struct wcts_diagnostics diagnostics = {.out = stderr};
    spec = wcts_load_spec_load("spec", "cases", extra, 1, &diagnostics);
    ck_assert_ptr_nonnull(spec);
    plan = (struct wcts_plan){.spec = spec};
}

static void tear_down(void)
{
    wcts_exchange_release(&exchange);
    wcts_load_spec_free(spec);
}

int main(void)
{
    const TTest *const tests[] = {
        test_reply,
        test_sum,
        test_told,
        test_told_some,
        test_told_first,
        test_told_scope,
        test_later,
        test_later_refused,
        test_placed,
        test_bank,
        test_bytes,
        test_machine_order,
        test_machine_range,
        test_machine_held,
        test_machine_standard,
        test_machine_released,
        test_patch,
        test_patch_segment,
        test_differing,
        test_fence_in_pieces,
        test_patch_elements,
        test_power,
        test_ways,
        test_malformed,
        test_written,
        test_lost,
        test_lost_without_a_move,
        test_bytes_marks,
        test_told_along,
        test_less,
    };
    Suite *suite = suite_create("effect");
    TCase *cases = tcase_create("effect");
    tcase_add_unchecked_fixture(cases, set_up, tear_down);
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        tcase_add_test(cases, tests[i]);
    suite_add_tcase(suite, cases);
    return suite_run(suite);
}
