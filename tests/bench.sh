#!/bin/bash
# SPDX-License-Identifier: MIT
# How long start-up takes (load, lint, plan the standard suite), beside xmllint over the same
# files: the best of 20 runs each. Then what the standard suite costs against the emulator, and what two
# broken kernels cost, whose failures are excused and shrunk: in instructions that valgrind counts, so
# that a busy machine changes nothing, for a part of the cases, which tests/bench/suite.c performs in one
# process. What that leaves out, workers and files, is in the processor time of a whole run, which is to
# stay below 10 s. A machine may be slower or busy, so the unit is a fixed amount of work that is done
# beside it (tests/walk/calibrate.c: a second where the 10 s were agreed on), by as many processes at once
# as the run has workers, since cores that share one make each other slower; and the best of some runs
# counts. It fails only when it is far too much. BENCH=suite: this alone.
#
# Then how the plan grows, in instructions, too: what a planned case costs, ten times as many cases, four
# times as many rules that break
# together; and whether a million cases run, with their exchanges and a JUnit testcase for each, in
# 64 MiB. BENCH=plan: this alone.
#
# Then what a byte of a trace costs, beside xmllint, and what more of them cost. BENCH=traces: this alone.
#
# Then what judging a recording costs, beside performing it again. BENCH=check: this alone.
# Arguments: the tool, the calibration, what performs a part of the cases.
set -u
tool=$1
calibrate=$2
perform=$3
runs=4
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

best() {
    local least= start end
    for _ in $(seq 20); do
        start=${EPOCHREALTIME/[.,]/}
        "$@" >/dev/null || exit 1
        end=${EPOCHREALTIME/[.,]/}
        if [ -z "$least" ] || [ $((end - start)) -lt "$least" ]; then
            least=$((end - start))
        fi
    done
    echo "$least"
}

report() {
    local name=$1 time
    shift
    time=$(best "$@") || exit 1
    printf '%-10s %4d.%d ms\n' "$name" $((time / 1000)) $((time % 1000 / 100))
}

# The processor time of a command and its children, in milliseconds.
spent() {
    local TIMEFORMAT='%U %S'
    { time "$@" >"$work/out" 2>&1 || echo failed; } 2>&1 |
        awk '/failed/ {bad = 1} NF == 2 {print int(($1 + $2) * 1000)} END {exit bad}'
}

# in_units NAME COST UNIT BOUND: fails if that is two thirds more than the bound. Neighbours on the same host
# cost a run of many processes up to 45 of 100 more from one minute to the next, and what fits into a cache nothing.
in_units() {
    awk -v name="$1" -v cost="$2" -v unit="$3" -v bound="$4" 'BEGIN {
        units = cost / unit
        printf "%-10s %.2f s of processor time: %.1f times the calibration (%.2f s); expected at most %d\n",
            name, cost / 1000, units, unit / 1000, bound
        exit units > bound * 5 / 3}'
}

# least NUMBER BEFORE: the smaller of both; before may be empty.
least() {
    if [ -z "$2" ] || [ "$1" -lt "$2" ]; then echo "$1"; else echo "$2"; fi
}

# at_once NUMBER COMMAND...: as many of it at a time; fails if one does.
at_once() {
    local number=$1 all= one bad=0
    shift
    for _ in $(seq "$number"); do
        "$@" &
        all="$all $!"
    done
    for one in $all; do wait "$one" || bad=1; done
    return "$bad"
}

# measured NAME BOUND WORKERS COMMAND...: costs at most BOUND units. What a busy machine makes dearer is
# measured again, up to RUNS times, and so is the unit: of both the least counts.
measured() {
    local name=$1 bound=$2 workers=$3 cost= unit= now
    shift 3
    for _ in $(seq "$runs"); do
        now=$(spent at_once "$workers" "$calibrate") || return 1
        unit=$(least $((now / workers)) "$unit")
        now=$(spent "$@") || return 1
        cost=$(least "$now" "$cost")
        if in_units "$name" "$cost" "$unit" "$bound"; then return 0; fi
    done
    return 1
}

# The instructions of a command, in thousands; what it printed is in $work/counted. String instructions
# would count once for each byte, so that what is copied and cleared goes without them.
instructions() {
    GLIBC_TUNABLES=glibc.cpu.hwcaps=-ERMS \
        valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" 2>&1 >"$work/counted" |
        awk '/Collected/ {print int($NF / 1000)}'
}

