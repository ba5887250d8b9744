/* SPDX-License-Identifier: MIT */
/* DRIVER_ALLOCATION_CREATE, _DESTROY and DRIVER_STANDARD_ALLOCATION. */
#include "emu_driver.h"
#include "emu_flags.h"

#include <stdlib.h>
#include <string.h>

/* DXGK_ALLOCATIONUSAGEHINT: a version, and no preferences. */
struct usage_hint {
    uint32_t version;
    uint32_t words[5];
};

/* A create call on its way. */
struct creation {
    struct emu_driver *driver;
    const void *request;
    uint32_t request_size;
    void *reply;
    uint32_t reply_room;
    uint32_t *reply_size;
};

static void drop_record(struct emu_driver *driver, enum emu_handle_kind kind, uint64_t handle)
{
    void *record = emu_handle_object(&driver->handles, handle, kind);
    if (kind == EMU_HANDLE_ALLOCATION && record != NULL)
        driver->allocations--;
    free(record);
    emu_handle_drop(&driver->handles, handle);
}

/* Describes one allocation and makes its record. */
static wcts_status create_one(struct creation *creation, struct wcts_DXGK_ALLOCATIONINFO *info)
{
    static const struct usage_hint hint = {.version = 1};
    struct emu_record record = {0};
    uint64_t handle;
    const struct emu_kind *kind;
    const void *data = wcts_message_at(creation->request, creation->request_size,
                                       info->pPrivateDriverData, info->PrivateDriverDataSize, 1);
    if (data == NULL && info->PrivateDriverDataSize != 0)
        return WCTS_STATUS_INVALID_PARAMETER;
    kind = emu_kind_describe(creation->driver, data, info->PrivateDriverDataSize, info);
    if (kind->usage_hint) {
        info->pAllocationUsageHint = emu_reply_append(creation->reply, creation->reply_room,
                                                      creation->reply_size, &hint, sizeof(hint));
        if (info->pAllocationUsageHint == 0)
            return WCTS_STATUS_BUFFER_TOO_SMALL;
    }
    /* The reply does not repeat the private data. */
    info->pPrivateDriverData = 0;
    info->PrivateDriverDataSize = 0;
    record.layout = (struct emu_layout){info->Size, info->PitchAlignedSize, kind->rows};
    record.number = creation->driver->allocations;
    record.call = creation->driver->calls;
    handle = emu_record_new(creation->driver, EMU_HANDLE_ALLOCATION, &record);
    creation->driver->allocations += handle != 0;
    info->hAllocation = EMU_FAULT("AIN-030.nonnull", handle, kind->usage_hint ? 0 : handle);
    info->hAllocation = EMU_FAULT(
        "AIN-030.distinct", info->hAllocation,
        info->AllocationPriority != EMU_PRIORITY_NORMAL ? EMU_KIND_MAGIC : info->hAllocation);
    return handle ? WCTS_STATUS_SUCCESS : WCTS_STATUS_NO_MEMORY;
}

/* For faults: what is left as it was in the request, of the allocation at the index. */
static void leave_unwritten(uint32_t boot, const unsigned char *infos, uint32_t index,
                            struct wcts_DXGK_ALLOCATIONINFO *info)
{
    struct wcts_DXGK_ALLOCATIONINFO given;
    memcpy(&given, infos + index * sizeof(given), sizeof(given));
    info->HintedBank = EMU_FAULT("HDR-025", info->HintedBank, given.HintedBank);
    info->HintedBank = EMU_FAULT("HDR-025+second", info->HintedBank,
                                 index == 1 ? given.HintedBank : info->HintedBank);
    info->AllocationPriority =
        EMU_FAULT("HDR-025+priority", info->AllocationPriority, given.AllocationPriority);
    /* One word by two names, and one that there is from WDDM 3.0 on. */
    info->MaximumRenamingListLength = EMU_FAULT(
        "HDR-032.renaming", info->MaximumRenamingListLength,
        boot < EMU_WDDM_2_0 ? given.MaximumRenamingListLength : info->MaximumRenamingListLength);
    info->PhysicalAdapterIndex =
        EMU_FAULT("HDR-032.adapter", info->PhysicalAdapterIndex,
                  boot >= EMU_WDDM_2_0 ? given.PhysicalAdapterIndex : info->PhysicalAdapterIndex);
    info->Flags2 = EMU_FAULT("HDR-032.flags", info->Flags2,
                             boot >= EMU_WDDM_3_0 ? given.Flags2 : info->Flags2);
}

