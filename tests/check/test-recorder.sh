#!/bin/sh
# SPDX-License-Identifier: MIT
# The recorder of contrib/recorder: it needs no library, what it writes down is decoded and judged, a
# ring that was too small leaves a gap, and a dump that is none is wrong. Run from the source
# directory; WCTS_BUILD is the build directory.
# shellcheck source=tests/common.sh
. tests/common.sh
contrib=contrib/recorder
decode="/usr/bin/python3 -B $contrib/decode.py"

# ---- what it needs ----
ok "fewer than 300 lines" [ "$(wc -l <$contrib/wddm-cts-recorder.c)" -lt 300 ]
for compiler in gcc clang x86_64-w64-mingw32-gcc; do
    command -v $compiler >/dev/null || continue
    for level in 0 2 3; do
        ok "$compiler -O$level, freestanding" $compiler -std=c99 -ffreestanding -nostdlib -Wall -Wextra -Wshadow \
            -Wconversion -Werror -O$level -c -o "$work/recorder.o" $contrib/wddm-cts-recorder.c
    done
    nm -u "$work/recorder.o" | grep -v '___chkstk' >"$work/needs"
    ok "$compiler: it needs nothing: $(cat "$work/needs")" [ ! -s "$work/needs" ]
done
echo 'int nothing;' | gcc -x c++ -std=c++17 -fsyntax-only - 2>/dev/null &&
    ok "C++" gcc -x c++ -std=c++17 -Wall -Wextra -Werror -fsyntax-only $contrib/wddm-cts-recorder.c

# ---- what it records ----
ok "a driver with it" gcc -std=c11 -Wall -Wextra -Wno-pointer-to-int-cast -O2 -o "$work/driver" tests/check/record.c \
    $contrib/wddm-cts-recorder.c
records=DxgkDdiCreateAllocation,DxgkDdiDestroyAllocation,DxgkDdiPatch
ok "it runs" "$work/driver" 64 2 "$work/head" "$work/ring"
ok "its ring is decoded" sh -c "$decode --records $records --driver demo '$work/head' '$work/ring' >'$work/all.jsonl'"
ok "a line each, and the first" [ "$(wc -l <"$work/all.jsonl")" -eq 7 ]
ok "without a gap" [ "$(sed -n 's/.*"seq":\([0-9]*\).*/\1/p' "$work/all.jsonl" | tr '\n' ' ')" = "1 2 3 4 5 6 " ]
status 1 "$tool" check "$work/all.jsonl"
ok "the allocation list of a paging buffer" grep -q '^broken PAT-010 ' "$work/out"
ok "in the last line" grep -q "call: *$work/all.jsonl:7: DRIVER_PATCH" "$work/out"
ok "a size of 0" grep -q '^warn AIN-026 ' "$work/out"
ok "in the line before" grep -q "call: *$work/all.jsonl:6: DRIVER_ALLOCATION_CREATE" "$work/out"
ok "handles are not the same" sh -c "'$tool' check -v '$work/all.jsonl' | grep -q '^kept *AIN-030 '"
ok "nothing is ignored: $(cat "$work/err")" [ ! -s "$work/err" ]
cat "$work/head" "$work/ring" >"$work/both"
ok "head and ring in one file" sh -c "$decode --records $records --driver demo '$work/both' | cmp - '$work/all.jsonl'"

ok "a call that the driver does not record" sh -c "$decode --records DxgkDdiPatsh '$work/both' 2>&1 >'$work/odd.jsonl' |
    grep -q -- '^--records DxgkDdiPatsh: the dump has no such call, expected'"

# ---- a ring that is too small ----
ok "it runs round" "$work/driver" 8 20 "$work/head" "$work/ring"
ok "it is decoded" sh -c "$decode --records $records '$work/head' '$work/ring' >'$work/part.jsonl'"
ok "the last calls are there" grep -q '"seq":42,' "$work/part.jsonl"
ok "the first are not" [ "$(grep -c '"seq":1,' "$work/part.jsonl")" -eq 0 ]
status 1 "$tool" check -v "$work/part.jsonl"
ok "what needs them cannot be said" grep -q '^cannot be said AIN-030 \|^kept in part *AIN-030 ' "$work/out"
ok "the breach is" grep -q '^broken PAT-010 ' "$work/out"

# ---- no dump ----
status 2 $decode "$work/driver"
ok "another file" grep -q 'begins with 0x.*, expected 0x3163657273746377' "$work/err"
head -c 20 "$work/head" >"$work/short"
status 2 $decode "$work/short"
ok "too short" grep -q '20 bytes, expected at least 56' "$work/err"
head -c 100 "$work/ring" >"$work/short"
status 2 $decode "$work/head" "$work/short"
ok "a part of the ring" grep -q '100 bytes of entries, expected 2048' "$work/err"
status 2 $decode "$work/none"
summary
