import BatchEngine
import Glibc
import HDRCore
import HDRRecipe
import HDRRender
import ImageFiles
import PlainData
import Synchronization

/// A folder with a page that shows a batch's outputs, for a browser that opens it from the disk: `gallery.html`, and a
/// copy, `index.html`, for servers.
///
/// Everything comes from the batch's journals and from its outputs (docs/gallery.md).
package struct Gallery {
  /// The output folder of the batch.
  package var out: FilePath
  /// The folder that the gallery is written to.
  package var folder: FilePath
  package var title: String
  /// The pixels of a view's longer side.
  package var size = 1600
  /// True if sources are shown beside outputs.
  package var showsSources = true
  /// The folder of the journals; `nil`: the standard one below `out`.
  package var journals: FilePath?

  package init(of out: FilePath, in folder: FilePath? = nil, title: String? = nil) {
    let out = out.absolute
    self.out = out
    self.folder = folder?.absolute ?? out.appending(Self.standardName)
    self.title = title ?? printable(out.name)
  }

  package static let standardName = "gallery"
  package static let page = "gallery.html"
  private static let rowsInFile = 1000

  package struct Outcome: Sendable {
    package var page: FilePath
    package var items = 0
    /// Pictures that cannot be shown, with the reason.
    package var unseen: [(file: String, reason: String)] = []
    /// The summary of rendering the pictures; `nil` where there were none.
    package var summary: BatchSummary?
  }

  /// Makes the gallery, in place of one that is there.
  ///
  /// - Parameters:
  ///   - options: of machine and limits.
  ///   - watch: called with the runner of the small pictures, before it begins.
  /// - Throws: `UsageError` for no journals, for journals that cannot be read and for a folder with other files;
  ///   `ResultFileError`.
  package func make(_ options: BatchOptions, watch: (BatchRunner) -> Void = { _ in }) throws -> Outcome {
    let (rows, command) = try rows()
    if rows.isEmpty { throw UsageError("no run has left journals of items in \(out.display)") }
    let (thumbs, lists, itemsFolder) = ("thumbs", "rows", "items")
    try refuseOthers()
    for name in [thumbs, lists, itemsFolder] { try makeFolder(folder.appending(name)) }
    // A page without it says that it is being made.
    _ = folder.appending("data.js").withCString { unlink($0) }
    let scratch = try ScratchFolder(in: folder)
    defer { scratch.remove() }

    func number(_ index: Int) -> String {
      let digits = "\(index + 1)"
      return String(repeating: "0", count: max(0, 5 - digits.count)) + digits
    }
    func view(_ index: Int, _ role: String) -> FilePath { scratch.path.appending("\(number(index))-\(role).jpg") }
    func thumbnail(_ index: Int) -> FilePath { folder.appending(thumbs).appending(number(index) + ".jpg") }
    var previews = try GalleryPreviews(size: size, options)
    for (index, row) in rows.enumerated() {
      // A thumbnail of an earlier gallery may be of another item.
      _ = thumbnail(index).withCString { unlink($0) }
      guard let made = row.file else { continue }
      if InputCollector.isReadable(row.output), fileStatus(made)?.isRegularFile == true || row.status == "ok" {
        previews.add(made, view: view(index, "output"), thumbnail: thumbnail(index))
      }
      if showsSources, fileStatus(row.input)?.isRegularFile == true {
        previews.add(row.input, view: view(index, "source"), thumbnail: nil)
      }
    }
    let unseen = Mutex<[FilePath: String]>([:])
    var outcome = Outcome(page: folder.appending(Self.page), items: rows.count)
    outcome.summary = try previews.run(watch) { path, reason in unseen.withLock { $0[path] = reason } }
    for (index, row) in rows.enumerated() {
      for (role, file) in [("output", row.file ?? row.output), ("source", row.input)] {
        if let reason = unseen.withLock({ $0[view(index, role)] }) { outcome.unseen.append((file.display, reason)) }
      }
    }

    // The pictures were made here, but profiles in them may be copies of untrusted ones.
    let codecs = CodecsAtUse(options.isolation, limits: options.limits)
    defer { _ = codecs.close() }
    let prefix = commonFolder(rows.map(\.input)), places = "--out " + JobText.shell(out.display)
    var lines: [JSON] = []
    for (index, row) in rows.enumerated() {
      let hasThumbnail = fileStatus(thumbnail(index))?.isRegularFile == true && row.status == "ok"
      lines.append(row.line(index + 1, without: prefix, hasThumbnail: hasThumbnail, places))
      if lines.count == Self.rowsInFile || index == rows.count - 1 {
        let chunk = index / Self.rowsInFile
        try write("galleryRows(\(chunk),\(JSON.array(lines).line))", lists, "\(chunk).js")
        lines = []
      }
      let pictures = [("output", row.file ?? row.output), ("source", row.input)].compactMap { role, file in
        picture(view(index, role), role, file, codecs)
      }
      let files = (row.status == "rejected" ? row.file : row.output).map { [("output", $0)] } ?? []
      let links = (files + [("source", row.input)]).filter { fileStatus($0.1) != nil }.map { role, file in
        JSON.object([
          .init("role", .string(role)), .init("name", .string(printable(file.name))),
          .init("href", .string(link(from: folder, to: file))),
        ])
      }
      let item: JSON = [
        "pictures": .array(pictures), "links": .array(links), "warnings": row.record["warnings"] ?? .array([]),
        "metadata": .array((row.status == "failed" ? [] : row.metadata).map { .array([.string($0.name), $0.value]) }),
        "record": row.record,
      ]
      try write("galleryItem(\(index + 1),\(item.line))", itemsFolder, number(index) + ".js")
    }
    for (name, bytes) in [
      (Self.page, PackageResources.gallery_html), ("index.html", PackageResources.gallery_html),
      ("gallery.css", PackageResources.gallery_css),
      ("gallery.js", PackageResources.gallery_js),
    ] {
      try writeBytes(bytes, to: folder.appending(name))
    }
    func count(_ status: String) -> JSON { .int(rows.count { $0.status == status }) }
    let data: JSON = [
      "title": .string(title), "created": .string(now()), "program": .string("hdrbatch \(hdrbatchVersion)"),
      "command": .string(command), "items": .int(rows.count),
      "counts": [
        "ok": count("ok"), "failed": count("failed"), "rejected": count("rejected"), "skipped": count("skipped"),
        "warned": .int(rows.count { $0.isWarned }),
      ],
    ]
    try writeBytes(Array("gallery(\(data.line))\n".utf8), to: folder.appending("data.js"))
    return outcome
  }

  // MARK: Reading

  /// Returns the last row of every output, in the order of the batch, and the command of the last run.
  private func rows() throws(UsageError) -> (rows: [GalleryRow], command: String) {
    var last: [FilePath: (order: Int, row: GalleryRow)] = [:], command = ""
    let found = try Journal.all(in: journals ?? .standardJournal(below: out))
    for journal in found.sorted(by: { ($0.header?.unixTime ?? 0, $0.name) < ($1.header?.unixTime ?? 0, $1.name) }) {
      let folder = journal.header?.folder ?? out
      if let words = journal.header?.command, !words.isEmpty {
        command = JobText.shell(["hdrbatch"] + words.dropFirst())
      }
      try journal.eachItem { record in
        guard record["code"]?.string != "batch.interrupted" else { return }
        let row = GalleryRow(record: record, folder: folder), output = row.output
        // Done by an earlier run: its row says more.
        if record["status"]?.string == "skipped", last[output] != nil { return }
        last[output] = (last[output]?.order ?? last.count, row)
      }
    }
    let rows = last.values.sorted {
      ($0.row.record["index"]?.integer ?? 0, $0.order) < ($1.row.record["index"]?.integer ?? 0, $1.order)
    }
    return (rows.map(\.row), command)
  }

  // MARK: Writing

  /// - Throws: `UsageError` for a folder with files that are no gallery's.
  private func refuseOthers() throws(UsageError) {
    guard fileStatus(folder) != nil else { return }
    let own: Set = ["gallery.html", "index.html", "gallery.css", "gallery.js", "data.js", "rows", "items", "thumbs"]
    let names = (try? namesInFolder(folder)) ?? []
    if let other = names.first(where: {
      !own.contains(String(decoding: $0, as: UTF8.self)) && !$0.starts(with: "hdrbatch.".utf8)
    }) {
      throw UsageError(
        "\(folder.display) holds \(printable(other)), which is of no gallery: name another folder with -o")
    }
  }

  private func makeFolder(_ path: FilePath) throws(ResultFileError) {
    do throws(FileFault) {
      _ = try LinuxFileSystem().makeFolders(path, isDurable: false)
    } catch {
      throw ResultFileError(error.message)
    }
  }

  private func write(_ text: String, _ below: String, _ name: String) throws(ResultFileError) {
    try writeBytes(Array((text + "\n").utf8), to: folder.appending(below).appending(name))
  }

  /// Returns a view with the facts that the page needs; `nil` where there is none.
  private func picture(_ view: FilePath, _ role: String, _ file: FilePath, _ codecs: any CodecBorder) -> JSON? {
    guard let bytes = try? readWholeFile(view, maxBytes: 1 << 28), let held = try? InputFile(bytes: bytes, name: view),
      let head = try? codecs.decode(held, request: .metadata, limits: DecodeLimits()).value
    else { return nil }
    var fields = [
      JSON.Field("role", .string(role)), JSON.Field("name", .string(printable(file.name))),
      JSON.Field("primaries", .string(Self.primaries(head.color))),
    ]
    if let map = head.gainMap, !map.metadata.usesBaseColorSpace, let color = map.alternateColor {
      fields.append(JSON.Field("mapPrimaries", .string(Self.primaries(color))))
    }
    fields.append(JSON.Field("jpeg", .string(base64(bytes))))
    return .object(fields)
  }

  private static func primaries(_ color: SourceColor) -> String {
    let name = color.iccDescription?.lowercased() ?? ""
    let code =
      color.cicp?.primaries
      ?? (name.contains("p3")
        ? CICP.Primaries.p3 : name.contains("2020") || name.contains("2100") ? CICP.Primaries.bt2020 : 1)
    return code == CICP.Primaries.p3 ? "p3" : code == CICP.Primaries.bt2020 ? "bt2020" : "bt709"
  }

  private func now() -> String {
    var seconds = time(nil), parts = tm(), text = [CChar](repeating: 0, count: 32)
    localtime_r(&seconds, &parts)
    let count = strftime(&text, text.count, "%Y-%m-%d %H:%M", &parts)
    return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// Encodes bytes as base64 (RFC 4648, padded).
func base64(_ bytes: [UInt8]) -> String {
  let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  return String(unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4) { text in
    var to = 0
    for at in stride(from: 0, to: bytes.count, by: 3) {
      let left = bytes.count - at
      let word =
        UInt32(bytes[at]) << 16 | (left > 1 ? UInt32(bytes[at + 1]) << 8 : 0) | (left > 2 ? UInt32(bytes[at + 2]) : 0)
      text[to] = digits[Int(word >> 18)]
      text[to + 1] = digits[Int(word >> 12 & 63)]
      text[to + 2] = left > 1 ? digits[Int(word >> 6 & 63)] : UInt8(ascii: "=")
      text[to + 3] = left > 2 ? digits[Int(word & 63)] : UInt8(ascii: "=")
      to += 4
    }
    return to
  }
}
