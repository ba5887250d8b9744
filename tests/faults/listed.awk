# SPDX-License-Identifier: MIT
# Of what "wddm-cts faults" prints the faults that can be switched on, a line each: the id, and the options of
# the emulator that it needs, or "-".
/^[A-Z]/ && $2 != "none:" {
    options = "-"
    for (i = 3; i < NF; i++)
        if ($i == "with")
            options = $(i + 1)
    print $1, options
}
