#!/bin/sh
# SPDX-License-Identifier: MIT
# What "make analyze" makes of findings, with analyzers that are not called: each file is compiled with the include
# paths that the Makefile gives it, what `known` lists is no failure, what it does not list is one, and
# so is what it lists of an analysed file and nobody finds.
# shellcheck source=tests/common.sh
. tests/common.sh
mkdir "$work/bin" "$work/analyze"
cp tests/analyze/*.sh "$work/analyze"
compiler=$(command -v gcc)
# The compiler says whether it finds all headers; the other two find what the file "finds" says.
printf '#!/bin/sh\nfor word; do [ "$word" = -fanalyzer ] || set -- "$@" "$word"; shift; done\nexec %s -fsyntax-only "$@"\n' \
    "$compiler" >"$work/bin/gcc"
printf '#!/bin/sh\nexit 0\n' >"$work/bin/cppcheck"
printf '#!/bin/sh\ngrep -F "$2:" "%s" || :\n' "$work/finds" >"$work/bin/clang-tidy"
chmod +x "$work"/bin/*
: >"$work/finds"
: >"$work/analyze/known"

# analyze FILE...: as the Makefile does it.
analyze() {
    PATH="$work/bin:$PATH" FLAGS="-std=gnu11 -D_GNU_SOURCE -Iinclude -Ibuild -I. $(pkg-config --cflags libxml-2.0)" \
        WCTS_PART=1/1 sh "$work/analyze/analyze.sh" "$@"
}

for file in runner/base/text.c emulator/handles.c tests/emulator/kernel.c tests/ddi/breaches.c tests/ddi/front.c \
    tests/drivers/banks.c examples/ddi/driver.c adapters/ddi/log.c; do
    status 0 analyze $file
    ok "$file is analysed" grep -qx '1 passed, 0 failed' "$work/out"
done

echo 'runner/base/text.c:7:1: warning: wrong [some-check]' >"$work/finds"
status 1 analyze runner/base/text.c runner/base/path.c
ok "what is found is printed" grep -q '^clang-tidy runner/base/text.c:7:1: .*some-check' "$work/out"
ok "and counted" grep -qx '1 passed, 1 failed' "$work/out"
echo 'clang-tidy some-check runner/base/text.c a reason' >"$work/analyze/known"
status 0 analyze runner/base/text.c runner/base/path.c
status 0 analyze runner/base/path.c
ok "what is listed of another file is not asked for" grep -qx '1 passed, 0 failed' "$work/out"
: >"$work/finds"
status 1 analyze runner/base/text.c
ok "what is listed and not found" grep -q '^not found, but listed in known: clang-tidy some-check runner/base/text.c$' "$work/out"
summary
