#!/bin/sh
# SPDX-License-Identifier: MIT
# The fuzz targets with the inputs of their corpus, without libFuzzer: what did harm once does none any more.
. tests/common.sh
here=tests/fuzz
names=$(ls $here/fuzz_*.c | sed 's|.*/fuzz_\(.*\)\.c|\1|')

# told NAME STATUS: its output says that it had all files.
told() {
    [ "$2" -eq 0 ] && tail -n 1 "$work/$1" | grep -q "^$3 read$" && return
    echo "status $2, at the input: $(tail -n 1 "$work/$1")"
    cat "$work/$1.err"
    return 1
}

for name in $names; do
    files=$(find $here/corpus/"$name" -type f | sort)
    ok "$name has inputs" [ -n "$files" ]
    ok "$name is in the README" grep -q "^| \`$name\` |" $here/README.md
    ok "$name: what reads is in the Makefile" grep -q "^READS_$name := " Makefile
    ok "$name: how many inputs CI tries" grep -q "^runs_$name=[0-9]*$" $here/fuzz.sh
    # shellcheck disable=SC2086
    "$build/tests/fuzz-$name" $files >"$work/$name" 2>"$work/$name.err"
    ok "inputs of $name" told "$name" $? "$(echo "$files" | wc -l)"
done

# What a run is to find is found: a place where the target ends early is named.
"$build/tests/fuzz-expr" "$work/none" >"$work/missing" 2>&1
ok "an input that is not there" [ $? -eq 2 ]
ok "is named" grep -q "^$work/none: cannot be read" "$work/missing"
summary
