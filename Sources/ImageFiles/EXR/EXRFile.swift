import FileParts
import HDRCore

/// The structure of an OpenEXR file: the headers of its parts and the places of its chunks.
struct EXRFile {
  static let magic: [UInt8] = [0x76, 0x2f, 0x31, 0x01]

  let bytes: [UInt8]
  let isMultipart: Bool
  let parts: [EXRHeader]
  /// The place of the offset tables, which follow the headers.
  private let tables: Int

  /// Reads the headers; they have windows and chunks within `EXRHeader`'s limits.
  init(_ bytes: [UInt8]) throws(DecodeError) {
    self.bytes = bytes
    var reader = ByteReader(bytes, place: EXRHeader.place, isLittleEndian: true)
    guard Array(try reader.take(4)) == Self.magic else {
      throw .malformed(where: EXRHeader.place, what: "no OpenEXR file")
    }
    let flags = try EXRFlags(try reader.i32())
    isMultipart = flags.isMultipart
    let most = 16 << 20, head = bytes[..<min(bytes.count, most)]
    reader = ByteReader(head, place: EXRHeader.place, isLittleEndian: true)
    try reader.skip(8)
    var parts: [EXRHeader] = [], attributes = 0
    do throws(DecodeError) {
      while true {
        parts.append(try EXRHeader(&reader, flags: flags, attributes: &attributes))
        guard flags.isMultipart else { break }
        // An empty header ends the list.
        var next = reader
        if try next.u8() == 0 {
          reader = next
          break
        }
        guard parts.count < 64 else {
          throw DecodeError.limit(what: "part count of OpenEXR", found: parts.count + 1, allowed: 64)
        }
      }
    } catch {
      if case .truncated = error, bytes.count > most {
        throw .limit(what: "header of OpenEXR", found: most + 1, allowed: most)
      }
      throw error
    }
    self.parts = parts
    tables = reader.position
  }

  // MARK: Chunks

  /// A chunk of the full-size picture, not of a smaller level.
  struct Chunk {
    /// The pixels of the chunk.
    var window: EXRHeader.Window
    /// The column and row of a tile.
    var tileX = 0
    var tileY = 0
    /// The size of the decoded data.
    var byteCount: Int
    /// The place of its data in the file.
    var data = 0..<0
  }

  private func fault(_ what: String) -> DecodeError { .malformed(where: "OpenEXR chunks", what: what) }

  /// Returns the chunks of a part that hold pixels of `area`. Each is checked: it is the one that the table names, lies
  /// inside the file, and is not impossibly small.
  func chunks(of part: Int, in area: EXRHeader.Window) throws(DecodeError) -> [Chunk] {
    let header = parts[part]
    var all = try layout(header)
    let table = try offsets(of: part, count: all.count)
    for index in all.indices where all[index].window.intersection(area) != nil {
      guard let data = data(of: all[index], part: part, at: table[index]) else {
        throw fault("chunk \(index) is not where the table says")
      }
      try check(data, all[index], header.coding, index)
      all[index].data = data
    }
    return all.filter { $0.window.intersection(area) != nil }
  }

  private func check(_ data: Range<Int>, _ chunk: Chunk, _ coding: EXRCoding, _ index: Int) throws(DecodeError) {
    if chunk.byteCount == 0 { return }
    guard !data.isEmpty else { throw fault("chunk \(index) is empty") }
    guard data.count <= chunk.byteCount else { throw fault("chunk \(index) is larger than its pixels") }
    if let growth = coding.maxGrowth, chunk.byteCount / growth > data.count {
      throw fault("\(data.count) bytes of chunk \(index) cannot be \(chunk.byteCount)")
    }
  }

  /// Returns all chunks of the full-size picture, in the table's order, without the places of their data.
  func layout(_ header: EXRHeader) throws(DecodeError) -> [Chunk] {
    let window = header.dataWindow
    let step = header.tiles.map { ($0.width, $0.height) } ?? (window.width, header.coding.rows)
    let columns = (window.width - 1) / step.0 + 1, rows = (window.height - 1) / step.1 + 1
    let count = columns * rows
    guard count <= EXRHeader.maxChunks else {
      throw .limit(what: "chunk count of OpenEXR", found: count, allowed: EXRHeader.maxChunks)
    }
    // Checked before memory is allocated for them: each has an offset of eight bytes.
    guard count <= bytes.count / 8 else { throw .truncated(where: "OpenEXR chunks") }
    var chunks: [Chunk] = []
    chunks.reserveCapacity(count)
    for tileY in 0..<rows {
      for tileX in 0..<columns {
        let x = window.minX + tileX * step.0, y = window.minY + tileY * step.1
        let part = EXRHeader.Window(
          minX: x, minY: y, maxX: min(x + step.0 - 1, window.maxX), maxY: min(y + step.1 - 1, window.maxY))
        let byteCount = EXRRows(header.channels, part).byteCount
        guard byteCount <= EXRHeader.maxChunkBytes else {
          throw .limit(
            what: "bytes of an OpenEXR chunk", found: byteCount, allowed: EXRHeader.maxChunkBytes)
        }
        chunks.append(Chunk(window: part, tileX: tileX, tileY: tileY, byteCount: byteCount))
      }
    }
    return chunks
  }

