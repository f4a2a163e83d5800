import FileParts
import Glibc
import HDRCore

extension JPEGDecoder {
  /// Returns the scan of the stream that begins at `start`, for kernels.
  ///
  /// - Throws: the reason why the library must decode it. Its texts and bits are the truth for all that is odd.
  package static func scan(_ bytes: [UInt8], at start: Int = 0) throws(JPEGRefusal) -> JPEGSourceScan {
    guard let jpeg = try? JPEGStructure(bytes, at: start) else { throw .header }
    return try JPEGScanReader.scan(jpeg, bytes)
  }
}

/// Reads the scan of a stream for kernels: markers and stuffing are taken out here, where untrusted bytes are parsed.
struct JPEGScanReader {
  private let jpeg: JPEGStructure
  private let bytes: [UInt8]
  private var quantisers = [[UInt16]?](repeating: nil, count: 4)
  /// The tables of DC codes by their numbers, then those of AC codes.
  private var codes = [JPEGCodes?](repeating: nil, count: 8)
  private var restartInterval = 0

  static func scan(_ jpeg: JPEGStructure, _ bytes: [UInt8]) throws(JPEGRefusal) -> JPEGSourceScan {
    var reader = JPEGScanReader(jpeg: jpeg, bytes: bytes)
    return try reader.read()
  }

  private init(jpeg: JPEGStructure, bytes: [UInt8]) {
    self.jpeg = jpeg
    self.bytes = bytes
  }

  private mutating func read() throws(JPEGRefusal) -> JPEGSourceScan {
    guard jpeg.frameMarker == 0xC0 || jpeg.frameMarker == 0xC1, jpeg.precision == 8 else { throw .process }
    guard let image = try? describeJPEGSamples(jpeg), image.model != .rgb else { throw .layout }
    guard jpeg.hasEnd, jpeg.scans == 1 else { throw .scans }
    guard jpegHeaderIsSound(jpeg, bytes, image) else { throw .header }
    do throws(DecodeError) {
      for (marker, payload) in jpeg.tables { try readTable(marker, payload) }
    } catch {
      throw .tables
    }
    let tables = try componentTables()
    if tables.count == 3, tables[0].dc == tables[1].dc, tables[0].ac == tables[1].ac { throw .sharedCodes }
    guard jpeg.end - jpeg.firstData <= JPEGSourceScan.mostBytes else { throw .size }
    var scan = JPEGSourceScan(
      width: jpeg.width, height: jpeg.height, chroma: image.chroma, tables: tables, restartInterval: restartInterval,
      starts: [], bytes: 0, words: [])
    try readStream(&scan)
    if scan.fault != nil { throw .restarts }
    return scan
  }

  // MARK: - Tables

  private mutating func readTable(_ marker: UInt8, _ payload: Range<Int>) throws(DecodeError) {
    var reader = ByteReader(bytes[payload], place: "JPEG table")
    switch marker {
    case 0xDD: restartInterval = try reader.u16()
    case 0xDB:
      while reader.remaining > 0 {
        let kind = Int(try reader.u8())
        guard kind & 15 < 4, kind < 32 else { throw .malformed(where: "DQT", what: "table \(kind)") }
        var values: [UInt16] = []
        for _ in 0..<64 { values.append(UInt16(try reader.unsigned(1 + kind >> 4))) }
        quantisers[kind & 15] = values
      }
    default:
      while reader.remaining > 0 {
        let kind = Int(try reader.u8()), counts = Array(try reader.take(16))
        guard kind & 15 < 4, kind < 32 else { throw .malformed(where: "DHT", what: "table \(kind)") }
        let table = JPEGCodes(counts: counts, values: Array(try reader.take(counts.reduce(0) { $0 + Int($1) })))
        guard table.isPossible else { throw .malformed(where: "DHT", what: "too many codes") }
        codes[kind >> 4 * 4 + kind & 15] = table
      }
    }
    guard reader.remaining == 0 else { throw .malformed(where: "JPEG table", what: "bytes left") }
  }

  /// Reads the header of the scan: all components in the frame's order, and all coefficients.
  private func componentTables() throws(JPEGRefusal) -> [JPEGSourceScan.Tables] {
    let header = bytes[jpeg.scanHeader], count = jpeg.components.count
    guard header.count == 4 + 2 * count, header.first == UInt8(count), header.suffix(3) == [0, 63, 0],
      Set(jpeg.components.map(\.identifier)).count == count
    else { throw .header }
    var result: [JPEGSourceScan.Tables] = []
    for (index, component) in jpeg.components.enumerated() {
      let place = header.startIndex + 1 + 2 * index, numbers = Int(header[place + 1])
      guard Int(header[place]) == component.identifier else { throw .header }
      guard component.quantisers < 4, numbers >> 4 < 4, numbers & 15 < 4,
        let quantisers = quantisers[component.quantisers], let dc = codes[numbers >> 4],
        let ac = codes[4 + numbers & 15],
        dc.values.allSatisfy({ $0 < 16 })
      else { throw .tables }
      result.append(JPEGSourceScan.Tables(quantisers: quantisers, dc: dc, ac: ac))
    }
    return result
  }

  // MARK: - Stream

  /// Copies the stream without stuffing and markers.
  private func readStream(_ scan: inout JPEGSourceScan) throws(JPEGRefusal) {
    let end = jpeg.end - 2, capacity = (end - jpeg.firstData + JPEGSourceScan.padding + 7) / 4
    var starts = [0], written = 0, isOdd = false
    scan.words = [UInt32](unsafeUninitializedCapacity: capacity) { words, count in
      let target = UnsafeMutableRawBufferPointer(words)
      bytes.withUnsafeBytes { source in
        var at = jpeg.firstData
        func copy(upTo next: Int) {
          target.baseAddress!.advanced(by: written).copyMemory(from: source.baseAddress! + at, byteCount: next - at)
          written += next - at
        }
        while at < end {
          guard let found = memchr(source.baseAddress! + at, 0xFF, end - at) else {
            copy(upTo: end)
            return
          }
          let next = UnsafeRawPointer(found) - source.baseAddress!
          switch next + 1 < end ? source[next + 1] : 0xFF {
          case 0: copy(upTo: next + 1)
          case UInt8(0xD0 + (starts.count - 1) % 8) where restartInterval > 0:
            copy(upTo: next)
            starts.append(written)
          default:
            isOdd = true
            return
          }
          at = next + 2
        }
      }
      memset(target.baseAddress! + written, 0, target.count - written)
      for index in words.indices { words[index] = UInt32(bigEndian: words[index]) }
      count = capacity
    }
    if isOdd { throw .restarts }
    (scan.starts, scan.bytes) = (starts, written)
  }
}
