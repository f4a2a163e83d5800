"""The page of scripts/measure/gpu-day: what its folder of results holds, as page.md and page.html."""
import html
import json
import re

GOAL = 0.8


def load(path):
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError):
        return {}


def lines(folder, pattern, key):
    """Rows of all parts of a day, by the time of the part; a later part replaces rows with the same key."""
    found = {}
    for path in sorted(folder.glob(pattern)):
        part = {}
        for line in path.read_text().splitlines():
            try:
                row = json.loads(line)
            except ValueError:
                continue  # A run that was killed cuts its last line.
            part.setdefault(row[key], []).append(row)
        found.update(part)
    return [row for rows in found.values() for row in rows]


def number(value, places=2):
    return "-" if value is None else f"{value:.{places}f}"


def percent(value):
    return "-" if value is None else f"{value * 100:.0f} %"


class Page:
    """Headings, sentences and tables, written as Markdown and as HTML."""

    STYLE = """:root{color-scheme:light dark}body{font:15px/1.45 system-ui,sans-serif;max-width:60rem;margin:0 auto;padding:1rem}
table{border-collapse:collapse;font-size:.85rem;font-variant-numeric:tabular-nums;display:block;overflow-x:auto}
td,th{border-bottom:1px solid #8886;padding:.15rem .6rem;text-align:left;white-space:nowrap}.bad{color:#c33}"""

    def __init__(self):
        self.markdown, self.html = [], []

    def heading(self, text, level=2):
        self.markdown.append(f"{'#' * level} {text}\n")
        self.html.append(f"<h{level}>{html.escape(text)}</h{level}>")

    def say(self, text):
        self.markdown.append(f"{text}\n")
        self.html.append(f"<p>{html.escape(text)}</p>")

    def items(self, texts, bad=False):
        self.markdown.append("".join(f"- {text}\n" for text in texts))
        self.html.append("<ul>" + "".join(
            f"<li{' class=bad' if bad else ''}>{html.escape(text)}</li>" for text in texts) + "</ul>")

    def table(self, head, rows):
        rows = [[str(cell) for cell in row] for row in rows]
        text = [f"| {' | '.join(head)} |", "|" + "---|" * len(head)]
        text += [f"| {' | '.join(cell.replace('|', '/') for cell in row)} |" for row in rows]
        self.markdown.append("\n".join(text) + "\n")
        cells = "".join(f"<th>{html.escape(cell)}</th>" for cell in head)
        body = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
        self.html.append(f"<table><tr>{cells}</tr>{body}</table>")

    def write(self, folder, title):
        (folder / "page.md").write_text("\n".join(self.markdown))
        (folder / "page.html").write_text(
            f'<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, '
            f'initial-scale=1"><title>{html.escape(title)}</title><style>{self.STYLE}</style></head><body>\n'
            + "\n".join(self.html) + "\n</body></html>\n")


def write_page(folder):
    """Writes both pages. Returns the number of failures."""
    page, steps = Page(), lines(folder, "steps-*.jsonl", "step")
    page.heading(f"hdrbatch on {folder.name}", 1)
    failures = say_failures(page, folder, steps)
    say_machine(page, folder)
    say_roofs(page, folder)
    say_filters(page, folder)
    say_counts(page, folder)
    say_batches(page, folder)
    page.heading("Everything that was run")
    page.table(["step", "name", "state", "s", "why"],
               [(row["step"], row["name"], row["state"], row.get("seconds", ""), row["why"]) for row in steps])
    page.write(folder, folder.name)
    return len(failures)


def say_failures(page, folder, steps):
    failed = [f"{row['step']}: {row['name']}: {row['state']}: {row['why']}" for row in steps
              if row["state"] in ("failed", "timeout")]
    for name in ["verify", "verify-more"]:
        report = load(folder / f"{name}.json")
        for case in report.get("cases", []):
            if any(case["differing"]) or case["failures"]:
                failed.append(f"{name}: {case['name']}: words that differ {case['differing']} {case['failures']}")
        for refused in report.get("refused", []):
            failed.append(f"{name}: refused: {refused}")
    page.heading("Failures")
    if failed:
        page.items(failed, bad=True)
    else:
        page.say("None.")
    skipped = [f"{row['step']}: {row['name']}: {row['why']}" for row in steps if row["state"] == "skipped"]
    missing = [name for name in ["verify", "transfer", "kernel", "filters", "batches", "sample", "trouble"]
               if not any(row["step"] == name for row in steps)]
    if skipped or missing:
        page.heading("Left out", 3)
        page.items(skipped + [f"{name}: not run" for name in missing])
    return failed


