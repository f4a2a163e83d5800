"""Files, rendered and described."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ._calls import Answer, Call, Picture, Talk, Target, number_word
from ._memory import SMALL
from ._records import Record


@dataclass(frozen=True)
class Rendering:
    """A file that was rendered."""

    data: memoryview
    """Its bytes, in memory that the program made; empty if they went elsewhere."""
    record: Record
    """How it was rendered: operator, light levels, digest, warnings."""


def info(picture: Picture, *, timeout: float | None = None) -> Talk[dict[str, Any]]:
    """What a file says of itself, without its pixels: format, size, colour, headroom, gain map, light metadata.

    The keys are those of `hdrbatch info --json` (`hdrbatch info --help` lists them).

    Args:
        picture: a path, bytes, or a binary file object.
        timeout: seconds after which the request is cancelled.

    Raises:
        FileNotFoundError: there is no such file.
        Error: the file cannot be read.
        TimeoutError: the time is over.
    """
    call = Call("info", timeout=timeout)
    call.add("input", picture)
    answer = yield call
    said: dict[str, Any] = answer.fields["info"]
    return said


def render(
    picture: Picture,
    target: Target | None = None,
    *,
    to: str | None = None,
    headroom: float | str | None = None,
    quality: float | None = None,
    replace: bool = False,
    options: Sequence[str] = (),
    timeout: float | None = None,
) -> Talk[Rendering]:
    """Renders a picture as a file, or as bytes, without its pixels coming into Python.

    Args:
        picture: a path, bytes, or a binary file object, of any format that `hdrbatch` reads.
        target: the file to write, or a binary file object. None: the bytes are in what is returned.
        to: the kind of file, as of `--to`. None: `options` have a recipe that says it.
        headroom: the display's peak over reference white, as a factor (4) or in stops ("2ev").
        quality: 0 to 100, of lossy kinds.
        replace: overwrite the file if it is there.
        options: more options of `hdrbatch render`, as `["--resize", "400"]`. Their paths are absolute, or from the
            folder that Python was in when the process started.
        timeout: seconds after which the request is cancelled.

    Raises:
        FileNotFoundError: there is no such file.
        FileExistsError: the file to write is there, and `replace` is false.
        Error: the file cannot be read, rendered or written; the text says why.
        TimeoutError: the time is over.
    """
    words: list[str] = []
    if to is not None:
        words += ["--to", to]
    if headroom is not None:
        words += ["--headroom", number_word(headroom)]
    if quality is not None:
        words += ["--quality", number_word(quality)]
    call = Call("render", {"options": [*words, *options]}, timeout=timeout)
    call.add("input", picture)
    put(call, target, replace)
    answer = yield call
    return Rendering(taken(answer, target), answer.fields["record"])


def put(call: Call, target: Target | None, replace: bool) -> None:
    """Adds where a request's file goes.

    Raises:
        FileNotFoundError: there is no such folder.
        FileExistsError: the file is there, and is not to be replaced.
    """
    if not isinstance(target, (str, os.PathLike)):
        return
    path = os.path.abspath(target)
    folder = os.path.dirname(path)
    if not os.path.isdir(folder):
        raise FileNotFoundError(f"{folder}: there is no such folder")
    if os.path.lexists(path) and not replace:
        raise FileExistsError(f"{os.fspath(target)} is there already: replace=True overwrites it")
    call.fields["output"] = {"path": path, "existing": "replace" if replace else "refuse"}


def taken(answer: Answer, target: Target | None) -> memoryview:
    """The bytes of an answer, unless they are in a file or go to one now."""
    if not answer.memory:
        return memoryview(b"")
    data = memoryview(answer.memory[answer.fields["output"]["fd"]])
    if target is not None and not isinstance(target, (str, os.PathLike)):
        target.write(data)
        return memoryview(b"")
    # A copy of a small one holds no descriptor.
    return memoryview(bytes(data)) if len(data) <= SMALL else data
