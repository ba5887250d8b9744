/* SPDX-License-Identifier: MIT */
/* The rules of document 003 (DXGK_SEGMENTFLAGS) for the segments that a driver describes. */
#include "emu_flags.h"
#include "emu_kernel.h"
#include "narrow.h"

#include <stdlib.h>
#include <string.h>

/* A combination of flags that the document rules out: (Flags & mask) == value. All are advice: the
 * document does not say that the adapter fails to start. */
struct segment_rule {
    uint32_t first; /* the first version that judges it */
    uint32_t mask;
    uint32_t value;
    const struct emu_fault_site *fault;
    uint32_t bad_first, bad_mask; /* what first and mask are then */
    uint64_t spared;              /* the row of a profile with which it is not judged */
};

EMU_FAULT_SITE(coherent_alone, "SEG-011+kernel",
               "EMU_SEGMENT_CACHE_COHERENT | EMU_SEGMENT_APERTURE",
               "EMU_SEGMENT_CACHE_COHERENT | EMU_SEGMENT_CPU_VISIBLE");
EMU_FAULT_SITE(populated_late, "SEG-014+kernel", "EMU_WDDM_1_0", "EMU_WDDM_1_2");
EMU_FAULT_SITE(hibernate_late, "SEG-015+kernel", "EMU_WDDM_1_2", "EMU_WDDM_2_0");
EMU_FAULT_SITE(partly_late, "SEG-016.row001+kernel", "EMU_WDDM_1_2", "EMU_WDDM_2_0");
EMU_FAULT_SITE(both_late, "SEG-017+kernel", "EMU_WDDM_1_2", "EMU_WDDM_1_3");
EMU_FAULT_SITE(visible_late, "SEG-025+kernel", "EMU_WDDM_2_0", "EMU_WDDM_2_1");
EMU_FAULT_SITE(cached_other, "SEG-026+kernel",
               "EMU_SEGMENT_SUPPORTS_CACHED_CPU_HOST_APERTURE | "
               "EMU_SEGMENT_SUPPORTS_CPU_HOST_APERTURE",
               "EMU_SEGMENT_SUPPORTS_CACHED_CPU_HOST_APERTURE");

