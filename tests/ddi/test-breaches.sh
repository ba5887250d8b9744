#!/bin/sh
# SPDX-License-Identifier: MIT
# What the adapter notices of a driver beside the statements: writes behind structures and buffers, levels,
# locks and waits that would hang Windows, members that were not written. Each of breaches.c ends in a
# crash, or a refusal, with a message that says what it was. Run from the source directory; WCTS_BUILD is
# the build directory.
# shellcheck source=tests/common.sh
. tests/common.sh
ulimit -c 0

# says NAME CASE PATTERN: replaying the case with the breach prints the pattern.
says() {
    "$tool" replay -v "$2" --impl "$build/drivers/breaches.so,breach=$1" >"$work/said" 2>&1
    grep -Eq "$3" "$work/said" || { tail -n 20 "$work/said"; return 1; }
}

paging=AIN-015/scenario/wddm2_0/kinds-in-and-out
patched=PAT-013/scenario/wddm2_0/patched
present=HDR-018.present/scenario/wddm2_0/driver-works
answer=AIN-007/answer/wddm2_0

ok "without a breach it conforms" sh -c "'$tool' run -q --role driver --impl '$build/drivers/breaches.so' --out '$work/run' | grep -q ^conforms"
while IFS='|' read -r name test pattern; do
    ok "$name" says "$name" "$test" "$pattern"
done <<END
structure|$answer|the driver wrote at 0x20 of DXGKARG_CREATEDEVICE, which ends at 0x20 at this version
descriptor|$answer|the driver wrote behind the 3 segment descriptors that it was given room for
count|$answer|NbSegment was 3 in the first pass and 4 in the second
fewer|$answer|NbSegment was 3 in the first pass and 2 in the second
fewer|$answer|^crash
changed|PAT-013/scenario/wddm2_0/patched-on-second-adapter|segment 1: Size was
pitch|HDR-041.rows/scenario/wddm2_0/shadow-described|^fail: the reply.s DXGK_ALLOCATIONINFO.Size is
pitch|HDR-041.rows/scenario/wddm2_0/staging-described|Pitch was not written
pitch|HDR-041.rows/scenario/wddm2_0/staging-described|^fail: the reply.s DXGK_ALLOCATIONINFO.Size is
pitch|HDR-041.rows/scenario/wddm2_0/gdi-visible-described|^fail: the reply.s DXGK_ALLOCATIONINFO.Size is
pitch|HDR-041.rows/scenario/wddm2_0/gdi-cross-adapter-described|^fail: the reply.s DXGK_ALLOCATIONINFO.Size is
pitch|HDR-041.rows/scenario/wddm2_0/gdi-texture-described|^skip
table-pitch|HDR-041.rows/scenario/wddm2_0/gdi-table-described|^skip
grown|$answer|AllocationPrivateDriverDataSize was 16 in the first pass and 24 in the second
refused|AIN-018/answer/wddm2_0|^pass: not shown of the kind "plain": not created: DRIVER_ALLOCATION_CREATE answered INVALID_PARAMETER
refused|HDR-025/scenario/wddm2_0/described|^pass: not shown of the kind "plain": not created: DRIVER_ALLOCATION_CREATE answered INVALID_PARAMETER
refused|$paging|^pass: not shown of the kind "plain"
refused|PAT-013/scenario/wddm2_0/patched|^pass: not shown of the kind "plain"
memory|HDR-025/scenario/wddm2_0/described|^pass: not shown of the kind "plain": not created: DRIVER_ALLOCATION_CREATE answered NO_MEMORY
dma|$patched|DmaBufferSegmentSet is 0x1, and segment 1 is no aperture segment
dma-nowhere|$patched|DmaBufferSegmentSet is 0x40, and segment 7 is no aperture segment
dma-aperture|$patched|^pass
large|HDR-030/scenario/wddm2_0/kind-in-and-out|^fail: .*, expected 0x[0-9a-f]*, which was written
fence|$paging|reports fence 0x[0-9A-F]* as completed, which was not submitted
surfaces|AIN-018/answer/wddm2_0|^pass: not shown of the kind "standard SHADOWSURFACE": not created: DRIVER_STANDARD_ALLOCATION answered INVALID
surfaces|HDR-033.pixels/scenario/wddm2_0/shadow-described|DRIVER_STANDARD_ALLOCATION answered INVALID_PARAMETER .* to the kind "standard SHADOWSURFACE"
single|PAT-013/scenario/wddm2_0/patched|DxgkDdiCreateAllocation answered 0xC000000D to a call with [23] allocations
another|HDR-034/scenario/wddm2_0/kind-filled|set-up refused: DRIVER_ALLOCATION_CREATE answered INVALID_PARAMETER .* to the kind "plain"
first|PAT-013/scenario/wddm2_0/patched-alike|^pass
several|AIN-030.nonnull/answer/wddm2_0|^fail: .*hAllocation = 0x0
stride|$answer|the driver wrote behind descriptor 0, which ends at 0x60
pool|$answer|ExFreePoolWithTag of a null pointer
table|$answer|DRIVER_INITIALIZATION_DATA has no DxgkDdiDestroyAllocation
set|$answer|SupportedWriteSegmentSet names a segment that is not there: together 0x1., of 3 segments
counted|$answer|QUERYSEGMENT4: the pass that counts changed more than NbSegment
skipped|HDR-030/scenario/wddm2_0/kind-in-and-out|^fail: .*, expected 0x[0-9a-f]*, which was written
unwritten|$answer|DXGK_ALLOCATIONINFO.Alignment was not written
paged|$patched|PAGED_CODE at IRQL 2
buffer|$patched|the driver wrote behind the [0-9]* bytes that it was given
far|$patched|the driver wrote behind the [0-9]* bytes that it was given
high|PAT-015/scenario/wddm2_0/patched|^fail: the location of element .* expected 0x80
lock|$patched|a spin lock is acquired that is held
level|$patched|DxgkDdiPatch was called at IRQL 2 and returned at 3
check|$patched|KeBugCheckEx.0x119, 0x3
paging|$paging|wrote behind the 64 bytes
pointer|$paging|DxgkDdiBuildPagingBuffer moved pDmaBuffer by 129 bytes, with room for 128
private|$paging|DxgkDdiBuildPagingBuffer wrote behind the 64 bytes of its private data
moved|$paging|DxgkDdiBuildPagingBuffer moved pDmaBufferPrivateData by 72 bytes, with room for 64
unmapped|SEG-004.carried/scenario/wddm2_0/driver-works|DxgkDdiBuildPagingBuffer answered 0xC00000BB to mapping pages of an aperture segment
unmapped|SEG-004.carried/scenario/wddm2_0/driver-works|^fail
patch|$paging|DxgkDdiPatch answered 0xC000000D to [0-9]* bytes that DxgkDdiBuildPagingBuffer made
index|$present|AllocationIndex of patch location 0 is 77, of a list of 3
offset|$present|PatchOffset of patch location 0 is 0x[0-9a-f]*, in a DMA buffer of
wait|$paging|waits for an event that nobody will set
progress|$paging|makes no progress in a whole buffer of 128 bytes
END
# The segment behind the last one is the kernel's own from 2.0 on: system memory.
ok "system memory is a segment" sh -c "! '$tool' replay -v '$answer' --impl '$build/drivers/breaches.so,breach=system' 2>&1 | grep 'not there'"
# Reports say why where they say that.
for breach in "check the driver called KeBugCheckEx(0x119, 0x3" "paged PAGED_CODE at IRQL 2"; do
    "$tool" run --no-backtrace --impl "$build/drivers/breaches.so,breach=${breach%% *}" --filter "^$patched\$" --out "$work/${breach%% *}" \
        --markdown "$work/report.md" >"$work/out" 2>"$work/err"
    ok "the terminal: ${breach#* }" grep -q "^    output:    wddm-cts-ddi: .*${breach#* }" "$work/out"
    ok "Markdown, too" grep -q "^  wddm-cts-ddi: .*${breach#* }" "$work/report.md"
