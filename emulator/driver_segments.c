/* SPDX-License-Identifier: MIT */
/* DRIVER_SEGMENTS: the same segments at every version, with the flags that the version has. Between
 * them they set every flag of document 003 that a driver may set. */
#include "emu_driver.h"
#include "emu_flags.h"

#define MIB UINT64_C(0x100000)
#define BANK_COUNT 4u
#define VPR_SIZE (2 * MIB)

const struct emu_driver_segment emu_segments[EMU_SEGMENT_COUNT] = {
    /* Standby table, row 110. */
    [EMU_ID_VRAM - 1] = {EMU_SEGMENT_CPU_VISIBLE | EMU_SEGMENT_PRESERVED_DURING_STANDBY |
                             EMU_SEGMENT_PRESERVED_DURING_HIBERNATE | EMU_SEGMENT_DIRECT_FLIP |
                             EMU_SEGMENT_APPLICATION_TARGET | EMU_SEGMENT_LOCAL_BUDGET_GROUP,
                         0x100000000, 64 * MIB},
    /* CacheCoherent: "only with Aperture". */
    [EMU_ID_APERTURE - 1] = {EMU_SEGMENT_APERTURE | EMU_SEGMENT_CACHE_COHERENT |
                                 EMU_SEGMENT_NON_LOCAL_BUDGET_GROUP,
                             0x200000000, 64 * MIB},
    /* Agp: "the driver must set the Agp member exclusively". */
    [EMU_ID_AGP - 1] = {EMU_SEGMENT_AGP, 0x300000000, 16 * MIB},
    /* Standby table, row 101. */
    [EMU_ID_PITCH - 1] = {EMU_SEGMENT_PITCH_ALIGNMENT | EMU_SEGMENT_PRESERVED_DURING_STANDBY |
                              EMU_SEGMENT_PARTIALLY_PRESERVED_DURING_HIBERNATE,
                          0x400000000, 16 * MIB},
    /* Standby table, row 100. PopulatedFromSystemMemory: not on apertures. */
    [EMU_ID_BANKED - 1] = {EMU_SEGMENT_USE_BANKING | EMU_SEGMENT_POPULATED_FROM_SYSTEM_MEMORY |
                               EMU_SEGMENT_PRESERVED_DURING_STANDBY,
                           0x500000000, 16 * MIB},
    [EMU_ID_LARGE_PAGES -
        1] = {EMU_SEGMENT_USE_64KB_PAGES | EMU_SEGMENT_SUPPORTS_CPU_HOST_APERTURE |
                  EMU_SEGMENT_VPR_SUPPORTED | EMU_SEGMENT_VPR_PRESERVED_DURING_STANDBY |
                  EMU_SEGMENT_ENCRYPTED_PAGING_SUPPORTED | EMU_SEGMENT_LOCAL_BUDGET_GROUP,
              0x600000000, 64 * MIB},
    /* SupportsCachedCpuHostAperture: "SupportsCpuHostAperture must be set too". */
    [EMU_ID_HOST_APERTURE - 1] = {EMU_SEGMENT_SUPPORTS_CPU_HOST_APERTURE |
                                      EMU_SEGMENT_SUPPORTS_CACHED_CPU_HOST_APERTURE |
                                      EMU_SEGMENT_POPULATED_BY_RESERVED_DDR_BY_FIRMWARE,
                                  0x700000000, 16 * MIB},
    [EMU_ID_PLAIN_APERTURE - 1] = {EMU_SEGMENT_APERTURE, 0x800000000, 16 * MIB},
};

/* What a fault makes of the flags of a segment, where it has the one that is needed. */
struct slip {
    const struct emu_fault_site *fault;
    uint32_t id;
    uint32_t needed;
    uint32_t cleared;
    uint32_t set;
};

#define RESERVED_SYS_MEM (1u << 12)

EMU_FAULT_SITE(second_agp, "SEG-007", "EMU_SEGMENT_APERTURE", "EMU_SEGMENT_AGP");
EMU_FAULT_SITE(coherent_memory, "SEG-011", "EMU_SEGMENT_CPU_VISIBLE",
               "EMU_SEGMENT_CPU_VISIBLE | EMU_SEGMENT_CACHE_COHERENT");
EMU_FAULT_SITE(populated_aperture, "SEG-014", "EMU_SEGMENT_APERTURE",
               "EMU_SEGMENT_APERTURE | EMU_SEGMENT_POPULATED_FROM_SYSTEM_MEMORY");
