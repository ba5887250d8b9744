# SPDX-License-Identifier: MIT
"""quotes.py SOURCES SPEC...: each quote of a spec is in the source that its document names, letter
by letter but for blanks and the stars of a C comment; a line for each that is not. Then the number
of quotes."""
import os
import re
import sys
import xml.parsers.expat

blanks = re.compile("[ \t\r\n]+")
stars = re.compile("^ *\\* ", re.MULTILINE)


def quotes_of(path):
    """The source's name and every quote as (line, text)."""
    found, inside = [], []
    source = [None]
    parser = xml.parsers.expat.ParserCreate()

    def start(name, attributes):
        if name == "spec":
            source[0] = attributes["source"]
        if name == "quote":
            inside.append((parser.CurrentLineNumber, []))

    def end(name):
        if name == "quote":
            line, pieces = inside.pop()
            found.append((line, blanks.sub(" ", "".join(pieces)).strip(" ")))

    def data(text):
        if inside:
            inside[-1][1].append(text)

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = data
    with open(path, "rb") as spec:
        parser.ParseFile(spec)
    return source[0], found


wrong = count = 0
for path in sys.argv[2:]:
    name, found = quotes_of(path)
    with open(os.path.join(sys.argv[1], name), encoding="utf-8") as source:
        text = blanks.sub(" ", stars.sub("", source.read()))
    for line, quote in found:
        count += 1
        if quote not in text:
            wrong += 1
            print(f"{path}:{line}: {name} has no such passage: {quote}")
print(count)
sys.exit(wrong > 0)
