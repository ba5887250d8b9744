/* SPDX-License-Identifier: MIT */
/*
 * The emulator, which wrongly refuses some valid calls, or lacks an operation. Option what=NAME,
 * before emulator=PATH, says which: a name of the table below, or that of an operation, which is
 * then refused, with status=NUMBER if that is given in between, and after=N: but for the first N
 * calls. also=NAME of the table refuses one more kind. pages=SIZES, advice=FLAGS and patches=NUMBER
 * are what is claimed. A kernel that refuses KERNEL_REGION claims no MACHINE, without which nobody
 * asks for one.
 */
#include <stdbool.h>

#include "wrap.h"

#define HANDLES_MAX 64

struct refuser;

/* Which calls are refused, and how: an operation, and what has to be true of the call. */
struct refusal {
    const char *name;
    uint32_t operation; /* 0: all of a driver but INFO and SEGMENTS */
    bool (*applies)(const struct refuser *refuser, const void *request, uint32_t size);
    wcts_status status; /* 0: INVALID_PARAMETER */
};

struct refuser {
    struct wrapped *wrapped;
    struct wcts_host host;                /* the suite's */
    const struct refusal *refusal, *also; /* also: NULL, or one more */
    struct refusal whole;                 /* of an operation that is refused, whatever is asked */
    uint32_t accepted;                    /* of its calls, these are still to be answered */
    uint32_t segment_flags;               /* of all segments that the driver described */
    uint8_t kind[256]; /* the private data of the last kind that the driver lists */
    uint32_t kind_size;
    uint64_t of_last_kind[HANDLES_MAX]; /* the driver's handles of allocations of that kind */
    uint32_t of_last_kind_count;
};

/* ---- which calls ---- */

static bool always(const struct refuser *refuser, const void *request, uint32_t size)
{
    (void)refuser, (void)request, (void)size;
    return true;
}

static uint32_t flags_of(const void *request)
{
    return ((const struct wcts_kernel_allocation_create *)request)->Args.Flags;
}

/* CreateResource, CreateShared and NonSecure. */
static bool has_three_flags(const struct refuser *refuser, const void *request, uint32_t size)
{
    (void)refuser, (void)size;
    return (flags_of(request) & 0x7) == 0x7;
}

/* ReadOnly. */
static bool has_one_flag(const struct refuser *refuser, const void *request, uint32_t size)
{
    (void)refuser, (void)size;
    return (flags_of(request) & 0x80) != 0;
}

/* A paging request that is for no work. */
static bool is_bare_paging(const struct refuser *refuser, const void *request, uint32_t size)
{
    const struct wcts_DXGKARG_PATCH *patch =
        &((const struct wcts_driver_patch_request *)request)->Patch;
    (void)refuser, (void)size;
    return (patch->Flags & 1) && patch->hContext == 0;
}

static bool has_several(const struct refuser *refuser, const void *request, uint32_t size)
{
    (void)refuser, (void)size;
    return ((const struct wcts_kernel_allocation_create *)request)->Args.NumAllocations > 1;
}

static bool has_several_standard(const struct refuser *refuser, const void *request, uint32_t size)
{
    const struct wcts_kernel_allocation_create *in = request;
    return has_several(refuser, request, size) && (in->Args.Flags >> 16 & 1);
}

static bool is_version(const struct refuser *refuser, const void *request, uint32_t size)
{
    (void)request, (void)size;
    return refuser->host.interface_version == 0x8001; /* WDDM 2.3 */
}

static bool is_large_page(const struct refuser *refuser, const void *request, uint32_t size)
{
    (void)request, (void)size;
    return refuser->host.page_size == 65536;
}

/* CacheCoherent. */
static bool has_segment_flag(const struct refuser *refuser, const void *request, uint32_t size)
{
    (void)request, (void)size;
    return (refuser->segment_flags & 0x10) != 0;
}

