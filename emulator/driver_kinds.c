/* SPDX-License-Identifier: MIT */
/* The driver's kinds of allocations: between them they make every conditional rule of documents 001
 * and 003 about an allocation apply. */
#include "emu_driver.h"
#include "emu_flags.h"

#include <string.h>

/* One of the five groups of DXGK_SEGMENTPREFERENCE, from bit 0 up. */
#define PREFER(index, id) ((uint32_t)(id) << (6 * (index)))
/* One of the four bytes of DXGK_SEGMENTBANKPREFERENCE. */
#define BANK(index, bank) ((uint32_t)(bank) << (8 * (index)))
#define READ_AND_WRITE(set) .SupportedReadSegmentSet = (set), .SupportedWriteSegmentSet = (set)

#define VRAM EMU_SET_OF(EMU_ID_VRAM)
#define APERTURE EMU_SET_OF(EMU_ID_APERTURE)
#define AGP EMU_SET_OF(EMU_ID_AGP)
#define PITCH EMU_SET_OF(EMU_ID_PITCH)
#define BANKED EMU_SET_OF(EMU_ID_BANKED)
#define LARGE_PAGES EMU_SET_OF(EMU_ID_LARGE_PAGES)
#define HOST_APERTURE EMU_SET_OF(EMU_ID_HOST_APERTURE)
#define PLAIN_APERTURE EMU_SET_OF(EMU_ID_PLAIN_APERTURE)

