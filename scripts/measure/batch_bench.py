#!/usr/bin/env python3
"""What a batch of many small gain-map JPEGs costs; figures in docs/performance.md and docs/isolation.md.

    batch_bench.py many [COUNT]               images/s, memory over time, CPU time beside the codecs'
    batch_bench.py isolation [COUNT ROUNDS]   the same batch with --isolation none, rlimit, sandbox in turn
    batch_bench.py at-once [COUNT RUNS]       so many runs of shards at once, compared with a single run

The pictures are made from Examples/ in a temporary folder, every one another file. HDRBATCH names the program.
"""
import collections
import hashlib
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("HDRBATCH", str(ROOT / ".build/release/hdrbatch"))
QUIET = ["--backend", "cpu", "--progress", "none", "--durability", "none"]


def run(*words):
    subprocess.run([PROGRAM, *map(str, words)], check=True)


def make(folder, count, size):
    """So many gain-map JPEGs: three examples, exposed and coloured in steps."""
    begin = time.monotonic()
    few, some, many = folder / "few", folder / "some", folder / "in"
    options = ["--to", "adaptive-jpeg", "--journal", "none", *QUIET]
    pictures = [ROOT / "Examples" / name for name in ("temple.heic", "lamps.jpg", "citadel.avif")]
    run("render", *pictures, "--out", few, "--filter", f"thumbnail=size:{size}", *options)
    steps = max(1, round((count / 3) ** 0.5 + 0.5))
    for step in range(steps):
        run("render", few, "--out", some, "--name", "{stem}-%d.{ext}" % step,
            "--filter", "exposure=ev:%.3f" % (step * 1.2 / steps), *options)
    for step in range(steps):
        run("render", some, "--out", many, "--name", "{stem}-%d.{ext}" % step,
            "--filter", "vibrance=amount:%.3f" % (step / steps), *options)
    files = sorted(many.iterdir())
    for file in files[count:]:
        if file.is_file():
            file.unlink()
    files = [file for file in files[:count] if file.is_file()]
    digests = {hashlib.sha256(file.read_bytes()).digest() for file in files}
    assert len(digests) == len(files) >= count - 1, f"{len(digests)} different pictures of {len(files)}"
    mebibytes = sum(file.stat().st_size for file in files) / 2**20
    info = json.loads(subprocess.run([PROGRAM, "info", "--json", files[0]], capture_output=True, text=True).stdout)
    print(f"{len(files)} pictures of about {info['width']}x{info['height']}, {mebibytes:.0f} MiB, "
          f"made in {time.monotonic() - begin:.0f} s")
    return many


def tree(pid):
    """A process and all below it."""
    found, rest = [], [pid]
    while rest:
        one = rest.pop()
        found.append(one)
        try:
            for task in os.listdir(f"/proc/{one}/task"):
                rest += map(int, open(f"/proc/{one}/task/{task}/children").read().split())
        except OSError:
            pass
    return found


def proportional(pid):
    """Resident bytes; what processes share counts once."""
    try:
        for line in open(f"/proc/{pid}/smaps_rollup"):
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0


def records(path):
    rows = [json.loads(line) for line in open(path)]
    return [row for row in rows if row["type"] == "item"], rows[-1]


