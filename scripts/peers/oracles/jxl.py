#!/usr/bin/env python3
"""JPEG XL through another build of libjxl: what hdrbatch reads and writes.

    python3 jxl.py read HDRBATCH FILE...        a row a file: outcome or reason, samples, distance
    python3 jxl.py recompress HDRBATCH FILE...  JPEGs: bytes, bytes as JPEG XL, whether both restore it
    python3 jxl.py gainmap LIBJXL FILE...       jhgm boxes by JxlGainMapReadBundle of libjxl 0.11
    python3 jxl.py speed HDRBATCH FILE          lossless PQ at effort 1, one thread

Wants imagecodecs (libjxl 0.11) and numpy. `read` renders to linear halves with nothing done to the light (--tone-map none) in the
file's primaries and compares with the oracle's samples through the same curve: the distance is the largest difference relative to
white, of light at most white. Files whose colour is only an ICC profile have an outcome and no distance.
"""
import ctypes
import json
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import imagecodecs
import numpy as np


def run(*words):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True)


def scaled(samples, bits):
    """Samples as shares of their largest code; the oracle gives fewer than 16 bits unscaled."""
    if samples.dtype.kind == "f":
        return samples.astype(np.float64)
    full = 2**bits - 1 if bits < 16 and samples.max(initial=0) < 2**bits else np.iinfo(samples.dtype).max
    return samples.astype(np.float64) / full


def light(v, transfer):
    sign, a = np.sign(v), np.abs(v)
    if transfer == 8:
        return v
    if transfer == 13:
        return sign * np.where(a <= 0.04045, a / 12.92, ((a + 0.055) / 1.055) ** 2.4)
    if transfer == 16:
        p = np.clip(v, 0, 1) ** (1 / 78.84375)
        return (np.maximum(p - 0.8359375, 0) / (18.8515625 - 18.6875 * p)) ** (1 / 0.1593017578125) * 10000 / 203
    return None


def read(program, paths):
    print("file\toutcome\tsamples\tcolour\tdistance")
    for path in map(Path, paths):
        with tempfile.TemporaryDirectory() as folder:
            told = run(program, "info", "--json", path)
            if told.returncode:
                print(path.name, (told.stderr or told.stdout).strip().split("\n")[-1], "", "", "", sep="\t")
                continue
            info = json.loads(told.stdout.split("\n")[0])
            cicp = info.get("cicp") or {}
            colour = f"{cicp.get('primaries', '-')}/{cicp.get('transfer', '-')}"
            names = {1: "srgb", 9: "bt2020", 12: "p3"}
            made = run(program, "render", path, "--out", folder, "--to", "rgba16f", "--tone-map", "none", "--headroom", "64",
                       "--gamut", "none", "--backend", "cpu", "--primaries", names.get(cicp.get("primaries"), "bt2020"))
            found = list(Path(folder).glob("*.rgba16f"))
            if made.returncode or not found:
                print(path.name, made.stderr.strip().split("\n")[-1], "", colour, "", sep="\t")
                continue
            side = json.loads(Path(str(found[0]) + ".json").read_text())
            ours = np.frombuffer(found[0].read_bytes(), np.float16).reshape(side["height"], side["width"], 4)
            samples = f"{side['width']}x{side['height']}"
            try:
                other = imagecodecs.jpegxl_decode(path.read_bytes())
            except Exception as error:  # the oracle's own limits
                print(path.name, "read", samples, colour, f"oracle: {error}", sep="\t")
                continue
            while other.ndim > 3 or other.ndim == 3 and other.shape[:2] != ours.shape[:2]:
                other = other[0]
            other = other[:, :, None] if other.ndim == 2 else other
            bits = info.get("bitDepth", 16)
            guess = next((n for n in range(9, 16) if other.dtype == np.uint16 and other.max(initial=0) < 2**n), bits)
            linear = light(scaled(other, guess), cicp.get("transfer"))
            if linear is None or cicp.get("primaries") not in names or linear.shape[:2] != ours.shape[:2]:
                print(path.name, "read", samples, colour, "-", sep="\t")
                continue
            colours = 1 if other.shape[2] < 3 else 3
            wanted = np.broadcast_to(linear[:, :, :colours], ours.shape[:2] + (3,))
            solid = np.ones(ours.shape[:2], bool) if other.shape[2] % 2 else scaled(other, guess)[:, :, -1] > 0.99
            far = np.abs(np.clip(ours[:, :, :3].astype(np.float64), 0, 1) - np.clip(wanted, 0, 1))[solid]
            print(path.name, "read", samples, colour, f"{far.max(initial=0):.2g}", sep="\t")