/* The first kind is also the answer to private data that the driver does not know. */
const struct emu_kind emu_kinds[] = {
    {.name = "plain",
     .info = {.Alignment = 4096,
              .Size = 0x10000,
              READ_AND_WRITE(VRAM | APERTURE),
              .AllocationPriority = EMU_PRIORITY_NORMAL}},
    /* PreferredSegment within both sets. */
    {.name = "preferring",
     .info = {.Alignment = 4096,
              .Size = 0x20000,
              .PreferredSegment = PREFER(0, EMU_ID_VRAM) | PREFER(1, EMU_ID_APERTURE),
              READ_AND_WRITE(VRAM | APERTURE),
              .AllocationPriority = EMU_PRIORITY_NORMAL}},
    /* All five preferences; an allocation of no particular alignment and an odd size. */
    {.name = "preferring-all",
     .info = {.Size = 0x1234,
              .PreferredSegment = PREFER(0, EMU_ID_VRAM) | PREFER(1, EMU_ID_BANKED) |
                                  PREFER(2, EMU_ID_APERTURE) | PREFER(3, EMU_ID_AGP) |
                                  PREFER(4, EMU_ID_PLAIN_APERTURE),
              READ_AND_WRITE(VRAM | BANKED | APERTURE | AGP | PLAIN_APERTURE),
              .AllocationPriority = EMU_PRIORITY_MINIMUM}},
    /* Read and write sets that differ: each preference lies in both below 2.0. */
    {.name = "read-write-sets",
     .info = {.Alignment = 4096,
              .Size = 0x10000,
              .PreferredSegment = PREFER(0, EMU_ID_VRAM),
              .SupportedReadSegmentSet = VRAM | APERTURE,
              .SupportedWriteSegmentSet = VRAM | HOST_APERTURE,
              .AllocationPriority = EMU_PRIORITY_LOW}},
    /* PitchAlignedSize above Size, in a pitch-aligned segment: rows of 1024 bytes, 1536 apart. */
    {.name = "pitch-aligned",
     .info = {.Alignment = 4096,
              .Size = 0x10000,
              .PitchAlignedSize = 0x18000,
              .PreferredSegment = PREFER(0, EMU_ID_PITCH),
              READ_AND_WRITE(PITCH | VRAM),
              .AllocationPriority = EMU_PRIORITY_NORMAL},
     .rows = 64},
    /* EvictionSegmentSet: apertures only, although the allocation may be in pitch-aligned memory.
     */
    {.name = "evictable",
     .info = {.Alignment = 4096,
              .Size = 0x10000,
              .PitchAlignedSize = 0x10000,
              READ_AND_WRITE(VRAM | PITCH),
              .EvictionSegmentSet = APERTURE | PLAIN_APERTURE,
              .AllocationPriority = EMU_PRIORITY_NORMAL}},
    {.name = "evictable-agp",
     .info = {.Alignment = 4096,
              .Size = 0x10000,
              READ_AND_WRITE(VRAM | AGP),
              .EvictionSegmentSet = AGP,
              .AllocationPriority = EMU_PRIORITY_NORMAL}},
    /* Use64KBPages: Alignment is a multiple of 64 KiB. */
    {.name = "large-pages",
     .info = {.Alignment = EMU_64KB,
              .Size = 0x20000,
              .PreferredSegment = PREFER(0, EMU_ID_LARGE_PAGES),
              READ_AND_WRITE(LARGE_PAGES | VRAM),
              .AllocationPriority = EMU_PRIORITY_NORMAL}},
    /* HintedBank: banks of the most preferred segment. */
    {.name = "banked",
     .info = {.Alignment = 4096,
              .Size = 0x10000,
              .HintedBank = BANK(0, 1) | BANK(1, 2),
              .PreferredSegment = PREFER(0, EMU_ID_BANKED) | PREFER(1, EMU_ID_VRAM),
              READ_AND_WRITE(BANKED | VRAM),
              .AllocationPriority = EMU_PRIORITY_NORMAL}},
    /* Flags and FlagsWddm2 where one bit has two meanings, or only one of them has it. */
    {.name = "version-flags",
     .info = {.Alignment = 4096,
              .Size = 0x10000,
              READ_AND_WRITE(VRAM | APERTURE),
              .Flags = EMU_INFO_CPU_VISIBLE | EMU_INFO_CACHED | EMU_INFO_SWIZZLED_1 |
                       EMU_INFO_SYNCHRONOUS_PAGING_1 | EMU_INFO_HISTORY_BUFFER,
              .AllocationPriority = EMU_PRIORITY_NORMAL},
     .flags_wddm2 = EMU_INFO_CPU_VISIBLE | EMU_INFO_CACHED | EMU_INFO_DISABLE_LARGE_PAGE_MAPPING_2 |
                    EMU_INFO_HISTORY_BUFFER | EMU_INFO_ACCESSED_PHYSICALLY_2 |
                    EMU_INFO_EXPLICIT_RESIDENCY_NOTIFICATION_2},
    {.name = "protected-region",
     .info = {.Alignment = EMU_64KB,
              .Size = 0x10000,
              READ_AND_WRITE(LARGE_PAGES),
              .AllocationPriority = EMU_PRIORITY_HIGH},
     .flags_wddm2 = EMU_INFO_CREATE_IN_VPR_2 | EMU_INFO_HARDWARE_PROTECTED_2},
    {.name = "cpu-on-demand",
     .info = {.Alignment = 4096,
              .Size = 0x10000,
              READ_AND_WRITE(HOST_APERTURE),
              .AllocationPriority = EMU_PRIORITY_MAXIMUM},
     .flags_wddm2 = EMU_INFO_CPU_VISIBLE_ON_DEMAND_2},
    {.name = "usage-hint",
     .info = {.Alignment = 4096,
              .Size = 0x10000,
              READ_AND_WRITE(VRAM),
              .AllocationPriority = EMU_PRIORITY_NORMAL},
     .usage_hint = 1},
    /* MaximumRenamingListLength below 2.0; Flags2 from 3.0. */
    {.name = "renamed",
     .info = {.Alignment = 4096,
              .Size = 0x10000,
              READ_AND_WRITE(APERTURE),
              .MaximumRenamingListLength = 4,
              .AllocationPriority = EMU_PRIORITY_NORMAL,
              .Flags2 = EMU_INFO2_SHARE_BACKING_STORE_WITH_KMD}},
    /* Kinds that have one segment to go to. */
    {.name = "cpu-visible-only",
     .info = {.Alignment = 4096,
              .Size = 0x20000,
              READ_AND_WRITE(VRAM),
              .Flags = EMU_INFO_CPU_VISIBLE,
              .AllocationPriority = EMU_PRIORITY_NORMAL},
     .flags_wddm2 = EMU_INFO_CPU_VISIBLE},
    {.name = "aperture-only",
     .info = {.Alignment = 4096,
              .Size = 0x20000,
              READ_AND_WRITE(APERTURE),
              .AllocationPriority = EMU_PRIORITY_NORMAL}},
    {.name = "plain-aperture-only",
     .info = {.Alignment = 4096,
              .Size = 0x10000,
              READ_AND_WRITE(PLAIN_APERTURE),
              .AllocationPriority = EMU_PRIORITY_NORMAL}},
    {.name = "agp-only",
     .info = {.Alignment = 4096,
              .Size = 0x10000,
              READ_AND_WRITE(AGP),
              .AllocationPriority = EMU_PRIORITY_NORMAL}},
    {.name = "banked-only",
     .info = {.Alignment = 4096,
              .Size = 0x10000,
              READ_AND_WRITE(BANKED),
              .AllocationPriority = EMU_PRIORITY_NORMAL}},
    {.name = "large-pages-only",
     .info = {.Alignment = EMU_64KB,
              .Size = 0x10000,
              READ_AND_WRITE(LARGE_PAGES),
              .AllocationPriority = EMU_PRIORITY_NORMAL}},
    /* Rows of 4096 bytes, 5120 apart. */
    {.name = "pitch-aligned-only",
     .info = {.Alignment = 4096,
              .Size = 0x20000,
              .PitchAlignedSize = 0x28000,
              READ_AND_WRITE(PITCH),
              .AllocationPriority = EMU_PRIORITY_NORMAL},
     .rows = 32},
    /* Eviction from a pitch-aligned segment through an aperture: rows of 512 bytes, 640 apart. */
    {.name = "pitch-aligned-evictable",
     .info = {.Alignment = 4096,
              .Size = 0x10000,
              .PitchAlignedSize = 0x14000,
              READ_AND_WRITE(PITCH),
              .EvictionSegmentSet = APERTURE | PLAIN_APERTURE,
              .AllocationPriority = EMU_PRIORITY_NORMAL},
     .rows = 128},
};

