#!/usr/bin/env python3
"""Codecs of hdrbatch beside those of Python modules, on one picture, in turn, on one thread each: docs/performance.md.

    scripts/peers/speed/codecs.py HDRBATCH PICTURE [--rounds N] [--tsv FILE] [--job NAME]...

OpenEXR, TIFF, JPEG XL and AVIF with the same settings; modules that are not installed are left out. Figures are medians
of CPU seconds, after a run that warms up. `hdrbatch bench codecs` goes from pixels in memory to bytes in memory and back;
others go to a file and back, so what Python takes for a file of as many bytes is added to hdrbatch's. Others get the
pixels of hdrbatch's file, and read that file. For AVIF they also turn R'G'B' into Y'CbCr and back.
"""
import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from importlib import metadata


def openimageio(settings, kind):
    import OpenImageIO as oiio
    oiio.attribute("threads", 1)
    oiio.attribute("exr_threads", 1)

    def write(pixels, path):
        height, width, channels = pixels.shape
        spec = oiio.ImageSpec(width, height, channels, kind)
        for name, value in settings.items():
            spec[name] = value
        out = oiio.ImageOutput.create(path)
        if not (out and out.open(path, spec) and out.write_image(pixels) and out.close()):
            sys.exit(oiio.geterror() or out.geterror())

    def read(path):
        file = oiio.ImageInput.open(path)
        if not file:
            sys.exit(oiio.geterror())
        pixels = file.read_image(0, 0, 0, 3, kind)
        file.close()
        if pixels is None:
            sys.exit("no pixels")
        return pixels

    return write, read


def openexr():
    import OpenEXR
    OpenEXR.set_global_thread_count(0)

    def write(pixels, path):
        OpenEXR.File(
            {"compression": OpenEXR.ZIP_COMPRESSION, "type": OpenEXR.scanlineimage}, {"RGB": pixels}).write(path)

    def read(path):
        return OpenEXR.File(path).channels()["RGB"].pixels

    return write, read


def tifffile_(predictor, level):
    import tifffile

    def write(pixels, path):
        tifffile.imwrite(
            path, pixels, photometric="rgb", compression="adobe_deflate", compressionargs={"level": level},
            predictor=predictor, rowsperstrip=64, maxworkers=1, metadata=None)

    def read(path):
        return tifffile.imread(path, maxworkers=1)

    return write, read


def imagecodecs_(codec, encode, decode):
    import imagecodecs
    encoder, decoder = getattr(imagecodecs, codec + "_encode"), getattr(imagecodecs, codec + "_decode")

    def write(pixels, path):
        with open(path, "wb") as file:
            file.write(encoder(pixels, **encode))

    def read(path):
        with open(path, "rb") as file:
            if path.endswith(".png"):  # The source of AVIF: codes of ten bits.
                return imagecodecs.png_decode(file.read()) >> 6
            return decoder(file.read(), **decode)

    return write, read


# Quality 88 of libavif makes files as large as quality 90 of hdrbatch.
AVIF = dict(
    level=88, speed=9, bitspersample=10, pixelformat="420", codec="aom", primaries=9, transfer=16, matrix=9,
    numthreads=1)
JXL = dict(effort=1, lossless=True, numthreads=1)
ONE = dict(numthreads=1)
# Each job's kind of hdrbatch, the kind of the file with others' pixels, and peers: the module, a setting that only
# writing has, and what makes the two functions.
JOBS = {
    "OpenEXR, halves, ZIP": ("exr", "exr", [
        ("OpenImageIO", "", lambda: openimageio({"compression": "zip"}, "half")),
        ("OpenImageIO", "level 2", lambda: openimageio({"compression": "zip:2"}, "half")),
        ("OpenEXR", "", openexr),
    ]),
    "TIFF, 16 bit, Deflate, predictor 2": ("pq-tiff", "pq-tiff", [
        ("OpenImageIO", "", lambda: openimageio(
            {"compression": "zip", "tiff:zipquality": 1, "tiff:RowsPerStrip": 64}, "uint16")),
        ("tifffile", "", lambda: tifffile_(2, 1)),
    ]),
    "TIFF, halves, Deflate, predictor 3": ("linear-tiff", "linear-tiff", [
        ("OpenImageIO", "", lambda: openimageio(
            {"compression": "zip", "tiff:zipquality": 1, "tiff:RowsPerStrip": 64, "tiff:half": 1}, "half")),
        ("tifffile", "", lambda: tifffile_(3, 1)),
    ]),
    "JPEG XL, 16 bit, lossless, effort 1": ("pq-jxl", "pq-jxl", [
        ("OpenImageIO", "", lambda: openimageio(
            {"compression": "jpegxl:100", "jpegxl:effort": 1, "jpegxl:distance": 0.0}, "uint16")),
        ("imagecodecs", "", lambda: imagecodecs_("jpegxl", JXL, ONE)),
    ]),
    "PQ AVIF, 10 bit, 4:2:0, speed 9": ("pq-avif", "pq-png", [
        ("imagecodecs", "", lambda: imagecodecs_("avif", AVIF, ONE)),
    ]),
}


def timed(work):
    """CPU and wall seconds of work, which has warmed up before."""
    def cpu():
        used = resource.getrusage(resource.RUSAGE_SELF)
        return used.ru_utime + used.ru_stime

    work()
    before, start = cpu(), time.monotonic()
    work()
    return cpu() - before, time.monotonic() - start


