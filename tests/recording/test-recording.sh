#!/bin/sh
# SPDX-License-Identifier: MIT
# What a test is judged by is all that was said in it, and nothing else: a breach that comes with a
# refusal in a sequence, and what a kernel says while it is closed. Run from the source directory.
# shellcheck source=tests/common.sh
. tests/common.sh
talkative() {
    echo "$plugins/talkative.so,do=$1,emulator=$build/emulator.so"
}

verdict() {
    cut -f 1 "$work/$1/verdicts.txt" | sort -u | tr '\n' ' '
}
status 1 "$tool" run --impl "$(talkative breach)" --filter '^UVA/sequence/wddm2_0/1-0$' --out "$work/breach"
ok "a breach is a crash, although the call was refused" [ "$(verdict breach)" = "crash " ]
"$tool" verify "$work/breach" >"$work/verified" 2>&1
ok "and judged so again" grep -qE '^ *ok +judged again +1 of 1 verdicts' "$work/verified"
"$tool" run --impl "$(talkative last-words)" --filter '^UVA-002/effect/wddm2_0/|^UVA/sequence/wddm2_0/1-0$' \
    --out "$work/last" >"$work/out" 2>&1
ok "what is said at the end is no answer to what was asked" [ "$(verdict last)" = "skip " ]
# All attempts are stored, but those in which the worker died, and the verdict follows from all of them.
verified() {
    "$tool" verify "$work/$1" >"$work/verified" 2>&1
    ok "$1 is judged again" grep -qE "^  ok +judged again +$2 of $2 verdicts\$" "$work/verified"
}
"$tool" run -q --filter '^SEG-001/.*accept' --no-sweep -j 1 --retries 1 --out "$work/flaky" --no-backtrace \
    --impl "$plugins/misbehave.so,do=crash,at=KERNEL_ADAPTER_START,nth=4,once=$work/once" >"$work/log" 2>&1
ok "a case is flaky" [ "$(verdict flaky)" = "flaky pass " ]
verified flaky "$(wc -l <"$work/flaky/verdicts.txt")"
"$tool" run -q --filter '^CAF-003/' --retries 2 --impl emulator,fault=CAF-003 --out "$work/thrice" >"$work/log" 2>&1
cases=$(wc -l <"$work/thrice/verdicts.txt")
verified thrice "$cases"
ok "three attempts are stored where it fails" [ "$(grep -ao 'CAF-003/refuse/wddm1_0/CreateShared' "$work/thrice/records" |
    wc -l)" -eq 3 ]
# The second of them gets another name.
at=$(grep -abo 'CAF-003/refuse/wddm1_0/CreateShared' "$work/thrice/records" | sed -n '2s/:.*//p')
printf X | dd of="$work/thrice/records" bs=1 seek="$at" conv=notrunc 2>"$work/log"
"$tool" verify "$work/thrice" >"$work/verified" 2>&1
ok "one that is missing is noticed" grep -qE "^ +there is no record of an attempt|^ +the journal has" "$work/verified"
ok "and counted" grep -qE 'NOT ok +records +[12] of [0-9]+ belong to no case' "$work/verified"

# Records that were cut or changed after the run are no longer those of its verdicts, whatever is read
# of it. What is lost is said. A run whose records were removed is like one with --no-records.
cut() {
    rm -rf "$work/cut"
    "$tool" run -q --filter '^CAF-003/refuse' --out "$work/cut" >"$work/log" 2>&1
}
# lost WORDS: all that reads the run says them.
lost() {
    for command in report coverage diff; do
        # shellcheck disable=SC2046 # no word, or two
        status 2 "$tool" $command $([ $command != diff ] || echo "$work/flaky") "$work/cut"
        ok "$command: $1" grep -qE "cut/records: $1" "$work/err"
    done
}
cut
cases=$(wc -l <"$work/cut/verdicts.txt")
truncate -s -1 "$work/cut/records"
lost "found records up to CAF-003/refuse/.*, expected digest [0-9a-f]{12}: .* those of [1-9][0-9]* of $cases cases are lost, from CAF-003/refuse/"
truncate -s 7 "$work/cut/records"
lost "found records up to none, expected .* those of $cases of $cases cases are lost"
cut
printf X | dd of="$work/cut/records" bs=1 seek="$(($(wc -c <"$work/cut/records") - 1))" conv=notrunc 2>"$work/log"
lost 'found digest [0-9a-f]{12}, expected [0-9a-f]{12}: the file was changed after the run; wddm-cts verify'
rm "$work/cut/records"
mkdir "$work/cut/records"
lost 'Is a directory, expected the records of the run'
rmdir "$work/cut/records"
mv "$work/cut/journal.jsonl" "$work/cut/journal"
mkdir "$work/cut/journal.jsonl"
for command in coverage verify; do
    "$tool" $command "$work/cut" >"$work/out" 2>&1
    ok "$command: what the journal is" sh -c "! grep -q Success '$work/out'"
