"""Compares pictures."""

from __future__ import annotations

import os
from collections.abc import Sequence

from ._calls import Call, PathLike, Picture, Talk, number_word
from ._pairs import Comparison, Pair, pair_of, parse_pairs
from ._program import run
from ._records import Error, Run


def compare(
    a: Picture,
    b: Picture,
    *,
    metrics: str | Sequence[str] | None = None,
    headrooms: Sequence[float | str] | None = None,
    accept: str | None = None,
    options: Sequence[str] = (),
    timeout: float | None = None,
) -> Talk[Pair]:
    """What a picture differs by from a reference, in numbers, for each display.

    Both are rendered to linear light, so that formats, depths and primaries may differ; sizes may not. The metrics,
    and what can be compared, are in docs/compare.md.

    Args:
        a: the reference, a path, bytes or a binary file object, of any format that `hdrbatch` reads.
        b: the picture that is compared with it.
        metrics: names, as ["dE-seen", "ssim"], or "all". None: words, dE-ITP, dE-seen, psnr-pq, bias, metadata.
        headrooms: the displays whose renditions are compared, as factors from 1, and "full". None: those that both
            files have.
        accept: what may be accepted: "exact", "precise", "near", "good", "web", or a condition such as
            "p95(dE-seen)<2 and abs(bias)<0.03".
        options: more options of `hdrbatch compare`, as `["--at", "1024"]`.
        timeout: seconds after which the request is cancelled.

    Returns:
        The record of the pair. Its `verdict` is "equal" or "differs", with `accept` "accepted" or "rejected", and then
        `message` says why.

    Raises:
        FileNotFoundError, IsADirectoryError: a or b is not there, or is a folder.
        Error: a file cannot be read, or the pair cannot be compared; the text says why.
        TimeoutError: the time is over.
    """
    call = Call("compare", {"options": [*_words(metrics, headrooms, accept), *options]}, timeout=timeout)
    call.add("a", a)
    call.add("b", b)
    pair = pair_of((yield call).fields["pair"])
    if pair["verdict"] == "failed":
        # 65: as the command ends.
        raise Error(_reasons([pair])[0], Run(["compare"], 65), pair["code"])
    return pair


def compare_folders(
    a: PathLike,
    b: PathLike,
    *,
    metrics: str | Sequence[str] | None = None,
    headrooms: Sequence[float | str] | None = None,
    accept: str | None = None,
    pair_by: str | None = None,
    options: Sequence[str] = (),
    timeout: float | None = None,
) -> Comparison:
    """What the pictures of a folder differ by from those of a reference.

    One program compares them all. No pair raises an exception: a file that cannot be read or has no partner has the
    verdict "failed" or "unpaired", and a reason.

    Args:
        a: the folder of references.
        b: the folder that is compared with it.
        metrics, headrooms, accept: as of `compare`, for all pairs.
        pair_by: what makes two files a pair: "stem" (None), their path without extension, "name", with it, or B's name
            by a template of A's, as "{stem}-{target}.{ext}".
        options: more options of `hdrbatch compare`: with `["--baseline"]` a and b are output folders of two runs.
        timeout: seconds after which the program is told to stop.

    Returns:
        A record of each pair, and their counts.

    Raises:
        FileNotFoundError, NotADirectoryError: a or b is not there, or is no folder.
        Error: nothing can be compared, or not all; the text says why.
        TimeoutError: the time is over, and the program has ended.
    """
    by = [] if pair_by is None else ["--pair-by", pair_by]
    return _compared([_folder(a), _folder(b)], metrics, headrooms, accept, [*by, *options], timeout)[0]


def _compared(
    paths: list[str],
    metrics: str | Sequence[str] | None,
    headrooms: Sequence[float | str] | None,
    accept: str | None,
    options: Sequence[str],
    timeout: float | None,
) -> tuple[Comparison, Run]:
    """What the program reports of two paths, and how it ended.

    Raises:
        Error: it is not whole.
    """
    words = _words(metrics, headrooms, accept)
    done = run(["compare", *paths, *words, *options, "--json", "-"], check=False, timeout=timeout)
    header, pairs, summary = parse_pairs(done.stdout)
    # 65: a verdict.
    if done.status not in (0, 65) or header is None or summary is None or summary.get("left"):
        raise Error.of(done, _reasons(pairs))
    return Comparison(header, pairs, summary), done


def _words(
    metrics: str | Sequence[str] | None, headrooms: Sequence[float | str] | None, accept: str | None
) -> list[str]:
    """The options of what is compared."""
    words: list[str] = []
    if metrics is not None:
        words += ["--metrics", metrics if isinstance(metrics, str) else ",".join(metrics)]
    if headrooms is not None:
        if isinstance(headrooms, (str, bytes)):
            raise TypeError(f"headrooms are a list, as [1, 'full'], not {headrooms!r}")
        words += ["--headrooms", ",".join(number_word(one) for one in headrooms)]
    if accept is not None:
        words += ["--accept", accept]
    return words


def _reasons(pairs: Sequence[Pair]) -> list[str]:
    """A line for every pair that could not be compared."""
    failed = [pair for pair in pairs if pair["verdict"] == "failed"]
    return [f"{pair['a']} and {pair['b']}: {pair['message']} [{pair['code']}]" for pair in failed]


def _folder(path: PathLike) -> str:
    """The absolute path of a folder."""
    absolute = os.path.abspath(path)
    if not os.path.exists(absolute):
        raise FileNotFoundError(f"{os.fspath(path)}: there is no such folder")
    if not os.path.isdir(absolute):
        raise NotADirectoryError(f"{os.fspath(path)} is a file; a folder is expected")
    return absolute
