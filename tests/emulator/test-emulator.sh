#!/bin/sh
# SPDX-License-Identifier: MIT
# The emulator's two sides, each alone, against machines and counterparts of their tests' own.
# WCTS_BUILD is the build directory.
build=${WCTS_BUILD:-build/default}
passed=0
failed=0
for side in kernel driver; do
    line=$("$build/tests/emulator-$side" | tail -n 20)
    status=$?
    echo "$line" | grep -v ' passed, '
    line=$(echo "$line" | tail -n 1)
    case $line in
    *" passed, 0 failed") [ $status -eq 0 ] && passed=$((passed + 1)) ;;
    *) failed=$((failed + 1)) && echo "FAIL $side: $line" ;;
    esac
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -eq 2 ]
