#!/usr/bin/env python3
"""Every file of a folder of malformed files through `hdrbatch render`, clips through `hdrbatch video`, alone: outcome,
memory, time.

    scripts/measure/malformed.py FOLDER... > docs/data/malformed.tsv

Folders are those of the tests' data: malformed, images/malformed, formats2/malformed; video/malformed for
docs/data/malformed-clips.tsv. HDRBATCH names the program, HDRBATCH_FFMPEG ffmpeg, MEMORY what a run may take (512M),
for pictures as --memory. Memory is that of all processes of a run together, shared pages once (PSS), looked at all
the time; "largest process" is what the kernel counted (ru_maxrss), which also has peaks between two looks. Exit 1
where a run ends otherwise than with 0 or 65, or takes more than MEMORY.
"""
import json
import os
import pathlib
import sys
import tempfile
import time

from batch_bench import PROGRAM, proportional, tree

MEMORY = os.environ.get("MEMORY", "512M")
PICTURES = {"avif", "exr", "hdr", "heic", "heif", "jpeg", "jpg", "jxl", "png", "tif", "tiff"}
PICTURES |= {"bmp", "cin", "dpx", "j2k", "jp2", "jxr", "pfm", "phm", "pic", "ppm", "psd", "qoi", "webp"}
CLIPS = {"hevc", "mkv", "mov", "mp4", "ts"}


def render(file, folder):
    """Exit code, row of the record, most bytes of all processes, of the largest one, seconds."""
    record = folder / "record.jsonl"
    words = ["render", "--to", "pq-png", "--journal", "none", "--memory", MEMORY]
    if ending(file) in CLIPS:
        words = ["video"]
    begin = time.monotonic()
    child = os.posix_spawn(
        PROGRAM,
        [PROGRAM, *words, str(file), "--out", str(folder / "out"), "--backend", "cpu", "--progress", "none", "--record",
         str(record)],
        os.environ, file_actions=[(os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0)])
    most = 0
    while True:
        ended, status, usage = os.wait4(child, os.WNOHANG)
        if ended:
            break
        most = max(most, sum(map(proportional, tree(child))))
    seconds = time.monotonic() - begin
    rows = [json.loads(line) for line in open(record)]
    item = next(row for row in rows if row["type"] in ("item", "clip"))
    return os.waitstatus_to_exitcode(status), item, most, usage.ru_maxrss * 1024, seconds


def ending(file):
    return file.suffix[1:].lower()


def main(folders):
    allowed = int(MEMORY[:-1]) << {"M": 20, "G": 30}[MEMORY[-1]]
    files = sorted(
        file for folder in folders for file in pathlib.Path(folder).iterdir() if ending(file) in PICTURES | CLIPS)
    print("file", "bytes", "outcome", "all processes, MiB", "largest process, MiB", "seconds", sep="\t")
    faults = 0
    for file in files:
        with tempfile.TemporaryDirectory(prefix="hdrbatch-malformed.") as name:
            code, item, most, largest, seconds = render(file, pathlib.Path(name))
        faults += code not in (0, 65) or max(most, largest) > allowed
        print(file.name, file.stat().st_size, item["code"] or item["status"], f"{most / 2**20:.0f}",
              f"{largest / 2**20:.0f}", f"{seconds:.2f}", sep="\t", flush=True)
    sys.exit(faults > 0)


if __name__ == "__main__":
    main(sys.argv[1:]) if sys.argv[1:] else sys.exit(__doc__)
