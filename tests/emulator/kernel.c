/* SPDX-License-Identifier: MIT */
/* Tests the kernel side of the emulator against a small machine and a scripted driver. */
#include "wddm-cts.h"

#include "fault.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGE 4096u
#define KIB 1024u
#define MIB (1024u * 1024u)
#define SEGMENT_COUNT 6u
#define CPU_BASE UINT64_C(0x8000000000)

static unsigned long passes, failures;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (condition) {                                                                           \
            passes++;                                                                              \
        } else {                                                                                   \
            printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);                                 \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)

/* ---- The machine ---- */

struct page {
    struct page *next;
    uint32_t space;
    uint64_t number;
    unsigned char bytes[PAGE];
};

#define BUCKETS 1024u
#define VIEWS 64u

struct view {
    uint64_t at, address, length;
    uint32_t space, attributes;
};

struct paging {
    struct wcts_driver_paging_request request;
};

/* Everything outside the kernel. */
static struct world {
    struct page *pages[BUCKETS];
    struct view views[VIEWS];
    uint64_t next_user;
    int secured, secure_calls, machine_calls, driver_calls;
    /* the driver */
    struct wcts_DXGK_SEGMENTDESCRIPTOR segments[SEGMENT_COUNT];
    struct wcts_bank_range banks[4];
    uint32_t segment_count;
    struct wcts_DXGK_ALLOCATIONINFO info;
    uint64_t handles;
    uint32_t dma_set, contexts, no_paging, private_ranges, adapter;
    uint64_t aperture[2 * 32][4096]; /* system page, or 0 */
    struct paging paging[512];
    uint32_t paging_count, destroyed, destroyed_resources;
    struct wcts_DXGKARG_PATCH patch, paging_patch;
    struct wcts_DXGK_ALLOCATIONLIST patched[8];
    uint32_t failing; /* one in so many transfers and maps fails; 0: none */
    void *driver;     /* an instance that answers instead, or NULL */
    uint32_t patches, submits, paging_submits, write_mask;
    uint32_t presents, no_present, any_priority;
    struct wcts_DXGK_ALLOCATIONLIST presented[3];
    struct wcts_driver_submit_request submit;
} w;

static unsigned char nowhere;

static unsigned char *byte_at(uint32_t space, uint64_t address, int make)
{
    uint32_t i;
    struct page *page;
    for (i = 0; space == 0 && i < VIEWS; i++)
        if (w.views[i].at != 0 && address - w.views[i].at < w.views[i].length)
            return byte_at(w.views[i].space, w.views[i].address + (address - w.views[i].at), make);
    if (space == WCTS_SPACE_CPU) {
        for (i = 0; i < w.segment_count; i++)
            if ((w.segments[i].Flags & 4) &&
                address - w.segments[i].CpuTranslatedAddress < w.segments[i].Size)
                return byte_at(i + 1, address - w.segments[i].CpuTranslatedAddress, make);
        CHECK(space != WCTS_SPACE_CPU); /* an address that the CPU sees */
        return &nowhere;
    }
    for (page = w.pages[address / PAGE % BUCKETS]; page != NULL; page = page->next)
        if (page->space == space && page->number == address / PAGE)
            return &page->bytes[address % PAGE];
    if (!make)
        return NULL;
    page = calloc(1, sizeof(*page));
    if (!page)
        abort();
    page->space = space;
    page->number = address / PAGE;
    page->next = w.pages[page->number % BUCKETS];
    w.pages[page->number % BUCKETS] = page;
    return &page->bytes[address % PAGE];
}

static unsigned char get(uint32_t space, uint64_t address)
{
    const unsigned char *at = byte_at(space, address, 0);
    return at != NULL ? *at : 0;
}

static void put(uint32_t space, uint64_t address, unsigned char byte)
{
    *byte_at(space, address, 1) = byte;
}

static uint64_t region_new(uint64_t size, uint32_t attributes, uint32_t space, uint64_t address)
{
    uint32_t i = 0;
    while (w.views[i].at != 0)
        i++;
    w.views[i] = (struct view){w.next_user, address, size, space, attributes};
    w.next_user += (size + 0x1FFFF) / 0x10000 * 0x10000;
    return w.views[i].at;
}

static struct view *view_at(uint64_t address)
{
    uint32_t i;
    for (i = 0; i < VIEWS; i++)
        if (w.views[i].at != 0 && address - w.views[i].at < w.views[i].length)
            return &w.views[i];
    return NULL;
}

static wcts_status machine_memory(uint32_t operation, const void *request, void *reply,
                                  uint32_t *size)
{
    const struct wcts_machine_memory_request *asked = request;
    struct wcts_machine_memory_reply *answer = reply;
    uint64_t i;
    if (operation == WCTS_MACHINE_READ) {
        unsigned char *to = (unsigned char *)(answer + 1);
        *answer = (struct wcts_machine_memory_reply){sizeof(*answer), (uint32_t)asked->Length,
                                                     sizeof(*answer)};
        for (i = 0; i < asked->Length; i++)
            to[i] = get(asked->Space, asked->Address + i);
        *size = (uint32_t)(sizeof(*answer) + asked->Length);
        return 0;
    }
    for (i = 0; i < asked->Length; i++)
        put(asked->Space, asked->Address + i, ((const unsigned char *)request)[asked->pData + i]);
    return 0;
}

static wcts_status machine_range(uint32_t operation, const void *request, void *reply,
                                 uint32_t *size)
{
    const struct wcts_machine_range_request *asked = request;
    struct wcts_machine_query_reply *query = reply;
    struct view *view = view_at(asked->Address);
    if (operation == WCTS_MACHINE_RELEASE) {
        w.secured--;
        return 0;
    }
    if (view == NULL)
        return WCTS_STATUS_INVALID_PARAMETER;
    if (operation == WCTS_MACHINE_VIEW_END)
        view->at = 0;
    if (operation == WCTS_MACHINE_SECURE) {
        w.secured++;
        w.secure_calls++;
        *(struct wcts_machine_secure_reply *)reply =
            (struct wcts_machine_secure_reply){16, 0, asked->Address};
        *size = 16;
    }
    if (operation == WCTS_MACHINE_QUERY) {
        *query = (struct wcts_machine_query_reply){sizeof(*query), view->attributes, view->at,
                                                   view->length};
        *size = sizeof(*query);
    }
    return 0;
}

static wcts_status machine_view(const void *request, void *reply, uint32_t *size)
{
    const struct wcts_machine_view_request *asked = request;
    struct view *view = view_at(asked->View);
    CHECK(asked->Address % PAGE == 0 && asked->Length % PAGE == 0);
    if (asked->View == 0) {
        *(struct wcts_machine_view_reply *)reply = (struct wcts_machine_view_reply){
            16, 0, region_new(asked->Length, asked->Attributes, asked->Space, asked->Address)};
    } else {
        CHECK(view != NULL && view->length == asked->Length);
        if (view != NULL) {
            view->space = asked->Space;
            view->address = asked->Address;
        }
    }
    *size = 16;
    return 0;
}

static wcts_status machine_call(uint32_t operation, const void *request, void *reply,
                                uint32_t *size)
{
    w.machine_calls += operation != WCTS_MACHINE_LOG;
    switch (operation) {
    case WCTS_MACHINE_READ:
    case WCTS_MACHINE_WRITE:
        return machine_memory(operation, request, reply, size);
    case WCTS_MACHINE_VIEW:
        return machine_view(request, reply, size);
    case WCTS_MACHINE_LOG:
        return 0;
    default:
        return machine_range(operation, request, reply, size);
    }
}

/* ---- The driver ---- */

/* Where a byte of a segment really is. */
static void resolve(uint32_t *space, uint64_t *address)
{
    const uint32_t id = *space & 0xFFFF;
    if (id == 0 || !(w.segments[id - 1].Flags & 3))
        return;
    CHECK(w.aperture[id][*address / PAGE] != 0);
    *address = w.aperture[id][*address / PAGE] + *address % PAGE;
    *space = 0;
}

static uint32_t random_below(uint32_t count);

static wcts_status driver_paging(const struct wcts_driver_paging_request *asked, void *reply,
                                 uint32_t *size)
{
    struct wcts_driver_paging_reply *answer = reply;
    uint64_t i;
    if (w.no_paging)
        return WCTS_STATUS_NOT_SUPPORTED;
    if (w.failing && asked->Operation != WCTS_PAGING_UNMAP_APERTURE && !random_below(w.failing))
        return WCTS_STATUS_INVALID_PARAMETER;
    if (w.paging_count < 512)
        w.paging[w.paging_count++].request = *asked;
    for (i = 0; asked->Operation == WCTS_PAGING_TRANSFER && i < asked->TransferSize; i++) {
        uint32_t from_space = asked->SourceSegmentId, to_space = asked->DestinationSegmentId;
        uint64_t from = asked->SourceAddress + i, to = asked->DestinationAddress + i;
        resolve(&from_space, &from);
        resolve(&to_space, &to);
        put(to_space, to, get(from_space, from));
    }
    for (i = 0; asked->Operation >= WCTS_PAGING_MAP_APERTURE && i < asked->NumberOfPages; i++) {
        uint64_t *entry = &w.aperture[asked->SegmentId][asked->OffsetInPages + i];
        const uint64_t page = asked->SystemAddress + i * PAGE;
        CHECK(*entry == (asked->Operation == WCTS_PAGING_MAP_APERTURE ? 0 : page));
        *entry = asked->Operation == WCTS_PAGING_MAP_APERTURE ? page : 0;
    }
    *answer = (struct wcts_driver_paging_reply){
        sizeof(*answer), 20, asked->pDmaBufferPrivateData + (w.private_ranges ? 64 : 0)};
    *size = sizeof(*answer);
    return 0;
}

