/// Something in a module that the bit-exact contract forbids (docs/exact-arithmetic.md#contract).
package enum LintFinding: Sendable, Hashable, CustomStringConvertible {
  /// A floating-point result that a compiler may contract. `function` is the GLSL function that holds it.
  case contractible(opcode: UInt32, function: String)
  /// Division, remainder, matrix product, conversion of float width, an image access other than integer load or store.
  case forbidden(instruction: String, function: String)
  /// A call of a function of GLSL.std.450 (min, sqrt, exp2, ...), by number.
  case builtin(number: UInt32, function: String)
  case relaxedPrecision
  /// A storage image of a floating-point format.
  case floatImage
  /// A missing `RoundingModeRTE 32` at the entry point.
  case roundingModeMissing

  package var description: String {
    switch self {
    case .contractible(let opcode, let function): "\(function): result of opcode \(opcode) lacks NoContraction"
    case .forbidden(let instruction, let function): "\(function): \(instruction) is not bit-exact"
    case .builtin(let number, let function): "\(function): built-in function GLSL.std.450 #\(number)"
    case .relaxedPrecision: "a value of relaxed precision"
    case .floatImage: "a storage image of floating-point format"
    case .roundingModeMissing: "the entry point does not declare RoundingModeRTE 32"
    }
  }
}

/// Finds everything in a module that breaks the contract; empty for a good one.
package func lint(_ words: [UInt32]) throws(SPIRVError) -> [LintFinding] {
  let all = try instructions(of: words)
  var findings: [LintFinding] = []
  var names: [UInt32: String] = [:]
  var pinned: Set<UInt32> = [], floats: Set<UInt32> = []
  var roundsToEven = false
  var function = "?"
  for i in all {
    func operand(_ index: Int) -> UInt32 { index < i.count ? words[i.start + index] : 0 }
    switch i.opcode {
    case Op.name: names[operand(1)] = text(words, from: i.start + 2, to: i.start + i.count)
    case Op.decorate:
      if operand(2) == Code.noContraction { pinned.insert(operand(1)) }
      if operand(2) == Code.relaxedPrecision && i.count == 3 { findings.append(.relaxedPrecision) }
    case Op.memberDecorate where operand(3) == Code.relaxedPrecision && i.count == 4: findings.append(.relaxedPrecision)
    case Op.executionMode where operand(2) == Code.roundingModeRTEMode && operand(3) == 32: roundsToEven = true
    case Op.typeFloat: floats.insert(operand(1))
    case Op.typeImage where floats.contains(operand(2)): findings.append(.floatImage)
    case Op.function: function = names[operand(2)] ?? "%\(operand(2))"
    case Op.extInst: findings.append(.builtin(number: operand(4), function: function))
    // Operations on images, except the integer loads and stores of storage images.
    case 86...107 where i.opcode != Op.imageRead && i.opcode != Op.imageWrite:
      findings.append(.forbidden(instruction: "image opcode \(i.opcode)", function: function))
    default:
      if let name = forbidden[i.opcode] { findings.append(.forbidden(instruction: name, function: function)) }
    }
    if Op.arithmetic.contains(i.opcode) && !pinned.contains(operand(2)) {
      findings.append(.contractible(opcode: i.opcode, function: function))
    }
  }
  if !roundsToEven { findings.append(.roundingModeMissing) }
  return findings
}

/// Instructions whose result the API leaves open. `OpSRem` and `OpSMod` are undefined for negative operands.
private let forbidden: [UInt32: String] = [
  Op.fDiv: "OpFDiv", Op.fRem: "OpFRem", Op.fMod: "OpFMod", Op.dot: "OpDot",
  Op.matrixTimesScalar: "OpMatrixTimesScalar", Op.matrixTimesVector: "OpMatrixTimesVector",
  Op.vectorTimesMatrix: "OpVectorTimesMatrix", Op.matrixTimesMatrix: "OpMatrixTimesMatrix",
  Op.outerProduct: "OpOuterProduct", Op.fConvert: "OpFConvert", Op.quantizeToF16: "OpQuantizeToF16",
  Op.sRem: "OpSRem", Op.sMod: "OpSMod",
]
