#!/usr/bin/env python3
"""What each filter adds to a render, as a table of tabs: docs/data/filter-cost.tsv.

    hdrbatch bench filters --megapixels 3 --repeats 5 --json report.json
    scripts/measure/filter_cost.py report.json > docs/data/filter-cost.tsv

The dearest stand first. Numbers of a CPU are ns a pixel of the source on one thread; those below 0.5 are noise.
"""
import argparse
import json
import pathlib


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("report", type=pathlib.Path, help="what bench filters --json wrote")
    rows = json.loads(parser.parse_args().report.read_text())["rows"]
    rows = [row for row in rows if row.get("bench") == "filters" and row["backend"] == "cpu" and row["filter"] != "none"]
    print("filter\tpasses\tadded")
    for row in sorted(rows, key=lambda row: -row["addedNsPerPixel"]):
        print(row["filter"], row["passes"], f"{max(0, row['addedNsPerPixel']):.1f}", sep="\t")


main()
