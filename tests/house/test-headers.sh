#!/bin/sh
# SPDX-License-Identifier: MIT
# Each header of the project compiles alone: it includes what it uses. (The plug-in's own header is
# compiled as C11 and C++17 by tests/install/test-header.sh.)
# shellcheck source=tests/common.sh
. tests/common.sh
: "${CC:=gcc}"
flags=$(pkg-config --cflags libxml-2.0 libpcre2-8 jansson libxslt libexslt libzstd)

# alone HEADER...: whether each compiles without a warning, with nothing before it.
alone() {
    # shellcheck disable=SC2086
    "$CC" -x c -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Wno-unused-function -Werror -Iinclude -I. -Ibuild \
        $flags -fsyntax-only "$@"
}

headers=$(find include runner reports emulator -name '*.h' | sort)
count=$(echo "$headers" | wc -l)
ok "there are headers" [ "$count" -gt 50 ]
# Together in half the time that each takes by itself, which says whose the message is.
# shellcheck disable=SC2086
if alone $headers >"$work/log" 2>&1; then
    passed=$((passed + count))
else
    for header in $headers; do
        ok "$header compiles alone" alone "$header"
    done
fi

# A header that lacks an include is found.
echo 'static inline size_t wcts_lacks(void) { return 0; }' >"$work/lacks.h"
status 1 alone "$work/lacks.h"
ok "it is named" grep -q "lacks.h:1.*size_t" "$work/err"
summary
