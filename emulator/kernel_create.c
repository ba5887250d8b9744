/* SPDX-License-Identifier: MIT */
/* KERNEL_ALLOCATION_CREATE (D3DKMTCreateAllocation) and KERNEL_SHARED_PRIMARY: from the caller's
 * arguments over the driver's answer to the handles. A call that is refused at any step leaves
 * nothing behind. */
#include "emu_create.h"
#include "emu_flags.h"

#include <stdlib.h>
#include <string.h>

/* D3DKMT_STANDARDALLOCATIONTYPE: an existing heap. */
#define STANDARD_EXISTING_HEAP 1u

struct wcts_D3DDDI_ALLOCATIONINFO2 emu_create_info(const struct emu_create *create, uint32_t index)
{
    struct wcts_D3DDDI_ALLOCATIONINFO2 info;
    memcpy(&info, create->infos + (size_t)index * sizeof(info), sizeof(info));
    return info;
}

int emu_create_is_standard(const struct emu_create *create)
{
    return create->standard.StandardAllocationType != WCTS_STANDARD_NONE;
}

/* True when size bytes at the offset are no part of the message; nothing at null is fine. */
static int outside(const struct emu_create *create, uint64_t offset, uint32_t size)
{
    if (offset == 0)
        return EMU_CHOICE(SIZE_ALONE_TAKEN, size != 0, 0);
    return wcts_message_at(create->message, create->message_size, offset, size, 1) == NULL;
}

/* For faults: true when all of the flags are set. */
static int has_all(uint32_t flags, uint32_t all)
{
    return (flags & all) == all;
}

/* D3DKMDT_GDISURFACEDATA::Width, of a buffer or section of the size. */
static uint32_t surface_width(uint64_t size)
{
    size = EMU_FAULT("CAF-014", size, size / 4);
    return (uint32_t)EMU_FAULT("CAF-014+odd", size,
                               size > EMU_64KB ? size & ~(EMU_64KB - 1) : size);
}

/* D3DKMDT_GDISURFACEDATA::Height and ::Type. */
static uint32_t surface_height(uint32_t flags)
{
    return EMU_FAULT("CAF-045+nt", EMU_FAULT("CAF-045", 1u, 2u),
                     flags & EMU_CREATE_NT_SECURITY_SHARING ? 0u : 1u);
}

static uint32_t surface_type(uint32_t flags)
{
    const uint32_t type = WCTS_GDISURFACE_TEXTURE_CROSSADAPTER;
    return EMU_FAULT("CAF-047+non-secure", EMU_FAULT("CAF-047", type, type - 1),
                     has_all(flags, EMU_CREATE_NON_SECURE | EMU_CREATE_READ_ONLY) ? type - 1
                                                                                  : type);
}

/* What the union names as the private data of the whole call, or NULL. */
static const void *call_data(const struct emu_create *create)
{
    return wcts_message_at(create->message, create->message_size, create->args->pPrivateDriverData,
                           create->args->PrivateDriverDataSize, 1);
}

/* Finds the standard allocation's description, which takes the place of private data. */
static wcts_status read_standard(struct emu_create *create)
{
    struct wcts_D3DKMT_CREATESTANDARDALLOCATION standard;
    const void *data = wcts_message_at(create->message, create->message_size,
                                       create->args->pStandardAllocation, 1, sizeof(standard));
    if (data == NULL)
        return WCTS_STATUS_INVALID_PARAMETER;
    memcpy(&standard, data, sizeof(standard));
    /* M7b: of another type is what stands on memory of the kernel's own. */
    if (standard.Type != STANDARD_EXISTING_HEAP && !EMU_ROW_HOLDS(create->kernel, M7B_NONE))
        return WCTS_STATUS_NOT_SUPPORTED;
    /* D3DKMDT_GDISURFACEDATA::Width, which is to carry the size, has 32 bits. */
    if (standard.Size > UINT32_MAX)
        return WCTS_STATUS_NOT_SUPPORTED;
    create->heap_size = standard.Size;
    create->private_data = EMU_FAULT(
        "CAF-029.never", NULL, create->args->PrivateDriverDataSize != 0 ? call_data(create) : NULL);
    /* Document 000, ExistingSysMem: "the kernel creates a standard allocation of type GDISURFACE
     * with the following parameters". */
    create->standard = (struct wcts_driver_standard_allocation_request){
        .size = sizeof(create->standard),
        .StandardAllocationType = (uint32_t)EMU_CHOICE(
            SECTION_KIND,
            EMU_FAULT("CAF-029.surface", WCTS_STANDARD_GDISURFACE, WCTS_STANDARD_STAGINGSURFACE),
            create->flags & EMU_CREATE_EXISTING_SECTION ? WCTS_STANDARD_SHADOWSURFACE
                                                        : WCTS_STANDARD_GDISURFACE),
        .Width = surface_width(standard.Size),
        .Height = surface_height(create->flags),
        .Format =
            (uint32_t)EMU_FAULT("CAF-046", WCTS_D3DDDIFMT_UNKNOWN, WCTS_D3DDDIFMT_UNKNOWN + 21),
        .Type = surface_type(create->flags),
    };
    return WCTS_STATUS_SUCCESS;
}

