import HDRCore

/// The index of a multi-picture file: CIPA DC-007, in an APP2 segment "MPF\0".
package struct MultiPicture {
  static let maxPictures = 16

  package struct Picture: Sendable, Hashable {
    package var attribute: Int
    package var size: Int
    /// In the file. The first picture is the file itself.
    package var position: Int
  }

  package private(set) var pictures: [Picture] = []

  /// Reads a TIFF block whose first byte is at `origin` of the file; offsets count from there.
  ///
  /// Sizes are reported and not trusted: real files have stale ones. More than 16 pictures are cut with a warning.
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