static const struct segment_rule rules[] = {
    /* CacheCoherent: "can be set only with Aperture". */
    {EMU_WDDM_1_0, EMU_SEGMENT_CACHE_COHERENT | EMU_SEGMENT_APERTURE, EMU_SEGMENT_CACHE_COHERENT,
     &coherent_alone, EMU_WDDM_1_0, EMU_SEGMENT_CACHE_COHERENT | EMU_SEGMENT_CPU_VISIBLE,
     EMU_ROW(P5)},
    /* PopulatedFromSystemMemory: "not valid and ignored on aperture segments". */
    {EMU_WDDM_1_0, EMU_SEGMENT_POPULATED_FROM_SYSTEM_MEMORY | EMU_SEGMENT_APERTURE,
     EMU_SEGMENT_POPULATED_FROM_SYSTEM_MEMORY | EMU_SEGMENT_APERTURE, &populated_late, EMU_WDDM_1_2,
     EMU_SEGMENT_POPULATED_FROM_SYSTEM_MEMORY | EMU_SEGMENT_APERTURE, 0},
    /* PreservedDuringHibernate: "do not set unless PreservedDuringStandby is also set"; rows 010
     * and 011 of the standby table. */
    {EMU_WDDM_1_2, EMU_SEGMENT_PRESERVED_DURING_HIBERNATE | EMU_SEGMENT_PRESERVED_DURING_STANDBY,
     EMU_SEGMENT_PRESERVED_DURING_HIBERNATE, &hibernate_late, EMU_WDDM_2_0,
     EMU_SEGMENT_PRESERVED_DURING_HIBERNATE | EMU_SEGMENT_PRESERVED_DURING_STANDBY, 0},
    /* PartiallyPreservedDuringHibernate: the same words; rows 001 and 011. */
    {EMU_WDDM_1_2,
     EMU_SEGMENT_PARTIALLY_PRESERVED_DURING_HIBERNATE | EMU_SEGMENT_PRESERVED_DURING_STANDBY,
     EMU_SEGMENT_PARTIALLY_PRESERVED_DURING_HIBERNATE, &partly_late, EMU_WDDM_2_0,
     EMU_SEGMENT_PARTIALLY_PRESERVED_DURING_HIBERNATE | EMU_SEGMENT_PRESERVED_DURING_STANDBY, 0},
    /* The standby table: rows 111 and 011, "not valid". */
    {EMU_WDDM_1_2,
     EMU_SEGMENT_PARTIALLY_PRESERVED_DURING_HIBERNATE | EMU_SEGMENT_PRESERVED_DURING_HIBERNATE,
     EMU_SEGMENT_PARTIALLY_PRESERVED_DURING_HIBERNATE | EMU_SEGMENT_PRESERVED_DURING_HIBERNATE,
     &both_late, EMU_WDDM_1_3,
     EMU_SEGMENT_PARTIALLY_PRESERVED_DURING_HIBERNATE | EMU_SEGMENT_PRESERVED_DURING_HIBERNATE, 0},
    /* SupportsCpuHostAperture: "cannot be used in combination with CpuVisible". */
    {EMU_WDDM_2_0, EMU_SEGMENT_SUPPORTS_CPU_HOST_APERTURE | EMU_SEGMENT_CPU_VISIBLE,
     EMU_SEGMENT_SUPPORTS_CPU_HOST_APERTURE | EMU_SEGMENT_CPU_VISIBLE, &visible_late, EMU_WDDM_2_1,
     EMU_SEGMENT_SUPPORTS_CPU_HOST_APERTURE | EMU_SEGMENT_CPU_VISIBLE, 0},
    /* SupportsCachedCpuHostAperture: "SupportsCpuHostAperture must be set too". */
    {EMU_WDDM_2_0,
     EMU_SEGMENT_SUPPORTS_CACHED_CPU_HOST_APERTURE | EMU_SEGMENT_SUPPORTS_CPU_HOST_APERTURE,
     EMU_SEGMENT_SUPPORTS_CACHED_CPU_HOST_APERTURE, &cached_other, EMU_WDDM_2_0,
     EMU_SEGMENT_SUPPORTS_CACHED_CPU_HOST_APERTURE, 0},
};

#define RULE_COUNT (sizeof(rules) / sizeof(rules[0]))

/* Where a rule is not judged while a fault is on: one for each, in their order. */
#define LAPSES(X)                                                                                  \
    X(coherent_populated, "SEG-011+populated", EMU_WDDM_1_0, EMU_WDDM_3_2,                         \
      EMU_SEGMENT_CPU_VISIBLE | EMU_SEGMENT_POPULATED_FROM_SYSTEM_MEMORY,                          \
      EMU_SEGMENT_CPU_VISIBLE | EMU_SEGMENT_POPULATED_FROM_SYSTEM_MEMORY)                          \
    X(populated_coherent, "SEG-014+coherent", EMU_WDDM_1_0, EMU_WDDM_3_2,                          \
      EMU_SEGMENT_CACHE_COHERENT | EMU_SEGMENT_CPU_VISIBLE,                                        \
      EMU_SEGMENT_CACHE_COHERENT | EMU_SEGMENT_CPU_VISIBLE)                                        \
    X(hibernate_flipped, "SEG-015+flip", EMU_WDDM_1_2, EMU_WDDM_3_2, EMU_SEGMENT_DIRECT_FLIP,      \
      EMU_SEGMENT_DIRECT_FLIP)                                                                     \
    X(partly_2_5, "SEG-016.row001+2.5", EMU_WDDM_2_5, EMU_WDDM_2_5, 0, 0)                          \
    X(both_populated, "SEG-017+populated", EMU_WDDM_1_2, EMU_WDDM_3_2,                             \
      EMU_SEGMENT_CPU_VISIBLE | EMU_SEGMENT_POPULATED_FROM_SYSTEM_MEMORY,                          \
      EMU_SEGMENT_CPU_VISIBLE | EMU_SEGMENT_POPULATED_FROM_SYSTEM_MEMORY)                          \
    X(visible_large, "SEG-025+large-pages", EMU_WDDM_2_0, EMU_WDDM_3_2,                            \
      EMU_SEGMENT_USE_64KB_PAGES | EMU_SEGMENT_APPLICATION_TARGET,                                 \
      EMU_SEGMENT_USE_64KB_PAGES | EMU_SEGMENT_APPLICATION_TARGET)                                 \
    X(cached_local, "SEG-026+local", EMU_WDDM_2_1, EMU_WDDM_3_2, EMU_SEGMENT_LOCAL_BUDGET_GROUP,   \
      EMU_SEGMENT_LOCAL_BUDGET_GROUP)

