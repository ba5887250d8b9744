/* SPDX-License-Identifier: MIT */
/* Tests the rows of profiles that are about KERNEL_ALLOCATION_CREATE. */
#include "trial.h"

static wcts_status create_on(uint32_t device, uint32_t flags)
{
    struct create_message m = message_of(flags, 1);
    m.create.Args.hDevice = device;
    return send_create(&m);
}

static wcts_status create_in(uint32_t resource, uint32_t flags)
{
    struct create_message m = message_of(flags, 1);
    m.create.Args.hResource = resource;
    return send_create(&m);
}

static wcts_status create_typed(uint32_t flags, uint32_t type, uint64_t size, uint64_t memory)
{
    struct create_message m = message_of(flags, 1);
    m.standard.Type = type;
    m.standard.Size = size;
    m.info[0].pSystemMem = memory;
    return send_create(&m);
}

/* Private data of the call and of the allocation, of these sizes. */
static wcts_status create_with(uint32_t flags, uint32_t call_size, uint32_t size)
{
    struct create_message m = message_of(flags, 1);
    m.create.Args.PrivateDriverDataSize = call_size;
    if (call_size != 0 && !(flags & EMU_CREATE_STANDARD_ALLOCATION))
        m.create.Args.pPrivateDriverData = offsetof(struct create_message, data);
    m.info[0].PrivateDriverDataSize = size;
    m.info[0].pPrivateDriverData = size != 0 ? offsetof(struct create_message, data) : 0;
    return send_create(&m);
}

static wcts_status create_over(uint32_t flags, uint32_t count, uint64_t first, uint64_t second)
{
    struct create_message m = message_of(flags, count);
    m.info[0].pSystemMem = first;
    m.info[1].pSystemMem = second;
    return send_create(&m);
}

static wcts_status create_over_section(uint32_t flags)
{
    uint64_t section;
    CHECK(CALL(WCTS_KERNEL_SECTION,
               (struct wcts_kernel_section_request){.hProcess = hProcess, .Size = HEAP_SIZE}) == 0);
    memcpy(&section, (const unsigned char *)reply_room + 8, sizeof(section));
    return create_over(flags, 1, section, 0);
}

/* As the caller sees it: new resource, its global handle. */
static wcts_status create_seen(uint32_t flags, int resource, int global)
{
    const wcts_status status = create(flags, 1);
    if (status == 0)
        CHECK((made_resource != 0) == resource && (made_share != 0) == global);
    if (status == 0 && made_share != 0)
        CHECK(open_global(made_share) == 0);
    return status;
}

static wcts_status w2(void)
{
    struct create_message m = {0};
    return send_create(&m);
}

static wcts_status w2_beside(void)
{
    struct create_message m = {.create.Args.hDevice = BOGUS};
    return send_create(&m);
}

static wcts_status w3(void)
{
    return create_seen(HEAP, 0, 0);
}

static wcts_status w3_crossing(void)
{
    return create_seen(HEAP | EMU_CREATE_CROSS_ADAPTER, 0, 0);
}

static wcts_status w3_beside(void)
{
    return create_in(live_resource(), HEAP);
}

static wcts_status w12(void)
{
    return create_with(FULL, 64, 0);
}

static wcts_status w12_beside(void)
{
    return create_with(0, 64, 0);
}

static wcts_status w13(void)
{
    return create_on(0, FULL);
}

static wcts_status w13_beside(void)
{
    return create_on(BOGUS, FULL);
}

static wcts_status w14(void)
{
    return create_in(dead_resource(), HEAP);
}

static wcts_status w16(void)
{
    return create_typed(FULL, 0, HEAP_SIZE, region_new());
}

static wcts_status type_3(void)
{
    return create_typed(FULL, 3, HEAP_SIZE, region_new());
}

static wcts_status w18(void)
{
    return create(FULL, 2);
}

static wcts_status two(void)
{
    return create(0, 2);
}