def say_machine(page, folder):
    doctor, machine = load(folder / "doctor.json"), load(folder / "kernel.json").get("machine", {})
    page.heading("Machine")
    facts = [f"{one['name']} ({one['type']}): {one['driver']} {one['driverInfo']}, Vulkan {one['apiVersion']}, rounding "
             f"{one['floatControls']['rounding']}, self-test {'passed' if (one['selfTest'] or {}).get('passed') else 'not passed'}, "
             f"queues {' '.join('+'.join(family['uses']) for family in one['queueFamilies'] if family['uses'])}"
             for one in doctor.get("vulkan", {}).get("devices", [])]
    if machine:
        facts.append(f"{machine['cpu']}, {machine['threads']} threads, {machine['isa']}, load {machine['loadAverage']} "
                     f"when it began; hdrbatch {machine['hdrbatch']}, {machine['date']}")
    page.items(facts or ["doctor said nothing"])
    verified = []
    for name in ["verify", "verify-more"]:
        if report := load(folder / f"{name}.json"):
            total = report["total"]
            verified.append(f"{name}: {report['verdict']}, {total['cases']} cases, words that differ "
                            f"{sum(total['differing'])}, {report['seconds']:.0f} s")
    if verified:
        page.items(verified)


def say_roofs(page, folder):
    transfer = load(folder / "transfer.json").get("rows", [])
    kernels = load(folder / "kernel.json").get("rows", [])
    page.heading("Roofs")
    roofs = [row for row in transfer if row["unit"] in ("GB/s", "Gop/s")]
    if not roofs:
        page.say("bench transfer has no figures.")
    page.table(["roof", "median", "unit", "middle half", "counts"],
               [(row["name"], number(row["median"], 1), row["unit"], f"{row['q1']:.1f} to {row['q3']:.1f}",
                 row.get("counts", row.get("precision", ""))) for row in roofs])
    page.heading(f"Kernels below them, goal {GOAL:.0%} of the nearer roof".replace("%", " %"))
    rows = [row for row in kernels if row["bench"] == "kernel" and row.get("backend")]
    if not rows:
        page.say("bench kernel has no figures.")
        return
    best = max((row["threads"] for row in rows if row["backend"] == "cpu"), default=0)
    isa = load(folder / "kernel.json")["machine"]["isa"]
    cpu = {row["recipe"]: row["nsPerPixel"] for row in rows
           if row["backend"] == "cpu" and row["threads"] == best and row["isa"] == isa}
    shown = [row for row in rows if row["backend"] == "gpu" or row["nsPerPixel"] == cpu.get(row["recipe"])]
    page.table(
        ["recipe", "on", "ns/px", "of copy", "of arithmetic", "nearer roof", "of it", "call ns/px", "in flight ns/px",
         "of the bus", "times the CPU"],
        [(row["recipe"], row["device"], number(row["nsPerPixel"], 3), percent(row.get("copyShare")),
          percent(row.get("arithmeticShare")), row.get("nearerRoof") or "unknown", percent(row.get("nearerRoofShare")),
          number(row.get("callNsPerPixel")), number(row.get("overlappedNsPerPixel")), percent(row.get("busShare")),
          number(cpu[row["recipe"]] / row["nsPerPixel"], 1) if cpu.get(row["recipe"]) and row["nsPerPixel"] else "-")
         for row in shown])
    below = [f"{row['recipe']} reaches {percent(row['nearerRoofShare'])} of {row['nearerRoof']}" for row in shown
             if row["backend"] == "gpu" and (row.get("nearerRoofShare") or 0) < GOAL and row.get("nearerRoof")]
    unknown = [row["recipe"] for row in shown if row["backend"] == "gpu" and not row.get("nearerRoof")]
    page.say(f"Below the goal on the device: {'; '.join(below) or 'none'}."
             + (f" Unknown: {', '.join(unknown)}." if unknown else ""))
    cold = {row["name"]: row["median"] for row in load(folder / "kernel-cold.json").get("rows", [])}
    stages = sorted((row for row in kernels if row["bench"] == "stages" and not row["on"].startswith("CPU")),
                    key=lambda row: -row["median"])
    page.heading("The dearest stages on the device", 3)
    page.table(["stage", "adds ns/px", "in the run before"],
               [(row["name"].removesuffix(", " + row["on"]), number(row["median"], 3), number(cold.get(row["name"]), 3)) for row in stages[:12]])


