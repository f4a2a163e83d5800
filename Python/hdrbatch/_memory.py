"""Memory that this process and the program share."""

from __future__ import annotations

import mmap
import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

SMALL = 1 << 20
"""Up to so many bytes a copy costs no more than a mapping, and holds no descriptor."""


class Memory(mmap.mmap):
    """All of a file in memory, which the program maps, too: what lies in it is not copied on its way."""

    descriptor: int

    def __new__(cls, descriptor: int) -> Memory:
        """Maps a file and takes its descriptor over."""
        try:
            memory = super().__new__(cls, descriptor, os.fstat(descriptor).st_size)
        except BaseException:
            os.close(descriptor)
            raise
        memory.descriptor = descriptor
        return memory

    def __del__(self, close: Any = os.close) -> None:
        close(self.descriptor)

    @classmethod
    def of_size(cls, size: int) -> Memory:
        """Makes a file of zeros."""
        descriptor = os.memfd_create("hdrbatch", os.MFD_CLOEXEC)
        os.ftruncate(descriptor, size)
        return cls(descriptor)

    @classmethod
    def of_bytes(cls, data: bytes | bytearray | memoryview) -> Memory:
        """Copies bytes."""
        view = memoryview(data).cast("B")
        memory = cls.of_size(len(view))
        memory[:] = view
        return memory

    @classmethod
    def behind(cls, array: NDArray[Any]) -> Memory | None:
        """The memory that an array fills in order, from the first byte to the last. None: there is none."""
        import numpy

        base: Any = array
        while isinstance(base, numpy.ndarray):
            base = base.base
        fills = isinstance(base, cls) and array.flags.c_contiguous and array.nbytes == len(base)
        return base if fills else None


def empty(shape: tuple[int, ...], dtype: DTypeLike = "float16") -> NDArray[Any]:
    """An array of zeros in memory that the program shares, which `write` does not copy.

    >>> pixels = hdrbatch.empty((1080, 1920, 4), "float32")
    """
    import numpy

    return over(Memory.of_size(int(numpy.prod(shape)) * numpy.dtype(dtype).itemsize), shape, dtype)


def over(memory: Memory, shape: tuple[int, ...], dtype: DTypeLike) -> NDArray[Any]:
    """The array that lies in memory."""
    import numpy

    return numpy.ndarray(shape, dtype, buffer=memory)