static wcts_status driver_create(const struct wcts_driver_allocation_create_request *asked,
                                 void *reply, uint32_t *size)
{
    struct wcts_driver_allocation_create_reply *answer = reply;
    struct wcts_DXGK_ALLOCATIONINFO *infos = (void *)(answer + 1);
    uint32_t i;
    *answer = (struct wcts_driver_allocation_create_reply){sizeof(*answer), asked->NumAllocations,
                                                           sizeof(*answer), 0x77};
    for (i = 0; i < asked->NumAllocations; i++) {
        infos[i] = w.info;
        infos[i].hAllocation = ++w.handles;
    }
    *size = (uint32_t)(sizeof(*answer) + asked->NumAllocations * sizeof(*infos));
    return 0;
}

static wcts_status driver_render(const struct wcts_driver_render_request *asked, void *reply,
                                 uint32_t *size)
{
    struct wcts_driver_render_reply *answer = reply;
    const unsigned char *base = (const void *)asked;
    struct wcts_DXGK_ALLOCATIONLIST *list = (void *)(answer + 1);
    uint32_t i;
    memcpy(list, base + asked->pAllocationList, asked->AllocationListSize * sizeof(*list));
    for (i = 0; i < asked->AllocationListSize; i++)
        list[i].Bits |= w.write_mask >> i & 1;
    for (i = 0; i < asked->CommandLength; i++)
        put(0, asked->pDmaBuffer + i, base[asked->pCommand + i]);
    *answer =
        (struct wcts_driver_render_reply){.size = sizeof(*answer),
                                          .DmaLength = asked->CommandLength,
                                          .PrivateDataLength = 8,
                                          .AllocationListSize = asked->AllocationListSize,
                                          .pAllocationList = sizeof(*answer),
                                          .PatchLocationListSize = asked->PatchLocationListSize};
    *size = (uint32_t)(sizeof(*answer) + asked->AllocationListSize * sizeof(*list));
    answer->pPatchLocationList = *size;
    memcpy((unsigned char *)reply + *size, base + asked->pPatchLocationList,
           asked->PatchLocationListSize * sizeof(struct wcts_D3DDDI_PATCHLOCATIONLIST));
    *size += asked->PatchLocationListSize * (uint32_t)sizeof(struct wcts_D3DDDI_PATCHLOCATIONLIST);
    return 0;
}

/* Gives back the destination and then the source, and has both patched. */
static wcts_status driver_present(const struct wcts_driver_render_request *asked, void *reply,
                                  uint32_t *size)
{
    struct wcts_driver_render_reply *answer = reply;
    struct wcts_DXGK_ALLOCATIONLIST *list = (void *)(answer + 1);
    struct wcts_D3DDDI_PATCHLOCATIONLIST *locations = (void *)(list + 2);
    const unsigned char *base = (const void *)asked;
    if (w.no_present)
        return WCTS_STATUS_NOT_SUPPORTED;
    CHECK(asked->CommandLength == 0 && asked->PatchLocationListSize == 0);
    CHECK(asked->AllocationListSize == 3);
    w.presents++;
    memcpy(w.presented, base + asked->pAllocationList, sizeof(w.presented));
    list[0] = w.presented[2];
    list[1] = w.presented[1];
    locations[0] = (struct wcts_D3DDDI_PATCHLOCATIONLIST){.PatchOffset = 8};
    locations[1] = (struct wcts_D3DDDI_PATCHLOCATIONLIST){.AllocationIndex = 1, .PatchOffset = 16};
    *answer = (struct wcts_driver_render_reply){.size = sizeof(*answer),
                                                .DmaLength = 24,
                                                .PrivateDataLength = 8,
                                                .AllocationListSize = 2,
                                                .pAllocationList = sizeof(*answer),
                                                .PatchLocationListSize = 2};
    answer->pPatchLocationList = (uint64_t)((unsigned char *)locations - (unsigned char *)reply);
    *size = (uint32_t)((unsigned char *)(locations + 2) - (unsigned char *)reply);
    return 0;
}

static wcts_status driver_patch(const struct wcts_DXGKARG_PATCH *patch, const void *request)
{
    if (patch->Flags & 1) {
        CHECK(patch->pAllocationList == 0 && patch->AllocationListSize == 0);
        w.paging_patch = *patch;
        return 0;
    }
    w.patches++;
    w.patch = *patch;
    memcpy(w.patched, (const unsigned char *)request + patch->pAllocationList,
           (patch->AllocationListSize < 8 ? patch->AllocationListSize : 8) * sizeof(w.patched[0]));
    put(0, patch->pDmaBuffer, (unsigned char)(w.patched[0].PhysicalAddress >> 12));
    return 0;
}

static wcts_status driver_segments(void *reply, uint32_t *size)
{
    struct wcts_driver_segments_reply *answer = reply;
    const uint32_t bytes = w.segment_count * (uint32_t)sizeof(w.segments[0]);
    uint32_t i;
    *answer = (struct wcts_driver_segments_reply){sizeof(*answer), w.segment_count,
                                                  sizeof(w.segments[0]), 0, sizeof(*answer)};
    for (i = 0; i < w.segment_count; i++)
        w.segments[i].pBankRangeTable = w.segments[i].NbOfBanks ? sizeof(*answer) + bytes : 0;
    memcpy(answer + 1, w.segments, bytes);
    memcpy((unsigned char *)(answer + 1) + bytes, w.banks, sizeof(w.banks));
    *size = (uint32_t)(sizeof(*answer) + bytes + sizeof(w.banks));
    return 0;
}

static wcts_status driver_call(uint32_t operation, const void *request, void *reply, uint32_t *size)
{
    struct wcts_driver_info_reply *info = reply;
    const struct wcts_driver_allocation_destroy_request *gone = request;
    const struct wcts_driver_submit_request *submit = request;
    const struct wcts_driver_standard_allocation_request *standard = request;
    w.driver_calls++;
    switch (operation) {
    case WCTS_DRIVER_INFO:
        info->size = *size = sizeof(*info);
        info->paging_operations = 1u << WCTS_PAGING_TRANSFER | 1u << WCTS_PAGING_FILL |
                                  1u << WCTS_PAGING_MAP_APERTURE | 1u << WCTS_PAGING_UNMAP_APERTURE;
        info->capabilities = w.any_priority ? WCTS_CAPABILITY_ANY_PRIORITY : 0;
        info->creates_contexts = w.contexts;
        info->dma_buffer_segment_set = w.dma_set;
        return 0;
    case WCTS_DRIVER_SEGMENTS:
        return driver_segments(reply, size);
    case WCTS_DRIVER_ALLOCATION_CREATE:
        return driver_create(request, reply, size);
    case WCTS_DRIVER_ALLOCATION_DESTROY:
        w.destroyed += gone->NumAllocations;
        w.destroyed_resources += gone->hResource != 0;
        return 0;
    case WCTS_DRIVER_STANDARD_ALLOCATION:
        CHECK(standard->StandardAllocationType != WCTS_STANDARD_GDISURFACE ||
              (standard->Type == 7 && standard->Format == 0 && standard->Height == 1));
        *size = sizeof(struct wcts_driver_standard_allocation_reply);
        *(uint32_t *)reply = *size;
        return 0;
    case WCTS_DRIVER_RENDER:
        return driver_render(request, reply, size);
    case WCTS_DRIVER_PRESENT:
        return driver_present(request, reply, size);
    case WCTS_DRIVER_PAGING:
        return driver_paging(request, reply, size);
    case WCTS_DRIVER_PATCH:
        return driver_patch(&((const struct wcts_driver_patch_request *)request)->Patch, request);
    case WCTS_DRIVER_SUBMIT:
        w.paging_submits += submit->Flags & 1;
        w.submits += !(submit->Flags & 1);
        w.submit = submit->Flags & 1 ? w.submit : *submit;
        return 0;
    case WCTS_DRIVER_DEVICE:
    case WCTS_DRIVER_CONTEXT:
        *(struct wcts_driver_handle_reply *)reply =
            (struct wcts_driver_handle_reply){16, 0, operation == WCTS_DRIVER_DEVICE ? 0xD0 : 0xC0};
        *size = 16;
        return 0;
    default:
        return WCTS_STATUS_NOT_IMPLEMENTED;
    }
}

static const struct wcts_plugin *plugin;

static wcts_status host_call(void *ctx, uint32_t operation, const void *request,
                             uint32_t request_size, void *reply, uint32_t reply_room,
                             uint32_t *reply_size)
{
    (void)ctx;
    *reply_size = 0;
    if (w.driver != NULL && operation < WCTS_MACHINE_READ)
        return plugin->call(w.driver, operation, request, request_size, reply, reply_room,
                            reply_size);
    return operation >= WCTS_MACHINE_READ ? machine_call(operation, request, reply, reply_size)
                                          : driver_call(operation, request, reply, reply_size);
}

/* ---- The caller ---- */

static struct wcts_host host = {sizeof(host), WCTS_ABI_VERSION, 0, PAGE, NULL, host_call, ""};
static void *kernel;
static uint64_t reply_room[65536 / 8];
static uint32_t hAdapter, hProcess, hDevice;

static const void *answer(void)
{
    return reply_room;
}

static wcts_status call_sized(uint32_t operation, void *request, uint32_t size)
{
    uint32_t reply_size;
    *(uint32_t *)request = wcts_request_size(operation);
    memset(reply_room, 0, sizeof(reply_room));
    return plugin->call(kernel, operation, request, size, reply_room, sizeof(reply_room),
                        &reply_size);
}

#define CALL(operation, ...) call_sized(operation, &(__VA_ARGS__), (uint32_t)sizeof(__VA_ARGS__))

static uint32_t new_handle(void)
{
    return ((const struct wcts_kernel_handle_reply *)answer())->Handle;
}

static uint32_t process_new(uint32_t secure)
{
    CHECK(CALL(WCTS_KERNEL_PROCESS, (struct wcts_kernel_process_request){0, secure}) == 0);
    return new_handle();
}

static uint32_t device_new(uint32_t adapter, uint32_t process)
{
    CHECK(CALL(WCTS_KERNEL_DEVICE, (struct wcts_kernel_device_request){0, adapter, process, 0}) ==
          0);
    return new_handle();
}

