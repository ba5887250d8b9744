/* SPDX-License-Identifier: MIT */
/* What a driver finds in the members that it is to write (DXGK_ALLOCATIONINFO): as on Windows,
 * whatever was there. A member that it forgets is then seen in its answer. */
#include "emu_create.h"

#include <stdio.h>
#include <string.h>

/* An [out] member that drivers of the versions [first, end) know. At another one it stays 0. */
struct member {
    const char *name;
    uint32_t offset;
    uint32_t width; /* bytes */
    uint32_t first;
    uint32_t end;
};

#define MEMBER_OF(member, first, end)                                                              \
    {                                                                                              \
#member, offsetof(struct wcts_DXGK_ALLOCATIONINFO, member),                                \
            sizeof(((struct wcts_DXGK_ALLOCATIONINFO *)0)->member), first, end                     \
    }
#define MEMBER(member) MEMBER_OF(member, EMU_WDDM_1_0, UINT32_MAX)
#define MEMBER_BEFORE_2_0(member) MEMBER_OF(member, EMU_WDDM_1_0, EMU_WDDM_2_0)
#define MEMBER_FROM(version, member) MEMBER_OF(member, EMU_WDDM_##version, UINT32_MAX)

static const struct member members[] = {
    MEMBER(Alignment),
    MEMBER(Size),
    MEMBER(PitchAlignedSize),
    MEMBER(HintedBank),
    MEMBER(PreferredSegment),
    MEMBER(SupportedReadSegmentSet),
    MEMBER(SupportedWriteSegmentSet),
    MEMBER(EvictionSegmentSet),
    MEMBER_BEFORE_2_0(MaximumRenamingListLength),
    MEMBER_FROM(2_0, PhysicalAdapterIndex),
    MEMBER(hAllocation),
    MEMBER_BEFORE_2_0(Flags),
    MEMBER_FROM(2_0, FlagsWddm2),
    MEMBER(pAllocationUsageHint),
    MEMBER(AllocationPriority),
    MEMBER_FROM(3_0, Flags2),
};

#define MEMBER_COUNT (sizeof(members) / sizeof(members[0]))

/* Bytes of no plausible size, alignment, set, priority, address or handle: odd, and with the
 * highest bit set. No two members of two allocations have the same. */
static uint64_t garbage_of(uint32_t call, uint32_t index, size_t member)
{
    const uint64_t word = (uint64_t)call * 0x9E3779B1u + index * 0x85EBCA77u + member * 0xC2B2AE3Du;
    return UINT64_C(0xA5000000A5000001) | (word & 0x007FFFFF) << 33 | (word >> 8 & 0x007FFFFF) << 1;
}

static int is_there(const struct emu_kernel *kernel, const struct member *member)
{
    const uint32_t boot = kernel->base.host->interface_version;
    return boot >= member->first && boot < member->end;
}

void emu_garbage_fill(const struct emu_kernel *kernel, uint32_t index,
                      struct wcts_DXGK_ALLOCATIONINFO *info)
{
    size_t i;
    for (i = 0; i < MEMBER_COUNT; i++) {
        const uint64_t garbage = garbage_of(kernel->descriptions, index, i);
        if (is_there(kernel, &members[i]))
            memcpy((unsigned char *)info + members[i].offset, &garbage, members[i].width);
    }
}

void emu_garbage_report(const struct emu_kernel *kernel, uint32_t index,
                        const struct wcts_DXGK_ALLOCATIONINFO *info)
{
    size_t i;
    for (i = 0; i < MEMBER_COUNT; i++) {
        const uint64_t garbage = garbage_of(kernel->descriptions, index, i);
        char text[160];
        if (!is_there(kernel, &members[i]) ||
            memcmp((const unsigned char *)info + members[i].offset, &garbage, members[i].width) !=
                0)
            continue;
        snprintf(text, sizeof(text),
                 "emulator: DXGK_ALLOCATIONINFO.%s of allocation %u was not written: what the "
                 "driver was given is there",
                 members[i].name, index);
        emu_log(kernel->base.host, text);
    }
}