/* Finds the arrays and blobs that the arguments name. */
static wcts_status read_message(struct emu_create *create)
{
    const struct wcts_D3DKMT_CREATEALLOCATION *args = create->args;
    uint32_t i;
    create->infos =
        wcts_message_at(create->message, create->message_size, args->pAllocationInfo2,
                        args->NumAllocations, sizeof(struct wcts_D3DDDI_ALLOCATIONINFO2));
    if (create->infos == NULL || args->NumAllocations == 0 ||
        outside(create, args->pPrivateRuntimeData, args->PrivateRuntimeDataSize))
        return WCTS_STATUS_INVALID_PARAMETER;
    for (i = 0; i < args->NumAllocations; i++) {
        const struct wcts_D3DDDI_ALLOCATIONINFO2 info = emu_create_info(create, i);
        if (outside(create, info.pPrivateDriverData, info.PrivateDriverDataSize))
            return WCTS_STATUS_INVALID_PARAMETER;
    }
    if (create->flags & EMU_CREATE_STANDARD_ALLOCATION)
        return read_standard(create);
    if (outside(create, args->pPrivateDriverData, args->PrivateDriverDataSize))
        return WCTS_STATUS_INVALID_PARAMETER;
    create->private_data = call_data(create);
    return WCTS_STATUS_SUCCESS;
}

/* Document 000, ExistingSection: "use the section handle (hSection) instead of the system memory
 * pointer (pSystemMem)". */
static int from_buffer(const struct emu_create *create)
{
    const uint32_t memory = EMU_CREATE_EXISTING_SYSMEM | EMU_CREATE_EXISTING_SECTION;
    return (create->flags & memory) == EMU_CREATE_EXISTING_SYSMEM;
}

static wcts_status find_objects(struct emu_create *create)
{
    const struct emu_handles *handles = &create->kernel->handles;
    create->device = emu_handle_object(handles, create->args->hDevice, EMU_HANDLE_DEVICE);
    if (create->device == NULL)
        return WCTS_STATUS_INVALID_HANDLE;
    create->new_resource = (create->flags & EMU_CREATE_RESOURCE) != 0;
    if (create->new_resource || create->args->hResource == 0)
        return WCTS_STATUS_SUCCESS;
    create->resource = emu_handle_object(handles, create->args->hResource, EMU_HANDLE_RESOURCE);
    if (create->resource == NULL || create->resource->device != create->device)
        return WCTS_STATUS_INVALID_HANDLE;
    return WCTS_STATUS_SUCCESS;
}

