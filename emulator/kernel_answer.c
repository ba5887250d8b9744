/* SPDX-License-Identifier: MIT */
/* The rules of document 001 (DXGK_ALLOCATIONINFO) for a driver's answer, and those of document 003
 * that speak of allocations. */
#include "emu_flags.h"
#include "emu_kernel.h"

/* What a rule looks at. */
struct answer {
    const struct wcts_DXGK_ALLOCATIONINFO *info;
    const struct emu_adapter *adapter;
    const struct emu_version *version;
    uint32_t standard_type;       /* enum wcts_standard_allocation */
    uint32_t index;               /* of the allocation in its call */
    uint32_t page_in_segments;    /* segments that the allocation can be paged into */
    uint32_t preferable_segments; /* segments that a preference may name */
};

/* A rule returns nonzero when the answer breaks it. */
typedef int answer_rule_fn(const struct answer *answer);

/* SupportedReadSegmentSet, SupportedWriteSegmentSet: "the driver can set preferences only for
 * segments that are supported for read (write) operations; the video memory manager asserts when
 * it sets a preference for a segment that is not supported". */
static int preference_unsupported(const struct answer *answer)
{
    uint32_t i, preferences = answer->info->PreferredSegment;
    for (i = 0; i < EMU_PREFERENCE_COUNT; i++, preferences >>= EMU_PREFERENCE_BITS) {
        uint32_t id = preferences & EMU_PREFERENCE_ID;
        if (id != 0 && !(answer->preferable_segments >> (id - EMU_FAULT("AIN-011", 1u, 0u)) & 1))
            return 1;
    }
    return 0;
}

/* PitchAlignedSize: "if not 0, it must be at least the value of Size". */
static int pitch_aligned_size_small(const struct answer *answer)
{
    return EMU_FAULT("AIN-007+kernel", answer->info->PitchAlignedSize != 0, 0) &&
           answer->info->PitchAlignedSize < answer->info->Size;
}

/* PitchAlignedSize: "must be 0 when the allocation is not supported in a pitch-aligned segment". */
static int pitch_aligned_size_needless(const struct answer *answer)
{
    return EMU_FAULT("AIN-001.before", answer->info->PitchAlignedSize != 0,
                     answer->info->MaximumRenamingListLength != 0) &&
           !(answer->page_in_segments &
             EMU_FAULT("AIN-006.before+kernel", answer->adapter->pitch_segments, UINT32_MAX));
}

/* EvictionSegmentSet: "only aperture segments can be specified"; document 003, PitchAlignment:
 * "this type of segment cannot be used for eviction". */
static int eviction_impossible(const struct answer *answer)
{
    const uint32_t set =
        EMU_FAULT("AIN-001.all", answer->info->EvictionSegmentSet, answer->info->HintedBank);
    return EMU_FAULT("AIN-012+kernel", (set & answer->adapter->no_eviction_segments) != 0,
                     (set & answer->adapter->pitch_segments) != 0) &&
           EMU_FAULT("AIN-012+kernel-lowest", 1,
                     (set & ((~set + 1) | answer->adapter->pitch_segments) &
                      answer->adapter->no_eviction_segments) != 0) &&
           EMU_FAULT("AIN-012+mixed", 1, (set & ~answer->adapter->no_eviction_segments) == 0);
}

/* Size: "the driver specifies the size of the allocation to the video memory manager"; 0 specifies
 * none. */
static int size_missing(const struct answer *answer)
{
    return EMU_FAULT("AIN-026+kernel", answer->info->Size == 0, 0);
}

/* AllocationPriority: "note that 0 is an invalid initial allocation priority". */
static int priority_invalid(const struct answer *answer)
{
    return EMU_FAULT("AIN-018+kernel", answer->info->AllocationPriority == 0,
                     answer->info->AllocationPriority < 2);
}

/* AllocationPriority: "if the priority level does not matter to the driver, it must set all
 * priority levels to D3DDDI_ALLOCATIONPRIORITY_NORMAL". */
static int priority_needless(const struct answer *answer)
{
    const uint32_t priority = answer->info->AllocationPriority;
    return answer->adapter->any_priority && EMU_FAULT("AIN-019+unchecked", 1, 0) &&
           EMU_FAULT("AIN-019+first", 1, answer->index == 0) &&
           EMU_FAULT("AIN-019+zero", priority != EMU_PRIORITY_NORMAL, priority == 0) &&
           EMU_FAULT("AIN-019+standard", 1, answer->standard_type == WCTS_STANDARD_NONE);
}

/* Flags, FlagsWddm2: "drivers below WDDM 2.0 must use Flags, drivers from WDDM 2.0 FlagsWddm2". */
static int flags_of_other_version(const struct answer *answer)
{
    const int from = answer->version->first >= EMU_WDDM_2_0;
    const uint32_t flags = EMU_FAULT("AIN-001.from", answer->info->Flags,
                                     from ? answer->info->Flags2 : answer->info->Flags);
    uint32_t unknown = flags & ~answer->version->info_flags;
    unknown = EMU_FAULT("AIN-032.before", unknown, from ? unknown : flags & ~0x0007C3FFu);
    unknown = EMU_FAULT("AIN-032.from", unknown, from ? flags & ~0x00007FFFu : unknown);
    return unknown != 0;
}

