#!/bin/sh
# SPDX-License-Identifier: MIT
# Expressions that cannot be compared: --filter and waivers end with exit status 2, the expression
# and the reason, before anything ran, and within a second.
# Run from the source directory; WCTS_BUILD is the build directory.
. tests/common.sh
export WCTS_TODAY=2026-11-21

said() {
    ok "standard error has $1" grep -qF -e "$1" "$work/err"
}

# Backtracks without end on every id.
endless='(?:[A-Za-z0-9_/.,-]+)+[!?]'
endless_part='(?:[A-Za-z]|\w|\d|-|/|.)+(?<=!)$'

# ---- --filter ----
for command in list run; do
    out=$([ "$command" = list ] || echo "--out $work/none")
    # shellcheck disable=SC2086 # two words
    status 2 "$tool" "$command" --filter "$endless_part" $out
    said "wddm-cts: --filter $endless_part: match limit exceeded, at \""
    ok "nothing on standard output" [ ! -s "$work/out" ]
done
ok "no run directory" [ ! -e "$work/none" ]
status 2 "$tool" coverage --filter '(*LIMIT_MATCH=1)(*NO_JIT)(?:[A-Z]|[A-Z][A-Z])+-.*[!?]'
said "match limit exceeded, at \""
status 2 "$tool" list --filter '(*NO_JIT)'"$endless_part"
said "match limit exceeded"
status 2 "$tool" list --filter '(*LIMIT_MATCH=1)(*NO_JIT)refuse.*wddm'
said "match limit exceeded"
status 2 "$tool" list --filter '(?R)?x(?<!x)|(?1)(.(?1))'
status 2 "$tool" list --filter '['
said "wddm-cts: --filter [: missing terminating ] for character class, at letter 2"

# Less than the loading of the spec, which all of them do.
start=$(date +%s%N)
status 0 "$tool" list --filter '^CAF-001/'
plain=$(($(date +%s%N) - start))
start=$(date +%s%N)
status 2 "$tool" list --filter "$endless_part"
took=$(($(date +%s%N) - start - plain))
case $build in
*address* | *undefined*) ;; # several times as slow
*) ok "within a second" [ $took -lt 1000000000 ] ;;
esac

# What people write is no trouble, nor is what needs more of the stack.
status 0 "$tool" list --filter '(?=.*a)(?=.*e).*(CpuVisible|Aperture).*,.*|(.*)/(.*)/wddm2_[0-9]$'
status 0 "$tool" list --filter '^((?:(.)(?=(.*)))*)$'

# ---- waivers ----
waiver() {
    printf '<baseline>\n  <waiver %s reason="r" expires="2027-01-01"/>\n</baseline>\n' "$1" >"$work/b.xml"
}
waiver "match=\"$endless\""
status 2 "$tool" run --filter '^CAF-003/' --baseline "$work/b.xml" --out "$work/none"
said "$work/b.xml:2: attribute \"match\" of <waiver> is \"$endless\", expected an expression that can be compared: match limit exceeded, at \""
ok "no run directory" [ ! -e "$work/none" ]
for attribute in implementation implementation-version; do
    waiver "match=\"CAF.*\" $attribute=\"(*LIMIT_MATCH=1)(*NO_JIT)(?:.|[a-z.])+[!?]\""
    status 2 "$tool" run --filter '^CAF-003/' --baseline "$work/b.xml" --out "$work/$attribute"
    said "$work/b.xml:2: attribute \"$attribute\" of <waiver> is \"(*LIMIT_MATCH=1)"
    ok "no conclusion" sh -c "! grep -q -e '^conforms' -e '^no failure' '$work/out'"
done
summary
