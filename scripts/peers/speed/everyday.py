#!/usr/bin/env python3
"""Everyday jobs beside other programs, all in one run: docs/performance.md.

    scripts/peers/speed/everyday.py HDRBATCH [--before OLDER_HDRBATCH] [--ffmpeg PROGRAM] [--rounds N] [--tsv FILE]
        [--job NAME]...

Each job is done once by each program in turn, N times over after a round that warms up; CPU seconds (of all processes)
and wall seconds are medians. Two at a time: hdrbatch with --jobs 2, the others in two processes of one thread each.
Programs that are not installed or cannot do a job are left out: pyvips, imagecodecs (libultrahdr, libpng), ffmpeg with
zscale and libplacebo (which has a GPU, so CPU time is not all of it). Pictures are Examples/citadel-pq.heic and made of
Examples/lamps.jpg.
"""
import argparse
import os
import pathlib
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = str(pathlib.Path(__file__).resolve().parents[3])
LAMPS = os.path.join(ROOT, "Examples", "lamps.jpg")
CITADEL = os.path.join(ROOT, "Examples", "citadel-pq.heic")

VIPS_TO_PNG = """
import sys, pyvips
for path in sys.argv[2:]:
    picture = pyvips.Image.uhdrload(path).uhdr2scRGB()
    (picture * (65535 / 8)).cast("ushort").copy(interpretation="rgb16").pngsave(
        sys.argv[1] + "/" + path.split("/")[-1] + ".png", compression=1)
"""
VIPS_TO_WEB = """
import sys, pyvips
for path in sys.argv[2:]:
    pyvips.Image.thumbnail(path, {size}).write_to_file(sys.argv[1] + "/" + path.split("/")[-1])
"""
VIPS_TO_SDR = """
import sys, pyvips
for path in sys.argv[2:]:
    pyvips.Image.thumbnail(path, {size}).jpegsave(sys.argv[1] + "/" + path.split("/")[-1], keep="none", Q=90)
"""
VIPS_AGAIN = """
import sys, pyvips
for path in sys.argv[2:]:
    pyvips.Image.new_from_file(path).write_to_file(sys.argv[1] + "/" + path.split("/")[-1], Q=90)
"""
ULTRAHDR_TO_PNG = """
import sys, imagecodecs
for path in sys.argv[2:]:
    codes = imagecodecs.ultrahdr_decode(
        open(path, "rb").read(), dtype="uint16", transfer=imagecodecs.ULTRAHDR.CT.PQ)
    made = imagecodecs.png_encode((codes[..., :3] << 6).astype("uint16"), level=1)
    open(sys.argv[1] + "/" + path.split("/")[-1] + ".png", "wb").write(made)
"""
ULTRAHDR_TO_HALF = """
import sys, imagecodecs
for path in sys.argv[2:]:
    halves = imagecodecs.ultrahdr_decode(open(path, "rb").read(), dtype="float16")
    halves.tofile(sys.argv[1] + "/" + path.split("/")[-1] + ".raw")
"""
# What ffmpeg makes of a picture.
PNG = ["-pix_fmt", "rgb48be", "-compression_level", "1", "out.png"]
JPEG = ["-q:v", "3", "out.jpg"]
HLG_TO_PQ = "zscale=tin=arib-std-b67:min=bt2020nc:pin=bt2020:t=smpte2084:p=bt2020:m=gbr:npl=1000,format=gbrp16le"
PQ_TO_SDR = ("zscale=transfer=linear:npl=203,format=gbrpf32le,tonemap=hable:desat=0,"
             "zscale=primaries=709:transfer=709:matrix=470bg:range=full,format=yuvj420p")
PLACEBO_TO_SDR = ("libplacebo=tonemapping=bt.2390:colorspace=bt470bg:color_primaries=bt709:color_trc=bt709:range=pc:"
                  "format=yuvj420p")
LOOK = "zscale=matrix=gbr:range=full,format=gbrp16le,lut3d=file={}:interp=tetrahedral"
VIPS_VERSION = "import pyvips; print(*map(pyvips.version, range(3)), sep='.')"
ULTRAHDR_VERSION = "import imagecodecs; print(imagecodecs.ultrahdr_version())"


def halves_of(paths):
    return [part for part in (paths[::2], paths[1::2]) if part]


