import FileParts
import Glibc
import HDRCore

/// The markers of one JPEG stream, from its SOI to its EOI, without pixels.
///
/// Size, components and the number of scans, which decide a decoder's memory, are read here first. Positions are
/// absolute in the file. Source: ITU-T T.81 annex B; limits of docs/isolation.md#limits.
struct JPEGStructure {
  static let maxSegments = 4096
  static let maxScans = 100

  struct Component: Hashable {
    var identifier: Int
    var horizontal: Int
    var vertical: Int
    /// The number of its table of quantisers.
    var quantisers: Int
  }

  /// The position of SOI.
  var start: Int
  /// The position after EOI, or the end of the data when EOI is missing.
  var end: Int
  var hasEnd = false
  /// The second byte of the SOF marker: 0xC0 baseline, 0xC2 progressive, ...
  var frameMarker: UInt8 = 0
  var precision = 0
  var width = 0
  var height = 0
  var components: [Component] = []
  var scans = 0
  /// The position of the frame header's size: height, then width, 16 bits each.
  var sizePosition = 0
  /// The position of the first scan's entropy-coded data.
  var firstData = 0
  /// The payloads of tables (DQT, DHT, DRI) before the first scan, in order.
  var tables: [(marker: UInt8, payload: Range<Int>)] = []
  /// The payload of the first scan's header.
  var scanHeader = 0..<0
  /// The payloads of APP0 to APP15, in order, after their length.
  var applications: [(marker: UInt8, payload: Range<Int>)] = []
  /// The payloads of comments.
  var comments: [Range<Int>] = []
  /// The colour transform of an Adobe segment.
  var adobeTransform: Int?
  var hasJFIF = false

  private var segments = 0

  /// Reads the stream that begins at `start`. Truncation after the frame header is not an error here: see `hasEnd`.
  init(_ bytes: [UInt8], at start: Int) throws(DecodeError) {
    self.start = start
    end = bytes.count
    guard start >= 0, bytes.count - start >= 4, bytes[start] == 0xFF, bytes[start + 1] == 0xD8 else {
      throw .malformed(where: "JPEG", what: "no start of image")
    }
    var at = start + 2
    while true {
      guard let marker = try Self.nextMarker(bytes, &at) else {
        if width == 0 { throw .truncated(where: "JPEG header") }
        return
      }
      if marker == 0xD9 {
        guard scans > 0 else { throw .malformed(where: "JPEG", what: "end of image before any scan") }
        end = at
        hasEnd = true
        return
      }
      segments += 1
      guard segments <= Self.maxSegments else {
        throw .limit(what: "JPEG segment count", found: segments, allowed: Self.maxSegments)
      }
      guard bytes.count - at >= 2 else {
        if scans > 0 { return }
        throw .truncated(where: "JPEG segment")
      }
      let length = Int(bytes[at]) << 8 | Int(bytes[at + 1])
      guard length >= 2 else { throw .malformed(where: "JPEG segment", what: "length \(length)") }
      guard bytes.count - at >= length else {
        if scans > 0 { return }
        throw .truncated(where: "JPEG segment")
      }
      let payload = at + 2..<at + length
      at += length
      try read(marker, payload, bytes)
      if marker == 0xDA { Self.skipEntropy(bytes, &at) }
    }
  }

