/* SPDX-License-Identifier: MIT */
/* DRIVER_ALLOCATION_CREATE, _DESTROY and DRIVER_STANDARD_ALLOCATION. */
#include "ddi.h"

#include <stdlib.h>

/* Like Windows' local handles: the low six bits are 0, bit 30 is set. */
#define KERNEL_HANDLE_FIRST 0x40000000u
#define KERNEL_HANDLE_STEP 0x40u

/* A create call on its way. */
struct creation {
    struct ddi_instance *instance;
    struct ddi_adapter *adapter;
    struct ddi_device *device;
    const struct wcts_driver_allocation_create_request *in;
    uint32_t in_size;
    const struct wcts_DXGK_ALLOCATIONINFO *asked;
    DXGK_ALLOCATIONINFO *infos; /* the driver's */
    struct ddi_blob resource_data;
    HANDLE resource;
};

static struct ddi_blob blob_copy(const void *data, uint32_t size)
{
    struct ddi_blob blob = {NULL, size};
    if (size != 0)
        blob.data = memcpy(ddi_new(size), data, size);
    return blob;
}

static D3DKMT_HANDLE new_kernel_handle(struct ddi_instance *instance)
{
    instance->last_kernel_handle += instance->last_kernel_handle != 0
                                        ? KERNEL_HANDLE_STEP
                                        : KERNEL_HANDLE_FIRST + KERNEL_HANDLE_STEP;
    return instance->last_kernel_handle;
}

struct ddi_allocation *ddi_allocation_of(struct ddi_instance *instance, uint64_t handle)
{
    struct ddi_allocation *allocation = instance->allocations;
    while (allocation != NULL && allocation->handle != handle)
        allocation = allocation->next;
    return allocation;
}

static struct ddi_resource *resource_of(struct ddi_instance *instance, uint64_t handle)
{
    struct ddi_resource *resource = instance->resources;
    while (resource != NULL && resource->handle != handle)
        resource = resource->next;
    return resource;
}

/* ---- create ---- */

/* One call of DxgkDdiCreateAllocation. What a driver does to the [in] members is not taken over. */
static NTSTATUS call_create(struct ddi_adapter *adapter, DXGK_ALLOCATIONINFO *infos, uint32_t count,
                            const struct ddi_blob *resource_data, uint32_t flags, HANDLE *resource)
{
    struct ddi_instance *instance = adapter->instance;
    DXGKARG_CREATEALLOCATION *args = ddi_arguments(DDI_CREATEALLOCATION);
    const size_t size = count * sizeof *infos;
    DXGK_ALLOCATIONINFO *before = memcpy(ddi_new(size), infos, size);
    NTSTATUS status;
    uint32_t i;
    args->pPrivateDriverData = resource_data->data;
    args->PrivateDriverDataSize = resource_data->size;
    args->NumAllocations = count;
    args->pAllocationInfo = infos;
    args->hResource = *resource;
    args->Flags.Value = flags;
    status = DDI_CALL(DxgkDdiCreateAllocation,
                      instance->table.DxgkDdiCreateAllocation(adapter->device_context, args));
    if (flags & 1)
        *resource = args->hResource;
    for (i = 0; i < count; i++) {
        infos[i].pPrivateDriverData = before[i].pPrivateDriverData;
        infos[i].PrivateDriverDataSize = before[i].PrivateDriverDataSize;
    }
    free(before);
    ddi_arguments_end(instance, DDI_CREATEALLOCATION, args);
    return status;
}

static void call_destroy(struct ddi_adapter *adapter, const HANDLE *list, uint32_t count,
                         HANDLE resource, uint32_t flags, NTSTATUS *status)
{
    const DXGKARG_DESTROYALLOCATION args = {.NumAllocations = count,
                                            .pAllocationList = list,
                                            .hResource = resource,
                                            .Flags = {.Value = flags}};
    *status =
        DDI_CALL(DxgkDdiDestroyAllocation,
                 adapter->instance->table.DxgkDdiDestroyAllocation(adapter->device_context, &args));
}

/* All but the [in] members is garbage. */
static DXGK_ALLOCATIONINFO *new_infos(uint32_t count)
{
    DXGK_ALLOCATIONINFO *infos = ddi_new(count * sizeof *infos);
    return memset(infos, DDI_GARBAGE, count * sizeof *infos);
}

