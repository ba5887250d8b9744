/* SPDX-License-Identifier: MIT */
/* DRIVER_SEGMENTS: DxgkDdiQueryAdapterInfo with the query of the version, first for the number of
 * segments, then for their descriptors. */
#include "ddi.h"

#include <stdlib.h>

/* Room behind the descriptors of version 4: their distance is the kernel's choice. */
#define STRIDE4 (sizeof(DXGK_SEGMENTDESCRIPTOR4) + 0x20)
#define SEGMENTS_MAX 64u
#define BANKS_MAX 128u

/* One of the three forms of the query. All begin with the number and the pointer. */
struct query {
    struct ddi_adapter *adapter;
    DXGK_QUERYADAPTERINFOTYPE type;
    uint32_t out_size;
    uint32_t stride;
};

union query_out {
    DXGK_QUERYSEGMENTOUT v1;
    DXGK_QUERYSEGMENTOUT3 v3;
    DXGK_QUERYSEGMENTOUT4 v4;
    unsigned char bytes[sizeof(DXGK_QUERYSEGMENTOUT4)];
};

/* The three forms have the same head. */
C_ASSERT(offsetof(DXGK_QUERYSEGMENTOUT, pSegmentDescriptor) ==
         offsetof(DXGK_QUERYSEGMENTOUT4, pSegmentDescriptor));
C_ASSERT(offsetof(DXGK_QUERYSEGMENTOUT, PagingBufferPrivateDataSize) ==
         offsetof(DXGK_QUERYSEGMENTOUT4, PagingBufferPrivateDataSize));

static NTSTATUS ask(const struct query *query, union query_out *out)
{
    struct ddi_instance *instance = query->adapter->instance;
    DXGKARG_QUERYADAPTERINFO *args = ddi_arguments(DDI_QUERYADAPTERINFO);
    DXGK_QUERYSEGMENTIN in = {.AgpApertureBase = {.QuadPart = 0}};
    DXGK_QUERYSEGMENTIN4 in4 = {.PhysicalAdapterIndex = 0};
    const int four = query->type == DXGKQAITYPE_QUERYSEGMENT4;
    NTSTATUS status;
    args->Type = query->type;
    args->pInputData = four ? (void *)&in4 : (void *)&in;
    args->InputDataSize = four ? sizeof in4 : sizeof in;
    args->pOutputData = out;
    args->OutputDataSize = query->out_size;
    args->Flags.Value = 0;
    if (ddi_since(instance, DXGKDDI_INTERFACE_VERSION_WDDM2_4))
        args->hKmdProcessHandle = NULL;
    status =
        DDI_CALL(DxgkDdiQueryAdapterInfo,
                 instance->table.DxgkDdiQueryAdapterInfo(query->adapter->device_context, args));
    ddi_arguments_end(instance, DDI_QUERYADAPTERINFO, args);
    return status;
}

/* The first pass: no array, and nothing of the answer but the number is looked at. In version 4 the
 * driver must not touch the rest. */
static NTSTATUS count_segments(const struct query *query, uint32_t *count)
{
    union query_out out, before;
    NTSTATUS status;
    memset(&out, DDI_GARBAGE, sizeof out);
    out.v1.NbSegment = 0;
    out.v1.pSegmentDescriptor = NULL;
    before = out;
    status = ask(query, &out);
    *count = out.v1.NbSegment;
    before.v1.NbSegment = out.v1.NbSegment;
    if (NT_SUCCESS(status) && query->type == DXGKQAITYPE_QUERYSEGMENT4 &&
        memcmp(before.bytes + 4, out.bytes + 4, sizeof out - 4) != 0)
        ddi_log("QUERYSEGMENT4: the pass that counts changed more than NbSegment");
    return status;
}

static void log_unwritten(uint64_t value, int wide, uint32_t id, const char *member)
{
    if (value == (wide ? DDI_GARBAGE64 : DDI_GARBAGE32))
        ddi_log("segment %u: %s was not written", id, member);
}

/* Turns a member into that of the reply. One that the driver did not write stays as it was found,
 * unless it means nothing with these flags. */
