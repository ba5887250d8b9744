#!/bin/sh
# SPDX-License-Identifier: MIT
# Somebody else's run directory, which may be anything: pipes and links in the place of files, lines
# without end, texts for terminals, a record that was changed, a run that did not end.
# Run from the source directory; WCTS_BUILD is the build directory.
. tests/common.sh

said() {
    ok "standard error has $1" grep -qF -e "$1" "$work/err"
}

printed() {
    ok "standard output has $1" grep -qF -e "$1" "$work/out"
}

not() {
    ! "$@"
}

# In no longer than a minute, whatever is opened.
soon() {
    expected=$1
    shift
    status "$expected" timeout 60 "$tool" "$@"
}

# Small, since each change of it is verified.
"$tool" run --suite smoke --filter "^CAF-0" --out "$work/run" -q >/dev/null
ok "a run" grep -q '"end": "done"' "$work/run/run.json"
copy() {
    rm -rf "$work/bad"
    cp -r "$work/run" "$work/bad"
}

# ---- what is no regular file ----
for name in run.json plan.tsv journal.jsonl; do
    for kind in fifo directory link device; do
        copy
        rm "$work/bad/$name"
        case $kind in
        fifo) mkfifo "$work/bad/$name" ;;
        directory) mkdir "$work/bad/$name" ;;
        link) ln -s "$work/run/$name" "$work/bad/$name" ;;
        device) ln -s /dev/zero "$work/bad/$name" ;;
        esac
        soon 2 report "$work/bad"
        said "$work/bad/$name: "
        soon 2 diff "$work/run" "$work/bad"
        if [ $name = run.json ]; then
            soon 2 verify "$work/bad"
            said "$work/bad/run.json: "
        else
            soon 1 verify "$work/bad"
            printed "NOT ok        $name"
        fi
        [ $name = journal.jsonl ] || soon 2 coverage "$work/bad"
    done
done
copy
rm "$work/bad/records"
mkfifo "$work/bad/records"
soon 1 verify "$work/bad"
copy
rm "$work/bad/verdicts.txt"
mkfifo "$work/bad/verdicts.txt"
soon 1 verify "$work/bad"

# Nor is any other argument that is to be a file: pipes, directories, devices.
mkfifo "$work/pipe"
mkdir "$work/folder"
ln -s /dev/zero "$work/zero"
case=CAF-003/refuse/wddm1_0/CreateShared
for kind in folder zero; do
    soon 2 run --out "$work/none" --impl "$work/$kind"
    soon 2 lint --spec "$work/$kind"
    soon 2 report "$work/run" --xsl "$work/$kind"
    soon 2 report "$work/$kind"
    soon 2 explain "$case" --run "$work/$kind"
done
for command in run "list --filter ^CAF-003/" probe faults "replay $case" "replay --no-fork $case" "verify $work/run"; do
    # shellcheck disable=SC2086 # words
    soon 2 $command --impl "$work/pipe"
    said "pipe: "
done
for option in baseline update-baseline spec case xsl failed-of spec-dir cases-dir; do
    soon 2 run --filter '^CAF-003/' --out "$work/none" --$option "$work/pipe"
    said "$work/pipe"
done
soon 2 report "$work/run" --xsl "$work/pipe"
soon 2 lint --spec "$work/pipe"
soon 2 diff spec spec --baseline "$work/pipe"
for command in report verify coverage "diff $work/run" "explain $case --run" "explain CAF-003 --run"; do
    # shellcheck disable=SC2086 # words
    soon 2 $command "$work/pipe"
done
ok "nothing ran" [ ! -e "$work/none" ]
cp -r cases "$work/cases"
rm "$work/cases/mutation.tsv"
mkfifo "$work/cases/mutation.tsv"
soon 2 coverage --cases-dir "$work/cases"

# ---- lines and objects without end ----
copy
head -c 80M /dev/zero | tr '\0' ' ' >"$work/long"
cat "$work/long" >>"$work/bad/journal.jsonl"
soon 2 report "$work/bad"
soon 1 verify "$work/bad"
copy
truncate -s 1G "$work/bad/run.json"
soon 2 report "$work/bad"
said "$work/bad/run.json: is too large"
soon 2 verify "$work/bad"
copy
cat "$work/long" >>"$work/bad/plan.tsv"
soon 2 report "$work/bad"
said "$work/bad/plan.tsv:"
soon 1 verify "$work/bad"
soon 2 coverage "$work/bad"
soon 2 diff "$work/run" "$work/bad"
rm "$work/long"

