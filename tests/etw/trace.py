#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""trace.py [OPTION]... RECORDING: JSON lines of a driver (docs/recordings.md), as the trace that Windows would have
recorded of it, in the XML of tracerpt: of each answer what events carry, and nothing else.

--style N     how doubtful things are printed: another number, other spellings; the results must not change
--wddm V      the version of the driver, if the recording does not say one
--lost N      of that many events the session says that they are lost
--repeat N    all answers N times, on N adapters
--between ID  with --repeat: all on one adapter, and between them an event that ends it
--reused      each allocation ends, and the session tells at its end that another is there at its pointer
--rundown     the session tells at its end what is still there, and has told of what the kernel made for itself
--size BYTES  as many events as make a file of that size: nine of ten are none that check wants
--utf16       as tracerpt writes it by default"""
import argparse
import json
import random
import sys
from xml.sax.saxutils import escape

GUID = "{802ec45a-1e99-4b83-9920-87c98277ba9d}"
HEADER = "{68fdd900-4a3e-11d1-84f4-0000f80464e3}"
NAMES = ["CpuVisible", "PermanentSysMem", "Cached", "Protected", "ExistingSysMem", "ExistingKernelSysMem",
         "FromEndOfSegment"]


def number(value):
    return int(value, 16) if isinstance(value, str) else value


class Writer:
    def __init__(self, style, out):
        self.draw = random.Random(style)
        self.out = out
        self.time = 0
        self.plain = style == 0
        self.space = self.plain or self.draw.random() < 0.5

    def decimal(self, value, width=0):
        text = str(value)
        if not self.plain and self.draw.random() < 0.3:
            text = text.rjust(11)
        return text

    def hex(self, value):
        return "0x%X" % value

    def either(self, value):
        """A value of which nobody knows how it is printed."""
        return self.hex(value) if not self.plain and self.draw.random() < 0.5 else self.decimal(value)

    def flags(self, value):
        names = [NAMES[bit] for bit in range(32) if value >> bit & 1 and bit < len(NAMES)]
        rest = value & ~((1 << len(NAMES)) - 1)
        if self.plain or rest or not names or self.draw.random() < 0.5:
            return self.either(value)
        return self.draw.choice(["|", " | ", ", ", " |"]).join(names) + self.draw.choice(["", " "])

    def boolean(self, value):
        return "true" if value else "false" if self.plain else self.draw.choice(["false", "0"])

    def event(self, guid, number_, version, opcode, data):
        self.time += 1
        namespace = ' xmlns="http://schemas.microsoft.com/win/2004/08/events/event"' if self.space else ""
        zone = "Z" if self.plain else self.draw.choice(["Z", "+02:00", "-00:00"])
        name = ' Name="Microsoft-Windows-DxgKrnl"' if guid == GUID and (self.plain or self.draw.random() < 0.7) else ""
        case = str.upper if not self.plain and self.draw.random() < 0.3 else str
        self.out.write(f'<Event{namespace}>\n<System>\n<Provider{name} Guid="{case(guid)}" />\n<EventID>{number_}</EventID>\n'
                       f"<Version>{version}</Version>\n<Level>0</Level>\n<Task>7</Task>\n<Opcode>{opcode}</Opcode>\n"
                       f"<Keywords>0x4000000000000040</Keywords>\n"
                       f'<TimeCreated SystemTime="2026-11-20T10:00:{self.time // 10000000 % 60:02}.{self.time % 10000000:07}00{zone}" />\n'
                       f'<Correlation ActivityID="{{00000000-0000-0000-0000-000000000000}}" />\n'
                       f'<Execution ProcessID="4" ThreadID="{self.time % 7 * 4 + 8}" ProcessorID="0" KernelTime="0" UserTime="0" />\n'
                       f"<Channel />\n<Computer />\n</System>\n<EventData>\n")
        for key, value in data:
            self.out.write(f'<Data Name="{key}">{escape(value)}</Data>\n')
        self.out.write("</EventData>\n")
        if self.plain or self.draw.random() < 0.5:
            self.out.write('<RenderingInfo Culture="en-US">\n<Opcode>Start</Opcode>\n<Provider>Microsoft-Windows-DxgKrnl</Provider>\n'
                           "</RenderingInfo>\n")
        self.out.write("</Event>\n")

    def header(self, lost):
        self.event(HEADER, 0, 2, 0, [("BufferSize", "1048576"), ("ProviderVersion", "22631"), ("LogFileMode", "0x1"),
                                     ("PointerSize", "8"), ("EventsLost", str(lost)), ("BuffersLost", "0")])

    def segment(self, adapter, index, one):
        self.event(GUID, 78, 1, 0, [
            ("ulSegmentId", self.decimal(index)), ("pDxgAdapter", self.hex(adapter)),
            ("BaseAddress", self.hex(number(one.get("BaseAddress", 0)))), ("CpuTranslatedAddress", "0x0"),
            ("Size", self.hex(number(one.get("Size", 0)))), ("NbOfBanks", self.decimal(number(one.get("NbOfBanks", 0)))),
            ("Flags", self.either(number(one["Flags"]))), ("CommitLimit", "0x0"), ("SystemMemoryEndAddress", "0x0"),
            ("MemorySegmentGroup", "0")])

    def allocation(self, adapter, one, flags, pointer, event=33, device=0xFFFFFA8001430000, owner=0x400):
        """An allocation is created (33), ends (34), or is there (35): of a device, with an owner behind its pointer."""
        size = number(one.get("Size", 0))
        self.event(GUID, event, 3, event - 32, [
            ("hProcessId", "0x1F40"), ("hDevice", self.hex(device)), ("pDxgAdapter", self.hex(adapter)),
            ("Flags", self.flags(flags)), ("allocSize", self.decimal(-size // 4096 * -4096)),
            ("ulAlignment", self.decimal(number(one.get("Alignment", 0)))),
            ("dwReadSegment", self.decimal(number(one.get("SupportedReadSegmentSet", 0)))),
            ("dwWriteSegment", self.decimal(number(one.get("SupportedWriteSegmentSet", 0)))),
            ("PreferredSegment", self.decimal(number(one.get("PreferredSegment", 0)))), ("HintedBank", "0"),
            ("dwEvictionSegment", self.decimal(number(one.get("EvictionSegmentSet", 0)))),
            ("Priority", self.hex(number(one.get("AllocationPriority", 0)))), ("hVidMmGlobalAlloc", self.hex(pointer)),
            ("hDxgGlobalAlloc", self.hex(owner and pointer + owner)), ("hDxgSharedResource", "0x0"),
            ("UsageVersion", "0"), ("UsageFlags", "0"), ("Format", "0"), ("BackingStoreWasPinned", self.boolean(False)),
            ("pSectionObject", "0x0"), ("PhysicalAdapterIndex", "0"), ("PageTableOrDirectory", self.boolean(False))])

    def noise(self):
        self.event(GUID, 178, 1, 1, [
            ("hContext", "0xFFFFFA800143FA80"), ("PacketType", "0"), ("SubmitSequence", self.decimal(self.time)),
            ("DmaBufferSize", "65536"), ("AllocationListSize", "17"), ("PatchLocationListSize", "0"), ("bPresent", "false"),
            ("hDmaBuffer", "0xFFFFFA8001430000"), ("pQueuePacket", "0xFFFFFA8001430080"), ("ProgressFenceValue", "0")])


def rundown(writer, adapter, made):
    """What the kernel made for itself, which may be wrong, and then all that is there."""
    wrong = {"Size": 0, "AllocationPriority": 0}
    for kind, (flags, device, owner) in enumerate([(0x48, 1, 1), (0x10000001, 1, 1), (1, 0, 1), (1, 1, 0)]):
        for event in 33, 34, 33, 35:
            writer.allocation(adapter, wrong, flags, 0xFFFFB0000 + kind * 64, event, device, owner)
    for one, flags, pointer in made:
        writer.allocation(adapter, dict(one, AllocationPriority=0), flags, pointer, 35)


def answers(calls, writer, adapter):
    """The events of each answer of a recording; the allocations that they made."""
    made = []
    for call in calls:
        out = call.get("out", {})
        segments = out.get("pSegmentDescriptor", out.get("pSegments"))
        if call.get("status") not in (0, "0x0", "0x00000000"):
            continue
        if isinstance(segments, list) and len(segments) > 0:
            for index, one in enumerate(segments):
                if "Flags" in one:
                    writer.segment(adapter, index + 1, one)
        created = "Alloc" in (call.get("ddi", "") + call.get("call", "")) or "ALLOCATION_CREATE" in call.get("call", "")
        infos = out.get("pAllocationInfo")
        if created and isinstance(infos, list):
            for one in infos:
                made.append((one, number(one.get("Flags", one.get("FlagsWddm2", 0))), 0xFFFFA0000 + writer.time * 64))
                writer.allocation(adapter, *made[-1])
    return made


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recording")
    parser.add_argument("--style", type=int, default=0)
    parser.add_argument("--lost", type=int, default=0)
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--between", type=int, default=0)
    parser.add_argument("--reused", action="store_true")
    parser.add_argument("--rundown", action="store_true")
    parser.add_argument("--size", type=int, default=0)
    parser.add_argument("--utf16", action="store_true")
    arguments = parser.parse_args()
    with open(arguments.recording, encoding="utf-8") as file:
        calls = [json.loads(line) for line in file if line.strip()]
    encoding = "utf-16" if arguments.utf16 else "utf-8"
    with open(1, "w", encoding=encoding, closefd=False) as out:
        writer = Writer(arguments.style, out)
        if arguments.utf16 or writer.plain or writer.draw.random() < 0.5:
            out.write(f'<?xml version="1.0" encoding="{encoding}"?>\n')
        out.write("<Events>\n")
        writer.header(arguments.lost)
        for index in range(arguments.repeat):
            adapter = 0xFFFFE00000001000 + (0 if arguments.between else index * 0x1000)
            if arguments.between and index:
                writer.event(GUID, arguments.between, 0, 0, [("pDxgAdapter", writer.hex(adapter))])
            made = answers(calls, writer, adapter)
            if arguments.reused:
                for event in 34, 35:
                    for one, flags, pointer in made:
                        writer.allocation(adapter, one, flags, pointer, event)
            if arguments.rundown:
                rundown(writer, adapter, made)
        while arguments.size and out.tell() < arguments.size:
            writer.allocation(0xFFFFE00000001000, {"Size": 65536, "AllocationPriority": 0x78000000}, 1, writer.time * 64)
            for _ in range(9):
                writer.noise()
        out.write("</Events>\n")
    return 0


sys.exit(main())
