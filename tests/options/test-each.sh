#!/bin/sh
# SPDX-License-Identifier: MIT
# Options that no other test tries with their command, and the table of tests/README.md: it has each
# option of each command's help, and no other, and the tests that it names try them. Run from the
# source directory; WCTS_BUILD is the build directory.
. tests/common.sh
hints=tests/document/900-hints.xml
good=tests/negative/good-plan
case=CAF-003/refuse/wddm1_0/CreateShared
sequence=UVA/sequence/wddm2_0

# ---- where spec and cases are ----
status 0 "$tool" list --spec-dir $good/spec --cases-dir $good/cases
ok "the cases of another spec" grep -q '^FST-2/' "$work/out"
ok "and no others" [ "$(grep -vc '^FST-' "$work/out")" -eq 0 ]
status 0 "$tool" explain FST-2 --spec-dir $good/spec --cases-dir $good/cases
ok "a statement of another spec" grep -q '^FST-2  Shared needs Resource.$' "$work/out"
status 0 "$tool" lint --spec-dir $good/spec --cases-dir $good/cases
ok "the statements of another spec" grep -q '^statements  *4: 4 ruled' "$work/out"
status 0 "$tool" probe --spec-dir $good/spec --cases-dir $good/cases
ok "the versions of another spec" grep -q '^WDDM *2.0 to 2.0 ' "$work/out"
cp -r spec cases "$work"
sed -i 's/<text>/<text>In other words: /' "$work"/spec/0*.xml
sed -i 's/name="create-resource"/name="created"/; s/like="create-resource"/like="created"/' "$work"/cases/*.xml
status 0 "$tool" replay $case --spec-dir "$work/spec" --cases-dir "$work/cases"
ok "a case of another spec" grep -q 'In other words: ' "$work/out"
status 0 "$tool" run -q --filter '^CAF-003/' --spec-dir "$work/spec" --cases-dir "$work/cases" --out "$work/other"
status 3 "$tool" verify "$work/other" --spec-dir "$work/spec" --cases-dir "$work/cases"
ok "a run of another spec" grep -q '^not verified: incomplete: plan: [1-9][0-9]* of the [1-9][0-9]* cases' "$work/out"
status 0 "$tool" profile windows --spec-dir "$work/spec" --cases-dir "$work/cases"
ok "a profile of another spec" grep -q 'In other words: ' "$work/out"
status 2 "$tool" profile --spec "$work/none.xml"
ok "no document for profile" grep -q "$work/none.xml: cannot be read" "$work/err"
status 2 "$tool" faults --spec-dir "$work/none"
ok "no spec" grep -q "$work/none: cannot be read" "$work/err"
status 2 "$tool" faults --cases-dir "$work/none"
ok "no cases" grep -q "$work/none.*: cannot be read" "$work/err"
status 2 "$tool" probe --spec "$work/none.xml"
ok "no document for probe" grep -q "$work/none.xml: cannot be read" "$work/err"
status 2 "$tool" faults --spec "$work/none.xml"
ok "no document for faults" grep -q "$work/none.xml: cannot be read" "$work/err"
status 0 "$tool" list --spec $hints --filter '^HNT-002/refuse/'
hint=$(head -n 1 "$work/out" | cut -f 1)
"$tool" replay "$hint" --spec $hints >"$work/out" 2>&1
ok "a case of one more document" grep -q "$hint" "$work/out"
"$tool" run -q --spec $hints --filter '^HNT-00' --out "$work/hints" >"$work/out" 2>&1
status 0 "$tool" report "$work/hints" --spec $hints --cobertura "$work/hints.xml"
ok "its lines are covered" grep -q "900-hints.xml" "$work/hints.xml"
"$tool" verify "$work/hints" >"$work/without" 2>&1
"$tool" verify "$work/hints" --spec $hints >"$work/with" 2>&1
ok "a run of it is verified with it" grep -q '^not verified: incomplete: plan: [1-9][0-9]* of the [1-9][0-9]* cases that are planned here$' "$work/with"
ok "and not without" grep -q '^not verified: [0-9]* checks are not ok: .*spec: of version ' "$work/without"

# ---- which cases ----
status 0 "$tool" list
cp "$work/out" "$work/cases.txt"
status 0 "$tool" list --cases
ok "cases are what is listed" cmp "$work/out" "$work/cases.txt"
status 0 "$tool" list --case tests/walk/sequence.xml
ok "the scenario of a file" grep -q '^UVA-021/scenario/wddm2_0/sequence$' "$work/out"
ok "and no other case" [ "$(grep -vc '/scenario/[^/]*/sequence$' "$work/out")" -eq 0 ]
status 0 "$tool" explain $sequence/2-0 --seed 2
status 2 "$tool" explain $sequence/2-0
status 0 "$tool" replay $sequence/2-0 --seed 2
status 2 "$tool" replay $sequence/2-0 --seed 3
status 0 "$tool" run -q --filter '^CAF-003/' --exclude /wddm1_ --out "$work/fewer"
ok "what is excluded is not run" [ "$(grep -c /wddm1_ "$work/fewer/plan.tsv")" -eq 0 ]
for suite in smoke standard full; do
    status 0 "$tool" diff . $good --suite $suite
    ok "the cases of $suite" grep -q "^A .* $("$tool" list --suite $suite | wc -l) cases\$" "$work/out"
