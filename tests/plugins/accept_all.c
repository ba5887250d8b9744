/* SPDX-License-Identifier: MIT */
/* A kernel that accepts every call: the caller's rules must all turn red. */
#include "common.h"

TEST_PLUGIN("accept-all", WCTS_SIDE_KERNEL, test_accept_all)
