"""A picture as an array, and what its samples mean."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypedDict

from ._records import Record

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray


class Metadata(TypedDict, total=False):
    """What the samples of an `Image` mean."""

    width: int
    height: int
    primaries: str | int
    """`bt2020`, `p3`, `srgb`, or a code point of H.273."""
    transfer: str
    """What a sample says of light: `linear`, `srgb`, `pq` or `hlg`."""
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
    """A picture that was read. It can stand for its array: `numpy.asarray(image)`, `torch.from_dlpack(image)`."""

    pixels: NDArray[Any]
    """Shape (height, width, 4): R, G, B and straight alpha. Halves of linear light of a display unless `read` was told
    otherwise, BT.2020, 1.0 = reference white (203 cd/m²), so that SDR is 0 to 1 and HDR goes beyond. Upright: the
    file's orientation is applied. Components can be negative where a colour is outside the primaries. The memory is
    what the program wrote into; only pictures of less than 1 MiB are copied."""
    metadata: Metadata
    """What the samples mean, and what the file says of itself."""
    record: Record
    """How the picture was rendered: operator, light levels, warnings."""

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        import numpy

        return numpy.array(self.pixels, dtype=dtype, copy=copy)

    def __dlpack__(self, **options: Any) -> Any:
        return self.pixels.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self.pixels.__dlpack_device__()

    def _repr_png_(self) -> bytes:
        """What Jupyter shows: a PNG, in HDR if the picture is, of at most 1024 pixels a side."""
        from ._session import session

        kind = "sdr-png" if self.metadata.get("headroom") == 1 else "pq-png"
        shown = io.BytesIO()
        session.write(shown, self.pixels, to=kind, metadata=self.metadata, options=["--resize", "1024"])
        return shown.getvalue()
