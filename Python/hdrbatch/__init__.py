"""Renders HDR photos: HEIC, AVIF, JPEG, JPEG XL, PNG, TIFF, OpenEXR and camera raw, with and without gain maps.

`run` is the command line with records. `render` makes a file of another, `info` says what one holds, `compare` what two
differ by, `read` and `write` are pictures as numpy arrays: linear light, 1.0 = reference white (203 cd/m²). They share
a `Session`, a process that stays warm; one of your own has the same methods, also for asyncio.

    >>> import hdrbatch
    >>> image = hdrbatch.read("photo.heic", headroom=4)
    >>> hdrbatch.write("photo.avif", image.pixels * 0.5, to="pq-avif", metadata=image.metadata)
"""

from typing import TYPE_CHECKING

from . import filters
from ._comparison import compare_folders
from ._files import Rendering
from ._image import Image, Metadata
from ._memory import empty
from ._pairs import Comparison, ComparisonHeader, ComparisonSummary, Pair, Rendition
from ._pixels import KINDS
from ._program import program, run
from ._records import CodePoints, Error, Header, Notice, Record, Run, Summary, Time
from ._session import Session, session

read = session.read
write = session.write
render = session.render
info = session.info
compare = session.compare

__all__ = [
    "KINDS",
    "CodePoints",
    "Comparison",
    "ComparisonHeader",
    "ComparisonSummary",
    "Error",
    "Header",
    "Image",
    "Metadata",
    "Notice",
    "Pair",
    "Record",
    "Rendering",
    "Rendition",
    "Run",
    "Session",
    "Summary",
    "Time",
    "__version__",
    "compare",
    "compare_folders",
    "empty",
    "filters",
    "info",
    "program",
    "read",
    "render",
    "run",
    "write",
]

# Tracebacks show the public name.
Error.__module__ = __name__

if TYPE_CHECKING:
    __version__: str
else:

    def __getattr__(name: str) -> str:
        """The version, of the program: the package has no other."""
        if name == "__version__":
            return run(["--version"]).stdout.decode().split()[0]
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
