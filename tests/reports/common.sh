# SPDX-License-Identifier: MIT
# What the scripts of this directory share; sourced from the top of the tree. Sets: build, tool,
# plugins, work. A script ends with: summary
. tests/common.sh

# wrong NAME COMMAND...: the command fails.
wrong() {
    label=$1
    shift
    if "$@" >"$work/log" 2>&1; then
        failed=$((failed + 1))
        echo "FAIL $label: $* succeeds"
    else
        passed=$((passed + 1))
    fi
}

# says TEXT: the last command of status said so on standard error.
says() {
    if grep -qF -- "$1" "$work/err"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL not said: $1"
        cat "$work/err"
    fi
}

valid() { # grammar, file
    ok "$2 is valid" xmllint --noout --relaxng "$1" "$2"
}

# xpath EXPRESSION FILE: its value, on standard output.
xpath() {
    xmllint --xpath "$1" "$2" 2>/dev/null
}

# is EXPRESSION FILE VALUE
is() {
    value=$(xpath "$1" "$2")
    ok "$1 in ${2##*/} is $value, expected $3" [ "$value" = "$3" ]
}
