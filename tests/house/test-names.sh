#!/bin/sh
# SPDX-License-Identifier: MIT
# The tag of each struct, union and enum, and the name of each static function, is found once in
# runner/ and reports/: grep leads to its definition. Run from the source directory.
# shellcheck source=tests/common.sh
. tests/common.sh

# names FILE...: each name and the file that defines it. As clang-format writes it: a function's name
# is on its first line, which ends in no semicolon.
names() {
    awk '/^static / && !/;$/ && match($0, /^[^(=]*[ *][a-z_0-9]+\(/) {
            name = substr($0, RSTART, RLENGTH - 1)
            sub(/.*[ *]/, "", name)
            print name, FILENAME
        }
        match($0, /^[ \t]*(typedef |static |const )*(struct|union|enum) [a-z_0-9]+ \{/) {
            count = split(substr($0, RSTART, RLENGTH - 2), word, " ")
            print word[count], FILENAME
        }' "$@" | sort -u
}

names runner/*/*.[ch] reports/*.[ch] >"$work/names"
ok "there are names" [ "$(wc -l <"$work/names")" -gt 2000 ]
cut -d ' ' -f 1 "$work/names" | sort | uniq -d >"$work/found"
while read -r name; do
    grep "^$name " "$work/names" | sed 's/ / is defined in /'
done <"$work/found" >"$work/twice"
ok "every tag and static function has a name of its own" \
    sh -c "cat '$work/twice'; [ ! -s '$work/twice' ]"

cat >"$work/a.c" <<'END'
static const struct pair *find_one(struct list *list,
                                   int number)
{
}
static int declared(void);
static const int numbers[] = {COUNT(1)};
enum { ANONYMOUS };
struct list {
    enum sort { FIRST, LAST } sort;
};
END
ok "the reader of names" [ "$(names "$work/a.c" | cut -d ' ' -f 1 | tr '\n' ' ')" = "find_one list sort " ]

# begins FOLDER HEADER...: the public functions and tags that the headers declare and that begin with
# neither the folder's name nor one of its families. What base and model declare is everybody's: their
# tags are plain words.
begins() {
    folder=$1
    shift
    awk -v folder="$folder" '
        FILENAME == "tests/house/families" {
            if ($1 == folder)
                for (i = 2; i <= NF; i++)
                    begins[$i]
            next
        }
        FNR == 1 {own = folder == "reports" ? "report" : folder; begins[own]}
        folder != "base" && folder != "model" && /^(struct|enum|union) wcts_[a-z_0-9]+ \{/ {
            split($2, word, "_")
            if (!(word[2] in begins) && index(word[2], own) != 1)
                print FILENAME ":" FNR ": " $2 " begins with the name of no family of " folder
        }
        !/^[ \t]*(typedef|\/?\*|\/\/|#)/ && !/[=;].*wcts_[a-z_0-9]+\(/ && match($0, /wcts_[a-z_0-9]+\(/) {
            name = substr($0, RSTART, RLENGTH - 1)
            split(name, word, "_")
            seen++
            if (!(word[2] in begins))
                print FILENAME ":" FNR ": " name " begins with the name of no family of " folder
        }' tests/house/families "$@"
}

for path in runner/*/ reports/; do
    folder=$(basename "$path")
    begins "$folder" "$path"*.h
done >"$work/strays"
ok "every public function and tag begins with its folder or one of its families" \
    sh -c "cat '$work/strays'; [ ! -s '$work/strays' ]"
# owns FOLDER FILE...: the tags of one file's own that do not begin with the folder's name. So the first line of a
# function tells where it is.
owns() {
    folder=$1
    shift
    awk -v own="$folder" '/^(static |typedef )*(struct|union|enum) [a-z_0-9]+ \{/ {
            sub(/^(static |typedef )*(struct|union|enum) /, "")
            if ($1 !~ "^(wcts|" own ")_")
                print FILENAME ":" FNR ": " $1 " does not begin with " own "_"
        }' "$@"
}

for path in runner/*/ reports/; do
    folder=$(basename "$path")
    case $folder in
    base) ;;
    reports) owns report reports/*.[ch] ;;
    *) owns "$folder" "$path"*.[ch] ;;
    esac
done >"$work/strays"
ok "every tag of one file begins with its folder" sh -c "cat '$work/strays'; [ ! -s '$work/strays' ]"
ok "the reader of such tags" [ "$(owns report "$work/a.c")" = "$work/a.c:8: list does not begin with report_" ]
ok "no two folders share a family" [ "$(grep -v '^#' tests/house/families | tr -s ' ' '\n' |
    grep -v '^is$' | sort | uniq -d)" = "" ]
cat >"$work/a.h" <<'END'
/* wcts_other_thing() is what it does not declare. */
void wcts_load_all(void);
const char *wcts_thing_name(int number,
                            int other);
struct wcts_loader {
};
enum wcts_other {
};
END
ok "the reader of families" [ "$(begins load "$work/a.h")" = \
    "$work/a.h:3: wcts_thing_name begins with the name of no family of load
$work/a.h:7: wcts_other begins with the name of no family of load" ]
summary