# at_most NAME VALUE BOUND UNIT
at_most() {
    awk -v name="$1" -v value="$2" -v bound="$3" -v unit="$4" 'BEGIN {
        printf "%-10s %s %s; expected at most %s\n", name, value, unit, bound
        exit value == "" || value + 0 > bound + 0}'
}

# counted NAME NTH BOUND FAILED OPTION...: of a run with these options, each nth case takes at most so many
# million instructions beyond those of planning, and so many of them fail (an expression).
counted() {
    local name=$1 nth=$2 bound=$3 failed=$4 planned performed
    shift 4
    planned=$(instructions "$perform" 0 "$@")
    performed=$(instructions "$perform" "$nth" "$@")
    grep -Ex "[1-9][0-9]* cases, $failed failed" "$work/counted" >/dev/null ||
        { echo "$name: $(tail -n 1 "$work/counted"), expected $failed failed"; return 1; }
    at_most "$name" $(((performed - planned) / 1000)) "$bound" "million instructions for each ${nth}th case"
}

suite() {
    local good=true
    # At the strict level, at which all is to conform, too.
    counted suite 20 3750 0 --impl emulator --level strict || good=false
    # Wrong allocations in page tables break hundreds of cases whose rules rest on that: it took 18.
    counted excused 40 2450 '[1-9][0-9]*' --impl emulator,fault=UVA-002 || good=false
    # Scenarios of a hundred acts, of which three are to blame: it took 70.
    counted shrunk 6 2400 '[1-9][0-9]*' --level strict --impl emulator,fault=AIN-027.unmapped --filter '^AIN-027[./]' ||
        good=false
    measured time 13 "$(nproc)" "$tool" run -q --impl emulator --level strict --out "$work/run" || good=false
    "$good"
}

# ---- the plan ----

# scenarios COUNT: of 256 combinations at 17 versions each.
scenarios() {
    awk -v count="$1" 'BEGIN {
        for (i = 1; i <= 16; i++)
            values = values i " "
        print "<cases>"
        for (s = 0; s < count; s++) {
            printf "<scenario name=\"many-%d\" since=\"1.0\" adapter=\"standard\" needs=\"device\"", s
            print " expect=\"CAF-005.opened\">"
            printf "<for symbol=\"a\" values=\"%s\"/><for symbol=\"b\" values=\"%s\"/>\n", values, values
            print "<call like=\"create-global-shared\" as=\"share\"/><call like=\"device\" as=\"second\"/>"
            print "<call operation=\"KERNEL_OPEN_GLOBAL\" hDevice=\"second\" hGlobalShare=\"share\"/></scenario>"
        }
        print "</cases>"}' >"$work/many-$1.xml"
}

# rules COUNT: that no call breaks alone.
rules() {
    awk -v count="$1" 'BEGIN {
        print "<spec document=\"900\" source=\"900.txt\" language=\"en\" prefix=\"MNY\" title=\"many\">"
        for (i = 1; i <= count; i++) {
            printf "<statement id=\"MNY-%d\" member=\"m%d\" role=\"caller\" level=\"must\" form=\"range\"", i, i
            print " basis=\"stated\" since=\"1.0\" where=\"w\"><text>text</text><quote>its own words</quote>"
            print "<rule on=\"D3DKMT_CREATEALLOCATION\" refuse=\"NumAllocations &gt; 32\"/></statement>"
        }
        print "</spec>"}' >"$work/rules-$1.xml"
}

plan() {
    local good=true cases whole few many one four
    cases=$("$tool" list | wc -l) && whole=$(instructions "$tool" list) || return 1
    at_most plan $((whole * 1000 / cases)) 25000 'instructions for each case listed' || good=false
    scenarios 5 && scenarios 46 && scenarios 230
    few=$(instructions "$tool" list --case "$work/many-5.xml") || return 1
    many=$(instructions "$tool" list --case "$work/many-46.xml") || return 1
    at_most growth "$(awk "BEGIN {print $many / $few}")" 12 'times the work for 200,192 cases of that for 21,760' ||
        good=false
    rules 1600 && rules 6400
    one=$(instructions "$tool" list --spec "$work/rules-1600.xml") || return 1
    four=$(instructions "$tool" list --spec "$work/rules-6400.xml") || return 1
    at_most rules "$(awk "BEGIN {print ($four - $whole) / ($one - $whole)}")" 4.8 \
        'times the work for 6,400 rules of that for 1,600' || good=false
    if (ulimit -d 65536 && "$tool" run -q --out "$work/run" --case "$work/many-230.xml" \
        --junit "$work/junit.xml" --junit-detail case) >"$work/out" 2>&1; then
        echo "memory     a million cases in 64 MiB"
    else
        echo "memory     a million cases do not run in 64 MiB: $(tail -n 1 "$work/out")"
        good=false
    fi
    "$good"
}

