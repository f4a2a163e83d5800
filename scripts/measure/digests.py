#!/usr/bin/env python3
"""Digests of a fixed list of renders, to see what a change changed.

    scripts/measure/digests.py PROGRAM > digests.tsv       one row a render of the list beside this script:
                                                           digest or error code, render
    scripts/measure/digests.py --compare OLD.tsv NEW.tsv   rows that differ; ends with 1 if there are any
    scripts/measure/digests.py --compare OLD.tsv NEW.tsv OLD NEW
                                                           the same, and what `compare` says of each: both programs
                                                           render it again

On the CPU, codecs in process. A render whose input is not there is skipped and counted.
"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = ROOT.parent / "shared" / "data"


def path(word):
    return word.replace("data:", f"{DATA}/") if "data:" in word else word


def run(program, source, options, folder):
    """Renders a row into a folder; returns what ended, and the outputs."""
    words = [program, "render", str(path(source) if "data:" in source else ROOT / source), "--out", f"{folder}/out"]
    words += [path(word) for word in options.split()]
    words += ["--record", f"{folder}/record.jsonl", "--backend", "cpu", "--threads", "1", "--jobs", "1"]
    words += ["--isolation", "none", "--progress", "none", "--durability", "none", "--journal", "none"]
    ended = subprocess.run(words, capture_output=True, text=True)
    return ended, sorted(p for p in pathlib.Path(f"{folder}/out").rglob("*") if p.is_file())


def render(program, source, options):
    with tempfile.TemporaryDirectory() as folder:
        ended, outputs = run(program, source, options, folder)
        if ended.returncode == 0 and outputs:
            return hashlib.sha256(b"".join(p.read_bytes() for p in outputs)).hexdigest()[:16]
        try:
            return json.loads(open(f"{folder}/record.jsonl").readline())["code"]
        except (OSError, ValueError, KeyError):
            return f"exit {ended.returncode}"


def difference(programs, name):
    """Renders a row by two programs; returns what `compare` says of the outputs, a line each."""
    source, options = name.split(" ", 1)
    with tempfile.TemporaryDirectory() as old, tempfile.TemporaryDirectory() as new:
        outputs = [run(program, source, options, folder)[1] for program, folder in zip(programs, (old, new))]
        if not all(outputs):
            return ["no output"]
        words = [programs[1], "compare", f"{old}/out", f"{new}/out", "--backend", "cpu", "--isolation", "none"]
        words += ["--metrics", "words,dE-ITP,dE-seen,psnr-pq,bias,metadata", "--pair-by", "name"]
        ended = subprocess.run(words, capture_output=True, text=True)
        if ended.returncode not in (0, 65):
            return [ended.stderr.strip().splitlines()[-1].removeprefix("hdrbatch: error: ")]
        # The last lines count the pairs.
        lines = ended.stdout.replace(f"{new}/out/", "").splitlines()
        return [line for line in lines if not re.match(r"\d+ pairs?: |most: ", line)]


def main():
    if sys.argv[1] == "--compare":
        old, new = (dict(reversed(line.rstrip("\n").split("\t", 1)) for line in open(name)) for name in sys.argv[2:4])
        programs = sys.argv[4:6]
        changed = [name for name in old if new.get(name) != old[name]]
        for name in changed:
            print(f"{old[name]}\t{new.get(name, 'missing')}\t{name}")
            if programs and name in new:
                print("".join(f"    {line}\n" for line in difference(programs, name)), end="", flush=True)
        print(f"{len(changed)} of {len(old)} differ", file=sys.stderr)
        sys.exit(1 if changed else 0)
    listed = pathlib.Path(__file__).with_suffix(".tsv")
    rows = [line.rstrip("\n").split("\t") for line in open(listed) if not line.startswith("#")]
    there = [row for row in rows if "data:" not in "".join(row) or DATA.exists()]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for (source, options), digest in zip(there, pool.map(lambda row: render(sys.argv[1], *row), there)):
            print(f"{digest}\t{source} {options}", flush=True)
    print(f"{len(there)} renders, {len(rows) - len(there)} skipped: no data", file=sys.stderr)


main()
