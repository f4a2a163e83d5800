"""Renders HDR photos: HEIC, AVIF, JPEG, JPEG XL, PNG, TIFF, OpenEXR and camera raw, with and without gain maps.

`run` is the command line with records, `info` says what a file holds, `compare` what two differ by, `read` and `write`
are pictures as numpy arrays of linear light, 1.0 = reference white (203 cd/m²).

    >>> import hdrbatch
    >>> image = hdrbatch.read("photo.heic", headroom=4)
    >>> hdrbatch.write("photo.avif", image.pixels * 0.5, to="pq-avif", metadata=image.metadata)
"""

from . import filters
from ._comparison import compare, compare_folders
from ._pairs import Comparison, ComparisonHeader, ComparisonSummary, Pair, Rendition
from ._pixels import KINDS, Image, Metadata, info, read, write
from ._program import program, run
from ._records import CodePoints, Error, Header, Notice, Record, Run, Summary, Time

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
    "Rendition",
    "Run",
    "Summary",
    "Time",
    "compare",
    "compare_folders",
    "filters",
    "info",
    "program",
    "read",
    "run",
    "write",
]

# Tracebacks show the public name.
Error.__module__ = __name__
