# SPDX-License-Identifier: MIT
# Completion of wddm-cts for bash. Commands, options and what they take come from its own --help.

_wddm_cts_commands() {
    "$1" help 2>/dev/null | sed -n 's/^  \([a-z][a-z]*\)  *.*/\1/p'
}

# What the option takes, as --help has it: FILE, DIR, N, ...; nothing for a switch.
_wddm_cts_takes() { # tool, command, option
    "$1" "$2" --help 2>/dev/null | sed -n "s/^  .*  *$3 \([A-Z][^ ]*\) .*/\1/p; s/^  $3, --[a-z]* \([A-Z][^ ]*\) .*/\1/p"
}

# The words that an option may take.
_wddm_cts_words() { # option
    case $1 in
    --role) echo kernel driver both ;;
    --side) echo caller kernel driver ;;
    --suite) echo smoke standard full ;;
    --level) echo binding documented strict ;;
    --profile) echo windows wsl2 wine none ;;
    --color) echo auto always never ;;
    --impl) echo emulator exec: tcp: unix: ;;
    --junit-detail) echo rule case ;;
    --format) echo csv json xml ;;
    esac
}

_wddm_cts() {
    local tool=${COMP_WORDS[0]} command=${COMP_WORDS[1]} word=${COMP_WORDS[COMP_CWORD]}
    local before=${COMP_WORDS[COMP_CWORD - 1]}
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_wddm_cts_commands "$tool")" -- "$word")
        return
    fi
    case $before in
    -*)
        local words takes
        words=$(_wddm_cts_words "$before")
        takes=$(_wddm_cts_takes "$tool" "$command" "$before")
        case $takes in
        FILE*) mapfile -t COMPREPLY < <(compgen -f -W "$words" -- "$word") ;;
        DIR) mapfile -t COMPREPLY < <(compgen -d -- "$word") ;;
        ?*) mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word") ;;
        esac
        [ -z "$takes" ] || return
        ;;
    esac
    case $command,$word in
    *,-*) mapfile -t COMPREPLY < <(compgen -W "$("$tool" "$command" --help 2>/dev/null |
        sed -n 's/^  *\(-[a-z], \)\{0,1\}\(--[a-z-]*\).*/\2/p')" -- "$word") ;;
    help,*) mapfile -t COMPREPLY < <(compgen -W "$(_wddm_cts_commands "$tool")" -- "$word") ;;
    check,*) mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
    report,* | merge,* | verify,* | diff,* | coverage,*) mapfile -t COMPREPLY < <(compgen -d -- "$word") ;;
    esac
}

complete -o filenames -F _wddm_cts wddm-cts
complete -o filenames -f -W '--listen --connections --version --help' wddm-cts-agent
