#!/usr/bin/env python3
"""What --quality-target finds on photos: docs/data/quality-target.tsv.

    scripts/measure/quality_target.py [--program HDRBATCH] PHOTO... [--target dE-seen:2] [--resize 768] [--tsv FILE]

Each photo is made smaller and written in each kind with the target. The table has the quality that was found, its error
and bytes, and all that was tried for it. A summary is printed: encodes and files that met the target.
"""
import argparse
import json
import os
import statistics
import subprocess
import tempfile

HEADS = ("photo", "output", "target", "status", "quality", "error", "bytes", "encodes", "tried (quality: error)")
KINDS = ("sdr-jpeg", "pq-avif", "pq-heic", "pq-jxl", "adaptive-jpeg")


def number(value):
    """An error of a record, rounded."""
    return value if isinstance(value, str) else "-" if value is None else f"{value:.2f}"


def items(options, target):
    """The items of a record of all photos and kinds."""
    with tempfile.TemporaryDirectory(prefix="quality-target-") as folder:
        record = os.path.join(folder, "record.jsonl")
        words = [word for kind in options.kinds for word in ("--to", kind)]
        subprocess.run(
            [options.program, "render", *options.photos, "--out", os.path.join(folder, "out"), *words,
             "--quality-target", target, "--resize", options.resize, "--if-sdr", "sdr-jpeg", "--record", record,
             "--progress", "none", "--journal", "none", "--max-seconds", "600", "--name", "{stem}-{parent}.{ext}"],
            stderr=subprocess.DEVNULL, check=False)
        with open(record, encoding="utf-8") as lines:
            return [row for row in map(json.loads, lines) if row["type"] == "item"]


def rows(found, target, kinds):
    """The rows of the table."""
    # A record has items in the order in which they were done.
    for item in sorted(found, key=lambda item: item["index"]):
        tried = item["qualityTried"]
        best = next((trial for trial in tried if trial["quality"] == item["quality"]), {})
        yield (os.path.basename(item["input"]), kinds[item["index"] % len(kinds)], target,
               item["code"] or "met", "-" if item["quality"] is None else str(item["quality"]),
               number(best.get("value")), str(best.get("bytes", "-")), str(len(tried)),
               ", ".join(f"{trial['quality']}: {number(trial['value'])}" for trial in tried))


def main():
    """Makes the table and prints the summary."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photos", nargs="+")
    parser.add_argument("--program", default=".build/release/hdrbatch")
    parser.add_argument("--target", action="append")
    parser.add_argument("--resize", default="768")
    parser.add_argument("--kinds", nargs="+", default=KINDS)
    parser.add_argument("--tsv")
    options = parser.parse_args()
    table = [row for target in options.target or ["dE-seen:2"]
             for row in rows(items(options, target), target, options.kinds)]
    if options.tsv:
        with open(options.tsv, "w", encoding="utf-8") as file:
            for row in (HEADS, *table):
                file.write("\t".join(row) + "\n")
    for target in options.target or ["dE-seen:2"]:
        for kind in options.kinds:
            own = [row for row in table if row[1] == kind and row[2] == target and int(row[7]) > 0]
            if not own:
                continue
            met = [row for row in own if row[3] == "met"]
            errors = [float(row[5]) for row in met if row[5] not in ("-", "inf")] or [0]
            print(f"{kind} {target}: {len(own)} files, {len(met)} met, encodes mean "
                  f"{statistics.mean(int(row[7]) for row in own):.2f}, most {max(int(row[7]) for row in own)}, "
                  f"error median {statistics.median(errors):.2f}, largest {max(errors):.2f}")


if __name__ == "__main__":
    main()
