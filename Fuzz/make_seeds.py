#!/usr/bin/env python3
"""Makes the seeds of Fuzz/seeds that no writer of the project makes: odd kinds of TIFF, boxes of JPEG XL, Y4M, sidecars.

    python3 -m venv /tmp/venv && /tmp/venv/bin/pip install brotli imagecodecs numpy && /tmp/venv/bin/python Fuzz/make_seeds.py
"""
import struct
from pathlib import Path

import brotli
import imagecodecs
import numpy as np

SEEDS = Path(__file__).parent / "seeds"
HDRGM = ("<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>"
         "<rdf:Description xmlns:hdrgm='http://ns.adobe.com/hdr-gain-map/1.0/' hdrgm:Version='1.0' hdrgm:GainMapMax='2' "
         "hdrgm:HDRCapacityMax='2'/></rdf:RDF></x:xmpmeta>").encode()
EXIF = b"II*\0" + struct.pack("<IHHHIII", 8, 1, 0x112, 3, 1, 6, 0)


def save(target, name, data):
    (SEEDS / target).mkdir(exist_ok=True)
    (SEEDS / target / name).write_bytes(data)


# MARK: TIFF

def packed(kind, values, order):
    if kind in (1, 2, 7):
        return bytes(values)
    if kind in (5, 10):
        return b"".join(struct.pack(order + "ii", round(value * 10000), 10000) for value in values)
    return struct.pack(f"{order}{len(values)}{ {3: 'H', 4: 'I', 11: 'f', 12: 'd'}[kind]}", *values)


def tiff(pictures, order="<", mark=b""):
    """A file of a list of (entries, samples, number of pictures below); those below stand behind theirs."""
    out, places = bytearray((b"II*\0" if order == "<" else b"MM\0*") + bytes(4) + mark), []
    for entries, samples, below in reversed(pictures):
        entries = dict(entries)
        entries[273], entries[279] = (4, [len(out)]), (4, [len(samples)])
        out += samples + b"\0" * (len(samples) & 1)
        if below:
            entries[330] = (4, places[-below:])
            places = places[:-below]
        rows, tail = b"", len(out) + 2 + 12 * len(entries) + 4
        data = b""
        for tag in sorted(entries):
            kind, values = entries[tag]
            value, count = packed(kind, values, order), len(values)
            if len(value) > 4:
                place, data = tail + len(data), data + value + b"\0" * (len(value) & 1)
                value = struct.pack(order + "I", place)
            rows += struct.pack(order + "HHI", tag, kind, count) + value.ljust(4, b"\0")
        following = places[-1] if places else 0
        if not below and places:
            following = places.pop()
        places.append(len(out))
        out += struct.pack(order + "H", len(entries)) + rows + struct.pack(order + "I", following if not below else 0) + data
    out[4:8] = struct.pack(order + "I", places[-1])
    return bytes(out)


