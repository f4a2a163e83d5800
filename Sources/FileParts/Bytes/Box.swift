import HDRCore

/// A four-character code: the type of a box, item, property, reference or brand.
package struct FourCC: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  package var rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Makes a code of a literal of four Latin-1 characters.
  package init(stringLiteral text: String) {
    precondition(text.unicodeScalars.count == 4)
    rawValue = text.unicodeScalars.reduce(0) { $0 << 8 | $1.value & 0xFF }
  }

  /// The four bytes, most significant first, as in a file.
  package var bytes: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: rawValue >> (24 - 8 * UInt32($0))) } }

  package var description: String {
    latin1(bytes.map { (0x20..<0x7F).contains($0) ? $0 : UInt8(ascii: "?") })
  }
}

/// The limits on the structure of a file (docs/isolation.md#limits). Nesting needs none: the reader descends only into
/// known boxes, at most four levels.
package enum BoxLimits {
  /// The boxes inside one box, and the top-level boxes.
  package static let children = 10_000
  package static let items = 10_000
  package static let extentsOfItem = 32
  /// The items that all references name, and the entities of all groups; the largest grid has 2^16 tiles. Each query
  /// about a picture reads them all, so this number times the limits below bounds the reader's work.
  package static let targets = 1 << 18
  /// The pictures that are listed.
  package static let pictures = 256
  /// The tone maps and auxiliary pictures of one picture that are read.
  package static let toneMaps = 16
  package static let auxiliaries = 64
  /// The auxiliary pictures of one picture that are tried as its gain map.
  package static let gainMaps = 4
  /// The Exif items, and the XMP items, of one picture that are tried until one is valid.
  package static let metadataItems = 4
  /// The depth of images derived from derived images.
  package static let derivationDepth = 8
  /// The components of an uncompressed picture, padding included; the list of component types has the same limit.
  package static let components = 16
  /// The bytes to which pixels, rows or tiles of an uncompressed picture are padded.
  package static let sampleAlignment = 1 << 20
  /// The parts of an item that are each compressed by themselves.
  package static let compressedUnits = 1 << 18
  /// The coded pictures that are decoded for one file.
  package static let pictureDecodes = 65_536
}

/// A box of ISO/IEC 14496-12: type and payload, nothing interpreted.
package struct Box: Sendable {
  package var type: FourCC
  /// The bytes after the header (and after the extended type of `uuid`).
  package var payload: ArraySlice<UInt8>

  package init(type: FourCC, payload: ArraySlice<UInt8>) {
    self.type = type
    self.payload = payload
  }

  /// Reads a header and takes the payload (ISO/IEC 14496-12 clause 4.2: sizes of 32 bits, 64 bits, or "to the end").
  ///
  /// - Throws: `.truncated` when the box does not fit into `reader`, `.malformed` when it is smaller than its header.
  package init(_ reader: inout ByteReader) throws(DecodeError) {
    let start = reader.position
    let shortSize = try reader.u32()
    type = FourCC(rawValue: UInt32(try reader.u32()))
    var size = UInt64(shortSize)
    if shortSize == 1 { size = try reader.unsigned(8) }
    if type == "uuid" { try reader.skip(16) }
    let header = reader.position - start
    guard shortSize != 0 else {
      payload = try reader.take(reader.remaining)
      return
    }
    guard size >= UInt64(header) else {
      throw .malformed(where: "\(type) box", what: "its size is \(size), less than its header")
    }
    guard size - UInt64(header) <= UInt64(reader.remaining) else { throw .truncated(where: "\(type) box") }
    payload = try reader.take(Int(size) - header)
  }

  /// A reader of the payload that names this box in its errors.
  package var reader: ByteReader { ByteReader(payload, place: "\(type) box") }

  /// Reads the boxes in the payload after `skip` bytes of fields.
  package func children(after skip: Int = 0) throws(DecodeError) -> [Box] {
    var reader = reader
    try reader.skip(skip)
    return try readBoxes(&reader, place: "\(type) box")
  }
}

/// Reads all boxes up to the end of `reader`.
package func readBoxes(_ reader: inout ByteReader, place: String) throws(DecodeError) -> [Box] {
  var boxes: [Box] = []
  while !reader.isAtEnd {
    guard boxes.count < BoxLimits.children else {
      throw .malformed(where: place, what: "more than \(BoxLimits.children) boxes inside")
    }
    boxes.append(try Box(&reader))
  }
  return boxes
}

extension ByteReader {
  /// Reads the version and flags before the fields of a FullBox.
  package mutating func fullBox() throws(DecodeError) -> (version: Int, flags: Int) {
    let word = try u32()
    return (word >> 24, word & 0xFF_FFFF)
  }

  package mutating func code() throws(DecodeError) -> FourCC { FourCC(rawValue: UInt32(try u32())) }

  /// Reads characters up to a zero byte, which is consumed. `nil` when there is none.
  package mutating func cString() throws(DecodeError) -> String? {
    guard let end = bytes[position...].firstIndex(of: 0) else { return nil }
    let text = latin1(try take(end - position))
    try skip(1)
    return text
  }

  /// Reads an item number: 2 bytes in the older version of a box, 4 in the newer.
  package mutating func itemID(wide: Bool) throws(DecodeError) -> Int { wide ? try u32() : try u16() }
}