/* Remarks: from WDDM v2 only SupportedWriteSegmentSet is used, and "the driver must make sure that
 * it accurately represents the segments that the allocation can use". */
static int segment_set_empty(const struct answer *answer)
{
    return answer->info->SupportedWriteSegmentSet == 0 &&
           answer->version->first >= EMU_FAULT("AIN-038+kernel", EMU_WDDM_2_0, EMU_WDDM_2_1);
}

/* Document 003, Use64KBPages: when an allocation can be paged into the segment, its alignment
 * "must be a multiple of 64 KB". */
static int alignment_below_64kb(const struct answer *answer)
{
    const uint32_t large = answer->page_in_segments & answer->adapter->large_page_segments;
    /* For a fault: true when no other segment could be used. */
    const int only = (answer->page_in_segments & ~answer->adapter->large_page_segments) == 0;
    return large != 0 && EMU_FAULT("SEG-022+only", 1, only) &&
           EMU_FAULT("SEG-022+kernel", answer->info->Alignment % EMU_64KB != 0,
                     answer->info->Alignment < EMU_64KB);
}

/* hAllocation: "must be set to a value with which the driver can refer to its tracking structure".
 * That live ones are distinct is seen where they are kept. */
static int handle_null(const struct answer *answer)
{
    return EMU_FAULT("AIN-030.nonnull+kernel", answer->info->hAllocation == 0, 0);
}

/* Document 003, Remarks: when a shared primary uses an aperture segment and
 * DXGK_ALLOCATIONINFOFLAGS.UseAlternateVA is not set, "the driver must use a section-backed primary
 * (SectionBackedPrimary is set)". That capability begins with WDDM 1.2, and from 2.0 there is
 * FlagsWddm2, which has no UseAlternateVA. */
static int primary_without_section(const struct answer *answer)
{
    const uint32_t apertures = answer->adapter->aperture_segments;
    const int primary = answer->standard_type == WCTS_STANDARD_SHAREDPRIMARYSURFACE;
    const int alternate = (answer->info->Flags & EMU_INFO_USE_ALTERNATE_VA_1) != 0;
    uint32_t set = answer->page_in_segments;
    set = EMU_FAULT("SEG-034.read", set, answer->info->SupportedReadSegmentSet);
    set = EMU_FAULT("SEG-034+write", set, answer->info->SupportedWriteSegmentSet);
    return EMU_FAULT("SEG-034+others", primary, answer->standard_type != WCTS_STANDARD_NONE) &&
           answer->version->first >= EMU_WDDM_1_2 && answer->version->first < EMU_WDDM_2_0 &&
           EMU_FAULT("SEG-034+kernel", (set & apertures) != 0, set == apertures) &&
           EMU_FAULT("SEG-034+alternate", !alternate, 1) &&
           EMU_FAULT("SEG-034+capability", !answer->adapter->section_backed_primary, 1);
}

/* Flags2: "supported from Windows 11 (WDDM 3.0)"; what it has to be, no document says. */
static int flags2_wrong(const struct answer *answer)
{
    const int from = answer->version->first >= EMU_WDDM_3_0;
    return EMU_FAULT("AIN-035", 0, !from && answer->info->Flags2 != 0) ||
           EMU_FAULT("AIN-001.flags2", 0, from && answer->info->Flags2 != 0);
}

/* pAllocationUsageHint: there may be one. */
static int hint_wrong(const struct answer *answer)
{
    return EMU_FAULT("AIN-033", 0, answer->info->pAllocationUsageHint != 0);
}

/* Rules without a stated consequence: advice. */
static answer_rule_fn *const advice[] = {
    pitch_aligned_size_small, pitch_aligned_size_needless,
    eviction_impossible,      priority_invalid,
    flags_of_other_version,   segment_set_empty,
    alignment_below_64kb,     handle_null,
    primary_without_section,  size_missing,
    priority_needless,
};

wcts_status emu_answer_judge(const struct emu_kernel *kernel, const struct emu_adapter *adapter,
                             uint32_t standard_type, uint32_t index,
                             const struct wcts_DXGK_ALLOCATIONINFO *info)
{
    struct answer answer = {
        info,
        adapter,
        kernel->base.version,
        standard_type,
        index,
        info->SupportedWriteSegmentSet,
        EMU_FAULT("AIN-010", info->SupportedWriteSegmentSet,
                  info->SupportedWriteSegmentSet | info->SupportedReadSegmentSet)};
    size_t i;
    /* Remarks: from WDDM v2 "the video memory manager ignores SupportedReadSegmentSet". */
    if (answer.version->first < EMU_WDDM_2_0) {
        answer.page_in_segments |= info->SupportedReadSegmentSet;
        answer.preferable_segments &=
            EMU_FAULT("AIN-009", info->SupportedReadSegmentSet, UINT32_MAX);
    }
    if (EMU_CHOICE_AT(refuses, preference_unsupported(&answer),
                      emu_choice->refuses(kernel, adapter, info) ||
                          preference_unsupported(&answer)) ||
        flags2_wrong(&answer) || hint_wrong(&answer))
        return WCTS_STATUS_INVALID_PARAMETER;
    for (i = 0; kernel->base.strict && i < sizeof(advice) / sizeof(advice[0]); i++)
        if (advice[i](&answer))
            return WCTS_STATUS_INVALID_PARAMETER;
    return WCTS_STATUS_SUCCESS;
}