EMU_FAULT_SITE(row_010, "SEG-015", "EMU_SEGMENT_PRESERVED_DURING_STANDBY", "0");
EMU_FAULT_SITE(row_001, "SEG-016.row001", "EMU_SEGMENT_PRESERVED_DURING_STANDBY", "0");
EMU_FAULT_SITE(row_011, "SEG-016.row011", "EMU_SEGMENT_PRESERVED_DURING_STANDBY",
               "EMU_SEGMENT_PARTIALLY_PRESERVED_DURING_HIBERNATE");
EMU_FAULT_SITE(row_111, "SEG-017", "EMU_SEGMENT_PRESERVED_DURING_STANDBY",
               "EMU_SEGMENT_PRESERVED_DURING_STANDBY | "
               "EMU_SEGMENT_PARTIALLY_PRESERVED_DURING_HIBERNATE");
EMU_FAULT_SITE(reserved_set, "SEG-024", "EMU_SEGMENT_USE_64KB_PAGES",
               "EMU_SEGMENT_USE_64KB_PAGES | RESERVED_SYS_MEM");
EMU_FAULT_SITE(visible_twice, "SEG-025", "EMU_SEGMENT_APPLICATION_TARGET",
               "EMU_SEGMENT_APPLICATION_TARGET | EMU_SEGMENT_SUPPORTS_CPU_HOST_APERTURE");
EMU_FAULT_SITE(cached_only, "SEG-026", "EMU_SEGMENT_SUPPORTS_CPU_HOST_APERTURE", "0");

static const struct slip slips[] = {
    {&second_agp, EMU_ID_PLAIN_APERTURE, EMU_SEGMENT_APERTURE, EMU_SEGMENT_APERTURE,
     EMU_SEGMENT_AGP},
    {&coherent_memory, EMU_ID_VRAM, EMU_SEGMENT_CPU_VISIBLE, 0, EMU_SEGMENT_CACHE_COHERENT},
    {&populated_aperture, EMU_ID_PLAIN_APERTURE, EMU_SEGMENT_APERTURE, 0,
     EMU_SEGMENT_POPULATED_FROM_SYSTEM_MEMORY},
    {&row_010, EMU_ID_VRAM, EMU_SEGMENT_PRESERVED_DURING_STANDBY,
     EMU_SEGMENT_PRESERVED_DURING_STANDBY, 0},
    {&row_001, EMU_ID_PITCH, EMU_SEGMENT_PRESERVED_DURING_STANDBY,
     EMU_SEGMENT_PRESERVED_DURING_STANDBY, 0},
    {&row_011, EMU_ID_VRAM, EMU_SEGMENT_PRESERVED_DURING_STANDBY,
     EMU_SEGMENT_PRESERVED_DURING_STANDBY, EMU_SEGMENT_PARTIALLY_PRESERVED_DURING_HIBERNATE},
    {&row_111, EMU_ID_VRAM, EMU_SEGMENT_PRESERVED_DURING_STANDBY, 0,
     EMU_SEGMENT_PARTIALLY_PRESERVED_DURING_HIBERNATE},
    {&reserved_set, EMU_ID_LARGE_PAGES, EMU_SEGMENT_USE_64KB_PAGES, 0, RESERVED_SYS_MEM},
    {&visible_twice, EMU_ID_VRAM, EMU_SEGMENT_APPLICATION_TARGET, 0,
     EMU_SEGMENT_SUPPORTS_CPU_HOST_APERTURE},
    {&cached_only, EMU_ID_HOST_APERTURE, EMU_SEGMENT_SUPPORTS_CPU_HOST_APERTURE,
     EMU_SEGMENT_SUPPORTS_CPU_HOST_APERTURE, 0},
};

static uint32_t slipped(uint32_t id, uint32_t flags)
{
    size_t i;
    for (i = 0; i < sizeof(slips) / sizeof(slips[0]); i++)
        if (slips[i].id == id && (flags & slips[i].needed))
            flags = EMU_FAULT_AT(slips[i].fault, flags, (flags & ~slips[i].cleared) | slips[i].set);
    return flags;
}

/* The flags that the version has: document 003, each from its version on. */
static uint32_t allowed_flags(const struct emu_driver *driver)
{
    uint32_t allowed = driver->base.version->segment_allowed;
    allowed = EMU_FAULT("SEG-002", allowed, allowed | EMU_SEGMENT_DIRECT_FLIP);
    allowed = EMU_FAULT("SEG-028", allowed, allowed | EMU_SEGMENT_VPR_SUPPORTED);
    allowed = EMU_FAULT("SEG-029", allowed, allowed | EMU_SEGMENT_VPR_PRESERVED_DURING_STANDBY);
    allowed = EMU_FAULT("SEG-030", allowed, allowed | EMU_SEGMENT_ENCRYPTED_PAGING_SUPPORTED);
    allowed =
        EMU_FAULT("SEG-033+2.8", allowed,
                  EMU_WDDM_OF(driver->base.host->interface_version) == EMU_WDDM_OF(EMU_WDDM_2_8)
                      ? allowed | EMU_SEGMENT_POPULATED_BY_RESERVED_DDR_BY_FIRMWARE
                      : allowed);
    return EMU_FAULT("SEG-033", allowed,
                     allowed | EMU_SEGMENT_POPULATED_BY_RESERVED_DDR_BY_FIRMWARE);
}

