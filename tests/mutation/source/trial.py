# SPDX-License-Identifier: MIT
"""Compiles a mutant, alone, and runs the suite against it.

The changed file is compiled and linked with the other objects of the emulator into a plug-in. A
mutant that the compiler refuses, or makes the same object of, says nothing and is not counted.

It is killed when a run is not green, or lacks a case that the emulator as it is passes: a kernel
that refuses every allocation breaks no rule, but what it does not show it has not proven.
"""
import os
import re
import resource
import shutil
import signal
import subprocess
import threading
from dataclasses import dataclass

from .population import read_text

# Optimised, so that what makes no difference makes the same object; what was never written holds a
# pattern, so that leaving out an assignment is not left to chance.
FLAGS = ["-std=gnu11", "-O1", "-w", "-D_GNU_SOURCE", "-fPIC", "-ftrivial-auto-var-init=pattern",
         "-Werror=incompatible-pointer-types", "-Werror=int-conversion"]

# Takes the place of fault.h in what is compiled here: no fault is there to be switched on.
NO_FAULTS = """#pragma once
#include "wddm-cts.h"
#pragma GCC visibility push(hidden)
struct emu_fault_site { int none; };
extern struct emu_fault_state { const struct emu_fault_site *on; uint8_t *marks; } emu_fault_state;
const struct emu_fault_site *emu_fault_find(const char *id, size_t length);
#pragma GCC visibility pop
#define EMU_FAULT(id, good, bad) (good)
#define EMU_FAULT_DO(id, good, bad) (good)
#define EMU_FAULT_SITE(name, id, good, bad) static const struct emu_fault_site name
#define EMU_FAULT_AT(site, good, bad) (good)
"""

# A part of the standard suite that kills most comes first.
RUNS = ((",strict", "smoke"), (",strict", "standard"), ("", "standard"))
CASE_SECONDS = 3
MEMORY = 4 << 30

RED = {"fail", "crash", "timeout", "broken"}


class TrialError(Exception):
    """What keeps the emulator as it is from being compiled or from passing."""


@dataclass
class Outcome:
    """How a mutant fared; by names the case, or what else came of it."""
    verdict: str  # killed, survived, refused (by the compiler), same (object)
    by: str = ""