/* Judges the memory that each allocation is to be made from. */
static wcts_status judge_backing(const struct emu_create *create)
{
    const uint32_t page_size = create->kernel->base.host->page_size;
    uint32_t i;
    for (i = 0; i < create->args->NumAllocations; i++) {
        const struct wcts_D3DDDI_ALLOCATIONINFO2 info = emu_create_info(create, i);
        /* Document 000, ExistingSysMem: "the existing system memory buffer must be page-aligned
         * and a multiple of the page size, otherwise the kernel fails the call". */
        if (from_buffer(create)) {
            const uint32_t page = EMU_FAULT("CAF-012+each", EMU_FAULT("CAF-012", page_size, 4096u),
                                            i != 0 ? 4096u : page_size);
            const int crooked = info.pSystemMem % page != 0 && !EMU_ROW_HOLDS(create->kernel, M7A);
            const int ragged = create->heap_size % EMU_FAULT("CAF-013", page_size, 4096u) != 0;
            /* For a fault: the second one begins at a page of 4 KiB that is none of the host's. */
            const int halfway = i == 1 && info.pSystemMem % EMU_GPU_PAGE_SIZE == 0;
            const int refused = EMU_FAULT("CAF-012+second-halfway", crooked, crooked && !halfway);
            if (EMU_FAULT("CAF-012+unchecked",
                          EMU_FAULT("CAF-012+later-64k",
                                    EMU_FAULT("CAF-012+later", refused, refused && i == 0),
                                    refused && (i == 0 || page_size != EMU_64KB)),
                          0) ||
                (EMU_FAULT("CAF-013+unchecked", ragged, 0) &&
                 EMU_FAULT("CAF-013+16k", 1,
                           page_size != 0x4000 || create->heap_size % EMU_GPU_PAGE_SIZE != 0) &&
                 EMU_FAULT("CAF-013+large", 1, create->heap_size <= EMU_64KB)))
                return WCTS_STATUS_INVALID_PARAMETER;
            continue;
        }
        /* Document 000, ExistingSection: the section handle is used, so there must be one. To look
         * for it here is a choice, no duty. */
        if (create->flags & EMU_CREATE_EXISTING_SECTION) {
            const struct emu_section *section =
                emu_handle_object(&create->kernel->handles, info.hSection, EMU_HANDLE_SECTION);
            if (EMU_CHOICE(SECTIONS_UNCHECKED,
                           section == NULL || section->process != create->device->process, 0))
                return WCTS_STATUS_INVALID_HANDLE;
        }
    }
    return WCTS_STATUS_SUCCESS;
}

/* Document 000, NtSecuritySharing: shared with an NT handle, "it does not have a global kernel-mode
 * D3DKMT_HANDLE"; shared otherwise, it has one. */
static int has_global_share(uint32_t flags)
{
    const uint32_t shared = flags & (EMU_CREATE_SHARED | EMU_CREATE_NT_SECURITY_SHARING);
    const int nt = (flags & EMU_CREATE_NT_SECURITY_SHARING) != 0;
    return EMU_FAULT("CAF-043.share", shared == EMU_CREATE_SHARED, !nt) ||
           EMU_FAULT("CAF-019", 0, nt) ||
           EMU_FAULT("CAF-019+cross-adapter", 0,
                     has_all(flags, EMU_CREATE_NT_SECURITY_SHARING | EMU_CREATE_CROSS_ADAPTER |
                                        EMU_CREATE_NON_SECURE)) ||
           EMU_FAULT("CAF-059+restricted", 0u, flags & EMU_CREATE_RESTRICT_SHARED_ACCESS) ||
           EMU_FAULT("CAF-059+read-only", 0,
                     has_all(flags, EMU_CREATE_READ_ONLY | EMU_CREATE_NON_SECURE) && shared == 0);
}

/* Makes the new resource, if any, with its handles. */
static wcts_status make_resource(struct emu_create *create)
{
    struct emu_resource *resource;
    struct emu_body *body;
    if (!create->new_resource)
        return WCTS_STATUS_SUCCESS;
    resource = calloc(1, sizeof(*resource));
    body = calloc(1, sizeof(*body));
    if (resource == NULL || body == NULL) {
        free(resource);
        free(body);
        return WCTS_STATUS_NO_MEMORY;
    }
    create->resource = resource;
    resource->device = create->device;
    resource->body = body;
    body->holders = 1;
    body->flags = create->flags;
    body->secure = create->device->process->secure;
    body->adapter = create->device->adapter;
    resource->hResource = emu_handle_give(create->kernel, EMU_HANDLE_RESOURCE, resource);
    if (resource->hResource == 0)
        return WCTS_STATUS_NO_MEMORY;
    if (!has_global_share(create->flags))
        return WCTS_STATUS_SUCCESS;
    body->hGlobalShare = emu_handle_give(create->kernel, EMU_HANDLE_GLOBAL_SHARE, body);
    return body->hGlobalShare != 0 ? WCTS_STATUS_SUCCESS : WCTS_STATUS_NO_MEMORY;
}

static int is_primary(const struct emu_create *create, uint32_t index)
{
    if (create->infos == NULL) /* a surface of the kernel's */
        return create->standard.StandardAllocationType == WCTS_STANDARD_SHAREDPRIMARYSURFACE;
    return (emu_create_info(create, index).Flags & EMU_ALLOCATION_PRIMARY) != 0;
}

