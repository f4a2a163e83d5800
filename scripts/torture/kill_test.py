#!/usr/bin/env python3
"""Kills batches at random moments, resumes them, and counts what a run promises never happens (docs/reliability.md).

    scripts/torture/kill_test.py HDRBATCH ROUNDS [--durability MODE]
    scripts/torture/kill_test.py HDRBATCH ROUNDS --starts

Half of the rounds end with SIGKILL, half with SIGTERM, each in a folder of its own, two jobs at a time. Counted: files under a
final name that are not what an undisturbed run writes; files that a journal calls done and that are not there or have another
digest; items rendered again after they were recorded; items without a record after SIGTERM; items without a record in the end;
part files in the end; codec processes that outlive a killed run. Exit 1 if any is not 0.

With --starts the run goes on, and the first codec process that it starts after a random moment is killed, in as many rounds of
`render` and of `run`. Counted: exit codes other than 0 and 65, items without a row, more than one item that is not done.
"""
import argparse
import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
ITEMS = 16


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def records(folder):
    """Rows of each journal, oldest first; a row that was cut off is none."""
    journals = sorted((folder / ".hdrbatch" / "journal").glob("*.jsonl"), key=lambda p: p.stat().st_mtime_ns)
    result = []
    for journal in journals:
        rows = []
        for line in journal.read_bytes().split(b"\n"):
            try:
                row = json.loads(line)
            except ValueError:
                continue
            if row.get("type") == "item":
                rows.append(row)
        result.append(rows)
    return result


