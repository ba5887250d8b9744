/* SPDX-License-Identifier: MIT */
/* A test of the driver side against a small machine: memory that comes into being when written.
 *
 *   cc -std=gnu11 -g -Wall -Wextra -fsanitize=address,undefined -Iinclude -Iemulator \
 *      selftest.c emulator/[a-z]*.c -o selftest && ./selftest
 */
#include "wddm-cts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- The machine ---- */

#define PAGE 4096u
#define APERTURES (1u << 2 | 1u << 3 | 1u << 8) /* ids without memory */

struct page {
    struct page *next;
    uint32_t space;
    uint64_t number;
    unsigned char bytes[PAGE];
};

struct machine {
    struct page *pages;
    unsigned long writes;
    uint32_t largest; /* length of a message's data */
};

static struct machine machine;
static unsigned long checks, failures;
static char last_log[512];

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        checks++;                                                                                  \
        if (!(condition)) {                                                                        \
            failures++;                                                                            \
            printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);                                 \
        }                                                                                          \
    } while (0)

static unsigned char *byte_at(uint32_t space, uint64_t address)
{
    struct page *page = machine.pages;
    while (page != NULL && (page->space != space || page->number != address / PAGE))
        page = page->next;
    if (page == NULL) {
        page = calloc(1, sizeof(*page));
        if (page == NULL)
            abort();
        page->space = space;
        page->number = address / PAGE;
        page->next = machine.pages;
        machine.pages = page;
    }
    return &page->bytes[address % PAGE];
}

static void memory_release(void)
{
    while (machine.pages != NULL) {
        struct page *next = machine.pages->next;
        free(machine.pages);
        machine.pages = next;
    }
}

static int has_memory(uint32_t space)
{
    const uint32_t id = space & 0xFFFF;
    return space == 0 || (space >> 16 < 2 && id >= 1 && id <= 8 && !(1u << id & APERTURES));
}

static wcts_status machine_memory(uint32_t operation,
                                  const struct wcts_machine_memory_request *asked,
                                  uint32_t request_size, void *reply, uint32_t room, uint32_t *size)
{
    struct wcts_machine_memory_reply *answer = reply;
    const unsigned char *data;
    uint64_t i;
    if (!has_memory(asked->Space))
        return WCTS_STATUS_INVALID_PARAMETER;
    if (asked->Length > machine.largest)
        machine.largest = (uint32_t)asked->Length;
    if (operation == WCTS_MACHINE_WRITE) {
        data = wcts_message_at(asked, request_size, asked->pData, asked->Length, 1);
        if (data == NULL)
            return WCTS_STATUS_INVALID_PARAMETER;
        machine.writes++;
        for (i = 0; i < asked->Length; i++)
            *byte_at(asked->Space, asked->Address + i) = data[i];
        return WCTS_STATUS_SUCCESS;
    }
    if (sizeof(*answer) + asked->Length > room)
        return WCTS_STATUS_BUFFER_TOO_SMALL;
    *answer = (struct wcts_machine_memory_reply){sizeof(*answer), (uint32_t)asked->Length,
                                                 sizeof(*answer)};
    for (i = 0; i < asked->Length; i++)
        ((unsigned char *)(answer + 1))[i] = *byte_at(asked->Space, asked->Address + i);
    *size = (uint32_t)(sizeof(*answer) + asked->Length);
    return WCTS_STATUS_SUCCESS;
}

static wcts_status machine_call(void *ctx, uint32_t operation, const void *request,
                                uint32_t request_size, void *reply, uint32_t room, uint32_t *size)
{
    (void)ctx;
    *size = 0;
    if (operation == WCTS_MACHINE_READ || operation == WCTS_MACHINE_WRITE)
        return machine_memory(operation, request, request_size, reply, room, size);
    if (operation == WCTS_MACHINE_LOG) {
        const struct wcts_machine_log_request *asked = request;
        snprintf(last_log, sizeof(last_log), "%.*s", (int)asked->Length,
                 (const char *)request + asked->pText);
        return WCTS_STATUS_SUCCESS;
    }
    return WCTS_STATUS_NOT_IMPLEMENTED;
}

/* ---- The driver under test ---- */

struct driver {
    struct wcts_host host;
    const struct wcts_plugin *plugin;
    void *instance;
    uint64_t device;
    uint64_t context;
    _Alignas(8) unsigned char reply[WCTS_REPLY_ROOM];
    uint32_t reply_size;
};

static struct driver driver;

static wcts_status call(uint32_t operation, const void *request, uint32_t size)
{
    memset(driver.reply, 0, sizeof(driver.reply));
    return driver.plugin->call(driver.instance, operation, request, size, driver.reply,
                               sizeof(driver.reply), &driver.reply_size);
}

static int open_driver(uint32_t version, const char *options)
{
    struct wcts_driver_device_request device = {sizeof(device), 0, 77};
    driver.host = (struct wcts_host){sizeof(driver.host), WCTS_ABI_VERSION, version, 4096, NULL,
                                     machine_call,        options};
    driver.plugin = wcts_plugin_entry();
    driver.instance = driver.plugin->open(&driver.host, WCTS_SIDE_DRIVER);
    if (driver.instance == NULL)
        return 0;
    CHECK(call(WCTS_DRIVER_DEVICE, &device, sizeof(device)) == 0);
    driver.device = ((struct wcts_driver_handle_reply *)driver.reply)->Handle;
    CHECK(driver.device != 0);
    device.hDevice = driver.device;
    driver.context = driver.device;
    if (call(WCTS_DRIVER_CONTEXT, &device, sizeof(device)) == 0)
        driver.context = ((struct wcts_driver_handle_reply *)driver.reply)->Handle;
    return 1;
}

static void close_driver(void)
{
    driver.plugin->close(driver.instance);
    memory_release();
    machine.writes = 0;
}

