/* SPDX-License-Identifier: MIT */
/* What the tests of profiles share: an instance of both sides of the emulator, requests to it, and
 * trials. The driver is the emulator's own; user memory is the kernel's own, of which nothing is
 * read. */
#ifndef TRIAL_H
#define TRIAL_H

#include "emu_flags.h"
#include "profile.h"
#include "wddm-cts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGE 4096u
#define HEAP_SIZE 0x10000u
#define VERSION 0xF003u /* WDDM 3.0: bit 22 of the create flags is reserved there */

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

/* ---- The instance ---- */

static const struct wcts_plugin *plugin;
static void *kernel, *driver;
static char last_log[640];
static uint32_t hAdapter, hProcess, hDevice;
static uint64_t reply_room[65536 / 8];

static inline wcts_status host_call(void *ctx, uint32_t operation, const void *request,
                                    uint32_t request_size, void *reply, uint32_t room,
                                    uint32_t *size)
{
    const struct wcts_machine_log_request *line = request;
    (void)ctx;
    *size = 0;
    if (operation < WCTS_MACHINE_READ)
        return plugin->call(driver, operation, request, request_size, reply, room, size);
    if (operation != WCTS_MACHINE_LOG)
        return WCTS_STATUS_NOT_IMPLEMENTED;
    snprintf(last_log, sizeof(last_log), "%.*s", (int)line->Length,
             (const char *)request + line->pText);
    return WCTS_STATUS_SUCCESS;
}

static struct wcts_host host = {.size = sizeof(host),
                                .abi_version = WCTS_ABI_VERSION,
                                .interface_version = VERSION,
                                .page_size = PAGE,
                                .call = host_call,
                                .options = ""};

static inline void *open_side(uint32_t side, const char *options)
{
    host.options = options;
    return plugin->open(&host, side);
}

static inline wcts_status call_sized(uint32_t operation, void *request, uint32_t size)
{
    uint32_t reply_size;
    *(uint32_t *)request = wcts_request_size(operation);
    memset(reply_room, 0, sizeof(reply_room));
    return plugin->call(kernel, operation, request, size, reply_room, sizeof(reply_room),
                        &reply_size);
}

#define CALL(operation, ...) call_sized(operation, &(__VA_ARGS__), (uint32_t)sizeof(__VA_ARGS__))

/* The second member of the reply: a handle in all that have one. */
static inline uint32_t second_member(void)
{
    uint32_t member;
    memcpy(&member, (const unsigned char *)reply_room + 4, sizeof(member));
    return member;
}

static inline uint64_t second_word(void)
{
    return reply_room[1];
}

static inline wcts_status start(void)
{
    const wcts_status status =
        CALL(WCTS_KERNEL_ADAPTER_START, (struct wcts_kernel_adapter_start_request){0, 0});
    hAdapter = second_member();
    return status;
}

static inline uint32_t device_new(void)
{
    CHECK(CALL(WCTS_KERNEL_DEVICE, (struct wcts_kernel_device_request){0, hAdapter, hProcess, 0}) ==
          0);
    return second_member();
}

static inline void boot(const char *options)
{
    driver = open_side(WCTS_SIDE_DRIVER, options);
    kernel = open_side(WCTS_SIDE_KERNEL, options);
    CHECK(kernel != NULL && driver != NULL && start() == 0);
    CHECK(CALL(WCTS_KERNEL_PROCESS, (struct wcts_kernel_process_request){0, 0}) == 0);
    hProcess = second_member();
    hDevice = device_new();
}

static inline void shut(void)
{
    plugin->close(kernel);
    plugin->close(driver);
    kernel = driver = NULL;
}

/* ---- Requests ---- */

/* What every system accepts: a standard allocation with all that the documents want, and an NT
 * handle. */
#define SHARED_NT (EMU_CREATE_RESOURCE | EMU_CREATE_SHARED | EMU_CREATE_NT_SECURITY_SHARING)
#define HEAP (EMU_CREATE_STANDARD_ALLOCATION | EMU_CREATE_EXISTING_SYSMEM)
#define FULL (HEAP | SHARED_NT | EMU_CREATE_CROSS_ADAPTER)
#define FULL_SECTION ((FULL & ~EMU_CREATE_EXISTING_SYSMEM) | EMU_CREATE_EXISTING_SECTION)
#define RESERVED_AT_3_0 (UINT32_C(1) << 22)

