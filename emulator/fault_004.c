/* SPDX-License-Identifier: MIT */
/* The faults of document 004 (DXGKARG_PATCH). */
#include "fault.h"

const struct emu_fault emu_faults_004[] = {
    {.id = NULL},
};
