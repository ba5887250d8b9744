#!/bin/sh
# SPDX-License-Identifier: MIT
# Each struct that a header of runner/ or reports/ declares for others is explained right before it. Most have an
# example there, all of model/ do; those without may only become fewer. Run from the source directory.
# shellcheck source=tests/common.sh
. tests/common.sh
without=168

awk -f tests/house/structs.awk runner/*/*.h reports/*.h >"$work/bare"
ok "each public struct is explained" sh -c "cat '$work/bare'; [ ! -s '$work/bare' ]"
awk -v examples=1 -f tests/house/structs.awk runner/model/*.h >"$work/model"
ok "those of model/ have an example" sh -c "cat '$work/model'; [ ! -s '$work/model' ]"
awk -v examples=1 -f tests/house/structs.awk runner/*/*.h reports/*.h >"$work/all"
ok "the others have more examples, not fewer" [ "$(wc -l <"$work/all")" -le $without ]

# What the reader of structs finds, and what it does not.
cat >"$work/a.h" <<'END'
/* Two numbers: {1, 2}. */
struct wcts_good {
};
/* Two numbers. */
struct wcts_plain {
};

struct wcts_bare {
};
/* A constant: {1}. */
#define WCTS_CONSTANT 1
struct wcts_behind {
};
struct wcts_only_named;
END
awk -f tests/house/structs.awk "$work/a.h" | sed 's/.*struct //' >"$work/out"
ok "a struct without a comment" grep -qx 'wcts_bare has no comment before it' "$work/out"
ok "a struct behind another's comment" grep -qx 'wcts_behind has no comment before it' "$work/out"
ok "and no other" [ "$(wc -l <"$work/out")" -eq 2 ]
awk -v examples=1 -f tests/house/structs.awk "$work/a.h" | sed 's/.*struct //' >"$work/out"
ok "a struct without an example" grep -qx 'wcts_plain has no example' "$work/out"
ok "one with an example" sh -c "! grep -q wcts_good '$work/out'"
summary
