/* SPDX-License-Identifier: MIT */
/* A kernel to start from: adapters, devices, and allocations that are created and destroyed. It
 * asks the driver as a kernel does, keeps the rules of D3DKMT_CREATEALLOCATIONFLAGS, and takes the
 * caller's memory for allocations over existing memory. What it has no handler for is skipped; the
 * run shows what to implement next. */
#include <stdlib.h>
#include <string.h>
#include <wddm-cts.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Interface versions from which something holds. */
#define WDDM_1_0 0x1053u
#define WDDM_1_2 0x300Eu
#define WDDM_1_3 0x4002u
#define WDDM_2_0 0x5023u
#define WDDM_2_3 0x8001u
#define WDDM_3_2 0x11007u

/* D3DKMT_CREATEALLOCATIONFLAGS, as far as this kernel looks at them. */
#define CREATE_RESOURCE 0x1u
#define CREATE_SHARED 0x2u
#define EXISTING_SYS_MEM 0x20u
#define NT_SECURITY_SHARING 0x40u
#define CROSS_ADAPTER 0x800u
#define OPEN_CROSS_ADAPTER 0x1000u
#define STANDARD_ALLOCATION 0x10000u
#define EXISTING_SECTION 0x20000u
#define NO_KMD_ACCESS 0x100000u

/* This kernel's limit of allocations in one call. */
#define CREATE_MAX 64u

/* DXGK_SEGMENTFLAGS. */
#define SEGMENT_AGP 0x2u

/* One allocation. Those of one resource carry its handle; a resource is nothing else. */
struct allocation {
    struct allocation *next;
    uint32_t device;
    uint32_t handle;
    uint32_t resource; /* 0: none */
    uint64_t driver;   /* the driver's handle; meaningless unless known */
    int known;         /* the driver has created it */
    uint64_t address;  /* of the caller's memory, which is secured while the allocation lives */
    uint64_t length;   /* 0: it is not over the caller's memory */
    uint64_t secured;  /* what MACHINE_SECURE answered */
};

struct kernel {
    const struct wcts_host *host; /* valid until close() returns */
    struct allocation *allocations;
    uint32_t last_handle;
    uint32_t adapters[2]; /* the handle of the adapter with that Index */
};

/* Every handler has these parameters: request and reply are already checked for size. */
#define HANDLER(name)                                                                              \
    static wcts_status name(void *instance, const void *request, uint32_t request_size,            \
                            void *reply, uint32_t room, uint32_t *reply_size)

/* Asks driver or machine. *size, of the answer: the room before, what was written after. */
static wcts_status ask(struct kernel *kernel, uint32_t operation, const void *request,
                       size_t request_size, void *answer, uint32_t *size)
{
    uint32_t room = *size;
    memset(answer, 0, room);
    return kernel->host->call(kernel->host->ctx, operation, request, (uint32_t)request_size, answer,
                              room, size);
}

/* ---- Adapters, processes, devices: little more than handles ---- */

HANDLER(info)
{
    struct wcts_kernel_info_reply *out = reply;
    out->capabilities = WCTS_CAPABILITY_PROBE | WCTS_CAPABILITY_MACHINE | WCTS_CAPABILITY_FRESH;
    out->first_interface_version = WDDM_1_0;
    out->last_interface_version = WDDM_3_2;
    out->page_sizes = 4096 + 16384 + 65536;
    return WCTS_STATUS_SUCCESS;
}

HANDLER(new_handle)
{
    struct kernel *kernel = instance;
    ((struct wcts_kernel_handle_reply *)reply)->Handle = ++kernel->last_handle;
    return WCTS_STATUS_SUCCESS;
}

