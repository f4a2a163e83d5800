/// Cuts the bytes of a client into lines, within bounds.
package struct LineSplitter: Sendable {
  package enum Piece: Sendable, Equatable {
    /// A line without its end.
    case line([UInt8])
    /// A line of more than `Request.maxLine` bytes, whose bytes are skipped.
    case tooLong
  }

  /// The most bytes that are skipped of a line; a client that sends more is not read any more.
  package static let maxSkipped = 16 << 20

  private var begun: [UInt8] = []
  /// The bytes of a line that is too long; 0: it is not.
  private var skipped = 0

  package init() {}

  /// True if a line has no end within all bounds.
  package var isEndless: Bool { skipped > Self.maxSkipped }

  /// Adds bytes, and returns what ends in them.
  package mutating func add(_ bytes: some Collection<UInt8>) -> [Piece] {
    var pieces: [Piece] = []
    var rest = bytes[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      if let piece = close(rest[..<end]) { pieces.append(piece) }
      rest = rest[rest.index(after: end)...]
    }
    if skipped > 0 {
      skipped += rest.count
    } else if begun.count + rest.count >= Request.maxLine {
      pieces.append(.tooLong)
      skipped = begun.count + rest.count
      begun = []
    } else {
      begun += rest
    }
    return pieces
  }

  /// Ends a line; `nil` for the end of one that was skipped, and for an empty one.
  private mutating func close(_ rest: some Collection<UInt8>) -> Piece? {
    defer { (begun, skipped) = ([], 0) }
    guard skipped == 0 else { return nil }
    guard begun.count + rest.count < Request.maxLine else { return .tooLong }
    let line = begun + rest
    return line.isEmpty ? nil : .line(line)
  }
}
