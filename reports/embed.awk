# SPDX-License-Identifier: MIT
# Makes C strings of files: dir/name.suffix becomes wcts_name_suffix.
FNR == 1 {
    if (NR > 1)
        print "    \"\";"
    name = FILENAME
    sub(/.*\//, "", name)
    gsub(/[^A-Za-z0-9]/, "_", name)
    print "static const char wcts_" name "[] ="
}
{
    gsub(/\\/, "&&")
    gsub(/"/, "\\\\&")
    print "    \"" $0 "\\n\""
}
END {
    print "    \"\";"
}