done
# A run of the smoke suite has those that are listed, with rules that ended before the newest version.
"$tool" run --suite smoke -q --out "$work/smoke" >/dev/null
cut -f 2 "$work/smoke/verdicts.txt" | sort >"$work/ran"
"$tool" list --suite smoke | sort >"$work/listed"
ok "the smoke suite runs what is listed" cmp "$work/ran" "$work/listed"
status 0 "$tool" diff . $good --seed 7 -v
ok "the sequences of a seed" grep -q "$sequence/7-0" "$work/out"
ok "and no others" [ "$(grep -c "$sequence/1-" "$work/out")" -eq 0 ]
status 0 "$tool" coverage --role driver --filter '^PAT-00'
ok "one of these is a driver's" grep -q '^ all statements  *1 ' "$work/out"
status 3 "$tool" coverage --wddm 1.0 --filter '^UVA'
ok "these have no rule at 1.0" grep -q 'no statement is selected' "$work/err"

# ---- how ----
status 0 "$tool" run -v --filter '^CAF-003/' --junit "$work/junit.xml" --junit-detail case --out "$work/each"
ok "JUnit has each case" [ "$(grep -c '<testcase ' "$work/junit.xml")" -eq "$(wc -l <"$work/each/verdicts.txt")" ]
status 0 "$tool" diff "$work/each" "$work/each" --json
ok "a difference as JSON" grep -q '^{' "$work/out"
cat >"$work/orphan.xml" <<END
<baseline>
  <waiver case="CAF-003/none" reason="was there once" expires="2027-01-31"/>
  <waiver case="$case" reason="goes" expires="2027-01-31"/>
</baseline>
END
status 1 "$tool" diff . $good --baseline "$work/orphan.xml"
ok "a waiver that a spec leaves behind" grep -q "$case" "$work/out"
status 0 "$tool" coverage --filter '^UVA-010$' --json
ok "one statement as JSON" grep -q '"testable": 1' "$work/out"
status 1 "$tool" run -q --filter '^SEG-001/.*accept' --no-sweep -j 1 --retries 1 --fail-on-flaky --out "$work/flaky" \
    --impl "$plugins/misbehave.so,do=crash,at=KERNEL_ADAPTER_START,nth=4,once=$work/once" --no-backtrace
ok "a case that differs fails the run" grep -q 'flaky' "$work/out"
status 0 "$tool" run -q --filter '^CAF-003/' --out "$work/fixed" --strict-baseline
status 0 "$tool" replay AIN-024/scenario/wddm3_2/private-data --impl "$plugins/accept_all.so" --level binding
status 1 "$tool" replay AIN-024/scenario/wddm3_2/private-data --impl "$plugins/accept_all.so" --level strict
status 1 "$tool" replay $case --impl "$plugins/hang_some.so,calls=1,emulator=$build/emulator.so" --timeout 1
ok "a case that hangs" grep -q 'no answer within 1 s' "$work/out"
export FAULTY_OPEN=hang
status 2 "$tool" probe --impl "$plugins/faulty.so" --timeout 1
unset FAULTY_OPEN
ok "a plug-in that hangs" grep -q 'no answer within 1 s, in ' "$work/err"
status 2 "$tool" replay $case --memory-limit 64X
case $build in
*address*) ;; # its own memory is beyond every limit
*)
    status 1 "$tool" replay $case --impl "$plugins/misbehave.so,do=eat,nth=1,once=$work/eaten" --memory-limit 64M
    ok "a case that takes too much memory" grep -q 'killed by SIGABRT' "$work/out"
    ;;