static bool is_second_adapter(const struct refuser *refuser, const void *request, uint32_t size)
{
    (void)refuser, (void)size;
    return ((const struct wcts_kernel_adapter_start_request *)request)->Index == 1;
}

static bool is_write(const struct refuser *refuser, const void *request, uint32_t size)
{
    (void)refuser, (void)size;
    return ((const struct wcts_kernel_lock_request *)request)->Write != 0;
}

static bool has_operations(const struct refuser *refuser, const void *request, uint32_t size)
{
    (void)refuser, (void)size;
    return ((const struct wcts_kernel_va_update_request *)request)->Args.NumOperations > 1;
}

/* One of its operations unmaps. */
static bool has_unmap(const struct refuser *refuser, const void *request, uint32_t size)
{
    const struct wcts_kernel_va_update_request *in = request;
    const struct wcts_D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION *operations = wcts_message_at(
        request, size, in->Args.Operations, in->Args.NumOperations, sizeof *operations);
    (void)refuser;
    for (uint32_t i = 0; operations && i < in->Args.NumOperations; i++)
        if (operations[i].OperationType == 1)
            return true;
    return false;
}

static bool is_last_kind(const struct refuser *refuser, const void *request, uint32_t size)
{
    return refuser->kind_size != 0 &&
           memmem(request, size, refuser->kind, refuser->kind_size) != NULL;
}

static bool is_of_last_kind(const struct refuser *refuser, const void *request, uint32_t size)
{
    (void)size;
    for (uint32_t i = 0; i < refuser->of_last_kind_count; i++)
        if (refuser->of_last_kind[i] ==
            ((const struct wcts_driver_paging_request *)request)->hAllocation)
            return true;
    return false;
}

/* Of no kind that the driver lists, nor of its own making. */
static bool is_unknown(const struct refuser *refuser, const void *request, uint32_t size)
{
    const struct wcts_driver_allocation_create_request *in = request;
    const struct wcts_DXGK_ALLOCATIONINFO *first =
        wcts_message_at(request, size, in->pAllocationInfo, 1, sizeof *first);
    (void)refuser;
    return in->StandardAllocationType == WCTS_STANDARD_NONE && first &&
           first->PrivateDriverDataSize == 0;
}

static const struct refusal refusals[] = {
    {.name = "nothing", .operation = UINT32_MAX, .applies = always},
    {"bare-paging", WCTS_DRIVER_PATCH, is_bare_paging, 0},
    {"three-flags", WCTS_KERNEL_ALLOCATION_CREATE, has_three_flags, 0},
    {"one-flag", WCTS_KERNEL_ALLOCATION_CREATE, has_one_flag, 0},
    {"several", WCTS_KERNEL_ALLOCATION_CREATE, has_several, 0},
    {"several-standard", WCTS_KERNEL_ALLOCATION_CREATE, has_several_standard, 0},
    {"one-version", WCTS_KERNEL_ALLOCATION_CREATE, is_version, 0},
    {"start-at-one-version", WCTS_KERNEL_ADAPTER_START, is_version, 0},
    {"one-page-size", WCTS_KERNEL_ALLOCATION_CREATE, is_large_page, 0},
    {"one-segment-flag", WCTS_KERNEL_ADAPTER_START, has_segment_flag, 0},
    {"second-adapter", WCTS_KERNEL_ADAPTER_START, is_second_adapter, 0},
    {"no-create", WCTS_KERNEL_ALLOCATION_CREATE, always, WCTS_STATUS_NOT_IMPLEMENTED},
    {"write-lock", WCTS_KERNEL_LOCK, is_write, 0},
    {"several-updates", WCTS_KERNEL_VA_UPDATE, has_operations, 0},
    {"unmap", WCTS_KERNEL_VA_UPDATE, has_unmap, 0},
    {"driver-info-and-segments", 0, always, WCTS_STATUS_NOT_IMPLEMENTED},
    {"driver-refuses-all", 0, always, 0},
    {"driver-last-kind", WCTS_DRIVER_ALLOCATION_CREATE, is_last_kind, 0},
    {"driver-kind-refused", WCTS_DRIVER_PAGING, is_of_last_kind, 0},
    {"driver-kind-stays", WCTS_DRIVER_PAGING, is_of_last_kind, WCTS_STATUS_NOT_SUPPORTED},
    {"driver-kinds-only", WCTS_DRIVER_ALLOCATION_CREATE, is_unknown, 0},
    {"driver-one-version", WCTS_DRIVER_ALLOCATION_CREATE, is_version, 0},
};