def picture(photometric, samples=3, bits=8, kind=1, width=8, height=4, **more):
    entries = {256: (3, [width]), 257: (3, [height]), 258: (3, [bits] * samples), 259: (3, [1]), 262: (3, [photometric]),
               277: (3, [samples]), 278: (3, [height]), 339: (3, [kind] * samples)}
    entries |= {int(tag[1:]): value for tag, value in more.items()}
    count = width * height * samples
    if kind == 3:
        data = np.linspace(-0.5, 8, count).astype(f"<f{bits // 8}").tobytes()
    else:
        data = bytes(index * 37 & 255 for index in range(count * bits // 8))
    return entries, data


def cmyk_profile():
    """An output profile of four inks to Lab, of 2 x 2 x 2 x 2 nodes."""
    table = bytes(range(256))
    nodes = b"".join(bytes([max(0, 255 - 60 * (index.bit_count())), 128, 128]) for index in range(16))
    matrix = struct.pack(">9i", 65536, 0, 0, 0, 65536, 0, 0, 0, 65536)
    lut = b"mft1\0\0\0\0" + bytes([4, 3, 2, 0]) + matrix + table * 4 + nodes + table * 3
    white = b"XYZ \0\0\0\0" + struct.pack(">3i", 63190, 65536, 54061)
    text = b"desc\0\0\0\0" + struct.pack(">I", 5) + b"inks\0" + bytes(79)
    tags, at, body = b"", 132 + 12 * 3, b""
    for name, data in ((b"A2B0", lut), (b"wtpt", white), (b"desc", text)):
        data += b"\0" * (-len(data) % 4)
        tags, at, body = tags + name + struct.pack(">II", at, len(data)), at + len(data), body + data
    head = bytearray(128)
    head[0:4], head[8:12], head[12:24] = struct.pack(">I", at), b"\2\x10\0\0", b"prtrCMYKLab "
    head[36:40], head[68:80] = b"acsp", struct.pack(">3i", 63190, 65536, 54061)
    return bytes(head) + struct.pack(">I", 3) + tags + body


def tiffs():
    xmp = {"t700": (1, HDRGM)}
    gain = (*picture(52553, samples=1, width=4, height=2), 0)
    save("tiff", "gain-map.tif", tiff([(*picture(2, **xmp), 1), gain]))
    save("tiff", "gain-map-pages.tif", tiff([(*picture(2), 0), (*picture(52553, samples=1, **xmp), 0)]))
    save("tiff", "gain-map-none.tif", tiff([(*picture(2, **xmp), 0)]))
    profile = {"t34675": (7, cmyk_profile())}
    save("tiff", "cmyk-profile.tif", tiff([(*picture(5, samples=5, t338=(3, [1]), **profile), 0)]))
    save("tiff", "cmyk16-profile.tif", tiff([(*picture(5, samples=4, bits=16, **profile), 0)]))
    save("tiff", "lab16.tif", tiff([(*picture(8, bits=16), 0)]))
    save("tiff", "icc-lab.tif", tiff([(*picture(9), 0)]))
    p3 = {"t318": (5, [0.3127, 0.329]), "t319": (5, [0.68, 0.32, 0.265, 0.69, 0.15, 0.06])}
    save("tiff", "light-p3.tif", tiff([(*picture(2, bits=32, kind=3, **p3), 0)]))
    save("tiff", "light-stonits.tif", tiff([(*picture(2, bits=32, kind=3, t37439=(12, [100.0])), 0)]))
    odd = {"t318": (5, [0.3127, 0.329]), "t319": (5, [0.5, 0.5, 0.5, 0.5, 0.5, 0.5])}
    save("tiff", "light-odd.tif", tiff([(*picture(2, bits=64, kind=3, **odd), 0)]))
    for name, weights in (("601", [0.299, 0.587, 0.114]), ("709", [0.2126, 0.7152, 0.0722]),
                          ("2020", [0.2627, 0.678, 0.0593]), ("other", [0.25, 0.5, 0.25])):
        luma = {"t529": (5, weights), "t530": (3, [1, 1]), "t532": (5, [16, 235, 128, 240, 128, 240])}
        save("tiff", f"ycc-{name}.tif", tiff([(*picture(6, **luma), 0)]))
    for name, steps in (("420", [2, 2]), ("422", [2, 1]), ("440", [1, 2]), ("411", [4, 1])):
        entries, data = picture(6, t530=(3, steps))
        save("tiff", f"ycc-{name}.tif", tiff([(entries, data[:32 + 64 // steps[0] // steps[1]], 0)]))
    small = (*picture(2, width=2, height=2, t254=(4, [1])), 0)
    named = (*picture(0, samples=1, bits=4, t285=(2, b"second\0"), t274=(3, [6])), 0)
    save("tiff", "reduced-first.tif", tiff([small, named, (*picture(1, samples=2, t338=(3, [2])), 0)]))
    save("tiff", "whole-below.tif", tiff([(*picture(2, width=2, height=2, t254=(4, [1])), 1), (*picture(2), 0)]))
    save("tiff", "metadata.tif", tiff([(*picture(2, t34377=(1, b"8BIM\x04\x04\0\0\0\0\0\4\x1c\2\x69\0"), t700=(1, HDRGM),
                                                t52545=(7, bytes(24))), 0)]))


# MARK: DNG

def jpeg(xmp=None, **more):
    data = imagecodecs.jpeg_encode(np.full((8, 8, 3), 120, np.uint8), level=60, **more)
    text = b"http://ns.adobe.com/xap/1.0/\0" + xmp if xmp else b""
    return data[:2] + (b"\xff\xe1" + struct.pack(">H", 2 + len(text)) + text if xmp else b"") + data[2:]


def gain_map_jpeg():
    """A picture of 8 x 8 and its map behind it, by the container directory."""
    map_ = jpeg(HDRGM)
    directory = (
        "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description "
        "xmlns:hdrgm='http://ns.adobe.com/hdr-gain-map/1.0/' xmlns:C='http://ns.google.com/photos/1.0/container/' "
        "xmlns:I='http://ns.google.com/photos/1.0/container/item/' hdrgm:Version='1.0'><C:Directory><rdf:Seq>"
        "<rdf:li rdf:parseType='Resource'><C:Item I:Semantic='Primary' I:Mime='image/jpeg'/></rdf:li>"
        f"<rdf:li rdf:parseType='Resource'><C:Item I:Semantic='GainMap' I:Mime='image/jpeg' I:Length='{len(map_)}'/></rdf:li>"
        "</rdf:Seq></C:Directory></rdf:Description></rdf:RDF></x:xmpmeta>").encode()
    return jpeg(directory) + map_


def dngs():
    identity = [1, 0, 0, 0, 1, 0, 0, 0, 1.0]
    head = {50706: (1, [1, 7, 1, 0]), 50708: (2, b"Seed\0"), 50721: (10, [0.7, 0.1, -0.1, -0.4, 1.2, 0.2, 0, 0.1, 0.6]),
            50778: (3, [255]), 52533: (7, struct.pack("<HIIII", 0, 3127, 10000, 3290, 10000)), 274: (3, [1])}
    second = {50722: (10, [0.6, 0.1, 0, -0.4, 1.1, 0.2, 0, 0.1, 0.7]), 50779: (3, [17]), 50723: (10, identity),
              50724: (10, identity), 50964: (10, [0.6, 0.2, 0.1, 0.3, 0.7, 0, 0, 0, 0.8]), 50727: (5, [1, 1.1, 0.9]),
              50729: (5, [0.34, 0.35]), 50730: (10, [0.5]), 50739: (5, [1]), 51109: (10, [0.25]), 51110: (4, [1]),
              50940: (11, [0, 0, 0.5, 0.6, 1, 1.0]), 700: (1, HDRGM),
              52545: (7, (SEEDS / "extras" / "store").read_bytes())}
    entries, samples = picture(32803, samples=1, bits=16, width=8, height=8)
    sensor = entries | {33421: (3, [2, 2]), 33422: (1, [0, 1, 1, 2]), 50710: (1, [0, 1, 2]), 50711: (3, [1]),
                        50713: (3, [2, 2]), 50714: (5, [64, 65, 66, 64]), 50715: (10, [0, 1] * 4), 50716: (10, [0.5] * 8),
                        50717: (4, [16383]), 50719: (5, [1, 1]), 50720: (5, [6, 6]), 50829: (4, [0, 0, 8, 8]),
                        51041: (12, [1e-4, 1e-6])}
    table = struct.pack("<II4dI5f", 1, 1, 1, 1, 0, 0, 2, 0.2, 0.2, 0.2, 0.2, 0.2) + struct.pack("<2f", 1, 1.5)
    rendition = gain_map_jpeg()
    thumb = {254: (4, [1]), 256: (3, [8]), 257: (3, [8]), 258: (3, [8, 8, 8]), 259: (3, [7]), 262: (3, [6]), 277: (3, [3]),
             278: (3, [8])}
    raw = (sensor, samples, 0)
    save("dng", "preview.dng", tiff([(thumb | head, rendition, 1), raw]))
    save("dng", "preview-marked.dng", tiff([(thumb | head | second | {274: (3, [6])}, rendition, 1), raw], mark=b"CR\2\0"))
    save("dng", "preview-plain.dng", tiff([(thumb | head, jpeg(), 1), raw]))
    save("dng", "preview-damaged.dng", tiff([(thumb | head, rendition[:40], 1), raw]))
    large = {256: (4, [60000]), 257: (4, [60000])}
    save("dng", "preview-large.dng", tiff([(thumb | head | large, rendition, 1), raw]))
    save("dng", "table-head.dng", tiff([(thumb | head | {52525: (7, table)}, jpeg(), 1), raw]))
    save("dng", "table-raw.dng", tiff([(thumb | head, jpeg(), 1), (sensor | {52525: (7, table)}, samples, 0)]))
    grey = {50721: (10, identity)}
    for name, order, bits in (("big16", ">", 16), ("big24", ">", 24), ("big32", ">", 32)):
        entries, samples = picture(34892, samples=1, bits=32, kind=3, width=8, height=8)
        words = np.frombuffer(samples, "<f4")
        data = words.astype(">f2").tobytes() if bits == 16 else words.astype(">f4").tobytes() if bits == 32 else bytes(192)
        whole = head | grey | entries | {258: (3, [bits]), 52533: (7, bytes(18)), 50940: (11, [0, 0, 1, 1.0])}
        save("dng", name + ".dng", tiff([(whole, data, 0)], order))
    for name, change in (("cfa-odd", {33421: (3, [2, 3]), 33422: (1, [0, 1, 1, 2, 1, 0])}), ("cfa-other", {50710: (1, [3, 4, 5])}),
                         ("cfa-layout", {50711: (3, [2])}), ("area-odd", {50829: (4, [4, 4, 2, 2])}),
                         ("crop-odd", {50720: (5, [9, 9])}), ("black-odd", {50713: (3, [9, 1])}),
                         ("noise", {51041: (12, [1e-4] * 6)}), ("white-low", {50717: (4, [1])})):
        save("dng", name + ".dng", tiff([(thumb | head, jpeg(), 1), (sensor | change, raw[1], 0)]))


# MARK: JPEG XL

def box(kind, data):
    return struct.pack(">I", 8 + len(data)) + kind + data


def jxls():
    head = b"\0\0\0\x0cJXL \r\n\x87\n" + box(b"ftyp", b"jxl \0\0\0\0jxl ")
    base = imagecodecs.jpegxl_encode(np.full((8, 8, 3), 90, np.uint8), lossless=True, usecontainer=False)
    grey = imagecodecs.jpegxl_encode(np.full((4, 4), 90, np.uint8), lossless=True, usecontainer=False)
    deep = imagecodecs.jpegxl_encode(np.full((8, 8, 4), 9000, np.uint16), lossless=True, usecontainer=False)
    light = imagecodecs.jpegxl_encode(np.full((8, 8, 3), 0.5, np.float32), lossless=True, usecontainer=False)
    metadata = b"\0\0\0\0\x40" + struct.pack(">14I", 0, 1, 2, 1, 0, 1, 2, 1, 1, 1, 1, 64, 1, 64)
    def bundle(color=b"", icc=b"", stream=grey):
        return (b"\0" + struct.pack(">H", len(metadata)) + metadata + bytes([len(color)]) + color + struct.pack(">I", len(icc))
                + icc + stream)
    coded = box(b"jxlc", base)
    save("jxl", "boxes", head + box(b"jxll", b"\x0a") + coded + box(b"xml ", HDRGM) + box(b"Exif", bytes(4) + EXIF)
         + box(b"jumb", bytes(32)) + box(b"abcd", b"unknown") + box(b"xml ", HDRGM))
    save("jxl", "packed", head + coded + box(b"brob", b"xml " + brotli.compress(HDRGM))
         + box(b"brob", b"Exif" + brotli.compress(bytes(4) + EXIF)) + box(b"brob", b"jumb" + brotli.compress(bytes(64))))
    save("jxl", "parts", head + box(b"jxlp", bytes(4) + base[:9]) + box(b"jxlp", b"\x80\0\0\1" + base[9:]))
    save("jxl", "long-box", head + struct.pack(">I4sQ", 1, b"jxlc", 16 + len(base)) + base)
    save("jxl", "last-box", head + struct.pack(">I4s", 0, b"jxlc") + base)
    save("jxl", "map-color", head + coded + box(b"jhgm", bundle(color=b"\x01")))
    save("jxl", "map-profile", head + coded + box(b"jhgm", bundle(icc=bytes(20))))
    save("jxl", "map-aspect", head + coded + box(b"jhgm", bundle(stream=imagecodecs.jpegxl_encode(
        np.full((2, 8), 9, np.uint8), lossless=True, usecontainer=False))))
    save("jxl", "map-damaged", head + coded + box(b"jhgm", bundle(stream=b"\xff\x0a\0")))
    for name, stream in (("grey", grey), ("deep-alpha", deep), ("light", light)):
        save("jxl", name, stream)
    frames = imagecodecs.jpegxl_encode(np.arange(3 * 8 * 8 * 3, dtype=np.uint8).reshape(3, 8, 8, 3), lossless=True)
    save("jxl", "frames", frames)


# MARK: overlays of HEIF

def heif(items, references):
    """A file of items (type, data, properties), numbered from 1, the first of them shown; references (type, from, to)."""
    def full(kind, data, version=0):
        return box(kind, bytes([version, 0, 0, 0]) + data)
    pool, uses, infe, places, data = [], b"", b"", b"", b""
    for number, (kind, payload, properties) in enumerate(items, 1):
        own = []
        for one in properties:
            pool += [one] if one not in pool else []
            own.append(pool.index(one) + 1)
        uses += struct.pack(">HB", number, len(own)) + bytes(own)
        infe += full(b"infe", struct.pack(">HH", number, 0) + kind + b"\0", 2)
        places += struct.pack(">HHHHII", number, 1, 0, 1, len(data), len(payload))
        data += payload
    refs = b"".join(box(kind, struct.pack(">HH", start, len(to)) + struct.pack(f">{len(to)}H", *to)) for kind, start, to in references)
    meta = (full(b"hdlr", bytes(4) + b"pict" + bytes(13)) + full(b"pitm", b"\0\1")
            + full(b"iinf", struct.pack(">H", len(items)) + infe) + full(b"iloc", b"\x44\0" + struct.pack(">H", len(items)) + places, 1)
            + full(b"iref", refs) + box(b"iprp", box(b"ipco", b"".join(pool)) + full(b"ipma", struct.pack(">I", len(items)) + uses))
            + box(b"idat", data))
    return box(b"ftyp", b"mif1\0\0\0\0mif1heic") + full(b"meta", meta)


def overlays():
    def ispe(width, height):
        return box(b"ispe", bytes(4) + struct.pack(">II", width, height))
    def nclx(primaries, transfer, matrix, whole=128):
        return box(b"colr", b"nclx" + struct.pack(">HHHB", primaries, transfer, matrix, whole))
    def canvas(fill, *places):
        return bytes(2) + struct.pack(">4H2H", *fill, 16, 8) + b"".join(struct.pack(">hh", *place) for place in places)
    alpha = box(b"auxC", bytes(4) + b"urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0")
    red, grey, clear = (60000, 9000, 3000, 65535), (30000, 30000, 30000, 65535), (60000, 9000, 3000, 20000)
    colored, plain = jpeg(), imagecodecs.jpeg_encode(np.full((8, 8), 90, np.uint8), level=60)
    whole = imagecodecs.jpeg_encode(np.full((8, 8, 3), 90, np.uint8), level=60, subsampling="444")
    rgb = imagecodecs.jpeg_encode(np.full((8, 8, 3), 90, np.uint8), level=60, colorspace="RGB", outcolorspace="RGB")
    size = ispe(8, 8)
    for name, fill, color, stream in (
            ("sdr", red, nclx(1, 13, 6), colored), ("pq", red, nclx(9, 16, 9), colored), ("hlg", red, nclx(9, 18, 9), whole),
            ("linear", red, nclx(12, 8, 1, 0), whole), ("identity", red, nclx(1, 13, 0), whole), ("rgb", red, nclx(1, 13, 0), rgb),
            ("matrix", grey, nclx(1, 13, 11), whole), ("matrix-color", red, nclx(1, 13, 11), whole), ("clear", clear, nclx(1, 13, 6), colored),
            ("grey", red, nclx(1, 13, 6), plain)):
        layers = [(b"jpeg", stream, [size, color])] * 2
        top = (b"iovl", canvas(fill, (0, 0), (6, 2)), [ispe(16, 8), color])
        save("heif", "overlay-" + name, heif([top, *layers], [(b"dimg", 1, [2, 3])]))
    color = nclx(1, 13, 6)
    layer, turned = (b"jpeg", colored, [size, color]), (b"jpeg", colored, [size, color, box(b"irot", b"\1")])
    mask = (b"jpeg", plain, [size, alpha])
    small = (b"jpeg", imagecodecs.jpeg_encode(np.full((4, 4), 9, np.uint8), level=60), [ispe(4, 4), alpha])
    def top(fill, count):
        return (b"iovl", canvas(fill, *[(3 * index - 1, index) for index in range(count)]), [ispe(16, 8), color])
    both = (b"dimg", 1, [2, 3])
    save("heif", "overlay-alpha", heif([top(clear, 2), layer, layer, mask], [both, (b"auxl", 4, [3])]))
    save("heif", "overlay-premultiplied", heif([top(red, 2), layer, layer, mask], [both, (b"auxl", 4, [3]), (b"prem", 3, [4])]))
    save("heif", "overlay-small-alpha", heif([top(red, 2), layer, layer, small], [both, (b"auxl", 4, [3])]))
    save("heif", "overlay-turned", heif([top(red, 2), layer, turned], [both]))
    save("heif", "overlay-colors", heif([top(red, 2), layer, (b"jpeg", colored, [size, nclx(9, 16, 9)])], [both]))
    save("heif", "overlay-kinds", heif([top(red, 2), layer, (b"jpeg", plain, [size, color])], [both]))
    save("heif", "overlay-nested", heif([top(red, 2), layer, top(red, 1), layer], [both, (b"dimg", 3, [4])]))
    save("heif", "overlay-size", heif([(b"iovl", canvas(red, (0, 0)), [ispe(9, 9), color]), layer], [(b"dimg", 1, [2])]))
    save("heif", "jpeg-size", heif([(b"jpeg", colored, [ispe(9, 9)])], []))
    save("heif", "jpeg-rgb", heif([(b"jpeg", rgb, [size])], []))
    head, tail = colored[:60], colored[60:]
    save("heif", "jpeg-prefix", heif([(b"jpeg", tail, [size, box(b"jpgC", head)])], []))


# MARK: raw

def raws():
    def y4m(text, count):
        return f"YUV4MPEG2 {text}\n".encode() + b"FRAME Ixyz\n" + bytes(index & 255 for index in range(count))
    save("raw", "jpeg420.y4m", y4m("W4 H4 F25:1 Ip A1:1 C420jpeg XCOLORRANGE=FULL", 24))
    save("raw", "mpeg2.y4m", y4m("W4 H4 F30000:1001 I? C420mpeg2 XCOLORRANGE=LIMITED XYSCSS=420MPEG2", 24))
    save("raw", "ten.y4m", y4m("W4 H2 C422p10 XYSCSS=422P10", 32))
    save("raw", "interlaced.y4m", y4m("W4 H4 It C420", 24))
    save("raw", "mono.y4m", y4m("W4 H4 Cmono16", 32))
    for name, fields, samples in (
            ("dpx", '"format": "dpx", "primaries": "bt2020", "transfer": 16, "range": "full"', b""),
            ("space", '"format": "rgbah", "primaries": "bt2020", "space": "ACEScg", "contentHeadroom": 4', bytes(128)),
            ("code", '"format": "rgb48", "primaries": 12, "transfer": 18, "white": 100, "displayHeadroom": 2', bytes(96)),
            ("grey", '"format": "gray16", "primaries": "p3", "transfer": 13, "range": "limited"', bytes(32))):
        save("raw", "sidecar-" + name, ('{"width": 4, "height": 4, ' + fields + "}").encode() + b"\0" + samples)


tiffs()
dngs()
jxls()
overlays()
raws()
