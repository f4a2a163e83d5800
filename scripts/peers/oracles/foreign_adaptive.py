#!/usr/bin/env python3
"""Writes Adaptive HDR files with hdrbatch and reads them with programs that the project did not write.

    python3 -m venv /tmp/venv && /tmp/venv/bin/pip install numpy imagecodecs pillow pillow-heif
    /tmp/venv/bin/python foreign_adaptive.py .build/release/hdrbatch PICTURE | SDR,HDR ... [-- OPTION...]

A PICTURE is HDR and is tone-mapped for the base; of a pair SDR,HDR both are taken. OPTIONs go to every run. JPEG is read
by libultrahdr (imagecodecs), AVIF by libavif (Pillow's wheel), HEIC by libheif (pillow-heif, the map made visible first)
with libavif's arithmetic, which decodes no HEVC. The bases go through Pillow (libjpeg-turbo), libavif and libheif. Each at
full headroom against the HDR that went in and against hdrbatch's own reading. Prints Markdown.
"""
import io
import json
import os
import struct
import subprocess
import sys
import tempfile

import imagecodecs
import numpy as np
import pillow_heif
import PIL.Image

import libavif_gainmap as avif
import structure

PEAK = 10000 / 203  # of PQ, over reference white
TO_BT2020 = {  # ITU-R BT.2087, and the same for P3 with D65
    1: [[0.627404, 0.329283, 0.043313], [0.069097, 0.919540, 0.011362], [0.016391, 0.088013, 0.895595]],
    12: [[0.753833, 0.198597, 0.047570], [0.045744, 0.941777, 0.012479], [-0.001210, 0.017602, 0.983609]],
    9: np.eye(3),
}


def pq_signal(light):
    p = np.power(np.clip(light / PEAK, 0, 1), 2610 / 16384)
    return np.power((3424 / 4096 + 2413 / 128 * p) / (1 + 2392 / 128 * p), 2523 / 32)


def psnr(a, b):
    return -10 * np.log10(np.mean((pq_signal(a) - pq_signal(b)) ** 2))


def difference(a, b):
    a, b = np.clip(a, 0, PEAK), np.clip(b, 0, PEAK)
    return 100 * np.percentile(np.abs(a - b) / np.maximum(np.maximum(a, b), 0.02), [50, 95])


def run(program, *arguments):
    subprocess.run([program, *arguments, "--progress", "none", "--backend", "cpu"], check=True)


def made(program, picture, *options):
    """The one file that `render` makes of a picture, in a folder of its own, and its bytes."""
    folder = tempfile.mkdtemp(dir=os.environ["FOREIGN_FOLDER"])
    run(program, "render", picture, "--out", folder, *options)
    path = [os.path.join(folder, name) for name in os.listdir(folder) if not name.endswith(".json")][0]
    return path


def linear(program, picture):
    """hdrbatch's own light of a file, BT.2020, 1.0 = reference white."""
    path = made(
        program, picture, "--to", "rgba16f", "--primaries", "bt2020", "--gamut", "none", "--tone-map", "none")
    with open(path + ".json") as file:
        said = json.load(file)
    return np.fromfile(path, "<f2").reshape(said["height"], said["width"], 4)[..., :3].astype(np.float64)


def primaries(program, path):
    """Of the base, as hdrbatch info has it; the bases of JPEG files have no code points of their own."""
    said = json.loads(subprocess.run([program, "info", "--json", path], check=True, capture_output=True).stdout)
    return said["cicp"]["primaries"]


def metadata(payload):
    """The `tmap` payload as libavif's structure."""
    count, at = (3 if payload[5] & 0x80 else 1), 22
    values = struct.unpack_from(f">4I{10 * count}I", payload, 6)
    found = avif.GainMap()
    signed = lambda v: v - (1 << 32) if v >> 31 else v
    found.base_headroom, found.alternate_headroom = avif.Fraction(*values[:2]), avif.Fraction(*values[2:4])
    for channel in range(3):
        row = values[4 + 10 * (channel % count) :]
        for index, name in enumerate(("min", "max", "gamma", "base_offset", "alternate_offset")):
            getattr(found, name)[channel] = avif.Fraction(signed(row[2 * index]), row[2 * index + 1])
    found.uses_base_space = payload[5] >> 6 & 1
    return found


