"""Pictures as arrays."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, cast

from ._program import run
from ._records import Error, Record, Run

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

PathLike = str | os.PathLike[str]

KINDS: Mapping[str, tuple[str, ...]] = {
    "png": ("pq-png", "hlg-png", "sdr-png", "adaptive-png"),
    "jpg": ("adaptive-jpeg", "sdr-jpeg"),
    "heic": ("pq-heic", "hlg-heic", "adaptive-heic"),
    "avif": ("pq-avif", "hlg-avif", "sdr-avif", "adaptive-avif"),
    "jxl": ("pq-jxl", "hlg-jxl", "sdr-jxl", "linear-jxl", "adaptive-jxl"),
    "tif": ("pq-tiff", "hlg-tiff", "sdr-tiff", "linear-tiff"),
    "exr": ("exr",),
    "hdr": ("hdr",),
    "pfm": ("pfm",),
    "dpx": ("dpx", "dpx-log", "pq-dpx", "hlg-dpx"),
    "rgba16f": ("rgba16f",),
}
"""The kinds of output (`--to`) that a file of this extension can be. Others need `to` always."""

_SAME = {"jpeg": "jpg", "tiff": "tif", "heif": "heic", "hif": "heic"}
_PRIMARIES = {"bt2020": 9, "p3": 12, "srgb": 1}


class Metadata(TypedDict, total=False):
    """What the samples of an `Image` mean."""

    width: int
    height: int
    primaries: str | int
    """`bt2020`, `p3`, `srgb`, or a code point of H.273."""
    white: float
    """cd/m² of 1.0: 203, the reference white, unless a reference display was asked for."""
    headroom: float | None
    """The headroom of the samples: their peak as a factor of `white`. None: not known."""
    contentHeadroom: float | None
    """What the file holds in full, as a factor. None: not known."""
    displayHeadroom: float | None
    """What the samples were rendered for, as a factor."""
    source: dict[str, Any]
    """What `info` says of the file; empty for samples that only `options` describe."""


@dataclass(frozen=True)
class Image:
    """A picture that was read."""

    pixels: NDArray[numpy.float16]
    """Shape (height, width, 4): R, G, B and straight alpha. Linear light of a display, BT.2020 unless `read` was told
    other primaries, 1.0 = reference white (203 cd/m²), so that SDR is 0 to 1 and HDR goes beyond. Upright: the file's
    orientation is applied. Components can be negative where a colour is outside the primaries."""
    metadata: Metadata
    """What the samples mean, and what the file says of itself."""
    record: Record
    """How the picture was rendered: operator, light levels, warnings."""


def info(path: PathLike) -> dict[str, Any]:
    """What a file says of itself, without its pixels: format, size, colour, headroom, gain map, light metadata.

    The keys are those of `hdrbatch info --json` (`hdrbatch info --help` lists them).

    Raises:
        FileNotFoundError: there is no such file.
        Error: the file cannot be read.
    """
    return _said(run(["info", "--json", existing_file(path)]))


def read(
    path: PathLike,
    *,
    headroom: float | str | None = None,
    image: int | str | None = None,
    primaries: str | None = None,
    options: Sequence[str] = (),
) -> Image:
    """Renders a picture into an array of half floats, for a display of some headroom.

    The program writes a temporary file (8 bytes a pixel, in `tempfile.gettempdir()`), which is read into one array and
    removed.

    Args:
        path: a file of any format that `hdrbatch` reads.
        headroom: the display's peak over reference white, as a factor (4) or in stops ("2ev"): 1 is SDR. None: all
            that the file holds.
        image: number, from 1, or name of the picture in a file with several. None: the main one.
        primaries: of the samples: "bt2020" (None), "p3" or "srgb".
        options: more options of `hdrbatch render`, as `["--tone-map", "bt2390"]`.

    Raises:
        FileNotFoundError: there is no such file.
        Error: the file cannot be read or rendered; the text says why.
    """
    import numpy

    source = existing_file(path)
    arguments = ["--to", "rgba16f", "--journal", "none", "--durability", "none"]
    picture: list[str] = []
    if headroom is not None:
        arguments += ["--headroom", number_word(headroom)]
    if image is not None:
        if str(image) == "all":
            raise ValueError("image is one picture's number or name; call read for each")
        picture = ["--image", str(image)]
    if primaries is not None:
        arguments += ["--primaries", primaries]
    with tempfile.TemporaryDirectory(prefix="hdrbatch-") as folder:
        done = run(["render", source, "--out", folder, *picture, *arguments, *options])
        if len(done.records) != 1:
            raise Error(f"{os.fspath(path)}: {len(done.records)} pictures were rendered, not one", done)
        record = done.records[0]
        output = Path(folder, record["output"])
        sidecar = json.loads(Path(f"{output}.json").read_bytes())
        height, width = int(sidecar["height"]), int(sidecar["width"])
        pixels = numpy.fromfile(output, dtype="<f2").astype(numpy.float16, copy=False).reshape(height, width, 4)
    metadata: Metadata = {
        "width": width,
        "height": height,
        "primaries": sidecar["primaries"],
        "white": float(sidecar["white"]),
        "headroom": float(sidecar["contentHeadroom"]) or None,
        "contentHeadroom": record["contentHeadroom"],
        "displayHeadroom": record["displayHeadroom"],
        "source": _said(run(["info", "--json", source, *picture], check=False)),
    }
    return Image(pixels, metadata, record)


def write(
    path: PathLike,
    pixels: NDArray[numpy.floating[Any]],
    *,
    to: str | None = None,
    primaries: str | None = None,
    metadata: Metadata | Mapping[str, Any] | None = None,
    quality: float | None = None,
    replace: bool = False,
    options: Sequence[str] = (),
) -> Record:
    """Writes an array as a picture file.

    The samples go through a temporary file (8 or 16 bytes a pixel). The light levels in the new file (`clli`, `mdcv`)
    are measured in what is written.

    Args:
        path: the file to write, in a folder that is there.
        pixels: shape (height, width, 4), or (height, width, 3) without alpha, of float16 or float32: R, G, B and
            straight alpha, linear light, 1.0 = reference white (203 cd/m²).
        to: the kind of file, as of `--to`: "pq-png", "adaptive-jpeg", "sdr-avif". None: by the extension where that
            leaves one kind, .exr and .rgba16f (which gets a sidecar, PATH.json).
        primaries: of the file: "bt2020", "p3" or "srgb". None: BT.2020 for HDR; for SDR sRGB, or P3 if `metadata`
            says wider primaries than sRGB (or none).
        metadata: of the samples: `primaries` (BT.2020 if left out), and `headroom`, their peak as a factor (measured if
            left out). What `read` gave will do; other keys are not used.
        quality: 0 to 100, of lossy kinds.
        replace: overwrite the file if it is there.
        options: more options of `hdrbatch render`, as `["--depth", "12"]`.

    Returns:
        The record of the file: size, light levels, warnings.

    Raises:
        TypeError, ValueError: the array, the kind or the metadata are not as said here; nothing is written.
        FileExistsError: the file is there, and `replace` is false.
        Error: the file cannot be written; the text says why.
    """
    import numpy

    target = Path(os.path.abspath(path))
    kind = _kind(target, to)
    if not isinstance(pixels, numpy.ndarray):
        raise TypeError(f"pixels are a numpy array of float16 or float32, not {type(pixels).__name__}")
    if pixels.dtype.kind != "f" or pixels.dtype.itemsize not in (2, 4):
        raise TypeError(
            f"pixels are {pixels.dtype}; float16 or float32 are expected, linear light with 1.0 = reference white"
        )
    if pixels.ndim != 3 or pixels.shape[2] not in (3, 4) or 0 in pixels.shape:
        raise ValueError(f"pixels have the shape {pixels.shape}; (height, width, 3) or (height, width, 4) is expected")
    said = dict(metadata or {})
    code = said.get("primaries", "bt2020")
    code = _PRIMARIES.get(code, code)
    if isinstance(code, bool) or not isinstance(code, int):
        names = ", ".join(_PRIMARIES)
        raise ValueError(f"metadata: primaries are {code!r}; {names} or a code point of H.273 is expected")
    if said.get("white", 203) != 203:
        raise ValueError(f"metadata: 1.0 is {said['white']} cd/m²; multiply the samples by {said['white']}/203 first")
    if not target.parent.is_dir():
        raise FileNotFoundError(f"{target.parent}: there is no such folder")
    if target.exists() and not replace:
        raise FileExistsError(f"{path} is there already: replace=True overwrites it")

    height, width, channels = pixels.shape
    size = pixels.dtype.itemsize
    samples = numpy.empty((height, width, 4), f"<f{size}") if channels == 3 else None
    if samples is not None:
        samples[..., :3] = pixels
        samples[..., 3] = 1
    else:
        samples = numpy.ascontiguousarray(pixels, f"<f{size}")
    arguments = ["--to", kind, "--name", "{name}", "--journal", "none"]
    arguments += ["--from", f"raw:{'rgbah' if size == 2 else 'rgbaf'},{width}x{height}", "--cicp", f"{code}/8/0"]
    if replace:
        arguments += ["--on-existing", "replace"]
    if said.get("headroom"):
        arguments += ["--content-headroom", number_word(said["headroom"])]
    if primaries is not None:
        arguments += ["--primaries", primaries]
    if quality is not None:
        arguments += ["--quality", number_word(quality)]
    with tempfile.TemporaryDirectory(prefix="hdrbatch-") as folder:
        # The output takes the name of this file.
        source = Path(folder, target.name)
        samples.tofile(source)
        done = run(["render", str(source), "--out", str(target.parent), *arguments, *options])
    if len(done.records) != 1:
        raise Error(f"{path}: {len(done.records)} files were written, not one", done)
    return done.records[0]


def _said(run: Run) -> dict[str, Any]:
    """The object that `info --json` printed."""
    lines = run.stdout.splitlines()
    return cast("dict[str, Any]", json.loads(lines[0])) if run.status == 0 and lines else {}


def existing_file(path: PathLike) -> str:
    """The absolute path of a file: a name that begins with - or @ means something else on the command line."""
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


def _kind(target: Path, to: str | None) -> str:
    """The kind of output.

    Raises:
        ValueError: the extension leaves several, or is that of other kinds.
    """
    ending = target.suffix[1:].lower()
    ending = _SAME.get(ending, ending)
    kinds = KINDS.get(ending, ())
    if to is None:
        if len(kinds) == 1:
            return kinds[0]
        choices = ", ".join(kinds or [kind for some in KINDS.values() for kind in some])
        raise ValueError(f"{target.name}: say by to= which kind it is to be: {choices}")
    own = [extension for extension, some in KINDS.items() if to in some]
    if kinds and own and ending not in own:
        raise ValueError(f"{target.name} would hold {to}, which ends with .{own[0]}")
    return to
