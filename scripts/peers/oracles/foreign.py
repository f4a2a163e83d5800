#!/usr/bin/env python3
"""Renders pictures with hdrbatch and reads the outputs with programs that the project did not write.

    python3 -m venv /tmp/venv && /tmp/venv/bin/pip install numpy imagecodecs pillow-heif av opencolorio
    /tmp/venv/bin/python scripts/peers/oracles/foreign.py .build/release/hdrbatch PICTURE... [--cube FILE.cube...]

Pictures: PQ PNG by libpng (imagecodecs) and FFmpeg (av), PQ HEIC by libheif (pillow-heif) and FFmpeg, each against the
light of `--to rgba16f`. Cubes: `--lut` in linear light, clamped, against OpenColorIO on the same pixels. Prints Markdown.
"""
import json
import os
import subprocess
import sys
import tempfile

import av
import imagecodecs
import numpy as np
import pillow_heif
import PyOpenColorIO as ocio

PEAK = 10000 / 203  # of PQ, over reference white
M1, M2, C1, C2, C3 = 2610 / 16384, 2523 / 32, 3424 / 4096, 2413 / 128, 2392 / 128  # SMPTE ST 2084


def pq_signal(light):
    p = np.power(np.clip(light / PEAK, 0, 1), M1)
    return np.power((C1 + C2 * p) / (1 + C3 * p), M2)


def pq_light(signal):
    p = np.power(np.clip(signal, 0, 1), 1 / M2)
    return PEAK * np.power(np.maximum(p - C1, 0) / (C2 - C3 * p), 1 / M1)


def render(program, picture, folder, *options):
    os.makedirs(folder)
    command = [program, "render", picture, "--out", folder, "--progress", "none", "--backend", "cpu", *options]
    subprocess.run(command, check=True)
    return [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if not name.endswith(".json")][0]


def linear(path):
    with open(path + ".json") as file:
        sidecar = json.load(file)
    halves = np.fromfile(path, "<f2").reshape(sidecar["height"], sidecar["width"], 4)
    return halves[..., :3].astype(np.float64)


def ffmpeg_signal(path, height, width):
    """R'G'B' of the first frame, and what FFmpeg says the picture is: primaries, transfer, matrix, range (2: full)."""
    with av.open(path) as container:
        frame = next(container.decode(video=0))
    said = f"{int(frame.color_primaries)}/{int(frame.color_trc)}/{int(frame.colorspace)}/{int(frame.color_range)}"
    if frame.format.name.startswith("rgb48"):
        return frame.to_ndarray(format="rgb48le")[:height, :width] / 65535, said
    planes = []
    for plane in frame.planes:
        codes = np.frombuffer(plane, "<u2").reshape(plane.height, plane.line_size // 2)[:, : plane.width]
        repeat = 1 + (plane.width < frame.width)
        planes.append(np.repeat(np.repeat(codes, repeat, 0), repeat, 1)[:height, :width] / 1023)
    y, cb, cr = planes[0], planes[1] - 512 / 1023, planes[2] - 512 / 1023
    kr, kb = 0.2627, 0.0593  # BT.2020
    r, b = y + 2 * (1 - kr) * cr, y + 2 * (1 - kb) * cb
    return np.stack([r, (y - kr * r - kb * b) / (1 - kr - kb), b], -1), said


def libheif_signal(path):
    picture = pillow_heif.open_heif(path, convert_hdr_to_8bit=False)[0]
    nclx = picture.info["nclx_profile"]
    said = "/".join(
        str(int(nclx[key]))
        for key in ("color_primaries", "transfer_characteristics", "matrix_coefficients", "full_range_flag")
    )
    return (np.asarray(picture)[..., :3] >> 6) / 1023, said  # pillow-heif puts 10 bits at the top of 16


def row(*cells):
    print("| " + " | ".join(cells) + " |")


def report(name, kind, reader, said, signal, light, peak):
    want = np.clip(light, 0, PEAK)
    codes = (signal - pq_signal(want)) * peak
    got = pq_light(signal)
    share = np.abs(got - want) / np.maximum(np.maximum(got, want), 0.02)
    half, most = np.percentile(np.abs(codes), [50, 95])
    half_share, most_share = 100 * np.percentile(share, [50, 95])
    row(name, kind, reader, said, f"{half:.2f}", f"{most:.2f}", f"{codes.mean():+.3f}", f"{half_share:.3f} %",
        f"{most_share:.3f} %")


def reread(program, pictures, folder):
    row("picture", "written", "read by", "says", "median", "p95", "mean, signed", "light: median", "p95")
    print("|" + "---|" * 9)
    for picture in pictures:
        name = os.path.basename(picture)
        place = os.path.join(folder, name)
        light = linear(render(program, picture, place + ".raw", "--to", "rgba16f", "--primaries", "bt2020"))
        size = light.shape[:2]
        png = render(program, picture, place + ".png", "--to", "pq-png")
        with open(png, "rb") as file:
            codes = imagecodecs.png_decode(file.read())
        report(name, "PNG 16 bit", "libpng", "-", codes[..., :3] / 65535, light, 65535)
        signal, said = ffmpeg_signal(png, *size)
        report(name, "PNG 16 bit", "FFmpeg", said, signal, light, 65535)
        for kind, options in (("HEIC 4:2:0 q 90", []), ("HEIC 4:4:4 q 100", ["--chroma", "444", "--quality", "100"])):
            heic = render(program, picture, f"{place}.{len(options)}.heic", "--to", "pq-heic", *options)
            signal, said = libheif_signal(heic)
            report(name, kind, "libheif", said, signal, light, 1023)
            signal, said = ffmpeg_signal(heic, *size)
            report(name, kind, "FFmpeg", said, signal, light, 1023)


def recube(program, pictures, cubes, folder):
    row("picture", "cube", "median", "p95", "largest")
    print("|" + "---|" * 5)
    for picture in pictures:
        name = os.path.basename(picture)
        place = os.path.join(folder, name)
        plain = ["--to", "rgba16f", "--primaries", "bt2020", "--gamut", "none", "--tone-map", "none"]
        light = linear(render(program, picture, place + ".plain", *plain)).astype(np.float32)
        for cube in cubes:
            label = os.path.basename(cube)
            lut = ["--lut", cube, "--lut-space", "linear", "--lut-range", "clamp"]
            got = linear(render(program, picture, f"{place}.{label}", *plain, *lut))
            transform = ocio.FileTransform(src=cube, interpolation=ocio.INTERP_BEST)
            processor = ocio.Config.CreateRaw().getProcessor(transform).getDefaultCPUProcessor()
            want = light.copy()
            processor.applyRGB(want)
            share = np.abs(got - want) / np.maximum(np.maximum(np.abs(got), np.abs(want)), 0.02)
            half, most = 100 * np.percentile(share, [50, 95])
            row(name, label, f"{half:.4f} %", f"{most:.4f} %", f"{100 * share.max():.2f} %")


def main():
    program, rest = sys.argv[1], sys.argv[2:]
    cut = rest.index("--cube") if "--cube" in rest else len(rest)
    pictures, cubes = rest[:cut], rest[cut + 1 :]
    with tempfile.TemporaryDirectory() as folder:
        reread(program, pictures, os.path.join(folder, "reread"))
        if cubes:
            print()
            recube(program, pictures, cubes, os.path.join(folder, "cube"))


main()
