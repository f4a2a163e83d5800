#!/usr/bin/env python3
"""Pictures a second and CPU time a pixel by --backend and --codec-device, on a machine with a card: docs/device-codecs.md.

    scripts/measure/codec_switches.py [--program HDRBATCH] [--job NAME]... [--pictures FEW MANY] [--runs N] [PHOTO]

Each job runs with FEW and with MANY copies of the photo, by turns: the differences are what pictures cost without the start
of the program, tests of the device and strips that are compared. All files of a job must be the same, whoever made them.
Files go to memory, so that no disk is measured.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
EDIT = ["--filter", "exposure=ev:0.5"]
JOBS = {
    "sdr-jpeg": ["--to", "sdr-jpeg", *EDIT],
    "adaptive-jpeg": ["--to", "adaptive-jpeg", *EDIT],
    "pq-png": ["--to", "pq-png", *EDIT],
    "pq-png gpu": ["--to", "pq-png", "--png-effort", "gpu", *EDIT],
}
SWITCHES = {
    "CPU alone": ["--backend", "cpu"],
    "cpu": ["--backend", "gpu", "--codec-device", "cpu"],
    "auto": ["--backend", "gpu", "--codec-device", "auto"],
    "gpu": ["--backend", "gpu", "--codec-device", "gpu"],
}


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def run(program, photo, folder, words, count):
    """Seconds of the clock and of the CPU, the digests of the files, and what the record says encoded and decoded them."""
    inputs, out, record = folder / f"in{count}", folder / "out", folder / "record.jsonl"
    if not inputs.exists():
        inputs.mkdir()
        shutil.copy(photo, inputs / "0.jpg")
        for number in range(1, count):
            os.link(inputs / "0.jpg", inputs / f"{number}.jpg")
    shutil.rmtree(out, ignore_errors=True)
    record.unlink(missing_ok=True)
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    ended = subprocess.run([program, "render", inputs, "--out", out, *words, "--record", record, "--progress", "none",
                            "--journal", "none", "--durability", "none"], capture_output=True, text=True)
    seconds, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if ended.returncode:
        sys.exit(f"{' '.join(map(str, ended.args))}: {ended.returncode}\n{ended.stderr}")
    with concurrent.futures.ThreadPoolExecutor() as pool:
        digests = set(pool.map(digest, (path for path in out.iterdir() if path.is_file())))
    items = [row for row in map(json.loads, open(record)) if row["type"] == "item"]
    return (seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
            digests,
            {f"{key} {row[key]}" for row in items[1:] for key in ("encodeDevice", "decodeDevice", "decodeFallback")
             if row[key]})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photo", nargs="?", type=pathlib.Path, default=ROOT / "Examples/lamps.jpg")
    parser.add_argument("--program", default=str(ROOT / ".build/release/hdrbatch"))
    parser.add_argument("--job", action="append", choices=list(JOBS))
    parser.add_argument("--switch", action="append", choices=list(SWITCHES))
    parser.add_argument("--pictures", nargs=2, type=int, default=[32, 160], metavar=("FEW", "MANY"))
    parser.add_argument("--runs", type=int, default=3)
    told = parser.parse_args()
    info = subprocess.run([told.program, "info", "--json", told.photo], check=True, capture_output=True).stdout
    pixels = json.loads(info)["width"] * json.loads(info)["height"]
    few, many = told.pictures
    pairs = [(job, switch) for job in told.job or JOBS for switch in told.switch or SWITCHES]
    found, digests, devices = {pair: [] for pair in pairs}, {}, {}
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as name:
        folder = pathlib.Path(name)
        for _ in range(told.runs):
            for job, switch in pairs:
                less, more = (run(told.program, told.photo, folder, JOBS[job] + SWITCHES[switch], count)
                              for count in (few, many))
                digests.setdefault(job, set()).update(less[2] | more[2])
                devices[job, switch] = more[3]
                wall, cpu = more[0] - less[0], more[1] - less[1]
                found[job, switch].append(((many - few) / wall, cpu / (many - few) / pixels * 1e9, many / more[0]))
                print(job, switch, *(f"{value:.2f}" for value in found[job, switch][-1]), file=sys.stderr, flush=True)
    print(f"job\tswitch\timages/s\tleast\tmost\tCPU ns a pixel\tleast\tmost\timages/s of {many}\twhat was done where")
    for (job, switch), rows in found.items():
        rates, costs, whole = zip(*rows)
        print(job, switch, *(f"{pick(values):.2f}" for values in (rates, costs)
                             for pick in (statistics.median, min, max)),
              f"{statistics.median(whole):.2f}", ", ".join(sorted(devices[job, switch])), sep="\t")
    differing = [job for job, some in digests.items() if len(some) > 1]
    for job in differing:
        print(f"{job}: the files are not all the same", file=sys.stderr)
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