LAPSES(EMU_LAPSE_SITE)

static const struct emu_narrow lapses[] = {LAPSES(EMU_NARROW_ROW)};

_Static_assert(sizeof(lapses) / sizeof(lapses[0]) == RULE_COUNT, "one for each");

/* Words that break nothing and are refused while a fault is on. */
#define REFUSALS(X)                                                                                \
    X(visible_aperture, "SEG-005+visible", EMU_WDDM_1_0, EMU_WDDM_3_2,                             \
      EMU_SEGMENT_APERTURE | EMU_SEGMENT_CPU_VISIBLE,                                              \
      EMU_SEGMENT_APERTURE | EMU_SEGMENT_CPU_VISIBLE)                                              \
    X(visible_once, "SEG-009.seen+1.3", EMU_WDDM_1_3, EMU_WDDM_1_3,                                \
      EMU_SEGMENT_CPU_VISIBLE | EMU_SEGMENT_PRESERVED_DURING_STANDBY |                             \
          EMU_SEGMENT_PRESERVED_DURING_HIBERNATE |                                                 \
          EMU_SEGMENT_PARTIALLY_PRESERVED_DURING_HIBERNATE,                                        \
      EMU_SEGMENT_CPU_VISIBLE | EMU_SEGMENT_PRESERVED_DURING_STANDBY)                              \
    X(hibernate_populated, "SEG-015+populated", EMU_WDDM_1_2, EMU_WDDM_3_2,                        \
      EMU_SEGMENT_PRESERVED_DURING_STANDBY | EMU_SEGMENT_PRESERVED_DURING_HIBERNATE |              \
          EMU_SEGMENT_POPULATED_FROM_SYSTEM_MEMORY | EMU_SEGMENT_CPU_VISIBLE,                      \
      EMU_SEGMENT_PRESERVED_DURING_STANDBY | EMU_SEGMENT_PRESERVED_DURING_HIBERNATE |              \
          EMU_SEGMENT_POPULATED_FROM_SYSTEM_MEMORY | EMU_SEGMENT_CPU_VISIBLE)                      \
    X(cached_protected, "SEG-026+vpr", EMU_WDDM_2_1, EMU_WDDM_3_2,                                 \
      EMU_SEGMENT_SUPPORTS_CPU_HOST_APERTURE | EMU_SEGMENT_SUPPORTS_CACHED_CPU_HOST_APERTURE |     \
          EMU_SEGMENT_VPR_SUPPORTED,                                                               \
      EMU_SEGMENT_SUPPORTS_CPU_HOST_APERTURE | EMU_SEGMENT_SUPPORTS_CACHED_CPU_HOST_APERTURE |     \
          EMU_SEGMENT_VPR_SUPPORTED)                                                               \
    X(encrypted_flipped, "SEG-030+flip", EMU_WDDM_2_2, EMU_WDDM_3_2,                               \
      EMU_SEGMENT_ENCRYPTED_PAGING_SUPPORTED | EMU_SEGMENT_DIRECT_FLIP |                           \
          EMU_SEGMENT_USE_64KB_PAGES,                                                              \
      EMU_SEGMENT_ENCRYPTED_PAGING_SUPPORTED | EMU_SEGMENT_DIRECT_FLIP |                           \
          EMU_SEGMENT_USE_64KB_PAGES)                                                              \
    X(firmware_elsewhere, "SEG-033+budget", EMU_WDDM_2_9, EMU_WDDM_3_2,                            \
      EMU_SEGMENT_POPULATED_BY_RESERVED_DDR_BY_FIRMWARE | EMU_SEGMENT_NON_LOCAL_BUDGET_GROUP,      \
      EMU_SEGMENT_POPULATED_BY_RESERVED_DDR_BY_FIRMWARE | EMU_SEGMENT_NON_LOCAL_BUDGET_GROUP)      \
    X(aperture_in_both, "SEG-011+budgets", EMU_WDDM_2_1, EMU_WDDM_3_2,                             \
      EMU_SEGMENT_APERTURE | EMU_SEGMENT_CACHE_COHERENT | EMU_SEGMENT_LOCAL_BUDGET_GROUP |         \
          EMU_SEGMENT_NON_LOCAL_BUDGET_GROUP,                                                      \
      EMU_SEGMENT_APERTURE | EMU_SEGMENT_CACHE_COHERENT | EMU_SEGMENT_LOCAL_BUDGET_GROUP |         \
          EMU_SEGMENT_NON_LOCAL_BUDGET_GROUP)