/* An adapter does not start when an Agp segment has another flag, too. */
HANDLER(start)
{
    struct kernel *kernel = instance;
    const struct wcts_none nothing = {sizeof nothing, 0};
    uint64_t answer[WCTS_REPLY_ROOM / 8];
    const struct wcts_driver_segments_reply *segments = (const void *)answer;
    uint32_t size = sizeof answer;
    wcts_status status = ask(kernel, WCTS_DRIVER_SEGMENTS, &nothing, sizeof nothing, answer, &size);
    if (!wcts_succeeded(status))
        return status;
    for (uint32_t i = 0; i < segments->Count; i++) {
        const struct wcts_DXGK_SEGMENTDESCRIPTOR *segment = wcts_message_at(
            answer, size, segments->pSegments + (uint64_t)i * segments->Stride, 1, sizeof *segment);
        if (!segment || ((segment->Flags & SEGMENT_AGP) && segment->Flags != SEGMENT_AGP))
            return WCTS_STATUS_INVALID_PARAMETER;
    }
    uint32_t index = ((const struct wcts_kernel_adapter_start_request *)request)->Index;
    if (index >= COUNT(kernel->adapters))
        return WCTS_STATUS_INVALID_PARAMETER;
    new_handle(instance, request, request_size, reply, room, reply_size);
    kernel->adapters[index] = kernel->last_handle;
    return WCTS_STATUS_SUCCESS;
}

/* The driver hears of each device. A kernel that submits work keeps what it answers, and makes a
 * context of it for a driver with contexts. */
HANDLER(device)
{
    struct kernel *kernel = instance;
    const struct wcts_kernel_device_request *in = request;
    const struct wcts_driver_device_request told = {
        sizeof told, in->hAdapter == kernel->adapters[1], ++kernel->last_handle};
    struct wcts_driver_handle_reply answer;
    uint32_t size = sizeof answer;
    wcts_status status = ask(kernel, WCTS_DRIVER_DEVICE, &told, sizeof told, &answer, &size);
    if (!wcts_succeeded(status) && status != WCTS_STATUS_NOT_IMPLEMENTED)
        return status;
    ((struct wcts_kernel_handle_reply *)reply)->Handle = kernel->last_handle;
    return WCTS_STATUS_SUCCESS;
}

/* ---- The flags of a creation ---- */

/* Which flags may come together, from which version on. */
static const struct flag_rule {
    uint32_t flag;
    uint32_t version;
    uint32_t needs;  /* all of these */
    uint32_t one_of; /* exactly one of these; 0: no such rule */
} flag_rules[] = {
    {CREATE_SHARED, WDDM_1_0, CREATE_RESOURCE, 0},
    {NT_SECURITY_SHARING, WDDM_1_2, CREATE_SHARED, 0},
    {EXISTING_SYS_MEM, WDDM_2_3, STANDARD_ALLOCATION, 0},
    {EXISTING_SECTION, WDDM_2_3, STANDARD_ALLOCATION, 0},
    {STANDARD_ALLOCATION, WDDM_2_3, CREATE_SHARED | CROSS_ADAPTER,
     EXISTING_SYS_MEM | EXISTING_SECTION},
};

static int one_bit(uint32_t word)
{
    return word && !(word & (word - 1));
}

static int flags_are_valid(uint32_t flags, uint32_t version)
{
    if (version >= WDDM_1_3 && (flags & OPEN_CROSS_ADAPTER))
        return 0; /* not from user mode */
    for (size_t i = 0; i < COUNT(flag_rules); i++) {
        const struct flag_rule *rule = &flag_rules[i];
        if (!(flags & rule->flag) || version < rule->version)
            continue;
        if ((flags & rule->needs) != rule->needs ||
            (rule->one_of && !one_bit(flags & rule->one_of)))
            return 0;
    }
    return 1;
}

/* ---- The caller's memory ---- */

static void release(struct kernel *kernel, const struct allocation *allocation)
{
    const struct wcts_machine_range_request range = {sizeof range, 0, allocation->address,
                                                     allocation->length, allocation->secured};
    struct wcts_none answer;
    uint32_t size = sizeof answer;
    if (allocation->length)
        ask(kernel, WCTS_MACHINE_RELEASE, &range, sizeof range, &answer, &size);
}

