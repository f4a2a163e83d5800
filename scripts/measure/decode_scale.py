#!/usr/bin/env python3
"""The error of --decode-scale on photos: docs/data/decode-scale.tsv.

    scripts/measure/decode_scale.py [--program HDRBATCH] PHOTO... [--tsv FILE]

Each photo is made smaller with its pixels decoded whole and at 1/2, 1/4 and 1/8: to 512 and 400 pixels, and to the
largest size for each scale, where it is worst. Compared is linear light: dE ITP (BT.2124) and the PSNR of PQ signals in
BT.2020, 10000 cd/m² being 1.

The program renders the SDR and the HDR rendition; photos that are not JPEG are made Adaptive JPEGs of quality 95
first, those without HDR SDR JPEGs. Without a program the SDR rendition of JPEGs is modelled: Pillow decodes by the same
library, numpy resamples by the same weights, and codes are taken as sRGB. Needs numpy, and Pillow for the model.
"""
import argparse
import functools
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

import numpy

TO_LMS = numpy.array([[1688, 2146, 262], [683, 2951, 462], [99, 309, 3688]]) / 4096
TO_ITP = numpy.array([[2048, 2048, 0], [6610, -13613, 7003], [17933, -17390, -543]]) / 4096
TO_2020 = numpy.array([[0.6274, 0.3293, 0.0433], [0.0691, 0.9195, 0.0114], [0.0164, 0.0880, 0.8956]])
HEADS = ("photo", "size", "result", "scale", "SDR dE ITP p95", "SDR largest", "SDR PSNR-PQ", "HDR dE ITP p95",
         "HDR largest", "HDR PSNR-PQ")
JPEG = (".jpg", ".jpeg")


def pq(light):
    """The signal of light, of which 1 is 203 cd/m²."""
    power = (numpy.clip(light, 0, None) * 203 / 10000) ** 0.1593017578125
    return ((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power)) ** 78.84375


def differences(a, b):
    """The 95th percentile of dE ITP, its largest, and the PSNR of PQ signals; light is in BT.2020."""
    one, other = (pq(numpy.clip(light, 0, None) @ TO_LMS.T) @ TO_ITP.T for light in (a, b))
    steps = (one - other) * (1, 0.5, 1)
    error = 720 * numpy.sqrt((steps ** 2).sum(-1))
    square = ((pq(a) - pq(b)) ** 2).mean()
    psnr = "-" if square == 0 else f"{-10 * numpy.log10(square):.1f}"
    return f"{numpy.percentile(error, 95):.2f}", f"{error.max():.1f}", psnr


class Program:
    """Renders photos by hdrbatch."""

    def __init__(self, program):
        self.program, self.folder = program, tempfile.mkdtemp(prefix="decode-scale-")

    def render(self, photo, *options):
        out, record = os.path.join(self.folder, "out"), os.path.join(self.folder, "record.jsonl")
        shutil.rmtree(out, ignore_errors=True)
        subprocess.run([self.program, "render", photo, "--out", out, "--backend", "cpu", "--isolation", "none",
                        "--journal", "none", "--record", record, *options], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        with open(record, encoding="utf-8") as lines:
            item = next(row for row in map(json.loads, lines) if row["type"] == "item")
        return pathlib.Path(item["output"]), item

    def opened(self, photo):
        """The photo as a JPEG, with its size."""
        if photo.suffix.lower() not in JPEG:
            made, _ = self.render(photo, "--to", "adaptive-jpeg", "--if-sdr", "sdr-jpeg", "--quality", "95")
            photo = made.replace(os.path.join(self.folder, photo.stem + photo.suffix.replace(".", "-") + ".jpg"))
        said = json.loads(subprocess.run([self.program, "info", "--json", str(photo)], check=True,
                                         capture_output=True, text=True).stdout)
        return photo, said["width"], said["height"]

    def renditions(self, photo, size, scale):
        """Light of the SDR and the HDR rendition, and the scale at which the photo was decoded."""
        lights = []
        for options in (["--headroom", "1"], []):
            path, item = self.render(photo, "--to", "rgba16f", "--resize", str(size), "--decode-scale", str(scale),
                                     *options)
            halves = numpy.fromfile(path, "<f2").reshape(item["height"], item["width"], 4)
            lights.append(halves[..., :3].astype(float))
        return lights, item["decodeScale"] or 1


class Model:
    """Models the SDR rendition."""

    def opened(self, photo):
        from PIL import Image
        with Image.open(photo) as picture:
            return photo, *picture.size

    @staticmethod
    def weights(pixels, scale, result):
        """Lanczos of three lobes; `scale` pixels are a sample."""
        samples = -(-pixels // scale)
        step = pixels / (scale * result)
        places = (numpy.arange(samples)[None] - ((numpy.arange(result) + 0.5) * step - 0.5)[:, None]) / max(step, 1)
        weights = numpy.sinc(places) * numpy.sinc(places / 3) * (abs(places) < 3)
        weights[:, -1] *= (pixels - (samples - 1) * scale) / scale
        return (weights / weights.sum(1, keepdims=True)).astype(numpy.float32)

    @staticmethod
    @functools.lru_cache(maxsize=4)
    def light(photo, scale):
        """The light of a decoded photo, and its whole size."""
        from PIL import Image
        with Image.open(photo) as picture:
            width, height = picture.size
            picture.draft(None, (width // scale, height // scale))
            codes = numpy.asarray(picture.convert("RGB"))
        assert codes.shape[1] == -(-width // scale)
        values = numpy.arange(256) / 255
        table = numpy.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)
        return table.astype(numpy.float32)[codes], width, height

    def renditions(self, photo, size, scale):
        light, width, height = self.light(photo, scale)
        share = size / max(width, height)
        down = self.weights(height, scale, max(1, round(height * share)))
        across = self.weights(width, scale, max(1, round(width * share)))
        return [numpy.tensordot(across, numpy.tensordot(down, light, 1), (1, 1)).swapaxes(0, 1) @ TO_2020.T], scale


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photos", nargs="+", type=pathlib.Path)
    parser.add_argument("--program")
    parser.add_argument("--tsv", type=pathlib.Path)
    told = parser.parse_args()
    maker = Program(told.program) if told.program else Model()
    rows = [HEADS if told.program else HEADS[:7]]
    for photo in told.photos:
        jpeg, width, height = maker.opened(photo)
        longer = max(width, height)
        sizes = {size: [2, 4, 8] for size in (512, 400) if 4 * size <= longer}
        for scale in (2, 4, 8):
            sizes.setdefault(longer // (2 * scale), []).append(scale)
        for size, scales in sizes.items():
            whole, _ = maker.renditions(jpeg, size, 1)
            for scale in scales:
                if 2 * scale * size > longer:
                    continue
                smaller, used = maker.renditions(jpeg, size, scale)
                if used == scale:
                    figures = [figure for pair in zip(smaller, whole) for figure in differences(*pair)]
                    rows.append((photo.stem, f"{width}x{height}", str(size), str(scale), *figures))
                    print("\t".join(rows[-1]), flush=True)
    if told.tsv:
        told.tsv.write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")


if __name__ == "__main__":
    main()
