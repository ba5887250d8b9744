# SPDX-License-Identifier: MIT
"""The mutants of a directory of C files: what can be changed, where, and how each is called.

A mutant changes one token, one expression or one statement of one file:

    relation   a relational operator becomes its neighbour or its opposite
    logic      && and || become each other, a ! is dropped, a condition is turned into its opposite
    constant   a number becomes the next one up or down
    statement  a statement, or an if with all that it guards, is dropped
    call       the value of a call becomes 0
    swap       two neighbouring arguments of a call change places

Its name is made of the file, the function and the tokens around the change, so that it outlives
lines that move. What stands in the last argument of EMU_FAULT(..., good, bad) is a fault already
and is not mutated, nor is that of EMU_CHOICE(..., usual, other), which nothing turns red; the
macro itself does not show in a name.

A mutant is cited when it lies in code that says what it implements: in the statement, the table or
the short function that follows a comment in which a document is named or quoted, or that speaks
of advice. What stands above a longer function says what all of it is for. The tables of MADE_UP
are cited, too, but describe a hardware that nobody has: there is no wrong number in them. What
ENTRY quotes is the plug-in header. A comment that says "no duty" is about a choice of the
emulator's, in which there is nothing wrong either.
"""
import bisect
import hashlib
import os
import re
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

from clang import cindex
from clang.cindex import CursorKind, TokenKind, TypeKind

MADE_UP = {"emu_segments", "emu_kinds", "standard_kinds"}
ENTRY = "plugin.c"

# Tokens on each side of a change that its name holds, and of a dropped statement.
AROUND = 5
STATEMENT_TOKENS = 16
# Lines of a function that a comment above it is about.
SHORT = 11

RELATIONS = {
    "<": ("<=", ">="),
    "<=": ("<", ">"),
    ">": (">=", "<="),
    ">=": (">", "<"),
    "==": ("!=",),
    "!=": ("==",),
}
LOGIC = {"&&": "||", "||": "&&"}

INTEGER = re.compile(r"^(0[xX][0-9a-fA-F]+|[0-9]+)([uUlL]*)$")
COMMENT = re.compile(r"/\*.*?\*/", re.S)
NO_DUTY = re.compile(r"\bno[\s*]+duty\b")
CITATION = re.compile(r'\b[Dd]ocument \d|"\w[^"]* [^"]*"|\badvice\b')
FAULT = re.compile(r"\bEMU_(?:FAULT|CHOICE)[A-Z_]*\s*\(")

INTEGERS = {
    TypeKind.BOOL, TypeKind.CHAR_U, TypeKind.UCHAR, TypeKind.USHORT, TypeKind.UINT,
    TypeKind.ULONG, TypeKind.ULONGLONG, TypeKind.CHAR_S, TypeKind.SCHAR, TypeKind.SHORT,
    TypeKind.INT, TypeKind.LONG, TypeKind.LONGLONG, TypeKind.ENUM,
}

STATEMENTS = {
    CursorKind.CALL_EXPR, CursorKind.BINARY_OPERATOR,
    CursorKind.COMPOUND_ASSIGNMENT_OPERATOR, CursorKind.UNARY_OPERATOR,
    CursorKind.BREAK_STMT, CursorKind.CONTINUE_STMT,
}
BODIES = {CursorKind.FOR_STMT, CursorKind.WHILE_STMT, CursorKind.DO_STMT}


class SourceError(Exception):
    """A file that cannot be read or parsed; the text is file:line: message."""


@dataclass(frozen=True)
class Mutant:
    """One change; start and end are offsets into the file's text."""
    id: str
    kind: str
    file: str       # its name within the directory
    line: int       # of start, from 1
    function: str   # or the object, enumeration or macro
    change: str     # what it is, between its neighbours
    start: int
    end: int
    new: str
    cited: bool

    def apply(self, text):
        """The file's text with the change in it; no line moves."""
        lines = text.count("\n", self.start, self.end) - self.new.count("\n")
        return text[:self.start] + self.new + "\n" * lines + text[self.end:]


def name_of(file, function, change):
    """The id of a mutant: what docs/internal/mutants.md says of it decides it."""
    change = re.sub(r"\s", "", change)
    return hashlib.sha256(f"{file}\n{function}\n{change}".encode()).hexdigest()[:8]


def read_text(path):
    """A file with a character for each byte, so that offsets are the compiler's."""
    with open(path, encoding="latin-1", newline="") as file:
        return file.read()


# ---- faults and choices that stand in the source ----

