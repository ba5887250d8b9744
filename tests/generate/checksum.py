# SPDX-License-Identifier: MIT
# The checksum of a file, as the tool has it beside what it stores (runner/base/checksum.h).
import sys

MASK = (1 << 64) - 1


def stir(state, word):
    state = (state ^ word) * 0x9E3779B97F4A7C15 & MASK
    return state ^ state >> 29


with open(sys.argv[1], 'rb') as file:
    content = file.read()
whole = len(content) // 8 * 8
state = stir(0, len(content))
for at in range(0, whole, 8):
    state = stir(state, int.from_bytes(content[at:at + 8], 'little'))
state = stir(stir(state, int.from_bytes(content[whole:], 'little')), 0)
print('%x' % state)
