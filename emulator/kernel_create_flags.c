/* SPDX-License-Identifier: MIT */
/* The rules of document 000 (D3DKMT_CREATEALLOCATIONFLAGS) for the flag word by itself. */
#include "emu_flags.h"
#include "emu_kernel.h"
#include "narrow.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* ---- Relations between the flags ---- */

/* What no call may have: (Flags & mask) == value. */
struct breach {
    uint32_t mask;
    uint32_t value;
};

#define NEEDS(flag, others)                                                                        \
    {                                                                                              \
        (flag) | (others), flag                                                                    \
    }
#define NOT_TOGETHER(flags)                                                                        \
    {                                                                                              \
        flags, flags                                                                               \
    }
#define NOTHING                                                                                    \
    {                                                                                              \
        0, 1                                                                                       \
    }

EMU_FAULT_SITE(shared_alone, "CAF-003", "NEEDS(EMU_CREATE_SHARED, EMU_CREATE_RESOURCE)", "NOTHING");
EMU_FAULT_SITE(sysmem_alone, "CAF-011",
               "NEEDS(EMU_CREATE_EXISTING_SYSMEM, EMU_CREATE_STANDARD_ALLOCATION)", "NOTHING");
EMU_FAULT_SITE(sysmem_and_section, "CAF-010",
               "NOT_TOGETHER(EMU_CREATE_EXISTING_SYSMEM | EMU_CREATE_EXISTING_SECTION)", "NOTHING");
EMU_FAULT_SITE(nt_unshared, "CAF-018", "NEEDS(EMU_CREATE_NT_SECURITY_SHARING, EMU_CREATE_SHARED)",
               "NOTHING");
EMU_FAULT_SITE(open_cross_adapter, "CAF-025", "NOT_TOGETHER(EMU_CREATE_OPEN_CROSS_ADAPTER)",
               "NOT_TOGETHER(EMU_CREATE_OPEN_CROSS_ADAPTER | EMU_CREATE_CROSS_ADAPTER)");
EMU_FAULT_SITE(standard_without_memory, "CAF-030",
               "NEEDS(EMU_CREATE_STANDARD_ALLOCATION, EMU_CREATE_EXISTING_SYSMEM | "
               "EMU_CREATE_EXISTING_SECTION)",
               "NOTHING");
EMU_FAULT_SITE(standard_unshared, "CAF-031",
               "NEEDS(EMU_CREATE_STANDARD_ALLOCATION, EMU_CREATE_SHARED)",
               "NEEDS(EMU_CREATE_STANDARD_ALLOCATION, EMU_CREATE_RESOURCE)");
EMU_FAULT_SITE(standard_on_one_adapter, "CAF-032",
               "NEEDS(EMU_CREATE_STANDARD_ALLOCATION, EMU_CREATE_CROSS_ADAPTER)", "NOTHING");
EMU_FAULT_SITE(section_alone, "CAF-034",
               "NEEDS(EMU_CREATE_EXISTING_SECTION, EMU_CREATE_STANDARD_ALLOCATION)",
               "NEEDS(EMU_CREATE_EXISTING_SECTION, EMU_CREATE_SHARED)");

