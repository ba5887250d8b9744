#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Finds the programs that shell scripts and the Makefile's recipes call, and prints each as
"PROGRAM FILE:LINE" where it is called first. Arguments: files; a Makefile is known by its name.

It reads the text, so that a program in a branch that this machine never takes is found as well.
What a variable names ("$tool run") is not found, and what the scripts define themselves is left
out."""
import re
import sys

KEYWORDS = set("if then else elif fi do done while until for case esac in ! { } time".split())
BUILTINS = set(
    """. : [ alias bg break cd command continue echo eval exec exit export false fg getopts hash
    jobs kill let local mapfile printf pwd read return set shift shopt source test times trap true
    type ulimit umask unset wait declare""".split()
)
# Commands that call another: how many words stand before that one, options not counted.
CALLERS = {
    "env": 0, "exec": 0, "xargs": 0, "nice": 0, "sudo": 0, "setsid": 0, "command": 0,
    "timeout": 1, "chroot": 1, "ok": 1, "status": 1, "check": 1, "unshare": 0, "nohup": 0,
}
# Options of these that take the next word.
TAKES_WORD = {"-n", "-P", "-s", "-k", "-u", "-I", "-E"}
WORD_END = " \t\n;&|()<>"


class Reader:
    """One file's text. found: {program: line} in the order of the calls."""

    def __init__(self, text, first_line=1):
        self.text, self.at, self.line = text, 0, first_line
        self.found, self.defined = {}, set()
        self.heredocs = []

    def peek(self, count=1):
        return self.text[self.at:self.at + count]

    def skip(self, count=1):
        self.line += self.text.count("\n", self.at, self.at + count)
        self.at += count

    def quoted(self, end):
        """Reads to the closing quote; commands in "$(...)" are read as such."""
        self.skip()
        while self.at < len(self.text) and self.peek() != end:
            if end == "'":
                self.skip()
            elif self.peek() == "\\":
                self.skip(2)
            elif self.peek(2) == "$(" and self.peek(3) != "$((":
                self.skip(2)
                self.commands(True)
            elif self.peek() == "`" and end != "`":
                self.skip()
            else:
                self.skip()
        self.skip()

    def word(self):
        """The next word with what is quoted or substituted in it replaced by "?"."""
        word = ""
        while self.at < len(self.text) and self.peek() not in WORD_END:
            one = self.peek()
            if one in "'\"":
                begin = self.at + 1
                self.quoted(one)
                inner = self.text[begin:self.at - 1]
                word += inner if re.fullmatch(r"[\w.+-]*", inner) else "?"
            elif self.peek(3) == "$((":
                end = self.text.find("))", self.at)
                self.skip((end if end >= 0 else len(self.text)) + 2 - self.at)
                word += "?"
            elif self.peek(2) == "$(":
                self.skip(2)
                self.commands(True)
                word += "?"
            elif self.peek(2) == "${":
                depth = 0
                while self.at < len(self.text):
                    depth += {"{": 1, "}": -1}.get(self.peek(), 0)
                    self.skip()
                    if depth == 0:
                        break
                word += "?"
            elif one == "\\":
                word += "" if self.peek(2) == "\\\n" else self.peek(2)[1:]
                self.skip(2)
            else:
                word += one if one != "$" else "?"
                self.skip()
        return word

    def redirection(self):
        operator = re.match(r"<<-?|[<>]+&?|>\|", self.text[self.at:]).group()
        self.skip(len(operator))
        if self.peek() == "(":  # <(command)
            self.skip()
            self.commands(True)
            return
        while self.peek() in " \t" and self.peek():
            self.skip()
        target = self.word()
        if operator.startswith("<<") and not operator.startswith("<<<"):
            self.heredocs.append(target)

    def end_of_line(self):
        self.skip()
        for mark in self.heredocs:
            while self.at < len(self.text):
                end = self.text.find("\n", self.at)
                end = len(self.text) if end < 0 else end
                line = self.text[self.at:end]
                self.skip(end + 1 - self.at)
                if line.strip("\t") == mark:
                    break
        self.heredocs = []

    def commands(self, nested=False):
        """Reads commands to the end, or to the parenthesis that closes them."""
        begins, skipping, cases, pending = True, 0, 0, []
        depth = 0
        while self.at < len(self.text):
            one = self.peek()
            if one in " \t" or self.peek(2) == "\\\n":
                self.skip(1 if one in " \t" else 2)
            elif one == "#":
                while self.at < len(self.text) and self.peek() != "\n":
                    self.skip()
            elif one == ")":
                self.skip()
                if depth > 0:
                    depth -= 1
                elif cases > 0:
                    pending = []  # they were patterns
                    begins, skipping = True, 0
                    continue
                elif nested:
                    break
                begins = False
            elif one in "<>":
                self.redirection()
            elif one in "\n;&|(":
                if one == "(":
                    depth += 1
                if self.peek(2) in (";;", ";&"):
                    self.keep(pending)
                    pending = []
                    self.skip(1)
                if one == "\n":
                    self.end_of_line()
                else:
                    self.skip()
                begins, skipping = True, 0
            else:
                line, word = self.line, self.word()
                if self.peek(2) == "()":
                    self.defined.add(word)
                    self.skip(2)
                    continue
                if not begins:
                    cases += word == "in" and self.case_opens
                    if word == "in" and self.case_opens:
                        begins, self.case_opens = True, False
                    continue
                if skipping and (word.startswith("-") or skipping < 0):
                    skipping = abs(skipping) if skipping < 0 else skipping
                    if word in TAKES_WORD:
                        skipping = -skipping
                    continue
                if skipping > 1:
                    skipping -= 1
                    continue
                if re.match(r"[A-Za-z_]\w*=", word) or (skipping and "=" in word):
                    continue
                if word in KEYWORDS:
                    cases -= word == "esac" and cases > 0
                    self.case_opens = word == "case"
                    if self.case_opens:
                        self.keep(pending)
                        pending = []
                    begins = word not in ("for", "case")
                    continue
                pending.append((word, line))
                begins, skipping = False, 0
                if word in CALLERS and word not in self.defined:
                    begins, skipping = True, CALLERS[word] + 1
        self.keep(pending)

    case_opens = False

    def keep(self, words):
        for word, line in words:
            if re.fullmatch(r"[A-Za-z][\w.+-]*", word) and word not in BUILTINS:
                self.found.setdefault(word, line)


def recipes(text):
    """The recipes of a Makefile, with make's own taken out; lines keep their numbers."""
    lines = []
    carried = variable = False  # the line before ends with a backslash: in a recipe, elsewhere
    for line in text.split("\n"):
        if carried or (line.startswith("\t") and not variable):
            carried = line.endswith("\\")
            line = re.sub(r"^\t?[@-]?", "", line)
            line = re.sub(r"\$\(if \$\(Q\),@(.*)\)$", r"\1", line)
            line = re.sub(r"^\$\(Q\)", "", line).replace("$(MAKE)", "make").replace("$$", "$")
            while re.search(r"\$\([^()]*\)", line):
                line = re.sub(r"\$\([^()]*\)", "?", line)
            lines.append(line)
        else:
            lines.append("")
            carried = False
            variable = line.endswith("\\")
    return "\n".join(lines)


def main(files):
    readers = []
    for name in files:
        with open(name, encoding="utf-8") as file:
            text = file.read()
        reader = Reader(recipes(text) if name.endswith("Makefile") else text)
        reader.commands()
        readers.append((name, reader))
    defined = set().union(*(reader.defined for _, reader in readers))
    seen = {}
    for name, reader in readers:
        for word, line in reader.found.items():
            if word not in defined:
                seen.setdefault(word, f"{name}:{line}")
    for word in sorted(seen):
        print(word, seen[word])


main(sys.argv[1:])
