#!/bin/sh
# SPDX-License-Identifier: MIT
# The emulator's two sides, each alone, against machines and counterparts of their tests' own; and
# its profiles, with both sides together.
# WCTS_BUILD is the build directory.
build=${WCTS_BUILD:-build/default}
passed=0
failed=0
for test in garbage kernel driver profile profile_create; do
    line=$("$build/tests/emulator-$test" | tail -n 20)
    status=$?
    echo "$line" | grep -v ' passed, '
    line=$(echo "$line" | tail -n 1)
    case $line in
    *" passed, 0 failed") [ $status -eq 0 ] && passed=$((passed + 1)) ;;
    *) failed=$((failed + 1)) && echo "FAIL $test: $line" ;;
    esac
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -eq 5 ]