static wcts_status w23(void)
{
    return create_in(dead_resource(), EMU_CREATE_RESOURCE);
}

static wcts_status w23_beside(void)
{
    return create_in(live_resource(), EMU_CREATE_RESOURCE);
}

static wcts_status w24(void)
{
    return create_seen(HEAP | EMU_CREATE_RESOURCE, 1, 0);
}

static wcts_status w24_crossing(void)
{
    return create_seen(HEAP | EMU_CREATE_RESOURCE | EMU_CREATE_CROSS_ADAPTER, 1, 0);
}

static wcts_status w24_beside(void)
{
    return create_in(live_resource(), HEAP | EMU_CREATE_RESOURCE);
}

static wcts_status w30(void)
{
    return create_seen(HEAP | EMU_CREATE_RESOURCE | EMU_CREATE_SHARED, 1, 1);
}

static wcts_status w30_beside(void)
{
    return create(EMU_CREATE_STANDARD_ALLOCATION | EMU_CREATE_RESOURCE | EMU_CREATE_SHARED, 1);
}

static wcts_status w36(void)
{
    return create_seen(HEAP | SHARED_NT, 1, 0);
}

static wcts_status w36_beside(void)
{
    return create(EMU_CREATE_STANDARD_ALLOCATION | SHARED_NT, 1);
}

static wcts_status m3(void)
{
    return create_with(FULL, 0, 6);
}

static wcts_status own_data(void)
{
    return create_with(0, 0, 6);
}

static wcts_status m5_section(void)
{
    return create_over_section(FULL_SECTION);
}

static wcts_status full(void)
{
    return create(FULL, 1);
}

static wcts_status m5_protected(void)
{
    return create(EMU_CREATE_PROTECTED, 1);
}

static wcts_status read_only(void)
{
    return create(EMU_CREATE_READ_ONLY, 1);
}

static wcts_status m7a(void)
{
    const wcts_status status = create_typed(FULL, 1, HEAP_SIZE, region_new() + 0x10);
    if (status == 0)
        CHECK(CALL(WCTS_KERNEL_LOCK, (struct wcts_kernel_lock_request){
                                         .hDevice = hDevice, .hAllocation = made[0]}) == 0);
    return status;
}

static wcts_status m7a_beside(void)
{
    return create_typed(FULL, 1, 0x1100, region_new());
}

static wcts_status m7b_flag(void)
{
    return create_typed(FULL, 2, HEAP_SIZE, 0);
}

static wcts_status m7b_pointer(void)
{
    return create_typed(FULL & ~EMU_CREATE_EXISTING_SYSMEM, 2, HEAP_SIZE, region_new());
}

static wcts_status m7b_none(void)
{
    return create_typed(FULL & ~EMU_CREATE_EXISTING_SYSMEM, 2, HEAP_SIZE, 0);
}

static wcts_status m7b_none_beside(void)
{
    return create_typed(FULL & ~EMU_CREATE_EXISTING_SYSMEM, 1, HEAP_SIZE, 0);
}

/* A driver may refuse it on its own: it is not asked. */
static wcts_status m8(void)
{
    return create_typed(FULL | EMU_CREATE_NO_KMD_ACCESS, 1, 0, region_new());
}

static wcts_status m8_beside(void)
{
    return create_typed(FULL | EMU_CREATE_NO_KMD_ACCESS, 1, PAGE, region_new());
}

static wcts_status m10(void)
{
    return create(EMU_CREATE_RESOURCE | EMU_CREATE_SHARED, 1);
}

static wcts_status nt(void)
{
    return create(SHARED_NT, 1);
}

static wcts_status m11(void)
{
    return create_in(dead_resource(), 0);
}

static wcts_status m11_beside(void)
{
    return create_in(live_resource(), 0);
}

static wcts_status m12(void)
{
    return create_over(0, 1, region_new() + 0x10, 0);
}

static wcts_status own_over_memory(void)
{
    return create_over(0, 1, region_new(), 0);
}

static wcts_status m13(void)
{
    return create_over(0, 2, region_new(), 0);
}