static const struct relation {
    struct breach breach;
    const struct emu_fault_site *fault;
    struct breach wrong; /* while the fault is on */
    uint64_t spared;     /* rows of profiles for which it is not judged */
} relations[] = {
    /* CreateResource, CreateShared: "if you set CreateShared, you must also set CreateResource". */
    {NEEDS(EMU_CREATE_SHARED, EMU_CREATE_RESOURCE), &shared_alone, NOTHING, 0},
    /* ExistingSysMem: "if set, StandardAllocation must also be set"; both ExistingSysMem and
     * ExistingSection: "cannot be set for the same allocation". */
    {NEEDS(EMU_CREATE_EXISTING_SYSMEM, EMU_CREATE_STANDARD_ALLOCATION), &sysmem_alone, NOTHING, 0},
    {NOT_TOGETHER(EMU_CREATE_EXISTING_SYSMEM | EMU_CREATE_EXISTING_SECTION), &sysmem_and_section,
     NOTHING, EMU_ROW(CAF_010)},
    /* NtSecuritySharing: "if it is 1, CreateShared must be set to 1". */
    {NEEDS(EMU_CREATE_NT_SECURITY_SHARING, EMU_CREATE_SHARED), &nt_unshared, NOTHING,
     EMU_ROW(CAF_018)},
    /* OpenCrossAdapter: "cannot be used when the allocation is created from user mode", as all
     * calls here are. */
    {NOT_TOGETHER(EMU_CREATE_OPEN_CROSS_ADAPTER), &open_cross_adapter,
     NOT_TOGETHER(EMU_CREATE_OPEN_CROSS_ADAPTER | EMU_CREATE_CROSS_ADAPTER), EMU_ROW(CAF_025)},
    /* StandardAllocation: "ExistingSysMem or ExistingSection (but not both) must also be set";
     * "CreateShared and CrossAdapter must also be set". */
    {NEEDS(EMU_CREATE_STANDARD_ALLOCATION,
           EMU_CREATE_EXISTING_SYSMEM | EMU_CREATE_EXISTING_SECTION),
     &standard_without_memory, NOTHING, EMU_ROW(M7B_NONE)},
    {NEEDS(EMU_CREATE_STANDARD_ALLOCATION, EMU_CREATE_SHARED), &standard_unshared,
     NEEDS(EMU_CREATE_STANDARD_ALLOCATION, EMU_CREATE_RESOURCE), EMU_ROW(W3) | EMU_ROW(W24)},
    {NEEDS(EMU_CREATE_STANDARD_ALLOCATION, EMU_CREATE_CROSS_ADAPTER), &standard_on_one_adapter,
     NOTHING, EMU_ROW(W3) | EMU_ROW(W24) | EMU_ROW(W30) | EMU_ROW(W36)},
    /* ExistingSection: "if it is set, StandardAllocation must also be set". */
    {NEEDS(EMU_CREATE_EXISTING_SECTION, EMU_CREATE_STANDARD_ALLOCATION), &section_alone,
     NEEDS(EMU_CREATE_EXISTING_SECTION, EMU_CREATE_SHARED), 0},
};

/* Where a relation is not judged while a fault is on: one for each, in their order. */
#define LAPSES(X)                                                                                  \
    X(shared_with_nt, "CAF-003+nt", EMU_WDDM_1_2, EMU_WDDM_3_2, EMU_CREATE_NT_SECURITY_SHARING,    \
      EMU_CREATE_NT_SECURITY_SHARING)                                                              \
    X(sysmem_shared, "CAF-011+shared", EMU_WDDM_2_3, EMU_WDDM_3_2,                                 \
      EMU_CREATE_SHARED | EMU_CREATE_CROSS_ADAPTER, EMU_CREATE_SHARED | EMU_CREATE_CROSS_ADAPTER)  \
    X(both_read_only, "CAF-010+read-only", EMU_WDDM_2_3, EMU_WDDM_3_2,                             \
      EMU_CREATE_NON_SECURE | EMU_CREATE_READ_ONLY, EMU_CREATE_NON_SECURE | EMU_CREATE_READ_ONLY)  \
    X(nt_restricted, "CAF-018+restricted", EMU_WDDM_1_2, EMU_WDDM_3_2,                             \
      EMU_CREATE_RESTRICT_SHARED_ACCESS, EMU_CREATE_RESTRICT_SHARED_ACCESS)                        \
    X(opened_shared, "CAF-025+1.3", EMU_WDDM_1_3, EMU_WDDM_1_3,                                    \
      EMU_CREATE_SHARED | EMU_CREATE_CROSS_ADAPTER, EMU_CREATE_SHARED | EMU_CREATE_CROSS_ADAPTER)  \
    X(standard_unheard, "CAF-030+unheard", EMU_WDDM_2_7, EMU_WDDM_3_2, EMU_CREATE_NO_KMD_ACCESS,   \
      EMU_CREATE_NO_KMD_ACCESS)                                                                    \
    X(unshared_2_4, "CAF-031+2.4", EMU_WDDM_2_4, EMU_WDDM_2_4, 0, 0)                               \
    X(one_adapter_nt, "CAF-032+nt", EMU_WDDM_2_3, EMU_WDDM_3_2,                                    \
      EMU_CREATE_NON_SECURE | EMU_CREATE_NT_SECURITY_SHARING,                                      \
      EMU_CREATE_NON_SECURE | EMU_CREATE_NT_SECURITY_SHARING)                                      \
    X(section_2_8, "CAF-034+2.8", EMU_WDDM_2_8, EMU_WDDM_2_8, EMU_CREATE_SHARED, EMU_CREATE_SHARED)

