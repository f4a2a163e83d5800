#!/usr/bin/env python3
"""Every file of folders through `hdrbatch render`: its outcome, and how far its samples are from another reader's.

    python3 -m venv /tmp/venv && /tmp/venv/bin/pip install imagecodecs numpy OpenEXR OpenImageIO pillow pillow-heif tifffile
    /tmp/venv/bin/python scripts/peers/oracles/formats.py .build/release/hdrbatch ROOT FOLDER... > docs/data/formats-read.tsv

ROOT: the folder that FOLDERs, as dpx, lie in; all files below them are read, but not those of folders `malformed`. Two
renders: one as anybody does it (`pq-png`), of which the outcome is; and one whose codes are taken for linear light of
BT.709 (`--from-space lin_rec709`), so that 32-bit floats of `linear-tiff` are the stored samples. Of files with a gain map,
which take no such option, the second one is `sdr-tiff` for a display without headroom: the base as it is stored.

`equal`: each sample is the other reader's; of floats, as half floats. Else the largest difference, in codes of the file's
depth (of files that other readers give as 8 bits, in those), of floats as share of 1 or of what is larger than 1.
"""
import json
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import imagecodecs
import numpy as np
import OpenEXR
import OpenImageIO as oiio
import pillow_heif
import tifffile
from PIL import Image, ImageOps

PEAK = 64
TEN_BITS = bytes.fromhex("24c3dd6f034efe4bb1853d77768dc914")  # the pixel format of JPEG XR with three of them
TURNS = {1: lambda a: a, 2: lambda a: a[:, ::-1], 3: lambda a: a[::-1, ::-1], 4: lambda a: a[::-1],
         5: lambda a: a.swapaxes(0, 1), 6: lambda a: np.rot90(a, -1), 7: lambda a: np.rot90(a, 2).swapaxes(0, 1),
         8: lambda a: np.rot90(a)}


# Each reader gives an array, the largest code (None: floats) and its name.

def by_oiio(path):
    options = oiio.ImageSpec()
    options.attribute("pnm:pfmflip", 1)
    source = oiio.ImageInput.open(str(path), options)
    if not source:
        raise ValueError(oiio.geterror())
    spec = source.spec()
    pixels = source.read_image(0, 0, 0, spec.nchannels, spec.format)
    if pixels is None:
        raise ValueError(source.geterror())
    full = None if pixels.dtype.kind == "f" else np.iinfo(pixels.dtype).max
    order = [spec.channelnames.index(name) for name in "RGBA" if name in spec.channelnames]
    if len(order) >= 3:
        pixels = pixels[..., order]
    return TURNS[spec.get_int_attribute("Orientation", 1)](pixels), full, "OpenImageIO " + oiio.VERSION_STRING


def by_ffmpeg(path):
    """Samples as FFmpeg's decoder gives them, without its scaler."""
    probe = ["ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries", "stream=width,height,pix_fmt", "-of", "json"]
    found = json.loads(subprocess.run([*probe, path], check=True, capture_output=True).stdout)["streams"][0]
    kind, height, width = found["pix_fmt"], found["height"], found["width"]
    wanted = ["ffmpeg", "-v", "error", "-i", path, "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", kind, "-"]
    data = subprocess.run(wanted, check=True, capture_output=True).stdout
    bits = re.search(r"(\d+)(le|be)?$", kind)
    depth = {24: 8, 48: 16, 64: 16}.get(int(bits[1]), int(bits[1])) if bits else 8
    dtype = "f4" if depth == 32 else "u1" if depth == 8 else "u2"
    samples = np.frombuffer(data, (">" if kind.endswith("be") else "<") + dtype)
    if kind.startswith("gbr"):
        pixels = np.moveaxis(samples.reshape(-1, height, width)[[2, 0, 1]], 0, -1)
    else:
        pixels = samples.reshape(height, width, -1)
    return pixels, None if depth == 32 else 2 ** depth - 1, "FFmpeg"


