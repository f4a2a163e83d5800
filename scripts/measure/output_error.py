#!/usr/bin/env python3
"""What each kind of output loses against the light that it is made of, by `compare`.

    scripts/measure/output_error.py [--program HDRBATCH] PHOTO... [--tsv docs/data/output-error.tsv]

Photos are HDR, and are made smaller first (--resize, 1200 pixels): a PQ PNG of 16 bits, which is A. All kinds of HDR
whose files say what their light is are made of it with their standard settings. HLG, which ends at 1000 cd/m², is left
out. The numbers are those of the rendition in full, one comparison for all. With --tsv the table of docs/performance.md
follows on standard output: of each kind the worst photo.
"""
import argparse
import json
import pathlib
import subprocess
import tempfile

KINDS = ("exr", "linear-tiff", "linear-jxl", "pq-png", "pq-tiff", "pq-jxl", "pq-heic", "pq-avif", "adaptive-jpeg",
         "adaptive-heic", "adaptive-avif", "adaptive-jxl", "adaptive-png")
COLUMNS = ("dE-ITP p95", "dE-seen p95", "dE-seen tile", "psnr-pq", "bias")


def run(*words):
    return subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True).stdout


def cells(numbers):
    """The numbers of a pair in the order of the columns."""
    itp, seen, ratio = numbers["dE-ITP"], numbers["dE-seen"], numbers["psnr-pq"]
    values = [f"{value:.2f}" for value in (itp["p95"], seen["p95"], seen["tile"])]
    # No -0.0000.
    return values + ["inf" if ratio == "inf" else f"{ratio:.1f}", f"{round(numbers['bias'], 4) + 0:.4f}"]


def measured(program, photos, folder, resize):
    """Rows of photo, output and cells, photo by photo."""
    quiet = ("--progress", "none", "--journal", "none")
    pairs = []
    for number, photo in enumerate(photos):
        source = folder / f"{number}.png"
        run(program, "render", photo, "--out", source, "--to", "pq-png", "--resize", resize, *quiet)
        for kind in KINDS:
            out = folder / f"{number}-{kind}"
            run(program, "render", source, "--out", out, "--to", kind, *quiet)
            made, = (path for path in out.rglob("*") if path.is_file())
            pairs.append((photo.name, kind, source, made))
    listed = folder / "pairs.tsv"
    listed.write_text("".join(f"{a}\t{b}\n" for _, _, a, b in pairs))
    report = run(program, "compare", "--list", listed, "--headrooms", "full", "--metrics", "psnr-pq,dE-ITP,dE-seen,bias",
                 "--json", "-")
    found = [row for row in map(json.loads, report.splitlines()) if row["type"] == "pair"]
    for (photo, kind, _, _), row in zip(pairs, found, strict=True):
        yield [photo, kind, *cells(row["headrooms"][0])]


def worst(column, values):
    """The cell of the worst photo: the least ratio, the largest of all others."""
    return min(values, key=float) if COLUMNS[column] == "psnr-pq" else max(values, key=lambda cell: abs(float(cell)))


def page(rows):
    """The table of the page."""
    yield "| output | " + " | ".join(COLUMNS) + " |"
    yield "|---" * (len(COLUMNS) + 1) + "|"
    for kind in KINDS:
        own = [row[2:] for row in rows if row[1] == kind]
        yield f"| `{kind}` | " + " | ".join(worst(n, column) for n, column in enumerate(zip(*own))) + " |"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("photos", nargs="+", type=pathlib.Path)
    parser.add_argument("--program", default=".build/release/hdrbatch")
    parser.add_argument("--resize", default="1200")
    parser.add_argument("--tsv", type=pathlib.Path)
    told = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = list(measured(told.program, told.photos, pathlib.Path(folder), told.resize))
    table = "".join("\t".join(row) + "\n" for row in [["photo", "output", *COLUMNS], *rows])
    if told.tsv is None:
        print(table, end="")
    else:
        told.tsv.write_text(table)
        print("\n".join(page(rows)))


main()
