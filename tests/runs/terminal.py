#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""terminal.py COLUMNS UNTIL FILE COMMAND...: runs a command on a terminal of its own, of which standard output is
FILE, types ^C when what it shows has matched the expression UNTIL (- : never) or after a minute, and prints what it
showed. The status is the command's."""
import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios
import time


def main():
    columns, until, out, *command = sys.argv[1:]
    child, terminal = pty.fork()
    if child == 0:
        file = os.open(out, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(file, 1)
        fcntl.ioctl(2, termios.TIOCSWINSZ, struct.pack('HHHH', 24, int(columns), 0, 0))
        os.execvp(command[0], command)
    shown, typed, end = b'', until == '-', time.monotonic() + 60
    while True:
        if not select.select([terminal], [], [], max(0, end - time.monotonic()))[0]:
            os.write(terminal, b'\x03')
            end += 60
            continue
        try:
            piece = os.read(terminal, 65536)
        except OSError:  # the terminal has no other end any more
            piece = b''
        if not piece:
            break
        shown += piece
        if not typed and re.search(until.encode(), shown):
            os.write(terminal, b'\x03')
            typed = True
    sys.stdout.buffer.write(shown)
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))


main()
