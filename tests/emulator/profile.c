/* SPDX-License-Identifier: MIT */
/* Tests the options of profiles, and the rows that are not about KERNEL_ALLOCATION_CREATE. */
#include "trial.h"

#define MOST_OPERATIONS 2048u

/* ---- KERNEL_ALLOCATION_DESTROY ---- */

static wcts_status w4(void)
{
    return destroy(0, 0, 0, 0, 0);
}

static wcts_status w4_beside(void)
{
    return destroy(0, 1, 0, 0, 0);
}

static wcts_status w7(void)
{
    make(0, 1);
    CHECK(destroy(0, 1, 1, made[0], 0) == 0);
    return destroy(0, 1, 1, made[0], 0);
}

static wcts_status w7_beside(void)
{
    make(0, 1);
    return destroy(0, 2, 1, made[0], made[0]);
}

static wcts_status w25b(void)
{
    const uint32_t resource = live_resource();
    const wcts_status status = destroy(resource, 0, 1, BOGUS, 0);
    CHECK((destroy(resource, 0, 0, 0, 0) == 0) == (status != 0));
    return status;
}

static wcts_status resource_and_two(void)
{
    make(EMU_CREATE_RESOURCE, 2);
    return destroy(made_resource, 2, 1, made[0], made[1]);
}

static wcts_status w25c(void)
{
    return destroy(dead_resource(), 0, 0, 0, 0);
}

static wcts_status w25c_beside(void)
{
    const uint32_t resource = live_resource();
    hDevice = device_new();
    return destroy(resource, 0, 0, 0, 0);
}

static wcts_status m16(void)
{
    uint32_t first;
    make(EMU_CREATE_RESOURCE, 1);
    first = made[0];
    make(0, 1);
    return destroy(0, 2, 1, first, made[0]);
}

static wcts_status m16_beside(void)
{
    uint32_t first;
    make(0, 1);
    first = made[0];
    make(0, 1);
    return destroy(0, 2, 1, first, made[0]);
}

static wcts_status m17(void)
{
    make(SHARED_NT, 1);
    return destroy(0, 1, 1, made[0], 0);
}

static wcts_status m17_beside(void)
{
    make(EMU_CREATE_RESOURCE, 1);
    return destroy(0, 1, 1, made[0], 0);
}

static wcts_status u1(void)
{
    uint32_t resource;
    wcts_status status;
    make(EMU_CREATE_RESOURCE, 2);
    resource = made_resource;
    status = destroy(resource, 1, 1, made[1], 0);
    CHECK((destroy(0, 1, 1, made[1], 0) == 0) == (status != 0));
    CHECK((destroy(0, 1, 1, made[0], 0) == 0) == (status != 0));
    return status;
}

/* ---- KERNEL_SHARE, KERNEL_OPEN_GLOBAL, KERNEL_OPEN_NT ---- */

static wcts_status w29(void)
{
    return open_global(live_resource());
}

static wcts_status w29_beside(void)
{
    make(0, 1);
    return open_global(made[0]);
}

static wcts_status s1(void)
{
    make(0, 1);
    return share(made[0]);
}

static wcts_status s1_beside(void)
{
    return share(hDevice);
}

static wcts_status s2a(void)
{
    return share(live_resource());
}

static wcts_status s2b(void)
{
    make(EMU_CREATE_RESOURCE | EMU_CREATE_SHARED, 1);
    return share(made_resource);
}

static wcts_status s2c(void)
{
    return share(shared_resource());
}

/* Opens again and again what no device has any more. */
static wcts_status s5a(void)
{
    const uint32_t resource = shared_resource();
    uint64_t handle;
    wcts_status status;
    CHECK(share(resource) == 0);
    CHECK(share(resource) == 0);
    handle = second_word();
    CHECK(destroy(resource, 0, 0, 0, 0) == 0);
    status = open_nt(handle);
    if (status != 0)
        return status;
    CHECK(destroy(second_member(), 0, 0, 0, 0) == 0);
    hDevice = device_new();
    return open_nt(handle);
}