/* Boots an instance with one adapter, process and device. The driver must be scripted before. */
static void boot(uint32_t version, const char *options)
{
    host.interface_version = version;
    host.options = options;
    kernel = plugin->open(&host, WCTS_SIDE_KERNEL);
    CHECK(CALL(WCTS_KERNEL_ADAPTER_START, (struct wcts_kernel_adapter_start_request){0, 0}) == 0);
    hAdapter = new_handle();
    hProcess = process_new(0);
    hDevice = device_new(hAdapter, hProcess);
}

static void shut(void)
{
    uint32_t i;
    plugin->close(kernel);
    for (i = 0; i < BUCKETS; i++)
        while (w.pages[i] != NULL) {
            struct page *page = w.pages[i];
            w.pages[i] = page->next;
            free(page);
        }
}

/* Segments: 1 memory that the CPU sees, 2 aperture, 3 memory that it does not, 4 AGP, 5
 * pitch-aligned memory, 6 banked memory of 64 KiB pages. */
static void script(void)
{
    static const uint32_t flags[SEGMENT_COUNT] = {4 | 0x180, 1, 0x80, 2, 0x20 | 0x280, 8 | 0x800};
    uint32_t i;
    memset(&w, 0, sizeof(w));
    w.next_user = 0x10000000;
    w.segment_count = SEGMENT_COUNT;
    for (i = 0; i < SEGMENT_COUNT; i++) {
        w.segments[i].Flags = flags[i];
        w.segments[i].BaseAddress = (i + 1) * UINT64_C(0x100000000);
        w.segments[i].Size = w.segments[i].CommitLimit = MIB;
        w.segments[i].CpuTranslatedAddress = CPU_BASE * (flags[i] >> 2 & 1);
    }
    w.segments[5].NbOfBanks = 4;
    for (i = 0; i < 4; i++)
        w.banks[i] = (struct wcts_bank_range){i * (MIB / 4), MIB / 4};
    w.info = (struct wcts_DXGK_ALLOCATIONINFO){.Alignment = PAGE,
                                               .Size = 5 * PAGE - 7,
                                               .PreferredSegment = 1,
                                               .SupportedReadSegmentSet = 0x3F,
                                               .SupportedWriteSegmentSet = 0x3F,
                                               .AllocationPriority = 0x78000000};
}

struct create_message {
    struct wcts_kernel_allocation_create create;
    struct wcts_D3DDDI_ALLOCATIONINFO2 info;
    struct wcts_D3DKMT_CREATESTANDARDALLOCATION standard;
};

static struct wcts_kernel_allocation_create created;

static wcts_status create_on(uint32_t device, uint32_t flags, uint64_t backing, uint64_t size,
                             uint32_t *hAllocation)
{
    struct create_message m = {
        .create.Args = {.hDevice = device,
                        .NumAllocations = 1,
                        .pAllocationInfo2 = offsetof(struct create_message, info),
                        .Flags = flags},
        .info.pSystemMem = backing,
        .standard = {.Type = 1, .Size = size}};
    wcts_status status;
    if (flags & 1 << 16)
        m.create.Args.pStandardAllocation = offsetof(struct create_message, standard);
    status = CALL(WCTS_KERNEL_ALLOCATION_CREATE, m);
    memcpy(&created, reply_room, sizeof(created));
    memcpy(hAllocation, (unsigned char *)reply_room + sizeof(created), sizeof(*hAllocation));
    return status;
}

static uint32_t make(uint32_t flags)
{
    uint32_t handle = 0;
    CHECK(create_on(hDevice, flags, 0, 0, &handle) == 0);
    return handle;
}

static wcts_status destroy(uint32_t device, uint32_t resource, uint32_t handle)
{
    struct {
        struct wcts_kernel_allocation_destroy_request request;
        uint32_t list[2];
    } m = {.request.Args = {.hDevice = device, .hResource = resource}, .list = {handle, 0}};
    if (resource == 0) {
        m.request.Args.phAllocationList = sizeof(m.request);
        m.request.Args.AllocationCount = 1;
    }
    return CALL(WCTS_KERNEL_ALLOCATION_DESTROY, m);
}

static wcts_status on_allocation(uint32_t operation, uint32_t handle, uint32_t write)
{
    return CALL(operation, (struct wcts_kernel_allocation_request){0, hDevice, handle, write});
}

static struct wcts_kernel_query_allocation_reply query(uint32_t handle)
{
    struct wcts_kernel_query_allocation_reply answer;
    CHECK(on_allocation(WCTS_KERNEL_QUERY_ALLOCATION, handle, 0) == 0);
    memcpy(&answer, reply_room, sizeof(answer));
    return answer;
}

static uint64_t lock_on(uint32_t device, uint32_t handle, uint32_t write, uint32_t discard,
                        wcts_status *status)
{
    *status = CALL(WCTS_KERNEL_LOCK,
                   (struct wcts_kernel_lock_request){0, device, handle, write, discard, 0});
    return ((const struct wcts_kernel_lock_reply *)answer())->Address;
}

static wcts_status lock_primary(uint32_t handle, uint32_t alternate, uint64_t *address)
{
    const wcts_status status = CALL(
        WCTS_KERNEL_LOCK, (struct wcts_kernel_lock_request){0, hDevice, handle, 1, 0, alternate});
    *address = ((const struct wcts_kernel_lock_reply *)answer())->Address;
    return status;
}

static uint64_t lock(uint32_t handle)
{
    wcts_status status;
    const uint64_t address = lock_on(hDevice, handle, 1, 0, &status);
    CHECK(status == 0);
    return address;
}

static void unlock(uint32_t handle)
{
    CHECK(on_allocation(WCTS_KERNEL_UNLOCK, handle, 0) == 0);
}

static void fill(uint32_t handle, unsigned char seed)
{
    const uint64_t at = lock(handle);
    uint32_t i;
    for (i = 0; i < 5; i++)
        put(0, at + i * PAGE + 3, (unsigned char)(seed + i));
    unlock(handle);
}

static int filled(uint32_t handle, unsigned char seed)
{
    const uint64_t at = lock(handle);
    uint32_t i;
    int good = 1;
    for (i = 0; i < 5; i++)
        good &= get(0, at + i * PAGE + 3) == (unsigned char)(seed + i);
    unlock(handle);
    return good;
}

static wcts_status page_in(uint32_t handle, uint32_t write)
{
    return on_allocation(WCTS_KERNEL_PAGE_IN, handle, write);
}

static wcts_status evict(uint32_t handle)
{
    return on_allocation(WCTS_KERNEL_EVICT, handle, 0);
}

/* ---- Stage 1 ---- */

static void test_content(void)
{
    uint32_t a, b;
    script();
    boot(0xF003, "");
    a = make(0);
    CHECK(created.Args.Flags & 1 << 14);
    fill(a, 10);
    CHECK(filled(a, 10));
    CHECK(destroy(hDevice, 0, a) == 0);
    b = make(0);
    CHECK(filled(b, 0) == 0);
    CHECK(get(0, lock(b) + 3) == 0);
    CHECK(created.Args.Flags & 1 << 14);
    fill(b, 20);
    CHECK(destroy(hDevice, 0, b) == 0);
    a = make(1 << 18); /* AllowNotZeroed */
    CHECK(!(created.Args.Flags & 1 << 14));
    CHECK(filled(a, 20) || get(0, lock(a) + 3) != 0);
    CHECK(destroy(hDevice, 0, a) == 0);
    shut();
}

static void test_read_only(void)
{
    wcts_status status;
    uint32_t a;
    script();
    boot(0xF003, "");
    a = make(1 << 7);
    (void)lock_on(hDevice, a, 1, 0, &status);
    CHECK(status == WCTS_STATUS_ACCESS_DENIED);
    (void)lock_on(hDevice, a, 0, 0, &status);
    CHECK(status == 0);
    CHECK(view_at(((const struct wcts_kernel_lock_reply *)answer())->Address)->attributes == 1);
    unlock(a);
    CHECK(on_allocation(WCTS_KERNEL_UNLOCK, a, 0) == WCTS_STATUS_INVALID_PARAMETER);
    w.info.SupportedReadSegmentSet = w.info.SupportedWriteSegmentSet = 2;
    w.info.PreferredSegment = 2;
    a = make(0);
    CHECK(view_at(lock(a))->attributes == 0);
    CHECK(destroy(hDevice, 0, a) == 0);
    shut();
}

static struct wcts_kernel_open_reply opened;

static wcts_status open_global(uint32_t device, uint32_t share)
{
    wcts_status status = CALL(WCTS_KERNEL_OPEN_GLOBAL,
                              (struct wcts_kernel_open_global_request){0, device, share, 0});
    memcpy(&opened, reply_room, sizeof(opened));
    return status;
}

static void test_global(void)
{
    uint32_t a, other, secure, share, resource, second;
    wcts_status status;
    script();
    boot(0xF003, "");
    other = device_new(hAdapter, process_new(0));
    secure = device_new(hAdapter, process_new(1));
    CHECK(CALL(WCTS_KERNEL_ADAPTER_START, (struct wcts_kernel_adapter_start_request){0, 1}) == 0);
    second = device_new(new_handle(), hProcess);
    a = make(3);
    share = created.Args.hGlobalShare;
    resource = created.Args.hResource;
    CHECK(share != 0 && open_global(other, share) == 0);
    CHECK(opened.hResource != resource && opened.hAllocation != a);
    CHECK(open_global(second, share) == WCTS_STATUS_INVALID_PARAMETER);
    CHECK(open_global(other, share + 4) == WCTS_STATUS_INVALID_HANDLE);
    CHECK(open_global(other, share) == 0);
    fill(a, 30);
    CHECK(destroy(hDevice, resource, 0) == 0);
    CHECK(w.destroyed == 0 && w.destroyed_resources == 0);
    CHECK(get(0, lock_on(other, opened.hAllocation, 1, 0, &status) + 3) == 30);
    CHECK(destroy(other, opened.hResource, 0) == 0 && w.destroyed == 0);
    CHECK(destroy(other, opened.hResource - 8, 0) == 0);
    CHECK(w.destroyed == 1 && w.destroyed_resources == 1);
    CHECK(open_global(other, share) == WCTS_STATUS_INVALID_HANDLE);
    CHECK(create_on(secure, 3, 0, 0, &a) == 0);
    CHECK(open_global(other, created.Args.hGlobalShare) == WCTS_STATUS_ACCESS_DENIED);
    CHECK(create_on(secure, 7, 0, 0, &a) == 0);
    CHECK(open_global(other, created.Args.hGlobalShare) == 0);
    a = make(3 | 1 << 11);
    fill(a, 40);
    CHECK(page_in(a, 1) == 0 && query(a).SegmentId == 1);
    CHECK(open_global(second, created.Args.hGlobalShare) == 0);
    CHECK(get(0, lock_on(second, opened.hAllocation, 1, 0, &status) + 3) == 40);
    CHECK(CALL(WCTS_KERNEL_ADAPTER_STOP, (struct wcts_kernel_handle_request){0, hAdapter}) == 0);
    CHECK(get(0, ((const struct wcts_kernel_lock_reply *)answer())->Address) == 0);
    CHECK(get(0, lock_on(second, opened.hAllocation, 1, 0, &status) + 3) == 40);
    shut();
}

