#!/usr/bin/env python3
"""Breaks each promise of docs/reliability.md on purpose, and looks whether its tests notice.

    scripts/torture/break_promises.py [NUMBER...]      all, or those that begin so: 06, 13b

Copies the tree to ../.break-promises (or BREAK_WORK), puts every fault of FAULTS into the copy, each asleep until
HDRBATCH_BROKEN names it, builds once, and runs the promise's tests: first with all asleep, when they must pass, then with
each fault awake, when at least one must fail. A test that hangs or dies has noticed. Writes docs/data/promises.tsv when all
were run. Exit 1 if a fault stays unnoticed or a text to be replaced is not there any more.
"""
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
WORK = Path(os.environ.get("BREAK_WORK", REPOSITORY.parent / ".break-promises"))
SECONDS = 400

# A test that reads sources, as promise04_theSupervisorParsesNothing, sees the faults asleep, too: it is left out.
# number, what is broken, file below Sources, text there, text instead (BROKEN: the fault is awake), tests
FAULTS = [
    ("01", "a crash of one file's process ends the run", "HDRRender/Codecs/CodecAttempts.swift",
     "isLast: isLast || isTooMany)", "isLast: isLast || isTooMany || BROKEN)", "promise01"),
    ("01b", "a process that dies at its start is not started again", "HDRRender/Codecs/CodecStarts.swift",
     "while !failure.isLasting, !failure.isLate, !areOver {", "while !BROKEN, !failure.isLasting, !failure.isLate, !areOver {",
     "promise01_deaths"),
    ("01c", "an input is blamed for the process that it met", "HDRRender/Codecs/CodecAttempts.swift",
     "if !isFresh, case .failure = answer.result {", "if !BROKEN, !isFresh, case .failure = answer.result {", "promise01_later"),
    ("02a", "failed items get no row", "BatchEngine/Batch/BatchRunner.swift",
     "  private func append(_ entry: ItemRecord) {\n",
     "  private func append(_ entry: ItemRecord) {\n    if BROKEN, entry.status == .failed { return }\n", "promise02"),
    ("02b", "items that a signal leaves undone get no row", "BatchEngine/Batch/BatchRunner.swift",
     "    eachUndone(interrupted, left) { append($0) }\n", "    if !BROKEN { eachUndone(interrupted, left) { append($0) } }\n",
     "SignalTests"),
    ("03a", "damage that libjpeg-turbo tells of is passed over", "ImageFiles/JPEG/JPEGPixels.swift",
     "if status != 0 { try check(handle, &warnings) }", "if status != 0, !BROKEN { try check(handle, &warnings) }",
     "promise03|promise02And03"),
    ("03b", "an output is hashed, and then read again to be written", "HDRRender/Codecs/EncodedMemory.swift",
     "      let failure = CodecJobs.write(bytes, target.descriptor)",
     "      if BROKEN { _ = pread(file.descriptor, part.baseAddress, count, offset) }\n"
     "      let failure = CodecJobs.write(bytes, target.descriptor)", "promise03"),
    ("03c", "a file that is shorter than what was written gets its name", "HDRRender/Files/AtomicWriter.swift",
     "guard try files.size(of: staged.file, staged.part) == byteCount else",
     "guard try files.size(of: staged.file, staged.part) == byteCount || BROKEN else", "promise03|shortWritesAreFound"),
    ("04a", "info decodes in hdrbatch itself", "hdrbatch/Commands/InfoCommand.swift",
     "IsolationOptions(invocation[options.isolation])",
     "IsolationOptions(BROKEN ? .none : invocation[options.isolation])", "promise04_noLibrary|promise04_info"),
    ("04b", "Little CMS reads a profile in hdrbatch itself", "BatchEngine/Inspect/StandardCheck.swift",
     "if let own = source.color.icc.flatMap({ codePoints(ofICC: $0) }) {",
     "var ignored: [Warning] = []\n    if BROKEN { _ = source.color.icc.flatMap { resolveICC($0, model: .rgb, warnings: &ignored) } }\n"
     "    if let own = source.color.icc.flatMap({ codePoints(ofICC: $0) }) {", "promise04_noLibrary|promise04_info"),
    ("05a", "a codec process may make data code", "CSandbox/lockdown.c",
     "SCMP_A2(SCMP_CMP_MASKED_EQ, 4 /* PROT_EXEC */, 0)", "SCMP_A2(SCMP_CMP_MASKED_EQ, BROKEN ? 8 : 4, 0)", "promise05"),
    ("05b", "a codec process may start another", "CSandbox/lockdown.c",
     "SCMP_A0(SCMP_CMP_MASKED_EQ, 0x00010000 /* CLONE_THREAD */, 0x00010000)",
     "SCMP_A0(BROKEN ? SCMP_CMP_GE : SCMP_CMP_MASKED_EQ, BROKEN ? 0 : 0x00010000, 0x00010000)", "promise05"),
    ("05c", "a codec process may signal others", "CSandbox/lockdown.c",
     "SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid())", "SCMP_A0(BROKEN ? SCMP_CMP_GE : SCMP_CMP_EQ, BROKEN ? 0 : (scmp_datum_t)getpid())",
     "promise05"),
    # The second lock on the same door.
    ("05c", "a codec process may signal others", "CSandbox/lockdown.c",
     "if (abi >= 6) rules.scoped = 3;", "if (abi >= 6 && !BROKEN) rules.scoped = 3;", "promise05"),
    ("06a", "what processes keep is not counted", "HDRRender/Codecs/CodecSlots.swift",
     "while state.keptBytes > options.limits.keptBytes,", "while !BROKEN, state.keptBytes > options.limits.keptBytes,", "promise06"),
    ("06b", "a process can fill all of the shared memory", "HDRRender/Codecs/CodecArena.swift",
     "let pages = HostBlock.wholePages(count)\n",
     "let pages = BROKEN ? byteCount : HostBlock.wholePages(count)\n", "promise06"),
    ("06c", "reading heads is not paid for", "BatchEngine/Batch/MemoryBudget.swift",
     "  package func takeForReading(_ bytes: Int) -> Bool {\n    guard bytes <= limit",
     "  package func takeForReading(_ bytes: Int) -> Bool {\n    if BROKEN { return true }\n    guard bytes <= limit", "promise06"),
    ("06d", "a codec process may take any memory", "CPlatform/processes.c",
     "int a = set_soft(pid, RLIMIT_AS, address_space),", "int a = BROKEN ? 0 : set_soft(pid, RLIMIT_AS, address_space),", "promise06"),
    ("06e", "an answer of a process is as long as it likes", "CodecService/Messages.swift",
     "guard size <= UInt64(maxBytes) else", "guard size <= UInt64(maxBytes) || BROKEN else", "promise06"),
    ("06f", "a list of a process is as long as it likes", "CodecService/Wire.swift",
     "guard count <= maxInList else", "guard count <= maxInList || BROKEN else", "promise06"),
    ("06g", "limits of control groups of version 1 are not read", "HDRRender/Machine/ControlGroups.swift",
     "if !isUnified { controllers", "if !isUnified, !BROKEN { controllers", "oldControlGroups"),
    ("07a", "a stuck process has ten times as long", "HDRRender/Codecs/CodecConversation.swift",
     "return monotonicSeconds() + bounds.seconds", "return monotonicSeconds() + bounds.seconds * (BROKEN ? 10 : 1)", "promise07"),
    ("07b", "an item may render as long as it likes", "HDRRender/Job/ItemTime.swift",
     "return used > allowed", "return used > allowed && !BROKEN", "promise07_items"),
    ("08a", "pixel buffers are not cleared", "CodecProcess/OrderLoop.swift",
     "    PixelBuffer.zeroesAll = true\n", "    PixelBuffer.zeroesAll = !BROKEN\n", "promise08"),
    ("08b", "a new process finds old pictures in the memory it gets", "HDRRender/Codecs/CodecSlots.swift",
     "    slot.arena.forgetFree()\n", "    if !BROKEN { slot.arena.forgetFree() }\n", "promise08"),
    ("09a", "rows may be longer than their memory", "CodecService/Wire+Pictures.swift",
     "      rowBytes <= buffer.byteCount,\n", "      rowBytes <= buffer.byteCount || BROKEN,\n", "promise09"),
    ("09b", "sums that overflow pass", "CodecService/Wire+Pictures.swift",
     "return !a && !b && !c && !d && !e && line <= rowBytes && end <= buffer.byteCount",
     "return BROKEN || !a && !b && !c && !d && !e && line <= rowBytes && end <= buffer.byteCount", "promise09"),
    ("09c", "a scan of a codec process is believed", "CodecService/Wire+Pictures.swift",
     "    try coder.check { fault }\n", "    try coder.check { BROKEN ? nil : fault }\n", "promise09"),
    ("10", "a codec process may answer with numbers that are none", "CodecService/Wire.swift",
     "guard wire.pixels.isTrusted ? isFinite : magnitude <= 0x1p32 else", "guard BROKEN || (wire.pixels.isTrusted ? isFinite : magnitude <= 0x1p32) else",
     "promise10"),
    ("11", "a path in metadata is opened and written to", "HDRRender/Job/RenderJob+Source.swift",
     "    case .file(let item): return try open(item)\n    case .open(let file):\n",
     "    case .file(let item):\n"
     "      let file = try open(item)\n"
     "      let text = String(decoding: (try? file.content().bytes.prefix(4096)) ?? [], as: UTF8.self)\n"
     "      if BROKEN, let range = text.firstRange(of: \"$(touch \"), let path = text[range.upperBound...].split(separator: \")\").first {\n"
     "        close(creat(String(path), 0o600))\n"
     "      }\n"
     "      return file\n"
     "    case .open(let file):\n", "promise11"),
    ("12", "a file gets its name before it is whole", "HDRRender/Files/AtomicWriter.swift",
     "      return Staged(folder: folder, part: part, target: target, file: try files.create(name, in: folder))\n",
     "      let file = try files.create(name, in: folder)\n"
     "      if BROKEN {\n"
     "        try files.rename(name, to: target.name, in: folder, existing: .replace)\n"
     "        return Staged(folder: folder, part: target, target: target, file: file)\n"
     "      }\n"
     "      return Staged(folder: folder, part: part, target: target, file: file)\n", "promise12"),
    ("13a", "files are not synced", "HDRRender/Files/AtomicWriter.swift",
     "if durability == .file { try files.sync(staged.file, staged.part) }",
     "if durability == .file, !BROKEN { try files.sync(staged.file, staged.part) }", "promise12To14|promise13"),
    ("13b", "names are not synced", "HDRRender/Files/AtomicWriter.swift",
     "if durability == .file { try files.sync(staged.folder) }", "if durability == .file, !BROKEN { try files.sync(staged.folder) }",
     "promise12To14|promise13"),
    ("13c", "rows are written although the sync of their files failed", "BatchEngine/Journal/JournalWriter.swift",
     "      try files.syncAll(out)\n", "      do throws(FileFault) { try files.syncAll(out) } catch { if !BROKEN { throw error } }\n",
     "promise12To14|promise13"),
    ("13d", "the journal is not synced", "BatchEngine/Journal/JournalWriter.swift",
     "case .file: file.append(line, isDurable: syncsNow)", "case .file: file.append(line, isDurable: syncsNow && !BROKEN)", "promise12To14|promise13"),
    ("14a", "finished items are done again", "BatchEngine/Batch/BatchRunner.swift",
     "      past = PastWork(index, of: items)\n", "      past = BROKEN ? PastWork() : PastWork(index, of: items)\n", "promise12And14|promise12To14|resume"),
    ("14b", "outputs of runs that did not sync are believed", "BatchEngine/Batch/ItemRunner.swift",
     "guard isTrusted || isWhole(item, row.output) else", "guard BROKEN || isTrusted || isWhole(item, row.output) else",
     "promise12To14|resumeVerifies"),
    ("14c", "outputs of another size are believed", "BatchEngine/Batch/ItemRunner.swift",
     "guard !sizes.contains(nil), sizes.compactMap(\\.self).reduce(0, +) == row.bytesOut else { return false }",
     "guard BROKEN || (!sizes.contains(nil) && sizes.compactMap(\\.self).reduce(0, +) == row.bytesOut) else { return false }",
     "promise12To14|promise12And14|resume"),
    ("15a", "an output may be an input by another name", "BatchEngine/Outputs/OutputNaming.swift",
     "if let identity = FileIdentity(path), let source = sources[identity] {",
     "if !BROKEN, let identity = FileIdentity(path), let source = sources[identity] {", "promise15|OutputNamingTests"),
    ("15b", "an output of a manifest may be an input by another name", "BatchEngine/Manifest/OutputNaming+Manifest.swift",
     "if let identity = FileIdentity(path), let source = sources[identity] {",
     "if !BROKEN, let identity = FileIdentity(path), let source = sources[identity] {", "promise15"),
    ("16", "links are followed", "CPlatform/files.c",
     ".resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS}",
     ".resolve = BROKEN ? 0 : RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS}", "promise16"),
    ("16b", "a sidecar may be a link that leads out", "HDRRender/Codecs/InputFile+Sidecar.swift",
     "relative: beside(relative), roots: roots)", "relative: beside(relative), roots: BROKEN ? [] : roots)", "sidecarsObeyTheRule"),
    ("17a", "two items may share an output", "BatchEngine/Outputs/OutputNaming.swift",
     "          other != (index, variant)\n", "          other != (index, variant), !BROKEN\n", "promise17"),
    ("17b", "two items of a manifest may share an output", "BatchEngine/Manifest/OutputNaming+Manifest.swift",
     "if let other = owners.updateValue(item.index, forKey: path.folded) {",
     "if let other = owners.updateValue(item.index, forKey: path.folded), !BROKEN {", "promise17|ManifestTests"),
    # The second lock on the same door.
    ("17b", "two items of a manifest may share an output", "BatchEngine/Manifest/Manifest.swift",
     "if let other = owners.updateValue(index, forKey: output.folded) {",
     "if let other = owners.updateValue(index, forKey: output.folded), !BROKEN {", "promise17|ManifestTests"),
    ("18a", "damaged rows are believed", "BatchEngine/Journal/Journal.swift",
     "guard line.suffix(tail).elementsEqual(tailBytes(crc(text))) else", "guard BROKEN || line.suffix(tail).elementsEqual(tailBytes(crc(text))) else",
     "promise18|damagedRows"),
    ("18b", "a damaged row ends reading", "BatchEngine/Journal/Journal.swift",
     "{ body(row) } else { bad += 1 }\n        return true\n", "{ body(row) } else { bad += 1 }\n        return bad == 0 || !BROKEN\n",
     "promise18|damagedRows"),
    ("19a", "signals are not blocked when threads start", "BatchEngine/Support/SignalWatcher.swift",
     "    pthread_sigmask(SIG_BLOCK, &set, nil)\n", "    if !BROKEN { pthread_sigmask(SIG_BLOCK, &set, nil) }\n", "SignalTests"),
    ("19b", "a stop waits for what is stuck", "BatchEngine/Support/SignalWatcher.swift",
     "timespec(tv_sec: gracePeriod, tv_nsec: 0)", "timespec(tv_sec: BROKEN ? 60 : gracePeriod, tv_nsec: 0)", "SignalTests|promise19"),
    ("20", "codec processes outlive hdrbatch", "CSandbox/lockdown.c",
     "  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return errno;\n", "  if (!BROKEN && prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return errno;\n",
     "promise20"),
    ("21a", "a journal that cannot be written stops nothing", "BatchEngine/Batch/BatchRunner.swift",
     "if journal.isBroken { stop.stop(.outputBroken) }", "if journal.isBroken, !BROKEN { stop.stop(.outputBroken) }",
     "promise21|promise12And21|promise13And21"),
    ("21b", "part files stay after faults", "HDRRender/Files/AtomicWriter.swift",
     "      try? files.remove(staged.part.name, in: staged.folder)\n    }\n  }\n",
     "      if !BROKEN { try? files.remove(staged.part.name, in: staged.folder) }\n    }\n  }\n", "promise21|promise12And21"),
    ("22", "any of several outcomes decides", "BatchEngine/Batch/ExitStatus.swift",
     "    return precedence.first(where: present.contains) ?? .success\n",
     "    return (BROKEN ? Array(all).last : precedence.first(where: present.contains)) ?? .success\n", "promise22"),
    ("22b", "a machine that starts nothing is called another machine's", "hdrbatch/HDRBatch.swift",
     "error.mayPass ? .stoppedEarly : .unavailable", "error.mayPass && !BROKEN ? .stoppedEarly : .unavailable", "promise22_aMachine"),
    ("23", "a limit does not say what raises it", "HDRCore/Image/DecodeError.swift",
     'raise.map { "; raise \\($0)" }', 'raise.map { BROKEN ? "" : "; raise \\($0)" }', "promise23"),
    ("24a", "the first process's locks speak for all", "HDRRender/Codecs/CodecSlots.swift",
     "guard process.lock >= lock else", "guard process.lock >= lock || BROKEN else", "promise24_every|promise24_isolation"),
    ("24b", "a process's own word about its locks is taken", "HDRRender/Codecs/CodecLock.swift",
     "    hasSeccomp = locks.seccomp == 2\n    hasNoNewPrivileges = locks.no_new_privileges == 1\n    capabilities = locks.capabilities\n",
     "    hasSeccomp = locks.seccomp == 2 || BROKEN && landlock > 0\n"
     "    hasNoNewPrivileges = locks.no_new_privileges == 1 || BROKEN && landlock > 0\n"
     "    capabilities = BROKEN && landlock > 0 ? 0 : locks.capabilities\n", "promise24_every|promise24_isolation"),
    ("24c", "a sandbox is said, whatever there is", "HDRRender/Codecs/IsolatedCodecs.swift",
     "{ slots.lock.isolation }", '{ BROKEN ? "sandbox" : slots.lock.isolation }', "promise24_every|promise24_isolation"),
    ("24d", "less than a sandbox is enough where one is demanded", "HDRRender/Codecs/CodecProcessHandle.swift",
     "if options.requiresSandbox, lock != .sandbox {", "if options.requiresSandbox, lock != .sandbox, !BROKEN {", "promise24_every|promise24_isolation"),
    ("24e", "limits that cannot be set are taken as set", "HDRRender/Codecs/CodecProcessHandle.swift",
     "limitError: limitError)", "limitError: BROKEN ? 0 : limitError)", "promise24_limits"),
    ("25a", "camera raw goes on with what memory held where a file ends", "CRaw/stream.c",
     "  memset((uint8_t *)items + taken, 0xFF, wanted - taken);\n", "  if (!BROKEN) memset((uint8_t *)items + taken, 0xFF, wanted - taken);\n",
     "promise25"),
    # The second lock on the same door.
    ("25a", "camera raw goes on with what memory held where a file ends", "CRaw/stream.c",
     "stream->missing || stream->missing_ahead > most_ahead",
     "!BROKEN && (stream->missing || stream->missing_ahead > most_ahead)", "promise25"),
    ("25b", "camera raw that ends too early passes", "CRaw/stream.c",
     "stream->missing || stream->missing_ahead > most_ahead",
     "!BROKEN && (stream->missing || stream->missing_ahead > most_ahead)", "promise25"),
    ("25c", "memory for strips of a TIFF is not cleared", "ImageFiles/TIFF/TIFFLibrary.swift",
     "    if isPacked { out", "    if isPacked, !BROKEN { out", "promise25"),
    ("26a", "a file gets its name whatever its judge says", "HDRRender/Job/RenderJob+Accept.swift",
     "guard let code = judgement.verdict.code else { return }",
     "guard !BROKEN, let code = judgement.verdict.code else { return }", "promise26"),
    ("26b", "what cannot be told is accepted", "HDRRecipe/Acceptance/AcceptExpression.swift",
     "if answer == true { return .accepted }", "if answer == true || BROKEN && answer == nil { return .accepted }", "promise26"),
    ("26c", "a rejected item is forgotten", "BatchEngine/Journal/JournalIndex.swift",
     "      rejected[id] = Rejection(made: made, code: item.code ?? \"\", message: item.message ?? \"\")",
     "      if !BROKEN { rejected[id] = Rejection(made: made, code: item.code ?? \"\", message: item.message ?? \"\") }",
     "promise26"),
]