/* Creates an allocation of a kind, by its name. Returns its description. */
static struct wcts_DXGK_ALLOCATIONINFO create(const char *name)
{
    struct {
        struct wcts_driver_allocation_create_request head;
        struct wcts_DXGK_ALLOCATIONINFO info;
        unsigned char data[64];
    } request = {.head = {.size = sizeof(request.head), .NumAllocations = 1}};
    struct wcts_DXGK_ALLOCATIONINFO info = {0};
    const struct wcts_none none = {sizeof(none), 0};
    const struct wcts_driver_info_reply *answer = (const void *)driver.reply;
    const struct wcts_allocation_kind *kinds;
    uint32_t i;
    CHECK(call(WCTS_DRIVER_INFO, &none, sizeof(none)) == 0);
    kinds = (const void *)(driver.reply + answer->pKinds);
    for (i = 0; i < answer->KindCount; i++)
        if (strcmp((const char *)driver.reply + kinds[i].pName, name) == 0)
            break;
    CHECK(i < answer->KindCount);
    if (i == answer->KindCount)
        return info;
    memcpy(request.data, driver.reply + kinds[i].pPrivateDriverData,
           kinds[i].PrivateDriverDataSize);
    request.head.pAllocationInfo = offsetof(__typeof__(request), info);
    request.info.pPrivateDriverData = offsetof(__typeof__(request), data);
    request.info.PrivateDriverDataSize = kinds[i].PrivateDriverDataSize;
    CHECK(call(WCTS_DRIVER_ALLOCATION_CREATE, &request, sizeof(request)) == 0);
    memcpy(&info,
           driver.reply +
               ((struct wcts_driver_allocation_create_reply *)driver.reply)->pAllocationInfo,
           sizeof(info));
    CHECK(info.hAllocation != 0);
    return info;
}

/* ---- Memory ---- */

static unsigned char pattern(uint64_t i)
{
    return (unsigned char)((i * 2654435761u) >> 13);
}

static void put_pattern(uint32_t space, uint64_t address, uint64_t length)
{
    uint64_t i;
    for (i = 0; i < length; i++)
        *byte_at(space, address + i) = pattern(i);
}

static int is_pattern(uint32_t space, uint64_t address, uint64_t length)
{
    uint64_t i;
    for (i = 0; i < length; i++)
        if (*byte_at(space, address + i) != pattern(i))
            return 0;
    return 1;
}

static int is_all(uint32_t space, uint64_t address, uint64_t length, unsigned char value)
{
    uint64_t i;
    for (i = 0; i < length; i++)
        if (*byte_at(space, address + i) != value)
            return 0;
    return 1;
}

static uint64_t number_at(uint64_t address, uint32_t size)
{
    uint64_t value = 0;
    while (size-- > 0)
        value = value << 8 | *byte_at(0, address + size);
    return value;
}

/* ---- Paging ---- */

#define STORE WCTS_KERNEL_MEMORY
#define OTHER_STORE (WCTS_KERNEL_MEMORY + 0x1000000)
#define DMA (WCTS_KERNEL_MEMORY + 0x2000000)
#define PRIVATE (WCTS_KERNEL_MEMORY + 0x3000000)

static struct wcts_driver_paging_reply paging_reply;

static wcts_status paging(struct wcts_driver_paging_request request)
{
    wcts_status status;
    request.size = sizeof(request);
    status = call(WCTS_DRIVER_PAGING, &request, sizeof(request));
    memcpy(&paging_reply, driver.reply, sizeof(paging_reply));
    return status;
}

static wcts_status transfer(uint64_t allocation, uint32_t source, uint64_t source_address,
                            uint32_t destination, uint64_t destination_address, uint64_t size)
{
    return paging((struct wcts_driver_paging_request){.Operation = WCTS_PAGING_TRANSFER,
                                                      .hAllocation = allocation,
                                                      .SourceSegmentId = source,
                                                      .SourceAddress = source_address,
                                                      .DestinationSegmentId = destination,
                                                      .DestinationAddress = destination_address,
                                                      .TransferSize = size});
}

static wcts_status aperture(uint32_t operation, uint32_t space, uint64_t offset, uint64_t count,
                            uint64_t system_address)
{
    return paging((struct wcts_driver_paging_request){.Operation = operation,
                                                      .SegmentId = space,
                                                      .OffsetInPages = offset,
                                                      .NumberOfPages = count,
                                                      .SystemAddress = system_address});
}

/* Operations that DRIVER_INFO does not claim are not there, those between the claimed included. */
static void refuse_other_paging(void)
{
    uint32_t claimed, operation;
    const struct wcts_none none = {sizeof(none), 0};
    struct wcts_driver_info_reply info;
    CHECK(call(WCTS_DRIVER_INFO, &none, sizeof(none)) == 0);
    memcpy(&info, driver.reply, sizeof(info));
    claimed = info.paging_operations;
    CHECK(claimed == (1u << 0 | 1u << 1 | 1u << 5 | 1u << 6));
    for (operation = 0; operation < 32; operation++)
        if (!(claimed >> operation & 1))
            CHECK(paging((struct wcts_driver_paging_request){.Operation = operation}) ==
                  WCTS_STATUS_NOT_SUPPORTED);
}

static void test_linear(uint32_t adapter)
{
    const struct wcts_DXGK_ALLOCATIONINFO info = create("plain");
    const uint32_t vram = WCTS_SPACE(adapter, 1), banked = WCTS_SPACE(adapter, 5);
    put_pattern(0, STORE, info.Size);
    CHECK(transfer(info.hAllocation, 0, STORE, vram, 0x3000, info.Size) == 0);
    CHECK(is_pattern(vram, 0x3000, info.Size));
    CHECK(transfer(info.hAllocation, vram, 0x3000, banked, 0x5000, info.Size) == 0);
    CHECK(transfer(info.hAllocation, banked, 0x5000, 0, OTHER_STORE, info.Size) == 0);
    CHECK(is_pattern(0, OTHER_STORE, info.Size));
    /* Overlapping, both ways. */
    CHECK(transfer(info.hAllocation, vram, 0x3000, vram, 0x4000, info.Size) == 0);
    CHECK(is_pattern(vram, 0x4000, info.Size));
    CHECK(transfer(info.hAllocation, vram, 0x4000, vram, 0x3100, info.Size) == 0);
    CHECK(is_pattern(vram, 0x3100, info.Size));
    /* Fill, of a size that is no multiple of 4. */
    CHECK(paging((struct wcts_driver_paging_request){.Operation = WCTS_PAGING_FILL,
                                                     .hAllocation = info.hAllocation,
                                                     .DestinationSegmentId = vram,
                                                     .DestinationAddress = 0x10002,
                                                     .TransferSize = 0x5003,
                                                     .FillPattern = 0x04030201}) == 0);
    CHECK(*byte_at(vram, 0x10002) == 1 && *byte_at(vram, 0x10003) == 2);
    CHECK(*byte_at(vram, 0x10002 + 0x5002) == 3 && *byte_at(vram, 0x10002 + 0x5000) == 1);
    CHECK(machine.largest <= WCTS_REPLY_ROOM - sizeof(struct wcts_machine_memory_reply));
}