def recompress(program, paths):
    print("file\tbytes\tas JPEG XL\tratio\trestored by the oracle")
    for path in map(Path, paths):
        with tempfile.TemporaryDirectory() as folder:
            made = run(program, "render", path, "--out", folder, "--to", "recompress-jxl", "--recompress", "whole")
            found = list(Path(folder).glob("*.jxl"))
            if made.returncode or not found:
                print(path.name, made.stderr.strip().split("\n")[-1], sep="\t")
                continue
            data, jpeg = found[0].read_bytes(), path.read_bytes()
            same = bytes(imagecodecs.jpegxl_decode_jpeg(data)) == jpeg
            print(path.name, len(jpeg), len(data), f"{len(data) / len(jpeg):.3f}", same, sep="\t")


class Bundle(ctypes.Structure):
    """JxlGainMapBundle of jxl/gain_map.h."""
    _fields_ = [("version", ctypes.c_uint8), ("metadata_size", ctypes.c_uint16), ("metadata", ctypes.c_void_p),
                ("has_color", ctypes.c_int), ("color", ctypes.c_uint64 * 13), ("icc_size", ctypes.c_uint32),
                ("icc", ctypes.c_void_p), ("map_size", ctypes.c_uint32), ("map", ctypes.c_void_p)]


def gainmap(library, paths):
    functions = ctypes.CDLL(library)
    for path in map(Path, paths):
        data, at, payload = path.read_bytes(), 0, None
        while at + 8 <= len(data):
            size, kind = struct.unpack(">I4s", data[at:at + 8])
            if kind == b"jhgm":
                payload = data[at + 8:at + size]
            at += size or len(data)
        if payload is None:
            print(path.name, "no jhgm box", sep="\t")
            continue
        bundle, used = Bundle(), ctypes.c_size_t()
        ok = functions.JxlGainMapReadBundle(ctypes.byref(bundle), payload, ctypes.c_size_t(len(payload)), ctypes.byref(used))
        stream = ctypes.string_at(bundle.map, bundle.map_size) if ok else b""
        shape = imagecodecs.jpegxl_decode(stream).shape if ok else None
        print(path.name, f"accepted {ok}, {used.value} of {len(payload)} bytes, metadata {bundle.metadata_size}, colour "
              f"{bundle.has_color}, map {shape}", sep="\t")


def speed(program, path):
    with tempfile.TemporaryDirectory() as folder:
        made = run(program, "render", path, "--out", folder, "--to", "pq-png", "--backend", "cpu")
        png = next(Path(folder).glob("*.png"), None) or sys.exit(made.stderr)
        pixels = imagecodecs.png_decode(png.read_bytes())[:, :, :3]
        start = time.perf_counter()
        size = len(imagecodecs.jpegxl_encode(np.ascontiguousarray(pixels), lossless=True, effort=1, numthreads=1))
        other = time.perf_counter() - start
        record = Path(folder) / "r.jsonl"
        run(program, "render", png, "--out", folder, "--to", "pq-jxl", "--backend", "cpu", "--codec-threads", "1", "--jobs", "1",
            "--record", record)
        item = next(row for row in map(json.loads, record.read_text().split("\n")[:-1]) if row["type"] == "item")
        own, mega = item["seconds"]["encode"]["wall"], pixels.shape[0] * pixels.shape[1] / 1e6
        print(f"{mega:.1f} MP: hdrbatch {own:.2f} s ({mega / own:.1f} MP/s, {item['bytesOut']} bytes), "
              f"imagecodecs {other:.2f} s ({mega / other:.1f} MP/s, {size} bytes)")


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    work = {"read": read, "recompress": recompress, "gainmap": gainmap}
    if sys.argv[1] == "speed":
        speed(sys.argv[2], sys.argv[3])
    else:
        work[sys.argv[1]](sys.argv[2], sys.argv[3:])
