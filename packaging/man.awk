# SPDX-License-Identifier: MIT
# awk -f man.awk TABLE PAGE: a manual page with what packaging/table.sh knows of commands and options. In PAGE
#   .SYNOPSIS           becomes a line for each command
#   .COMMAND NAME       the heading of a command, with its arguments
#   .OPTION NAME...     the heading of options, with what they take and the commands that have them
#   .AGENT NAME...      the same of the agent's
# The text behind a heading is the page's own. A command or option without a heading gets the text of the
# help, at the end of its section; a heading of something that does not exist ends this with 1.
BEGIN {FS = "\t"}
NR == FNR && $1 == "command" {
    commands[++command_count] = $2
    arguments[$2] = $3
    help[$2] = $4
}
NR == FNR && $1 == "option" {
    key = ($2 == "-" ? "agent " : "option ") $4
    if (!(key in takes)) {
        options[++option_count] = key
        takes[key] = $5
        letter[key] = $3
        help[key] = $6
    }
    of[key] = of[key] (of[key] == "" ? "" : ", ") $2
    count[key]++
}
NR == FNR {next}

function plain(text) {
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    return text
}

function option_heading(kind, names,    list, i, n, key, line) {
    n = split(names, list, " ")
    for (i = 1; i <= n; i++) {
        key = kind " " list[i]
        if (!(key in takes)) {
            print FILENAME ":" FNR ": option \"" list[i] "\", expected one that the help has" >"/dev/stderr"
            wrong = 1
        }
        done[key] = 1
        line = line (i > 1 ? ", " : "") (letter[key] == "" ? "" : "\\fB\\-" letter[key] "\\fR, ") "\\fB\\-\\-" plain(list[i]) "\\fR"
        if (takes[key] != "")
            line = line " \\fI" plain(takes[key]) "\\fR"
    }
    print ".TP"
    print line (kind == "agent" || count[key] == command_count || key == "option help" ? "" : "  (" of[key] ")")
}

function command_heading(name) {
    if (!(name in arguments)) {
        print FILENAME ":" FNR ": command \"" name "\", expected one that the help has" >"/dev/stderr"
        wrong = 1
    }
    done[name] = 1
    print ".TP"
    print "\\fB" name "\\fR" (arguments[name] == "" ? "" : " \\fI" plain(arguments[name]) "\\fR")
}

# What the section that ends here has no heading for.
function complete(    i) {
    for (i = 1; section == "COMMANDS" && i <= command_count; i++)
        if (!(commands[i] in done)) {
            command_heading(commands[i])
            print plain(help[commands[i]]) "."
        }
    for (i = 1; section == "OPTIONS" && i <= option_count; i++)
        if (index(options[i], kind " ") == 1 && !(options[i] in done) && !(options[i] in named)) {
            option_heading(kind, substr(options[i], length(kind) + 2))
            print plain(help[options[i]]) "."
        }
}

/^\.TH / {
    kind = /AGENT/ ? "agent" : "option"
}
/^\.SH / {
    complete()
    section = substr($0, 5)
}
/^\.SYNOPSIS$/ {
    for (i = 1; i <= command_count; i++)
        print (i > 1 ? ".br\n" : "") "\\fBwddm\\-cts " commands[i] "\\fR [\\fIoptions\\fR]" \
            (arguments[commands[i]] == "" ? "" : " \\fI" plain(arguments[commands[i]]) "\\fR")
    next
}
/^\.COMMAND / {
    command_heading(substr($0, 10))
    next
}
/^\.(OPTION|AGENT) / {
    option_heading(/^\.O/ ? "option" : "agent", substr($0, index($0, " ") + 1))
    next
}
# A heading that the page writes itself.
/^\.BI? .*\\-\\-/ {
    text = $0
    gsub(/\\-/, "-", text)
    while (match(text, /--[a-z-]+/)) {
        if (was_tp)
            named[kind " " substr(text, RSTART + 2, RLENGTH - 2)] = 1
        text = substr(text, RSTART + RLENGTH)
    }
}
{
    was_tp = $0 == ".TP"
    print
}
END {
    complete()
    exit wrong
}