static void test_nt(void)
{
    uint32_t a, other, resource;
    uint64_t nt;
    script();
    boot(0xF003, "");
    other = device_new(hAdapter, process_new(0));
    make(3);
    CHECK(CALL(WCTS_KERNEL_SHARE,
               (struct wcts_kernel_share_request){0, hProcess, created.Args.hResource, 0}) ==
          WCTS_STATUS_ACCESS_DENIED);
    a = make(3 | 1 << 6);
    resource = created.Args.hResource;
    CHECK(created.Args.hGlobalShare == 0);
    CHECK(CALL(WCTS_KERNEL_SHARE, (struct wcts_kernel_share_request){0, hProcess, resource, 0}) ==
          0);
    nt = ((const struct wcts_kernel_share_reply *)answer())->hNtHandle;
    CHECK(CALL(WCTS_KERNEL_OPEN_NT, (struct wcts_kernel_open_nt_request){0, other, nt}) == 0);
    memcpy(&opened, reply_room, sizeof(opened));
    CHECK(opened.hAllocation != a && opened.hAllocation != 0);
    CHECK(destroy(hDevice, resource, 0) == 0 && destroy(other, opened.hResource, 0) == 0);
    CHECK(CALL(WCTS_KERNEL_OPEN_NT, (struct wcts_kernel_open_nt_request){0, other, nt}) ==
          WCTS_STATUS_INVALID_HANDLE);
    shut();
}

/* Opens a resource by its NT handle from a device of another process. */
static wcts_status open_nt_from(uint32_t flags, uint32_t owner_secure, uint32_t secure)
{
    const uint32_t owner = process_new(owner_secure);
    const uint32_t device = device_new(hAdapter, owner);
    const uint32_t other = device_new(hAdapter, process_new(secure));
    uint32_t handle;
    uint64_t nt;
    CHECK(create_on(device, flags, 0, 0, &handle) == 0);
    CHECK(CALL(WCTS_KERNEL_SHARE,
               (struct wcts_kernel_share_request){0, owner, created.Args.hResource, 0}) == 0);
    nt = ((const struct wcts_kernel_share_reply *)answer())->hNtHandle;
    return CALL(WCTS_KERNEL_OPEN_NT, (struct wcts_kernel_open_nt_request){0, other, nt});
}

/* What NonSecure lets in by an NT handle, and what the faults keep out. */
static void test_non_secure(void)
{
    static const char *const options[] = {"", "fault=CAF-006.non-secure-by-nt",
                                          "fault=CAF-006.secure-by-nt"};
    const uint32_t nt = 3 | 1 << 6, both = nt | 1 << 2;
    const wcts_status denied = WCTS_STATUS_ACCESS_DENIED;
    uint32_t i, global, handle;
    for (i = 0; i < 3; i++) {
        script();
        boot(0xF003, options[i]);
        CHECK(open_nt_from(both, 1, 0) == (i == 1 ? denied : 0));
        CHECK(open_nt_from(both, 0, 1) == (i == 2 ? denied : 0));
        CHECK(open_nt_from(both, 1, 1) == 0 && open_nt_from(both, 0, 0) == 0);
        CHECK(open_nt_from(nt, 1, 0) == denied && open_nt_from(nt, 0, 1) == 0);
        for (global = 0; global < 2; global++) {
            const uint32_t device = device_new(hAdapter, process_new(global));
            const uint32_t other = device_new(hAdapter, process_new(!global));
            CHECK(create_on(device, 3 | 1 << 2, 0, 0, &handle) == 0);
            CHECK(CALL(WCTS_KERNEL_OPEN_GLOBAL, (struct wcts_kernel_open_global_request){
                                                    0, other, created.Args.hGlobalShare, 0}) == 0);
        }
        shut();
    }
}

static uint32_t view_count(void)
{
    uint32_t i, count = 0;
    for (i = 0; i < VIEWS; i++)
        count += w.views[i].at != 0;
    return count;
}

/* Views end when they are unlocked, and when their allocation goes, also with its adapter. */
static void test_views_end(void)
{
    static const char *const options[] = {"", "fault=HDR-024.gone", "fault=HDR-024.unlocked"};
    uint32_t i, a, other, opener, second;
    wcts_status status;
    for (i = 0; i < 3; i++) {
        const uint32_t gone = i == 1, unlocked = i == 2;
        script();
        boot(0xF003, options[i]);
        a = make(0);
        CHECK(lock(a) == lock(a) && view_count() == 1);
        unlock(a);
        CHECK(view_count() == 1);
        unlock(a);
        CHECK(view_count() == unlocked);
        (void)lock(a);
        CHECK(destroy(hDevice, 0, a) == 0 && view_count() == gone + unlocked);
        (void)lock(make(3));
        CHECK(destroy(hDevice, created.Args.hResource, 0) == 0);
        CHECK(view_count() == 2 * gone + unlocked);
        shut();

        /* Of the resource that is opened on the second adapter only that one's view stays. */
        script();
        boot(0xF003, options[i]);
        CHECK(CALL(WCTS_KERNEL_ADAPTER_START, (struct wcts_kernel_adapter_start_request){0, 1}) ==
              0);
        second = new_handle();
        opener = device_new(second, hProcess);
        (void)lock(make(0));
        (void)lock(make(3 | 1 << 11));
        CHECK(CALL(WCTS_KERNEL_OPEN_GLOBAL, (struct wcts_kernel_open_global_request){
                                                0, opener, created.Args.hGlobalShare, 0}) == 0);
        other = ((const struct wcts_kernel_open_reply *)answer())->hAllocation;
        (void)lock_on(opener, other, 0, 0, &status);
        CHECK(status == 0 && view_count() == 3);
        CHECK(CALL(WCTS_KERNEL_ADAPTER_STOP, (struct wcts_kernel_handle_request){0, hAdapter}) ==
              0);
        CHECK(view_count() == 1);
        CHECK(CALL(WCTS_KERNEL_ADAPTER_STOP, (struct wcts_kernel_handle_request){0, second}) == 0);
        CHECK(view_count() == 0);
        shut();
    }
}

#define STANDARD (3u | 1u << 11 | 1u << 16)

static void test_existing(void)
{
    uint64_t memory, section;
    uint32_t a, b, locked;
    script();
    boot(0xF003, "");
    w.info.Size = 4 * PAGE;
    memory = region_new(4 * PAGE, 0, 0, UINT64_C(0x900000000));
    CHECK(create_on(hDevice, STANDARD | 1 << 5, memory, 4 * PAGE, &a) == 0);
    CHECK(w.secured == 1 && !(created.Args.Flags & 1 << 14));
    put(0, memory + 2 * PAGE, 99);
    CHECK(get(0, lock(a) + 2 * PAGE) == 99);
    CHECK(destroy(hDevice, created.Args.hResource, 0) == 0 && w.secured == 0);
    locked = make(0);
    CHECK(create_on(hDevice, STANDARD | 1 << 5, lock(locked), 4 * PAGE, &a) ==
          WCTS_STATUS_INVALID_PARAMETER);
    CHECK(w.secured == 0);
    CHECK(CALL(WCTS_KERNEL_SECTION, (struct wcts_kernel_section_request){0, hProcess, 4 * PAGE}) ==
          0);
    section = ((const struct wcts_kernel_section_reply *)answer())->hSection;
    w.secure_calls = 0;
    CHECK(create_on(hDevice, STANDARD | 1 << 17, section, 4 * PAGE, &a) == 0);
    CHECK(create_on(hDevice, STANDARD | 1 << 17, section, 4 * PAGE, &b) == 0);
    put(0, lock(a) + PAGE, 55);
    CHECK(get(0, lock(b) + PAGE) == 55 && w.secure_calls == 0);
    shut();
}

/* The allocation is over the memory as long as it lives. */
static void check_over(uint32_t handle, uint64_t memory)
{
    put(0, memory + 2 * PAGE, 98);
    CHECK(w.secured == 1 && get(0, lock(handle) + 2 * PAGE) == 98);
    CHECK(destroy(hDevice, created.Args.hResource, handle) == 0 && w.secured == 0);
}

/* What profiles accept is done: an allocation is over the memory that it is given. */
static void test_profile_memory(void)
{
    const uint32_t heap = 1u << 16 | 1u << 5;
    uint64_t memory;
    uint32_t a;
    script();
    w.info.Size = 4 * PAGE;
    memory = region_new(5 * PAGE, 0, 0, UINT64_C(0x900000000));
    boot(0xF003, "profile=windows");
    CHECK(create_on(hDevice, heap, memory, 4 * PAGE, &a) == 0);
    check_over(a, memory);
    CHECK(create_on(hDevice, heap | 1, memory, 4 * PAGE, &a) == 0);
    check_over(a, memory);
    shut();
    boot(0xF003, "profile=wsl2");
    CHECK(create_on(hDevice, 0, memory, 0, &a) == 0); /* M28 */
    check_over(a, memory);
    CHECK(create_on(hDevice, STANDARD | 1 << 5 | 1 << 6, memory, 4 * PAGE, &a) == 0);
    check_over(a, memory);
    CHECK(create_on(hDevice, 0, 16 * PAGE, 0, &a) < 0 && w.secured == 0);
    CHECK(create_on(hDevice, 1 << 20, memory, 0, &a) == 0 && query(a).Size == PAGE);
    CHECK(w.secured == 1);
    shut();
    w.secured = 0;
    boot(0xF003, "profile=wine");
    CHECK(create_on(hDevice, heap | 1 << 17, memory, 4 * PAGE, &a) == 0); /* CAF-010 */
    check_over(a, memory);
    CHECK(create_on(hDevice, heap, memory + 16, 4 * PAGE, &a) == 0); /* M7a: whole pages */
    CHECK(query(a).Size == 5 * PAGE);
    check_over(a, memory);
    shut();
}

