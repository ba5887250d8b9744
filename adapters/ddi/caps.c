/* SPDX-License-Identifier: MIT */
/* DRIVER_INFO: what the driver claims, by DxgkDdiQueryAdapterInfo(DRIVERCAPS). */
#include "ddi.h"

#include <stdlib.h>

static NTSTATUS query_caps(struct ddi_instance *instance, void *caps)
{
    DXGKARG_QUERYADAPTERINFO *args = ddi_arguments(DDI_QUERYADAPTERINFO);
    NTSTATUS status;
    args->Type = DXGKQAITYPE_DRIVERCAPS;
    args->pInputData = NULL;
    args->InputDataSize = 0;
    args->pOutputData = caps;
    args->OutputDataSize = ddi_size(instance, DDI_DRIVERCAPS);
    args->Flags.Value = 0;
    if (ddi_since(instance, DXGKDDI_INTERFACE_VERSION_WDDM2_4))
        args->hKmdProcessHandle = NULL;
    status = DDI_CALL(DxgkDdiQueryAdapterInfo, instance->table.DxgkDdiQueryAdapterInfo(
                                                   instance->adapters[0].device_context, args));
    ddi_arguments_end(instance, DDI_QUERYADAPTERINFO, args);
    return status;
}

/* A word of the answer; 0, and a line, when the driver did not write it. */
static uint32_t written(uint32_t value, const char *member)
{
    if (value != DDI_GARBAGE32)
        return value;
    ddi_log("DXGK_DRIVERCAPS.%s was not written: taken as 0", member);
    return 0;
}

NTSTATUS ddi_caps(struct ddi_instance *instance)
{
    DXGK_DRIVERCAPS *caps;
    NTSTATUS status;
    if (instance->caps_known)
        return STATUS_SUCCESS;
    caps = ddi_arguments(DDI_DRIVERCAPS);
    status = query_caps(instance, caps);
    if (NT_SUCCESS(status)) {
        memcpy(&instance->caps, caps, ddi_size(instance, DDI_DRIVERCAPS));
        instance->caps.SchedulingCaps.Value =
            written(instance->caps.SchedulingCaps.Value, "SchedulingCaps");
        instance->caps.MemoryManagementCaps.Value =
            written(instance->caps.MemoryManagementCaps.Value, "MemoryManagementCaps");
        instance->caps.WDDMVersion = written(instance->caps.WDDMVersion, "WDDMVersion");
        instance->caps_known = 1;
    }
    ddi_arguments_end(instance, DDI_DRIVERCAPS, caps);
    return status;
}

static const struct {
    uint32_t claimed; /* DXGK_WDDMVERSION */
    uint32_t version;
} versions[] = {
    {DXGKDDI_WDDMv1_2, DXGKDDI_INTERFACE_VERSION_WIN8},
    {DXGKDDI_WDDMv1_3, DXGKDDI_INTERFACE_VERSION_WDDM1_3},
    {DXGKDDI_WDDMv2, DXGKDDI_INTERFACE_VERSION_WDDM2_0},
    {DXGKDDI_WDDMv2_1, DXGKDDI_INTERFACE_VERSION_WDDM2_1},
    {DXGKDDI_WDDMv2_1_5, DXGKDDI_INTERFACE_VERSION_WDDM2_1},
    {DXGKDDI_WDDMv2_1_6, DXGKDDI_INTERFACE_VERSION_WDDM2_1},
    {DXGKDDI_WDDMv2_2, DXGKDDI_INTERFACE_VERSION_WDDM2_2},
    {DXGKDDI_WDDMv2_3, DXGKDDI_INTERFACE_VERSION_WDDM2_3},
    {DXGKDDI_WDDMv2_4, DXGKDDI_INTERFACE_VERSION_WDDM2_4},
    {DXGKDDI_WDDMv2_5, DXGKDDI_INTERFACE_VERSION_WDDM2_5},
    {DXGKDDI_WDDMv2_6, DXGKDDI_INTERFACE_VERSION_WDDM2_6},
    {DXGKDDI_WDDMv2_7, DXGKDDI_INTERFACE_VERSION_WDDM2_7},
    {DXGKDDI_WDDMv2_8, DXGKDDI_INTERFACE_VERSION_WDDM2_8},
    {DXGKDDI_WDDMv2_9, DXGKDDI_INTERFACE_VERSION_WDDM2_9},
    {DXGKDDI_WDDMv3_0, DXGKDDI_INTERFACE_VERSION_WDDM3_0},
    {DXGKDDI_WDDMv3_1, DXGKDDI_INTERFACE_VERSION_WDDM3_1},
    {DXGKDDI_WDDMv3_2, DXGKDDI_INTERFACE_VERSION_WDDM3_2},
};

/* The version that the driver claims. There is no number for 1.1, and no member for one below it:
 * the headers that it was built with decide. */
