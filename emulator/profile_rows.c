/* SPDX-License-Identifier: MIT */
/*
 * The rows of the profiles. The ids are those of a collection of observations: W, S and P rows were
 * seen on Windows (P: samples of drivers), M and G rows are mostly those of WSL2's guest kernel, U
 * rows what shipping code relies on. Ids of statements stand for what Wine does not look at.
 *
 * W rows about create calls change one thing of a call that Windows accepts: a valid device,
 * hResource 0, StandardAllocation and ExistingSysMem alone, a description of type 1, no private
 * data, one allocation over aligned memory.
 *
 * No row is here for what is done without a profile already: W5, W6, W8 to W11, W15, W17, W19 to
 * W22, W25a, W26 to W28, W32, W34, W35, W37, W38, M2, M9, M14, M18, S2c, S8, G5, G5', G6 to G8,
 * G11, G18; on WSL2 and Wine also what they refuse with a status that was not seen (W2, W7, W13,
 * W25c, W29, S1, S2b).
 *
 * None is here for what cannot be said in the interface: M25 (memory that cannot be written), S3a,
 * S11, G3, G4, G12, G16, G19, G20. Nor for what a driver decides: P1 to P4, and M8 on Wine, an
 * allocation without bytes, which a driver may refuse to describe.
 *
 * Nor for what is not known well enough. On Windows: M5, M7a, M7b, M8, M12, M13, M16 to M18, M22,
 * M23, G1, G2, U1, and of U2 what it is made from. On WSL2, where the host decides or nothing was
 * seen: W3, W7, W13, W21, W23, W24, W25a to W25c, W26, W36, W38, S5a.
 */
#include "emu_flags.h"
#include "emu_kernel.h"

#include <string.h>

/* D3DKMT_STANDARDALLOCATIONTYPE, beside the existing heap, and what is no type. */
#define STANDARD_NO_TYPE 0u
#define STANDARD_INTERNAL_BACKING_STORE 2u

/* G2: what a call to the host of WSL2 carries. */
#define MOST_OPERATIONS 2048u

/* ---- KERNEL_ALLOCATION_CREATE ---- */

static int has(const struct emu_ask *ask, uint32_t flag)
{
    return (ask->flags & flag) != 0;
}

static int is_standard(const struct emu_ask *ask)
{
    return has(ask, EMU_CREATE_STANDARD_ALLOCATION);
}

static struct wcts_D3DDDI_ALLOCATIONINFO2 info_at(const struct emu_ask *ask, uint32_t index)
{
    struct wcts_D3DDDI_ALLOCATIONINFO2 info;
    memcpy(&info, ask->infos + (size_t)index * sizeof(info), sizeof(info));
    return info;
}

/* How many allocations of the call have the property. */
static uint32_t count_infos(const struct emu_ask *ask,
                            int (*property)(const struct emu_ask *ask,
                                            const struct wcts_D3DDDI_ALLOCATIONINFO2 *info))
{
    uint32_t i, count = 0;
    for (i = 0; ask->infos != NULL && i < ask->create->NumAllocations; i++) {
        const struct wcts_D3DDDI_ALLOCATIONINFO2 info = info_at(ask, i);
        count += property(ask, &info) != 0;
    }
    return count;
}

static int has_memory(const struct emu_ask *ask, const struct wcts_D3DDDI_ALLOCATIONINFO2 *info)
{
    (void)ask;
    return info->pSystemMem != 0;
}

static int has_crooked_memory(const struct emu_ask *ask,
                              const struct wcts_D3DDDI_ALLOCATIONINFO2 *info)
{
    return info->pSystemMem % ask->kernel->base.host->page_size != 0;
}

static int has_private_data(const struct emu_ask *ask,
                            const struct wcts_D3DDDI_ALLOCATIONINFO2 *info)
{
    (void)ask;
    return info->PrivateDriverDataSize != 0;
}

/* True for a standard allocation over existing memory in no given resource that has these flags,
 * and not the others of the mask. */
