# SPDX-License-Identifier: MIT
"""Mutates the source of the emulator, and runs the suite against each mutant.

Draws mutants by a seed, compiles each into a plug-in and runs the standard suite against it. A
mutant is killed when a run is not green, or lacks what the emulator as it is passes. A survivor is
a case that is missing, or stands in the list with the reason why no document forbids it. With
--sample the survivors without a reason are shown, and fail when they are too many; else each of
them fails. What is listed and killed, or listed and no mutant, fails always, so that the list
stays true.

Exit code: 0 all is well, 1 not, 2 wrong usage, or a file that cannot be read.
"""
import argparse
import difflib
import hashlib
import os
import shutil
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from source.listing import ListingError, entry_of, read_listing
from source.population import SourceError, read_population, read_text
from source.trial import RUNS, Bench, Outcome, TrialError


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0], allow_abbrev=False)
    parser.add_argument("--tool", default="build/default/wddm-cts")
    parser.add_argument("--build", default="build/default", help="where emulator/*.o are")
    parser.add_argument("--source", default="emulator", help="what is mutated")
    parser.add_argument("--include", default="include")
    parser.add_argument("--listed", default="docs/internal/mutants.md", help="survivors that have a reason")
    parser.add_argument("--keep", default="build/mutants-source", help="where --mutant puts them")
    parser.add_argument("--count", type=positive, default=400, help="how many (default: 400)")
    parser.add_argument("--seed", default="1", help="a text (default: 1)")
    parser.add_argument("--where", choices=("cited", "all"), default="cited",
                        help="code that names or quotes a document (default), or all")
    parser.add_argument("--require", type=positive, default=90, help="per cent (default: 90)")
    parser.add_argument("--sample", action="store_true",
                        help="survivors without a reason are shown, and the share counts")
    parser.add_argument("--limits", type=positive, nargs=2, default=(20, 300),
                        help="seconds that a run may take, and when it found nothing (20 300)")
    parser.add_argument("--mutant", action="append", help="this one alone, and what it is")
    parser.add_argument("--list", action="store_true", help="print the mutants, and run none")
    parser.add_argument("--check", action="store_true",
                        help="look whether what is listed is a mutant still, and run none")
    parser.add_argument("-j", "--jobs", type=positive, default=os.cpu_count())
    return parser.parse_args()


