#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares two run directories byte for byte, but for times, what says how each was made, how its
records are packed (verify judges those), and what failures depend on in the processes in which they
were seen. Prints what differs; the exit status is 1 then.

    same.py A B
"""
import json
import os
import re
import sys

HOW = ("started", "seconds", "digests", "command_line", "options", "options_checksum", "merged", "order")


def read(directory, name):
    with open(os.path.join(directory, name), "rb") as file:
        return file.read()


def without_times(journal):
    return re.sub(rb'"seconds":[^,}]*', b'"seconds":0', journal)


def tree(directory):
    return sorted(
        os.path.relpath(os.path.join(at, name), directory)
        for at, _, names in os.walk(directory)
        for name in names
        if os.path.basename(at) != "output"
    )


def main():
    a, b = sys.argv[1:3]
    wrong = []
    if tree(a) != tree(b):
        wrong.append(f"files: {tree(a)}, {tree(b)}")
    for name in set(tree(a)) & set(tree(b)) - {"run.json", "records", "journal.jsonl"}:
        if read(a, name) != read(b, name):
            wrong.append(name)
    left = without_times(read(a, "journal.jsonl")).split(b"\n")
    right = without_times(read(b, "journal.jsonl")).split(b"\n")
    if len(left) != len(right):
        wrong.append(f"journal.jsonl: {len(left) - 1} and {len(right) - 1} entries")
    for one, other in zip(left, right):
        if one != other:
            wrong.append(f"journal.jsonl: {one.decode()}\n{other.decode()}")
            break
    left, right = json.loads(read(a, "run.json")), json.loads(read(b, "run.json"))
    for cause in left.get("causes", []) + right.get("causes", []):
        cause.pop("order", None)
        cause.pop("reproduce", None)
    for key in sorted(set(left) | set(right)):
        if key not in HOW and left.get(key) != right.get(key):
            wrong.append(f"run.json: {key}: {left.get(key)}, {right.get(key)}")
    for text in wrong:
        print(text[:600])
    sys.exit(bool(wrong))


main()