def by_ffmpeg_turned(path):
    """PFM: FFmpeg 5.1 leaves rows as they are stored, which is from the bottom up but in Photoshop's files."""
    pixels, full, name = by_ffmpeg(path)
    return pixels[::-1], full, name + ", rows turned"


def by_pillow(path):
    with Image.open(path) as image:
        image.seek(0)
        image = ImageOps.exif_transpose(image)
        if image.mode in ("P", "1", "LA", "PA"):
            image = image.convert("RGBA" if "transparency" in image.info or image.mode in ("LA", "PA") else "RGB")
        pixels = np.asarray(image)
    version = "Pillow " + Image.__version__
    return pixels, 65535 if pixels.dtype != np.uint8 else 255, version


def by_heif(path):
    picture = pillow_heif.open_heif(path, convert_hdr_to_8bit=False)[0]
    pixels = np.asarray(picture)
    return pixels, 255 if pixels.dtype == np.uint8 else 65535, "libheif " + pillow_heif.libheif_version()


def by_imagecodecs(kind, name):
    def read(path):
        pixels = getattr(imagecodecs, kind + "_decode")(path.read_bytes())
        version = getattr(imagecodecs, kind + "_version")().replace("_", " ")
        full = None if pixels.dtype.kind == "f" else np.iinfo(pixels.dtype).max
        return pixels, full, f"{version} of imagecodecs" if name is None else f"{name} of imagecodecs"
    return read


def by_jxr(path):
    """The library turns pictures as they are shown, but for quarter turns, which it refuses."""
    data = path.read_bytes()
    pixels = imagecodecs.jpegxr_decode(data)
    if TEN_BITS in data:
        raise ValueError("it takes rows of 10 bits for two bytes longer than they are")
    if pixels.dtype == np.uint8 and pixels.shape[-1] == 4 and bytes.fromhex("24c3dd6f034efe4bb1853d7776 8dc93d") in data:
        light = pixels[..., :3] * np.exp2(pixels[..., 3:].astype(np.float64) - 136)
        return light, None, "jxrlib of imagecodecs"
    return pixels, None if pixels.dtype.kind == "f" else np.iinfo(pixels.dtype).max, "jxrlib of imagecodecs"


def by_app(path):
    """JPEG XR by jxrlib's own program, which turns nothing."""
    data = path.read_bytes()
    at, turn = int.from_bytes(data[4:8], "little"), 0
    for index in range(int.from_bytes(data[at:at + 2], "little")):
        entry = data[at + 2 + 12 * index:at + 14 + 12 * index]
        turn = entry[8] if entry[:2] == b"\x02\xbc" else turn
    with tempfile.TemporaryDirectory() as folder:
        for ending in ("tif", "bmp"):
            out = Path(folder, "x." + ending)
            subprocess.run(["JxrDecApp", "-i", str(path), "-o", str(out)], capture_output=True)
            if out.exists() and out.stat().st_size:
                break
        pixels = tifffile.imread(out) if ending == "tif" else np.asarray(Image.open(out))
    full = None if pixels.dtype.kind == "f" else np.iinfo(pixels.dtype).max
    if TEN_BITS in data:
        raise ValueError("it writes 10 bits as something else")
    return TURNS[{0: 1, 1: 4, 2: 2, 3: 3, 4: 6, 5: 7, 6: 5, 7: 8}[turn]](pixels), full, "JxrDecApp"


def by_openexr(path):
    with OpenEXR.File(str(path), separate_channels=True) as file:
        part = next((p for p in file.parts if {"R", "G", "B"} <= set(p.channels) or "Y" in p.channels), file.parts[0])
        names = [n for n in "RGBA" if n in part.channels] or ["Y"]
        if not set(names) <= set(part.channels) or len(names) > 1 and not {"R", "G", "B"} <= set(names):
            raise ValueError("no R, G, B or Y")
        planes = [part.channels[n].pixels for n in names]
    if any(plane.dtype == object or plane.shape != planes[0].shape for plane in planes):
        raise ValueError("deep or subsampled pixels are not compared")
    isCounted, pixels = planes[0].dtype.kind == "u", np.stack(planes, -1).astype(np.float64)
    if len(names) == 4 and not isCounted:
        # Colours are multiplied by alpha in the file.
        alpha = pixels[..., 3:]
        pixels[..., :3] = np.divide(pixels[..., :3], alpha, out=np.zeros_like(pixels[..., :3]), where=alpha > 0)
    return pixels, None, "OpenEXR " + OpenEXR.__version__


