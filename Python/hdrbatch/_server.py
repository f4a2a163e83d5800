"""One process of `hdrbatch serve`, and the requests that it has not answered."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import threading
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from typing import Any

from ._calls import Answer, Call
from ._memory import Memory
from ._program import program
from ._records import Error, Record, Run

# The program cancels what runs between two of its phases.
_GRACE = 10.0
_DESCRIPTORS = 16


class Server:
    """A process. Threads may share it."""

    def __init__(self, options: Sequence[str]) -> None:
        self._socket, theirs = socket.socketpair()
        self._messages = os.memfd_create("hdrbatch-messages", os.MFD_CLOEXEC)
        with theirs:
            # A process group of its own: Ctrl-C is for this process, which cancels its requests.
            self._child = subprocess.Popen(
                [program(), "serve", "--stdio", *options],
                stdin=theirs.fileno(),
                stdout=theirs.fileno(),
                stderr=self._messages,
                process_group=0,
            )
        self._lock = threading.Lock()
        self._waiting: dict[int, tuple[Future[Answer], Call]] = {}
        self._later: deque[int] = deque()
        # How many requests the program takes, which its first line says.
        self._room = 0
        self._count = 0
        self._is_open = True
        self.lost = Error("hdrbatch serve is ending")
        """What became of the process, once it takes no requests."""
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def send(self, call: Call) -> Future[Answer] | None:
        """Sends a request. To cancel what is returned is to cancel the request. None: the process has ended."""
        future: Future[Answer] = Future()
        with self._lock:
            if not self._is_open:
                return None
            self._count += 1
            number = self._count
            self._waiting[number] = future, call
            self._later.append(number)
            self._send_more()
        future.add_done_callback(lambda done: self._cancel(number) if done.cancelled() else None)
        return future

    def stop(self) -> None:
        """Cancels what is not answered and ends the process."""
        with self._lock:
            waiting = list(self._waiting.values())
        for future, _ in waiting:
            future.cancel()
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_WR)
        # The garbage collector runs in any thread.
        if threading.current_thread() is self._reader:
            return
        self._reader.join(_GRACE)
        with contextlib.suppress(ProcessLookupError):
            if self._child.poll() is None:
                os.killpg(self._child.pid, signal.SIGKILL)
        self._reader.join()

    def forget(self) -> None:
        """Leaves the process to the parent: this is a copy, after a fork."""
        self._close()
        self._child.returncode = 0

    def _close(self) -> None:
        self._socket.close()
        os.close(self._messages)

    # What follows is called with the lock.

    def _send_more(self) -> None:
        """Sends what the program takes of what waits: beyond, it would refuse."""
        while self._later and self._room > 0:
            number = self._later.popleft()
            _, call = self._waiting[number]
            self._room -= 1
            files = {"fds": len(call.memory)} if call.memory else {}
            self._write({"id": number, "request": call.name, **call.fields, **files}, call.memory)

    def _write(self, line: Mapping[str, Any], memory: Sequence[Memory] = ()) -> None:
        data = json.dumps(line).encode() + b"\n"
        # The reader notices a process that has ended.
        with contextlib.suppress(OSError):
            sent = socket.send_fds(self._socket, [data], [one.descriptor for one in memory])
            self._socket.sendall(data[sent:])

    # What follows takes the lock.

    def _cancel(self, number: int) -> None:
        with self._lock:
            if number in self._later:
                self._later.remove(number)
                del self._waiting[number]
            elif number in self._waiting:
                self._write({"id": f"cancel {number}", "request": "cancel", "of": number})

    def _read(self) -> None:
        """Gives each answer to who waits for it, until the process ends."""
        with contextlib.suppress(OSError, ValueError):
            for line, memory in _lines(self._socket):
                self._take(line, memory)
        status = self._ended()
        messages = os.pread(self._messages, 1 << 16, 0).decode("utf-8", "replace")
        with self._lock:
            self._is_open = False
            self.lost = _lost(status, messages)
            waiting, self._waiting = self._waiting, {}
            self._later.clear()
        self._close()
        for future, _ in waiting.values():
            if future.set_running_or_notify_cancel():
                future.set_exception(_lost(status, messages))

    def _ended(self) -> int:
        """The status of the process, which has closed its end."""
        try:
            return self._child.wait(_GRACE)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._child.pid, signal.SIGKILL)
            return self._child.wait()

    def _take(self, line: dict[str, Any], memory: list[Memory]) -> None:
        with self._lock:
            found = self._waiting.pop(line.get("id"), None)  # type: ignore[arg-type]
            if line.get("type") == "hello":
                self._room = int(line["queue"])
            elif line.get("type") == "draining":
                self._is_open = False
            elif found:
                self._room += 1
            self._send_more()
        if found is None:
            return
        future, call = found
        if future.set_running_or_notify_cancel():
            if line.get("ok"):
                future.set_result(Answer(line, memory))
            else:
                future.set_exception(_refused(line, call))


def _lines(ours: socket.socket) -> Iterator[tuple[dict[str, Any], list[Memory]]]:
    """The lines that come, each with its descriptors, which may come before the rest of their line."""
    buffer = bytearray()
    came: deque[Memory] = deque()
    while True:
        data, descriptors, _, _ = socket.recv_fds(ours, 1 << 16, _DESCRIPTORS, socket.MSG_CMSG_CLOEXEC)
        came.extend(Memory(one) for one in descriptors)
        if not data:
            return
        buffer += data
        *lines, rest = buffer.split(b"\n") if b"\n" in data else [buffer]
        buffer = rest
        for text in lines:
            line = json.loads(text)
            yield line, [came.popleft() for _ in range(line.get("fds", 0))]


def _refused(line: Mapping[str, Any], call: Call) -> Error:
    """The error of an answer. A fault of the request itself is not one of a file."""
    said = line["error"]
    record: Record | None = line.get("record")
    place = "" if said["kind"] == "request" else f"{call.subject}: "
    run = Run([call.name], said["exit"], [record] if record else [], stderr=said["message"])
    return Error(f"{place}{said['message']} [{said['code']}]", run, said["code"], said["retry"])


def _lost(status: int, messages: str) -> Error:
    """The error of requests that the process had when it ended."""
    ended = f"was ended by signal {-status}" if status < 0 else f"ended with status {status}"
    lines = [line for line in messages.splitlines() if line.strip()]
    text = "\n  ".join([f"hdrbatch serve {ended} before it answered; the next call starts it again", *lines])
    return Error(text, Run(["serve"], status, stderr=messages))
