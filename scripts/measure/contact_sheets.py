#!/usr/bin/env python3
"""Contact sheets: one photo through every tone operator at display headrooms 1, 2 and 4, and through every filter.

    python3 scripts/measure/contact_sheets.py HDRBATCH PHOTO OUT

Writes OUT/tone-operators.jpg, OUT/filters.jpg, OUT/kernels.jpg and OUT/kernels/*.jpg. With a fourth word, `kernels`, only the
last. Cells are sRGB; a cell rendered for a display of
headroom h is divided by h, so that its brightest light is the page's white. Wants Pillow and numpy.
"""
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

SIDE = 144
BT2020_TO_BT709 = np.array([[1.6605, -0.5876, -0.0728], [-0.1246, 1.1329, -0.0083], [-0.0182, -0.1006, 1.1187]])

# Values that show what a filter does, where its defaults change nothing or little at this size.
VALUES = {
    "exposure": "ev:1", "gamma": "power:1.4", "color-controls": "saturation:1.6,contrast:1.2", "hue-adjust": "angle:1.2",
    "vibrance": "amount:0.9", "highlight-shadow": "shadow-amount:0.8,highlight-amount:0.3", "vignette": "intensity:1",
    "temperature-tint": "target-neutral:4000/0", "white-point-adjust": "color:1/0.8/0.6", "color-monochrome": "intensity:1",
    "crop": "rect:60/40/220/160", "scale": "factor:0.5", "thumbnail": "size:96", "rotate": "angle:20",
    "straighten": "angle:8", "affine": "matrix:0.9/0.2/0/-0.1/0.9/40", "flip": "direction:horizontal", "dissolve": "time:0.5",
    "ripple-transition": "time:0.5,width:60,scale:30", "unsharp-mask": "radius:3,intensity:2",
    "sharpen-luminance": "sharpness:2", "gaussian-blur": "radius:5", "box-blur": "radius:5", "motion-blur": "angle:30",
    "bloom": "radius:8,intensity:1",
    "gloom": "radius:8,intensity:1", "checkerboard": "width:30", "stripes": "width:20",
    "linear-gradient": "point1:380/0,color0:0/0/0,color1:2/2/1", "radial-gradient": "radius1:150",
    "vignette-effect": "radius:130", "convolution-3x3": "weights:0/-1/0/-1/5/-1/0/-1/0", "posterize": "levels:4",
    "color-posterize": "levels:4", "color-threshold": "threshold:0.3", "tone-curve": "point1:0.25/0.12,point3:0.75/0.9",
    "color-polynomial": "red-coefficients:0/1.5/0/0", "stretch-crop": "size:380/200",
    "color-matrix": "r-vector:0/1/0/0,g-vector:1/0/0/0", "color-cube": "space:pq",
    "perspective-correction": "top-left:60/0,top-right:330/20,bottom-right:380/290,bottom-left:0/290",
    "perspective-transform": "top-left:60/20,top-right:330/60,bottom-right:390/280,bottom-left:10/250",
    "morphology-maximum": "radius:4", "morphology-minimum": "radius:4", "morphology-gradient": "radius:2",
    "morphology-rectangle-maximum": "width:21,height:1", "morphology-rectangle-minimum": "width:1,height:21",
    "noise-reduction": "noise-level:0.2,sharpness:1", "convert-rgb-to-lab": "normalize:true",
    "convert-lab-to-rgb": "normalize:true", "edges": "intensity:2", "pixellate": "scale:16", "crystallize": "radius:9",
    "pointillize": "radius:7", "hexagonal-pixellate": "scale:20", "swipe-transition": "time:0.5,opacity:0.5,width:150",
    "bars-swipe-transition": "time:0.5,angle:0", "copy-machine-transition": "time:0.5,opacity:6",
    "flash-transition": "time:0.35,color:2/1.8/1.5", "mod-transition": "time:0.4,radius:40",
    "disintegrate-with-mask-transition": "time:0.1", "accordion-fold-transition": "time:0.4,fold-shadow-amount:0.6",
    "convolution-5x5": "weights:" + "/".join(["0.04"] * 25), "convolution-7x7": "weights:" + "/".join(["0.0204"] * 49),
    # Places that move.
    "bump-distortion": "radius:150,scale:0.7", "bump-distortion-linear": "radius:120,scale:0.7",
    "pinch-distortion": "radius:180,scale:1", "twirl-distortion": "radius:180,angle:180",
    "vortex-distortion": "radius:150,angle:900", "hole-distortion": "radius:60",
    "circle-splash-distortion": "radius:70", "light-tunnel": "radius:60,rotation:120",
    "circular-wrap": "radius:60,angle:90", "torus-lens-distortion": "radius:120,width:80",
    "glass-lozenge": "radius:60", "glass-distortion": "scale:200", "displacement-distortion": "scale:120",
    "droste": "inset-point0:140/110,inset-point1:260/200", "parallelogram-tile": "acute-angle:60",
    "kaleidoscope": "angle:20", "triangle-kaleidoscope": "size:90,rotation:20", "op-tile": "scale:1.5,width:60",
    "affine-tile": "matrix:0.3/0.1/0/-0.1/0.3/0", "affine-clamp": "matrix:0.6/0/80/0/0.6/60",
    "clamp": "extent:100/75/200/150", "perspective-rotate": "pitch:20,yaw:15",
    "keystone-correction-vertical": "top-left:150/60,top-right:260/60,bottom-right:300/260,bottom-left:100/260",
    "keystone-correction-horizontal": "top-left:100/100,top-right:300/60,bottom-right:300/260,bottom-left:100/220",
    "keystone-correction-combined": "top-left:120/80,top-right:280/60,bottom-right:300/260,bottom-left:100/240",
    "nine-part-stretched": "breakpoint0:100/75,breakpoint1:300/225,grow-amount:100/100",
    "nine-part-tiled": "breakpoint0:150/100,breakpoint1:250/200,grow-amount:200/200",
    "perspective-transform-with-extent":
        "extent:50/40/300/220,top-left:60/20,top-right:330/60,bottom-right:390/280,bottom-left:10/250",
    "maximum-scale-transform": "scale:0.2",
    # Pictures of their own.
    "blurred-rectangle-generator": "sigma:20", "star-shine-generator": "cross-opacity:1",
    "mesh-generator": "mesh:20/20/380/280;20/280/380/20;200/20/200/280", "lenticular-halo-generator": "center:200/150",
    "shaded-material": "scale:20", "page-curl-transition": "time:0.5,angle:30,radius:40",
    "page-curl-with-shadow-transition": "time:0.5,angle:30,radius:40",
    # Colours and neighbours.
    "mix": "amount:0.5", "color-cross-polynomial": "red-coefficients:0/1/0/0/0/0/0/0/0/0",
    "bokeh-blur": "radius:8,ring-amount:1", "masked-variable-blur": "radius:6", "canny-edge-detector": "perceptual:true",
    "guided-filter": "radius:8,epsilon:0.01", "kmeans": "count:12,perceptual:true",
}

