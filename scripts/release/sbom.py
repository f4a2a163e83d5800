#!/usr/bin/env python3
"""Writes what a bundle consists of as SPDX 2.3: sbom.py ARCHIVE [-o FILE], by default beside the archive.

Every file of the archive with its SHA-256; every package of COMPONENTS with version, source and package URL. Needs nothing
but Python.
"""

import argparse
import hashlib
import json
import re
import tarfile
import time
from pathlib import Path


def identifier(text: str) -> str:
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", text)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("archive", type=Path)
    options.add_argument("-o", dest="out", type=Path)
    told = options.parse_args()
    name = told.archive.name.removesuffix(".tar.gz")
    out = told.out or told.archive.with_name(name + ".spdx.json")

    digests: dict[str, list[dict[str, str]]] = {}
    texts: dict[str, str] = {}
    newest = 0
    with tarfile.open(told.archive) as archive:
        for member in archive:
            if member.isfile():
                path = member.name.partition("/")[2]
                data = archive.extractfile(member).read()
                # The format asks for SHA-1, too.
                digests[path] = [
                    {"algorithm": name.upper(), "checksumValue": hashlib.new(name, data).hexdigest()} for name in ("sha1", "sha256")]
                newest = max(newest, int(member.mtime))
                if path in ("COMPONENTS", "VERSION"):
                    texts[path] = data.decode()
    version = texts["VERSION"].split()[1]
    whole = hashlib.sha256(told.archive.read_bytes()).hexdigest()

    main_package = {
        "SPDXID": "SPDXRef-hdrbatch", "name": "hdrbatch", "versionInfo": version, "downloadLocation": "NOASSERTION",
        "packageFileName": told.archive.name, "checksums": [{"algorithm": "SHA256", "checksumValue": whole}],
        "filesAnalyzed": False, "licenseConcluded": "NOASSERTION", "licenseDeclared": "Apache-2.0",
        "copyrightText": "NOASSERTION", "primaryPackagePurpose": "APPLICATION",
    }
    packages = {"SPDXRef-hdrbatch": main_package}
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-hdrbatch")]
    owners: dict[str, str] = {}
    for row in texts["COMPONENTS"].splitlines():
        if row.startswith("#") or not row.strip():
            continue
        file, package, release, source, licence = row.split()
        if package in ("hdrbatch", "photos"):
            continue
        path, _, how = file.partition(",")
        one = identifier(f"{package}-{release}")
        if one not in packages:
            packages[one] = {
                "SPDXID": one, "name": package, "versionInfo": release, "downloadLocation": "NOASSERTION",
                "filesAnalyzed": False, "licenseConcluded": "NOASSERTION", "licenseDeclared": "NOASSERTION",
                "licenseComments": f"The licence is {licence} in the archive.", "copyrightText": "NOASSERTION",
                "sourceInfo": f"Source package {source.replace('_', ' ', 1)}" if source != "-" else "Source: see the project",
            }
            # Packages of Debian have its versions, as 1.15.1-1+deb12u1; the rest is built from the source of its project.
            if source != "-" and re.search(r"-\d", release):
                packages[one]["externalRefs"] = [{
                    "referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                    "referenceLocator": f"pkg:deb/debian/{package}@{release.replace('+', '%2B').replace(':', '%3A')}?arch=amd64&distro=debian-12",
                }]
        relations.append(("SPDXRef-hdrbatch", "STATIC_LINK" if how == "static" else "CONTAINS", one))
        if not how:
            owners[path] = one

    files = []
    for path, checksums in sorted(digests.items()):
        one = identifier(f"File-{path}")
        files.append({
            "SPDXID": one, "fileName": f"./{path}", "checksums": checksums, "licenseConcluded": "NOASSERTION", "copyrightText": "NOASSERTION",
        })
        relations.append((one, "GENERATED_FROM", owners.get(path, "SPDXRef-hdrbatch")))

    document = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": name,
        "documentNamespace": f"https://spdx.org/spdxdocs/{name}-{whole}",
        "creationInfo": {
            "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(newest)), "creators": ["Tool: hdrbatch-sbom"]},
        "packages": list(packages.values()), "files": files,
        "relationships": [
            {"spdxElementId": a, "relationshipType": kind, "relatedSpdxElement": b}
            for a, kind, b in dict.fromkeys(relations)],
    }
    out.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n")
    print(f"{out}: {len(packages)} packages, {len(files)} files")


if __name__ == "__main__":
    main()