/* Makes the allocations with their handles, and secures the buffers that they are made from. */
static wcts_status make_allocations(struct emu_create *create)
{
    struct emu_allocation **end = &create->first;
    uint32_t i;
    for (i = 0; i < create->args->NumAllocations; i++) {
        struct emu_allocation *allocation = calloc(1, sizeof(*allocation));
        struct emu_content *content;
        wcts_status status;
        if (allocation == NULL)
            return WCTS_STATUS_NO_MEMORY;
        *end = allocation;
        end = &allocation->next;
        allocation->device = create->device;
        content = emu_content_new(create->kernel, allocation);
        allocation->hAllocation =
            emu_handle_give(create->kernel, EMU_HANDLE_ALLOCATION, allocation);
        if (content == NULL || allocation->hAllocation == 0)
            return WCTS_STATUS_NO_MEMORY;
        content->flags = create->flags;
        content->primary = is_primary(create, i);
        content->standard = emu_create_is_standard(create);
        content->from_mode = create->infos == NULL && content->primary;
        content->place = i;
        if (create->flags & EMU_CREATE_STANDARD_ALLOCATION)
            content->size = create->heap_size;
        if (!from_buffer(create))
            continue;
        content->buffer.address = emu_create_info(create, i).pSystemMem;
        content->buffer.size = create->heap_size;
        status = emu_buffer_secure(create->kernel, &content->buffer);
        if (!wcts_succeeded(status) && EMU_FAULT("CAF-015.any", 1, i == 0))
            return status;
    }
    return WCTS_STATUS_SUCCESS;
}

/* Secures what is at pSystemMem, and releases it. */
static void secure_pointer(const struct emu_create *create, uint32_t index)
{
    struct emu_buffer buffer = {.address = emu_create_info(create, index).pSystemMem,
                                .size = create->heap_size};
    buffer.secured = wcts_succeeded(
        emu_user_secure(create->kernel, buffer.address, buffer.size, &buffer.handle));
    emu_buffer_release(create->kernel, &buffer);
}

/* M28: an allocation of the driver's own kind is made from the pages that the caller gives, as if
 * ExistingSysMem were set. */
static wcts_status use_memory(const struct emu_create *create, struct emu_content *content,
                              uint32_t index)
{
    const uint32_t page_size = create->kernel->base.host->page_size;
    uint64_t address;
    if (!EMU_ROW_HOLDS(create->kernel, M28))
        return WCTS_STATUS_SUCCESS;
    address = emu_create_info(create, index).pSystemMem;
    if (address == 0 || address % page_size != 0)
        return WCTS_STATUS_SUCCESS;
    if (content->size == UINT64_MAX) /* nobody said it */
        content->size = page_size;
    content->buffer.address = address;
    content->buffer.size = content->size;
    return emu_buffer_secure(create->kernel, &content->buffer);
}

/* Makes the memory that the allocations begin with. */
static wcts_status make_backing(struct emu_create *create)
{
    struct emu_allocation *allocation = create->first;
    wcts_status status = WCTS_STATUS_SUCCESS;
    uint32_t i;
    for (i = 0; allocation != NULL && wcts_succeeded(status); i++, allocation = allocation->next) {
        struct emu_section *section = NULL;
        if (create->flags & EMU_CREATE_EXISTING_SECTION)
            section = emu_handle_object(
                &create->kernel->handles,
                emu_create_info(create, EMU_FAULT("CAF-033.same+first", i, 0u)).hSection,
                EMU_HANDLE_SECTION);
        if (section != NULL)
            EMU_FAULT_DO("CAF-033.never", (void)0, secure_pointer(create, i));
        status = use_memory(create, allocation->content, i);
        if (wcts_succeeded(status))
            status = emu_content_back(create->kernel, allocation->content, section);
    }
    return status;
}

/* For faults: forgets that buffers are secured, of allocations that the driver described or of the
 * others, or of all but the first. */
static void forget_buffers(const struct emu_create *create, int described, int later)
{
    struct emu_allocation *allocation = create->first;
    for (; allocation != NULL; allocation = allocation->next)
        if (allocation->content != NULL && (later ? allocation->content->place != 0
                                                  : allocation->content->driver_knows == described))
            allocation->content->buffer.secured = 0;
}

