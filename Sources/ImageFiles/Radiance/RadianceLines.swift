import HDRCore

/// A reader of the scan lines of a Radiance picture, one after another: pixels as they are, with runs of pixels, or as
/// four planes with runs. A file may mix them.
struct RadianceLines {
  private let bytes: [UInt8]
  private let width: Int
  private var position: Int
  private var number = 0

  /// The widths of lines of planes.
  static let planeWidths = 8...32_767

  init(_ bytes: [UInt8], from start: Int, width: Int) {
    (self.bytes, self.width, position) = (bytes, width, start)
  }

  /// The number of bytes behind the lines that were read.
  var remaining: Int { bytes.count - position }

  /// Reads the next line as words R, G, B, E: four bytes a pixel.
  mutating func next(into line: inout [UInt8]) throws(DecodeError) {
    let head = bytes[position...].prefix(4)
    let isPlanes = Self.planeWidths.contains(width) && head.starts(with: [2, 2]) && head.count == 4
    if isPlanes, bytes[position + 2] < 128 {
      guard Int(bytes[position + 2]) << 8 | Int(bytes[position + 3]) == width else {
        throw fault("it is of another width than the picture")
      }
      position += 4
      for plane in 0..<4 { try self.plane(plane, into: &line) }
    } else {
      try pixels(into: &line)
    }
    number += 1
  }

  private mutating func plane(_ plane: Int, into line: inout [UInt8]) throws(DecodeError) {
    var x = 0
    while x < width {
      let code = Int(try byte()), isRun = code > 128, count = isRun ? code - 128 : code
      guard count > 0, count <= width - x else { throw fault("a run of \(count) pixels does not fit") }
      if isRun {
        let value = try byte()
        for index in x..<x + count { line[4 * index + plane] = value }
      } else {
        guard count <= bytes.count - position else { throw truncated }
        for index in 0..<count { line[4 * (x + index) + plane] = bytes[position + index] }
        position += count
      }
      x += count
    }
  }

  private mutating func pixels(into line: inout [UInt8]) throws(DecodeError) {
    var x = 0, markers = 0
    while x < width {
      guard bytes.count - position >= 4 else { throw truncated }
      defer { position += 4 }
      guard bytes[position] == 1, bytes[position + 1] == 1, bytes[position + 2] == 1 else {
        for index in 0..<4 { line[4 * x + index] = bytes[position + index] }
        (x, markers) = (x + 1, 0)
        continue
      }
      // Each further marker counts 256 times as much.
      guard x > 0, markers <= 3 else {
        throw fault(x == 0 ? "it begins with a repetition" : "a repetition is too long")
      }
      let count = Int(bytes[position + 3]) << (8 * markers)
      guard count <= width - x else { throw fault("a repetition of \(count) pixels does not fit") }
      for index in x..<x + count { for part in 0..<4 { line[4 * index + part] = line[4 * (x - 1) + part] } }
      (x, markers) = (x + count, markers + 1)
    }
  }

  private mutating func byte() throws(DecodeError) -> UInt8 {
    guard position < bytes.count else { throw truncated }
    defer { position += 1 }
    return bytes[position]
  }

  private var place: String { "Radiance scan line \(number + 1)" }
  private var truncated: DecodeError { .truncated(where: place) }
  private func fault(_ what: String) -> DecodeError { .malformed(where: place, what: what) }
}
