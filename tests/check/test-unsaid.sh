#!/bin/sh
# SPDX-License-Identifier: MIT
# What wddm-cts check must not say: recordings of a few lines in which one thing is missing without
# which it cannot be said, each beside the one that has it. Run from the source directory; WCTS_BUILD is
# the build directory.
# shellcheck source=tests/common.sh
. tests/common.sh

all='"Records":"all","Complete":true'

# recording VERSION KNOWN LINE...
recording() {
    file=$work/recording.jsonl
    {
        printf '{"wddm":"ddi","version":1,"WDDMVersion":"%s","PageSize":4096,%s}\n' "$1" "$2"
        shift 2
        printf '%s\n' "$@"
    } >"$file"
    "$tool" check --verbose "$file" >"$work/out" 2>"$work/err"
}

# says RESULT STATEMENT WHY: "nothing" is said of it, or this.
says() {
    said=$(sed -n "s/^\\(kept in part\\|kept\\|broken\\|warn\\|cannot be said\\)  *$2  .*/\\1/p" "$work/out" | tr '\n' ',')
    said=${said%,}
    ok "$3: $2 is ${said:-nothing}, expected $1" [ "${said:-nothing}" = "$1" ]
}

# ---- breaches that others may be the cause of ----

# An effect with a condition rests on what a request without its length leaves unknown.
render='{"seq":1,"ddi":"DxgkDdiRender","status":0,"in":{"pDmaBuffer":"0x7000","DmaSize":64,"DmaBufferPrivateDataSize":64},"out":{"DmaLength":16,"PrivateDataLength":8}}'
patch='{"seq":2,"ddi":"DxgkDdiPatch","status":0,"in":{"pDmaBuffer":"0x7000","DmaBufferSize":64,"DmaBufferPrivateDataSize":64,"DmaBufferPrivateDataSubmissionStartOffset":0,"DmaBufferPrivateDataSubmissionEndOffset":16,"Flags":0}}'
paging='{"seq":3,"ddi":"DxgkDdiBuildPagingBuffer","status":0,"in":{"Operation":"Transfer","pDmaBuffer":"0xA000","DmaSize":64},"out":{LENGTH}}'
recording 2.6 "$all" "$render" "$patch" "$(echo "$paging" | sed 's/LENGTH//')"
says 'kept in part' PAT-008 'a cause that is not known'
recording 2.6 "$all" "$render" "$patch" "$(echo "$paging" | sed 's/LENGTH/"DmaLength":0/')"
says warn PAT-008 'no cause'
# One without a condition about one call is a breach all the same (runner/judge/partial.c): that none
# rests on a statement of the other side makes it so.
ok "none rests on the other side" /usr/bin/python3 - spec/0*.xml <<'END'
import sys, xml.etree.ElementTree as tree
roles, alone = {}, []
for path in sys.argv[1:]:
    for statement in tree.parse(path).getroot().iter():
        if not statement.tag.endswith("statement"):
            continue
        roles[statement.get("id")] = statement.get("role")
        for effect in statement:
            if effect.tag.endswith("effect") and not set(effect.keys()) & {
                    "when", "first", "every", "nearest", "no", "some", "all"}:
                alone.append((statement.get("id"), (effect.get("rests-on") or "").split()))
across = [(one, other) for one, others in alone for other in others
          if (roles[one] == "driver") != (roles[other.split(".")[0]] == "driver")]
sys.exit(str(across) if across or len(alone) < 20 else 0)
END

# A driver is not judged by a request that is wrong, or of which that is not known.
device='{"seq":1,"call":"DRIVER_DEVICE","status":0,"in":{"Adapter":0,"hDevice":5},"out":{"Handle":7}}'
context='{"seq":2,"call":"DRIVER_CONTEXT","status":0,"in":{ADAPTER"hDevice":7},"out":{"Handle":0}}'
recording 2.6 "$all" "$device" "$(echo "$context" | sed 's/ADAPTER/"Adapter":1,/')"
says broken HDR-004 'a context on another adapter'
says kept HDR-020 'the answer to it'
recording 2.6 "$all" "$device" "$(echo "$context" | sed 's/ADAPTER//')"
says 'cannot be said' HDR-004 'an adapter that is not known'
says 'kept in part' HDR-020 'the answer to that'
recording 2.6 "$all" "$device" "$(echo "$context" | sed 's/ADAPTER/"Adapter":0,/')"
says broken HDR-020 'the answer to what is right'

