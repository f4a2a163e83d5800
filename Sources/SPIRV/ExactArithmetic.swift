/// Pins the arithmetic of a compute module (docs/exact-arithmetic.md#contract): every floating-point result gets
/// `NoContraction`, the entry point rounds binary32 to nearest even and keeps signed zeros, infinities and NaN.
///
/// GLSL's `precise` does not reach into the bodies of called functions (glslang issues 2709, 2710), so the words are
/// patched. Running it twice changes nothing.
///
/// - Throws: `.malformed` when the words are no module or have no entry point.
public func pinningArithmetic(_ words: [UInt32]) throws(SPIRVError) -> [UInt32] {
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
  for (capability, mode) in [
    (Code.roundingModeRTE, Code.roundingModeRTEMode), (Code.szInfNanPreserve, Code.szInfNanPreserveMode),
  ] {
    if !capabilities.contains(capability) { newCapabilities += [head(Op.capability, 2), capability] }
    if !modes.contains(mode) { newModes += [head(Op.executionMode, 4), entry, mode, 32] }
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

/// Takes the promise about signed zeros, infinities and NaN out of a module, for devices that cannot give it. The
/// contract does not need it: no such value reaches the arithmetic.
public func removingSignedZeroInfNanPreserve(_ words: [UInt32]) throws(SPIRVError) -> [UInt32] {
  var result = Array(words.prefix(Header.words))
  for i in try instructions(of: words) {
    if i.opcode == Op.capability && i.count == 2 && words[i.start + 1] == Code.szInfNanPreserve { continue }
    if i.opcode == Op.executionMode && i.count >= 3 && words[i.start + 2] == Code.szInfNanPreserveMode { continue }
    result += words[i.start..<i.start + i.count]
  }
  return result
}

let floatControls = "SPV_KHR_float_controls"