const uint32_t emu_kind_count = sizeof(emu_kinds) / sizeof(emu_kinds[0]);

/* Standard allocations. The size comes with the private data. */
static const struct emu_kind standard_kinds[] = {
    [WCTS_STANDARD_NONE] = {.name = NULL},
    /* Document 003: a shared primary in an aperture segment without UseAlternateVA, which takes a
     * section-backed primary: DRIVER_INFO claims it. */
    [WCTS_STANDARD_SHAREDPRIMARYSURFACE] = {.info = {.Alignment = 4096,
                                                     READ_AND_WRITE(APERTURE),
                                                     .AllocationPriority = EMU_PRIORITY_NORMAL}},
    [WCTS_STANDARD_SHADOWSURFACE] = {.info = {.Alignment = 4096,
                                              READ_AND_WRITE(VRAM | APERTURE),
                                              .AllocationPriority = EMU_PRIORITY_NORMAL}},
    [WCTS_STANDARD_STAGINGSURFACE] = {.info = {.Alignment = 4096,
                                               READ_AND_WRITE(VRAM | APERTURE),
                                               .AllocationPriority = EMU_PRIORITY_NORMAL}},
    /* Document 000: a buffer of system memory, so in apertures. */
    [WCTS_STANDARD_GDISURFACE] = {.info = {.Alignment = 4096,
                                           READ_AND_WRITE(APERTURE | PLAIN_APERTURE),
                                           .Flags = EMU_INFO_CPU_VISIBLE | EMU_INFO_CACHED,
                                           .AllocationPriority = EMU_PRIORITY_NORMAL},
                                  .flags_wddm2 = EMU_INFO_CPU_VISIBLE | EMU_INFO_CACHED},
};

/* D3DDDIFORMAT. */
#define EMU_FORMAT_A8R8G8B8 21u
#define EMU_FORMAT_X8R8G8B8 22u
#define EMU_FORMAT_R5G6B5 23u
#define EMU_FORMAT_A16B16G16R16F 113u

#define STANDARD_COUNT (sizeof(standard_kinds) / sizeof(standard_kinds[0]))
/* Keeps sizes where they can be added up and expanded to pages. */
#define STANDARD_MAX_PIXELS (UINT64_C(1) << 40)