# Each example kernel: arguments, and what light is divided by.
KERNELS = {
    "film-curve": [("", 4), ("contrast:2", 4)],
    "split-toning": [("", 4), ("shadows:0.2/0.3/0.8,highlights:1/0.7/0.3,amount:1", 4)],
    "exposure-zones": [("", 4), ("width:2", 4)],
    "false-colour": [("", 1), ("lowest:-10", 1)],
    "sharpen": [("", 4), ("amount:4", 4)],
    "gradient": [("", 8), ("from:-4,to:2,angle:90,color:1/0.6/0.3,grain:0.5", 4)],
}


def render(tool, photo, folder, name, arguments):
    """Linear BT.2020 light of one rendition, or the tool's complaint."""
    out = Path(folder) / name
    run = subprocess.run(
        [tool, "render", str(photo), "--out", str(out), "--to", "rgba16f", "--progress", "none", *arguments],
        capture_output=True, text=True)
    raw = next(out.glob("*.rgba16f"), None) if out.is_dir() else None
    if run.returncode or raw is None:
        return (run.stderr.strip().splitlines() or ["nothing was written"])[0]
    about = json.loads(Path(str(raw) + ".json").read_text())
    pixels = np.fromfile(raw, "<f2").astype(np.float32).reshape(about["height"], about["width"], 4)
    return pixels[..., :3] @ BT2020_TO_BT709.T.astype(np.float32), pixels[..., 3]