static int is_heap(const struct emu_ask *ask, uint32_t mask, uint32_t flags)
{
    const uint32_t heap = EMU_CREATE_STANDARD_ALLOCATION | EMU_CREATE_EXISTING_SYSMEM;
    return (ask->flags & (heap | mask)) == (heap | flags) && ask->create->hResource == 0;
}

/* True if hResource is set and names no resource. */
static int names_nothing(const struct emu_ask *ask)
{
    return ask->create->hResource != 0 &&
           emu_handle_object(&ask->kernel->handles, ask->create->hResource, EMU_HANDLE_RESOURCE) ==
               NULL;
}

/* W2: a request of which nothing is set. */
static int all_zero(const struct emu_ask *ask)
{
    static const struct wcts_D3DKMT_CREATEALLOCATION zero;
    return memcmp(ask->create, &zero, sizeof(zero)) == 0;
}

/* W13 */
static int no_device(const struct emu_ask *ask)
{
    return ask->create->hDevice == 0 && !all_zero(ask);
}

/* W3 */
static int heap_alone(const struct emu_ask *ask)
{
    return is_heap(ask, EMU_CREATE_RESOURCE | EMU_CREATE_SHARED, 0);
}

/* W24 */
static int heap_in_resource(const struct emu_ask *ask)
{
    return is_heap(ask, EMU_CREATE_RESOURCE | EMU_CREATE_SHARED, EMU_CREATE_RESOURCE);
}

/* W30 */
static int heap_shared(const struct emu_ask *ask)
{
    const uint32_t flags = EMU_CREATE_RESOURCE | EMU_CREATE_SHARED;
    return is_heap(ask, flags | EMU_CREATE_NT_SECURITY_SHARING | EMU_CREATE_CROSS_ADAPTER, flags);
}

/* W36 */
static int heap_shared_nt(const struct emu_ask *ask)
{
    const uint32_t flags = EMU_CREATE_RESOURCE | EMU_CREATE_SHARED | EMU_CREATE_NT_SECURITY_SHARING;
    return is_heap(ask, flags | EMU_CREATE_CROSS_ADAPTER, flags);
}

/* W12 */
static int standard_with_call_data(const struct emu_ask *ask)
{
    return is_standard(ask) && ask->create->PrivateDriverDataSize != 0;
}

/* M3 */
static int standard_with_private_data(const struct emu_ask *ask)
{
    return is_standard(ask) && count_infos(ask, has_private_data) != 0;
}

/* W14 */
static int heap_in_nothing(const struct emu_ask *ask)
{
    const uint32_t heap = EMU_CREATE_STANDARD_ALLOCATION | EMU_CREATE_EXISTING_SYSMEM;
    const uint32_t mask = heap | EMU_CREATE_RESOURCE | EMU_CREATE_SHARED;
    return (ask->flags & mask) == heap && names_nothing(ask);
}

/* M11 */
static int added_to_nothing(const struct emu_ask *ask)
{
    return !has(ask, EMU_CREATE_RESOURCE) && names_nothing(ask);
}

/* W23 */
static int new_resource_in_nothing(const struct emu_ask *ask)
{
    return has(ask, EMU_CREATE_RESOURCE) && names_nothing(ask);
}

/* W16 */
static int no_type(const struct emu_ask *ask)
{
    return ask->described && ask->standard.Type == STANDARD_NO_TYPE;
}

/* W18 */
static int several_standard(const struct emu_ask *ask)
{
    return is_standard(ask) && ask->create->NumAllocations > 1;
}

/* M5 */
static int over_section(const struct emu_ask *ask)
{
    return has(ask, EMU_CREATE_EXISTING_SECTION);
}

static int over_section_alone(const struct emu_ask *ask)
{
    return over_section(ask) && !has(ask, EMU_CREATE_EXISTING_SYSMEM);
}

/* M5, CAF-007 */
static int is_protected(const struct emu_ask *ask)
{
    return has(ask, EMU_CREATE_PROTECTED);
}

/* M7a */
static int crooked_heap(const struct emu_ask *ask)
{
    return is_standard(ask) && has(ask, EMU_CREATE_EXISTING_SYSMEM) &&
           count_infos(ask, has_crooked_memory) != 0;
}