def children(pid):
    """Codec processes that say that this is their parent."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if f"--parent={pid}".encode() in words:
                found.append(int(entry.name))
    return found


def made(words, work):
    """Small pictures with gain maps, no two alike."""
    inputs = work / "in"
    inputs.mkdir()
    subprocess.run([words.program, "render", str(REPOSITORY / "Examples" / "lamps.jpg"), "--out", str(work / "one"), "--to",
                    "adaptive-jpeg", "--filter", "scale=width:256", "--progress", "none"], check=True, capture_output=True)
    small = next((work / "one").glob("*.jpg")).read_bytes()
    for number in range(ITEMS):
        # A comment of its own: no two inputs are the same file.
        note = f"picture {number}".encode()
        (inputs / f"{number:02}.jpg").write_bytes(small[:2] + b"\xff\xfe" + (len(note) + 2).to_bytes(2, "big") + note + small[2:])
    return inputs


def kill_starts(words, chance, work):
    inputs, manifest = made(words, work), work / "m.jsonl"
    usual = ["--jobs", "2", "--progress", "none", "--max-seconds", "5"]
    make = ["--to", "adaptive-jpeg", "--filter", "exposure=ev:-0.5"]
    wrong, killed, codes = dict.fromkeys(["wrong exit code", "rows missing", "items lost beyond one"], 0), 0, {}
    for command in ["render", "run"]:
        for turn in range(words.rounds + 1):
            out = work / f"{command}{turn}"
            if command == "render":
                line = ["render", str(inputs), "--out", str(out), *make, *usual]
            else:
                subprocess.run([words.program, "plan", str(inputs), "--out", str(out), *make, "-o", str(manifest)], check=True,
                               capture_output=True)
                line = ["run", "--manifest", str(manifest), *usual]
            begin = time.monotonic()
            run = subprocess.Popen([words.program, *line], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            if turn > 0:
                # The first moment is the start of the first process, in every fourth round.
                after = begin + (0 if turn % 4 == 0 else chance.uniform(0, 0.8 * whole))
                known = set()
                while run.poll() is None:
                    now = started(run.pid)
                    if time.monotonic() < after:
                        known = now
                    elif now - known:
                        os.kill(min(now - known), signal.SIGKILL)
                        killed += 1
                        break
            message = run.communicate()[1].decode(errors="replace")
            whole = time.monotonic() - begin if turn == 0 else whole
            rows = [row for journal in records(out) for row in journal]
            lost = sum(row["status"] not in ("ok", "warn") for row in rows)
            codes[run.returncode] = codes.get(run.returncode, 0) + 1
            wrong["wrong exit code"] += run.returncode not in (0, 65)
            wrong["rows missing"] += ITEMS - len({row["input"] for row in rows})
            wrong["items lost beyond one"] += max(0, lost - 1)
            if run.returncode not in (0, 65) or lost > 1:
                print(message.strip())
            shutil.rmtree(out, ignore_errors=True)
    shutil.rmtree(work)
    print(f"{killed} codec processes killed at their start in {2 * words.rounds} runs of {ITEMS} items; exit codes {codes}")
    for name, value in wrong.items():
        print(f"{name:28} {value}")
    return any(wrong.values())


def started(pid):
    """All children that a process has now."""
    found = set()
    for name in os.listdir("/proc"):
        if name.isdigit() and int(name) > pid:
            try:
                with open(f"/proc/{name}/stat") as file:
                    parent = file.read().rpartition(")")[2].split()[1]
            except OSError:
                continue
            if parent == str(pid):
                found.add(int(name))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program")
    parser.add_argument("rounds", type=int)
    parser.add_argument("--durability", default="file")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--starts", action="store_true")
    words = parser.parse_args()
    chance = random.Random(words.seed)
    work = Path(tempfile.mkdtemp(prefix="hdrbatch-kill."))
    if words.starts:
        return kill_starts(words, chance, work)
    inputs, count = made(words, work), dict.fromkeys(
        ["damaged", "recorded, not there", "repeated after recorded", "rows missing after SIGTERM", "rows missing", "part files",
         "processes left", "wrong exit code"], 0)

    def command(out, *more):
        return [words.program, "render", str(inputs), "--out", str(out), "--to", "adaptive-jpeg", "--filter", "exposure=ev:-0.5",
                "--jobs", "2", "--durability", words.durability, "--progress", "none", *more]

    begin = time.monotonic()
    subprocess.run(command(work / "whole"), check=True, capture_output=True)
    whole = time.monotonic() - begin
    wanted = {p.name: digest(p) for p in (work / "whole").glob("*.jpg")}
    if len(wanted) != ITEMS:
        sys.exit(f"{len(wanted)} outputs of {ITEMS} inputs")

    signals = {signal.SIGKILL: 0, signal.SIGTERM: 0}
    cut = done_before = 0
    for turn in range(words.rounds):
        number = signal.SIGKILL if turn % 2 == 0 else signal.SIGTERM
        out = work / f"out{turn}"
        run = subprocess.Popen(command(out), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        time.sleep(chance.uniform(0, 1.05 * whole))
        run.send_signal(number)
        code = run.wait()
        signals[number] += 1
        end = time.monotonic() + 15
        while children(run.pid) and time.monotonic() < end:
            time.sleep(0.01)
        count["processes left"] += len(children(run.pid))
        # A signal may come before the program listens, or after its end.
        if number == signal.SIGTERM and code not in (75, 0, -signal.SIGTERM):
            count["wrong exit code"] += 1
        cut += code != 0

        earlier = [row for rows in records(out) for row in rows]
        recorded = {Path(row["input"]).name: row for row in earlier if row["status"] in ("ok", "warn")}
        done_before += len(recorded)
        for path in out.glob("*.jpg"):
            count["damaged"] += digest(path) != wanted[path.name]
        for name, row in recorded.items():
            path = out / name
            if not path.exists() or digest(path) != row["outputDigest"] or row["outputDigest"] != wanted[name]:
                count["recorded, not there"] += 1
        if code == 75:
            count["rows missing after SIGTERM"] += ITEMS - len({row["input"] for row in earlier})

        before = len(records(out))
        code = subprocess.run(command(out, "--resume"), capture_output=True).returncode
        count["wrong exit code"] += code != 0
        later = records(out)[before:]
        for rows in later:
            for row in rows:
                again = row["status"] in ("ok", "warn") and Path(row["input"]).name in recorded
                count["repeated after recorded"] += again
        final = {Path(row["input"]).name for rows in records(out) for row in rows if row["status"] in ("ok", "warn", "skipped")}
        count["rows missing"] += ITEMS - len(final)
        for name, want in wanted.items():
            path = out / name
            count["damaged"] += not path.exists() or digest(path) != want
        count["part files"] += len(list(out.rglob(".*.part"))) if number == signal.SIGTERM else 0
        shutil.rmtree(out)
    shutil.rmtree(work)
    print(f"{signals[signal.SIGKILL]} SIGKILL, {signals[signal.SIGTERM]} SIGTERM, {ITEMS} items each, durability {words.durability}; "
          f"{cut} runs were cut short, {done_before} items recorded before")
    for name, value in count.items():
        print(f"{name:28} {value}")
    return any(count.values())


if __name__ == "__main__":
    sys.exit(main())
