#!/usr/bin/env python3
"""Filters beside code that shares nothing with the program: docs/data/filters-beside.tsv.

    scripts/measure/filters_beside.py [--program HDRBATCH] [--photo Examples/lamps.jpg] [--tsv FILE]

The photo's light at 640 pixels is written as a TIFF of 32 bits, and so is each filter's result, with binary32 between
passes. Beside it stand functions of other libraries where they have the definition (SciPy's correlation, convolution
and box means, Pillow's perspective, the sampling of scikit-image and SciPy), and numpy (binary64) for the formulas of
docs/filter-formulas.md. Differences are of light, 1 is white, in channels of opaque pixels; relative ones are by the
larger of 1 and the light. Needs numpy, scipy, scikit-image, pillow and tifffile.
"""
import argparse
import pathlib
import subprocess
import tempfile

import numpy as np
import scipy.ndimage
import scipy.signal
import skimage.transform
import tifffile
from PIL import Image

OPTIONS = ("--to", "linear-tiff", "--depth", "32", "--tone-map", "none", "--headroom", "100", "--primaries", "bt2020",
           "--backend", "cpu", "--isolation", "none", "--journal", "none", "--on-existing", "replace")
HEADS = ("filter", "beside it", "largest light", "largest difference", "largest relative", "mean difference")
LUMINANCE = np.array([0.2627002120112671, 0.6779980715188708, 0.05930171646986196])


def encoded(light):
    """sRGB signals, odd, going on above 1."""
    size = np.abs(light)
    return np.sign(light) * np.where(size <= 0.0031308, 12.92 * size, 1.055 * size ** (1 / 2.4) - 0.055)


def turned(x, y, angle):
    """Vectors turned counter-clockwise as seen, y down."""
    return x * np.cos(angle) + y * np.sin(angle), y * np.cos(angle) - x * np.sin(angle)