done

# A kind that is never created takes nothing else with it, and is the reason; what it does not show is listed.
while read -r name status; do
    status 3 "$tool" run --role driver --impl "$build/drivers/breaches.so,breach=$name" --out "$work/$name"
    ok "$name: the kind is the reason" grep -q "^incomplete: the kind \"plain\" is claimed, but not created: DRIVER_ALLOCATION_CREATE answered $status ([0-9A-Fx]*); driver core" "$work/out"
    ok "$name: no case is without a result" [ "$(grep -cE '^(declined|broken)' "$work/$name/verdicts.txt")" = 0 ]
    ok "$name: it is listed" grep -A 1 '^ *[0-9]*  "plain": not created: ' "$work/out"
    ok "$name: with its statements" sh -c "grep -A 1 '^ *[0-9]*  \"plain\": not created: ' '$work/out' | tail -n 1 | grep -q ' AIN-0.* more$'"
done <<END
refused INVALID_PARAMETER
memory NO_MEMORY
END

# A set-up fails for what the driver answered: that is why.
some='^(AIN-0(09|10|15|26)|SEG-045)[./].*/wddm2_0'
status 3 "$tool" run --impl "$build/drivers/breaches.so,breach=empty" --filter "$some" --out "$work/empty"
ok "Size 0 is the reason" grep -q '^broken AIN-026 is broken: the driver.s DXGK_ALLOCATIONINFO.*Size = 0x0; so KERNEL_[A-Z_]* answered INSUFFICIENT_RESOURCES' "$work/out"
status 1 "$tool" run -q --impl "$build/drivers/breaches.so,breach=empty" --filter "$some" --level strict --out "$work/empty"
# What a deviation hinders is accounted for: the profile that a run proposes is one with which it conforms.
status 1 "$tool" run -q --impl "$build/drivers/breaches.so,breach=preferred" --role driver --out "$work/preferred"
"$tool" profile derive "$work/preferred" >"$work/derived.xml"
ok "it deviates" grep -q '<deviation .*statement="AIN-010"' "$work/derived.xml"
status 0 "$tool" report --profile "$work/derived.xml" "$work/preferred"
ok "it conforms: $(tail -n 1 "$work/out")" sh -c "tail -n 1 '$work/out' | grep -q '^conforms under own profile derived: 1 deviation'"
ok "some are not judged" grep -q ' not judged: AIN-010 is broken: ' "$work/out"
"$tool" report --profile windows "$work/run" >"$work/out" 2>&1
ok "a kernel's deviations are not a driver's: $(tail -n 1 "$work/out")" sh -c "tail -n 1 '$work/out' | grep -q '^conforms under profile windows: 0 deviations, 0 restrictions;'"
summary