/* Fills in the members that go with a flag. */
static void describe(uint32_t flags, const struct emu_driver_segment *segment,
                     struct wcts_DXGK_SEGMENTDESCRIPTOR *descriptor)
{
    descriptor->Flags = flags;
    descriptor->BaseAddress = segment->base_address;
    descriptor->Size = segment->size;
    descriptor->CommitLimit = segment->size;
    /* CpuVisible: "accessible to the processor at CpuTranslatedAddress". Where that is, is a
     * choice, no duty. */
    if (flags & EMU_SEGMENT_CPU_VISIBLE)
        descriptor->CpuTranslatedAddress = UINT64_C(0x8000000000) + segment->base_address;
    if (flags & EMU_SEGMENT_SUPPORTS_CPU_HOST_APERTURE) {
        descriptor->CpuHostAperturePhysicalAddress = UINT64_C(0x9000000000) + segment->base_address;
        descriptor->CpuHostApertureSizeInPages = (uint32_t)(segment->size / 4096);
    }
    if (flags & EMU_SEGMENT_VPR_SUPPORTED) {
        descriptor->VprRangeSize = VPR_SIZE;
        descriptor->VprAlignment = EMU_64KB;
        descriptor->NumVprSupported = 1;
    }
}

/* Appends a bank table that cuts the segment into equal parts. Returns its offset, or 0 without
 * room. */
static uint32_t append_banks(void *reply, uint32_t reply_room, uint32_t *reply_size, uint64_t size)
{
    struct wcts_bank_range banks[BANK_COUNT];
    uint32_t i;
    for (i = 0; i < BANK_COUNT; i++) {
        banks[i].Start = i * (size / BANK_COUNT);
        banks[i].Length = EMU_FAULT("SEG-039", size / BANK_COUNT, size / (BANK_COUNT - 1));
    }
    return emu_reply_append(reply, reply_room, reply_size, banks, sizeof(banks));
}

wcts_status emu_driver_segments(void *instance, const void *request, uint32_t request_size,
                                void *reply, uint32_t reply_room, uint32_t *reply_size)
{
    const struct emu_driver *driver = instance;
    struct wcts_driver_segments_reply *answer = reply;
    struct wcts_DXGK_SEGMENTDESCRIPTOR descriptors[EMU_SEGMENT_COUNT] = {0};
    const int has_banks = driver->base.host->interface_version < EMU_WDDM_2_0;
    uint32_t i;
    (void)request, (void)request_size;
    for (i = 0; i < EMU_SEGMENT_COUNT; i++) {
        uint32_t flags = slipped(i + 1, emu_segments[i].flags & allowed_flags(driver));
        /* UseBanking: "the driver must also specify valid bank information", for which the
         * descriptor of WDDM 2.0 has no members. */
        if (!has_banks)
            flags &= ~(uint32_t)EMU_SEGMENT_USE_BANKING;
        /* P5: CacheCoherent on a memory segment, as drivers for Windows set it. */
        if (EMU_ROW_ON(&driver->base, P5) && i + 1 == EMU_ID_VRAM)
            flags |= EMU_SEGMENT_CACHE_COHERENT;
        describe(flags, &emu_segments[i], &descriptors[i]);
        if (!(flags & EMU_SEGMENT_USE_BANKING))
            continue;
        descriptors[i].NbOfBanks = EMU_FAULT("SEG-010", BANK_COUNT, 0u);
        descriptors[i].pBankRangeTable =
            append_banks(reply, reply_room, reply_size, emu_segments[i].size);
        if (descriptors[i].pBankRangeTable == 0)
            return WCTS_STATUS_BUFFER_TOO_SMALL;
    }
    answer->Count = EMU_SEGMENT_COUNT;
    answer->Stride = sizeof(descriptors[0]);
    answer->pSegments =
        emu_reply_append(reply, reply_room, reply_size, descriptors, sizeof(descriptors));
    return answer->pSegments ? WCTS_STATUS_SUCCESS : WCTS_STATUS_BUFFER_TOO_SMALL;
}
