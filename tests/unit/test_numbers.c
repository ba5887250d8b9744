/* SPDX-License-Identifier: MIT */
/*
 * The numbers that no document gives. The tables below were made by hand from public headers, each
 * number with two sources, apart from include/wddm-cts.h and from spec/: the header's constants,
 * the numbers of the loaded spec, and what the emulator does when asked are compared with them.
 * Runs in the top directory.
 *
 * Sources:
 *   N    ntstatus.h of the Windows SDK 10.0.16299
 *   D16  d3dkmdt.h, d3dukmdt.h, d3dkmthk.h, d3dkmddi.h of that kit
 *   LX   the same headers in microsoft/libdxg (interface 3.0)
 *   LH   d3dkmthk.h of microsoft/WSL2-Linux-Kernel
 *   LM   misc.h of the dxgkrnl driver there
 *   NE   ntstatus.h of Wine
 *   M    the DxgKrnl event manifest of Windows 10 build 18990
 *   P    Microsoft's DDI reference of March 2024
 *   K    d3dkmddi.h, ntddk.h, wdm.h of the driver kit 10.0.22621
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../runner/load/spec_files.h"
#include "runner/lang/expr.h"
#include "runner/machine/machine.h"
#include "runner/model/cases.h"
#include "suite.h"

#define COUNT(list) ((int)(sizeof(list) / sizeof *(list)))

/* ---- The header ---- */

#define STATUS(name) "WCTS_STATUS_" #name, (uint32_t)WCTS_STATUS_##name

static const struct {
    const char *name;
    uint64_t ours, windows;
    const char *sources;
} constants[] = {
    {STATUS(SUCCESS), 0x00000000, "N NE"},
    {STATUS(PENDING), 0x00000103, "N NE LM"},
    {STATUS(NOT_IMPLEMENTED), 0xC0000002, "N NE LM"},
    {STATUS(INVALID_HANDLE), 0xC0000008, "N NE LM"},
    {STATUS(INVALID_PARAMETER), 0xC000000D, "N NE LM"},
    {STATUS(NO_MEMORY), 0xC0000017, "N NE LM"},
    {STATUS(ACCESS_DENIED), 0xC0000022, "N NE LM"},
    {STATUS(BUFFER_TOO_SMALL), 0xC0000023, "N NE LM"},
    {STATUS(INSUFFICIENT_RESOURCES), 0xC000009A, "N NE"},
    {STATUS(NOT_SUPPORTED), 0xC00000BB, "N NE LM"},
    {STATUS(DEVICE_REMOVED), 0xC00002B6, "N NE LM"},
    {"SHAREDPRIMARYSURFACE", WCTS_STANDARD_SHAREDPRIMARYSURFACE, 1, "D16 LX LH P"},
    {"SHADOWSURFACE", WCTS_STANDARD_SHADOWSURFACE, 2, "D16 LX LH P"},
    {"STAGINGSURFACE", WCTS_STANDARD_STAGINGSURFACE, 3, "D16 LX LH P"},
    {"GDISURFACE", WCTS_STANDARD_GDISURFACE, 4, "D16 LX LH P"},
    {"GDISURFACE_TEXTURE_CROSSADAPTER", WCTS_GDISURFACE_TEXTURE_CROSSADAPTER, 7, "D16 LX LH M"},
    {"D3DDDIFMT_UNKNOWN", WCTS_D3DDDIFMT_UNKNOWN, 0, "D16 LX LH"},
    {"TRANSFER", WCTS_PAGING_TRANSFER, 0, "D16 K P"},
    {"FILL", WCTS_PAGING_FILL, 1, "D16 K P"},
    {"MAP_APERTURE_SEGMENT", WCTS_PAGING_MAP_APERTURE, 5, "D16 K P"},
    {"UNMAP_APERTURE_SEGMENT", WCTS_PAGING_UNMAP_APERTURE, 6, "D16 K P"},
};