static int prepare_infos(struct creation *creation)
{
    uint32_t i;
    creation->infos = new_infos(creation->in->NumAllocations);
    for (i = 0; i < creation->in->NumAllocations; i++) {
        const struct wcts_DXGK_ALLOCATIONINFO *asked = &creation->asked[i];
        const void *data =
            wcts_message_at(creation->in, creation->in_size, asked->pPrivateDriverData,
                            asked->PrivateDriverDataSize, 1);
        const uint32_t type = creation->in->StandardAllocationType;
        const int of_resource =
            type < DDI_STANDARD_TYPES && creation->instance->standard_of_resource[type];
        const uint32_t size = data != NULL && !of_resource ? asked->PrivateDriverDataSize : 0;
        creation->infos[i].pPrivateDriverData = blob_copy(data, size).data;
        creation->infos[i].PrivateDriverDataSize = size;
        if (data == NULL && asked->PrivateDriverDataSize != 0)
            return 0;
    }
    return 1;
}

/* What the kind that is created with this private data has besides. */
static struct ddi_blob of_kind(const struct wcts_ddi_driver *driver, const void *data,
                               uint32_t size)
{
    uint32_t i;
    if (data == NULL || size == 0 || !DDI_HAS(driver, resource_data) || !driver->resource_data)
        return blob_copy(NULL, 0);
    for (i = 0; i < driver->kind_count; i++)
        if (driver->kinds[i].private_data_size == size &&
            memcmp(driver->kinds[i].private_data, data, size) == 0)
            return blob_copy(driver->resource_data[i].data, driver->resource_data[i].size);
    return blob_copy(NULL, 0);
}

/* The private data of the resource: the request's, or what the driver returned for the standard
 * allocation or has for the kind, for which the interface has no place. */
static int find_resource_data(struct creation *creation)
{
    const struct wcts_driver_allocation_create_request *in = creation->in;
    const void *data = wcts_message_at(in, creation->in_size, in->pPrivateDriverData,
                                       in->PrivateDriverDataSize, 1);
    const uint32_t type = in->StandardAllocationType;
    const uint32_t size = in->NumAllocations != 0 ? creation->asked->PrivateDriverDataSize : 0;
    const void *own =
        wcts_message_at(in, creation->in_size, creation->asked->pPrivateDriverData, size, 1);
    if (data != NULL && in->PrivateDriverDataSize != 0)
        creation->resource_data = blob_copy(data, in->PrivateDriverDataSize);
    else if (type == 0)
        creation->resource_data = of_kind(creation->instance->driver, own, size);
    else if (type < DDI_STANDARD_TYPES)
        creation->resource_data = blob_copy(creation->instance->standard[type].data,
                                            creation->instance->standard[type].size);
    return data != NULL || in->PrivateDriverDataSize == 0;
}

/* Records what the driver made. */
static struct ddi_allocation *record(struct creation *creation, DXGK_ALLOCATIONINFO *info,
                                     struct ddi_resource *resource)
{
    struct ddi_allocation *allocation = ddi_new(sizeof *allocation);
    const uint32_t index = creation->adapter->index;
    allocation->handle = (uint64_t)(uintptr_t)info->hAllocation;
    allocation->kernel = new_kernel_handle(creation->instance);
    allocation->home = creation->adapter;
    allocation->native[index] = info->hAllocation;
    allocation->exists[index] = 1;
    allocation->data = (struct ddi_blob){info->pPrivateDriverData, info->PrivateDriverDataSize};
    info->pPrivateDriverData = NULL;
    allocation->resource_data =
        blob_copy(creation->resource_data.data, creation->resource_data.size);
    allocation->resource = resource;
    allocation->next = creation->instance->allocations;
    creation->instance->allocations = allocation;
    return allocation;
}

static struct ddi_resource *record_resource(struct creation *creation)
{
    struct ddi_instance *instance = creation->instance;
    const uint64_t handle = (uint64_t)(uintptr_t)creation->resource;
    struct ddi_resource *resource;
    if (!(creation->in->Flags & 1) && creation->in->hResource == 0)
        return NULL;
    resource = handle != 0 ? resource_of(instance, handle) : NULL;
    if (resource != NULL)
        return resource;
    resource = ddi_new(sizeof *resource);
    resource->handle = handle;
    resource->kernel = new_kernel_handle(instance);
    resource->next = instance->resources;
    instance->resources = resource;
    return resource;
}

static void free_allocation(struct ddi_instance *instance, struct ddi_allocation *allocation)
{
    struct ddi_allocation **at = &instance->allocations;
    while (*at != NULL && *at != allocation)
        at = &(*at)->next;
    if (*at != NULL)
        *at = allocation->next;
    free(allocation->data.data);
    free(allocation->resource_data.data);
    free(allocation);
}