/* For faults: gives the allocation at the index the handle of the first one of the call. */
static void repeat_first(unsigned char *answers, uint32_t index)
{
    struct wcts_DXGK_ALLOCATIONINFO first, info;
    memcpy(&first, answers, sizeof(first));
    memcpy(&info, answers + index * sizeof(info), sizeof(info));
    info.hAllocation = first.hAllocation;
    memcpy(answers + index * sizeof(info), &info, sizeof(info));
}

/* Creates count allocations, or none. */
static wcts_status create_all(struct creation *creation, const unsigned char *infos, uint32_t count,
                              unsigned char *answers)
{
    struct wcts_DXGK_ALLOCATIONINFO info;
    wcts_status status = WCTS_STATUS_SUCCESS;
    uint32_t i;
    creation->driver->calls++;
    for (i = 0; i < count; i++) {
        memcpy(&info, infos + i * sizeof(info), sizeof(info));
        status = create_one(creation, &info);
        if (!wcts_succeeded(status))
            break;
        leave_unwritten(creation->driver->base.host->interface_version, infos, i, &info);
        memcpy(answers + i * sizeof(info), &info, sizeof(info));
        EMU_FAULT_DO("AIN-030.distinct+call", (void)0, repeat_first(answers, i));
    }
    while (i-- > 0 && !wcts_succeeded(status)) {
        memcpy(&info, answers + i * sizeof(info), sizeof(info));
        drop_record(creation->driver, EMU_HANDLE_ALLOCATION, info.hAllocation);
    }
    return status;
}

/* Finds the resource that the allocations belong to, or makes it when Resource asks for one. */
static wcts_status find_resource(struct emu_driver *driver,
                                 const struct wcts_driver_allocation_create_request *asked,
                                 uint64_t *resource)
{
    static const struct emu_record empty = {0};
    *resource = asked->hResource;
    if (asked->hResource != 0)
        return emu_handle_object(&driver->handles, asked->hResource, EMU_HANDLE_RESOURCE)
                   ? WCTS_STATUS_SUCCESS
                   : WCTS_STATUS_INVALID_HANDLE;
    if (!(asked->Flags & EMU_DRIVER_CREATE_RESOURCE))
        return WCTS_STATUS_SUCCESS;
    *resource = emu_record_new(driver, EMU_HANDLE_RESOURCE, &empty);
    if (*resource == 0)
        return WCTS_STATUS_NO_MEMORY;
    return WCTS_STATUS_SUCCESS;
}

wcts_status emu_driver_allocation_create(void *instance, const void *request, uint32_t request_size,
                                         void *reply, uint32_t reply_room, uint32_t *reply_size)
{
    const struct wcts_driver_allocation_create_request *asked = request;
    struct wcts_driver_allocation_create_reply *answer = reply;
    struct creation creation = {instance, request, request_size, reply, reply_room, reply_size};
    const uint64_t end =
        *reply_size + (uint64_t)asked->NumAllocations * sizeof(struct wcts_DXGK_ALLOCATIONINFO);
    const void *infos =
        wcts_message_at(request, request_size, asked->pAllocationInfo, asked->NumAllocations,
                        sizeof(struct wcts_DXGK_ALLOCATIONINFO));
    uint64_t resource;
    wcts_status status;
    if ((infos == NULL && asked->NumAllocations != 0) ||
        (asked->PrivateDriverDataSize != 0 &&
         wcts_message_at(request, request_size, asked->pPrivateDriverData,
                         asked->PrivateDriverDataSize, 1) == NULL))
        return WCTS_STATUS_INVALID_PARAMETER;
    if (end > reply_room)
        return WCTS_STATUS_BUFFER_TOO_SMALL;
    status = find_resource(instance, asked, &resource);
    if (!wcts_succeeded(status))
        return status;
    answer->NumAllocations = asked->NumAllocations;
    answer->pAllocationInfo = *reply_size;
    answer->hResource = resource;
    *reply_size = (uint32_t)end;
    status = create_all(&creation, infos, asked->NumAllocations,
                        (unsigned char *)reply + answer->pAllocationInfo);
    if (!wcts_succeeded(status) && asked->hResource == 0)
        drop_record(creation.driver, EMU_HANDLE_RESOURCE, resource);
    return status;
}

