"""Reads pictures as arrays, and writes arrays as pictures."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._calls import Call, Picture, Talk, Target, number_word
from ._files import put, taken
from ._image import Image, Metadata
from ._memory import SMALL, Memory, over
from ._records import Error, Record

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

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
_TRANSFERS = {"linear": 8, "srgb": 13, "pq": 16, "hlg": 18}
# What is read for a transfer of integers, before the name of the layout.
_SAMPLES = {"srgb": "sdr-raw:", "pq": "pq-raw:", "hlg": "hlg-raw:"}
# The layouts of R, G, B and of R, G, B, A. Floats have alpha always.
_LAYOUTS = {
    "uint8": ("rgb24", "rgba"),
    "uint16": ("rgb48", "rgba64"),
    "float16": ("rgbah", "rgbah"),
    "float32": ("rgbaf", "rgbaf"),
}


def read(
    picture: Picture,
    *,
    headroom: float | str | None = None,
    image: int | str | None = None,
    primaries: str | None = None,
    dtype: DTypeLike = "float16",
    transfer: str | None = None,
    options: Sequence[str] = (),
    timeout: float | None = None,
) -> Talk[Image]:
    """Renders a picture into an array, for a display of some headroom.

    Args:
        picture: a path, bytes, or a binary file object, of any format that `hdrbatch` reads.
        headroom: the display's peak over reference white, as a factor (4) or in stops ("2ev"): 1 is SDR. None: all
            that the file holds.
        image: number, from 1, or name of the picture in a file with several. None: the main one.
        primaries: of the samples: "bt2020", "p3" or "srgb". None: BT.2020, for `transfer="srgb"` sRGB.
        dtype: of the samples: float16, float32 (which holds the same halves), uint16 or uint8.
        transfer: of integers, which are code values of full range: "srgb", the SDR rendition, "pq" (SMPTE ST 2084) or
            "hlg" (BT.2100). A code of uint8 is the one nearest to that of uint16. None: floats, which are linear.
        options: more options of `hdrbatch render`, as `["--tone-map", "bt2390"]`. Their paths are absolute, or from
            the folder that Python was in when the process started.
        timeout: seconds after which the request is cancelled.

    Raises:
        TypeError, ValueError: there are no such samples.
        FileNotFoundError: there is no such file.
        Error: the file cannot be read or rendered; the text says why.
        TimeoutError: the time is over.
    """
    import numpy

    kind = numpy.dtype(dtype)
    linear = "linear-raw:" if kind.kind == "f" else None
    samples = linear or _SAMPLES.get(transfer or "")
    if kind.name not in _LAYOUTS:
        raise TypeError(f"dtype is {kind}; float16, float32, uint16 or uint8 is expected")
    if samples is None or (linear and transfer not in (None, "linear")):
        expected = "floats are linear" if linear else f"{kind} needs one of {', '.join(_SAMPLES)}"
        raise ValueError(f"transfer is {transfer!r}; {expected}")
    if str(image) == "all":
        raise ValueError("image is one picture's number or name; call read for each")
    words = ["--to", samples + _LAYOUTS[kind.name][1]]
    chosen = [] if image is None else ["--image", str(image)]
    if headroom is not None:
        words += ["--headroom", number_word(headroom)]
    primaries = primaries or ("srgb" if samples.startswith("sdr") else None)
    if primaries is not None:
        words += ["--primaries", primaries]
    # A digest of the samples would take longer than the samples.
    output = {"memory": True, "digest": False}
    call = Call("render", {"options": [*words, *chosen, *options], "output": output}, timeout=timeout)
    call.add("input", picture)
    answer = yield call
    output, record = answer.fields["output"], answer.fields["record"]
    sidecar = output["sidecar"]
    shape = (int(sidecar["height"]), int(sidecar["width"]), 4)
    memory = answer.memory[output["fd"]]
    pixels = over(memory, shape, kind.newbyteorder("<"))
    if pixels.nbytes < SMALL:
        pixels = pixels.copy()
    try:
        del call.fields["output"]
        call.name, call.fields["options"] = "info", chosen
        source = (yield call).fields["info"]
    except Error:
        source = {}
    metadata: Metadata = {
        "width": shape[1],
        "height": shape[0],
        "primaries": sidecar["primaries"],
        "transfer": transfer or "linear",
        "white": float(sidecar["white"]),
        "headroom": float(sidecar["contentHeadroom"]) or None,
        "contentHeadroom": record["contentHeadroom"],
        "displayHeadroom": record["displayHeadroom"],
        "source": source,
    }
    return Image(pixels, metadata, record)


def write(
    target: Target,
    pixels: NDArray[Any],
    *,
    to: str | None = None,
    transfer: str | None = None,
    primaries: str | None = None,
    metadata: Metadata | Mapping[str, Any] | None = None,
    quality: float | None = None,
    replace: bool = False,
    options: Sequence[str] = (),
    timeout: float | None = None,
) -> Talk[Record]:
    """Writes an array as a picture file.

    The light levels in the new file (`clli`, `mdcv`) are measured in what is written. An array of `read` or `empty` is
    not copied on its way: leave it as it is until the file is written.

    Args:
        target: the file to write, in a folder that is there, or a binary file object.
        pixels: shape (height, width, 4), or (height, width, 3) without alpha: R, G, B and straight alpha. Floats are
            linear light, 1.0 = reference white (203 cd/m²); float64 is rounded to float32. uint8 and uint16 are code
            values of full range, and need `transfer`.
        to: the kind of file, as of `--to`: "pq-png", "adaptive-jpeg", "sdr-avif". None: by the extension where that
            leaves one kind, .exr and .rgba16f (which gets a sidecar, PATH.json).
        transfer: of integers: "srgb" (IEC 61966-2-1), "pq" (SMPTE ST 2084) or "hlg" (BT.2100). None: what `metadata`
            says.
        primaries: of the file: "bt2020", "p3" or "srgb". None: BT.2020 for HDR; for SDR sRGB, or P3 if `metadata`
            says wider primaries than sRGB (or none).
        metadata: of the samples: `primaries` (if left out BT.2020, with `transfer="srgb"` sRGB), `transfer`, and
            `headroom`, their peak as a factor (measured if left out). What `read` gave will do; other keys are not
            used.
        quality: 0 to 100, of lossy kinds.
        replace: overwrite the file if it is there.
        options: more options of `hdrbatch render`, as `["--depth", "12"]`. Their paths are absolute, or from the
            folder that Python was in when the process started.
        timeout: seconds after which the request is cancelled.

    Returns:
        The record of the file: size, light levels, warnings.

    Raises:
        TypeError, ValueError: the array, the kind or the metadata are not as said here; nothing is written.
        FileExistsError: the file is there, and `replace` is false.
        Error: the file cannot be written; the text says why.
        TimeoutError: the time is over.
    """
    said = dict(metadata or {})
    kind = _kind(target, to)
    _check(pixels)
    is_linear = pixels.dtype.kind == "f"
    transfer = transfer or said.get("transfer") or ("linear" if is_linear else None)
    if transfer not in _TRANSFERS or is_linear != (transfer == "linear"):
        expected = "linear" if is_linear else "one of srgb, pq, hlg"
        raise ValueError(f"transfer is {transfer!r}; samples of {pixels.dtype} have {expected}")
    code = said.get("primaries", "srgb" if transfer == "srgb" else "bt2020")
    code = _PRIMARIES.get(code, code)
    if isinstance(code, bool) or not isinstance(code, int):
        names = ", ".join(_PRIMARIES)
        raise ValueError(f"metadata: primaries are {code!r}; {names} or a code point of H.273 is expected")
    if said.get("white", 203) != 203:
        raise ValueError(f"metadata: 1.0 is {said['white']} cd/m²; multiply the samples by {said['white']}/203 first")

    memory, layout = _shared(pixels)
    height, width, _ = pixels.shape
    span = "" if is_linear else ",range=full"
    words = [
        "--to",
        kind,
        "--from",
        f"raw:{layout},{width}x{height}{span}",
        "--cicp",
        f"{code}/{_TRANSFERS[transfer]}/0",
    ]
    if said.get("headroom"):
        words += ["--content-headroom", number_word(said["headroom"])]
    if primaries is not None:
        words += ["--primaries", primaries]
    if quality is not None:
        words += ["--quality", number_word(quality)]
    call = Call("render", {"options": [*words, *options]}, timeout=timeout)
    call.add_memory("input", memory, "array")
    put(call, target, replace)
    answer = yield call
    taken(answer, target)
    record: Record = answer.fields["record"]
    return record


def _check(pixels: NDArray[Any]) -> None:
    """Looks whether an array is a picture.

    Raises:
        TypeError, ValueError: it is not.
    """
    import numpy

    if not isinstance(pixels, numpy.ndarray):
        raise TypeError(f"pixels are a numpy array, not {type(pixels).__name__}")
    if pixels.dtype.name not in ("float16", "float32", "float64", "uint8", "uint16"):
        raise TypeError(f"pixels are {pixels.dtype}; floats of 16, 32 or 64 bits, uint8 or uint16 are expected")
    if pixels.ndim != 3 or pixels.shape[2] not in (3, 4) or 0 in pixels.shape:
        raise ValueError(f"pixels have the shape {pixels.shape}; (height, width, 3) or (height, width, 4) is expected")


def _shared(pixels: NDArray[Any]) -> tuple[Memory, str]:
    """Samples in memory that the program reads, and the name of their layout."""
    import numpy

    height, width, channels = pixels.shape
    is_float = pixels.dtype.kind == "f"
    word = numpy.dtype("float32") if pixels.dtype.itemsize == 8 else pixels.dtype
    layout = _LAYOUTS[word.name][channels - 3]
    word = word.newbyteorder("<")
    held = Memory.behind(pixels) if pixels.dtype == word else None
    if held and not (is_float and channels == 3):
        return held, layout
    shape = (height, width, 4 if is_float else channels)
    memory = Memory.of_size(height * width * shape[2] * word.itemsize)
    samples = over(memory, shape, word)
    samples[..., :channels] = pixels
    samples[..., channels:] = 1
    return memory, layout


def _kind(target: Target, to: str | None) -> str:
    """The kind of output.

    Raises:
        ValueError: the extension leaves several, or is that of other kinds.
    """
    path = Path(target) if isinstance(target, (str, os.PathLike)) else Path("the picture")
    ending = path.suffix[1:].lower()
    ending = _SAME.get(ending, ending)
    kinds = KINDS.get(ending, ())
    if to is None:
        if len(kinds) == 1:
            return kinds[0]
        choices = ", ".join(kinds or [kind for some in KINDS.values() for kind in some])
        raise ValueError(f"{path.name}: say by to= which kind it is to be: {choices}")
    own = [extension for extension, some in KINDS.items() if to in some]
    if kinds and own and ending not in own:
        raise ValueError(f"{path.name} would hold {to}, which ends with .{own[0]}")
    return to
