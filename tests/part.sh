#!/bin/sh
# SPDX-License-Identifier: MIT
# Of the lines of standard input, the K-th of N parts: WCTS_PART=K/N, by default all of them. For
# what is tried one by one, each at a second of processor time; "make test" takes another part with
# each commit.
awk -v part="${WCTS_PART:-1/1}" 'BEGIN {split(part, of, "/")} NR % of[2] == of[1] % of[2]'
