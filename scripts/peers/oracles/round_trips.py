#!/usr/bin/env python3
"""What hdrbatch writes, opened by readers that the project did not write, against the samples that it wrote.

    python3 -m venv /tmp/venv
    /tmp/venv/bin/pip install imagecodecs numpy OpenEXR OpenImageIO pillow pillow-heif pillow-jxl-plugin tifffile
    /tmp/venv/bin/python scripts/peers/oracles/round_trips.py .build/release/hdrbatch > docs/data/round-trips.tsv

Each output is made of one picture: an OpenEXR file with attributes, channels and a part of its own, which OpenEXR's library
writes here. What was written is known from a render of the same signal to samples without a header (`pq-raw:rgb48` and
others). FFmpeg and ImageMagick are programs.

`equal`: each sample is the same. Else the largest difference in codes of the file's depth, or of light in linear light as
share of the pixel's largest channel.
"""
import io
import json
import os
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

import imagecodecs
import numpy as np
import OpenEXR
import pillow_heif
import pillow_jxl  # noqa: F401: Pillow reads JPEG XL with it
import tifffile
from PIL import Image, ImageCms

import foreign_adaptive
import libavif_gainmap as avif
from formats import by_ffmpeg, by_ffmpeg_turned, by_oiio

PEAK = "6"  # headroom of the display of all renders, in stops
HEADROOM = ["--headroom", PEAK + "ev"]
PROGRAM, PICTURE, FOLDER = "", "", Path()


def picture(path):
    """120 x 80 halves of light to 20 times white in all hues, with what OpenEXR may hold beside them."""
    y, x = np.mgrid[0:80, 0:120].astype(np.float32)
    stops = 2.0 ** (x / 12 - 5.7)
    beauty = {
        name: (stops * (0.55 + 0.45 * np.cos(y / 80 * 6.3 + turn))).astype(np.float16)
        for name, turn in (("R", 0), ("G", 2.1), ("B", 4.2))}
    header = {
        "name": "beauty", "type": OpenEXR.scanlineimage, "compression": OpenEXR.ZIP_COMPRESSION, "owner": "nobody",
        "comments": "a picture for round trips", "exposureSeconds": 0.25, "shutterAngle": 180.0,
        "screenWindowWidth": 2.0}
    other = {"depth.Z": x * y, "cryptomatte00": x.astype(np.uint32) << 8, "specular.R": beauty["G"]}
    normals = {"N.X": x / 120, "N.Y": y / 80, "N.Z": np.ones_like(x)}
    parts = [OpenEXR.Part(header, beauty | other),
             OpenEXR.Part({"name": "normals", "type": OpenEXR.scanlineimage, "compression": OpenEXR.PIZ_COMPRESSION}, normals)]
    OpenEXR.File(parts).write(str(path))


def write(kind, *options, source=None):
    """The file that `--to KIND` makes, in a folder of its own."""
    folder = Path(tempfile.mkdtemp(dir=FOLDER))
    done = subprocess.run(
        [PROGRAM, "render", source or PICTURE, "--out", folder, "--to", kind, "--backend", "cpu", "--progress", "none", "--journal",
         "none", *options], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"--to {kind} {' '.join(options)}: {done.stderr}")
    return next(path for path in sorted(folder.iterdir()) if path.suffix != ".json")


def words(kind, *options):
    """The samples of a signal without a header: height x width x 3."""
    path = write(kind, *options)
    side = json.loads(Path(str(path) + ".json").read_text())
    bands, dtype = (3, "<u2") if kind.endswith("rgb48") else (4, "<f4")
    return np.fromfile(path, dtype).reshape(side["height"], side["width"], bands)[..., :3]


def row(kind, options, reader, what, distance):
    print(kind, " ".join(options), reader, what, distance, sep="\t", flush=True)


def codes(kind, options, readers, wanted, bits):
    """A row a reader: integers against 16 bits that were written."""
    path, most = write(kind, *options), 2 ** bits - 1
    for reader in readers:
        found, full, name = reader(path)
        # Some give fewer bits than 16 as they are.
        full = most if found.max() <= most else full
        compared(kind, options, name, f"codes of {bits} bits", found, full, wanted * (most / 65535), bits)


def light(kind, options, readers, wanted):
    """A row a reader: floats against halves that were written."""
    path = write(kind, *options)
    for reader in readers:
        found, _, name = reader(path)
        found = found[..., :3].astype(np.float64)
        isEqual = (found.astype(np.float16) == wanted.astype(np.float16)).all()
        far = np.abs(found - wanted) / np.maximum(wanted.max(-1, keepdims=True), 2.0 ** -14)
        row(kind, options, name, "light", "equal" if isEqual else f"{far.max():.2g}")


# MARK: readers of files that formats.py does not read

