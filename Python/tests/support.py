"""Files of the repository, and programs that stand in for hdrbatch."""

from __future__ import annotations

import os
import tempfile
import unittest
from pathlib import Path
from unittest import mock

REPOSITORY = Path(__file__).resolve().parents[2]
EXAMPLES = REPOSITORY / "Examples"


class FolderTestCase(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def stand_in(self, script: str) -> Path:
        """Makes a shell script the program for this test."""
        path = self.folder / "program"
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        self.enterContext(mock.patch.dict(os.environ, HDRBATCH_PROGRAM=str(path)))
        return path
