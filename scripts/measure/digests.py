#!/usr/bin/env python3
"""Digests of a fixed list of renders, to see what a change changed.

    scripts/measure/digests.py PROGRAM > digests.tsv       one row a render of the list beside this script:
                                                           digest or error code, render
    scripts/measure/digests.py --compare OLD.tsv NEW.tsv   rows that differ; ends with 1 if there are any

On the CPU, codecs in process. A render whose input is not there is skipped and counted.
"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = ROOT.parent / "shared" / "data"


def path(word):
    return word.replace("data:", f"{DATA}/") if "data:" in word else word


def render(program, source, options):
    with tempfile.TemporaryDirectory() as folder:
        record = f"{folder}/record.jsonl"
        words = [program, "render", str(path(source) if "data:" in source else ROOT / source), "--out", f"{folder}/out"]
        words += [path(word) for word in options.split()]
        words += ["--record", record, "--backend", "cpu", "--threads", "1", "--jobs", "1", "--isolation", "none"]
        words += ["--progress", "none", "--durability", "none", "--journal", "none"]
        ended = subprocess.run(words, capture_output=True, text=True)
        outputs = sorted(p for p in pathlib.Path(f"{folder}/out").rglob("*") if p.is_file())
        if ended.returncode == 0 and outputs:
            return hashlib.sha256(b"".join(p.read_bytes() for p in outputs)).hexdigest()[:16]
        try:
            return json.loads(open(record).readline())["code"]
        except (OSError, ValueError, KeyError):
            return f"exit {ended.returncode}"


def main():
    if sys.argv[1] == "--compare":
        old, new = (dict(reversed(line.rstrip("\n").split("\t", 1)) for line in open(name)) for name in sys.argv[2:4])
        changed = [name for name in old if new.get(name) != old[name]]
        for name in changed:
            print(f"{old[name]}\t{new.get(name, 'missing')}\t{name}")
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