# Of Windows what only the header asks: neither handles that are not 0, nor the context of paging, nor a list that is given
# back.
recording 2.6 "$all" '{"seq":1,"ddi":"DxgkDdiCreateDevice","status":0,"in":{"hDevice":5},"out":{"hDevice":0}}' \
    '{"seq":2,"ddi":"DxgkDdiCreateContext","status":0,"in":{"hDevice":0},"out":{"hContext":0}}' \
    '{"seq":3,"ddi":"DxgkDdiRender","status":0,"in":{"AllocationListSize":1,"pAllocationList":[{"hDeviceSpecificAllocation":9,"Bits":3}]},"out":{}}'
says nothing HDR-020 'handles of Windows'
says nothing HDR-052 'a list that is not given back'
paged='"in":{"hContext":7,"Operation":5,"pDmaBuffer":"0x9000","DmaSize":64},"out":{"pDmaBuffer":"0x9010"}}'
submitted='"in":{"hContext":0,"Flags":{"Paging":1,"Present":0},"pDmaBuffer":"0x9000","DmaBufferSubmissionStartOffset":0,"SubmissionFenceId":1}}'
recording 2.6 "$all" "{\"seq\":1,\"ddi\":\"DxgkDdiBuildPagingBuffer\",\"status\":0,$paged" "{\"seq\":2,\"ddi\":\"DxgkDdiPatch\",\"status\":0,$submitted"
says nothing HDR-005 'the context of paging'

# ---- answers that are not there ----

create='{"seq":SEQ,"ddi":"DxgkDdiCreateAllocation","status":0,"in":{"NumAllocations":1},"out":{"pAllocationInfo":[{"Size":65536,"PreferredSegment":0,"SupportedReadSegmentSet":1,"SupportedWriteSegmentSet":1,"EvictionSegmentSet":1,"hAllocation":"0xA1"}]}}'
# lines SEQ...: so many times the same allocation.
lines() {
    for one; do
        echo "$create" | sed "s/SEQ/$one/"
    done
}
recording 2.6 '"Records":"all"' "$(lines 1)"
says 'cannot be said' AIN-012 'segments may be told behind the end'
says 'cannot be said' SEG-013 'segments may be told behind the end'
recording 2.6 "$all" "$(lines 1)"
says 'cannot be said' SEG-013 'no answer has told of segments'
recording 2.6 '"Records":"all"' "$(lines 5)"
says 'kept in part' AIN-030 'an earlier answer may have the handle'
recording 2.6 '"Records":"all"' "$(lines 5)" "$(lines 6 | sed 's/0xA1/0xA2/')"
ok "another one is no proof that none has: $(grep ' AIN-030 ' "$work/out")" grep -q '^kept in part *AIN-030  driver, in 2 of 4 places' "$work/out"
recording 2.6 '"Records":"all"' "$(lines 1)"
says kept AIN-030 'there is no earlier one'
recording 2.6 '"Records":["DxgkDdiCreateAllocation"]' "$(lines 1 2)"
says 'kept in part' AIN-030 'the first may have been destroyed'
recording 2.6 "$all" "$(lines 1 2)"
says broken AIN-030 'it was not'

segments='{"seq":SEQ,"ddi":"DxgkDdiQueryAdapterInfo","status":0,"in":{"Type":"QUERYSEGMENT4"},"out":{"NbSegment":1,"pSegmentDescriptor":[{"Flags":1,"Size":65536}]}}'
recording 2.6 "$all" "$(lines 1)" "$(echo "$segments" | sed s/SEQ/3/)"
says 'cannot be said' AIN-012 'other segments may have been told before'
recording 2.6 "$all" "$(lines 1)" "$(echo "$segments" | sed s/SEQ/2/)"
says kept AIN-012 'there were no others'

# Of a pointer nothing is known, or that it is 0, or that it is not.
banks='{"seq":1,"ddi":"DxgkDdiQueryAdapterInfo","status":0,"in":{"Type":5},"out":{"NbSegment":1,"pSegmentDescriptor":[{"Flags":"0x8","Size":"0x10000000","NbOfBanks":3TABLE}]}}'
recording 1.3 "$all" "$(echo "$banks" | sed 's/TABLE//')"
says 'cannot be said' SEG-010 'a pointer that is not known'
recording 1.3 "$all" "$(echo "$banks" | sed 's/TABLE/,"pBankRangeTable":0/')"
says warn SEG-010 'a null pointer'
recording 1.3 "$all" "$(echo "$banks" | sed 's/TABLE/,"pBankRangeTable":"0x1000"/')"
says kept SEG-010 'another one'

# ---- a call whose status, or validity, is not known ----