# ---- traces ----

# trace BYTES
trace() {
    /usr/bin/python3 -B tests/etw/trace.py --size "$1" tests/etw/driver.jsonl >"$work/trace-$1.xml"
}

traces() {
    local good=true one four parsed size
    trace 500000 && trace 2000000 && trace 20000000 || return 1
    one=$(instructions "$tool" check --wddm 2.6 "$work/trace-500000.xml")
    four=$(instructions "$tool" check --wddm 2.6 "$work/trace-2000000.xml")
    parsed=$(instructions xmllint --stream --noout "$work/trace-2000000.xml")
    size=$(($(wc -c <"$work/trace-2000000.xml") - $(wc -c <"$work/trace-500000.xml")))
    at_most trace $(((four - one) * 1000 / size)) 150 'instructions for each byte of a trace' || good=false
    at_most xmllint "$(awk "BEGIN {print ($four - $one) * 4 / 3 / $parsed}")" 1.5 \
        'times the work of xmllint, which reads the same' || good=false
    if (ulimit -d 65536 && "$tool" check --wddm 2.6 "$work/trace-20000000.xml") >"$work/out" 2>&1; [ $? -eq 1 ]; then
        echo "memory     a trace of 20 MB in 64 MiB"
    else
        echo "memory     a trace of 20 MB is not read in 64 MiB: $(tail -n 1 "$work/out")"
        good=false
    fi
    "$good"
}

# ---- check ----

# Costs of check in those of verify: in a sequence of thousands of messages, in instructions (it took 29
# times as many while each handle was sought in all messages before), and in the smoke suite, in time.
check() {
    local good=true verified checked times= mix one four none
    # Four times the calls cost hardly more than four times as much (16 times while each pair was compared).
    none=$(/usr/bin/python3 -B tests/bench/recording.py create 4 >"$work/none.jsonl" && instructions "$tool" check "$work/none.jsonl")
    for mix in create untyped gaps churn reuse open standard; do
        for one in 500 2000; do
            /usr/bin/python3 -B tests/bench/recording.py "$mix" "$one" >"$work/$mix-$one.jsonl" || return 1
        done
        one=$(instructions "$tool" check "$work/$mix-500.jsonl")
        four=$(instructions "$tool" check "$work/$mix-2000.jsonl")
        at_most "$mix" "$(awk "BEGIN {print ($four - $none) / ($one - $none)}")" 8 'times the instructions for four times the calls' ||
            good=false
    done
    "$tool" run -q --out "$work/long" --filter '/sequence/wddm2_0/1-0$' >"$work/out" &&
        "$tool" run -q --out "$work/smoke" --suite smoke >"$work/out" || return 1
    verified=$(instructions "$tool" verify "$work/long") && checked=$(instructions "$tool" check "$work/long") ||
        return 1
    at_most check "$(awk "BEGIN {print $checked / $verified}")" 3 'times the instructions of verify, of a long sequence' ||
        good=false
    verified='' checked=''
    for _ in $(seq "$runs"); do
        verified=$(least "$(spent "$tool" verify "$work/smoke")" "$verified")
        checked=$(least "$(spent "$tool" check "$work/smoke")" "$checked")
        times=$(awk "BEGIN {print $checked / $verified}")
        if awk "BEGIN {exit $times > 3}"; then break; fi
    done
    at_most smoke "$times" 3 'times the processor time of verify, of the smoke suite' || good=false
    "$good"
}

if [ -z "${BENCH:-}" ]; then
    report start-up "$tool" lint -q
    report xmllint xmllint --noout spec/*.xml cases/*.xml
fi
failed=
for part in suite plan traces check; do
    [ "${BENCH:-$part}" != "$part" ] || "$part" || failed=yes
done
[ -z "$failed" ]