static void test_paging_refusals(void)
{
    const struct wcts_DXGK_ALLOCATIONINFO plain = create("plain");
    const struct wcts_DXGK_ALLOCATIONINFO pitched = create("pitch-aligned");
    const uint64_t h = plain.hAllocation;
    const unsigned long writes = machine.writes;
    CHECK(transfer(h + 1, 0, STORE, 1, 0, 4096) == WCTS_STATUS_INVALID_HANDLE);
    CHECK(transfer(driver.context, 0, STORE, 1, 0, 4096) == WCTS_STATUS_INVALID_HANDLE);
    CHECK(transfer(h, 0, STORE, 9, 0, 4096) < 0);
    CHECK(transfer(h, 0, STORE, WCTS_SPACE(2, 1), 0, 4096) < 0);
    CHECK(transfer(h, 0, STORE, WCTS_SPACE_CPU, 0, 4096) < 0);
    CHECK(transfer(h, 0, STORE, WCTS_SPACE(1, 0), 0, 4096) < 0);
    CHECK(transfer(h, 0, UINT64_MAX - 100, 1, 0, 4096) < 0);
    CHECK(transfer(h, 0, STORE, 1, 64 * 0x100000 - 100, 4096) < 0);
    CHECK(transfer(h, 0, STORE, 1, UINT64_MAX - 4095, 4096) < 0);
    CHECK(transfer(h, 0, STORE, 2, 0, 4096) < 0);    /* nothing is mapped there */
    CHECK(transfer(h, 0, STORE, 4, 0, 0x10000) < 0); /* not for pitch-aligned segments */
    CHECK(transfer(pitched.hAllocation, 0, STORE, 4, 0, 0x8000) < 0); /* which half? */
    CHECK(transfer(pitched.hAllocation, 0, STORE, 4, 16 * 0x100000 - 0x10000, 0x10000) < 0);
    CHECK(paging((struct wcts_driver_paging_request){.hContext = 5}) == WCTS_STATUS_INVALID_HANDLE);
    CHECK(paging((struct wcts_driver_paging_request){.pDmaBuffer = UINT64_MAX, .DmaSize = 64}) < 0);
    refuse_other_paging();
    CHECK(aperture(WCTS_PAGING_MAP_APERTURE, 1, 0, 1, STORE) < 0);
    CHECK(aperture(WCTS_PAGING_MAP_APERTURE, 2, 16384, 1, STORE) < 0);
    CHECK(aperture(WCTS_PAGING_MAP_APERTURE, 2, 1, UINT64_MAX, STORE) < 0);
    CHECK(aperture(WCTS_PAGING_MAP_APERTURE, 2, UINT64_MAX, 2, STORE) < 0);
    CHECK(aperture(WCTS_PAGING_MAP_APERTURE, 2, 0, 1, STORE + 8) < 0);
    CHECK(aperture(WCTS_PAGING_MAP_APERTURE, 2, 0, 2, ~UINT64_C(0xFFF)) < 0);
    CHECK(aperture(WCTS_PAGING_UNMAP_APERTURE, 2, 16384, 1, 0) < 0);
    CHECK(machine.writes == writes);
}

static void test_aperture(uint32_t id)
{
    const struct wcts_DXGK_ALLOCATIONINFO info = create("plain");
    put_pattern(1, 0x1000, info.Size);
    /* Two runs of pages, the second before the first. */
    CHECK(aperture(WCTS_PAGING_MAP_APERTURE, id, 10, 8, STORE + 0x8000) == 0);
    CHECK(transfer(info.hAllocation, 1, 0x1000, id, 10 * PAGE, info.Size) < 0);
    CHECK(is_all(0, STORE, 0x20000, 0));
    CHECK(aperture(WCTS_PAGING_MAP_APERTURE, id, 18, 8, STORE) == 0);
    CHECK(transfer(info.hAllocation, 1, 0x1000, id, 10 * PAGE, info.Size) == 0);
    CHECK(is_pattern(0, STORE + 0x8000, 0x8000) && !is_pattern(0, STORE, 0x8000));
    CHECK(transfer(info.hAllocation, id, 10 * PAGE, 1, 0x40000, info.Size) == 0);
    CHECK(is_pattern(1, 0x40000, info.Size));
    CHECK(transfer(info.hAllocation, id, 10 * PAGE + 5, 1, 0x80000, 0x2000) == 0);
    CHECK(*byte_at(1, 0x81FFF) == pattern(5 + 0x1FFF));
    CHECK(paging((struct wcts_driver_paging_request){.Operation = WCTS_PAGING_FILL,
                                                     .DestinationSegmentId = id,
                                                     .DestinationAddress = 17 * PAGE,
                                                     .TransferSize = 2 * PAGE,
                                                     .FillPattern = 0x77777777}) == 0);
    CHECK(is_all(0, STORE + 0xF000, PAGE, 0x77) && is_all(0, STORE, PAGE, 0x77));
    /* The other adapter's aperture is another one. */
    CHECK(transfer(info.hAllocation, WCTS_SPACE(1, id), 10 * PAGE, 1, 0, PAGE) < 0);
    CHECK(aperture(WCTS_PAGING_UNMAP_APERTURE, id, 10, 16, 0) == 0);
    CHECK(transfer(info.hAllocation, id, 10 * PAGE, 1, 0x40000, PAGE) < 0);
}

