#!/usr/bin/env python3
"""Makes a batch of mixed files with its gallery, and one of 10 000 items from that, and a page of compared pairs, and one of
10 000 pairs from that, and drives all four in headless Chromium.

    python3 -m venv /tmp/venv && /tmp/venv/bin/pip install numpy pillow websocket-client
    /tmp/venv/bin/python scripts/torture/gallery_test.py HDRBATCH [PICTURES] [SHOTS]

PICTURES: a folder; ../shared/data/images of the repository by default, else Examples. SHOTS: where screenshots go. The
light behind the headroom slider is compared with the formula in binary64 and with rgba16f that HDRBATCH renders.
"""
import base64, io, json, os, random, shlex, shutil, subprocess, sys, tempfile, time  # noqa: E401
from pathlib import Path
from urllib.parse import quote, unquote
from urllib.request import urlopen

import numpy as np
import websocket
from PIL import Image

XYZ = {  # rows of RGB to XYZ
    "bt709": [[0.41239080, 0.35758434, 0.18048079], [0.21263901, 0.71516868, 0.07219232], [0.01933082, 0.11919478, 0.95053215]],
    "p3": [[0.48657095, 0.26566769, 0.19821729], [0.22897456, 0.69173852, 0.07928691], [0, 0.04511338, 1.04394437]],
    "bt2020": [[0.63695805, 0.14461690, 0.16888098], [0.26270021, 0.67799807, 0.05930172], [0, 0.02807269, 1.06098506]]}
SUFFIXES = {".jpg", ".jpeg", ".heic", ".heif", ".hif", ".avif", ".png", ".tif", ".tiff"}
failures = []

def check(what, good, more=""):
    print("ok    " if good else "FAILED", what, "" if good else more, flush=True)
    failures.extend([] if good else [what])

def hdrbatch(*arguments):
    return subprocess.run(["nice", "-n", "19", program, *map(str, arguments)], capture_output=True, text=True)

def read(path):
    """The last argument of the call that a file of the gallery is."""
    text = path.read_text()
    return json.loads("[" + text[text.index("(") + 1:text.rindex(")")] + "]")[-1]

def write(path, call, *arguments):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{call}({','.join(json.dumps(one) for one in arguments)})\n")

