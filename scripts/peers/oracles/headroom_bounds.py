#!/usr/bin/env python3
"""Largest light of outputs for stated displays, read by other software than hdrbatch.

    python3 scripts/peers/oracles/headroom_bounds.py HDRBATCH DATA > docs/data/headroom-bounds.tsv

Twelve sources for six displays, as rgba16f, pq-png and pq-heic. DATA is the folder of test images (two sources come from it).
Ends with 1 where an output exceeds its display by more than half a code, or MaxCLL its mastering display. Wants numpy and
imagecodecs.
"""
import json
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

import imagecodecs
import numpy as np

WHITE = 203.0
TARGETS = [  # arguments, headroom, cd/m² that PQ outputs end at
    (["--headroom", "1"], 1, WHITE), (["--headroom", "2"], 2, 2 * WHITE), (["--headroom", "8"], 8, 8 * WHITE),
    (["--display", "1000:100"], 10, 10 * WHITE), (["--display", "1600:203"], 1600 / 203, 1600),
    (["--display", "reference-mode"], 10, 1000),
]


def pq(nits):
    y = (np.asarray(nits, dtype=np.float64) / 10000) ** 0.1593017578125
    return ((0.8359375 + 18.8515625 * y) / (1 + 18.6875 * y)) ** 78.84375


def nits(signal):
    p = np.asarray(signal, dtype=np.float64) ** (1 / 78.84375)
    return 10000 * (np.maximum(p - 0.8359375, 0) / (18.8515625 - 18.6875 * p)) ** (1 / 0.1593017578125)


def png(path, cicp):
    """A ramp over all signals in grey, red, green and blue, 16 bits."""
    ramp = np.linspace(0, 65535, 256).round().astype(">u2")
    image = np.zeros((64, 256, 3), ">u2")
    for row, on in enumerate([(1, 1, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1)]):
        image[16 * row:16 * row + 16] = ramp[None, :, None] * np.array(on, ">u2")
    raw = b"".join(b"\0" + line.tobytes() for line in image)

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 256, 64, 16, 2, 0, 0, 0))
        + chunk(b"cICP", bytes(cicp)) + chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b""))
    return path


def main():
    program, data = sys.argv[1], Path(sys.argv[2])
    examples = Path(__file__).resolve().parents[3] / "Examples"
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)

        def made(*words):
            subprocess.run([program, "render", *map(str, words), "--progress", "none"], check=True, capture_output=True)
            return Path(words[words.index("-o") + 1])
        hdr_base = work / "hdr-base.avif"
        sources = [
            ("PQ, clli", examples / "citadel-pq.heic"), ("PQ ramp, no metadata", png(work / "pq.png", (9, 16, 0, 1))),
            ("HLG ramp", png(work / "hlg.png", (9, 18, 0, 1))), ("linear ramp", png(work / "linear.png", (9, 8, 0, 1))),
            ("SDR ramp", png(work / "sdr.png", (1, 13, 0, 1))),
            ("Apple map", data / "heic_gainmap/DJI_1_0226_D.heic"), ("ISO map, SDR base", examples / "temple.heic"),
            ("JPEG, hdrgm", examples / "lamps.jpg"), ("AVIF, map", examples / "citadel.avif"),
            ("HDR base", made(examples / "citadel-pq.heic", "--to", "adaptive-avif", "--base", "hdr", "-o", hdr_base)),
            ("HDR base, half-size map", made(
                examples / "citadel-pq.heic", "--to", "adaptive-avif", "--base", "hdr", "--map-scale", "2", "-o",
                work / "half.avif")),
            ("grid, half-size map", made(
                examples / "temple.heic", "--to", "adaptive-heic", "--map-scale", "2", "--filter",
                "crop=rect:0/0/641/481", "-o", work / "grid.heic")),
        ]
        print("source\tdisplay\theadroom\trgba16f peak\tpq-png peak\tMaxCLL\tmdcv peak\tcut share\tholds")
        failed = 0
        for label, source in sources:
            for words, headroom, end in TARGETS:
                out = work / "out"
                record = work / "record.jsonl"
                for kind in ["rgba16f", "pq-png", "pq-heic"]:
                    subprocess.run(
                        [program, "render", source, "--to", kind, "--out", out / kind, *words, "--on-existing", "replace",
                         "--record", work / f"{kind}.jsonl", "--progress", "none"], check=True, capture_output=True)
                def rows(kind):
                    lines = (work / f"{kind}.jsonl").read_text().splitlines()
                    return [row for row in map(json.loads, lines) if row["type"] == "item"]
                halves = np.fromfile(rows("rgba16f")[0]["output"], "<f2").reshape(-1, 4)[:, :3]
                codes = imagecodecs.png_decode(Path(rows("pq-png")[0]["output"]).read_bytes())[..., :3]
                linear, code = float(halves.max()), int(codes.max())
                heic = rows("pq-heic")[0]
                level, display = heic["clli"]["maxCLL"] if heic["clli"] else 0, heic["mdcv"]["maxLuminance"]
                # Half a code of either kind; MaxCLL counts whole cd/m².
                holds = (linear <= headroom * (1 + 2 ** -11) and code <= float(pq(end)) * 65535 + 0.5
                         and level <= np.ceil(display))
                failed += not holds
                print("\t".join([
                    label, words[1], f"{headroom:.4g}", f"{linear:.4f}", f"{float(nits(code / 65535)) / WHITE:.4f}",
                    f"{level:g}", f"{display:g}", f"{rows('rgba16f')[0]['clippedShare']:.3f}", "yes" if holds else "NO"]))
        sys.exit(1 if failed else 0)


main()