static void test_pitch(const char *name, uint64_t row, uint64_t pitch)
{
    struct wcts_DXGK_ALLOCATIONINFO info;
    uint64_t h, rows, i;
    CHECK(open_driver(0x2005, ""));
    info = create(name);
    h = info.hAllocation;
    rows = info.Size / row;
    CHECK(info.PitchAlignedSize == rows * pitch);
    put_pattern(0, STORE, info.Size);
    CHECK(transfer(h, 0, STORE, 4, 0x7000, info.Size) == 0);
    for (i = 0; i < rows * row; i += 97)
        CHECK(*byte_at(4, 0x7000 + i / row * pitch + i % row) == pattern(i));
    CHECK(!is_pattern(4, 0x7000, info.Size));
    CHECK(is_all(4, 0x7000 + row, pitch - row, 0xEE));
    /* Out again by either size, to a place of its own each. */
    CHECK(transfer(h, 4, 0x7000, 0, OTHER_STORE, info.Size) == 0);
    CHECK(is_pattern(0, OTHER_STORE, info.Size));
    CHECK(is_all(0, OTHER_STORE + info.Size, 0x10000, 0));
    CHECK(transfer(h, 4, 0x7000, 1, 0x9000, info.PitchAlignedSize) == 0);
    CHECK(is_pattern(1, 0x9000, info.Size));
    CHECK(is_all(1, 0x9000 + info.Size, 0x10000, 0));
    /* Within the pitch-aligned segment, and out through an aperture. */
    CHECK(transfer(h, 4, 0x7000, 4, 0x9000, info.Size) == 0);
    CHECK(aperture(WCTS_PAGING_MAP_APERTURE, 8, 0, info.Size / PAGE, OTHER_STORE + 0x100000) == 0);
    CHECK(transfer(h, 4, 0x9000, 8, 0, info.Size) == 0);
    CHECK(is_pattern(0, OTHER_STORE + 0x100000, info.Size));
    CHECK(transfer(h, 8, 0, 4, 0x100000, info.Size) == 0);
    CHECK(transfer(h, 4, 0x100000, 0, STORE + 0x200000, info.Size) == 0);
    CHECK(is_pattern(0, STORE + 0x200000, info.Size));
    CHECK(aperture(WCTS_PAGING_UNMAP_APERTURE, 8, 0, info.Size / PAGE, 0) == 0);
    close_driver();
}

/* ---- Patching ---- */

struct patch_message {
    struct wcts_driver_patch_request request;
    struct wcts_DXGK_ALLOCATIONLIST allocations[2];
    struct wcts_D3DDDI_PATCHLOCATIONLIST locations[4];
};

/* A patch of elements 1 and 2 of four, for a DMA buffer of 0x100 bytes. */
static struct patch_message new_patch(void)
{
    struct patch_message message = {
        .request = {.size = sizeof(message.request)},
        .allocations = {{7, 1u << 1, 0, UINT64_C(0x100012000)},
                        {8, 4u << 1 | 1, 0, UINT64_C(0x400345000)}},
        .locations = {{1, 0, 0, 0x11, 0x00, 0},
                      {0, 0, 0, 0x234, 0x10, 0},
                      {1, 0, 0, 0x56, 0x21, 0},
                      {1, 0, 0, 0x99, 0x40, 0}},
    };
    struct wcts_DXGKARG_PATCH *args = &message.request.Patch;
    args->hContext = driver.context;
    args->DmaBufferPhysicalAddress = args->pDmaBuffer = DMA;
    args->DmaBufferSize = args->DmaBufferSubmissionEndOffset = 0x100;
    args->pAllocationList = offsetof(struct patch_message, allocations);
    args->AllocationListSize = 2;
    args->pPatchLocationList = offsetof(struct patch_message, locations);
    args->PatchLocationListSize = 4;
    args->PatchLocationListSubmissionStart = 1;
    args->PatchLocationListSubmissionLength = 2;
    args->SubmissionFenceId = 0xF00D;
    return message;
}

static wcts_status patch(const struct patch_message *message)
{
    return call(WCTS_DRIVER_PATCH, message, sizeof(*message));
}

static wcts_status submit(uint32_t start, uint32_t end, uint64_t context, uint32_t flags)
{
    const struct wcts_driver_submit_request request = {
        .size = sizeof(request),
        .hContext = context,
        .DmaBufferSize = 0x100,
        .DmaBufferPhysicalAddress = DMA,
        .DmaBufferSubmissionStartOffset = start,
        .DmaBufferSubmissionEndOffset = end,
        .Flags = flags,
    };
    return call(WCTS_DRIVER_SUBMIT, &request, sizeof(request));
}

static void test_patch(const char *options, uint32_t size, int relative)
{
    struct patch_message message;
    const uint64_t base[2] = {relative ? UINT64_C(0x100000000) : 0,
                              relative ? UINT64_C(0x400000000) : 0};
    const uint64_t mask = size == 4 ? UINT32_MAX : UINT64_MAX;
    int round;
    CHECK(open_driver(0x5023, options));
    memset(byte_at(0, DMA), 0xCC, 0x100);
    message = new_patch();
    for (round = 0; round < 2; round++) {
        const uint64_t move = round ? 0x8000 : 0;
        message.allocations[0].PhysicalAddress += move;
        CHECK(patch(&message) == 0);
        CHECK(number_at(DMA + 0x10, size) == ((UINT64_C(0x100012234) + move - base[0]) & mask));
        CHECK(number_at(DMA + 0x21, size) == ((UINT64_C(0x400345056) - base[1]) & mask));
        CHECK(is_all(0, DMA, 0x10, 0xCC));
        CHECK(is_all(0, DMA + 0x10 + size, 0x11 - size, 0xCC));
        CHECK(is_all(0, DMA + 0x21 + size, 0xDF - size, 0xCC));
        CHECK(submit(0, 0xFF, driver.context, 0) < 0);
        CHECK(submit(1, 0x100, driver.context, 0) < 0);
        CHECK(submit(0, 0x100, 0, 0) == WCTS_STATUS_INVALID_HANDLE);
        CHECK(submit(0, 0x100, driver.context, 0) == 0);
        CHECK(submit(0, 0x100, driver.context, 0) < 0);
    }
    close_driver();
}