START_TEST(the_headers_constants)
{
    ck_assert_msg(constants[_i].ours == constants[_i].windows, "%s is 0x%llx, expected 0x%llx (%s)",
                  constants[_i].name, (unsigned long long)constants[_i].ours,
                  (unsigned long long)constants[_i].windows, constants[_i].sources);
}
END_TEST

/* ---- The spec ---- */

static struct wcts_spec *spec;

static void load(void)
{
    struct wcts_diagnostics diagnostics = {.out = stderr};
    spec = wcts_load_spec_load("spec", "cases", NULL, 0, &diagnostics);
    ck_assert_ptr_nonnull(spec);
}

static void unload(void)
{
    wcts_load_spec_free(spec);
}

static const struct {
    const char *word, *flag;
    int bit;
    const char *sources;
} bits[] = {
    {"wcts_paging_operations", "Transfer", 0, "D16 K P"},
    {"wcts_paging_operations", "Fill", 1, "D16 K P"},
    {"wcts_paging_operations", "MapAperture", 5, "D16 K P"},
    {"wcts_paging_operations", "UnmapAperture", 6, "D16 K P"},
    {"wcts_patch_flags", "Paging", 0, "D16 K"},
    {"wcts_patch_flags", "Present", 1, "D16 K"},
    {"wcts_patch_flags", "RedirectedPresent", 2, "D16 K"},
    {"wcts_patch_flags", "NullRendering", 3, "D16 K"},
    {"D3DDDIGPUVIRTUALADDRESS_PROTECTION_TYPE", "Write", 0, "LX LH"},
    {"D3DDDIGPUVIRTUALADDRESS_PROTECTION_TYPE", "Execute", 1, "LX LH"},
    {"D3DDDIGPUVIRTUALADDRESS_PROTECTION_TYPE", "Zero", 2, "LX LH"},
    {"D3DDDIGPUVIRTUALADDRESS_PROTECTION_TYPE", "NoAccess", 3, "LX LH"},
    {"D3DDDIGPUVIRTUALADDRESS_PROTECTION_TYPE", "SystemUseOnly", 4, "LX LH"},
};

static const struct wcts_word *find_word(const char *name)
{
    for (int i = 0; i < spec->words_count; i++)
        if (strcmp(spec->words[i].name, name) == 0)
            return &spec->words[i];
    ck_abort_msg("no word %s", name);
}

/* The words have these flags, and no other. */
START_TEST(the_specs_bits)
{
    const struct wcts_word *word = find_word(bits[_i].word);
    int known = 0, found = -1;
    for (int i = 0; i < COUNT(bits); i++)
        known += strcmp(bits[i].word, bits[_i].word) == 0;
    ck_assert_int_eq(word->flag_count, known);
    for (int i = 0; i < word->flag_count; i++)
        if (strcmp(word->flags[i].name, bits[_i].flag) == 0)
            found = word->flags[i].bit;
    ck_assert_msg(found == bits[_i].bit, "%s.%s is bit %d, expected %d (%s)", bits[_i].word,
                  bits[_i].flag, found, bits[_i].bit, bits[_i].sources);
}
END_TEST

/* Every number that a rule, a condition of one or a step compares such a member with or puts there.
 * 0x12345678 is a priority that no header names: a driver may name any but 0. */
#define VALUES_MAX 8

