/* SPDX-License-Identifier: MIT */
/* Narrow faults of flag words: a condition on the version and on other bits, a row of a table each.
 * Under it a breach goes unnoticed, or a word that breaks nothing is refused. */
#ifndef EMU_NARROW_H
#define EMU_NARROW_H

#include "emu_versions.h"
#include "fault.h"

struct emu_narrow {
    const struct emu_fault_site *fault;
    uint32_t first, last; /* interface versions; all of the last one's WDDM version, too */
    uint32_t mask, value; /* (word & mask) == value */
};

/* X(name, id, first, last, mask, value): a site for the row, and the row. */
#define EMU_LAPSE_SITE(name, id, first, last, mask, value)                                         \
    EMU_FAULT_SITE(name, id, "broken",                                                             \
                   "broken && !(" #first " to " #last ", (flags & (" #mask ")) == (" #value "))");
#define EMU_REFUSAL_SITE(name, id, first, last, mask, value)                                       \
    EMU_FAULT_SITE(name, id, "refused",                                                            \
                   "refused || (" #first " to " #last ", (flags & (" #mask ")) == (" #value "))");
#define EMU_NARROW_ROW(name, id, first, last, mask, value) {&name, first, last, mask, value},

static inline int emu_narrow_applies(const struct emu_narrow *narrow, uint32_t boot, uint32_t word)
{
    return boot >= narrow->first && EMU_WDDM_OF(boot) <= EMU_WDDM_OF(narrow->last) &&
           (word & narrow->mask) == narrow->value;
}

#endif