/* M7b */
static int is_internal(const struct emu_ask *ask)
{
    return ask->described && ask->standard.Type == STANDARD_INTERNAL_BACKING_STORE;
}

static int internal_over_memory(const struct emu_ask *ask)
{
    return is_internal(ask) &&
           (has(ask, EMU_CREATE_EXISTING_SYSMEM) || count_infos(ask, has_memory) != 0);
}

static int internal_over_nothing(const struct emu_ask *ask)
{
    return is_internal(ask) && !internal_over_memory(ask) && !over_section(ask);
}

/* M8 */
static int empty_heap(const struct emu_ask *ask)
{
    return ask->described && ask->standard.Size == 0;
}

/* M10 */
static int shared_without_nt(const struct emu_ask *ask)
{
    return has(ask, EMU_CREATE_SHARED) && !has(ask, EMU_CREATE_NT_SECURITY_SHARING);
}

/* M12 */
static int own_over_crooked_memory(const struct emu_ask *ask)
{
    return !is_standard(ask) && count_infos(ask, has_crooked_memory) != 0;
}

/* M13 */
static int some_own_over_memory(const struct emu_ask *ask)
{
    const uint32_t count = count_infos(ask, has_memory);
    return !is_standard(ask) && count != 0 && count < ask->create->NumAllocations;
}

/* M28, U2 */
static int own_over_memory(const struct emu_ask *ask)
{
    return !is_standard(ask) && !has(ask, EMU_CREATE_EXISTING_SYSMEM) &&
           count_infos(ask, has_memory) != 0;
}

/* M23 */
static int added_to_named(const struct emu_ask *ask)
{
    const struct emu_resource *resource =
        emu_handle_object(&ask->kernel->handles, ask->create->hResource, EMU_HANDLE_RESOURCE);
    return !has(ask, EMU_CREATE_RESOURCE) && resource != NULL && resource->body->nt_shared != 0;
}

/* CAF-002: Reserved by its newest width. */
static int sets_reserved(const struct emu_ask *ask)
{
    return ask->create->Flags >> 23 != 0;
}

/* CAF-010 */
static int over_memory_and_section(const struct emu_ask *ask)
{
    return over_section(ask) && has(ask, EMU_CREATE_EXISTING_SYSMEM);
}

/* CAF-018 */
static int nt_unshared(const struct emu_ask *ask)
{
    return has(ask, EMU_CREATE_NT_SECURITY_SHARING) && !has(ask, EMU_CREATE_SHARED);
}

/* CAF-021 */
static int is_write_combined(const struct emu_ask *ask)
{
    return has(ask, EMU_CREATE_WRITE_COMBINED);
}

/* CAF-022 */
static int is_cached(const struct emu_ask *ask)
{
    return has(ask, EMU_CREATE_CACHED);
}

/* CAF-023 */
static int is_back_buffer(const struct emu_ask *ask)
{
    return has(ask, EMU_CREATE_SWAP_CHAIN_BACK_BUFFER);
}

/* CAF-025 */
static int is_opened(const struct emu_ask *ask)
{
    return has(ask, EMU_CREATE_OPEN_CROSS_ADAPTER);
}

/* ---- KERNEL_ALLOCATION_DESTROY ---- */

static const struct wcts_D3DKMT_DESTROYALLOCATION2 *destroy_of(const struct emu_ask *ask)
{
    return &((const struct wcts_kernel_allocation_destroy_request *)ask->request)->Args;
}

/* The allocations of a list without a resource. An element is NULL when its handle names none. */
struct list {
    const unsigned char *handles; /* NULL: there is no list */
    uint32_t count;
};

static struct list list_of(const struct emu_ask *ask)
{
    const struct wcts_D3DKMT_DESTROYALLOCATION2 *args = destroy_of(ask);
    struct list list = {NULL, args->AllocationCount};
    if (args->hResource == 0 && list.count != 0)
        list.handles = wcts_message_at(ask->request, ask->size, args->phAllocationList, list.count,
                                       sizeof(uint32_t));
    if (list.handles == NULL)
        list.count = 0;
    return list;
}