uint64_t emu_standard_size(const struct emu_standard_data *standard)
{
    const uint64_t pixels = (uint64_t)standard->width * standard->height;
    if (standard->magic != EMU_STANDARD_MAGIC || standard->type == WCTS_STANDARD_NONE ||
        standard->type >= STANDARD_COUNT || pixels > STANDARD_MAX_PIXELS)
        return 0;
    /* Document 000: Width is the size of the buffer, Height 1, Format unknown: bytes. */
    if (standard->format == WCTS_D3DDDIFMT_UNKNOWN)
        return pixels;
    /* The header gives a pixel of A8R8G8B8 and X8R8G8B8 four bytes; of another format it has as
     * many as its name says, and any that is not known here has four. */
    if (standard->format == EMU_FORMAT_A16B16G16R16F)
        return pixels * 8;
    return standard->format == EMU_FORMAT_R5G6B5 ? pixels * 2 : pixels * 4;
}

/* The room that is described for a standard allocation: all of it, but for faults. */
static uint64_t described_size(const struct emu_standard_data *standard)
{
    const uint64_t size = emu_standard_size(standard), half = size - size / 2;
    const int bytes = standard->format == WCTS_D3DDDIFMT_UNKNOWN;
    const int known =
        standard->format == EMU_FORMAT_A8R8G8B8 || standard->format == EMU_FORMAT_X8R8G8B8;
    /* Over a buffer or a section, behind which there is no memory. */
    const int existing = standard->type == WCTS_STANDARD_GDISURFACE && bytes &&
                         standard->surface_type == WCTS_GDISURFACE_TEXTURE_CROSSADAPTER &&
                         standard->height == 1;
    if (EMU_FAULT("HDR-090", 0, existing))
        return size * 4;
    return EMU_FAULT("HDR-033.bytes", EMU_FAULT("HDR-033.pixels", size, known ? half : size),
                     bytes ? half : size);
}

/* The kind of a standard allocation with its size, or NULL when the data is not of one. */
static const struct emu_kind *standard_kind(const void *data, uint32_t size, uint64_t *bytes)
{
    struct emu_standard_data standard;
    if (data == NULL || size != sizeof(standard))
        return NULL;
    memcpy(&standard, data, sizeof(standard));
    *bytes = described_size(&standard);
    return *bytes != 0 ? &standard_kinds[standard.type] : NULL;
}

/* D3DKMDT_GDISURFACE_STAGING. */
#define SURFACE_STAGING 3u

/* For a fault: true for the private data of a GDI surface that is for staging. */
static int is_staging_surface(const struct emu_kind *kind, const void *data)
{
    struct emu_standard_data standard;
    if (kind != &standard_kinds[WCTS_STANDARD_GDISURFACE])
        return 0;
    memcpy(&standard, data, sizeof(standard));
    return standard.surface_type == SURFACE_STAGING;
}

/* The kind that the user-mode half asked for; the first one when the data is not known. */
static const struct emu_kind *user_kind(const void *data, uint32_t size)
{
    struct emu_kind_data asked;
    if (data == NULL || size != sizeof(asked))
        return &emu_kinds[0];
    memcpy(&asked, data, sizeof(asked));
    if (asked.magic != EMU_KIND_MAGIC || asked.kind >= emu_kind_count)
        return &emu_kinds[0];
    return &emu_kinds[asked.kind];
}

/* Document 001, PitchAlignedSize: 0 for an allocation that goes into no pitch-aligned segment, else
 * not less than Size. */
static uint64_t pitch_aligned_size(const struct emu_kind *kind, uint64_t size, uint32_t boot)
{
    const uint64_t pitched = kind->info.PitchAlignedSize;
    const int from = boot >= EMU_WDDM_2_0;
    if (pitched == 0)
        return EMU_FAULT("AIN-006.before", UINT64_C(0), from ? 0 : size) +
               EMU_FAULT("AIN-006.from", UINT64_C(0), from ? size : 0);
    return EMU_FAULT("AIN-007", pitched, kind->rows == 0 ? pitched - EMU_GPU_PAGE : pitched);
}

/* The bits that Flags has at the version, or FlagsWddm2. */
static uint32_t known_flags(const struct emu_driver *driver, uint32_t boot)
{
    const uint32_t known = driver->base.version->info_flags;
    if (boot < EMU_WDDM_2_0)
        return EMU_FAULT("AIN-016.before", known, UINT32_MAX);
    return EMU_FAULT("AIN-016.from", known, UINT32_MAX);
}