static const struct {
    const char *structure, *member;
    int count;
    uint64_t values[VALUES_MAX];
    const char *sources;
} members[] = {
    {"DRIVER_PAGING", "Operation", 4, {0, 1, 5, 6}, "D16 K P"},
    {"DRIVER_STANDARD_ALLOCATION", "StandardAllocationType", 4, {1, 2, 3, 4}, "D16 LX LH P"},
    {"DRIVER_STANDARD_ALLOCATION", "Type", 1, {7}, "D16 LX LH M"},
    {"DRIVER_STANDARD_ALLOCATION", "Format", 3, {0, 21, 22}, "D16 LX"},
    {"DRIVER_ALLOCATION_CREATE", "StandardAllocationType", 5, {0, 1, 2, 3, 4}, "D16 LX LH P"},
    {"D3DKMT_CREATESTANDARDALLOCATION", "Type", 1, {1}, "D16 LX LH P"},
    {"KERNEL_VA_RESERVE", "ReservationType", 2, {0, 1}, "D16 LX LH"},
    {"Map", "OperationType", 1, {0}, "D16 LX LH"},
    {"Unmap", "OperationType", 1, {1}, "D16 LX LH"},
    {"Copy", "OperationType", 1, {2}, "D16 LX LH"},
    {"MapProtect", "OperationType", 1, {3}, "D16 LX LH"},
    {"KERNEL_SHARED_PRIMARY", "Format", 6, {0, 21, 22, 28, 32, 33}, "D16 LX M"},
    {"DXGK_ALLOCATIONINFO",
     "AllocationPriority",
     6,
     {0x28000000, 0x50000000, 0x78000000, 0xA0000000, 0xC8000000, 0x12345678},
     "D16 LX P"},
};

static int uses[COUNT(members)]; /* numbers of the spec that were compared with each */

static void check_number(const struct wcts_place *place, struct wcts_ref ref, uint64_t number)
{
    const struct wcts_structure *structure = &spec->structures[ref.structure];
    for (int i = 0; i < COUNT(members); i++) {
        int known = 0;
        if (ref.flag >= 0 || strcmp(structure->name, members[i].structure) != 0 ||
            strcmp(structure->members[ref.member].name, members[i].member) != 0)
            continue;
        for (int k = 0; k < members[i].count; k++)
            known |= members[i].values[k] == number;
        ck_assert_msg(known, "%s:%ld: %s.%s is 0x%llx (%s)", place->file, place->line,
                      members[i].structure, members[i].member, (unsigned long long)number,
                      members[i].sources);
        uses[i]++;
    }
}

/* Calls visit for each number with which an expression compares a member; whether it is 0 is no
 * comparison, but to be in {0} is one. */
typedef void visit_fn(void *context, struct wcts_ref ref, uint64_t number);

static void visit_numbers(int index, visit_fn *visit, void *context)
{
    const struct wcts_lang_node *nodes = spec->exprs->nodes, *node = &nodes[index];
    const struct wcts_lang_node *left, *right;
    struct wcts_ref ref;
    if (index == 0 || node->op > WCTS_OP_IN)
        return;
    if (node->op <= WCTS_OP_NOT) {
        for (int i = node->a; i; i = nodes[i].next)
            visit_numbers(i, visit, context);
        return;
    }
    left = &nodes[node->a];
    right = &nodes[node->b];
    if (left->op == WCTS_OP_FOLLOW)
        left = &nodes[left->b];
    if (node->op == WCTS_OP_IN && right->op == WCTS_OP_SET)
        right = &nodes[right->a];
    else if (node->op > WCTS_OP_NE || (right->op == WCTS_OP_NUMBER && right->number == 0))
        return;
    if (left->op != WCTS_OP_MEMBER || right->op != WCTS_OP_NUMBER)
        return;
    ref = (struct wcts_ref){left->ref.structure, left->ref.member, left->ref.flag};
    visit(context, ref, right->number);
}

static void visit_rule(const struct wcts_rule *rule, visit_fn *visit, void *context)
{
    visit_numbers(rule->breach.when, visit, context);
    visit_numbers(rule->breach.refuse, visit, context);
    visit_numbers(rule->breach.unless, visit, context);
    if (!rule->effect)
        return;
    visit_numbers(rule->effect->when, visit, context);
    visit_numbers(rule->effect->where, visit, context);
    visit_numbers(rule->effect->holds, visit, context);
}

static void check_compared(void *place, struct wcts_ref ref, uint64_t number)
{
    check_number(place, ref, number);
}

static void check_instances(const struct wcts_instance *instances, int count)
{
    for (int i = 0; i < count; i++)
        for (int k = 0; k < instances[i].set_count; k++) {
            const struct wcts_set *set = &instances[i].sets[k];
            if (set->value.symbol < 0)
                check_number(&set->place, set->ref, set->value.number);
        }
}

