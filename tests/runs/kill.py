#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the tool, ends it with SIGKILL when its journals (the one in reached/, too) have reached a
size, and goes on, again and again. The sizes are drawn with a seed, so a failure can be had again.

    kill.py TOOL DIR SEED KILLS BYTES OPTION...

Makes a run in DIR; BYTES is the size that they will have. What the tool prints goes to
DIR.log. The exit status is that of the last run, or 99 when fewer kills were made than asked for.
"""
import os
import random
import signal
import subprocess
import sys
import time


def size_of(path):
    try:
        return os.stat(path).st_size
    except FileNotFoundError:
        return 0


def wait_for(process, paths, size):
    """True when the files have the size; False when the process has ended."""
    while process.poll() is None:
        if sum(size_of(path) for path in paths) >= size:
            return True
        time.sleep(0.001)
    return False


def main():
    tool, directory, seed, kills, total = sys.argv[1:6]
    draw = random.Random(int(seed))
    sizes = sorted(draw.randrange(int(total)) for _ in range(int(kills)))
    journals = [os.path.join(directory, at, "journal.jsonl") for at in ("", "reached")]
    command = [tool, "run", "--out", directory] + sys.argv[6:]
    made = 0
    with open(directory + ".log", "w", encoding="utf-8") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
        for size in sizes:
            if not wait_for(process, journals, size):
                break
            process.send_signal(signal.SIGKILL)
            process.wait()
            made += 1
            process = subprocess.Popen([tool, "run", "--resume", directory], stdout=log, stderr=log)
        status = process.wait()
    print(f"{made} kills, then status {status}")
    sys.exit(status if made == len(sizes) else 99)


main()
