#!/bin/sh
# SPDX-License-Identifier: MIT
# Invented drivers in native form, behind the adapter: each conforms at its own version, and each of its two
# faults is blamed on the statements that its first comment names. Half of them with each commit. Run from the source directory;
# WCTS_BUILD is the build directory.
# shellcheck source=tests/common.sh
. tests/common.sh

# run IMPL ARGUMENT...: a run of the driver side; what fails in it, by statement.
run() {
    rm -rf "$work/run"
    "$tool" run --no-backtrace --role driver --impl "$@" --out "$work/run" >"$work/out" 2>"$work/err"
    grep -E '^(fail|warn|crash|broken|timeout|declined)' "$work/run/verdicts.txt" 2>"$work/log" |
        cut -f 2 | sed 's/[./].*//' | sort -u | tr '\n' ' '
}

# driver NAME VERSION FEATURES: STATEMENTS of fault 1: STATEMENTS of fault 2.
while IFS=: read -r driver first second; do
    name=${driver%% *}
    wanted=${driver#* }
    impl=$build/drivers/$name.so
    ok "$name breaks nothing" [ "$(run "$impl")" = "" ]
    ok "$name: $wanted" grep -q "^conforms: ${wanted#* }; .* statements\\(, [0-9]* in part\\)\\{0,1\\}; WDDM ${wanted%% *}; level documented" "$work/out"
    # What is advice fails there, too.
    for fault in "1$first" "2$second"; do
        got=$(run "$impl,fault=${fault%% *}" --level strict)
        ok "$name fault ${fault%% *}: $got" [ "$got" = "${fault#* } " ]
        ok "$name fault ${fault%% *} is red" grep -q '^does not conform' "$work/out"
    done
done <<END
$(rows 2 <<'ROWS'
agp 1.0 driver core, paging, patching: SEG-006: SEG-007
aperture 2.9 driver core, paging, patching: SEG-037: AIN-018
banks 1.0 driver core, paging, patching: SEG-039: SEG-010
carveout 1.3 driver core, paging, patching: SEG-011: AIN-009 AIN-010
display 2.3 driver core: AIN-018: AIN-030
gpuva 2.6 driver core, paging, patching: AIN-012: HDR-030
host 2.2 driver core, paging, patching: AIN-030: PAT-013 PAT-034
implicit 2.5 driver core, paging, patching: AIN-010: PAT-013 PAT-034
large 3.1 driver core, paging, patching: SEG-022: SEG-025
physical 1.2 driver core, paging, patching: PAT-036: HDR-030
pitch 1.1 driver core, paging, patching: AIN-007: SEG-045
relocs 1.1 driver core, paging, patching: PAT-013 PAT-015: HDR-030
renders 2.1 driver core, paging, patching: HDR-018 HDR-031: PAT-001
sealed 1.3 driver core, paging, patching: AIN-015 HDR-034: HDR-031 PAT-013
shared 1.3 driver core, paging, patching: AIN-010: SEG-014
soft 2.2 driver core, paging, patching: AIN-038: AIN-030
stripped 2.7 driver core, paging, patching: AIN-012: PAT-013 PAT-015
tiled 2.8 driver core, paging, patching: HDR-033 HDR-041: HDR-033 HDR-041
weave 2.2 driver core, paging, patching: HDR-030: PAT-013
unified 2.4 driver core, paging, patching: AIN-015 HDR-018 HDR-019 HDR-020 HDR-030 HDR-031 HDR-034 HDR-053 HDR-054 HDR-055 HDR-056 HDR-057 PAT-016 PAT-034 PAT-037 SEG-004 SEG-037 SEG-045: AIN-015 HDR-018 HDR-019 HDR-020 HDR-030 HDR-031 HDR-034 HDR-051 HDR-053 HDR-054 HDR-055 HDR-056 HDR-057 HDR-091 PAT-016 PAT-034 PAT-037 SEG-004 SEG-037 SEG-045
ROWS
)
END
ok "a driver without a GPU has its commands not run" sh -c "'$tool' run --no-backtrace --role driver --impl '$build/drivers/unified.so' \
    --out '$work/run' 2>'$work/err' | tail -n 1 | grep -q '; patching without DRIVER_RENDER, DRIVER_PRESENT; the driver.s commands were not run$'"
# What it refuses of one kind is told, with the number of cases that have no result for it: surfaces
# for an existing buffer.
run "$build/drivers/gpuva.so" >"$work/log"
count=$(grep -c '^skip.*not claimed: DRIVER_STANDARD_ALLOCATION answered NOT_SUPPORTED' "$work/run/verdicts.txt")
[ "$count" -eq 1 ] && cases=case || cases=cases
ok "surfaces are refused" [ "$count" -gt 0 ]
ok "refused surfaces are told: $(tail -n 1 "$work/out")" \
    grep -q "; DRIVER_STANDARD_ALLOCATION not supported in $count $cases\$" "$work/out"
# Surfaces are as large as they are to be.
for name in banks shared large; do
    run "$build/drivers/$name.so,fault=5" >"$work/log"
    ok "$name has small surfaces" grep -q '^fail	HDR-033[.]' "$work/run/verdicts.txt"
    ok "$name: only they fail: $(tail -n 1 "$work/out")" grep -q '^does not conform: .* of 1 statement failed' "$work/out"
done
ok "a driver names its profile" sh -c "'$tool' probe --role driver --impl '$build/drivers/banks.so,named' | grep -q '^profile  *windows$'"
# Rows of a staging surface have a pitch that the surface has no room for.
for name in banks large; do
    run "$build/drivers/$name.so,fault=9" >"$work/log"
    ok "$name has rows without room" grep -q '^fail	HDR-041[.]rows/' "$work/run/verdicts.txt"
    ok "$name: only they fail: $(tail -n 1 "$work/out")" grep -q '^does not conform: .* of 1 statement failed' "$work/out"
done
# What nobody has written is filled: the last page of it is missed.
for name in physical large; do
    run "$build/drivers/$name.so,fault=7" >"$work/log"
    ok "$name fills less than it is to" grep -q '^fail	HDR-034/' "$work/run/verdicts.txt"
    ok "$name: only that fails" grep -q '^does not conform: .* of 1 statement failed' "$work/out"
done
# What has an aperture to be evicted through is moved straight as well: the last page of it is missed.
for name in physical shared; do
    run "$build/drivers/$name.so,fault=8" >"$work/log"
    ok "$name loses the end of what moves straight" grep -qE '^fail	(HDR-030|AIN-015)/' "$work/run/verdicts.txt"
done
# Commands of its own that a driver refuses are a refusal; where there are none nothing is seen.
run "$build/drivers/sealed.so,fault=8" >"$work/log"
ok "commands of its own are refused: $(tail -n 1 "$work/out")" grep -q '^incomplete: [0-9]* declined; ' "$work/out"
"$tool" replay -v PAT-013/scenario/wddm1_3/patched-submitted-again --impl "$build/drivers/sealed.so,fault=8" >"$work/out" 2>&1
ok "it is told" grep -q '^wddm-cts-ddi: DxgkDdiRender answered 0xC000001D to commands of .commands$' "$work/out"
run "$build/drivers/sealed.so,fault=9" >"$work/log"
ok "what was not rendered is told" grep -q '^ *a driver that takes no commands but its own: [.]commands' "$work/out"
ok "no commands, no refusal: $(tail -n 1 "$work/out")" grep -q '^conforms: .*patching without DRIVER_RENDER' "$work/out"
# What is patched again was preempted: the driver is asked to, twice.
"$tool" replay -v PAT-013/scenario/wddm1_3/patched-submitted-again --impl "$build/drivers/sealed.so" >"$work/out" 2>&1
ok "the driver preempts" [ "$(grep -c '^sealed: preempted before fence 0x8' "$work/out")" = 2 ]
# What was unmapped does not lead where it led.
for driver in "aperture SEG-037" "pitch SEG-037"; do
    run "$build/drivers/${driver% *}.so,fault=6" >"$work/log"
    ok "$driver: an aperture leads to old pages" grep -q "^fail	${driver#* }[./]" "$work/run/verdicts.txt"
    ok "$driver: it is told" grep -q 'page 0x[0-9a-f]* of aperture segment [0-9] still leads to what was mapped there' "$work/out"
done
# What will never be is not proposed: neither of the two patches.
for driver in "gpuva 0" "display 1"; do
    run "$build/drivers/${driver% *}.so" >"$work/log"
    ok "$driver: patches are proposed, or not" [ "$(grep -c ' PATCHES: ' "$work/out")" = "${driver#* }" ]
done
# A kind that is in system memory alone has nothing to move: it is shown there, and hides no other.
run "$build/drivers/implicit.so" >"$work/log"
ok "a kind in no segment of the driver lacks nothing: $(tail -n 1 "$work/out")" \
    sh -c "grep -q '^conforms: ' '$work/out' && ! grep -q 'kinds not shown' '$work/out'"
ok "its content comes back" grep -q '^pass	HDR-030/scenario/wddm2_5/kind-in-and-out	$' "$work/run/verdicts.txt"
ok "patches as well" grep -q "^pass	PAT-013/scenario/wddm2_5/patched-alike	" "$work/run/verdicts.txt"
# A kind that cannot be paged is named, and hides no other: nor the other way round.
run "$build/plugins/refuse_some.so,what=driver-kind-stays,emulator=$build/drivers/large.so" >"$work/log"
ok "a kind that stays is told: $(tail -n 1 "$work/out")" grep -q '; kinds not shown: "image" in [0-9]* cases$' "$work/out"
ok "the other shows what it can" grep -q '^pass	HDR-030/scenario/wddm3_1/kind-in-and-out	not shown of the kind "image": ' "$work/run/verdicts.txt"
# A segment of size 0 has no room: the kind that may be there alone is named, with its size.
run "$build/drivers/stripped.so" >"$work/log"
ok "a kind without room is told: $(tail -n 1 "$work/out")" grep -q '^conforms: .*; kinds not shown: "tile" in [0-9]* cases, "buffer" in 1 case$' "$work/out"
ok "it is listed" grep -q '^ *[0-9]*  "tile": no segment of its sets has room for an allocation of 0x10000$' "$work/out"
# What it lists and refuses fails; of the rest nothing is seen.
for fault in "1 SEG-037" "2 SEG-004"; do
    run "$build/drivers/unified.so,fault=${fault%% *}" >"$work/log"
    ok "unified fault ${fault%% *} fails ${fault#* } alone" [ "$(sed -n 's/^fail	\([A-Z]*-[0-9]*\).*/\1/p' \
        "$work/run/verdicts.txt" | sort -u)" = "${fault#* }" ]
done
# What is left as the kernel gave it is seen, and alone.
for name in banks gpuva; do
    run "$build/drivers/$name.so,fault=3" >"$work/log"
    ok "$name leaves members unwritten" grep -q '^fail	HDR-025/' "$work/run/verdicts.txt"
    ok "$name: only that fails" grep -q '^does not conform: .* of 1 statement failed' "$work/out"
    run "$build/drivers/$name.so,fault=4" >"$work/log"
    ok "$name leaves what changes its meaning" grep -q '^fail	HDR-032[.]' "$work/run/verdicts.txt"
    ok "$name: only that fails there" grep -q '^does not conform: .* of 1 statement failed' "$work/out"
done
for file in tests/drivers/*.c; do
    name=$(basename "$file" .c)
    ok "$name has a row" grep -q "^$name [1-3]" tests/drivers/test-drivers.sh
done
ok "an unknown option is refused" sh -c "! '$tool' probe --impl '$build/drivers/agp.so,fault=0' >'$work/log' 2>&1"
summary
