#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Damages copies of run directories, drawn with a seed, and has the tool read them: it may neither
crash nor hang, and what it refuses it says in one clear error.

    damage.py TOOL SEED COUNT WORK WHOLE UNFINISHED PART...

WHOLE is a finished run, UNFINISHED one that was killed, and the PARTs are all parts of a run. For
each of COUNT damages one directory is copied, a file of it changed, and one of report, verify, merge
and run --resume is called. Prints the seed of each that fails, and what happened.
"""
import os
import random
import re
import shutil
import subprocess
import sys

TIMEOUT = 60
LOCATED = re.compile(r"^[^:]*(wddm-cts: )?[^:\n]+(/[a-z.]+|run\.json|records|batches)\b.*:", re.M)


def flip(draw, data):
    for _ in range(draw.choice([1, 1, 1, 2, 8])):
        if data:
            data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)


def cut(draw, data):
    del data[draw.randrange(len(data) + 1):]


def remove(draw, data):
    at = draw.randrange(len(data) + 1)
    del data[at:at + draw.choice([1, 7, 64, 4096])]


def insert(draw, data):
    at = draw.randrange(len(data) + 1)
    data[at:at] = draw.randbytes(draw.choice([1, 7, 64, 4096]))


def repeat(draw, data):
    at = draw.randrange(len(data) + 1)
    data[at:at] = data[at:at + draw.choice([16, 256, 4096])]


def line(draw, data):
    lines = bytes(data).split(b"\n")
    at = draw.randrange(len(lines))
    other = draw.randrange(len(lines))
    what = draw.randrange(3)
    if what == 0:
        del lines[at]
    elif what == 1:
        lines[at], lines[other] = lines[other], lines[at]
    else:
        lines.insert(other, lines[at])
    data[:] = b"\n".join(lines)


def number(draw, data):
    found = list(re.finditer(rb"\d+", data[:200000]))
    if found:
        one = draw.choice(found)
        value = draw.choice([b"0", b"-1", b"99999999999999999999", b"2147483648", b"1e999", b"null"])
        data[one.start():one.end()] = value


CHANGES = [flip, flip, flip, cut, cut, remove, insert, repeat, line, number]


def damage(draw, directory, other):
    """Changes one file, or puts another in its place; returns what was done."""
    names = sorted(n for n in os.listdir(directory) if os.path.isfile(os.path.join(directory, n)))
    name = draw.choice(names)
    path = os.path.join(directory, name)
    what = draw.randrange(20)
    if what == 0:
        os.unlink(path)
        return f"{name}: removed"
    if what == 1:
        twin = draw.choice([one for one in names if one != name])
        shutil.copy(os.path.join(directory, twin), path)
        return f"{name}: {twin} in its place"
    if what == 2 and os.path.isfile(os.path.join(other, name)):
        shutil.copy(os.path.join(other, name), path)
        return f"{name}: that of another run"
    if what == 3:
        os.unlink(path)
        draw.choice([os.mkdir, os.mkfifo])(path)
        return f"{name}: no file"
    with open(path, "rb") as file:
        data = bytearray(file.read())
    change = draw.choice(CHANGES)
    change(draw, data)
    with open(path, "wb") as file:
        file.write(data)
    return f"{name}: {change.__name__}"


def wrong_with(command, run):
    """What is wrong with how the tool ended; None: nothing."""
    if run.returncode not in (0, 1, 2, 3):
        return f"status {run.returncode}"
    if run.returncode == 2 and not run.stderr.strip() and "not ok" not in run.stdout:
        return "status 2 without an error"
    if run.returncode == 2 and command != "verify" and not LOCATED.search(run.stderr):
        return "no place in the error"
    if re.search(r"Sanitizer|runtime error|Assertion", run.stderr):
        return "found by a sanitizer"
    return None


def attempt(tool, draw, work, whole, unfinished, parts):
    here = os.path.join(work, "here")
    shutil.rmtree(here, ignore_errors=True)
    shutil.rmtree(os.path.join(work, "out"), ignore_errors=True)
    command = draw.choice(["report", "verify", "merge", "resume"])
    source = {"resume": unfinished, "merge": draw.choice(parts)}.get(
        command, draw.choice([whole, unfinished]))
    shutil.copytree(source, here)
    done = damage(draw, here, draw.choice([whole, unfinished] + parts))
    if command == "merge":
        others = [here if part == source else part for part in parts]
        words = ["merge", *others, "--out", os.path.join(work, "out"), "-q"]
        words += draw.choice([[], ["--partial"]])
    elif command == "resume":
        words = ["run", "--resume", here, "-q"]
    else:
        words = [command, here]
    try:
        run = subprocess.run([tool] + words, capture_output=True, timeout=TIMEOUT, check=False,
                             text=True, errors="replace", stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return f"{command}: {done}: hangs", None
    wrong = wrong_with(command, run)
    if wrong:
        wrong = f"{command}: {done}: {wrong}: {run.stderr[-300:]}"
    return wrong, (command, run.returncode)


def main():
    tool, seed, count, work, whole, unfinished = sys.argv[1:7]
    parts = sys.argv[7:]
    ends = {}
    failed = 0
    for i in range(int(count)):
        draw = random.Random(f"{seed} {i}")
        wrong, end = attempt(tool, draw, work, whole, unfinished, parts)
        if wrong:
            failed += 1
            print(f"seed {seed} {i}: {wrong}")
        if end:
            ends[end] = ends.get(end, 0) + 1
    for (command, status), number_of in sorted(ends.items()):
        print(f"{command} ended {number_of} times with {status}")
    print(f"{count} damages, {failed} wrong")
    sys.exit(failed != 0)


main()