#define CARRY(to, from, member)                                                                    \
    ((to)->member = (uint64_t)(from)->member,                                                      \
     log_unwritten((to)->member, sizeof((from)->member) == 8, id, #member))

/* Appends the bank table: each element is where a bank ends. Returns 0 without room. */
static int append_banks(const SIZE_T *ends, uint32_t count, void *reply, uint32_t room,
                        uint32_t *size, struct wcts_DXGK_SEGMENTDESCRIPTOR *to)
{
    uint64_t start = 0;
    uint32_t i;
    to->NbOfBanks = count;
    if (ends == NULL || (uint64_t)(uintptr_t)ends == DDI_GARBAGE64 || count > BANKS_MAX)
        return 1;
    to->pBankRangeTable = ddi_append(reply, room, size, NULL, 0);
    for (i = 0; i < count; i++) {
        const struct wcts_bank_range bank = {.Start = start, .Length = ends[i] - start};
        const uint32_t offset = ddi_append(reply, room, size, &bank, sizeof bank);
        if (offset == 0)
            return 0;
        start = ends[i];
    }
    return 1;
}

struct answer {
    void *reply;
    uint32_t room;
    uint32_t *size;
};

static int carry1(const DXGK_SEGMENTDESCRIPTOR *from, uint32_t id,
                  struct wcts_DXGK_SEGMENTDESCRIPTOR *to, const struct answer *answer)
{
    to->Flags = from->Flags.Value;
    to->BaseAddress = (uint64_t)from->BaseAddress.QuadPart;
    CARRY(to, from, Size);
    CARRY(to, from, CommitLimit);
    if (from->Flags.CpuVisible)
        to->CpuTranslatedAddress = (uint64_t)from->CpuTranslatedAddress.QuadPart;
    if (!from->Flags.UseBanking || answer == NULL)
        return 1;
    return append_banks(from->pBankRangeTable, from->NbOfBanks, answer->reply, answer->room,
                        answer->size, to);
}

static int carry3(const DXGK_SEGMENTDESCRIPTOR3 *from, uint32_t id,
                  struct wcts_DXGK_SEGMENTDESCRIPTOR *to, const struct answer *answer)
{
    to->Flags = from->Flags.Value;
    to->BaseAddress = (uint64_t)from->BaseAddress.QuadPart;
    CARRY(to, from, Size);
    CARRY(to, from, CommitLimit);
    if (from->Flags.CpuVisible)
        to->CpuTranslatedAddress = (uint64_t)from->CpuTranslatedAddress.QuadPart;
    if (from->Flags.PopulatedFromSystemMemory)
        CARRY(to, from, SystemMemoryEndAddress);
    if (!from->Flags.UseBanking || answer == NULL)
        return 1;
    return append_banks(from->pBankRangeTable, from->NbOfBanks, answer->reply, answer->room,
                        answer->size, to);
}

/* Two meanings of one place: with SupportsCpuHostAperture it is the host aperture. */
static int carry4(const DXGK_SEGMENTDESCRIPTOR4 *from, uint32_t id,
                  struct wcts_DXGK_SEGMENTDESCRIPTOR *to)
{
    to->Flags = from->Flags.Value;
    to->BaseAddress = (uint64_t)from->BaseAddress.QuadPart;
    CARRY(to, from, Size);
    CARRY(to, from, CommitLimit);
    if (from->Flags.SupportsCpuHostAperture) {
        to->CpuHostAperturePhysicalAddress =
            (uint64_t)from->CpuHostAperture.PhysicalAddress.QuadPart;
        to->CpuHostApertureSizeInPages = from->CpuHostAperture.SizeInPages;
    } else if (from->Flags.CpuVisible) {
        to->CpuTranslatedAddress = (uint64_t)from->CpuTranslatedAddress.QuadPart;
    }
    if (from->Flags.PopulatedFromSystemMemory)
        CARRY(to, from, SystemMemoryEndAddress);
    if (from->NumInvalidMemoryRanges != DDI_GARBAGE32)
        to->NumInvalidMemoryRanges = from->NumInvalidMemoryRanges;
    if (from->Flags.VprSupported) {
        to->VprRangeStartOffset = from->VprRangeStartOffset;
        to->VprRangeSize = from->VprRangeSize;
        to->VprAlignment = from->VprAlignment;
        to->NumVprSupported = from->NumVprSupported;
        to->VprReserveSize = from->VprReserveSize;
    }
    return 1;
}

static int carry(const struct query *query, const unsigned char *array, uint32_t index,
                 struct wcts_DXGK_SEGMENTDESCRIPTOR *to, const struct answer *answer)
{
    const void *from = array + (size_t)index * query->stride;
    memset(to, 0, sizeof *to);
    if (query->type == DXGKQAITYPE_QUERYSEGMENT4)
        return carry4(from, index + 1, to);
    if (query->type == DXGKQAITYPE_QUERYSEGMENT3)
        return carry3(from, index + 1, to, answer);
    return carry1(from, index + 1, to, answer);
}

/* The distance of two descriptors is the kernel's: what lies between is not the driver's, nor is
 * what lies behind the last one. */
static void check_gaps(const struct query *query, const unsigned char *array, uint32_t count)
{
    const size_t size = sizeof(DXGK_SEGMENTDESCRIPTOR4);
    uint32_t i;
    size_t at;
    if (!ddi_is_garbage(array + (size_t)count * query->stride, DDI_PAGE))
        ddi_breach("the driver wrote behind the %u segment descriptors that it was given room for",
                   count);
    if (query->type != DXGKQAITYPE_QUERYSEGMENT4)
        return;
    for (i = 0; i < count; i++)
        for (at = i * query->stride + size; at < (i + 1) * (size_t)query->stride; at++)
            if (array[at] != DDI_GARBAGE)
                ddi_breach("QUERYSEGMENT4: the driver wrote behind descriptor %u, which ends at "
                           "0x%zX: the next one is SegmentDescriptorStride further",
                           i, size);
}

/* The second pass. */
static NTSTATUS describe_segments(const struct query *query, uint32_t count, unsigned char *array)
{
    struct ddi_adapter *adapter = query->adapter;
    union query_out out;
    NTSTATUS status;
    memset(&out, DDI_GARBAGE, sizeof out);
    memset(array, DDI_GARBAGE, (size_t)count * query->stride + DDI_PAGE);
    out.v4.NbSegment = count;
    out.v4.pSegmentDescriptor = array;
    out.v4.SegmentDescriptorStride = query->stride;
    status = ask(query, &out);
    if (!NT_SUCCESS(status))
        return status;
    check_gaps(query, array, count);
    if (out.v1.NbSegment != count)
        ddi_breach("NbSegment was %u in the first pass and %u in the second, which has room for %u",
                   count, out.v1.NbSegment, count);
    if (out.v1.PagingBufferSegmentId == DDI_GARBAGE32)
        ddi_log("PagingBufferSegmentId was not written");
    if (out.v1.PagingBufferSize != DDI_GARBAGE32)
        adapter->paging_size = out.v1.PagingBufferSize;
    if (out.v1.PagingBufferPrivateDataSize != DDI_GARBAGE32)
        adapter->paging_private_size = out.v1.PagingBufferPrivateDataSize;
    return STATUS_SUCCESS;
}

/* By what the version has; a driver that does not know the newer form is asked the oldest. */
static NTSTATUS begin(struct query *query, uint32_t *count)
{
    const struct ddi_instance *instance = query->adapter->instance;
    NTSTATUS status;
    if (ddi_since(instance, DXGKDDI_INTERFACE_VERSION_WDDM2_0)) {
        query->type = DXGKQAITYPE_QUERYSEGMENT4;
        query->out_size = sizeof(DXGK_QUERYSEGMENTOUT4);
        query->stride = STRIDE4;
        return count_segments(query, count);
    }
    query->out_size = sizeof(DXGK_QUERYSEGMENTOUT3);
    query->type = DXGKQAITYPE_QUERYSEGMENT3;
    query->stride = sizeof(DXGK_SEGMENTDESCRIPTOR3);
    status = ddi_since(instance, DXGKDDI_INTERFACE_VERSION_WIN8) ? count_segments(query, count)
                                                                 : STATUS_NOT_SUPPORTED;
    if (status != STATUS_NOT_SUPPORTED && status != STATUS_NOT_IMPLEMENTED)
        return status;
    query->out_size = sizeof(DXGK_QUERYSEGMENTOUT);
    query->type = DXGKQAITYPE_QUERYSEGMENT;
    query->stride = sizeof(DXGK_SEGMENTDESCRIPTOR);
    return count_segments(query, count);
}

/* Segments do not change while an adapter runs: what the driver said before is what the kernel was
 * told, and the GPU uses. */
static void check_segment(const struct ddi_segment *before, uint32_t id,
                          const struct wcts_DXGK_SEGMENTDESCRIPTOR *now)
{
    if (before->flags != now->Flags)
        ddi_breach("segment %u: Flags was 0x%X in an earlier query and is 0x%X", id, before->flags,
                   now->Flags);
    if (before->base_address != now->BaseAddress)
        ddi_breach("segment %u: BaseAddress was 0x%llX in an earlier query and is 0x%llX", id,
                   (unsigned long long)before->base_address, (unsigned long long)now->BaseAddress);
    if (before->size != now->Size)
        ddi_breach("segment %u: Size was 0x%llX in an earlier query and is 0x%llX", id,
                   (unsigned long long)before->size, (unsigned long long)now->Size);
}

/* Both passes. The array is the caller's to free. */
static NTSTATUS query_segments(struct query *query, uint32_t *count, unsigned char **array)
{
    struct ddi_adapter *adapter = query->adapter;
    struct wcts_DXGK_SEGMENTDESCRIPTOR one;
    NTSTATUS status = begin(query, count);
    uint32_t i;
    *array = NULL;
    if (!NT_SUCCESS(status))
        return status;
    if (*count > SEGMENTS_MAX) {
        ddi_log("the driver has %u segments: at most %u are taken", *count, SEGMENTS_MAX);
        return STATUS_INVALID_PARAMETER;
    }
    *array = ddi_new((size_t)*count * query->stride + DDI_PAGE);
    status = describe_segments(query, *count, *array);
    if (NT_SUCCESS(status) && adapter->segments_known && adapter->segment_count != *count)
        ddi_breach("NbSegment was %u in an earlier query and is %u", adapter->segment_count,
                   *count);
    for (i = 0; NT_SUCCESS(status) && adapter->segments_known && i < *count; i++) {
        (void)carry(query, *array, i, &one, NULL);
        check_segment(&adapter->segments[i], i + 1, &one);
    }
    if (!NT_SUCCESS(status) || adapter->segments_known)
        return status;
    adapter->segments = ddi_new(*count * sizeof *adapter->segments);
    adapter->segment_count = *count;
    adapter->segments_known = 1;
    for (i = 0; i < *count; i++) {
        (void)carry(query, *array, i, &one, NULL);
        adapter->segments[i] = (struct ddi_segment){
            .base_address = one.BaseAddress, .size = one.Size, .flags = one.Flags};
    }
    return status;
}

NTSTATUS ddi_segments(struct ddi_adapter *adapter)
{
    struct query query = {.adapter = adapter};
    unsigned char *array;
    uint32_t count;
    NTSTATUS status;
    if (adapter->segments_known)
        return STATUS_SUCCESS;
    status = query_segments(&query, &count, &array);
    free(array);
    return status;
}

wcts_status ddi_driver_segments(void *ctx, const void *request, uint32_t request_size, void *reply,
                                uint32_t room, uint32_t *size)
{
    struct ddi_instance *instance = ctx;
    struct query query = {.adapter = &instance->adapters[0]};
    const struct answer answer = {reply, room, size};
    struct wcts_driver_segments_reply *out = reply;
    struct wcts_DXGK_SEGMENTDESCRIPTOR *descriptors;
    unsigned char *array;
    uint32_t i, fits = 1;
    NTSTATUS status = query_segments(&query, &out->Count, &array);
    (void)request, (void)request_size;
    if (!NT_SUCCESS(status)) {
        free(array);
        return status;
    }
    descriptors = ddi_new(out->Count * sizeof *descriptors);
    for (i = 0; i < out->Count && fits; i++)
        fits = (uint32_t)carry(&query, array, i, &descriptors[i], &answer);
    out->Stride = sizeof *descriptors;
    out->pSegments =
        ddi_append(reply, room, size, descriptors, (uint32_t)(out->Count * sizeof *descriptors));
    free(descriptors);
    free(array);
    return fits && out->pSegments != 0 ? STATUS_SUCCESS : STATUS_BUFFER_TOO_SMALL;
}