LAPSES(EMU_LAPSE_SITE)

static const struct emu_narrow lapses[] = {LAPSES(EMU_NARROW_ROW)};

_Static_assert(COUNT(lapses) == COUNT(relations), "one for each");

/* Words that break nothing and are refused while a fault is on. */
#define REFUSALS(X)                                                                                \
    X(restricted, "CAF-008+refused", EMU_WDDM_1_1, EMU_WDDM_3_2,                                   \
      EMU_CREATE_RESTRICT_SHARED_ACCESS, EMU_CREATE_RESTRICT_SHARED_ACCESS)                        \
    X(restricted_alone, "CAF-008+alone", EMU_WDDM_1_1, EMU_WDDM_3_2,                               \
      EMU_CREATE_RESTRICT_SHARED_ACCESS | EMU_CREATE_RESOURCE, EMU_CREATE_RESTRICT_SHARED_ACCESS)  \
    X(restricted_to_all, "CAF-006.non-secure+restricted", EMU_WDDM_1_1, EMU_WDDM_3_2,              \
      EMU_CREATE_NON_SECURE | EMU_CREATE_RESTRICT_SHARED_ACCESS,                                   \
      EMU_CREATE_NON_SECURE | EMU_CREATE_RESTRICT_SHARED_ACCESS)                                   \
    X(read_only_old, "CAF-020.read+unshared", EMU_WDDM_1_2, EMU_WDDM_1_3,                          \
      EMU_CREATE_READ_ONLY | EMU_CREATE_RESOURCE | EMU_CREATE_SHARED | EMU_CREATE_NON_SECURE,      \
      EMU_CREATE_READ_ONLY | EMU_CREATE_RESOURCE | EMU_CREATE_NON_SECURE)                          \
    X(partial_unshared, "CAF-026+unshared", EMU_WDDM_1_3, EMU_WDDM_3_2,                            \
      EMU_CREATE_PARTIAL_SHARED_CREATION | EMU_CREATE_SHARED | EMU_CREATE_RESOURCE,                \
      EMU_CREATE_PARTIAL_SHARED_CREATION | EMU_CREATE_RESOURCE)                                    \
    X(crossing_in_part, "CAF-024.opened+2.2", EMU_WDDM_2_2, EMU_WDDM_2_2,                          \
      EMU_CREATE_CROSS_ADAPTER | EMU_CREATE_PARTIAL_SHARED_CREATION,                               \
      EMU_CREATE_CROSS_ADAPTER | EMU_CREATE_PARTIAL_SHARED_CREATION)                               \
    X(sysmem_nt_2_5, "CAF-014+2.5", EMU_WDDM_2_5, EMU_WDDM_2_5,                                    \
      EMU_CREATE_EXISTING_SYSMEM | EMU_CREATE_NT_SECURITY_SHARING,                                 \
      EMU_CREATE_EXISTING_SYSMEM | EMU_CREATE_NT_SECURITY_SHARING)                                 \
    X(section_read_only, "CAF-033.same+read-only", EMU_WDDM_2_3, EMU_WDDM_3_2,                     \
      EMU_CREATE_EXISTING_SECTION | EMU_CREATE_READ_ONLY | EMU_CREATE_NON_SECURE,                  \
      EMU_CREATE_EXISTING_SECTION | EMU_CREATE_READ_ONLY | EMU_CREATE_NON_SECURE)                  \
    X(not_zeroed_unwatched, "CAF-035+read-only", EMU_WDDM_2_6, EMU_WDDM_3_2,                       \
      EMU_CREATE_ALLOW_NOT_ZEROED | EMU_CREATE_READ_ONLY | EMU_CREATE_WRITE_WATCH,                 \
      EMU_CREATE_ALLOW_NOT_ZEROED | EMU_CREATE_READ_ONLY)                                          \
    X(watched_in_one_piece, "CAF-028+contiguous", EMU_WDDM_2_7, EMU_WDDM_3_2,                      \
      EMU_CREATE_WRITE_WATCH | EMU_CREATE_PHYSICALLY_CONTIGUOUS | EMU_CREATE_RESOURCE,             \
      EMU_CREATE_WRITE_WATCH | EMU_CREATE_PHYSICALLY_CONTIGUOUS | EMU_CREATE_RESOURCE)             \
    X(unheard_read_only, "CAF-037.created+read-only", EMU_WDDM_2_7, EMU_WDDM_3_2,                  \
      EMU_CREATE_NO_KMD_ACCESS | EMU_CREATE_READ_ONLY | EMU_CREATE_NON_SECURE,                     \
      EMU_CREATE_NO_KMD_ACCESS | EMU_CREATE_READ_ONLY | EMU_CREATE_NON_SECURE)                     \
    X(displayed_elsewhere, "CAF-038+nt", EMU_WDDM_3_0, EMU_WDDM_3_2,                               \
      EMU_CREATE_SHARED_DISPLAYABLE | EMU_CREATE_NT_SECURITY_SHARING | EMU_CREATE_CROSS_ADAPTER,   \
      EMU_CREATE_SHARED_DISPLAYABLE | EMU_CREATE_NT_SECURITY_SHARING | EMU_CREATE_CROSS_ADAPTER)   \
    X(watched_3_1, "CAF-028+3.1", EMU_WDDM_3_1, EMU_WDDM_3_1,                                      \
      EMU_CREATE_WRITE_WATCH | EMU_CREATE_READ_ONLY | EMU_CREATE_ALLOW_NOT_ZEROED,                 \
      EMU_CREATE_WRITE_WATCH | EMU_CREATE_READ_ONLY | EMU_CREATE_ALLOW_NOT_ZEROED)