def arguments_of(text, start):
    """Splits the arguments of a macro that is called at start, behind the parenthesis. Returns
    (start, end) of each; the end of the last is the closing parenthesis."""
    spans, depth, at = [], 0, start
    for match in re.finditer(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|/\*.*?\*/|[(){}\[\],]',
                             text[start:], re.S):
        token = match.group()
        where = start + match.start()
        if token in "([{":
            depth += 1
        elif token in ")]}" and depth > 0:
            depth -= 1
        elif token in ",)" and depth == 0:
            spans.append((at, where))
            at = where + 1
            if token == ")":
                return spans
    return []


def without_faults(text):
    """The text with each EMU_FAULT(..., good, bad) as (good), and EMU_CHOICE(..., usual, other) as
    (usual), at the same offsets. Returns it and the offsets of the parentheses that are left of the macros."""
    brackets = set()
    at = 0
    while match := FAULT.search(text, at):
        at = match.end()
        defined = re.search(r"#\s*define\s+$", text[:match.start()])
        spans = arguments_of(text, match.end())
        if defined or len(spans) < 3:
            continue
        if match.group().startswith("EMU_FAULT_SITE"):
            name = text[spans[0][0]:spans[0][1]].strip()
            declared = f"extern const struct emu_fault_site {name}"
            blank = re.sub(r"[^\n]", " ", text[match.start():spans[-1][1] + 1])
            text = (text[:match.start()] + declared + blank[len(declared):] +
                    text[spans[-1][1] + 1:])
            continue
        good, bad = spans[-2:]
        blank = re.sub(r"[^\n]", " ", text[match.start():good[0]])
        tail = re.sub(r"[^\n]", " ", text[good[1]:bad[1] + 1])
        # The parenthesis may not take the place of a line's end.
        text = (text[:match.start()] + "(" + blank[1:] + text[good[0]:good[1]] + ")" + tail[1:] +
                text[bad[1] + 1:])
        brackets.update((match.start(), good[1]))
        at = good[0]
    return text, brackets


# ---- one file ----

