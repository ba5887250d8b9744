#!/bin/sh
# SPDX-License-Identifier: MIT
# What wddm-cts check says where something is missing: what a recorder has to write down, to the bit,
# under the name that Windows has for it; and what the last line says of warnings, and of statements
# that are kept in part. Run from the source directory; WCTS_BUILD is the build directory.
# shellcheck source=tests/common.sh
. tests/common.sh

head='{"wddm":"ddi","version":1,"WDDMVersion":"2.6","PageSize":4096,"Records":"all","Complete":true}'
first='"hContext":"0xC1","DmaBufferSegmentId":0,"DmaBufferPhysicalAddress":"0x5000","DmaBufferSize":4096'
range='"DmaBufferSubmissionStartOffset":0,"DmaBufferSubmissionEndOffset":64'
private='"pDmaBufferPrivateData":0,"DmaBufferPrivateDataSize":64,"DmaBufferPrivateDataSubmissionStartOffset":0,"DmaBufferPrivateDataSubmissionEndOffset":64'
lists='"AllocationListSize":0,"PatchLocationListSize":1,"PatchLocationListSubmissionStart":0,"PatchLocationListSubmissionLength":1'

# recording NAME LINE...: a first line, and these.
recording() {
    file=$work/$1.jsonl
    shift
    printf '%s\n' "$@" >"$file"
}

# patch MEMBERS: the line of a DxgkDdiPatch, of which sed's expressions change something.
patch() {
    echo "{\"seq\":1,\"ddi\":\"DxgkDdiPatch\",\"status\":0,\"in\":{$first,$range,\"pDmaBuffer\":\"0x7000\",$private,$lists,\"SubmissionFenceId\":1,\"Flags\":0}}" |
        sed "$1"
}

# missing STATEMENT TEXT: it cannot be said, in part or everywhere, for this reason.
missing() {
    "$tool" check --verbose "$file" >"$work/out" 2>"$work/err"
    ok "$1 is missing $2: $(sed -n "s/.* $1  .*missing: //p" "$work/out")" \
        sh -c "grep -E '^(cannot be said|kept in part) * $1  ' '$work/out' | grep -qF 'missing: $2'"
}

last() {
    tail -n 1 "$work/out"
}

# ---- the content of memory ----
recording whole "$head" "$(patch '')"
content='the content of memory, which is judged only if nothing is missing, as in what a run records; here is missing: '
missing PAT-013 "${content}DXGKARG_PATCH.pAllocationList in DRIVER_PATCH ($file:2)"
recording end "$(echo "$head" | sed 's/,"Complete":true//')" "$(patch '')"
for statement in PAT-013 PAT-015 PAT-016 PAT-019 PAT-034 PAT-037; do
    missing $statement "${content}the calls behind the last one: the recording has no \"Complete\""
done
recording begin "$(echo "$head" | sed 's/,"Complete":true//')" "$(patch 's/"seq":1/"seq":7/')"
missing PAT-013 "${content}the calls before the first one: its \"seq\" is not 1"
recording gap "$head" "$(patch '')" "$(patch 's/"seq":1/"seq":3/')"
missing PAT-013 "${content}the calls that are lost before $file:3"

# ---- bits of a word, and of what native structures have as bit fields ----
query='{"seq":1,"ddi":"DxgkDdiQueryAdapterInfo","status":0,"in":{"Type":"QUERYSEGMENT4"},"out":{"NbSegment":1,"pSegmentDescriptor":[{"Flags":FLAGS,"Size":4096}]}}'
recording bits "$head" "$(echo "$query" | sed 's/FLAGS/{"PreservedDuringHibernate":1,"PreservedDuringStandby":0}/')"
missing SEG-015 "DXGK_SEGMENTDESCRIPTOR.Flags.PartiallyPreservedDuringHibernate in the answer to DRIVER_SEGMENTS ($file:2)"
missing SEG-002 'DXGK_SEGMENTDESCRIPTOR.Flags.Aperture and 29 more bits in the answer'
recording reserved "$head" "$(echo "$query" | sed 's/FLAGS/{"Value":0,"Known":"0x7FFFFFFF"}/')"
missing SEG-002 'DXGK_SEGMENTDESCRIPTOR.Flags, bit 31 in the answer'
recording flags "$head" "$(echo "$query" | sed 's/"Flags":FLAGS,//')"
missing SEG-015 'DXGK_SEGMENTDESCRIPTOR.Flags.PreservedDuringStandby in the answer'
missing SEG-002 'DXGK_SEGMENTDESCRIPTOR.Flags in the answer'

