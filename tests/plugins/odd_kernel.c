/* SPDX-License-Identifier: MIT */
/*
 * The emulator's kernel, which does what the documents and the header leave to it in other ways
 * than most kernels would. Option does=NAME, before emulator=PATH, says what: a row of the table of
 * ways. All of them are legal, so nothing may turn red.
 */
#include <stdbool.h>

#include "wrap.h"

#define LIVE_MAX 4096
#define TRIGGERS_MAX 6

struct odd;

struct odd_way {
    const char *name;
    uint32_t triggers[TRIGGERS_MAX]; /* operations of the kernel; 0: every one but INFO */
    void (*before)(struct odd *odd); /* NULL: nothing */
    void (*after)(struct odd *odd);
    void (*asking)(struct odd *odd, uint32_t operation); /* before anybody is called */
    wcts_status (*status)(const struct odd *odd, wcts_status status);
    bool undo; /* what after failed to do is refused, and ends what was created */
    bool (*refuses)(const struct odd *odd, const void *request, uint32_t request_size);
};

struct odd_allocation {
    uint32_t device, handle;
    bool is_part; /* of a resource, made or opened */
};

struct odd {
    struct wrapped *wrapped;
    struct wcts_host host; /* of the emulator inside */
    const struct wcts_host *outer;
    const struct odd_way *way;
    struct odd_allocation live[LIVE_MAX];
    uint32_t live_count, made; /* made: by the last call, at the end of live */
    uint32_t calls;            /* made so far by the suite */
    bool inside;               /* a call of its own */
    bool failed;               /* the driver refused to page during one of those */
};

/* ---- calls of its own ---- */

static bool call_with(struct odd *odd, uint32_t operation, const struct odd_allocation *of)
{
    const struct wcts_kernel_allocation_request request = {
        .size = sizeof request, .hDevice = of->device, .hAllocation = of->handle};
    struct wcts_none none = {0};
    uint32_t size = 0;
    return wcts_succeeded(
        wrap_call(odd->wrapped, operation, &request, sizeof request, &none, sizeof none, &size));
}

static void settle(struct odd *odd)
{
    const struct wcts_none request = {.size = sizeof request};
    struct wcts_none none = {0};
    uint32_t size = 0;
    wrap_call(odd->wrapped, WCTS_KERNEL_SETTLE, &request, sizeof request, &none, sizeof none,
              &size);
}

static void with_all(struct odd *odd, uint32_t operation, uint32_t first)
{
    for (uint32_t i = first; i < odd->live_count; i++)
        call_with(odd, operation, &odd->live[i]);
    settle(odd);
}

static void evict_all(struct odd *odd)
{
    with_all(odd, WCTS_KERNEL_EVICT, 0);
}

static void page_in_all(struct odd *odd)
{
    with_all(odd, WCTS_KERNEL_PAGE_IN, 0);
}

static void turn_all(struct odd *odd)
{
    with_all(odd, WCTS_KERNEL_PAGE_IN, 0);
    with_all(odd, WCTS_KERNEL_EVICT, 0);
}

static void page_in_made(struct odd *odd)
{
    with_all(odd, WCTS_KERNEL_PAGE_IN, odd->live_count - odd->made);
}

/* ---- questions ---- */

static void ask(struct odd *odd, uint32_t operation)
{
    static uint64_t answer[WCTS_REPLY_ROOM / 8];
    const struct wcts_none request = {.size = sizeof request};
    uint32_t size = 0;
    memset(answer, 0, sizeof answer);
    odd->outer->call(odd->outer->ctx, operation, &request, sizeof request, answer, sizeof answer,
                     &size);
}

static void ask_driver(struct odd *odd, uint32_t operation)
{
    if (operation == WCTS_DRIVER_ALLOCATION_CREATE || operation == WCTS_DRIVER_DEVICE ||
        operation == WCTS_DRIVER_RENDER) {
        ask(odd, WCTS_DRIVER_INFO);
        ask(odd, WCTS_DRIVER_SEGMENTS);
    }
}

/* Reads a page of system memory that is nobody's. */
static void look(struct odd *odd, uint32_t operation)
{
    const struct wcts_machine_memory_request request = {
        .size = sizeof request, .Address = WCTS_KERNEL_MEMORY_END - 0x10000, .Length = 16};
    uint64_t answer[32] = {0};
    uint32_t size = 0;
    (void)operation;
    odd->outer->call(odd->outer->ctx, WCTS_MACHINE_READ, &request, sizeof request, answer,
                     sizeof answer, &size);
}

/* ---- statuses ---- */

/* Other failures that mean a refusal, such as STATUS_BUFFER_OVERFLOW and one that is no NTSTATUS.
 */
