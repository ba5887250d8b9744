/* SPDX-License-Identifier: MIT */
/* For drivers that include d3dukmdt.h themselves. */
#ifndef WCTS_DDI_D3DUKMDT_H
#define WCTS_DDI_D3DUKMDT_H

#include "d3dkmdt.h"

#endif