#define BOGUS 0x12345u
#define NO_MEMORY_THERE UINT64_C(0x7000)

struct create_message {
    struct wcts_kernel_allocation_create create;
    struct wcts_D3DDDI_ALLOCATIONINFO2 info[2];
    struct wcts_D3DKMT_CREATESTANDARDALLOCATION standard;
    unsigned char data[64];
};

/* What an accepted call has made. */
static uint32_t made_resource, made_share, made[2];

static inline uint64_t region_new(void)
{
    uint64_t address;
    CHECK(CALL(WCTS_KERNEL_REGION, (struct wcts_kernel_region_request){
                                       .hProcess = hProcess, .Size = 2 * HEAP_SIZE}) == 0);
    memcpy(&address, (const unsigned char *)reply_room + 8, sizeof(address));
    return address;
}

/* A create call with the flags: count allocations, standard ones over memory. */
static inline struct create_message message_of(uint32_t flags, uint32_t count)
{
    struct create_message m = {
        .create.Args = {.hDevice = hDevice,
                        .NumAllocations = count,
                        .pAllocationInfo2 = offsetof(struct create_message, info),
                        .Flags = flags},
        .standard = {.Type = 1, .Size = HEAP_SIZE}};
    uint32_t i;
    if (!(flags & EMU_CREATE_STANDARD_ALLOCATION))
        return m;
    m.create.Args.pStandardAllocation = offsetof(struct create_message, standard);
    for (i = 0; i < count; i++)
        m.info[i].pSystemMem = region_new();
    return m;
}

static inline wcts_status send_create(struct create_message *m)
{
    const struct wcts_kernel_allocation_create *answer = (const void *)reply_room;
    const wcts_status status = CALL(WCTS_KERNEL_ALLOCATION_CREATE, *m);
    uint32_t i;
    made_resource = answer->Args.hResource;
    made_share = answer->Args.hGlobalShare;
    for (i = 0; i < 2; i++)
        memcpy(&made[i], (const unsigned char *)(answer + 1) + i * sizeof(m->info[0]),
               sizeof(made[i]));
    if (status == 0)
        CHECK(made[0] != 0);
    return status;
}

static inline wcts_status create(uint32_t flags, uint32_t count)
{
    struct create_message m = message_of(flags, count);
    return send_create(&m);
}

/* Makes what the test needs: driver's allocations with private data. */
static inline void make(uint32_t flags, uint32_t count)
{
    struct create_message m = message_of(flags, count);
    uint32_t i;
    for (i = 0; i < count; i++) {
        m.info[i].pPrivateDriverData = offsetof(struct create_message, data);
        m.info[i].PrivateDriverDataSize = 6;
    }
    CHECK(send_create(&m) == 0);
}

static inline wcts_status destroy(uint32_t resource, uint32_t count, int list, uint32_t first,
                                  uint32_t second)
{
    struct {
        struct wcts_kernel_allocation_destroy_request request;
        uint32_t list[2];
    } m = {.request.Args = {.hDevice = hDevice,
                            .hResource = resource,
                            .AllocationCount = count,
                            .phAllocationList = list ? sizeof(m.request) : 0},
           .list = {first, second}};
    return CALL(WCTS_KERNEL_ALLOCATION_DESTROY, m);
}

static inline wcts_status share(uint32_t object)
{
    return CALL(WCTS_KERNEL_SHARE,
                (struct wcts_kernel_share_request){.hProcess = hProcess, .hObject = object});
}

static inline wcts_status open_global(uint32_t handle)
{
    return CALL(WCTS_KERNEL_OPEN_GLOBAL, (struct wcts_kernel_open_global_request){
                                             .hDevice = hDevice, .hGlobalShare = handle});
}

