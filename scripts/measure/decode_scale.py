#!/usr/bin/env python3
"""The error of --decode-scale on photos: docs/data/decode-scale.tsv.

    scripts/measure/decode_scale.py [--program HDRBATCH] PHOTO... [--tsv FILE]

Each photo is made smaller with its pixels decoded whole and at 1/2, 1/4 and 1/8: to 512 and 400 pixels, and to the
largest size for each scale, where it is worst. The SDR and the HDR rendition are written as OpenEXR, and `compare` says
what they differ by: dE ITP (BT.2124) and the PSNR of PQ signals. Photos that are not JPEG are made Adaptive JPEGs of
quality 95 first, those without HDR SDR JPEGs.
"""
import argparse
import json
import pathlib
import subprocess
import tempfile

HEADS = ("photo", "size", "result", "scale", "SDR dE ITP p95", "SDR largest", "SDR PSNR-PQ", "HDR dE ITP p95",
         "HDR largest", "HDR PSNR-PQ")
JPEG = (".jpg", ".jpeg")


class Program:
    """Renders and compares photos by hdrbatch."""

    def __init__(self, program, folder):
        self.program, self.folder = program, pathlib.Path(folder)

    def run(self, *words):
        return subprocess.run([self.program, *map(str, words)], check=True, capture_output=True, text=True).stdout

    def render(self, photo, path, *options):
        """Renders a photo to a file; returns its record."""
        record = self.folder / "record.jsonl"
        self.run("render", photo, "--out", path, "--backend", "cpu", "--isolation", "none", "--journal", "none",
                 "--record", record, *options)
        return next(row for row in map(json.loads, record.read_text().splitlines()) if row["type"] == "item")

    def opened(self, photo):
        """The photo as a JPEG, with its size."""
        if photo.suffix.lower() not in JPEG:
            made = self.folder / "photo.jpg"
            self.render(photo, made, "--to", "adaptive-jpeg", "--if-sdr", "sdr-jpeg", "--quality", "95")
            photo = made
        said = json.loads(self.run("info", "--json", photo))
        return photo, said["width"], said["height"]

    def renditions(self, photo, size, scale):
        """Files of the SDR and the HDR rendition, and the scale at which the photo was decoded."""
        files = []
        for name, options in (("sdr", ["--headroom", "1"]), ("hdr", [])):
            files.append(self.folder / f"{size}-{scale}-{name}.exr")
            item = self.render(photo, files[-1], "--to", "exr", "--resize", size, "--decode-scale", scale,
                               "--on-existing", "replace", *options)
        return files, item["decodeScale"] or 1

    def differences(self, pairs):
        """The 95th percentile of dE ITP, its largest, and the PSNR of PQ signals of each pair."""
        listed = self.folder / "pairs.tsv"
        listed.write_text("".join(f"{a}\t{b}\n" for a, b in pairs), encoding="utf-8")
        report = self.run("compare", "--list", listed, "--metrics", "dE-ITP,psnr-pq", "--backend", "cpu", "--isolation",
                          "none", "--json", "-")
        for pair in map(json.loads, report.splitlines()):
            if pair["type"] == "pair":
                found = pair["headrooms"][-1]
                psnr = found["psnr-pq"]
                yield (f"{found['dE-ITP']['p95']:.2f}", f"{found['dE-ITP']['max']:.1f}",
                       "-" if psnr == "inf" else f"{psnr:.1f}")


def rows(maker, photo):
    """The rows of a photo."""
    jpeg, width, height = maker.opened(photo)
    longer = max(width, height)
    sizes = {size: [2, 4, 8] for size in (512, 400) if 4 * size <= longer}
    for scale in (2, 4, 8):
        sizes.setdefault(longer // (2 * scale), []).append(scale)
    heads, pairs = [], []
    for size, scales in sizes.items():
        whole, _ = maker.renditions(jpeg, size, 1)
        for scale in scales:
            if 2 * scale * size > longer:
                continue
            smaller, used = maker.renditions(jpeg, size, scale)
            if used == scale:
                heads.append((photo.stem, f"{width}x{height}", str(size), str(scale)))
                pairs += zip(whole, smaller)
    found = list(maker.differences(pairs)) if pairs else []
    for index, head in enumerate(heads):
        yield (*head, *found[2 * index], *found[2 * index + 1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photos", nargs="+", type=pathlib.Path)
    parser.add_argument("--program", default=".build/release/hdrbatch")
    parser.add_argument("--tsv", type=pathlib.Path)
    told = parser.parse_args()
    table = [HEADS]
    for photo in told.photos:
        with tempfile.TemporaryDirectory(prefix="decode-scale-") as folder:
            for row in rows(Program(told.program, folder), photo):
                table.append(row)
                print("\t".join(row), flush=True)
    if told.tsv:
        told.tsv.write_text("".join("\t".join(row) + "\n" for row in table), encoding="utf-8")


if __name__ == "__main__":
    main()
