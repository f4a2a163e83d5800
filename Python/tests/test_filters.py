from __future__ import annotations

import inspect
import json
import typing
import unittest
from pathlib import Path

import hdrbatch
from hdrbatch import filters
from support import EXAMPLES, FolderTestCase


def functions() -> dict[str, typing.Callable[..., str]]:
    return {name: f for name, f in vars(filters).items() if inspect.isfunction(f) and f.__module__ == filters.__name__}


class FilterTests(FolderTestCase):
    def test_a_function_makes_the_word(self) -> None:
        self.assertEqual(filters.gaussian_blur(radius=8), "gaussian-blur=radius:8,edges:clamp")
        self.assertEqual(filters.exposure(ev=-0.5), "exposure=ev:-0.5")
        self.assertIn("top-left:1/2.5", filters.perspective_transform(top_left=(1, 2.5)))
        self.assertIn("input:other.heic", filters.dissolve(input=Path("other.heic")))
        with self.assertRaisesRegex(ValueError, "recipe"):
            filters.dissolve(input="a,b.heic")

    def test_every_filter_has_a_function(self) -> None:
        listed = json.loads(hdrbatch.run(["filters", "--json"], check=True).stdout)
        names = {row["name"].replace("-", "_"): row for row in listed if row["name"] != "kernel"}
        self.assertEqual(set(names), set(functions()))
        for name, function in functions().items():
            given = [key.rstrip("_").replace("_", "-") for key in inspect.signature(function).parameters]
            self.assertEqual(given, [parameter["name"] for parameter in names[name]["parameters"]])

    def test_a_filter_changes_pixels(self) -> None:
        photo = EXAMPLES / "temple.heic"
        options = ["--resize", "64"]
        plain = hdrbatch.read(photo, options=options).pixels
        brighter = hdrbatch.read(photo, options=[*options, "--filter", filters.exposure(ev=1)]).pixels
        self.assertGreater(float(brighter.mean()), 1.5 * float(plain.mean()))


if __name__ == "__main__":
    unittest.main()
