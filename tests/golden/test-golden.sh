#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the suite against each plug-in of `runs`: the exit code, which verdicts the cases of each
# statement got, and the properties of the run. See README.md. WCTS_PART=K/N: another version besides.
here=$(dirname "$0")
# A signal is a signal, also where a sanitizer would make an exit of it.
export ASAN_OPTIONS="handle_segv=0:handle_abort=0:detect_leaks=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
build=${WCTS_BUILD:-build/default}
tool=$build/wddm-cts
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

# ok NAME COMMAND...: counts; what a failing command printed is shown.
ok() {
    if "$@" >"$work/said" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $name: $*"
        tail -n 20 "$work/said"
    fi
}

# One line a statement: which verdicts its cases got. What a walk meets depends on its version; what binds at
# none of the four versions has no line.
summarize() {
    awk -F '\t' -v always="/wddm($always)(/|$)" '
        $2 ~ "/walk/" {next}
        {split($2, part, "[/.]")}
        NR == FNR {binds[part[1]] = binds[part[1]] || $2 ~ always; next}
        binds[part[1]] {print part[1], $1}' "$1" "$1" | LC_ALL=C sort -u |
        awk '$1 != statement {if (statement) print statement "\t" verdicts; statement = $1; verdicts = $2; next}
            {verdicts = verdicts " " $2}
            END {print statement "\t" verdicts}'
}

# column NAME: of the table, one line a statement that the run has.
column() {
    awk -F '\t' -v name="$1" 'NR == 1 {for (i = 2; i <= NF; i++) if ($i == name) at = i; next}
        at && $at != "" {print $1 "\t" $at}' "$here/verdicts.tsv"
}

# table NAME...: of their summaries.
table() {
    for name; do
        sed "s/^/$name\t/" "$work/$name.summary"
    done | awk -F '\t' -v names="$*" '
        {verdicts[$1, $2] = $3; seen[$2]}
        END {
            count = split(names, name, " ")
            for (i = 1; i <= count; i++)
                title = title "\t" name[i]
            print "statement" title
            for (statement in seen) {
                line = statement
                for (i = 1; i <= count; i++)
                    line = line "\t" verdicts[name[i], statement]
                print line | "LC_ALL=C sort"
            }
        }'
}

# has_properties NAME RUN: evaluates the lines of `properties` for this run.
has_properties() {
    tail -n +2 "$2/plan.tsv" | paste - "$2/verdicts.txt" | awk -F '\t' -v name="$1" '
        function is(value, want) {
            if (want ~ /^!/)
                return value !~ "^(" substr(want, 2) ")$"
            return value ~ "^(" want ")$"
        }
        NR == FNR {
            split($0, word, " +")
            if (word[1] == name) {
                line[++lines] = $0
                cases[lines] = word[2]; verdict[lines] = word[3]; kind[lines] = word[4]
                expect[lines] = word[5]; statement[lines] = word[6]
            }
            next
        }
        $1 != $8 { print "plan has " $1 ", verdicts " $8; bad = 1; exit }
        {
            for (i = 1; i <= lines; i++)
                if (is($2, kind[i]) && is($3, expect[i] "( .*)?") && is($6, statement[i])) {
                    if (is($7, verdict[i])) {
                        with[i]++
                        one[i] = $7 " " $1 " " $9
                    } else {
                        without[i]++
                        other[i] = $7 " " $1 " " $9
                    }
                }
        }
        END {
            for (i = 1; i <= lines; i++) {
                wrong = ""
                if (cases[i] == "no" && with[i])
                    wrong = with[i] " of them, such as " one[i]
                if (cases[i] == "some" && !with[i])
                    wrong = "none of them"
                if (cases[i] == "only" && (without[i] || !with[i]))
                    wrong = without[i] + 0 " others, such as " other[i]
                if (wrong)
                    print "not so: " line[i] "\n  " wrong
                bad = bad || wrong
            }
            exit bad || lines == 0
        }' "$here/properties" -
}

# differs_in_one NAME RUN VERDICT REASON: from accept-all at the same version, of which it is a copy
# that misbehaves once.
differs_in_one() {
    paste "$work/one-version/verdicts.txt" "$2/verdicts.txt" |
        awk -F '\t' '$1 != $4 || $3 != $6 {print $4 "\t" $6}
            $2 != $5 {print "other cases"; exit}' >"$work/differ"
    if [ "$3" = - ]; then
        : >"$work/wanted"
    else
        printf '%s\t%s\n' "$3" "$4" >"$work/wanted"
    fi
    diff "$work/wanted" "$work/differ"
}

# One version is enough for whoever misbehaves once.
one_version="--suite smoke --wddm 3.2"
"$tool" run --impl "$build/plugins/accept_all.so" $one_version -j 1 --out "$work/one-version" -q >"$work/log" 2>&1

# Four versions give each statement every verdict that all of them give it; what the others give is in
# the table, too: with each part another one is run besides.
always='1_3|2_3|2_8|3_2'
part=${WCTS_PART:-1/1}
count=$(grep -c '<version name=' spec/versions.xml)
other=$(sed -n 's/.*<version name="\([^"]*\)".*/\1/p' spec/versions.xml |
    sed -n "$((${part%/*} * 7 % count + 1))p" | tr . _)
versions="--filter /wddm($always|$other)(/|\$)"

runs=
while read -r name code plugin verdict reason; do
    [ -n "$name" ] || continue
    plugin=$(echo "$plugin" | sed "s|@P|$build/plugins|g; s|@B|$build|g; s|@W|$work|g")
    selected=$versions
    [ -z "$verdict" ] || selected=$one_version
    # shellcheck disable=SC2086 # two words
    "$tool" run --impl "$plugin" $selected --timeout 2 -j 1 --out "$work/$name" -q >"$work/log" 2>&1
    got=$?
    ok [ "$got" -eq "$code" ] || tail -n 5 "$work/log"
    if [ -n "$verdict" ]; then
        ok differs_in_one "$name" "$work/$name" "$verdict" "$reason"
    elif [ -s "$work/$name/verdicts.txt" ]; then
        summarize "$work/$name/verdicts.txt" >"$work/$name.summary"
        runs="$runs $name"
        column "$name" >"$work/wanted"
        [ -n "${WCTS_UPDATE:-}" ] || ok diff "$work/wanted" "$work/$name.summary"
        ok has_properties "$name" "$work/$name"
    else # the plug-in does not start
        column "$name" >"$work/wanted"
        ok [ ! -s "$work/wanted" ]
    fi
done <"$here/runs"
# shellcheck disable=SC2086
[ -z "${WCTS_UPDATE:-}" ] || table $runs >"$here/verdicts.tsv"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