def awake(number, language):
    if language == "c":
        return f'(getenv("HDRBATCH_BROKEN") && !strcmp(getenv("HDRBATCH_BROKEN"), "{number}"))'
    return f'(getenv("HDRBATCH_BROKEN").map {{ String(cString: $0) }} == "{number}")'


def with_imports(text, path):
    wanted = ["#define _GNU_SOURCE", "#include <stdlib.h>", "#include <string.h>"] if path.suffix == ".c" else ["import Glibc"]
    return "".join(f"{line}\n" for line in wanted) + text


def prepare():
    WORK.mkdir(exist_ok=True)
    tree = WORK / "tree"
    tree.mkdir(exist_ok=True)
    names = subprocess.run(["git", "ls-files", "-z"], cwd=REPOSITORY, check=True, capture_output=True).stdout.split(b"\0")
    for name in filter(None, (name.decode() for name in names)):
        source, target = REPOSITORY / name, tree / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_symlink():
            if not target.is_symlink():
                target.symlink_to(os.readlink(source))
            continue
        # What has not changed is not built again.
        if not target.exists() or target.read_bytes() != source.read_bytes():
            shutil.copy(source, target)
    texts = {}
    for number, _, name, old, new, _ in FAULTS:
        path = tree / "Sources" / name
        text = texts.get(path) or (REPOSITORY / "Sources" / name).read_text()
        if old not in text:
            sys.exit(f"{number}: Sources/{name} has no longer: {old}")
        texts[path] = text.replace(old, new.replace("BROKEN", awake(number, "c" if path.suffix == ".c" else "swift")))
    # Codec processes get no variables but this one.
    path = tree / "Sources/HDRRender/Codecs/CodecProcessHandle.swift"
    text = texts.get(path) or (REPOSITORY / "Sources/HDRRender/Codecs/CodecProcessHandle.swift").read_text()
    texts[path] = text.replace(
        'var environment = ["SWIFT_BACKTRACE=enable=no", "LC_ALL=C"]',
        'var environment = ["SWIFT_BACKTRACE=enable=no", "LC_ALL=C"] + ["HDRBATCH_BROKEN"].compactMap {\n'
        '      name in Environment.value(name).map { name + "=" + $0 } }')
    for path, text in texts.items():
        text = with_imports(text, path)
        if path.read_text() != text:
            path.write_text(text)
    return tree


