# SPDX-License-Identifier: MIT
"""The list of survivors that are explained: docs/internal/mutants.md.

The reason is a paragraph; the mutants that it holds for follow as a list, one on a line, as a
survivor is printed:

    - `1f2e3d4c` kernel_va.c, `choose_range`: `space, [swap within, size] , range`
"""
import re
from dataclasses import dataclass

from .population import name_of

ENTRY = re.compile(r"^- `([0-9a-f]{8})` ([\w.]+), `(\w+)`: `([^`]+)`$")


class ListingError(Exception):
    """What is wrong with the list; the text is file:line: message."""


@dataclass(frozen=True)
class Entry:
    """A survivor of the list."""
    id: str
    file: str
    line: int
    text: str


def entry_of(mutant):
    """A mutant as it stands in the list."""
    return f"- `{mutant.id}` {mutant.file}, `{mutant.function}`: `{mutant.change}`"


def read_listing(path):
    """The entries of the list by their id. Raises ListingError."""
    entries, reason = {}, False
    try:
        with open(path, encoding="utf-8") as file:
            lines = file.read().split("\n")
    except (OSError, UnicodeError) as error:
        raise ListingError(f"{path}:1: cannot be read: {error}") from error
    for number, text in enumerate(lines, 1):
        if text.startswith("#"):
            reason = False
        elif text and not text.startswith("- "):
            reason = True
        elif text:
            entry = read_entry(f"{path}:{number}", number, text)
            if not reason:
                raise ListingError(f"{path}:{number}: a mutant without a reason above it")
            other = entries.setdefault(entry.id, entry)
            if other is not entry:
                raise ListingError(f"{path}:{number}: stands in line {other.line} already")
    return entries


def read_entry(place, number, text):
    match = ENTRY.match(text)
    if not match:
        raise ListingError(f"{place}: found {text!r}, expected - `ID` FILE, `FUNCTION`: `CHANGE`")
    found, expected = match.group(1), name_of(*match.groups()[1:])
    if found != expected:
        raise ListingError(f"{place}: found the id {found}, expected {expected} for this change")
    return Entry(found, match.group(2), number, text)
