"""The command line: `python -m hdrbatch render PHOTOS --out OUT --to pq-png`."""

from __future__ import annotations

import os
import sys

from ._program import program
from ._records import Error


def main() -> int:
    """Becomes the program: signals, streams and exit status are its own."""
    try:
        path = program()
        os.execv(path, [path, *sys.argv[1:]])
    except (Error, OSError) as error:
        print(f"hdrbatch: error: {error}", file=sys.stderr)
    return 69


if __name__ == "__main__":
    sys.exit(main())
