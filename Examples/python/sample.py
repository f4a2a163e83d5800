"""Renders photos, reads one as an array, edits it and writes it: python Examples/python/sample.py PHOTO... OUT"""

import sys
from pathlib import Path

import hdrbatch
import numpy


def main(photos: list[str], out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)

    # A batch: every photo as one file for SDR and HDR displays.
    try:
        batch = hdrbatch.run(
            ["render", *photos, "--out", str(out), "--to", "adaptive-jpeg", "--on-existing", "replace"]
        )
    except hdrbatch.Error as error:
        sys.exit(str(error))
    for record in batch.records:
        seconds = sum(phase["wall"] for phase in record["seconds"].values())
        print(f"{record['output']}: {record['status']}, headroom {record['outputHeadroom']:.2f}, {seconds:.1f} s")

    # One photo as linear light, 1.0 = reference white: for an SDR display, and in full.
    for headroom in (1, None):
        image = hdrbatch.read(photos[0], headroom=headroom)
        height, width, _ = image.pixels.shape
        brighter = (image.pixels[..., :3] > 1).any(axis=2).mean()
        print(
            f"{photos[0]}: {width}x{height}, headroom {image.metadata['headroom']:.2f},"
            f" peak {image.pixels[..., :3].max():.2f}, {100 * brighter:.1f} % brighter than white"
        )

    # One stop darker, every fourth pixel, as HDR AVIF. Light is linear, so that half the value is half the light.
    darker = image.pixels[::4, ::4].astype(numpy.float32)
    darker[..., :3] *= 0.5
    record = hdrbatch.write(out / "darker.avif", darker, to="pq-avif", quality=80, replace=True)
    print(f"{record['output']}: {record['width']}x{record['height']}, MaxCLL {record['clli']['maxCLL']} cd/m²")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(sys.argv[1:-1], Path(sys.argv[-1]))
