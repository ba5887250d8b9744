#!/bin/sh
# SPDX-License-Identifier: MIT
# A finished run that is read at another level gives what a run at that level gives: the same
# verdicts with their reasons, the same last line and coverage, and verify agrees. Run from the source
# directory; WCTS_BUILD is the build directory. WCTS_PART=K/N: a part of `runs`.
. tests/common.sh
# At one version, another with each part; WDDM=2.0..2.2: at these; "WDDM= ": at all that it claims. What
# depends on more than one version is looked at below, in a few cases.
part=${WCTS_PART:-1/1}
count=$(grep -c '<version name=' spec/versions.xml)
some=$(sed -n 's/.*<version name="\([^"]*\)".*/\1/p' spec/versions.xml | sed -n "$((${part%/*} * 7 % count + 1))p")
wddm=${WDDM-$some}
levels="binding documented strict"

# said_by OPTIONS...: what is to be the same; times and the place of the run are not. Each case that
# did not pass with its reason, the summary, the exit status of coverage's steps.
said_by() {
    "$tool" report --tap "$@" | sed '/^ *duration_ms/d; /^ *seconds/d'
    "$tool" report "$@" | sed '/^ *time /d; /^ *run /d; s/  *[0-9.]* s$//'
    "$tool" coverage "$@" | sed '/seconds/d'
}

while read -r name implementation options; do
    implementation=$(echo "$implementation" | sed "s,@P,$plugins,; s,@B,$build,; s,@W,$work/once,")
    for level in $levels; do
        rm -f "$work/once"
        # shellcheck disable=SC2086 # words
        "$tool" run -q ${wddm:+--wddm $wddm} --impl "$implementation" --level "$level" $options --no-backtrace \
            --out "$work/$name.$level" >/dev/null 2>&1
        said_by "$work/$name.$level" >"$work/wanted.$level" 2>&1
    done
    for from in $levels; do
        for level in $levels; do
            # At its own level a run is read at one of the three: there is nothing to be judged anew.
            [ "$from" != "$level" ] || [ "$level" = strict ] || continue
            said_by --level "$level" "$work/$name.$from" >"$work/got" 2>&1
            ok "$name: a run at $from, read at $level" diff "$work/wanted.$level" "$work/got"
        done
    done
    "$tool" verify "$work/$name.strict" | tail -n 1 >"$work/wanted"
    "$tool" verify --level strict "$work/$name.documented" | tail -n 1 >"$work/got"
    ok "$name: verify at strict" diff "$work/wanted" "$work/got"
    rm -rf "$work/$name".*
done <<EOF
$(sed '/^#/d' tests/levels/runs | rows "$(grep -vc '^#' tests/levels/runs)")
EOF

# What failing cases share is told by version, too.
for level in documented strict; do
    "$tool" run -q --impl "$plugins/accept_all.so" --level $level --filter '^CAF-0[0-2]' --wddm 1.3..2.0 \
        --out "$work/two.$level" >/dev/null 2>&1
done
said_by "$work/two.strict" >"$work/wanted" 2>&1
said_by --level strict "$work/two.documented" >"$work/got" 2>&1
ok "two versions: a run at documented, read at strict" diff "$work/wanted" "$work/got"
ok "something fails at one of them alone" grep -q '^    pattern: .*fails at WDDM' "$work/got"

# Something is judged otherwise at each level, or nothing above is shown.
"$tool" run -q --impl "$plugins/accept_all.so" --wddm 2.0 --out "$work/one" >/dev/null 2>&1
for level in $levels; do
    "$tool" report --level "$level" "$work/one" | grep -o '[0-9]* cases of [0-9]* statements failed' >"$work/$level"
done
ok "binding and documented differ" sh -c "! cmp -s '$work/binding' '$work/documented'"
ok "documented and strict differ" sh -c "! cmp -s '$work/documented' '$work/strict'"

# The level of a ladder is the one that the run is read at.
status 0 "$tool" coverage --level strict "$work/one"
ok "coverage at strict" grep -q 'level strict' "$work/out"

# What cannot be read.
status 2 "$tool" report --level loud "$work/one"
cp -r "$work/one" "$work/other"
sed -i 's/"end": "done"/"end": "running"/' "$work/other/run.json"
status 2 "$tool" report --level strict "$work/other"
ok "a run that goes on is named" grep -q 'run.json: the run has not ended, expected a finished one for --level' "$work/err"

# Waivers are applied anew, of the baseline that the run had.
"$tool" run -q --impl "$plugins/break_one.so,emulator=$build/emulator.so,strict" --wddm 2.0 --out "$work/before" \
    --update-baseline "$work/known.xml" >/dev/null 2>&1
"$tool" run -q --impl "$plugins/break_one.so,emulator=$build/emulator.so,strict" --wddm 2.0 --out "$work/waived" \
    --baseline "$work/known.xml" >/dev/null 2>&1
ok "what is waived is waived" grep -q '^waived' "$work/waived/verdicts.txt"
"$tool" report --level strict "$work/waived" >"$work/out"
ok "and so it is at strict" grep -q 'waived' "$work/out"
echo >>"$work/known.xml"
status 2 "$tool" report --level strict "$work/waived"
ok "another baseline is named" grep -q 'the baseline has changed since' "$work/err"
summary