/* What an NT handle keeps: the content, and the driver's allocation until the adapter stops. */
static void test_profile_kept(void)
{
    struct wcts_kernel_open_nt_request open = {0};
    struct wcts_kernel_handle_request stop = {0};
    uint32_t a, resource;
    script();
    boot(0xF003, "profile=windows");
    a = make(3 | 1 << 6);
    resource = created.Args.hResource;
    fill(a, 70);
    CHECK(page_in(a, 1) == 0 && query(a).SegmentId == 1);
    CHECK(CALL(WCTS_KERNEL_SHARE, (struct wcts_kernel_share_request){0, hProcess, resource, 0}) ==
          0);
    open.hNtHandle = ((const struct wcts_kernel_share_reply *)answer())->hNtHandle;
    CHECK(destroy(hDevice, resource, 0) == 0);
    CHECK(w.destroyed == 0 && w.destroyed_resources == 0);
    CHECK(CALL(WCTS_KERNEL_POWER, (struct wcts_kernel_power_request){0, WCTS_POWER_STANDBY}) == 0);
    CHECK(CALL(WCTS_KERNEL_POWER, (struct wcts_kernel_power_request){0, WCTS_POWER_ON}) == 0);
    open.hDevice = hDevice = device_new(hAdapter, hProcess);
    CHECK(CALL(WCTS_KERNEL_OPEN_NT, open) == 0);
    memcpy(&opened, reply_room, sizeof(opened));
    CHECK(opened.hAllocation != 0 && opened.hAllocation != a && filled(opened.hAllocation, 70));
    CHECK(destroy(hDevice, opened.hResource, 0) == 0 && w.destroyed == 0);
    stop.Handle = hAdapter;
    CHECK(CALL(WCTS_KERNEL_ADAPTER_STOP, stop) == 0);
    CHECK(w.destroyed == 1 && w.destroyed_resources == 1);
    CHECK(CALL(WCTS_KERNEL_ADAPTER_START, (struct wcts_kernel_adapter_start_request){0, 0}) == 0);
    open.hDevice = device_new(new_handle(), hProcess);
    CHECK(CALL(WCTS_KERNEL_OPEN_NT, open) == WCTS_STATUS_INVALID_HANDLE);
    shut();
}

static void test_options(void)
{
    const struct wcts_kernel_info_reply *info = (void *)reply_room;
    struct wcts_none none = {0};
    uint64_t region;
    uint32_t a;
    script();
    boot(0xF003, "probe=off");
    CHECK(CALL(WCTS_KERNEL_INFO, none) == 0 && !(info->capabilities & WCTS_CAPABILITY_PROBE));
    a = make(0);
    fill(a, 60);
    CHECK(page_in(a, 1) == 0 && query(a).SegmentId == 1);
    CHECK(filled(a, 60) && query(a).SegmentId == 0);
    CHECK(page_in(a, 0) == 0 && evict(a) == 0 && query(a).SegmentId == 2);
    CHECK(filled(a, 60) && w.driver_calls == 0);
    shut();
    script();
    boot(0xF003, "machine=off,placement=off");
    CHECK(CALL(WCTS_KERNEL_INFO, none) == 0);
    CHECK(!(info->capabilities & (WCTS_CAPABILITY_MACHINE | WCTS_CAPABILITY_PLACEMENT)));
    CHECK(CALL(WCTS_KERNEL_REGION,
               (struct wcts_kernel_region_request){0, hProcess, 4 * PAGE, 0, 0}) == 0);
    region = ((const struct wcts_kernel_region_reply *)answer())->Address;
    w.info.Size = 4 * PAGE;
    CHECK(create_on(hDevice, STANDARD | 1 << 5, region, 4 * PAGE, &a) == 0);
    a = make(0);
    CHECK(create_on(hDevice, STANDARD | 1 << 5, lock(a), 4 * PAGE, &a) < 0);
    CHECK(on_allocation(WCTS_KERNEL_QUERY_ALLOCATION, a, 0) == WCTS_STATUS_NOT_SUPPORTED);
    CHECK(w.machine_calls == 0);
    shut();
}

/* ---- Stage 2 ---- */

static uint32_t count_paging(uint32_t operation)
{
    uint32_t i, count = 0;
    for (i = 0; i < w.paging_count; i++)
        count += w.paging[i].request.Operation == operation;
    return count;
}

static void test_memory_segment(void)
{
    struct wcts_kernel_query_allocation_reply where;
    uint64_t view;
    uint32_t a;
    script();
    w.contexts = 1;
    boot(0xF003, "");
    a = make(0);
    fill(a, 70);
    CHECK(page_in(a, 1) == 0);
    where = query(a);
    CHECK(where.SegmentId == 1 && where.Size == 5 * PAGE && where.SegmentSize == 5 * PAGE);
    CHECK(where.Priority == 0x78000000);
    CHECK(w.paging_count == 3 && w.paging_submits == 3 && w.paging[0].request.hContext == 0xC0);
    CHECK(w.paging_patch.SubmissionFenceId == 0x10003 && w.paging_patch.hContext == 0xC0);
    CHECK(w.paging_patch.DmaBufferSubmissionStartOffset == 48 &&
          w.paging_patch.DmaBufferSubmissionEndOffset == 68);
    CHECK(get(1, where.Offset + 2 * PAGE + 3) == 72);
    view = lock(a);
    CHECK(view_at(view)->space == WCTS_SPACE_CPU && get(0, view + 3) == 70);
    put(0, view + 3, 71);
    CHECK(evict(a) == 0 && query(a).SegmentId == 0);
    CHECK(view_at(view)->space == 0 && get(0, view + 3) == 71);
    put(0, view + 3, 70);
    unlock(a);
    w.paging_count = 0;
    CHECK(page_in(a, 1) == 0 && page_in(a, 0) == 0 && w.paging_count == 3);
    CHECK(filled(a, 70) && evict(a) == 0 && filled(a, 70));
    CHECK(page_in(a, 1) == 0 && destroy(hDevice, 0, a) == 0);
    a = make(1 << 19); /* PhysicallyContiguous */
    w.paging_count = 0;
    CHECK(page_in(a, 1) == 0 && w.paging_count == 1 && query(a).Offset == 0);
    shut();
}

static void test_aperture(void)
{
    uint32_t a;
    script();
    boot(0xF003, "");
    w.info.PreferredSegment = 2;
    w.info.EvictionSegmentSet = 2;
    a = make(0);
    fill(a, 80);
    CHECK(page_in(a, 1) == 0 && query(a).SegmentId == 2);
    CHECK(count_paging(WCTS_PAGING_TRANSFER) == 0 && count_paging(WCTS_PAGING_MAP_APERTURE) == 3);
    CHECK(filled(a, 80));
    CHECK(evict(a) == 0 && query(a).SegmentId == 0 && count_paging(WCTS_PAGING_TRANSFER) == 0);
    CHECK(filled(a, 80));
    w.info.PreferredSegment = 3;
    a = make(0);
    fill(a, 90);
    CHECK(page_in(a, 1) == 0 && query(a).SegmentId == 3);
    w.paging_count = 0;
    CHECK(evict(a) == 0 && query(a).SegmentId == 2);
    CHECK(count_paging(WCTS_PAGING_MAP_APERTURE) == 3 && count_paging(WCTS_PAGING_TRANSFER) == 1);
    CHECK(evict(a) == 0 && query(a).SegmentId == 2 && filled(a, 90));
    CHECK(page_in(a, 0) == 0 && query(a).SegmentId == 3);
    CHECK(filled(a, 90) && query(a).SegmentId == 0);
    CHECK(page_in(a, 0) == 0);
    w.info.EvictionSegmentSet = 0x10; /* described, but no aperture */
    a = make(0);
    CHECK(page_in(a, 1) == 0 && evict(a) == 0 && query(a).SegmentId == 0);
    CHECK(destroy(hDevice, 0, a) == 0);
    shut();
}

static void test_sets(void)
{
    uint32_t a;
    script();
    boot(0x300E, "");
    w.info.PreferredSegment = 0;
    w.info.SupportedReadSegmentSet = 2;
    w.info.SupportedWriteSegmentSet = 4;
    a = make(0);
    CHECK(page_in(a, 0) == 0 && query(a).SegmentId == 2);
    CHECK(page_in(a, 1) == 0 && query(a).SegmentId == 3);
    w.info.SupportedReadSegmentSet = w.info.SupportedWriteSegmentSet = 0x30;
    w.info.PitchAlignedSize = 9 * PAGE;
    w.info.PreferredSegment = 5;
    a = make(0);
    CHECK(page_in(a, 1) == 0);
    CHECK(query(a).SegmentId == 5 && query(a).SegmentSize == 9 * PAGE && query(a).Size == 5 * PAGE);
    w.info.PitchAlignedSize = 0;
    w.info.PreferredSegment = 6;
    w.info.HintedBank = 3 | (2u | 0x80u) << 8;
    a = make(0);
    CHECK(page_in(a, 1) == 0 && query(a).SegmentId == 6 && query(a).Offset == MIB / 2);
    w.info.Size = MIB / 4;
    a = make(0);
    CHECK(page_in(a, 1) == 0 && query(a).Offset == MIB / 4);
    shut();
    script();
    boot(0xF003, "");
    w.info.SupportedReadSegmentSet = 2;
    w.info.SupportedWriteSegmentSet = 4;
    w.info.PreferredSegment = 0;
    a = make(0);
    CHECK(page_in(a, 0) == 0 && query(a).SegmentId == 3);
    w.info.SupportedWriteSegmentSet = 0x20;
    a = make(0);
    CHECK(page_in(a, 0) == 0 && query(a).Offset % (64 * KIB) == 0);
    a = make(0);
    CHECK(page_in(a, 0) == 0 && query(a).Offset == 64 * KIB);
    shut();
}

