import CISAL
import CodecService
import Glibc
import HDRRecipe
import HDRRender
import PlainData

/// The journal of a run: JSON Lines, one file an attempt, one writer a file (docs/farm.md#journals). Each line ends
/// with a CRC-32 of itself. Lines that are torn, damaged or too long are skipped and counted.
///
/// Journals are read a row at a time and never kept whole: a farm writes hundreds of megabytes of them.
package struct Journal: Sendable {
  /// The rows and bytes that could not be read.
  package struct UnreadRows: Sendable, Hashable {
    /// Whole lines that could not be read.
    package var rows = 0
    /// Bytes after the last whole line, which a killed process left.
    package var tornBytes = 0

    package init(rows: Int = 0, tornBytes: Int = 0) {
      self.rows = rows
      self.tornBytes = tornBytes
    }
  }

  private enum Source: Sendable {
    case bytes([UInt8])
    case file(InputReference)
  }

  /// A longer line is no row.
  static let maxLineBytes = 16 << 20

  package let name: String
  /// The row of the run, if the journal begins with it.
  package private(set) var header: JournalRow.Header?
  private let source: Source

  package init(parsing bytes: [UInt8], name: String) {
    self.init(.bytes(bytes), name)
    // Bytes in memory can be read.
    try? readHeader()
  }

  private init(_ source: Source, _ name: String) {
    self.source = source
    self.name = name
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
        // A link that leads out of the folder is no journal of it.
        let file = InputReference(path: folder.appending(name), relative: FilePath(bytes: name), roots: [folder])
        var journal = Journal(.file(file), String(decoding: name, as: UTF8.self))
        try journal.readHeader()
        return journal
      }
    } catch {
      if error.number == ENOENT && error.path == folder { return [] }
      throw UsageError("the journals cannot be read: \(error.message)")
    }
  }

  /// The time when the run began, as its header records it.
  var unixTime: Int { header?.unixTime ?? 0 }

  /// The time of its last row, in seconds since 1970; `nil` for one in memory, or that is gone.
  var lastChange: Double? {
    guard case .file(let file) = source, let status = fileStatus(file.path) else { return nil }
    return Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1e9
  }

  private mutating func readHeader() throws(FileFault) {
    var found: JournalRow.Header?
    _ = try eachLine { line in
      if let line, case .header(let header)? = Self.row(line, JournalRow.headerKeys) { found = header }
      return false
    }
    header = found
  }

  /// Calls `body` with every row that is whole, in their order.
  ///
  /// - Parameter keys: what is read of a row.
  /// - Throws: `UsageError` for a file that cannot be read any more.
  @discardableResult
  package func eachRow(_ keys: Set<String>, _ body: (JournalRow) -> Void) throws(UsageError) -> UnreadRows {
    var bad = 0
    do throws(FileFault) {
      let torn = try eachLine { line in
        if let row = line.flatMap({ Self.row($0, keys) }) { body(row) } else { bad += 1 }
        return true
      }
      return UnreadRows(rows: bad, tornBytes: torn)
    } catch {
      throw UsageError("the journals cannot be read: \(error.message)")
    }
  }

  /// Calls `body` with the row of every item, whole as it was written.
  ///
  /// - Throws: `UsageError` for a file that cannot be read any more.
  package func eachItem(_ body: (JSON) -> Void) throws(UsageError) {
    do throws(FileFault) {
      _ = try eachLine { line in
        if let row = line.flatMap({ Self.fields($0, nil) }), row["type"]?.string == "item" { body(row) }
        return true
      }
    } catch {
      throw UsageError("the journals cannot be read: \(error.message)")
    }
  }

  // MARK: Lines

  /// Calls `body` with every whole line, `nil` for one that is too long, until it returns `false`.
  ///
  /// - Returns: bytes after the last whole line.
  private func eachLine(_ body: (UnsafeBufferPointer<UInt8>?) -> Bool) throws(FileFault) -> Int {
    switch source {
    case .bytes(let bytes):
      var lines = LineReader(maxBytes: Self.maxLineBytes)
      _ = bytes.withUnsafeBufferPointer { lines.take($0, body) }
      return lines.rest
    case .file(let item):
      let file = try InputFile(item, maxBytes: Int.max)
      var lines = LineReader(maxBytes: Self.maxLineBytes), offset = 0
      var part = [UInt8](repeating: 0, count: 1 << 18)
      while true {
        let count = part.withUnsafeMutableBytes { pread(file.descriptor, $0.baseAddress, $0.count, off_t(offset)) }
        if count < 0 && errno == EINTR { continue }
        guard count >= 0 else { throw FileFault(call: "read", number: errno, path: item.path) }
        offset += count
        let continues = part.withUnsafeBufferPointer {
          lines.take(UnsafeBufferPointer(rebasing: $0.prefix(count)), body)
        }
        if count == 0 || !continues { return lines.rest }
      }
    }
  }

  private static func row(_ line: UnsafeBufferPointer<UInt8>, _ keys: Set<String>) -> JournalRow? {
    fields(line, keys).map { JournalRow($0) }
  }

  /// - Parameter keys: what is wanted; `nil`: all but the checksum.
  /// - Returns: `nil` where the checksum or what is wanted of the row is wrong.
  private static func fields(_ line: UnsafeBufferPointer<UInt8>, _ keys: Set<String>?) -> JSON? {
    let tail = tailCount
    guard line.count > tail, line.last == UInt8(ascii: "}") else { return nil }
    let text = UnsafeBufferPointer(rebasing: line.dropLast(tail))
    guard line.suffix(tail).elementsEqual(tailBytes(crc(text))) else { return nil }
    // The tail is one more field, which is skipped, and its bracket closes the row.
    guard var scanner = FieldScanner(line) else { return nil }
    var fields: [JSON.Field] = []
    while let field = scanner.next() {
      let key = String(decoding: field.key, as: UTF8.self)
      guard keys?.contains(key) ?? (key != "crc") else { continue }
      guard let value = plainText(field.value) ?? (try? JSON(parsing: Array(field.value))) else { return nil }
      fields.append(JSON.Field(key, value))
    }
    return .object(fields)
  }

  /// Reads most values without the parser: a string without escapes, in ASCII; `nil` for others.
  private static func plainText(_ value: Slice<UnsafeBufferPointer<UInt8>>) -> JSON? {
    guard value.count >= 2, value.first == UInt8(ascii: "\"") else { return nil }
    let text = UnsafeBufferPointer(rebasing: value.dropFirst().dropLast())
    guard text.allSatisfy({ 0x20..<0x7F ~= $0 && $0 != UInt8(ascii: "\\") && $0 != UInt8(ascii: "\"") }) else {
      return nil
    }
    return .string(String(decoding: text, as: UTF8.self))
  }

  // MARK: Writing

  /// A line with its checksum, newline included.
  package static func line(_ json: JSON) -> [UInt8] {
    var line = json.line
    if line.utf8.count + tailCount > maxLineBytes { line = shortened(json).line }
    let text = Array(line.utf8.dropLast())
    return text + tailBytes(text.withUnsafeBufferPointer(crc)) + [UInt8(ascii: "\n")]
  }

  /// Returns the row without its longest fields, if it is longer than what is read.
  private static func shortened(_ json: JSON) -> JSON {
    var json = json
    while json.line.utf8.count + tailCount > maxLineBytes, case .object(var fields) = json,
      let longest = fields.indices.max(by: { fields[$0].value.line.utf8.count < fields[$1].value.line.utf8.count }),
      fields[longest].value != .null
    {
      fields[longest].value = .null
      json = .object(fields)
    }
    return json
  }

  private static let tailCount = tailBytes(0).count

  private static func tailBytes(_ crc: UInt32) -> [UInt8] {
    Array(",\"crc\":\"\(hex(crc, digits: 8))\"}".utf8)
  }

  private static func crc(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
    crc32_gzip_refl(0, bytes.baseAddress, UInt64(bytes.count))
  }
}

extension FilePath {
  /// Returns the folder of the journals of an output folder.
  package static func standardJournal(below out: FilePath) -> FilePath {
    out.appending(".hdrbatch").appending("journal")
  }
}
