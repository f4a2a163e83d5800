from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import unittest

import hdrbatch
import numpy
from support import EXAMPLES, REPOSITORY, FolderTestCase


def pq(light: numpy.ndarray) -> numpy.ndarray:
    """SMPTE ST 2084: light, 1.0 = 203 cd/m², as a signal."""
    y = (numpy.clip(light.astype(numpy.float64), 0, None) * 203 / 10000) ** (2610 / 16384)
    return ((3424 / 4096 + 2413 / 128 * y) / (1 + 2392 / 128 * y)) ** (2523 / 32)


def ramp(dtype: type = numpy.float16) -> numpy.ndarray:
    """Three ramps of 0 to 8 in opaque R, G and B, shape (16, 64, 4)."""
    values = numpy.linspace(0, 8, 16 * 64).reshape(16, 64)
    return numpy.stack([values, values[::-1], values[:, ::-1], numpy.ones_like(values)], axis=2).astype(dtype)


class ReadTests(FolderTestCase):
    def test_an_adaptive_jpeg_is_sdr_at_headroom_1_and_brighter_in_full(self) -> None:
        small = ["--filter", "thumbnail=size:400"]
        sdr = hdrbatch.read(EXAMPLES / "lamps.jpg", headroom=1, options=small)
        full = hdrbatch.read(EXAMPLES / "lamps.jpg", options=small)
        for image in (sdr, full):
            self.assertEqual((image.pixels.dtype, image.pixels.shape), (numpy.float16, (301, 400, 4)))
            self.assertTrue(image.pixels.flags.writeable)
            self.assertEqual((image.metadata["width"], image.metadata["height"]), (400, 301))
            self.assertEqual((image.metadata["primaries"], image.metadata["white"]), ("bt2020", 203))
            self.assertAlmostEqual(image.metadata["contentHeadroom"] or 0, 7.944806, 5)
            self.assertEqual(image.metadata["source"]["gainMap"]["kind"], "hdrgm")
            self.assertTrue((image.pixels[..., 3] == 1).all())
        self.assertEqual((sdr.metadata["headroom"], sdr.metadata["displayHeadroom"]), (1, 1))
        self.assertEqual(full.metadata["headroom"], full.metadata["contentHeadroom"])
        self.assertLessEqual(sdr.pixels.max(), 1)
        self.assertGreater(full.pixels.max(), 4)
        self.assertEqual(full.record["operator"], "gain-map")

    def test_headroom_takes_stops(self) -> None:
        image = hdrbatch.read(EXAMPLES / "lamps.jpg", headroom="1ev", options=["--filter", "thumbnail=size:64"])
        self.assertEqual(image.metadata["displayHeadroom"], 2)

    def test_primaries_are_those_asked_for(self) -> None:
        image = hdrbatch.read(EXAMPLES / "temple.heic", primaries="p3", options=["--filter", "thumbnail=size:64"])
        self.assertEqual(image.metadata["primaries"], "p3")

    def test_a_picture_of_several_is_taken_by_number(self) -> None:
        with self.assertRaisesRegex(ValueError, "one picture"):
            hdrbatch.read(EXAMPLES / "lamps.jpg", image="all")
        with self.assertRaises(hdrbatch.Error):
            hdrbatch.read(EXAMPLES / "lamps.jpg", image=7)

    def test_samples_are_read_as_options_describe_them(self) -> None:
        path = self.folder / "codes.raw"
        numpy.full((4, 6, 3), 0xFFFF, "<u2").tofile(path)
        image = hdrbatch.read(path, options=["--from", "raw:rgb48,6x4", "--cicp", "1/13/0", "--range", "full"])
        self.assertEqual((image.pixels.shape, image.metadata["source"]), ((4, 6, 4), {}))
        self.assertLess(abs(image.pixels.astype(float) - 1).max(), 1e-3)

    def test_what_is_no_picture_is_an_error_that_names_it(self) -> None:
        with self.assertRaises(FileNotFoundError):
            hdrbatch.read(self.folder / "none.jpg")
        with self.assertRaises(IsADirectoryError):
            hdrbatch.read(EXAMPLES)
        text = self.folder / "text.jpg"
        text.write_text("no picture")
        with self.assertRaisesRegex(hdrbatch.Error, r"text\.jpg: .*\[decode\."):
            hdrbatch.read(text)


