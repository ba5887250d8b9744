#!/bin/sh
# SPDX-License-Identifier: MIT
# table.sh DIRECTORY: commands and options of the tool and the agent in DIRECTORY, from their own help, with
# tabs between columns. The manual pages and completions are made from it.
#   command NAME ARGUMENTS HELP
#   option COMMAND LETTER NAME ARGUMENT HELP     COMMAND is "-" for the agent's; LETTER, ARGUMENT: "" or it
set -eu
tool=$1/wddm-cts
options() {
    sed -nE "s/^  (-(.), |    |)--([a-z-]+) ?([^ ]*) +(.*)/option	$1	\2	\3	\4	\5/p"
}
"$tool" help | sed -nE 's/^  ([a-z]+) +(([][A-Z. ]*[]A-Z.]) +)?([a-z].*)/command	\1	\3	\4/p'
for command in $("$tool" help | sed -nE 's/^  ([a-z]+) .*/\1/p'); do
    "$tool" help "$command" | options "$command"
done
"$1/wddm-cts-agent" --help | options -
