#!/bin/sh
# SPDX-License-Identifier: MIT
# The mutator of the spec: what it takes for noticed, how the list of unseen ones is held against that, and that
# a mutant which is decided in one process is decided the same by the tool. Run from the source directory;
# WCTS_BUILD is the build directory. WCTS_PART=K/N: other mutants are compared with each K.
set -u
build=${WCTS_BUILD:-build/default}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

note() {
    if [ "$1" = 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $2"
        tail -n 20 "$work/out"
    fi
}

# mutate STATUS NAME ARGUMENTS...: with that exit code, and $work/unseen as the list.
mutate() {
    expected=$1
    name=$2
    shift 2
    "$build/mutate_spec" "$build/wddm-cts" spec cases "$work/mutants" -c tests/faults/choices \
        -u "$work/unseen" -v "$@" >"$work/out" 2>&1
    status=$?
    [ $status -eq "$expected" ]
    note $? "$name: exit $status, expected $expected"
}

# says NAME TEXT: a line of the output begins with the text.
says() {
    grep -q "^$2" "$work/out"
    note $? "$1: nothing says: $2"
}

# No segment of a set that is empty can be wanted: the rule is kept where it was not asked.
equal='SEG-007: change expression 1 of <rule>'
: >"$work/unseen"
mutate 1 "survivor" --fast "$equal"
says "survivor" "SURVIVED 003-segmentflags.xml:[0-9]*: $equal"
printf '# Why.\n%s\n' "$equal" >"$work/unseen"
mutate 0 "listed" "$equal"
says "listed" "unseen 003-segmentflags.xml:[0-9]*: $equal"

# A boundary is moved; a condition of an effect, and what it demands, is left out.
boundary='UVA-011: change expression 1 of <rule>'
printf '# Why.\n%s\n' "$boundary" >"$work/unseen"
mutate 1 "listed, and noticed" "UVA-011"
says "listed, and noticed" "NOTICED .*: $boundary: UVA-011/"
says "refused" "lint .*: UVA-011: remove 0 of <rule>"
printf '# Why.\nUVA-011: no such mutant\n' >"$work/unseen"
mutate 1 "stray" --fast "$boundary"
says "stray" "STRAY UVA-011: no such mutant"
: >"$work/unseen"
mutate 0 "effect" --fast "CAF-004.destroyed: drop operand"
says "effect" "red .*: CAF-004.destroyed: drop operand 0 of <effect destroyed>: CAF-004.destroyed/scenario/"
says "effect" "2 passed, 0 failed"
# It says the same where it was looked at, and something else where nobody looked.
mutate 0 "elsewhere" --fast "PAT-005: change expression 1 of"
says "elsewhere" "elsewhere .*: PAT-005: change expression 1 of <effect>: "

# Both ways; mutants that nothing notices are drawn too, and are listed.
cp tests/mutation/unseen.txt "$work/unseen"
mutate 0 "both ways" --compare --sample 4 --seed "${WCTS_PART:-1/1}"
says "both ways" "4 passed, 0 failed"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
