from __future__ import annotations

import math
import os
import typing
import unittest

import hdrbatch
from hdrbatch import _pairs
from support import EXAMPLES, REPOSITORY, FolderTestCase

LAMPS = EXAMPLES / "lamps.jpg"


class CompareTestCase(FolderTestCase):
    def made(self, name: str, *words: str, source: str = "lamps.jpg") -> str:
        """A small PQ PNG of an example, unless words say otherwise."""
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        kind = [] if "--to" in words else ["--to", "pq-png"]
        small = ["--filter", "thumbnail=size:64", "--journal", "none"]
        done = hdrbatch.run(["render", str(EXAMPLES / source), "--out", str(self.folder), *kind, *small, *words])
        os.replace(done.records[0]["output"], path)
        return str(path)


class PairTests(CompareTestCase):
    def test_a_file_equals_itself_with_infinite_psnr(self) -> None:
        file = self.made("a.jpg", "--to", "adaptive-jpeg")
        pair = hdrbatch.compare(file, file, metrics=["words", "dE-seen", "psnr-pq"])
        self.assertEqual((pair["verdict"], pair["kindA"], pair["files"]["words"]), ("equal", "HDR with a gain map", 0))
        self.assertEqual([one["headroom"] for one in pair["headrooms"]], [1, 2, 4, "full"])
        for one in pair["headrooms"]:
            self.assertEqual((one["psnr-pq"], one["dE-seen"]["max"]), (math.inf, 0))
            self.assertNotIn("bias", one)

    def test_a_brighter_picture_differs_by_its_bias(self) -> None:
        a = self.made("a.png")
        b = self.made("b.png", "--filter", "exposure=ev:0.1")
        pair = hdrbatch.compare(a, b)
        self.assertEqual((pair["verdict"], pair["a"], pair["b"], pair["width"]), ("differs", a, b, 64))
        (full,) = pair["headrooms"]
        self.assertAlmostEqual(full["bias"], 0.1, delta=0.01)
        p95 = full["dE-seen"]["p95"]
        assert p95
        self.assertGreater(p95, 2)
        self.assertLess(full["psnr-pq"], 60)

    def test_headrooms_and_metrics_are_those_asked_for(self) -> None:
        file = self.made("a.jpg", "--to", "adaptive-jpeg")
        pair = hdrbatch.compare(file, file, metrics="all", headrooms=[1, 2.5])
        self.assertEqual([one["headroom"] for one in pair["headrooms"]], [1, 2.5])
        self.assertEqual(pair["headrooms"][0]["ssim"], 1)
        self.assertEqual(pair["headrooms"][0]["ssimulacra2"], 100)
        self.assertNotIn("ssimulacra2", pair["headrooms"][1])
        self.assertEqual(pair["files"]["maps"]["max"], 0)

    def test_a_rejected_pair_is_a_result_with_its_reason(self) -> None:
        a = self.made("a.png")
        b = self.made("b.png", "--filter", "exposure=ev:0.1")
        near = hdrbatch.compare(a, b, accept="near")
        self.assertEqual((near["verdict"], near["code"]), ("rejected", "accept.rejected"))
        self.assertIn(">= 1", near["message"] or "")
        wide = hdrbatch.compare(a, b, accept="p95(dE-seen)<50 and abs(bias)<0.2")
        self.assertEqual((wide["verdict"], wide["code"]), ("accepted", None))

    def test_options_are_those_of_the_program(self) -> None:
        file = self.made("a.png")
        pair = hdrbatch.compare(file, file, options=["--at", "32"])
        self.assertEqual((pair["width"], pair["height"]), (32, 24))

    def test_what_cannot_be_compared_is_an_error_that_names_both(self) -> None:
        a = self.made("a.png")
        b = self.made("b.png", source="temple.heic")
        with self.assertRaises(hdrbatch.Error) as caught:
            hdrbatch.compare(a, b)
        self.assertEqual(caught.exception.status, 65)
        self.assertIn(f"{a} and {b}: A is 64x48 and B ", str(caught.exception))
        self.assertIn("[compare.size]", str(caught.exception))
        text = self.folder / "text.png"
        text.write_text("no picture")
        with self.assertRaisesRegex(hdrbatch.Error, r"text\.png: .*\[decode\."):
            hdrbatch.compare(a, text)

    def test_wrong_arguments_are_said_before_any_work(self) -> None:
        with self.assertRaises(FileNotFoundError):
            hdrbatch.compare(LAMPS, self.folder / "none.jpg")
        with self.assertRaises(IsADirectoryError):
            hdrbatch.compare(EXAMPLES, EXAMPLES)
        with self.assertRaisesRegex(TypeError, "headrooms are a list"):
            hdrbatch.compare(LAMPS, LAMPS, headrooms="full")
        with self.assertRaisesRegex(hdrbatch.Error, "column 5"):
            hdrbatch.compare(LAMPS, LAMPS, accept="p95(bogus)<2")
        with self.assertRaisesRegex(hdrbatch.Error, "--metrics"):
            hdrbatch.compare(LAMPS, LAMPS, metrics=["bogus"])

    def test_a_report_that_is_cut_off_is_an_error(self) -> None:
        self.stand_in("""echo '{"type":"header"}'; echo 'hdrbatch: error: broken' >&2; exit 70""")
        with self.assertRaisesRegex(hdrbatch.Error, "status 70\n  broken"):
            hdrbatch.compare_folders(EXAMPLES, EXAMPLES)