class WriteTests(FolderTestCase):
    def test_halves_come_back_bit_by_bit_from_rgba16f_and_exr(self) -> None:
        pixels = ramp()
        pixels[0, 0] = (-0.25, 6e-8, 65504, 1)
        for name in ("a.rgba16f", "a.exr"):
            record = hdrbatch.write(self.folder / name, pixels)
            self.assertEqual((record["status"], record["width"], record["height"]), ("ok", 64, 16))
            back = hdrbatch.read(self.folder / name)
            self.assertTrue(numpy.array_equal(back.pixels.view("u2"), pixels.view("u2")), name)
        sidecar = json.loads((self.folder / "a.rgba16f.json").read_text())
        self.assertEqual((sidecar["width"], sidecar["primaries"]), (64, "bt2020"))

    def test_alpha_is_straight(self) -> None:
        pixels = ramp()
        pixels[..., 3] = 0.5
        hdrbatch.write(self.folder / "a.png", pixels, to="pq-png")
        back = hdrbatch.read(self.folder / "a.png").pixels.astype(float)
        self.assertLess(abs(back[..., 3] - 0.5).max(), 1e-3)
        self.assertLess(abs(back[..., :3] - pixels[..., :3]).max(), 8 * 1e-3)

    def test_pq_comes_back_within_its_quantisation(self) -> None:
        for dtype in (numpy.float16, numpy.float32):
            pixels = ramp(dtype)
            path = self.folder / "a.png"
            record = hdrbatch.write(path, pixels, to="pq-png", replace=True)
            self.assertEqual(record["hdrOut"], "pq")
            self.assertAlmostEqual(record["clli"]["maxCLL"], 8 * 203, delta=1)
            back = hdrbatch.read(path).pixels
            # Half a code of 16 bits, and half a unit in the last place of the half that is read.
            light, wrong = pixels.astype(float), abs(pq(back) - pq(pixels)) * 65535
            half = (pq(light * (1 + 2**-11) + 2**-25) - pq(light)) * 65535
            self.assertTrue((wrong[..., :3] <= 0.51 + half[..., :3]).all(), (dtype, (wrong - half)[..., :3].max()))

    def test_arrays_may_have_any_layout(self) -> None:
        pixels = ramp()
        expected = hdrbatch.read(self.written("plain", pixels)).pixels
        for name, other in {
            "three": pixels[..., :3],
            "fortran": numpy.asfortranarray(pixels),
            "big-endian": pixels.astype(">f2"),
            "slices": numpy.repeat(pixels, 2, axis=1)[:, ::2],
            "single": pixels.astype(numpy.float32),
            "double": pixels.astype(numpy.float64),
        }.items():
            self.assertTrue(numpy.array_equal(hdrbatch.read(self.written(name, other)).pixels, expected), name)

    def written(self, name: str, pixels: numpy.ndarray) -> str:
        path = self.folder / f"{name}.rgba16f"
        hdrbatch.write(path, pixels)
        return str(path)

    def test_what_was_read_is_written_with_its_headroom(self) -> None:
        image = hdrbatch.read(EXAMPLES / "lamps.jpg", options=["--filter", "thumbnail=size:128"])
        record = hdrbatch.write(
            self.folder / "a.jpeg", image.pixels, to="adaptive-jpeg", metadata=image.metadata, quality=95
        )
        self.assertEqual(record["contentHeadroom"], image.metadata["headroom"])
        info = hdrbatch.info(self.folder / "a.jpeg")
        self.assertEqual(info["format"], "jpeg")
        self.assertTrue(info["gainMap"])

    def test_primaries_of_samples_and_file_may_differ(self) -> None:
        red = numpy.zeros((8, 8, 4), numpy.float16)
        red[...] = (1, 0, 0, 1)
        path = self.folder / "a.png"
        record = hdrbatch.write(path, red, to="pq-png", metadata={"primaries": "p3"}, primaries="p3")
        assert record["outputCICP"]
        self.assertEqual(record["outputCICP"]["primaries"], 12)
        self.assertLess(abs(hdrbatch.read(path, primaries="p3").pixels[0, 0].astype(float) - (1, 0, 0, 1)).max(), 2e-3)
        r, g, b, _ = hdrbatch.read(path).pixels[0, 0].tolist()
        self.assertLess(max(abs(r - 0.754), abs(g - 0.046), abs(b + 0.001)), 2e-3)

    def test_any_name_will_do(self) -> None:
        for name in ("-a.png", "{stem} %04d @.png", "ä.PNG"):
            record = hdrbatch.write(self.folder / name, ramp(), to="sdr-png")
            self.assertTrue((self.folder / name).is_file(), record["output"])
        here = os.getcwd()
        self.addCleanup(os.chdir, here)
        os.chdir(self.folder)
        self.assertEqual(hdrbatch.read("-a.png").pixels.shape, (16, 64, 4))

    def test_nothing_else_is_left_in_the_folder(self) -> None:
        hdrbatch.write(self.folder / "a.avif", ramp(), to="pq-avif", options=["--depth", "12"])
        self.assertEqual(os.listdir(self.folder), ["a.avif"])
        self.assertEqual(hdrbatch.info(self.folder / "a.avif")["bitDepth"], 12)

    def test_existing_files_are_kept_unless_replaced(self) -> None:
        path = self.folder / "a.exr"
        hdrbatch.write(path, ramp())
        before = path.read_bytes()
        with self.assertRaisesRegex(FileExistsError, "replace=True"):
            hdrbatch.write(path, ramp() / 2)
        self.assertEqual(path.read_bytes(), before)
        hdrbatch.write(path, ramp() / 2, replace=True)
        self.assertNotEqual(path.read_bytes(), before)

    def test_what_cannot_be_written_is_said_before_anything_is(self) -> None:
        good = ramp()
        for path, pixels, options, error, words in [
            ("a.exr", good.astype(numpy.int32), {}, TypeError, "int32; floats of 16, 32 or 64 bits, uint8 or uint16"),
            ("a.exr", good.astype(numpy.uint8), {}, ValueError, "transfer is None; samples of uint8 have one of srgb"),
            ("a.exr", good.astype(numpy.uint8), {"transfer": "linear"}, ValueError, "'linear'; samples of uint8"),
            ("a.exr", good, {"transfer": "pq"}, ValueError, "'pq'; samples of float16 have linear"),
            ("a.exr", [[1, 2, 3]], {}, TypeError, "numpy array"),
            ("a.exr", good[..., 0], {}, ValueError, r"\(height, width, 4\)"),
            ("a.exr", good[..., :2], {}, ValueError, r"\(16, 64, 2\)"),
            ("a.exr", good[:0], {}, ValueError, r"\(0, 64, 4\)"),
            ("a.png", good, {}, ValueError, "pq-png, hlg-png, sdr-png"),
            ("a.heic", good, {}, ValueError, "adaptive-heic"),
            ("a", good, {}, ValueError, "rgba16f"),
            ("a.png", good, {"to": "sdr-jpeg"}, ValueError, r"ends with \.jpg"),
            ("a.exr", good, {"metadata": {"primaries": "adobe"}}, ValueError, "bt2020, p3, srgb"),
            ("a.exr", good, {"metadata": {"white": 100}}, ValueError, "100 cd/m²"),
            ("no/a.exr", good, {}, FileNotFoundError, "no such folder"),
            ("a.xyz", good, {"to": "sdr-xyz"}, hdrbatch.Error, "sdr-xyz"),
            ("a.exr", good, {"quality": 80}, hdrbatch.Error, "quality"),
        ]:
            with self.subTest(path=path, words=words), self.assertRaisesRegex(error, words):
                hdrbatch.write(self.folder / path, pixels, **options)  # type: ignore[arg-type]
        self.assertEqual(os.listdir(self.folder), [])


class SampleTests(FolderTestCase):
    def test_the_sample_runs(self) -> None:
        sample = [str(EXAMPLES / name) for name in ("python/sample.py", "temple.heic", "lamps.jpg")]
        done = subprocess.run([sys.executable, *sample, str(self.folder)], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(len(done.stdout.splitlines()), 5, done.stdout)
        self.assertEqual(sorted(os.listdir(self.folder)), [".hdrbatch", "darker.avif", "lamps.jpg", "temple.jpg"])

    def test_the_code_of_the_page_runs(self) -> None:
        page = (REPOSITORY / "docs/python.md").read_text()
        blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
        self.assertTrue(blocks)
        (self.folder / "PHOTOS").mkdir()
        shutil.copy(EXAMPLES / "temple.heic", self.folder / "PHOTOS/photo.heic")
        shutil.copy(EXAMPLES / "temple.heic", self.folder / "photo.heic")
        done = subprocess.run(
            [sys.executable, "-c", "\n".join(blocks)], cwd=self.folder, capture_output=True, text=True, check=False
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
