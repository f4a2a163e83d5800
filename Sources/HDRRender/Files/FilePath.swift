import PlainData

/// A path in the kernel's form: bytes without a zero, in any encoding.
///
/// Names on Linux need not be UTF-8. Files are opened by `bytes`; messages and records use `display`.
public struct FilePath: Sendable, Hashable, Comparable {
  public let bytes: [UInt8]

  public init(bytes: [UInt8]) { self.bytes = bytes }
  public init(_ text: String) { bytes = Array(text.utf8) }

  /// Compares by bytes, so that the order of a batch depends on no locale.
  public static func < (a: FilePath, b: FilePath) -> Bool { a.bytes.lexicographicallyPrecedes(b.bytes) }

  /// The path as text; `nil` if it is not UTF-8.
  package var text: String? { String(validating: bytes, as: UTF8.self) }

  /// The text for messages: control characters and bytes that are not UTF-8 become `\xHH`, so that a name can neither
  /// end a line nor start one.
  package var display: String { printable(bytes) }

  package var isAbsolute: Bool { bytes.first == UInt8(ascii: "/") }

  /// The last component; empty for "/" and "".
  package var name: [UInt8] {
    let trimmed = withoutTrailingSlashes
    guard let slash = trimmed.lastIndex(of: UInt8(ascii: "/")) else { return Array(trimmed) }
    return Array(trimmed[(slash + 1)...])
  }

  /// The path before the last component; "." if it is empty.
  package var parent: FilePath {
    let trimmed = withoutTrailingSlashes
    guard let slash = trimmed.lastIndex(of: UInt8(ascii: "/")) else { return FilePath(".") }
    return slash == trimmed.startIndex ? FilePath("/") : FilePath(bytes: Array(trimmed[..<slash]))
  }

  /// Returns `self/component`.
  package func appending(_ component: some Collection<UInt8>) -> FilePath {
    if bytes.isEmpty || bytes == [UInt8(ascii: ".")] { return FilePath(bytes: Array(component)) }
    let separator: [UInt8] = bytes.last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]
    return FilePath(bytes: bytes + separator + component)
  }

  package func appending(_ component: String) -> FilePath { appending(component.utf8) }

  private var withoutTrailingSlashes: ArraySlice<UInt8> {
    var slice = bytes[...]
    while slice.count > 1, slice.last == UInt8(ascii: "/") { slice.removeLast() }
    return slice
  }

  /// Runs `body` with the path as a C string.
  package func withCString<R>(_ body: (UnsafePointer<CChar>) -> R) -> R {
    (bytes + [0]).withUnsafeBufferPointer { buffer in
      buffer.withMemoryRebound(to: CChar.self) { body($0.baseAddress!) }
    }
  }
}