static void test_patch_refusals(void)
{
    struct patch_message good, bad;
    unsigned long writes;
    CHECK(open_driver(0x5023, "patches=32s"));
    good = new_patch();
    writes = machine.writes;
#define ARGUMENT(member, value)                                                                    \
    do {                                                                                           \
        bad = good;                                                                                \
        bad.member = (value);                                                                      \
        CHECK(patch(&bad) < 0);                                                                    \
        CHECK(machine.writes == writes);                                                           \
    } while (0)
    ARGUMENT(request.Patch.hContext, 0);
    ARGUMENT(request.Patch.hContext, driver.device);
    ARGUMENT(request.Patch.DmaBufferSubmissionEndOffset, 0x101);
    ARGUMENT(request.Patch.DmaBufferSubmissionStartOffset, 0x101);
    ARGUMENT(request.Patch.DmaBufferSize, 0x20);
    ARGUMENT(request.Patch.DmaBufferSize, 0);
    ARGUMENT(request.Patch.pDmaBuffer, UINT64_MAX - 0x40);
    ARGUMENT(request.Patch.pAllocationList, 0);
    ARGUMENT(request.Patch.pAllocationList, UINT64_MAX);
    ARGUMENT(request.Patch.AllocationListSize, 1);
    ARGUMENT(request.Patch.AllocationListSize, UINT32_MAX);
    ARGUMENT(request.Patch.PatchLocationListSize, UINT32_MAX);
    ARGUMENT(request.Patch.PatchLocationListSize, 2);
    ARGUMENT(request.Patch.PatchLocationListSubmissionStart, UINT32_MAX);
    ARGUMENT(request.Patch.PatchLocationListSubmissionLength, UINT32_MAX);
    ARGUMENT(request.Patch.DmaBufferPrivateDataSubmissionEndOffset, 1);
    ARGUMENT(request.Patch.Flags, 1);
    ARGUMENT(request.size, 8);
    ARGUMENT(locations[1].AllocationIndex, 2);
    ARGUMENT(locations[2].AllocationIndex, UINT32_MAX);
    ARGUMENT(locations[2].PatchOffset, 0xFD);
    ARGUMENT(locations[2].PatchOffset, UINT32_MAX);
    ARGUMENT(allocations[1].PhysicalAddress, 0x1000);
    ARGUMENT(allocations[1].PhysicalAddress, UINT64_MAX);
    ARGUMENT(allocations[1].Bits, 9u << 1);
#undef ARGUMENT
    CHECK(submit(0, 0x100, driver.context, 0) < 0);
    /* What lies outside the range is not looked at. */
    good.locations[0].AllocationIndex = good.locations[3].PatchOffset = UINT32_MAX;
    CHECK(patch(&good) == 0);
    close_driver();
}

/* ---- Rendering ---- */

struct render_message {
    struct wcts_driver_render_request request;
    struct wcts_DXGK_ALLOCATIONLIST allocations[2];
    struct wcts_D3DDDI_PATCHLOCATIONLIST locations[2];
    unsigned char command[0x2F];
    unsigned char end;
};

static struct render_message new_render(void)
{
    struct render_message message = {
        .request = {.size = sizeof(message.request),
                    .CommandLength = sizeof(message.command),
                    .hContext = driver.context,
                    .pCommand = offsetof(struct render_message, command),
                    .pDmaBuffer = DMA,
                    .DmaSize = 0x100,
                    .AllocationListSize = 2,
                    .pDmaBufferPrivateData = PRIVATE,
                    .DmaBufferPrivateDataSize = 64,
                    .PatchLocationListSize = 2,
                    .pAllocationList = offsetof(struct render_message, allocations),
                    .pPatchLocationList = offsetof(struct render_message, locations)},
        .allocations = {{1, 0, 0, 0}, {2, 1, 0, 0}},
        .locations = {{0, 0, 0, 4, 8, 0}, {1, 5, 6, 7, 0x18, 9}},
    };
    memset(message.command, 0xAB, sizeof(message.command));
    return message;
}

static void test_render(void)
{
    struct render_message message, bad;
    struct patch_message patching;
    struct wcts_driver_render_reply answer;
    unsigned long writes;
    CHECK(open_driver(0x4002, ""));
    message = new_render();
    memset(byte_at(0, DMA), 0xCC, 0x100);
    CHECK(call(WCTS_DRIVER_RENDER, &message, sizeof(message)) == 0);
    memcpy(&answer, driver.reply, sizeof(answer));
    CHECK(answer.DmaLength == 0x38 && answer.PrivateDataLength == 16);
    CHECK(answer.AllocationListSize == 2 && answer.PatchLocationListSize == 2);
    CHECK(memcmp(driver.reply + answer.pAllocationList, message.allocations,
                 sizeof(message.allocations)) == 0);
    CHECK(memcmp(driver.reply + answer.pPatchLocationList, message.locations,
                 sizeof(message.locations)) == 0);
    CHECK(is_all(0, DMA, 0x2F, 0xAB) && is_all(0, DMA + 0x38, 0xC8, 0xCC));
    /* Patched up to its end the fence id stands there; a shorter part has none. */
    patching = new_patch();
    patching.request.Patch.PatchLocationListSubmissionLength = 0;
    patching.request.Patch.pDmaBufferPrivateData = PRIVATE;
    patching.request.Patch.DmaBufferPrivateDataSize = 64;
    patching.request.Patch.DmaBufferPrivateDataSubmissionEndOffset = answer.PrivateDataLength;
    patching.request.Patch.DmaBufferSubmissionEndOffset = 0x30;
    CHECK(patch(&patching) == 0);
    CHECK(is_all(0, DMA, 0x2F, 0xAB) && number_at(DMA + 0x34, 4) == 0);
    patching.request.Patch.DmaBufferSubmissionEndOffset = answer.DmaLength;
    CHECK(patch(&patching) == 0);
    CHECK(is_all(0, DMA, 0x2F, 0xAB) && number_at(DMA + 0x34, 4) == 0xF00D);
    CHECK(submit(0, answer.DmaLength, driver.context, 0) == 0);
    CHECK(submit(0, 0x30, driver.context, 0) == 0);
    /* So it does at the end of a part that begins later. */
    patching.request.Patch.DmaBufferSubmissionStartOffset = 0x10;
    patching.request.Patch.SubmissionFenceId = 0xFEED;
    CHECK(patch(&patching) == 0);
    CHECK(is_all(0, DMA, 0x2F, 0xAB) && number_at(DMA + 0x34, 4) == 0xFEED);
    CHECK(submit(0x10, answer.DmaLength, driver.context, 0) == 0);
    patching.request.Patch.DmaBufferSubmissionStartOffset = 0;
    /* What is rendered again is not patched any more. */
    CHECK(patch(&patching) == 0);
    CHECK(call(WCTS_DRIVER_RENDER, &message, sizeof(message)) == 0);
    CHECK(submit(0, answer.DmaLength, driver.context, 0) < 0);
    writes = machine.writes;
#define ARGUMENT(member, value)                                                                    \
    do {                                                                                           \
        bad = message;                                                                             \
        bad.member = (value);                                                                      \
        CHECK(call(WCTS_DRIVER_RENDER, &bad, sizeof(bad)) < 0);                                    \
        CHECK(machine.writes == writes);                                                           \
    } while (0)
    ARGUMENT(request.hContext, 0);
    ARGUMENT(request.hContext, driver.device);
    ARGUMENT(request.CommandLength, sizeof(message.command) + 2);
    ARGUMENT(request.CommandLength, UINT32_MAX);
    ARGUMENT(request.DmaSize, 0x37);
    ARGUMENT(request.pDmaBuffer, UINT64_MAX);
    ARGUMENT(request.AllocationListSize, 1);
    ARGUMENT(request.pPatchLocationList, UINT64_MAX);
    ARGUMENT(request.PatchLocationListSize, 1000);
    ARGUMENT(locations[1].PatchOffset, 0x28);
    ARGUMENT(locations[1].PatchOffset, UINT32_MAX);
    ARGUMENT(locations[0].AllocationIndex, 2);
#undef ARGUMENT
    message.request.DmaBufferPrivateDataSize = 8;
    CHECK(call(WCTS_DRIVER_RENDER, &message, sizeof(message)) == 0);
    CHECK(((struct wcts_driver_render_reply *)driver.reply)->PrivateDataLength == 0);
    close_driver();
}

