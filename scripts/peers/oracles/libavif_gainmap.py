#!/usr/bin/env python3
"""Applies gain maps with libavif 1.4, out of the wheel of Pillow (12 and later), and prints what the file says.

    python3 scripts/peers/oracles/libavif_gainmap.py FILE.avif...

As a module: `load(bytes)`, `apply(image, stops, primaries)` and `apply_rgb(...)` for pixels of another decoder. Exit
status 77 where there is no such wheel. The structures are those of avif/avif.h of libavif 1.4, for 64-bit machines.
"""
import ctypes as C
import glob
import os
import sys

import numpy as np

U8, U16, U32, I32, Size = C.c_uint8, C.c_uint16, C.c_uint32, C.c_int32, C.c_size_t


class Data(C.Structure):
    _fields_ = [("data", C.c_void_p), ("size", Size)]


class Fraction(C.Structure):
    _fields_ = [("n", I32), ("d", U32)]

    def __float__(self):
        return self.n / self.d


class Image(C.Structure):
    pass


class GainMap(C.Structure):
    _fields_ = [
        ("image", C.POINTER(Image)), ("min", Fraction * 3), ("max", Fraction * 3), ("gamma", Fraction * 3),
        ("base_offset", Fraction * 3), ("alternate_offset", Fraction * 3), ("base_headroom", Fraction),
        ("alternate_headroom", Fraction), ("uses_base_space", C.c_int), ("icc", Data), ("primaries", U16),
        ("transfer", U16), ("matrix", U16), ("range", C.c_int), ("depth", U32), ("planes", U32), ("clli", U16 * 2),
    ]


Image._fields_ = [
    ("width", U32), ("height", U32), ("depth", U32), ("format", C.c_int), ("range", C.c_int), ("siting", C.c_int),
    ("planes", C.c_void_p * 3), ("row_bytes", U32 * 3), ("owns", C.c_int), ("alpha", C.c_void_p), ("alpha_row", U32),
    ("owns_alpha", C.c_int), ("premultiplied", C.c_int), ("icc", Data), ("primaries", U16), ("transfer", U16),
    ("matrix", U16), ("clli", U16 * 2), ("transforms", U32), ("pasp", U32 * 2), ("clap", U32 * 8), ("irot", U8),
    ("imir", U8), ("exif", Data), ("xmp", Data), ("properties", C.c_void_p), ("property_count", Size),
    ("gain_map", C.POINTER(GainMap)),
]


class Decoder(C.Structure):
    _fields_ = [
        ("codec", C.c_int), ("threads", C.c_int), ("source", C.c_int), ("progressive", C.c_int),
        ("incremental", C.c_int), ("ignores_exif", C.c_int), ("ignores_xmp", C.c_int), ("size_limit", U32),
        ("side_limit", U32), ("count_limit", U32), ("strict", U32), ("image", C.POINTER(Image)), ("index", C.c_int),
        ("count", C.c_int), ("state", C.c_int), ("timing", C.c_double * 5), ("timescale", C.c_uint64),
        ("duration", C.c_double), ("duration_units", C.c_uint64), ("repetitions", C.c_int), ("alpha", C.c_int),
        ("io_bytes", Size * 2), ("diagnostics", C.c_char * 256), ("io", C.c_void_p), ("internal", C.c_void_p),
        ("sequence", C.c_int), ("content", U32),
    ]


class RGB(C.Structure):
    _fields_ = [
        ("width", U32), ("height", U32), ("depth", U32), ("format", C.c_int), ("upsampling", C.c_int),
        ("downsampling", C.c_int), ("avoids_libyuv", C.c_int), ("ignores_alpha", C.c_int), ("premultiplied", C.c_int),
        ("is_float", C.c_int), ("threads", C.c_int), ("pixels", C.c_void_p), ("row_bytes", U32), ("spare", U8 * 256),
    ]


def library():
    try:
        import PIL
    except ImportError:
        return None
    paths = glob.glob(os.path.join(os.path.dirname(PIL.__file__), "..", "pillow.libs", "libavif-*.so*"))
    if not paths:
        return None
    avif = C.CDLL(paths[0])
    avif.avifVersion.restype = avif.avifResultToString.restype = C.c_char_p
    avif.avifDecoderCreate.restype = C.POINTER(Decoder)
    avif.avifImageCreate.restype = C.POINTER(Image)
    avif.avifDecoderSetIOMemory.argtypes = [C.POINTER(Decoder), C.c_char_p, Size]
    # Fields that were read wrongly would be silent nonsense.
    assert avif.avifVersion().startswith(b"1.4."), avif.avifVersion()
    assert avif.avifDecoderCreate().contents.content == 3, "avifDecoder has another layout"
    return avif