class Photo:
    """Light with its places: x, y at the centres of pixels, dx, dy and r from a centre beside the brightest pixel."""

    def __init__(self, light, other):
        self.light, self.other = light, other
        self.height, self.width = light.shape[:2]
        self.y, self.x = np.mgrid[0:self.height, 0:self.width] + 0.5
        row, column = np.unravel_index(light.max(-1).argmax(), light.shape[:2])
        self.center = float(column - 29.75), float(row + 20.5)
        self.dx, self.dy = self.x - self.center[0], self.y - self.center[1]
        self.r = np.hypot(self.dx, self.dy)

    def at(self, x, y):
        """Light at places, by SciPy."""
        return np.stack([scipy.ndimage.map_coordinates(self.light[..., c], [y - 0.5, x - 0.5], order=1, mode="nearest")
                         for c in range(3)], -1)

    def around(self, dx, dy):
        return self.at(self.center[0] + dx, self.center[1] + dy)

    def twirl(self):
        def places(p):
            # Pixel numbers.
            middle = np.array(self.center) - 0.5
            d = p - middle
            part = 1 - np.minimum((d * d).sum(-1) / 200 ** 2, 1)
            return np.stack(turned(d[:, 0], d[:, 1], np.radians(-140) * part ** 2), -1) + middle
        return skimage.transform.warp(self.light, places, order=1, mode="edge", clip=False, preserve_range=True)

    def bump(self):
        factor = 1 - 0.7 * (1 - np.minimum(self.r ** 2 / 220 ** 2, 1)) ** 2
        return self.around(self.dx * factor, self.dy * factor)

    def torus(self):
        radius, half, index = 200, 45, 1.6
        q = (self.r - radius + half) / half
        a = np.minimum(q * q, 1)
        z, b = np.sqrt(1 - a), np.sqrt(index ** 2 - a)
        factor = np.where(np.abs(q) < 1, 1 - half * q * z * (b - z) / (z * b + a) / self.r, 1)
        return self.around(self.dx * factor, self.dy * factor)

    def kaleidoscope(self):
        sector, start = np.pi / 7, np.radians(20)
        phi = np.mod(np.arctan2(-self.dy, self.dx) - start, 2 * sector)
        phi = np.where(phi > sector, 2 * sector - phi, phi) + start
        return self.around(self.r * np.cos(phi), -self.r * np.sin(phi))

    def sixfold(self):
        """Mirrors places at the sides of a triangle until they lie in it."""
        angles = np.radians(15 + np.array([0, 60]))
        corners = [np.zeros(2)] + [90 * np.array([np.cos(t), -np.sin(t)]) for t in angles]
        p = np.stack([self.dx, self.dy], -1)
        for _ in range(40):
            for i in range(3):
                a, b, c = corners[i], corners[(i + 1) % 3], corners[(i + 2) % 3]
                normal = np.array([b[1] - a[1], a[0] - b[0]]) / 90
                normal = normal if (c - a) @ normal > 0 else -normal
                p = p - 2 * np.minimum((p - a) @ normal, 0)[..., None] * normal
        return self.around(p[..., 0], p[..., 1])

    def displacement(self):
        signal = encoded(np.clip(self.other, 0, 1))
        return self.at(self.x + 40 * (signal[..., 0] - 0.5), self.y + 40 * (signal[..., 1] - 0.5))

    def perspective(self):
        """Pillow's transform, which takes the map from the result to the picture."""
        w, h = self.width, self.height
        f = 35 * np.hypot(w, h) / np.hypot(36, 24)
        k = np.array([[f, 0, w / 2], [0, f, h / 2], [0, 0, 1]])
        p, q = np.radians(12), np.radians(-9)
        pitch = np.array([[1, 0, 0], [0, np.cos(p), -np.sin(p)], [0, np.sin(p), np.cos(p)]])
        yaw = np.array([[np.cos(q), 0, np.sin(q)], [0, 1, 0], [-np.sin(q), 0, np.cos(q)]])
        m = k @ pitch @ yaw @ np.linalg.inv(k)
        middle = m @ [w / 2, h / 2, 1]
        back = np.array([[1, 0, w / 2 - middle[0] / middle[2]], [0, 1, h / 2 - middle[1] / middle[2]], [0, 0, 1]])
        n = np.linalg.inv(back @ m)
        return np.stack([np.asarray(Image.fromarray(self.light[..., c].astype(np.float32)).transform(
            (w, h), Image.Transform.PERSPECTIVE, (n / n[2, 2]).ravel()[:8], Image.Resampling.BILINEAR))
            for c in range(3)], -1)

    def bokeh(self):
        """The definition's disc with a ring, by SciPy's FFT."""
        y, x = np.mgrid[-13:14, -13:14]
        d = np.hypot(x, y)
        weights = np.clip((12 - d) / 1.5 + 0.5, 0, 1) * np.where(d > 12 * 0.85, 1 + 3 * 0.4, 1)
        padded = np.pad(self.light, ((13, 13), (13, 13), (0, 0)), "edge")
        return scipy.signal.fftconvolve(padded, (weights / weights.sum())[..., None], "valid", axes=(0, 1))

    def guided(self):
        """He and others, Guided Image Filtering, equations 5, 6 and 8, with SciPy's box means."""
        def mean(a):
            return scipy.ndimage.uniform_filter(a, (9, 9) + (1,) * (a.ndim - 2), mode="nearest")
        guide = encoded(self.other @ LUMINANCE)
        middle = mean(guide)
        variance = mean(guide * guide) - middle * middle
        mixed = mean(guide[..., None] * self.light) - middle[..., None] * mean(self.light)
        a = mixed / (variance + 0.01)[..., None]
        b = mean(self.light) - a * middle[..., None]
        return mean(a) * guide[..., None] + mean(b)

    def gabor(self):
        x = np.arange(-2, 3)
        along = np.sin(np.pi * x / 3) * np.exp(-x * x / 2)
        across = np.exp(-x * x / 2)
        weights = np.outer(across / across.sum(), along / (along @ x))
        result = np.zeros_like(self.light)
        for channel, kernel in enumerate((weights, weights.T)):
            all_three = np.stack([scipy.ndimage.correlate(self.light[..., c], kernel, mode="nearest")
                                  for c in range(3)], -1)
            first = np.abs(all_three).argmax(-1)[..., None]
            result[..., channel] = np.take_along_axis(all_three, first, -1)[..., 0]
        return result

    def polynomial(self):
        r, g, b = np.moveaxis(self.light, -1, 0)
        return np.stack([0.8 * r + 0.1 * g + 0.05 * r * r - 0.02 * g * b + 0.01, g + 0.03 * b * r, 0.9 * b + 0.1 * r], -1)


