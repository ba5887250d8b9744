#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs of others read the JUnit reports as they are meant: Debian's junitparser, and, where they
# are installed (npm install -g junit2json junit-to-ctrf), two npm packages.
cd "$(dirname "$0")/../.." || exit 1
. tests/reports/common.sh

run() { # name, options
    name=$1
    shift
    "$tool" run -q --out "$work/$name" --junit "$work/$name.xml" "$@" >"$work/log" 2>&1
}
run good --filter '^CAF-0[01]'
run broken --filter '^CAF-0[01]' --impl "$plugins/accept_all.so"
run cases --filter '^CAF-0[01]' --impl "$plugins/accept_all.so" --junit-detail case
run dies --filter '^CAF-0[01]' --impl "$plugins/misbehave.so,do=crash"
run never --filter '^CAF-00' --impl "$plugins/wrong_abi.so"

for name in good broken cases dies never; do
    ok "junitparser reads $name" /usr/bin/python3 -B tests/reports/consumers.py junitparser "$work/$name.xml"
done
sed '0,/<failure type="fail" message="/s//&x/' "$work/broken.xml" >"$work/changed.xml"
wrong "a body that begins otherwise is found" \
    /usr/bin/python3 -B tests/reports/consumers.py junitparser "$work/changed.xml"

# npm NAME COMMAND: the package turns each report into JSON.
npm() {
    consumer=$1
    if ! command -v "$consumer" >/dev/null 2>&1; then
        echo "skipped: $consumer is not installed (npm install -g $consumer)"
        return
    fi
    for name in good broken cases dies never; do
        eval "$2" >"$work/json.log" 2>&1
        ok "$consumer reads $name" /usr/bin/python3 -B tests/reports/consumers.py "$consumer" \
            "$work/$name.xml" "$work/$name.json"
    done
}
npm junit2json '"$consumer" "$work/$name.xml" >"$work/$name.json"'
npm junit-to-ctrf '"$consumer" "$work/$name.xml" -o "$work/$name.json"'
summary
