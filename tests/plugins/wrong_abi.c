/* SPDX-License-Identifier: MIT */
/* Built for another interface: must not be loaded. */
#include "common.h"

TEST_PLUGIN_ABI("wrong-abi", WCTS_SIDE_KERNEL, test_accept_all, WCTS_ABI_VERSION + 1)