static wcts_status refuse_otherwise(const struct odd *odd, wcts_status status)
{
    static const uint32_t refusals[] = {0xC0000022, 0x80000005, 0xC0000001,
                                        0xC01E0005, 0x8007000E, 0xFFFFFFFF};
    const bool refused = status == WCTS_STATUS_INVALID_PARAMETER ||
                         status == WCTS_STATUS_INVALID_HANDLE ||
                         status == WCTS_STATUS_ACCESS_DENIED;
    return refused ? (wcts_status)refusals[odd->calls % (sizeof refusals / sizeof *refusals)]
                   : status;
}

static wcts_status accept_otherwise(const struct odd *odd, wcts_status status)
{
    static const uint32_t successes[] = {0, 0x00000103, 0x40000000, 1};
    return status == 0 ? (wcts_status)successes[odd->calls % 4] : status;
}

/* ---- what is not begun ---- */

static bool is_part(const struct odd *odd, uint32_t handle)
{
    for (uint32_t i = 0; i < odd->live_count; i++)
        if (odd->live[i].handle == handle && odd->live[i].is_part)
            return true;
    return false;
}

/* What belongs to a resource goes with it, and not alone (header, D3DKMT_DESTROYALLOCATION2). */
static bool names_parts(const struct odd *odd, const void *request, uint32_t request_size)
{
    const struct wcts_kernel_allocation_destroy_request *in = request;
    const struct wcts_handle_entry *handles =
        wcts_message_at(request, request_size, in->Args.phAllocationList, in->Args.AllocationCount,
                        sizeof *handles);
    for (uint32_t i = 0; handles && i < in->Args.AllocationCount; i++)
        if (is_part(odd, handles[i].Handle))
            return true;
    return false;
}

/* ---- the table ---- */

#define CREATING WCTS_KERNEL_ALLOCATION_CREATE
#define SENDING WCTS_KERNEL_SUBMIT, WCTS_KERNEL_PRESENT
#define STILL WCTS_KERNEL_PROCESS, WCTS_KERNEL_DEVICE, WCTS_KERNEL_VA_UPDATE, WCTS_KERNEL_UNLOCK

static const struct odd_way ways[] = {
    {"needs-a-place", {CREATING}, .after = page_in_made, .undo = true},
    {"settles", {0}, .after = settle},
    {"evicts-before-work", {SENDING}, .before = evict_all},
    {"evicts-after-work", {SENDING}, .after = evict_all},
    {"pages-in-before-power", {WCTS_KERNEL_POWER}, .before = page_in_all},
    {"evicts-before-destroying", {WCTS_KERNEL_ALLOCATION_DESTROY}, .before = evict_all},
    {"pages-in-before-destroying", {WCTS_KERNEL_ALLOCATION_DESTROY}, .before = page_in_all},
    {"evicts-before-stopping", {WCTS_KERNEL_ADAPTER_STOP}, .before = evict_all},
    {"evicts-before-locking", {WCTS_KERNEL_LOCK}, .before = evict_all},
    {"pages-in-before-locking", {WCTS_KERNEL_LOCK}, .before = page_in_all},
    {"evicts-anywhere", {STILL}, .before = evict_all},
    {"turns-anywhere", {STILL}, .after = turn_all},
    {"evicts-before-opening", {WCTS_KERNEL_OPEN_GLOBAL, WCTS_KERNEL_OPEN_NT}, .before = evict_all},
    {"asks-again", {0}, .asking = ask_driver},
    {"looks", {0}, .asking = look},
    {"refuses-otherwise", {0}, .status = refuse_otherwise},
    {"accepts-otherwise", {0}, .status = accept_otherwise},
    {"keeps-parts", {WCTS_KERNEL_ALLOCATION_DESTROY}, .refuses = names_parts},
};

/* ---- what lives ---- */

static void add(struct odd *odd, uint32_t device, uint32_t handle, bool part)
{
    if (odd->live_count < LIVE_MAX) {
        odd->live[odd->live_count++] = (struct odd_allocation){device, handle, part};
        odd->made++;
    }
}

static void note_made(struct odd *odd, const void *reply, uint32_t reply_size, const void *request)
{
    const struct wcts_kernel_allocation_create *in = request, *out = reply;
    const struct wcts_D3DDDI_ALLOCATIONINFO2 *infos = wcts_message_at(
        reply, reply_size, out->Args.pAllocationInfo2, in->Args.NumAllocations, sizeof *infos);
    for (uint32_t i = 0; infos && i < in->Args.NumAllocations; i++)
        add(odd, in->Args.hDevice, infos[i].hAllocation, out->Args.hResource != 0);
}

