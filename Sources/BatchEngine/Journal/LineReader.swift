import Glibc

/// Divides bytes that come in parts into lines.
struct LineReader {
  private let maxBytes: Int
  /// The beginning of a line whose end has not come.
  private var open: [UInt8] = []
  /// The bytes that have come of a line that is too long.
  private var skipped = 0

  init(maxBytes: Int) { self.maxBytes = maxBytes }

  /// Bytes after the last whole line.
  var rest: Int { open.count + skipped }

  /// Calls `body` with every line that ends in these bytes, without its newline, `nil` for one that is too long, until it
  /// returns `false`.
  ///
  /// - Returns: `false` if it did.
  mutating func take(_ bytes: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>?) -> Bool) -> Bool {
    var at = 0
    while at < bytes.count {
      let start = bytes.baseAddress! + at
      let end = memchr(start, 0x0A, bytes.count - at).map { start.distance(to: $0.assumingMemoryBound(to: UInt8.self)) }
      let part = UnsafeBufferPointer(start: start, count: end ?? bytes.count - at)
      if skipped > 0 || open.count + part.count > maxBytes {
        skipped += open.count + part.count
        open = []
      } else if end == nil || !open.isEmpty {
        open += part
      }
      at += part.count
      guard end != nil else { break }
      at += 1
      let continues: Bool
      if skipped > 0 {
        continues = body(nil)
      } else if open.isEmpty {
        continues = body(part)
      } else {
        continues = open.withUnsafeBufferPointer(body)
      }
      (open, skipped) = ([], 0)
      if !continues { return false }
    }
    return true
  }
}