REFUSALS(EMU_REFUSAL_SITE)

static const struct emu_narrow refusals[] = {REFUSALS(EMU_NARROW_ROW)};

static int rule_broken(size_t index, uint32_t boot, uint32_t flags)
{
    const struct segment_rule *rule = &rules[index];
    const int broken =
        EMU_FAULT_AT(rule->fault, boot >= rule->first && (flags & rule->mask) == rule->value,
                     boot >= rule->bad_first && (flags & rule->bad_mask) == rule->value);
    return EMU_FAULT_AT(lapses[index].fault, broken,
                        broken && !emu_narrow_applies(&lapses[index], boot, flags));
}

/* For faults: true for a word that breaks nothing. */
static int refused(const struct emu_kernel *kernel, uint32_t flags)
{
    const uint32_t boot = kernel->base.host->interface_version;
    size_t i;
    for (i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++)
        if (EMU_FAULT_AT(refusals[i].fault, 0, emu_narrow_applies(&refusals[i], boot, flags)))
            return 1;
    return 0;
}

/* Those of the flags that are to be zero: document 003, each flag from its version on. */
static uint32_t not_zero(const struct emu_kernel *kernel, uint32_t flags)
{
    const uint32_t boot = kernel->base.host->interface_version;
    const uint32_t encrypted = flags & EMU_SEGMENT_ENCRYPTED_PAGING_SUPPORTED;
    uint32_t set = flags & kernel->base.version->segment_zero;
    set = EMU_FAULT("SEG-001", set,
                    boot < EMU_WDDM_1_3 ? set | (flags & EMU_SEGMENT_DIRECT_FLIP) : set);
    set = EMU_FAULT("SEG-001+early", set,
                    boot >= EMU_WDDM_1_3 ? set & ~(uint32_t)EMU_SEGMENT_APPLICATION_TARGET : set);
    set = EMU_FAULT("SEG-002+kernel", set, set & INT32_MAX);
    set = EMU_FAULT("SEG-024+kernel", set, boot >= EMU_WDDM_2_0 ? set & ~UINT32_C(0x1000) : set);
    set = EMU_FAULT("SEG-028+kernel", set, set & ~(uint32_t)EMU_SEGMENT_VPR_SUPPORTED);
    set =
        EMU_FAULT("SEG-029+kernel", set, set & ~(uint32_t)EMU_SEGMENT_VPR_PRESERVED_DURING_STANDBY);
    set = EMU_FAULT("SEG-030+kernel", set, boot > EMU_WDDM_2_0 ? set | encrypted : set);
    return EMU_FAULT("SEG-033+kernel", set,
                     boot < EMU_WDDM_2_9
                         ? set & ~(uint32_t)EMU_SEGMENT_POPULATED_BY_RESERVED_DDR_BY_FIRMWARE
                         : set);
}

