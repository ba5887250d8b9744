# SPDX-License-Identifier: MIT
# awk -v shell=bash|zsh|fish -f complete.awk TABLE: completion of wddm-cts and wddm-cts-agent, from packaging/table.sh.
# What an option takes is a file, a directory, or one of the words with which its help begins:
# "smoke, standard (default) or full".
BEGIN {FS = "\t"}
$1 == "command" {
    commands[++command_count] = $2
    arguments[$2] = $3
    help[$2] = $4
}
$1 == "option" {
    all[$2] = all[$2] " --" $4
    rows[++row_count] = $0
    if (!($4 in takes)) {
        takes[$4] = $5
        words[$4] = $5 ~ /^FILE|^DIR$/ || $5 == "" ? "" : words_of($6)
        if ($3 != "")
            short[$4] = $3
        names[++name_count] = $4
    }
}

# "a b c" of "a, b (default) or c: ..."; "" of what does not begin so.
function words_of(text,    list, i, n) {
    gsub(/ \([^)]*\)/, "", text)
    sub(/[:;].*/, "", text)
    gsub(/ or /, ", ", text)
    n = split(text, list, ", ")
    text = ""
    for (i = 1; i <= n; i++) {
        if (list[i] !~ /^[a-z]+$/)
            return ""
        text = text (i > 1 ? " " : "") list[i]
    }
    return n > 1 ? text : ""
}

function is_file(name) {
    return takes[name] ~ /^FILE/
}

# More than files for --impl.
function more(name) {
    return name == "impl" ? "emulator exec: tcp: unix:" : words[name]
}

# What a command takes behind its options: "directory", "file", "command" or "".
function behind(command) {
    return arguments[command] ~ /DIR|^A B$/ ? "directory" : arguments[command] ~ /FILE/ ? "file" : \
        arguments[command] ~ /COMMAND/ ? "command" : ""
}

function command_list(    i, text) {
    for (i = 1; i <= command_count; i++)
        text = text (i > 1 ? " " : "") commands[i]
    return text
}