class File:
    """A parsed file: its tokens, what stands where, and its mutants."""

    def __init__(self, directory, name, flags):
        self.name = name
        self.path = os.path.join(directory, name)
        self.text = read_text(self.path)
        self.plain, brackets = without_faults(re.sub(r"[^\x00-\x7f]", "?", self.text))
        unit = cindex.Index.create().parse(
            self.path, args=["-xc", *flags], unsaved_files=[(self.path, self.plain)],
            options=cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD)
        for diagnostic in unit.diagnostics:
            if diagnostic.severity >= cindex.Diagnostic.Error:
                place = diagnostic.location
                raise SourceError(f"{place.file}:{place.line}: {diagnostic.spelling}")
        self.own = [c for c in unit.cursor.get_children()
                    if c.location.file and c.location.file.name == self.path]
        whole = cindex.SourceRange.from_locations(
            cindex.SourceLocation.from_offset(unit, unit.get_file(self.path), 0),
            cindex.SourceLocation.from_offset(unit, unit.get_file(self.path), len(self.plain)))
        self.tokens = [(t.extent.start.offset, t.extent.end.offset, t.spelling, t.kind)
                       for t in unit.get_tokens(extent=whole) if t.kind != TokenKind.COMMENT]
        self.tokens = [t for t in self.tokens if t[0] not in brackets]
        self.starts = [t[0] for t in self.tokens]
        self.macros = [span(c) for c in self.own if c.kind == CursorKind.MACRO_INSTANTIATION]
        self.scopes = self.find_scopes()
        self.cited = self.find_cited()
        self.found = []

    def find_scopes(self):
        """What stands at the top of the file: (start, end, name), in order."""
        scopes = []
        for cursor in self.own:
            if cursor.kind in (CursorKind.MACRO_INSTANTIATION, CursorKind.INCLUSION_DIRECTIVE):
                continue
            if cursor.spelling:
                scopes.append((*span(cursor), cursor.spelling))
        return sorted(scopes)

    def find_cited(self):
        """The ranges of what follows a citation."""
        nodes = {}
        for cursor in self.own:
            for node in cursor.walk_preorder():
                start, end = span(node)
                nodes[start] = max(end, nodes.get(start, 0))
        longer = {span(c)[0] for c in self.own if c.kind == CursorKind.FUNCTION_DECL and
                  c.extent.end.line - c.extent.start.line >= SHORT}
        starts, cited = sorted(nodes), []
        for comment in COMMENT.finditer(self.plain):
            at = bisect.bisect_left(starts, comment.end())
            # The head of a file says what the file is about.
            if comment.start() == 0 or at == len(starts) or not is_citation(comment.group()):
                continue
            if starts[at] not in longer and not self.between(comment.end(), starts[at]):
                cited.append((starts[at], nodes[starts[at]]))
        return cited

    def scope(self, offset):
        """The innermost scope at the offset, or None."""
        inside = [s for s in self.scopes if s[0] <= offset < s[1]]
        return inside[-1] if inside else None

    def in_macro(self, start, end):
        return any(a <= start and end <= b for a, b in self.macros)

    def between(self, start, end):
        """The tokens that lie in a range."""
        return self.tokens[bisect.bisect_left(self.starts, start):
                           bisect.bisect_left(self.starts, end)]

    def words(self, tokens):
        """The tokens as a text on one line, blanks where the source has any."""
        text, last = "", None
        for start, end, spelling, _ in tokens:
            if last is not None and start > last:
                text += " "
            text += spelling
            last = end
        return text

    def add(self, kind, start, end, new, shown=None):
        """Notes a mutant; shown is the change, without its neighbours."""
        scope = self.scope(start)
        if scope is None:
            return
        tokens = self.between(start, end)
        first = bisect.bisect_left(self.starts, start)
        last = first + len(tokens)
        near = [t for t in self.tokens[max(0, first - AROUND):first] if t[0] >= scope[0]]
        after = [t for t in self.tokens[last:last + AROUND] if t[0] < scope[1]]
        shown = shown or f"[{self.words(tokens)} => {new}]"
        if kind == "statement":
            near = after = []
        change = " ".join(filter(None, (self.words(near), shown, self.words(after))))
        self.found.append((kind, scope[2], change, start, end, new))

    # ---- what can be changed ----

    def mutate(self):
        """Finds all mutants, in the order of the file."""
        for cursor in self.own:
            if cursor.kind == CursorKind.FUNCTION_DECL and cursor.is_definition():
                self.visit(cursor)
            elif cursor.kind == CursorKind.VAR_DECL:
                self.visit(cursor)
        self.mutate_constants()
        self.found.sort(key=lambda f: (f[3], f[4], f[5]))
        seen, mutants = {}, []
        for kind, function, change, start, end, new in self.found:
            count = seen[function, change] = seen.get((function, change), 0) + 1
            if count > 1:
                change += f" #{count}"
            mutants.append(Mutant(name_of(self.name, function, change), kind, self.name,
                                  self.text.count("\n", 0, start) + 1, function, change, start,
                                  end, new, function not in MADE_UP and self.name != ENTRY and
                                  any(a <= start < b for a, b in self.cited)))
        return mutants

    def visit(self, cursor):
        children = list(cursor.get_children())
        if not self.in_macro(*span(cursor)):
            self.mutate_operator(cursor, children)
            self.mutate_condition(cursor, children)
            self.mutate_call(cursor)
            self.mutate_statements(cursor, children)
        for child in children:
            self.visit(child)

    def mutate_operator(self, cursor, children):
        if cursor.kind == CursorKind.BINARY_OPERATOR and len(children) == 2:
            for start, end, operator, _ in self.between(children[0].extent.end.offset,
                                                        children[1].extent.start.offset):
                for new in RELATIONS.get(operator, ()):
                    self.add("relation", start, end, new)
                if operator in LOGIC:
                    self.add("logic", start, end, LOGIC[operator])
        elif cursor.kind == CursorKind.UNARY_OPERATOR and children:
            start = cursor.extent.start.offset
            if self.plain[start] == "!":
                self.add("logic", start, start + 1, "", "[drop !]")

    def mutate_condition(self, cursor, children):
        """Turns the condition of an if or of ?: where no change of an operator does."""
        if cursor.kind not in (CursorKind.IF_STMT, CursorKind.CONDITIONAL_OPERATOR):
            return
        condition = children[0]
        while condition.kind == CursorKind.PAREN_EXPR:
            condition = next(condition.get_children())
        start, end = span(condition)
        operands = list(condition.get_children())
        turned = condition.kind == CursorKind.UNARY_OPERATOR and self.plain[start] == "!"
        if turned or self.in_macro(start, end) or (
                len(operands) == 2 and any(token[2] in RELATIONS for token in self.between(
                    operands[0].extent.end.offset, operands[1].extent.start.offset))):
            return
        tokens = self.between(start, end)
        shown = self.words(tokens[:STATEMENT_TOKENS])
        shown += " ..." if len(tokens) > STATEMENT_TOKENS else ""
        self.add("logic", start, end, "!(" + self.text[start:end] + ")", f"[not {shown}]")

    def mutate_call(self, cursor):
        if cursor.kind != CursorKind.CALL_EXPR:
            return
        start, end = span(cursor)
        if cursor.type.get_canonical().kind in INTEGERS | {TypeKind.POINTER}:
            self.add("call", start, end, "0")
        arguments = [(*span(a), shape(a.type)) for a in cursor.get_arguments()]
        for one, other in zip(arguments, arguments[1:]):
            first, second = self.plain[one[0]:one[1]], self.plain[other[0]:other[1]]
            if one[2] is None or one[2] != other[2] or first == second or one[1] > other[0]:
                continue
            # The text as it stands, with the faults in it.
            new = (self.text[other[0]:other[1]] + self.text[one[1]:other[0]] +
                   self.text[one[0]:one[1]])
            pair = [self.words(self.between(*a[:2])) for a in (one, other)]
            self.add("swap", one[0], other[1], new, f"[swap {pair[0]}, {pair[1]}]")

    def mutate_statements(self, cursor, children):
        """Drops what stands in a block or is the body of a loop."""
        if cursor.kind in BODIES:
            children = children[-1:]
        elif cursor.kind == CursorKind.IF_STMT and len(children) == 3:
            children = children[1:]
        elif cursor.kind != CursorKind.COMPOUND_STMT:
            return
        for child in children:
            start, end = span(child)
            if self.in_macro(start, end):
                continue
            if child.kind in STATEMENTS:
                self.drop(start, end)
            elif child.kind == CursorKind.RETURN_STMT and self.inner(cursor):
                self.drop(start, end)
            elif child.kind == CursorKind.IF_STMT and len(list(child.get_children())) == 2:
                self.drop(start, end)

    def inner(self, block):
        """Whether a block is within a function's."""
        scope = self.scope(block.extent.start.offset)
        return scope is not None and block.extent.end.offset < scope[1]

    def drop(self, start, end):
        tokens = self.between(start, end)
        shown = self.words(tokens[:STATEMENT_TOKENS])
        shown += " ..." if len(tokens) > STATEMENT_TOKENS else ""
        self.add("statement", start, end, ";", f"[drop {shown}]")

    def mutate_constants(self):
        for index, (start, end, spelling, kind) in enumerate(self.tokens):
            if kind != TokenKind.LITERAL or not (match := INTEGER.match(spelling)):
                continue
            # The number of a bit is what counts.
            following = self.tokens[index + 1:index + 2]
            if spelling == "1" and following and following[0][2] == "<<":
                continue
            digits, suffix = match.groups()
            value = int(digits, 16 if digits[:2] in ("0x", "0X") else 10)
            for new in (value - 1, value + 1):
                # 0 and 1 are truth values more often than numbers.
                if new < 0 or (value == 1 and new == 2):
                    continue
                self.add("constant", start, end,
                         (hex(new) if digits[:2] in ("0x", "0X") else str(new)) + suffix)


