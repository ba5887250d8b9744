#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A driver in Python: the same as examples/minimal, with the standard library alone.

    wddm-cts run --impl 'exec:python3 driver.py wddm-cts.json'

It speaks the protocol of docs/protocol.md over standard input and output. wddm-cts.json is the table
of the header's structs and numbers, which `make` puts into build/ and `make install` into share/."""
import json
import struct
import sys

if len(sys.argv) < 2:
    sys.exit("usage: driver.py wddm-cts.json")
with open(sys.argv[1]) as file:
    TABLE = json.load(file)
NUMBER = TABLE["constants"]
for values in TABLE["enums"].values():
    NUMBER.update(values)
STRUCTS = TABLE["structs"]
SIZE = {name: one["size"] for name, one in STRUCTS.items()}
HANDLERS = {}  # operation number: function, struct of the request, struct of the reply
HEAD = struct.Struct("<IHHIIIIIi")


# ---- structs, by the table ----

def unpack(name, data, at=0):
    """The members of a struct at an offset of a message, as a dict of numbers."""
    if at + SIZE[name] > len(data):
        raise ValueError(f"{name} leads out of the message")
    return {member: int.from_bytes(data[at + one["offset"]:at + one["offset"] + one["size"]], "little")
            for member, one in STRUCTS[name]["members"].items()}


def pack(name, **members):
    data = bytearray(SIZE[name])
    for member, value in members.items():
        one = STRUCTS[name]["members"][member]
        data[one["offset"]:one["offset"] + one["size"]] = value.to_bytes(one["size"], "little")
    return bytes(data)


def reply(name, *behind, **members):
    """A struct that begins with its size, and the arrays behind it."""
    return pack(name, size=SIZE[name], **members) + b"".join(behind)


def handles(operation):
    """Makes a function the handler of an operation."""
    def add(function):
        one = TABLE["operations"][operation]
        HANDLERS[one["number"]] = function, one["request"], one["reply"]
        return function
    return add


# ---- the driver: one segment that the CPU sees, and allocations in it ----

@handles("DRIVER_INFO")
def info(instance, request, data):
    return reply("driver_info_reply", capabilities=NUMBER["WCTS_CAPABILITY_FRESH"],
                 first_interface_version=0x1053, last_interface_version=0x11007)


@handles("DRIVER_SEGMENTS")
def segments(instance, request, data):
    segment = pack("DXGK_SEGMENTDESCRIPTOR", Flags=0x4, BaseAddress=0x100000000, Size=0x1000000,
                   CommitLimit=0x1000000, CpuTranslatedAddress=0xE0000000)
    return reply("driver_segments_reply", segment, Count=1, Stride=len(segment),
                 pSegments=SIZE["driver_segments_reply"])


@handles("DRIVER_STANDARD_ALLOCATION")
def standard(instance, request, data):
    # Over memory that exists (of no format) there are no more bytes than Width.
    pixel = 4 if request["Format"] else 1
    private = (pixel * request["Width"] * request["Height"]).to_bytes(8, "little")
    return reply("driver_standard_allocation_reply", private, AllocationPrivateDriverDataSize=8,
                 pAllocationPrivateDriverData=SIZE["driver_standard_allocation_reply"])


@handles("DRIVER_ALLOCATION_CREATE")
def create(instance, request, data):
    infos = b""
    for i in range(request["NumAllocations"]):
        asked = unpack("DXGK_ALLOCATIONINFO", data,
                       request["pAllocationInfo"] + i * SIZE["DXGK_ALLOCATIONINFO"])
        private = data[asked["pPrivateDriverData"]:][:8] if asked["pPrivateDriverData"] else b""
        instance["last"] += 1
        infos += pack("DXGK_ALLOCATIONINFO", Alignment=4096, SupportedReadSegmentSet=1,
                      SupportedWriteSegmentSet=1, AllocationPriority=0x78000000,
                      Size=int.from_bytes(private, "little") if len(private) == 8 else 65536,
                      hAllocation=instance["last"])
    return reply("driver_allocation_create_reply", infos, NumAllocations=request["NumAllocations"],
                 pAllocationInfo=SIZE["driver_allocation_create_reply"])


@handles("DRIVER_ALLOCATION_DESTROY")
def destroy(instance, request, data):
    return reply("none")


# ---- the protocol ----

def hello():
    name, version = b"minimal", b"1"
    at = SIZE["wire_hello_reply"]
    return reply("wire_hello_reply", name, version, version=NUMBER["WCTS_WIRE_VERSION"], longest=0x100000,
                 abi_version=NUMBER["WCTS_ABI_VERSION"], sides=NUMBER["WCTS_SIDE_DRIVER"], pName=at,
                 NameLength=len(name), pVersion=at + len(name), VersionLength=len(version))


def answer(instances, operation, number, data):
    """The status and the body of the reply to a call."""
    if operation == NUMBER["WCTS_WIRE_HELLO"]:
        return 0, hello()
    if operation == NUMBER["WCTS_WIRE_OPEN"]:
        instances[number] = {"last": 0}
        return 0, b""
    if operation == NUMBER["WCTS_WIRE_CLOSE"]:
        del instances[number]
        return 0, b""
    if operation not in HANDLERS:
        return NUMBER["WCTS_STATUS_NOT_IMPLEMENTED"], b""
    function, request, _ = HANDLERS[operation]
    try:
        return 0, function(instances[number], unpack(request, data), data)
    except ValueError as error:
        print(error, file=sys.stderr)
        return NUMBER["WCTS_STATUS_INVALID_PARAMETER"], b""


def main():
    instances, read, out = {}, sys.stdin.buffer, sys.stdout.buffer
    while head := read.read(HEAD.size):
        magic, version, kind, length, operation, number, within, instance, _ = HEAD.unpack(head)
        if magic != NUMBER["WCTS_WIRE_MAGIC"] or kind != NUMBER["WCTS_WIRE_CALL"]:
            sys.exit("expected a call")
        status, body = answer(instances, operation, instance, read.read(length - HEAD.size))
        out.write(HEAD.pack(magic, version, NUMBER["WCTS_WIRE_REPLY"], HEAD.size + len(body), operation,
                            number, within, instance, status) + body)
        out.flush()


if __name__ == "__main__":
    main()