static wcts_status m13_beside(void)
{
    const uint64_t first = region_new();
    return create_over(0, 2, first, region_new());
}

static wcts_status m23(void)
{
    const uint32_t resource = shared_resource();
    CHECK(share(resource) == 0);
    return create_in(resource, 0);
}

static wcts_status m23_beside(void)
{
    return create_in(shared_resource(), 0);
}

/* What is no memory cannot be secured. */
static wcts_status m28(void)
{
    return create_over(0, 1, NO_MEMORY_THERE, 0);
}

static wcts_status own(void)
{
    return create(0, 1);
}

static wcts_status caf_002(void)
{
    return create(UINT32_C(1) << 31, 1);
}

static wcts_status reserved_now(void)
{
    return create(RESERVED_AT_3_0, 1);
}

static wcts_status caf_010(void)
{
    return create(FULL | EMU_CREATE_EXISTING_SECTION, 1);
}

static wcts_status section_of_own(void)
{
    return create(EMU_CREATE_EXISTING_SECTION, 1);
}

static wcts_status caf_018(void)
{
    return create(EMU_CREATE_RESOURCE | EMU_CREATE_NT_SECURITY_SHARING, 1);
}

static wcts_status shared_alone(void)
{
    return create(EMU_CREATE_SHARED, 1);
}

static wcts_status write_combined(void)
{
    return create(EMU_CREATE_WRITE_COMBINED, 1);
}

static wcts_status cached(void)
{
    return create(EMU_CREATE_CACHED, 1);
}

static wcts_status back_buffer(void)
{
    return create(EMU_CREATE_SWAP_CHAIN_BACK_BUFFER, 1);
}

static wcts_status caf_025(void)
{
    return create(EMU_CREATE_OPEN_CROSS_ADAPTER, 1);
}