def one(verb, job, number, source, path):
    """Runs one peer, in a process of its own; prints CPU and wall seconds and the file's bytes."""
    write, read = JOBS[job][2][int(number)][2]()
    if verb == "write":
        pixels = read(source)
        print(*timed(lambda: write(pixels, path)), os.path.getsize(path))
    else:
        print(*timed(lambda: read(source)), os.path.getsize(source))


def peer(*words):
    done = subprocess.run([sys.executable, __file__, "--one", *map(str, words)], capture_output=True, text=True)
    if done.returncode:
        print(f"{words[1]}, {words[0]}: {done.stderr.strip()[-200:]}", file=sys.stderr)
        return None
    return [float(word) for word in done.stdout.split()[-3:]]


def installed(module):
    try:
        subprocess.run([sys.executable, "-c", "import numpy, " + module], check=True, stderr=subprocess.DEVNULL)
        return metadata.version(module)
    except (subprocess.CalledProcessError, metadata.PackageNotFoundError):
        return None


def plain_file(path, count):
    """CPU and wall seconds of writing and reading a file without a codec."""
    data = bytes(count)

    def write():
        with open(path, "wb") as file:
            file.write(data)

    def read():
        with open(path, "rb") as file:
            file.read()

    return {"write": timed(write), "read": timed(read)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("picture")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--tsv")
    parser.add_argument("--job", action="append", choices=list(JOBS))
    told = parser.parse_args()
    modules = {module for _, _, peers in JOBS.values() for module, _, _ in peers}
    versions = {module: version for module in sorted(modules) if (version := installed(module))}
    if not versions:
        sys.exit("none of " + ", ".join(sorted(modules)) + " is here, with numpy")
    head, rows = ["job", "program", "CPU seconds", "of hdrbatch's", "MB", "times as fast on two threads"], []
    print("\t".join(head), flush=True)
    with tempfile.TemporaryDirectory(prefix="codecs-") as folder:

        def rendered(kind):
            out = os.path.join(folder, kind)
            if not os.path.isdir(out):
                subprocess.run([told.program, "render", told.picture, "--to", kind, "--out", out, "--backend", "cpu",
                                "--journal", "none", "--progress", "none"], check=True)
            return os.path.join(out, os.listdir(out)[0])

        def ours(kind, threads):
            """Figures of both directions with this many threads, and the report's machine."""
            report = os.path.join(folder, "report.json")
            subprocess.run([told.program, "bench", "codecs", told.picture, "--to", kind, "--threads", str(threads),
                            "--repeats", "1", "--json", report], check=True, stdout=subprocess.DEVNULL)
            with open(report) as file:
                made = json.load(file)
            found = {}
            for row in made["rows"]:
                plain = plain_file(os.path.join(folder, "plain"), row["fileBytes"])
                verb = "write" if row["name"].startswith("encode") else "read"
                found[verb] = row["cpuSeconds"] + plain[verb][0], row["wallSeconds"] + plain[verb][1], row["fileBytes"]
            return found, made["machine"]

        for job, (kind, samples, peers) in JOBS.items():
            if told.job and job not in told.job:
                continue
            file, source = rendered(kind), rendered(samples)
            threads = [1] if kind == "pq-avif" else [1, 2]
            names = {number: f"{module} {versions[module]}" + (", " + setting if setting else "")
                     for number, (module, setting, _) in enumerate(peers) if module in versions}
            found = {verb: {} for verb in ("write", "read")}
            for _ in range(told.rounds):
                # In turn, so that other load affects all alike.
                for count in threads:
                    figures, machine = ours(kind, count)
                    for verb, figure in figures.items():
                        found[verb].setdefault(-count, []).append(figure)
                for number in names:
                    found["write"].setdefault(number, []).append(
                        peer("write", job, number, source, os.path.join(folder, "theirs" + os.path.splitext(file)[1])))
                    if not peers[number][1]:
                        found["read"].setdefault(number, []).append(peer("read", job, number, file, ""))
            for verb, programs in found.items():
                cpu = {number: statistics.median(figure[0] for figure in figures)
                       for number, figures in programs.items() if None not in figures}
                for number in [-1, *names]:
                    if number not in cpu:
                        continue
                    # Other load only ever adds to wall time: the least of several runs has the least of it.
                    speedup = "" if number >= 0 or threads == [1] else "{:.2f}".format(
                        min(figure[1] for figure in programs[-1]) / min(figure[1] for figure in programs[-2]))
                    rows.append((
                        f"{verb} {job}", names.get(number, "hdrbatch " + machine["hdrbatch"]), f"{cpu[number]:.3f}",
                        f"{cpu[number] / cpu[-1]:.2f}", f"{programs[number][0][2] / 1e6:.2f}", speedup))
                    print("\t".join(rows[-1]), flush=True)
    print(f"# {machine['cpu']}, {machine['threads']} threads, load {machine['loadAverage']:.1f}: "
          + ", ".join(f"{name} {version}" for name, version in machine["codecs"].items() if version), file=sys.stderr)
    if told.tsv:
        with open(told.tsv, "w") as out:
            out.writelines("\t".join(row) + "\n" for row in [head, *rows])


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        one(*sys.argv[2:])
    else:
        main()