def many(count):
    with tempfile.TemporaryDirectory(prefix="hdrbatch-many.") as name:
        folder = pathlib.Path(name)
        pictures = make(folder, count, 640)
        recipe = folder / "outputs.yaml"
        recipe.write_text("outputs:\n  - {to: adaptive-jpeg, name: '{stem}.{ext}', quality: 85}\n"
                          "  - {to: sdr-jpeg, name: '{stem}-sdr.{ext}'}\n")
        record = folder / "record.jsonl"
        process = subprocess.Popen(
            [PROGRAM, "render", pictures, "--out", folder / "out", "--recipe", recipe, "--record", record,
             "--backend", "cpu", "--progress", "none"])
        samples, begin = [], time.monotonic()
        while process.poll() is None:
            samples.append((time.monotonic() - begin, sum(map(proportional, tree(process.pid)))))
            time.sleep(0.1)
        assert process.returncode == 0, process.returncode
        items, summary = records(record)
        cpu = collections.Counter()
        for item in items:
            for phase, seconds in item["seconds"].items():
                cpu[phase] += seconds["cpu"]
        wall, codecs = summary["wallSeconds"], cpu["decode"] + cpu["encode"]
        inputs = len(items) // 2
        print(f"{inputs} inputs, {len(items)} outputs in {wall:.1f} s: {inputs / wall:.1f} inputs/s, "
              f"{len(items) / wall:.1f} outputs/s")
        print(f"CPU {summary['cpuSeconds']:.1f} s, codecs {codecs:.1f} s (decode {cpu['decode']:.1f}, "
              f"encode {cpu['encode']:.1f}): {100 * (summary['cpuSeconds'] / codecs - 1):.0f} % on top; "
              + ", ".join(f"{phase} {cpu[phase]:.1f}" for phase in ("read", "plan", "render", "verify", "write")))
        print("memory of all processes in MiB, shared pages once:  tenth  least  median  most")
        whole = samples[-1][0]
        for tenth in range(10):
            part = [b / 2**20 for t, b in samples[1:] if tenth <= 10 * t / (whole + 1e-9) < tenth + 1 and b]
            print(f"{'':44}{tenth + 1:14} {min(part):6.0f} {statistics.median(part):7.0f} {max(part):5.0f}")


def isolation(count, rounds):
    with tempfile.TemporaryDirectory(prefix="hdrbatch-isolation.") as name:
        folder = pathlib.Path(name)
        pictures = make(folder, count, 1440)
        modes = ["none", "rlimit", "sandbox"]
        wall, cpu = collections.defaultdict(list), collections.defaultdict(list)
        for number in range(rounds + 1):
            for mode in modes if number % 2 else modes[::-1]:
                before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
                run("render", pictures, "--out", folder / "out", "--to", "sdr-jpeg", "--isolation", mode, "--jobs", 2,
                    "--threads", 1, "--journal", "none", "--on-existing", "replace", *QUIET)
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                # The first round warms up.
                if number:
                    wall[mode].append(time.monotonic() - begin)
                    cpu[mode].append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        print(f"medians (least) of {rounds} rounds   wall s   over none   CPU s   over none")
        for mode in modes:
            w, c = statistics.median(wall[mode]), statistics.median(cpu[mode])
            # Of each round by itself: what else the machine does changes slowly.
            by_wall = statistics.median(a / b for a, b in zip(wall[mode], wall["none"]))
            by_cpu = statistics.median(a / b for a, b in zip(cpu[mode], cpu["none"]))
            print(f"{mode:24} {w:7.2f} ({min(wall[mode]):.2f})  {100 * (by_wall - 1):+5.1f} %"
                  f"  {c:7.2f} ({min(cpu[mode]):.2f})  {100 * (by_cpu - 1):+5.1f} %")


def at_once(count, runs):
    with tempfile.TemporaryDirectory(prefix="hdrbatch-at-once.") as name:
        folder = pathlib.Path(name)
        pictures = make(folder, count, 640)
        manifest = folder / "m.jsonl"
        run("plan", pictures, "--to", "sdr-jpeg", "--out", folder / "out", "-o", manifest)
        begin = time.monotonic()
        run("run", "--manifest", manifest, "--out", folder / "alone", "--backend", "cpu", "--progress", "none")
        alone = time.monotonic() - begin
        begin = time.monotonic()
        shards = [subprocess.Popen(
            [PROGRAM, "run", "--manifest", manifest, "--shard", f"{index}/{runs}", "--backend", "cpu",
             "--progress", "none"]) for index in range(runs)]
        codes = [shard.wait() for shard in shards]
        together = time.monotonic() - begin
        digests = [{file.name: hashlib.sha256(file.read_bytes()).digest()
                    for file in (folder / out).iterdir() if file.is_file()} for out in ("alone", "out")]
        assert codes == [0] * runs and digests[0] == digests[1] and len(digests[0]) == count
        print(f"{count} items: {alone:.1f} s by one run, {together:.1f} s by {runs} runs at once, the same digests")


if __name__ == "__main__":
    words = sys.argv[1:]
    numbers = list(map(int, words[1:]))
    match words[:1]:
        case ["many"]: many(*(numbers or [2000]))
        case ["isolation"]: isolation(*(numbers or [300, 8]))
        case ["at-once"]: at_once(*(numbers or [300, 10]))
        case _: sys.exit(__doc__)
