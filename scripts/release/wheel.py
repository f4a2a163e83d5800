#!/usr/bin/env python3
"""Packs Python/hdrbatch and an unpacked bundle into a wheel, for scripts/release/wheel. Needs nothing but Python."""

import argparse
import base64
import hashlib
import re
import sys
import time
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

METADATA = """\
Metadata-Version: 2.4
Name: hdrbatch
Version: {version}
Summary: Renders HDR photos in bulk: gain maps, PQ, HLG, SDR, on GPU or CPU
License-Expression: {licence}
{licences}Keywords: HDR,gain map,Ultra HDR,HEIC,AVIF,JPEG XL,tone mapping
Classifier: Development Status :: 4 - Beta
Classifier: Environment :: Console
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: Python :: 3
Classifier: Topic :: Multimedia :: Graphics :: Graphics Conversion
Classifier: Typing :: Typed
Requires-Python: >=3.11
Requires-Dist: numpy>=1.23.2
Description-Content-Type: text/markdown

{description}"""

WHEEL = """\
Wheel-Version: 1.0
Generator: hdrbatch scripts/release/wheel
Root-Is-Purelib: false
Tag: py3-none-{platform}
"""

ENTRY_POINTS = """\
[console_scripts]
hdrbatch = hdrbatch.__main__:main
"""


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--bundle", type=Path, required=True, help="the unpacked bundle")
    options.add_argument("--out", type=Path, required=True, help="the folder of the wheel")
    options.add_argument("--platform", required=True, help="as manylinux_2_36_x86_64")
    options.add_argument("--time", type=int, required=True, help="of all files, in seconds since 1970")
    told = options.parse_args()

    # "hdrbatch 0.1.0 (0123456789ab), without x265"
    line = (told.bundle / "VERSION").read_text()
    version = line.split()[1]
    has_x265 = "without x265" not in line
    if not has_x265:
        version += "+without.x265"
    info = f"hdrbatch-{version}.dist-info"

    # Name in the wheel: bytes, whether it is executable.
    files: dict[str, tuple[bytes, bool]] = {}
    for path in sorted((ROOT / "Python/hdrbatch").rglob("*")):
        if path.suffix == ".py" or path.name == "py.typed":
            files[path.relative_to(ROOT / "Python").as_posix()] = (path.read_bytes(), False)
    licences = []
    for path in sorted(told.bundle.rglob("*")):
        name = path.relative_to(told.bundle).as_posix()
        if path.is_symlink() or not (path.is_file() or path.is_dir()):
            sys.exit(f"wheel: {name} is a link or no plain file, which a wheel cannot hold")
        if path.is_dir():
            continue
        data = path.read_bytes()
        if name.startswith("licences/"):
            licences.append(name.removeprefix("licences/"))
            files[f"{info}/licenses/{licences[-1]}"] = (data, False)
        elif name == "COMPONENTS":
            files[f"hdrbatch/bundle/{name}"] = (components(data.decode(), info).encode(), False)
        else:
            files[f"hdrbatch/bundle/{name}"] = (data, bool(path.stat().st_mode & 0o100))
    if not files.get("hdrbatch/bundle/bin/hdrbatch", (b"", False))[1]:
        sys.exit("wheel: the bundle has no bin/hdrbatch that is executable")

    # The libraries' own licences are listed one by one in COMPONENTS and below licenses/.
    licence = "Apache-2.0 AND LGPL-2.1-or-later AND LGPL-3.0-or-later AND LicenseRef-Bundled-Libraries"
    if has_x265:
        licence = licence.replace("AND", "AND GPL-2.0-or-later AND", 1)
    metadata = METADATA.format(
        version=version,
        licence=licence,
        licences="".join(f"License-File: {name}\n" for name in licences),
        description=absolute((ROOT / "docs/python.md").read_text()),
    )
    files[f"{info}/METADATA"] = (metadata.encode(), False)
    files[f"{info}/WHEEL"] = (WHEEL.format(platform=told.platform).encode(), False)
    files[f"{info}/entry_points.txt"] = (ENTRY_POINTS.encode(), False)
    files[f"{info}/RECORD"] = (record(files, f"{info}/RECORD").encode(), False)

    wheel = told.out / f"hdrbatch-{version}-py3-none-{told.platform}.whl"
    part = wheel.with_name(wheel.name + ".part")
    # ZIP counts years from 1980.
    date = time.gmtime(max(told.time, 315532800))[:6]
    with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        # RECORD and its neighbours last, as the format recommends.
        for name in sorted(files, key=lambda name: (name.startswith(info), name)):
            data, executable = files[name]
            entry = zipfile.ZipInfo(name, date)
            entry.create_system = 3
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if executable else 0o100644) << 16
            archive.writestr(entry, data)
    part.replace(wheel)
    data = wheel.read_bytes()
    print(f"{hashlib.sha256(data).hexdigest()}  {wheel}\n{wheel}: {len(data)} bytes, {len(files)} files")
    return 0


def components(text: str, info: str) -> str:
    """The list of what is in the bundle, without what was left out, and with the licences where they are in a wheel."""
    rows = [row for row in text.splitlines() if not row.startswith("Examples/")]
    return "\n".join(re.sub(r"\blicences/(?=\S+$)", f"{info}/licenses/", row) for row in rows) + "\n"


def absolute(page: str) -> str:
    """A page without links to other files of the repository, which lead nowhere from a package index."""
    return re.sub(r"\[([^\]]+)\]\((?!https?:)[^)]+\)", r"\1", page)


def record(files: dict[str, tuple[bytes, bool]], itself: str) -> str:
    """RECORD: name, digest and size of every file, without its own."""
    rows = []
    for name in sorted(files):
        data = files[name][0]
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        rows.append(f"{name},sha256={digest},{len(data)}\n")
    return "".join([*rows, f"{itself},,\n"])


if __name__ == "__main__":
    sys.exit(main())
