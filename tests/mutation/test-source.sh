#!/bin/sh
# SPDX-License-Identifier: MIT
# The mutator of the emulator's source: which mutants it finds, how it names them, and when it is
# content. Run from the source directory; WCTS_BUILD is the build directory. WCTS_UPDATE=1 writes
# the golden list anew.
set -u
build=${WCTS_BUILD:-build/default}
fixture=tests/mutation/fixture
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0
failed=0
cc=${CC:-gcc}

note() {
    if [ "$1" = 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $2"
        tail -n 20 "$work/out" "$work/err"
    fi
}

# mutate STATUS NAME ARGUMENTS...: on the fixture, with that exit code; by one worker, which needs half of
# what two need, unless the arguments ask for more.
mutate() {
    expected=$1
    name=$2
    shift 2
    /usr/bin/python3 -B tests/mutation/mutate_source.py --source "$work/source" \
        --build "$work/build" --tool "$fixture/tool.sh" --listed "$work/mutants.md" \
        --limits 3 5 --keep "$work/keep" -j 1 "$@" >"$work/out" 2>"$work/err"
    status=$?
    [ $status -eq "$expected" ]
    note $? "$name: exit $status, expected $expected"
}

# says NAME FILE TEXT: a line of the output holds the text.
says() {
    grep -qF -e "$3" "$work/$2"
    note $? "$1: nothing says: $3"
}

# ids FILE: the ids of the mutants that are printed.
ids() {
    sed -n 's/^- `\([0-9a-f]*\)`.*/\1/p' "$work/$1" | sort
}

cp -r "$fixture/source" "$work/source"
mkdir -p "$work/build/source"
for file in judge measure; do
    $cc -O1 -fPIC -MMD -c -o "$work/build/source/$file.o" "$work/source/$file.c" || exit 1
done
DRIVE=$work/drive
export DRIVE
$cc -o "$DRIVE" "$fixture/drive.c" -ldl || exit 1
printf '# None\n' >"$work/mutants.md"

# ---- which mutants there are ----
mutate 0 "list" --list --where all
sed "s|^$work/||" "$work/out" >"$work/list"
[ -z "${WCTS_UPDATE:-}" ] || cp "$work/list" "$fixture/mutants.txt"
diff -u "$fixture/mutants.txt" "$work/list" >"$work/out"
note $? "the mutants of the fixture"
ids list >"$work/ids"

mutate 0 "cited" --list
ids out >"$work/cited"
sed -n '/, cited$/{n;s/^- `\([0-9a-f]*\)`.*/\1/p}' "$work/list" | sort >"$work/marked"
[ -s "$work/cited" ] && diff "$work/cited" "$work/marked" >"$work/out"
note $? "the cited ones"

# A name outlives lines that move, and faults that are put into the code.
sed -i -e 's/EMU_FAULT("AIN-001", \(.*\), size != 1)/\1/' -e '3i\\' "$work/source/judge.c"
mutate 0 "moved" --list --where all
ids out | diff "$work/ids" - >"$work/err"
note $? "the names of lines that moved"
cp "$fixture/source/judge.c" "$work/source"

# ---- survivors ----
# Two of them do for what is said of a list: the first that this seed draws are one that survives and one
# that is killed.
few="--count 2 --seed 63"
mutate 1 "survivors" --require 50 $few -j 2
says "survivors" out "source/measure.c:15: survived, and $work/mutants.md has no reason:"
says "survivors" out '- `9d7383d7` measure.c, `measure`: `[drop if (i == 7) break]`'
says "survivors" out "    make mutation-source MUTANT=9d7383d7"
says "survivors" out "2 mutants, seed 63: 1 killed, 0 survived with a reason, 1 without"
# Another seed draws others, which are killed.
mutate 0 "another seed" --count 2 --seed a --require 100 -j 2
says "another seed" out "2 mutants, seed a: 2 killed, 0 survived with a reason, 0 without"
# What the compiler makes the same of is no survivor, and what shows is none.
set --
for change in 'size > 1000) good = 0]' 'sum += longer' 'aligned(size, page) =>' '|| => &&' \
    'size; i++)'; do
    set -- "$@" --mutant "$(grep -F -e "$change" "$work/list" | cut -d '`' -f 2 | head -n 1)"
done
mutate 0 "no survivors" "$@"
[ "$(grep -c ': killed by ' "$work/out")" -eq 4 ] && [ "$(grep -c ': the compiler makes the same of it$' "$work/out")" -eq 1 ]
note $? "each is killed, or the same"

mutate 0 "sample" --require 50 --sample $few
says "sample" out "    make mutation-source MUTANT=9d7383d7"
mutate 1 "too few" --require 99 --sample $few
says "too few" out "% killed or explained, 99 % required"

# The faults' header is replaced by one without faults, which several headers may include.
printf '#define EMU_FAULT_DO(id, good, bad) (good)\n' >"$work/source/fault.h"
sed -i 's/^#define EMU_FAULT_AT/#include "fault.h"\n#include "fault.h"\n#undef EMU_FAULT_AT\n&/' "$work/source/limits.h"
mutate 0 "faults are left out" --require 50 --sample $few
says "faults are left out" out "    make mutation-source MUTANT=9d7383d7"
rm "$work/source/fault.h"
cp "$fixture/source/limits.h" "$work/source"

# ---- the list ----
{
    printf '# Survivors\n\nNothing asks for more than 16.\n\n'
    sed -n '/^- /p' "$work/out"
} >"$work/mutants.md"
mutate 0 "all explained" --require 50 $few
says "all explained" out ": 1 killed, 1 survived with a reason, "
says "all explained" out " 0 without"
mutate 1 "explained is not killed" --require 99 $few
mutate 0 "explained counts in a sample" --require 99 --sample $few

cp "$work/mutants.md" "$work/good.md"
grep -m 1 -F -e 'sum += longer' "$work/list" >>"$work/mutants.md"
mutate 1 "stale" --require 50 $few
says "stale" out "$work/mutants.md:$(wc -l <"$work/mutants.md"): is killed after all, by measure/three"
says "stale" out "sum += longer"
mutate 1 "stale in a sample" --require 50 --sample $few

cp "$work/good.md" "$work/mutants.md"
sed -i 's/i == 7/i == 9/' "$work/source/measure.c"
mutate 1 "gone" --require 50 $few
says "gone" out "there is no such mutant in $work/source/: - \`9d7383d7\` measure.c"
mutate 1 "gone, looked at alone" --check
says "gone, looked at alone" out "there is no such mutant in $work/source/: - \`9d7383d7\` measure.c"
cp "$fixture/source/measure.c" "$work/source"

# wrong TEXT LINE...: a list of these lines is refused.
wrong() {
    message=$1
    shift
    printf '%s\n' "$@" >"$work/mutants.md"
    mutate 2 "wrong list"
    says "wrong list" err "$work/mutants.md:$message"
}
entry='- `9d7383d7` measure.c, `measure`: `[drop if (i == 7) break]`'
wrong "2: a mutant without a reason above it" '# Survivors' "$entry"
wrong "3: stands in line 2 already" 'Why.' "$entry" "$entry"
wrong "2: found '- this', expected - \`ID\` FILE, \`FUNCTION\`: \`CHANGE\`" 'Why.' '- this'
wrong "2: found the id 0d7383d7, expected 9d7383d7 for this change" 'Why.' \
    "$(echo "$entry" | sed 's/9d7/0d7/')"
rm "$work/mutants.md"
mutate 2 "no list"
says "no list" err "$work/mutants.md:1: cannot be read"
printf '# None\n' >"$work/mutants.md"

# ---- the list that we have ----
/usr/bin/python3 -B tests/mutation/mutate_source.py --check >"$work/out" 2>"$work/err"
note $? "docs/internal/mutants.md"

# ---- one mutant ----
mutate 0 "one" --mutant "$(grep -m 1 -F -e 'sum += longer' "$work/list" | cut -d '`' -f 2)"
says "one" out "-        sum += longer(name, other);"
says "one" out "measure.c:17: killed by measure/three"
mutate 1 "one that survives" --mutant 9d7383d7
says "one that survives" out "measure.c:15: survived"
mutate 0 "a case that is lost" --mutant "$(grep -m 1 -F -e 'good = [1 => 0]' "$work/list" | cut -d '`' -f 2)"
says "a case that is lost" out "judge.c:13: killed by judge/accept (skip)"
[ -e "$work/keep/9d7383d7.so" ]
note $? "the plug-in of a mutant"

# ---- wrong usage ----
mutate 2 "count" --count 0
mutate 2 "where" --where here
mutate 2 "option" --counts 3
mutate 2 "no such mutant" --mutant 00000000
says "no such mutant" err "--mutant: found '00000000', expected the id of a mutant"
mutate 2 "not built" --build "$work/nothing"
says "not built" err "judge.d:1: No such file or directory: build the emulator first"
sed -i 's/i < size/i <= size/' "$work/source/measure.c"
$cc -O1 -fPIC -MMD -c -o "$work/build/source/measure.o" "$work/source/measure.c"
mutate 2 "does not pass"
says "does not pass" err "$work/source as it is does not pass, see measure/three"
echo 'int broken(void) { return }' >>"$work/source/judge.c"
mutate 2 "does not parse"
says "does not parse" err "judge.c:24: expected expression"

# ---- the emulator ----
# A plug-in of sanitized objects needs more than a process may have here. With each commit CI tries some
# of these mutants; what is looked at here is with every third.
part=${WCTS_PART:-1/1}
[ "$part" = 1/1 ] || part=$((${part%/*} % 3 + 1))/3
case $build in
*address*) part=2/3 ;;
esac
if [ "${part%/*}" -ne 1 ]; then
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ]
    exit
fi
# Its source is read once, which costs five seconds: for the list, and for a mutant of it.
/usr/bin/python3 -B - --tool "$build/wddm-cts" --build "$build" --keep "$work/keep" >"$work/out" 2>"$work/err" <<'END'
import functools
import sys

sys.path.insert(0, "tests/mutation")
import mutate_source

read, once = mutate_source.read_population, []


@functools.wraps(read)
def read_once(*arguments):
    if not once:
        once.extend(read(*arguments))
    return once


mutate_source.read_population = read_once
options = sys.argv[1:]
sys.argv[1:] = [*options, "--list"]
listed = mutate_source.main()
print("status of the list:", listed)
wanted = [m.id for m in once if m.file == "kernel_open.c" and
          "EMU_CREATE_CROSS_ADAPTER) [!= => ==] 0" in m.change]
sys.argv[1:] = [*options, "--mutant", *wanted]
sys.exit(mutate_source.main())
END
note $? "a mutant of what crosses adapters is killed"
says "the emulator's mutants" out "status of the list: 0"
[ "$(ids out | wc -l)" -ge 400 ]
note $? "at least 400 mutants: $(ids out | wc -l)"
says "what crosses adapters" out "killed by "

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