static wcts_status s5a_beside(void)
{
    uint32_t global;
    make(EMU_CREATE_RESOURCE | EMU_CREATE_SHARED, 1);
    global = made_share;
    CHECK(destroy(made_resource, 0, 0, 0, 0) == 0);
    return open_global(global);
}

static wcts_status m22(void)
{
    CHECK(create(SHARED_NT, 1) == 0);
    return share(made_resource);
}

static wcts_status share_standard(void)
{
    CHECK(create(FULL, 1) == 0);
    return share(made_resource);
}

/* ---- KERNEL_VA_UPDATE, KERNEL_VA_RESERVE ---- */

static wcts_status reserve(uint64_t fence)
{
    return CALL(WCTS_KERNEL_VA_RESERVE,
                (struct wcts_kernel_va_reserve){.hProcess = hProcess,
                                                .Args = {.hAdapter = hAdapter,
                                                         .Size = HEAP_SIZE,
                                                         .ReservationType = EMU_RESERVATION_ZERO,
                                                         .PagingFenceValue = fence}});
}

static wcts_status update(uint32_t count)
{
    static struct {
        struct wcts_kernel_va_update_request request;
        struct wcts_D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION operations[MOST_OPERATIONS + 1];
    } m;
    uint32_t i;
    CHECK(reserve(0) == 0);
    m.request.Args = (struct wcts_D3DKMT_UPDATEGPUVIRTUALADDRESS){
        .hDevice = hDevice, .NumOperations = count, .Operations = sizeof(m.request)};
    for (i = 0; i < count; i++)
        m.operations[i] = (struct wcts_D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION){
            .OperationType = EMU_VA_UNMAP,
            .Unmap = {.BaseAddress =
                          ((const struct wcts_kernel_va_reserve *)reply_room)->Args.VirtualAddress,
                      .SizeInBytes = PAGE,
                      .Protection = EMU_PROTECTION_ZERO}};
    return CALL(WCTS_KERNEL_VA_UPDATE, m);
}

static wcts_status g1(void)
{
    return update(0);
}

static wcts_status g1_beside(void)
{
    return update(1);
}

static wcts_status g2(void)
{
    return update(MOST_OPERATIONS + 1);
}

static wcts_status g2_beside(void)
{
    return update(MOST_OPERATIONS);
}

/* NOT_SUPPORTED: the fence value is not the caller's any more. */
static wcts_status reserve_seen(uint64_t fence)
{
    const wcts_status status = reserve(fence);
    const struct wcts_kernel_va_reserve *answer = (const void *)reply_room;
    if (status != 0)
        return status;
    CHECK(answer->Args.VirtualAddress != 0);
    return answer->Args.PagingFenceValue == fence ? 0 : WCTS_STATUS_NOT_SUPPORTED;
}

static wcts_status g13(void)
{
    return reserve_seen(7);
}

static wcts_status g13_beside(void)
{
    return reserve_seen(0);
}

/* ---- Segments ---- */

/* The driver with which the next instance starts, whatever its own is. */
static wcts_status start_with(const char *options)
{
    void *const own_driver = driver;
    wcts_status status;
    CHECK(CALL(WCTS_KERNEL_ADAPTER_STOP, (struct wcts_kernel_handle_request){.Handle = hAdapter}) ==
          0);
    driver = open_side(WCTS_SIDE_DRIVER, options);
    status = start();
    plugin->close(driver);
    driver = own_driver;
    return status;
}

static wcts_status p5_kernel(void)
{
    return start_with("profile=windows");
}

static wcts_status p5_kernel_beside(void)
{
    return start_with("");
}