def make(folder):
    """Some 60 files, three of them broken, rendered, with a gallery: its folder and its rows."""
    files = [file for file in sorted(pictures.rglob("*")) if file.suffix.lower() in SUFFIXES and file.is_file()
             and not {"malformed", "expected"} & set(file.parts) and file.stat().st_size < 8e6]
    for file in files[::max(1, len(files) // 57)]:
        (folder / "in" / file.parent.name).mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, folder / "in" / file.parent.name / file.name)
    (folder / "in/no picture.jpg").write_text("no picture")
    for name, suffix in (("cut #1.jpg", ".jpg"), ("cut ü.heic", ".heic")):
        whole = next((file for file in files if file.suffix == suffix), files[0]).read_bytes()
        (folder / "in" / name).write_bytes(whole[:len(whole) // 2])
    out, record, facts = folder / "out", folder / "record.jsonl", ("inputDigest", "outputDigest", "status")
    run = hdrbatch("render", folder / "in", "-o", out, "--to", "adaptive-jpeg", "--if-sdr", "sdr-jpeg", "--resize", 1600,
                   "--name", "{name}.{ext}", "--record", record)
    check("the batch ends with failed inputs", run.returncode == 65, run.stderr)
    start = time.time()
    run = hdrbatch("gallery", out)
    took, made = time.time() - start, out / "gallery"
    check("hdrbatch gallery ends with 0", run.returncode == 0, run.stderr)
    rows = read(made / "rows/0.js")
    items = [read(made / f"items/{row['number']:05}.js") for row in rows]
    print(f"       {len(rows)} items: made in {took:.1f} s, {sum(file.stat().st_size for file in made.rglob('*') if file.is_file()) / 1e6:.1f} MB")
    records = sorted((one for one in map(json.loads, record.open()) if one["type"] == "item"), key=lambda one: one["index"])
    check("every item has the batch's record", [[item["record"][key] for key in facts] for item in items] == [[one[key] for key in facts] for one in records])
    lost = [link["href"] for item in items for link in item["links"] if not (made / unquote(link["href"])).is_file()]
    check("links lead to files", not lost and all(item["links"] for item in items), lost)
    check("what was rendered has a thumbnail, an output, a source and metadata", all(
        row.get("thumb") and {one["role"] for one in item["pictures"]} == {"output", "source"} and item["metadata"]
        for row, item in zip(rows, items) if row["status"] == "ok"))
    failed = [row for row in rows if row["status"] == "failed"]
    check("what failed has a line and a command", len(failed) >= 3 and all(row["message"] and row["reproduce"] for row in failed))
    run = subprocess.run([program, *shlex.split(failed[0]["reproduce"])[1:]], capture_output=True, text=True, cwd=out)
    check("commands name no folder of this machine", not any(str(folder) in row["reproduce"] for row in failed))
    check("the command shows the failure", run.returncode == 65 and failed[0]["code"] in run.stderr + run.stdout)
    return made, rows

def multiply(folder, real, rows, total=10_000):
    (folder / "thumbs").mkdir(parents=True)
    for name in ("gallery.html", "gallery.css", "page.js", "gallery.js"):
        shutil.copyfile(real / name, folder / name)
    chance, made = random.Random(1), []
    for number in range(1, total + 1):
        row = chance.choice(rows)
        if row.get("thumb"):
            (folder / f"thumbs/{number:05}.jpg").symlink_to(real / f"thumbs/{row['number']:05}.jpg")
        if number > total - 2:
            write(folder / f"items/{number:05}.js", "galleryItem", number, read(real / f"items/{row['number']:05}.js"))
        name = f"day {number // 500}/IMG_{number:05}{Path(row['name']).suffix}"
        made.append(row | {"number": number, "name": name, "seconds": round(chance.lognormvariate(-1, 0.6), 3)})
    for chunk in range(total // 1000):
        write(folder / f"rows/{chunk}.js", "galleryRows", chunk, made[chunk * 1000:][:1000])
    counts = {name: sum(row["status"] == name for row in made) for name in ("ok", "failed", "skipped")}
    write(folder / "data.js", "gallery", {"title": f"{total} items", "items": total, "counts": counts})
    return made

class Browser:
    def __init__(self, screen="srgb"):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.process = subprocess.Popen(
            ["nice", "-n", "19", shutil.which("chromium") or "/usr/bin/chromium", "--headless=new", "--no-sandbox", "--hide-scrollbars",
             "--remote-debugging-port=0", "--remote-allow-origins=*", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
             f"--force-color-profile={screen}", f"--user-data-dir={self.profile.name}", "about:blank"], stderr=subprocess.DEVNULL)
        port, end = Path(self.profile.name, "DevToolsActivePort"), time.time() + 60
        while not (port.exists() and "\n" in port.read_text()) and time.time() < end:
            time.sleep(0.1)
        pages = json.load(urlopen(f"http://127.0.0.1:{port.read_text().split()[0]}/json"))
        address = next(page for page in pages if page["type"] == "page")["webSocketDebuggerUrl"]
        self.socket, self.number, self.events = websocket.create_connection(address, timeout=120), 0, []
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def call(self, method, **parameters):
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while (reply := json.loads(self.socket.recv())).get("id") != self.number:
            self.events.append(reply)
        if "error" in reply:
            raise RuntimeError(f"{method}: {reply['error']}")
        return reply["result"]

    def run(self, text):
        reply = self.call("Runtime.evaluate", expression=text, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in reply:
            raise RuntimeError(reply["exceptionDetails"]["exception"].get("description"))
        return reply["result"].get("value")

    def wait(self, text):
        self.run(f"""new Promise((done, failed) => {{ const end = Date.now() + 6e4, look = () => document.documentElement && ({text}) ? done() : Date.now() > end
            ? failed(new Error('waited in vain')) : setTimeout(look, 20); look(); }})""")

    def size(self, width, height, scheme="light", ratio=1):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=ratio, mobile=width < 500)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def open(self, folder):
        """Says when the thumbnails in the window are there, and when all rows are."""
        self.call("Page.navigate", url="about:blank")
        start = time.time()
        self.call("Page.navigate", url=f"file://{quote(str(folder))}/gallery.html")
        self.wait("(all => all.length && all.every(one => one.naturalWidth))([...document.querySelectorAll('.tile img')]"
                  ".filter(one => one.getBoundingClientRect().top < innerHeight))")
        first = time.time() - start
        self.wait("document.documentElement.dataset.ready")
        return f"thumbnails after {first:.2f} s, all rows after {time.time() - start:.2f} s"

    def key(self, *keys):
        for key in keys:
            text = {"text": key} if len(key) == 1 else {"text": "\r"} if key == "Enter" else {}
            self.call("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=13 if key == "Enter" else 0, **text)
            self.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def set(self, field, value):
        self.run(f"$('{field}').value = {json.dumps(value)}; $('{field}').dispatchEvent(new Event('input'))")

    def settle(self, number):
        self.wait(f"shown?.number === {number} && !$('panes').classList.contains('stale') && !!(document.querySelector('.message') || "
                  "panes[0]?.picture && panes[0].picture === here('output'))")

    def go(self, number):
        self.run(f"location.hash = '#{number}'")
        self.settle(number)

    def back(self):
        self.key("Escape")
        self.wait("!shown")

    def shot(self, name):
        time.sleep(0.6)
        if shots:
            (shots / f"{name}.png").write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def array(self, text, kind):
        """A picture that the page has: {width, height, pixels}."""
        width, height, data = self.run("(() => { const { width, height, pixels } = " + text + """, bytes = new Uint8Array(pixels.buffer);
            let text = ''; for (let i = 0; i < bytes.length; i += 32768) text += String.fromCharCode(...bytes.subarray(i, i + 32768));
            return [width, height, btoa(text)]; })()""")
        return np.frombuffer(base64.b64decode(data), kind).reshape(height, width, 4)[..., :3].astype(np.float64)

    def close(self):
        self.socket.close()
        self.process.terminate()
        self.process.wait(20)
        self.profile.cleanup()

def formula(base, codes, meta, headroom, to_map):
    """docs/gain-map-maths.md in binary64, on the codes that Pillow decodes."""
    v = base / 255
    sdr = np.where(v <= 0.04045, v / 12.92, ((v + 0.055) / 1.055) ** 2.4)
    weight = np.clip((np.log2(headroom) - meta["base"]) / (meta["alternate"] - meta["base"]), 0, 1)
    low, high, gamma, ob, oa = (np.array(meta[key]) for key in ("min", "max", "gamma", "offsetBase", "offsetAlternate"))
    stops = low + (high - low) * (codes / 255) ** (1 / gamma)
    for axis, (n, m) in enumerate(zip(base.shape[:2], codes.shape)):
        u = (np.arange(n) + 0.5) * m / n - 0.5
        at, f = np.floor(u).astype(int), np.expand_dims(u - np.floor(u), (1 - axis, 2))
        stops = np.take(stops, np.clip(at, 0, m - 1), axis) * (1 - f) + np.take(stops, np.clip(at + 1, 0, m - 1), axis) * f
    lit = ((sdr @ to_map.T + ob) * 2 ** (weight * stops) - oa) @ np.linalg.inv(to_map).T
    return np.minimum(lit if weight else sdr, headroom)

def compare(browser, gallery, row):
    """The headroom slider against the formula and against rgba16f of the same Adaptive JPEG."""
    browser.go(row["number"])
    picture = next(one for one in read(gallery / f"items/{row['number']:05}.js")["pictures"] if one["role"] == "output")
    raw, meta = base64.b64decode(picture["jpeg"]), browser.run("panes[0].picture.meta")
    end, limit = browser.run("walk(panes[0].picture.bytes, 0).end"), 2 ** browser.run("panes[0].picture.limit")
    base, codes = (np.asarray(Image.open(io.BytesIO(part)).convert("RGB")) for part in (raw[:end], raw[raw.index(b"\xff\xd8\xff", end):]))
    own = np.array(XYZ[picture["primaries"]])
    to_map = np.linalg.inv(XYZ[picture["mapPrimaries"]]) @ own if meta["own"] and picture.get("mapPrimaries") else np.eye(3)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "view.jpg").write_bytes(raw)
        for headroom in [1, 2, limit] if limit > 2 else [1, limit]:
            browser.set("headroom", np.log2(headroom))
            browser.set("ev", -1)
            real = 2 ** browser.run("nowHeadroom()")  # the slider has hundredths of a stop
            light = browser.array(f"galleryLight({real!r})", "<f4")
            drawn = browser.array("(() => { redraw(); const { canvas, gl } = panes[0].light, { width, height } = canvas, colorSpace = "
                                  "gl.drawingBufferColorSpace, c = new OffscreenCanvas(width, height).getContext('2d', { colorSpace }); c.drawImage("
                                  "canvas, 0, 0); return { width, height, pixels: c.getImageData(0, 0, width, height, { colorSpace }).data }; })()", "u1")
            hdrbatch("render", folder + "/view.jpg", "--to", "rgba16f", "--headroom", f"{real:.9g}", "-o", f"{folder}/{headroom}")
            side = json.loads(Path(folder, f"{headroom}/view.rgba16f.json").read_text())
            want = np.fromfile(f"{folder}/{headroom}/view.rgba16f", "<f2").reshape(side["height"], side["width"], 4)[..., :3].astype(float)
            # In the base's primaries, in which the page works; codes 0 and 255 may have been cut by the browser's decoder.
            want = want @ (np.linalg.inv(own) @ np.array(XYZ[side["primaries"]])).T
            apart = (np.abs(light - want) / np.maximum(np.abs(want), 0.02))[((base > 0) & (base < 255)).all(2)]
            exact, half = formula(base, codes, meta, real, to_map), np.clip(light / 2, 0, 1)
            off = (np.abs(light - exact) / np.maximum(np.abs(exact), 0.02)).max()
            steps = np.abs(drawn - 255 * np.where(half <= 0.0031308, 12.92 * half, 1.055 * half ** (1 / 2.4) - 0.055)).max()
            median, most = np.median(apart), np.quantile(apart, 0.99)
            code = np.log(2) * np.log2(real) / meta["alternate"] * max(np.subtract(meta["max"], meta["min"])) / 255  # of the map, relative
            print(f"       {row['name'][-34:]:34} {light.shape[1]:4}x{light.shape[0]:<4} {codes.shape[1]:4}x{codes.shape[0]:<4} "
                  f"{picture['primaries']:>6} {real:8.3f} {off:8.1e} {steps:5.2f} {median:7.2%} {most:7.2%} {code:7.2%}", flush=True)
            if off > 2e-6 or (steps > 1.01 and picture["primaries"] != "bt2020") or median > 0.01 + code / 4 or most > 0.05 + code:
                check(f"the light of {row['name']} is the formula's and the render's", False)

def search_many(browser, folder, made):
    def sees(what, wanted):
        check(what, browser.run("list.map(row => row.number)") == [row["number"] for row in wanted])
    browser.size(1440, 900)
    print(f"       {len(made)} items: {browser.open(folder)}")
    browser.set("search", "img_0777")
    sees("a search finds its ten items", made[7769:7779])
    browser.set("search", "")
    for field in ("headroom", "seconds", "bytes", "name"):
        browser.set("sort", field)
        sees(f"sorted by {field}", made if field == "name" else sorted(made, key=lambda row: -row.get(field, -1)))
    kind = max(row.get("kind", "") for row in made)
    browser.set("kind", kind)
    sees("kinds are filtered", [row for row in made if row.get("kind") == kind])
    browser.run("$('kind').value = ''; $('sort').value = 'number'; filter(true); moveTo(0)")
    browser.key("End", "Enter")
    browser.settle(len(made))
    browser.back()
    check("End, Enter, Esc", browser.run(f"document.activeElement.getAttribute('href') === '#{len(made)}' && tiles.size < 120"))
    browser.run("scrollTo(0, 0)")
    for speed in (2000, 20000):
        browser.run("globalThis.times = []; globalThis.tick = time => { times?.push(time); if (times) requestAnimationFrame(tick); }; tick(performance.now())")
        browser.call("Input.synthesizeScrollGesture", x=700, y=500, yDistance=-3 * speed, speed=speed, gestureSourceType="mouse")
        gaps = np.diff(browser.run("(() => { const seen = times.slice(1); times = null; return seen; })()"))
        print(f"       scrolled at {speed} pixels/s: {len(gaps)} frames, median {np.median(gaps):.1f} ms, 95 % below {np.quantile(gaps, 0.95):.1f} ms, "
              f"longest {gaps.max():.1f} ms, at {browser.run('Math.round(scrollY)')}")
    browser.wait("[...document.querySelectorAll('.tile img')].filter(one => one.getBoundingClientRect().top < innerHeight).every(one => one.naturalWidth)")
    check("scrolling keeps few tiles, and those in the window have their pictures", browser.run("scrollY > 3e4 && tiles.size < 120"))
    browser.shot("many-scrolled")

def look(browser, gallery, rows):
    grounds, wrong, fits = [], [], []
    failed = [row for row in rows if row["status"] == "failed"]
    best = max((row for row in rows if row.get("headroom", 1) > 2), key=lambda row: row["width"] * row["height"])
    for scheme in ("light", "dark"):
        browser.size(1440, 900, scheme)
        took = browser.open(gallery)
        browser.shot(f"grid-{scheme}")
        grounds.append(browser.run("Number(getComputedStyle(document.documentElement).backgroundColor.match(/\\d+/)[0])"))
    print(f"       {len(rows)} items: {took}")
    check("light and dark", grounds[0] > 200 and grounds[1] < 60)
    browser.run("document.querySelector('.counts .failed').click()")
    seen = browser.run("[...document.querySelectorAll('.failed-item')].map(one => ['.line', 'pre'].map(part => one.querySelector(part).textContent))")
    check("failures with line and command", seen == [[row["message"], row["reproduce"]] for row in failed])
    browser.shot("failures")
    browser.key("Escape")
    check("Esc clears the filter", browser.run("!grid.hidden && list.length") == len(rows))
    browser.run("moveTo(0)")
    for number, keys in ((3, ("ArrowRight", "ArrowRight", "Enter")), (4, ("ArrowRight",))):
        browser.key(*keys)
        browser.settle(number)
    browser.back()
    browser.key("/")
    check("arrows, Enter, /", browser.run("document.activeElement.id === 'search'"))
    browser.key("Escape", "?")
    check("? shows the keys", browser.run("$('help').open"))
    browser.run("$('help').close()")
    for row in rows:
        browser.go(row["number"])
        if browser.run("!!document.querySelector('.message')") != (row["status"] != "ok"):
            wrong.append(row["name"])
    check("every item opens", not wrong, wrong)
    browser.go(best["number"])
    check("an SDR screen sees the SDR picture first, with a line that says so", browser.run(
        "nowHeadroom() === 0 && $('hint').textContent.includes('This screen is SDR')"))
    browser.shot("picture-sdr-screen")
    browser.key("h")
    check("h sets the full headroom", browser.run("nowHeadroom() > 1"))
    browser.shot("picture-full")
    for keys, name in (("h", "picture-1"), ("hp", "peak-to-white"), ("d", "divided"), ("d0m", "map"), ("c", "clipping"), ("cs", "source")):
        browser.key(*keys)
        check("h sets headroom 1", browser.run("nowHeadroom()") == 0) if keys == "h" else None
        browser.shot(name)
    browser.key("s")
    for key, name in (("w", "versus"), (" ", "blink"), ("f", "difference")):
        browser.key(key)
        browser.wait("panes[0].rival")
        browser.shot(name)
    mean = browser.run("(() => { const { width, height } = panes[0].difference, { data } = panes[0].difference.getContext('2d').getImageData(0, 0, "
                       "width, height); let sum = 0; for (let i = 0; i < data.length; i += 4) sum += data[i]; return 4 * sum / data.length; })()")
    check("the difference of output and source lies around grey", 110 < mean < 146, mean)
    browser.run("$('with').value = ''; $('with').onchange()")
    zoom(browser, best)
    browser.size(390, 844, "dark", 2)
    for name, step in (("phone", lambda: browser.open(gallery)), ("phone-picture", lambda: browser.go(best["number"])),
                       ("phone-failures", lambda: (browser.back(), browser.run("document.querySelector('.counts .failed').click()")))):
        step()
        browser.shot(name)
        fits.append(browser.run("document.documentElement.scrollWidth <= 390"))
    check("no sideways scrolling on a phone", all(fits))
    browser.size(1440, 900)
    browser.open(gallery)
    print("\n       Light: picture and map; headroom; largest relative difference from the formula; codes on the screen at -1 stop;"
          "\n       median and 99 % of the relative difference from rgba16f; one code of the map")
    chosen = {row["kind"]: row for row in sorted(rows, key=lambda row: -row.get("width", 0)) if row.get("headroom", 1) > 1.1 and row["width"] >= 300}
    for row in [best] + [row for row in chosen.values() if row != best]:
        compare(browser, gallery, row)

def zoom(browser, row):
    """Wheel, drag, pinch and 1:1 of an item whose file the browser can read."""
    where = "(() => { const box = panes[0].frame.getBoundingClientRect(); return [box.left, box.top, box.width, box.height]; })()"
    browser.run("view.mode = 'picture'; view.ev = 0; view.split = false; setZoom(0)")
    left, top, width, height = browser.run(where)
    x, y = left + width * 0.3, top + height * 0.6
    for _ in range(4):
        browser.call("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=-240)
    browser.wait("view.zoom > 0")
    after = browser.run(where)
    check("the wheel zooms", after[2] > width * 2, after)
    check("what lies below the pointer stays there", abs((x - after[0]) / after[2] - 0.3) < 0.02 and abs((y - after[1]) / after[3] - 0.6) < 0.02, after)
    for kind, dx, dy in (("mousePressed", 0, 0), ("mouseMoved", -40, -30), ("mouseReleased", -40, -30)):
        browser.call("Input.dispatchMouseEvent", type=kind, x=x + dx, y=y + dy, button="left", buttons=1, clickCount=1)
    moved = browser.run(where)
    check("a drag moves", abs(moved[0] - after[0] + 40) <= 2 and abs(moved[1] - after[1] + 30) <= 2, (after, moved))
    for _ in range(8):
        browser.call("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=480)
    browser.wait("view.zoom === 0")
    for apart, kind in ((40, "touchStart"), (80, "touchMove"), (120, "touchMove"), (0, "touchEnd")):
        points = [{"x": x - apart, "y": y, "id": 1}, {"x": x + apart, "y": y, "id": 2}] if apart else []
        browser.call("Input.dispatchTouchEvent", type=kind, touchPoints=points)
    check("a pinch zooms", 2 < browser.run(where)[2] / width < 4, browser.run(where))
    browser.run("setZoom(0)")
    browser.key("z")
    browser.wait("panes[0].file.complete && panes[0].file.naturalWidth")
    browser.shot("actual")
    seen = browser.run("[panes[0].file.hidden, panes[0].file.naturalWidth, panes[0].frame.clientWidth * devicePixelRatio, $('hint').textContent]")
    check("1:1 shows the file itself", not seen[0] and seen[1] == row["width"] and abs(seen[2] - row["width"]) <= 1 and "file itself" in seen[3], seen)
    middle = browser.run("(() => { const { box, frame } = panes[0], b = box.getBoundingClientRect(), f = frame.getBoundingClientRect();"
                         " return [(b.left + b.width / 2 - f.left) / f.width, (b.top + b.height / 2 - f.top) / f.height]; })()")
    check("1:1 shows the middle", all(abs(one - 0.5) < 0.02 for one in middle), middle)
    browser.key("w")
    browser.wait("panes[0].rival")
    check("A | B at 1:1 says that the page's picture is enlarged", row["width"] <= 1600 or browser.run("$('hint').textContent.endsWith('enlarged.')"))
    browser.shot("versus-actual")
    browser.run("$('with').value = ''; $('with').onchange()")
    browser.wait("!panes[0].rival")
    browser.key("z")
    check("z fits again", browser.run("view.zoom === 0 && panes[0].file.hidden"))

def open_in_hdr(gallery, row):
    browser = Browser("hdr10")
    try:
        browser.size(1440, 900)
        browser.open(gallery)
        browser.go(row["number"])
        check("an HDR screen sees the full headroom first", browser.run("hdrScreen.matches && view.screen && nowHeadroom() > 1"))
    finally:
        browser.close()

def photos(browser, folder):
    """Outputs of a photo are one tile; marks; Enter in the search."""
    names = [file.name for file in sorted((Path(__file__).resolve().parents[2] / "Examples").glob("*.*")) if file.suffix in SUFFIXES]
    for name in names:
        shutil.copyfile(Path(__file__).resolve().parents[2] / "Examples" / name, folder / name)
    (folder / "in # b").mkdir()
    shutil.copyfile(folder / names[0], folder / "in # b" / names[0])
    odd = os.fsdecode(b"caf\xe9 \n.heic")  # not UTF-8, and two lines
    shutil.copyfile(folder / "temple.heic", folder / odd)
    hdrbatch("render", folder, "-o", folder / "out", "--to", "adaptive-jpeg", "--to", "sdr-jpeg", "--to", "pq-png", "--resize", 800)
    hdrbatch("render", *(folder / name for name in names), "-o", folder / "darker", "--to", "adaptive-jpeg", "--filter", "exposure=ev:-1", "--resize", 800)
    run = hdrbatch("gallery", folder / "out", "--against", folder / "darker")
    check("a gallery of photos with three outputs each", run.returncode == 0, run.stderr)
    gallery, many = folder / "out/gallery", len(names) + 2
    browser.size(1440, 900)
    browser.open(gallery)
    check("a tile for each photo", browser.run("[list.length, rows.length]") == [many, 3 * many], browser.run("[list.length, rows.length]"))
    check("thumbnails are whole", browser.run("[...document.querySelectorAll('.thumb img')].every(one => one.clientHeight <= one.parentNode.clientHeight)"))
    browser.shot("photos")
    browser.key("/")
    browser.call("Input.insertText", text=Path(names[-1]).stem)
    browser.key("Enter")
    browser.wait("shown && !$('panes').classList.contains('stale')")
    check("Enter in the search opens the first hit", browser.run("shown.name").endswith(names[-1]), browser.run("shown.name"))
    check("the outputs of the photo can be chosen", browser.run("[$('pick').hidden, $('which').length]") == [False, 3])
    browser.run("$('which').selectedIndex = 2; $('which').onchange()")
    browser.wait("shown.number === +$('which').value && $('which').selectedIndex === 2 && !$('panes').classList.contains('stale')")
    check("another output keeps the photo's place", browser.run("$('place').textContent") == "1 of 1")
    browser.shot("photo-output")
    browser.key("k")
    browser.back()
    browser.run("$('search').value = ''; filter(true); moveTo(0)")
    browser.key("k")
    check("two are marked, one with a name that is not UTF-8", browser.run("[marks.size, $('save').hidden, !!list[0].nameHex]") == [2, False, True])
    browser.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder), eventsEnabled=False)
    browser.run("saveMarks()")
    end = time.time() + 20
    while not (folder / "marked.txt").exists() and time.time() < end:
        time.sleep(0.1)
    run = hdrbatch("render", f"@{folder}/marked.txt", "-o", folder / "again", "--to", "sdr-jpeg", "--resize", 100)
    check("the list of marks can be rendered", run.returncode == 0 and len(list((folder / "again").glob("*.jpg"))) == 2, run.stderr)
    browser.open(gallery)
    check("marks are there when the page is opened again", browser.run("marks.size") == 2)
    browser.run("document.querySelector('.counts .marked').click()")
    check("marked photos are filtered", browser.run("list.length") == 2)
    browser.run("document.querySelector('.counts .marked').click(); $('group').click()")
    check("without groups each output has a tile", browser.run("list.length") == 3 * many)
    browser.run("document.querySelector('.counts .changed').click()")
    check("outputs that are not as in the other run", browser.run("list.length") == len(names), browser.run("list.length"))
    browser.go(browser.run("list.find(row => row.name === 'lamps.jpg').number"))
    browser.key("h", "w")
    browser.wait("panes[0].rival")
    check("an output beside that of another run", browser.run("panes[0].rival === here('other')"))
    browser.shot("other-run")
    for role in ("other", "source"):
        browser.run(f"$('with').value = rivals().findIndex(one => one.role === '{role}'); $('with').onchange()")
        browser.wait(f"panes[0].rival === here('{role}')")
        words = shlex.split(browser.run("$('numbers').querySelector('pre').textContent"))
        run = subprocess.run([program, *words[1:]], capture_output=True, text=True, cwd=gallery)
        check(f"a command compares the files in numbers: {role}", words[1] == "compare" and run.returncode == 0 and "dE-seen" in run.stdout, run.stderr + run.stdout)

def compare_pairs(folder):
    """Four pairs: one is equal, one rejected, one has no partner, one is of a gain map and PQ."""
    photo = next(file for file in [pictures / "lamps.jpg", Path(__file__).resolve().parents[2] / "Examples/lamps.jpg"] if file.is_file())
    for name, more in (("a/equal.png", []), ("b/equal.png", []), ("a/soft.png", []), ("b/soft.png", ["--filter", "gaussian-blur=radius:2"]),
                       ("b/alone.png", []), ("a/<b> & ü.jpg", ["--to", "adaptive-jpeg"]), ("b/<b> & ü.jpg", ["--to", "adaptive-jpeg", "--quality", 60])):
        to = [] if "--to" in more else ["--to", "pq-png"]
        hdrbatch("render", photo, "-o", folder / name, "--resize", 900, *to, *more)
    run = hdrbatch("compare", folder / "a", folder / "b", "--accept", "good", "--html", folder / "page")
    check("hdrbatch compare --html ends with 65", run.returncode == 65, run.stderr)
    return folder / "page", read(folder / "page/rows/0.js")

def multiply_pairs(folder, real, rows, total=10_000):
    folder.mkdir(parents=True)
    for name in ("compare.html", "compare.css", "gallery.css", "page.js", "compare.js"):
        shutil.copyfile(real / name, folder / name)
    chance, made = random.Random(1), []
    for number in range(1, total + 1):
        row = dict(chance.choice(rows), number=number, name=f"day {number // 500}/IMG_{number:05}.png")
        made.append(row | {"p95": row["p95"] * chance.lognormvariate(0, 1)} if row.get("p95") else row)
    for chunk in range(total // 1000):
        write(folder / f"rows/{chunk}.js", "compareRows", chunk, made[chunk * 1000:][:1000])
    counts = {row["verdict"]: sum(one["verdict"] == row["verdict"] for one in made) for row in rows}
    write(folder / "data.js", "compare", {"title": f"{total} pairs", "pairs": total, "counts": counts})
    return made

def look_at_pairs(browser, many, made, page, rows):
    browser.size(1440, 900)
    browser.call("Page.navigate", url="about:blank")
    start = time.time()
    browser.call("Page.navigate", url=f"file://{quote(str(many))}/compare.html")
    browser.wait("document.querySelectorAll('#list .row').length > 20")
    first = time.time() - start
    browser.wait("document.documentElement.dataset.ready")
    print(f"       {len(made)} pairs: rows after {first:.2f} s, all after {time.time() - start:.2f} s")
    check("ten thousand pairs are listed within 3 s", time.time() - start < 3)
    browser.run("document.querySelector('.counts .rejected').click(); sortBy('p95')")
    wanted = sorted((row for row in made if row["verdict"] == "rejected"), key=lambda row: -row["p95"])
    check("rejected pairs, the worst first", browser.run("list.map(row => row.number)") == [row["number"] for row in wanted])
    browser.shot("pairs")
    browser.run("bar = barOf(list[0]); filter(true)")
    check("a bar has pairs of its p95", browser.run("list.length && list.every(row => barOf(row) === bar)"))
    browser.key("Escape", "End")
    check("Escape clears, End moves", browser.run("list.length === rows.length && scrollY > 1e5 && lines.size < 120"))
    browser.call("Page.navigate", url=f"file://{quote(str(page))}/compare.html")
    browser.wait("document.documentElement.dataset.ready")
    for row in rows:
        browser.run(f"location.hash = '#{row['number']}'")
        browser.wait(f"shown?.number === {row['number']} && !$('panes').classList.contains('stale')")
        seen = browser.run("[both.length, $('message').hidden]")
        check(f"{row['verdict']}: {row['name'][-20:]}", seen == ([2, True] if row["verdict"] in ("rejected", "differs") or "&" in row["name"] else [0, False]), seen)
        if seen[0]:
            for key, name in (("w", "line"), (" ", "blink-A"), (" ", "blink-B"), ("d", "difference"), ("m", "heat")):
                browser.key(key)
                browser.wait("$('drawing').hidden || $('drawn').naturalWidth > 0")
                browser.shot(f"pair-{row['number']}-{name}")
            browser.key("m")
    browser.size(390, 844, "dark", 2)
    browser.shot("pair-phone")
    check("no sideways scrolling on a phone", browser.run("document.documentElement.scrollWidth <= 390"))

def main():
    with tempfile.TemporaryDirectory() as place:
        gallery, rows = make(Path(place))
        page, pairs = compare_pairs(Path(place, "pairs"))
        many_pairs = multiply_pairs(Path(place, "many pairs"), page, pairs)
        many, browser = multiply(Path(place, "many"), gallery, rows), Browser()
        try:
            look_at_pairs(browser, Path(place, "many pairs"), many_pairs, page, pairs)
            search_many(browser, Path(place, "many"), many)
            look(browser, gallery, rows)
            open_in_hdr(gallery, max(rows, key=lambda row: row.get("headroom", 1)))
            (Path(place) / "photos").mkdir()
            photos(browser, Path(place) / "photos")
        finally:
            browser.close()
        sent = [one["params"]["request"]["url"] for one in browser.events if one.get("method") == "Network.requestWillBeSent"]
        check("nothing is loaded from a network", sent and not [url for url in sent if url.split(":")[0] not in ("file", "data", "blob", "about")])
        said = [one["params"] for one in browser.events if one.get("method") in ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded")]
        check("the browser reports no error", not said, said[:3])
    print(f"FAILED: {len(failures)}" if failures else "ok")
    sys.exit(1 if failures else 0)

if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    standard, examples = (Path(__file__).resolve().parents[2] / name for name in ("../shared/data/images", "Examples"))
    program = str(Path(sys.argv[1]).absolute()) if os.sep in sys.argv[1] else sys.argv[1]
    pictures = Path(sys.argv[2]) if len(sys.argv) > 2 else standard if standard.is_dir() else examples
    shots = Path(sys.argv[3]).absolute() if len(sys.argv) > 3 else None
    if shots:
        shots.mkdir(parents=True, exist_ok=True)
    main()
