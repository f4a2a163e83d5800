#!/usr/bin/env python3
"""Decodes an Adaptive HDR JPEG with libultrahdr (PyPI imagecodecs) to linear light and prints samples of it.

    python3 scripts/peers/oracles/ultrahdr_decode.py FILE [STEP [BOOST]]

One line `x y r g b` for every STEP-th column and row (8 without it), tab-separated; linear light, 1.0 = reference white,
in the primaries that libultrahdr works in. BOOST limits the display's headroom, a factor of reference white. Exit status
77 where imagecodecs is not installed.
"""
import sys

try:
    import imagecodecs
except ImportError:
    print("skipped: no imagecodecs", file=sys.stderr)
    sys.exit(77)


def main(path, step=8, boost=None):
    with open(path, "rb") as file:
        light = imagecodecs.ultrahdr_decode(file.read(), dtype="float16", boost=boost)
    for y in range(0, light.shape[0], step):
        for x in range(0, light.shape[1], step):
            print(x, y, *(f"{float(v):.6g}" for v in light[y, x, :3]), sep="\t")


if __name__ == "__main__":
    main(sys.argv[1], *(int(v) for v in sys.argv[2:3]), *(float(v) for v in sys.argv[3:4]))
