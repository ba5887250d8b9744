#!/bin/sh
# SPDX-License-Identifier: MIT
# docs/internal/decisions.md argues every statement above level info that is not testable, no other, and
# there are five of them at most.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
tool=${WCTS_BUILD:-build/default}/wddm-cts
document=${WCTS_DOCUMENT:-docs/internal/decisions.md}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

"$tool" list --statements | awk -F'\t' '$4 == "not-testable" && $3 != "info" {print $1}' |
    sort >"$work/spec"
awk '/^## Not testable/ {here = 1; next} /^## / {here = 0}
     here && match($0, /^\| [A-Z]+-[0-9]+/) {print substr($0, 3, RLENGTH - 2)}' "$document" |
    sort >"$work/argued"
if [ ! -s "$work/spec" ] || ! diff "$work/spec" "$work/argued" >"$work/log"; then
    echo "$document: not testable by the spec (<), argued (>):"
    cat "$work/log"
    exit 1
fi
count=$(grep -c . "$work/spec")
[ "$count" -le 5 ] || { echo "$count statements above info are not testable, expected 5 at most"; exit 1; }
