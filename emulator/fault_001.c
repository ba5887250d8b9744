/* SPDX-License-Identifier: MIT */
/* The faults of document 001 (DXGK_ALLOCATIONINFO). */
#include "fault.h"

const struct emu_fault emu_faults_001[] = {
    {.id = NULL},
};
