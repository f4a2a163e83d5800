#!/usr/bin/env python3
"""Checks links within the repository's pages, and pages that sources name: files are there, and headings have the anchors.

    scripts/site/links.py

Anchors are those that GitHub makes. Links to other hosts are not followed. Ends with 1 if a link leads nowhere.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINK = re.compile(r"\]\(([^)\s]+)\)")
NAMED = re.compile(r"(?<![\w/.-])((?:docs|scripts|Examples)/[\w/.-]*\w\.md(?:#[\w-]+)?)")
SOURCES = {".swift", ".py", ".sh", ".glsl", ".c", ".h", ".yaml", ""}


def tracked():
    names = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True,
                           capture_output=True, text=True).stdout
    return [ROOT / name for name in names.split("\0") if name and (ROOT / name).is_file()]


def without_code(text):
    """Returns the text with code in it blanked, so that numbers of lines stay."""
    text = re.sub(r"(?ms)^( *)(```+).*?^\1\2", lambda m: "\n" * m.group().count("\n"), text)
    text = re.sub(r"(?m)^(?: {4}|\t).*$", "", text)
    return re.sub(r"`[^`\n]*`", "", text)


def slug(heading):
    """Returns the anchor that GitHub makes of a heading."""
    words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").strip().lower()
    return re.sub(r"[^\w\- ]", "", words).replace(" ", "-")


def anchors(path):
    found, counts = set(), {}
    for heading in re.findall(r"(?m)^#{1,6} +(.*?)(?: +#+)?$", re.sub(r"(?ms)^```.*?^```", "", path.read_text())):
        name = slug(heading)
        found.add(f"{name}-{counts[name]}" if name in counts else name)
        counts[name] = counts.get(name, 0) + 1
    return found


def main():
    files = tracked()
    names = set(files) | {folder for path in files for folder in path.parents}
    known, problems = {}, []

    def check(page, line, target, base):
        name, _, anchor = target.partition("#")
        path = (base / name).resolve() if name else page
        place = f"{page.relative_to(ROOT)}:{line}: {target}"
        if path not in names:
            problems.append(f"{place}: no such file")
        elif anchor and path.suffix == ".md":
            if anchor not in known.setdefault(path, anchors(path)):
                problems.append(f"{place}: no such heading")

    count = 0
    for page in files:
        is_page = page.suffix == ".md"
        if not is_page and page.suffix not in SOURCES:
            continue
        try:
            text = page.read_text()
        except UnicodeDecodeError:
            continue
        if is_page:
            text = without_code(text)
        for line, words in enumerate(text.split("\n"), 1):
            for target in LINK.findall(words) if is_page else NAMED.findall(words):
                if re.match(r"[a-z]+:", target):
                    continue
                count += 1
                check(page, line, target, page.parent if is_page else ROOT)
    for problem in problems:
        print(problem, file=sys.stderr)
    if problems:
        sys.exit(1)
    print(f"links: {count} lead somewhere")


if __name__ == "__main__":
    main()