def cell(result, headroom, label, side=SIDE, height=None):
    height = height or side
    tile = Image.new("RGB", (side, height + 16), (40, 40, 40))
    draw = ImageDraw.Draw(tile)
    draw.text((4, height + 2), label, fill=(255, 255, 255))
    if isinstance(result, str):
        for line in range(0, min(len(result), 160), 30):
            draw.text((4, 4 + line // 30 * 12), result[line:line + 30], fill=(255, 120, 120))
        return tile
    light, alpha = result
    x = np.clip(light / headroom, 0, 1)
    code = np.where(x <= 0.0031308, 12.92 * x, 1.055 * np.power(np.maximum(x, 1e-9), 1 / 2.4) - 0.055)
    squares = (np.add.outer(np.arange(x.shape[0]) // 8, np.arange(x.shape[1]) // 8) % 2 * 0.1 + 0.3)[..., None]
    code = code * alpha[..., None] + squares * (1 - alpha[..., None])
    image = Image.fromarray((code * 255 + 0.5).astype(np.uint8))
    factor = side // max(image.size)
    if factor > 1:
        image = image.resize((image.width * factor, image.height * factor), Image.NEAREST)
    image.thumbnail((side, side), Image.LANCZOS)
    tile.paste(image, ((side - image.width) // 2, (height - image.height) // 2))
    return tile


def sheet(cells, columns, path):
    rows = math.ceil(len(cells) / columns)
    width, height = cells[0].width + 4, cells[0].height + 4
    page = Image.new("RGB", (columns * width, rows * height), (20, 20, 20))
    for index, tile in enumerate(cells):
        page.paste(tile, (index % columns * width, index // columns * height))
    page.save(path, quality=88)
    print(path, page.size, len(cells), "cells")


def kernel_strips(tool, source, folder, out):
    """The photo, and each example kernel with two sets of arguments."""
    out.mkdir(exist_ok=True)
    side, height = 300, 226
    for name, variants in KERNELS.items():
        # What sharpens shows in a piece only.
        piece = ["--tone-map", "none"] + (["--filter", "crop=rect:30/70/140/105"] if name == "sharpen" else [])
        plain = render(tool, source, folder, f"plain-{name}", piece)
        cells = [cell(plain, 4, "the photo, light / 4", side, height)]
        for index, (text, headroom) in enumerate(variants):
            kernel = f"Examples/kernels/{name}.glsl" + (f"={text}" if text else "")
            result = render(tool, source, folder, f"strip-{name}-{index}", [*piece, "--kernel", kernel])
            label = (text or "defaults") + (f", light / {headroom}" if headroom > 1 else "")
            cells.append(cell(result, headroom, label, side, height))
        sheet(cells, 3, out / f"{name}.jpg")


def main():
    tool, photo, out = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    out.mkdir(parents=True, exist_ok=True)
    tones = subprocess.run([tool, "render", "--help"], capture_output=True, text=True).stdout
    with tempfile.TemporaryDirectory() as folder:
        # A small copy first: it is rendered a hundred times.
        small = Path(folder) / "small"
        subprocess.run(
            [tool, "render", str(photo), "--out", str(small), "--to", "pq-png", "--progress", "none", "--filter",
             "thumbnail=size:400"], check=True)
        source = next(small.glob("*.png"))
        kernel_strips(tool, source, folder, out / "kernels")
        if sys.argv[4:] == ["kernels"]:
            return
        # A second picture: the same, turned about its middle and darker.
        subprocess.run(
            [tool, "render", str(source), "--out", str(Path(folder) / "other"), "--to", "pq-png", "--progress", "none",
             "--filter", "flip", "--filter", "exposure=ev:-2"], check=True)
        other = next((Path(folder) / "other").glob("*.png"))
        # A LUT in PQ that takes green and blue for one another.
        lut = Path(folder) / "swap.cube"
        lut.write_text("LUT_3D_SIZE 2\n" + "".join(
            f"{r} {b} {g}\n" for b in (0, 1) for g in (0, 1) for r in (0, 1)))
        curve = Path(folder) / "curve.cube"
        curve.write_text("LUT_1D_SIZE 3\n0.3 0 0\n0.5 0.4 0.5\n0.8 0.9 1\n")
        # ST 2094-50: one alternate for SDR displays, 0, 0.5 and 3 stops down at 0.25, 1 and 8; luma and maximum mixed.
        metadata = Path(folder) / "curves.bin"
        metadata.write_bytes(bytes.fromhex("0040" "7468" "18" "0000" "80" "14" "00fa03e81f40" "000013887530"))
        names = []
        for line in open("docs/operators.md").read().split("## Spaces")[0].splitlines():
            name = line.split("|")[1].strip(" `") if line.startswith("| `") else ""
            if name and name in tones and not name.startswith("-") and name not in names + ["hlg", "file"]:
                names.append(name)
        cells = []
        for name in names:
            for headroom in (1, 2, 4):
                result = render(tool, source, folder, f"{name}-{headroom}",
                                ["--tone-map", name, "--headroom", str(headroom)]
                                + (["--tone-metadata", str(metadata)] if name == "st2094-50" else []))
                cells.append(cell(result, headroom, f"{name} {headroom}"))
        sheet(cells, 9, out / "tone-operators.jpg")
        filters = json.loads(subprocess.run([tool, "filters", "--json"], capture_output=True, text=True).stdout)
        cells = [cell(render(tool, source, folder, "plain", ["--tone-map", "none"]), 4, "the photo, light / 4")]
        for entry in filters:
            name = entry["name"]
            if name == "kernel":
                continue
            text = VALUES.get(name, "")
            inputs = []
            for parameter in entry["parameters"]:
                if parameter["kind"] == "input" and parameter.get("default") is None:
                    second = {"lut": lut, "lut0": lut, "lut1": curve, "curves": curve}.get(parameter["name"], other)
                    if name == "apply-gain-map":
                        second = photo
                    text += ("," if text else "") + f"{parameter['name']}:{parameter['name']}"
                    inputs += ["--input", f"{parameter['name']}={second}"]
            result = render(tool, source, folder, f"filter-{name}",
                            ["--tone-map", "none", "--allow-sdr-filter", "--filter", f"{name}={text}" if text else name,
                             *inputs])
            cells.append(cell(result, 1 if entry["category"] in ("reduction",) else 4, name))
        sheet(cells, 10, out / "filters.jpg")
        # What false-colour makes is SDR.
        cells = [cell(render(tool, source, folder, "plain", ["--tone-map", "none"]), 4, "the photo, light / 4")]
        for kernel in sorted(Path("Examples/kernels").glob("*.glsl")):
            result = render(tool, source, folder, f"kernel-{kernel.stem}", ["--tone-map", "none", "--kernel", str(kernel)])
            cells.append(cell(result, {"false-colour": 1}.get(kernel.stem, 4), kernel.stem))
        sheet(cells, 7, out / "kernels.jpg")


main()
