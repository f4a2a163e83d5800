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
  /// A second run, whose outputs are shown beside those of the batch: its output folder, its folder of journals, or a
  /// journal.
  package var against: FilePath?

  package init(of out: FilePath, in folder: FilePath? = nil, title: String? = nil) {
    let out = out.absolute
    self.out = out
    self.folder = folder?.absolute ?? out.appending(Self.standardName)
    self.title = title ?? printable(out.name)
  }

  package static let standardName = "gallery"
  package static let page = "gallery.html"
  private static let styles = "gallery.css", code = "gallery.js", shared = "page.js", index = "index.html"

  /// The other outputs of a picture that each of its outputs can be compared with.
  private static let mostOthers = 16

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
    var (rows, command) = try rows()
    if rows.isEmpty { throw UsageError("no run has left journals of items in \(out.display)") }
    if let other = try against.map({ (place) throws(UsageError) in try OtherRun(place) }) {
      for index in rows.indices where rows[index].status == "ok" {
        rows[index].other = other.partner(of: rows[index], below: out)
      }
    }
    let (thumbs, lists, itemsFolder) = ("thumbs", "rows", "items")
    let files = [Self.page, Self.index, Self.styles, Self.code, Self.shared]
    let place = try PageFolder(folder, files: files, folders: [thumbs, lists, itemsFolder])
    let scratch = try ScratchFolder(in: folder)
    defer { scratch.remove() }

    func view(_ index: Int, _ role: String) -> FilePath {
      scratch.path.appending("\(PageFolder.number(index))-\(role).jpg")
    }
    func thumbnail(_ index: Int) -> FilePath { folder.appending(thumbs).appending(PageFolder.number(index) + ".jpg") }
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
      if case .changed(let file) = row.other, InputCollector.isReadable(file) {
        previews.add(file, view: view(index, "other"), thumbnail: nil)
      }
    }
    let unseen = Mutex<[FilePath: String]>([:])
    var outcome = Outcome(page: folder.appending(Self.page), items: rows.count)
    outcome.summary = try previews.run(watch) { path, reason in unseen.withLock { $0[path] = reason } }
    for (index, row) in rows.enumerated() {
      for (role, file) in row.shown {
        if let reason = unseen.withLock({ $0[view(index, role)] }) { outcome.unseen.append((file.display, reason)) }
      }
    }

    // The pictures were made here, but profiles in them may be copies of untrusted ones.
    let codecs = CodecsAtUse(options.isolation, limits: options.limits)
    defer { _ = codecs.close() }
    // Commands are for the folder of the outputs, wherever it has come to.
    let prefix = commonFolder(rows.map(\.input)), places = "--out ."
    let seen = rows.indices.filter { rows[$0].status == "ok" && InputCollector.isReadable(rows[$0].output) }
    let siblings = Dictionary(grouping: seen) { rows[$0].picture }
    var lines: [JSON] = []
    for (index, row) in rows.enumerated() {
      let hasThumbnail = fileStatus(thumbnail(index))?.isRegularFile == true && ["ok", "rejected"].contains(row.status)
      let others =
        row.status == "ok" ? (siblings[row.picture] ?? []).filter { $0 != index }.prefix(Self.mostOthers) : []
      lines.append(
        row.line(index + 1, without: prefix, hasThumbnail: hasThumbnail, others: others.map { $0 + 1 }, places))
      if lines.count == PageFolder.rowsInFile || index == rows.count - 1 {
        let chunk = index / PageFolder.rowsInFile
        try place.write("galleryRows", [.int(chunk), .array(lines)], to: "\(lists)/\(chunk).js")
        lines = []
      }
      let pictures = row.shown.compactMap { role, file in pagePicture(view(index, role), role, file, codecs) }
      let files = (row.status == "rejected" ? row.file : row.output).map { [("output", $0)] } ?? []
      let links = (files + row.shown.dropFirst()).filter { fileStatus($0.1) != nil }.map { role, file in
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
      let file = "\(itemsFolder)/\(PageFolder.number(index)).js"
      try place.write("galleryItem", [.int(index + 1), item], to: file)
    }
    let page = PageFolder.page(PackageResources.gallery_html)
    for (name, bytes) in [
      (Self.page, page), (Self.index, page),
      (Self.styles, PackageResources.gallery_css), (Self.shared, PackageResources.page_js),
      (Self.code, PackageResources.gallery_js),
    ] {
      try place.write(bytes, to: name)
    }
    func count(_ status: String) -> JSON { .int(rows.count { $0.status == status }) }
    let data: [JSON.Field] = [
      .init("title", .string(title)), .init("created", .string(PageFolder.now())),
      .init("program", .string("hdrbatch \(hdrbatchVersion)")), .init("command", .string(command)),
      .init("items", .int(rows.count)), .init("against", .maybe(against?.display)),
      .init(
        "counts",
        [
          "ok": count("ok"), "failed": count("failed"), "rejected": count("rejected"), "skipped": count("skipped"),
          "warned": .int(rows.count { $0.isWarned }), "changed": .int(rows.count { $0.other?.word == "changed" }),
        ]),
    ]
    let inputs = nameFields("inputs", Array((rows.first?.input.bytes ?? []).prefix(prefix)))
    try place.write("gallery", [.object(data + inputs)], to: PageFolder.data)
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
        // Done, or rejected, by an earlier run: its row says more.
        let isRepeated =
          record["status"]?.string == "skipped" || record["code"]?.string == JournalIndex.Rejection.earlierCode
        if isRepeated, last[output] != nil { return }
        last[output] = (last[output]?.order ?? last.count, row)
      }
    }
    let rows = last.values.sorted {
      ($0.row.record["index"]?.integer ?? 0, $0.order) < ($1.row.record["index"]?.integer ?? 0, $1.order)
    }
    return (rows.map(\.row), command)
  }
}
