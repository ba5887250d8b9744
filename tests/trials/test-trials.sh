#!/bin/sh
# SPDX-License-Identifier: MIT
# Faults that can be switched on: what is listed, what trials say of faults that are noticed, blamed
# wrongly, or not noticed at all, and that the emulator's tables and its code agree. Run from the
# source directory; WCTS_BUILD is the build directory.
# shellcheck source=tests/common.sh
. tests/common.sh
bad() {
    failed=$((failed + 1))
    echo "FAIL $1"
    [ $# -lt 2 ] || head -n 20 "$2" | cut -c 1-400
}

# says NAME EXIT PATTERN COMMAND...: the exit code, and a line of the output that matches.
says() {
    name=$1 code=$2 pattern=$3
    shift 3
    "$@" >"$work/said" 2>&1
    got=$?
    if [ "$got" -ne "$code" ]; then
        bad "$name: exit $got, expected $code" "$work/said"
    elif ! grep -qE "$pattern" "$work/said"; then
        bad "$name: no line $pattern" "$work/said"
    else
        good
    fi
}
# also NAME PATTERN: the last output has such a line, too.
also() {
    if grep -qE "$2" "$work/said"; then good; else bad "$1: no line $2" "$work/said"; fi
}

# ---- a plug-in with a table of its own ----
faulty=$build/plugins/faulty.so,emulator=$build/emulator.so
says "list" 0 '^CAF-003  check missing  faulty\.c:5$' "$tool" faults --impl "$faulty"
also "list: expressions" '^    flags  ->  flags \| 1$'
also "list: consequences" '^    also CAF-009: all that is shared dies$'
also "list: none" '^CAF-002  none: nobody is bound by advice$'
says "one" 0 '^CAF-003\+quiet' "$tool" faults --impl "$faulty" CAF-003+quiet
[ "$(wc -l <"$work/said")" -eq 2 ] && good || bad "one: more than it" "$work/said"
says "of a statement" 0 '^CAF-003\+dies' "$tool" faults --impl "$faulty" CAF-003

says "try" 1 '^killed   CAF-003  .*; 2 of [0-9]+ cases, the first after [0-9]+: CAF-003/refuse/' \
    "$tool" faults --impl "$faulty" --try --suite smoke --record "$work/record" -v
also "by which cases" '^    CAF-003/refuse/[^ ]*$'
also "not noticed" '^survived CAF-003\+quiet .*; 0 of [0-9]+ cases$'
also "noticed as another" '^survived CAF-007 '
also "blamed wrongly" '^         blamed wrongly: CAF-003$'
also "everything breaks" '^         blamed wrongly: CAF-005 .* and [0-9]+ more$'
also "of no rule" '^unknown  NIL-001: the spec has no such rule$'
also "of advice" '^none     CAF-002: nobody is bound by advice$'
also "rules without" '^missing  CAF-001: the rule has no fault$'
also "cannot be opened" '^[a-z ]+ CAF-003\+shut: could not be loaded: '
also "sum" '^6 faults: 2 killed, 1 of them blamed wrongly; 2 survived, 2 not tried; 1 rules can have none, [0-9]+ have none$'
if grep -qF CAF-009 "$work/said" && ! grep '^         blamed wrongly' "$work/said" | grep -qw CAF-009; then
    good
else
    bad "a named consequence is blamed wrongly" "$work/said"
fi
says "by which cases, as JSON" 1 '"by":\["CAF-003/refuse/[^"]*","CAF-003.later/[^"]*"\]' \
    "$tool" faults --impl "$faulty" --try --suite smoke --json CAF-003
digest=$("$tool" run --filter '^CAF-003' -q --out "$work/run" >/dev/null &&
    sed -n 's/.*"spec_digest": *"\([^"]*\)".*/\1/p' "$work/run/run.json")
{
    printf '#digest\t%s\n' "$digest"
    printf 'CAF-003\tCAF-003\tkilled\t\n'
    printf 'CAF-003+quiet\tCAF-003\tsurvived\t\n'
} >"$work/want"
awk -F '\t' 'NR == 1 {print} NR == 2 || NR == 3 {print $1 "\t" $2 "\t" $3 "\t"}' "$work/record" |
    cmp -s - "$work/want" && good || bad "the record" "$work/record"
grep -q "^CAF-003	CAF-003	killed	[0-9]*	CAF-003/refuse/[^	]*	right\$" "$work/record" &&
    good || bad "the record: killed" "$work/record"
says "two alone" 1 '^2 faults: 0 killed, 0 of them blamed wrongly; 2 survived' \
    "$tool" faults --impl "$faulty" --try --suite smoke CAF-003+quiet CAF-007

# ---- what is wrong ----
says "no such fault" 2 'there is no fault CAF-03; did you mean CAF-003' \
    "$tool" faults --impl "$faulty" CAF-03
says "a record of some" 2 '^wddm-cts: --record: expected --try and no IDs' \
    "$tool" faults --impl "$faulty" --try --record "$work/x" CAF-003
says "no table" 2 'accept_all\.so: no symbol wcts_plugin_faults: it has no faults to show' \
    "$tool" faults --impl "$build/plugins/accept_all.so"
says "another layout" 2 'its table of faults is too small' \
    env FAULTY_TABLE=small "$tool" faults --impl "$faulty"
for how in exit:'called exit\(0\)' abort:"killed by SIGABRT" hang:"was not loaded: no answer within 1 s"; do
    says "an open that does not come back: $how" 3 "${how#*:}" \
        env FAULTY_OPEN="${how%%:*}" "$tool" faults --impl "$faulty" --try --suite smoke --timeout 1
done
says "no such file" 2 'nothing\.so: cannot open shared object file: No such file' "$tool" faults --impl "$work/nothing.so"
says "a record that cannot be written" 3 'nowhere/record: No such file' \
    "$tool" faults --impl "$faulty" --try --suite smoke --record "$work/nowhere/record"
if grep -q '^killed' "$work/said"; then bad "tried all the same" "$work/said"; else good; fi
says "options that it does not know" 3 'unknown option "nonsense=1"' \
    "$tool" faults --impl emulator,nonsense=1 --try CAF-003
# Stops a process, unless it has ended.
held() {
    [ -n "$1" ] && kill -STOP "$1" 2>/dev/null && grep -q '^State:.*[Tt] (' "/proc/$1/status" 2>/dev/null
}
# A signal stops the trials, and leaves no record and no process; so does the end of one that tries them.
# ended WHAT SIGNAL PID MESSAGE: sends the signal to the process that expression gives, once a fault was noticed.
ended() {
    name=$1 signal=$2 whom=$3 message=$4
    shift 4
    : >"$work/said" # what the one before said would be taken for this one's
    "$tool" faults --try --suite smoke --record "$work/stopped" "$@" >"$work/said" 2>&1 &
    trials=$!
    while ! grep -q '^killed' "$work/said"; do sleep 0.1; done
    # Who tries a fault soon makes way for who tries the next: the first is held before it is asked for.
    until children=$(cat /proc/$trials/task/$trials/children) && held "${children%% *}"; do
        kill -0 $trials || break
    done
    eval "kill -$signal $whom"
    kill -CONT $children 2>/dev/null
    wait $trials
    got=$?
    left=
    for child in $children; do ! kill -0 "$child" 2>/dev/null || left=yes; done
    if [ $got -eq 3 ] && grep -q "$message" "$work/said" && [ ! -e "$work/stopped" ] && [ ! -e "$work/stopped.part" ] &&
        [ -z "$left" ]; then
        good
    else
        bad "$name: exit $got, processes left: ${left:-no}" "$work/said"
    fi
}
# shellcheck disable=SC2016 # evaluated there
{
    ended "stopped" TERM '$trials' 'stopped$' -j 1
    ended "two stopped" TERM '$trials' 'stopped$' -j 2
    ended "one of two killed" KILL '${children%% *}' 'the process that tried [A-Z]*-[0-9.a-z+-]* ended too soon: killed by SIGKILL$' -j 2
}
# Beside each other they find the same, and tell it in the same order.
for jobs in 1 3; do
    "$tool" faults --try --suite smoke -j $jobs --json -v UVA-010 CAF-003 SEG-025 AIN-016 >"$work/jobs-$jobs" 2>&1
done
if [ "$(wc -l <"$work/jobs-1")" -gt 4 ] && cmp "$work/jobs-1" "$work/jobs-3" >"$work/said"; then good; else
    bad "another order, or other results" "$work/said"
fi
says "nothing to try" 3 '^0 faults' env FAULTY_TABLE=none "$tool" faults --impl "$faulty" --try --suite smoke
says "the emulator has no such fault" 2 'unknown fault "NIX"' \
    "$tool" run -q --impl emulator,fault=NIX --out "$work/run"

# ---- the emulator's own: code and tables name the same, each once ----
cat emulator/*.c | tr '\n' ' ' | grep -oE '(EMU_FAULT(_DO|_SITE)?\([^"]*| X\([a-z_0-9]+, )"[A-Z]{3}-[0-9]{3}[^"]*"' |
    sed 's/.*"\(.*\)"/\1/' | sort >"$work/sites"
uniq -d "$work/sites" >"$work/twice"
[ -s "$work/sites" ] && [ ! -s "$work/twice" ] && good || bad "faults at two places" "$work/twice"
says "the emulator's" 0 '^[A-Z]{3}-[0-9]{3}' "$tool" faults
awk '/^[A-Z]/ && $2 != "none:" {print $1}' "$work/said" >"$work/listed"
grep 'none: no reason given' "$work/said" >>"$work/listed"
# Those that nothing notices yet are listed elsewhere (tests/faults/test-unlisted.sh).
sed -n '/^## Faults of the emulator/,$p' docs/internal/unnoticed.md | grep -o '`[A-Z]*-[0-9]*[^` ]*`' |
    tr -d '`' >"$work/unlisted"
grep -vxF -f "$work/unlisted" "$work/sites" >"$work/noticed"
sort "$work/listed" | diff - "$work/noticed" >"$work/differ" && good ||
    bad "tables and code differ (<: table, >: code)" "$work/differ"

summary