START_TEST(the_specs_values)
{
    const struct wcts_cases *cases = spec->cases;
    memset(uses, 0, sizeof uses);
    for (int i = 0; i < spec->rules_count; i++) {
        const struct wcts_rule *rule = &spec->rules[i];
        struct wcts_place place = rule->place;
        visit_rule(rule, check_compared, &place);
    }
    for (int i = 0; i < cases->steps_count; i++)
        check_instances(cases->steps[i].instances, cases->steps[i].instance_count);
    for (int i = 0; i < cases->adapters_count; i++)
        check_instances(cases->adapters[i].instances, cases->adapters[i].instance_count);
    for (int i = 0; i < COUNT(members); i++)
        ck_assert_msg(uses[i] > 0, "the spec has no number for %s.%s", members[i].structure,
                      members[i].member);
}
END_TEST

/* Which number a rule is about: that it is one of the right ones is not enough. */
static const struct {
    const char *rule, *member;
    uint64_t number;
    const char *what;
} meanings[] = {
    {"AIN-013.asked", "Operation", 5, "map aperture"},
    {"AIN-013.where", "Operation", 5, "map aperture"},
    {"CAF-036.mapped", "Operation", 5, "map aperture"},
    {"CAF-036.moved", "Operation", 0, "transfer"},
    {"CAF-029.surface", "StandardAllocationType", 4, "GDI surface"},
    {"CAF-046", "Format", 0, "format unknown"},
    {"CAF-047", "Type", 7, "texture that crosses adapters"},
    {"CAF-048", "StandardAllocationType", 4, "GDI surface"},
    {"SEG-034", "StandardAllocationType", 1, "shared primary"},
};

struct said {
    const char *member;
    uint64_t number;
    int times;
};

static void note_said(void *context, struct wcts_ref ref, uint64_t number)
{
    struct said *said = context;
    said->times +=
        number == said->number && strcmp(wcts_model_ref_member(spec, ref)->name, said->member) == 0;
}

START_TEST(the_specs_meanings)
{
    int found = 0, said = 0;
    for (int i = 0; i < spec->rules_count; i++) {
        const struct wcts_rule *rule = &spec->rules[i];
        struct said about = {meanings[_i].member, meanings[_i].number, 0};
        if (strcmp(rule->id, meanings[_i].rule) != 0)
            continue;
        found++;
        visit_rule(rule, note_said, &about);
        said += about.times;
    }
    ck_assert_msg(found == 1, "%s: %d rules", meanings[_i].rule, found);
    ck_assert_msg(said > 0, "%s is not about %s %llu (%s)", meanings[_i].rule, meanings[_i].member,
                  (unsigned long long)meanings[_i].number, meanings[_i].what);
}
END_TEST

/* UVA-053: an operation type of those that there are. */
START_TEST(the_last_operation_type)
{
    for (int i = 0; i < spec->rules_count; i++)
        if (strcmp(spec->rules[i].id, "UVA-053") == 0) {
            const struct wcts_lang_node *nodes = spec->exprs->nodes;
            ck_assert_uint_eq(nodes[nodes[spec->rules[i].breach.refuse].b].number, 3);
            return;
        }
    ck_abort_msg("no rule UVA-053");
}
END_TEST

/* ---- The emulator: a kernel between its own driver and a machine ---- */

#define ASKED_MAX 256
#define WDDM_3_0 0xF003u
#define PAGE 4096u

static struct {
    struct wcts_machine *machine;
    const struct wcts_plugin *plugin;
    struct wcts_host host;
    void *kernel, *driver;
    struct wcts_driver_standard_allocation_request standard[ASKED_MAX];
    struct wcts_driver_paging_request paging[ASKED_MAX];
    int standards, pagings;
    uint64_t reply[WCTS_REPLY_ROOM / 8];
    uint32_t process, adapter, device;
} emulator;

