/* SPDX-License-Identifier: MIT */
/* Built for another interface: must not be loaded. */
#include "common.h"

TEST_PLUGIN_ABI("wrong-abi", WCTS_SIDE_KERNEL, WCTS_ABI_VERSION + 1, test_open, test_accept_all,
                test_close)
