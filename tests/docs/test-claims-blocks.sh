#!/bin/sh
# SPDX-License-Identifier: MIT
# The blocks of docs/claims.md are carried out (blocks.sh says how); WCTS_DOCUMENT names another
# document instead. Run from the source directory; WCTS_BUILD is the build directory.
. tests/docs/blocks.sh
blocks_carry_out "${WCTS_DOCUMENT:-docs/claims.md}"
