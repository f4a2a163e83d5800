import CodecService
import CISAL
import Glibc
import HDRRender

/// What runs of a manifest have done: JSON Lines, one file an attempt, one writer a file (docs/farm.md#journals). Each
/// line ends with a CRC-32 of itself, so that a torn or damaged one is known; reading stops there.
package struct Journal: Sendable {
  /// One row whose checksum fits.
  package struct Row: Sendable {
    package var json: JSON
    package var content: JournalRow

    init(_ json: JSON) {
      self.json = json
      content = JournalRow(json)
    }
  }

  package var name: String
  package var rows: [Row]
  /// Bytes after the last whole line: what a killed process left.
  package var tornBytes: Int

  /// Reads what is whole. Never fails: a journal of nothing has no rows.
  package init(parsing bytes: [UInt8], name: String) {
    self.name = name
    rows = []
    var start = 0
    while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
      guard end - start <= Manifest.maxHeadBytes, let body = Self.checked(bytes[start..<end]),
        let json = try? JSON(parsing: body)
      else { break }
      rows.append(Row(json))
      start = end + 1
    }
    tornBytes = bytes.count - start
  }

  /// Names of the journals in a folder, in the order of their bytes.
  static func names(in folder: OpenFolder, _ files: any FileSystem) throws(FileFault) -> [[UInt8]] {
    try files.names(in: folder).filter { $0.suffix(6).elementsEqual(".jsonl".utf8) }
  }

  /// Every journal of a folder; none where there is no folder.
  ///
  /// - Throws: `UsageError` for a folder or a journal that cannot be read.
  package static func all(in folder: FilePath) throws(UsageError) -> [Journal] {
    do throws(FileFault) {
      let files = LinuxFileSystem()
      return try names(in: try files.folder(folder), files).map { name throws(FileFault) in
        Journal(
          parsing: try readWholeFile(folder.appending(name), maxBytes: 1 << 32),
          name: String(decoding: name, as: UTF8.self))
      }
    } catch {
      if error.number == ENOENT && error.path == folder { return [] }
      throw UsageError("the journals cannot be read: \(error.message)")
    }
  }

  /// The run, where the journal begins with it.
  package var header: JournalRow.Header? {
    if case .header(let header)? = rows.first?.content { header } else { nil }
  }

  /// When its run began, as it recorded.
  var unixTime: Int { header?.unixTime ?? 0 }

  /// A line with its checksum, newline included.
  static func line(_ json: JSON) -> [UInt8] {
    let text = Array(json.line.utf8.dropLast())
    return text + Array(",\"crc\":\"\(hex(crc(text)))\"}\n".utf8)
  }

  /// The line's JSON text without its checksum; `nil` where it does not fit.
  private static func checked(_ line: ArraySlice<UInt8>) -> [UInt8]? {
    let tail = ",\"crc\":\"00000000\"}".utf8.count
    guard line.count > tail, line.last == UInt8(ascii: "}") else { return nil }
    let text = Array(line.dropLast(tail))
    return Array(line.suffix(tail)) == Array(",\"crc\":\"\(hex(crc(text)))\"}".utf8)
      ? text + [UInt8(ascii: "}")] : nil
  }

  private static func crc(_ bytes: [UInt8]) -> UInt32 {
    bytes.withUnsafeBufferPointer { crc32_gzip_refl(0, $0.baseAddress, UInt64($0.count)) }
  }

  private static func hex(_ value: UInt32) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}

/// Which items are done: by journals alone, whatever is on the disk.
package struct JournalIndex: Sendable {
  /// What a finished item was made of.
  package struct Done: Sendable, Hashable {
    package var input: Digest
    package var output: Digest
    package var bytesOut: Int
    package var recipe: Digest
    package var version: String
    /// The run synced what it wrote; else the bytes may not be what the row says.
    package var isDurable: Bool
  }

  /// By the item's id; of several attempts the one that began last.
  package private(set) var done: [String: Done] = [:]
  /// Last row of every item that has one, finished or not.
  package private(set) var last: [String: JournalRow.Item] = [:]
  /// Inputs that are not to be tried again.
  package private(set) var quarantine = Quarantine()

  /// - Parameter journals: of one manifest.
  package init(_ journals: [Journal]) {
    for journal in journals.sorted(by: { ($0.unixTime, $0.name) < ($1.unixTime, $1.name) }) {
      let recipe = journal.header?.recipeDigest, version = journal.header?.version
      for case .item(let item) in journal.rows.map(\.content) {
        guard let id = item.id, item.isOutcome else { continue }
        // Skipped because of an earlier row.
        if item.code == Quarantine.code, last[id]?.status == .failed { continue }
        quarantine.note(item, recipe: recipe, version: version)
        last[id] = item
        done[id] = nil
        guard item.status == .ok || item.status == .warn, let recipe, let version, let input = item.inputDigest,
          let output = item.outputDigest, let bytes = item.bytesOut
        else { continue }
        done[id] = Done(
          input: input, output: output, bytesOut: bytes, recipe: recipe, version: version,
          isDurable: journal.header?.isDurable == true)
      }
    }
  }
}