/* A command buffer longer than one message to the machine. */
static void test_long_render(void)
{
    const uint32_t length = 30001;
    struct wcts_driver_render_request request = {.size = sizeof(request),
                                                 .CommandLength = length,
                                                 .hContext = driver.context,
                                                 .pCommand = sizeof(request),
                                                 .pDmaBuffer = DMA,
                                                 .DmaSize = 40000};
    unsigned char *message = calloc(1, sizeof(request) + length);
    uint32_t i;
    if (message == NULL)
        abort();
    memcpy(message, &request, sizeof(request));
    for (i = 0; i < length; i++)
        message[sizeof(request) + i] = pattern(i);
    CHECK(call(WCTS_DRIVER_RENDER, message, (uint32_t)sizeof(request) + length) == 0);
    CHECK(((struct wcts_driver_render_reply *)driver.reply)->DmaLength == 30012);
    CHECK(is_pattern(0, DMA, length));
    CHECK(number_at(DMA + 30004, 4) == 0x434E4546);
    free(message);
}

/* The list of a present comes back without the empty element, and with the places of the addresses.
 * What is then patched stands in the command. */
static void test_present(const char *options, uint32_t size)
{
    struct {
        struct wcts_driver_render_request request;
        struct wcts_DXGK_ALLOCATIONLIST allocations[3];
    } message, bad;
    struct {
        struct wcts_driver_patch_request request;
        struct wcts_DXGK_ALLOCATIONLIST allocations[3];
        struct wcts_D3DDDI_PATCHLOCATIONLIST locations[3];
    } patching;
    struct wcts_driver_render_reply answer;
    uint32_t i;
    CHECK(open_driver(0x4002, options));
    memset(&message, 0, sizeof(message));
    message.request = (struct wcts_driver_render_request){
        .size = sizeof(message.request),
        .hContext = driver.context,
        .pDmaBuffer = DMA,
        .DmaSize = 0x100,
        .AllocationListSize = 3,
        .pDmaBufferPrivateData = PRIVATE,
        .DmaBufferPrivateDataSize = 64,
        .pAllocationList = (uint64_t)((char *)message.allocations - (char *)&message)};
    message.allocations[1] = (struct wcts_DXGK_ALLOCATIONLIST){11, 2, 0, 0x100001000};
    message.allocations[2] = (struct wcts_DXGK_ALLOCATIONLIST){12, 3, 0, 0x100002000};
    CHECK(call(WCTS_DRIVER_PRESENT, &message, sizeof(message)) == 0);
    memcpy(&answer, driver.reply, sizeof(answer));
    CHECK(answer.DmaLength == 32 && answer.PrivateDataLength == 16);
    CHECK(answer.AllocationListSize == 2 && answer.PatchLocationListSize == (size ? 2 : 0));
    CHECK(memcmp(driver.reply + answer.pAllocationList, &message.allocations[1],
                 2 * sizeof(message.allocations[0])) == 0);
    memset(&patching, 0, sizeof(patching));
    patching.request.size = sizeof(patching.request);
    patching.request.Patch = (struct wcts_DXGKARG_PATCH){
        .hContext = driver.context,
        .pDmaBuffer = DMA,
        .DmaBufferPhysicalAddress = DMA,
        .DmaBufferSize = 0x100,
        .DmaBufferSubmissionEndOffset = answer.DmaLength,
        .pDmaBufferPrivateData = PRIVATE,
        .DmaBufferPrivateDataSize = 64,
        .DmaBufferPrivateDataSubmissionEndOffset = answer.PrivateDataLength,
        .pAllocationList = (uint64_t)((char *)patching.allocations - (char *)&patching),
        .AllocationListSize = answer.AllocationListSize,
        .pPatchLocationList = (uint64_t)((char *)patching.locations - (char *)&patching),
        .PatchLocationListSize = answer.PatchLocationListSize,
        .PatchLocationListSubmissionLength = answer.PatchLocationListSize,
        .SubmissionFenceId = 0xF00D,
        .Flags = 2};
    memcpy(patching.allocations, driver.reply + answer.pAllocationList,
           answer.AllocationListSize * sizeof(patching.allocations[0]));
    if (size != 0)
        memcpy(patching.locations, driver.reply + answer.pPatchLocationList,
               answer.PatchLocationListSize * sizeof(patching.locations[0]));
    CHECK((call(WCTS_DRIVER_PATCH, &patching, sizeof(patching)) == 0) == (size != 0));
    for (i = 0; i < 2 && size != 0; i++)
        CHECK(number_at(DMA + patching.locations[i].PatchOffset, size) ==
              ((0x100001000 + 0x1000 * i) & (size == 4 ? UINT32_MAX : UINT64_MAX)));
    CHECK(size == 0 || number_at(DMA + 28, 4) == 0xF00D);
    CHECK(submit(0, answer.DmaLength, driver.context, 2) == 0);
    bad = message;
    bad.request.AllocationListSize = 2;
    CHECK(call(WCTS_DRIVER_PRESENT, &bad, sizeof(bad)) < 0);
    bad = message;
    bad.request.DmaSize = 31;
    CHECK(call(WCTS_DRIVER_PRESENT, &bad, sizeof(bad)) < 0);
    bad = message;
    bad.request.hContext = 0;
    CHECK(call(WCTS_DRIVER_PRESENT, &bad, sizeof(bad)) == WCTS_STATUS_INVALID_HANDLE);
    message.allocations[1].hDeviceSpecificAllocation = 0;
    CHECK(call(WCTS_DRIVER_PRESENT, &message, sizeof(message)) == 0);
    CHECK(((struct wcts_driver_render_reply *)driver.reply)->AllocationListSize == 1);
    close_driver();
}

