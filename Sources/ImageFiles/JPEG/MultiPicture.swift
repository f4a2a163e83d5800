import HDRCore

/// The index of a multi-picture file: CIPA DC-007, in an APP2 segment "MPF\0".
package struct MultiPicture {
  static let maxPictures = 16

  package struct Picture: Sendable, Hashable {
    package var attribute: Int
    package var size: Int
    /// The position in the file. The first picture is the file itself.
    package var position: Int
  }

  package private(set) var pictures: [Picture] = []

  /// Reads a TIFF block whose first byte is at `origin` of the file; offsets count from there.
  ///
  /// Sizes are reported but not trusted: real files have outdated ones. More than 16 pictures are cut with a warning.
  /// - Returns: `nil` (and `mpf.invalid`) when the index cannot be read.
  package init?(_ tiff: ArraySlice<UInt8>, origin: Int, warnings: inout [Warning]) {
    do throws(DecodeError) {
      pictures = try Self.read(Array(tiff), origin: origin, warnings: &warnings)
    } catch {
      warnings.append(Warning("mpf.invalid", "multi-picture index ignored: \(error)"))
      return nil
    }
  }

  private static func read(
    _ tiff: [UInt8], origin: Int, warnings: inout [Warning]
  ) throws(DecodeError) -> [Picture] {
    let isLittleEndian = tiff.starts(with: [0x49, 0x49, 0x2A, 0])
    guard isLittleEndian || tiff.starts(with: [0x4D, 0x4D, 0, 0x2A]) else {
      throw .malformed(where: "MPF", what: "no TIFF header")
    }
    func number(_ at: Int, _ count: Int) throws(DecodeError) -> Int {
      guard at >= 0, at + count <= tiff.count else { throw .truncated(where: "MPF") }
      var value = 0
      for index in 0..<count { value = value << 8 | Int(tiff[isLittleEndian ? at + count - 1 - index : at + index]) }
      return value
    }
    let directory = try number(4, 4)
    let count = try number(directory, 2)
    var result: [Picture] = []
    for index in 0..<count {
      let entry = directory + 2 + 12 * index
      guard try number(entry, 2) == 0xB002 else { continue }
      let length = try number(entry + 4, 4), offset = try number(entry + 8, 4)
      let found = length / 16
      if found > maxPictures {
        warnings.append(Warning("mpf.limit", "\(found) pictures in the index, the first \(maxPictures) are read"))
      }
      for picture in 0..<min(found, maxPictures) {
        let at = offset + 16 * picture
        let relative = try number(at + 8, 4)
        result.append(
          Picture(
            attribute: try number(at, 4), size: try number(at + 4, 4), position: picture == 0 ? 0 : origin + relative))
      }
      break
    }
    return result
  }
}

/// Writes the index of a two-picture file: CIPA DC-007 clause 5, big-endian, tags ascending, as strict readers require.
extension MultiPicture {
  /// The size of the whole APP2 segment, marker included.
  package static let segmentCount = 90
  /// The distance from the marker to the TIFF header, from which offsets count.
  package static let headerOffset = 8

  /// Makes the APP2 segment of a primary with one more picture directly after its EOI.
  ///
  /// It must be made last: every byte inserted before or after it changes one of the numbers
  /// (docs/gain-map-maths.md#containers).
  /// - Parameters:
  ///   - primarySize: the size of the primary from SOI to EOI, this segment included.
  ///   - headerPosition: the file position of the TIFF header, which is `headerOffset` bytes after the marker.
  ///   - mapSize: the size of the second picture.
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
    // Two entries of 16 bytes, after the directory.
    entry(0xB002, type: 7, count: 32)
    segment.u32(50)
    segment.u32(0)
    // Attribute, size, offset, dependent pictures: baseline primary, then undefined type, as other writers do.
    for (attribute, size, offset) in [(0x030000, primarySize, 0), (0, mapSize, primarySize - headerPosition)] {
      segment.u32(attribute)
      segment.u32(size)
      segment.u32(offset)
      segment.u32(0)
    }
    return segment.bytes
  }
}