/* hDevice is at the same place in both requests. */
static void note_opened(struct odd *odd, const void *reply, const void *request)
{
    const struct wcts_kernel_open_global_request *in = request;
    const struct wcts_kernel_open_reply *out = reply;
    add(odd, in->hDevice, out->hAllocation, true);
}

/* What cannot be placed is not created. */
static void undo(struct odd *odd, const void *request, const void *reply)
{
    const struct wcts_kernel_allocation_create *in = request, *out = reply;
    struct {
        struct wcts_kernel_allocation_destroy_request head;
        uint32_t handles[64];
    } ended = {.head = {.size = sizeof ended.head,
                        .Args = {.hDevice = in->Args.hDevice, .hResource = out->Args.hResource}}};
    struct wcts_none none = {0};
    uint32_t size = 0, count = odd->made < 64 ? odd->made : 64;
    odd->live_count -= odd->made;
    if (!out->Args.hResource) {
        ended.head.Args.phAllocationList = sizeof ended.head;
        ended.head.Args.AllocationCount = count;
        for (uint32_t i = 0; i < count; i++)
            ended.handles[i] = odd->live[odd->live_count + i].handle;
    }
    wrap_call(odd->wrapped, WCTS_KERNEL_ALLOCATION_DESTROY, &ended,
              (uint32_t)(sizeof ended.head + (out->Args.hResource ? 0 : 4 * count)), &none,
              sizeof none, &size);
}

/* ---- the plug-in ---- */

static bool is_triggered(const struct odd_way *way, uint32_t operation)
{
    if (!way->triggers[0])
        return operation != WCTS_KERNEL_INFO && operation != WCTS_KERNEL_SWEEP;
    for (int i = 0; i < TRIGGERS_MAX; i++)
        if (way->triggers[i] == operation)
            return true;
    return false;
}

static bool is_opening(uint32_t operation)
{
    return operation == WCTS_KERNEL_OPEN_GLOBAL || operation == WCTS_KERNEL_OPEN_NT;
}

/* What the emulator calls. */
static wcts_status between(void *ctx, uint32_t operation, const void *request,
                           uint32_t request_size, void *reply, uint32_t reply_room,
                           uint32_t *reply_size)
{
    struct odd *odd = ctx;
    wcts_status status;
    if (odd->way->asking)
        odd->way->asking(odd, operation);
    status = odd->outer->call(odd->outer->ctx, operation, request, request_size, reply, reply_room,
                              reply_size);
    if (operation == WCTS_DRIVER_PAGING && status == WCTS_STATUS_INVALID_PARAMETER && odd->inside)
        odd->failed = true;
    return status;
}

static wcts_status odd_call(void *instance, uint32_t operation, const void *request,
                            uint32_t request_size, void *reply, uint32_t reply_room,
                            uint32_t *reply_size)
{
    struct odd *odd = instance;
    const struct odd_way *way = odd->way;
    const bool triggered = is_triggered(way, operation);
    wcts_status status;
    odd->calls++;
    odd->made = 0;
    odd->failed = false;
    odd->inside = true;
    if (triggered && way->before)
        way->before(odd);
    odd->inside = false;
    if (triggered && way->refuses && way->refuses(odd, request, request_size))
        return WCTS_STATUS_INVALID_PARAMETER;
    status =
        wrap_call(odd->wrapped, operation, request, request_size, reply, reply_room, reply_size);
    if (operation == WCTS_KERNEL_ALLOCATION_CREATE && wcts_succeeded(status))
        note_made(odd, reply, *reply_size, request);
    if (is_opening(operation) && wcts_succeeded(status) && way->refuses)
        note_opened(odd, reply, request);
    odd->inside = true;
    if (triggered && way->after && wcts_succeeded(status))
        way->after(odd);
    odd->inside = false;
    if (way->undo && odd->failed) {
        undo(odd, request, reply);
        return WCTS_STATUS_INVALID_PARAMETER;
    }
    return triggered && way->status ? way->status(odd, status) : status;
}

static void *odd_open(const struct wcts_host *host, uint32_t side)
{
    const struct test_instance options = {.host = host};
    struct odd *odd = calloc(1, sizeof *odd);
    char name[32];
    if (!odd)
        return NULL;
    test_option(&options, "does", name, sizeof name);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (strcmp(ways[i].name, name) == 0)
            odd->way = &ways[i];
    odd->host = *host;
    odd->host.ctx = odd;
    odd->host.call = between;
    odd->host.options = wrap_rest(host->options);
    odd->outer = host;
    if (odd->way)
        return wrap_open_in(odd, &odd->host, side);
    free(odd);
    return NULL;
}

TEST_PLUGIN_OPEN("odd_kernel", WCTS_SIDE_KERNEL, odd_open, odd_call, wrap_close_in)