function quoted(text) {
    gsub(/'/, "'\\''", text)
    return text
}

# In _arguments a colon ends a part, and brackets a description.
function escaped(text) {
    gsub(/\\/, "\\\\", text)
    gsub(/:/, "\\:", text)
    gsub(/\[/, "\\[", text)
    gsub(/\]/, "\\]", text)
    return quoted(text)
}

# ---- bash ----

function bash(    i, name, agent) {
    print "# Completion of wddm-cts for bash, made from its help.\n"
    print "_wddm_cts() {"
    print "    local command=${COMP_WORDS[1]} word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}"
    print "    local commands='" command_list() "' options="
    print "    COMPREPLY=()"
    print "    if [ \"$COMP_CWORD\" -eq 1 ]; then"
    print "        mapfile -t COMPREPLY < <(compgen -W \"$commands\" -- \"$word\")"
    print "        return"
    print "    fi"
    print "    case $before in"
    for (i = 1; i <= name_count; i++) {
        name = names[i]
        if (takes[name] == "")
            continue
        printf "    --%s%s)%s return ;;\n", name, (name in short) ? " | -" short[name] : "", \
            takes[name] == "DIR" ? " mapfile -t COMPREPLY < <(compgen -d -- \"$word\");" : \
            is_file(name) ? " mapfile -t COMPREPLY < <(compgen -f -W '" more(name) "' -- \"$word\");" : \
            words[name] != "" ? " mapfile -t COMPREPLY < <(compgen -W '" words[name] "' -- \"$word\");" : ""
    }
    print "    esac"
    print "    case $command in"
    for (i = 1; i <= command_count; i++)
        print "    " commands[i] ") options='" substr(all[commands[i]], 2) "' ;;"
    print "    esac"
    print "    case $command,$word in"
    print "    *,-*) mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$word\") ;;"
    for (i = 1; i <= command_count; i++)
        if (behind(commands[i]) != "")
            printf "    %s,*) mapfile -t COMPREPLY < <(compgen %s -- \"$word\") ;;\n", commands[i], \
                behind(commands[i]) == "directory" ? "-d" : behind(commands[i]) == "file" ? "-f" : "-W \"$commands\""
    print "    esac"
    print "}\n"
    agent = all["-"]
    print "complete -o filenames -F _wddm_cts wddm-cts"
    print "complete -o filenames -f -W '" substr(agent, 2) "' wddm-cts-agent"
}

# ---- zsh ----

function zsh_action(name) {
    return takes[name] == "" ? "" : ":" escaped(takes[name]) ":" \
        (takes[name] == "DIR" ? "_files -/" : is_file(name) ? "_files" : words[name] != "" ? "(" words[name] ")" : " ")
}

function zsh_options(command,    i, column, text) {
    for (i = 1; i <= row_count; i++) {
        split(rows[i], column, "\t")
        if (column[2] != command)
            continue
        text = text " \\\n            '*--" column[4] "[" escaped(column[6]) "]" zsh_action(column[4]) "'"
        if (column[3] != "")
            text = text " \\\n            '*-" column[3] "[" escaped(column[6]) "]" zsh_action(column[4]) "'"
    }
    return text
}

function zsh(    i, what) {
    print "#compdef wddm-cts wddm-cts-agent"
    print "# Completion of wddm-cts for zsh, made from its help.\n"
    print "local -a commands=("
    for (i = 1; i <= command_count; i++)
        print "    '" commands[i] ":" escaped(help[commands[i]]) "'"
    print ")"
    print "if [[ $service = wddm-cts-agent ]]; then"
    print "    _arguments '*:plug-in:_files'" zsh_options("-")
    print "elif (( CURRENT == 2 )); then"
    print "    _describe command commands"
    print "else"
    print "    local command=$words[2]"
    print "    shift words"
    print "    (( CURRENT-- ))"
    print "    case $command in"
    for (i = 1; i <= command_count; i++) {
        what = behind(commands[i])
        print "    " commands[i] ")"
        print "        _arguments " (what == "" ? "" : "'*:" what ":" \
            (what == "command" ? "(" command_list() ")" : what == "file" ? "_files" : "_files -/") "'") \
            zsh_options(commands[i])
        print "        ;;"
    }
    print "    esac"
    print "fi"
}

# ---- fish ----

function fish(    i, column, command, name, what) {
    print "# Completion of wddm-cts for fish, made from its help.\n"
    print "complete -c wddm-cts -f"
    for (i = 1; i <= command_count; i++) {
        command = commands[i]
        what = behind(command)
        print "complete -c wddm-cts -n __fish_use_subcommand -a " command " -d '" quoted(help[command]) "'"
        if (what != "")
            print "complete -c wddm-cts -n '__fish_seen_subcommand_from " command "' " \
                (what == "command" ? "-a '" command_list() "'" : what == "file" ? "-F" : "-a '(__fish_complete_directories)'")
    }
    for (i = 1; i <= row_count; i++) {
        split(rows[i], column, "\t")
        name = column[4]
        printf "complete -c %s -l %s%s%s -d '%s'\n", \
            column[2] == "-" ? "wddm-cts-agent" : "wddm-cts -n '__fish_seen_subcommand_from " column[2] "'", name, \
            column[3] == "" ? "" : " -s " column[3], \
            takes[name] == "" ? "" : takes[name] == "DIR" ? " -x -a '(__fish_complete_directories)'" : \
            is_file(name) ? " -r -F" (more(name) == "" ? "" : " -a '" more(name) "'") : " -x" (words[name] == "" ? "" : " -a '" words[name] "'"), \
            quoted(column[6])
    }
}

END {
    if (shell == "bash")
        bash()
    if (shell == "zsh")
        zsh()
    if (shell == "fish")
        fish()
}
