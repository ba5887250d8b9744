#!/bin/sh
# SPDX-License-Identifier: MIT
# What docs/recordings.md shows is true: its blocks are carried out (see blocks.sh).
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/docs/blocks.sh
cp contrib/etw/sample.xml "$place"
blocks_carry_out "${WCTS_DOCUMENT:-docs/recordings.md}"