/* Undoes everything that the call has made so far. */
static void abandon(struct emu_create *create)
{
    struct emu_resource *resource = create->new_resource ? create->resource : NULL;
    EMU_FAULT_DO("CAF-051+answered", (void)0, forget_buffers(create, 1, 0));
    EMU_FAULT_DO("CAF-051+undescribed", (void)0, forget_buffers(create, 0, 0));
    if (create->refused)
        EMU_FAULT_DO("CAF-051+refused", (void)0, forget_buffers(create, 0, 0));
    EMU_FAULT_DO("CAF-051+second", (void)0, forget_buffers(create, 0, 1));
    emu_allocations_end(create->kernel, create->first, resource);
    if (resource == NULL)
        return;
    emu_body_let_go(create->kernel, resource->body);
    emu_handle_drop(&create->kernel->handles, resource->hResource);
    free(resource);
}

/* Document 000, Zeroed: "set when the allocation was served with zero pages"; of several, when all
 * were. */
static uint32_t zeroed_flag(const struct emu_create *create)
{
    const struct emu_allocation *allocation;
    for (allocation = create->first; allocation != NULL;
         allocation = EMU_FAULT("CAF-027.set+first", allocation->next, NULL))
        if (EMU_CHOICE(NEVER_ZEROED_BEFORE_2_6, !emu_content_zeroed(allocation->content),
                       create->kernel->base.host->interface_version < EMU_WDDM_2_6 ||
                           !emu_content_zeroed(allocation->content)))
            return 0;
    return (uint32_t)EMU_FAULT("CAF-027.exactly", EMU_CREATE_ZEROED, 0) &
           create->kernel->base.version->create_named;
}

/* Puts an allocation into the resource, if there is one. */
static void join_resource(const struct emu_create *create, struct emu_allocation *allocation)
{
    struct emu_resource *resource = create->resource;
    allocation->resource = resource;
    allocation->next = NULL;
    if (resource == NULL)
        return;
    allocation->next = resource->first;
    if (allocation->next != NULL)
        allocation->next->previous = allocation;
    resource->first = allocation;
    emu_body_add(resource->body, allocation->content);
}

/* The [in] flags, as they come back. */
static uint32_t flags_back(const struct emu_create *create)
{
    const uint32_t watched = EMU_CREATE_WRITE_WATCH | EMU_CREATE_PARTIAL_SHARED_CREATION;
    const uint32_t zeroed = EMU_CREATE_ZEROED;
    uint32_t dropped =
        EMU_FAULT("CAF-056", zeroed, (uint32_t)EMU_CREATE_ZEROED | EMU_CREATE_NON_SECURE);
    dropped = EMU_FAULT(
        "CAF-056+watched", dropped,
        has_all(create->flags, watched) ? dropped | EMU_CREATE_RESTRICT_SHARED_ACCESS : dropped);
    dropped = EMU_FAULT("CAF-027.set+asked", dropped, dropped & ~zeroed);
    dropped = EMU_FAULT("CAF-008+cleared", dropped, dropped | EMU_CREATE_RESTRICT_SHARED_ACCESS);
    dropped = EMU_FAULT(
        "CAF-008+cleared-shared", dropped,
        create->flags & EMU_CREATE_SHARED ? dropped | EMU_CREATE_RESTRICT_SHARED_ACCESS : dropped);
    return create->args->Flags & ~(create->flags & dropped);
}

/* The handle by which a new resource is shared, or 0. */
static uint32_t share_back(const struct emu_create *create)
{
    const uint32_t flags = create->flags;
    const uint32_t share = create->resource->body->hGlobalShare;
    return EMU_FAULT("CAF-060+read-only",
                     EMU_FAULT("CAF-060", share, flags & EMU_CREATE_WRITE_WATCH ? 0 : share),
                     has_all(flags, EMU_CREATE_READ_ONLY | EMU_CREATE_NON_SECURE) ? 0 : share);
}

