#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints a recording of N calls of a mix, for wddm-cts check: recording.py MIX N."""
import json, random, sys
mix, n = sys.argv[1], int(sys.argv[2])
rnd = random.Random(7)
head = {"wddm": "ddi", "version": 1, "WDDMVersion": "0x2600", "PageSize": 4096}
if mix != "bare":
    head["Records"] = "all"
    head["Complete"] = True
lines, seq = [], 0
def add(ddi, i, o=None, **more):
    global seq
    seq += 1
    line = {"seq": seq, "ddi": ddi, "status": 0, "in": i}
    if o is not None:
        line["out"] = o
    line.update(more)
    lines.append(line)
def create(handle, **i):
    info = {"Size": "0x10000", "Alignment": 4096, "SupportedReadSegmentSet": "0x1", "SupportedWriteSegmentSet": "0x1", "EvictionSegmentSet": "0x2",
            "HintedBank": 0, "PreferredSegment": 0, "PitchAlignedSize": 0, "Flags": "0x1",
            "hAllocation": handle, "AllocationPriority": "0x78000000"}
    add("DxgkDdiCreateAllocation", dict({"NumAllocations": 1}, **i), {"pAllocationInfo": [info]})
add("DxgkDdiQueryAdapterInfo", {"Type": 1}, {"MemoryManagementCaps": 16, "SchedulingCaps": 1, "paging_operations": 0x23})
add("DxgkDdiQueryAdapterInfo", {"Type": 11}, {"NbSegment": 2, "pSegmentDescriptor": [{"Flags": "0x4", "Size": "0x10000000"}, {"Flags": "0x1", "Size": "0x10000000"}]})
handle = 0xFFFF0000
fence = 0
alive = []
def patch(paging, buffer, hctx, allocs=()):
    global fence
    fence += 1
    add("DxgkDdiPatch", {"hContext": hctx, "Flags": {"Paging": paging, "Present": 0, "Redirected": 0}, "pDmaBuffer": buffer, "DmaBufferSegmentId": 0, "DmaBufferPhysicalAddress": 0x1000000, "DmaBufferSize": 0x1000,
        "DmaBufferSubmissionStartOffset": 0, "DmaBufferSubmissionEndOffset": 64, "SubmissionFenceId": fence,
        "AllocationListSize": len(allocs), "PatchLocationListSize": 0, "PatchLocationListSubmissionStart": 0, "PatchLocationListSubmissionLength": 0,
        "pAllocationList": [{"hDeviceSpecificAllocation": a, "PhysicalAddress": 0x2000000, "Bits": 2} for a in allocs]})
    add("DxgkDdiSubmitCommand", {"hContext": hctx, "Flags": {"Paging": paging, "Present": 0}, "DmaBufferSegmentId": 0, "DmaBufferPhysicalAddress": 0x1000000, "DmaBufferSize": 0x1000,
        "DmaBufferSubmissionStartOffset": 0, "DmaBufferSubmissionEndOffset": 64, "SubmissionFenceId": fence})
