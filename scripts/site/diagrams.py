#!/usr/bin/env python3
"""Draws docs/diagrams/*.svg.

    scripts/site/diagrams.py            # writes them
    scripts/site/diagrams.py --check    # ends with 1 if a file differs from what would be written
"""
import math
import pathlib
import sys
from xml.sax.saxutils import escape

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "docs" / "diagrams"
INK, LINE, PAPER = "#1f2933", "#52606d", "#ffffff"
# Fill of a box by what it is.
FILLS = {"file": "#fff3c4", "work": "#d9e8f6", "safe": "#dff3e3", "choice": "#f0e6f7", "plain": "#eef1f4"}


class Drawing:
    """Shapes of one picture, in the order in which they are drawn."""

    def __init__(self, width, height, title):
        self.width, self.height, self.title, self.parts = width, height, title, []

    def text(self, x, y, words, size=14, anchor="middle", weight="normal", fill=INK):
        self.parts.append(
            f'<text x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="{anchor}" font-weight="{weight}"'
            f' fill="{fill}">{escape(words)}</text>')

    def box(self, x, y, width, height, lines, kind="work"):
        """Draws a box whose first line is bold."""
        self.parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="6" fill="{FILLS[kind]}"'
            f' stroke="{LINE}"/>')
        top = y + height / 2 - 9 * (len(lines) - 1) + 5
        for number, line in enumerate(lines):
            first = number == 0
            self.text(x + width / 2, top + 18 * number, line, 14 if first else 12, weight="bold" if first else "normal")

    def line(self, points, dashed=False, arrow=True):
        path = " ".join(f"{x:g},{y:g}" for x, y in points)
        end = ' marker-end="url(#arrow)"' if arrow else ""
        dash = ' stroke-dasharray="5 4"' if dashed else ""
        self.parts.append(f'<polyline points="{path}" fill="none" stroke="{LINE}" stroke-width="1.5"{dash}{end}/>')

    def rectangle(self, x, y, width, height, fill):
        self.parts.append(f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{fill}"/>')

    def svg(self):
        body = "\n".join(self.parts)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}"'
            ' font-family="system-ui, Helvetica, Arial, sans-serif">\n'
            f"<title>{escape(self.title)}</title>\n"
            '<defs><marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7"'
            f' orient="auto"><path d="M0,0 L10,5 L0,10 z" fill="{LINE}"/></marker></defs>\n'
            f'<rect width="{self.width}" height="{self.height}" fill="{PAPER}"/>\n{body}\n</svg>\n')


def pipeline():
    d = Drawing(1000, 390, "How a file becomes a file, and where gain maps go")
    y, height = 70, 76
    steps = [
        (20, 100, ["photo"], "file"),
        (150, 120, ["decode", "in a sandbox"], "safe"),
        (310, 110, ["edit", "filters, resize"], "work"),
        (450, 90, ["LUT", "--lut"], "work"),
        (570, 110, ["tone map", "to the display"], "work"),
        (720, 120, ["encode", "in a sandbox"], "safe"),
        (880, 100, ["output"], "file"),
    ]
    d.text(495, 28, "linear light, on a GPU or the CPU: the same bits", 13)
    d.line([(310, 52), (310, 42), (680, 42), (680, 52)], arrow=False)
    for x, width, lines, kind in steps:
        d.box(x, y, width, height, lines, kind)
    for (x, width, *_), (after, *_) in zip(steps, steps[1:]):
        d.line([(x + width, y + height / 2), (after, y + height / 2)])
    d.text(780, 60, "then read back and compared", 12)

    d.text(20, 215, "With a gain map", 15, anchor="start", weight="bold")
    d.line([(210, y + height), (210, 240)])
    d.box(150, 240, 120, 60, ["base + map"], "plain")
    d.line([(270, 270), (310, 270)])
    d.box(310, 240, 170, 60, ["apply", "weight by the headroom"], "work")
    d.line([(365, 240), (365, y + height)])
    d.text(375, 205, "PQ, HLG, SDR outputs", 12, anchor="start")
    d.line([(625, y + height), (625, 240)])
    d.box(560, 240, 140, 60, ["SDR and HDR", "renditions"], "plain")
    d.line([(700, 270), (720, 270)])
    d.box(720, 240, 120, 60, ["gains", "log2 HDR / SDR"], "work")
    d.line([(780, 240), (780, y + height)])
    d.text(790, 205, "adaptive-*, edited", 12, anchor="start")
    d.line([(210, 300), (210, 350), (930, 350), (930, y + height)], dashed=True)
    d.text(520, 340, "adaptive-* without an edit: base and map are kept, bit for bit", 13)
    return d


def pq(luminance):
    """Returns the PQ signal, 0 to 1, of a luminance in cd/m² (SMPTE ST 2084)."""
    power = (luminance / 10000) ** (2610 / 16384)
    return ((3424 / 4096 + 2413 / 128 * power) / (1 + 2392 / 128 * power)) ** (2523 / 32)