/* NOT_SUPPORTED: no memory segment has CacheCoherent. */
static wcts_status p5_driver(void)
{
    const struct wcts_none none = {sizeof(none), 0};
    const struct wcts_driver_segments_reply *answer = (const void *)reply_room;
    const struct wcts_DXGK_SEGMENTDESCRIPTOR *segments;
    uint32_t i, size;
    wcts_status status = plugin->call(driver, WCTS_DRIVER_SEGMENTS, &none, sizeof(none), reply_room,
                                      sizeof(reply_room), &size);
    segments = (const void *)((const unsigned char *)reply_room + answer->pSegments);
    for (i = 0; i < answer->Count; i++)
        if ((segments[i].Flags & EMU_SEGMENT_CACHE_COHERENT) &&
            !(segments[i].Flags & (EMU_SEGMENT_APERTURE | EMU_SEGMENT_AGP)))
            return status;
    return WCTS_STATUS_NOT_SUPPORTED;
}

/* ---- The rows ---- */

static const struct trial trials[] = {
    {EMU_ROW_W4, WINDOWS | WINE, "", w4, ACCEPTED, INVALID, w4_beside, INVALID},
    {EMU_ROW_W7, WINDOWS, "", w7, INVALID, NO_HANDLE, w7_beside, NO_HANDLE},
    {EMU_ROW_W25B, WINDOWS | WINE, "", w25b, ACCEPTED, INVALID, resource_and_two, INVALID},
    {EMU_ROW_W25C, WINDOWS, "", w25c, INVALID, NO_HANDLE, w25c_beside, NO_HANDLE},
    {EMU_ROW_W29, WINDOWS, "", w29, INVALID, NO_HANDLE, w29_beside, NO_HANDLE},
    {EMU_ROW_S1, WINDOWS, "", s1, INVALID, NO_HANDLE, s1_beside, NO_HANDLE},
    {EMU_ROW_S2A, WINDOWS | WINE, "", s2a, INVALID, DENIED, s2c, ACCEPTED},
    {EMU_ROW_S2B, WINDOWS, "", s2b, INVALID, DENIED, s2c, ACCEPTED},
    {EMU_ROW_S5A, WINDOWS | WINE, "", s5a, ACCEPTED, NO_HANDLE, s5a_beside, NO_HANDLE},
    {EMU_ROW_P5, WINDOWS, ",strict", p5_kernel, ACCEPTED, INVALID, p5_kernel_beside, ACCEPTED},
    {EMU_ROW_P5, WINDOWS, "", p5_driver, ACCEPTED, UNKNOWN, p5_kernel_beside, ACCEPTED},
    {EMU_ROW_M16, WSL2, "", m16, INVALID, ACCEPTED, m16_beside, ACCEPTED},
    {EMU_ROW_M17, WSL2, "", m17, INVALID, ACCEPTED, m17_beside, ACCEPTED},
    {EMU_ROW_M22, WSL2, "", m22, INVALID, ACCEPTED, s2c, ACCEPTED},
    {EMU_ROW_M22, WSL2, "", m22, INVALID, ACCEPTED, share_standard, ACCEPTED},
    {EMU_ROW_G1, WSL2, "", g1, INVALID, ACCEPTED, g1_beside, ACCEPTED},
    {EMU_ROW_G2, WSL2, "", g2, INVALID, ACCEPTED, g2_beside, ACCEPTED},
    {EMU_ROW_G13, WSL2, "", g13, ACCEPTED, UNKNOWN, g13_beside, ACCEPTED},
    {EMU_ROW_U1, WINE, "", u1, ACCEPTED, INVALID, resource_and_two, INVALID},
};

/* What NT handles alone keep goes with its adapter. */
static void test_kept(void)
{
    boot("profile=windows,machine=off");
    CHECK(s5a() == 0);
    CHECK(create(FULL, 1) == 0 && share(made_resource) == 0);
    CHECK(destroy(made_resource, 0, 0, 0, 0) == 0);
    CHECK(CALL(WCTS_KERNEL_ADAPTER_STOP, (struct wcts_kernel_handle_request){.Handle = hAdapter}) ==
          0);
    CHECK(start() == 0);
    hDevice = device_new();
    CHECK(create(0, 1) == 0);
    shut();
    boot("profile=windows,machine=off");
    make(SHARED_NT, 2);
    CHECK(share(made_resource) == 0 && destroy(0, 2, 1, made[0], made[1]) == 0);
    CHECK(share(made_resource) == 0 && destroy(made_resource, 0, 0, 0, 0) == 0);
    shut();
}

