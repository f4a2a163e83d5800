import SPIRV

/// The kernel library that the build made from `glsl/`: all stages and sinks in one SPIR-V module, linted.
package enum ShaderLibrary {
  /// The words of the module; empty if the embedded text is damaged (a test reads them).
  package static let words: [UInt32] = decodeBase64Words(shaderLibraryBase64)

  /// Reads the module for composition.
  ///
  /// - Throws: `SPIRVError` when the module is not one that the composer can use; the build would have failed.
  package static func library() throws(SPIRVError) -> KernelLibrary { try KernelLibrary(words) }

  /// The library, read only once.
  package static let shared = Result { () throws(SPIRVError) in try library() }

  /// GLSL names of all functions in the module.
  package static let functionNames: [String] = (try? KernelLibrary(words))?.functionNames ?? []
}

/// Decodes little-endian 32-bit words from base64 (RFC 4648, clause 4); drops trailing bytes that fill no word.
func decodeBase64Words(_ text: StaticString) -> [UInt32] {
  var words: [UInt32] = []
  words.reserveCapacity(text.utf8CodeUnitCount * 3 / 16)
  var bits: UInt32 = 0, held: UInt32 = 0, word: UInt32 = 0, filled: UInt32 = 0
  for character in UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount) {
    let value: UInt32
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = UInt32(character - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): value = UInt32(character - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): value = UInt32(character - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): value = 62
    case UInt8(ascii: "/"): value = 63
    default: continue
    }
    bits = bits << 6 | value
    held += 6
    if held < 8 { continue }
    held -= 8
    word |= ((bits >> held) & 0xff) << (8 * filled)
    filled += 1
    if filled == 4 {
      words.append(word)
      word = 0
      filled = 0
    }
  }
  return words
}
