import FileParts
import HDRCore

/// The header of a YUV4MPEG2 stream (mjpegtools' yuv4mpeg(5); words for deeper samples and `XCOLORRANGE` are ffmpeg's).
package struct Y4M: Sendable, Hashable {
  package var layout: RawLayout
  /// The range and siting if the header states them; it never states primaries, transfer and matrix.
  package var fullRange: Bool?
  package var siting: ChromaSiting?
  /// The number of frames per second; `nil`: not stated.
  package var rate: (numerator: Int, denominator: Int)? { rateParts.count == 2 ? (rateParts[0], rateParts[1]) : nil }
  private var rateParts: [Int] = []

  package init(_ layout: RawLayout, fullRange: Bool?, rate: (numerator: Int, denominator: Int)? = nil) {
    self.layout = layout
    self.fullRange = fullRange
    rateParts = rate.map { [$0.numerator, $0.denominator] } ?? []
  }

  package static let magic = Array("YUV4MPEG2".utf8), frame = Array("FRAME".utf8)
  /// The longest line that is read.
  package static let maxLine = 1024

  /// Returns a line of a header and the offset after it; `nil`: it does not end within `maxLine` bytes.
  package static func line(_ bytes: ArraySlice<UInt8>) -> (line: ArraySlice<UInt8>, rest: Int)? {
    guard let end = bytes.prefix(maxLine).firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    return (bytes[bytes.startIndex..<end], end + 1)
  }

  /// Reads the start of a file of one frame.
  ///
  /// - Parameter byteCount: the size of the file.
  /// - Returns: the header, and the offset of the samples.
  static func frame(
    of bytes: ArraySlice<UInt8>, byteCount: Int
  ) throws(DecodeError) -> (header: Y4M, start: Int) {
    guard let (line, rest) = line(bytes) else { throw .truncated(where: "Y4M header") }
    let header = try Y4M(parsing: line)
    guard let (frame, start) = Self.line(bytes[rest...]) else { throw .truncated(where: "Y4M frame") }
    guard frame.starts(with: Self.frame) else {
      throw .malformed(where: "Y4M frame", what: "does not begin with FRAME")
    }
    try RawPicture.checkSize(byteCount - start, header.layout, place: "Y4M frame")
    return (header, start)
  }

  /// Parses a header.
  ///
  /// - Parameter line: the first line, without its end.
  package init(parsing line: ArraySlice<UInt8>) throws(DecodeError) {
    func fault(_ what: String) -> DecodeError { .malformed(where: "Y4M header", what: what) }
    var words = line.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
    guard words.first.map({ Array($0.utf8) }) == Self.magic else { throw fault("does not begin with YUV4MPEG2") }
    words.removeFirst()
    var width: Int?, height: Int?, format = RawFormat.named("yuv420p"), siting: ChromaSiting?, rate: [Int] = []
    for word in words {
      let rest = String(word.dropFirst())
      switch word.first {
      case "W": width = Int(rest)
      case "H": height = Int(rest)
      case "F":
        let parts = rest.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        if parts.count == 2, parts.allSatisfy({ (1...1 << 30).contains($0) }) { rate = parts }
      case "I":
        guard rest == "p" || rest == "?" else { throw .unsupported(feature: "interlaced Y4M", found: word) }
      case "C":
        (format, siting) = Self.format(rest)
        if format == nil { throw .unsupported(feature: "Y4M chroma", found: word) }
      case "X":
        if rest == "COLORRANGE=FULL" { fullRange = true }
        if rest == "COLORRANGE=LIMITED" { fullRange = false }
      default: break
      }
    }
    guard let width, let height, let format else { throw fault("has no size W and H") }
    layout = RawLayout(format, width: width, height: height)
    if let wrong = layout.fault { throw fault(wrong) }
    self.siting = siting
    rateParts = rate
  }

  private static func format(_ word: String) -> (RawFormat?, ChromaSiting?) {
    switch word {
    case "420jpeg", "420": (RawFormat.named("yuv420p"), .center)
    case "420mpeg2": (RawFormat.named("yuv420p"), .left)
    default: (RawFormat.allCases.first { $0.y4m == word }, nil)
    }
  }

  /// The header as a line, with its end.
  package var text: String {
    let format = layout.format
    let rate = rate ?? (25, 1)
    let isSmall = format.sample == .uint16 && format.model == .ycc
    return
      "YUV4MPEG2 W\(layout.width) H\(layout.height) F\(rate.numerator):\(rate.denominator) Ip A0:0 C\(format.y4m ?? "")"
      + (isSmall ? " XYSCSS=\(format.name.dropFirst(3).uppercased())" : "")
      + (fullRange.map { " XCOLORRANGE=\($0 ? "FULL" : "LIMITED")" } ?? "") + "\n"
  }

  /// Returns the description of the samples: the header's values, completed by the caller's.
  package func description(with known: RawDescription?) -> RawDescription {
    var description = known ?? RawDescription()
    description.layout = layout
    description.fullRange = fullRange ?? description.fullRange
    description.siting = description.siting ?? siting
    return description
  }
}

/// Reads a Y4M file of one frame.
enum Y4MDecoder: ImageDecoder {
  static let name = "y4m"
  static let formats = ["Y4M"]
  static let extensions = ["y4m"]
  static let libraries: RunTimeLibraries = []
  static let takesCodePoints = true
  static let takesChromaSiting = true

  static func recognizes(_ head: ArraySlice<UInt8>) -> Bool { head.starts(with: Y4M.magic) }

  static func decode(
    _ bytes: [UInt8], request: DecodeRequest, limits: DecodeLimits
  ) throws(DecodeError) -> SourceImage {
    let (header, start) = try Y4M.frame(of: bytes[...], byteCount: bytes.count)
    let buffer = request == .pixels ? RawPicture.buffer(bytes[start...]) : nil
    return try RawPicture.source(
      buffer, header.layout, header.description(with: limits.reading.raw), limits: limits, format: .y4m)
  }
}
