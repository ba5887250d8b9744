#!/bin/sh
# SPDX-License-Identifier: MIT
# What docs/scenarios.md shows is true: its blocks are carried out (see blocks.sh), and its figures of
# sequences and walks are those of the plan.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/docs/blocks.sh
blocks_carry_out "${WCTS_DOCUMENT:-docs/scenarios.md}"

# The figures of sequences, which have 100 steps, and walks are those of the plan.
document=${WCTS_DOCUMENT:-docs/scenarios.md}
: >"$work/log"
cases() { # kind, suite
    "$tool" list --suite "$2" --filter "^[A-Z]*/$1/" 2>/dev/null | grep -c .
}
grouped() {
    echo "$1" | sed -e :a -e 's/\([0-9]\)\([0-9]\{3\}\)\($\|,\)/\1,\2\3/' -e ta
}
figures() { # kind, steps, unit
    expected="$(grouped $(($(cases "$1" standard) * $2)))$3 a run, \
$(grouped $(($(cases "$1" full) * $2))) with \`--suite full\`, none with \`--suite smoke\`"
    [ "$(cases "$1" smoke)" -eq 0 ] || fail "$document" 1 "the smoke suite has a $1"
    grep -qF "$expected" "$document" || fail "$document" 1 "expected of a $1: $expected"
}
figures sequence 100 " steps"
figures walk 1 ""
