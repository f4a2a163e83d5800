#!/usr/bin/env python3
"""CPU time a pixel that a job takes beside a device: docs/device-codecs.md.

    scripts/measure/cpu_without_device.py [--program HDRBATCH] [--job NAME]... [--codec-device WHERE]...
        [--pictures FEW MANY] [--runs N] [--functions N] [PHOTO]

A software device takes CPU time itself. `perf record` (Debian's linux-perf) samples all threads and processes of a
run. A sample counts as the device's if the driver, its compiler or code that it made stands anywhere in the call chain,
or if the thread is the driver's. What is left is the program, its codec processes and the kernel's work for them.

Each job runs with FEW and with MANY copies of the photo: the difference is what a picture more costs, without the start
of the program, tests of the device and strips that are compared. Rounds are interleaved and medians printed, so other
programs on the machine shift all jobs alike. --functions lists so many functions of the last round.
"""
import argparse
import collections
import json
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
EDIT = ["--filter", "exposure=ev:0.5"]
JOBS = {
    "sdr-jpeg": ["--to", "sdr-jpeg", *EDIT],
    "adaptive-jpeg": ["--to", "adaptive-jpeg", *EDIT],
    "pq-png": ["--to", "pq-png", *EDIT],
    "pq-png gpu": ["--to", "pq-png", "--png-effort", "gpu", *EDIT],
}
# Of the driver: its libraries, its compiler, what that made, and the layer of an emulated card.
DEVICE = re.compile(r"libvulkan_lvp|libLLVM|\[JIT\]|perf-\d+\.map|libDeviceLayers|libvulkan\.so|//anon|memfd:llvmpipe")
FRAME = re.compile(r"\s+[0-9a-f]+ (.*) \((.*)\)$")


def samples(data):
    """The thread, "name process/thread", and the frames, innermost first, as (function, file), of each sample."""
    script = subprocess.Popen(["perf", "script", "--no-inline", "-i", data, "-F", "comm,pid,tid,ip,sym,dso"],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, errors="replace")
    thread, frames = "", []
    for line in script.stdout:
        if not line.strip():
            if frames:
                yield thread, frames
            thread, frames = "", []
        elif found := FRAME.match(line):
            frames.append((found[1].split("+0x")[0], found[2].rsplit("/", 1)[-1]))
        else:
            thread = line.strip()
    if frames:
        yield thread, frames
    script.wait()


def is_of_device(thread, frames):
    """All threads of the program have names of their own, but for the first; the driver's keep the program's."""
    name, process, number = re.match(r"(.*?)\s+(\d+)/(\d+)$", thread).groups()
    if name == "hdrbatch" and process != number or name.startswith("llvmpipe"):
        return True
    return any(DEVICE.search(file) for _, file in frames)


def readable(text):
    """The text with Swift's names of functions as they are written, where Swift is installed."""
    if not shutil.which("swift"):
        return text
    return subprocess.run(["swift", "demangle", "--simplified"], input=text, capture_output=True, text=True,
                          check=True).stdout


class Bench:
    """Runs of the program under perf.

    hertz -- samples a second
    """

    def __init__(self, program, photo, folder, hertz):
        self.program, self.photo, self.folder, self.hertz = program, photo, pathlib.Path(folder), hertz

    def run(self, words, device, count):
        """Seconds of the program and of the device, and the former by function."""
        inputs, out = self.folder / f"in{count}", self.folder / "out"
        inputs.mkdir(exist_ok=True)
        for number in range(count):
            if not (inputs / f"{number}.jpg").exists():
                shutil.copy(self.photo, inputs / f"{number}.jpg")
        shutil.rmtree(out, ignore_errors=True)
        data = self.folder / "perf.data"
        subprocess.run(["perf", "record", "-q", "-e", "cpu-clock", "-F", str(self.hertz), "-g", "-o", data, "--",
                        self.program, "render", inputs, "--out", out, *words, "--device", "llvmpipe",
                        "--codec-device", device, "--jobs", "1", "--threads", "1", "--progress", "none", "--journal",
                        "none", "--durability", "none", "--max-seconds", "3600"], check=True, stdout=subprocess.DEVNULL)
        own, of_device, functions = 0, 0, collections.Counter()
        for thread, frames in samples(data):
            if is_of_device(thread, frames):
                of_device += 1
            else:
                own += 1
                functions[self.name(thread, frames)] += 1
        return own / self.hertz, of_device / self.hertz, functions

    @staticmethod
    def name(thread, frames):
        """The process, the innermost function, and for one of the kernel or the C library who called it."""
        process = "codec" if "codec" in thread else "main"
        outer = next((function for function, file in frames
                      if not re.match(r"\[(kernel|unknown)|libc\.so|ld-linux", file) and function != "[unknown]"), "")
        function, file = frames[0]
        return process, file, function, "" if outer == function else outer


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photo", nargs="?", type=pathlib.Path, default=ROOT / "Examples/lamps.jpg")
    parser.add_argument("--program", default=str(ROOT / ".build/release/hdrbatch"))
    parser.add_argument("--job", action="append", choices=list(JOBS))
    parser.add_argument("--codec-device", action="append", choices=["cpu", "gpu"])
    parser.add_argument("--pictures", nargs=2, type=int, default=[2, 6], metavar=("FEW", "MANY"))
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--functions", type=int, default=0)
    parser.add_argument("--hertz", type=int, default=4999)
    told = parser.parse_args()
    if not shutil.which("perf"):
        sys.exit("perf is missing: apt-get install linux-perf")
    few, many = told.pictures
    info = subprocess.run([told.program, "info", "--json", told.photo], check=True, capture_output=True).stdout
    pixels = json.loads(info)["width"] * json.loads(info)["height"]
    jobs = [(job, device) for job in told.job or JOBS for device in told.codec_device or ["cpu", "gpu"]]
    found = {job: [] for job in jobs}
    last = {}
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(told.program, told.photo, folder, told.hertz)
        for _ in range(told.runs):
            for job in jobs:
                less, more = (bench.run(JOBS[job[0]], job[1], count) for count in (few, many))
                more[2].subtract(less[2])
                last[job] = more[2]
                # Nanoseconds a pixel: of a picture more, of all of the larger run, and the device's of a picture more.
                found[job].append(((more[0] - less[0]) / (many - few) / pixels * 1e9, more[0] / many / pixels * 1e9,
                                   (more[1] - less[1]) / (many - few) / pixels * 1e9))
                print(*job, *(f"{value:.2f}" for value in found[job][-1]), file=sys.stderr, flush=True)
    print(f"job\t--codec-device\ta picture more\tleast\tmost\tall of {many}\tthe device itself")
    for (job, device), rows in found.items():
        own, whole, of_device = zip(*rows)
        print(job, device, *(f"{value:.2f}" for value in (statistics.median(own), min(own), max(own),
                                                          statistics.median(whole), statistics.median(of_device))),
              sep="\t")
    for (job, device), functions in last.items() if told.functions else ():
        print(f"\n{job}, --codec-device {device}: ns a pixel of a picture more, process, file, function, its caller")
        print(readable("\n".join(
            "\t".join([f"{count / told.hertz / (many - few) / pixels * 1e9:.3f}", *name])
            for name, count in functions.most_common(told.functions))))


if __name__ == "__main__":
    main()
