#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the parts of a run with GNU parallel, on this machine or others, and makes one run of them.
# Called again after it was interrupted, it resumes the parts that have not ended.
#     run.sh PARTS DIRECTORY IMPLEMENTATION [OPTION of wddm-cts run]...
# PARALLEL_OPTIONS: more options of parallel, such as --sshloginfile FILE.
set -u
if [ "$1" = --part ]; then
    # One job of parallel.
    parts=$2
    part=$3/part-$PARALLEL_SEQ
    implementation=$4
    shift 4
    if [ -s "$part/run.json" ]; then
        wddm-cts run --resume "$part" -q
    else
        wddm-cts run --impl "$implementation" --shard "auto/$parts" -j 1 --out "$part" -q "$@"
    fi
    status=$?
    # A part that does not conform has ended: merge looks at all of them. Any other has failed.
    [ $status -eq 1 ] || exit $status
    exit 0
fi
directory=$2
mkdir -p "$directory" || exit 3
# shellcheck disable=SC2086 # words
if ! seq "$1" | parallel ${PARALLEL_OPTIONS:-} -n0 --quote sh "$0" --part "$@"; then
    echo "run.sh: parts in $directory have not ended; the same command resumes them" >&2
    exit 3
fi
exec wddm-cts merge "$directory"/part-* --out "$directory/run" --junit "$directory/junit.xml"