/* Secures the memory, and only then looks at it: before, the caller could still exchange it. */
static wcts_status secure(struct kernel *kernel, struct allocation *allocation, uint64_t address,
                          uint64_t length)
{
    struct wcts_machine_range_request range = {sizeof range, 0, address, length, 0};
    struct wcts_machine_secure_reply secured;
    struct wcts_machine_query_reply region;
    uint32_t size = sizeof secured;
    wcts_status status;
    if (address % kernel->host->page_size || length % kernel->host->page_size)
        return WCTS_STATUS_INVALID_PARAMETER;
    status = ask(kernel, WCTS_MACHINE_SECURE, &range, sizeof range, &secured, &size);
    if (!wcts_succeeded(status))
        return status;
    allocation->address = address;
    allocation->length = length;
    allocation->secured = secured.Handle;
    /* The CPU view of an allocation that may lie in video memory, in any of the regions. */
    while (range.Length > 0) {
        uint64_t rest;
        size = sizeof region;
        status = ask(kernel, WCTS_MACHINE_QUERY, &range, sizeof range, &region, &size);
        if (!wcts_succeeded(status))
            return status;
        if (region.Attributes & WCTS_REGION_MEM_ROTATE)
            return WCTS_STATUS_INVALID_PARAMETER;
        rest = region.Base + region.Length - range.Address;
        if (rest >= range.Length)
            break;
        range.Address += rest;
        range.Length -= rest;
    }
    return WCTS_STATUS_SUCCESS;
}

/* ---- Requests to the driver ---- */

/* The private data of a standard allocation over existing memory: a surface as wide as the memory
 * is long. The answer stays the caller's: data points into it. */
static wcts_status standard_data(struct kernel *kernel, uint64_t length, uint64_t *answer,
                                 uint32_t size, const void **data, uint32_t *data_size)
{
    const struct wcts_driver_standard_allocation_request surface = {
        sizeof surface,         WCTS_STANDARD_GDISURFACE,
        (uint32_t)length,       1,
        WCTS_D3DDDIFMT_UNKNOWN, WCTS_GDISURFACE_TEXTURE_CROSSADAPTER};
    const struct wcts_driver_standard_allocation_reply *reply = (const void *)answer;
    wcts_status status =
        ask(kernel, WCTS_DRIVER_STANDARD_ALLOCATION, &surface, sizeof surface, answer, &size);
    if (!wcts_succeeded(status))
        return status;
    *data_size = reply->AllocationPrivateDriverDataSize;
    *data = wcts_message_at(answer, size, reply->pAllocationPrivateDriverData, *data_size, 1);
    return *data ? WCTS_STATUS_SUCCESS : WCTS_STATUS_INVALID_PARAMETER;
}

/* Each preferred segment is one in which the allocation may lie: five groups of an id and a
 * direction, id 0 is none. */
static int preferences_are_supported(const struct wcts_DXGK_ALLOCATIONINFO *info, uint32_t version)
{
    uint32_t set = info->SupportedWriteSegmentSet;
    if (version < WDDM_2_0)
        set &= info->SupportedReadSegmentSet;
    for (int group = 0; group < 5; group++) {
        uint32_t id = info->PreferredSegment >> (6 * group) & 31;
        if (id && !(set >> (id - 1) & 1))
            return 0;
    }
    return 1;
}

/* What one call creates. */
struct creation {
    uint32_t flags;
    uint32_t standard; /* enum wcts_standard_allocation */
    uint32_t count;
    struct {
        struct allocation *allocation;
        const void *data; /* what the driver gets for it */
        uint32_t data_size;
    } each[CREATE_MAX];
};

/* Tells the driver of all allocations of one call, in one request: the head, the array, and then
 * each allocation's private data, 8-byte aligned. Sets each driver handle. */