static uint32_t claimed_version(const struct ddi_instance *instance)
{
    size_t i;
    for (i = 0; i < sizeof versions / sizeof versions[0]; i++)
        if (versions[i].claimed == (uint32_t)instance->caps.WDDMVersion)
            return versions[i].version;
    return instance->table.Version >= DXGKDDI_INTERFACE_VERSION_WIN7
               ? DXGKDDI_INTERFACE_VERSION_WIN7
               : DXGKDDI_INTERFACE_VERSION_VISTA_SP1;
}

uint32_t ddi_paging_operations(const struct ddi_instance *instance)
{
    if (instance->table.DxgkDdiBuildPagingBuffer == NULL)
        return 0;
    if (instance->driver->paging_operations != 0)
        return instance->driver->paging_operations;
    return 1u << WCTS_PAGING_TRANSFER | 1u << WCTS_PAGING_FILL | 1u << WCTS_PAGING_MAP_APERTURE |
           1u << WCTS_PAGING_UNMAP_APERTURE;
}

/* Appends the kinds. Returns 0 without room. */
static int append_kinds(const struct wcts_ddi_driver *driver, void *reply, uint32_t room,
                        uint32_t *size, struct wcts_driver_info_reply *out)
{
    struct wcts_allocation_kind *kinds = ddi_new(driver->kind_count * sizeof *kinds);
    uint32_t i, fits = 1;
    for (i = 0; i < driver->kind_count; i++) {
        const struct wcts_ddi_kind *kind = &driver->kinds[i];
        kinds[i].pName =
            ddi_append(reply, room, size, kind->name, (uint32_t)strlen(kind->name) + 1);
        kinds[i].PrivateDriverDataSize = kind->private_data_size;
        if (kind->private_data_size != 0)
            kinds[i].pPrivateDriverData =
                ddi_append(reply, room, size, kind->private_data, kind->private_data_size);
        fits &=
            kinds[i].pName && (kind->private_data_size == 0 || kinds[i].pPrivateDriverData != 0);
    }
    out->KindCount = driver->kind_count;
    if (driver->kind_count != 0)
        out->pKinds =
            ddi_append(reply, room, size, kinds, (uint32_t)(driver->kind_count * sizeof *kinds));
    free(kinds);
    return fits && (driver->kind_count == 0 || out->pKinds != 0);
}

wcts_status ddi_info(void *ctx, const void *request, uint32_t request_size, void *reply,
                     uint32_t room, uint32_t *size)
{
    struct ddi_instance *instance = ctx;
    const struct wcts_ddi_driver *driver = instance->driver;
    struct wcts_driver_info_reply *out = reply;
    NTSTATUS status = ddi_caps(instance);
    (void)request, (void)request_size;
    if (!NT_SUCCESS(status))
        return status;
    out->capabilities =
        WCTS_CAPABILITY_FRESH | (driver->any_priority ? WCTS_CAPABILITY_ANY_PRIORITY : 0u) |
        (driver->execute == NULL && instance->table.DxgkDdiBuildPagingBuffer != NULL
             ? WCTS_CAPABILITY_UNEXECUTED
             : 0u) |
        (instance->caps.MemoryManagementCaps.GpuMmuSupported && instance->table.DxgkDdiPatch == NULL
             ? WCTS_CAPABILITY_UNPATCHED
             : 0u);
    out->first_interface_version = driver->first_interface_version;
    out->last_interface_version = driver->last_interface_version;
    if (driver->first_interface_version == 0)
        out->first_interface_version = out->last_interface_version = claimed_version(instance);
    out->patches = instance->table.DxgkDdiPatch != NULL ? driver->patches : WCTS_PATCHES_NONE;
    out->paging_operations = ddi_paging_operations(instance);
    out->creates_contexts = instance->caps.SchedulingCaps.MultiEngineAware &&
                            instance->table.DxgkDdiCreateContext != NULL;
    out->section_backed_primary = instance->caps.MemoryManagementCaps.SectionBackedPrimary;
    out->dma_buffer_segment_set = ddi_dma_buffer_segment_set(instance);
    if (out->patches == WCTS_PATCHES_PRIVATE && DDI_HAS(driver, private_offset))
        out->PrivateOffset = driver->private_offset;
    if ((out->patches == WCTS_PATCHES_EXPRESSION || out->patches == WCTS_PATCHES_PRIVATE) &&
        DDI_HAS(driver, patch_expression) && driver->patch_expression != NULL) {
        out->PatchWidth = driver->patch_width;
        out->pPatchExpression = ddi_append(reply, room, size, driver->patch_expression,
                                           (uint32_t)strlen(driver->patch_expression) + 1);
    }
    if (DDI_HAS(driver, profile) && driver->profile != NULL)
        out->pProfile =
            ddi_append(reply, room, size, driver->profile, (uint32_t)strlen(driver->profile) + 1);
    return append_kinds(driver, reply, room, size, out) ? STATUS_SUCCESS : STATUS_BUFFER_TOO_SMALL;
}