/* ---- what is noted ---- */

static void note_segments(struct refuser *refuser, const uint8_t *reply)
{
    const struct wcts_driver_segments_reply *out = (const void *)reply;
    for (uint32_t i = 0; i < out->Count; i++) {
        const struct wcts_DXGK_SEGMENTDESCRIPTOR *segment =
            (const void *)(reply + out->pSegments + i * out->Stride);
        refuser->segment_flags |= segment->Flags;
    }
}

static void note_kinds(struct refuser *refuser, const uint8_t *reply)
{
    const struct wcts_driver_info_reply *out = (const void *)reply;
    const struct wcts_allocation_kind *kinds = (const void *)(reply + out->pKinds);
    if (out->KindCount == 0 ||
        kinds[out->KindCount - 1].PrivateDriverDataSize > sizeof refuser->kind)
        return;
    refuser->kind_size = kinds[out->KindCount - 1].PrivateDriverDataSize;
    memcpy(refuser->kind, reply + kinds[out->KindCount - 1].pPrivateDriverData, refuser->kind_size);
}

static void note_created(struct refuser *refuser, const void *request, uint32_t size,
                         const uint8_t *reply)
{
    const struct wcts_driver_allocation_create_reply *out = (const void *)reply;
    const struct wcts_DXGK_ALLOCATIONINFO *infos = (const void *)(reply + out->pAllocationInfo);
    if (!is_last_kind(refuser, request, size))
        return;
    for (uint32_t i = 0; i < out->NumAllocations && refuser->of_last_kind_count < HANDLES_MAX; i++)
        refuser->of_last_kind[refuser->of_last_kind_count++] = infos[i].hAllocation;
}

/* Sets the number to the option of that name, if it is given. */
static void change(const struct refuser *refuser, const char *name, uint32_t *number)
{
    const struct test_instance options = {.host = &refuser->host};
    char text[16];
    if (*test_option(&options, name, text, sizeof text))
        *number = (uint32_t)strtoul(text, NULL, 0);
}

static void change_kernel(const struct refuser *refuser, struct wcts_kernel_info_reply *reply)
{
    uint32_t advice = 0;
    change(refuser, "pages", &reply->page_sizes);
    change(refuser, "advice", &advice);
    reply->capabilities |= advice;
}

/* What the kernel asks of others: the driver's segments are noted. */
static wcts_status asked(void *ctx, uint32_t operation, const void *request, uint32_t request_size,
                         void *reply, uint32_t reply_room, uint32_t *reply_size)
{
    struct refuser *refuser = ctx;
    wcts_status status = refuser->host.call(refuser->host.ctx, operation, request, request_size,
                                            reply, reply_room, reply_size);
    if (operation == WCTS_DRIVER_SEGMENTS && status == WCTS_STATUS_SUCCESS)
        note_segments(refuser, reply);
    return status;
}

/* ---- the plug-in ---- */

/* Of a driver: what is neither INFO nor SEGMENTS. */
static bool is_further(uint32_t operation)
{
    return operation >> 8 == WCTS_DRIVER_INFO >> 8 && operation != WCTS_DRIVER_INFO &&
           operation != WCTS_DRIVER_SEGMENTS;
}