add("DxgkDdiCreateDevice", {"hDevice": 0x11}, {"hDevice": 0xD0})
add("DxgkDdiCreateContext", {"hDevice": 0xD0}, {"hContext": 0xC0})
while len(lines) < n:
    if mix == "create" or mix == "bare":
        handle += 16; create(handle)
    elif mix == "untyped":
        handle += 16; create(handle); add("DxgkDdiQueryAdapterInfo", {}, {})
    elif mix == "gaps":
        handle += 16; create(handle)
        if len(lines) % 5 == 0: seq += 1
    elif mix == "churn":
        if alive and rnd.random() < .5:
            h = alive.pop(rnd.randrange(len(alive)))
            add("DxgkDdiDestroyAllocation", {"NumAllocations": 1, "pAllocationList": [h], "Flags": 0}, {})
        else:
            handle += 16; create(handle); alive.append(handle)
    elif mix == "reuse":
        create(0xAAAA0000)
        add("DxgkDdiDestroyAllocation", {"NumAllocations": 1, "pAllocationList": [0xAAAA0000], "Flags": 0}, {})
    elif mix == "open":
        handle += 16; create(handle); 
        add("DxgkDdiOpenAllocation", {"NumAllocations": 1, "pOpenAllocation": [{"hAllocation": handle + 1}]}, {"pOpenAllocation": [{"hDeviceSpecificAllocation": handle + 8}]})
    elif mix == "work":
        if len(lines) < 200:
            handle += 16; create(handle); alive.append(handle)
        buffer = 0x5000000 + 0x1000 * (len(lines) % 8)
        a = alive[len(lines) % len(alive)]
        add("DxgkDdiRender", {"hContext": 0xC0, "CommandLength": 16, "DmaSize": 0x1000, "pDmaBuffer": buffer, "PatchLocationListInSize": 0, "AllocationListSize": 1, "PatchLocationListOutSize": 16},
            {"pDmaBuffer": buffer + 64, "PatchLocationListOutSize": 16})
        patch(0, buffer, 0xC0, [a])
    elif mix == "paging":
        if len(lines) < 200:
            handle += 16; create(handle); alive.append(handle)
        buffer = 0x6000000
        a = alive[len(lines) % len(alive)]
        seg = len(lines) // 3 % 2
        add("DxgkDdiBuildPagingBuffer", {"Operation": 0, "hAllocation": a, "pDmaBuffer": buffer, "DmaSize": 4096, "Transfer": {"TransferOffset": 0, "TransferSize": 0x10000, "Source": {"SegmentId": seg}, "Destination": {"SegmentId": 1 - seg}}},
            {"pDmaBuffer": buffer + 64})
        patch(1, buffer, 0)
    elif mix == "present":
        buffer = 0x5000000 + 0x1000 * (len(lines) % 8)
        if not alive:
            create(0x10); alive.append(0x10)
        add("DxgkDdiPresent", {"hContext": 0xC0, "pDmaBuffer": buffer, "DmaSize": 4096, "AllocationListSize": 3}, {"pDmaBuffer": buffer + 64})
        patch(0, buffer, 0xC0, [0x10])
    elif mix == "standard":
        handle += 16
        add("DxgkDdiGetStandardAllocationDriverData", {"StandardAllocationType": 2, "pCreateShadowSurfaceData": {"Width": 64, "Height": 64, "Format": 21}}, {"pCreateShadowSurfaceData": {"Pitch": 256}})
        create(handle, StandardAllocationType=2)
    elif mix == "um":
        handle += 1
        lines.append({"seq": seq + 1, "call": "D3DKMTCreateAllocation", "status": 0, "in": {"hDevice": 7, "NumAllocations": 1, "Flags": "0x0"}, "out": {"hResource": 0, "pAllocationInfo2": [{"hAllocation": handle & 0xFFFFFFFF}]}})
        seq += 1
        if len(lines) % 3 == 0:
            lines.append({"seq": seq + 1, "call": "D3DKMTDestroyAllocation2", "status": 0, "in": {"hDevice": 7, "hResource": 0, "AllocationCount": 1, "phAllocationList": [handle & 0xFFFFFFFF], "Flags": 0}})
            seq += 1
    elif mix == "va":
        handle += 1
        lines.append({"seq": seq + 1, "call": "D3DKMTReserveGpuVirtualAddress", "status": 0, "in": {"hAdapter": 7, "BaseAddress": 0, "MinimumAddress": 0, "MaximumAddress": 0, "Size": 65536}, "out": {"VirtualAddress": handle * 65536}})
        lines.append({"seq": seq + 2, "call": "D3DKMTUpdateGpuVirtualAddress", "status": 0, "in": {"hDevice": 7, "NumOperations": 1, "Operations": [{"OperationType": 1, "BaseAddress": handle * 65536, "SizeInBytes": 65536}]}})
        seq += 2
print(json.dumps(head))
for l in lines:
    print(json.dumps(l))
