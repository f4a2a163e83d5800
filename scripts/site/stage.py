#!/usr/bin/env python3
"""Puts the pages, and all that they link to, into a folder from which Sphinx builds the site: scripts/site/build runs it.

    scripts/site/stage.py FOLDER

Tables of tabs become pages. The menu is that of docs/README.md.
"""
import pathlib
import re
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
CONFIG = """project = "hdrbatch"
html_title = "hdrbatch"
extensions = ["myst_parser"]
root_doc = "README"
html_theme = "furo"
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
myst_heading_anchors = 6
# Two dashes are those of an option.
smartquotes = False
highlight_language = "none"
"""


def menu():
    """Returns the menu: sections of docs/README.md with their links, each page once."""
    seen, lines = set(), ["", "```{toctree}", ":hidden:", "", "All pages <docs/README>", "```"]
    for title, text in re.findall(r"(?ms)^\*\*(.+?)\*\*(.*?)(?=^\*\*|\Z)", (ROOT / "docs/README.md").read_text()):
        lines += ["", "```{toctree}", ":hidden:", f":caption: {title}", ""]
        for name, target in re.findall(r"\[([^\]]+)\]\(([^)#\s]+)\)", text):
            path = str((ROOT / "docs" / target).resolve().relative_to(ROOT))
            if path not in seen:
                seen.add(path)
                name = " ".join(name.split())
                lines.append(f"{name[0].upper()}{name[1:]} <{page_of(path).removesuffix('.md')}>")
        lines.append("```")
    return "\n".join(lines) + "\n"


def page_of(path):
    return path + ".md" if path.endswith(".tsv") else path


def table(path):
    """Returns a page of a table of tabs."""
    rows = [line.split("\t") for line in path.read_text().splitlines() if line]
    width = max(map(len, rows), default=1)
    cells = [[cell.replace("|", "\\|").replace("<", "&lt;") for cell in row + [""] * (width - len(row))] for row in rows]
    lines = ["| " + " | ".join(row) + " |" for row in cells]
    return "\n".join([f"# {path.name}", "", lines[0], "|" + "---|" * width, *lines[1:], ""])


def main():
    pages = pathlib.Path(sys.argv[1])
    shutil.rmtree(pages, ignore_errors=True)
    left = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "docs/README.md")]
    done = set()
    # Reached from these, page by page: what nothing links to is not in the site.
    while left:
        path = left.pop()
        if path in done or not path.exists():
            continue
        done.add(path)
        target = pages / page_of(str(path.relative_to(ROOT)))
        if path.is_dir():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".tsv":
            target.write_text(table(path))
        elif path.suffix != ".md":
            shutil.copyfile(path, target)
        else:

            def link(match):
                name, anchor = match.group(1), match.group(2) or ""
                other = (path.parent / name).resolve()
                left.append(other)
                if other.is_dir():
                    # A folder is a list of names.
                    listing = pages / other.relative_to(ROOT) / "index.md"
                    listing.parent.mkdir(parents=True, exist_ok=True)
                    names = sorted(one.name for one in other.iterdir() if not one.name.startswith("."))
                    listing.write_text(f"# {other.name}\n\n" + "".join(f"- {one}\n" for one in names))
                    return f"]({name.rstrip('/')}/index.md)"
                return f"]({page_of(name)}{anchor})"

            target.write_text(re.sub(r"\]\((?![a-z]+:|#)([^)\s#]+)(#[^)\s]*)?\)", link, path.read_text()))
    for page in pages.rglob("*.md"):
        # What no menu has is reached by links.
        page.write_text("---\norphan: true\n---\n" + page.read_text())
    front = pages / "README.md"
    front.write_text(front.read_text() + menu())
    (pages / "conf.py").write_text(CONFIG)


if __name__ == "__main__":
    main()