static wcts_status refuser_call(void *instance, uint32_t operation, const void *request,
                                uint32_t request_size, void *reply, uint32_t reply_room,
                                uint32_t *reply_size)
{
    struct refuser *refuser = instance;
    const struct refusal *refusal = refuser->refusal;
    bool meant = refusal->operation ? refusal->operation == operation : is_further(operation);
    bool start = operation == WCTS_KERNEL_ADAPTER_START;
    wcts_status status;
    *reply_size = 0;
    if (meant && refuser->accepted > 0) {
        refuser->accepted--;
        meant = false;
    }
    if (meant && !start && refusal->applies(refuser, request, request_size))
        return refusal->status ? refusal->status : WCTS_STATUS_INVALID_PARAMETER;
    if (refuser->also && refuser->also->operation == operation &&
        refuser->also->applies(refuser, request, request_size))
        return WCTS_STATUS_INVALID_PARAMETER;
    status = wrap_call(refuser->wrapped, operation, request, request_size, reply, reply_room,
                       reply_size);
    if (operation == WCTS_DRIVER_INFO && status == WCTS_STATUS_SUCCESS)
        note_kinds(refuser, reply);
    if (operation == WCTS_DRIVER_ALLOCATION_CREATE && status == WCTS_STATUS_SUCCESS)
        note_created(refuser, request, request_size, reply);
    if (operation == WCTS_KERNEL_INFO && status == WCTS_STATUS_SUCCESS)
        change_kernel(refuser, reply);
    if (operation == WCTS_DRIVER_INFO && status == WCTS_STATUS_SUCCESS)
        change(refuser, "patches", &((struct wcts_driver_info_reply *)reply)->patches);
    if (operation == WCTS_KERNEL_INFO && refusal->operation == WCTS_KERNEL_REGION)
        ((struct wcts_kernel_info_reply *)reply)->capabilities &=
            ~(uint32_t)WCTS_CAPABILITY_MACHINE;
    /* What the driver described is known only now. */
    if (meant && start && refusal->applies(refuser, request, request_size))
        return refusal->status ? refusal->status : WCTS_STATUS_INVALID_PARAMETER;
    return status;
}

/* The operation of that name; 0: there is none. */
static uint32_t operation_of(const char *name)
{
    for (uint32_t operation = WCTS_KERNEL_INFO; operation < WCTS_MACHINE_READ; operation++)
        if (strcmp(wcts_operation_name(operation), name) == 0)
            return operation;
    return 0;
}

/* That of the table; NULL: there is none. */
static const struct refusal *named(const char *name)
{
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++)
        if (strcmp(refusals[i].name, name) == 0)
            return &refusals[i];
    return NULL;
}

static const struct refusal *find_refusal(struct refuser *refuser)
{
    const struct test_instance options = {.host = &refuser->host};
    char name[64], status[16], after[16];
    const struct refusal *found = named(test_option(&options, "what", name, sizeof name));
    test_option(&options, "status", status, sizeof status);
    refuser->accepted =
        (uint32_t)strtoul(test_option(&options, "after", after, sizeof after), NULL, 0);
    if (found)
        return found;
    refuser->whole.operation = operation_of(name);
    refuser->whole.applies = always;
    refuser->whole.status = (wcts_status)strtoul(status, NULL, 0);
    return refuser->whole.operation ? &refuser->whole : NULL;
}

static void *refuser_open(const struct wcts_host *host, uint32_t side)
{
    struct refuser *refuser = calloc(1, sizeof *refuser);
    struct wcts_host own = *host;
    char also[64];
    if (!refuser)
        return NULL;
    refuser->host = *host;
    refuser->refusal = find_refusal(refuser);
    refuser->also =
        named(test_option(&(struct test_instance){.host = host}, "also", also, sizeof also));
    own.ctx = refuser;
    own.call = asked;
    own.options = wrap_rest(host->options);
    if (refuser->refusal)
        return wrap_open_in(refuser, &own, side);
    free(refuser);
    return NULL;
}

TEST_PLUGIN_OPEN("refuse-some", WCTS_SIDE_KERNEL | WCTS_SIDE_DRIVER, refuser_open, refuser_call,
                 wrap_close_in)