def python(script, out, paths):
    return [[sys.executable, "-c", script, out, *part] for part in halves_of(paths)]


def hdrbatch(program, out, paths, *options):
    return [[program, "render", *paths, "--out", out, "--backend", "cpu", "--jobs", str(min(2, len(paths))),
             "--threads", str(min(2, len(paths))), *options]]


def ffmpeg(program, out, path, coding, chain=None, device=()):
    return [[program, "-v", "error", "-nostdin", "-y", "-threads", "1", "-filter_threads", "1", *device, "-i", path,
             "-frames:v", "1", *(["-vf", chain] if chain else []), *coding[:-1], os.path.join(out, coding[-1])]]


def look(path):
    """A smooth look of 33 nodes a side, whose values leave 0...1 a little."""
    with open(path, "w") as file:
        file.write("LUT_3D_SIZE 33\n")
        for node in range(33 ** 3):
            x, y, z = (node // 33 ** axis % 33 / 32 for axis in range(3))
            file.write(f"{x * (1.1 - 0.1 * x) + 0.03 * y * z:.7f} {y * (0.9 + 0.12 * y) - 0.01:.7f} "
                       f"{z * (1.05 - 0.08 * z) + 0.04 * x * y:.7f}\n")
    return path


def run(commands):
    """CPU and wall seconds of commands that run at once."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    environment = {**os.environ, "VIPS_CONCURRENCY": "1", "OMP_NUM_THREADS": "1"}
    running = [subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment)
               for command in commands]
    for process in running:
        _, said = process.communicate()
        if process.returncode:
            print(f"{process.args[:2]}: {said.decode()[-200:].strip()}", file=sys.stderr)
            return None
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall


def version(*command):
    """The first word with a digit of what a command prints; none where it is not here."""
    try:
        said = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    except (OSError, subprocess.CalledProcessError):
        return None
    return next(word for word in said if any(map(str.isdigit, word)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--before")
    parser.add_argument("--ffmpeg", default="ffmpeg")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--tsv")
    parser.add_argument("--job", action="append")
    told = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="speed-")

    def made(name, *options):
        out = os.path.join(folder, name)
        subprocess.run([told.program, "render", LAMPS, "--out", out, "--backend", "cpu", *options], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return os.path.join(out, sorted(file for file in os.listdir(out) if not file.startswith("."))[0])

    small = made("small", "--to", "adaptive-jpeg", "--resize", "1500")

    def copies(path, name, count):
        made = [os.path.join(folder, f"{name}-{index:02}.jpg") for index in range(count)]
        for copy in made:
            shutil.copyfile(path, copy)
        return made

    many, large = copies(small, "small", 60), copies(LAMPS, "large", 8)
    hlg = made("hlg", "--to", "hlg-avif")
    out = os.path.join(folder, "out")
    cube = look(os.path.join(folder, "look.cube"))
    versions = {"hdrbatch": version(told.program, "--version"), "libvips": version(sys.executable, "-c", VIPS_VERSION),
                "ffmpeg": version(told.ffmpeg, "-version"),
                "libultrahdr": version(sys.executable, "-c", ULTRAHDR_VERSION)}
    own = f"hdrbatch {versions['hdrbatch']}"

    def converted(*words):
        return lambda: ffmpeg(told.ffmpeg, out, *words)

    # Job: pictures, options of hdrbatch, each program's commands; a name is the program and what it does otherwise.
    def thumbnails(size, kind, script):
        """Small copies of large photos; libvips decodes them smaller too, so `--decode-scale` is beside the default."""
        options = ["--to", kind, "--resize", str(size)]
        return large, options, {
            "hdrbatch, --decode-scale 8": lambda: hdrbatch(told.program, out, large, *options, "--decode-scale", "8"),
            "libvips": lambda: python(script.format(size=size), out, large)}

    jobs = {
        "60 gain-map JPEGs of 1.7 MP to PQ PNG": (many, ["--to", "pq-png"], {
            "libvips": lambda: python(VIPS_TO_PNG, out, many),
            "libultrahdr": lambda: python(ULTRAHDR_TO_PNG, out, many)}),
        "60 gain-map JPEGs of 1.7 MP to gain-map JPEGs of 1024 pixels": (
            many, ["--to", "adaptive-jpeg", "--resize", "1024"], {
                "libvips": lambda: python(VIPS_TO_WEB.format(size=1024), out, many)}),
        "8 gain-map JPEGs of 12.5 MP to gain-map JPEGs of 2048 pixels": (
            large, ["--to", "adaptive-jpeg", "--resize", "2048"], {
                "libvips": lambda: python(VIPS_TO_WEB.format(size=2048), out, large)}),
        "8 gain-map JPEGs of 12.5 MP to gain-map JPEGs of 512 pixels": thumbnails(512, "adaptive-jpeg", VIPS_TO_WEB),
        "8 gain-map JPEGs of 12.5 MP to gain-map JPEGs of 400 pixels": thumbnails(400, "adaptive-jpeg", VIPS_TO_WEB),
        "8 gain-map JPEGs of 12.5 MP to SDR JPEGs of 512 pixels": thumbnails(512, "sdr-jpeg", VIPS_TO_SDR),
        "8 gain-map JPEGs of 12.5 MP to SDR JPEGs of 400 pixels": thumbnails(400, "sdr-jpeg", VIPS_TO_SDR),
        "8 gain-map JPEGs of 12.5 MP to PQ PNG": (large, ["--to", "pq-png"], {
            "libvips": lambda: python(VIPS_TO_PNG, out, large),
            "libultrahdr": lambda: python(ULTRAHDR_TO_PNG, out, large)}),
        "8 gain-map JPEGs of 12.5 MP to linear halves": (large, ["--to", "rgba16f"], {
            "libultrahdr": lambda: python(ULTRAHDR_TO_HALF, out, large)}),
        "a gain-map JPEG of 12.5 MP to SDR JPEG": ([LAMPS], ["--to", "sdr-jpeg"], {
            "libvips, base coded again": lambda: python(VIPS_AGAIN, out, [LAMPS]),
            "ffmpeg, base coded again": converted(LAMPS, JPEG)}),
        "an HLG AVIF of 12.5 MP to PQ PNG": ([hlg], ["--to", "pq-png"], {"ffmpeg": converted(hlg, PNG, HLG_TO_PQ)}),
        "a PQ HEIC of 4.9 MP to SDR JPEG": ([CITADEL], ["--to", "sdr-jpeg"], {
            "ffmpeg, zscale and tonemap": converted(CITADEL, JPEG, PQ_TO_SDR),
            "ffmpeg, libplacebo": converted(CITADEL, JPEG, PLACEBO_TO_SDR, ["-init_hw_device", "vulkan=v"])}),
        "a PQ HEIC of 4.9 MP through a 33³ LUT to PQ PNG": (
            [CITADEL], ["--to", "pq-png", "--lut", cube, "--lut-space", "pq"], {
                "ffmpeg, lut3d": converted(CITADEL, PNG, LOOK.format(cube))}),
    }
    rows = []
    for name, (paths, options, others) in jobs.items():
        if told.job and name not in told.job:
            continue
        programs = {own: lambda: hdrbatch(told.program, out, paths, *options)}
        if told.before:
            programs["before"] = lambda: hdrbatch(told.before, out, paths, *options)
        for other, commands in others.items():
            name_of, _, way = other.partition(",")
            if versions[name_of]:
                programs[f"{name_of} {versions[name_of]}" + (way and "," + way)] = commands
        figures = {program: [] for program in programs}
        for number in range(told.rounds + 1):
            for program, commands in programs.items():
                shutil.rmtree(out, ignore_errors=True)
                os.mkdir(out)
                figure = run(commands())
                # The first round warms up.
                if number or not figure:
                    figures[program].append(figure)
        programs = [program for program in programs if None not in figures[program]]
        cpu, wall = ({program: statistics.median(figure[i] for figure in figures[program]) for program in programs}
                     for i in (0, 1))
        for program in programs:
            rows.append((name, program, f"{cpu[program]:.2f}", f"{wall[program]:.2f}",
                         f"{len(paths) / wall[program]:.1f}", f"{cpu[program] / cpu[own]:.2f}"))
            print("\t".join(rows[-1]), flush=True)
    shutil.rmtree(folder)
    if told.tsv:
        with open(told.tsv, "w") as file:
            file.write("job\tprogram\tCPU s\twall s\timages a second\tCPU time beside hdrbatch\n")
            file.writelines("\t".join(row) + "\n" for row in rows)


main()
