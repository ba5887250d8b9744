/* SPDX-License-Identifier: MIT */
/* The faults of document 002 (D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION). */
#include "fault.h"

const struct emu_fault emu_faults_002[] = {
    {.id = NULL},
};
