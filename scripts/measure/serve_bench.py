#!/usr/bin/env python3
"""What `hdrbatch serve` takes beside its codecs, and how it holds; figures in docs/performance.md.

    serve_bench.py [--count N] [--soak SECONDS] [--part PART]

Parts: previews (2 megapixels into memory: time beside codecs), mix (the same with hostile files between), thumbnails
(400 pixels of 12-megapixel JPEGs, beside vipsthumbnail where it is there), limits (cancel, full queue, SIGTERM), soak.
HDRBATCH names the program, HDRBATCH_SHARED the folder with hostile files.
"""
import argparse
import array
import glob
import json
import os
import pathlib
import shutil
import signal
import socket
import statistics
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("HDRBATCH", str(ROOT / ".build/release/hdrbatch"))
SHARED = pathlib.Path(os.environ.get("HDRBATCH_SHARED", ROOT.parent / "shared"))
CODECS = ("decode", "encode", "verify")


class Server:
    """The program at the other end of a socket pair."""

    def __init__(self, *options):
        mine, theirs = socket.socketpair()
        self.process = subprocess.Popen(
            [PROGRAM, "serve", "--stdio", "--backend", "cpu", *options], stdin=theirs, stdout=theirs)
        theirs.close()
        self.socket, self.bytes, self.files, self.given = mine, b"", [], 0
        self.early = {}
        self.hello = self.line()

    def line(self):
        while b"\n" not in self.bytes:
            room = socket.CMSG_SPACE(16 * 4)
            data, control, _, _ = self.socket.recvmsg(1 << 16, room, socket.MSG_CMSG_CLOEXEC)
            for _, _, numbers in control:
                self.files += array.array("i", numbers)
            if not data:
                return None
            self.bytes += data
        line, self.bytes = self.bytes.split(b"\n", 1)
        return json.loads(line)

    def send(self, request, **keys):
        self.given += 1
        line = json.dumps({"id": self.given, "request": request, **keys}) + "\n"
        self.socket.sendall(line.encode())
        return self.given

    def answer(self, number):
        """The answer to a request; the descriptors that come with answers are closed."""
        while number not in self.early:
            line = self.line()
            assert line is not None, "the server has ended"
            for _ in range(line.get("fds", 0)):
                os.close(self.files.pop(0))
            self.early[line.get("id")] = line
        return self.early.pop(number)

    def ask(self, request, **keys):
        return self.answer(self.send(request, **keys))

    def end(self):
        self.socket.close()
        return self.process.wait()


def tree(pid):
    """The process and those that it started."""
    found = [pid]
    for children in glob.glob(f"/proc/{pid}/task/*/children"):
        try:
            text = pathlib.Path(children).read_text()
        except OSError:
            continue
        for child in text.split():
            found += tree(int(child))
    return found


def resident(pid):
    """MiB of the process alone, and proportional MiB of it and its codec processes together."""
    alone = total = 0
    for each in tree(pid):
        try:
            rollup = dict(line.split(":") for line in open(f"/proc/{each}/smaps_rollup").read().splitlines()[1:])
        except OSError:
            continue
        total += int(rollup["Pss"].split()[0])
        if each == pid:
            alone = int(rollup["Rss"].split()[0])
    return alone / 1024, total / 1024


def cpu(pid):
    """CPU seconds of the process and its codec processes, those that have ended included."""
    ticks = 0
    for each in tree(pid):
        try:
            fields = open(f"/proc/{each}/stat").read().rsplit(")", 1)[1].split()
        except OSError:
            continue
        ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def share(times, part):
    return sorted(times)[min(len(times) - 1, int(len(times) * part))]


def say(name, times):
    print(f"{name}: p50 {share(times, 0.5) * 1e3:.1f} ms, p99 {share(times, 0.99) * 1e3:.1f} ms, "
          f"{share(times, 0.99) / share(times, 0.5):.2f} times the median, {len(times)} requests")