/* ---- Paging buffers ---- */

static void test_paging_buffer(const char *options, uint64_t step)
{
    uint64_t private_data = PRIVATE;
    uint32_t i, start = 0;
    CHECK(open_driver(0x1052, options));
    for (i = 0; i < 3; i++) {
        struct patch_message message = new_patch();
        struct wcts_DXGKARG_PATCH *args = &message.request.Patch;
        CHECK(paging((struct wcts_driver_paging_request){
                  .Operation = WCTS_PAGING_MAP_APERTURE,
                  .SegmentId = 2,
                  .NumberOfPages = 1,
                  .SystemAddress = STORE,
                  .pDmaBuffer = DMA + start,
                  .DmaSize = 0x100 - start,
                  .pDmaBufferPrivateData = private_data,
                  .DmaBufferPrivateDataSize = (uint32_t)(PRIVATE + 0x100 - private_data)}) == 0);
        CHECK(paging_reply.DmaLength == 24);
        CHECK(paging_reply.pDmaBufferPrivateData == private_data + step);
        private_data = paging_reply.pDmaBufferPrivateData;
        args->Flags = 1;
        args->hContext = 0;
        args->pAllocationList = args->pPatchLocationList = 0;
        args->AllocationListSize = args->PatchLocationListSize = 0;
        args->PatchLocationListSubmissionStart = args->PatchLocationListSubmissionLength = 0;
        args->DmaBufferSubmissionStartOffset = start;
        args->DmaBufferSubmissionEndOffset = start + paging_reply.DmaLength;
        args->pDmaBufferPrivateData = PRIVATE;
        args->DmaBufferPrivateDataSize = 0x100;
        args->DmaBufferPrivateDataSubmissionStartOffset = (uint32_t)(private_data - PRIVATE);
        args->DmaBufferPrivateDataSubmissionEndOffset = 0x100;
        args->SubmissionFenceId = 100 + i;
        CHECK(patch(&message) == 0);
        CHECK(number_at(DMA + start + 20, 4) == 100 + i);
        CHECK(submit(start, start + paging_reply.DmaLength, 0, 1) == 0);
        start += paging_reply.DmaLength;
    }
    close_driver();
}

/* ---- What the driver says of itself ---- */

static void check_segments(const struct wcts_DXGK_SEGMENTDESCRIPTOR *segments, uint32_t count)
{
    uint32_t i;
    for (i = 0; i < count; i++) {
        const uint32_t flags = segments[i].Flags;
        CHECK(!(flags & 2) || flags == 2);
        CHECK(!(flags & 0x10) || (flags & 1));
        CHECK(((flags & 8) != 0) == (segments[i].NbOfBanks != 0));
        CHECK(!((flags & 0x2000) && (flags & 4)));
        CHECK(!(flags & 0x4000) || (flags & 0x2000));
        CHECK(!(flags & 0x300) || (flags & 0x80));
        CHECK((flags & 0x300) != 0x300);
    }
}

/* The rules of document 001 for one allocation. */
static void check_info(const struct wcts_DXGK_ALLOCATIONINFO *info,
                       const struct wcts_DXGK_SEGMENTDESCRIPTOR *segments, uint32_t count,
                       uint32_t version)
{
    const uint32_t all =
        info->SupportedWriteSegmentSet | (version < 0x5023 ? info->SupportedReadSegmentSet : 0);
    const uint32_t banks =
        info->PreferredSegment & 31 ? segments[(info->PreferredSegment & 31) - 1].NbOfBanks : 0;
    uint32_t i;
    CHECK(info->Size != 0 && info->AllocationPriority != 0);
    CHECK(info->PitchAlignedSize == 0 || info->PitchAlignedSize >= info->Size);
    CHECK(all != 0 && all >> count == 0);
    for (i = 0; i < count; i++) {
        if (info->EvictionSegmentSet & 1u << i)
            CHECK((segments[i].Flags & 3) && !(segments[i].Flags & 0x20));
        if ((all & 1u << i) && (segments[i].Flags & 0x800))
            CHECK(info->Alignment != 0 && info->Alignment % 0x10000 == 0);
    }
    CHECK(((all & 1u << 3) != 0) == (info->PitchAlignedSize != 0));
    for (i = 0; i < 5; i++) {
        const uint32_t id = info->PreferredSegment >> 6 * i & 31;
        CHECK(id == 0 || (info->SupportedWriteSegmentSet & 1u << (id - 1)));
        CHECK(id == 0 || version >= 0x5023 || (info->SupportedReadSegmentSet & 1u << (id - 1)));
    }
    for (i = 0; i < 4; i++)
        CHECK((info->HintedBank >> 8 * i & 0x7F) <= banks);
}

