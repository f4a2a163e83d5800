#!/usr/bin/env python3
"""Kills `hdrbatch video --segments` at random moments and continues it until the clip is done; then looks at what is left.

Usage: kill_video.py PROGRAM CLIP ROUNDS [--segment 4f] [--to same] [--codec ffv1] [--seed N] [--sigterm]

Each round kills one run of a clip in segments, two at a time. The next one goes on with --resume; when a clip is done it is
compared with one run without segments, and the next begins. Without loss the decoded frames must be the same, bit for bit."""
import argparse
import hashlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def below(root):
    """All processes below one, as they are now."""
    parents = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat") as file:
                    parents[int(name)] = int(file.read().rpartition(")")[2].split()[1])
            except OSError:
                pass
    found = {root}
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {root}


def frames(path, layout):
    """SHA-256 of all frames of a clip, and the times of its packets."""
    ffmpeg = os.environ.get("HDRBATCH_FFMPEG", "ffmpeg")
    raw = subprocess.run([ffmpeg, "-nostdin", "-v", "error", "-i", path, "-map", "0:V:0", "-fps_mode", "passthrough", "-pix_fmt",
                          layout, "-f", "rawvideo", "-"], check=True, capture_output=True).stdout
    lines = subprocess.run([ffmpeg, "-nostdin", "-v", "error", "-i", path, "-map", "0:V:0", "-c", "copy", "-f", "framecrc", "-"],
                           check=True, capture_output=True, text=True).stdout
    times = sorted(int(line.split(",")[2]) for line in lines.splitlines() if not line.startswith("#"))
    return hashlib.sha256(raw).hexdigest(), times


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program")
    parser.add_argument("clip")
    parser.add_argument("rounds", type=int)
    parser.add_argument("--segment", default="4f")
    parser.add_argument("--to", default="same")
    parser.add_argument("--codec", default="ffv1")
    parser.add_argument("--layout", default="yuv420p10le")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sigterm", action="store_true", help="SIGTERM in place of SIGKILL")
    words = parser.parse_args()
    chance = random.Random(words.seed)
    work = Path(tempfile.mkdtemp(prefix="hdrbatch-kill."))
    out = work / "out"
    line = [words.program, "video", words.clip, "--to", words.to, "--codec", words.codec, "--backend", "cpu", "--progress", "none"]
    again = [*line, "--out", str(out), "--segments", "--segment", words.segment, "--jobs", "2", "--resume"]
    subprocess.run([*line, "--out", str(work / "whole")], check=True)
    whole = next((work / "whole").iterdir())
    wanted = frames(whole, words.layout)
    count = dict.fromkeys(["other frames", "other times", "a name before the end", "processes left", "wrong exit code", "files left",
                           "segments lost"], 0)
    kills = clips = kept = 0
    seconds = None
    number = signal.SIGTERM if words.sigterm else signal.SIGKILL
    store = out / f".{whole.name}.hdrbatch"
    while kills < words.rounds:
        shutil.rmtree(out, ignore_errors=True)
        before = set()
        while True:
            begin, family = time.monotonic(), set()
            run = subprocess.Popen(again, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
            if seconds is not None and kills < words.rounds:
                # Runs that go on are shorter than the first.
                end = begin + chance.uniform(0, 0.6 * seconds)
                while run.poll() is None and time.monotonic() < end:
                    time.sleep(0.002)
                if run.poll() is None:
                    family = below(run.pid)
                    run.send_signal(number)
                    kills += 1
            code = run.wait()
            end = time.monotonic() + 15
            while (left := [pid for pid in family if os.path.exists(f"/proc/{pid}")]) and time.monotonic() < end:
                time.sleep(0.01)
            count["processes left"] += len(left)
            if code == 0:
                seconds = seconds or time.monotonic() - begin
                break
            count["wrong exit code"] += code != (75 if words.sigterm else -signal.SIGKILL) and code != -signal.SIGTERM
            done = {p.name for p in store.glob("*.nut")}
            # A clip may have its name, and be killed behind that.
            if (out / whole.name).exists():
                count["a name before the end"] += frames(out / whole.name, words.layout) != wanted
            else:
                count["segments lost"] += not before <= done
            before = done
            kept = max(kept, len(done))
        clips += 1
        found = frames(out / whole.name, words.layout)
        if words.codec == "ffv1":
            count["other frames"] += found[0] != wanted[0]
        count["other times"] += found[1] != wanted[1]
        # Part files of killed runs are what `hdrbatch clean` is for.
        left = {p.name for p in out.iterdir() if not p.name.endswith(".part")}
        count["files left"] += left != {".hdrbatch", whole.name}
    shutil.rmtree(work)
    print(f"{kills} {number.name} of {clips} clips in segments of {words.segment}, {words.codec}; at most {kept} segments were kept")
    for name, value in count.items():
        print(f"{name:24} {value}")
    return any(count.values())


if __name__ == "__main__":
    sys.exit(main())
