#!/bin/sh
# SPDX-License-Identifier: MIT
# blocks.sh notices a number that is no longer printed, and takes it over when asked; what else differs
# it takes over never. Run from the source directory; WCTS_BUILD is the build directory.
. tests/common.sh
# shellcheck disable=SC2016 # backquotes of Markdown
carry_out() { # what the document shows as printed
    printf '# Page\n\n```sh run\nprintf "one\\n12  cases\\ntime  1.25 s\\nrun  out/20261120T203244Z\\n"\n```\n\n```text output\n%s\n```\n\nend\n' \
        "$1" >"$work/page.md"
    WCTS_DOCUMENT=$work/page.md sh tests/docs/test-rules-blocks.sh
}
# shellcheck disable=SC2016
shows() {
    sed -n '/^```text/,/^```$/p' "$work/page.md" | sed '1d;$d'
}
same='one
12  cases
time  9.75 s
run  out/20250101T000000Z'
ok "times and dates may differ" carry_out "$same"
for left in 11 120; do
    other=$(echo "$same" | sed "s/12 /$left /")
    status 1 carry_out "$other"
    ok "what was expected, and what was printed" sh -c \
        "grep -q 'expected: $left cases' '$work/out' && grep -q 'printed:  12 cases' '$work/out'"
    status 1 carry_out "...
$left  cases
..."
    WCTS_UPDATE=1
    export WCTS_UPDATE
    ok "the number is taken over" carry_out "$other"
    ok "and nothing else" [ "$(shows)" = "$same" ]
    ok "also where lines are left out" carry_out "...
$left  cases
..."
    ok "which stay out" [ "$(shows)" = "...
12  cases
..." ]
    status 1 carry_out "$(echo "$other" | sed 's/one/two/')"
    ok "other words stay" grep -qx two "$work/page.md"
    unset WCTS_UPDATE
done
summary
