/* SPDX-License-Identifier: MIT */
/* The kit's driver records itself with contrib/recorder, as a vendor's would: each DDI has a
 * function before it, and what was recorded of the last instance is written to the file of
 * KIT_RECORDING. For tests/check/test-recorder.sh, which builds kit.h with -DKIT_RECORDS. */
#ifndef TEST_DRIVER_RECORDED_H
#define TEST_DRIVER_RECORDED_H

#include "../../contrib/recorder/wddm-cts-recorder.h"

#include <stdio.h>

#define KIT_ENTRIES 4096

static struct wcts_recorder kit_recorder;
static struct wcts_recorder_entry kit_ring[KIT_ENTRIES];
static DRIVER_INITIALIZATION_DATA kit_inner; /* the functions that are recorded */

static void kit_dump(void)
{
    const char *name = getenv("KIT_RECORDING");
    FILE *file = name != NULL ? fopen(name, "wb") : NULL;
    if (file == NULL)
        return;
    fwrite(&kit_recorder, sizeof kit_recorder, 1, file);
    fwrite(kit_ring, sizeof kit_ring, 1, file);
    fclose(file);
}

static NTSTATUS kit_remove_recorded(PVOID context)
{
    kit_dump();
    return kit_inner.DxgkDdiRemoveDevice(context);
}

static void kit_record_segment(struct wcts_record *record, const DXGKARG_QUERYADAPTERINFO *query,
                               uint32_t i)
{
    static const char list[] = "out.pSegmentDescriptor";
    const DXGK_QUERYSEGMENTOUT4 *four = query->pOutputData;
    const DXGK_QUERYSEGMENTOUT3 *three = query->pOutputData;
    const DXGK_QUERYSEGMENTOUT *one = query->pOutputData;
    uint32_t flags;
    uint64_t size;
    if (query->Type == DXGKQAITYPE_QUERYSEGMENT4) {
        const DXGK_SEGMENTDESCRIPTOR4 *at =
            (const void *)(four->pSegmentDescriptor + i * four->SegmentDescriptorStride);
        flags = at->Flags.Value;
        size = at->Size;
    } else if (query->Type == DXGKQAITYPE_QUERYSEGMENT3) {
        flags = three->pSegmentDescriptor[i].Flags.Value;
        size = three->pSegmentDescriptor[i].Size;
    } else {
        flags = one->pSegmentDescriptor[i].Flags.Value;
        size = one->pSegmentDescriptor[i].Size;
    }
    wcts_record_element(record, list, i, "Flags", flags);
    wcts_record_element(record, list, i, "Size", size);
}

static NTSTATUS kit_query_recorded(HANDLE context, const DXGKARG_QUERYADAPTERINFO *query)
{
    const uint64_t seq = wcts_recorder_enter(&kit_recorder);
    const NTSTATUS status = kit_inner.DxgkDdiQueryAdapterInfo(context, query);
    const DXGK_QUERYSEGMENTOUT *out = query->pOutputData;
    const int segments = query->Type != DXGKQAITYPE_DRIVERCAPS && NT_SUCCESS(status);
    struct wcts_record record;
    uint32_t i;
    wcts_record_begin(&record, "DxgkDdiQueryAdapterInfo", seq, status);
    wcts_record_number(&record, "in.Type", query->Type);
    if (segments) {
        wcts_record_number(&record, "in.pSegmentDescriptor", (uintptr_t)out->pSegmentDescriptor);
        wcts_record_number(&record, "out.NbSegment", out->NbSegment);
    }
    for (i = 0; segments && out->pSegmentDescriptor != NULL && i < out->NbSegment; i++)
        kit_record_segment(&record, query, i);
    wcts_record_end(&kit_recorder, &record);
    return status;
}

