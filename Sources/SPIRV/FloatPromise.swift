/// Pins the arithmetic of a compute module (docs/exact-arithmetic.md#contract): every floating-point result gets
/// `NoContraction`, the entry point rounds binary32 to nearest even and keeps signed zeros, infinities and NaN.
///
/// GLSL's `precise` does not reach into the bodies of called functions (glslang issues 2709, 2710), so the words are
/// patched. Running it twice changes nothing.
///
/// - Throws: `.malformed` for words that are not a module or have no entry point.
package func pinningArithmetic(_ words: [UInt32]) throws(SPIRVError) -> [UInt32] {
  let all = try instructions(of: words)
  var decorated: Set<UInt32> = []
  var capabilities: Set<UInt32> = [], modes: Set<UInt32> = []
  var hasExtension = false
  var entry: UInt32?
  for i in all {
    switch i.opcode {
    case Op.decorate where i.count >= 3 && words[i.start + 2] == Code.noContraction:
      decorated.insert(words[i.start + 1])
    case Op.capability where i.count >= 2: capabilities.insert(words[i.start + 1])
    case Op.executionMode where i.count >= 3: modes.insert(words[i.start + 2])
    case Op.entryPoint where i.count >= 3: entry = words[i.start + 2]
    case Op.extension where text(words, from: i.start + 1, to: i.start + i.count) == floatControls: hasExtension = true
    default: break
    }
  }
  guard let entry else { throw .malformed(word: words.count) }

  var newDecorations: [UInt32] = []
  for i in all where Op.arithmetic.contains(i.opcode) && i.count >= 3 && !decorated.contains(words[i.start + 2]) {
    newDecorations += [head(Op.decorate, 3), words[i.start + 2], Code.noContraction]
  }
  var newCapabilities: [UInt32] = [], newModes: [UInt32] = []
  for promise in FloatPromise.allCases {
    if !capabilities.contains(promise.capability) { newCapabilities += [head(Op.capability, 2), promise.capability] }
    if !modes.contains(promise.mode) { newModes += [head(Op.executionMode, 4), entry, promise.mode, 32] }
  }
  let name = literal(floatControls)
  let newExtension = hasExtension ? [] : [head(Op.extension, 1 + name.count)] + name

  var result = Array(words[..<Header.words])
  result.reserveCapacity(words.count + newDecorations.count + 32)
  var placed = (capabilities: false, extension: false, modes: false, decorations: false)
  for i in all {
    // The logical layout (clause 2.4): capabilities, extensions, imports, memory model, entry points, modes, names,
    // decorations, types. New words go to the end of their section.
    if !placed.capabilities && i.opcode != Op.capability {
      result += newCapabilities
      placed.capabilities = true
    }
    if !placed.extension && i.opcode != Op.capability && i.opcode != Op.extension {
      result += newExtension
      placed.extension = true
    }
    if !placed.modes && i.opcode == Op.executionMode {
      result += newModes
      placed.modes = true
    }
    if !placed.decorations && i.opcode >= Op.typeVoid && i.opcode <= Op.typeForwardPointer {
      result += newDecorations
      placed.decorations = true
    }
    result += words[i.start..<i.start + i.count]
  }
  guard placed.modes, placed.decorations else { throw .malformed(word: words.count) }
  return result
}

/// A promise of the float controls that a device may be unable to give (SPV_KHR_float_controls).
package enum FloatPromise: Sendable, Hashable, CaseIterable {
  /// Round binary32 to nearest even. Without the promise the self-test tells whether a device does.
  case roundToNearestEven
  /// Keep signed zeros, infinities and NaN. The contract does not need it: none of them reaches the arithmetic.
  case signedZeroInfNanPreserve

  var capability: UInt32 { self == .roundToNearestEven ? Code.roundingModeRTE : Code.szInfNanPreserve }
  var mode: UInt32 { self == .roundToNearestEven ? Code.roundingModeRTEMode : Code.szInfNanPreserveMode }
}

/// Removes promises from a module, for devices that do not give them.
package func removing(_ promises: [FloatPromise], from words: [UInt32]) throws(SPIRVError) -> [UInt32] {
  if promises.isEmpty { return words }
  let capabilities = promises.map(\.capability), modes = promises.map(\.mode)
  let isLast = promises.count == FloatPromise.allCases.count
  var result = Array(words.prefix(Header.words))
  for i in try instructions(of: words) {
    if i.opcode == Op.capability && i.count == 2 && capabilities.contains(words[i.start + 1]) { continue }
    if i.opcode == Op.executionMode && i.count >= 3 && modes.contains(words[i.start + 2]) { continue }
    // Without any promise nothing of the extension is used, and the device may not have it.
    if isLast, i.opcode == Op.extension, text(words, from: i.start + 1, to: i.start + i.count) == floatControls {
      continue
    }
    result += words[i.start..<i.start + i.count]
  }
  return result
}

let floatControls = "SPV_KHR_float_controls"
