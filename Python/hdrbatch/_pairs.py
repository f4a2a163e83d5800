"""What a comparison leaves: a record of each pair. The keys are those of docs/data/compare-keys.tsv."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal, TypedDict, cast

from ._records import Notice, rows

Verdict = Literal["equal", "differs", "accepted", "rejected", "failed", "unpaired"]


class RunOrigin(TypedDict):
    """What made outputs of a run."""

    version: str
    recipe: str | None


class PlaneDifference(TypedDict):
    """Stored samples of a plane that differ; the largest difference of codes is None for floats."""

    differing: int
    max: int | None


class WordDifference(PlaneDifference):
    """Stored samples that differ, of all planes and of each, alpha last."""

    planes: list[PlaneDifference]


class Shift(TypedDict):
    """How far B lies beside A, in pixels: x to the right, y down. The score is at least 0.8."""

    distance: float
    x: float
    y: float
    score: float


# Keys with signs, as dE-ITP, need this form.
PixelDifference = TypedDict(
    "PixelDifference",
    {
        "mean": float | None,
        "rms": float | None,
        "p50": float | None,
        "p95": float | None,
        "p99": float | None,
        "p99.9": float | None,
        "max": float | None,
        "tile": float | None,
        "at": list[int] | None,
        "tileAt": list[int] | None,
    },
)
"""Numbers of all pixels; x and y of the first largest one, and of the square of the largest mean."""


class FlipDifference(PixelDifference, total=False):
    """HDR-FLIP of all pixels, with its exposures in stops: none for headroom 1."""

    start: float
    stop: float
    count: int


class Light(TypedDict):
    """The light of a picture, in cd/m²: the largest component, and the mean of pixels' largest ones."""

    peak: float
    average: float


class FileValues(TypedDict, total=False):
    """Metrics of the files themselves. What was not asked for or cannot be told is missing."""

    words: int
    metadata: int
    alpha: int
    nonfinite: int
    maps: PixelDifference


Rendition = TypedDict(
    "Rendition",
    {
        "headroom": float | Literal["full"],
        "dE-ITP": PixelDifference,
        "dE-seen": PixelDifference,
        "flip": FlipDifference,
        "dE-2000": PixelDifference,
        "dE-OK": PixelDifference,
        "psnr-pq": float,
        "psnr-pq-y": float,
        "pu-psnr": float,
        "bias": float,
        "peak": float,
        "peak-p99.99": float,
        "lost": float,
        "hue": float,
        "banding": float,
        "ssim": float,
        "ssimulacra2": float,
        "shift": Shift,
        "weightA": float,
        "weightB": float,
        "lightA": Light,
        "outsideA": float,
        "lightB": Light,
        "outsideB": float,
    },
    total=False,
)
"""Metrics of the light on a display of some headroom. What was not asked for or cannot be told is missing."""


class MetadataRow(TypedDict):
    """What two files state of one thing."""

    row: str
    verdict: Literal["same", "differs", "only A", "only B"]
    a: str | None
    b: str | None


Pair = TypedDict(
    "Pair",
    {
        "type": Literal["pair"],
        "a": str | None,
        "b": str | None,
        "digestA": str | None,
        "digestB": str | None,
        "verdict": Verdict,
        "change": Literal["new", "gone", "equal", "metadata", "changed"] | None,
        "code": str | None,
        "message": str | None,
        "width": int | None,
        "height": int | None,
        "kindA": str | None,
        "kindB": str | None,
        "words@base": WordDifference | None,
        "words@map": WordDifference | None,
        "shift@map": Shift | None,
        "files": FileValues,
        "headrooms": list[Rendition],
        "metadata": list[MetadataRow],
        "notes": list[Notice],
        "seconds": float,
    },
    total=False,
)
"""Two files and what they differ by: verdict, reason, and the metrics of files and of each rendition. Infinity is
`math.inf`."""


class ComparisonHeader(TypedDict, total=False):
    """The first line of a report: what is compared, and what counts."""

    type: Literal["header"]
    program: str
    version: str
    accept: str | None
    metrics: list[str]
    cpuMetrics: list[str]
    check: list[str]
    at: int | None
    mapOf: str | None
    device: str
    runsA: list[RunOrigin] | None
    runsB: list[RunOrigin] | None


class Changes(TypedDict):
    """Outputs of two runs, by what became of them."""

    new: int
    gone: int
    equal: int
    metadata: int
    changed: int


class ColumnSpread(TypedDict):
    """A number of the worst renditions over all pairs that have it, by nearest ranks."""

    column: str
    pairs: int
    min: float
    median: float
    p95: float
    max: float


class ComparisonSummary(TypedDict, total=False):
    """The last line of a report: pairs of each verdict."""

    type: Literal["summary"]
    equal: int
    differs: int
    accepted: int
    rejected: int
    failed: int
    unpaired: int
    left: int
    changes: Changes
    columns: list[ColumnSpread]


@dataclass(frozen=True)
class Comparison:
    """Two folders and what their files differ by."""

    header: ComparisonHeader
    """What counted."""
    pairs: list[Pair]
    """One for every two files of a name, and for each file without a partner."""
    summary: ComparisonSummary
    """The number of pairs of each verdict."""

    @property
    def failed(self) -> list[Pair]:
        """The pairs that were rejected, could not be compared, or lack a partner."""
        return [pair for pair in self.pairs if pair["verdict"] in ("rejected", "failed", "unpaired")]


def parse_pairs(lines: bytes) -> tuple[ComparisonHeader | None, list[Pair], ComparisonSummary | None]:
    """Header, pairs and summary of a report in JSON Lines."""
    header: ComparisonHeader | None = None
    pairs: list[Pair] = []
    summary: ComparisonSummary | None = None
    for row in rows(lines):
        match row.get("type"):
            case "header":
                header = cast(ComparisonHeader, row)
            case "pair":
                pairs.append(pair_of(row))
            case "summary":
                for values in row.get("columns", []):
                    values.update({key: _number(value) for key, value in values.items()})
                summary = cast(ComparisonSummary, row)
    return header, pairs, summary


def pair_of(row: dict[str, Any]) -> Pair:
    """The pair of a line."""
    for values in [row.get("files", {}), *row.get("headrooms", [])]:
        values.update({key: _number(value) for key, value in values.items()})
    return cast(Pair, row)


def _number(value: Any) -> Any:
    """A value with infinity as a number: JSON has none."""
    return math.inf if value == "inf" else -math.inf if value == "-inf" else value