/* Puts the allocations into their resource and writes the reply, which has room for it. */
static void finish(struct emu_create *create, struct wcts_kernel_allocation_create *reply)
{
    unsigned char *at = (unsigned char *)(reply + 1);
    struct emu_allocation *allocation = create->first;
    uint32_t i;
    reply->Args = *create->args;
    reply->Args.Flags = flags_back(create) | zeroed_flag(create);
    reply->Args.Flags |= EMU_FAULT("CAF-039+next", 0u, (create->args->Flags & 1u << 22) << 1);
    reply->Args.Flags |= EMU_FAULT(
        "CAF-056.before", 0u,
        create->kernel->base.host->interface_version < EMU_WDDM_1_3 ? EMU_CREATE_ZEROED : 0u);
    if (create->resource != NULL)
        reply->Args.hResource = EMU_FAULT("CAF-042.made", create->resource->hResource,
                                          create->new_resource ? 0 : create->resource->hResource);
    else
        reply->Args.hResource = EMU_FAULT("CAF-042.none", 0u, allocation->hAllocation);
    if (create->new_resource)
        reply->Args.hGlobalShare = share_back(create);
    else
        reply->Args.hGlobalShare = EMU_FAULT("CAF-059", 0u, allocation->hAllocation);
    /* The reply does not repeat the blobs. */
    reply->Args.pPrivateRuntimeData = 0;
    reply->Args.pPrivateDriverData = 0;
    reply->Args.pAllocationInfo2 = sizeof(*reply);
    for (i = 0; i < create->args->NumAllocations; i++) {
        struct wcts_D3DDDI_ALLOCATIONINFO2 info = emu_create_info(create, i);
        struct emu_allocation *next = allocation->next;
        info.hAllocation =
            EMU_FAULT("HDR-001.allocation+zero", allocation->hAllocation,
                      i == 1 && create->resource != NULL ? 0 : allocation->hAllocation);
        if (!emu_create_is_standard(create))
            allocation->content->private_data = info.PrivateDriverDataSize;
        info.pPrivateDriverData = 0;
        memcpy(at, &info, sizeof(info));
        at += sizeof(info);
        join_resource(create, allocation);
        allocation = next;
    }
}

/* The flags as they are judged: those of the caller, but for faults. */
static uint32_t judged_flags(const struct emu_create *create)
{
    const uint32_t given = create->args->Flags;
    const uint32_t resource = given | EMU_CREATE_RESOURCE;
    const int many = create->args->NumAllocations > 2 && (given & EMU_CREATE_SHARED) != 0;
    return EMU_FAULT(
        "CAF-003+third",
        EMU_FAULT("CAF-003.later", given, create->args->hResource != 0 ? resource : given),
        many ? resource : given);
}

/* Everything that is judged before the first object is made. */
static wcts_status judge_caller(struct emu_create *create)
{
    wcts_status status = emu_create_flags_judge(create->kernel, judged_flags(create));
    if (wcts_succeeded(status))
        status = find_objects(create);
    if (wcts_succeeded(status))
        status = read_message(create);
    if (wcts_succeeded(status))
        status = judge_backing(create);
    return status;
}

/* Document 000, NoKmdAccess: "the KMD is not notified of the allocation". */
static int driver_hears(const struct emu_create *create)
{
    const uint32_t told =
        create->flags & (EMU_CREATE_NO_KMD_ACCESS | EMU_CREATE_PHYSICALLY_CONTIGUOUS);
    const int unheard = (create->flags & EMU_CREATE_NO_KMD_ACCESS) != 0;
    return (EMU_FAULT("CAF-037.created", !unheard, 1) ||
            EMU_FAULT("CAF-037.created+shared", 0,
                      has_all(create->flags, EMU_CREATE_SHARED | EMU_CREATE_NON_SECURE))) &&
           EMU_FAULT("CAF-058", 1, emu_create_is_standard(create) || !told) &&
           EMU_FAULT("CAF-058+displayable", 1,
                     emu_create_is_standard(create) ||
                         !has_all(create->flags,
                                  EMU_CREATE_SHARED_DISPLAYABLE | EMU_CREATE_CROSS_ADAPTER));
}