def by_tifffile(path):
    with tifffile.TiffFile(path) as file:
        page = next((p for p in file.pages if not int(p.subfiletype) & 1), file.pages[0])
        pixels, bits, kind = page.asarray(), page.bitspersample, int(page.photometric)
        if kind not in (0, 1, 2) or pixels.ndim > 3:
            raise ValueError("only grey and RGB are compared")
        if page.samplesperpixel > 1 and page.planarconfig == 2:
            pixels = np.moveaxis(pixels, 0, -1)
        turn = page.tags.get("Orientation")
    if pixels.dtype.kind in "ic":
        raise ValueError("signed and complex numbers are not compared")
    full = None if pixels.dtype.kind == "f" else 2 ** bits - 1
    if kind == 0:
        pixels = full - pixels.astype(np.int64)
    return TURNS[int(turn.value) if turn else 1](pixels), full, "tifffile " + tifffile.__version__


FILM = [by_oiio, by_ffmpeg]
RADIANCE = [by_oiio, by_imagecodecs("rgbe", "rgbe")]
FLOATS = [by_oiio, by_ffmpeg, by_ffmpeg_turned]
READERS = {
    ".dpx": FILM, ".cin": FILM, ".hdr": RADIANCE, ".pfm": FLOATS, ".phm": FLOATS, ".ppm": FILM, ".pgm": FILM, ".bmp": [by_pillow],
    ".qoi": [by_imagecodecs("qoi", "qoi")], ".webp": [by_pillow], ".jpg": [by_pillow], ".jpeg": [by_pillow],
    ".png": [by_imagecodecs("png", None)], ".heic": [by_heif], ".heif": [by_heif], ".avif": [by_imagecodecs("avif", None), by_pillow],
    ".jxl": [by_imagecodecs("jpegxl", None)], ".jxr": [by_jxr, by_app], ".exr": [by_openexr], ".tif": [by_tifffile],
    ".tiff": [by_tifffile], ".psd": [by_oiio],
} | {ending: [by_imagecodecs("jpeg2k", None)] for ending in (".jp2", ".jph", ".j2k", ".j2c", ".jhc")}


def render(program, links, folder, kind, *words):
    """Rows of the record by input; a failed picture does not stop the others."""
    listed, record = folder / f"{kind}.txt", folder / f"{kind}.jsonl"
    listed.write_text("".join(f"{link}\n" for link in links))
    subprocess.run(
        [program, "render", f"@{listed}", "--out", folder / kind, "--to", kind.split(".")[0], "--backend", "cpu", "--journal",
         "none", "--progress", "none", "--on-existing", "replace", "--record", record, *words],
        stderr=subprocess.DEVNULL)
    rows = map(json.loads, record.read_text().splitlines())
    return {row["input"]: row for row in rows if row["type"] == "item"}


def read(path, number):
    return READERS[path.suffix.lower()][number](path)


def distance(path, output, bits):
    """The nearest of the other readers, which do not always agree, and how far it is."""
    found, refused = [], ""
    for number in range(len(READERS.get(path.suffix.lower(), []))):
        # In a process of its own: some readers crash.
        try:
            with ProcessPoolExecutor(1) as pool:
                theirs, full, name = pool.submit(read, path, number).result(timeout=120)
        except Exception as error:  # the other reader's own limits
            reason = "it crashes" if isinstance(error, BrokenProcessPool) else (str(error).splitlines() or ["?"])[0][:60]
            refused = refused or reason
            continue
        # Of an animation the first frame.
        theirs = theirs[0] if theirs.ndim == 4 else theirs
        ours = tifffile.imread(output).astype(np.float64) / (65535 if output.parent.name == "sdr-tiff" else 1)
        found.append((*compare(ours, theirs[..., None] if theirs.ndim == 2 else theirs, full, bits), name))
    if not found:
        return "-", refused
    return min(found)[2], min(found)[1]