static wcts_status tell_driver(struct kernel *kernel, const struct creation *creation)
{
    struct {
        struct wcts_driver_allocation_create_request head;
        struct wcts_DXGK_ALLOCATIONINFO infos[];
    } * message;
    const uint32_t count = creation->count;
    uint64_t answer[WCTS_REPLY_ROOM / 8];
    const struct wcts_driver_allocation_create_reply *told = (const void *)answer;
    const struct wcts_DXGK_ALLOCATIONINFO *infos;
    uint32_t size = sizeof answer;
    size_t room = sizeof *message + count * sizeof message->infos[0], at = room;
    wcts_status status;
    for (uint32_t i = 0; i < count; i++)
        room += (creation->each[i].data_size + 7u) & ~7u;
    message = calloc(1, room);
    if (!message)
        return WCTS_STATUS_NO_MEMORY;
    message->head.size = sizeof message->head;
    message->head.StandardAllocationType = creation->standard;
    message->head.NumAllocations = count;
    message->head.pAllocationInfo = sizeof message->head;
    message->head.Flags = creation->flags & CREATE_RESOURCE; /* bit 0 there, too: Resource */
    for (uint32_t i = 0; i < count; i++) {
        if (!creation->each[i].data_size)
            continue;
        message->infos[i].pPrivateDriverData = at;
        message->infos[i].PrivateDriverDataSize = creation->each[i].data_size;
        memcpy((unsigned char *)message + at, creation->each[i].data, creation->each[i].data_size);
        at += (creation->each[i].data_size + 7u) & ~7u;
    }
    status = ask(kernel, WCTS_DRIVER_ALLOCATION_CREATE, message, room, answer, &size);
    free(message);
    if (!wcts_succeeded(status))
        return status;
    infos = wcts_message_at(answer, size, told->pAllocationInfo, count, sizeof *infos);
    for (uint32_t i = 0; infos && i < count; i++) {
        creation->each[i].allocation->driver = infos[i].hAllocation;
        creation->each[i].allocation->known = 1;
        if (!preferences_are_supported(&infos[i], kernel->host->interface_version))
            status = WCTS_STATUS_INVALID_PARAMETER;
    }
    return infos ? status : WCTS_STATUS_INVALID_PARAMETER;
}

static void forget(struct kernel *kernel, struct allocation *allocation)
{
    const struct {
        struct wcts_driver_allocation_destroy_request head;
        struct wcts_driver_handle_entry list[1];
    } message = {{sizeof message.head, 1, sizeof message.head, 0, 0, 0}, {{allocation->driver}}};
    struct wcts_none answer;
    uint32_t size = sizeof answer;
    if (allocation->known)
        ask(kernel, WCTS_DRIVER_ALLOCATION_DESTROY, &message, sizeof message, &answer, &size);
    release(kernel, allocation);
    free(allocation);
}

/* ---- Creating and destroying ---- */

/* The allocations of a call over existing memory: the driver is asked once what it needs to make
 * such a surface, and each of them has that private data. answer holds it. */
static wcts_status take_existing(struct kernel *kernel,
                                 const struct wcts_kernel_allocation_create *in,
                                 uint32_t request_size,
                                 const struct wcts_D3DDDI_ALLOCATIONINFO2 *given,
                                 struct creation *creation, uint64_t *answer, uint32_t answer_room)
{
    const struct wcts_D3DKMT_CREATESTANDARDALLOCATION *heap =
        wcts_message_at(in, request_size, in->Args.pStandardAllocation, 1, sizeof *heap);
    const void *data;
    uint32_t data_size;
    wcts_status status;
    if (!heap)
        return WCTS_STATUS_INVALID_PARAMETER;
    for (uint32_t i = 0; (creation->flags & EXISTING_SYS_MEM) && i < creation->count; i++) {
        status = secure(kernel, creation->each[i].allocation, given[i].pSystemMem, heap->Size);
        if (!wcts_succeeded(status))
            return status;
    }
    creation->standard = WCTS_STANDARD_GDISURFACE;
    status = standard_data(kernel, heap->Size, answer, answer_room, &data, &data_size);
    for (uint32_t i = 0; wcts_succeeded(status) && i < creation->count; i++) {
        creation->each[i].data = data;
        creation->each[i].data_size = data_size;
    }
    return status;
}