wrong='{"seq":1,"ddi":"DxgkDdiPatch",STATUS"in":{"DmaBufferSize":4096,"DmaBufferSubmissionStartOffset":128,"DmaBufferSubmissionEndOffset":64}}'
recording 2.6 "$all" "$(echo "$wrong" | sed 's/STATUS//')"
says 'cannot be said' PAT-006 'a call of which the status is not known'
recording 2.6 "$all" "$(echo "$wrong" | sed 's/STATUS/"status":0,/')"
says broken PAT-006 'an accepted one'

# A kernel's request to a driver, in a call of which all else is there.
"$tool" run -q --no-sweep --impl emulator,fault=CAF-047 --filter '^CAF-047/effect/wddm2_3/existing$' --out "$work/run" >"$work/said" 2>&1
status 0 "$tool" check --export "$work/run.jsonl" "$work/run"
"$tool" check --verbose "$work/run.jsonl" >"$work/out" 2>&1
says broken CAF-047 'a wrong request'
sed '/"DRIVER_STANDARD_ALLOCATION"/s/"status":"[^"]*",//' "$work/run.jsonl" >"$work/unknown.jsonl"
"$tool" check --verbose "$work/unknown.jsonl" >"$work/out" 2>&1
says 'cannot be said' CAF-047 'one of which nobody knows the answer'

sed '/"MACHINE_QUERY"/d' "$work/run.jsonl" >"$work/between.jsonl"
"$tool" check --verbose "$work/between.jsonl" >"$work/out" 2>&1
says 'cannot be said' CAF-047 'it may not be the first one'
sed '/"DRIVER_STANDARD_ALLOCATION"/d' "$work/run.jsonl" >"$work/lost.jsonl"
"$tool" check --verbose "$work/lost.jsonl" >"$work/out" 2>&1
says 'cannot be said' CAF-014 'the request may be what is lost'
awk '/"DRIVER_STANDARD_ALLOCATION"/ {gone = 1; next}
    {if (gone) for (n = 13; n > 11; n--) if (sub("\"seq\":" n, "\"seq\":" n - 1)) break; print}' \
    "$work/run.jsonl" >"$work/none.jsonl"
"$tool" check --verbose "$work/none.jsonl" >"$work/out" 2>&1
says broken CAF-014 'there was none'

# Where an allocation is holds until something may have moved it.
"$tool" run -q --no-sweep --impl emulator,strict --filter '^AIN-004/scenario/wddm2_6/alignment$' --out "$work/places" >"$work/said" 2>&1
status 0 "$tool" check --export "$work/places.jsonl" "$work/places"
"$tool" check --verbose "$work/places.jsonl" >"$work/out" 2>&1
says kept AIN-004 'places of allocations'
operations=$(sed -n 's/^    X(\([A-Z]*\), \([A-Z_0-9]*\), 0x.*/"\1_\2"/p' include/wddm-cts.h | grep -v DRIVER_PAGING | tr '\n' ',')
sed "1s/\"Complete\":true/&,\"Records\":[${operations%,}]/" "$work/places.jsonl" >"$work/moved.jsonl"
"$tool" check --verbose "$work/moved.jsonl" >"$work/out" 2>&1
says 'cannot be said' AIN-004 'places that may have changed'

records='"KERNEL_ALLOCATION_CREATE","DRIVER_ALLOCATION_CREATE","DRIVER_STANDARD_ALLOCATION"'
settled="\"Complete\":true,\"Records\":[$records,\"KERNEL_SETTLE\"]"
made='{"seq":1,"call":"KERNEL_ALLOCATION_CREATE","status":0,"in":{"Flags":"0x0","NumAllocations":1,"pStandardAllocation":"0x0","pAllocationInfo2":[{}]}}'
recording 2.7 "$settled" "$made"
says warn CAF-058 'the driver is not told of an allocation'
recording 2.7 "\"Complete\":true,\"Records\":[$records]" "$made"
says 'cannot be said' CAF-058 'it may be told in KERNEL_SETTLE'
# Zeroed is the one bit that the documents leave open.
recording 2.7 "$settled" "$(echo "$made" | sed 's/"Flags":"0x0"/"Flags":{"Value":0,"Known":"0xFFFFBFFF"}/')"
says 'cannot be said' CAF-058 'a bit that makes it an open call'
recording 2.7 "$settled" "$(echo "$made" | sed 's/"pAllocationInfo2":\[{}\]/"pAllocationInfo2":"0x1000"/')"
says 'cannot be said' CAF-058 'elements that may break a rule'
summary