class FolderTests(CompareTestCase):
    def test_every_pair_of_two_folders_has_a_verdict(self) -> None:
        for name in ("a/same.png", "b/same.png", "a/lonely.png", "a/broken.png"):
            self.made(name)
        self.made("a/brighter.png")
        self.made("b/brighter.png", "--filter", "exposure=ev:0.1")
        (self.folder / "b/broken.png").write_text("no picture")
        found = hdrbatch.compare_folders(self.folder / "a", self.folder / "b", accept="good", headrooms=["full"])
        verdicts = {str(pair["a"]).rsplit("/", 1)[1]: pair["verdict"] for pair in found.pairs}
        expected = {
            "brighter.png": "rejected",
            "broken.png": "failed",
            "lonely.png": "unpaired",
            "same.png": "accepted",
        }
        self.assertEqual(verdicts, expected)
        self.assertEqual(len(found.failed), 3)
        for verdict in expected.values():
            self.assertEqual(found.summary[verdict], 1)  # type: ignore[literal-required]
        self.assertEqual((found.summary["left"], found.header["program"]), (0, "hdrbatch"))
        (bias,) = [column for column in found.summary["columns"] if column["column"] == "bias"]
        self.assertEqual((bias["pairs"], bias["min"], bias["median"], bias["p95"]), (2, 0, 0, bias["max"]))
        self.assertAlmostEqual(bias["max"], 0.1, delta=0.01)
        lonely = next(pair for pair in found.pairs if pair["verdict"] == "unpaired")
        self.assertEqual((lonely["b"], lonely["headrooms"], lonely["files"]), (None, [], {}))

    def test_files_are_joined_by_a_template(self) -> None:
        self.made("a/x.png")
        self.made("b/x-sdr.jpg", "--to", "sdr-jpeg")
        folders = (self.folder / "a", self.folder / "b")
        self.assertEqual(hdrbatch.compare_folders(*folders).summary["unpaired"], 2)
        found = hdrbatch.compare_folders(*folders, pair_by="{stem}-sdr.{ext}", headrooms=[1])
        self.assertEqual([pair["verdict"] for pair in found.pairs], ["differs"])

    def test_two_runs_are_compared_by_their_journals(self) -> None:
        for run in ("a", "b"):
            words = ["--to", "sdr-jpeg", "--filter", "thumbnail=size:64"]
            hdrbatch.run(["render", str(LAMPS), "--out", str(self.folder / run), *words])
        found = hdrbatch.compare_folders(self.folder / "a", self.folder / "b", options=["--baseline"])
        self.assertEqual((found.pairs[0]["change"], found.summary["changes"]["equal"]), ("equal", 1))
        assert found.header["runsA"]
        self.assertEqual(found.header["runsA"][0]["version"], found.header["version"])

    def test_folders_without_pictures_and_files_are_errors(self) -> None:
        (self.folder / "empty").mkdir()
        with self.assertRaisesRegex(hdrbatch.Error, "nothing to do"):
            hdrbatch.compare_folders(self.folder / "empty", self.folder / "empty")
        with self.assertRaisesRegex(NotADirectoryError, "lamps.jpg is a file"):
            hdrbatch.compare_folders(LAMPS, LAMPS)
        with self.assertRaises(FileNotFoundError):
            hdrbatch.compare_folders(self.folder / "none", self.folder)

    def test_pairs_that_were_left_are_an_error(self) -> None:
        self.stand_in(
            """echo '{"type":"header"}'
            echo '{"type":"pair","a":"a","b":"b","verdict":"failed","message":"lost","code":"gpu.lost"}'
            echo '{"type":"summary","left":2}'
            exit 75"""
        )
        with self.assertRaises(hdrbatch.Error) as caught:
            hdrbatch.compare_folders(EXAMPLES, EXAMPLES)
        self.assertEqual(str(caught.exception), "hdrbatch compare ended with status 75\n  a and b: lost [gpu.lost]")


class DocumentationTests(unittest.TestCase):
    def test_pairs_have_the_keys_of_the_program(self) -> None:
        documented: dict[str, set[str]] = {}
        for row in (REPOSITORY / "docs/data/compare-keys.tsv").read_text().splitlines()[1:]:
            objects, keys, _ = row.split("\t")
            for one in objects.split(", "):
                documented.setdefault(one, set()).update(keys.split(", "))
        types: dict[str, typing.Any] = {
            "header": hdrbatch.ComparisonHeader,
            "runsA": _pairs.RunOrigin,
            "runsB": _pairs.RunOrigin,
            "pair": hdrbatch.Pair,
            "words@base": _pairs.WordDifference,
            "words@map": _pairs.WordDifference,
            "files": _pairs.FileValues,
            "headrooms": hdrbatch.Rendition,
            "lightA": _pairs.Light,
            "lightB": _pairs.Light,
            "flip": _pairs.FlipDifference,
            "shift": _pairs.Shift,
            "shift@map": _pairs.Shift,
            "metadata": _pairs.MetadataRow,
            "notes": hdrbatch.Notice,
            "summary": hdrbatch.ComparisonSummary,
            "changes": _pairs.Changes,
            "columns": _pairs.ColumnSpread,
            "planes": _pairs.PlaneDifference,
        }
        types |= dict.fromkeys(("dE-ITP", "dE-seen", "dE-2000", "dE-OK", "maps"), _pairs.PixelDifference)
        self.assertEqual(documented.keys(), types.keys())
        for name, typed in types.items():
            self.assertEqual(documented[name], set(typing.get_type_hints(typed)), name)


if __name__ == "__main__":
    unittest.main()
