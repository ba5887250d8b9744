/* SPDX-License-Identifier: MIT */
/* The rules of document 000 (D3DKMT_CREATEALLOCATIONFLAGS) for the flag word by itself. */
#include "emu_flags.h"
#include "emu_kernel.h"

/* What one flag demands of the others. */
struct flag_rule {
    uint32_t flag;
    uint32_t needs;    /* all of these */
    uint32_t one_of;   /* 0, or at least one of these */
    uint32_t excludes; /* none of these */
};

static const struct flag_rule rules[] = {
    /* CreateResource, CreateShared: "if you set CreateShared, you must also set CreateResource". */
    {EMU_CREATE_SHARED, EMU_CREATE_RESOURCE, 0, 0},
    /* ExistingSysMem: "cannot be set with ExistingSection for the same allocation"; "if set,
     * StandardAllocation must also be set". */
    {EMU_CREATE_EXISTING_SYSMEM, EMU_CREATE_STANDARD_ALLOCATION, 0, EMU_CREATE_EXISTING_SECTION},
    /* NtSecuritySharing: "if it is 1, CreateShared must be set to 1". */
    {EMU_CREATE_NT_SECURITY_SHARING, EMU_CREATE_SHARED, 0, 0},
    /* OpenCrossAdapter: "cannot be used when the allocation is created from user mode", as all
     * calls here are. */
    {EMU_CREATE_OPEN_CROSS_ADAPTER, 0, 0, EMU_CREATE_OPEN_CROSS_ADAPTER},
    /* StandardAllocation: "ExistingSysMem or ExistingSection (but not both) must also be set";
     * "CreateShared and CrossAdapter must also be set". */
    {EMU_CREATE_STANDARD_ALLOCATION, EMU_CREATE_SHARED | EMU_CREATE_CROSS_ADAPTER,
     EMU_CREATE_EXISTING_SYSMEM | EMU_CREATE_EXISTING_SECTION, 0},
    /* ExistingSection: "if it is set, StandardAllocation must also be set". */
    {EMU_CREATE_EXISTING_SECTION, EMU_CREATE_STANDARD_ALLOCATION, 0, EMU_CREATE_EXISTING_SYSMEM},
};

wcts_status emu_create_flags_judge(const struct emu_kernel *kernel, uint32_t flags)
{
    /* A bit is judged as a flag from the version that names it; before, it is only reserved. */
    const uint32_t named = flags & kernel->base.version->create_named;
    size_t i;
    for (i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
        if (!(named & rules[i].flag))
            continue;
        if ((named & rules[i].needs) != rules[i].needs || (named & rules[i].excludes) ||
            (rules[i].one_of && !(named & rules[i].one_of)))
            return WCTS_STATUS_INVALID_PARAMETER;
    }
    /* Reserved and the reserved members: "reserved and must be set to zero". */
    if (kernel->base.strict && (flags & kernel->base.version->create_zero))
        return WCTS_STATUS_INVALID_PARAMETER;
    return WCTS_STATUS_SUCCESS;
}
