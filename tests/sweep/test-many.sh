#!/bin/sh
# SPDX-License-Identifier: MIT
# Sweeps with KERNEL_SWEEP, many values in a call: all that is reported and stored is the same as with
# single calls, a kernel that does not survive it or does not answer it gets single calls, and what
# cannot be a true answer is a breach of the protocol. Run from the source directory; WCTS_BUILD is
# the build directory.
# shellcheck source=tests/common.sh
. tests/common.sh

emulator=emulator=$build/emulator.so

# sweeps NAME IMPL FILTER [MORE...]: a run of the sweeps whose ids match, in $work/NAME; without times
# and paths, what it says is in NAME.said, and the evidence of all cases in NAME.evidence.
sweeps() {
    name=$1 impl=$2 matching=$3
    shift 3
    rm -rf "${work:?}/$name"
    "$tool" run --impl "$impl" --filter "$matching" --out "$work/$name" --all-deaths --no-backtrace "$@" \
        >"$work/$name.said" 2>&1
    status=$?
    grep -o '"detail": *"[^"]*"' "$work/$name/journal.jsonl" | sed 's/seq [0-9]*//' >"$work/$name.evidence"
}

# same WORDS FILTER HOW [MORE...]: with flag_fault's KERNEL_SWEEP as HOW, as without.
same() {
    planted=$1 filter=$2 how=$3
    shift 3
    sweeps one "$build/plugins/flag_fault.so,$planted,$emulator" "$filter" "$@"
    alone=$status
    sweeps many "$build/plugins/flag_fault.so,$planted,far=$how,$emulator" "$filter" "$@"
    ok "$planted, $how: exit status $status, expected $alone" [ "$status" -eq "$alone" ]
    ok "$planted, $how: verdicts" cmp -s "$work/one/verdicts.txt" "$work/many/verdicts.txt"
    ok "$planted, $how: evidence" cmp -s "$work/one.evidence" "$work/many.evidence"
    ok "$planted, $how: there is evidence" grep -q 'digest [0-9a-f]\{16\}' "$work/many.evidence"
    "$tool" verify "$work/many" >"$work/verified" 2>&1
    ok "$planted, $how: verified" grep -Eq 'judged again +([0-9]+) of \1 verdicts' "$work/verified"
}

# The emulator answers it with the helper of the header: all sweeps, of the requests' words and of the
# answers', which are sent one by one.
sweeps one emulator /sweep-
sweeps many emulator,sweep /sweep-
ok "emulator: exit status" [ "$status" -eq 0 ]
ok "emulator: verdicts" cmp -s "$work/one/verdicts.txt" "$work/many/verdicts.txt"
ok "emulator: no sweep is left out" [ "$(grep -c '^pass	.* digest ' "$work/many/verdicts.txt")" -gt 200 ]
"$tool" verify "$work/many" >"$work/verified" 2>&1
ok "emulator: verified" grep -Eq 'judged again +([0-9]+) of \1 verdicts' "$work/verified"
ok "emulator: claims it" grep -q '"sweep"' "$work/many/run.json"
ok "emulator: does not, unless it is told to" sh -c "! grep -q '\"sweep\"' '$work/one/run.json'"

# What is wrong with the kernel is found either way, with the same cause and the same smallest value.
newest='^CAF-00[1-3]/sweep-.*3_2'
same word=create,what=refuse,set=0x82,clear=0x4 '^CAF.*/sweep-' on
same word=create,what=unsupported,set=0x44 "$newest" on
same word=create,what=accept,set=0x86,clear=0x1 "$newest" on
same word=segment,what=refuse,set=0x404 '^SEG-00.*/sweep-.*3_2' on
same word=create,what=refuse,set=0x82 "$newest" stop
for how in missing disturb die; do
    same word=create,what=refuse,set=0x82 "$newest" $how
done
same word=create,what=refuse,set=0x82 "$newest" hang --timeout 1

# A value with which the process ends is named, although many are sent with it.
same word=create,what=die,set=0x82 '^CAF-001/sweep-accept.*3_2' on
ok "the value is named" \
    grep -q '^crash	.* in KERNEL_ALLOCATION_CREATE for 0x83, exactly when CreateShared and ReadOnly are set$' \
    "$work/many/verdicts.txt"

# lies HOW TEXT: what is answered is no true answer.
lies() {
    sweeps lie "$build/plugins/flag_fault.so,word=create,set=0xffffffff,far=$1,$emulator" '^CAF-001/sweep-accept.*3_2'
    ok "$1: exit status $status, expected 1" [ "$status" -eq 1 ]
    ok "$1: $2" grep -qxF "crash	CAF-001/sweep-accept/wddm3_2	protocol: KERNEL_SWEEP: $2" "$work/lie/verdicts.txt"
    "$tool" verify "$work/lie" >"$work/verified" 2>&1
    ok "$1: verified" grep -Eq 'judged again +([0-9]+) of \1 verdicts' "$work/verified"
}
lies count 'Count is 1023, expected one for each of 1024 values'
lies short 'reply too short: 8, expected 16'
lies offset 'pAnswers leads out of the message: offset 0x11, 1024 bytes, in 1040'
lies class 'answer 0 is 5, expected 0 to 4'
lies behind 'answer 1 is 1, behind one that was not sent'
lies none 'no value was sent, expected the first one at least'
# Those with the fewest flags are sent alone, for their replies.
lies lie 'the answer for 0x47 is refused, that to a call of its own accepted'

# Of values that are sent alone the replies are looked at.
sweeps echo "$build/plugins/flag_fault.so,word=create,what=echo,set=0x8001,flips=0x8000,far=on,$emulator" '^CAF-001/sweep-accept.*3_2'
ok "a reply" grep -q '^fail	.* accepted words, exactly when CreateResource and WriteWatch are set$' "$work/echo/verdicts.txt"

summary