static int flags_advised_against(const struct emu_kernel *kernel, uint32_t flags)
{
    const uint32_t boot = kernel->base.host->interface_version;
    size_t i;
    /* Reserved: "reserved and must be set to zero"; ReservedSysMem: "must not be set". */
    if (not_zero(kernel, flags))
        return 1;
    for (i = 0; i < RULE_COUNT; i++)
        if (rule_broken(i, boot, flags) && !(rules[i].spared & kernel->base.rows))
            return 1;
    return 0;
}

/* Aperture: "the driver must also implement the map-aperture-segment and unmap-aperture-segment
 * operation types for its DxgkDdiBuildPagingBuffer". */
static int aperture_unmappable(const struct wcts_driver_info_reply *info,
                               const struct wcts_DXGK_SEGMENTDESCRIPTOR *segment)
{
    const uint32_t missing = ~info->paging_operations;
    const int unmappable =
        EMU_FAULT("SEG-004+kernel", missing >> WCTS_PAGING_MAP_APERTURE & 1,
                  missing >> WCTS_PAGING_TRANSFER & 1) ||
        EMU_FAULT("SEG-037+kernel", missing >> WCTS_PAGING_UNMAP_APERTURE & 1, 0u);
    return (segment->Flags & EMU_SEGMENT_APERTURE) &&
           EMU_FAULT("SEG-005", unmappable,
                     unmappable || (segment->Flags == EMU_SEGMENT_APERTURE &&
                                    segment->CpuTranslatedAddress != 0));
}

/* True when the banks do not lie in the segment, are empty, or overlap. */
static int banks_invalid(const unsigned char *table, uint32_t count, uint64_t segment_size)
{
    uint32_t i, j;
    for (i = 0; i < count; i++) {
        struct wcts_bank_range bank, other;
        memcpy(&bank, table + i * sizeof(bank), sizeof(bank));
        if (bank.Length == 0 || bank.Start > segment_size ||
            (EMU_FAULT("SEG-039+kernel", bank.Length > segment_size - bank.Start,
                       bank.Start + bank.Length > segment_size) &&
             EMU_FAULT("SEG-039+last", 1, i + 1 < count)))
            return 1;
        for (j = 0; j < i; j++) {
            memcpy(&other, table + j * sizeof(other), sizeof(other));
            if (bank.Start < other.Start + other.Length && other.Start < bank.Start + bank.Length)
                return 1;
        }
    }
    return 0;
}

/* UseBanking: "the driver must also specify valid bank information in NbOfBanks and
 * pBankRangeTable", members that only the descriptors below WDDM 2.0 have. */
static int banking_undescribed(const struct emu_kernel *kernel, const struct emu_reply *reply,
                               const struct wcts_DXGK_SEGMENTDESCRIPTOR *segment, uint32_t index)
{
    const unsigned char *table;
    if (!(segment->Flags & EMU_SEGMENT_USE_BANKING) || EMU_FAULT("SEG-010+later", 0, index > 1) ||
        kernel->base.host->interface_version >= EMU_WDDM_2_0)
        return 0;
    table = wcts_message_at(reply->data, reply->size, segment->pBankRangeTable, segment->NbOfBanks,
                            sizeof(struct wcts_bank_range));
    return EMU_FAULT("SEG-010+kernel", segment->NbOfBanks == 0 || table == NULL,
                     segment->NbOfBanks != 0 && table == NULL) ||
           banks_invalid(table, segment->NbOfBanks, segment->Size);
}

/* Agp: "if other members are set, the adapter fails to initialise". The segment is the next one of
 * the adapter. */
static int agp_with_others(const struct emu_kernel *kernel, uint32_t flags,
                           const struct emu_adapter *adapter)
{
    const uint32_t boot = kernel->base.host->interface_version;
    if (!(flags & EMU_SEGMENT_AGP))
        return 0;
    return EMU_FAULT("SEG-006", flags != EMU_SEGMENT_AGP, (flags & EMU_SEGMENT_APERTURE) != 0) &&
           EMU_FAULT("SEG-006+late", 1, (flags & 0x7FF) != EMU_SEGMENT_AGP) &&
           EMU_FAULT("SEG-006+2.7", 1,
                     EMU_WDDM_OF(boot) != EMU_WDDM_OF(EMU_WDDM_2_7) ||
                         !(flags & EMU_SEGMENT_CPU_VISIBLE)) &&
           EMU_FAULT("SEG-006+second-adapter", 1, adapter->index == 0) &&
           EMU_FAULT("SEG-006+far", 1, adapter->segment_count < 16);
}

