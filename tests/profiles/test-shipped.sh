#!/bin/sh
# SPDX-License-Identifier: MIT
# The emulator that behaves as a shipped profile declares (profile=NAME, written from the same facts
# and not from the profile): it conforms under it; under the documents alone it fails exactly what the
# profile declares to deviate, and what it refuses beyond them is exactly what the profile refuses;
# without any one of the entries it does not conform. Run from the source directory; WCTS_BUILD is the
# build directory. WCTS_PART=K/N: a part of the entries.
. tests/common.sh

# entries_of NAME: the ids of the entries of a shipped profile.
entries_of() {
    sed -n 's/.*<\(deviation\|restriction\|absent\) id="\([^"]*\)".*/\2/p' "spec/profiles/$1.xml"
}

# without ID FILE: the profile in FILE without an entry.
without() {
    awk -v id="id=\"$1\"" '
        /<(deviation|restriction|absent) / {skips = index($0, id) > 0}
        !skips {print}
        /<\/(deviation|restriction|absent)>/ {skips = 0}' "$2"
}

# verdicts RUN...: id, verdict, sort of skip and reason of each case.
verdicts() {
    /usr/bin/python3 -c '
import json, sys
for line in sys.stdin:
    case = json.loads(line)
    print(case["id"], case["verdict"], case.get("skip", ""), case["reason"], sep="\t")' <"$1/journal.jsonl"
}

for name in windows wsl2; do
    whole="$build/emulator.so,profile=$name"
    # The choice is there if the emulator does otherwise than the documents say.
    "$tool" run -q --impl "$whole" --no-sweep --filter '^CAF-03[12]/refuse/|^CAF-060/effect/' --wddm 3.2 \
        --out "$work/$name.first" >"$work/out" 2>&1
    if ! grep -qE '"verdict":"(fail|declined)"' "$work/$name.first/journal.jsonl" 2>/dev/null; then
        bad "the emulator has no choice profile=$name: $(tail -n 1 "$work/out")"
        continue
    fi
    "$tool" run -q --impl "$whole" --profile "$name" --out "$work/$name" >"$work/out" 2>&1
    tail -n 1 "$work/out" | grep -q "^conforms under profile $name: " && good || bad "$name: $(tail -n 1 "$work/out")"

    # Under the documents alone: what fails or is declined is what the profile speaks of, and no more.
    "$tool" run -q --impl "$whole" --out "$work/$name.plain" >"$work/out" 2>&1
    verdicts "$work/$name" | awk -F '\t' '$2 == "deviates" || $3 == "not in profile" {print $1}' >"$work/spoken"
    verdicts "$work/$name.plain" | awk -F '\t' '$2 == "fail" || $2 == "declined" {print $1}' >"$work/wrong"
    verdicts "$work/$name.plain" | awk -F '\t' '$2 == "warn" || $3 == "not shown" {print $1}' | sort >"$work/mild"
    sort "$work/spoken" >"$work/a"
    sort "$work/wrong" >"$work/b"
    comm -13 "$work/a" "$work/b" >"$work/beyond"
    ok "$name: nothing is wrong by the documents of which the profile says nothing" test ! -s "$work/beyond"
    comm -23 "$work/a" "$work/b" | comm -23 - "$work/mild" >"$work/only"
    ok "$name: the profile excuses nothing that is right by the documents" test ! -s "$work/only"

    # Without an entry, by reading the run again.
    for id in $(entries_of "$name" | sh tests/part.sh); do
        without "$id" "spec/profiles/$name.xml" >"$work/less.xml"
        last=$("$tool" report --profile "$work/less.xml" "$work/$name" 2>&1 | tail -n 1)
        case $last in
        'does not conform: '* | 'incomplete: '*) good ;;
        *) bad "$name without $id: $last" ;;
        esac
    done
done
summary