static void test_room(void)
{
    static const uint32_t priorities[] = {0x78000000, 0x50000000, 0xC8000000};
    uint32_t a[4], i;
    script();
    boot(0xF003, "");
    w.info.Size = MIB / 3;
    w.info.SupportedWriteSegmentSet = 1;
    for (i = 0; i < 3; i++) {
        w.info.AllocationPriority = priorities[i];
        a[i] = make(0);
        w.info.Size = MIB / 4;
        CHECK(page_in(a[i], 1) == 0 && query(a[i]).SegmentId == 1);
    }
    w.info.Alignment = 3;
    w.info.Size = MIB / 4 - 4 * PAGE;
    a[3] = make(0);
    CHECK(page_in(a[3], 1) == 0 && query(a[3]).Offset % (3 * PAGE) == 0);
    CHECK(query(a[1]).SegmentId == 0 && query(a[0]).SegmentId == 1 && query(a[2]).SegmentId == 1);
    w.info.Alignment = 0;
    w.info.Size = MIB;
    a[3] = make(0);
    CHECK(page_in(a[3], 1) == 0 && query(a[0]).SegmentId == 0);
    w.info.Size = UINT64_MAX - 3;
    a[3] = make(0);
    CHECK(page_in(a[3], 1) == WCTS_STATUS_INSUFFICIENT_RESOURCES);
    w.info.Size = PAGE;
    w.info.SupportedWriteSegmentSet = 0xFFFFFF80;
    w.info.PreferredSegment = 0;
    a[3] = make(0);
    CHECK(page_in(a[3], 1) == WCTS_STATUS_NOT_SUPPORTED);
    w.no_paging = 1;
    w.info.SupportedWriteSegmentSet = 3;
    a[3] = make(0);
    CHECK(page_in(a[3], 1) == WCTS_STATUS_NOT_SUPPORTED && query(a[3]).SegmentId == 0);
    shut();
}

/* ---- Stage 3 ---- */

static void test_power(void)
{
    static const uint32_t expected[4][2] = {{3, 5}, {3, 5}, {0, 0}, {0, 0}};
    uint32_t a, b, c, state;
    script();
    boot(0xF003, "");
    for (state = WCTS_POWER_ON; state <= WCTS_POWER_HYBRID_SLEEP; state++) {
        w.info.PitchAlignedSize = 6 * PAGE;
        w.info.PreferredSegment = 3;
        a = make(0);
        w.info.PreferredSegment = 5;
        b = make(0);
        c = make(0);
        fill(a, 100);
        fill(b, 110);
        fill(c, 120);
        CHECK(page_in(a, 1) == 0 && page_in(b, 1) == 0 && page_in(c, 1) == 0);
        w.paging_count = 0;
        CHECK(CALL(WCTS_KERNEL_POWER, (struct wcts_kernel_power_request){0, state}) == 0);
        CHECK(query(a).SegmentId == expected[state][0]);
        CHECK(query(b).SegmentId == expected[state][1] && query(c).SegmentId == 5);
        CHECK(w.paging_count == 0 || w.paging[0].request.hContext == 0);
        CHECK(w.paging_count == 0 || w.paging_patch.hContext == 0);
        CHECK(CALL(WCTS_KERNEL_POWER, (struct wcts_kernel_power_request){0, 0}) == 0);
        CHECK(filled(a, 100) && filled(b, 110) && filled(c, 120));
        CHECK(destroy(hDevice, 0, a) == 0 && destroy(hDevice, 0, b) == 0 &&
              destroy(hDevice, 0, c) == 0);
    }
    CHECK(CALL(WCTS_KERNEL_POWER, (struct wcts_kernel_power_request){0, 4}) < 0);
    shut();
}

/* ---- Stage 4 ---- */

struct submit_message {
    struct wcts_kernel_submit_request request;
    uint32_t allocations[2];
    struct wcts_D3DDDI_PATCHLOCATIONLIST locations[2];
    unsigned char command[64];
};

static struct submit_message submit_of(uint32_t a, uint32_t b)
{
    return (struct submit_message){
        .request = {.hDevice = hDevice,
                    .pCommand = offsetof(struct submit_message, command),
                    .CommandLength = 64,
                    .AllocationCount = b ? 2 : 1,
                    .pAllocations = offsetof(struct submit_message, allocations),
                    .pPatchLocationList = offsetof(struct submit_message, locations),
                    .PatchLocationListSize = 2,
                    .PatchLocationListSubmissionStart = 1,
                    .PatchLocationListSubmissionLength = 1},
        .allocations = {a, b},
        .command = {1, 2, 3},
    };
}

static void test_submit(void)
{
    struct submit_message m;
    struct wcts_none none = {0};
    uint32_t a, b;
    script();
    w.write_mask = 2;
    boot(0x300E, "");
    w.info.SupportedReadSegmentSet = 3;
    w.info.SupportedWriteSegmentSet = 5;
    w.info.MaximumRenamingListLength = 1;
    a = make(0);
    w.info.PreferredSegment = 0;
    w.info.SupportedWriteSegmentSet = 4;
    b = make(0);
    m = submit_of(a, b);
    CHECK(CALL(WCTS_KERNEL_SUBMIT, m) == 0);
    CHECK(((const struct wcts_kernel_submit_reply *)answer())->SubmissionFenceId ==
          w.patch.SubmissionFenceId);
    CHECK(query(a).SegmentId == 1 && query(b).SegmentId == 3 && w.patches == 1 && w.submits == 1);
    CHECK(w.patched[0].PhysicalAddress == UINT64_C(0x100000000) && w.patched[0].Bits == 2);
    CHECK(w.patched[1].PhysicalAddress == UINT64_C(0x300000000) && w.patched[1].Bits == 7);
    CHECK(w.patch.DmaBufferPhysicalAddress == w.patch.pDmaBuffer && w.patch.hDevice == 0xD0);
    CHECK(w.patch.DmaBufferSubmissionEndOffset == 64 && w.patch.DmaBufferSegmentId == 0);
    CHECK(w.patch.PatchLocationListSubmissionStart == 1 && w.patch.PatchLocationListSize == 2);
    CHECK(w.submit.SubmissionFenceId == w.patch.SubmissionFenceId);
    CHECK(evict(a) == 0);
    w.info.Size = 8 * PAGE;
    make(0);
    CHECK(CALL(WCTS_KERNEL_PREEMPT, (struct wcts_kernel_handle_request){0, hDevice}) == 0);
    CHECK(w.patches == 2 && w.submits == 2 && query(a).SegmentId == 1);
    m.request.StartOffset = 16;
    m.request.EndOffset = 32;
    CHECK(CALL(WCTS_KERNEL_SUBMIT, m) == 0);
    CHECK(w.patch.DmaBufferSubmissionStartOffset == 16 &&
          w.patch.DmaBufferSubmissionEndOffset == 32);
    m.request.StartOffset = 33;
    CHECK(CALL(WCTS_KERNEL_SUBMIT, m) == WCTS_STATUS_INVALID_PARAMETER);
    CHECK(CALL(WCTS_KERNEL_SETTLE, none) == 0);
    CHECK(destroy(hDevice, 0, a) == 0);
    CHECK(CALL(WCTS_KERNEL_PREEMPT, (struct wcts_kernel_handle_request){0, hDevice}) ==
          WCTS_STATUS_NOT_SUPPORTED);
    shut();
}

static void test_rename(void)
{
    struct submit_message m;
    struct wcts_none none = {0};
    wcts_status status;
    uint64_t first;
    uint32_t a, i;
    script();
    boot(0x300E, "");
    w.info.MaximumRenamingListLength = 2;
    a = make(0);
    for (i = 0; i < 4; i++) {
        m = submit_of(a, 0);
        CHECK(CALL(WCTS_KERNEL_SUBMIT, m) == 0);
        (void)lock_on(hDevice, a, 1, 1, &status);
        CHECK(status == 0);
        unlock(a);
        CHECK(query(a).RenamingListLength == (i < 2 ? i + 1 : 2));
    }
    first = w.patched[0].PhysicalAddress;
    CHECK(CALL(WCTS_KERNEL_PREEMPT, (struct wcts_kernel_handle_request){0, hDevice}) == 0);
    CHECK(w.patched[0].PhysicalAddress == first);
    CHECK(CALL(WCTS_KERNEL_SETTLE, none) == 0 && destroy(hDevice, 0, a) == 0);
    shut();
}

static void test_dma_segment(void)
{
    struct submit_message m;
    uint32_t a, id;
    for (id = 1; id <= 3; id++) {
        script();
        w.dma_set = 1u << (id - 1);
        w.private_ranges = 1;
        boot(0xF003, "");
        w.info.PreferredSegment = 3;
        a = make(0);
        m = submit_of(a, 0);
        CHECK(CALL(WCTS_KERNEL_SUBMIT, m) == 0);
        CHECK(w.patch.DmaBufferSegmentId == id && w.submit.DmaBufferSegmentId == id);
        CHECK(w.patch.DmaBufferPhysicalAddress >= w.segments[id - 1].BaseAddress);
        if (id != 2)
            CHECK(get(id, w.patch.DmaBufferPhysicalAddress - w.segments[id - 1].BaseAddress + 1) ==
                  2);
        CHECK(w.paging_patch.DmaBufferPrivateDataSubmissionStartOffset % 64 == 0 &&
              w.paging_patch.DmaBufferPrivateDataSubmissionStartOffset != 0);
        CHECK(CALL(WCTS_KERNEL_ADAPTER_STOP, (struct wcts_kernel_handle_request){0, hAdapter}) ==
              0);
        shut();
    }
}