/* The private data that user mode gave for each allocation. */
static wcts_status take_private_data(const struct wcts_kernel_allocation_create *in,
                                     uint32_t request_size,
                                     const struct wcts_D3DDDI_ALLOCATIONINFO2 *given,
                                     struct creation *creation)
{
    for (uint32_t i = 0; i < creation->count; i++) {
        uint32_t size = given[i].pPrivateDriverData ? given[i].PrivateDriverDataSize : 0;
        creation->each[i].data =
            wcts_message_at(in, request_size, given[i].pPrivateDriverData, size, 1);
        if (size && !creation->each[i].data)
            return WCTS_STATUS_INVALID_PARAMETER;
        creation->each[i].data_size = size;
    }
    return WCTS_STATUS_SUCCESS;
}

/* Everything that may be refused. The allocations exist already, and go again when it is. */
static wcts_status build(struct kernel *kernel, const struct wcts_kernel_allocation_create *in,
                         uint32_t request_size, const struct wcts_D3DDDI_ALLOCATIONINFO2 *given,
                         struct creation *creation)
{
    uint64_t answer[WCTS_REPLY_ROOM / 8]; /* holds the private data of standard allocations */
    wcts_status status =
        creation->flags & STANDARD_ALLOCATION
            ? take_existing(kernel, in, request_size, given, creation, answer, sizeof answer)
            : take_private_data(in, request_size, given, creation);
    /* An allocation that the driver has no access to is none of its business. */
    if (wcts_succeeded(status) && !(creation->flags & NO_KMD_ACCESS))
        status = tell_driver(kernel, creation);
    return status;
}

HANDLER(create)
{
    struct kernel *kernel = instance;
    const struct wcts_kernel_allocation_create *in = request;
    struct wcts_kernel_allocation_create *out = reply;
    struct wcts_D3DDDI_ALLOCATIONINFO2 *infos = (void *)(out + 1);
    struct creation creation = {.flags = in->Args.Flags};
    const struct wcts_D3DDDI_ALLOCATIONINFO2 *given = wcts_message_at(
        request, request_size, in->Args.pAllocationInfo2, in->Args.NumAllocations, sizeof *given);
    wcts_status status = WCTS_STATUS_SUCCESS;

    if (!given || in->Args.NumAllocations > CREATE_MAX ||
        in->Args.NumAllocations > (room - sizeof *out) / sizeof *infos ||
        !flags_are_valid(creation.flags, kernel->host->interface_version))
        return WCTS_STATUS_INVALID_PARAMETER;
    while (wcts_succeeded(status) && creation.count < in->Args.NumAllocations) {
        struct allocation *allocation = calloc(1, sizeof *allocation);
        if (allocation)
            creation.each[creation.count++].allocation = allocation;
        else
            status = WCTS_STATUS_NO_MEMORY;
    }
    if (wcts_succeeded(status))
        status = build(kernel, in, request_size, given, &creation);
    if (!wcts_succeeded(status)) {
        while (creation.count)
            forget(kernel, creation.each[--creation.count].allocation);
        return status;
    }

    out->Args = in->Args;
    if (creation.flags & CREATE_RESOURCE)
        out->Args.hResource = ++kernel->last_handle;
    if ((creation.flags & CREATE_SHARED) && !(creation.flags & NT_SECURITY_SHARING))
        out->Args.hGlobalShare = ++kernel->last_handle;
    out->Args.pAllocationInfo2 = sizeof *out;
    for (uint32_t i = 0; i < creation.count; i++) {
        struct allocation *allocation = creation.each[i].allocation;
        infos[i] = given[i];
        infos[i].hAllocation = allocation->handle = ++kernel->last_handle;
        allocation->device = in->Args.hDevice;
        allocation->resource = out->Args.hResource;
        allocation->next = kernel->allocations;
        kernel->allocations = allocation;
    }
    *reply_size = (uint32_t)(sizeof *out + creation.count * sizeof *infos);
    return WCTS_STATUS_SUCCESS;
}

