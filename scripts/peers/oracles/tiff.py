#!/usr/bin/env python3
"""Reads TIFF files with hdrbatch and with tifffile and compares their light.

    python3 scripts/peers/oracles/tiff.py HDRBATCH FOLDER

Prints a line a file: what hdrbatch says where it refuses, else the largest difference of linear BT.709 light, in parts of
1 or, where it is larger, of the light. Codes without a profile are sRGB, floats light; pictures with another profile,
inks or Lab are compared by Little CMS, coarsely. Wants numpy, tifffile and imagecodecs.
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import imagecodecs
import numpy as np
import tifffile


def ours(program, path, folder):
    """Linear BT.709 light, or why there is none."""
    run = subprocess.run(
        [program, "render", str(path), "--out", folder, "--to", "rgba16f", "--primaries", "srgb", "--tone-map", "none",
         "--gamut", "none", "--name", "x.{ext}", "--overwrite", "--progress", "none", "--headroom", "5.99ev"],
        capture_output=True, text=True)
    side = Path(folder, "x.rgba16f.json")
    if run.returncode or not side.exists():
        return (run.stderr.strip().splitlines() or ["?"])[0]
    size = json.loads(side.read_text())
    data = np.fromfile(side.with_suffix(""), "<f2").reshape(size["height"], size["width"], 4).astype(np.float64)
    for file in Path(folder).iterdir():
        file.unlink()
    return data[..., :3]


def linear(x):
    return np.sign(x) * np.where(np.abs(x) <= 0.04045, np.abs(x) / 12.92, ((np.abs(x) + 0.055) / 1.055) ** 2.4)


def theirs(path):
    """Light by tifffile, and whether it is by a profile."""
    with tifffile.TiffFile(path) as file:
        pages = [p for p in file.pages if not int(p.subfiletype) & 1] or file.pages
        page = pages[0]
        data, kind, bits = page.asarray(), int(page.photometric), page.bitspersample
        samples, planar, icc, extra = page.samplesperpixel, page.planarconfig, page.iccprofile, page.extrasamples
        turn = page.tags.get("Orientation")
        data = np.squeeze(data) if data.ndim > 3 else data
        if samples > 1 and planar == 2:
            data = np.moveaxis(data, 0, -1)
        if kind == 3:
            data, bits = np.moveaxis(np.reshape(page.colormap, (3, -1))[:, data.astype(int)], 0, -1), 16
    if data.ndim == 2:
        data = data[..., None]
    if kind in (5, 8) or icc:
        colors = {5: 4, 8: 3}.get(kind, 3 if data.shape[-1] >= 3 else 1)
        if not icc or data.dtype not in (np.uint8, np.uint16) or kind == 8 or colors == 1:
            return None, True
        inks = "cmyk" if kind == 5 else "rgb"
        if bits not in (8, 16):
            data = (data.astype(np.uint32) * 65535 // (2 ** bits - 1)).astype(np.uint16)
        light = linear(imagecodecs.cms_transform(
            np.ascontiguousarray(data[..., :colors]), icc, imagecodecs.cms_profile("srgb"), colorspace=inks,
            outcolorspace="rgb", outdtype="u2").astype(np.float64) / 65535)
    elif data.dtype.kind == "f":
        light = np.clip(np.nan_to_num(data.astype(np.float64), nan=0, posinf=65504, neginf=-65504), -65504, 65504)
    else:
        light = data.astype(np.float64) / (1 if data.dtype == bool else 2 ** bits - 1)
        light = linear(1 - light if kind == 0 else light)
    colors = 3 if light.shape[-1] >= 3 and kind not in (0, 1) else 1
    alpha = [i for i, e in enumerate(extra or ()) if int(e) == 1]
    if alpha and not icc and data.dtype.kind == "f":
        a = light[..., colors + alpha[0]:colors + alpha[0] + 1]
        light = np.where(a > 0, light[..., :colors] / np.where(a > 0, a, 1), 0)
    light = np.repeat(light[..., :1], 3, -1) if colors == 1 else light[..., :3]
    turns = {1: lambda a: a, 3: lambda a: a[::-1, ::-1], 6: lambda a: np.rot90(a, -1), 8: lambda a: np.rot90(a)}
    number = turn.value[0] if turn and isinstance(turn.value, bytes) else turn.value if turn else 1
    return turns[int(number)](light), bool(icc) or kind in (5, 8)


def main():
    program = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        for path in sorted(Path(sys.argv[2]).glob("*.tif*")):
            found = ours(program, path, folder)
            if isinstance(found, str):
                print(f"{path.name}\trefused\t{found}")
                continue
            try:
                expected, is_coarse = theirs(path)
            except Exception as error:
                print(f"{path.name}\tread\ttifffile: {error}")
                continue
            if expected is None:
                print(f"{path.name}\tread\tno comparison")
            elif expected.shape != found.shape:
                print(f"{path.name}\tread\tof {found.shape}, expected {expected.shape}")
            else:
                error = np.abs(found - expected) / np.maximum(1, np.abs(expected))
                print(f"{path.name}\tread{' by profile' if is_coarse else ''}\t{error.max():.2g}")


main()
