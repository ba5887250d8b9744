#!/bin/sh
# SPDX-License-Identifier: MIT
# A wrong verdict at any single version is red: for each line of `planted`, an implementation does what
# the rule forbids at one version alone, each in turn. The run fails, blames this statement, and
# nothing at another version. Run from the source directory; WCTS_BUILD is the build directory.
cd "$(dirname "$0")/../.." || exit 1
. tests/common.sh
here=tests/versions
export tool plugins build work

# "2.0 wddm2_0 0x5023", a line for each version, ascending.
sed -n 's/.*<version name="\([^"]*\)" id="\([^"]*\)" interface="\([^"]*\)".*/\1 \2 \3/p' \
    spec/versions.xml >"$work/versions"

# One fault at one version: fault, rule, options, version, its id, its interface version. The result
# is a line in $work/verdicts.
cat >"$work/try.sh" <<'TRY'
fault=$1 rule=$2 options=$3 version=$4 id=$5 interface=$6
[ "$options" = - ] && options=
out=$work/$fault-$version
"$tool" run -q -j 1 --level strict --filter "^$rule/" --out "$out" \
    --impl "$plugins/at_version.so,emulator=$build/emulator.so,fault=$fault,version=$interface$options" \
    >"$out.log" 2>&1
status=$?
red=$(awk -F '\t' '$1 == "fail" || $1 == "crash" || $1 == "timeout" {print $2}' "$out/verdicts.txt")
elsewhere=$(echo "$red" | grep -v "^$rule/[a-z-]*/$id\(/\|\$\)")
if [ "$interface" = 0 ]; then
    [ $status -eq 0 ] && [ -z "$red" ] && echo ok || echo "FAIL $rule without the fault: exit $status: $red"
elif [ $status -ne 1 ] || [ -z "$red" ]; then
    echo "FAIL $rule is not red at $version: exit $status"
elif [ -n "$elsewhere" ]; then
    echo "FAIL $rule at $version: also red: $elsewhere"
else
    echo ok
fi
rm -rf "$out"
TRY

# The versions from the first on, until the last is reached.
between() { # first, until
    awk -v first="$1" -v last="$2" '$1 == first {on = 1} $1 == last {on = 0} on' "$work/versions"
}

sed -n '/^[^#]/s/ *| */|/gp' "$here/planted" >"$work/planted"
while IFS='|' read -r fault rule options first until; do
    "$tool" explain "$rule" >"$work/explained" 2>&1
    wanted="from $first"
    [ "$until" = - ] || wanted="$wanted until $until"
    ok "$rule binds $wanted" grep -q "^  rule  *$rule: .* $wanted (" "$work/explained"
    echo "$fault" "$rule" "${options:--}" none none 0
    between "$first" "$until" | sed "s/^/$fault $rule ${options:--} /"
done <"$work/planted" >"$work/all"
ok "every version is among them" [ "$(cut -d ' ' -f 4 "$work/all" | sort -u | grep -vc none)" -eq "$(wc -l <"$work/versions")" ]
sh tests/part.sh <"$work/all" >"$work/tries"
xargs -P "$(nproc)" -n 6 sh "$work/try.sh" <"$work/tries" >"$work/verdicts"
grep '^FAIL' "$work/verdicts"
passed=$((passed + $(grep -c '^ok' "$work/verdicts")))
failed=$((failed + $(wc -l <"$work/tries") - $(grep -c '^ok' "$work/verdicts")))
summary
