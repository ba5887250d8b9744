#!/bin/sh
# SPDX-License-Identifier: MIT
# Every program that a script or a recipe calls is in programs.txt, with the package that has it,
# and that package is on every Debian, or "make deps" installs it.
# shellcheck source=tests/common.sh
. tests/common.sh
list=tests/house/programs.txt

# calls FILE...: the programs that they call and that the list lacks.
lacking() {
    /usr/bin/python3 -B tests/house/programs.py "$@" |
        awk 'NR == FNR {known[$1] = 1; next} !($1 in known) {print $2 ": " $1 " is not in '"$list"'"}' \
            "$list" -
}

# The recipes and scripts of the tree, found as they are (a release has no .git).
files="Makefile .ci/run $(find tests -name '*.sh' | sort)"
# shellcheck disable=SC2086
lacking $files >"$work/lacking"
ok "no program is called that the list lacks" sh -c "cat '$work/lacking'; [ ! -s '$work/lacking' ]"
# shellcheck disable=SC2086
/usr/bin/python3 -B tests/house/programs.py $files | cut -d' ' -f1 >"$work/called"
awk '!/^#/ {print $1}' "$list" | grep -vxF -f "$work/called" >"$work/idle"
ok "nothing in the list is never called" sh -c "cat '$work/idle'; [ ! -s '$work/idle' ]"

# What "make test" installs, by its own lists; make itself is the README's first command.
{
    echo make
    sed -n '/^PROGRAMS\|^LIBRARIES\|^MUTATION/,/[^\\]$/p' Makefile | tr ' ' '\n' |
        sed -n 's/.*[:=]\([a-z][a-z0-9.+-]*\)$/\1/p'
    # gcc depends on it.
    echo binutils
} >"$work/installed"
ok "the Makefile names packages" [ "$(wc -l <"$work/installed")" -gt 8 ]
awk '$3 == "deps" {print $2}' "$list" | grep -vxF -f "$work/installed" >"$work/missing"
ok "make deps provides what is called" sh -c "cat '$work/missing'; [ ! -s '$work/missing' ]"

# Debian itself says which package has a program, and which packages it can't be without.
if command -v dpkg >/dev/null 2>&1; then
    awk '$3 == "base" {print $2}' "$list" | sort -u | while read -r package; do
        case $(dpkg-query -W -f '${Essential} ${Priority}' "$package" 2>/dev/null) in
        yes* | *required | *important) ;;
        *) echo "$package is not on every Debian" ;;
        esac
    done >"$work/optional"
    ok "what counts as base is base" sh -c "cat '$work/optional'; [ ! -s '$work/optional' ]"
fi

# The reader finds what it is to find: in branches, substitutions, patterns and behind other commands.
cat >"$work/script.sh" <<'END'
known() { alpha one | beta; }
case $1 in
gamma | delta) value=$(epsilon x) ;;
esac
[ -e "$f" ] && env A=b zeta -n 'eta' # theta
iota <<INNER
kappa
INNER
known "$(lambda "a;mu")" | xargs -n 1 nu
if ! timeout -k 1 5 xi; then omicron; fi
END
/usr/bin/python3 -B tests/house/programs.py "$work/script.sh" | cut -d' ' -f1 | tr '\n' ' ' >"$work/seen"
ok "the reader of scripts" [ "$(cat "$work/seen")" = \
    "alpha beta env epsilon iota lambda nu omicron timeout xargs xi zeta " ]
echo 'no-such-program now' >"$work/other.sh"
ok "what the list lacks is named with its line" [ "$(lacking "$work/other.sh")" = \
    "$work/other.sh:1: no-such-program is not in $list" ]
summary
