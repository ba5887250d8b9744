#!/bin/sh
# SPDX-License-Identifier: MIT
# What needs programs that README's set-up does not install: each part is tried where its program is, and
# skipped, with the reason, where it is not. WCTS_BUILD is the build directory.
set -u
good=0
bad=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
build=$(cd "${WCTS_BUILD:-build/default}" && pwd) || exit 1

# part NAME PROGRAMS PACKAGES FUNCTION [WORD...]
part() {
    name=$1 packages=$3 missing=
    for program in $2; do
        command -v "$program" >/dev/null 2>&1 || missing=$program
    done
    shift 3
    if [ -n "$missing" ]; then
        echo "skip $name: $missing is not installed (Debian: $packages)"
    elif "$@" >"$work/log" 2>&1; then
        echo "ok   $name"
        good=$((good + 1))
    else
        echo "FAIL $name"
        tail -n 60 "$work/log"
        bad=$((bad + 1))
    fi
}

# A command under valgrind, whose remarks go to $work/valgrind.*.
checked() {
    valgrind -q --trace-children=yes --leak-check=full --errors-for-leak-kinds=definite --show-leak-kinds=definite \
        --log-file="$work/valgrind.%p" "$@"
}

# Prints what valgrind found, and succeeds if that is nothing: but for code that PCRE2 compiles while it runs, which has no
# name and reads whole words of a text.
clean() {
    cat "$work"/valgrind.* | awk '
        / at 0x/ {told = /: \?\?\?/ ? "" : what "\n" $0; if (told != "") {print told; found = 1}; next}
        / by 0x/ {if (told != "") print; next}
        {what = $0}
        END {exit found}'
}

# Memory that is read before it was written, or is lost, in the tool and the emulator. valgrind lacks a system
# call that workers need: single cases are run in the tool itself, and a run is judged again.
cases_with_valgrind() {
    for id in CAF-003/refuse/wddm3_2/CreateShared $("$build/wddm-cts" list --suite smoke --filter '^UVA-0.*/wddm3_2/' |
        sed -n '1p;$p') $("$build/wddm-cts" list --suite smoke --filter '^SEG-001/accept/wddm3_2/' | sed -n 1p); do
        checked "$build/wddm-cts" replay --no-fork "$id" || return 1
    done
    clean
}

# A smoke run: agent and emulator in another process, as long as it goes on, then the tool, which judges all of it again.
run_with_valgrind() {
    rm -f "$work"/valgrind.*
    "$build/wddm-cts" run --suite smoke --timeout 60 -q --out "$work/run" --impl "exec:valgrind -q --leak-check=full \
--errors-for-leak-kinds=definite --show-leak-kinds=definite --log-file=$work/valgrind.%p $build/wddm-cts-agent $build/emulator.so,strict" || return 1
    checked "$build/wddm-cts" verify "$work/run"
    checked "$build/wddm-cts" report "$work/run" --html "$work/report.html" --junit "$work/junit.xml" || return 1
    checked "$build/wddm-cts" check tests/check/driver.jsonl
    [ $? -le 1 ] && clean
}

# The package is built, and Debian's own checker finds nothing. It is built once.
debian_package() {
    make deb && lintian --fail-on warning --suppress-tags initial-upload-closes-no-bugs build/deb/*.changes
}

debian_contents() {
    mkdir "$work/unpacked" && dpkg-deb -x build/deb/wddm-cts_*.deb "$work/unpacked" &&
        "$work/unpacked/usr/bin/wddm-cts" run -q --suite smoke --filter '^CAF-003/' --wddm 3.2 --out "$work/packaged" &&
        [ -s "$work/unpacked/usr/share/man/man1/wddm-cts-agent.1.gz" ] &&
        [ -s "$work/unpacked/usr/lib/wddm-cts/emulator.so" ]
}

# Agent, emulator and an example for Windows (without Wine they are compiled alone), and the engines.
script() {
    WCTS_BUILD=$build sh "tests/extra/$1.sh"
}

part "Windows" "${MINGW:-x86_64-w64-mingw32-gcc}" "gcc-mingw-w64-x86-64 and wine" script windows
part "Slurm" "slurmctld slurmd sbatch munged" "slurmctld slurmd slurm-client munge" script slurm
part "Bazel" bazel bazel-bootstrap script bazel
part "GNU parallel" parallel parallel script parallel
part "valgrind, cases" valgrind valgrind cases_with_valgrind
part "valgrind, a smoke run that is judged again" valgrind valgrind run_with_valgrind
if ! command -v dh >/dev/null 2>&1; then
    echo "skip the Debian package: debhelper is not installed"
else
    part "the Debian package" lintian lintian debian_package
    ls build/deb/*.deb >/dev/null 2>&1 && part "what is in it" dpkg-deb dpkg debian_contents
fi
# An image needs a network, too, and some minutes.
if [ "${WCTS_IMAGE:-}" = 1 ]; then
    part "the container" "buildah mmdebstrap" "buildah mmdebstrap" script image
else
    echo "skip the container: WCTS_IMAGE=1 builds it with buildah, from a root that mmdebstrap makes"
fi
echo "$good passed, $bad failed"
[ "$bad" -eq 0 ]
