#!/bin/sh
# SPDX-License-Identifier: MIT
# The documents as the build stores them beside the tool (runner/load/stored.h): with the file and
# without it everything is the same; it is used where it is of these documents and of this tool, and
# nowhere else. Run from the source directory; WCTS_BUILD is the build directory.
. tests/common.sh

mkdir "$work/alone"
alone=$work/alone/wddm-cts
cp "$build/wddm-cts" "$build/combinations.txt" "$build/plan.txt" "$work/alone/"
data="--spec-dir spec --cases-dir cases"

echo '<cases/>' >"$work/extra.xml"

# What the tool says about all that it has loaded, in numbers and words; not of a run that lies here.
say() {
    for what in rules statements features cases mustpass; do
        "$1" list --$what $data
    done
    "$1" list --rules --json $data
    for what in AIN-031 UVA-023; do
        "$1" explain $what $data | grep -v -e '^In out/latest' -e '^$'
    done
}
say "$tool" >"$work/stored.txt"
say "$alone" >"$work/loaded.txt"
ok "much is said" [ "$(wc -l <"$work/loaded.txt")" -gt 30000 ]
ok "the same with a file and without" cmp -s "$work/stored.txt" "$work/loaded.txt"

# A run of both: verdicts, and what is stored of it.
for one in "$tool" "$alone"; do
    status 0 "$one" run -q --suite smoke --filter '^UVA-' --out "$work/run" $data
    cp "$work/run/verdicts.txt" "$work/verdicts-$(basename "$(dirname "$one")").txt"
    rm -r "$work/run"
done
ok "the same verdicts" cmp -s "$work/verdicts-$(basename "$build").txt" "$work/verdicts-alone.txt"

# It is read: what stands in the file is what the tool says.
status 0 "$alone" lint --store "$work/alone/spec.image" $data
ok "the same bytes" cmp -s "$work/alone/spec.image" "$build/spec.image"
say "$alone" >"$work/again.txt"
ok "stored by itself" cmp -s "$work/again.txt" "$work/loaded.txt"
cp "$work/alone/spec.image" "$work/whole.image"
LC_ALL=C sed 's/CAF-048/CAF-948/g' "$work/whole.image" >"$work/alone/spec.image"
status 0 "$alone" list --statements $data
ok "the file is read" grep -q '^CAF-948' "$work/out"
# Who reads it keeps it: another takes its place.
exec 3<"$work/alone/spec.image"
status 0 "$alone" lint --store "$work/alone/spec.image" $data
ok "a new file" grep -q CAF-948 <&3
exec 3<&-
LC_ALL=C sed 's/CAF-048/CAF-948/g' "$work/whole.image" >"$work/alone/spec.image"
# lint looks at the documents, whatever is stored; so does who adds one.
status 0 "$alone" lint $data
status 0 "$alone" list --statements $data --spec "$work/extra.xml"
ok "not with a document more" grep -q '^CAF-048' "$work/out"

# Files elsewhere with the same content are the same documents, and are named as they are called.
cp "$work/whole.image" "$work/alone/spec.image"
cp -r spec cases "$work/"
(cd "$work" && say "$alone") >"$work/elsewhere.txt"
ok "in another directory" cmp -s "$work/elsewhere.txt" "$work/loaded.txt"
status 0 "$alone" explain AIN-031 --spec-dir "$work/spec" --cases-dir "$work/cases"
ok "its files have their own names" grep -q "written  *$work/spec/.*xml:[0-9]" "$work/out"
deep=$work/$(printf 'a%.0s/' $(seq 300))
mkdir -p "$deep"
cp -r spec "$deep"
status 0 "$alone" explain AIN-031 --spec-dir "${deep}spec" --cases-dir "$work/cases"
ok "however long they are" grep -q "written  *${deep}spec/.*xml:[0-9]" "$work/out"

# Others are not: a changed one, one more, one less, and two whose contents were exchanged.
LC_ALL=C sed 's/CAF-048/CAF-948/g' "$work/whole.image" >"$work/alone/spec.image"
other() {
    status 0 "$alone" list --statements --spec-dir "$work/spec" --cases-dir "$work/cases"
    ok "$1: they are loaded" grep -q '^CAF-048' "$work/out"
}
ok "the same ones are not" sh -c \
    "'$alone' list --statements --spec-dir '$work/spec' --cases-dir '$work/cases' | grep -q '^CAF-948'"
echo '<!-- more -->' >>"$work/spec/000-createallocationflags.xml"
other "one is longer"
cp spec/000-createallocationflags.xml "$work/spec/"
cp "$work/extra.xml" "$work/cases/extra.xml"
other "one more"
rm "$work/cases/extra.xml"
mv "$work/cases/walks.xml" "$work/cases/walks-again.xml"
other "one has another name"
mv "$work/cases/walks-again.xml" "$work/cases/walks.xml"

# Of two files the end of one may not become the beginning of the next.
LC_ALL=C sed 's/CAF-048/CAF-948/g' "$work/whole.image" >"$work/alone/spec.image"
size=$(wc -c <spec/000-createallocationflags.xml)
head -c $((size - 1)) spec/000-createallocationflags.xml >"$work/spec/000-createallocationflags.xml"
{
    echo
    cat spec/001-allocationinfo.xml
} >"$work/spec/001-allocationinfo.xml"
status 2 "$alone" list --statements --spec-dir "$work/spec" --cases-dir "$work/cases"
ok "a byte from one to the next" grep -q '001-allocationinfo.xml:2: not well-formed' "$work/err"
cp spec/00[01]*.xml "$work/spec/"

# A file that is not whole, that anybody may write, or of another tool, is as none.
chmod o+w "$work/alone/spec.image"
other "anybody may write it"
chmod o-w "$work/alone/spec.image"
cp "$work/alone/spec.image" "$work/other.image"
head -c 100000 "$work/other.image" >"$work/alone/spec.image"
other "half a file"
: >"$work/alone/spec.image"
other "an empty file"
cp "$work/other.image" "$work/alone/spec.image"
printf 'AAAA' | dd of="$work/alone/spec.image" bs=1 seek=20 conv=notrunc 2>/dev/null
other "a file of another build"
rm "$work/alone/spec.image"
mkfifo "$work/alone/spec.image"
other "a pipe"
rm "$work/alone/spec.image"
mkdir "$work/alone/spec.image"
other "a directory"
rm -r "$work/alone/spec.image"

# Documents of which there is something to say are not stored.
sed 's/id="CAF-048"/id="CAF-047"/' spec/000-createallocationflags.xml >"$work/spec/000-createallocationflags.xml"
status 2 "$alone" lint --store "$work/none.image" --spec-dir "$work/spec" --cases-dir cases
ok "what is wrong is said" grep -q 'features.xml:[0-9]*: .*unknown statement "CAF-048"' "$work/err"
ok "and nothing stored" [ ! -e "$work/none.image" ]
status 2 "$alone" lint --store "$work/none.image" --spec-dir "$work/nowhere" --cases-dir cases
ok "no documents" grep -q 'nowhere: cannot be read' "$work/err"
status 2 "$alone" lint --store "$work/none.image" --spec "$work/extra.xml"
ok "no document more" grep -q -e '--store: expected no --spec' "$work/err"
status 3 "$alone" lint --store "$work/none/none.image" $data
ok "no place for it" grep -q 'none.image: No such file' "$work/err"
status 3 "$alone" lint --store /dev/full $data
ok "no room for it" grep -q '/dev/full: No space left' "$work/err"
summary
