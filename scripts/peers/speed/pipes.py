#!/usr/bin/env python3
"""Raw frames through pipes: CPU time of hdrbatch beside ffmpeg's filters, in turn, on one thread each: docs/performance.md.

    scripts/peers/speed/pipes.py HDRBATCH [HDRBATCH...] [--ffmpeg FILE]... [--rounds N] [--frames N]

Prints milliseconds a frame of 1920x1080, 4:2:0, 10 bits: the slope from a quarter of the frames to all, so that starting
counts nothing. The median, the least and the greatest of the rounds. The frames are noise on a gradient.
"""
import argparse
import os
import random
import statistics
import subprocess
import tempfile

WIDTH, HEIGHT = 1920, 1080
TAGS = "-color_primaries bt2020 -colorspace bt2020nc -color_range tv -color_trc"
# Name, transfer of the input, words for hdrbatch, and for ffmpeg the filters that come nearest.
JOBS = [
    ("HLG to PQ", ("18", "arib-std-b67"), "--to pq-raw:yuv420p10",
     "zscale=pin=bt2020:tin=arib-std-b67:min=bt2020nc:rin=limited:p=bt2020:t=smpte2084:m=bt2020nc:r=limited:npl=1000,"
     "format=yuv420p10le"),
    ("PQ to SDR", ("16", "smpte2084"), "--to sdr-raw:yuv420p --tone-map bt2390 --content-headroom 4.926",
     "zscale=tin=smpte2084:pin=bt2020:min=bt2020nc:rin=limited:t=linear:npl=100,format=gbrpf32le,zscale=p=bt709,"
     "tonemap=hable:desat=0,zscale=t=bt709:m=bt709:r=limited,format=yuv420p"),
    ("passed on", ("16", "smpte2084"), "--to pq-raw:yuv420p10", None),
]


def frames(path, count):
    """Writes a file of raw frames."""
    noise = random.Random(1)
    planes = [(WIDTH, HEIGHT, 180, 600), (WIDTH // 2, HEIGHT // 2, 440, 140), (WIDTH // 2, HEIGHT // 2, 440, 140)]
    frame = bytearray()
    for width, height, low, swing in planes:
        grain = [noise.randrange(32) for _ in range(width)]
        for y in range(height):
            row = grain[y % width:] + grain[:y % width]
            for x in range(width):
                frame += (low + swing * (x + y) // (width + height) + row[x]).to_bytes(2, "little")
    with open(path, "wb") as file:
        for _ in range(count):
            file.write(frame)


def seconds(command, path):
    """Returns the CPU time of a command that reads a file and writes into a pipe."""
    reading, writing = os.pipe()
    reader = subprocess.Popen(["cat"], stdin=reading, stdout=subprocess.DEVNULL)
    os.close(reading)
    with open(path, "rb") as file:
        process = subprocess.Popen(command, stdin=file, stdout=writing)
    os.close(writing)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    reader.wait()
    if status != 0:
        raise SystemExit(f"{' '.join(command)} ended with {status}")
    return usage.ru_utime + usage.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("hdrbatch", nargs="+")
    parser.add_argument("--ffmpeg", action="append", default=[])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--frames", type=int, default=96)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        few, all_frames = f"{folder}/few", f"{folder}/all"
        frames(few, options.frames // 4)
        frames(all_frames, options.frames)
        rows = []
        for name, (code, transfer), words, filters in JOBS:
            source = f"--from raw:yuv420p10,{WIDTH}x{HEIGHT} --cicp 9/{code}/9 --range limited --backend cpu"
            for program in options.hdrbatch:
                one = "--jobs 1 --threads 1 --progress none"
                rows.append((f"{name}, {program}", f"{program} render - -o - {source} {one} {words}".split()))
            for program in options.ffmpeg if filters else []:
                head = f"{program} -nostdin -v error -threads 1 -filter_threads 1 -f rawvideo -pix_fmt yuv420p10le"
                rows.append((
                    f"{name}, {program}",
                    f"{head} -s {WIDTH}x{HEIGHT} {TAGS} {transfer} -i - -vf {filters} -f rawvideo -".split()))
        found = {name: [] for name, _ in rows}
        for _ in range(options.rounds):
            for name, command in rows:
                short, long = seconds(command, few), seconds(command, all_frames)
                found[name].append((long - short) * 1000 / (options.frames - options.frames // 4))
        for name, values in found.items():
            print(f"{statistics.median(values):7.2f} {min(values):7.2f} {max(values):7.2f}  {name}")


if __name__ == "__main__":
    main()