def is_citation(comment):
    return CITATION.search(comment) and not NO_DUTY.search(comment)


def span(cursor):
    return cursor.extent.start.offset, cursor.extent.end.offset


def shape(kind):
    """What may change places with what."""
    kind = kind.get_canonical().kind
    return "integer" if kind in INTEGERS else "pointer" if kind == TypeKind.POINTER else None


# ---- all files ----

def source_files(directory):
    """The files that are mutated: all but those that keep the faults and choices."""
    return sorted(name for name in os.listdir(directory)
                  if re.match(r"(?!(emu_)?(fault|choice)).*\.[ch]$", name))


def read_file(directory, flags, name):
    """The mutants of a file. Raises SourceError."""
    try:
        return File(directory, name, flags).mutate()
    except (OSError, cindex.LibclangError) as error:
        raise SourceError(f"{os.path.join(directory, name)}:1: {error}") from error


def read_population(directory, flags, jobs, wanted=None):
    """All mutants of a directory, or of the wanted files there, in order. Raises SourceError."""
    names = [name for name in source_files(directory) if wanted is None or name in wanted]
    with ProcessPoolExecutor(jobs) as pool:
        found = list(pool.map(read_file, [directory] * len(names), [flags] * len(names), names))
    mutants, ids = [mutant for mutants in found for mutant in mutants], {}
    for mutant in mutants:
        other = ids.setdefault(mutant.id, mutant)
        if other is not mutant:
            raise SourceError(f"{directory}/{mutant.file}:{mutant.line}: has the id of "
                              f"{other.file}:{other.line}, {mutant.id}")
    return mutants