create='{"seq":1,"ddi":"DxgkDdiCreateAllocation","status":0,"in":{"NumAllocations":1},"out":{"pAllocationInfo":[{"Size":4096,"PreferredSegment":VALUE,"SupportedReadSegmentSet":1,"SupportedWriteSegmentSet":1,"hAllocation":"0xA1"}]}}'
rest='"Direction0":0,"SegmentId1":0,"Direction1":0,"SegmentId2":0,"Direction2":0,"SegmentId3":0,"Direction3":0,"SegmentId4":0,"Direction4":0,"Reserved":0'
recording preferred "$head" "$(echo "$create" | sed "s/VALUE/{\"SegmentId0\":2,$rest}/")"
status 1 "$tool" check "$file"
ok "the bit fields of PreferredSegment" grep -q '^broken AIN-010 ' "$work/out"
ok "are its number" grep -q 'wrong: .*PreferredSegment is 0x2' "$work/out"
recording value "$head" "$(echo "$create" | sed 's/VALUE/{"Value":2}/')"
status 1 "$tool" check "$file"
ok "so is Value" grep -q '^broken AIN-010 ' "$work/out"
recording part "$head" "$(echo "$create" | sed "s/VALUE/{\"SegmentId0\":2,\"Directoin0\":0}/")"
missing AIN-010 'DXGK_ALLOCATIONINFO.PreferredSegment.Direction0 in the answer to DRIVER_ALLOCATION_CREATE'
ok "a field that there is none of" grep -q ':2: warning: PreferredSegment: "Directoin0" is ignored, did you mean "Direction0"?$' "$work/err"
recording wide "$head" "$(echo "$create" | sed 's/VALUE/{"SegmentId0":32}/')"
status 2 "$tool" check "$file"
ok "a field of five bits" grep -q 'PreferredSegment is {"SegmentId0":32}, expected bit fields with numbers that fit$' "$work/err"

# ---- lengths that follow from two pointers ----
render='{"seq":1,"ddi":"DxgkDdiRender","status":0,"in":{"hContext":"0xC1","pDmaBuffer":"0x7000","DmaSize":64,"pDmaBufferPrivateData":"0x9000","DmaBufferPrivateDataSize":16},"out":{OUT}}'
recording render "$head" "$(echo "$render" | sed 's/OUT//')"
missing HDR-018 "DRIVER_RENDER_REPLY.DmaLength in the answer to DRIVER_RENDER ($file:2), in a native call pDmaBuffer of \"out\" minus pDmaBuffer of \"in\""
recording long "$head" "$(echo "$render" | sed 's/OUT/"pDmaBuffer":"0x7080","pDmaBufferPrivateData":"0x9010"/')"
status 1 "$tool" check "$file"
ok "a DMA buffer that is longer than its room" grep -q '^broken HDR-018 ' "$work/out"
ok "no key is unknown: $(cat "$work/err")" [ ! -s "$work/err" ]
recording fits "$head" "$(echo "$render" | sed 's/OUT/"pDmaBuffer":"0x7040","pDmaBufferPrivateData":"0x9010"/')"
status 0 "$tool" check --verbose "$file"
ok "one that fits" grep -q '^kept  *HDR-018 ' "$work/out"
recording back "$head" "$(echo "$render" | sed 's/OUT/"pDmaBuffer":"0x6000","pDmaBufferPrivateData":"0x9010"/')"
status 1 "$tool" check "$file"
ok "a pointer that went back" grep -q '^broken HDR-018 ' "$work/out"
ok "both are named: $(grep wrong: "$work/out")" grep -qF 'wrong:     DRIVER_RENDER_REPLY.DmaLength, pDmaBuffer of "out" minus pDmaBuffer of "in", is below 0, expected at most 0x40' "$work/out"

# The bits of an element of the allocation list, which native structures have as members.
element='"in":{"pAllocationList":[{"hDeviceSpecificAllocation":"0xA1","WriteOperation":0,"SegmentId":1}],"AllocationListSize":1,'
patched='{"seq":2,"ddi":"DxgkDdiPatch","status":0,"in":{"Flags":{"Paging":0,"Present":0},"hContext":"0xC1","pDmaBuffer":"0x7000"}}'
recording list "$head" "$(echo "$render" | sed "s/OUT/\"DmaLength\":16/; s/\"in\":{/$element/")" "$(echo "$patched" | sed "s/\"in\":{/$element/")"
missing PAT-035 'DXGK_ALLOCATIONLIST.Bits.Reserved in '
ok "they are known: $(cat "$work/err")" [ ! -s "$work/err" ]

# ---- other names ----
recording bytes "$head" "$(patch 's/"pDmaBuffer":"0x7000"/"pDmaBuffer":{"Bytes":"0000"}/')"
status 0 "$tool" check "$file"
ok "the bytes of a buffer are in no message" grep -q ':2: warning: pDmaBuffer: "Bytes" is ignored$' "$work/err"
recording caps "$head" '{"seq":1,"ddi":"DxgkDdiQueryAdapterInfo","status":0,"in":{"Type":"DRIVERCAPS"},"out":{"MemoryManagementCaps":0}}' \
    "$(patch 's/"seq":1/"seq":2/')"
