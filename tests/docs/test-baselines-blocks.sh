#!/bin/sh
# SPDX-License-Identifier: MIT
# What docs/baselines.md shows is true: its blocks are carried out (see blocks.sh).
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/docs/blocks.sh
cp "$(dirname "$tool")/plugins/accept_all.so" "$place/mine.so" || exit 1
export WCTS_TODAY=2026-11-21
blocks_carry_out "${WCTS_DOCUMENT:-docs/baselines.md}"
# Where it shows signatures, in blocks that are not compared, too, they are the right ones.
grep -o 'signature="[0-9a-f]*"' docs/baselines.md | sort -u >"$work/shown"
grep -o 'signature="[0-9a-f]*"' "$place/new.xml" | sort -u >"$work/written"
cmp -s "$work/shown" "$work/written" || fail docs/baselines.md 1 "shows another signature"
