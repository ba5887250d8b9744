#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the given test programs (Check) and scripts, several at a time, and sums up. A script counts
# as one test, or as many as its last line says when that is "N passed, N failed". One that exits
# with 77 lacks what it needs: it is named, and counts neither way. JOBS: how many at a time, default
# one per processor.
set -u
# An array that cannot grow is tried: malloc says so, and does not end the process. What was freed is kept
# apart for a while, 32 MB of it; more is memory that each fork has to copy.
export ASAN_OPTIONS="allocator_may_return_null=1:quarantine_size_mb=32:malloc_context_size=6${ASAN_OPTIONS:+:$ASAN_OPTIONS}"

# one TEST: runs it and prints its output at once; its numbers go to a file of $results.
one() {
    test=$1
    log=$results/$(echo "$test" | tr '/' '_').log
    # A sanitizer looks for leaks at the end of each fork, in all that was loaded before: these tests
    # can do without.
    case $test in
    *.sh) sh "$test" >"$log" 2>&1 ;;
    *address*/test_baseline | *address*/test_cause | *address*/test_forms | *address*/test_judge | *address*/test_plan | \
        *address*/test_pool | *address*/test_pool_again | *address*/test_spec | *address*/test_stream | *address*/test_tour | *address*/test_walk | \
        *address*/test_wanted) CK_FORK=no "./$test" >"$log" 2>&1 ;;
    *) "./$test" >"$log" 2>&1 ;;
    esac
    status=$?
    # Processor time, which is the same on a busy machine: the second line is that of what was run.
    times >"$log.times"
    seconds=$(sed 1d "$log.times" | tr ms '  ' | awk '{printf "%.1f", $1 * 60 + $2 + $3 * 60 + $4}')
    check=$(sed -n 's/^[0-9]*%: Checks: \([0-9]*\), Failures: \([0-9]*\), Errors: \([0-9]*\).*/\1 \2 \3/p' "$log")
    script=$(tail -n 1 "$log" | sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p')
    if [ -n "$check" ]; then
        good=$(echo "$check" | awk '{c += $1; b += $2 + $3} END {print c - b}')
        # One that tried nothing has failed, too.
        bad=$(echo "$check" | awk '{c += $1; b += $2 + $3} END {print c ? b : 1}')
    elif [ -n "$script" ]; then
        good=${script% *}
        bad=${script#* }
    else
        good=$((status == 0))
        bad=0
    fi
    if [ "$status" -eq 77 ]; then
        echo "skip $test: $(tail -n 1 "$log")"
        return
    fi
    [ "$status" -eq 0 ] || [ "$bad" -ne 0 ] || bad=1
    echo "$good $bad" >"$log.numbers"
    if [ "$bad" -ne 0 ]; then
        {
            echo "FAIL $test"
            cat "$log"
        } >"$log.told"
        cat "$log.told"
    else
        echo "ok   $test ($good), $seconds s of processor time"
    fi
}

# The processors that this process may use, one a line.
usable() {
    taskset -cp $$ 2>/dev/null | sed 's/.*: //' | tr , '\n' |
        awk -F - '{for (i = $1; i <= ($2 == "" ? $1 : $2); i++) print i}'
}

# Each of those that run at a time stays on one processor, and what it starts has one worker: two cost
# a sixth more, and are tried where they are given.
if [ "${1:-}" = --one ]; then
    processor=$(usable | awk -v slot="${SLOT:-0}" '{at[NR] = $1} END {if (NR) print at[slot % NR + 1]}')
    [ -z "$processor" ] || taskset -cp "$processor" $$ >/dev/null 2>&1
    one "$2"
    exit 0
fi
results=$(mktemp -d) || exit 1
export results
# Check's limits are of time on the wall: they end what hangs, and never what a busy machine delays.
export CK_TIMEOUT_MULTIPLIER=15
trap 'rm -rf "$results"' EXIT
# Tests run beside each other from the same directory, and explain looks into the latest run in out/.
find out -name run.json 2>/dev/null | sort >"$results/runs"
printf '%s\n' "$@" | xargs -r -P "${JOBS:-$(nproc)}" --process-slot-var=SLOT -n 1 sh "$0" --one
find out -name run.json 2>/dev/null | sort | comm -13 "$results/runs" - | while read -r left; do
    echo "FAIL $left: left by a test that ran without --out: $(sed -n 's/.*"command_line": //p' "$left")"
    echo "0 1" >"$results/left.numbers"
done
find "$results" -name '*.numbers' -exec cat {} + |
    awk '{good += $1; bad += $2} END {print good + 0 " passed, " bad + 0 " failed"; exit bad > 0 || good == 0}'