static wcts_status judge_segment(const struct emu_kernel *kernel,
                                 const struct wcts_driver_info_reply *info,
                                 const struct emu_reply *reply,
                                 const struct wcts_DXGK_SEGMENTDESCRIPTOR *segment,
                                 const struct emu_adapter *adapter)
{
    if (agp_with_others(kernel, segment->Flags, adapter) || refused(kernel, segment->Flags))
        return WCTS_STATUS_INVALID_PARAMETER;
    if (kernel->base.strict &&
        (flags_advised_against(kernel, segment->Flags) || aperture_unmappable(info, segment) ||
         banking_undescribed(kernel, reply, segment, adapter->segment_count)))
        return WCTS_STATUS_INVALID_PARAMETER;
    return WCTS_STATUS_SUCCESS;
}

/* Notes in the adapter what later judgements need of the segment at the index. */
static void note_segment(const struct emu_kernel *kernel, uint32_t index, uint32_t flags,
                         struct emu_adapter *adapter)
{
    uint32_t bit;
    if (index >= 32) /* beyond every segment set */
        return;
    bit = 1u << index;
    /* Remarks: "the AGP-type aperture segment is an aperture". */
    if (EMU_FAULT("SEG-056.set", (flags & (EMU_SEGMENT_APERTURE | EMU_SEGMENT_AGP)) != 0,
                  (flags & EMU_SEGMENT_APERTURE) != 0))
        adapter->aperture_segments |= bit;
    /* EvictionSegmentSet (document 001): "only aperture segments"; PitchAlignment: "cannot be used
     * for eviction". */
    if (EMU_FAULT("SEG-013+kernel", flags & EMU_SEGMENT_PITCH_ALIGNMENT, 0u) ||
        !(adapter->aperture_segments & bit))
        adapter->no_eviction_segments |= bit;
    if (flags & EMU_SEGMENT_PITCH_ALIGNMENT)
        adapter->pitch_segments |= bit;
    if ((flags & EMU_SEGMENT_USE_64KB_PAGES) &&
        kernel->base.host->interface_version >= EMU_WDDM_2_0)
        adapter->large_page_segments |= bit;
}

/* Keeps what placement needs of a segment. Returns 0 when there is no memory. */
static int keep_segment(struct emu_adapter *adapter, const struct emu_reply *reply,
                        const struct wcts_DXGK_SEGMENTDESCRIPTOR *described)
{
    struct emu_segment *segment = &adapter->segments[adapter->segment_count++];
    const void *banks = NULL;
    segment->adapter = adapter;
    segment->id = adapter->segment_count;
    segment->flags = described->Flags;
    segment->base_address = described->BaseAddress;
    segment->cpu_address = described->CpuTranslatedAddress;
    segment->size = described->Size;
    /* A driver that says no limit has none of its own. */
    segment->limit = described->CommitLimit ? described->CommitLimit : described->Size;
    if ((described->Flags & EMU_SEGMENT_USE_BANKING) && described->NbOfBanks != 0)
        banks = wcts_message_at(reply->data, reply->size, described->pBankRangeTable,
                                described->NbOfBanks, sizeof(struct wcts_bank_range));
    if (banks == NULL)
        return 1;
    segment->banks = malloc(described->NbOfBanks * sizeof(struct wcts_bank_range));
    if (segment->banks == NULL)
        return 0;
    memcpy(segment->banks, banks, described->NbOfBanks * sizeof(struct wcts_bank_range));
    segment->bank_count = described->NbOfBanks;
    return 1;
}

