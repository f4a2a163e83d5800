"""The words of filters."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import cast

PathLike = str | os.PathLike[str]


def word(name: str, /, **values: float | bool | PathLike | Sequence[float] | None) -> str:
    """Returns the word for `--filter` with the values that are given.

    Raises `ValueError` for a name of a file that the word cannot hold; a recipe can.
    """
    pairs = [
        f"{key.rstrip('_').replace('_', '-')}:{_text(value)}" for key, value in values.items() if value is not None
    ]
    return f"{name}={','.join(pairs)}" if pairs else name


def _text(value: float | bool | PathLike | Sequence[float]) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (str, os.PathLike)):
        text = os.fspath(value)
        if text.startswith("=") or ("," in text and "(" not in text):
            raise ValueError(f"{text!r} cannot be a value of --filter: name it among the inputs of a recipe")
        return text
    if isinstance(value, Sequence):
        return "/".join(_number(number) for number in cast("Sequence[float]", value))
    return _number(value)


def _number(value: float) -> str:
    return repr(int(value)) if float(value).is_integer() and abs(value) < 2**53 else repr(float(value))