def positive(text):
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def main():
    arguments = read_arguments()
    scratch = tempfile.mkdtemp(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
    try:
        flags = ["-std=gnu11", "-D_GNU_SOURCE", "-I" + arguments.include]
        listed = read_listing(arguments.listed)
        if arguments.check:
            return check(arguments, flags, listed)
        population = read_population(arguments.source, flags, arguments.jobs)
        if arguments.list:
            return print_population(arguments, population)
        bench = Bench(arguments.tool, arguments.build, arguments.source, arguments.include,
                      scratch, arguments.limits)
        bench.run_original(*RUNS[0])
        if arguments.mutant:
            return show_mutants(arguments, bench, population)
        return judge(arguments, population, listed,
                     try_mutants(arguments, bench, draw(arguments, population)))
    except (SourceError, ListingError, TrialError) as error:
        print(error, file=sys.stderr)
        return 2
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def draw(arguments, population):
    """The mutants to draw from, in the order in which they are drawn."""
    chosen = [m for m in population if m.cited or arguments.where == "all"]
    return sorted(chosen, key=lambda m: hashlib.sha256(
        f"{arguments.seed}:{m.id}".encode()).digest())


def print_population(arguments, population):
    for mutant in population:
        if mutant.cited or arguments.where == "all":
            print(f"{os.path.join(arguments.source, mutant.file)}:{mutant.line}: {mutant.kind}" +
                  ", cited" * mutant.cited)
            print(entry_of(mutant))
    return 0


def check(arguments, flags, listed):
    """Says what is listed and no mutant, from the files that are named alone. Returns the exit code."""
    named = {entry.file for entry in listed.values()}
    known = {m.id for m in read_population(arguments.source, flags, arguments.jobs, named)}
    gone = absent(arguments, listed, known)
    for text in gone:
        print(text)
    return 1 if gone else 0


def absent(arguments, listed, known):
    """What to say of each entry whose mutant is none of the known."""
    return [f"{arguments.listed}:{entry.line}: there is no such mutant in {arguments.source}/: "
            f"{entry.text}" for entry in listed.values() if entry.id not in known]


# ---- trying ----

def try_mutants(arguments, bench, order):
    """Tries as many as are asked for of those that make a difference. Returns [(mutant, outcome)],
    in the order of the draw."""
    tried, missing = [], arguments.count
    with ThreadPoolExecutor(arguments.jobs) as pool:
        while order and missing > 0:
            now, order = order[:missing], order[missing:]
            built = list(pool.map(bench.build, now))
            ready = [(m, b) for m, b in zip(now, built) if not isinstance(b, Outcome)]
            tried += zip((m for m, _ in ready), pool.map(bench.run, (b for _, b in ready)))
            missing -= len(ready)
    return tried


def judge(arguments, population, listed, tried):
    """Says what came of it. Returns the exit code."""
    known = {mutant.id for mutant in population}
    killed = explained = 0
    open_ones, wrong = [], absent(arguments, listed, known)
    for mutant, outcome in tried:
        entry = listed.get(mutant.id)
        if outcome.verdict == "killed":
            killed += 1
            if entry:
                wrong.append(f"{arguments.listed}:{entry.line}: is killed after all, by "
                             f"{outcome.by}: {entry.text}")
        elif entry:
            explained += 1
        else:
            open_ones.append(mutant)
    for text in wrong:
        print(text)
    for mutant in open_ones:
        print(f"{os.path.join(arguments.source, mutant.file)}:{mutant.line}: survived, and "
              f"{arguments.listed} has no reason:\n{entry_of(mutant)}\n"
              f"    make mutation-source MUTANT={mutant.id}")
    return conclude(arguments, len(tried), killed, explained, len(open_ones), len(wrong))


def conclude(arguments, tried, killed, explained, unexplained, wrong):
    share = 100 * (killed + (explained if arguments.sample else 0)) / tried if tried else 0
    enough = share >= arguments.require
    print(f"{tried} mutants, seed {arguments.seed}: {killed} killed, {explained} survived with a "
          f"reason, {unexplained} without")
    print(f"{share:.1f} % killed{' or explained' if arguments.sample else ''}, "
          f"{arguments.require} % required")
    return 0 if enough and not wrong and (arguments.sample or not unexplained) else 1


# ---- one mutant ----

def show_mutants(arguments, bench, population):
    """Tries the mutants that were asked for, and shows what each is and how to run it."""
    known = {mutant.id: mutant for mutant in population}
    for wanted in arguments.mutant:
        if wanted not in known:
            print(f"--mutant: found {wanted!r}, expected the id of a mutant", file=sys.stderr)
            return 2
    return max(show_mutant(arguments, bench, known[wanted]) for wanted in arguments.mutant)


def show_mutant(arguments, bench, mutant):
    path = os.path.join(arguments.source, mutant.file)
    text = read_text(path)
    sys.stdout.writelines(difflib.unified_diff(
        text.splitlines(True), mutant.apply(text).splitlines(True), path, path + " (mutant)"))
    built = bench.build(mutant)
    if isinstance(built, Outcome):
        print(f"{path}:{mutant.line}: " + ("the compiler refuses it" if built.verdict == "refused"
                                           else "the compiler makes the same of it"))
        return 0
    os.makedirs(arguments.keep, exist_ok=True)
    plugin = os.path.join(arguments.keep, mutant.id + ".so")
    outcome = bench.run(built, os.path.abspath(plugin))
    print(f"{path}:{mutant.line}: {outcome.verdict}{' by ' * bool(outcome.by)}{outcome.by}")
    print(entry_of(mutant))
    for options, suite in RUNS:
        print(f"    {arguments.tool} run --impl {plugin}{options} --level strict --suite {suite}")
    return 0 if outcome.verdict == "killed" else 1


if __name__ == "__main__":
    sys.exit(main())
