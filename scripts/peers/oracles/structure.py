#!/usr/bin/env python3
"""Shows how a gain-map file is built: the segments of each JPEG stream, or the boxes and items of a HEIF file.

    python3 scripts/peers/oracles/structure.py FILE...

Shares no code with hdrbatch. Trusts its input: it is for files that were just written.
"""
import struct
import sys

IDENTIFIERS = [
    (b"JFIF\0", "JFIF"), (b"Exif\0\0", "Exif"), (b"http://ns.adobe.com/xap/1.0/\0", "XMP"),
    (b"http://ns.adobe.com/xmp/extension/\0", "extended XMP"), (b"ICC_PROFILE\0", "ICC"),
    (b"urn:iso:std:iso:ts:21496:-1\0", "ISO 21496-1"), (b"MPF\0", "MPF"),
]
MARKERS = {0xC0: "SOF0", 0xC1: "SOF1", 0xC2: "SOF2", 0xC4: "DHT", 0xDB: "DQT", 0xDD: "DRI", 0xDA: "SOS", 0xFE: "COM"}


def u16(data, at):
    return struct.unpack_from(">H", data, at)[0]


def u32(data, at):
    return struct.unpack_from(">I", data, at)[0]


def segment(data, at):
    marker, size = data[at + 1], u16(data, at + 2)
    name = MARKERS.get(marker, f"APP{marker - 0xE0}")
    body = data[at + 4 : at + 2 + size]
    for identifier, word in IDENTIFIERS:
        if body.startswith(identifier):
            name, body = f"{name} {word}", body[len(identifier) :]
    if name.endswith(" XMP"):
        words = {b"hdrgm:": "hdrgm", b"Container:Directory": "container", b"HDRGainMap": "Apple"}
        found = [word for text, word in words.items() if text in body]
        name += f" ({', '.join(found) or 'other'})"
    elif name.endswith("21496-1"):
        name += " (full)" if len(body) > 4 else " (versions)"
    elif name.endswith("MPF"):
        entry = body[50:]
        name += "".join(
            f", picture of {u32(entry, 16 * i + 4)} at {u32(entry, 16 * i + 8)}" for i in range(len(entry) // 16))
        name += f" from {at + 8}"
    elif name.startswith("SOF"):
        name += f" {u16(body, 3)}x{u16(body, 1)}, {body[5]} channels"
    return name, at + 2 + size


def jpeg(data):
    at = 0
    while data[at : at + 2] == b"\xff\xd8":
        start, names = at, []
        at += 2
        while data[at + 1] != 0xD9:
            name, at = segment(data, at)
            names.append(name)
            if name == "SOS":
                while data[at] != 0xFF or data[at + 1] == 0 or 0xD0 <= data[at + 1] <= 0xD7:
                    at += 1
        at += 2
        print(f"  stream at {start}, {at - start} bytes: {' | '.join(names)}")
    if at < len(data):
        print(f"  {len(data) - at} bytes more")


def boxes(data, at, end):
    while at + 8 <= end:
        size, head = u32(data, at), 8
        if size == 1:
            size, head = struct.unpack_from(">Q", data, at + 8)[0], 16
        yield data[at + 4 : at + 8].decode("latin1"), at + head, at + (size or end - at)
        at += size or end - at


def inside(data, name, start=0, end=None, skip=0):
    """Start and end of the payload of the first box of a name."""
    for found, a, b in boxes(data, start + skip, len(data) if end is None else end):
        if found == name:
            return a, b
    raise ValueError(name)


def items(data):
    """Item number: type, whether hidden, position of its flags; of `infe` version 2."""
    meta = inside(data, "meta")
    start, end = inside(data, "iinf", *meta, skip=4)
    count = 2 if data[start] == 0 else 4
    result = {}
    for _, a, b in boxes(data, start + 4 + count, end):
        result[u16(data, a + 4)] = (data[a + 8 : a + 12].decode("latin1"), data[a + 3] & 1, a + 3)
    return result


def item_data(data, number):
    """Payload of an item out of `mdat`, by `iloc` of version 0 or 1 with 32-bit fields."""
    a, b = inside(data, "iloc", *inside(data, "meta"), skip=4)
    version, sizes = data[a], u16(data, a + 4)
    offset, length, base = sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15
    at = a + 8
    field = lambda at, size: int.from_bytes(data[at : at + size], "big")
    for _ in range(u16(data, a + 6)):
        own, at = u16(data, at), at + 2
        method = 0
        if version == 1:
            method, at = u16(data, at) & 15, at + 2
        start, at = field(at + 2, base), at + 2 + base
        count, at = u16(data, at), at + 2
        result = b""
        for _ in range(count):
            first = start + field(at, offset) + (inside(data, "idat", *inside(data, "meta"), skip=4)[0] if method else 0)
            result += data[first : first + field(at + offset, length)]
            at += offset + length
        if own == number:
            return result
    raise ValueError(number)


def associations(data):
    """Item number: names of its properties, `!` after essential ones."""
    iprp = inside(data, "iprp", *inside(data, "meta"), skip=4)
    container = inside(data, "ipco", *iprp)
    names = [name for name, _, _ in boxes(data, *container)]
    for index, (name, a, b) in enumerate(list(boxes(data, *container))):
        if name == "colr":
            kind = data[a : a + 4].decode()
            names[index] += " " + ("/".join(str(u16(data, a + 4 + 2 * i)) for i in range(3)) if kind == "nclx" else kind)
        elif name == "pixi":
            names[index] += " " + ",".join(str(v) for v in data[a + 5 : b])
        elif name == "ispe":
            names[index] += f" {u32(data, a + 4)}x{u32(data, a + 8)}"
        elif name == "clli":
            names[index] += f" {u16(data, a)}/{u16(data, a + 2)}"
    a, _ = inside(data, "ipma", *iprp)
    wide, at, result = data[a + 3] & 1, a + 8, {}
    for _ in range(u32(data, a + 4)):
        number, count, at = u16(data, at), data[at + 2], at + 3
        result[number] = []
        for _ in range(count):
            value = u16(data, at) if wide else data[at]
            index, essential = value & (0x7FFF if wide else 0x7F), value >> (15 if wide else 7)
            result[number].append(names[index - 1] + ("!" if essential else ""))
            at += 1 + wide
    return result


def heif(data):
    a, b = inside(data, "ftyp")
    brands = [data[at : at + 4].decode() for at in range(a + 8, b, 4)]
    meta = inside(data, "meta")
    print(f"  ftyp {data[a : a + 4].decode()}: {' '.join(brands)}; meta: "
          + " ".join(name for name, _, _ in boxes(data, meta[0] + 4, meta[1])))
    a, _ = inside(data, "pitm", *meta, skip=4)
    primary, properties = u16(data, a + 4), associations(data)
    for number, (kind, hidden, _) in items(data).items():
        role = ("primary " if number == primary else "") + ("hidden " if hidden else "")
        print(f"  item {number} {role}{kind}, {len(item_data(data, number))} bytes: "
              + ", ".join(properties.get(number, [])))
    try:
        for name, a, b in boxes(data, inside(data, "iref", *meta, skip=4)[0] + 4, inside(data, "iref", *meta, skip=4)[1]):
            print(f"  {name} {u16(data, a)} -> {', '.join(str(u16(data, at)) for at in range(a + 4, b, 2))}")
        for name, a, b in boxes(data, *inside(data, "grpl", *meta, skip=4)):
            print(f"  {name} group: {', '.join(str(u32(data, at)) for at in range(a + 12, b, 4))}")
    except ValueError:
        pass


def unhidden(data):
    """The same file with no item hidden, so that libheif hands out the map."""
    result = bytearray(data)
    for kind, hidden, at in items(data).values():
        if kind in ("hvc1", "av01", "grid"):
            result[at] &= 0xFE
    return bytes(result)


def tone_map(data):
    """The `tmap` payload, or None."""
    for number, (kind, _, _) in items(data).items():
        if kind == "tmap":
            return item_data(data, number)


if __name__ == "__main__":
    for path in sys.argv[1:]:
        with open(path, "rb") as file:
            content = file.read()
        print(f"{path}, {len(content)} bytes")
        (jpeg if content.startswith(b"\xff\xd8") else heif)(content)