static void note(uint32_t operation, const void *request)
{
    if (operation == WCTS_DRIVER_STANDARD_ALLOCATION && emulator.standards < ASKED_MAX)
        emulator.standard[emulator.standards++] =
            *(const struct wcts_driver_standard_allocation_request *)request;
    if (operation == WCTS_DRIVER_PAGING && emulator.pagings < ASKED_MAX)
        emulator.paging[emulator.pagings++] = *(const struct wcts_driver_paging_request *)request;
}

static wcts_status between(void *ctx, uint32_t operation, const void *request, uint32_t size,
                           void *reply, uint32_t room, uint32_t *reply_size)
{
    (void)ctx;
    if (operation >> 8 == WCTS_MACHINE_READ >> 8)
        return wcts_machine_call(emulator.machine, operation, request, size, reply, room,
                                 reply_size);
    note(operation, request);
    return emulator.plugin->call(emulator.driver, operation, request, size, reply, room,
                                 reply_size);
}

static wcts_status ask(void *side, uint32_t operation, const void *request, uint32_t size)
{
    uint32_t reply_size;
    memset(emulator.reply, 0, sizeof emulator.reply);
    return emulator.plugin->call(side, operation, request, size, emulator.reply,
                                 sizeof emulator.reply, &reply_size);
}

#define KERNEL(operation, ...) kernel_call(operation, &(__VA_ARGS__), sizeof(__VA_ARGS__))

/* The kernel's reply to a call that is to be accepted. */
static const void *kernel_call(uint32_t operation, const void *request, size_t size)
{
    wcts_status status = ask(emulator.kernel, operation, request, (uint32_t)size);
    ck_assert_msg(wcts_succeeded(status), "%s: 0x%08x", wcts_operation_name(operation),
                  (unsigned)status);
    return emulator.reply;
}

static uint32_t handle_of(const void *reply)
{
    return ((const struct wcts_kernel_handle_reply *)reply)->Handle;
}

static void boot(void)
{
    memset(&emulator, 0, sizeof emulator);
    emulator.machine = wcts_machine_new();
    emulator.plugin = wcts_plugin_entry();
    emulator.host = (struct wcts_host){.size = sizeof emulator.host,
                                       .abi_version = WCTS_ABI_VERSION,
                                       .interface_version = WDDM_3_0,
                                       .page_size = PAGE,
                                       .call = between,
                                       .options = ""};
    emulator.driver = emulator.plugin->open(&emulator.host, WCTS_SIDE_DRIVER);
    emulator.kernel = emulator.plugin->open(&emulator.host, WCTS_SIDE_KERNEL);
    ck_assert(emulator.machine && emulator.driver && emulator.kernel);
    emulator.adapter =
        handle_of(KERNEL(WCTS_KERNEL_ADAPTER_START,
                         (struct wcts_kernel_adapter_start_request){.size = 8, .Index = 0}));
    emulator.process = handle_of(
        KERNEL(WCTS_KERNEL_PROCESS, (struct wcts_kernel_process_request){.size = 8, .Secure = 0}));
    emulator.device = handle_of(KERNEL(
        WCTS_KERNEL_DEVICE, (struct wcts_kernel_device_request){
                                .size = 16, emulator.adapter, .hProcess = emulator.process}));
}

static void shut_down(void)
{
    emulator.plugin->close(emulator.kernel);
    emulator.plugin->close(emulator.driver);
    wcts_machine_free(emulator.machine);
}

struct create {
    struct wcts_kernel_allocation_create call;
    struct wcts_D3DDDI_ALLOCATIONINFO2 info;
    struct wcts_D3DKMT_CREATESTANDARDALLOCATION standard;
    uint8_t kind[64];
};

static struct create creation(uint32_t flags)
{
    struct create create = {.call.size = sizeof create.call};
    create.call.Args.hDevice = emulator.device;
    create.call.Args.NumAllocations = 1;
    create.call.Args.pAllocationInfo2 = offsetof(struct create, info);
    create.call.Args.Flags = flags;
    return create;
}