static const struct emu_allocation *listed(const struct emu_ask *ask, const struct list *list,
                                           uint32_t index)
{
    uint32_t handle;
    memcpy(&handle, list->handles + (size_t)index * sizeof(handle), sizeof(handle));
    return emu_handle_object(&ask->kernel->handles, handle, EMU_HANDLE_ALLOCATION);
}

/* W4 */
static int destroys_nothing(const struct emu_ask *ask)
{
    return destroy_of(ask)->hResource == 0 && destroy_of(ask)->AllocationCount == 0;
}

/* W7 */
static int lists_dead(const struct emu_ask *ask)
{
    const struct list list = list_of(ask);
    uint32_t i;
    for (i = 0; i < list.count; i++)
        if (listed(ask, &list, i) == NULL)
            return 1;
    return 0;
}

/* W25b */
static int resource_with_pointer(const struct emu_ask *ask)
{
    const struct wcts_D3DKMT_DESTROYALLOCATION2 *args = destroy_of(ask);
    return args->hResource != 0 && args->AllocationCount == 0 && args->phAllocationList != 0;
}

/* W25c */
static int destroys_dead_resource(const struct emu_ask *ask)
{
    const uint32_t handle = destroy_of(ask)->hResource;
    return handle != 0 &&
           emu_handle_object(&ask->kernel->handles, handle, EMU_HANDLE_RESOURCE) == NULL;
}

/* U1 */
static int resource_and_list(const struct emu_ask *ask)
{
    const struct wcts_D3DKMT_DESTROYALLOCATION2 *args = destroy_of(ask);
    return args->hResource != 0 && args->AllocationCount == 1 && args->phAllocationList != 0;
}

/* M16. What an allocation is made in owns it, a resource or else the device. */
static int lists_several_owners(const struct emu_ask *ask)
{
    const struct list list = list_of(ask);
    const struct emu_allocation *first = list.count != 0 ? listed(ask, &list, 0) : NULL;
    uint32_t i;
    for (i = 1; first != NULL && i < list.count; i++) {
        const struct emu_allocation *other = listed(ask, &list, i);
        if (other != NULL && (other->device != first->device || other->resource != first->resource))
            return 1;
    }
    return 0;
}

/* M17 */
static int lists_shared(const struct emu_ask *ask)
{
    const struct list list = list_of(ask);
    uint32_t i;
    for (i = 0; i < list.count; i++) {
        const struct emu_allocation *allocation = listed(ask, &list, i);
        if (allocation != NULL && allocation->resource != NULL &&
            (allocation->resource->body->flags & EMU_CREATE_SHARED))
            return 1;
    }
    return 0;
}

/* ---- KERNEL_SHARE and KERNEL_OPEN_GLOBAL ---- */

/* What a share call of a live process names, if it is of the kind; or NULL. */
static const void *shared_object(const struct emu_ask *ask, enum emu_handle_kind kind)
{
    const struct wcts_kernel_share_request *asked = ask->request;
    const struct emu_handles *handles = &ask->kernel->handles;
    if (emu_handle_object(handles, asked->hProcess, EMU_HANDLE_PROCESS) == NULL)
        return NULL;
    return emu_handle_object(handles, asked->hObject, kind);
}

/* The resource of the process that a share call names; or NULL. */
static const struct emu_resource *shared_resource(const struct emu_ask *ask)
{
    const struct wcts_kernel_share_request *asked = ask->request;
    const struct emu_resource *resource = shared_object(ask, EMU_HANDLE_RESOURCE);
    return resource != NULL && resource->device->process->hProcess == asked->hProcess ? resource
                                                                                      : NULL;
}

/* S1 */
static int shares_allocation(const struct emu_ask *ask)
{
    return shared_object(ask, EMU_HANDLE_ALLOCATION) != NULL;
}

/* S2a */
static int shares_unshared(const struct emu_ask *ask)
{
    const struct emu_resource *resource = shared_resource(ask);
    return resource != NULL && !(resource->body->flags & EMU_CREATE_SHARED);
}

