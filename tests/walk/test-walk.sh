#!/bin/sh
# SPDX-License-Identifier: MIT
# Faults planted in the emulator, one at a time (see `faults`): a sequence finds each, blames the
# right rule, and shrinks to something minimal. Run from the source directory; WCTS_BUILD is the
# build directory.
# shellcheck source=tests/common.sh
. tests/common.sh
here=$(dirname "$0")

# plant NAME FILE COMMAND: an emulator with the fault.
plant() {
    mkdir -p "$work/$1"
    cp emulator/*.h "$work/$1"
    sed -e "$3" "emulator/$2" >"$work/$1/$2"
    if cmp -s "emulator/$2" "$work/$1/$2"; then
        echo "the command changes nothing in $2"
        return 1
    fi
    "${CC:-gcc}" -std=gnu11 -O1 -D_GNU_SOURCE -Iinclude -fPIC -c -o "$work/$1/fault.o" \
        "$work/$1/$2" || return 1
    # shellcheck disable=SC2046
    "${CC:-gcc}" -shared -o "$work/$1.so" "$work/$1/fault.o" \
        $(find "$build/emulator" -name '*.o' ! -name "${2%.c}.o")
}

grep -v '^#' "$here/faults" | sed 's/ | /\t/g' | sh tests/part.sh >"$work/faults"
tab=$(printf '\t')
while IFS=$tab read -r name options file rule command; do
    if ! plant "$name" "$file" "$command" >"$work/log" 2>&1; then
        bad "$name cannot be planted"
        cat "$work/log"
        continue
    fi
    plugin=$work/$name.so
    [ "$options" = - ] || plugin=$plugin,$options
    if ! "$build/tests/walk-minimal" "$plugin" ${WCTS_SEED:-1} ${WCTS_SEED:-1} ${WCTS_SEED:-1} ${WCTS_SEED:-1} >"$work/found" 2>"$work/log"; then
        bad "$name"
        cat "$work/found"
        head -n 20 "$work/log"
        continue
    fi
    read -r blamed calls operations number <"$work/found"
    if ! echo "$blamed" | grep -qxE "$rule"; then
        bad "$name is held against $blamed, expected $rule"
    elif [ "$calls" -gt 3 ] || [ "$operations" -gt 4 ]; then
        bad "$name: $calls calls with $operations operations"
    else
        good
    fi
    # The same walk in a run is kept as a scenario, which fails in the same way, but not on the
    # emulator as it is.
    "$tool" run --impl "$plugin" --level strict --filter "^UVA/sequence/.*/${WCTS_SEED:-1}-$number\$" \
        --seed "${WCTS_SEED:-1}" --out "$work/$name.out" >"$work/$name.report" 2>&1
    set -- "$work/$name.out/scenarios"/*.xml
    "$tool" run --case "$1" --impl "$plugin" --level strict --out "$work/again" >"$work/log" 2>&1
    status=$?
    wanted=1
    ! grep -q '    got: *valid call refused' "$work/$name.report" || wanted=3
    if [ $status -eq $wanted ] && [ "$(grep -h '    got:' "$work/log" | sort -u)" = \
        "$(grep -h '    got:' "$work/$name.report")" ]; then
        good
    else
        bad "$name: $1 does not fail as the sequence did"
        grep -h '    got:' "$work/$name.report" "$work/log"
    fi
    if "$tool" run --case "$1" --out "$work/again" >"$work/log" 2>&1; then good; else
        bad "$name: $1 on the emulator"
        head -n 20 "$work/log"
    fi
    [ -z "${WCTS_SHOW:-}" ] || echo "$name: $blamed, $calls calls, $operations operations, walk $number"
done <"$work/faults"

# ---- what is walked as a sequence, and what cannot be ----
# form NAME yes|no FILE
form() {
    "$tool" run --case "$3" --level strict --out "$work/form.out" >"$work/log" 2>&1
    got=$?
    case $2:$got in
    yes:0) good ;;
    no:2) if grep -qE "$3:[0-9]*: scenario \".*\" (expects the effect UVA-0[0-9]* on pages, expected the form of a sequence|sends \".*\" here, which nothing before it makes)" \
        "$work/log"; then good; else
        bad "$1: another error"
        cat "$work/log"
    fi ;;
    *)
        bad "$1: status $got"
        head -n 20 "$work/log"
        ;;
    esac
}

grep -v '^#' "$here/forms" | sed 's/ | /\t/;s/ | /\t/' >"$work/forms"
while IFS=$tab read -r name walked command; do
    sed -e "$command" "$here/sequence.xml" >"$work/form.xml"
    form "$name" "$walked" "$work/form.xml"
done <"$work/forms"
update=$(sed -n '/KERNEL_VA_UPDATE/,/<\/call>/p' "$here/sequence.xml")
for count in 96 97; do # with the calls of the file: 99 and 100 steps; 101 are too many
    {
        sed '/<\/scenario/,$d' "$here/sequence.xml"
        for _ in $(seq $count); do echo "$update"; done
        sed -n '/<\/scenario/,$p' "$here/sequence.xml"
    } >"$work/form.xml"
    form "$count more updates" yes "$work/form.xml"
done
sed "s|</scenario|$(echo "$update" | tr -d '\n')</scenario|" "$work/form.xml" >"$work/more.xml"
form "too many steps" no "$work/more.xml"
cat >"$work/form.xml" <<'END'
<cases>
  <scenario name="plain-map" since="2.0" needs="settle" expect="UVA-002"/>
</cases>
END
form "no sequence at all" no "$work/form.xml"
"$tool" lint --spec "$work/form.xml" >"$work/log" 2>&1
if [ $? -eq 2 ] && grep -q 'expected the form of a sequence' "$work/log"; then good; else
    bad "lint takes a scenario that is no sequence"
fi

# ---- a whole run ----
plant run kernel_va_map.c "$(sed -n 's/^offset-ignored .* . //p' "$here/faults")"
fault=$work/run.so,strict
for workers in 1 2; do
    "$tool" run --impl "$fault" --filter "^UVA/sequence/" -j $workers --seed 3 --out "$work/out$workers" \
        >"$work/report$workers" 2>&1
    if [ $? -eq 1 ]; then good; else bad "a run with a fault does not fail"; fi
done
if diff -r "$work/out1/scenarios" "$work/out2/scenarios" >"$work/log" &&
    cmp "$work/out1/verdicts.txt" "$work/out2/verdicts.txt" >>"$work/log"; then
    good
else
    bad "runs with one and with two workers differ"
    head "$work/log"
fi
if grep -q '    shrunk:' "$work/report1"; then good; else bad "nothing is shrunk in the report"; fi
again=$(sed -n 's/^    reproduce: wddm-cts //p' "$work/report1" | head -n 1)
case $again in
*--seed\ 3) good ;;
*) bad "replay: $again" ;;
esac
# shellcheck disable=SC2086
"$tool" $again >"$work/log" 2>&1
if [ $? -eq 1 ] && grep -q '  shrunk:' "$work/log"; then good; else
    bad "$again does not reproduce it"
    tail "$work/log"
fi
for file in "$work"/out1/scenarios/*.xml; do
    xmllint --noout "$file" 2>"$work/log" || break
done
if [ -s "$work/log" ] && grep -q error "$work/log"; then bad "$file is no XML"; else good; fi

# ---- messages: as many as a call may hold, whether a trace keeps them or not ----
# chatty MESSAGES LENGTH STATUS REASON: both as a run and as a replay with a trace.
chatty() {
    walk=UVA/sequence/wddm2_0/1-0
    plugin=$build/plugins/chatty.so,emulator=$build/emulator.so
    CHATTY_MESSAGES=$1 CHATTY_LENGTH=$2 "$tool" run --impl "$plugin" --filter "/sequence/.*/1-0\$" \
        --out "$work/chatty" >"$work/log" 2>&1
    got=$?
    CHATTY_MESSAGES=$1 CHATTY_LENGTH=$2 "$tool" replay -v $walk --impl "$plugin" >"$work/trace" 2>&1
    if [ $got:$? = "$3:$3" ] && grep -q "$4" "$work/log" && grep -q "$4" "$work/trace"; then good; else
        bad "$1 messages of $2 bytes"
        head -n 12 "$work/log"
        tail -n 3 "$work/trace"
    fi
}
chatty 500 0 0 pass
chatty 100000 0 1 'too many messages: more than 100000 in a call, the last one MACHINE_LOG'
chatty 1 1000000 0 pass
chatty 100 1000000 1 'too many messages: more than 256 MiB in a case, the last one MACHINE_LOG'
if CHATTY_SHIFT=3 "$tool" run --impl "$plugin" --filter '/sequence/.*/1-.$' \
    --out "$work/chatty" >"$work/log" 2>&1; then good; else
    bad "pages that are not aligned"
    head -n 12 "$work/log"
fi

# ---- sequences are drawn the same everywhere, and not in smoke ----
"$tool" list --filter '/sequence/' >"$work/ids"
if [ "$(wc -l <"$work/ids")" -eq 200 ]; then good; else bad "not 200 walks"; fi
"$tool" list --suite full --filter '/sequence/' >"$work/ids"
if [ "$(wc -l <"$work/ids")" -eq 10000 ]; then good; else bad "not 10000 walks in full"; fi
if "$tool" list --suite smoke --filter '/sequence/' >"$work/ids" 2>&1; then
    bad "sequences in smoke"
else
    good
fi
"$tool" run --impl "$build/plugins/accept_all.so" --filter '/sequence/' --out "$work/none" \
    >"$work/log" 2>&1
if grep -q '200  not claimed: PAGES' "$work/log"; then good; else bad "PAGES is not asked for"; fi

summary