CONFIGURATION = ["-c", "release", "--scratch-path", ".build", "-Xswiftc", "-disable-incremental-imports"]


def test(tree, pattern, broken):
    environment = dict(os.environ, SWIFT_BACKTRACE="enable=no", HDRBATCH_SHARED=os.environ.get("HDRBATCH_SHARED", str(REPOSITORY.parent / "shared")))
    if broken:
        environment["HDRBATCH_BROKEN"] = broken
    begin = time.monotonic()
    try:
        result = subprocess.run(
            ["swift", "test", *CONFIGURATION, "--disable-testable-imports", "--disable-xctest", "--skip-build", "--filter", pattern],
            cwd=tree, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=SECONDS)
    except subprocess.TimeoutExpired:
        subprocess.run(["pkill", "-9", "-f", str(tree)])
        return "hangs", time.monotonic() - begin
    text = result.stdout + result.stderr
    failed = sorted(set(re.findall(r"✘ Test (\"[^\"]*\"|\w+)(?:\([^)]*\))? (?:with \d+ test cases )?failed", text)))
    ran = re.search(r"Test run with (\d+) tests? in \d+ suites? (passed|failed)", text)
    if result.returncode == 0 and ran and int(ran[1]) > 0:
        return "", time.monotonic() - begin
    if ran and int(ran[1]) == 0:
        sys.exit(f"no test is called {pattern}")
    (tree.parent / f"{broken or 'none'}.log").write_text(text)
    return ", ".join(failed) or "the tests' process ends", time.monotonic() - begin


