#!/bin/bash
# SPDX-License-Identifier: MIT
# How long start-up takes (load, lint, plan the standard suite), beside xmllint over the same
# files: the best of 20 runs each. Argument: the tool.
set -u
tool=$1

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

report start-up "$tool" lint -q
report xmllint xmllint --noout spec/*.xml cases/*.xml
