#!/bin/bash
# SPDX-License-Identifier: MIT
# How long start-up takes (load, lint, plan the standard suite), beside xmllint over the same
# files: the best of 20 runs each. Then what the standard suite costs against the emulator, which is
# to stay below 6 s of processor time. A machine may be slower or busy, so the unit is a fixed amount
# of work that is done beside it (tests/walk/calibrate.c: a second where the 6 s were agreed on), of
# both the best of several runs; a quarter more than the 6 fails. BENCH=suite: this alone.
# Arguments: the tool, the calibration.
set -u
tool=$1
calibrate=$2
runs=3
bound=6
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

# least NUMBER BEFORE: the smaller of both; before may be empty.
least() {
    if [ -z "$2" ] || [ "$1" -lt "$2" ]; then echo "$1"; else echo "$2"; fi
}

suite() {
    local unit= cost= now
    for _ in $(seq "$runs"); do
        now=$(spent "$calibrate") || return 1
        unit=$(least "$now" "$unit")
        now=$(spent "$tool" run -q --out "$work/run") || return 1
        cost=$(least "$now" "$cost")
    done
    awk -v cost="$cost" -v unit="$unit" -v bound="$bound" 'BEGIN {
        units = cost / unit
        printf "suite      %.2f s of processor time: %.1f times the calibration (%.2f s); expected at most %d\n",
            cost / 1000, units, unit / 1000, bound
        exit units > bound * 1.25}'
}

if [ "${BENCH:-}" != suite ]; then
    report start-up "$tool" lint -q
    report xmllint xmllint --noout spec/*.xml cases/*.xml
fi
suite
