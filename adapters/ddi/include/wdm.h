/* SPDX-License-Identifier: MIT */
/* For drivers that include wdm.h or ntifs.h's part of it. */
#ifndef WCTS_DDI_WDM_H
#define WCTS_DDI_WDM_H

#include "ntddk.h"

#endif