static void test_descriptions(uint32_t version)
{
    static const struct wcts_none none = {sizeof(none), 0};
    struct wcts_DXGK_SEGMENTDESCRIPTOR segments[31];
    struct wcts_driver_segments_reply found;
    char names[64][40];
    uint32_t i, count;
    CHECK(open_driver(version, "strict"));
    CHECK(call(WCTS_DRIVER_SEGMENTS, &none, sizeof(none)) == 0);
    memcpy(&found, driver.reply, sizeof(found));
    memcpy(segments, driver.reply + found.pSegments, found.Count * sizeof(segments[0]));
    check_segments(segments, found.Count);
    CHECK(call(WCTS_DRIVER_INFO, &none, sizeof(none)) == 0);
    count = ((struct wcts_driver_info_reply *)driver.reply)->KindCount;
    for (i = 0; i < count; i++) {
        const struct wcts_driver_info_reply *info = (const void *)driver.reply;
        const struct wcts_allocation_kind *kinds = (const void *)(driver.reply + info->pKinds);
        snprintf(names[i], sizeof(names[i]), "%s", (const char *)driver.reply + kinds[i].pName);
    }
    for (i = 0; i < count; i++) {
        const struct wcts_DXGK_ALLOCATIONINFO info = create(names[i]);
        check_info(&info, segments, found.Count, version);
    }
    close_driver();
}

static void test_standard(void)
{
    uint32_t type;
    for (type = 0; type < 6; type++) {
        struct wcts_driver_standard_allocation_request request = {
            sizeof(request), type, 0x20000, 1, 0, 6};
        const wcts_status status = call(WCTS_DRIVER_STANDARD_ALLOCATION, &request, sizeof(request));
        CHECK((status == 0) == (type >= 1 && type <= 4));
        request.Height = 0;
        CHECK(call(WCTS_DRIVER_STANDARD_ALLOCATION, &request, sizeof(request)) < 0);
        request.Height = request.Width = UINT32_MAX;
        CHECK(call(WCTS_DRIVER_STANDARD_ALLOCATION, &request, sizeof(request)) < 0);
    }
}

static void test_handles(void)
{
    struct wcts_driver_device_request request = {sizeof(request), 2, 77};
    CHECK(call(WCTS_DRIVER_DEVICE, &request, sizeof(request)) < 0);
    request = (struct wcts_driver_device_request){sizeof(request), 0, driver.context};
    CHECK(call(WCTS_DRIVER_CONTEXT, &request, sizeof(request)) == WCTS_STATUS_INVALID_HANDLE);
    request = (struct wcts_driver_device_request){sizeof(request), 1, driver.device};
    CHECK(call(WCTS_DRIVER_CONTEXT, &request, sizeof(request)) < 0);
}

static void test_options(void)
{
    struct patch_message message;
    const struct wcts_none none = {sizeof(none), 0};
    const struct wcts_driver_info_reply *info = (const void *)driver.reply;
    struct wcts_driver_device_request request = {sizeof(request), 0, 77};
    CHECK(!open_driver(0x5023, "patches=16") && strstr(last_log, "patches=16") != NULL);
    CHECK(!open_driver(0x5023, "private"));
    CHECK(open_driver(0x5023, "patches=none,contexts=off,dma=segment,private=each"));
    CHECK(call(WCTS_DRIVER_INFO, &none, sizeof(none)) == 0);
    CHECK(info->patches == WCTS_PATCHES_NONE && info->creates_contexts == 0 &&
          info->dma_buffer_segment_set == 1);
    request.hDevice = driver.device;
    CHECK(call(WCTS_DRIVER_CONTEXT, &request, sizeof(request)) == WCTS_STATUS_NOT_SUPPORTED);
    message = new_patch();
    CHECK(patch(&message) == WCTS_STATUS_NOT_SUPPORTED);
    CHECK(submit(0, 0x100, driver.device, 0) == 0);
    CHECK(submit(0, 0x100, driver.device + 1, 0) == WCTS_STATUS_INVALID_HANDLE);
    close_driver();
}

/* Priority does not matter to a driver that says so, and only to it. */
static void test_priority(void)
{
    static const char *const names[] = {"plain", "protected-region", "cpu-on-demand",
                                        "preferring-all"};
    const struct wcts_none none = {sizeof(none), 0};
    const struct wcts_driver_info_reply *info = (const void *)driver.reply;
    uint32_t any, i;
    for (any = 0; any < 2; any++) {
        CHECK(open_driver(0xF003, any ? "priority=any" : "priority=own"));
        CHECK(call(WCTS_DRIVER_INFO, &none, sizeof(none)) == 0);
        CHECK((info->capabilities & WCTS_CAPABILITY_ANY_PRIORITY) ==
              (any ? (uint32_t)WCTS_CAPABILITY_ANY_PRIORITY : 0));
        for (i = 0; i < 4; i++)
            CHECK((create(names[i]).AllocationPriority == 0x78000000) == (any || i == 0));
        close_driver();
    }
}

int main(void)
{
    static const uint32_t versions[] = {0x1052, 0x2005, 0x300E, 0x4002, 0x5023, 0x6003,
                                        0x8001, 0xB004, 0xC004, 0xE003, 0xF003, 0x11007};
    size_t i;
    for (i = 0; i < sizeof(versions) / sizeof(versions[0]); i++)
        test_descriptions(versions[i]);
    CHECK(open_driver(0x5023, ""));
    test_handles();
    test_standard();
    test_paging_refusals();
    test_linear(0);
    test_linear(1);
    test_long_render();
    close_driver();
    for (i = 0; i < 3; i++) {
        static const uint32_t apertures[] = {2, 3, 8};
        CHECK(open_driver(0x1052, ""));
        test_aperture(apertures[i]);
        close_driver();
    }
    test_pitch("pitch-aligned", 1024, 1536);
    test_pitch("pitch-aligned-only", 4096, 5120);
    test_pitch("pitch-aligned-evictable", 512, 640);
    test_patch("", 8, 0);
    test_patch("patches=64", 8, 0);
    test_patch("patches=32", 4, 0);
    test_patch("patches=64s", 8, 1);
    test_patch("patches=32s", 4, 1);
    test_patch_refusals();
    test_render();
    test_present("", 8);
    test_present("patches=32", 4);
    test_present("patches=none", 0);
    test_priority();
    test_paging_buffer("", 16);
    test_paging_buffer("private=shared", 0);
    test_options();
    printf("%lu passed, %lu failed\n", checks - failures, failures);
    return failures != 0;
}