REFUSALS(EMU_REFUSAL_SITE)

static const struct emu_narrow refusals[] = {REFUSALS(EMU_NARROW_ROW)};

static int breaks(uint32_t flags, const struct breach *breach)
{
    return (flags & breach->mask) == breach->value;
}

/* ---- Reserved bits and members ---- */

EMU_FAULT_SITE(nt_sharing, "CAF-001+nt-sharing", "EMU_WDDM_1_2", "EMU_WDDM_1_1");
EMU_FAULT_SITE(read_only, "CAF-001+read-only", "EMU_WDDM_1_2", "EMU_WDDM_1_1");
EMU_FAULT_SITE(cross_adapter, "CAF-001+cross-adapter", "EMU_WDDM_1_3", "EMU_WDDM_1_2");
EMU_FAULT_SITE(no_kmd_access, "CAF-001+no-kmd-access", "EMU_WDDM_2_7", "EMU_WDDM_2_6");
EMU_FAULT_SITE(synchronization, "CAF-001+synchronization", "EMU_WDDM_3_2", "EMU_WDDM_3_0");
EMU_FAULT_SITE(shared_creation, "CAF-026", "EMU_WDDM_1_3", "EMU_WDDM_2_0");
EMU_FAULT_SITE(write_watch, "CAF-028", "EMU_WDDM_1_3", "EMU_WDDM_2_0");
EMU_FAULT_SITE(not_zeroed, "CAF-035", "EMU_WDDM_2_6", "EMU_WDDM_2_7");
EMU_FAULT_SITE(contiguous, "CAF-001", "EMU_WDDM_2_7", "EMU_WDDM_2_6");
EMU_FAULT_SITE(displayable, "CAF-038", "EMU_WDDM_3_0", "EMU_WDDM_3_2");