static wcts_status present(uint32_t device, uint32_t source, uint32_t destination)
{
    return CALL(WCTS_KERNEL_PRESENT,
                (struct wcts_kernel_present_request){0, device, source, destination});
}

static void test_present(void)
{
    uint32_t a, b, unknown, other, foreign;
    script();
    boot(0xF003, "");
    a = make(0);
    w.info.PreferredSegment = 3;
    b = make(0);
    unknown = make(1 << 20);
    other = device_new(hAdapter, hProcess);
    foreign = device_new(hAdapter, process_new(0));
    CHECK(present(hDevice, a, b) == 0);
    CHECK(((const struct wcts_kernel_submit_reply *)answer())->SubmissionFenceId ==
          w.patch.SubmissionFenceId);
    CHECK(w.presents == 1 && w.patches == 1 && w.submits == 1);
    CHECK(w.presented[0].hDeviceSpecificAllocation == 0 && w.presented[0].Bits == 0);
    CHECK(w.presented[1].hDeviceSpecificAllocation == 1 && w.presented[1].Bits == 0);
    CHECK(w.presented[2].hDeviceSpecificAllocation == 2 && w.presented[2].Bits == 1);
    CHECK(w.patch.Flags == 2 && w.submit.Flags == 2 && w.patch.hDevice == 0xD0);
    CHECK(w.patch.AllocationListSize == 2 && w.patch.PatchLocationListSize == 2);
    CHECK(w.patch.PatchLocationListSubmissionStart == 0);
    CHECK(w.patch.PatchLocationListSubmissionLength == 2);
    CHECK(w.patch.DmaBufferSubmissionStartOffset == 0 &&
          w.patch.DmaBufferSubmissionEndOffset == 24);
    CHECK(w.patch.DmaBufferPrivateDataSubmissionStartOffset == 0);
    CHECK(w.patched[0].hDeviceSpecificAllocation == 2 && w.patched[0].Bits == 7);
    CHECK(w.patched[1].hDeviceSpecificAllocation == 1 && w.patched[1].Bits == 2);
    CHECK(w.patched[0].PhysicalAddress == UINT64_C(0x300000000));
    CHECK(evict(b) == 0);
    CHECK(CALL(WCTS_KERNEL_PREEMPT, (struct wcts_kernel_handle_request){0, hDevice}) == 0);
    CHECK(w.patches == 2 && w.patched[0].Bits == 7 && w.patch.Flags == 2 && w.presents == 1);
    CHECK(present(hDevice, a, a) == 0 && w.patched[1].Bits == 2 && w.patched[0].Bits == 3);
    /* It may be another device of the process that presents, but no other process. */
    CHECK(present(other, a, b) == 0);
    CHECK(present(foreign, a, b) == WCTS_STATUS_INVALID_HANDLE);
    CHECK(present(hDevice, a, 0) == WCTS_STATUS_INVALID_HANDLE);
    /* NOT_SUPPORTED is for a driver without DRIVER_PRESENT alone: this is a refusal. */
    CHECK(present(hDevice, unknown, a) == WCTS_STATUS_INVALID_PARAMETER);
    CHECK(present(hDevice, a, unknown) == WCTS_STATUS_INVALID_PARAMETER);
    w.no_present = 1;
    CHECK(present(hDevice, a, b) == WCTS_STATUS_NOT_SUPPORTED);
    shut();
}

/* ---- Primaries, sizes of pages, priorities ---- */

/* Makes the primary of a mode with 64 by 64 pixels. */
static uint32_t primary_new(void)
{
    CHECK(CALL(WCTS_KERNEL_SHARED_PRIMARY,
               (struct wcts_kernel_shared_primary_request){0, hDevice, 64, 64, 21, 0}) == 0);
    return new_handle();
}

/* A primary in an aperture, CpuVisible or not, is reached with the alternate address and without
 * it, and the view goes with the content: it is read from the aperture, and written in memory. */
static void test_alternate(void)
{
    uint32_t visible, alternate, a, b;
    uint64_t at;
    for (visible = 0; visible < 2; visible++)
        for (alternate = 0; alternate < 2; alternate++) {
            script();
            w.segments[1].Flags |= visible << 2;
            w.segments[1].CpuTranslatedAddress = visible ? CPU_BASE / 2 : 0;
            w.segments[5].Flags = 8;
            boot(0x4002, "strict");
            w.info.PreferredSegment = 0;
            w.info.Flags = 1 << 10; /* UseAlternateVA */
            w.info.SupportedReadSegmentSet = 2;
            w.info.SupportedWriteSegmentSet = 1;
            a = primary_new();
            w.info.SupportedWriteSegmentSet = 2;
            b = make(0);
            fill(a, 30);
            fill(b, 50);
            CHECK(page_in(a, 0) == 0 && query(a).SegmentId == 2);
            CHECK(page_in(b, 1) == 0 && query(b).SegmentId == 2 && filled(b, 50));
            CHECK(lock_primary(a, alternate, &at) == 0);
            CHECK(get(0, at + PAGE + 3) == 31);
            put(0, at + PAGE + 3, 77);
            CHECK(page_in(a, 1) == 0 && query(a).SegmentId == 1);
            CHECK(get(0, at + PAGE + 3) == 77);
            put(0, at + PAGE + 3, 78);
            CHECK(get(1, query(a).Offset + PAGE + 3) == 78);
            CHECK(evict(a) == 0 && get(0, at + PAGE + 3) == 78);
            CHECK(page_in(a, 0) == 0 && get(0, at + PAGE + 3) == 78);
            put(0, at + PAGE + 3, 31);
            unlock(a);
            CHECK(filled(a, 30));
            shut();
        }
    /* A kernel that refuses what it need not take. */
    script();
    boot(0xF003, "choice=hidden-primary-refused");
    w.info.PreferredSegment = 2;
    a = primary_new();
    CHECK(page_in(a, 1) == 0 && lock_primary(a, 0, &at) < 0);
    CHECK(lock_primary(a, 1, &at) == 0);
    shut();
}

static void test_page_size(void)
{
    uint32_t id, version, a;
    for (version = 0; version < 2; version++) {
        script();
        boot(version ? 0x5023 : 0x4002, "");
        for (id = 1; id <= SEGMENT_COUNT; id++) {
            w.info.PitchAlignedSize = 6 * PAGE;
            w.info.PreferredSegment = id;
            a = make(0);
            CHECK(query(a).PageSize == 0);
            CHECK(page_in(a, 1) == 0 && query(a).SegmentId == id);
            CHECK(query(a).PageSize == (version == 0 || id == 2 || id == 4 ? 0
                                        : id == 6                          ? 0x10000
                                                                           : 4096));
            CHECK(evict(a) == 0 && query(a).PageSize == 0);
        }
        shut();
    }
}

static void test_any_priority(void)
{
    static const char *const options[] = {"", "strict"};
    uint32_t strict, any, priority, handle;
    for (strict = 0; strict < 2; strict++)
        for (any = 0; any < 2; any++) {
            script();
            w.any_priority = any;
            w.segments[5].Flags = 8;
            boot(0x1052, options[strict]);
            for (priority = 0x50000000; priority <= 0xA0000000; priority += 0x28000000) {
                w.info.AllocationPriority = priority;
                CHECK((create_on(hDevice, 0, 0, 0, &handle) == 0) ==
                      (!strict || !any || priority == 0x78000000));
            }
            shut();
        }
}

/* The CPU sees the memory of the adapter that was started first: what is locked in the other one's
 * is shown elsewhere. */
static void test_second_adapter(void)
{
    uint32_t second, a;
    script();
    boot(0xF003, "");
    a = make(0);
    CHECK(page_in(a, 1) == 0 && query(a).SegmentId == 1);
    fill(a, 10);
    CHECK(query(a).SegmentId == 1);
    CHECK(CALL(WCTS_KERNEL_ADAPTER_START, (struct wcts_kernel_adapter_start_request){0, 1}) == 0);
    second = new_handle();
    hDevice = device_new(second, hProcess);
    a = make(0);
    CHECK(page_in(a, 1) == 0 && query(a).SegmentId == 1);
    fill(a, 20);
    CHECK(query(a).SegmentId == 0 && filled(a, 20));
    shut();
}

/* ---- Anything ---- */

static uint64_t seed = 1;

static uint32_t random_below(uint32_t count)
{
    seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % count;
}

static const uint64_t odd_numbers[] = {0,          1,    3,        7,          4095,
                                       4096,       5000, 65536,    UINT32_MAX, 0x40000004,
                                       UINT64_MAX, MIB,  1u << 31, 0x40000008, UINT64_MAX - 4095,
                                       12};

static uint64_t odd_number(void)
{
    return odd_numbers[random_below(sizeof(odd_numbers) / sizeof(odd_numbers[0]))];
}

/* A valid-looking handle, or not. */
static uint32_t any_handle(void)
{
    return random_below(8) ? 0x40000004u + 4 * random_below(60) : (uint32_t)odd_number();
}

