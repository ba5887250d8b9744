/* SPDX-License-Identifier: MIT */
/* Submissions of a device. */
#ifndef EMU_SUBMISSION_H
#define EMU_SUBMISSION_H

#include "emu_kernel.h"

/* What a device submitted. It can be patched and submitted again. */
struct emu_submission {
    struct emu_submission *next; /* of the kernel */
    struct emu_device *device;
    struct emu_backing dma;
    struct emu_backing data;         /* the driver's private data */
    struct emu_block block;          /* of the DMA buffer, where it has to be in a segment */
    struct wcts_DXGKARG_PATCH patch; /* without what the moment says */
    uint32_t dma_length;             /* what the driver rendered */
    uint32_t first_fence;            /* its SubmissionFenceId at first; for a fault */
    struct emu_instance **instances; /* of the elements; NULL for one that names nothing */
    unsigned char *allocations;      /* wcts_DXGK_ALLOCATIONLIST as the driver gave them */
    unsigned char *locations;        /* wcts_D3DDDI_PATCHLOCATIONLIST */
};

#pragma GCC visibility push(hidden)

/* Has a submission patched with the addresses of now, and submitted, under a new fence id. */
wcts_status emu_submission_send(struct emu_kernel *kernel, struct emu_submission *submission);

/* By which the driver knows the context that submits, or the device where it creates none.
 * presents: a present; for faults. */
uint64_t emu_submission_context(const struct emu_kernel *kernel, const struct emu_device *device,
                                int presents);

/* Fills in where an instance is, or NULL for none. One that is nowhere has segment 0. */
void emu_submission_locate(const struct emu_instance *instance,
                           struct wcts_DXGK_ALLOCATIONLIST *element);

/* Ends a submission with its memory. */
void emu_submission_end(struct emu_kernel *kernel, struct emu_submission *submission);

#pragma GCC visibility pop

#endif
