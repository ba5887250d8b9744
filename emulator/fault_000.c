/* SPDX-License-Identifier: MIT */
/* The faults of document 000 (D3DKMT_CREATEALLOCATIONFLAGS). */
#include "fault.h"

const struct emu_fault emu_faults_000[] = {
    {.id = NULL},
};
