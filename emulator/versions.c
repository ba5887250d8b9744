/* SPDX-License-Identifier: MIT */
#include "emu_versions.h"

#include <stddef.h>

/* create_named: the flags whose relations are judged. ExistingSysMem is one from 2.3 on: below it
 * is only reserved.
 *
 * segment_zero, document 003: «Reserved» by its width and ReservedSysMem ("must not be set by the
 * driver"). Bits 7..9 are open below 1.2 and bits 16..20 at 2.0.
 *
 * info_flags, document 001: Flags below WDDM 2.0, FlagsWddm2 from there. */
static const struct emu_version versions[] = {
    /* first, create_named, segment_allowed, segment_zero, info_flags */
    {EMU_WDDM_1_0, 0x00000007, 0x0000007F, 0xFFFFFC00, 0x00003FFF},
    {EMU_WDDM_1_1, 0x0000001F, 0x0000007F, 0xFFFFFC00, 0x00003FFF},
    {EMU_WDDM_1_2, 0x000007DF, 0x000007FF, 0xFFFFF800, 0x00003FFF},
    {EMU_WDDM_1_3, 0x0000FFDF, 0x000007FF, 0xFFFFF800, 0x00007FFF},
    {EMU_WDDM_2_0, 0x0000FFDF, 0x0000EFFF, 0xFFE01000, 0x0007C3FF},
    {EMU_WDDM_2_1, 0x0000FFDF, 0x001FEFFF, 0xFFE01000, 0x0007C7FF},
    {EMU_WDDM_2_3, 0x0003FFFF, 0x001FEFFF, 0xFFE01000, 0x0007C7FF},
    {EMU_WDDM_2_6, 0x0007FFFF, 0x001FEFFF, 0xFFE01000, 0x0007C7FF},
    {EMU_WDDM_2_7, 0x001FFFFF, 0x001FEFFF, 0xFFE01000, 0x0007C7FF},
    {EMU_WDDM_2_9, 0x001FFFFF, 0x003FEFFF, 0xFFC01000, 0x0007E7FF},
    {EMU_WDDM_3_0, 0x003FFFFF, 0x003FEFFF, 0xFFC01000, 0x0007E7FF},
    {EMU_WDDM_3_2, 0x007FFFFF, 0x003FEFFF, 0xFFC01000, 0x0007E7FF},
};

const struct emu_version *emu_version_find(uint32_t interface_version)
{
    size_t i = sizeof(versions) / sizeof(versions[0]);
    if (interface_version > EMU_WDDM_3_2)
        return NULL;
    while (i-- > 0)
        if (interface_version >= versions[i].first)
            return &versions[i];
    return NULL;
}