/* From which version on a bit is no part of Reserved: by its widths, in the order of the bits. */
static const struct gate {
    uint32_t first;
    const struct emu_fault_site *fault;
    uint32_t wrong; /* first, while the fault is on */
} gates[] = {
    {EMU_WDDM_1_0, NULL, 0},                        /* CreateResource */
    {EMU_WDDM_1_0, NULL, 0},                        /* CreateShared */
    {EMU_WDDM_1_0, NULL, 0},                        /* NonSecure */
    {EMU_WDDM_1_0, NULL, 0},                        /* CreateProtected */
    {EMU_WDDM_1_0, NULL, 0},                        /* RestrictSharedAccess */
    {EMU_WDDM_1_0, NULL, 0},                        /* ExistingSysMem */
    {EMU_WDDM_1_2, &nt_sharing, EMU_WDDM_1_1},      /* NtSecuritySharing */
    {EMU_WDDM_1_2, &read_only, EMU_WDDM_1_1},       /* ReadOnly */
    {EMU_WDDM_1_2, NULL, 0},                        /* CreateWriteCombined */
    {EMU_WDDM_1_2, NULL, 0},                        /* CreateCached */
    {EMU_WDDM_1_2, NULL, 0},                        /* SwapChainBackBuffer */
    {EMU_WDDM_1_3, &cross_adapter, EMU_WDDM_1_2},   /* CrossAdapter */
    {EMU_WDDM_1_3, NULL, 0},                        /* OpenCrossAdapter */
    {EMU_WDDM_1_3, &shared_creation, EMU_WDDM_2_0}, /* PartialSharedCreation */
    {EMU_WDDM_1_3, NULL, 0},                        /* Zeroed */
    {EMU_WDDM_1_3, &write_watch, EMU_WDDM_2_0},     /* WriteWatch */
    {EMU_WDDM_2_3, NULL, 0},                        /* StandardAllocation */
    {EMU_WDDM_2_3, NULL, 0},                        /* ExistingSection */
    {EMU_WDDM_2_6, &not_zeroed, EMU_WDDM_2_7},      /* AllowNotZeroed */
    {EMU_WDDM_2_7, &contiguous, EMU_WDDM_2_6},      /* PhysicallyContiguous */
    {EMU_WDDM_2_7, &no_kmd_access, EMU_WDDM_2_6},   /* NoKmdAccess */
    {EMU_WDDM_3_0, &displayable, EMU_WDDM_3_2},     /* SharedDisplayable */
    {EMU_WDDM_3_2, &synchronization, EMU_WDDM_3_0}, /* NoImplicitSynchronization */
};

/* Where a bit is one that a member takes, and the member "reserved and must be set to zero". */
struct span {
    uint32_t bit;
    uint32_t first; /* at this version, and from it on */
    uint32_t end;   /* but not at this one; 0: at all */
};

EMU_FAULT_SITE(protected, "CAF-007", "EMU_WDDM_1_1, 0", "EMU_WDDM_1_2, 0");
EMU_FAULT_SITE(sysmem, "CAF-009", "EMU_WDDM_1_1, EMU_WDDM_2_3", "EMU_WDDM_1_1, EMU_WDDM_2_0");
EMU_FAULT_SITE(write_combined, "CAF-021", "EMU_WDDM_1_2, 0", "EMU_WDDM_1_2, EMU_WDDM_2_0");
EMU_FAULT_SITE(cached, "CAF-022", "EMU_WDDM_1_2, 0", "EMU_WDDM_1_3, 0");
EMU_FAULT_SITE(back_buffer, "CAF-023", "EMU_CREATE_SWAP_CHAIN_BACK_BUFFER", "0");

