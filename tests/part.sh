#!/bin/sh
# SPDX-License-Identifier: MIT
# Of the lines of standard input, the K-th of N parts: WCTS_PART=K/N, by default all of them; of fewer
# than N lines one. For what is tried one by one, each at a second of processor time; "make test" takes
# another part with each commit.
awk -v part="${WCTS_PART:-1/1}" '{line[NR] = $0}
    END {
        split(part, of, "/")
        parts = NR < of[2] ? NR : of[2]
        for (i = 1; i <= NR; i++)
            if (i % parts == of[1] % parts)
                print line[i]
    }'