const struct emu_kind *emu_kind_describe(const struct emu_driver *driver, const void *data,
                                         uint32_t size, struct wcts_DXGK_ALLOCATIONINFO *info)
{
    const uint32_t boot = driver->base.host->interface_version;
    const uint64_t host_page = driver->base.host->page_size;
    struct wcts_DXGK_ALLOCATIONINFO out;
    uint64_t bytes = 0;
    const struct emu_kind *kind = standard_kind(data, size, &bytes);
    if (kind == NULL)
        kind = user_kind(data, size);
    out = kind->info;
    out.Size = bytes != 0 ? bytes : EMU_FAULT("AIN-026", out.Size, out.Size & ~(EMU_64KB - 1));
    out.PitchAlignedSize = pitch_aligned_size(kind, out.Size, boot);
    out.PitchAlignedSize =
        EMU_FAULT("HDR-058", out.PitchAlignedSize,
                  ((out.SupportedReadSegmentSet | out.SupportedWriteSegmentSet) & ~PITCH) == 0
                      ? 0
                      : out.PitchAlignedSize);
    out.Size = EMU_FAULT("HDR-056", out.Size,
                         host_page > EMU_GPU_PAGE && out.Size < host_page ? 0 : out.Size);
    if (out.EvictionSegmentSet != 0)
        out.EvictionSegmentSet =
            EMU_FAULT("AIN-012", out.EvictionSegmentSet, out.EvictionSegmentSet | VRAM);
    /* AllocationPriority: NORMAL throughout for a driver to which priority does not matter. */
    if (driver->base.any_priority)
        out.AllocationPriority =
            EMU_FAULT("AIN-019", EMU_PRIORITY_NORMAL,
                      kind->info.AllocationPriority == EMU_PRIORITY_HIGH ? EMU_PRIORITY_HIGH
                                                                         : EMU_PRIORITY_NORMAL);
    out.AllocationPriority =
        EMU_FAULT("AIN-018+surface", out.AllocationPriority,
                  is_staging_surface(kind, data) ? 0u : out.AllocationPriority);
    if (kind->usage_hint) {
        out.AllocationPriority = EMU_FAULT("AIN-018", out.AllocationPriority, 0u);
        out.AllocationPriority =
            EMU_FAULT("AIN-018+2.4", out.AllocationPriority,
                      EMU_WDDM_OF(boot) == EMU_WDDM_OF(EMU_WDDM_2_4) ? 0u : out.AllocationPriority);
        out.AllocationPriority = EMU_FAULT("AIN-018+64k", out.AllocationPriority,
                                           host_page == EMU_64KB ? 0u : out.AllocationPriority);
        out.SupportedWriteSegmentSet =
            EMU_FAULT("AIN-038", out.SupportedWriteSegmentSet,
                      boot >= EMU_WDDM_2_0 ? 0 : out.SupportedWriteSegmentSet);
    }
    if (out.SupportedReadSegmentSet != out.SupportedWriteSegmentSet) {
        out.PreferredSegment =
            EMU_FAULT("AIN-009+driver", out.PreferredSegment, PREFER(0, EMU_ID_HOST_APERTURE));
        out.PreferredSegment =
            EMU_FAULT("AIN-010+driver", out.PreferredSegment, PREFER(0, EMU_ID_APERTURE));
    }
    /* Document 001: Flags below WDDM 2.0, FlagsWddm2 from there; PhysicalAdapterIndex, the same
     * word as MaximumRenamingListLength, from there too; Flags2 from WDDM 3.0. A bank is one of
     * the segment's table, which there is only below WDDM 2.0. */
    if (boot >= EMU_WDDM_2_0) {
        out.FlagsWddm2 = kind->flags_wddm2;
        out.PhysicalAdapterIndex = 0;
        out.HintedBank = 0;
    }
    out.Flags &= known_flags(driver, boot);
    out.EvictionSegmentSet =
        EMU_FAULT("SEG-013", out.EvictionSegmentSet,
                  out.EvictionSegmentSet & APERTURE ? out.EvictionSegmentSet | PITCH
                                                    : out.EvictionSegmentSet);
    out.Alignment =
        EMU_FAULT("SEG-022", out.Alignment,
                  boot >= EMU_WDDM_2_0 && out.Alignment == EMU_64KB ? 0x8000u : out.Alignment);
    if (boot < EMU_WDDM_3_0)
        out.Flags2 = 0;
    out.pPrivateDriverData = info->pPrivateDriverData;
    out.PrivateDriverDataSize = info->PrivateDriverDataSize;
    *info = out;
    return kind;
}
