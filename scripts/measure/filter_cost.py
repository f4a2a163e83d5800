#!/usr/bin/env python3
"""What each filter adds to a render, as a table of tabs: docs/data/filter-cost.tsv.

    hdrbatch bench filters --megapixels 3 --repeats 5 --json one.json
    scripts/measure/filter_cost.py one.json two.json > docs/data/filter-cost.tsv

ns a pixel of the source, on one thread of the CPU and by a GPU's own clock; of several reports the least median, for other
programs only add. The dearest stand first; what is below 0.5 on a CPU is noise.
"""
import argparse
import json
import pathlib


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("report", nargs="+", type=pathlib.Path, help="what bench filters --json wrote")
    least, passes = {"cpu": {}, "gpu": {}}, {}
    for report in parser.parse_args().report:
        for row in json.loads(report.read_text())["rows"]:
            if row.get("bench") != "filters" or row["filter"] == "none":
                continue
            of, name = least[row["backend"]], row["filter"]
            of[name] = max(0, min(of.get(name, row["addedNsPerPixel"]), row["addedNsPerPixel"]))
            passes[name] = row["passes"]
    print("filter\tpasses\tCPU\tGPU")
    for name in sorted(passes, key=lambda name: -least["cpu"].get(name, 0)):
        print(name, passes[name], *(f"{of[name]:.{digits}f}" if name in of else "" for of, digits in
                                    ((least["cpu"], 1), (least["gpu"], 2))), sep="\t")


main()
