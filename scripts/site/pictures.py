#!/usr/bin/env python3
"""Makes docs/gallery.jpg, a gallery of Examples/ in headless Chromium, and docs/terminal.svg, what commands print.

    python3 -m venv /tmp/venv && /tmp/venv/bin/pip install numpy pillow websocket-client
    /tmp/venv/bin/python scripts/site/pictures.py HDRBATCH
"""
import base64
import io
import pathlib
import shutil
import subprocess
import sys
import tempfile
from xml.sax.saxutils import escape

from PIL import Image

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "torture"))
from gallery_test import Browser  # noqa: E402

PHOTOS = [f"Examples/{name}" for name in ("lamps.jpg", "temple.heic", "citadel.avif", "citadel-pq.heic")]


def run(program, *words, folder):
    made = subprocess.run([program, *words], cwd=folder, text=True, capture_output=True)
    if made.returncode:
        sys.exit(made.stderr)
    return made.stdout + made.stderr


# ---------- The gallery ----------

def screen(browser, width, height):
    taken = browser.call("Page.captureScreenshot", format="png")["data"]
    return Image.open(io.BytesIO(base64.b64decode(taken))).convert("RGB").resize((width, height), Image.LANCZOS)


def draw_gallery(program, folder):
    run(program, "gallery", "OUT", "--title", "Examples", folder=folder)
    browser = Browser()
    try:
        # Twice the pixels, for sharp text; the list, then a picture.
        browser.size(560, 680, "dark", 2)
        browser.open(folder / "OUT" / "gallery")
        whole = Image.new("RGB", (1600, 680), "#767676")
        whole.paste(screen(browser, 560, 680), (0, 0))
        browser.size(1032, 680, "dark", 2)
        browser.go(browser.run("rows.find(row => row.name === 'lamps.jpg').number"))
        browser.key("h", "d", "-", "-", "-")
        browser.run("view.wipe = 0.23; redraw()")
        browser.run("new Promise(done => setTimeout(done, 1000))")
        whole.paste(screen(browser, 1032, 680), (568, 0))
        whole.save(ROOT / "docs" / "gallery.jpg", quality=82, optimize=True, progressive=True)
    finally:
        browser.close()


# ---------- The terminal ----------

def draw_terminal(program, folder):
    lines = []
    for words in ("render Examples -o OUT --to adaptive-jpeg", "info Examples/lamps.jpg"):
        lines += [f"$ hdrbatch {words}", *run(program, *words.split(), folder=folder).splitlines(), ""]
    lines = lines[:-1]
    size, step, edge = 14, 21, 20
    width, height = edge * 2 + round(8.45 * max(map(len, lines))), edge * 2 + step * len(lines) - 6
    kinds, prompt = ("said", "typed"), "$ "
    texts = "\n".join(
        f'<text x="{edge}" y="{edge + 14 + step * number}" class="{kinds[line[:2] == prompt]}">{escape(line)}</text>'
        for number, line in enumerate(lines) if line)
    (ROOT / "docs" / "terminal.svg").write_text(f'''<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}">
<title>hdrbatch renders photos, and says what a file holds</title>
<style>text {{ font: {size}px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: #c9d1d9; white-space: pre; }} .typed {{ fill: #fff; font-weight: bold; }}</style>
<rect x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8" fill="#161b22" stroke="#444c56"/>
{texts}
</svg>
''')


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    program = str(pathlib.Path(sys.argv[1]).absolute())
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        (folder / "Examples").mkdir()
        for photo in PHOTOS:
            shutil.copyfile(ROOT / photo, folder / photo)
        draw_terminal(program, folder)
        draw_gallery(program, folder)


if __name__ == "__main__":
    main()
