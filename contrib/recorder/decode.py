#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes JSON lines (docs/recordings.md) of the dump of a recorder's ring.

    decode.py [--records NAME,...] [--driver NAME] HEAD RING >recording.jsonl

HEAD is the memory of struct wcts_recorder, RING that of its entries; one file with both, the head
first, is given alone. --records names the calls of which the driver records every one: what needs
that a call was not made can then be said. Exits with 2 if a file is no such dump."""
import argparse
import json
import re
import struct
import sys

MAGIC = 0x3163657273746377
HEAD = struct.Struct("<QIIIIIIQQQ")
ENTRY = struct.Struct("<QQHHHH")
STEP = re.compile(r"([A-Za-z_][A-Za-z_0-9]*)|\[([0-9]+)\]|\.")


class Wrong(Exception):
    """What is wrong with a file: what was found, what was expected."""


def members(data, place):
    """The members of a record: pairs of a path and a number."""
    at = 0
    while at < len(data):
        end = data.find(0, at)
        if end < 0 or end + 1 >= len(data) or not 1 <= data[end + 1] <= 8:
            raise Wrong(f"{place}: a member without an end, expected a path and a number")
        width = data[end + 1]
        number = data[end + 2:end + 2 + width]
        if len(number) != width:
            raise Wrong(f"{place}: a number of {len(number)} bytes, expected {width}")
        yield data[at:end].decode("ascii", "replace"), int.from_bytes(number, "little")
        at = end + 2 + width


def steps(path):
    """in.pList[2].Size as "in", "pList", 2, "Size"."""
    return [int(index) if index else name for name, index in STEP.findall(path) if name or index]


def put(body, path, number):
    """Puts a number at a path of nested objects and arrays."""
    found = steps(path)
    for step, behind in zip(found, found[1:]):
        empty = [] if isinstance(behind, int) else {}
        if isinstance(step, int):
            while len(body) <= step:
                body.append({})
            if body[step] == {} and isinstance(empty, list):
                body[step] = empty
            body = body[step]
        else:
            # The address of an array, and then its elements.
            if not isinstance(body.get(step), (dict, list)):
                body[step] = empty
            body = body[step]
    last = found[-1]
    text = f"0x{number:X}"
    if isinstance(last, int):
        while len(body) <= last:
            body.append({})
        body[last] = text
    elif not isinstance(body.get(last), (dict, list)):
        body[last] = text


def records(ring, size, place):
    """The records that are whole: number of the call, bytes, and whether members had no room."""
    entries = []
    for at in range(0, len(ring) - size + 1, size):
        turn, seq, part, parts, used, lost = ENTRY.unpack_from(ring, at)
        if used > size - ENTRY.size:
            raise Wrong(f"{place}: an entry of {used} bytes, expected at most {size - ENTRY.size}")
        if turn:
            first = at + ENTRY.size
            entries.append((turn, seq, part, parts, ring[first:first + used], lost))
    by_turn = {entry[0]: entry for entry in entries}
    for turn, seq, part, parts, _, _ in sorted(entries):
        row = [by_turn.get(turn + i) for i in range(parts)]
        if part == 0 and all(e and e[1] == seq and e[2] == i for i, e in enumerate(row)):
            yield seq, b"".join(entry[4] for entry in row), any(entry[5] for entry in row)


def decode(head, ring, options):
    """The lines of a dump."""
    if len(head) < HEAD.size:
        raise Wrong(f"{options.head}: {len(head)} bytes, expected at least {HEAD.size}")
    magic, size, count, wddm, interface, page, _, _, _, _ = HEAD.unpack_from(head)
    if magic != MAGIC:
        raise Wrong(f"{options.head}: begins with 0x{magic:016x}, expected 0x{MAGIC:016x}")
    if ring is None:
        ring = head[HEAD.size:]
    if size < ENTRY.size or len(ring) < size * count:
        raise Wrong(f"{options.ring or options.head}: {len(ring)} bytes of entries, expected "
                    f"{size * count}")
    first = {"wddm": "ddi", "version": 1, "Bits": 64}
    if wddm:
        first["WDDMVersion"] = f"0x{wddm:X}"
    if interface:
        first["InterfaceVersion"] = f"0x{interface:X}"
    if page:
        first["PageSize"] = page
    if options.driver:
        first["Driver"] = options.driver
    if options.records:
        first["Records"] = options.records.split(",")
    yield first
    missing = set(first.get("Records", []))
    for seq, data, lost in sorted(records(ring[:size * count], size, options.ring or options.head)):
        line = {"seq": seq}
        if lost:
            line["Lost"] = True
        for path, number in members(data, f"call {seq}"):
            if "ddi" not in line:
                line["ddi"] = path
                line["status"] = f"0x{number:08X}"
                missing.discard(path)
            elif path.startswith(("in.", "out.")):
                put(line, path, number)
        yield line
    for name in sorted(missing):
        print(f"--records {name}: the dump has no such call, expected the name of one that the "
              "driver records", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--records", metavar="NAME,...")
    parser.add_argument("--driver", metavar="NAME")
    parser.add_argument("head", metavar="HEAD")
    parser.add_argument("ring", metavar="RING", nargs="?")
    options = parser.parse_args()
    try:
        with open(options.head, "rb") as file:
            head = file.read()
        ring = None
        if options.ring:
            with open(options.ring, "rb") as file:
                ring = file.read()
        for line in list(decode(head, ring, options)):
            print(json.dumps(line, separators=(",", ":")))
    except (Wrong, OSError) as wrong:
        print(wrong, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