def headroom():
    d = Drawing(1000, 330, "Luminance, headroom and PQ codes on one scale")
    left, right, low, high = 150, 960, 1, 10000

    def place(light):
        return left + (right - left) * math.log(light / low) / math.log(high / low)

    bars = [
        (60, 203, "SDR file", "headroom 1", "#7b8794"),
        (100, 1000, "HDR display of 1000", "headroom 4.9", "#3e7cb1"),
        (140, 7.945 * 203, "Examples/lamps.jpg", "headroom 7.9", "#c77b30"),
        (180, 10000, "PQ", "headroom 49", "#4f8a5b"),
    ]
    for y, peak, name, words, fill in bars:
        d.rectangle(left, y, place(peak) - left, 24, fill)
        d.text(left + 8, y + 17, name, 13, anchor="start", fill=PAPER)
        d.text(place(peak) - 8, y + 17, words, 13, anchor="end", fill=PAPER)
    d.line([(place(203), 45), (place(203), 215)], dashed=True, arrow=False)
    d.text(place(203), 36, "reference white, 203 cd/m² = 1.0", 13)
    rows = [(235, "cd/m²", str), (260, "headroom", lambda x: f"{x / 203:.3g}" if x >= 203 else ""),
            (285, "PQ, 10 bits", lambda x: str(round(1023 * pq(x))))]
    for y, name, words in rows:
        d.text(left - 30, y, name, 13, anchor="end", weight="bold")
        for light in (1, 10, 100, 203, 1000, 4000, 10000):
            d.text(place(light), y, words(light), 13)
    words = "Headroom is peak over reference white. A picture with more than the display has is tone mapped."
    d.text(540, 315, words, 13)
    return d


def farm():
    d = Drawing(1000, 330, "A batch on many machines")
    d.box(20, 130, 110, 60, ["photos"], "file")
    d.box(180, 130, 110, 60, ["plan", "once"], "work")
    d.box(340, 130, 130, 60, ["manifest", "m.jsonl"], "file")
    d.line([(130, 160), (180, 160)])
    d.line([(290, 160), (340, 160)])
    for number, y in enumerate((20, 130, 240)):
        d.box(540, y, 150, 60, [f"run --shard {number}/3", "a machine"], "work")
        d.line([(470, 160), (540, y + 30)])
        d.line([(690, y + 30), (750, 90)])
        d.line([(690, y + 30), (750, 220)])
    d.box(750, 60, 110, 60, ["outputs"], "file")
    d.box(750, 190, 110, 60, ["journals", "one a run"], "file")
    d.line([(860, 220), (900, 220)])
    d.box(900, 190, 90, 60, ["status", "any time"], "work")
    d.line([(805, 250), (805, 312), (615, 312), (615, 300)], dashed=True)
    d.text(700, 325, "--resume: what is done is skipped", 12)
    return d


def which_output():
    d = Drawing(1000, 500, "Which kind of output")
    d.box(400, 15, 200, 50, ["Who looks at it?"], "choice")
    columns = [
        (20, ["everybody", "phones, web, mail"]), (265, ["HDR screens", "TV, monitor"]),
        (510, ["SDR alone", "print, old systems"]), (755, ["a program", "edit, archive"]),
    ]
    for x, lines in columns:
        d.line([(500, 65), (500, 85), (x + 112, 85), (x + 112, 105)])
        d.box(x, 105, 225, 50, lines, "choice")
    leaves = [
        (20, ["adaptive-jpeg", "right on every screen"], ["adaptive-heic", "iPhone, Mac"],
         ["adaptive-avif", "newer browsers"]),
        (265, ["pq-avif, pq-png", "browsers, Windows"], ["pq-heic", "TV, Apple"], ["hlg-*", "broadcast"]),
        (510, ["sdr-jpeg", "everywhere"], ["sdr-avif", "web"], ["sdr-tiff", "print: --icc-output"]),
        (755, ["exr, linear-tiff", "grading, compositing"], ["pq-tiff, linear-tiff", "archive of masters"],
         ["recompress-jxl", "archive of JPEGs"]),
    ]
    for x, *kinds in leaves:
        d.line([(x + 112, 155), (x + 112, 190)])
        for number, lines in enumerate(kinds):
            d.box(x, 190 + 75 * number, 225, 60, lines, "file")
    d.box(265, 435, 470, 45, ["Not sure: adaptive-jpeg"], "plain")
    return d


def main():
    drawings = {"pipeline": pipeline(), "headroom": headroom(), "farm": farm(), "which-output": which_output()}
    texts = {FOLDER / f"{name}.svg": drawing.svg() for name, drawing in drawings.items()}
    if sys.argv[1:] == ["--check"]:
        stale = [path.name for path, text in texts.items() if not path.exists() or path.read_text() != text]
        stale += [path.name for path in sorted(FOLDER.iterdir()) if path not in texts]
        if stale:
            sys.exit(f"docs/diagrams: {', '.join(stale)} differ from what scripts/site/diagrams.py draws: run it")
        return
    FOLDER.mkdir(exist_ok=True)
    for path, text in texts.items():
        path.write_text(text)


if __name__ == "__main__":
    main()
