import FileParts
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
    guard let tiff = TIFFBytes(tiff) else { throw .malformed(where: "MPF", what: "no TIFF header") }
    func number(_ at: Int, _ count: Int) throws(DecodeError) -> Int {
      guard let number = tiff.number(at, count) else { throw .truncated(where: "MPF") }
      return number
    }
    let directory = try number(4, 4)
    var result: [Picture] = []
    // Damage after the list of pictures does not matter.
    for index in 0..<(try number(directory, 2)) {
      let position = directory + 2 + 12 * index
      guard try number(position, 2) == 0xB002 else { continue }
      guard let entry = tiff.entries(1, at: position)?.first else { throw .truncated(where: "MPF") }
      let found = entry.count / 16, offset = try number(entry.field, 4)
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
    // Attribute, size, offset, dependent pictures: baseline primary, then undefined type, as other writers do.
    let pictures = [0x030000, primarySize, 0, 0, 0, mapSize, primarySize - headerPosition, 0]
    let index = TIFFDirectoryBytes(
      [
        TIFFValue(0xB000, Array("0100".utf8)), TIFFValue(0xB001, longs: [2], isLittleEndian: false),
        TIFFValue(0xB002, pictures.flatMap { TIFFValue.bytes($0, 4, false) }),
      ], isLittleEndian: false)
    var segment = ByteSink(reserving: segmentCount)
    segment.u16(0xFFE2)
    segment.u16(segmentCount - 2)
    segment.ascii(JPEGIdentifier.multiPicture)
    segment.append(TIFFBytes.header(isLittleEndian: false) + index.bytes(at: 8))
    return segment.bytes
  }
}