done
status 2 "$tool" coverage "$work/cut"
ok "a journal that is a directory" grep -q 'journal.jsonl: Is a directory, expected a file of a run directory' "$work/err"
rmdir "$work/cut/journal.jsonl"
mv "$work/cut/journal" "$work/cut/journal.jsonl"
ok "without records a run is reported" "$tool" report "$work/cut"

# again NAME IMPLEMENTATION OPTION...: each case of the run has a record, and the same finding from it.
again() {
    name=$1 implementation=$2
    shift 2
    "$tool" run -q --no-backtrace --impl "$implementation" --suite "${SUITE:-standard}" --out "$work/again" "$@" \
        >"$work/line" 2>&1
    "$tool" verify "$work/again" >"$work/verified" 2>&1
    count=$(wc -l <"$work/again/verdicts.txt")
    ok "$name is judged again" grep -qE "^  ok +judged again +$count of $count verdicts" "$work/verified"
    rm -r "$work/again"
}

# A case that runs at another level only because an attempt to shrink it would be decided otherwise there.
"$tool" run -q --impl emulator,fault=UVA-002 --suite full --filter '^UVA/sequence/wddm2_3/1-3734$' \
    --out "$work/levels" >"$work/log" 2>&1
"$tool" verify "$work/levels" >"$work/verified" 2>&1
ok "what attempts to shrink decide is stored" grep -qE '^  ok +judged again +1 of 1 verdicts' "$work/verified"

# tests/claims has verify judge the strict one, all of it, and says how large its records are.
again "the emulator" emulator --shard "${WCTS_PART:-1/1}"
# A scenario is performed once for all effects that it expects; but what fails is performed again.
opened() {
    : >"$work/letters"
    "$tool" run -q --impl "$plugins/talkative.so,do=count,of=$work/letters,emulator=$build/emulator.so" \
        --filter "$1" -j 1 --out "$work/counted" >"$work/line" 2>&1
    wc -c <"$work/letters"
}
plural='scenario/wddm2_0/plural$'
ok "one effect" [ "$(opened "^PAT-014.addresses/$plural")" -gt 1 ]
alone=$(opened "^PAT-014.addresses/$plural")
ok "two effects in one scenario" [ "$(opened "$plural")" -eq "$alone" ]
"$tool" verify "$work/counted" >"$work/verified" 2>&1
ok "each has its record" grep -qE '^ *ok +judged again +2 of 2 verdicts$' "$work/verified"
ok "at two versions" [ "$(opened "scenario/wddm2_[01]/plural$")" -eq "$((alone + 1))" ]
"$tool" run -q --impl "$plugins/talkative.so,do=once,of=$work/evicted,emulator=$build/emulator.so" \
    --filter "$plural" -j 1 --retries 1 --out "$work/again" >"$work/line" 2>&1
ok "what fails is tried again" [ "$(grep -c '^flaky' "$work/again/verdicts.txt")" -ge 1 ]

# Versions on both sides of 2.0 show of more faults what all versions show of few. WCTS_PART=K/N: a part
# of every ninth one, and a third of the cases with each.
part=${WCTS_PART:-1/1}
third=
[ "$part" = 1/1 ] || third="--shard $((${part%/*} % 3 + 1))/3"
for fault in $("$tool" faults | awk -v each="${FAULTS:-9}" \
    '/^[A-Z]/ && $2 != "none:" && ++count % each == 0 {print $1}' | sh tests/part.sh); do
    # shellcheck disable=SC2086 # two words
    again "the fault $fault" "emulator,fault=$fault" --wddm "${WDDM:-1.3..2.0}" $third
done
summary
