#!/bin/sh
# SPDX-License-Identifier: MIT
# A kernel that has only some operations is tested by every case whose call needs no others: what a
# companion of the call needs is not needed by calls without it. Run from the source directory.
# shellcheck source=tests/common.sh
. tests/common.sh

# kernel NAME [SED]: the example kernel, without KERNEL_SECTION, changed.
kernel() {
    sed "${2:-}" examples/kernel/kernel.c >"$work/$1.c"
    ok "$1 compiles" "${CC:-gcc}" -Iinclude -fPIC -shared -o "$work/$1.so" "$work/$1.c"
}

kernel example
status 0 "$tool" run --impl "$work/example.so" --filter '^CAF-012/' --out "$work/example"
ok "no case is skipped for a section that no call has" \
    sh -c "! grep -v ExistingSection '$work/example/verdicts.txt' | grep KERNEL_SECTION"
kernel wrong 's/address % kernel->host->page_size || //'
ok "the example is changed" sh -c "! cmp -s '$work/wrong.c' examples/kernel/kernel.c"
status 1 "$tool" run --impl "$work/wrong.so" --filter '^CAF-012/' --out "$work/wrong"
ok "each case of the broken rule fails" \
    grep -qE "pattern: +fails in cases that expect refuse, ([0-9]+) of \\1;" "$work/out"
summary
