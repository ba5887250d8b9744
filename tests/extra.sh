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

# part NAME PROGRAM PACKAGE FUNCTION
part() {
    if ! command -v "$2" >/dev/null 2>&1; then
        echo "skip $1: $2 is not installed (Debian: $3)"
    elif "$4" >"$work/log" 2>&1; then
        echo "ok   $1"
        good=$((good + 1))
    else
        echo "FAIL $1"
        tail -n 60 "$work/log"
        bad=$((bad + 1))
    fi
}

# Memory that is read before it was written, or is lost: of the tool and of its workers.
smoke_with_valgrind() {
    valgrind -q --error-exitcode=99 --trace-children=yes --leak-check=full --errors-for-leak-kinds=definite \
        --log-file="$work/valgrind.%p" "$build/wddm-cts" run --suite smoke --no-sweep --filter '^(CAF|SEG|AIN)-00' \
        --timeout 600 -j 1 -q --out "$work/run" || { cat "$work"/valgrind.*; return 1; }
    cat "$work"/valgrind.*
    ! grep -q '^==' "$work"/valgrind.*
}

report_with_valgrind() {
    valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite \
        "$build/wddm-cts" report "$work/run" --html "$work/report.html" --junit "$work/junit.xml" &&
        valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite \
            "$build/wddm-cts" check "tests/check/driver.jsonl"
    [ $? -ne 99 ]
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

container() {
    podman build -t wddm-cts-test -f packaging/Containerfile . && podman run --rm wddm-cts-test run -q --suite smoke
}

part "valgrind, a smoke run" valgrind valgrind smoke_with_valgrind
part "valgrind, reports and check" valgrind valgrind report_with_valgrind
if ! command -v dh >/dev/null 2>&1; then
    echo "skip the Debian package: debhelper is not installed"
else
    part "the Debian package" lintian lintian debian_package
    ls build/deb/*.deb >/dev/null 2>&1 && part "what is in it" dpkg-deb dpkg debian_contents
fi
# An image needs a network, too.
if [ "${WCTS_IMAGE:-}" = 1 ]; then
    part "the container" podman podman container
else
    echo "skip the container: WCTS_IMAGE=1 builds it with podman, from Debian's image"
fi
echo "$good passed, $bad failed"
[ "$bad" -eq 0 ]
