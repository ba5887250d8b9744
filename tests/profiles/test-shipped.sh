#!/bin/sh
# SPDX-License-Identifier: MIT
# The emulator that behaves as a shipped profile declares (profile=NAME, written from the same facts
# and not from the profile): it conforms under it; under the documents alone it fails exactly what the
# profile declares to deviate, and what it refuses beyond them is exactly what the profile refuses;
# without any one of the entries it does not conform. Run from the source directory; WCTS_BUILD is the
# build directory. WCTS_PART=K/N: a part of all cases; those that show entries are run at the newest
# version each time.
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

# The cases that show entries.
shows='^(CAF-001/sweep|CAF-0(02|03|05|18|19|20|3[0-9]|41|5[2346]|60)[./])'

# runs NAME OPTIONS...: the emulator with the profile and without it, of the same cases. What each
# does beyond the other must be none.
runs() {
    name=$1
    kind=$2
    shift 2
    "$tool" run -q --impl "$build/emulator.so,profile=$name$but" --out "$work/$name.$kind.plain" "$@" >"$work/out" 2>&1
    "$tool" run -q --impl "$build/emulator.so,profile=$name$but" --profile "$name" --out "$work/$name.$kind" "$@" >"$work/last" 2>&1
    verdicts "$work/$name.$kind" >"$work/profiled"
    verdicts "$work/$name.$kind.plain" >"$work/documents"
    awk -F '\t' '$2 == "deviates" || $3 == "not in profile" {print $1}' "$work/profiled" | sort >"$work/spoken"
    awk -F '\t' '$2 == "fail" || $2 == "declined" {print $1}' "$work/documents" | sort >"$work/wrong"
    awk -F '\t' '$2 == "warn" || $3 == "not shown" {print $1}' "$work/documents" | sort >"$work/mild"
    comm -13 "$work/spoken" "$work/wrong" >"$work/beyond"
    ok "$name, $kind: nothing is wrong by the documents of which the profile says nothing" test ! -s "$work/beyond"
    comm -23 "$work/spoken" "$work/wrong" | comm -23 - "$work/mild" >"$work/only"
    ok "$name, $kind: the profile excuses nothing that is right by the documents" test ! -s "$work/only"
    awk -F '\t' '$2 != "pass" && $2 != "deviates" && $2 != "skip"' "$work/profiled" >"$work/bad"
    ok "$name, $kind: nothing fails under the profile" test ! -s "$work/bad"
}

for name in windows wsl2; do
    # What a sample driver does is no entry (P5 in docs/profiles.md).
    case $name in windows) but=,without=P5 ;; *) but= ;; esac
    runs "$name" shown --wddm 3.2 --filter "$shows"
    ok "$name: the emulator does otherwise than the documents say" test -s "$work/wrong"
    tail -n 1 "$work/last" | grep -q "^no failure in the selection under profile $name: " && good || bad "$name: $(tail -n 1 "$work/last")"

    # Without an entry.
    for id in $(entries_of "$name"); do
        without "$id" "spec/profiles/$name.xml" >"$work/less.xml"
        "$tool" run -q --impl "$build/emulator.so,profile=$name$but" --profile "$work/less.xml" --level strict \
            --wddm 3.2 --filter "$shows" --out "$work/$name.$id" >"$work/last" 2>&1
        case $? in
        1 | 3) good ;;
        *) bad "$name without $id: $(tail -n 1 "$work/last")" ;;
        esac
        grep -qE '^(does not conform|incomplete): ' "$work/last" && good || bad "$name without $id: $(tail -n 1 "$work/last")"
    done

    runs "$name" part --shard "${WCTS_PART:-1/1}"
done
summary