def say_filters(page, folder):
    rows = load(folder / "filters.json").get("rows", [])
    device = [row for row in rows if row["bench"] == "filters" and row["backend"] == "gpu"]
    cpu = {row["filter"]: row["addedNsPerPixel"] for row in rows if row["bench"] == "filters" and row["backend"] == "cpu"}
    page.heading("Filters")
    if not device:
        page.say("bench filters has no figures of the device.")
        return
    page.say("Without a filter a pixel takes "
             + ", ".join(f"{number(row['nsPerPixel'], 3)} ns" for row in device if row["filter"] == "none") + ".")
    device = [row for row in device if row["filter"] != "none"]
    page.table(["filter", "passes", "adds ns/px", "on one core"],
               [(row["filter"], row["passes"], number(row["addedNsPerPixel"], 3), number(cpu.get(row["filter"])))
                for row in sorted(device, key=lambda row: -row["addedNsPerPixel"])[:25]])
    page.items([f"{row['kernels']} kernels of {row['recipe']}: {row['coldMilliseconds']:.0f} ms without a cache, "
                f"{row['cachedMilliseconds']:.0f} with" for row in rows if row["bench"] == "kernels"])


def say_counts(page, folder):
    page.heading("What a picture sends to the device")
    rows = {}
    for row in load(folder / "transfer.json").get("rows", []):
        if match := re.match(r"\w+, (plain|edited) picture", row["name"]):
            rows[match[1] + ", staged as for a card"] = row
    for row in load(folder / "files.json").get("rows", []) + load(folder / "kernel.json").get("rows", []):
        if "submissions" in row:
            rows[row["name"].split("/")[-1].removesuffix(", " + row["device"])] = row
    page.table(["picture", "MP", "MB up", "MB down", "bands", "dispatches", "submissions"],
               [(name, number(row["pixels"] / 1e6, 1), number(row["uploadedBytes"] / 1e6, 1),
                 number(row["readBackBytes"] / 1e6, 1), row["bands"], row["dispatches"], row["submissions"])
                for name, row in rows.items()])


def say_batches(page, folder):
    batches = [row for row in lines(folder, "batches-*.jsonl", "name") if not row["name"].startswith("first-")]
    page.heading("Whole batches")
    if not batches:
        page.say("No batch was run.")
        return
    cpu = {(row["kind"], row["jobs"]): row["mpPerSecond"] for row in batches
           if row["device"] == "cpu" and row["name"].startswith(row["kind"])}

    def speedup(row):
        base = cpu.get((row["kind"], row["jobs"]))
        return number(row["mpPerSecond"] / base) if base and row["mpPerSecond"] else "-"

    page.table(["batch", "on", "jobs", "pictures", "MP/s", "times the CPU", "CPU s", "wall s", "digests", "on the CPU"],
               [(row["name"], row["device"], row["jobs"], f"{row['done']} of {row['pictures']}",
                 number(row["mpPerSecond"], 1), speedup(row), number(row["cpuSeconds"], 1), number(row["wallSeconds"], 1),
                 f"{len(row['wrong'])} differ" if row["wrong"] else "the CPU's" if row["done"] else "-", row["onCPU"] or "")
                for row in batches])
    page.say("Each digest is compared with that of the CPU, made before; several rings are written with +.")
