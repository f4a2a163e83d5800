import FileParts
import HDRCore
import PlainData

/// The boxes of a JP2, JPX or JPH file, or a bare code stream: what they say of the picture, its colour and metadata. The
/// library sees the code stream alone. Source: ITU-T T.801 annex M, T.800 annex I; T.814 annex D (JPH).
package struct JP2Container {
  /// A description of the colour (`colr`).
  enum Color: Sendable, Hashable {
    case codePoints(CICP)
    case profile([UInt8])
    /// A space by its number: 16 sRGB, 17 grey, 18 sYCC.
    case space(Int)
  }

  /// The kinds of channels (`cdef`).
  enum Channel: Sendable, Hashable {
    case color(Int)
    case alpha(isPremultiplied: Bool)
    case other
  }

  static let place = "JPEG 2000"
  private static let signature: [UInt8] = [0, 0, 0, 12, 0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A]

  /// The metadata of a `uuid` box.
  private enum Block: Hashable {
    case xmp, exif, iptc, resources
  }
  /// The identifiers of metadata: those of Adobe, and of Exif and IPTC also those of other writers.
  private static let identifiers: [String: Block] = [
    "be7acfcb97a942e89c71999491e3afac": .xmp, "0537cdab9d0c4431a72afa561f2a113e": .exif,
    Array("JpgTiffExif->JP2".utf8).hexDigits: .exif, "09a14e97c0b442e0bebf36df6f0ce36f": .iptc,
    "33c7a4d2b81d4723a0baf1a3e097ad38": .iptc, "2c4c0100850440b9a03e562148d6dfeb": .resources,
  ]
  /// The boxes that are read, that say which features a file needs, how large a print is, or nothing.
  private static let known: Set<String> = [
    "jP  ", "ftyp", "rreq", "jp2h", "free", "skip", "ihdr", "bpcc", "colr", "pclr", "cmap", "cdef", "res ",
  ]

  let stream: J2KCodestream
  let codes: ArraySlice<UInt8>
  /// The descriptions of the colour, in the file's order.
  private(set) var colors: [Color] = []
  /// The file says that the components are these channels; `nil` if it does not say.
  private(set) var channels: [Channel]?
  private var blocks: [Block: [UInt8]] = [:]
  var exif: [UInt8]? { blocks[.exif] }
  var xmp: [UInt8]? { blocks[.xmp] }
  /// The image resources; separate IPTC is added if they lack it.
  var photoshop: [UInt8]? { PhotoshopResources.joined(blocks[.resources], iptc: blocks[.iptc]) }
  /// The boxes that nothing reads.
  private(set) var unknown = UnknownParts()
  /// True for a code stream without boxes.
  let isBare: Bool

  /// The profiles in their order.
  var profiles: [[UInt8]] { colors.compactMap { if case .profile(let bytes) = $0 { bytes } else { nil } } }

  /// True for four inks: by the first profile that can be read, else by the number of the space. Code points are of light.
  var isCMYK: Bool {
    let hasCodePoints = colors.contains { if case .codePoints = $0 { true } else { false } }
    let space = profiles.lazy.compactMap { try? ICCProfile($0) }.first?.colorSpace
    return !hasCodePoints && (space.map { $0 == "CMYK" } ?? colors.contains(.space(12)))
  }

  static func recognizes(_ head: ArraySlice<UInt8>) -> Bool {
    head.starts(with: signature) || head.starts(with: J2KCodestream.signature)
  }

  package init(_ bytes: [UInt8], limits: DecodeLimits, warnings: inout [Warning]) throws(DecodeError) {
    isBare = bytes.starts(with: J2KCodestream.signature)
    if isBare {
      codes = bytes[...]
      stream = try J2KCodestream(codes, limits: limits)
      return
    }
    var reader = ByteReader(bytes, place: Self.place)
    let boxes = try readBoxes(&reader, place: Self.place)
    guard let codes = boxes.first(where: { $0.type == "jp2c" })?.payload,
      let header = boxes.first(where: { $0.type == "jp2h" })
    else { throw .malformed(where: Self.place, what: "it has no header or no code stream") }
    self.codes = codes
    let inside = try header.children()
    // Sizes are compared before the code stream's limits are, so that the fault is named.
    try Self.check(inside, codes)
    stream = try J2KCodestream(codes, limits: limits)
    for box in inside where box.type == "colr" { try readColor(box, limits, &warnings) }
    if let definition = inside.first(where: { $0.type == "cdef" }) { try readChannels(definition) }
    for box in boxes where box.type == "uuid" { readIdentified(box, in: bytes, limits, &warnings) }
    listUnknown(boxes + inside)
  }

  /// Lists the boxes that nothing reads; a second code stream is a further picture.
  private mutating func listUnknown(_ boxes: [Box]) {
    var streams = 0
    for box in boxes where box.type != "uuid" && !Self.known.contains("\(box.type)") {
      if box.type == "jp2c" { streams += 1 }
      if box.type != "jp2c" || streams > 1 { unknown.add("\(box.type)", byteCount: box.payload.count) }
    }
    unknown.add(pathsOf: blocks[.resources])
  }

  /// Compares the size in `ihdr` with that of the code stream, and refuses palettes.
  private static func check(_ boxes: [Box], _ codes: ArraySlice<UInt8>) throws(DecodeError) {
    guard let header = boxes.first, header.type == "ihdr" else {
      throw .malformed(where: place, what: "its header does not begin with ihdr")
    }
    var reader = header.reader, size = ByteReader(codes, place: "JPEG 2000 code stream")
    let height = try reader.u32(), width = try reader.u32(), count = try reader.u16()
    try size.skip(8)
    let right = try size.u32(), bottom = try size.u32(), left = try size.u32(), top = try size.u32()
    try size.skip(16)
    guard width == right - left, height == bottom - top, count == (try size.u16()) else {
      throw .malformed(where: place, what: "its boxes state another size than the code stream")
    }
    guard !boxes.contains(where: { $0.type == "pclr" }) else {
      throw .unsupported(feature: "these samples of JPEG 2000", found: "a palette")
    }
  }

  /// Reads `colr`: METH, PREC, APPROX, and what METH says: 1 a number, 2 and 3 a profile, 5 code points.
  private mutating func readColor(
    _ box: Box, _ limits: DecodeLimits, _ warnings: inout [Warning]
  ) throws(DecodeError) {
    var reader = box.reader
    let method = try reader.u8()
    try reader.skip(2)
    switch method {
    case 1: colors.append(.space(try reader.u32()))
    case 2, 3:
      guard reader.remaining <= limits.maxICCBytes else {
        warnings.append(Warning("icc.limit", "the ICC profile of \(reader.remaining) bytes is ignored"))
        return
      }
      colors.append(.profile(Array(try reader.take(reader.remaining))))
    case 5:
      let primaries = try reader.u16(), transfer = try reader.u16(), matrix = try reader.u16()
      let range = try reader.u8()
      guard isSupported(primaries: primaries, transfer: transfer) else {
        warnings.append(
          Warning("jp2.cicp", "code points \(primaries)/\(transfer)/\(matrix) cannot be honoured and are ignored"))
        return
      }
      colors.append(.codePoints(CICP(primaries, transfer, matrix, full: range & 0x80 != 0)))
    default: warnings.append(Warning("jp2.colr", "a colour description of method \(method) is ignored"))
    }
  }

  /// Reads `cdef`: N, and for each the channel, its type and what it belongs to.
  private mutating func readChannels(_ box: Box) throws(DecodeError) {
    var reader = box.reader, found = [Channel](repeating: .other, count: stream.components.count)
    for _ in 0..<(try reader.u16()) {
      let channel = try reader.u16(), type = try reader.u16(), association = try reader.u16()
      guard found.indices.contains(channel) else {
        throw .malformed(where: "cdef box", what: "a channel \(channel), which there is not")
      }
      switch (type, association) {
      case (0, 1...4): found[channel] = .color(association - 1)
      case (1, 0), (2, 0): found[channel] = .alpha(isPremultiplied: type == 2)
      default: break
      }
    }
    channels = found
  }

  /// Takes the metadata of a `uuid` box: of each kind the first.
  private mutating func readIdentified(
    _ box: Box, in bytes: [UInt8], _ limits: DecodeLimits, _ warnings: inout [Warning]
  ) {
    let start = box.payload.startIndex
    guard start >= 16 else { return }
    let identifier = Array(bytes[start - 16..<start]).hexDigits
    guard let block = Self.identifiers[identifier], blocks[block] == nil else {
      return unknown.add("uuid \(identifier.prefix(8))", byteCount: box.payload.count)
    }
    guard box.payload.count <= limits.maxMetadataBytes else {
      warnings.append(Warning("jp2.limit", "metadata of \(box.payload.count) bytes are ignored"))
      return
    }
    blocks[block] = Array(box.payload)
  }
}
