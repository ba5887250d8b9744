/* SPDX-License-Identifier: MIT */
/* What the flag words contain at each version of WDDM. */
#ifndef EMU_VERSIONS_H
#define EMU_VERSIONS_H

#include <stdint.h>

/* DXGKDDI_INTERFACE_VERSION numbers at which something changes. */
#define EMU_WDDM_1_0 0x1052u
#define EMU_WDDM_1_1 0x2005u
#define EMU_WDDM_1_2 0x300Eu
#define EMU_WDDM_1_3 0x4002u
#define EMU_WDDM_2_0 0x5023u
#define EMU_WDDM_2_1 0x6003u
#define EMU_WDDM_2_3 0x8001u
#define EMU_WDDM_2_6 0xB004u
#define EMU_WDDM_2_7 0xC004u
#define EMU_WDDM_2_9 0xE003u
#define EMU_WDDM_3_0 0xF003u
#define EMU_WDDM_3_2 0x11007u

/* Numbers of the versions between; what is done at one of them alone is a fault. */
#define EMU_WDDM_2_2 0x700Au
#define EMU_WDDM_2_4 0x9006u
#define EMU_WDDM_2_5 0xA00Bu
#define EMU_WDDM_2_8 0xD001u
#define EMU_WDDM_3_1 0x10004u

/* The number of a version without that of its revision: two of one version of WDDM are equal. */
#define EMU_WDDM_OF(interface_version) ((interface_version) >> 12)

struct emu_version {
    uint32_t first;           /* the first interface version of the row */
    uint32_t create_named;    /* create flags that have a meaning of their own */
    uint32_t segment_allowed; /* segment flags that a driver may set without doubt */
    uint32_t segment_zero;    /* segment bits that document 003 wants zero */
    uint32_t info_flags;      /* bits of DXGK_ALLOCATIONINFO.Flags or FlagsWddm2 */
};

#pragma GCC visibility push(hidden)

/* The row of an interface version, or NULL when it is not between WDDM 1.0 and 3.2. */
const struct emu_version *emu_version_find(uint32_t interface_version);

#pragma GCC visibility pop

#endif