static uint32_t created(const struct create *create)
{
    const struct wcts_kernel_allocation_create *reply =
        KERNEL(WCTS_KERNEL_ALLOCATION_CREATE, *create);
    const struct wcts_D3DDDI_ALLOCATIONINFO2 *info =
        wcts_message_at(reply, WCTS_REPLY_ROOM, reply->Args.pAllocationInfo2, 1, sizeof *info);
    ck_assert(info && info->hAllocation);
    return info->hAllocation;
}

START_TEST(the_existing_surface)
{
    /* CreateResource, CreateShared, ExistingSysMem, CrossAdapter, StandardAllocation */
    struct create create = creation(1u << 0 | 1u << 1 | 1u << 5 | 1u << 11 | 1u << 16);
    create.call.Args.pStandardAllocation = offsetof(struct create, standard);
    create.standard.Type = 1; /* existing heap: D16 LX LH P */
    create.standard.Size = 0x10000;
    create.info.pSystemMem = wcts_machine_region(emulator.machine, 0x10000, 0, 0);
    created(&create);
    ck_assert_int_eq(emulator.standards, 1);
    ck_assert_uint_eq(emulator.standard[0].StandardAllocationType, 4); /* D16 LX LH P */
    ck_assert_uint_eq(emulator.standard[0].Type, 7);                   /* D16 LX LH M */
    ck_assert_uint_eq(emulator.standard[0].Format, 0);                 /* D16 LX LH */
}
END_TEST

START_TEST(the_shared_primary)
{
    KERNEL(WCTS_KERNEL_SHARED_PRIMARY,
           (struct wcts_kernel_shared_primary_request){
               .size = 24, emulator.device, .Width = 64, .Height = 64, .Format = 22});
    ck_assert_int_eq(emulator.standards, 1);
    ck_assert_uint_eq(emulator.standard[0].StandardAllocationType, 1); /* D16 LX LH P */
}
END_TEST

/* Creates an allocation of each kind that the driver lists. Returns their number. */
static int create_kinds(uint32_t *handles, int room)
{
    static uint64_t reply[WCTS_REPLY_ROOM / 8];
    const struct wcts_driver_info_reply *info = (const void *)reply;
    const struct wcts_allocation_kind *kinds;
    ck_assert(
        wcts_succeeded(ask(emulator.driver, WCTS_DRIVER_INFO, &(struct wcts_none){.size = 8}, 8)));
    memcpy(reply, emulator.reply, sizeof reply);
    kinds = wcts_message_at(reply, sizeof reply, info->pKinds, info->KindCount, sizeof *kinds);
    ck_assert(kinds && (int)info->KindCount <= room);
    for (uint32_t i = 0; i < info->KindCount; i++) {
        struct create create = creation(0);
        ck_assert_uint_le(kinds[i].PrivateDriverDataSize, sizeof create.kind);
        memcpy(create.kind, (const uint8_t *)reply + kinds[i].pPrivateDriverData,
               kinds[i].PrivateDriverDataSize);
        create.info.pPrivateDriverData = offsetof(struct create, kind);
        create.info.PrivateDriverDataSize = kinds[i].PrivateDriverDataSize;
        handles[i] = created(&create);
    }
    return (int)info->KindCount;
}

/* What a request for paging wants, by its other members and by what came before it: it moves bytes,
 * and the kernel never fills; else it unmaps what was mapped an odd number of times. */
static uint32_t operation_by_members(int number)
{
    const struct wcts_driver_paging_request *paging = &emulator.paging[number];
    uint32_t operation = 5;
    /* What is filled comes from nowhere. */
    if (paging->TransferSize > 0)
        return paging->SourceSegmentId == 0 && paging->SourceAddress == 0;
    for (int i = 0; i < number; i++)
        if (emulator.paging[i].TransferSize == 0 &&
            emulator.paging[i].SegmentId == paging->SegmentId &&
            emulator.paging[i].OffsetInPages == paging->OffsetInPages)
            operation = operation == 5 ? 6 : 5;
    return operation;
}

