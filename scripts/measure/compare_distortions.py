#!/usr/bin/env python3
"""What `compare` says of known distortions, beside other programs.

    scripts/measure/compare_distortions.py PROGRAM > docs/data/compare-distortions.tsv

Pairs are those of ../shared/data/compare: two pictures of 176 x 128 in PQ, distorted in known ways or encoded. A row has
the mean of both pictures, in full; ssimulacra2 and dE-2000 are of headroom 1. Of PNG, other programs are asked too: PSNR
of idiff (OpenImageIO), of compare (ImageMagick) and of ffmpeg, and ffmpeg's ssim. One that is missing has no numbers.
Their versions go to stderr.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = ROOT.parent / "shared" / "data" / "compare"
NUMBERS = [
    ("full", "dE-ITP", "p95"), ("full", "dE-seen", "p95"), ("full", "dE-seen", "tile"), ("full", "psnr-pq", None),
    ("full", "pu-psnr", None), ("full", "ssim", None), ("full", "flip", "mean"), (1, "ssimulacra2", None),
    (1, "dE-2000", "p95"), ("full", "bias", None), ("full", "lost", None), ("full", "hue", None),
    ("full", "shift", "distance"),
]


def run(*words):
    if not shutil.which(words[0]):
        return ""
    ended = subprocess.run(words, capture_output=True, text=True)
    return ended.stdout + ended.stderr


def number(text, pattern):
    found = re.search(pattern, text)
    if not found:
        return None
    return float("inf") if found[1] in ("inf", "1.#INF") else float(found[1])


def own(program, a, b):
    metrics = ",".join(sorted({metric for _, metric, _ in NUMBERS}))
    words = [program, "compare", a, b, "--metrics", metrics, "--headrooms", "1,full", "--json", "-"]
    ended = subprocess.run(words, capture_output=True, text=True)
    pairs = [row for row in map(json.loads, ended.stdout.splitlines()) if row["type"] == "pair"]
    if not pairs or not pairs[0]["headrooms"]:
        sys.exit(f"{a}, {b}: {ended.stderr}{pairs[0]['message'] if pairs else ''}")
    renditions = {row["headroom"]: row for row in pairs[0]["headrooms"]}

    def value(headroom, metric, part):
        found = renditions[headroom].get(metric)
        return found.get(part) if isinstance(found, dict) else float(found) if found is not None else None

    return [value(*wanted) for wanted in NUMBERS]


def others(a, b):
    if not b.endswith(".png"):
        return [None] * 4
    ffmpeg = ["ffmpeg", "-hide_banner", "-i", b, "-i", a]
    return [
        number(run("idiff", a, b), r"Peak SNR = (\S+)"),
        number(run("compare", "-metric", "PSNR", a, b, "null:"), r"^(\S+)"),
        number(run(*ffmpeg, "-lavfi", "psnr", "-f", "null", "-"), r"average:(\S+)"),
        number(run(*ffmpeg, "-lavfi", "ssim", "-f", "null", "-"), r"All:(\S+)"),
    ]


def mean(values):
    values = [value for value in values if value is not None]
    return f"{sum(values) / len(values):.4g}" if values else ""


def main():
    program, rows = sys.argv[1], {}
    for line in (DATA / "pairs.tsv").read_text().splitlines()[1:]:
        a, b, verdict, *expected = line.split("\t")
        name = pathlib.Path(b).name.rsplit(".", 1)[0].split("_", 1)
        if verdict.startswith("compared") and expected[0] and len(name) == 2:
            paths = str(DATA / a), str(DATA / b)
            rows.setdefault(name[1], []).append(own(program, *paths) + others(*paths))
    for words in (["idiff", "--version"], ["compare", "-version"], ["ffmpeg", "-version"]):
        print((run(*words) or f"{words[0]}: missing").splitlines()[0], file=sys.stderr)
    names = [f"{metric}{'' if part is None else ' ' + part}" for _, metric, part in NUMBERS]
    print("\t".join(["distortion", "pictures"] + names + [
        "idiff PSNR", "ImageMagick PSNR", "ffmpeg psnr", "ffmpeg ssim"]))
    for name, values in rows.items():
        print("\t".join([name, str(len(values))] + [mean(column) for column in zip(*values)]))


main()