wcts_status emu_kernel_allocation_create(void *instance, const void *request, uint32_t request_size,
                                         void *reply, uint32_t reply_room, uint32_t *reply_size)
{
    const struct wcts_kernel_allocation_create *asked = request;
    struct emu_create create = {
        .kernel = instance, .args = &asked->Args, .message = request, .message_size = request_size};
    uint64_t needed = sizeof(*asked) + (uint64_t)asked->Args.NumAllocations *
                                           sizeof(struct wcts_D3DDDI_ALLOCATIONINFO2);
    wcts_status status;
    create.flags = asked->Args.Flags & create.kernel->base.version->create_named;
    /* CAF-010 on Wine: with both flags ExistingSection is not looked at. */
    if (EMU_ROW_HOLDS(create.kernel, CAF_010))
        create.flags &= ~(uint32_t)EMU_CREATE_EXISTING_SECTION;
    status = judge_caller(&create);
    EMU_CHOICE(SECURES_FOR_ITSELF, (void)0,
               !(create.flags & EMU_CREATE_EXISTING_SYSMEM) ? emu_choice_secure(instance)
               : wcts_succeeded(status)
                   ? emu_choice_remember(emu_create_info(&create, 0).pSystemMem)
                   : (void)0);
    if (wcts_succeeded(status) && needed > reply_room)
        status = WCTS_STATUS_BUFFER_TOO_SMALL;
    if (!wcts_succeeded(status))
        return status;
    status = make_resource(&create);
    if (wcts_succeeded(status))
        status = make_allocations(&create);
    if (wcts_succeeded(status) && driver_hears(&create))
        status = emu_create_ask_driver(&create);
    if (wcts_succeeded(status))
        status = make_backing(&create);
    if (!wcts_succeeded(status)) {
        abandon(&create);
        return status;
    }
    finish(&create, reply);
    *reply_size = (uint32_t)needed;
    EMU_CHOICE(PAGED_IN_WHEN_CREATED, (void)0, emu_choice_page_in_all(instance, create.first));
    return WCTS_STATUS_SUCCESS;
}

/* Makes the standard allocation that create describes, and answers its handle. */
static wcts_status make_standard(struct emu_create *create, void *reply)
{
    wcts_status status = make_allocations(create);
    /* Document 001, pPrivateDriverData: when the kernel passes the data to describe a shared
     * primary, it is "the first element of the array". */
    if (wcts_succeeded(status))
        status = emu_create_ask_driver(create);
    if (wcts_succeeded(status))
        status = make_backing(create);
    if (!wcts_succeeded(status)) {
        abandon(create);
        return status;
    }
    ((struct wcts_kernel_handle_reply *)reply)->Handle = create->first->hAllocation;
    return WCTS_STATUS_SUCCESS;
}

wcts_status emu_kernel_standard_allocation(void *instance, const void *request,
                                           uint32_t request_size, void *reply, uint32_t reply_room,
                                           uint32_t *reply_size)
{
    const struct wcts_kernel_standard_allocation_request *asked = request;
    const struct wcts_D3DKMT_CREATEALLOCATION args = {.hDevice = asked->hDevice,
                                                      .NumAllocations = 1};
    struct emu_create create = {
        .kernel = instance,
        .args = &args,
        .standard = {.size = sizeof(create.standard),
                     .StandardAllocationType = asked->StandardAllocationType,
                     .Width = EMU_FAULT("HDR-040", asked->Width, asked->Width + 1),
                     .Height = asked->Height,
                     .Format = EMU_FAULT("HDR-040+format", asked->Format, 0u),
                     .Type = EMU_FAULT("HDR-040+type", asked->Type, 0u)},
    };
    wcts_status status = find_objects(&create);
    (void)request_size, (void)reply_room, (void)reply_size;
    if (!wcts_succeeded(status))
        return status;
    if (asked->StandardAllocationType < WCTS_STANDARD_SHADOWSURFACE ||
        asked->StandardAllocationType > WCTS_STANDARD_GDISURFACE)
        return WCTS_STATUS_INVALID_PARAMETER;
    return make_standard(&create, reply);
}

wcts_status emu_kernel_shared_primary(void *instance, const void *request, uint32_t request_size,
                                      void *reply, uint32_t reply_room, uint32_t *reply_size)
{
    const struct wcts_kernel_shared_primary_request *asked = request;
    const int turned = EMU_FAULT("HDR-016", 0, asked->Width != asked->Height);
    const struct wcts_D3DKMT_CREATEALLOCATION args = {.hDevice = asked->hDevice,
                                                      .NumAllocations = 1};
    struct emu_create create = {
        .kernel = instance,
        .args = &args,
        .standard = {.size = sizeof(create.standard),
                     .StandardAllocationType = WCTS_STANDARD_SHAREDPRIMARYSURFACE,
                     .Width = turned ? asked->Height : asked->Width,
                     .Height = turned ? asked->Width : asked->Height,
                     .Format = EMU_FAULT("HDR-016+format", asked->Format, 0u)},
    };
    wcts_status status = find_objects(&create);
    (void)request_size, (void)reply_room, (void)reply_size;
    if (!wcts_succeeded(status))
        return status;
    create.standard.Height =
        EMU_FAULT("HDR-016+second-adapter", create.standard.Height,
                  create.device->adapter->index != 0 ? asked->Width : create.standard.Height);
    return make_standard(&create, reply);
}
