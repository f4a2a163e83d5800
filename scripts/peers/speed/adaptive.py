#!/usr/bin/env python3
"""Times libultrahdr (of PyPI imagecodecs) and hdrbatch on the same pair of renditions in the same run.

    python3 scripts/peers/speed/adaptive.py .build/release/hdrbatch [--repeats N] [bench adaptive's options]

`hdrbatch bench adaptive` makes a pair (or takes --sdr FILE --hdr FILE) and measures itself; libultrahdr's encoder gets the
same pixels, RGBA8888 sRGB and RGBA half-float linear, the same quality and the same kinds of map, by its C interface
(ultrahdr_api.h, "API-1"): imagecodecs' own function passes no SDR rendition. Both figures are user time of the process, all
threads, in ms per megapixel of the base: medians after a warm-up. The two programs take turns. Prints Markdown. Exit
status 77 where imagecodecs is not installed.
"""
import argparse
import ctypes
import glob
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile

try:
    import imagecodecs
    import numpy as np
except ImportError:
    print("skipped: no imagecodecs", file=sys.stderr)
    sys.exit(77)

RGBA8888, HALF_FLOAT = 3, 4
LINEAR, SRGB, FULL = 0, 3, 1
HDR, SDR, BASE, MAP = 0, 1, 2, 3
GAMUTS = {1: 0, 12: 1, 9: 2}  # H.273 primaries: BT.709, Display P3, BT.2100
PRESETS = {"best quality": 1, "real time": 0}


class Error(ctypes.Structure):
    _fields_ = [("code", ctypes.c_int), ("has_detail", ctypes.c_int), ("detail", ctypes.c_char * 256)]


class RawImage(ctypes.Structure):
    _fields_ = [
        ("format", ctypes.c_int), ("gamut", ctypes.c_int), ("transfer", ctypes.c_int), ("range", ctypes.c_int),
        ("width", ctypes.c_uint), ("height", ctypes.c_uint), ("planes", ctypes.c_void_p * 3),
        ("stride", ctypes.c_uint * 3),
    ]


class CodedImage(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("size", ctypes.c_size_t), ("capacity", ctypes.c_size_t)]


def load():
    """The library that imagecodecs brings; its own dependencies are loaded with the module that uses it."""
    imagecodecs.ultrahdr_version()
    folder = os.path.join(os.path.dirname(os.path.dirname(imagecodecs.__file__)), "imagecodecs.libs")
    library = ctypes.CDLL(glob.glob(os.path.join(folder, "libuhdr-*.so*"))[0])
    library.uhdr_create_encoder.restype = ctypes.c_void_p
    library.uhdr_release_encoder.argtypes = [ctypes.c_void_p]
    library.uhdr_get_encoded_stream.argtypes = [ctypes.c_void_p]
    library.uhdr_get_encoded_stream.restype = ctypes.POINTER(CodedImage)
    for name, types in [
        ("uhdr_enc_set_raw_image", [ctypes.POINTER(RawImage), ctypes.c_int]),
        ("uhdr_enc_set_quality", [ctypes.c_int, ctypes.c_int]),
        ("uhdr_enc_set_using_multi_channel_gainmap", [ctypes.c_int]),
        ("uhdr_enc_set_gainmap_scale_factor", [ctypes.c_int]),
        ("uhdr_enc_set_preset", [ctypes.c_int]),
        ("uhdr_encode", []),
    ]:
        function = getattr(library, name)
        function.argtypes = [ctypes.c_void_p, *types]
        function.restype = Error
    return library


def raw(pixels, pair, form, transfer):
    height, width = pixels.shape[:2]
    planes = (ctypes.c_void_p * 3)(pixels.ctypes.data, None, None)
    return RawImage(
        form, GAMUTS[pair["primaries"]], transfer, FULL, width, height, planes, (ctypes.c_uint * 3)(width, 0, 0))


def user_seconds():
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime


def encode(library, sdr, hdr, quality, channels, scale, preset):
    """User seconds of one file, and its bytes."""
    start = user_seconds()
    encoder = library.uhdr_create_encoder()

    def call(name, *arguments):
        error = getattr(library, name)(encoder, *arguments)
        if error.code != 0:
            sys.exit(f"{name}: {error.code} {error.detail.decode()}")

    call("uhdr_enc_set_raw_image", ctypes.byref(sdr), SDR)
    call("uhdr_enc_set_raw_image", ctypes.byref(hdr), HDR)
    call("uhdr_enc_set_quality", quality, BASE)
    call("uhdr_enc_set_quality", quality, MAP)
    call("uhdr_enc_set_using_multi_channel_gainmap", 1 if channels == 3 else 0)
    call("uhdr_enc_set_gainmap_scale_factor", scale)
    call("uhdr_enc_set_preset", preset)
    call("uhdr_encode")
    stream = library.uhdr_get_encoded_stream(encoder).contents
    data = ctypes.string_at(stream.data, stream.size)
    library.uhdr_release_encoder(encoder)
    return user_seconds() - start, data


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--repeats", type=int, default=5)
    options, rest = parser.parse_known_args()
    library = load()
    with tempfile.TemporaryDirectory() as folder:
        ours = os.path.join(folder, "ours.json")
        command = [
            options.program, "bench", "adaptive", "--repeats", str(options.repeats), "--json", ours, *rest,
        ]
        subprocess.run([*command, "--keep", folder], check=True, stdout=subprocess.DEVNULL)
        with open(ours) as file:
            before = json.load(file)["rows"]
        with open(os.path.join(folder, "pair.json")) as file:
            pair = json.load(file)
        shape = (pair["height"], pair["width"], 4)
        sdr = np.fromfile(os.path.join(folder, "sdr.rgba8"), np.uint8).reshape(shape)
        hdr = np.fromfile(os.path.join(folder, "hdr.rgba16f"), np.float16).reshape(shape)
        images = raw(sdr, pair, RGBA8888, SRGB), raw(hdr, pair, HALF_FLOAT, LINEAR)
        megapixels = shape[0] * shape[1] / 1e6
        theirs = {}
        for row in before:
            for name, preset in PRESETS.items():
                runs = []
                for i in range(options.repeats + 1):
                    seconds, data = encode(library, *images, pair["quality"], row["channels"], row["scale"], preset)
                    if i > 0:
                        runs.append(seconds * 1e3 / megapixels)
                theirs[row["channels"], row["scale"], name] = statistics.median(runs), len(data)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        with open(ours) as file:
            after = json.load(file)["rows"]

    print(f"{shape[1]}x{shape[0]}, quality {pair['quality']}, user ms/MP; libultrahdr {imagecodecs.ultrahdr_version()}\n")
    print("| map | hdrbatch | MB | " + " | ".join(f"libultrahdr, {p} | ratio | MB" for p in PRESETS) + " |")
    print("|---|" + "---:|" * (2 + 3 * len(PRESETS)))
    for one, two in zip(before, after):
        key = one["channels"], one["scale"]
        mine = (one["userMsPerMP"] + two["userMsPerMP"]) / 2
        cells = [f"{key[0]}-channel, 1/{key[1]}", f"{mine:.1f}", f"{one['fileBytes'] / 1e6:.1f}"]
        for preset in PRESETS:
            other, size = theirs[(*key, preset)]
            cells += [f"{other:.1f}", f"{other / mine:.1f}", f"{size / 1e6:.1f}"]
        print("| " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
