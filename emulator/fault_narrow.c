/* SPDX-License-Identifier: MIT */
/* Faults of all documents beside the first ones, by what goes wrong. Most are narrow: they show
 * under a condition only, as mistakes of a second implementation do. The conditions stand where the
 * faults are. */
#include "fault.h"

#define STRICT .options = "strict"

const struct emu_fault emu_faults_narrow[] = {
    /* One version alone, or up to one. */
    {.id = "AIN-018+2.4", .kind = EMU_FAULT_VALUE},
    {.id = "UVA-036+2.2", .kind = EMU_FAULT_VALUE},
    {.id = "UVA-041+3.1", .kind = EMU_FAULT_VALUE},
    {.id = "SEG-033+2.8", .kind = EMU_FAULT_VERSION},

    /* One state: opened, locked, evicted, done before, on the second adapter, in another process.
     */
    {.id = "CAF-005.opened+third",
     .kind = EMU_FAULT_STATE,
     .also = {{"CAF-006", "a third process does not open what is NonSecure"}}},
    {.id = "CAF-017+unlocked", .kind = EMU_FAULT_STATE},
    {.id = "UVA-002+opened", .kind = EMU_FAULT_VALUE},
    {.id = "UVA-003+evicted", .kind = EMU_FAULT_INVERTED},
    {.id = "UVA-003+opened", .kind = EMU_FAULT_INVERTED},
    {.id = "UVA-035+over", .kind = EMU_FAULT_STATE},
    {.id = "UVA-036+over",
     .kind = EMU_FAULT_STATE,
     .also = {{"UVA-054", "the later operation does not take effect"}}},
    {.id = "UVA-043+evicted", .kind = EMU_FAULT_INVERTED},
    {.id = "UVA-044+unmapped", .kind = EMU_FAULT_LOST},
    {.id = "PAT-002.submit+other", .kind = EMU_FAULT_VALUE},
    {.id = "PAT-007.same+again", .kind = EMU_FAULT_VALUE},
    {.id = "PAT-010+power", .kind = EMU_FAULT_VALUE},
    {.id = "PAT-014.addresses+again", .kind = EMU_FAULT_STATE},
    {.id = "PAT-014.addresses+aperture", .kind = EMU_FAULT_BYTE},
    {.id = "PAT-020.submit+other", .kind = EMU_FAULT_VALUE},
    {.id = "PAT-026+again", .kind = EMU_FAULT_VALUE},
    {.id = "PAT-038.submitted+second-adapter", .kind = EMU_FAULT_VALUE},

    /* Flags that are set together, in what a call brings about. */
    {.id = "CAF-019+cross-adapter", .kind = EMU_FAULT_VALUE},
    {.id = "CAF-037.created+shared", .kind = EMU_FAULT_INVERTED},
    {.id = "CAF-045+nt", .kind = EMU_FAULT_VALUE},
    {.id = "CAF-047+non-secure", .kind = EMU_FAULT_VALUE},
    {.id = "CAF-057+contiguous", .kind = EMU_FAULT_LOST},
    {.id = "CAF-058+displayable", .kind = EMU_FAULT_LOST},
    {.id = "CAF-059+read-only",
     .kind = EMU_FAULT_VALUE,
     .also = {{"CAF-043", "by the handle that comes back it can be opened"}}},
    {.id = "CAF-060+read-only",
     .kind = EMU_FAULT_LOST,
     .also = {{"CAF-005", "without the handle nobody opens it"},
              {"CAF-006", "without the handle nobody opens it"},
              {"CAF-024", "without the handle nobody opens it"}}},
    {.id = "SEG-020+partly", .kind = EMU_FAULT_STATE},

    /* Flags that are set together: a breach goes unnoticed. */
    {.id = "CAF-003+nt", .kind = EMU_FAULT_MISSING},
    {.id = "CAF-011+shared", .kind = EMU_FAULT_MISSING},
    {.id = "CAF-018+restricted", .kind = EMU_FAULT_MISSING},
    {.id = "SEG-022+only", .kind = EMU_FAULT_MISSING, STRICT},
    {.id = "UVA-030.source+same", .kind = EMU_FAULT_MISSING},
    {.id = "UVA-039+page", .kind = EMU_FAULT_MISSING},

    /* What is right is refused, under a condition of two to four facts. */

    /* The second or the last of a list. */
    {.id = "CAF-050+list",
     .kind = EMU_FAULT_LEAK,
     .also = {{"CAF-051", "nor are those of a call that is refused"}}},
    {.id = "UVA-007+third", .kind = EMU_FAULT_LIMIT},
    {.id = "UVA-025+later", .kind = EMU_FAULT_MISSING},
    {.id = "SEG-007+apart", .kind = EMU_FAULT_LIMIT, STRICT},
    {.id = "SEG-039+last", .kind = EMU_FAULT_LIMIT, STRICT},
    {.id = "PAT-014.addresses+last", .kind = EMU_FAULT_LOST},
    {.id = "PAT-014.addresses+twice", .kind = EMU_FAULT_LOST},
    {.id = "PAT-022+bare",
     .kind = EMU_FAULT_VALUE,
     .also = {{"PAT-002", "the device is nobody"}, {"PAT-020", "the context is nobody"}}},

    /* Sizes that are no power of two, or beyond 64 KiB; offsets and values beyond some bits. */
    {.id = "CAF-013+large", .kind = EMU_FAULT_LIMIT},
    {.id = "CAF-014+odd", .kind = EMU_FAULT_VALUE},
    {.id = "CAF-033.same+part", .kind = EMU_FAULT_LIMIT},
    {.id = "CAF-048+large", .kind = EMU_FAULT_LOST},
    {.id = "AIN-027.transfer+large", .kind = EMU_FAULT_LIMIT},
    {.id = "UVA-009+far", .kind = EMU_FAULT_LIMIT},
    {.id = "UVA-013+large", .kind = EMU_FAULT_LIMIT},
    {.id = "UVA-023+high", .kind = EMU_FAULT_LIMIT},
    {.id = "UVA-028+middle", .kind = EMU_FAULT_LIMIT},
    {.id = "SEG-009.seen+far", .kind = EMU_FAULT_LIMIT},
    {.id = "SEG-043.size+odd", .kind = EMU_FAULT_LIMIT},

    /* Counts beyond a page, a dozen, or what fits into a few bits. */
    {.id = "PAT-042+many", .kind = EMU_FAULT_LIMIT},

    /* What a refused call leaves behind. */
    {.id = "CAF-051+answered", .kind = EMU_FAULT_PARTIAL},
    {.id = "UVA-034.copy+destination", .kind = EMU_FAULT_PARTIAL},
    {.id = "UVA-034.map+inside", .kind = EMU_FAULT_PARTIAL},
    {.id = "UVA-034.unmap+third", .kind = EMU_FAULT_PARTIAL},

    /* Of flags that are only kept, of apertures, alternate addresses, pages, priorities and banks.
     */
    {.id = "CAF-008+alone",
     .kind = EMU_FAULT_INVERTED,
     .also = {{"CAF-001", "the bit is refused"}, {"CAF-002", "the bit is refused"}}},
    {.id = "CAF-008+cleared",
     .kind = EMU_FAULT_VALUE,
     .also = {{"CAF-056", "the flags that come back are others"}}},
    {.id = "CAF-008+cleared-shared",
     .kind = EMU_FAULT_VALUE,
     .also = {{"CAF-056", "the flags that come back are others"}}},
    {.id = "CAF-008+refused",
     .kind = EMU_FAULT_INVERTED,
     .also = {{"CAF-001", "the bit is refused"}, {"CAF-002", "the bit is refused"}}},
    {.id = "CAF-048+kernel", .kind = EMU_FAULT_MISSING, STRICT},
    {.id = "AIN-008+first", .kind = EMU_FAULT_VALUE},
    {.id = "AIN-008+zero", .kind = EMU_FAULT_LIMIT},
    {.id = "AIN-019", .kind = EMU_FAULT_VALUE, .options = "priority=any"},
    {.id = "AIN-019+unchecked", .kind = EMU_FAULT_MISSING, STRICT},
    {.id = "AIN-019+zero", .kind = EMU_FAULT_VALUE, STRICT},
    {.id = "AIN-028+unlimited", .kind = EMU_FAULT_MISSING},
    {.id = "AIN-028+zero", .kind = EMU_FAULT_LIMIT},
    {.id = "SEG-008.clear", .kind = EMU_FAULT_INVERTED},
    {.id = "SEG-008.unmoved", .kind = EMU_FAULT_STATE, .also = {{"SEG-035", "it is an aperture"}}},
    {.id = "SEG-008.set",
     .kind = EMU_FAULT_VALUE,
     .also = {{"SEG-038", "a primary is seen likewise"}}},
    {.id = "SEG-023.small", .kind = EMU_FAULT_VALUE},
    {.id = "SEG-023.small+any", .kind = EMU_FAULT_VALUE},
    {.id = "SEG-023.large", .kind = EMU_FAULT_VALUE},
    {.id = "SEG-023.small+host", .kind = EMU_FAULT_PAGE},
    {.id = "SEG-034+alternate", .kind = EMU_FAULT_MISSING, STRICT},
    {.id = "SEG-034+capability", .kind = EMU_FAULT_MISSING, STRICT},
    {.id = "SEG-034.read", .kind = EMU_FAULT_VALUE, STRICT},
    {.id = "SEG-034+write", .kind = EMU_FAULT_VALUE, STRICT},
    {.id = "SEG-038.alternate", .kind = EMU_FAULT_INVERTED},
    {.id = "SEG-038.seen", .kind = EMU_FAULT_VALUE},
    {.id = "SEG-038.alternate+hidden", .kind = EMU_FAULT_INVERTED},
    {.id = "SEG-038.visible", .kind = EMU_FAULT_INVERTED},

    /* Of mappings, whatever moves, and of where an allocation ends. */
    {.id = "UVA-003.taken", .kind = EMU_FAULT_INVERTED},
    {.id = "UVA-043.taken", .kind = EMU_FAULT_INVERTED},

    /* Of a present. */
    {.id = "PAT-009+present", .kind = EMU_FAULT_VALUE},
    {.id = "PAT-035.same+earlier", .kind = EMU_FAULT_VALUE},
    {.id = "PAT-035.presented+empty", .kind = EMU_FAULT_VALUE},
    {.id = "PAT-035.presented", .kind = EMU_FAULT_VALUE},
    {.id = "PAT-035.presented-all", .kind = EMU_FAULT_LIMIT},
    {.id = "PAT-035.presented+swapped",
     .kind = EMU_FAULT_ORDER,
     .also = {{"PAT-014", "the addresses are those of the other"}}},
    {.id = "PAT-035.presented+written", .kind = EMU_FAULT_LOST},
    {.id = "PAT-039.present", .kind = EMU_FAULT_VALUE},
    {.id = "UVA-003.kept",
     .kind = EMU_FAULT_STATE,
     .also = {{"UVA-043", "what MapProtect maps is shown alike"}}},
    {.id = "UVA-043.kept",
     .kind = EMU_FAULT_STATE,
     .also = {{"UVA-003", "what Map maps is shown alike"}}},
    {.id = "UVA-022.kept", .kind = EMU_FAULT_LOST},
    {.id = "UVA-023.kept", .kind = EMU_FAULT_LOST},
    {.id = "UVA-024.kept", .kind = EMU_FAULT_STATE},
    {.id = "UVA-044.kept", .kind = EMU_FAULT_STATE},
    {.id = "SEG-008.mapped",
     .kind = EMU_FAULT_PAGE,
     .also = {{"SEG-035", "it is an aperture"}, {"SEG-056", "so it is in an Agp segment"}}},
    {.id = "PAT-002.present",
     .kind = EMU_FAULT_VALUE,
     .also = {{"PAT-022", "the device is nobody"}}},
    {.id = "PAT-020.present",
     .kind = EMU_FAULT_VALUE,
     .also = {{"PAT-022", "the context is nobody"}}},
    {.id = NULL},
};
