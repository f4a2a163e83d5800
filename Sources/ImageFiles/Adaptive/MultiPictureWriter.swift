/// Writes the index of a two-picture file: CIPA DC-007 clause 5, big-endian, tags ascending, as strict readers require.
extension MultiPicture {
  /// Bytes of the whole APP2 segment, marker included.
  package static let segmentCount = 90
  /// From the marker to the TIFF header, where offsets count from.
  package static let headerOffset = 8

  /// The APP2 segment of a primary with one more picture right behind its EOI.
  ///
  /// It has to be made last: every byte put before or behind it moves one of the numbers
  /// (docs/gain-map-maths.md#containers).
  /// - Parameters:
  ///   - primarySize: bytes of the primary from SOI to EOI, this segment included.
  ///   - headerPosition: of the TIFF header, `headerOffset` bytes behind the marker, in the file.
  ///   - mapSize: bytes of the second picture.
  package static func segment(primarySize: Int, headerPosition: Int, mapSize: Int) -> [UInt8] {
    var segment = ByteSink(reserving: segmentCount)
    segment.u16(0xFFE2)
    segment.u16(segmentCount - 2)
    segment.ascii(JPEGIdentifier.multiPicture)
    segment.ascii("MM")
    segment.u16(42)
    segment.u32(8)
    segment.u16(3)
    func entry(_ tag: Int, type: Int, count: Int) {
      segment.u16(tag)
      segment.u16(type)
      segment.u32(count)
    }
    entry(0xB000, type: 7, count: 4)
    segment.ascii("0100")
    entry(0xB001, type: 4, count: 1)
    segment.u32(2)
    // Two entries of 16 bytes, behind the directory.
    entry(0xB002, type: 7, count: 32)
    segment.u32(50)
    segment.u32(0)
    // Attribute, size, offset, dependent pictures: baseline primary, then undefined type, as other writers have it.
    for (attribute, size, offset) in [(0x030000, primarySize, 0), (0, mapSize, primarySize - headerPosition)] {
      segment.u32(attribute)
      segment.u32(size)
      segment.u32(offset)
      segment.u32(0)
    }
    return segment.bytes
  }
}
