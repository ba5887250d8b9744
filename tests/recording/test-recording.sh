#!/bin/sh
# SPDX-License-Identifier: MIT
# What a test is judged by is all that was said in it, and nothing else: a breach that comes with a
# refusal in a sequence, and what a kernel says while it is closed. Run from the source directory.
# shellcheck source=tests/common.sh
. tests/common.sh
talkative() {
    echo "$plugins/talkative.so,do=$1,emulator=$build/emulator.so"
}

verdict() {
    cut -f 1 "$work/$1/verdicts.txt" | sort -u | tr '\n' ' '
}
status 1 "$tool" run --impl "$(talkative breach)" --filter '^UVA/sequence/wddm2_0/1-0$' --out "$work/breach"
ok "a breach is a crash, although the call was refused" [ "$(verdict breach)" = "crash " ]
"$tool" verify "$work/breach" >"$work/verified" 2>&1
ok "and judged so again" grep -qE '^ *ok +judged again +1 of 1 verdicts' "$work/verified"
"$tool" run --impl "$(talkative last-words)" --filter '^UVA-002/effect/wddm2_0/|^UVA/sequence/wddm2_0/1-0$' \
    --out "$work/last" >"$work/out" 2>&1
ok "what is said at the end is no answer to what was asked" [ "$(verdict last)" = "skip " ]
summary