/* A member of the answer; one that the driver did not write is what the request has there, unless
 * that is 0. */
static uint64_t written(uint64_t value, uint64_t garbage, uint64_t asked, const char *member)
{
    if (value != garbage)
        return value;
    ddi_log("DXGK_ALLOCATIONINFO.%s was not written: what the driver was given is there", member);
    return asked != 0 ? asked : value;
}

static uint32_t written32(uint32_t value, uint32_t asked, const char *member)
{
    return (uint32_t)written(value, DDI_GARBAGE32, asked, member);
}

/* Turns the driver's answer into the reply's. Members that were not written stay what they were, as
 * a kernel would find them. Flags2 is looked at from 3.0 on only. */
static void carry_info(const struct ddi_instance *instance, const DXGK_ALLOCATIONINFO *from,
                       const struct wcts_DXGK_ALLOCATIONINFO *asked,
                       struct wcts_DXGK_ALLOCATIONINFO *to)
{
    memset(to, 0, sizeof *to);
    to->Alignment = written32(from->Alignment, asked->Alignment, "Alignment");
    to->Size = written(from->Size, DDI_GARBAGE64, asked->Size, "Size");
    to->PitchAlignedSize =
        written(from->PitchAlignedSize, DDI_GARBAGE64, asked->PitchAlignedSize, "PitchAlignedSize");
    to->HintedBank = written32(from->HintedBank.Value, asked->HintedBank, "HintedBank");
    to->PreferredSegment =
        written32(from->PreferredSegment.Value, asked->PreferredSegment, "PreferredSegment");
    to->SupportedReadSegmentSet = written32(
        from->SupportedReadSegmentSet, asked->SupportedReadSegmentSet, "SupportedReadSegmentSet");
    to->SupportedWriteSegmentSet =
        written32(from->SupportedWriteSegmentSet, asked->SupportedWriteSegmentSet,
                  "SupportedWriteSegmentSet");
    to->EvictionSegmentSet =
        written32(from->EvictionSegmentSet, asked->EvictionSegmentSet, "EvictionSegmentSet");
    to->MaximumRenamingListLength = written32(
        from->MaximumRenamingListLength, asked->MaximumRenamingListLength,
        ddi_since(instance, DXGKDDI_INTERFACE_VERSION_WDDM2_0) ? "PhysicalAdapterIndex"
                                                               : "MaximumRenamingListLength");
    to->hAllocation = written((uint64_t)(uintptr_t)from->hAllocation, DDI_GARBAGE64,
                              asked->hAllocation, "hAllocation");
    to->Flags =
        written32(from->Flags.Value, asked->Flags,
                  ddi_since(instance, DXGKDDI_INTERFACE_VERSION_WDDM2_0) ? "FlagsWddm2" : "Flags");
    to->pAllocationUsageHint =
        written((uint64_t)(uintptr_t)from->pAllocationUsageHint, DDI_GARBAGE64,
                asked->pAllocationUsageHint, "pAllocationUsageHint");
    to->AllocationPriority =
        written32(from->AllocationPriority, asked->AllocationPriority, "AllocationPriority");
    if (ddi_since(instance, DXGKDDI_INTERFACE_VERSION_WDDM3_0))
        to->Flags2 = written32(from->Flags2.Value, asked->Flags2, "Flags2");
}

/* The documents have no statement about a set that names a segment which does not exist. From 2.0
 * on the one after the driver's last is the kernel's own, system memory in no segment. */
static void note_sets(const struct creation *creation)
{
    const struct ddi_adapter *adapter = &creation->instance->adapters[0];
    const int own = ddi_since(creation->instance, DXGKDDI_INTERFACE_VERSION_WDDM2_0);
    const uint32_t count = adapter->segment_count + (own ? 1 : 0);
    uint32_t i, set;
    for (i = 0; i < creation->in->NumAllocations && adapter->segments_known; i++) {
        set = creation->infos[i].SupportedReadSegmentSet |
              creation->infos[i].SupportedWriteSegmentSet;
        if (count < 32 && set != DDI_GARBAGE32 && set >> count != 0)
            ddi_log("DXGK_ALLOCATIONINFO.SupportedReadSegmentSet or SupportedWriteSegmentSet names "
                    "a segment that is not there: together 0x%x, of %u segments",
                    set, adapter->segment_count);
    }
}