/* S2b */
static int shares_without_nt(const struct emu_ask *ask)
{
    const struct emu_resource *resource = shared_resource(ask);
    const uint32_t mask = EMU_CREATE_SHARED | EMU_CREATE_NT_SECURITY_SHARING;
    return resource != NULL && (resource->body->flags & mask) == EMU_CREATE_SHARED;
}

/* M22 */
static int shares_undescribed(const struct emu_ask *ask)
{
    const struct emu_resource *resource = shared_resource(ask);
    const struct emu_content *content = resource != NULL ? resource->body->contents : NULL;
    while (content != NULL && content->private_data == 0)
        content = content->next_sibling;
    return resource != NULL && content == NULL;
}

/* W29 */
static int opens_local(const struct emu_ask *ask)
{
    const struct wcts_kernel_open_global_request *asked = ask->request;
    return emu_handle_object(&ask->kernel->handles, asked->hGlobalShare, EMU_HANDLE_RESOURCE) !=
           NULL;
}

/* ---- KERNEL_VA_UPDATE ---- */

/* The number of operations, where there is the call; else one that no row is about. */
static uint32_t operation_count(const struct emu_ask *ask)
{
    const struct wcts_kernel_va_update_request *asked = ask->request;
    return ask->kernel->base.host->interface_version >= EMU_WDDM_2_0 ? asked->Args.NumOperations
                                                                     : 1;
}

/* G1 */
static int updates_nothing(const struct emu_ask *ask)
{
    return operation_count(ask) == 0;
}

/* G2 */
static int updates_too_much(const struct emu_ask *ask)
{
    return operation_count(ask) > MOST_OPERATIONS;
}

/* ---- the table ---- */

#define WINDOWS EMU_SYSTEM_WINDOWS
#define WSL2 EMU_SYSTEM_WSL2
#define WINE EMU_SYSTEM_WINE