esac
mkdir "$work/bin"
printf '#!/bin/sh\necho "gdb: $*"\n' >"$work/bin/gdb"
chmod +x "$work/bin/gdb"
status 0 env PATH="$work/bin:$PATH" "$tool" replay $case --gdb
ok "gdb gets the case" grep -q "^gdb: --args .* replay $case --no-fork\$" "$work/out"
status 0 "$tool" faults --try UVA-010 --level documented --suite smoke -q
ok "the last line alone" [ "$(cat "$work/out")" = "$(tail -n 1 "$work/out")" ]
ok "a fault is noticed" grep -q '^2 faults: 2 killed' "$work/out"
status 1 "$tool" faults --try UVA-010 --level binding --suite smoke
ok "not where only what binds counts" grep -q '^2 faults: 0 killed.* 2 survived' "$work/out"
# Of the three cases that reach it the second is the first that notices it; one is behind.
for shard in 1 2; do
    status 0 "$tool" faults --try UVA-010 --suite smoke --shard $shard/2 --json
    ok "what is behind is in one part" grep -q "\"cases\":$((4 - shard)),\"broken\":$((4 - shard)),\"tried\":2,\"first\":\"UVA-010/" \
        "$work/out"
done

cp -r cases "$work/parted"
sed -i '1a #part\t3/8' "$work/parted/mutation.tsv"
status 2 "$tool" coverage --filter '^UVA-010' --cases-dir "$work/parted"
ok "a record of a part proves nothing" grep -q 'mutation.tsv:2: .*part 3/8, expected one of faults --try without --shard' "$work/err"

# ---- the table: "| COMMAND | OPTION | TESTS |" ----
commands=$("$tool" --help | sed -n '/^  [a-z]/s/^  \([a-z]*\) .*/\1/p')
ok "there are commands" [ "$(echo "$commands" | wc -l)" -gt 12 ]
for command in $commands; do
    status 0 "$tool" "$command" --help
    ok "the help of $command is its own" grep -q "^usage: wddm-cts $command \[options\]\( [A-Z\[].*[^ ]\)*\$" "$work/out"
    echo "$command -"
    sed -n 's/^ *\(-., \)*\(--[a-z-]*\) .*/'"$command"' \2/p' "$work/out"
done >"$work/log.each"
grep '^FAIL' "$work/log.each"
grep '^[a-z]* -' "$work/log.each" | sort >"$work/there"
sed -n 's/^| \([a-z]*\) | \(-[-a-z]*\) | .* |$/\1 \2/p' tests/README.md | sort >"$work/listed"
ok "tests/README.md lists what there is: $(diff "$work/there" "$work/listed" | grep '^[<>]' | tr '\n' ' ')" \
    cmp "$work/there" "$work/listed"

# A test tries an option when it has it on a line with the command, continued lines as one. For what is
# told to every command its help will do, for which the loop above is the test.
short() {
    case $1 in
    --jobs) echo '|-j' ;;
    --quiet) echo '|-q' ;;
    --verbose) echo '|-v' ;;
    esac
}
tries() { # COMMAND OPTION FILE
    sed -e '/^ *#/d' -e :a -e '/\\$/N; s/\\\n//; ta' "$3" 2>/dev/null |
        grep -E "(^|[^a-z-])$1([^a-z-]|\$)" |
        { [ "$2" = - ] && grep -q . || grep -qE -e "(^|[ \"'])($2$(short "$2"))([^a-z-]|\$)"; }
}
sed -n 's/^| \([a-z]*\) | \(-[-a-z]*\) | \(.*\) |$/\1 \2 \3/p' tests/README.md >"$work/rows"
while read -r command option tests; do
    for test in $tests; do
        [ "$option" = --help ] && [ "$test" = tests/options/test-each.sh ] && continue
        tries "$command" "$option" "$test" || echo "$test does not try $command $option"
    done
    [ -n "$tests" ] || echo "$command $option: no test"
done <"$work/rows" >"$work/untried"
ok "the tests try what tests/README.md says" sh -c "cat '$work/untried'; [ ! -s '$work/untried' ]"
summary