def heic(data, base_primaries):
    payload = structure.tone_map(data)
    files = pillow_heif.open_heif(structure.unhidden(data))
    base, codes = np.asarray(files[0]), np.asarray(files[len(files) - 1])
    if codes.ndim == 2:
        codes = np.stack([codes] * 3, -1)
    found = metadata(payload)
    found.primaries = alternate_primaries(data)
    stops = max(float(found.base_headroom), float(found.alternate_headroom))
    return base, avif.apply_rgb(base[..., :3], base_primaries, codes[..., :3], found, stops, 9)


def alternate_primaries(data):
    number = next(number for number, item in structure.items(data).items() if item[0] == "tmap")
    colour = next(name for name in structure.associations(data)[number] if name.startswith("colr"))
    return int(colour.split()[1].split("/")[0])


def read(program, path):
    """Reader, codes of the base as others see them, light at full headroom in BT.2020."""
    with open(path, "rb") as file:
        data = file.read()
    own = primaries(program, path)
    if path.endswith(".jpg"):
        light = imagecodecs.ultrahdr_decode(data, dtype="float16")[..., :3].astype(np.float64)
        base = np.asarray(PIL.Image.open(io.BytesIO(data)).convert("RGB"))
        return f"libultrahdr {imagecodecs.ultrahdr_version().split()[-1]}", base, light @ np.transpose(TO_BT2020[own])
    if path.endswith(".avif"):
        image = avif.load(data)
        base = np.asarray(PIL.Image.open(io.BytesIO(data)).convert("RGB"))
        stops = float(image.gain_map.contents.alternate_headroom)
        return f"libavif {avif.AVIF.avifVersion().decode()}", base, avif.apply(image, stops, 9)
    base, light = heic(data, own)
    return f"libheif {pillow_heif.libheif_version()} with libavif", base[..., :3], light


def row(*cells):
    print("| " + " | ".join(cells) + " |")


def main():
    program, rest = sys.argv[1], sys.argv[2:]
    cut = rest.index("--") if "--" in rest else len(rest)
    pictures, options = rest[:cut], rest[cut + 1 :]
    row("picture", "written as", "bytes", "read by", "SDR base: median, p95 of codes",
        "light against hdrbatch's reading: median, p95", "against the HDR that went in: reader", "hdrbatch")
    print("|" + "---|" * 8)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["FOREIGN_FOLDER"] = folder
        for picture in pictures:
            inputs = picture.split(",")
            truth = linear(program, inputs[-1])
            for kind in ("jpeg", "heic", "avif"):
                if len(inputs) == 2:
                    path = os.path.join(tempfile.mkdtemp(dir=folder), "file." + kind.replace("jpeg", "jpg"))
                    run(program, "pair", *inputs, "--out", path, *options)
                else:
                    path = made(program, *inputs, "--to", "adaptive-" + kind, *options)
                ours = linear(program, path)
                reader, base, light = read(program, path)
                # The base as hdrbatch takes it out, in its own code points.
                own = np.asarray(PIL.Image.open(made(program, path, "--extract", "base")).convert("RGB"))
                codes = np.percentile(np.abs(own.astype(int) - base), [50, 95])
                off = difference(light, ours)
                row(os.path.basename(inputs[-1]), kind.upper(), str(os.path.getsize(path)), reader,
                    f"{codes[0]:.0f}, {codes[1]:.0f}", f"{off[0]:.3f} %, {off[1]:.3f} %",
                    f"{psnr(light, truth):.2f} dB", f"{psnr(ours, truth):.2f} dB")


if __name__ == "__main__":
    main()
