/* SPDX-License-Identifier: MIT */
/* Ends the process that loads it. */
#include "common.h"

__attribute__((constructor)) static void leave(void)
{
    exit(5);
}

TEST_PLUGIN("exit-in-constructor", WCTS_SIDE_KERNEL, test_accept_all)
