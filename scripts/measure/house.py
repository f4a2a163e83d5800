#!/usr/bin/env python3
"""Prints the picture of the house: lines, files, public names and imports of each room, and what leans on what.

    scripts/measure/house.py [CHECKOUT] [--json]

CHECKOUT is a folder with a Swift package of any commit; this repository by default. Rooms and who imports them are read
in Package.swift, all else in the files that git knows. Lines behind symbolic links are not counted. Files lean on each
other where one uses a type that another alone defines; read as text, so an arrow can be missing, seldom wrong.
"""
import argparse
import collections
import json
import re
import statistics
import subprocess
from pathlib import Path

NATIVE = {".glsl", ".c", ".h", ".cpp", ".S"}
DEFINES = re.compile(
    r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|open|final|indirect|nonisolated)\s+)*"
    r"(?:struct|class|enum|protocol|actor|typealias)\s+([A-Z]\w+)", re.M)
HIDDEN = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.S)
CITED = re.compile(r"(?<![\w./:-])((?:docs|scripts)/[\w./-]*\w|[\w./-]*\w\.md\b)(#[\w-]+)?")
LINKED = re.compile(r"\]\(([^)\s#:]*)(#[^)\s]+)?\)")


def calls(text):
    """The calls in a manifest that make targets: the function and what stands in its parentheses."""
    for match in re.finditer(r"(\.\w*[tT]arget|\.systemLibrary|\.plugin|(?<![.\w])library)\(", text):
        depth, at = 1, match.end()
        while depth and at < len(text):
            depth += {"(": 1, ")": -1}.get(text[at], 0)
            at += 1
        yield match[1].lstrip("."), text[match.end():at - 1]


def rooms_of(manifest):
    """Each room's folder and the rooms that it depends on, in the manifest's order."""
    text = re.sub(r"(?m)(?<!:)//.*$", "", manifest)
    lists = collections.defaultdict(list)
    for name, words in re.findall(r"(?:let|var) (\w+): \[Target\.Dependency\] = \[(.*?)\]", text, re.S):
        lists[name] += re.findall(r'"([\w-]+)"', words)
    for name, word in re.findall(r'(\w+)\.append\("([\w-]+)"\)', text):
        lists[name].append(word)
    rooms = {}
    for function, inside in calls(text):
        name = re.match(r'\s*(?:name: )?"([\w-]+)"', inside)
        if not name:
            continue
        folder = re.search(r'\bpath: "([^"\\]+)"', inside)
        parent = {"testTarget": "Tests/", "plugin": "Plugins/"}.get(function, "Sources/")
        found = re.search(r"\bdependencies: (\[.*?\]|\w+)((?: \+ \w+)*)", inside, re.S)
        needs = re.findall(r'"([\w-]+)"', found[1]) if found else []
        for word in re.findall(r"\w+", found[2] if found[1].startswith("[") else found[1]) if found else []:
            needs += lists[word]
        rooms[name[1]] = (folder[1] if folder else parent + name[1], list(dict.fromkeys(needs)))
    return rooms


def circles(graph):
    """The groups of nodes that lead to each other, largest first (Tarjan 1972)."""
    index, low, stack, found = {}, {}, [], []
    for root in graph:
        if root in index:
            continue
        index[root] = low[root] = len(index)
        stack.append(root)
        way = [(root, iter(sorted(graph[root])))]
        while way:
            node, rest = way[-1]
            for other in rest:
                if other not in index:
                    index[other] = low[other] = len(index)
                    stack.append(other)
                    way.append((other, iter(sorted(graph.get(other, ())))))
                    break
                if other in stack:
                    low[node] = min(low[node], index[other])
            else:
                way.pop()
                if way:
                    low[way[-1][0]] = min(low[way[-1][0]], low[node])
                if low[node] == index[node]:
                    at = stack.index(node)
                    if len(stack) - at > 1:
                        found.append(sorted(stack[at:]))
                    del stack[at:]
    return sorted(found, key=len, reverse=True)


def arrows(text, rooms):
    """Which Swift file uses types of which, in its own room and in those that its room imports."""
    owners, code, room_of = collections.defaultdict(set), {}, {}
    for room, (folder, _) in rooms.items():
        for path in text:
            if path.endswith(".swift") and path.startswith(folder + "/"):
                code[path], room_of[path] = HIDDEN.sub(" ", text[path]), room
                for name in DEFINES.findall(code[path]):
                    owners[name].add(path)
    single = {name: next(iter(paths)) for name, paths in owners.items() if len(paths) == 1}
    uses = {path: set() for path in code}
    for path in code:
        near = {room_of[path], *rooms[room_of[path]][1]}
        for word in set(re.findall(r"\b[A-Z]\w+\b", code[path])):
            other = single.get(word)
            if other and other != path and room_of[other] in near:
                uses[path].add(other)
    return uses