def by_convert(path):
    out = path.parent / "convert.tif"
    subprocess.run(["convert", path, "-depth", "16", "-compress", "none", out], check=True, capture_output=True)
    pixels = tifffile.imread(out)
    return (np.repeat(pixels[..., None], 3, -1) if pixels.ndim == 2 else pixels), np.iinfo(pixels.dtype).max, "ImageMagick"


def by_tifffile(path):
    pixels = tifffile.imread(path)
    return pixels, None if pixels.dtype.kind == "f" else np.iinfo(pixels.dtype).max, "tifffile " + tifffile.__version__


def by_openexr(path):
    with OpenEXR.File(str(path), separate_channels=True) as file:
        pixels = np.stack([file.parts[0].channels[name].pixels for name in "RGB"], -1)
    return pixels, None, "OpenEXR " + OpenEXR.__version__


def codec(kind):
    def read(path):
        pixels = getattr(imagecodecs, kind + "_decode")(path.read_bytes())
        name = getattr(imagecodecs, kind + "_version")().replace("_", " ")
        return pixels, None if pixels.dtype.kind == "f" else np.iinfo(pixels.dtype).max, name
    return read


def by_heif(path):
    pixels = np.asarray(pillow_heif.open_heif(path, convert_hdr_to_8bit=False)[0])
    # 10 bits come at the top of 16.
    return pixels, 65535 if pixels.dtype == np.uint16 else 255, "libheif " + pillow_heif.libheif_version()


# MARK: what is not samples

def chunks(data):
    """Names and payloads of PNG chunks; a wrong checksum is an error."""
    at, found = 8, []
    while at < len(data):
        size, name = int.from_bytes(data[at:at + 4], "big"), data[at + 4:at + 8]
        body = data[at + 8:at + 8 + size]
        assert int.from_bytes(data[at + 8 + size:at + 12 + size], "big") == zlib.crc32(name + body), name
        found.append((name.decode(), body))
        at += 12 + size
    return found


def adaptive_png():
    """Base and map by libpng, and the light of both by libavif's arithmetic."""
    path = write("adaptive-png")
    data = path.read_bytes()
    found = dict(chunks(data))
    inner, version = dict(chunks(found["gdAT"])), imagecodecs.png_version()
    base, gains = (imagecodecs.png_decode(png)[..., :3] for png in (data, found["gdAT"]))
    own = imagecodecs.png_decode(write("sdr-png", source=path).read_bytes())
    far = np.abs(base.astype(int) - own[..., :3]).max()
    row("adaptive-png", [], version, "codes of the base", "equal" if far == 0 else f"{far}")
    metadata = foreign_adaptive.metadata(b"\0" + inner["gmAP"])
    primaries = foreign_adaptive.primaries(PROGRAM, str(path))
    metadata.primaries = primaries
    gains = np.ascontiguousarray(np.broadcast_to(gains if gains.ndim == 3 else gains[..., None], (*gains.shape[:2], 3)))
    made = avif.apply_rgb(base, primaries, gains, metadata, float(metadata.alternate_headroom), 9)
    ours = foreign_adaptive.linear(PROGRAM, str(path))
    median, most = foreign_adaptive.difference(made, ours)
    reader = f"{version}, libavif {avif.AVIF.avifVersion().decode()}"
    row("adaptive-png", [], reader, "light with the map", f"median {median:.2g} %, 95 % below {most:.2g} %")


def kept_exr():
    """Attributes, channels and parts of the source in the file that was written."""
    path, reader = write("exr", *HEADROOM), "OpenEXR " + OpenEXR.__version__
    with OpenEXR.File(PICTURE, separate_channels=True) as before, OpenEXR.File(str(path), separate_channels=True) as after:
        one, other = before.parts[0], after.parts[0]
        made = {"channels", "compression", "lineOrder", "chunkCount", "type", "version"}
        names = [name for name in one.header if name not in made]
        same = [name for name in names if np.array_equal(one.header[name], other.header.get(name))]
        gone = "".join(f"; not {name}" for name in names if name not in same)
        row("exr", HEADROOM, reader, "attributes", f"{len(same)} of {len(names)} equal{gone}")
        pairs = [(channels, after.parts[index].channels) for index, channels in enumerate(p.channels for p in before.parts)]
        extra = [(name, mine, theirs) for mine, theirs in pairs for name in mine if name not in "RGBA"]
        equal = [name for name, mine, theirs in extra
                 if name in theirs and np.array_equal(mine[name].pixels, theirs[name].pixels)]
        row("exr", HEADROOM, reader, "other channels of all parts", f"{len(equal)} of {len(extra)} equal")