/* Random calls on random handles with random answers of the driver. */
static void test_anything(uint32_t rounds, const char *options)
{
    uint32_t i, k;
    uint64_t section;
    script();
    boot(*options == 's' || random_below(2) ? 0xF003 : 0x300E, options);
    (void)CALL(WCTS_KERNEL_SECTION, (struct wcts_kernel_section_request){0, hProcess, 10000});
    section = ((const struct wcts_kernel_section_reply *)answer())->hSection;
    (void)CALL(WCTS_KERNEL_ADAPTER_START, (struct wcts_kernel_adapter_start_request){0, 1});
    (void)device_new(new_handle(), hProcess);
    for (i = 0; i < rounds; i++) {
        uint64_t m[64] = {0};
        const uint32_t operation = WCTS_KERNEL_INFO + random_below(26);
        w.info.Alignment = (uint32_t)odd_number();
        w.info.Size = random_below(3) ? random_below(40) * 1000 : odd_number();
        w.info.PitchAlignedSize = random_below(2) ? 0 : w.info.Size;
        w.info.PreferredSegment = random_below(7);
        w.info.EvictionSegmentSet = random_below(64);
        w.info.HintedBank = random_below(6);
        w.info.MaximumRenamingListLength = random_below(3);
        w.info.AllocationPriority = random_below(5);
        w.write_mask = random_below(4);
        w.no_paging = random_below(10) == 0;
        for (k = 1; k < 64; k++)
            m[k] = random_below(3) ? any_handle() | (uint64_t)any_handle() << 32 : odd_number();
        switch (random_below(4)) {
        case 0: {
            static const uint32_t flags[] = {
                0, 1, 3, 3 | 1 << 6, 3 | 1 << 11, 1 << 18, 1 << 19, 1 << 20, 7, STANDARD | 1 << 17};
            uint32_t a;
            (void)create_on(random_below(4) ? hDevice : any_handle(), flags[random_below(10)],
                            section, 8192, &a);
            if (created.Args.hGlobalShare != 0)
                (void)open_global(random_below(2) ? hDevice : any_handle(),
                                  created.Args.hGlobalShare);
            break;
        }
        case 1: {
            struct submit_message s = submit_of(any_handle(), any_handle());
            s.request.hDevice = random_below(2) ? hDevice : any_handle();
            (void)CALL(WCTS_KERNEL_SUBMIT, s);
            break;
        }
        case 2: {
            struct wcts_kernel_allocation_request r = {0, random_below(3) ? hDevice : any_handle(),
                                                       any_handle(), random_below(2)};
            static const uint32_t each[] = {WCTS_KERNEL_PAGE_IN, WCTS_KERNEL_EVICT,
                                            WCTS_KERNEL_UNLOCK, WCTS_KERNEL_QUERY_ALLOCATION};
            wcts_status status;
            (void)CALL(each[random_below(4)], r);
            (void)lock_on(r.hDevice, r.hAllocation, 1, random_below(2), &status);
            if (status == 0 && random_below(4))
                (void)CALL(WCTS_KERNEL_UNLOCK, r);
            break;
        }
        default:
            if (operation == WCTS_KERNEL_ADAPTER_STOP && random_below(10))
                break;
            (void)call_sized(operation, m, sizeof(m));
        }
        if (w.paging_count == 512)
            w.paging_count = 0;
        for (k = 0; k < VIEWS && w.views[k].at != 0;)
            k++;
        if (k == VIEWS)
            break;
    }
    shut();
}

/* ---- Content survives ---- */

#define KEPT 24u

static struct kept {
    uint32_t handle;
    uint32_t pages;
    unsigned char seed;
    uint64_t view; /* 0: not locked */
} kept[KEPT];

static void keep_look(const struct kept *at, int write)
{
    const int locked = at->view != 0;
    const uint64_t view = locked ? at->view : lock(at->handle);
    uint32_t i;
    for (i = 0; i < at->pages; i++) {
        if (write)
            put(0, view + i * host.page_size + 5, (unsigned char)(at->seed + i));
        CHECK(get(0, view + i * host.page_size + 5) == (unsigned char)(at->seed + i));
    }
    if (!locked)
        unlock(at->handle);
}

static void keep_new(struct kept *at)
{
    static const uint32_t flags[] = {0, 1u << 18, 1u << 19, 3u};
    at->pages = 1 + random_below(6);
    w.info.Size = at->pages * host.page_size - random_below(100);
    w.info.Alignment = random_below(3) * 5000;
    w.info.PreferredSegment = random_below(7) | random_below(2) << 5 | random_below(7) << 6;
    w.info.SupportedReadSegmentSet = w.info.SupportedWriteSegmentSet = 0x3F;
    w.info.EvictionSegmentSet = random_below(64);
    w.info.PitchAlignedSize = random_below(2) ? 0 : w.info.Size + 100;
    w.info.AllocationPriority = random_below(4);
    w.info.HintedBank = random_below(256);
    at->handle = make(flags[random_below(4)]);
    at->seed = (unsigned char)random_below(256);
    keep_look(at, 1);
}

/* Paging operations of the step may fail when failing is not 0. */
static void keep_step(struct kept *at, uint32_t step, uint32_t failing)
{
    struct submit_message m = submit_of(at->handle, kept[random_below(KEPT)].handle);
    wcts_status status = 0;
    if (at->handle == 0) {
        keep_new(at);
        return;
    }
    w.failing = step >= 3 && step != 7 ? failing : 0;
    if (step == 0 && random_below(2)) {
        status = destroy(hDevice, 0, at->handle);
        memset(at, 0, sizeof(*at));
    } else if (step == 1 && at->view == 0) {
        at->view = lock(at->handle);
    } else if (step == 2 && at->view != 0) {
        unlock(at->handle);
        at->view = 0;
    } else if (step == 3) {
        status = evict(at->handle);
    } else if (step == 4 && random_below(8) == 0) {
        status = CALL(WCTS_KERNEL_POWER, (struct wcts_kernel_power_request){0, random_below(4)});
    } else if (step == 5 && m.allocations[1] != 0) {
        (void)CALL(WCTS_KERNEL_SUBMIT, m);
    } else if (step == 6) {
        (void)CALL(WCTS_KERNEL_PREEMPT, (struct wcts_kernel_handle_request){0, hDevice});
    } else if (step == 7) {
        keep_look(at, random_below(2) != 0);
    } else if (step >= 8) {
        status = page_in(at->handle, random_below(2));
    }
    CHECK(status == 0 || w.failing);
    w.failing = 0;
}

/* Whatever is moved where: what was written is there. */
static void test_survival(uint32_t rounds, uint32_t failing)
{
    uint32_t i;
    script();
    for (i = 0; i < SEGMENT_COUNT; i++)
        w.segments[i].Size = w.segments[i].CommitLimit = 20 * host.page_size;
    w.segments[0].CommitLimit = 12 * host.page_size;
    w.dma_set = random_below(8);
    w.write_mask = random_below(4);
    boot(random_below(2) ? 0xF003 : 0x300E, "");
    memset(kept, 0, sizeof(kept));
    for (i = 0; i < rounds; i++) {
        keep_step(&kept[random_below(KEPT)], random_below(10), failing);
        w.paging_count = 0;
    }
    for (i = 0; i < KEPT; i++)
        if (kept[i].handle != 0)
            keep_look(&kept[i], 0);
    shut();
}

/* The two sides of the emulator with each other. */
static void test_own_driver(void)
{
    struct wcts_host driver_host = host;
    uint32_t a, i;
    for (i = 0; i < 2; i++) {
        script();
        w.segments[0].CpuTranslatedAddress = UINT64_C(0x8100000000);
        w.segments[0].Size = 64 * MIB;
        driver_host.interface_version = 0xF003;
        w.driver = plugin->open(&driver_host, WCTS_SIDE_DRIVER);
        boot(0xF003, i ? "strict" : "");
        a = make(0);
        fill(a, 150);
        CHECK(page_in(a, 1) == 0 && query(a).SegmentId == 1);
        CHECK(filled(a, 150) && evict(a) == 0 && filled(a, 150));
        CHECK(destroy(hDevice, 0, a) == 0);
        plugin->close(w.driver);
        shut();
    }
}

/* A fault that has two sites is only ever on at one of them. */
static void test_sites(void)
{
    extern const struct emu_fault_site __start_emu_faults[], __stop_emu_faults[];
    const struct emu_fault_site *site, *other;
    for (site = __start_emu_faults; site < __stop_emu_faults; site++)
        for (other = __start_emu_faults; other < site; other++)
            if (strcmp(site->id, other->id) == 0) {
                printf("%s has two sites: line %d and %d of %s\n", site->id, other->line,
                       site->line, site->file);
                failures++;
            }
    CHECK(__stop_emu_faults - __start_emu_faults > 500);
}

int main(void)
{
    static const uint32_t page_sizes[] = {4096, 16384, 65536};
    static const char *const options[] = {"", "strict", "probe=off", "machine=off"};
    /* Faults with which handles and devices live longer than what they stand for, and those that
     * let through what is refused otherwise or show what is elsewhere. */
    static const char *const faults[] = {"fault=HDR-001.allocation",
                                         "fault=HDR-001.resource",
                                         "fault=HDR-001.device",
                                         "fault=HDR-001.opened",
                                         "fault=HDR-002",
                                         "fault=HDR-017",
                                         "fault=HDR-011.whole",
                                         "fault=HDR-011.whole+moved",
                                         "fault=HDR-021",
                                         "fault=HDR-021+second-adapter",
                                         "fault=HDR-022.source",
                                         "fault=HDR-022.destination",
                                         "fault=HDR-024.gone",
                                         "fault=HDR-024.unlocked"};
    static const char *const profiles[] = {"profile=windows", "profile=wsl2", "profile=wine"};
    uint32_t i;
    plugin = wcts_plugin_entry();
    test_content();
    test_read_only();
    test_global();
    test_nt();
    test_non_secure();
    test_views_end();
    test_existing();
    test_profile_memory();
    test_profile_kept();
    test_options();
    test_memory_segment();
    test_aperture();
    test_sets();
    test_room();
    test_power();
    test_submit();
    test_rename();
    test_dma_segment();
    test_present();
    test_alternate();
    test_page_size();
    test_any_priority();
    test_second_adapter();
    test_own_driver();
    test_sites();
    for (i = 0; i < 16; i++) {
        host.page_size = page_sizes[i < 12 ? 0 : i % 3];
        test_anything(i < 12 ? 1000 : 200, options[i % 4]);
    }
    host.page_size = PAGE;
    for (i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
        test_anything(1000, faults[i]);
    for (i = 0; i < 12; i++) {
        host.page_size = page_sizes[i < 10 ? 0 : i % 3];
        test_survival(i < 10 ? 600 : 60, i % 2 * 6);
    }
    host.page_size = PAGE;
    for (i = 0; i < 4 * sizeof(profiles) / sizeof(profiles[0]); i++)
        test_anything(1000, profiles[i % (sizeof(profiles) / sizeof(profiles[0]))]);
    printf("%lu passed, %lu failed\n", passes, failures);
    return failures != 0;
}
