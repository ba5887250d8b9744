# SPDX-License-Identifier: MIT
# Makes, of wddm-cts.h and protocol.h, a C program that prints the table of their structs, enums,
# constants and operations as JSON: what any language needs to pack a message. The names are read
# here; all numbers are the compiler's.
#     awk -f table.awk include/wddm-cts.h runner/wire/protocol.h > table.c

# Whole files, without comments, but for what a pointer leads to: of "pKinds; /* TYPE[COUNT] */" remains
# "pKinds @TYPE[COUNT];".
function slurp(    line, text, at, end, to) {
    while ((getline line < FILE) > 0) {
        if (match(line, /; *\/\* (wcts_|uint8_t)[A-Za-z0-9_]*\[[A-Za-z0-9_]*\]/)) {
            at = RSTART
            to = substr(line, RSTART, RLENGTH)
            sub(/^; *\/\* /, "", to)
            line = substr(line, 1, at - 1) " @" to ";" substr(line, at + 1)
        }
        text = text line "\n"
    }
    close(FILE)
    while ((at = index(text, "/*")) > 0) {
        end = index(substr(text, at), "*/")
        text = substr(text, 1, at - 1) " " substr(text, at + end + 1)
    }
    return text
}

# "wcts_driver_info_reply" is driver_info_reply in the table.
function short(name) {
    sub(/^wcts_/, "", name)
    return name
}

# An offset of an array, or of one struct, says of what; an address in a space is none.
function is_named(name, to) {
    return to != "" || name !~ /^ph?[A-Z]/ || name ~ /^p(SystemMem|AllocationUsageHint|DmaBuffer|DmaBufferPrivateData)$/
}

function is_member(text) {
    return text ~ /^(struct wcts_[A-Za-z0-9_]+|u?int(16|32|64)_t) [A-Za-z0-9_]+(\[[0-9]+\])?$/
}

function print_member(of, text, to,    words, count, type, parts) {
    count = 0
    if (match(text, /\[[0-9]+\]$/)) {
        count = substr(text, RSTART + 1, RLENGTH - 2)
        text = substr(text, 1, RSTART - 1)
    }
    sub(/^struct /, "struct:", text)
    split(text, words, " ")
    type = words[1]
    split(to, parts, /[][]/)
    printf "    %s(%s, %s, \"%s\", \"%s\", %d%s);\n", to == "" ? "MEMBER" : "POINTER", of, words[2],
        type ~ /^struct:/ ? "struct" : "type", short(substr(type, type ~ /^struct:/ ? 8 : 1)), count,
        to == "" ? "" : ", \"" short(parts[1]) "\", \"" parts[2] "\""
    return is_named(words[2], to)
}

# The text of a struct up to the brace that ends it. One with a pointer is none of a message.
function print_struct(name, body,    parts, count, i, to, at) {
    if (body ~ /[*(]/)
        return
    gsub(/union *\{|\}/, ";", body)
    count = split(body, parts, ";")
    printf "    STRUCT(%s, \"%s\");\n", name, short(name)
    for (i = 1; i <= count; i++) {
        at = index(parts[i], " @")
        to = at ? substr(parts[i], at + 2) : ""
        parts[i] = at ? substr(parts[i], 1, at - 1) : parts[i]
        gsub(/^[ \n]+|[ \n]+$/, "", parts[i])
        if (!(is_member(parts[i]) ? print_member(name, parts[i], to) : parts[i] == "")) {
            print FILE ": struct " name ": " parts[i] ", expected a member, and of a pointer TYPE[COUNT]" > "/dev/stderr"
            failed = 1
        }
    }
    print "    END_STRUCT();"
}

function print_enum(name, body,    parts, count, i) {
    count = split(body, parts, ",")
    if (body ~ /WCTS_OPERATION/)
        return
    printf "    ENUM(\"%s\");\n", short(name)
    for (i = 1; i <= count; i++)
        if (match(parts[i], /[A-Z][A-Z0-9_]*/))
            printf "    VALUE(%s);\n", substr(parts[i], RSTART, RLENGTH)
    print "    END_ENUM();"
}

function print_types(kind, text,    at, name, body, end) {
    while ((at = match(text, "\n" kind " wcts_[A-Za-z0-9_]+ \\{")) > 0) {
        name = substr(text, RSTART + length(kind) + 2, RLENGTH - length(kind) - 4)
        text = substr(text, RSTART + RLENGTH)
        end = index(text, "};\n")
        # An anonymous union is indented; the struct itself ends at the beginning of a line.
        if (kind == "struct")
            end = index(text, "\n};")
        body = substr(text, 1, end - 1)
        text = substr(text, end)
        if (kind == "struct")
            print_struct(name, body)
        else
            print_enum(name, body)
    }
}

# Numbers without parameters; a text is none.
function print_constants(text,    lines, count, i, words) {
    count = split(text, lines, "\n")
    for (i = 1; i <= count; i++)
        if (lines[i] ~ /^#define WCTS_[A-Z0-9_]+ [^"]+$/ && lines[i] !~ /__(attribute__|declspec)/) {
            split(lines[i], words, " ")
            printf "    CONSTANT(%s);\n", words[2]
        }
}

BEGIN {
    for (i = 1; i < ARGC; i++) {
        FILE = ARGV[i]
        texts[i] = slurp()
        printf "#include \"%s\"\n", FILE
    }
    print "#include \"runner/wire/table.h\"\n\nint main(void)\n{\n    BEGIN();\n    SECTION(\"constants\");"
    for (i = 1; i < ARGC; i++)
        print_constants(texts[i])
    print "    SECTION(\"enums\");"
    for (i = 1; i < ARGC; i++)
        print_types("enum", texts[i])
    print "    SECTION(\"structs\");"
    for (i = 1; i < ARGC; i++)
        print_types("struct", texts[i])
    print "    SECTION(\"operations\");\n    WCTS_OPERATIONS(OPERATION)\n    END();\n    return 0;\n}"
    exit failed
}
