#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a death of the implementation costs: the emulator's kernel crashes in about 1 % of the cases,
and each of these is attributed to it. The processor time that this takes beside a run without, for
each crash, is at most MOST times that of a fork of a process as large as the runner, and waiting for
it. Of several rounds the cheapest counts, and no time in which a busy machine did something else.

    deaths.py BUILD
"""
import mmap
import os
import resource
import subprocess
import sys
import tempfile

MOST = 10
ROUNDS = 3
FORKS = 200
RESIDENT = 20 << 20  # what a runner has, in pages of its own
PART = 30  # one in so many creating calls, by what they ask for
CASES = "^(CAF|AIN|UVA)-.*/(accept|refuse|combination)"


def spent():
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def run(build, part, directory):
    """Seconds, and the cases by verdict."""
    plugin = f"{build}/plugins/hang_some.so,crash=1,part={part},emulator={build}/emulator.so"
    start = spent()
    subprocess.run([f"{build}/wddm-cts", "run", "-q", "-j", "1", "--all-deaths", "--no-backtrace", "--filter", CASES,
                    "--impl", plugin, "--out", directory], stdout=subprocess.DEVNULL, check=False)
    seconds = spent() - start
    with open(f"{directory}/verdicts.txt", encoding="utf-8") as file:
        verdicts = [line.split("\t")[0] for line in file]
    return seconds, {verdict: verdicts.count(verdict) for verdict in set(verdicts)}


def fork_and_wait():
    memory = mmap.mmap(-1, RESIDENT, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    memory.madvise(mmap.MADV_NOHUGEPAGE)
    for at in range(0, RESIDENT, mmap.PAGESIZE):
        memory[at] = 1
    start = spent()
    for _ in range(FORKS):
        child = os.fork()
        if child == 0:
            os._exit(0)
        os.waitpid(child, 0)
    return (spent() - start) / FORKS


def main():
    build = sys.argv[1]
    with tempfile.TemporaryDirectory() as work:
        rounds = [(run(build, 0, f"{work}/whole"), run(build, PART, f"{work}/dying"), fork_and_wait())
                  for _ in range(ROUNDS)]
    whole, dying = rounds[0][0][1], rounds[0][1][1]
    cases, crashes = sum(whole.values()), dying.get("crash", 0)
    fork = min(one[2] for one in rounds)
    each = (min(one[1][0] for one in rounds) - min(one[0][0] for one in rounds)) / max(crashes, 1)
    print(f"{crashes} crashes in {cases} cases: {each * 1e3:.2f} ms each, a fork and wait {fork * 1e3:.2f} ms: "
          f"{each / fork:.1f} of it; expected at most {MOST}")
    attributed = set(whole) == {"pass"} and set(dying) == {"pass", "crash"} and sum(dying.values()) == cases
    if not attributed:
        print(f"the cases ended otherwise: {whole}, {dying}")
    sys.exit(not attributed or crashes * 200 < cases or each > MOST * fork)


main()
