# Of the structs that headers declare for others (struct wcts_...), those without a comment right before them;
# with examples=1 those whose comment has no example: a value in braces or quotes, or a line that is set apart.
FNR == 1 { comment = ""; open = 0 }
/^\/\*/ { comment = ""; open = 1 }
open { comment = comment $0 "\n"; if (/\*\//) { open = 0; ended = FNR }; next }
/^struct wcts_[a-z_0-9A-Z]+ \{/ {
    if (ended != FNR - 1 || comment == "")
        print FILENAME ":" FNR ": struct " $2 " has no comment before it"
    else if (examples && comment !~ /\{|"|\n \*     |[Ee]xample|such as/)
        print FILENAME ":" FNR ": struct " $2 " has no example"
}
{ if (!/^[ \t]*$/) comment = "" }