  /// Returns the number of chunks in a part, smaller levels included.
  func chunkCount(_ header: EXRHeader) -> Int {
    let width = header.dataWindow.width, height = header.dataWindow.height
    guard let tiles = header.tiles else { return (height - 1) / header.coding.rows + 1 }
    func size(_ full: Int, _ level: Int) -> Int {
      max(1, tiles.roundsUp ? (full + (1 << level) - 1) >> level : full >> level)
    }
    func levels(_ full: Int) -> Int {
      var count = 1
      while size(full, count - 1) > 1 { count += 1 }
      return count
    }
    func number(_ x: Int, _ y: Int) -> Int {
      // Windows of parts that are not read have any size; their sums must stay in an Int.
      min(((size(width, x) - 1) / tiles.width + 1) * ((size(height, y) - 1) / tiles.height + 1), 1 << 40)
    }
    switch tiles.levels {
    case 1: return (0..<levels(max(width, height))).reduce(0) { $0 + number($1, $1) }
    case 2:
      return (0..<levels(width)).reduce(0) { sum, x in (0..<levels(height)).reduce(sum) { $0 + number(x, $1) } }
    default: return number(0, 0)
    }
  }

  /// Returns the first `count` offsets of a part's table; a table with holes is rebuilt from the chunks themselves.
  func offsets(of part: Int, count: Int) throws(DecodeError) -> [Int] {
    var start = tables, end = tables
    for (index, header) in parts.enumerated() {
      let computed = chunkCount(header)
      // A single part needs no number, and some writers store a wrong one.
      let number = (isMultipart ? header.chunkCount : nil) ?? computed
      guard number >= 0, number == computed || header.kind.isDeep && index != part else {
        throw fault("\(header.label(index)) states \(number) chunks, and has \(computed)")
      }
      guard number <= (bytes.count - end) / 8 else { throw .truncated(where: "OpenEXR chunk table") }
      if index == part { start = end }
      end += 8 * number
    }
    var reader = ByteReader(bytes[start...], place: "OpenEXR chunk table", isLittleEndian: true), found: [Int] = []
    found.reserveCapacity(count)
    for _ in 0..<count { found.append(Int(truncatingIfNeeded: try reader.unsigned(8))) }
    guard found.contains(0) else { return found }
    return try scanned(part, count: count, from: end)
  }

  /// Finds the offsets of a part's chunks by a walk through the file, for a file whose writer was stopped.
  private func scanned(_ part: Int, count: Int, from start: Int) throws(DecodeError) -> [Int] {
    let header = parts[part], columns = header.tiles.map { (header.dataWindow.width - 1) / $0.width + 1 } ?? 1
    var found = [Int](repeating: 0, count: count), position = start
    while position < bytes.count {
      var reader = ByteReader(bytes[position...], place: "OpenEXR chunks", isLittleEndian: true)
      guard let leader = try? Leader(&reader, parts, isMultipart) else { break }
      let size = leader.size
      guard size >= 0, size <= reader.remaining else { break }
      if leader.part == part, leader.levelX == 0, leader.levelY == 0 {
        let row = header.kind.isTiled ? leader.y : (leader.y - header.dataWindow.minY) / header.coding.rows
        let index = row * columns + leader.x
        if row >= 0, leader.x >= 0, leader.x < columns, row <= count, index < count { found[index] = position }
      }
      position = reader.position + size
    }
    guard !found.contains(0) else { throw .truncated(where: "OpenEXR chunks") }
    return found
  }

  /// The fields before a chunk's data.
  struct Leader {
    var part = 0
    /// The column and row of a tile; for scan lines, y is the first row.
    var x = 0, y: Int
    var levelX = 0, levelY = 0
    var size: Int
    /// The stored bytes of the numbers of a deep chunk's samples, and the bytes of its decoded samples.
    var countBytes = 0, sampleBytes = 0