def compare(ours, theirs, full, bits):
    if ours.shape[:2] != theirs.shape[:2]:
        return np.inf, f"of {ours.shape[1]}x{ours.shape[0]}, the other reader's {theirs.shape[1]}x{theirs.shape[0]}"
    bands = 1 if theirs.shape[2] < 3 else 3
    ours, theirs = (ours if ours.ndim == 3 else ours[..., None])[..., :bands], theirs[..., :bands].astype(np.float64)
    if full is None:
        # What is no number is 0, and this render's display ends at PEAK.
        theirs = np.clip(np.nan_to_num(theirs, posinf=PEAK, neginf=-65504), -65504, PEAK)
        if (ours.astype(np.float16) == theirs.astype(np.float16)).all():
            return 0, "equal"
        far = np.abs(ours - theirs) / np.maximum(1, np.abs(theirs))
        return far.max(), f"{far.max():.2g}"
    if full == 65535 and bits in range(9, 16):
        # Fewer bits than 16 are given as they are, at the top of the word, or scaled.
        top = 2 ** bits - 1
        full = top if theirs.max() <= top else top << 16 - bits if not (theirs % (1 << 16 - bits)).any() else full
    steps = min(2 ** bits - 1 if bits else full, full)
    far = np.abs(np.rint(ours * steps) - np.rint(theirs * steps / full))
    return far.max(), "equal" if far.max() == 0 else f"{far.max():.0f} of {steps}, mean {far.mean():.2g}"


def main():
    program, root, folders = sys.argv[1], Path(sys.argv[2]), sys.argv[3:]
    files = [f for name in folders for f in sorted((root / name).iterdir()) if f.is_file() and f.suffix != ".tsv"]
    print("file", "outcome", "code", "reason, or warnings", "other reader", "distance", sep="\t")
    with tempfile.TemporaryDirectory(prefix="hdrbatch-formats.") as name:
        folder = Path(name)
        links = {}
        for index, file in enumerate(files):
            link = folder / f"{index:04}{file.suffix}"
            link.symlink_to(file.resolve())
            links[str(link)] = file
        usual = render(program, links, folder, "pq-png")
        good = [link for link in links if usual[link]["status"] != "failed"]
        stored = ["--tone-map", "none", "--gamut", "none"]
        codes = render(program, good, folder, "linear-tiff", "--depth", "32", "--from-space", "lin_rec709", "--primaries",
                       "srgb", "--headroom", f"{PEAK}", "--exr-window", "data", *stored)
        mapped = [link for link in good if codes[link]["status"] == "failed"]
        told = subprocess.run([program, "info", "--json", *links], capture_output=True, text=True).stdout.splitlines()
        said = {item["file"]: item for item in map(json.loads, told)}
        base = {}
        for code, name in ((1, "srgb"), (9, "bt2020"), (12, "p3")):
            some = [link for link in mapped if (said[link]["cicp"] or {"primaries": 1})["primaries"] == code]
            if some:
                base |= render(program, some, folder, "sdr-tiff", "--headroom", "1", "--primaries", name)
        for link, file in links.items():
            row, reader, far = usual[link], "", ""
            stem = Path(link).stem + ".tif"
            for kind, rows in (("linear-tiff", codes), ("sdr-tiff", base)):
                if rows.get(link, {"status": "failed"})["status"] != "failed":
                    reader, far = distance(file, folder / kind / stem, said[link]["bitDepth"] or 0)
                    break
            words = row["message"] if row["status"] == "failed" else ", ".join(w["code"] for w in row["warnings"])
            print(file.relative_to(root), row["status"], row["code"] or "", " ".join((words or "").split())[:150], reader, far,
                  sep="\t", flush=True)


if __name__ == "__main__":
    main() if len(sys.argv) > 3 else sys.exit(__doc__)