missing PAT-013 "${content}DRIVER_INFO.capabilities in the answer to DRIVER_INFO ($file:2), to be recorded under this name: no structure of Windows has it"
recording size "$(echo "$head" | sed 's/"PageSize":4096,//')" \
    '{"seq":1,"call":"KERNEL_ALLOCATION_CREATE","status":0,"in":{"Flags":{"ExistingSysMem":1},"NumAllocations":1,"pAllocationInfo2":[{"pSystemMem":"0x1001"}]}}'
missing CAF-012 'PageSize in the first line'
recording call "$head" "$(patch s/DxgkDdiPatch/DxgkDdiPatchh/)"
status 3 "$tool" check "$file"
ok "a call" grep -q ':2: warning: a call: "DxgkDdiPatchh" is ignored, did you mean "DxgkDdiPatch"?$' "$work/err"

# ---- forms that Windows has ----
destroy='{"seq":1,"ddi":"DxgkDdiDestroyAllocation","status":0,"in":{"NumAllocations":1,"Flags":FLAGS,"hAllocationList":["0xA1"]}}'
for flags in '{"DestroyResource":1}' '{"Value":1,"Known":1}' 1; do
    recording nameless "$head" "$(echo "$destroy" | sed "s/FLAGS/$flags/")" "$(patch 's/"seq":1/"seq":2/')"
    status 0 "$tool" check "$file"
    [ "$flags" = '{"DestroyResource":1}' ] && expected=1 || expected=0
    ok "$flags: $(cat "$work/err")" [ "$(grep -c ':2: warning: DRIVER_ALLOCATION_DESTROY.Flags: "DestroyResource" is ignored$' "$work/err")" -eq $expected ]
done
recording map "$head" '{"seq":1,"ddi":"D3DKMTUpdateGpuVirtualAddress","status":0,"in":{"Flags":{"DoNotWait":0}}}'
status 3 "$tool" check "$file"
ok "flags of another word: $(cat "$work/err")" grep -q ':2: warning: D3DKMT_UPDATEGPUVIRTUALADDRESS.Flags: "DoNotWait" is ignored$' "$work/err"
recording union "$head" "$(patch 's/"DmaBufferPhysicalAddress":"0x5000"/"DmaBufferPhysicalAddress":{"QuadPart":"0x5000"}/')"
cp "$file" "$work/union-there.jsonl"
recording plain "$head" "$(patch '')"
"$tool" check -v "$work/union-there.jsonl" 2>"$work/err" | sed "s/[a-z-]*\.jsonl//g" >"$work/union.said"
"$tool" check -v "$file" 2>&1 | sed "s/[a-z-]*\.jsonl//g" >"$work/plain.said"
ok "QuadPart is the number: $(cat "$work/err")" cmp "$work/union.said" "$work/plain.said"
paging='{"seq":1,"ddi":"DxgkDdiBuildPagingBuffer","status":0,"in":{"Operation":"NAME","pDmaBuffer":"0xA000","DmaSize":64},"out":{"pDmaBuffer":"0xA040"}}'
# warns NAME TEXT: of an operation with that name this is said, or nothing.
warns() {
    recording operation "$head" "$(echo "$paging" | sed "s/NAME/$1/")"
    "$tool" check "$file" >"$work/out" 2>"$work/err"
    ok "$1: $(cat "$work/err"), expected $2" [ "$(sed 's/.*: warning: //' "$work/err")" = "$2" ]
}
warns Transfer ''
warns DXGK_OPERATION_TRANSFER ''
warns DXGK_OPERATION_MAP_APERTURE_SEGMENT ''
warns DXGK_OPERATION_TRANSFR 'DRIVER_PAGING.Operation: "DXGK_OPERATION_TRANSFR" is ignored, did you mean "Transfer"?'
warns SignalMonitoredFence 'DRIVER_PAGING.Operation: "SignalMonitoredFence" is ignored'
recording type "$head" '{"seq":1,"ddi":"DxgkDdiQueryAdapterInfo","status":0,"in":{"Type":"QUERYSEGMENTX"}}'
status 3 "$tool" check "$file"
ok "a type" grep -q ':2: warning: DxgkDdiQueryAdapterInfo.Type: "QUERYSEGMENTX" is ignored, did you mean "QUERYSEGMENT"?$' "$work/err"
recording names "$head" "$(patch 's/"ddi"/"call":"DRIVER_SUBMIT","ddi"/')"
"$tool" check "$file" >"$work/out" 2>"$work/err"
ok "two names of a call" grep -q ':2: warning: "ddi" beside "call", which is DRIVER_SUBMIT: "DxgkDdiPatch" is ignored$' "$work/err"
recording same "$head" "$(patch 's/"ddi"/"call":"DRIVER_PATCH","ddi"/')"
"$tool" check "$file" >"$work/out" 2>"$work/err"
ok "two names of the same: $(cat "$work/err")" sh -c "! grep -q beside '$work/err'"

