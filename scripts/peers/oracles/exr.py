#!/usr/bin/env python3
"""Compares what hdrbatch reads of OpenEXR files, and writes, with OpenEXR's own library (PyPI: OpenEXR, numpy).

  exr.py HDRBATCH FILE...

Each file is rendered to OpenEXR in its own primaries where they are BT.709's, else in BT.2020, with all pixels of its
data window and colour without alpha kept; the result is read by OpenEXR and compared with the file, also read by
OpenEXR, brought to the same primaries in binary64. A row a file: outcome, compression, channels, share of equal half
words, largest relative difference (of components above 1e-3 of the largest). Refused files: why.
"""
import json, os, subprocess, sys, tempfile
import numpy as np
import OpenEXR

BRADFORD = np.array([[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]])
D65, BT709, BT2020 = (0.3127, 0.3290), (0.64, 0.33, 0.3, 0.6, 0.15, 0.06), (0.708, 0.292, 0.17, 0.797, 0.131, 0.046)


def xyz(x, y):
    return np.array([x / y, 1, (1 - x - y) / y])


def to_xyz(points, white):
    p = np.array([[points[2 * i], points[2 * i + 1], 1 - points[2 * i] - points[2 * i + 1]] for i in range(3)]).T
    return p @ np.diag(np.linalg.solve(p, xyz(*white)))


def to_bt2020(points, white):
    cones = BRADFORD @ xyz(*D65) / (BRADFORD @ xyz(*white))
    adapt = np.linalg.inv(BRADFORD) @ np.diag(cones) @ BRADFORD
    return np.linalg.inv(to_xyz(BT2020, D65)) @ adapt @ to_xyz(points, white)


def chosen(path, info):
    """Part, and prefix of the channels, of the picture that hdrbatch takes."""
    file = OpenEXR.File(path, separate_channels=True)
    if not info.get("pictures"):
        return file.parts[0], ""
    name = info["pictures"][info["picture"] - 1].get("name") or ""
    for part in file.parts:
        own = part.header.get("name")
        layer = name[len(own) + 1:] if own and len(file.parts) > 1 and name.startswith(str(own) + "/") else name
        if len(file.parts) > 1 and name == own:
            return part, ""
        if any(c == layer or c.startswith(layer + ".") for c in part.channels):
            return part, layer
        if len(file.parts) == 1:
            return part, ""
    raise SystemExit(f"{path}: no picture {name}")


def finite(a):
    a = np.asarray(a, np.float64)
    return np.clip(np.nan_to_num(a, nan=0, posinf=65504, neginf=-65504), -65504, 65504)


def half(a):
    with np.errstate(over="ignore"):
        h = np.asarray(a, np.float64).astype(np.float32).astype(np.float16)
    return np.clip(h, -65504, 65504) + np.float16(0)


def between(a, size, axis):
    """Samples of even places and, between them, the mean of both neighbours; the last one stands for what follows."""
    if a.shape[axis] == size:
        return a
    left = np.take(a, np.arange(size) // 2, axis)
    right = np.take(a, np.minimum((np.arange(size) + 1) // 2, a.shape[axis] - 1), axis)
    return (left + right) / 2


def reference(part, layer):
    def channel(name):
        found = part.channels.get(f"{layer}.{name}" if layer else name)
        return None if found is None else finite(found.pixels)

    alpha = channel("A")
    if channel("R") is not None and channel("G") is not None and channel("B") is not None:
        rgb = [channel(c) for c in "RGB"]
    elif channel("RY") is not None:
        y, ry, by = channel("Y"), channel("RY"), channel("BY")
        ry, by = (between(between(c, y.shape[0], 0), y.shape[1], 1) for c in (ry, by))
        weights = to_xyz(BT709, D65)[1]
        r, b = (ry + 1) * y, (by + 1) * y
        rgb = [r, (y - weights[0] * r - weights[2] * b) / weights[1], b]
    else:
        only = channel("Y")
        if only is None:
            names = [c for c in part.channels if part.channels[c].pixels.dtype != np.uint32]
            only, alpha = finite(part.channels[layer or names[0]].pixels), None
        rgb = [only] * 3
    image = np.stack(rgb, -1)
    if alpha is not None:
        alpha = np.clip(alpha, 0, 1)
    return image, alpha


def main():
    program, files = sys.argv[1], sys.argv[2:]
    print("file\toutcome\tcompression\tchannels\tequal\tlargest difference")
    for path in files:
        name = os.path.basename(path)
        with tempfile.TemporaryDirectory() as out:
            known = subprocess.run([program, "info", path, "--json"], capture_output=True, text=True)
            info = json.loads(known.stdout.splitlines()[0]) if known.stdout.strip() else {}
            options = ["--to", "exr", "--exr-window", "data", "--exr-emission", "keep", "--tone-map", "none"]
            primaries = "srgb"
            stated = None
            if known.returncode == 0:
                part, layer = chosen(path, info)
                stated = part.header.get("chromaticities")
                if stated is not None and not np.allclose(stated, BT709 + D65, atol=1e-4):
                    primaries = "bt2020"
            made = subprocess.run(
                [program, "render", path, "--out", out, "--primaries", primaries] + options, capture_output=True, text=True)
            written = [f for f in os.listdir(out) if f.endswith(".exr")]
            if made.returncode or not written:
                said = [l for l in made.stderr.splitlines() if "error" in l or "failed" in l or name in l]
                print(f"{name}\trefused\t{(said or made.stderr.splitlines() or ['?'])[0].split(': ', 1)[-1][:150]}")
                continue
            ours = OpenEXR.File(os.path.join(out, written[0]), separate_channels=True).channels()
            image, alpha = reference(part, layer)
            if primaries == "bt2020":
                image = image @ to_bt2020(tuple(stated[:6]), tuple(stated[6:])).T
            found = np.stack([ours[c].pixels for c in "RGB"], -1)
            if found.shape != image.shape:
                print(f"{name}\tSIZE {found.shape} {image.shape}")
                continue
            wanted = half(image)
            equal = np.mean(found == wanted)
            a, b = found.astype(np.float64), finite(image)
            large = np.maximum(np.abs(a), np.abs(b))
            floor = max(1e-3 * large.max(), 1e-6)
            difference = float((np.abs(a - b) / np.maximum(large, floor)).max())
            note = ""
            if alpha is not None:
                note = f", alpha {np.mean(ours['A'].pixels == half(alpha)):.4f}"
            kind = str(part.header.get("compression")).split(".")[-1]
            print(f"{name}\tread\t{kind}\t{','.join(list(part.channels)[:6])}\t{equal:.6f}{note}\t{difference:.2e}")


main()