  private mutating func read(_ marker: UInt8, _ payload: Range<Int>, _ bytes: [UInt8]) throws(DecodeError) {
    switch marker {
    case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF: try readFrame(marker, payload, bytes)
    case 0xDA:
      guard width > 0 else { throw .malformed(where: "JPEG", what: "scan before the frame header") }
      if scans == 0 { (scanHeader, firstData) = (payload, payload.upperBound) }
      scans += 1
      guard scans <= Self.maxScans else {
        throw .limit(what: "JPEG scan count", found: scans, allowed: Self.maxScans)
      }
    case 0xC4, 0xDB, 0xDD: if scans == 0 { tables.append((marker, payload)) }
    case 0xDC: throw .unsupported(feature: "JPEG with its height after the scan", found: "DNL")
    case 0xE0...0xEF:
      applications.append((marker, payload))
      if marker == 0xE0, payload.count >= 14, bytes[payload].starts(with: "JFIF\0".utf8) { hasJFIF = true }
      if marker == 0xEE, payload.count >= 12, bytes[payload].starts(with: "Adobe".utf8) {
        adobeTransform = Int(bytes[payload.lowerBound + 11])
      }
    case 0xFE: comments.append(payload)
    case 0xD8: throw .malformed(where: "JPEG", what: "a second start of image inside the first")
    default: break
    }
  }

  private mutating func readFrame(_ marker: UInt8, _ payload: Range<Int>, _ bytes: [UInt8]) throws(DecodeError) {
    guard width == 0 else { throw .malformed(where: "JPEG", what: "two frame headers") }
    var reader = ByteReader(bytes[payload], place: "JPEG frame header")
    frameMarker = marker
    precision = Int(try reader.u8())
    sizePosition = payload.lowerBound + 1
    height = try reader.u16()
    width = try reader.u16()
    let count = Int(try reader.u8())
    guard width > 0, height > 0 else {
      throw .malformed(where: "JPEG frame header", what: "picture size is \(width)x\(height)")
    }
    guard (1...4).contains(count) else { throw .malformed(where: "JPEG frame header", what: "\(count) components") }
    for _ in 0..<count {
      let identifier = Int(try reader.u8()), factors = Int(try reader.u8()), quantisers = Int(try reader.u8())
      guard (1...4).contains(factors >> 4), (1...4).contains(factors & 15) else {
        throw .malformed(where: "JPEG frame header", what: "sampling factors \(factors >> 4)x\(factors & 15)")
      }
      components.append(
        Component(
          identifier: identifier, horizontal: factors >> 4, vertical: factors & 15, quantisers: quantisers))
    }
  }

  /// Moves `at` past the next marker and returns its second byte; `nil` at the end of the data.
  private static func nextMarker(_ bytes: [UInt8], _ at: inout Int) throws(DecodeError) -> UInt8? {
    guard at < bytes.count else { return nil }
    guard bytes[at] == 0xFF else { throw .malformed(where: "JPEG", what: "a segment does not begin with a marker") }
    while at < bytes.count, bytes[at] == 0xFF { at += 1 }
    guard at < bytes.count else { return nil }
    at += 1
    let marker = bytes[at - 1]
    guard marker != 0, marker != 1, !(0xD0...0xD7).contains(marker) else {
      throw .malformed(where: "JPEG", what: "marker \(marker) outside a scan")
    }
    return marker
  }

  /// Skips entropy-coded data up to the first marker that is neither stuffing nor a restart.
  private static func skipEntropy(_ bytes: [UInt8], _ at: inout Int) {
    bytes.withUnsafeBytes { raw in
      guard let base = raw.baseAddress else { return }
      while at < raw.count {
        guard let found = memchr(base + at, 0xFF, raw.count - at) else {
          at = raw.count
          return
        }
        at = UnsafeRawPointer(found) - base
        guard at + 1 < raw.count else { return }
        let next = raw[at + 1]
        if next == 0 || (0xD0...0xD7).contains(next) {
          at += 2
        } else if next == 0xFF {
          at += 1
        } else {
          return
        }
      }
    }
  }
}

extension JPEGStructure {
  /// Returns the payloads of a marker that begin with `identifier`, without it.
  func payloads(_ marker: UInt8, _ identifier: String, in bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    applications.compactMap {
      guard $0.marker == marker, bytes[$0.payload].starts(with: identifier.utf8) else { return nil }
      return bytes[$0.payload].dropFirst(identifier.utf8.count)
    }
  }
}
