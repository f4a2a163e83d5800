"""What is asked of the process of a session, and what it answers."""

from __future__ import annotations

import os
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO, Any, NamedTuple, TypeVar

from ._memory import Memory

T = TypeVar("T")
PathLike = str | os.PathLike[str]
Picture = PathLike | bytes | bytearray | memoryview | IO[bytes]
"""A file by its path, its bytes, or a binary file object, as `BytesIO`, which is read from where it is."""
Target = PathLike | IO[bytes]
"""Where a file goes: a path, or a binary file object."""


@dataclass
class Call:
    """A request. Its files are names, and memory that goes with it."""

    name: str
    fields: dict[str, Any] = field(default_factory=dict)
    memory: list[Memory] = field(default_factory=list)
    timeout: float | None = None

    def add(self, key: str, picture: Picture) -> None:
        """Adds a picture.

        Raises:
            FileNotFoundError, IsADirectoryError: there is no such file.
        """
        if isinstance(picture, (str, os.PathLike)):
            self.fields[key] = {"path": existing_file(picture)}
            return
        data = picture if isinstance(picture, (bytes, bytearray, memoryview)) else picture.read()
        if not isinstance(data, (bytes, bytearray, memoryview)):
            raise TypeError(
                f"a picture is a path, bytes or a binary file object, not one that gives {type(data).__name__}"
            )
        if len(data) == 0:
            raise ValueError("the picture has no bytes")
        name = os.path.basename(str(getattr(picture, "name", "")))
        self.add_memory(key, Memory.of_bytes(data), name or "bytes")

    @property
    def subject(self) -> str:
        """The names of the pictures."""
        files = (self.fields[key] for key in ("input", "a", "b") if key in self.fields)
        return " and ".join(file.get("path") or file["name"] for file in files)

    def add_memory(self, key: str, memory: Memory, name: str) -> None:
        """Adds a picture in memory."""
        self.fields[key] = {"fd": len(self.memory), "name": name}
        self.memory.append(memory)


class Answer(NamedTuple):
    """The fields of an answer, and what lies in memory."""

    fields: Mapping[str, Any]
    memory: Sequence[Memory]


Talk = Generator[Call, Answer, T]
"""Requests, one after the other, and what is made of their answers: the same for threads and for asyncio."""


def existing_file(path: PathLike) -> str:
    """The absolute path of a file."""
    absolute = os.path.abspath(path)
    if os.path.isdir(absolute):
        raise IsADirectoryError(f"{os.fspath(path)} is a folder; a file is expected")
    if not os.path.exists(absolute):
        raise FileNotFoundError(f"{os.fspath(path)}: there is no such file")
    return absolute


def number_word(value: float | str) -> str:
    """A number as an option has it: 4 for 4.0."""
    if isinstance(value, str):
        return value
    return str(int(value)) if float(value).is_integer() else repr(float(value))
