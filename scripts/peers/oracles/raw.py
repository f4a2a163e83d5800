#!/usr/bin/env python3
"""Digests of the samples of camera raw files by rawpy (LibRaw), and of plain float DNGs by tifffile.

    python3 scripts/peers/oracles/raw.py DATA > scripts/peers/oracles/raw.tsv

DATA holds formats/raw and images/raw. A line a file: path, size, planes, type, MD5 of the samples row by row, little
endian, without the empty fourth plane of linear raw; "-" where rawpy refuses the file. Tests compare. Made with rawpy
0.28.0 (LibRaw 0.22.2) and tifffile 2026.3.3.
"""
import hashlib
import sys
from pathlib import Path

import numpy as np
import rawpy
import tifffile


def floats(path):
    """Samples of the first raw picture with plain floats, or None."""
    try:
        with tifffile.TiffFile(path) as file:
            for page in file.pages:
                if int(page.photometric) in (32803, 34892) and page.dtype.kind == "f" and int(page.compression) == 1:
                    return page.asarray()
    except Exception:
        pass
    return None


def samples(path):
    found = floats(path)
    if found is not None:
        return found.astype(found.dtype.newbyteorder("<"))
    try:
        with rawpy.imread(str(path)) as raw:
            found = np.array(raw.raw_image)
            return (found[..., :3] if found.ndim == 3 else found).astype("<u2")
    except rawpy.LibRawError:
        return None


data = Path(sys.argv[1])
print("# path\tsize\tplanes\ttype\tMD5 of the samples; made by scripts/peers/oracles/raw.py")
for folder in ("formats/raw", "images/raw"):
    for path in sorted((data / folder).iterdir()):
        found = samples(path)
        name = f"{folder}/{path.name}"
        if found is None:
            print(name, "", "", "", "-", sep="\t")
            continue
        planes = found.shape[2] if found.ndim == 3 else 1
        digest = hashlib.md5(np.ascontiguousarray(found).tobytes()).hexdigest().upper()
        print(name, f"{found.shape[1]}x{found.shape[0]}", planes, found.dtype.name, digest, sep="\t")