static int write_reply(const struct creation *creation, void *reply, uint32_t room, uint32_t *size)
{
    struct wcts_driver_allocation_create_reply *out = reply;
    const uint32_t count = creation->in->NumAllocations;
    struct wcts_DXGK_ALLOCATIONINFO *infos = ddi_new(count * sizeof *infos);
    uint32_t i, fits = 1;
    for (i = 0; i < count; i++) {
        const DXGK_ALLOCATIONUSAGEHINT *hint = creation->infos[i].pAllocationUsageHint;
        carry_info(creation->instance, &creation->infos[i], &creation->asked[i], &infos[i]);
        if ((uint64_t)(uintptr_t)hint == DDI_GARBAGE64) {
            infos[i].pAllocationUsageHint = creation->asked[i].pAllocationUsageHint;
            ddi_log("DXGK_ALLOCATIONINFO.pAllocationUsageHint was not written");
            continue;
        }
        if (hint == NULL)
            continue;
        infos[i].pAllocationUsageHint = ddi_append(reply, room, size, hint, sizeof *hint);
        fits &= infos[i].pAllocationUsageHint != 0;
    }
    out->NumAllocations = count;
    out->hResource = (uint64_t)(uintptr_t)creation->resource;
    out->pAllocationInfo = ddi_append(reply, room, size, infos, (uint32_t)(count * sizeof *infos));
    free(infos);
    return fits && out->pAllocationInfo != 0;
}

/* Where the allocations are created: on the device that the kernel names, or else for the system.
 */
static NTSTATUS find_device(struct creation *creation)
{
    creation->device = ddi_device_of_kernel(creation->instance, creation->in->hDevice);
    if (creation->device == NULL) {
        NTSTATUS status = ddi_system_device(&creation->instance->adapters[0], &creation->device);
        if (!NT_SUCCESS(status))
            return status;
    }
    creation->adapter = creation->device->adapter;
    return STATUS_SUCCESS;
}

/* What a status alone does not say of a request that the driver refused. */
static void log_refused(const struct creation *creation, NTSTATUS status)
{
    const uint32_t count = creation->in->NumAllocations;
    if (count > 1)
        ddi_log("DxgkDdiCreateAllocation answered 0x%08X to a call with %u allocations",
                (unsigned)status, count);
    if (creation->instance->driver->kind_count == 0 && creation->in->StandardAllocationType == 0)
        ddi_log("the plug-in lists no .kinds: an allocation without private data was requested");
}

static NTSTATUS create_and_open(struct creation *creation)
{
    const uint32_t count = creation->in->NumAllocations;
    struct ddi_allocation **made;
    struct ddi_resource *resource;
    NTSTATUS status;
    uint32_t i;
    creation->resource = (HANDLE)(uintptr_t)creation->in->hResource;
    status = call_create(creation->adapter, creation->infos, count, &creation->resource_data,
                         creation->in->Flags, &creation->resource);
    if (!NT_SUCCESS(status)) {
        log_refused(creation, status);
        return status;
    }
    made = ddi_new(count * sizeof(struct ddi_allocation *));
    resource = record_resource(creation);
    for (i = 0; i < count; i++)
        made[i] = record(creation, &creation->infos[i], resource);
    status = ddi_open(creation->device, made, count, &creation->resource_data, 1);
    if (!NT_SUCCESS(status)) {
        HANDLE *list = ddi_new(count * sizeof(HANDLE));
        NTSTATUS ignored;
        for (i = 0; i < count; i++)
            list[i] = made[i]->native[creation->adapter->index];
        call_destroy(creation->adapter, list, count, creation->resource, creation->in->Flags & 1,
                     &ignored);
        for (i = 0; i < count; i++)
            free_allocation(creation->instance, made[i]);
        free(list);
    }
    free(made);
    return status;
}

wcts_status ddi_allocation_create(void *ctx, const void *request, uint32_t request_size,
                                  void *reply, uint32_t room, uint32_t *size)
{
    struct creation creation = {.instance = ctx, .in = request, .in_size = request_size};
    NTSTATUS status;
    uint32_t i;
    creation.asked = wcts_message_at(request, request_size, creation.in->pAllocationInfo,
                                     creation.in->NumAllocations, sizeof *creation.asked);
    if (creation.asked == NULL)
        return STATUS_INVALID_PARAMETER;
    status = find_device(&creation);
    if (!NT_SUCCESS(status))
        return status;
    status = find_resource_data(&creation) && prepare_infos(&creation) ? STATUS_SUCCESS
                                                                       : STATUS_INVALID_PARAMETER;
    if (NT_SUCCESS(status))
        status = create_and_open(&creation);
    if (NT_SUCCESS(status))
        note_sets(&creation);
    if (NT_SUCCESS(status) && !write_reply(&creation, reply, room, size))
        status = STATUS_BUFFER_TOO_SMALL;
    for (i = 0; creation.infos != NULL && i < creation.in->NumAllocations; i++)
        free(creation.infos[i].pPrivateDriverData);
    free(creation.infos);
    free(creation.resource_data.data);
    return status;
}

