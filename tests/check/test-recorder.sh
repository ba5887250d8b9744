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
ok "a driver with it" gcc -std=gnu11 -Wall -Wextra -Wno-pointer-to-int-cast -O2 -o "$work/driver" tests/check/record.c \
    $contrib/wddm-cts-recorder.c
records=DxgkDdiCreateAllocation,DxgkDdiDestroyAllocation,DxgkDdiPatch
ok "it runs" "$work/driver" 64 2 "$work/head" "$work/ring"
ok "its ring is decoded" sh -c "$decode --records $records --driver demo '$work/head' '$work/ring' >'$work/all.jsonl'"
ok "a line each, and the first" [ "$(wc -l <"$work/all.jsonl")" -eq 7 ]
ok "without a gap" [ "$(sed -n 's/.*"seq":\([0-9]*\).*/\1/p' "$work/all.jsonl" | tr '\n' ' ')" = "1 2 3 4 5 6 " ]
ok "numbers of eight bytes" grep -q '"hAllocation":"0xFFFFA00000000010"' "$work/all.jsonl"
status 1 "$tool" check "$work/all.jsonl"
ok "the allocation list of a paging buffer" grep -q '^broken PAT-010 ' "$work/out"
ok "in the last line" grep -q "call: *$work/all.jsonl:7: DRIVER_PATCH" "$work/out"
ok "a size of 0" grep -q '^warn AIN-026 ' "$work/out"
ok "in the line before" grep -q "call: *$work/all.jsonl:6: DRIVER_ALLOCATION_CREATE" "$work/out"
ok "handles are not the same" sh -c "'$tool' check -v '$work/all.jsonl' | grep -q '^kept *AIN-030 '"
ok "nothing is ignored, and one call has lost members: $(cat "$work/err")" \
    [ "$(cat "$work/err")" = "$work/all.jsonl:6: warning: members of DxgkDdiCreateAllocation are lost: the recorder had no room for them" ]
ok "the line says so, and no other" [ "$(grep -n '"Lost":true' "$work/all.jsonl" | cut -d: -f1)" = 6 ]
cat "$work/head" "$work/ring" >"$work/both"
ok "head and ring in one file" sh -c "$decode --records $records --driver demo '$work/both' | cmp - '$work/all.jsonl'"

ok "a call that the driver does not record" sh -c "$decode --records DxgkDdiPatsh '$work/both' 2>&1 >'$work/odd.jsonl' |
    grep -q -- '^--records DxgkDdiPatsh: the dump has no such call, expected'"

# The second part of call 2 says to be another call's, or another part: that record is not whole.
grep -v '"seq":2,' "$work/all.jsonl" | sed 1d >"$work/rest.jsonl"
for at in 8 16; do # in an entry: the call, the part
    /usr/bin/python3 -c 'import sys
ring = bytearray(open(sys.argv[1], "rb").read())
ring[2 * 256 + int(sys.argv[2])] ^= 64
open(sys.argv[3], "wb").write(ring)' "$work/ring" $at "$work/odd"
    ok "a part with another number at $at" sh -c "$decode '$work/head' '$work/odd' | sed 1d | cmp - '$work/rest.jsonl'"
done

# ---- a ring that is too small ----
ok "it runs round" "$work/driver" 8 20 "$work/head" "$work/ring"
ok "it is decoded" sh -c "$decode --records $records '$work/head' '$work/ring' >'$work/part.jsonl'"
ok "the last calls are there" grep -q '"seq":42,' "$work/part.jsonl"
ok "the first are not" [ "$(grep -c '"seq":1,' "$work/part.jsonl")" -eq 0 ]
status 1 "$tool" check -v "$work/part.jsonl"
ok "what needs them cannot be said" grep -q '^cannot be said AIN-030 \|^kept in part *AIN-030 ' "$work/out"
ok "the breach is" grep -q '^broken PAT-010 ' "$work/out"

# ---- one driver in four ways ----
# A native driver behind the adapter, its answers as the recorder has them, and a trace with the same answers:
# what a run finds in the driver's answers the recording finds, and nothing else; of the trace the same, as far as
# it goes. The fourth, a plug-in, is in tests/ddi.
# found FILE SED: statements, on a line.
found() {
    sed -n "$2" "$1" | sort -u | tr '\n' ' '
}
while read -r driver fault version statements; do
    name="$driver $fault"
    ok "$name is built" gcc -std=c11 -fshort-wchar -DKIT_RECORDS -Wall -Wextra -Iinclude -Iadapters/ddi/include -fPIC \
        -shared -o "$work/$driver.so" "tests/drivers/$driver.c" $contrib/wddm-cts-recorder.c "$build/libwddm-cts-ddi.a"
    impl=$work/$driver.so,fault=$fault
    "$tool" run -q --no-backtrace --level strict --role driver --filter '/answer/' --impl "$impl" --out "$work/$driver" >"$work/out" 2>&1
    ok "$name: a run finds $statements" [ "$(found "$work/$driver/verdicts.txt" 's/^fail	\([A-Z]*-[0-9]*\).*/\1/p')" = "$statements " ]
    KIT_RECORDING=$work/dump "$tool" replay --no-fork "AIN-018/answer/wddm$(echo "$version" | tr . _)" --impl "$impl" >"$work/out" 2>&1
    ok "$name is decoded" sh -c "$decode --records DxgkDdiQueryAdapterInfo,DxgkDdiCreateAllocation,DxgkDdiDestroyAllocation \
        '$work/dump' >'$work/driver.jsonl'"
    "$tool" check --level strict --verbose "$work/driver.jsonl" >"$work/lines" 2>"$work/err"
    ok "$name: its recording, too" [ "$(found "$work/lines" 's/^broken \([A-Z]*-[0-9]*\) .*/\1/p')" = "$statements " ]
    /usr/bin/python3 -B tests/etw/trace.py "$work/driver.jsonl" >"$work/driver.xml"
    "$tool" check --level strict --verbose --wddm "$version" "$work/driver.xml" >"$work/trace" 2>"$work/err"
    for one in lines trace; do
        sed -n 's/^\(kept\|broken\) *\([A-Z]*-[0-9]*\) .*driver, in .*/\1 \2/p' "$work/$one" | sort >"$work/$one.results"
    done
    ok "$name: a trace says nothing else" [ -z "$(comm -23 "$work/trace.results" "$work/lines.results")" ]
    ok "$name: much is said" [ "$(wc -l <"$work/lines.results")" -gt 5 ]
done <<END
$(rows 11 <<'ROWS'
agp 1 1.0 SEG-006
agp 2 1.0 SEG-007
aperture 2 2.9 AIN-018
carveout 1 1.3 SEG-011
carveout 2 1.3 AIN-009 AIN-010
display 1 2.3 AIN-018
display 2 2.3 AIN-030
gpuva 1 2.6 AIN-012
host 1 2.2 AIN-030
implicit 1 2.5 AIN-010
large 1 3.1 SEG-022
large 2 3.1 SEG-025
pitch 1 1.1 AIN-007
shared 1 1.3 AIN-010
shared 2 1.3 SEG-014
ROWS
)
END

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
