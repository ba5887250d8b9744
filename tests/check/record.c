/* SPDX-License-Identifier: MIT */
/* A driver that records itself with contrib/recorder: creates, patches, and dumps its ring. */
#include <stdio.h>
#include <stdlib.h>

#include "../../contrib/recorder/wddm-cts-recorder.h"

/* As the kit has it, as far as it is recorded. */
typedef struct {
    void *hContext;
    uint32_t DmaBufferSegmentId;
    struct {
        int64_t QuadPart;
    } DmaBufferPhysicalAddress;
    void *pDmaBuffer;
    uint32_t DmaBufferSize, DmaBufferSubmissionStartOffset, DmaBufferSubmissionEndOffset;
    void *pDmaBufferPrivateData;
    uint32_t DmaBufferPrivateDataSize, DmaBufferPrivateDataSubmissionStartOffset,
        DmaBufferPrivateDataSubmissionEndOffset;
    const void *pAllocationList;
    uint32_t AllocationListSize;
    const void *pPatchLocationList;
    uint32_t PatchLocationListSize, PatchLocationListSubmissionStart,
        PatchLocationListSubmissionLength, SubmissionFenceId;
    struct {
        uint32_t Value;
    } Flags;
    uint32_t EngineOrdinal;
} DXGKARG_PATCH;

static struct wcts_recorder recorder;

static void record_create(uint64_t size)
{
    struct wcts_record record;
    uint64_t seq = wcts_recorder_enter(&recorder);
    wcts_record_begin(&record, "DxgkDdiCreateAllocation", seq, 0);
    wcts_record_number(&record, "in.NumAllocations", 2);
    for (uint32_t i = 0; i < 2; i++) {
        wcts_record_element(&record, "out.pAllocationInfo", i, "Size", i == 0 ? size : 4096);
        wcts_record_element(&record, "out.pAllocationInfo", i, "hAllocation",
                            UINT64_C(0xFFFFA00000000000) + seq * 16 + i);
    }
    wcts_record_end(&recorder, &record);
}

static void record_patch(uint32_t flags, const void *list)
{
    uint64_t seq = wcts_recorder_enter(&recorder);
    DXGKARG_PATCH patch = {.hContext = &patch, .DmaBufferSize = 4096, .SubmissionFenceId = 7};
    patch.DmaBufferSubmissionEndOffset = 256;
    patch.Flags.Value = flags;
    patch.pAllocationList = list;
    WCTS_RECORD_PATCH(&recorder, seq, 0, &patch);
}

static void dump(const char *name, const void *bytes, size_t size)
{
    FILE *file = fopen(name, "wb");
    if (!file || fwrite(bytes, size, 1, file) != 1 || fclose(file) != 0)
        exit(2);
}

/* record ENTRIES CALLS HEAD RING */
int main(int argc, char **argv)
{
    uint32_t entries = (uint32_t)strtoul(argv[1], NULL, 0);
    int calls = atoi(argv[2]);
    struct wcts_recorder_entry *ring = calloc(entries, sizeof *ring);
    if (argc != 5 || !ring)
        return 2;
    wcts_recorder_init(&recorder, ring, entries, 0x2600, 0xB004, 4096);
    for (int i = 0; i < calls; i++) {
        record_create(0x10000);
        record_patch(1, NULL);
    }
    record_create(0);
    record_patch(1, ring);
    dump(argv[3], &recorder, sizeof recorder);
    dump(argv[4], ring, entries * sizeof *ring);
    free(ring);
    return 0;
}
