#!/bin/sh
# SPDX-License-Identifier: MIT
# fuzz.sh DIRECTORY FLAGS NAME...: runs DIRECTORY/NAME, one after the other, with libFuzzer's FLAGS. What it
# finds of interest stays in DIRECTORY/found-NAME and is where the next one goes on; the input of a
# crash is DIRECTORY/NAME-crash-..., and ends this with 1. tests/fuzz/README.md says what to do then.
set -u
directory=$1
flags=$2
shift 2
# Without memory the tool goes on: that is tried, too.
export ASAN_OPTIONS="allocator_may_return_null=1${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
export UBSAN_OPTIONS="print_stacktrace=1${UBSAN_OPTIONS:+:$UBSAN_OPTIONS}"
# What more there is to begin with, beside the corpus.
seeds_jsonl="tests/check tests/check/negative"
seeds_spec=tests/negative
# RUNS in the flags is that many inputs, which take some 20 seconds of a processor.
runs_etw=10000
runs_expr=100000
runs_jsonl=10000
runs_records=1000
runs_replies=500
runs_spec=3000
runs_store=1000
runs_wire=50000
bad=0
for name in "$@"; do
    mkdir -p "$directory/found-$name"
    eval "seeds=\${seeds_$name:-} runs=\$runs_$name"
    given=$(echo "$flags" | sed "s/RUNS/$runs/")
    dictionary=
    [ ! -e "tests/fuzz/$name.dict" ] || dictionary=-dict=tests/fuzz/$name.dict
    echo "fuzzing $name: $given"
    # shellcheck disable=SC2086
    "$directory/$name" $dictionary -close_fd_mask=1 -timeout=300 -rss_limit_mb=4096 -print_final_stats=1 \
        -artifact_prefix="$directory/$name-" $given "$directory/found-$name" "tests/fuzz/corpus/$name" $seeds \
        >"$directory/$name.log" 2>&1
    if [ $? -ne 0 ]; then
        bad=1
        grep -v '^#[0-9]' "$directory/$name.log" | grep -A 40 -e 'ERROR' -e 'runtime error' -e 'does not hold' -e ': error' |
            head -n 60
        ls "$directory/$name-"* 2>/dev/null | sed "s|^|the input that did it: |"
    fi
    sed -n 's/^stat::\(number_of_executed_units\|average_exec_per_sec\): */    \1 /p; s/^#[0-9]*.DONE *\(cov: [0-9]*\) .*/    \1/p' \
        "$directory/$name.log"
done
exit $bad