AVIF = library()


def check(result, detail=b""):
    if result:
        raise ValueError(f"{AVIF.avifResultToString(result).decode()}: {detail.decode()}")


def load(data):
    """The decoded image of an AVIF file with its gain map; raises ValueError where libavif refuses it."""
    decoder = AVIF.avifDecoderCreate()
    fields = decoder.contents
    fields.content = 7  # colour, alpha, gain map
    check(AVIF.avifDecoderSetIOMemory(decoder, data, len(data)))
    check(AVIF.avifDecoderParse(decoder), fields.diagnostics)
    check(AVIF.avifDecoderNextImage(decoder), fields.diagnostics)
    image = fields.image.contents
    image.keeps = (decoder, data)
    return image


def light(rgb):
    """Linear light of PQ codes, 1.0 = 203 cd/m²."""
    rows = np.ctypeslib.as_array(C.cast(rgb.pixels, C.POINTER(U16)), (rgb.height, rgb.row_bytes // 2))
    signal = rows[:, : 3 * rgb.width].reshape(rgb.height, rgb.width, 3) / 65535
    p = np.power(signal, 32 / 2523)
    return 10000 / 203 * np.power(np.maximum(p - 3424 / 4096, 0) / (2413 / 128 - 2392 / 128 * p), 16384 / 2610)


def apply(image, stops, primaries):
    """Linear light of the picture on a display of so many stops, in the primaries of an H.273 code."""
    out, clli, why = RGB(), (U16 * 2)(), C.create_string_buffer(256)
    AVIF.avifRGBImageSetDefaults(C.byref(out), C.byref(image))
    out.depth, out.format = 16, 0
    check(
        AVIF.avifImageApplyGainMap(
            C.byref(image), image.gain_map, C.c_float(stops), U16(primaries), U16(16), C.byref(out), clli, why),
        why.value)
    return light(out)


def apply_rgb(base, base_primaries, codes, metadata, stops, primaries):
    """The same for R'G'B' codes (sRGB) and codes of the map out of another decoder: uint8, rows x columns x 3."""
    picture = AVIF.avifImageCreate(codes.shape[1], codes.shape[0], 8, 1).contents
    picture.matrix, picture.range = 0, 1
    check(AVIF.avifImageAllocatePlanes(C.byref(picture), 1))
    for plane, channel in enumerate((1, 2, 0)):  # identity: G, B, R
        step = picture.row_bytes[plane]
        rows = np.ctypeslib.as_array(C.cast(picture.planes[plane], C.POINTER(U8)), (codes.shape[0], step))
        rows[:, : codes.shape[1]] = codes[..., channel]
    metadata.image = C.pointer(picture)
    source, out, clli, why = RGB(), RGB(), (U16 * 2)(), C.create_string_buffer(256)
    base = np.ascontiguousarray(base)
    source.width, source.height, source.depth, source.format = base.shape[1], base.shape[0], 8, 0
    source.pixels, source.row_bytes = base.ctypes.data, 3 * base.shape[1]
    out.depth, out.format = 16, 0
    check(
        AVIF.avifRGBImageApplyGainMap(
            C.byref(source), U16(base_primaries), U16(13), C.byref(metadata), C.c_float(stops), U16(primaries),
            U16(16), C.byref(out), clli, why),
        why.value)
    return light(out)


def described(image):
    said = f"{image.width}x{image.height}, {image.depth} bit, CICP {image.primaries}/{image.transfer}/{image.matrix}"
    if not image.gain_map:
        return said + ", no gain map"
    found, picture = image.gain_map.contents, image.gain_map.contents.image.contents
    return (
        f"{said}; map {picture.width}x{picture.height}, {picture.depth} bit; alternate CICP "
        f"{found.primaries}/{found.transfer}/{found.matrix}, {found.depth} bit, clli {found.clli[0]}/{found.clli[1]}; "
        f"headrooms {float(found.base_headroom):.4g} and {float(found.alternate_headroom):.4g} stops, "
        f"maximum {', '.join(f'{float(value):.4g}' for value in found.max)} stops, "
        f"{'base' if found.uses_base_space else 'alternate'} space")


if __name__ == "__main__":
    if AVIF is None:
        print("skipped: no libavif in a wheel of Pillow", file=sys.stderr)
        sys.exit(77)
    print("libavif", AVIF.avifVersion().decode())
    for path in sys.argv[1:]:
        with open(path, "rb") as file:
            try:
                print(f"{path}: {described(load(file.read()))}")
            except ValueError as error:
                print(f"{path}: refused: {error}")