# ---- texts for terminals ----
clean() {
    ok "nothing for a terminal from $1" not grep -qP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]' \
        "$work/out" "$work/err"
}
escape='\\u001b[31m\\u0007\\u009b'
copy
sed -i "s/\"name\": \"[^\"]*\"/\"name\": \"evil$escape\"/; s/\"version\": \"[^\"]*\"/\"version\": \"1$escape\"/
    s/\"tool_version\": \"[^\"]*\"/\"tool_version\": \"$escape\"/; s/\"path\": \"[^\"]*\"/\"path\": \"$escape\"/
    s/\"started\": \"\([^\"]*\)\"/\"started\": \"\1$escape\"/; s/\"pass\":/\"p$escape\":/" "$work/bad/run.json"
ok "it is in the file" grep -q 'u001b' "$work/bad/run.json"
for command in report verify coverage; do
    timeout 60 "$tool" $command "$work/bad" >"$work/out" 2>"$work/err"
    ok "$command prints" grep -q evil "$work/out"
    clean $command
done
timeout 60 "$tool" diff "$work/run" "$work/bad" >"$work/out" 2>"$work/err"
clean diff
copy
sed -i "s/\"reason\":\"[^\"]*\"/\"reason\":\"evil$escape\"/" "$work/bad/journal.jsonl"
for command in report verify coverage; do
    timeout 60 "$tool" $command "$work/bad" >"$work/out" 2>"$work/err"
    clean $command
done
timeout 60 "$tool" diff "$work/run" "$work/bad" >"$work/out" 2>"$work/err"
clean "diff of reasons"
copy
printf 'evil\033[31m\a\tx\tx\tx\tx\tx\n' >>"$work/bad/plan.tsv"
soon 2 report "$work/bad"
clean "report of a plan"
timeout 60 "$tool" coverage "$work/bad" >"$work/out" 2>"$work/err"
clean "coverage of a plan"
timeout 60 "$tool" diff "$work/run" "$work/bad" -v >"$work/out" 2>"$work/err"
clean "diff of plans"

# ---- a record that was changed ----
changed() {
    copy
    sed -i "$1" "$work/bad/run.json"
    ok "changed by $1" not cmp -s "$work/run/run.json" "$work/bad/run.json"
    soon 1 verify "$work/bad"
    printed "$2"
}
newest=$(sed -n 's/.*"last": "\([0-9.]*\)".*/\1/p' "$work/run/run.json" | head -n 1)
changed "s/\"last\": \"$newest\"/\"last\": \"1.0\"/" "NOT ok        wddm"
changed "s/\"last\": \"$newest\"/\"last\": \"9.9\"/" "NOT ok        wddm"
changed 's/"exit_code": 0/"exit_code": 1/' "NOT ok        exit status"
changed 's/"exit_code": 0/"exit_code": 7/' "NOT ok        exit status"
# A run that says that it has all.
"$tool" run --suite smoke --out "$work/run" -q >/dev/null
changed 's/"of": 1/"of": 4/' "NOT ok        shard"
changed 's/"of": 1/"of": 0/' "NOT ok        shard"
"$tool" run --suite smoke --impl "$plugins/accept_all.so" --out "$work/failing" -q >/dev/null
cp -r "$work/failing" "$work/forged"
sed -i 's/"exit_code": [0-9]*/"exit_code": 0/' "$work/forged/run.json"
soon 1 verify "$work/forged"
printed "NOT ok        exit status     0, although cases fail"
"$tool" run --shard 1/2 --filter '^CAF-0' --out "$work/part" -q >/dev/null
sed -i 's/"of": 2/"of": 1/; s/"narrowed": true/"narrowed": false/' "$work/part/run.json"
soon 1 verify "$work/part"
printed "NOT ok        shard           the run names nothing that was left out"

# ---- a run that did not end ----
copy
sed -i 's/"end": "done"/"end": "running"/' "$work/bad/run.json"
soon 3 diff "$work/run" "$work/bad"
soon 3 diff "$work/bad" "$work/run" --json
soon 0 diff "$work/run" "$work/run"
summary
