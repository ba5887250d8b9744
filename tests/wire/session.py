#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""session.py DOCUMENT COMMAND...: sends what the host says in the document's session to the command, and
compares what comes back with what the peer says there, message by message."""
import subprocess
import sys

messages, in_session = [], False
with open(sys.argv[1]) as document:
    for line in document:
        if line.startswith("```"):
            in_session = line.strip() == "```text session"
        elif in_session and line[0] != " ":
            who, _, what = line.strip().partition(": ")
            messages.append((who, what, bytearray()))
        elif in_session:
            messages[-1][2].extend(bytes.fromhex(line))

peer = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
wrong = 0
for who, what, data in messages:
    if who == "host":
        peer.stdin.write(data)
        peer.stdin.flush()
        continue
    found = peer.stdout.read(len(data))
    if found != data:
        wrong += 1
        print(f"{what}: {found.hex(' ')}\n  expected {data.hex(' ')}")
peer.stdin.close()
rest = peer.stdout.read()
if rest or peer.wait() != 0:
    wrong += 1
    print(f"at the end: {rest.hex(' ')}, exit status {peer.wait()}, expected nothing and 0")
print(len(messages), "messages,", wrong, "wrong")
sys.exit(wrong != 0 or len(messages) < 10)