/* ---- Options ---- */

static void refused(const char *options, const char *text)
{
    last_log[0] = '\0';
    kernel = open_side(WCTS_SIDE_KERNEL, options);
    CHECK(kernel == NULL);
    CHECK(strcmp(last_log, text) == 0);
}

/* The status of a create call with the flags. */
static wcts_status with_options(const char *options, uint32_t flags)
{
    wcts_status status;
    boot(options);
    status = create(flags, 1);
    shut();
    return status;
}

static void test_options(void)
{
    refused("profile=vista", "emulator: unknown profile \"vista\"");
    refused("profile=", "emulator: unknown profile \"\"");
    refused("profile",
            "emulator: unknown option \"profile\": expected strict, pages, probe, machine, "
            "placement, contexts, sweep, fault=NAME, choice=NAME, profile=NAME, "
            "only=ROWS, without=ROWS, evict=through|both, patches=none|32|64|32s|64s|private, "
            "private=each|shared, dma=system|segment, priority=own|any");
    refused("profile=windows,without=M10", "emulator: profile windows has no row \"M10\"");
    refused("only=W3+X1,profile=wine", "emulator: profile wine has no row \"X1\"");
    refused("profile=wsl2,only=", "emulator: profile wsl2 has no row \"\"");
    refused("profile=windows,without=W3+", "emulator: profile windows has no row \"\"");
    refused("without=W3", "emulator: options \"only\" and \"without\" need a profile");
    CHECK(with_options("machine=off,without=W3,profile=windows", HEAP) == INVALID);
    CHECK(with_options("machine=off,profile=windows,only=W3+W24", HEAP) == ACCEPTED);
    CHECK(with_options("machine=off,profile=windows,only=W3+W24", HEAP | EMU_CREATE_RESOURCE) ==
          ACCEPTED);
    CHECK(with_options("machine=off,profile=windows,only=W3+W24",
                       HEAP | EMU_CREATE_RESOURCE | EMU_CREATE_SHARED) == INVALID);
    CHECK(with_options("machine=off,profile=windows,without=W3+W24", HEAP | EMU_CREATE_RESOURCE) ==
          INVALID);
    CHECK(with_options("machine=off,profile=windows,without=W3+W24",
                       HEAP | EMU_CREATE_RESOURCE | EMU_CREATE_SHARED) == ACCEPTED);
    CHECK(with_options("machine=off,profile=windows,only=W3+W24,without=W3", HEAP) == INVALID);
}

/* What a profile does not do it does not promise. */
static void test_capabilities(void)
{
    const uint32_t advice = WCTS_CAPABILITY_STRICT | WCTS_CAPABILITY_LENIENT;
    static const struct {
        const char *options;
        uint32_t claimed;
    } claims[] = {{"", WCTS_CAPABILITY_LENIENT},
                  {"strict", WCTS_CAPABILITY_STRICT},
                  {"profile=windows", WCTS_CAPABILITY_LENIENT},
                  {"profile=windows,strict", 0},
                  {"profile=windows,strict,only=W12+W18", WCTS_CAPABILITY_STRICT},
                  {"profile=wsl2", 0},
                  {"profile=wsl2,without=M5", WCTS_CAPABILITY_LENIENT},
                  {"profile=wine", WCTS_CAPABILITY_LENIENT}};
    size_t i;
    for (i = 0; i < sizeof(claims) / sizeof(claims[0]); i++) {
        boot(claims[i].options);
        CHECK(CALL(WCTS_KERNEL_INFO, (struct wcts_none){0, 0}) == 0);
        CHECK((second_member() & advice) == claims[i].claimed);
        shut();
    }
}

int main(void)
{
    plugin = wcts_plugin_entry();
    test_rows(trials, sizeof(trials) / sizeof(trials[0]), 0);
    test_kept();
    test_options();
    test_capabilities();
    printf("%lu passed, %lu failed\n", passes, failures);
    return failures != 0;
}