#define ROW(row, id, systems, operation, holds, refused)                                           \
    [EMU_ROW_##row] = {id, systems, WCTS_KERNEL_##operation, holds, refused}
#define ACCEPTED(row, id, systems, operation, holds)                                               \
    ROW(row, id, systems, operation, holds, WCTS_STATUS_SUCCESS)
#define INVALID(row, id, systems, operation, holds)                                                \
    ROW(row, id, systems, operation, holds, WCTS_STATUS_INVALID_PARAMETER)
#define NO_HANDLE(row, id, systems, operation, holds)                                              \
    ROW(row, id, systems, operation, holds, WCTS_STATUS_INVALID_HANDLE)
/* Rows that are no matter of a single request. */
#define DONE(row, id, systems) [EMU_ROW_##row] = {id, systems, 0, NULL, WCTS_STATUS_SUCCESS}

const struct emu_row emu_rows[EMU_ROW_COUNT] = {
    INVALID(W2, "W2", WINDOWS, ALLOCATION_CREATE, all_zero),
    ACCEPTED(W3, "W3", WINDOWS | WINE, ALLOCATION_CREATE, heap_alone),
    ACCEPTED(W4, "W4", WINDOWS | WINE, ALLOCATION_DESTROY, destroys_nothing),
    INVALID(W7, "W7", WINDOWS, ALLOCATION_DESTROY, lists_dead),
    INVALID(W12, "W12", WINDOWS | WSL2 | WINE, ALLOCATION_CREATE, standard_with_call_data),
    INVALID(W13, "W13", WINDOWS, ALLOCATION_CREATE, no_device),
    NO_HANDLE(W14, "W14", WINDOWS | WINE, ALLOCATION_CREATE, heap_in_nothing),
    INVALID(W16, "W16", WINDOWS | WSL2 | WINE, ALLOCATION_CREATE, no_type),
    INVALID(W18, "W18", WINDOWS | WSL2 | WINE, ALLOCATION_CREATE, several_standard),
    NO_HANDLE(W23, "W23", WINDOWS | WINE, ALLOCATION_CREATE, new_resource_in_nothing),
    ACCEPTED(W24, "W24", WINDOWS | WINE, ALLOCATION_CREATE, heap_in_resource),
    ACCEPTED(W25B, "W25b", WINDOWS | WINE, ALLOCATION_DESTROY, resource_with_pointer),
    INVALID(W25C, "W25c", WINDOWS, ALLOCATION_DESTROY, destroys_dead_resource),
    INVALID(W29, "W29", WINDOWS, OPEN_GLOBAL, opens_local),
    ACCEPTED(W30, "W30", WINDOWS | WINE, ALLOCATION_CREATE, heap_shared),
    ACCEPTED(W36, "W36", WINDOWS | WINE, ALLOCATION_CREATE, heap_shared_nt),
    INVALID(S1, "S1", WINDOWS, SHARE, shares_allocation),
    INVALID(S2A, "S2a", WINDOWS | WINE, SHARE, shares_unshared),
    INVALID(S2B, "S2b", WINDOWS, SHARE, shares_without_nt),
    DONE(S5A, "S5a", WINDOWS | WINE),
    DONE(P5, "P5", WINDOWS),
    INVALID(M3, "M3", WSL2, ALLOCATION_CREATE, standard_with_private_data),
    INVALID(M5_SECTION, "M5", WSL2, ALLOCATION_CREATE, over_section),
    INVALID(M5_SECTION_ALONE, "M5", WINE, ALLOCATION_CREATE, over_section_alone),
    INVALID(M5_PROTECTED, "M5", WSL2, ALLOCATION_CREATE, is_protected),
    ACCEPTED(M7A, "M7a", WINE, ALLOCATION_CREATE, crooked_heap),
    INVALID(M7B_MEMORY, "M7b", WSL2 | WINE, ALLOCATION_CREATE, internal_over_memory),
    ACCEPTED(M7B_NONE, "M7b", WSL2, ALLOCATION_CREATE, internal_over_nothing),
    INVALID(M8, "M8", WSL2, ALLOCATION_CREATE, empty_heap),
    INVALID(M10, "M10", WSL2, ALLOCATION_CREATE, shared_without_nt),
    INVALID(M11, "M11", WSL2, ALLOCATION_CREATE, added_to_nothing),
    INVALID(M12, "M12", WSL2, ALLOCATION_CREATE, own_over_crooked_memory),
    INVALID(M13, "M13", WSL2, ALLOCATION_CREATE, some_own_over_memory),
    INVALID(M16, "M16", WSL2, ALLOCATION_DESTROY, lists_several_owners),
    INVALID(M17, "M17", WSL2, ALLOCATION_DESTROY, lists_shared),
    INVALID(M22, "M22", WSL2, SHARE, shares_undescribed),
    INVALID(M23, "M23", WSL2 | WINE, ALLOCATION_CREATE, added_to_named),
    ACCEPTED(M28, "M28", WSL2, ALLOCATION_CREATE, own_over_memory),
    INVALID(G1, "G1", WSL2, VA_UPDATE, updates_nothing),
    INVALID(G2, "G2", WSL2, VA_UPDATE, updates_too_much),
    DONE(G13, "G13", WSL2),
    ACCEPTED(U1, "U1", WINE, ALLOCATION_DESTROY, resource_and_list),
    INVALID(U2, "U2", WINE, ALLOCATION_CREATE, own_over_memory),
    ACCEPTED(CAF_002, "CAF-002", WINE, ALLOCATION_CREATE, sets_reserved),
    ACCEPTED(CAF_007, "CAF-007", WINE, ALLOCATION_CREATE, is_protected),
    ACCEPTED(CAF_010, "CAF-010", WINE, ALLOCATION_CREATE, over_memory_and_section),
    ACCEPTED(CAF_018, "CAF-018", WINE, ALLOCATION_CREATE, nt_unshared),
    ACCEPTED(CAF_021, "CAF-021", WINE, ALLOCATION_CREATE, is_write_combined),
    ACCEPTED(CAF_022, "CAF-022", WINE, ALLOCATION_CREATE, is_cached),
    ACCEPTED(CAF_023, "CAF-023", WINE, ALLOCATION_CREATE, is_back_buffer),
    ACCEPTED(CAF_025, "CAF-025", WINE, ALLOCATION_CREATE, is_opened),
};
