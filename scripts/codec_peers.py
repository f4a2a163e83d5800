#!/usr/bin/env python3
"""Codecs of other programs on one picture, timed by themselves; `hdrbatch bench files --peers` runs this.

    scripts/codec_peers.py list                                 what is installed: job, peer and its version a line
    scripts/codec_peers.py write JOB PEER PIXELS WIDTH HEIGHT FILE
    scripts/codec_peers.py read JOB PEER FILE
    scripts/codec_peers.py gainmap pq|linear FILE OUT           a gain-map JPEG by libultrahdr to PQ PNG or halves

PIXELS are rows of R, G, B, halves or 16-bit integers, without gaps. A job is done once to warm up and once for the
figure, on one thread, from memory to a file or back; then a line says CPU and wall seconds and the file's bytes.
`bench all --peers` runs the last one.
"""
import os
import resource
import sys
import time

try:
    import numpy
except ImportError:
    numpy = None


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
            return decoder(file.read(), **decode)

    return write, read


# Each job's peers: the module, a setting that only writing has, and what makes the two functions.
# Quality 88 of libavif makes files as large as quality 90 of hdrbatch.
AVIF = dict(
    level=88, speed=9, bitspersample=10, pixelformat="420", codec="aom", primaries=9, transfer=16, matrix=9,
    numthreads=1)
JXL = dict(effort=1, lossless=True, numthreads=1)
ONE = dict(numthreads=1)
JOBS = {
    "exr": [
        ("OpenImageIO", "", lambda: openimageio({"compression": "zip"}, "half")),
        ("OpenImageIO", "level 2", lambda: openimageio({"compression": "zip:2"}, "half")),
        ("OpenEXR", "", openexr),
    ],
    "tiff-2": [
        ("OpenImageIO", "", lambda: openimageio(
            {"compression": "zip", "tiff:zipquality": 1, "tiff:RowsPerStrip": 64}, "uint16")),
        ("tifffile", "", lambda: tifffile_(2, 1)),
    ],
    "tiff-3": [
        ("OpenImageIO", "", lambda: openimageio(
            {"compression": "zip", "tiff:zipquality": 1, "tiff:RowsPerStrip": 64, "tiff:half": 1}, "half")),
        ("tifffile", "", lambda: tifffile_(3, 1)),
    ],
    "jxl": [
        ("OpenImageIO", "", lambda: openimageio(
            {"compression": "jpegxl:100", "jpegxl:effort": 1, "jpegxl:distance": 0.0}, "uint16")),
        ("imagecodecs", "", lambda: imagecodecs_("jpegxl", JXL, ONE)),
    ],
    "avif": [("imagecodecs", "", lambda: imagecodecs_("avif", AVIF, ONE))],
}


def name(module, setting):
    return module + (", " + setting if setting else "")


def listing():
    from importlib import metadata
    versions = {}
    for job, peers in JOBS.items():
        for module, setting, _ in peers:
            if module not in versions:
                try:
                    __import__(module)
                    versions[module] = metadata.version(module)
                except Exception:
                    versions[module] = None
            if versions[module]:
                print(job, name(module, setting), versions[module], sep="\t")


def main(verb, job, peer, *rest):
    write, read = next(make for module, setting, make in JOBS[job] if name(module, setting) == peer)()
    path = rest[-1]
    if verb == "write":
        kind = "float16" if job in ("exr", "tiff-3") else "uint16"
        pixels = numpy.fromfile(rest[0], kind).reshape(int(rest[2]), int(rest[1]), 3)
        if job == "avif":
            pixels = pixels >> 6

    def work():
        if verb == "write":
            write(pixels, path)
        else:
            read(path)

    timed(work, path)


def gainmap(kind, file, out):
    import imagecodecs
    with open(file, "rb") as opened:
        data = opened.read()

    def work():
        if kind == "pq":
            codes = imagecodecs.ultrahdr_decode(data, dtype="uint16", transfer=imagecodecs.ULTRAHDR.CT.PQ)
            made = imagecodecs.png_encode((codes[..., :3] << 6).astype("uint16"), level=1)
        else:
            made = imagecodecs.ultrahdr_decode(data, dtype="float16").tobytes()
        with open(out, "wb") as opened:
            opened.write(made)

    timed(work, out)


def timed(work, path):
    def cpu():
        used = resource.getrusage(resource.RUSAGE_SELF)
        return used.ru_utime + used.ru_stime

    work()
    before, start = cpu(), time.monotonic()
    work()
    print(cpu() - before, time.monotonic() - start, os.path.getsize(path))


if __name__ == "__main__":
    if sys.argv[1:] == ["list"]:
        listing()
    elif len(sys.argv) == 5 and sys.argv[1] == "gainmap" and sys.argv[2] in ("pq", "linear"):
        gainmap(*sys.argv[2:])
    elif len(sys.argv) in (5, 8) and sys.argv[2] in JOBS:
        main(*sys.argv[1:])
    else:
        sys.exit(__doc__)