static NTSTATUS kit_create_recorded(HANDLE context, DXGKARG_CREATEALLOCATION *args)
{
    static const char list[] = "out.pAllocationInfo";
    const uint64_t seq = wcts_recorder_enter(&kit_recorder);
    const NTSTATUS status = kit_inner.DxgkDdiCreateAllocation(context, args);
    struct wcts_record record;
    uint32_t i;
    wcts_record_begin(&record, "DxgkDdiCreateAllocation", seq, status);
    WCTS_RECORD_IN(&record, args, NumAllocations);
    wcts_record_number(&record, "in.Flags", args->Flags.Value);
    wcts_record_number(&record, "in.hResource", (uintptr_t)args->hResource);
    wcts_record_number(&record, "out.hResource", (uintptr_t)args->hResource);
    for (i = 0; NT_SUCCESS(status) && i < args->NumAllocations; i++) {
        const DXGK_ALLOCATIONINFO *info = &args->pAllocationInfo[i];
        wcts_record_element(&record, list, i, "Alignment", info->Alignment);
        wcts_record_element(&record, list, i, "Size", info->Size);
        wcts_record_element(&record, list, i, "PitchAlignedSize", info->PitchAlignedSize);
        wcts_record_element(&record, list, i, "HintedBank", info->HintedBank.Value);
        wcts_record_element(&record, list, i, "PreferredSegment", info->PreferredSegment.Value);
        wcts_record_element(&record, list, i, "SupportedReadSegmentSet",
                            info->SupportedReadSegmentSet);
        wcts_record_element(&record, list, i, "SupportedWriteSegmentSet",
                            info->SupportedWriteSegmentSet);
        wcts_record_element(&record, list, i, "EvictionSegmentSet", info->EvictionSegmentSet);
        wcts_record_element(&record, list, i, "hAllocation", (uintptr_t)info->hAllocation);
        wcts_record_element(&record, list, i,
                            kit_driver->wddm >= DXGKDDI_WDDMv2 ? "FlagsWddm2" : "Flags",
                            info->Flags.Value);
        wcts_record_element(&record, list, i, "AllocationPriority", info->AllocationPriority);
    }
    wcts_record_end(&kit_recorder, &record);
    return status;
}

static NTSTATUS kit_destroy_recorded(HANDLE context, const DXGKARG_DESTROYALLOCATION *args)
{
    const uint64_t seq = wcts_recorder_enter(&kit_recorder);
    struct wcts_record record;
    NTSTATUS status;
    uint32_t i;
    wcts_record_begin(&record, "DxgkDdiDestroyAllocation", seq, STATUS_SUCCESS);
    WCTS_RECORD_IN(&record, args, NumAllocations);
    wcts_record_number(&record, "in.hResource", (uintptr_t)args->hResource);
    wcts_record_number(&record, "in.Flags", args->Flags.Value);
    for (i = 0; i < args->NumAllocations; i++)
        wcts_record_element(&record, "in.hAllocationList", i, NULL,
                            (uintptr_t)args->pAllocationList[i]);
    status = kit_inner.DxgkDdiDestroyAllocation(context, args);
    wcts_record_end(&kit_recorder, &record);
    return status;
}

static NTSTATUS kit_patch_recorded(HANDLE context, const DXGKARG_PATCH *args)
{
    const uint64_t seq = wcts_recorder_enter(&kit_recorder);
    const NTSTATUS status = kit_inner.DxgkDdiPatch(context, args);
    WCTS_RECORD_PATCH(&kit_recorder, seq, status, args);
    return status;
}

/* An instance begins. */
static void kit_record(DRIVER_INITIALIZATION_DATA *data)
{
    wcts_recorder_init(&kit_recorder, kit_ring, KIT_ENTRIES, kit_driver->wddm,
                       kit_driver->built_for, PAGE_SIZE);
    kit_inner = *data;
    data->DxgkDdiRemoveDevice = kit_remove_recorded;
    data->DxgkDdiQueryAdapterInfo = kit_query_recorded;
    data->DxgkDdiCreateAllocation = kit_create_recorded;
    data->DxgkDdiDestroyAllocation = kit_destroy_recorded;
    if (data->DxgkDdiPatch != NULL)
        data->DxgkDdiPatch = kit_patch_recorded;
}

#endif