static const struct member {
    struct span span;
    const struct emu_fault_site *fault;
    struct span wrong; /* while the fault is on */
    uint64_t spared;   /* the row of a profile for which it is not judged */
} members[] = {
    {{EMU_CREATE_PROTECTED, EMU_WDDM_1_1, 0},
     &protected,
     {EMU_CREATE_PROTECTED, EMU_WDDM_1_2, 0},
     EMU_ROW(CAF_007)},
    /* Until StandardAllocation gives it a meaning. */
    {{EMU_CREATE_EXISTING_SYSMEM, EMU_WDDM_1_1, EMU_WDDM_2_3},
     &sysmem,
     {EMU_CREATE_EXISTING_SYSMEM, EMU_WDDM_1_1, EMU_WDDM_2_0},
     0},
    {{EMU_CREATE_WRITE_COMBINED, EMU_WDDM_1_2, 0},
     &write_combined,
     {EMU_CREATE_WRITE_COMBINED, EMU_WDDM_1_2, EMU_WDDM_2_0},
     EMU_ROW(CAF_021)},
    {{EMU_CREATE_CACHED, EMU_WDDM_1_2, 0},
     &cached,
     {EMU_CREATE_CACHED, EMU_WDDM_1_3, 0},
     EMU_ROW(CAF_022)},
    {{EMU_CREATE_SWAP_CHAIN_BACK_BUFFER, EMU_WDDM_1_2, 0},
     &back_buffer,
     {0, EMU_WDDM_1_2, 0},
     EMU_ROW(CAF_023)},
};

static int is_reserved(uint32_t flags, const struct span *span, uint32_t version)
{
    return (flags & span->bit) && version >= span->first && (span->end == 0 || version < span->end);
}

/* Reserved and the reserved members: "reserved and must be set to zero". */
static int sets_reserved(uint32_t flags, uint32_t version, uint64_t holding)
{
    const uint32_t beyond = holding & EMU_ROW(CAF_002) ? 0 : flags >> COUNT(gates);
    uint32_t bit, i;
    for (bit = 0; bit < COUNT(gates); bit++) {
        const struct gate *gate = &gates[bit];
        if ((flags >> bit & 1) && version < EMU_FAULT_AT(gate->fault, gate->first, gate->wrong))
            return 1;
    }
    if (EMU_FAULT("CAF-002", beyond != 0, beyond >> 1 != 0) &&
        EMU_FAULT("CAF-002+several", 1, (beyond & (beyond - 1)) == 0))
        return 1;
    for (i = 0; i < COUNT(members); i++)
        if (EMU_FAULT_AT(members[i].fault, is_reserved(flags, &members[i].span, version),
                         is_reserved(flags, &members[i].wrong, version)) &&
            !(members[i].spared & holding))
            return 1;
    return 0;
}

wcts_status emu_create_flags_judge(const struct emu_kernel *kernel, uint32_t flags)
{
    const struct emu_version *version = kernel->base.version;
    const uint32_t boot = kernel->base.host->interface_version;
    /* A bit is judged as a flag from the version that names it; before, it is only reserved. */
    const uint32_t named = flags & version->create_named;
    size_t i;
    for (i = 0; i < COUNT(relations); i++) {
        const int broken = EMU_FAULT_AT(relations[i].fault, breaks(named, &relations[i].breach),
                                        breaks(named, &relations[i].wrong));
        if (EMU_FAULT_AT(lapses[i].fault, broken,
                         broken && !emu_narrow_applies(&lapses[i], boot, named)) &&
            !(relations[i].spared & kernel->holding))
            return WCTS_STATUS_INVALID_PARAMETER;
    }
    for (i = 0; i < COUNT(refusals); i++)
        if (EMU_FAULT_AT(refusals[i].fault, 0, emu_narrow_applies(&refusals[i], boot, named)))
            return WCTS_STATUS_INVALID_PARAMETER;
    if (kernel->base.strict && sets_reserved(flags, version->first, kernel->holding))
        return WCTS_STATUS_INVALID_PARAMETER;
    return WCTS_STATUS_SUCCESS;
}
