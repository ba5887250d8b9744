#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The driver of examples/python, which misbehaves.

    peer.py TABLE MISDEED[:VALUE] [--at N] [--listen unix:PATH|tcp:HOST:PORT]

In the N-th call (default: each) of DRIVER_ALLOCATION_CREATE it does what MISDEED says. With --listen it
serves one connection after the other."""
import os
import signal
import socket
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples/python"))
import driver  # noqa: E402

HEAD, NUMBER, SIZE = driver.HEAD, driver.NUMBER, driver.SIZE
CREATE = driver.TABLE["operations"]["DRIVER_ALLOCATION_CREATE"]["number"]
MACHINE_LOG = driver.TABLE["operations"]["MACHINE_LOG"]["number"]

what, _, value = sys.argv[2].partition(":")
rest = dict(zip(sys.argv[3::2], sys.argv[4::2]))
at = int(rest.get("--at", 0))
calls = 0


class Over(Exception):
    """The connection is to end."""


def message(kind, operation, number, instance=0, answer=0, body=b"", within=0):
    return HEAD.pack(NUMBER["WCTS_WIRE_MAGIC"], 1, kind, HEAD.size + len(body), operation, number, within,
                     instance, answer) + body


def bad_messages(operation, number, instance):
    """What breaks the protocol, by name, in the place of a reply; test_wire.c has more."""
    return {
        "text": b"Traceback (most recent call last):\n" * 4,
        "outside": message(1, MACHINE_LOG, 1, instance, 64),
        "twice": 2 * message(1, MACHINE_LOG, 5, instance, 64, within=number),
        "own": message(1, 2, 1, instance, 64, within=number),
    }


def misbehave(out, operation, number, instance):
    """True if the call is answered as it should be all the same."""
    if what == "exit":
        os._exit(int(value))
    if what == "signal":
        os.kill(os.getpid(), getattr(signal, value))
    if what == "silent":
        print("silent", file=sys.stderr, flush=True)
        time.sleep(1000)
    if what == "longer":
        out(message(2, operation, number, instance, body=bytes(int(value) + 8))[:-8])
        time.sleep(1000)
    if what == "close":
        raise Over
    if what == "half":
        out(message(2, operation, number, instance, body=bytes(100))[:60])
        raise Over
    if what == "bye":
        out(message(1, NUMBER["WCTS_WIRE_BYE"], 9, body=value.encode()))
        raise Over
    if what == "reason":
        status = NUMBER["WCTS_STATUS_NOT_SUPPORTED"]
        out(message(2, operation, number, instance, status, value.encode()))
        return False
    if what == "garbage":
        out(bad_messages(operation, number, instance)[value])
        return value != "text"
    return True


def hello(body):
    """The reply to HELLO, with a member that says something else."""
    member, _, number = value.partition("=") if what == "hello" else ("connections", 0, "1")
    if what == "hello" or "--listen" in rest:
        one = driver.STRUCTS["wire_hello_reply"]["members"][member]
        body = bytearray(body)
        body[one["offset"]:one["offset"] + one["size"]] = int(number, 0).to_bytes(one["size"], "little")
    return bytes(body)


def serve(read, out):
    global calls
    instances = {}
    while head := read(HEAD.size):
        _, _, _, length, operation, number, within, instance, _ = HEAD.unpack(head)
        data = read(length - HEAD.size)
        calls += operation == CREATE
        if operation == CREATE and (at == 0 or calls == at or (what == "close" and calls > at)):
            if not misbehave(out, operation, number, instance):
                continue
        status, body = driver.answer(instances, operation, instance, data)
        if operation == NUMBER["WCTS_WIRE_HELLO"]:
            body = hello(body)
        if operation == NUMBER["WCTS_WIRE_CLOSE"] and what == "reboot" and not instances:
            body = driver.reply("wire_close_reply", ends=int(value == "said"))
        out(message(2, operation, number, instance, status, body, within))
        if operation == NUMBER["WCTS_WIRE_CLOSE"] and what == "reboot" and not instances:
            return


def listen(address):
    kind, _, where = address.partition(":")
    if kind == "unix":
        if os.path.exists(where):
            os.unlink(where)
        listening = socket.socket(socket.AF_UNIX)
        listening.bind(where)
    else:
        host, _, port = where.rpartition(":")
        listening = socket.create_server((host, int(port)))
        address = f"tcp:{host}:{listening.getsockname()[1]}"
    listening.listen(8)
    print(f"listening at {address}", flush=True)
    return listening, address


def main():
    if "--listen" not in rest:
        out = sys.stdout.buffer

        def send(data):
            out.write(data)
            out.flush()
        try:
            serve(sys.stdin.buffer.read, send)
        except Over:
            pass
        return
    listening, address = listen(rest["--listen"])
    while True:
        connection, _ = listening.accept()
        if what == "reboot":
            listening.close()
        stream = connection.makefile("rb")
        try:
            serve(stream.read, connection.sendall)
        except (Over, OSError):
            pass
        stream.close()
        connection.close()
        if what == "reboot":
            time.sleep(0.05)
            listening, _ = listen(address)


main()