FILTERS = (
    ("twirl-distortion", "center:@,radius:200,angle:140", "formula, sampled by skimage.transform.warp", Photo.twirl),
    ("bump-distortion", "center:@,radius:220,scale:0.7", "formula, scipy.ndimage.map_coordinates", Photo.bump),
    ("torus-lens-distortion", "center:@,radius:200,width:90,refraction:1.6", "formula, scipy.ndimage.map_coordinates",
     Photo.torus),
    ("kaleidoscope", "center:@,count:7,angle:20", "folds of angles, scipy.ndimage.map_coordinates", Photo.kaleidoscope),
    ("sixfold-reflected-tile", "center:@,angle:15,width:90", "mirrors one by one, scipy.ndimage.map_coordinates",
     Photo.sixfold),
    ("displacement-distortion", "displacement:other,scale:40", "formula, scipy.ndimage.map_coordinates",
     Photo.displacement),
    ("perspective-rotate", "focal-length:35,pitch:12,yaw:-9", "PIL.Image.transform, PERSPECTIVE", Photo.perspective),
    ("bokeh-blur", "radius:12,ring-amount:0.4,ring-size:0.15,softness:1.5", "scipy.signal.fftconvolve", Photo.bokeh),
    ("guided-filter", "guide:other,radius:4,epsilon:0.01", "equations of He, scipy.ndimage.uniform_filter",
     Photo.guided),
    ("gabor-gradients", "", "scipy.ndimage.correlate", Photo.gabor),
    ("color-cross-polynomial", "red-coefficients:0.8/0.1/0/0.05/0/0/0/-0.02/0/0.01,"
     "green-coefficients:0/1/0/0/0/0/0/0/0.03/0,blue-coefficients:0.1/0/0.9/0/0/0/0/0/0/0", "numpy", Photo.polynomial),
)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=".build/release/hdrbatch")
    parser.add_argument("--photo", default="Examples/lamps.jpg")
    parser.add_argument("--tsv", type=pathlib.Path)
    given = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)

        def render(source, name, *options):
            path = folder / f"{name}.tiff"
            subprocess.run([given.program, "render", str(source), "--out", str(path), *OPTIONS, *options], check=True,
                           capture_output=True)
            return path, tifffile.imread(path).astype(np.float64)

        base, light = render(given.photo, "photo", "--resize", "640")
        other, signals = render(base, "other", "--filter", "flip")
        photo = Photo(light, signals)
        for name, values, beside, make in FILTERS:
            values = values.replace("@", "{}/{}".format(*photo.center))
            options = ["--edit-strategy", "hdr", "--working-format", "rgba32f", "--filter",
                       name + (f"={values}" if values else "")]
            if "other" in values:
                options += ["--input", f"other={other}"]
            got, want = render(base, name, *options)[1], make(photo)
            shown = np.ones(got.shape[:2], bool) if got.shape[-1] == 3 else got[..., 3] == 1
            error = np.abs(got[..., :3] - want)[shown]
            relative = error / np.maximum(np.abs(want[shown]), 1)
            rows.append((name, beside, f"{np.abs(want[shown]).max():.2f}", f"{error.max():.1e}", f"{relative.max():.1e}",
                         f"{error.mean():.1e}"))
            print(*rows[-1], f"{shown.mean():.0%} of pixels", sep="\t", flush=True)
    if given.tsv:
        given.tsv.write_text("\n".join("\t".join(row) for row in [HEADS, *rows]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