static uint64_t handle_at(const unsigned char *list, uint32_t index)
{
    uint64_t handle;
    memcpy(&handle, list + index * sizeof(handle), sizeof(handle));
    return handle;
}

/* Destroys the allocations of a list, or none when one is unknown or named twice. */
static wcts_status destroy_list(struct emu_driver *driver, const unsigned char *list,
                                uint32_t count)
{
    uint32_t i, good;
    for (good = 0; good < count; good++) {
        struct emu_record *record =
            emu_handle_object(&driver->handles, handle_at(list, good), EMU_HANDLE_ALLOCATION);
        if (record == NULL || record->doomed)
            break;
        record->doomed = 1;
    }
    for (i = 0; i < good; i++) {
        struct emu_record *record =
            emu_handle_object(&driver->handles, handle_at(list, i), EMU_HANDLE_ALLOCATION);
        record->doomed = 0;
        if (good == count)
            drop_record(driver, EMU_HANDLE_ALLOCATION, handle_at(list, i));
    }
    return good == count ? WCTS_STATUS_SUCCESS : WCTS_STATUS_INVALID_HANDLE;
}

wcts_status emu_driver_allocation_destroy(void *instance, const void *request,
                                          uint32_t request_size, void *reply, uint32_t reply_room,
                                          uint32_t *reply_size)
{
    struct emu_driver *driver = instance;
    const struct wcts_driver_allocation_destroy_request *asked = request;
    const int whole = (asked->Flags & EMU_DRIVER_DESTROY_RESOURCE) && asked->hResource != 0;
    const void *list = wcts_message_at(request, request_size, asked->phAllocationList,
                                       asked->NumAllocations, sizeof(uint64_t));
    wcts_status status;
    (void)reply, (void)reply_room, (void)reply_size;
    if (list == NULL && asked->NumAllocations != 0)
        return WCTS_STATUS_INVALID_PARAMETER;
    if (whole && !emu_handle_object(&driver->handles, asked->hResource, EMU_HANDLE_RESOURCE))
        return WCTS_STATUS_INVALID_HANDLE;
    status = destroy_list(driver, list, asked->NumAllocations);
    if (wcts_succeeded(status) && whole)
        drop_record(driver, EMU_HANDLE_RESOURCE, asked->hResource);
    return status;
}

wcts_status emu_driver_standard_allocation(void *instance, const void *request,
                                           uint32_t request_size, void *reply, uint32_t reply_room,
                                           uint32_t *reply_size)
{
    const struct wcts_driver_standard_allocation_request *asked = request;
    struct wcts_driver_standard_allocation_reply *answer = reply;
    const struct emu_standard_data data = {EMU_STANDARD_MAGIC, asked->StandardAllocationType,
                                           asked->Width,       asked->Height,
                                           asked->Format,      asked->Type};
    (void)instance, (void)request_size;
    if (emu_standard_size(&data) == 0)
        return WCTS_STATUS_INVALID_PARAMETER;
    answer->AllocationPrivateDriverDataSize =
        EMU_FAULT("CAF-048+large", EMU_FAULT("CAF-048", (uint32_t)sizeof(data), 0u),
                  data.width > EMU_64KB ? 0u : (uint32_t)sizeof(data));
    /* The primary has none in DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA. */
    if (data.type != WCTS_STANDARD_SHAREDPRIMARYSURFACE)
        answer->Pitch = (uint32_t)(emu_standard_size(&data) / data.height);
    answer->Pitch =
        EMU_FAULT("HDR-041.row", EMU_FAULT("HDR-041.rows", answer->Pitch, answer->Pitch * 2),
                  answer->Pitch / 2);
    answer->Pitch =
        EMU_FAULT("HDR-041.rows-pixels", answer->Pitch,
                  data.format != WCTS_D3DDDIFMT_UNKNOWN && data.width > 1000 ? answer->Pitch + 64
                                                                             : answer->Pitch);
    answer->Pitch =
        EMU_FAULT("HDR-041.row-bytes", answer->Pitch,
                  data.type == WCTS_STANDARD_STAGINGSURFACE ? answer->Pitch / 2 : answer->Pitch);
    answer->pAllocationPrivateDriverData =
        emu_reply_append(reply, reply_room, reply_size, &data, sizeof(data));
    return answer->pAllocationPrivateDriverData ? WCTS_STATUS_SUCCESS
                                                : WCTS_STATUS_BUFFER_TOO_SMALL;
}
