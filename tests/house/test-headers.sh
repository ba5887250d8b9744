#!/bin/sh
# SPDX-License-Identifier: MIT
# Each header of the project compiles alone: it includes what it uses. (The plug-in's own header is
# compiled as C11 and C++17 by tests/install/test-header.sh.)
# shellcheck source=tests/common.sh
. tests/common.sh
: "${CC:=gcc}"
flags=$(pkg-config --cflags libxml-2.0 libpcre2-8 jansson libxslt libexslt libzstd)

# alone HEADER: whether a file that consists of this one #include compiles without a warning.
alone() {
    echo "#include \"$1\"" |
        # shellcheck disable=SC2086
        "$CC" -x c -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Wno-unused-function -Werror -Iinclude -I. \
            -Ibuild $flags -fsyntax-only -
}

headers=$(find include runner reports emulator -name '*.h' | sort)
ok "there are headers" [ "$(echo "$headers" | wc -l)" -gt 50 ]
for header in $headers; do
    ok "$header compiles alone" alone "$header"
done

# A header that lacks an include is found.
echo 'static inline size_t wcts_lacks(void) { return 0; }' >"$work/lacks.h"
ok "one that lacks an include is found" sh -c "! echo '#include \"$work/lacks.h\"' |
    '$CC' -x c -std=gnu11 -fsyntax-only - 2>'$work/err'"
summary
