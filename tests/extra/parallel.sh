#!/bin/sh
# SPDX-License-Identifier: MIT
# contrib/parallel with GNU parallel itself: its log of jobs, a part that is interrupted and one that is
# killed; both are resumed by the log. Each time the merged run is the undivided one.
# Called by tests/extra.sh in the source directory; WCTS_BUILD is the build directory.
cd "$(dirname "$0")/../.." || exit 1
. tests/common.sh
top=$PWD
export PATH="$build:$PATH"
parallel --version | head -n 1
cd "$work" || exit 1
# The first part that makes the 20th call hangs in it, and no other: the file says so.
impl=$plugins/misbehave.so,do=hang,nth=20,once=hung
filter='^CAF-00[1-3]/.*/wddm2_'
echo >hung
"$tool" run -q -j 1 --timeout 600 --impl "$impl" --filter "$filter" --out whole >/dev/null
# run STATUS NAME OPTION-OF-PARALLEL...: three parts, all at a time.
run() {
    expected=$1 name=$2
    shift 2
    PARALLEL_OPTIONS="-j 3 --joblog $name.tsv $*" status "$expected" sh "$top/contrib/parallel/run.sh" 3 "$name" \
        "$impl" --timeout 600 --filter "$filter"
}
# The part that hangs, once the two others have ended: its run directory says that it has not.
find_hanging() {
    while [ "$(wc -l 2>/dev/null <"$name.tsv")" != 3 ]; do
        sleep 0.1
    done
    hanging=$(ls -d "$name"/part-*/batches)
    hanging=${hanging%/batches}
}
# The first process of that part: the runner, not its workers.
runner_of() {
    for process in $(ls -d /proc/[0-9]* | sort -t / -k 3n); do
        [ "$(readlink "$process/cwd")" = "$work" ] || continue
        case $(tr '\0' ' ' 2>/dev/null <"$process/cmdline") in
            wddm-cts\ run\ *"--out $1 "*) echo "${process#/proc/}" && return ;;
        esac
    done
}
# jobs_of NAME: the parts in the log of jobs, with the exit status and the signal of each, sorted.
jobs_of() {
    sed 1d "$1.tsv" | cut -f 1,7,8 | sort | tr '\t\n' ': '
}
same() {
    ok "$1: it is the undivided run" /usr/bin/python3 -B "$top/tests/runs/same.py" whole "$1/run"
    ok "$1: JUnit" test -s "$1/junit.xml"
}

run 1 undisturbed
ok "all jobs are good" [ "$(jobs_of undisturbed)" = '1:0:0 2:0:0 3:0:0 ' ]
same undisturbed

# Stopped as by Ctrl-C, which all processes get, and killed, as for want of memory.
for signal in TERM KILL; do
    rm -f hung
    name=ended-$signal
    run 3 "$name" &
    running=$!
    find_hanging
    kill -s "$signal" "$(runner_of "$hanging")"
    wait "$running"
    ok "$name: one has failed" [ "$(jobs_of "$name" | grep -o '[0-9]:[1-9][0-9]*:0 ' | wc -l)" -eq 1 ]
    ok "$name: run.sh says so" grep -q 'have not ended; the same command resumes them' err
    ok "$name: nothing is merged" [ ! -e "$name/run" ]
    run 1 "$name" --resume-failed
    ok "$name: only the part is run again" [ "$(sed 1d "$name.tsv" | wc -l)" -eq 4 ]
    same "$name"
done

# Without the log all parts are called again: those that have ended do nothing.
run 1 undisturbed
same undisturbed
cd "$top" || exit 1
summary