/* The link that leads to an allocation of a device, or to the first one of its resource; NULL:
 * there is none. A handle of another device names nothing. */
static struct allocation **find(struct kernel *kernel, uint32_t device, uint32_t handle,
                                uint32_t resource)
{
    for (struct allocation **at = &kernel->allocations; *at; at = &(*at)->next)
        if ((*at)->device == device &&
            (resource ? (*at)->resource == resource : (*at)->handle == handle))
            return at;
    return NULL;
}

static void destroy_at(struct kernel *kernel, struct allocation **at)
{
    struct allocation *allocation = *at;
    *at = allocation->next;
    forget(kernel, allocation);
}

HANDLER(destroy)
{
    struct kernel *kernel = instance;
    const struct wcts_kernel_allocation_destroy_request *in = request;
    const struct wcts_handle_entry *list = wcts_message_at(
        request, request_size, in->Args.phAllocationList, in->Args.AllocationCount, sizeof *list);
    struct allocation **at;
    if (in->Args.hResource) {
        if (!find(kernel, in->Args.hDevice, 0, in->Args.hResource))
            return WCTS_STATUS_INVALID_HANDLE;
        while ((at = find(kernel, in->Args.hDevice, 0, in->Args.hResource)))
            destroy_at(kernel, at);
        return WCTS_STATUS_SUCCESS;
    }
    if (!list)
        return WCTS_STATUS_INVALID_PARAMETER;
    for (uint32_t i = 0; i < in->Args.AllocationCount; i++)
        if (!find(kernel, in->Args.hDevice, list[i].Handle, 0))
            return WCTS_STATUS_INVALID_HANDLE;
    for (uint32_t i = 0; i < in->Args.AllocationCount; i++)
        if ((at = find(kernel, in->Args.hDevice, list[i].Handle, 0)))
            destroy_at(kernel, at);
    return WCTS_STATUS_SUCCESS;
}

/* ---- The plug-in ---- */

static wcts_status call(void *instance, uint32_t operation, const void *request,
                        uint32_t request_size, void *reply, uint32_t room, uint32_t *reply_size)
{
    static const struct wcts_handler handlers[] = {
        {WCTS_KERNEL_INFO, info},
        {WCTS_KERNEL_ADAPTER_START, start},
        {WCTS_KERNEL_PROCESS, new_handle},
        {WCTS_KERNEL_DEVICE, device},
        {WCTS_KERNEL_ALLOCATION_CREATE, create},
        {WCTS_KERNEL_ALLOCATION_DESTROY, destroy},
    };
    return wcts_dispatch(handlers, COUNT(handlers), instance, operation, request, request_size,
                         reply, room, reply_size);
}

static void *boot(const struct wcts_host *host, uint32_t side)
{
    struct kernel *kernel = calloc(1, sizeof *kernel);
    if (kernel)
        kernel->host = host;
    return kernel;
}

static void end(void *instance)
{
    struct kernel *kernel = instance;
    while (kernel->allocations)
        destroy_at(kernel, &kernel->allocations);
    free(kernel);
}

const struct wcts_plugin *wcts_plugin_entry(void)
{
    static const struct wcts_plugin plugin = {
        sizeof plugin, WCTS_ABI_VERSION, WCTS_SIDE_KERNEL, 0, "kernel", "1", boot, call, end};
    return &plugin;
}
