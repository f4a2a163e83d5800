#!/usr/bin/env python3
"""What Adaptive HDR files lose against the HDR that they are made of, by `compare`.

    scripts/measure/adaptive_error.py range [--program HDRBATCH] PHOTO... [--tsv docs/data/adaptive-range.tsv]
    scripts/measure/adaptive_error.py quality [--program HDRBATCH] PHOTO... [--tsv docs/data/avif-heic-quality.tsv]

`range` makes Adaptive JPEGs of quality 90 with `--map-range full` and with the standard one: the widest range of a
channel of the gain map in stops, and the PSNR of PQ signals at full headroom. `quality` makes HEIC and AVIF at four
qualities: PSNR, p95 of dE-seen, and bytes. Photos are HDR, and are made smaller first (--resize, 1200 pixels).
"""
import argparse
import json
import pathlib
import subprocess
import tempfile

QUALITIES = (50, 75, 90, 95)


class Maker:
    """Renders a photo and compares what was made with it."""

    def __init__(self, told, photo, folder):
        self.told, self.folder = told, pathlib.Path(folder)
        self.source = self.folder / "source.png"
        self.render(photo, self.source, "--to", "pq-png", "--resize", told.resize)

    def run(self, *words):
        ended = subprocess.run([self.told.program, *map(str, words)], check=True, capture_output=True, text=True)
        return ended.stdout

    def render(self, photo, path, *options):
        self.run("render", photo, "--out", path, "--progress", "none", "--journal", "none", *options)

    def made(self, name, *options):
        """A file of the photo, and its numbers at full headroom."""
        path = self.folder / name
        self.render(self.source, path, *options)
        report = self.run("compare", self.source, path, "--headrooms", "full", "--metrics", "psnr-pq,dE-seen", "--json",
                          "-")
        pair = next(row for row in map(json.loads, report.splitlines()) if row["type"] == "pair")
        return path, pair["headrooms"][0]


def ranges(maker):
    """The cells of a photo in the table of ranges."""
    cells = []
    for rule in ("full", "robust"):
        path, numbers = maker.made(f"{rule}.jpg", "--to", "adaptive-jpeg", "--quality", 90, "--map-quality", 90,
                                   "--map-range", rule)
        gains = json.loads(maker.run("info", "--json", path))["gainMap"]
        widest = max(high - low for low, high in zip(gains["min"], gains["max"]))
        cells += [f"{widest:.2f}", f"{numbers['psnr-pq']:.2f}", f"{numbers['dE-seen']['p95']:.2f}"]
    yield [f"{gains['alternateHeadroom']:.2f}", *cells]


def qualities(maker):
    """The rows of a photo in the table of qualities."""
    for quality in QUALITIES:
        found = [maker.made(f"{quality}{end}", "--to", kind, "--quality", quality)
                 for kind, end in (("adaptive-heic", ".heic"), ("adaptive-avif", ".avif"))]
        (heic, light), (avif, other) = found
        share = avif.stat().st_size / heic.stat().st_size
        yield [str(quality), f"{light['psnr-pq']:.1f}", f"{other['psnr-pq']:.1f}", f"{light['dE-seen']['p95']:.2f}",
               f"{other['dE-seen']['p95']:.2f}", f"{share:.2f}"]


TABLES = {
    "range": (ranges, ["headroom, stops", "full: widest range", "full: psnr-pq", "full: dE-seen p95",
                       "robust: widest range", "robust: psnr-pq", "robust: dE-seen p95"]),
    "quality": (qualities, ["quality", "HEIC psnr-pq", "AVIF psnr-pq", "HEIC dE-seen p95", "AVIF dE-seen p95",
                            "AVIF bytes over HEIC bytes"]),
}


def main():
    """Makes a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", choices=TABLES)
    parser.add_argument("photos", nargs="+", type=pathlib.Path)
    parser.add_argument("--program", default=".build/release/hdrbatch")
    parser.add_argument("--resize", default="1200")
    parser.add_argument("--tsv", type=pathlib.Path)
    told = parser.parse_args()
    rows, heads = TABLES[told.table]
    table = [["photo", *heads]]
    print("\t".join(table[0]), flush=True)
    for photo in told.photos:
        with tempfile.TemporaryDirectory(prefix="adaptive-error-") as folder:
            for row in rows(Maker(told, photo, folder)):
                table.append([photo.name, *row])
                print("\t".join(table[-1]), flush=True)
    if told.tsv:
        told.tsv.write_text("".join("\t".join(row) + "\n" for row in table), encoding="utf-8")


if __name__ == "__main__":
    main()