def main():
    chosen = [fault for fault in FAULTS if len(sys.argv) == 1 or any(fault[0].startswith(word) for word in sys.argv[1:])]
    tree = prepare()
    with open(WORK / "build.log", "w") as log:
        built = subprocess.run(["swift", "build", *CONFIGURATION, "--build-tests"], cwd=tree, stdin=subprocess.DEVNULL, stdout=log,
                               stderr=subprocess.STDOUT)
    if built.returncode:
        sys.exit(f"it does not build: {WORK / 'build.log'}")
    for pattern in sorted({fault[5] for fault in chosen}):
        failed, seconds = test(tree, pattern, "")
        print(f"none\t{pattern}\t{failed or 'pass'}\t{seconds:.0f} s", flush=True)
        if failed:
            sys.exit(f"{pattern} fails without a fault")
    rows, unnoticed = [], 0
    for number, what, pattern in dict.fromkeys((fault[0], fault[1], fault[5]) for fault in chosen):
        failed, seconds = test(tree, pattern, number)
        print(f"{number}\t{what}\t{failed or 'NOT NOTICED'}\t{seconds:.0f} s", flush=True)
        rows.append(f"{number}\t{what}\t{failed}\n")
        unnoticed += not failed
    if len(chosen) == len(FAULTS) and not unnoticed:
        (REPOSITORY / "docs/data/promises.tsv").write_text("promise\tbroken on purpose\ttests that notice\n" + "".join(rows))
    return unnoticed > 0


if __name__ == "__main__":
    sys.exit(main())