START_TEST(the_kernels_paging)
{
    uint32_t handles[64];
    int count = create_kinds(handles, COUNT(handles)), seen[7] = {0};
    for (int i = 0; i < count; i++) {
        struct wcts_kernel_allocation_request request = {16, emulator.device, handles[i], 1};
        KERNEL(WCTS_KERNEL_PAGE_IN, request);
        request.Write = 0;
        KERNEL(WCTS_KERNEL_EVICT, request);
        KERNEL(WCTS_KERNEL_PAGE_IN, request);
    }
    for (int i = 0; i < emulator.pagings; i++) {
        uint32_t expected = operation_by_members(i);
        ck_assert_uint_eq(emulator.paging[i].Operation, expected);
        seen[expected]++;
    }
    ck_assert(seen[0] && seen[1] && seen[5] && seen[6]);
}
END_TEST

/* The driver carries these out, and refuses every other. */
START_TEST(the_drivers_paging)
{
    const struct wcts_driver_info_reply *info = (const void *)emulator.reply;
    ck_assert(
        wcts_succeeded(ask(emulator.driver, WCTS_DRIVER_INFO, &(struct wcts_none){.size = 8}, 8)));
    ck_assert_uint_eq(info->paging_operations, 1u << 0 | 1u << 1 | 1u << 5 | 1u << 6);
    for (uint32_t operation = 0; operation < 32; operation++) {
        struct wcts_driver_paging_request paging = {.size = sizeof paging,
                                                    .Operation = operation,
                                                    .DestinationAddress = WCTS_KERNEL_MEMORY,
                                                    .SourceAddress = WCTS_KERNEL_MEMORY + PAGE,
                                                    .TransferSize = 64,
                                                    .SegmentId = 2,
                                                    .NumberOfPages = 1,
                                                    .SystemAddress = WCTS_KERNEL_MEMORY};
        wcts_status status =
            ask(emulator.driver, WCTS_DRIVER_PAGING, &paging, (uint32_t)sizeof paging);
        int there = operation <= 1 || operation == 5 || operation == 6;
        ck_assert_msg(wcts_succeeded(status) == there, "operation %u: 0x%08x", operation,
                      (unsigned)status);
    }
}
END_TEST

static uint64_t reserved(uint32_t type, uint64_t size)
{
    struct wcts_kernel_va_reserve request = {.size = sizeof request, .hProcess = emulator.process};
    request.Args.hAdapter = emulator.adapter;
    request.Args.MaximumAddress = UINT64_C(1) << 40;
    request.Args.Size = size;
    request.Args.ReservationType = type;
    return ((const struct wcts_kernel_va_reserve *)KERNEL(WCTS_KERNEL_VA_RESERVE, request))
        ->Args.VirtualAddress;
}

static struct wcts_page page_at(uint64_t address)
{
    const struct wcts_kernel_query_pages_reply *reply = KERNEL(
        WCTS_KERNEL_QUERY_PAGES,
        (struct wcts_kernel_query_pages_request){sizeof(struct wcts_kernel_query_pages_request),
                                                 emulator.process, emulator.adapter, 1, address});
    const struct wcts_page *page =
        wcts_message_at(reply, WCTS_REPLY_ROOM, reply->pPages, 1, sizeof *page);
    ck_assert(reply->Count == 1 && page);
    return *page;
}

/* Reservation types: D16 LX LH. */
START_TEST(the_reservation_types)
{
    ck_assert_uint_eq(page_at(reserved(0, 0x10000)).State, WCTS_PAGE_INVALID);
    ck_assert_uint_eq(page_at(reserved(1, 0x10000)).State, WCTS_PAGE_ZERO);
}
END_TEST

struct update {
    struct wcts_kernel_va_update_request call;
    struct wcts_D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION operation;
};

static void update(struct wcts_D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION operation)
{
    struct update update = {.call.size = sizeof update.call, .operation = operation};
    update.call.Args.hDevice = emulator.device;
    update.call.Args.NumOperations = 1;
    update.call.Args.Operations = offsetof(struct update, operation);
    KERNEL(WCTS_KERNEL_VA_UPDATE, update);
    KERNEL(WCTS_KERNEL_SETTLE, (struct wcts_none){.size = 8});
}

