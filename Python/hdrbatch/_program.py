"""Finds the program and runs it."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType

from ._records import Error, Run, parse

VARIABLE = "HDRBATCH_PROGRAM"
"""The environment variable that names another program than the one in this package."""

_WITH_RECORD = frozenset(["render", "pair", "run", "reproduce"])
_WITH_PROGRESS = frozenset(["render", "pair", "run"])
# After a signal the program ends within 3 s (docs/cli.md#exit-codes).
_GRACE = 10.0


def program() -> str:
    """The path of the program: what `HDRBATCH_PROGRAM` names, else the one in this package.

    Raises:
        Error: there is none, or it cannot be executed.
    """
    named = os.environ.get(VARIABLE)
    path = named or str(Path(__file__).parent / "bundle" / "bin" / "hdrbatch")
    if os.access(path, os.X_OK) and os.path.isfile(path):
        return path
    if named:
        raise Error(f"{VARIABLE} is {named!r}, which is no program that can be executed")
    what = "cannot be executed" if os.path.exists(path) else "is missing"
    raise Error(f"{path} {what}: install the wheel with pip, or name a program in {VARIABLE}")


def run(
    arguments: Sequence[str | os.PathLike[str]],
    *,
    check: bool = True,
    input: bytes | None = None,
    timeout: float | None = None,
) -> Run:
    """Runs one command of `hdrbatch`, as in `run(["render", "PHOTOS", "--out", "OUT", "--to", "pq-png"])`.

    `render`, `pair`, `run` and `reproduce` get `--record` with a temporary file, unless the arguments have one, and no
    progress bar, unless they have `--progress`.

    Args:
        arguments: the words after `hdrbatch`.
        check: raise `Error` if the exit status is not 0.
        input: bytes for standard input; else it is empty.
        timeout: seconds after which the program is told to stop. Files that are finished by then stay.

    Returns:
        What the run left: a record of every output, a summary, the exit status, standard output and standard error.

    Raises:
        Error: the exit status is not 0, with a line for every file that failed.
        TimeoutError: the time is over, and the program has ended.
        KeyboardInterrupt: Ctrl-C; the program got it, too, and has ended.
    """
    if isinstance(arguments, (str, bytes)):
        raise TypeError(f"arguments are a list of words, as ['info', 'photo.heic'], not {arguments!r}")
    words = [os.fspath(word) for word in arguments]
    command = words[0] if words else ""
    given = _value(words, "--record")
    with tempfile.TemporaryDirectory(prefix="hdrbatch-") as folder:
        record: str | None = None
        added: list[str] = []
        if command in _WITH_RECORD and not _is_pipe(words) and not _only_prints(words):
            record = given if given is not None else os.path.join(folder, "record.jsonl")
            if given is None:
                added += ["--record", record]
        if command in _WITH_PROGRESS and _value(words, "--progress") is None and not _only_prints(words):
            added += ["--progress", "none"]
        status, output, messages = _execute([program(), *words[:1], *added, *words[1:]], input, timeout)
        lines = b""
        if record == "-":
            lines = output
        elif record is not None and os.path.exists(record):
            lines = Path(record).read_bytes()
    header, records, summary = parse(lines)
    result = Run(words, status, records, summary, header, output, messages.decode("utf-8", "replace"))
    if check and status != 0:
        raise Error.of(result)
    return result


def _value(words: Sequence[str], option: str) -> str | None:
    """The last value that is given to an option."""
    found: str | None = None
    for index, word in enumerate(words):
        if word == option and index + 1 < len(words):
            found = words[index + 1]
        elif word.startswith(option + "="):
            found = word[len(option) + 1 :]
    return found


def _is_pipe(words: Sequence[str]) -> bool:
    """Whether pictures go to standard output, where there is no record."""
    return _value(words, "-o") == "-" or _value(words, "--out") == "-"


def _only_prints(words: Sequence[str]) -> bool:
    return any(word in ("--help", "-h", "--help-all", "--print-recipe", "--dry-run", "-n") for word in words)


def _execute(command: Sequence[str], input: bytes | None, timeout: float | None) -> tuple[int, bytes, bytes]:
    """Exit status, standard output and standard error of a command.

    The child has a process group of its own, so that Ctrl-C reaches it once, through this process: a second one would
    end it without tidying up.
    """
    child, interrupt = _start(command, subprocess.DEVNULL if input is None else subprocess.PIPE)
    with child:
        try:
            interrupt()
            output, messages = child.communicate(input, timeout)
        except subprocess.TimeoutExpired:
            _stop(child, signal.SIGTERM)
            raise TimeoutError(f"{' '.join(['hdrbatch', *command[1:2]])} was stopped after {timeout:g} s") from None
        except KeyboardInterrupt:
            _stop(child, signal.SIGINT)
            raise
        except BaseException:
            _stop(child, signal.SIGTERM)
            raise
        return child.returncode, output, messages


def _start(command: Sequence[str], input: int) -> tuple[subprocess.Popen[bytes], Callable[[], None]]:
    """A child, and what raises Ctrl-C that came while it was started: before that nobody could tell the child of it."""
    came: list[tuple[int, FrameType | None]] = []
    handler = signal.getsignal(signal.SIGINT)
    # Python handles signals in its main thread only.
    waits = callable(handler) and threading.current_thread() is threading.main_thread()
    if waits:
        signal.signal(signal.SIGINT, lambda number, frame: came.append((number, frame)))
    try:
        child = subprocess.Popen(
            command, stdin=input, stdout=subprocess.PIPE, stderr=subprocess.PIPE, process_group=0
        )
    finally:
        if waits:
            signal.signal(signal.SIGINT, handler)

    def interrupt() -> None:
        for number, frame in came:
            if callable(handler):
                handler(number, frame)

    return child, interrupt


def _stop(child: subprocess.Popen[bytes], number: signal.Signals) -> None:
    """Sends a signal and waits for the end, which a second Ctrl-C or `_GRACE` forces."""
    child.send_signal(number)
    try:
        child.communicate(timeout=_GRACE)
    except (subprocess.TimeoutExpired, KeyboardInterrupt):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
