import Glibc
import HDRCore
import HDRRender

/// A text that C reads, for as long as its owner lives.
final class CText: @unchecked Sendable {
  let start: UnsafeMutablePointer<CChar>

  init(_ text: String) { start = CText.copy(text) }

  deinit { free(start) }

  /// Returns a copy that the caller frees.
  static func copy(_ text: String) -> UnsafeMutablePointer<CChar> {
    let bytes = Array(text.utf8)
    let start = UnsafeMutablePointer<CChar>(OpaquePointer(memory(bytes + [0])))
    return start
  }

  /// Returns memory with the bytes, which the caller frees.
  static func memory(_ bytes: [UInt8]) -> UnsafeMutableRawPointer {
    guard let memory = malloc(max(1, bytes.count)) else { fatalError("libhdrbatch: no memory for a text") }
    memory.copyMemory(from: bytes, byteCount: bytes.count)
    return memory
  }

  /// The most bytes of a text that is read: those of a recipe.
  static let most = 1 << 20

  /// Reads a parameter.
  ///
  /// - Throws: `HDRError` `argument`, which names the parameter.
  static func bytes(_ start: UnsafePointer<CChar>?, _ parameter: StaticString) throws(HDRError) -> [UInt8] {
    guard let start else { throw .argument("\(parameter) is NULL") }
    let count = strnlen(start, most + 1)
    guard count <= most else { throw .argument("\(parameter) is longer than \(most) bytes") }
    return Array(UnsafeRawBufferPointer(start: start, count: count))
  }

  static func text(_ start: UnsafePointer<CChar>?, _ parameter: StaticString) throws(HDRError) -> String {
    guard let text = String(validating: try bytes(start, parameter), as: UTF8.self) else {
      throw .argument("\(parameter) is not UTF-8")
    }
    return text
  }

  /// Reads a parameter that may be NULL.
  static func text(
    _ start: UnsafePointer<CChar>?, _ parameter: StaticString, else standard: String
  ) throws(HDRError) -> String {
    start == nil ? standard : try text(start, parameter)
  }

  static func path(_ start: UnsafePointer<CChar>?, _ parameter: StaticString) throws(HDRError) -> FilePath {
    FilePath(bytes: try bytes(start, parameter))
  }
}
