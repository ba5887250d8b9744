#!/bin/sh
# SPDX-License-Identifier: MIT
# No report has an absolute path of the machine, and its commands still show a failure again.
# Run from the source directory; WCTS_BUILD is the build directory.
. tests/reports/common.sh
work=$(realpath "$work")
project=$work/alice/project
mkdir -p "$project/build" "$project/sub" "$work/elsewhere" "$project/log"
cp "$plugins/misbehave.so" "$plugins/wrong_abi.so" "$project/build/"
echo text >"$project/build/text.so"
ln -s project "$work/alice/link"
cp -r spec cases "$project"
export PATH="$build:$PATH" HOME="$work/alice"
unset WCTS_SPEC_DIR WCTS_CASES_DIR
cat >"$project/known.xml" <<'END'
<baseline>
  <waiver match="CAF-001/.*" reason="r" expires="2999-01-01"/>
  <waiver match="CAF-003/accept/.*" reason="r" expires="2999-01-01"/>
</baseline>
END

# clean NAME: nothing in the directory of reports has a directory of this test or of the build.
clean() {
    ok "something is reported of $1" grep -rq reproduce "$project/log"
    grep -raoF -e "$work" -e "$build" "$project/log" >"$work/found"
    ok "no absolute path in reports of $1: $(sort "$work/found" | uniq -c | head)" [ ! -s "$work/found" ]
}

# reports DIRECTORY: runs there, with paths that are all absolute, and makes every report.
reports() {
    rm -rf "$project/log"
    mkdir "$project/log"
    options="--spec-dir $project/spec --cases-dir $project/cases --baseline $project/known.xml"
    # shellcheck disable=SC2086 # words
    (
        cd "$1" || exit 1
        set -- run --impl "$project/build/misbehave.so,do=crash,nth=5,once=$project/sub/no" $options
        rm -f "$project/sub/no"
        wddm-cts "$@" -j 1 --filter '^CAF-00[13]/' --out "$project/log/run" --junit "$project/log/junit.xml" \
            --html="$project/log/run.html" --markdown "$project/log/run.md" >"$project/log/console"
        wddm-cts report --spec-dir "$project/spec" --cases-dir "$project/cases" "$project/log/run" \
            --xml "$project/log/run.xml" --cobertura "$project/log/coverage.xml" --junit "$project/log/again.xml" >"$project/log/report"
        wddm-cts report "$project/log/run" --tap >"$project/log/tap"
        wddm-cts verify "$project/log/run" --impl "$project/build/misbehave.so" --json >"$project/log/verify.json"
        rm -f "$project/sub/no"
        wddm-cts "$@" -j 1 --filter '^CAF-00[13]/' --failed-of "$project/log/run" --json --out "$project/log/second" \
            >"$project/log/json"
        wddm-cts diff "$project/log/run" "$project/log/second" --json >"$project/log/diff.json"
        for file in text wrong_abi; do
            wddm-cts run --impl "$project/build/$file.so" --filter '^CAF-001/' --out "$project/log/$file" \
                --junit "$project/log/$file.xml"
        done >"$project/log/not-loaded" 2>&1
    )
    sed -i 's/^\(wddm-cts: \)[^ ]*: /\1/' "$project/log/not-loaded"
    clean "$1"
}

# again DIRECTORY IMPL: the command of JUnit's first failure names the plug-in so, and fails there.
again() {
    command=$(sed -n 's/^reproduce: //p' "$project/log/junit.xml" | tail -n 1 | sed 's/&gt;/>/g')
    ok "$command" [ "$command" != "${command#wddm-cts replay CAF-* --impl "$2"}" ]
    (cd "$1" && sh -c "$command") >"$work/out" 2>&1
    got=$?
    ok "status of $command is $got" [ $got -eq 1 ]
}

reports "$project"
again "$project" build/misbehave.so,do=crash,nth=5,once=sub/no
ok "what is in the directory is relative to it" grep -qF '"path": "build/misbehave.so"' "$project/log/run/run.json"
ok "so is the command" grep -qF 'run --impl build/misbehave.so,do=crash,nth=5,once=sub/no --spec-dir spec --cases-dir cases --baseline known.xml -j 1 --filter ^CAF-00[13]/ --out log/run --junit log/junit.xml --html=log/run.html' \
    "$project/log/run/run.json"
ok "so are places" grep -q 'file="spec/000-' "$project/log/junit.xml"
reports "$project/sub"
again "$project/sub" ../build/misbehave.so,do=crash,nth=5,once=no
reports "$work/elsewhere"
again "$work/elsewhere" '~/project/build/misbehave.so,do=crash,nth=5,once=../alice/project/sub/no'
ok "a baseline" grep -qF 'file="~/project/known.xml"' "$project/log/junit.xml"

# Elsewhere, through a link, and what looks like a path but is none.
path_of() {
    (cd "$1" && wddm-cts run --impl "$2" --shard 1/999 --out "$work/run" -q >"$work/out")
    sed -n 's/^ *"path": "\(.*\)",$/\1/p' "$work/run/run.json"
}
so=$project/build/misbehave.so
is=$(path_of "$work/alice/link" "$work/alice/link/build/misbehave.so")
ok "what a link leads to is $is" [ "$is" = build/misbehave.so ]
is=$(HOME=$work/none path_of "$work/elsewhere" "$so")
ok "what is beside is $is" [ "$is" = ../alice/project/build/misbehave.so ]
is=$(HOME=$work/none path_of / "$so")
ok "what is below the root is $is" [ "$is" = "${so#/}" ]
cd "$project" || exit 1
wddm-cts run --impl ../project/build/misbehave.so,do=/accept/x,x=/ --filter /refuse/ --exclude /a --shard 1/99 --out "log/kept" -q >"$work/out"
ok "what is no path stays" grep -qF 'run --impl ../project/build/misbehave.so,do=/accept/x,x=/ --filter /refuse/ --exclude /a --shard 1/99 --out log/kept' \
    log/kept/run.json
summary
