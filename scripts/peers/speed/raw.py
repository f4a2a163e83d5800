#!/usr/bin/env python3
"""CPU seconds from a DNG of a 24-megapixel Bayer sensor to a 16-bit PNG: hdrbatch, LibRaw's dcraw_process with libpng,
and darktable-cli, alternated on one thread each.

    raw.py HDRBATCH PICTURE [ROUNDS]     PICTURE: a photograph, of which the sensor's samples are made

Needs numpy and Pillow; gcc, libraw-dev and libpng-dev for LibRaw's row; darktable for its own. Prints a table.
"""
import os
import resource
import statistics
import struct
import subprocess
import sys
import tempfile

import numpy
from PIL import Image

WIDTH, HEIGHT = 6000, 4000

PEER = r"""
#include <libraw/libraw.h>
#include <png.h>
#include <stdlib.h>
int main(int count, char **names) {
  libraw_data_t *raw = libraw_init(0);
  raw->params.output_bps = 16;
  raw->params.user_qual = atoi(names[3]);
  raw->params.use_camera_wb = 1;
  raw->params.no_auto_bright = 1;
  raw->params.output_color = 8 - 2;
  if (libraw_open_file(raw, names[1]) || libraw_unpack(raw) || libraw_dcraw_process(raw)) return 1;
  int code = 0;
  libraw_processed_image_t *image = libraw_dcraw_make_mem_image(raw, &code);
  if (!image) return 2;
  png_image png = {.version = PNG_IMAGE_VERSION, .width = image->width, .height = image->height,
                   .format = PNG_FORMAT_LINEAR_RGB, .flags = PNG_IMAGE_FLAG_FAST};
  return !png_image_write_to_file(&png, names[2], 0, image->data, 0, 0);
}
"""


def dng(path, picture):
    """A filter array RGGB of 14 bits in one strip, with a tone curve and two illuminants."""
    source = Image.open(picture).convert("RGB").resize((WIDTH, HEIGHT), Image.BICUBIC)
    codes = numpy.asarray(source, numpy.float64) / 255
    light = numpy.where(codes <= 0.04045, codes / 12.92, ((codes + 0.055) / 1.055) ** 2.4)
    light *= [0.45, 1, 0.54]
    sensor = numpy.empty((HEIGHT, WIDTH))
    sensor[0::2, 0::2], sensor[0::2, 1::2] = light[0::2, 0::2, 0], light[0::2, 1::2, 1]
    sensor[1::2, 0::2], sensor[1::2, 1::2] = light[1::2, 0::2, 1], light[1::2, 1::2, 2]
    noise = numpy.random.default_rng(1).normal(0, 1, sensor.shape)
    values = 512 + sensor * (16383 - 512)
    samples = numpy.clip(values + noise * numpy.sqrt(values) / 4, 0, 16383).astype("<u2")

    def fractions(values, code):
        return code, len(values), b"".join(struct.pack("<ii", round(v * 10000), 10000) for v in values)

    def shorts(*values):
        return 3, len(values), struct.pack(f"<{len(values)}H", *values)

    def longs(*values):
        return 4, len(values), struct.pack(f"<{len(values)}I", *values)

    def text(value):
        return 2, len(value) + 1, value.encode() + b"\0"

    curve = [v for x in numpy.linspace(0, 1, 33) for v in (x, min(1, x ** 0.7 * 1.02))]
    tags = {
        254: longs(0), 256: longs(WIDTH), 257: longs(HEIGHT), 258: shorts(16), 259: shorts(1), 262: shorts(32803),
        271: text("Canon"), 272: text("Canon EOS 6D"), 273: longs(0), 274: shorts(1), 277: shorts(1), 278: longs(HEIGHT),
        279: longs(samples.nbytes), 33421: shorts(2, 2), 33422: (1, 4, bytes([0, 1, 1, 2])),
        50706: (1, 4, bytes([1, 4, 0, 0])), 50708: text("Canon EOS 6D"), 50714: shorts(512), 50717: longs(16383),
        50721: fractions([0.7546, -0.1435, -0.0929, -0.3846, 1.1488, 0.2692, -0.0332, 0.1209, 0.637], 10),
        50722: fractions([0.7034, -0.0804, -0.1014, -0.442, 1.2564, 0.2058, -0.0851, 0.1994, 0.5758], 10),
        50728: fractions([0.45, 1, 0.54], 5), 50730: fractions([0.2], 10), 50778: shorts(17), 50779: shorts(21),
        50940: (11, len(curve), struct.pack(f"<{len(curve)}f", *curve)),
    }
    with open(path, "wb") as file:
        place = 8 + 2 + 12 * len(tags) + 4
        table, behind = b"", b""
        start = place + sum(len(v[2]) + len(v[2]) % 2 for v in tags.values() if len(v[2]) > 4)
        tags[273] = longs(start)
        for tag, (kind, count, data) in sorted(tags.items()):
            if len(data) > 4:
                table += struct.pack("<HHII", tag, kind, count, place + len(behind))
                behind += data + b"\0" * (len(data) % 2)
            else:
                table += struct.pack("<HHI", tag, kind, count) + data.ljust(4, b"\0")
        file.write(b"II*\0" + struct.pack("<IH", 8, len(tags)) + table + b"\0" * 4 + behind + samples.tobytes())


def measure(command, environment=None):
    """CPU seconds and peak MiB of a command and its children."""
    with tempfile.NamedTemporaryFile() as report:
        status = subprocess.run(
            ["/usr/bin/time", "-f", "%U %S %M", "-o", report.name] + command, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, env={**os.environ, "OMP_NUM_THREADS": "1", **(environment or {})})
        user, system, peak = report.read().decode().split()[-3:]
    if status.returncode != 0:
        return None
    return float(user) + float(system), int(peak) / 1024


def main():
    hdrbatch, picture = sys.argv[1], sys.argv[2]
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    with tempfile.TemporaryDirectory() as folder:
        source, out = folder + "/sensor.dng", folder + "/out"
        dng(source, picture)
        os.mkdir(out)
        with open(folder + "/peer.c", "w") as file:
            file.write(PEER)
        built = subprocess.run(
            ["gcc", "-O2", folder + "/peer.c", "-o", folder + "/peer", "-lraw_r", "-lpng16"], capture_output=True)
        own = [hdrbatch, "render", source, "--out", out, "--to", "pq-png", "--on-existing", "replace", "--backend", "cpu",
               "--threads", "1", "--progress", "none", "--journal", "none"]
        jobs = {"hdrbatch": own, "hdrbatch, rcd": own + ["--raw-demosaic", "rcd"]}
        if built.returncode == 0:
            jobs["LibRaw, bilinear"] = [folder + "/peer", source, out + "/peer0.png", "0"]
            jobs["LibRaw, AHD"] = [folder + "/peer", source, out + "/peer3.png", "3"]
        jobs["darktable-cli"] = [
            "darktable-cli", source, out + "/dt.png", "--core", "--configdir", folder + "/dt", "--library", ":memory:",
            "-t", "1", "--disable-opencl", "--conf", "plugins/imageio/format/png/bpp=16"]
        found = {name: [] for name in jobs}
        for _ in range(rounds):
            for name, command in jobs.items():
                for old in os.listdir(out):
                    os.remove(f"{out}/{old}")
                result = measure(command)
                if result:
                    found[name].append(result)
        print("program\tCPU seconds\tpeak MiB")
        for name, results in found.items():
            if results:
                print(f"{name}\t{statistics.median(r[0] for r in results):.2f}\t{max(r[1] for r in results):.0f}")
            else:
                print(f"{name}\t-\t-")


main()