/* Makes room for count segments, of which only those that can be named are kept. */
static wcts_status make_segments(struct emu_adapter *adapter, uint32_t count)
{
    if (count > EMU_SEGMENT_LIMIT)
        count = EMU_SEGMENT_LIMIT;
    if (count == 0)
        return WCTS_STATUS_SUCCESS;
    adapter->segments = calloc(count, sizeof(*adapter->segments));
    return adapter->segments != NULL ? WCTS_STATUS_SUCCESS : WCTS_STATUS_NO_MEMORY;
}

void emu_segments_release(struct emu_adapter *adapter)
{
    uint32_t i;
    for (i = 0; i < adapter->segment_count; i++)
        free(adapter->segments[i].banks);
    free(adapter->segments);
    adapter->segments = NULL;
    adapter->segment_count = 0;
}

wcts_status emu_segments_default(struct emu_kernel *kernel, struct emu_adapter *adapter)
{
    static const uint64_t size = UINT64_C(0x1000000);
    const struct emu_reply none = {NULL, 0};
    struct wcts_DXGK_SEGMENTDESCRIPTOR memory = {.Size = size}, aperture = {.Size = size};
    struct emu_extent extent;
    wcts_status status = make_segments(adapter, 2);
    /* The memory of the adapter that nobody drives is a part of the kernel's. */
    if (wcts_succeeded(status) && !emu_memory_take(kernel, size, &extent))
        status = WCTS_STATUS_NO_MEMORY;
    if (!wcts_succeeded(status))
        return status;
    memory.BaseAddress = extent.address;
    aperture.Flags = EMU_SEGMENT_APERTURE;
    note_segment(kernel, 0, memory.Flags, adapter);
    note_segment(kernel, 1, aperture.Flags, adapter);
    (void)keep_segment(adapter, &none, &memory);
    (void)keep_segment(adapter, &none, &aperture);
    return status;
}

/* For a fault: true when two Agp segments follow each other. */
static int agp_side_by_side(const struct emu_adapter *adapter)
{
    uint32_t i;
    for (i = 1; i < adapter->segment_count; i++)
        if (adapter->segments[i - 1].flags & adapter->segments[i].flags & EMU_SEGMENT_AGP)
            return 1;
    return 0;
}

wcts_status emu_segments_judge(const struct emu_kernel *kernel,
                               const struct wcts_driver_info_reply *info,
                               const struct emu_reply *reply, struct emu_adapter *adapter)
{
    const struct wcts_driver_segments_reply *answer = reply->data;
    const unsigned char *segments =
        wcts_message_at(reply->data, reply->size, answer->pSegments, answer->Count, answer->Stride);
    struct wcts_DXGK_SEGMENTDESCRIPTOR segment;
    uint32_t i, agp = 0;
    wcts_status status;
    if (answer->Count != 0 && (segments == NULL || answer->Stride < sizeof(segment)))
        return WCTS_STATUS_INVALID_PARAMETER;
    status = make_segments(adapter, answer->Count);
    for (i = 0; i < answer->Count && wcts_succeeded(status); i++) {
        const size_t at =
            EMU_FAULT("HDR-102+stride", (size_t)i * answer->Stride, i * sizeof(segment));
        memcpy(&segment, segments + at, sizeof(segment));
        status =
            EMU_CHOICE_AT(refuses_segment, judge_segment(kernel, info, reply, &segment, adapter),
                          emu_choice->refuses_segment(kernel, reply, &segment)
                              ? WCTS_STATUS_INVALID_PARAMETER
                              : judge_segment(kernel, info, reply, &segment, adapter));
        note_segment(kernel, i, segment.Flags, adapter);
        if (i < EMU_SEGMENT_LIMIT && !keep_segment(adapter, reply, &segment))
            return WCTS_STATUS_NO_MEMORY;
        agp += (segment.Flags & EMU_SEGMENT_AGP) != 0;
    }
    /* Agp: "there can be only one AGP segment". */
    if (kernel->base.strict && EMU_FAULT("SEG-007+kernel", agp > 1, agp > 2) &&
        EMU_FAULT("SEG-007+apart", 1, agp_side_by_side(adapter)))
        return WCTS_STATUS_INVALID_PARAMETER;
    return status;
}