# ---- handles, and what no native call has ----
recording handles "$head" "$(echo "$query" | sed 's/FLAGS/1/')" \
    '{"seq":2,"ddi":"DxgkDdiBuildPagingBuffer","status":0,"in":{"Operation":6,"pDmaBuffer":"0x40000","DmaSize":4096,"UnmapApertureSegment":{"hAllocation":"0xA1","SegmentId":1,"OffsetInPages":0,"NumberOfPages":1}},"out":{"pDmaBuffer":"0x40040"}}'
missing HDR-035 'what became of each handle before, which is judged only if nothing is missing, as in what a run records; here is missing: '
ok "no stride: $(grep HDR-035 "$work/out")" sh -c "! grep HDR-035 '$work/out' | grep -q Stride"

# ---- what is wrong with elements together ----
recording agp "$(echo "$head" | sed 's/"2.6"/"1.1"/')" \
    '{"seq":1,"ddi":"DxgkDdiQueryAdapterInfo","status":0,"in":{"Type":2},"out":{"NbSegment":3,"pSegmentDescriptor":[{"Flags":2,"Size":4096},{"Flags":1,"Size":4096},{"Flags":2,"Size":4096}]}}'
status 1 "$tool" check "$file"
ok "each segment that is one too many: $(grep -A9 SEG-007 "$work/out" | grep wrong)" \
    grep -q 'wrong:     DXGK_SEGMENTDESCRIPTOR.Flags.Agp is 0x2*1* in element 0, DXGK_SEGMENTDESCRIPTOR.Flags.Agp is 0x2*1* in element 2$' "$work/out"

# ---- the last line ----
recording in-part "$head" "$(echo "$query" | sed 's/FLAGS/{"PreservedDuringHibernate":1}/; s/"Size":4096/"Size":0/')" \
    "$(echo "$query" | sed 's/"seq":1/"seq":2/; s/"in":{/&"pSegmentDescriptor":0,/; s/,"pSegmentDescriptor":\[.*\]//')"
"$tool" check "$file" >"$work/out" 2>"$work/err"
got=$?
decided=$(last | sed -n 's/.*: \([0-9]*\) statements* decided.*/\1/p')
ok "exit $got goes with: $(last)" [ "$got" -eq "$([ "${decided:-0}" -gt 0 ] && echo 0 || echo 3)" ]
ok "nothing that is 0 is decided: $(last)" sh -c "! echo '$(last | tr -d \')' | grep -q ' 0 statements'"
# A size of 0 is against a statement that does not bind here.
recording warn "$head" "$(echo "$create" | sed 's/VALUE/0/; s/"Size":4096/"Size":0/')"
status 0 "$tool" check "$file"
ok "a warning is a breach: $(last)" sh -c "echo '$(last)' | grep -Eq '^from a recording: no breach that counts: [0-9]+ statements decided, 1 warning, '"
ok "it is listed" grep -q '^warn AIN-026 ' "$work/out"
status 1 "$tool" check --level strict "$file"
recording none "$head" "$(echo "$create" | sed 's/VALUE/0/')"
status 0 "$tool" check "$file"
ok "none: $(last)" sh -c "echo '$(last)' | grep -Eq '^from a recording: no breach seen: [0-9]+ statements decided, [0-9]+ cannot be said'"

# ---- a range that ends outside of its buffer or list, which the documents leave no doubt of ----
# fails STATEMENT NAME SED: such a patch, at the default level.
fails() {
    recording fails "$head" "$(patch "$3")"
    status 1 "$tool" check "$file"
    ok "$2" grep -q "^broken $1  must, inferred; by the kernel, " "$work/out"
}
fails PAT-006 "a start behind the end" 's/"DmaBufferSubmissionStartOffset":0/"DmaBufferSubmissionStartOffset":65/'
fails PAT-006 "an end behind the buffer" 's/"DmaBufferSubmissionEndOffset":64/"DmaBufferSubmissionEndOffset":4097/'
fails PAT-008 "private data that ends behind it" 's/"DmaBufferPrivateDataSubmissionEndOffset":64/"DmaBufferPrivateDataSubmissionEndOffset":65/'
fails PAT-012 "an element behind the list" 's/"PatchLocationListSubmissionLength":1/"PatchLocationListSubmissionLength":2/'
fails PAT-012 "elements that only an overflow keeps in it" \
    's/"PatchLocationListSubmissionStart":0/"PatchLocationListSubmissionStart":"0xFFFFFFFF"/; s/"PatchLocationListSubmissionLength":1/"PatchLocationListSubmissionLength":2/'
summary