static const struct trial trials[] = {
    {EMU_ROW_W2, WINDOWS, "", w2, INVALID, NO_HANDLE, w2_beside, NO_HANDLE},
    {EMU_ROW_W3, WINDOWS | WINE, "", w3, ACCEPTED, INVALID, w3_beside, INVALID},
    {EMU_ROW_W3, WINDOWS | WINE, "", w3_crossing, ACCEPTED, INVALID, w3_beside, INVALID},
    {EMU_ROW_W12, WINDOWS | WSL2 | WINE, "", w12, INVALID, ACCEPTED, w12_beside, ACCEPTED},
    {EMU_ROW_W13, WINDOWS, "", w13, INVALID, NO_HANDLE, w13_beside, NO_HANDLE},
    {EMU_ROW_W14, WINDOWS | WINE, "", w14, NO_HANDLE, INVALID, w3_beside, INVALID},
    {EMU_ROW_W16, WINDOWS | WSL2 | WINE, "", w16, INVALID, UNKNOWN, type_3, UNKNOWN},
    {EMU_ROW_W18, WINDOWS | WSL2 | WINE, "", w18, INVALID, ACCEPTED, two, ACCEPTED},
    {EMU_ROW_W23, WINDOWS | WINE, "", w23, NO_HANDLE, ACCEPTED, w23_beside, ACCEPTED},
    {EMU_ROW_W24, WINDOWS | WINE, "", w24, ACCEPTED, INVALID, w24_beside, INVALID},
    {EMU_ROW_W24, WINDOWS | WINE, "", w24_crossing, ACCEPTED, INVALID, w24_beside, INVALID},
    {EMU_ROW_W30, WINDOWS | WINE, "", w30, ACCEPTED, INVALID, w30_beside, INVALID},
    {EMU_ROW_W36, WINDOWS | WINE, "", w36, ACCEPTED, INVALID, w36_beside, INVALID},
    {EMU_ROW_M3, WSL2, "", m3, INVALID, ACCEPTED, own_data, ACCEPTED},
    {EMU_ROW_M5_SECTION, WSL2, "", m5_section, INVALID, ACCEPTED, full, ACCEPTED},
    {EMU_ROW_M5_SECTION_ALONE, WINE, "", m5_section, INVALID, ACCEPTED, full, ACCEPTED},
    {EMU_ROW_M5_PROTECTED, WSL2, "", m5_protected, INVALID, ACCEPTED, read_only, ACCEPTED},
    {EMU_ROW_M7A, WINE, "", m7a, ACCEPTED, INVALID, m7a_beside, INVALID},
    {EMU_ROW_M7B_MEMORY, WSL2 | WINE, "", m7b_flag, INVALID, UNKNOWN, type_3, UNKNOWN},
    {EMU_ROW_M7B_NONE, WSL2, "", m7b_none, ACCEPTED, INVALID, m7b_none_beside, INVALID},
    {EMU_ROW_M8, WSL2, "", m8, INVALID, ACCEPTED, m8_beside, ACCEPTED},
    {EMU_ROW_M10, WSL2, "", m10, INVALID, ACCEPTED, nt, ACCEPTED},
    {EMU_ROW_M11, WSL2, "", m11, INVALID, NO_HANDLE, m11_beside, ACCEPTED},
    {EMU_ROW_M12, WSL2, "", m12, INVALID, ACCEPTED, own_over_memory, ACCEPTED},
    {EMU_ROW_M13, WSL2, "", m13, INVALID, ACCEPTED, m13_beside, ACCEPTED},
    {EMU_ROW_M23, WSL2 | WINE, "", m23, INVALID, ACCEPTED, m23_beside, ACCEPTED},
    {EMU_ROW_M28, WSL2, "", m28, INVALID, ACCEPTED, own, ACCEPTED},
    {EMU_ROW_M28, WSL2, "", m28, INVALID, ACCEPTED, own_over_memory, ACCEPTED},
    {EMU_ROW_U2, WINE, "", own_over_memory, INVALID, ACCEPTED, own, ACCEPTED},
    {EMU_ROW_U2, WINE, "", m12, INVALID, ACCEPTED, own, ACCEPTED},
    {EMU_ROW_U2, WINE, "", m13, INVALID, ACCEPTED, own, ACCEPTED},
    {EMU_ROW_CAF_002, WINE, ",strict", caf_002, ACCEPTED, INVALID, reserved_now, INVALID},
    {EMU_ROW_CAF_007, WINE, ",strict", m5_protected, ACCEPTED, INVALID, reserved_now, INVALID},
    {EMU_ROW_CAF_010, WINE, "", caf_010, ACCEPTED, INVALID, section_of_own, INVALID},
    {EMU_ROW_CAF_018, WINE, "", caf_018, ACCEPTED, INVALID, shared_alone, INVALID},
    {EMU_ROW_CAF_021, WINE, ",strict", write_combined, ACCEPTED, INVALID, reserved_now, INVALID},
    {EMU_ROW_CAF_022, WINE, ",strict", cached, ACCEPTED, INVALID, reserved_now, INVALID},
    {EMU_ROW_CAF_023, WINE, ",strict", back_buffer, ACCEPTED, INVALID, reserved_now, INVALID},
    {EMU_ROW_CAF_025, WINE, "", caf_025, ACCEPTED, INVALID, shared_alone, INVALID},
};

/* Both rows of M7b are switched by the one id, and the pointer alone is memory, too. */
static void test_shared_id(void)
{
    boot("profile=wsl2,machine=off");
    CHECK(m7b_pointer() == INVALID && m7b_none() == ACCEPTED);
    shut();
    boot("profile=wsl2,machine=off,without=M7b");
    CHECK(m7b_pointer() == INVALID && m7b_none() == INVALID && m7b_flag() == UNKNOWN);
    shut();
}

int main(void)
{
    plugin = wcts_plugin_entry();
    test_rows(trials, sizeof(trials) / sizeof(trials[0]), 1);
    test_shared_id();
    printf("%lu passed, %lu failed\n", passes, failures);
    return failures != 0;
}