def pictures(folder):
    """A gain-map JPEG of 2 megapixels, and a plain one of 12."""
    quiet = ["--backend", "cpu", "--progress", "none", "--durability", "none", "--journal", "none"]
    source = ROOT / "Examples/lamps.jpg"
    preview, large = folder / "preview.jpg", folder / "large.jpg"
    for path, size, kind in ((preview, (1632, 1224), "adaptive-jpeg"), (large, (4000, 3000), "sdr-jpeg")):
        subprocess.run([PROGRAM, "render", source, "-o", path, "--to", kind, "--filter",
                        f"resize=width:{size[0]},height:{size[1]}", *quiet], check=True)
    return preview, large


PREVIEW = ["--to", "sdr-jpeg", "--quality", "85"]


def one(server, path, times, beside, options=PREVIEW, **keys):
    begin = time.monotonic()
    answer = server.ask("render", input={"path": str(path)}, options=options, **keys)
    spent = time.monotonic() - begin
    assert answer["ok"], answer
    seconds = answer["record"]["seconds"]
    times.append(spent)
    beside.append(spent - sum(seconds[phase]["wall"] for phase in CODECS))
    return seconds


def previews(folder, count, preview):
    server = Server()
    pixels, unhashed = ["--to", "rgba16f", "--headroom", "4"], {"output": {"memory": True, "digest": False}}
    for name, options, keys in (("2 MP JPEG to JPEG, coded anew", PREVIEW, {}),
                                ("2 MP JPEG to JPEG, exposed", [*PREVIEW, "--filter", "exposure=ev:0.3"], {}),
                                ("2 MP JPEG to pixels", pixels, {}),
                                ("2 MP JPEG to pixels, no digest", pixels, unhashed)):
        times, beside, phases = [], [], []
        for _ in range(5):
            one(server, preview, [], [], options, **keys)
        for _ in range(count):
            phases.append(one(server, preview, times, beside, options, **keys))
        say(name, times)
        say("  beside codecs", beside)
        middle = {key: statistics.median(each[key]["wall"] for each in phases) * 1e3 for key in phases[0]}
        print("  phases in ms: " + ", ".join(f"{key} {value:.1f}" for key, value in middle.items()))
    server.end()


def hostile():
    files = sorted((SHARED / "data/malformed").glob("*.*"))
    return [file for file in files if file.suffix in (".jpg", ".heic", ".avif", ".exr", ".png", ".jxl", ".tif")]