NTSTATUS ddi_allocation_on(struct ddi_allocation *allocation, struct ddi_adapter *adapter,
                           HANDLE *native)
{
    NTSTATUS status = STATUS_SUCCESS;
    if (!allocation->exists[adapter->index]) {
        DXGK_ALLOCATIONINFO *info = new_infos(1);
        HANDLE resource = NULL;
        info->pPrivateDriverData = allocation->data.data;
        info->PrivateDriverDataSize = allocation->data.size;
        status = call_create(adapter, info, 1, &allocation->resource_data, 0, &resource);
        allocation->native[adapter->index] = info->hAllocation;
        allocation->exists[adapter->index] = NT_SUCCESS(status);
        free(info);
    }
    *native = allocation->native[adapter->index];
    return status;
}

/* ---- destroy ---- */

/* Ends what there is of it on the adapter that is not its own. */
static void destroy_copies(struct ddi_allocation *allocation)
{
    struct ddi_instance *instance = allocation->home->instance;
    NTSTATUS ignored;
    uint32_t i;
    for (i = 0; i < DDI_ADAPTER_COUNT; i++)
        if (allocation->exists[i] && i != allocation->home->index)
            call_destroy(&instance->adapters[i], &allocation->native[i], 1, NULL, 0, &ignored);
}

/* True when the allocation is one of the first count. */
static int is_listed(struct ddi_allocation *const *list, uint32_t count,
                     const struct ddi_allocation *allocation)
{
    uint32_t i = 0;
    while (i < count && list[i] != allocation)
        i++;
    return i < count;
}

/* Finds the allocations of a list, each once: a driver may have given one handle to several.
 * Returns 0 when one is unknown. */
static int find_listed(struct ddi_instance *instance, const struct wcts_driver_handle_entry *list,
                       uint32_t count, struct ddi_allocation **out)
{
    uint32_t i;
    for (i = 0; i < count; i++) {
        struct ddi_allocation *one = instance->allocations;
        while (one != NULL && (one->handle != list[i].hAllocation || is_listed(out, i, one)))
            one = one->next;
        if (one == NULL)
            return 0;
        out[i] = one;
    }
    return 1;
}

wcts_status ddi_allocation_destroy(void *ctx, const void *request, uint32_t request_size,
                                   void *reply, uint32_t room, uint32_t *size)
{
    struct ddi_instance *instance = ctx;
    const struct wcts_driver_allocation_destroy_request *in = request;
    const uint32_t count = in->NumAllocations;
    const struct wcts_driver_handle_entry *list =
        wcts_message_at(request, request_size, in->phAllocationList, count, sizeof *list);
    struct ddi_adapter *adapter = &instance->adapters[0];
    struct ddi_allocation **found;
    HANDLE *handles;
    NTSTATUS status = STATUS_INVALID_HANDLE;
    uint32_t i;
    (void)reply, (void)room, (void)size;
    if (list == NULL && count != 0)
        return STATUS_INVALID_PARAMETER;
    found = ddi_new((count + 1) * sizeof(struct ddi_allocation *));
    handles = ddi_new((count + 1) * sizeof(HANDLE));
    if (find_listed(instance, list, count, found)) {
        for (i = 0; i < count; i++) {
            adapter = found[i]->home;
            handles[i] = found[i]->native[adapter->index];
            ddi_close(found[i]);
            destroy_copies(found[i]);
        }
        call_destroy(adapter, handles, count, (HANDLE)(uintptr_t)in->hResource, in->Flags, &status);
        for (i = 0; i < count; i++)
            free_allocation(instance, found[i]);
    }
    free(found);
    free(handles);
    return status;
}

void ddi_allocations_end(struct ddi_instance *instance)
{
    while (instance->allocations != NULL) {
        struct ddi_allocation *allocation = instance->allocations;
        NTSTATUS ignored;
        ddi_close(allocation);
        destroy_copies(allocation);
        call_destroy(allocation->home, &allocation->native[allocation->home->index], 1, NULL, 0,
                     &ignored);
        free_allocation(instance, allocation);
    }
    while (instance->resources != NULL) {
        struct ddi_resource *resource = instance->resources;
        instance->resources = resource->next;
        free(resource);
    }
}