/* Operation types: D16 LX LH; protections: LX LH. */
START_TEST(the_operation_types)
{
    struct create create = creation(0);
    uint32_t allocation = created(&create);
    uint64_t base = reserved(1, 0x10000);
    struct wcts_page page;
    update((struct wcts_D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION){
        .OperationType = 0,
        .Map = {.BaseAddress = base, .SizeInBytes = PAGE, .hAllocation = allocation}});
    ck_assert_uint_eq(page_at(base).hAllocation, allocation);
    update((struct wcts_D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION){
        .OperationType = 3,
        .MapProtect = {.BaseAddress = base + PAGE,
                       .SizeInBytes = PAGE,
                       .hAllocation = allocation,
                       .Protection = 1u << 0 | 1u << 1}});
    page = page_at(base + PAGE);
    ck_assert(page.State == WCTS_PAGE_MAPPED && page.Protection == 3);
    update((struct wcts_D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION){
        .OperationType = 2,
        .Copy = {.SourceAddress = base, .SizeInBytes = PAGE, .DestAddress = base + 2 * PAGE}});
    ck_assert_uint_eq(page_at(base + 2 * PAGE).State, WCTS_PAGE_MAPPED);
    update((struct wcts_D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION){
        .OperationType = 1,
        .Unmap = {.BaseAddress = base, .SizeInBytes = PAGE, .Protection = 1u << 2}});
    ck_assert_uint_eq(page_at(base).State, WCTS_PAGE_ZERO);
    update((struct wcts_D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION){
        .OperationType = 1,
        .Unmap = {.BaseAddress = base + PAGE, .SizeInBytes = PAGE, .Protection = 1u << 3}});
    ck_assert_uint_eq(page_at(base + PAGE).State, WCTS_PAGE_INVALID);
}
END_TEST

/* The priorities of the driver's kinds: D16 LX P. */
START_TEST(the_priorities)
{
    static const uint32_t named[] = {0x28000000, 0x50000000, 0x78000000, 0xA0000000, 0xC8000000};
    uint32_t handles[64], found = 0;
    int count = create_kinds(handles, COUNT(handles));
    for (int i = 0; i < count; i++) {
        const struct wcts_kernel_query_allocation_reply *reply =
            KERNEL(WCTS_KERNEL_QUERY_ALLOCATION,
                   (struct wcts_kernel_allocation_request){16, emulator.device, handles[i], 0});
        uint32_t known = 0;
        for (int k = 0; k < COUNT(named); k++)
            known |= reply->Priority == named[k] ? 1u << k : 0;
        ck_assert_msg(known, "kind %d: 0x%08x", i, reply->Priority);
        found |= known;
    }
    ck_assert_uint_eq(found, (1u << COUNT(named)) - 1);
}
END_TEST

static Suite *suite(void)
{
    Suite *all = suite_create("numbers");
    TCase *header = tcase_create("header"), *data = tcase_create("spec");
    TCase *asked = tcase_create("emulator");
    suite_add_tcase(all, header);
    suite_add_tcase(all, data);
    suite_add_tcase(all, asked);
    tcase_add_unchecked_fixture(data, load, unload);
    tcase_add_checked_fixture(asked, boot, shut_down);
    tcase_add_loop_test(header, the_headers_constants, 0, COUNT(constants));
    tcase_add_loop_test(data, the_specs_bits, 0, COUNT(bits));
    tcase_add_test(data, the_specs_values);
    tcase_add_loop_test(data, the_specs_meanings, 0, COUNT(meanings));
    tcase_add_test(data, the_last_operation_type);
    tcase_add_test(asked, the_existing_surface);
    tcase_add_test(asked, the_shared_primary);
    tcase_add_test(asked, the_kernels_paging);
    tcase_add_test(asked, the_drivers_paging);
    tcase_add_test(asked, the_reservation_types);
    tcase_add_test(asked, the_operation_types);
    tcase_add_test(asked, the_priorities);
    return all;
}

int main(void)
{
    return suite_run(suite());
}
