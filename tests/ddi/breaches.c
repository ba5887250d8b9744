/* SPDX-License-Identifier: MIT */
/* A driver that does what Windows would not survive, or would not forgive, with the option
 * breach=NAME: the adapter notices, and says what it was (test-breaches.sh). */
#include "../drivers/kit.h"

static const char *breach = "";

static int is(const char *name)
{
    return strcmp(breach, name) == 0;
}

static KSPIN_LOCK lock;

/* At 2.0 the structure has no member at 0x40; at any version nothing is behind it. */
static NTSTATUS create_device(HANDLE context, DXGKARG_CREATEDEVICE *args)
{
    if (is("structure"))
        memset(args + 1, 0, 8);
    if (is("pool"))
        ExFreePoolWithTag(NULL, 0);
    return kit_device(context, args);
}

/* A driver that takes sizeof for the distance of two descriptors. */
static NTSTATUS query(HANDLE context, const DXGKARG_QUERYADAPTERINFO *args)
{
    DXGK_QUERYSEGMENTOUT4 *out = args->pOutputData;
    NTSTATUS status;
    if (!is("stride") || args->Type != DXGKQAITYPE_QUERYSEGMENT4 || out->pSegmentDescriptor == NULL)
        return kit_query(context, args);
    out->SegmentDescriptorStride = sizeof(DXGK_SEGMENTDESCRIPTOR4);
    status = kit_query(context, args);
    return status;
}

static NTSTATUS patch(HANDLE context, const DXGKARG_PATCH *args)
{
    KIRQL level;
    if (is("paged"))
        PAGED_CODE();
    if (is("buffer"))
        ((unsigned char *)args->pDmaBuffer)[args->DmaBufferSize] = 1;
    if (is("lock")) {
        KeAcquireSpinLockAtDpcLevel(&lock);
        KeAcquireSpinLockAtDpcLevel(&lock);
    }
    if (is("level"))
        KeRaiseIrql(DISPATCH_LEVEL + 1, &level);
    if (is("check"))
        KeBugCheckEx(0x119, 3, 0, 0, 0);
    return kit_patch(context, args);
}

static NTSTATUS build(HANDLE context, DXGKARG_BUILDPAGINGBUFFER *args)
{
    KEVENT event;
    if (is("paging"))
        ((unsigned char *)args->pDmaBuffer)[args->DmaSize] = 1;
    if (is("pointer")) {
        args->pDmaBuffer = (unsigned char *)args->pDmaBuffer + args->DmaSize + 1;
        return STATUS_SUCCESS;
    }
    if (is("wait")) {
        KeInitializeEvent(&event, NotificationEvent, FALSE);
        KeWaitForSingleObject(&event, Executive, KernelMode, FALSE, NULL);
    }
    return is("progress") ? STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER : kit_build(context, args);
}

static void describe(int fault, uint32_t kind, DXGK_ALLOCATIONINFO *info)
{
    static const DXGK_ALLOCATIONINFO as_it_came = {.Alignment = 0xA5A5A5A5};
    UNREFERENCED_PARAMETER(fault);
    UNREFERENCED_PARAMETER(kind);
    if (is("unwritten"))
        info->Alignment = as_it_came.Alignment;
    if (is("empty"))
        info->Size = 0;
    if (is("preferred"))
        info->PreferredSegment.SegmentId0 = 3;
}

static void table(DRIVER_INITIALIZATION_DATA *data)
{
    data->DxgkDdiCreateDevice = create_device;
    data->DxgkDdiQueryAdapterInfo = query;
    data->DxgkDdiPatch = patch;
    data->DxgkDdiBuildPagingBuffer = build;
    if (is("table"))
        data->DxgkDdiDestroyAllocation = NULL;
}

static int options(const char *text)
{
    static const char key[] = "breach=";
    breach = strncmp(text, key, sizeof key - 1) == 0 ? text + sizeof key - 1 : "";
    return text[0] == '\0' || breach[0] != '\0';
}

static const struct kit kit = {
    .name = "breaches",
    .wddm = DXGKDDI_WDDMv2,
    .built_for = DXGKDDI_INTERFACE_VERSION_WDDM2_0,
    .scheduler_caps = 1,
    .segment_count = 2,
    .segments = {{.flags = 0x4, .base = 0x100000000, .size = 16 * KIT_MIB, .cpu = 0xD0000000},
                 {.flags = 0x4, .base = 0x200000000, .size = 16 * KIT_MIB, .cpu = 0xE0000000}},
    .kind_count = 1,
    .kinds = {{.name = "plain", .size = 0x10000, .sets = 0x3}},
    .patches = WCTS_PATCHES_64,
    .paging_commands = 4,
    .describe = describe,
    .table = table,
    .options = options,
};

KIT_PLUGIN(kit)
