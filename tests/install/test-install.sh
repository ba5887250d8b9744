#!/bin/sh
# SPDX-License-Identifier: MIT
# make install puts a tool in place that finds its data there, a header with a pkg-config file
# against which the examples build, the documents, the manual pages and the completions; make
# uninstall takes all of it away, and nothing else.
set -u
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
root=$work/root

# Fails when the command does, and prints what it printed.
must() {
    "$@" >"$work/log" 2>&1 && return 0
    echo "failed ($?): $*"
    cat "$work/log"
    exit 1
}

# Fails unless the last command printed such a line.
shows() {
    grep -Eq "$1" "$work/log" && return 0
    echo "not printed: $1"
    cat "$work/log"
    exit 1
}

# As "make test" was called; a make of its own that shares no jobs with it.
alone=$(echo "${MAKEFLAGS:-}" | sed 's/ *--jobserver-[a-z]*=[^ ]*//g; s/ *-j[0-9]*//g')
must env MAKEFLAGS="$alone" make --no-print-directory install DESTDIR="$root" PREFIX=/usr
for file in bin/wddm-cts bin/wddm-cts-agent share/wddm-cts/wddm-cts.json include/wddm-cts.h share/pkgconfig/wddm-cts.pc share/man/man1/wddm-cts.1 \
    share/man/man1/wddm-cts-agent.1 share/bash-completion/completions/wddm-cts \
    share/bash-completion/completions/wddm-cts-agent share/zsh/site-functions/_wddm-cts \
    share/fish/vendor_completions.d/wddm-cts.fish lib/wddm-cts/emulator.so share/doc/wddm-cts/README.md \
    share/doc/wddm-cts/examples/minimal/minimal.c share/pkgconfig/wddm-cts-ddi.pc \
    include/wddm-cts-ddi/wddm-cts-ddi.h include/wddm-cts-ddi/ntddk.h lib/libwddm-cts-ddi.a share/wddm-cts/contrib/slurm/README.md share/wddm-cts/spec/profiles/windows.xml \
    share/wddm-cts/spec/versions.xml share/wddm-cts/cases/base.xml; do
    must test -s "$root/usr/$file"
done
must test -x "$root/usr/share/wddm-cts/contrib/slurm/run.sbatch"
must cmp include/wddm-cts.h "$root/usr/include/wddm-cts.h"
# The documents that documents link to are there as well.
cd "$root/usr/share/doc/wddm-cts" || exit 1
grep -ohE '\]\([a-z][^):#]*' ./*.md | sed 's/^](//' | sort -u | while read -r path; do
    [ -e "$path" ] || { echo "not installed: $path"; exit 1; }
done || exit 1
cd "$OLDPWD" || exit 1

# The examples, in a place without the tree, by pkg-config alone.
cp -R examples/minimal examples/kernel examples/ddi "$work"
rm -f "$work"/*/*.so
export PKG_CONFIG_PATH="$root/usr/share/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$root"
must pkg-config --exists --print-errors wddm-cts
must grep -q "^Version: [0-9]" "$root/usr/share/pkgconfig/wddm-cts.pc"
must pkg-config --exists --print-errors wddm-cts-ddi
build_from_here=${WCTS_BUILD:-build/default} build_from_here=${build_from_here#"$PWD"/}
# A second prefix, after the first one, is in the pkg-config files, too.
for file in wddm-cts wddm-cts-ddi; do
    must sh -c "env MAKEFLAGS='$alone' make -n PREFIX=/elsewhere '${build_from_here}/share/$file.pc' | grep -q '@PREFIX@|/elsewhere|'"
done
must sh -c "env -u PKG_CONFIG_SYSROOT_DIR pkg-config --define-prefix --cflags wddm-cts-ddi | grep -q \"$root/usr/include/wddm-cts-ddi\""
for example in minimal kernel ddi; do
    must env -u MAKEFLAGS make -C "$work/$example" PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 \
        CFLAGS="-O1 -g -Wall -Wextra -Wno-unused-parameter -Werror"
done

# The tool, from elsewhere and without the tree's spec.
tool=$root/usr/bin/wddm-cts
cd "$work" || exit 1
unset WCTS_SPEC_DIR WCTS_CASES_DIR
must "$tool" version
must "$tool" lint -q
must "$tool" explain CAF-003
shows "$root/usr/share/wddm-cts/spec/000"
must "$tool" run --impl "$work/kernel/kernel.so" --level strict --out "$work/kernel-run"
shows "^kernel 1 "
shows "^conforms"
must sh -c "! grep -Eq '^(fail|warn|crash|broken|declined)' '$work/kernel-run/verdicts.txt'"
must test -s "$(pkg-config --variable=table wddm-cts)"
must "$tool" run --impl "exec:$root/usr/bin/wddm-cts-agent $work/minimal/minimal.so" --wddm 2.3 --out "$work/there"
shows "^minimal 1 "
must "$tool" run --impl "$work/ddi/driver.so" --wddm 2.0 --filter AIN --out "$work/native"
shows "^example 1 "
must "$tool" run --impl "$work/minimal/minimal.so" --out "$work/run" --junit "$work/junit.xml"
shows "^minimal 1 "
shows "^conforms"
must sh -c "grep -q '^pass' '$work/run/verdicts.txt' && ! grep -Eq '^(fail|warn|crash|broken)' \
    '$work/run/verdicts.txt'"
must xmllint --noout "$work/junit.xml"
must "$tool" report "$work/run" --html "$work/report.html" --cobertura "$work/cobertura.xml" \
    --markdown "$work/summary.md"
must grep -q "conforms" "$work/report.html"

# The manual page can be read, where there is something to read it with.
if command -v man >/dev/null 2>&1; then
    MANWIDTH=100 LC_ALL=C man -l --warnings "$root/usr/share/man/man1/wddm-cts.1" \
        >"$work/page" 2>"$work/warnings"
    must test -s "$work/page"
    [ ! -s "$work/warnings" ] || { echo "the manual page:"; cat "$work/warnings"; exit 1; }
    must grep -q "EXIT STATUS" "$work/page"
fi

# What install put there goes, and what others put beside it stays.
cd "$OLDPWD" || exit 1
for other in share/doc/wddm-cts/notes share/wddm-cts/spec/900-own.xml bin/another include/wddm.h; do
    echo other >"$root/usr/$other"
done
must env MAKEFLAGS="$alone" make --no-print-directory uninstall DESTDIR="$root" PREFIX=/usr
find "$root" -type f | sed "s|^$root/usr/||" | sort >"$work/left"
printf '%s\n' bin/another include/wddm.h share/doc/wddm-cts/notes share/wddm-cts/spec/900-own.xml |
    must diff - "$work/left"
rm "$root/usr/share/doc/wddm-cts/notes" "$root/usr/share/wddm-cts/spec/900-own.xml"
must env MAKEFLAGS="$alone" make --no-print-directory uninstall DESTDIR="$root" PREFIX=/usr
find "$root" -name 'wddm-cts*' >"$work/left"
must cmp /dev/null "$work/left"
exit 0