    init(_ reader: inout ByteReader, _ parts: [EXRHeader], _ isMultipart: Bool) throws(DecodeError) {
      if isMultipart { part = try reader.i32() }
      guard parts.indices.contains(part) else { throw .malformed(where: reader.place, what: "chunk of no part") }
      if parts[part].kind.isTiled {
        x = try reader.i32()
        y = try reader.i32()
        levelX = try reader.i32()
        levelY = try reader.i32()
      } else {
        y = try reader.i32()
      }
      if parts[part].kind.isDeep {
        var sizes: [Int] = []
        for _ in 0..<3 { sizes.append(Int(truncatingIfNeeded: try reader.unsigned(8))) }
        guard sizes.allSatisfy({ 0...1 << 48 ~= $0 }) else {
          throw .malformed(where: reader.place, what: "a deep chunk of \(sizes[0]) and \(sizes[1]) bytes")
        }
        (size, countBytes, sampleBytes) = (sizes[0] + sizes[1], sizes[0], sizes[2])
      } else {
        size = try reader.i32()
      }
    }
  }

  /// Returns the place of a chunk's data; `nil`: there is another chunk, or the file ends too early.
  private func data(of chunk: Chunk, part: Int, at offset: Int) -> Range<Int>? {
    leader(of: chunk, part: part, at: offset).map { $0.start..<$0.start + $0.leader.size }
  }

  /// Returns the fields before a chunk's data, and the start of the data; `nil` as above.
  func leader(of chunk: Chunk, part: Int, at offset: Int) -> (leader: Leader, start: Int)? {
    guard offset >= tables, offset < bytes.count else { return nil }
    var reader = ByteReader(bytes[offset...], place: "OpenEXR chunk", isLittleEndian: true)
    guard let leader = try? Leader(&reader, parts, isMultipart), leader.part == part, leader.levelX == 0,
      leader.levelY == 0, leader.size >= 0, leader.size <= reader.remaining
    else { return nil }
    let isIt =
      parts[part].kind.isTiled
      ? leader.x == chunk.tileX && leader.y == chunk.tileY : leader.y == chunk.window.minY
    return isIt ? (leader, reader.position) : nil
  }
}

/// The layout of a chunk's decoded bytes: row by row, in each row all channels, in each channel its samples.
struct EXRRows {
  let window: EXRHeader.Window
  private let channels: [EXRHeader.Channel]
  /// The bytes of each channel in a row that has samples of it.
  private let rowBytes: [Int]

  init(_ channels: [EXRHeader.Channel], _ window: EXRHeader.Window) {
    self.channels = channels
    self.window = window
    rowBytes = channels.map { Self.count(window.minX, window.maxX, $0.xSampling) * $0.type.bytes }
  }

  /// Returns the number of multiples of `step` from `first` to `last`.
  static func count(_ first: Int, _ last: Int, _ step: Int) -> Int {
    if step == 1 { return last - first + 1 }
    func floor(_ a: Int) -> Int { a >= 0 ? a / step : -((step - 1 - a) / step) }
    return floor(last) - floor(first - 1)
  }

  var byteCount: Int { [2, 4].reduce(0) { $0 + byteCount(ofSamplesOf: $1) } }

  /// Returns the bytes of all channels whose samples have so many bytes.
  func byteCount(ofSamplesOf bytes: Int) -> Int {
    zip(channels, rowBytes).reduce(0) { sum, channel in
      guard channel.0.type.bytes == bytes else { return sum }
      return sum + channel.1 * Self.count(window.minY, window.maxY, channel.0.ySampling)
    }
  }

  /// Calls `body` with the type, offset and number of each channel's samples in each row, in the order of the layout.
  func forEachRun(_ body: (_ type: EXRHeader.SampleType, _ offset: Int, _ count: Int) -> Void) {
    var offset = 0
    for y in window.minY...window.maxY {
      for (index, channel) in channels.enumerated() where channel.ySampling == 1 || y % channel.ySampling == 0 {
        body(channel.type, offset, rowBytes[index] / channel.type.bytes)
        offset += rowBytes[index]
      }
    }
  }

  /// Calls `body` with each row's number and the offsets of the wanted channels' samples in the chunk; -1 for channels
  /// without samples in the row.
  func forEachRow(of wanted: [Int], _ body: (_ y: Int, _ offsets: UnsafeBufferPointer<Int>) -> Void) {
    var slots = [Int](repeating: -1, count: channels.count), offsets = [Int](repeating: -1, count: wanted.count)
    for (slot, channel) in wanted.enumerated() { slots[channel] = slot }
    var offset = 0
    for y in window.minY...window.maxY {
      for index in wanted.indices { offsets[index] = -1 }
      for (index, channel) in channels.enumerated() where channel.ySampling == 1 || y % channel.ySampling == 0 {
        if slots[index] >= 0 { offsets[slots[index]] = offset }
        offset += rowBytes[index]
      }
      offsets.withUnsafeBufferPointer { body(y, $0) }
    }
  }
}
