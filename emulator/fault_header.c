/* SPDX-License-Identifier: MIT */
/* The faults of what no document but the plug-in header promises. */
#include "fault.h"

const struct emu_fault emu_faults_header[] = {
    /* Handles that were destroyed are not given out again. */
    {.id = "HDR-001.allocation",
     .kind = EMU_FAULT_STATE,
     .also = {{"UVA-008", "a handle that named nothing names the new allocation"},
              {"UVA-018", "a handle that named nothing names the new allocation"},
              {"UVA-030", "so do the pages that its mappings left"}}},
    {.id = "HDR-001.allocation+zero",
     .kind = EMU_FAULT_LOST,
     .also = {{"AIN-033", "what has no handle cannot be used, with a hint or without"},
              {"SEG-056", "nor be locked where it is"}}},
    {.id = "HDR-001.resource", .kind = EMU_FAULT_STATE},
    {.id = "HDR-001.device", .kind = EMU_FAULT_STATE},
    {.id = "HDR-001.opened", .kind = EMU_FAULT_STATE},

    /* What the driver is asked: allocations, devices, contexts, standard allocations. */
    {.id = "HDR-002",
     .kind = EMU_FAULT_PARTIAL,
     .also = {{"AIN-010", "the driver describes the first of each request"},
              {"AIN-027", "the driver describes the first of each request"}}},
    {.id = "HDR-002+last",
     .kind = EMU_FAULT_PARTIAL,
     .also = {{"AIN-010", "the driver describes the first of each request"},
              {"AIN-027", "the driver describes the first of each request"}}},
    {.id = "HDR-003.asked",
     .kind = EMU_FAULT_LOST,
     .also = {{"HDR-004", "its context is one of the first device"},
              {"HDR-005", "who submits goes by what the first device has"},
              {"PAT-002", "the driver has no device that could be named"}}},
    {.id = "HDR-003.adapter", .kind = EMU_FAULT_VALUE},
    {.id = "HDR-004.device", .kind = EMU_FAULT_VALUE},
    {.id = "HDR-004.device+first", .kind = EMU_FAULT_VALUE},
    {.id = "HDR-004.context", .kind = EMU_FAULT_VALUE},
    {.id = "HDR-016", .kind = EMU_FAULT_ORDER},
    {.id = "HDR-016+format", .kind = EMU_FAULT_VALUE},

    /* Who submits. */
    {.id = "HDR-005.context", .kind = EMU_FAULT_VALUE},
    {.id = "HDR-005.context+device", .kind = EMU_FAULT_VALUE},
    {.id = "HDR-005.known", .kind = EMU_FAULT_VALUE},
    {.id = "HDR-005.no-device", .kind = EMU_FAULT_VALUE},
    {.id = "HDR-005.device", .kind = EMU_FAULT_VALUE},
    {.id = "HDR-005.present", .kind = EMU_FAULT_VALUE},
    {.id = "HDR-005.present+device", .kind = EMU_FAULT_VALUE},
    {.id = "HDR-005.present-device", .kind = EMU_FAULT_VALUE},
    {.id = "HDR-005.submitted", .kind = EMU_FAULT_VALUE},
    {.id = "HDR-005.submitted+device", .kind = EMU_FAULT_VALUE},
    {.id = "HDR-005.paging", .kind = EMU_FAULT_VALUE},
    {.id = "HDR-005.paging-patched", .kind = EMU_FAULT_VALUE},

    /* Reservations, and the sizes of pages. */
    {.id = "HDR-006", .kind = EMU_FAULT_MISSING},
    {.id = "HDR-006+next", .kind = EMU_FAULT_PAGE},
    {.id = "HDR-007", .kind = EMU_FAULT_VERSION},
    {.id = "HDR-008.nowhere", .kind = EMU_FAULT_VALUE},
    {.id = "HDR-008.sizes",
     .kind = EMU_FAULT_PAGE,
     .also = {{"SEG-023", "it is neither of the two sizes that the flag chooses from"}}},
    {.id = "HDR-029", .kind = EMU_FAULT_MISSING},

    /* What is rendered and submitted. */
    {.id = "HDR-009.command", .kind = EMU_FAULT_LIMIT},
    {.id = "HDR-009.allocations", .kind = EMU_FAULT_LIMIT},
    {.id = "HDR-009.locations", .kind = EMU_FAULT_LIMIT},
    {.id = "HDR-010", .kind = EMU_FAULT_MISSING},
    {.id = "HDR-011.whole", .kind = EMU_FAULT_LIMIT},
    {.id = "HDR-011.whole+moved", .kind = EMU_FAULT_LIMIT},
    {.id = "HDR-011.inside", .kind = EMU_FAULT_MISSING},
    {.id = "HDR-011.end",
     .kind = EMU_FAULT_LIMIT,
     .also = {{"PAT-028", "the part does not end where the caller said"}}},

    /* What the driver says that it wrote. */
    {.id = "HDR-018.length", .kind = EMU_FAULT_LIMIT},
    {.id = "HDR-018.private", .kind = EMU_FAULT_LIMIT},
    {.id = "HDR-018.present", .kind = EMU_FAULT_LIMIT},
    {.id = "HDR-018.present+private", .kind = EMU_FAULT_LIMIT},
    {.id = "HDR-019.begin",
     .kind = EMU_FAULT_LIMIT,
     .also = {{"PAT-042", "the kernel cannot take a range before the room"}}},
    {.id = "HDR-019.end",
     .kind = EMU_FAULT_LIMIT,
     .also = {{"PAT-042", "the kernel cannot take a range behind the room"}}},

    /* By what the driver is to know a device or a context. */
    {.id = "HDR-020.device",
     .kind = EMU_FAULT_VALUE,
     .also = {{"HDR-004", "there is no handle by which its context could name it"},
              {"HDR-005", "there is no handle by which it could submit"},
              {"PAT-002", "there is no handle by which it could be named"}}},
    {.id = "HDR-020.context",
     .kind = EMU_FAULT_VALUE,
     .also = {{"HDR-005", "there is no handle by which it could submit"},
              {"PAT-013", "there is no handle by which it could be patched"},
              {"PAT-020", "there is no handle by which it could be named"}}},

    /* Presents, and paging buffers. */
    {.id = "HDR-012.list", .kind = EMU_FAULT_LIMIT},
    {.id = "HDR-012.command", .kind = EMU_FAULT_VALUE},
    {.id = "HDR-022.source", .kind = EMU_FAULT_MISSING},
    {.id = "HDR-022.destination", .kind = EMU_FAULT_MISSING},
    {.id = "HDR-013.whole", .kind = EMU_FAULT_LIMIT},
    {.id = "HDR-013.again",
     .kind = EMU_FAULT_STATE,
     .also = {{"PAT-027", "it is taken for work that the driver rendered"},
              {"PAT-035", "it is taken for work that the driver rendered"}}},
    {.id = "HDR-013.submitted", .kind = EMU_FAULT_LOST},
    {.id = "HDR-014.patched",
     .kind = EMU_FAULT_LOST,
     .also = {{"PAT-017", "what is not patched is not patched with the flag"}}},
    {.id = "HDR-014.submitted",
     .kind = EMU_FAULT_LOST,
     .also = {{"PAT-007", "what is not submitted has no offsets at its submission"},
              {"PAT-038", "what is not submitted has no identifier at its submission"}}},

    {.id = "HDR-014.room", .kind = EMU_FAULT_LIMIT},

    /* What is preempted. */
    {.id = "HDR-027", .kind = EMU_FAULT_VALUE},
    {.id = "HDR-023", .kind = EMU_FAULT_VALUE},
    {.id = "HDR-023+length", .kind = EMU_FAULT_LIMIT},
    {.id = "HDR-028",
     .kind = EMU_FAULT_VALUE,
     .also = {{"PAT-038", "what is submitted again has not the identifier that was patched"}}},

    /* What the CPU sees. */
    {.id = "HDR-021", .kind = EMU_FAULT_MISSING},
    {.id = "HDR-021+copy",
     .kind = EMU_FAULT_STATE,
     .also = {{"SEG-003", "what is written to the copy is not paged in"},
              {"SEG-035", "the pages of the copy are not those that are mapped"},
              {"AIN-027", "what leaves a segment does not reach the copy"}}},
    {.id = "HDR-021+power",
     .kind = EMU_FAULT_LOST,
     .also = {{"SEG-003", "what is written at the old place is not paged in again"},
              {"AIN-027", "what is written at the old place is not the content"}}},
    {.id = "HDR-021+second-adapter",
     .kind = EMU_FAULT_VALUE,
     .also = {{"SEG-009", "the CPU does not see the segment of this adapter there"}}},
    {.id = "HDR-024.gone", .kind = EMU_FAULT_LEAK},
    {.id = "HDR-024.unlocked", .kind = EMU_FAULT_LEAK},
    {.id = "HDR-024.stopped", .kind = EMU_FAULT_LEAK},

    /* What is opened, and what ends. */
    {.id = "HDR-015",
     .kind = EMU_FAULT_VALUE,
     .also = {{"AIN-034", "the priority is that of another"}}},
    {.id = "HDR-017", .kind = EMU_FAULT_LEAK},

    /* Apertures of evictions, and what a driver does not write. */
    {.id = "HDR-026.first", .kind = EMU_FAULT_LOST},
    {.id = "HDR-026.last", .kind = EMU_FAULT_LIMIT},
    {.id = "HDR-025", .kind = EMU_FAULT_LOST},

    /* What a driver has moved when it answers with success. */
    {.id = "HDR-030",
     .kind = EMU_FAULT_VALUE,
     .also = {{"SEG-045", "what the driver does not move does not come back"}}},
    {.id = "HDR-030+none",
     .kind = EMU_FAULT_LOST,
     .also = {{"SEG-045", "what the driver does not move does not come back"}}},
    {.id = "HDR-030+last-page", .kind = EMU_FAULT_LIMIT},
    {.id = "HDR-030+start", .kind = EMU_FAULT_VALUE},
    {.id = "HDR-030+start-out", .kind = EMU_FAULT_VALUE},
    {.id = "HDR-030+in",
     .kind = EMU_FAULT_LOST,
     .also = {{"SEG-045", "what the driver does not move does not come back"}}},
    {.id = "HDR-030+out",
     .kind = EMU_FAULT_LOST,
     .also = {{"SEG-045", "what the driver does not move does not come back"}}},
    {.id = "HDR-030+through",
     .kind = EMU_FAULT_LOST,
     .also = {{"SEG-045", "what the driver does not move does not come back"}}},

    /* What is mapped into an aperture is not any more when the driver destroys the allocation. */
    {.id = "HDR-035.first", .kind = EMU_FAULT_LOST},
    {.id = "HDR-035.first+resource", .kind = EMU_FAULT_LIMIT},
    {.id = "HDR-035.first+second-adapter", .kind = EMU_FAULT_LOST},
    {.id = "HDR-035.before", .kind = EMU_FAULT_ORDER},

    /* The patch locations of a submission. */
    {.id = "HDR-036.start", .kind = EMU_FAULT_LIMIT},
    {.id = "HDR-036.length", .kind = EMU_FAULT_LIMIT},

    /* What a driver gives back of a rendering, what it writes of a description, and the room that
     * it describes. */
    {.id = "HDR-031.same", .kind = EMU_FAULT_VALUE},
    {.id = "HDR-031.same+offset", .kind = EMU_FAULT_VALUE},
    {.id = "HDR-031.each", .kind = EMU_FAULT_LIMIT},
    {.id = "HDR-032.renaming", .kind = EMU_FAULT_LOST},
    {.id = "HDR-032.adapter", .kind = EMU_FAULT_LOST},
    {.id = "HDR-032.flags", .kind = EMU_FAULT_LOST},
    {.id = "HDR-033.pixels", .kind = EMU_FAULT_VALUE},
    {.id = "HDR-033.bytes", .kind = EMU_FAULT_VALUE},

    /* What it has filled. */
    {.id = "HDR-034", .kind = EMU_FAULT_LOST},
    {.id = "HDR-034+first-filled", .kind = EMU_FAULT_LIMIT},
    {.id = "HDR-034+last-unfilled", .kind = EMU_FAULT_LIMIT},
    {.id = "HDR-034+filled-behind", .kind = EMU_FAULT_LIMIT},
    {.id = "HDR-034+filled-at-start", .kind = EMU_FAULT_VALUE},
    {.id = "HDR-034+pattern", .kind = EMU_FAULT_BYTE},
    {.id = NULL},
};
