#!/usr/bin/env python3
"""Light of a scene through views of ACES, through its gamut compression and through views of a config: hdrbatch beside
OpenColorIO, on the same pixels, in turn, on one thread each: docs/performance.md.

    scripts/peers/speed/views.py HDRBATCH [--rounds N] [--megapixels X]

Needs numpy and opencolorio 2.6. Prints ns a pixel of CPU time, the median and the least of the rounds: of OpenColorIO
a style from ACES2065-1, or a view of the studio config, over pixels of binary32 in memory; of hdrbatch a render of halves
in ACES2065-1 to halves, and what it takes more than one without that step; of views of the config, which $OCIO names, to
codes of 16 bits, all of it.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy
import PyOpenColorIO as ocio

OUTPUT = "ACES-OUTPUT - ACES2065-1_to_CIE-XYZ-D65 - "
# A row's name, the style, the words, and the row without that step.
ROWS = [
    ("primaries alone", None, [], None),
    ("sdr-709", OUTPUT + "SDR-100nit-REC709_2.0", ["--view", "sdr-709"], "primaries alone"),
    ("hdr1000-p3", OUTPUT + "HDR-1000nit-P3-D65_2.0", ["--view", "hdr1000-p3"], "primaries alone"),
    ("hdr1000-2020", OUTPUT + "HDR-1000nit-REC2020_2.0", ["--view", "hdr1000-2020"], "primaries alone"),
    ("aces1-sdr", OUTPUT + "SDR-VIDEO_1.0", ["--view", "aces1-sdr"], "primaries alone"),
    ("aces1-hdr1000", OUTPUT + "HDR-VIDEO-1000nit-15nit-REC2020lim_1.1", ["--view", "aces1-hdr1000"],
     "primaries alone"),
    ("gamut, then sdr-709", "ACES-LMT - ACES 1.3 Reference Gamut Compression",
     ["--filter", "aces-gamut-compress", "--view", "sdr-709"], "sdr-709"),
]
CONFIG = Path(__file__).parents[3] / "Sources/CBuiltinConfigs/configs/studio-config-v5.0.0_aces-v2.1_ocio-v2.6.ocio"
# A row's name, display, view, and kind of output.
CONFIG_ROWS = [
    ("config, sRGB", "sRGB - Display", "ACES 2.0 - SDR 100 nits (Rec.709)", "sdr-raw:rgb48"),
    ("config, PQ", "Rec.2100-PQ - Display", "ACES 2.0 - HDR 1000 nits (P3 D65)", "pq-raw:rgb48"),
    ("config, HLG", "Rec.2100-HLG - Display", "ACES 2.0 - HDR 1000 nits (P3 D65)", "hlg-raw:rgb48"),
]


def scene(pixels):
    """Light of 2^-8 to 2^5, colours of all kinds, a tenth of them outside AP1."""
    random = numpy.random.default_rng(1)
    light = 2 ** random.uniform(-8, 5, (pixels, 1))
    colors = light * (1 - random.uniform(0, 1, (pixels, 1)) * random.uniform(0, 1.1, (pixels, 3)))
    return numpy.concatenate([colors, numpy.ones((pixels, 1))], 1).astype(numpy.float16)


def of_style(style):
    return ocio.Config.CreateRaw().getProcessor(ocio.BuiltinTransform(style)).getDefaultCPUProcessor()


def of_config(display, view):
    transform = ocio.DisplayViewTransform(src="ACES2065-1", display=display, view=view)
    return ocio.Config.CreateFromFile(str(CONFIG)).getProcessor(transform).getDefaultCPUProcessor()


def theirs(processor, halves):
    pixels = halves.astype(numpy.float32)
    start = time.process_time()
    processor.applyRGBA(pixels)
    return time.process_time() - start


def ours(program, folder, size, words, kind="rgba16f", variables={}):
    subprocess.run(
        [program, "render", folder / "scene.raw", "--from", f"raw:rgbah,{size}", "--from-space", "ACES2065-1", "--out",
         folder / "out", "--to", kind, "--on-existing", "replace", "--backend", "cpu", "--threads", "1", "--jobs",
         "1", "--record", folder / "record.jsonl", "--journal", "none", "--progress", "none", *words],
        check=True, env={**os.environ, **variables}, stderr=subprocess.DEVNULL)
    rows = [json.loads(line) for line in (folder / "record.jsonl").read_text().splitlines()]
    (folder / "record.jsonl").unlink()
    return next(row for row in rows if row["type"] == "item")["seconds"]["render"]["cpu"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--megapixels", type=float, default=4)
    options = parser.parse_args()
    height = max(1, round(options.megapixels * 1e6 / 2000))
    halves = scene(2000 * height)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        halves.tofile(folder / "scene.raw")
        times = {}
        for turn in range(options.rounds + 1):
            for row, style, words, _ in ROWS:
                own = ours(options.program, folder, f"2000x{height}", words)
                other = theirs(of_style(style), halves) if style else 0
                # The first round warms up.
                if turn:
                    times.setdefault(row, []).append((own, other))
            for row, display, view, kind in CONFIG_ROWS:
                own = ours(options.program, folder, f"2000x{height}", ["--ocio-display", display, "--view", view], kind,
                           {"OCIO": str(CONFIG)})
                other = theirs(of_config(display, view), halves)
                if turn:
                    times.setdefault(row, []).append((own, other))
    scale = 1e9 / len(halves)
    medians = {row: statistics.median(own for own, _ in list) * scale for row, list in times.items()}
    print(f"OpenColorIO {ocio.__version__}, {len(halves) / 1e6:.1f} MP, {options.rounds} rounds; "
          "ns a pixel, median (least)")
    print(f"{'':20} {'hdrbatch':>16} {'adds':>7} {'OpenColorIO':>16} {'times':>6}")
    for row, without in [(row, without) for row, _, _, without in ROWS] + [(row, None) for row, *_ in CONFIG_ROWS]:
        own, other = ([one[side] * scale for one in times[row]] for side in (0, 1))
        line = f"{row:20} {medians[row]:8.1f} ({min(own):5.1f})"
        if without:
            adds, theirs_median = medians[row] - medians[without], statistics.median(other)
            line += f" {adds:7.1f} {theirs_median:8.1f} ({min(other):5.1f}) {theirs_median / adds:6.1f}"
        elif any(other):
            theirs_median = statistics.median(other)
            line += f" {'':7} {theirs_median:8.1f} ({min(other):5.1f}) {theirs_median / medians[row]:6.1f}"
        print(line)


if __name__ == "__main__":
    sys.exit(main())
