/// An error that says why a SPIR-V module was not understood or not accepted.
package enum SPIRVError: Error, Sendable, Equatable {
  /// The words are not a module: bad magic number, or an instruction that ends beyond the last word.
  case malformed(word: Int)
  /// The module has no function of this GLSL name.
  case missingFunction(String)
  /// The function's parameters or result are not of the expected type.
  case unexpectedType(function: String)
}

/// An instruction of a module: its place and size in words, the first word included.
package struct Instruction: Sendable, Hashable {
  package var opcode: UInt32
  package var start: Int
  package var count: Int
}

/// Returns the instructions of a module in order (SPIR-V 1.3, clause 2.3, "Physical Layout").
///
/// - Throws: `.malformed` when the words are not a module of this machine's byte order.
package func instructions(of words: [UInt32]) throws(SPIRVError) -> [Instruction] {
  guard words.count >= Header.words, words[0] == Header.magic else { throw .malformed(word: 0) }
  return try instructions(in: words[Header.words...])
}

/// Returns the instructions of a part of a module; their places count from the start of the module.
func instructions(in words: ArraySlice<UInt32>) throws(SPIRVError) -> [Instruction] {
  var result: [Instruction] = []
  result.reserveCapacity(words.count / 4)
  var at = words.startIndex
  while at < words.endIndex {
    let count = Int(words[at] >> 16)
    guard count > 0, count <= words.endIndex - at else { throw .malformed(word: at) }
    result.append(Instruction(opcode: words[at] & 0xffff, start: at, count: count))
    at += count
  }
  return result
}

/// The five words before the first instruction.
package enum Header {
  package static let words = 5
  package static let magic: UInt32 = 0x0723_0203
  /// The place of the word that holds the bound: every id is below it.
  package static let bound = 3
}

/// Returns the first word of an instruction.
package func head(_ opcode: UInt32, _ count: Int) -> UInt32 { UInt32(count) << 16 | opcode }

/// Returns a literal string: UTF-8, nul-terminated, padded with zeros to whole words, first byte lowest.
package func literal(_ text: String) -> [UInt32] {
  var result: [UInt32] = []
  var word: UInt32 = 0, filled: UInt32 = 0
  for byte in text.utf8 {
    word |= UInt32(byte) << (8 * filled)
    filled += 1
    if filled == 4 {
      result.append(word)
      word = 0
      filled = 0
    }
  }
  return result + [word]
}

/// Reads the literal string that begins at a word and may not pass `end`.
package func text(_ words: [UInt32], from start: Int, to end: Int) -> String {
  var bytes: [UInt8] = []
  for index in start..<max(start, end) {
    for shift in stride(from: UInt32(0), to: 32, by: 8) {
      let byte = UInt8(truncatingIfNeeded: words[index] >> shift)
      if byte == 0 { return String(decoding: bytes, as: UTF8.self) }
      bytes.append(byte)
    }
  }
  return String(decoding: bytes, as: UTF8.self)
}

/// The opcodes of the instructions that this module reads (SPIR-V 1.3, clause 3.32).
package enum Op {
  package static let name: UInt32 = 5, memberName: UInt32 = 6, `extension`: UInt32 = 10
  package static let extInstImport: UInt32 = 11, extInst: UInt32 = 12, memoryModel: UInt32 = 14
  package static let entryPoint: UInt32 = 15, executionMode: UInt32 = 16, capability: UInt32 = 17
  package static let typeVoid: UInt32 = 19, typeInt: UInt32 = 21, typeFloat: UInt32 = 22
  package static let typeVector: UInt32 = 23, typeImage: UInt32 = 25, typePointer: UInt32 = 32
  package static let typeFunction: UInt32 = 33, typeForwardPointer: UInt32 = 39
  package static let constant: UInt32 = 43, constantNull: UInt32 = 46
  package static let function: UInt32 = 54, functionParameter: UInt32 = 55, functionEnd: UInt32 = 56
  package static let functionCall: UInt32 = 57, variable: UInt32 = 59, load: UInt32 = 61, store: UInt32 = 62
  package static let decorate: UInt32 = 71, memberDecorate: UInt32 = 72
  package static let imageRead: UInt32 = 98, imageWrite: UInt32 = 99
  package static let fConvert: UInt32 = 115, quantizeToF16: UInt32 = 116
  package static let fNegate: UInt32 = 127, fAdd: UInt32 = 129, fSub: UInt32 = 131, fMul: UInt32 = 133
  package static let fDiv: UInt32 = 136, sRem: UInt32 = 138, sMod: UInt32 = 139, fRem: UInt32 = 140, fMod: UInt32 = 141
  package static let vectorTimesScalar: UInt32 = 142, matrixTimesScalar: UInt32 = 143
  package static let vectorTimesMatrix: UInt32 = 144, matrixTimesVector: UInt32 = 145
  package static let matrixTimesMatrix: UInt32 = 146, outerProduct: UInt32 = 147, dot: UInt32 = 148
  package static let label: UInt32 = 248, `return`: UInt32 = 253, returnValue: UInt32 = 254

  /// Floating-point arithmetic that a compiler might contract or reorder.
  package static let arithmetic: Set<UInt32> = [
    fNegate, fAdd, fSub, fMul, fDiv, fRem, fMod, vectorTimesScalar, matrixTimesScalar, vectorTimesMatrix,
    matrixTimesVector, matrixTimesMatrix, outerProduct, dot,
  ]
}

/// Decorations, capabilities and execution modes by number (SPIR-V 1.3, clauses 3.20, 3.31, 3.6; SPV_KHR_float_controls).
package enum Code {
  package static let relaxedPrecision: UInt32 = 0, noContraction: UInt32 = 42
  package static let localSize: UInt32 = 17
  package static let szInfNanPreserveMode: UInt32 = 4461, roundingModeRTEMode: UInt32 = 4462
  package static let szInfNanPreserve: UInt32 = 4466, roundingModeRTE: UInt32 = 4467
  package static let functionStorage: UInt32 = 7
}
