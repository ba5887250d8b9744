/* SPDX-License-Identifier: MIT */
/* The faults of document 003 (DXGK_SEGMENTFLAGS). */
#include "fault.h"

const struct emu_fault emu_faults_003[] = {
    {"SEG-018+kept", EMU_FAULT_STATE, NULL, NULL, {{NULL, NULL}}},
    {.id = NULL},
};
