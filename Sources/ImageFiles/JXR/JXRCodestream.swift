import FileParts
import HDRCore

/// The head of a JPEG XR code stream: what the library takes its sizes from, checked before the library sees it. Source:
/// ITU-T T.832 clauses 8.3 and 8.4.
struct JXRCodestream: Sendable, Hashable {
  private(set) var width = 0
  private(set) var height = 0
  /// The codes of colours and depth.
  private(set) var colors = 0
  private(set) var depth = 0
  /// True if alpha is coded beside the colours of each macroblock.
  private(set) var hasAlpha = false
  /// The colours inside: 0 is luma alone, 1 to 3 luma and two more, in three sizes.
  private(set) var inner = 0

  private static let signature = Array("WMPHOTO\0".utf8)
  /// The most tiles on each axis that the head can state.
  static let maxTiles = 4096

  /// Reads a head.
  ///
  /// - Parameter place: the code stream's name for errors.
  init(_ bytes: ArraySlice<UInt8>, place: String) throws(DecodeError) {
    guard bytes.starts(with: Self.signature) else {
      throw .malformed(where: place, what: "it does not begin with WMPHOTO")
    }
    // 4096 tiles of 16 bits on both axes, and what stands before and after them.
    var bits = BitReader(Array(bytes.dropFirst(8).prefix(4 * Self.maxTiles + 64)), place: place)
    let version = try bits.bits(4), subversion = try bits.bits(4)
    guard version == 1, [0, 1, 9].contains(subversion) else {
      throw .unsupported(feature: "this version of JPEG XR", found: "\(version).\(subversion)")
    }
    let isTiled = try bits.bit(), isByFrequency = try bits.bit()
    try bits.skip(3)
    let hasIndex = try bits.bit()
    guard try bits.bits(2) != 3 else { throw .malformed(where: place, what: "an overlap that there is not") }
    let isShort = try bits.bit()
    try bits.skip(1)
    let isWindowed = try bits.bit()
    try bits.skip(1)
    let isStretched = try bits.bit()
    try bits.skip(2)
    hasAlpha = try bits.bit()
    (colors, depth) = (try bits.bits(4), try bits.bits(4))
    (width, height) = (try bits.bits(isShort ? 16 : 32) + 1, try bits.bits(isShort ? 16 : 32) + 1)
    guard hasIndex || !isTiled && !isByFrequency else {
      throw .malformed(where: place, what: "tiles or frequencies without an index")
    }
    guard !isStretched else { throw .unsupported(feature: "JPEG XR with stretched tiles", found: place) }
    if isTiled {
      let columns = try bits.bits(12), rows = try bits.bits(12)
      try Self.tiles(columns, of: width, isShort, &bits, place)
      try Self.tiles(rows, of: height, isShort, &bits, place)
    }
    if isWindowed { try window(&bits, place) }
    // The head of the plane of colours begins at the next byte.
    try bits.skip(bits.remaining % 8)
    inner = try bits.bits(3)
  }

  /// Reads the sizes of all tiles but the last on an axis, in macroblocks of 16 pixels.
  private static func tiles(
    _ count: Int, of side: Int, _ isShort: Bool, _ bits: inout BitReader, _ place: String
  ) throws(DecodeError) {
    let blocks = (side + 15) / 16
    var used = 0
    for _ in 0..<count {
      let size = try bits.bits(isShort ? 8 : 16)
      used += size
      guard size > 0, used < blocks else { throw .malformed(where: place, what: "tiles that do not fit the picture") }
    }
  }

  /// Reads the pixels around the picture, of a code stream that was cut out of another.
  private func window(_ bits: inout BitReader, _ place: String) throws(DecodeError) {
    let top = try bits.bits(6), left = try bits.bits(6), bottom = try bits.bits(6), right = try bits.bits(6)
    guard (width + left + right) % 16 == 0, (height + top + bottom) % 16 == 0 else {
      throw .malformed(where: place, what: "a window that is not whole macroblocks")
    }
  }
}