static inline wcts_status open_nt(uint64_t handle)
{
    return CALL(WCTS_KERNEL_OPEN_NT,
                (struct wcts_kernel_open_nt_request){.hDevice = hDevice, .hNtHandle = handle});
}

static inline uint32_t dead_resource(void)
{
    uint32_t handle;
    make(EMU_CREATE_RESOURCE, 1);
    handle = made_resource;
    CHECK(destroy(handle, 0, 0, 0, 0) == 0);
    return handle;
}

static inline uint32_t live_resource(void)
{
    make(EMU_CREATE_RESOURCE, 1);
    return made_resource;
}

static inline uint32_t shared_resource(void)
{
    make(SHARED_NT, 1);
    return made_resource;
}

/* ---- Trials ---- */

#define WINDOWS EMU_SYSTEM_WINDOWS
#define WSL2 EMU_SYSTEM_WSL2
#define WINE EMU_SYSTEM_WINE

#define ACCEPTED WCTS_STATUS_SUCCESS
#define INVALID WCTS_STATUS_INVALID_PARAMETER
#define NO_HANDLE WCTS_STATUS_INVALID_HANDLE
#define DENIED WCTS_STATUS_ACCESS_DENIED
#define UNKNOWN WCTS_STATUS_NOT_SUPPORTED

typedef wcts_status trial_fn(void);

/* A row with a request that it is about, and a neighbour that it is not about. */
struct trial {
    uint32_t row;        /* enum emu_row_index */
    uint32_t systems;    /* enum emu_system */
    const char *options; /* beside the profile; each with its comma */
    trial_fn *asked;
    wcts_status with, otherwise; /* with the row, and without it */
    trial_fn *beside;
    wcts_status either;
};

static const struct {
    const char *name;
    uint32_t system;
} systems[] = {{"windows", WINDOWS}, {"wsl2", WSL2}, {"wine", WINE}};

#define SYSTEM_COUNT (sizeof(systems) / sizeof(systems[0]))

/* The status with the profile, "only=" or "without=" and the id of the row, and other options. */
static inline void expect(const struct trial *trial, trial_fn *sent, const char *profile,
                          const char *which, wcts_status expected)
{
    const char *id = which[0] != '\0' ? emu_rows[trial->row].id : "";
    char options[100];
    wcts_status status;
    snprintf(options, sizeof(options), "%s%s%s,machine=off%s", profile, which, id, trial->options);
    boot(options);
    status = sent();
    shut();
    if (status == expected) {
        passes++;
        return;
    }
    printf("%s, %s: got 0x%x, expected 0x%x with %s\n", emu_rows[trial->row].id,
           sent == trial->beside ? "beside" : "asked", (unsigned)status, (unsigned)expected,
           options);
    failures++;
}

static inline void test_row(const struct trial *trial, const char *system)
{
    char profile[40];
    snprintf(profile, sizeof(profile), "profile=%s", system);
    CHECK(trial->with != trial->otherwise);
    expect(trial, trial->asked, profile, "", trial->with);
    expect(trial, trial->asked, profile, ",only=", trial->with);
    expect(trial, trial->asked, profile, ",without=", trial->otherwise);
    expect(trial, trial->asked, "", "", trial->otherwise);
    expect(trial, trial->beside, profile, "", trial->either);
    expect(trial, trial->beside, "", "", trial->either);
}

/* Tries all rows of create calls, or all others: every row of every system has a trial. */
static inline void test_rows(const struct trial *trials, size_t count, int creates)
{
    uint32_t tried[EMU_ROW_COUNT] = {0};
    size_t i, j;
    for (i = 0; i < count; i++)
        for (j = 0; j < SYSTEM_COUNT; j++)
            if (trials[i].systems & systems[j].system) {
                test_row(&trials[i], systems[j].name);
                tried[trials[i].row] |= systems[j].system;
            }
    for (i = 0; i < EMU_ROW_COUNT; i++)
        if ((emu_rows[i].operation == WCTS_KERNEL_ALLOCATION_CREATE) == creates)
            CHECK(emu_rows[i].systems != 0 && tried[i] == emu_rows[i].systems);
}

#endif
