"""What a run leaves: records, summary, failures. The keys are those of docs/data/record-keys.tsv."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypedDict, cast

Headroom = float
"""Peak light over reference white (203 cd/m²), as a factor."""


class Notice(TypedDict):
    """A warning about one file."""

    code: str
    message: str


class CodePoints(TypedDict):
    """What samples mean, by H.273."""

    primaries: int
    transfer: int
    matrix: int
    fullRange: bool


class Trial(TypedDict):
    """An encode by which a quality was found."""

    quality: int
    bytes: int
    value: float | str | None


class Time(TypedDict):
    """Seconds of one phase."""

    wall: float
    cpu: float


class Header(TypedDict, total=False):
    """The first line of a record: the program, its start, and what the run is to do."""

    type: Literal["header"]
    program: str
    version: str
    command: list[str]
    environment: dict[str, str]
    host: str
    pid: int
    unixTime: float
    folder: str
    out: str | None
    items: int
    to: Any
    recipe: dict[str, Any] | None
    recipeDigest: str | None
    manifest: str | None
    shard: str | None
    resume: Any
    durability: str
    backend: str
    device: str | None
    fallback: str | None
    sample: int | None
    jobs: int
    threads: int
    isa: str
    isolation: str
    isolationReduced: Any
    isolationLocks: Any


class Record(TypedDict, total=False):
    """One output. What is not known is None. Headrooms are factors, digests SHA-256."""

    type: Literal["item"]
    index: int
    input: str
    frame: int | None
    image: int | None
    imageName: str | None
    output: str
    status: Literal["ok", "warn", "failed", "rejected", "skipped"]
    code: str | None
    message: str | None
    format: str | None
    decoder: str | None
    decodeDevice: Literal["gpu", "cpu", "both"] | None
    decodeFallback: str | None
    decodeScale: int | None
    inputSpace: str | None
    replacedColor: str | None
    hdrIn: str | None
    hdrOut: str | None
    operator: str | None
    operatorReason: str | None
    operatorParameters: Any
    operatorSpace: str | None
    cameraLook: Any
    toneMetadata: Any
    gamut: str | None
    edits: Any
    editedRendition: str | None
    idleEdits: Any
    contentHeadroom: Headroom | None
    contentHeadroomSource: str | None
    displayHeadroom: Headroom | None
    outputHeadroom: Headroom | None
    white: float | None
    measuredPeak: Headroom | None
    clippedShare: float | None
    gainMapWeight: float | None
    gainMapFormula: Any
    workingPrimaries: int | None
    outputCICP: CodePoints | None
    outputProfile: str | None
    outputSpace: str | None
    ocio: Any
    clli: Any
    mdcv: Any
    mdcvSource: str | None
    hagc: Any
    stages: list[str]
    backend: str | None
    device: str | None
    rounding: str | None
    isa: str | None
    fallback: str | None
    sampledStrips: int | None
    encodeDevice: Literal["gpu", "cpu", "both"] | None
    accept: Any
    isolation: str | None
    width: int | None
    height: int | None
    pixels: int | None
    inputDigest: str | None
    outputDigest: str | None
    inputHex: str
    outputHex: str
    bytesIn: int | None
    bytesOut: int | None
    quality: int | None
    qualityTried: list[Trial]
    seconds: dict[str, Time]
    warnings: list[Notice]
    beside: list[str]


class Summary(TypedDict, total=False):
    """The last line of a record: counts and sums."""

    type: Literal["summary"]
    items: int
    ok: int
    warn: int
    failed: int
    rejected: int
    skipped: int
    pixels: int
    bytesOut: int
    sampledStrips: int
    wallSeconds: float
    cpuSeconds: float
    peakResidentBytes: int
    codecPeakResidentBytes: int
    exitCode: int


@dataclass(frozen=True)
class Run:
    """What a command left."""

    arguments: list[str]
    """The words after `hdrbatch`, as they were given."""
    status: int
    """The exit status (docs/cli.md#exit-codes); negative: the signal that ended the program."""
    records: list[Record] = field(default_factory=list)
    """One for every output; empty where the command writes none."""
    summary: Summary | None = None
    """Counts and sums; None where there is no record."""
    header: Header | None = None
    """How the run was started; None where there is no record."""
    stdout: bytes = b""
    """Standard output."""
    stderr: str = ""
    """Messages."""

    @property
    def failed(self) -> list[Record]:
        """The records of files that failed, or were made and not accepted."""
        return [record for record in self.records if record.get("status") in ("failed", "rejected")]


class Error(Exception):
    """The program failed or could not be started. The text has a line for every file that failed."""

    def __init__(self, message: str, run: Run | None = None, code: str | None = None, may_retry: bool = False) -> None:
        super().__init__(message)
        self.run = run
        """What the run left all the same; None if the program was not started."""
        self.code = code
        """What a request failed of, as "decode.truncated"; None where `records` say it."""
        self.may_retry = may_retry
        """Whether the same request may succeed later."""

    @property
    def status(self) -> int | None:
        """The exit status of the program."""
        return self.run.status if self.run else None

    @property
    def records(self) -> list[Record]:
        """The records of files that failed."""
        return self.run.failed if self.run else []

    @classmethod
    def of(cls, run: Run, reasons: Sequence[str] = ()) -> Error:
        """The error of a run whose status is not 0, with reasons that its records do not have."""
        name = " ".join(["hdrbatch", *run.arguments[:1]])
        lines = list(reasons) or [f"{one.get('input')}: {one.get('message')} [{one.get('code')}]" for one in run.failed]
        if not lines:
            mark = "hdrbatch: error: "
            messages = [line for line in run.stderr.splitlines() if line.strip()]
            lines = [line.removeprefix(mark) for line in messages if line.startswith(mark)] or messages[-3:]
        ended = f"was ended by signal {-run.status}" if run.status < 0 else f"ended with status {run.status}"
        count = f": {len(run.failed)} of {len(run.records)} outputs failed" if run.failed else ""
        return cls("\n  ".join([f"{name} {ended}{count}", *lines]), run)


def parse(lines: bytes) -> tuple[Header | None, list[Record], Summary | None]:
    """Header, items and summary of a record in JSON Lines. Other lines, and one that is cut off, are passed over."""
    header: Header | None = None
    records: list[Record] = []
    summary: Summary | None = None
    for row in rows(lines):
        match row.get("type"):
            case "header":
                header = cast(Header, row)
            case "item":
                records.append(cast(Record, row))
            case "summary":
                summary = cast(Summary, row)
    return header, records, summary


def rows(lines: bytes) -> Iterator[dict[str, Any]]:
    """The objects of JSON Lines. Other lines, and one that is cut off, are passed over."""
    for line in lines.splitlines():
        try:
            row = json.loads(line)
        except ValueError:
            continue
        if isinstance(row, dict):
            yield row