def mix(folder, count, preview):
    bad = hostile()
    if not bad:
        return print("mix: skipped: no hostile files")
    server = Server()
    times, beside, codes, pending = [], [], {}, []
    for index in range(count):
        if index % 4 == 0:
            pending.append(server.send("render", input={"path": str(bad[index // 4 % len(bad)])}, options=PREVIEW))
        one(server, preview, times, beside)
    for number in pending:
        answer = server.answer(number)
        code = answer.get("error", {}).get("code", "ok")
        codes[code] = codes.get(code, 0) + 1
    say("2 MP JPEG to JPEG, a hostile file for four", times)
    print("  hostile files: " + ", ".join(f"{code} {number}" for code, number in sorted(codes.items())))
    server.end()


def thumbnails(folder, count, large):
    files = [folder / f"large-{index}.jpg" for index in range(count)]
    for file in files:
        shutil.copy(large, file)
    for scale in ("auto", "4", "8"):
        thumbnails_at(folder, files, large, scale)
    tool = shutil.which("vipsthumbnail")
    if tool is None:
        return print("  vipsthumbnail: skipped, not installed")
    before, begin = os.times(), time.monotonic()
    subprocess.run([tool, "--size", "400", "-o", str(folder / "v-%s.jpg[Q=75]"), *map(str, files)], check=True)
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    print(f"  vipsthumbnail, one process: {used / len(files) * 1e3:.1f} ms of CPU, "
          f"{(time.monotonic() - begin) / len(files) * 1e3:.1f} ms of wall each")


def thumbnails_at(folder, files, large, scale):
    options = ["--to", "sdr-jpeg", "--quality", "75", "--resize", "400", "--decode-scale", scale]
    server = Server()
    for _ in range(4):
        one(server, large, [], [], options)
    start, begin = cpu(server.process.pid), time.monotonic()
    numbers = [server.send("render", input={"path": str(file)}, options=options,
                           output={"path": str(folder / f"s-{scale}-{index}.jpg")}) for index, file in enumerate(files)]
    for number in numbers:
        assert server.answer(number)["ok"]
    spent = time.monotonic() - begin
    print(f"400 px of 12 MP, --decode-scale {scale}: {(cpu(server.process.pid) - start) / len(numbers) * 1e3:.1f} ms of CPU, "
          f"{spent / len(numbers) * 1e3:.1f} ms of wall each")
    server.end()


SLOW = {"recipe": {"size": [4000, 4000], "outputs": [{"to": "sdr-png"}],
                   "steps": [{"gaussian-blur": {"radius": 90}}]}}


def limits(folder, count, preview):
    server = Server("--jobs", "1", "--queue", "4")
    running = server.send("render", **SLOW)
    while server.ask("stats")["stats"]["running"] != 1:
        pass
    waiting = [server.send("render", **SLOW) for _ in range(8)]
    begin = time.monotonic()
    refused = [number for number in waiting[4:] if server.answer(number)["error"]["code"] == "serve.busy"]
    print(f"full queue: {len(refused)} of 8 refused in {(time.monotonic() - begin) * 1e3:.1f} ms")
    for number in waiting[:4]:
        begin = time.monotonic()
        server.ask("cancel", of=number)
        assert server.answer(number)["error"]["code"] == "cancelled"
    print(f"cancel of what waits: {(time.monotonic() - begin) * 1e3:.1f} ms")
    begin = time.monotonic()
    server.ask("cancel", of=running)
    server.answer(running)
    print(f"cancel of what runs: answered after {(time.monotonic() - begin) * 1e3:.0f} ms")
    running = server.send("render", **SLOW)
    while server.ask("stats")["stats"]["running"] != 1:
        pass
    begin = time.monotonic()
    server.process.send_signal(signal.SIGTERM)
    assert server.answer(running)["ok"]
    status = server.process.wait()
    print(f"SIGTERM: answered what ran, end {status} after {(time.monotonic() - begin) * 1e3:.0f} ms")


def soak(folder, seconds, preview, large):
    bad = hostile()
    server = Server()
    thumbnail = ["--to", "sdr-jpeg", "--resize", "400"]
    begin, index, times, line = time.monotonic(), 0, [], 0.0
    while time.monotonic() - begin < seconds:
        numbers = [server.send("render", input={"path": str(preview)}, options=PREVIEW),
                   server.send("render", input={"path": str(large)}, options=thumbnail)]
        if bad:
            numbers.append(server.send("render", input={"path": str(bad[index % len(bad)])}, options=PREVIEW))
        numbers += [server.send("info", input={"path": str(preview)})]
        last = server.send("render", input={"path": str(preview)}, options=["--to", "rgba16f"])
        server.send("cancel", of=last)
        for number in numbers + [last]:
            server.answer(number)
        server.early.clear()
        index += 1
        if time.monotonic() - line >= max(5.0, seconds / 20):
            line = time.monotonic()
            stats = server.ask("stats")["stats"]
            alone, total = resident(server.process.pid)
            print(f"soak {line - begin:5.0f} s: {stats['done']} done, {stats['failed']} failed, "
                  f"{stats['cancelled']} cancelled, server {alone:.0f} MiB, with codecs {total:.0f} MiB, "
                  f"{stats['descriptors']} descriptors, {len(os.listdir(f'/proc/{server.process.pid}/task'))} threads",
                  flush=True)
    server.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--soak", type=float, default=0)
    parser.add_argument("--part", choices=["previews", "mix", "thumbnails", "limits", "soak"])
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        preview, large = pictures(folder)
        parts = {"previews": lambda: previews(folder, wanted.count, preview),
                 "mix": lambda: mix(folder, wanted.count, preview),
                 "thumbnails": lambda: thumbnails(folder, min(wanted.count, 32), large),
                 "limits": lambda: limits(folder, wanted.count, preview)}
        for part, run in parts.items():
            if wanted.part in (None, part):
                run()
        if wanted.soak > 0:
            soak(folder, wanted.soak, preview, large)


if __name__ == "__main__":
    main()