def hagc():
    """The tag in the profile of every container, by its readers; Little CMS opens the profile."""
    payloads = {}
    for kind, reader, profile in (
            ("pq-png", "Pillow", lambda path: Image.open(path).info["icc_profile"]),
            ("pq-tiff", "tifffile " + tifffile.__version__, lambda path: tifffile.TiffFile(path).pages[0].iccprofile),
            ("pq-heic", "libheif " + pillow_heif.libheif_version(),
             lambda path: pillow_heif.open_heif(path).info["icc_profile"]),
            ("pq-avif", "Pillow", lambda path: Image.open(path).info["icc_profile"]),
            ("pq-jxl", "libjxl by pillow-jxl-plugin", lambda path: Image.open(path).info["icc_profile"])):
        options = ["--icc-hagc", "reference-white"]
        path = write(kind, *HEADROOM, *options)
        data = profile(path)
        ImageCms.ImageCmsProfile(io.BytesIO(data))
        tags = {data[at:at + 4]: data[int.from_bytes(data[at + 4:at + 8], "big"):][:int.from_bytes(data[at + 8:at + 12], "big")]
                for at in range(132, 132 + 12 * int.from_bytes(data[128:132], "big"), 12)}
        payloads[kind] = tags[b"HAGC"]
        said = "equal to that of pq-png" if payloads[kind] == payloads["pq-png"] else "another"
        row(kind, options, reader, f"tag HAGC of {len(payloads[kind])} bytes; Little CMS opens the profile", said)


def compared(kind, options, name, what, found, full, wanted, bits):
    """A row: codes against those of a formula."""
    most = 2 ** bits - 1
    code = np.rint(found[..., :3].astype(np.float64) * (1 if full == most else most / full))
    far = np.abs(code - np.rint(wanted))
    row(kind, options, name, what, "equal" if far.max() == 0 else f"{far.max():.0f}, mean {far.mean():.2g}")


def film(wanted):
    """Codes of film by Cineon's formula: 685 is 1.0, 95 is black, 300 codes a decade."""
    path, offset = write("dpx-log", *HEADROOM), 10 ** ((95 - 685) / 300)
    own = (685 + 300 * np.log10(np.maximum(wanted, 0) * (1 - offset) + offset)).clip(0, 1023)
    for reader in (by_oiio, by_ffmpeg, by_convert):
        found, full, name = reader(path)
        compared("dpx-log", HEADROOM, name, "codes of 10 bits, by Cineon's formula", found, full, own, 10)


def video(sdr):
    """Codes of SDR video, a power of 2.4 of the light of sRGB's codes."""
    code = sdr / 65535
    signal = np.where(code <= 0.04045, code / 12.92, ((code + 0.055) / 1.055) ** 2.4) ** (1 / 2.4)
    for bits in (10, 16):
        options = ["--headroom", "1", "--depth", f"{bits}"]
        path = write("dpx", *options)
        for reader in (by_oiio, by_ffmpeg, by_convert):
            found, full, name = reader(path)
            what = f"codes of {bits} bits, by a power of 2.4"
            compared("dpx", options, name, what, found, full, signal * (2 ** bits - 1), bits)


def main():
    print("written", "options", "reader", "compared", "distance", sep="\t")
    bt709, fine = [*HEADROOM, "--primaries", "srgb"], [*HEADROOM, "--chroma", "444", "--quality", "100"]
    linear = words("linear-raw:rgbaf", *bt709).astype(np.float64)
    pq, hlg = (words(f"{kind}-raw:rgb48", *HEADROOM).astype(np.float64) for kind in ("pq", "hlg"))
    sdr = words("sdr-raw:rgb48", "--headroom", "1", "--primaries", "srgb").astype(np.float64)
    light("pfm", HEADROOM, [by_oiio, by_ffmpeg_turned], linear)
    light("hdr", HEADROOM, [by_oiio, codec("rgbe")], linear)
    light("exr", bt709, [by_openexr, by_oiio], linear)
    light("linear-tiff", bt709, [by_tifffile], linear)
    for options, bits in ((HEADROOM, 10), ([*HEADROOM, "--depth", "16"], 16)):
        codes("pq-dpx", options, [by_oiio, by_ffmpeg, by_convert], pq, bits)
    codes("hlg-dpx", HEADROOM, [by_oiio, by_ffmpeg, by_convert], hlg, 10)
    film(linear)
    video(sdr)
    for kind, wanted in (("pq", pq), ("hlg", hlg)):
        codes(kind + "-png", HEADROOM, [codec("png"), by_ffmpeg], wanted, 16)
        codes(kind + "-tiff", HEADROOM, [by_tifffile], wanted, 16)
        codes(kind + "-jxl", HEADROOM, [codec("jpegxl")], wanted, 16)
        codes(kind + "-avif", fine, [codec("avif")], wanted, 10)
        codes(kind + "-heic", fine, [by_heif], wanted, 10)
    codes("sdr-tiff", ["--headroom", "1", "--primaries", "srgb"], [by_tifffile], sdr, 16)
    adaptive_png()
    kept_exr()
    hagc()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    PROGRAM = sys.argv[1]
    with tempfile.TemporaryDirectory(prefix="hdrbatch-round-trips.") as name:
        FOLDER = Path(name)
        os.environ["FOREIGN_FOLDER"], PICTURE = name, name + "/picture.exr"
        picture(PICTURE)
        main()