class Bench:
    """What all trials share: the sources, the objects, and a directory for each thread."""

    def __init__(self, tool, build, directory, include, scratch, limits):
        self.tool = os.path.abspath(tool)
        self.objects = os.path.join(os.path.abspath(build), os.path.basename(directory))
        self.directory = os.path.abspath(directory)
        self.include = os.path.abspath(include)
        self.scratch = scratch
        # Seconds until a run is stopped and asked what it has found so far; when that is nothing,
        # it is run once more, and longer.
        self.limits = limits
        self.compiler = os.environ.get("CC", "gcc").split()
        self.originals = {}
        self.lock = threading.Lock()
        self.original_lock = threading.Lock()
        self.local = threading.local()
        self.dependents = self.read_dependents()
        self.passed = {}

    def read_dependents(self):
        """The .c files that are made of each file."""
        users = {}
        for name in sorted(os.listdir(self.directory)):
            if not name.endswith(".c"):
                continue
            users.setdefault(name, set()).add(name)
            path = os.path.join(self.objects, name[:-2] + ".d")
            try:
                words = read_text(path).replace("\\\n", " ").split()
            except OSError as error:
                raise TrialError(f"{path}:1: {error.strerror}: build the emulator first") from error
            for word in words:
                if word.endswith(".h") and os.path.basename(os.path.dirname(word)) == \
                        os.path.basename(self.directory):
                    users.setdefault(os.path.basename(word), set()).add(name)
        return users

    def place(self):
        """The thread's directory, with its copy of the sources."""
        if not hasattr(self.local, "place"):
            self.local.place = os.path.join(self.scratch, f"worker-{threading.get_ident()}")
            shutil.copytree(self.directory, os.path.join(self.local.place, "source"),
                            ignore=lambda _, names: [n for n in names if not
                                                     re.search(r"\.[ch]$", n)])
            if os.path.exists(os.path.join(self.directory, "fault.h")):
                write_text(os.path.join(self.local.place, "source", "fault.h"), NO_FAULTS)
        return self.local.place

    def compile(self, name, output):
        """Compiles a file of the thread's copy. Returns what the compiler said, or None."""
        done = subprocess.run([*self.compiler, *FLAGS, "-I" + self.include, "-c", "-o", output,
                               "source/" + name], cwd=self.place(), capture_output=True, text=True,
                              check=False)
        return None if done.returncode == 0 else done.stderr

    def original(self, name):
        """The object of a file as it is."""
        with self.lock:
            if name not in self.originals:
                output = os.path.join(self.scratch, name + ".original.o")
                said = self.compile(name, output)
                if said is not None:
                    raise TrialError(said)
                with open(output, "rb") as file:
                    self.originals[name] = file.read()
            return self.originals[name]

    def users(self, mutant, text):
        """The .c files that a mutant may change: of a name that a header alone gives a value to,
        those that use it."""
        names = sorted(self.dependents.get(mutant.file, ()))
        start = text.rfind("\n", 0, mutant.start) + 1
        defined = re.match(r"\s*(?:#define )?(\w+)(?: =|\b)", text[start:mutant.start])
        if mutant.file.endswith(".c") or not defined:
            return names
        word = re.compile(r"\b%s\b" % defined.group(1))
        texts = {name: read_text(os.path.join(self.directory, name))
                 for name in os.listdir(self.directory) if name.endswith((".c", ".h"))}
        if sum(len(word.findall(t)) for n, t in texts.items() if n.endswith(".h")) > 1:
            return names
        return [name for name in names if word.search(texts[name])]

    # ---- one mutant ----

    def build(self, mutant):
        """Compiles what a mutant changes. Returns an Outcome when it is not worth a run, else the
        objects: {name of the .c file: bytes}, the caller's."""
        path = os.path.join(self.place(), "source", mutant.file)
        text = read_text(path)
        names = self.users(mutant, text)
        for name in names:
            self.original(name)
        output = os.path.join(self.place(), "mutant.o")
        changed = {}
        write_text(path, mutant.apply(text))
        try:
            for name in names:
                if self.compile(name, output) is not None:
                    return Outcome("refused")
                with open(output, "rb") as file:
                    changed[name] = file.read()
        finally:
            write_text(path, text)
        changed = {n: o for n, o in changed.items() if o != self.original(n)}
        return changed or Outcome("same")

    def link(self, changed, plugin):
        """Makes a plug-in of changed objects and the others as they are."""
        place = self.place()
        paths = []
        for name in sorted(os.listdir(self.directory)):
            if not name.endswith(".c"):
                continue
            path = os.path.join(self.objects, name[:-2] + ".o")
            if name in changed:
                path = os.path.join(place, name[:-2] + ".o")
                with open(path, "wb") as file:
                    file.write(changed[name])
            paths.append(path)
        done = subprocess.run([*self.compiler, "-shared", "-o", plugin, *paths],
                              capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise TrialError(done.stderr)

    def run(self, changed, keep=None):
        """Runs the suite against a mutant. keep: where its plug-in is to stay."""
        plugin = keep or os.path.join(self.place(), "mutant.so")
        self.link(changed, plugin)
        for options, suite in RUNS:
            self.run_original(options, suite)
            red = None
            for limit in self.limits:
                red = self.run_suite(plugin, options, suite, limit) if red is None else red
            if red is None:
                red = f"(no end after {self.limits[-1]} s)"
            if red:
                return Outcome("killed", red)
        return Outcome("survived")

    def run_suite(self, implementation, options, suite, limit):
        """Returns the first case that is not as it is to be, "" when all are, None when there was
        none when time was up."""
        out = os.path.join(self.place(), "out")
        shutil.rmtree(out, ignore_errors=True)
        with subprocess.Popen(
                [self.tool, "run", "-q", "-j", "1", "--impl", implementation + options, "--level",
                 "strict", "--suite", suite, "--timeout", str(CASE_SECONDS), "--out", out,
                 "--fail-fast", "--no-records", "--no-backtrace"],
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                env={**os.environ, "MALLOC_PERTURB_": "165"}, preexec_fn=limit_memory) as process:
            late = False
            try:
                said = process.communicate(timeout=limit)[1]
            except subprocess.TimeoutExpired:
                late = True
                process.send_signal(signal.SIGTERM)
                said = process.communicate()[1]
        if process.returncode == 2:
            raise TrialError(said)
        verdicts = read_verdicts(os.path.join(out, "verdicts.txt"))
        red = next((case for case, verdict in verdicts.items() if verdict in RED), "")
        if red or late:
            return red or None
        passed = {case for case, verdict in verdicts.items() if verdict == "pass"}
        lost = self.passed.setdefault((options, suite), passed) - passed
        if lost:
            return f"{min(lost)} ({verdicts.get(min(lost), 'missing')})"
        return "" if process.returncode == 0 else f"(exit {process.returncode}) {said.strip()}"

    def run_original(self, options, suite):
        """Runs a suite against the emulator as it is, when no mutant has come to it yet: what it
        passes is to be passed. Raises TrialError when it fails."""
        with self.original_lock:
            if (options, suite) in self.passed:
                return
            plugin = os.path.join(self.place(), "original.so")
            self.link({}, plugin)
            found = self.run_suite(plugin, options, suite, self.limits[-1])
            if found != "":
                self.passed.pop((options, suite), None)
                raise TrialError(f"{self.directory} as it is does not pass, see {found or 'time'}")


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def read_verdicts(path):
    """The verdict of each case that was run."""
    try:
        with open(path, encoding="utf-8") as file:
            lines = [line.split("\t") for line in file]
    except OSError:
        return {}
    return {line[1]: line[0] for line in lines}


def write_text(path, text):
    with open(path, "w", encoding="latin-1", newline="") as file:
        file.write(text)