def slug(heading):
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def missing(root, text):
    """Citations of pages and scripts, and links between pages, that lead nowhere: where and what."""
    headings = {path: {"#" + slug(line) for line in re.findall(r"(?m)^#+ (.*)$", words)}
                for path, words in text.items() if path.endswith(".md")}
    found, known = set(), {Path(path).name for path in text}
    for path, words in text.items():
        cited = CITED.findall(words)
        if path.endswith(".md"):
            for name, anchor in LINKED.findall(words):
                target = (root / path).parent / name if name else root / path
                try:
                    cited.append((str(target.resolve().relative_to(root)), anchor))
                except ValueError:
                    found.add((path, name))
        for name, anchor in cited:
            # Pages may be cited by their names alone, and by ways from where they are cited.
            is_here = (root / name).exists() or name.endswith(".md") and Path(name).name in known
            if not is_here or anchor and anchor not in headings.get(name, {anchor}):
                found.add((path, name + anchor))
    return sorted(found)


def picture(root):
    listed = subprocess.run(["git", "-C", root, "ls-files", "-z"], check=True, capture_output=True).stdout.decode()
    paths = [path for path in listed.split("\0") if path and (root / path).exists() or (root / path).is_symlink()]
    links = [path for path in paths if (root / path).is_symlink()]
    text = {}
    for path in set(paths) - set(links):
        try:
            text[path] = (root / path).read_text()
        except UnicodeDecodeError:
            pass
    rooms = rooms_of(text["Package.swift"])
    rows = []
    for room, (folder, _) in rooms.items():
        own = {path: text[path] for path in sorted(text) if path.startswith(folder + "/")}
        swift = {path: words.count("\n") for path, words in own.items() if path.endswith(".swift")}
        native = {path: words.count("\n") for path, words in own.items() if Path(path).suffix in NATIVE}
        files = swift | native
        largest = max(files, key=files.get, default=None)
        users = [other for other, (_, needs) in rooms.items() if room in needs]
        rows.append({
            "room": room, "folder": folder, "isTest": folder.startswith(("Tests/", "Fuzz/")),
            "linkTo": str((root / folder).readlink()) if folder in links else None,
            "swiftLines": sum(swift.values()), "nativeLines": sum(native.values()), "files": len(files),
            "largestFile": largest and largest.removeprefix(folder + "/"), "largestLines": files.get(largest, 0),
            "publicLines": sum(len(re.findall(r"(?m)^\s*public\b", own[path])) for path in swift), "importedBy": users,
        })
    sources = {path: words.count("\n") for path, words in text.items() if re.match(r"Sources/.*\.swift$", path)}
    uses = arrows(text, {name: room for name, room in rooms.items() if room[0].startswith("Sources/")})
    into = collections.Counter(other for others in uses.values() for other in others)
    return {
        "files": len(paths), "symbolicLinks": links, "swiftFiles": len(sources), "swiftLines": sum(sources.values()),
        "medianLines": statistics.median_low(sources.values()),
        "testLines": sum(w.count("\n") for p, w in text.items() if re.match(r"Tests/.*\.swift$", p)),
        "rooms": rows, "circlesOfRooms": circles({name: needs for name, (_, needs) in rooms.items()}),
        "circlesOfFiles": circles(uses), "leanedOn": dict(into.most_common(8)),
        "missingPages": [{"file": path, "cites": name} for path, name in missing(root, text)],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", nargs="?", type=Path, default=Path(__file__).resolve().parents[2])
    parser.add_argument("--json", action="store_true")
    told = parser.parse_args()
    house = picture(told.checkout.resolve())
    if told.json:
        print(json.dumps(house, indent=2))
        return
    folders = collections.Counter(path.split("/")[0] for path in house["symbolicLinks"])
    print(f"{house['files']} files, {len(house['symbolicLinks'])} symbolic links"
          + "".join(f", {count} in {folder}" for folder, count in folders.most_common()))
    print(f"Sources: {house['swiftFiles']} Swift files, {house['swiftLines']} lines, median {house['medianLines']}; "
          f"Tests: {house['testLines']} lines")
    tests = {row["room"] for row in house["rooms"] if row["isTest"]}
    print(f"\n{'room':20} {'Swift':>6} {'C, GLSL':>7} {'files':>5} {'public':>6}  {'largest file':45} imported by")
    for row in house["rooms"]:
        users = [user for user in row["importedBy"] if user not in tests]
        others = len(row["importedBy"]) - len(users)
        by = " ".join(users + [f"({others} of tests)"] * (others > 0))
        largest = f"-> {row['linkTo']}" if row["linkTo"] else f"{row['largestFile'] or ''} {row['largestLines'] or ''}"
        print(f"{row['room']:20} {row['swiftLines']:6} {row['nativeLines']:7} {row['files']:5} {row['publicLines']:6}  "
              f"{largest:45} {by}".rstrip())
    print()
    for circle in house["circlesOfRooms"]:
        print("circle of rooms: " + ", ".join(circle))
    sizes = [len(circle) for circle in house["circlesOfFiles"]]
    print(f"{len(sizes)} circles of files, {sum(sizes)} files in them, {max(sizes, default=0)} in the largest")
    leaned = [f"{path.removeprefix('Sources/')} ({count})" for path, count in house["leanedOn"].items()]
    print("leaned on most: " + ", ".join(leaned))
    print(f"{len(house['missingPages'])} citations lead nowhere")
    for row in house["missingPages"]:
        print(f"  {row['file']}: {row['cites']}")


main()
