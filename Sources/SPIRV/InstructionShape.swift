/// The places of an instruction's type, result and operand ids (SPIR-V 1.3, clause 3.32). Only instructions that
/// functions of users' kernels may have are here; others are refused.
struct InstructionShape {
  /// The words that are ids besides type and result.
  enum Operands {
    case ids(from: Int)
    /// The given number of ids, then literals.
    case some(Int, from: Int)
    /// Two ids, then pairs of a literal and an id.
    case cases
  }

  var hasType: Bool
  var hasResult: Bool
  var operands: Operands

  private init(_ type: Bool, _ result: Bool, _ operands: Operands) {
    (hasType, hasResult, self.operands) = (type, result, operands)
  }

  /// Finds the shape of a function's instruction; `nil` if kernels may not have it.
  init?(_ opcode: UInt32) {
    switch opcode {
    case Op.function: self.init(true, true, .some(1, from: 4))
    case Op.functionParameter: self.init(true, true, .some(0, from: 3))
    case Op.functionEnd, Op.return: self.init(false, false, .some(0, from: 1))
    case Op.variable: self.init(true, true, .ids(from: 4))
    case Op.load: self.init(true, true, .some(1, from: 3))
    case Op.store: self.init(false, false, .some(2, from: 1))
    case Op.vectorShuffle: self.init(true, true, .some(2, from: 3))
    case Op.compositeExtract: self.init(true, true, .some(1, from: 3))
    case Op.compositeInsert: self.init(true, true, .some(2, from: 3))
    case Op.loopMerge: self.init(false, false, .some(2, from: 1))
    case Op.selectionMerge: self.init(false, false, .some(1, from: 1))
    case Op.label: self.init(false, true, .some(0, from: 2))
    case Op.branch, Op.returnValue: self.init(false, false, .some(1, from: 1))
    case Op.branchConditional: self.init(false, false, .some(3, from: 1))
    case Op.switch: self.init(false, false, .cases)
    case Op.functionCall, Op.phi, Op.select, Op.any, Op.all, 65, 66, 77, 78, Op.compositeConstruct, 83,
      109...112, 124, 126...137, Op.sRem, Op.sMod, Op.fMod, Op.vectorTimesScalar, Op.dot, 164...168, 170...180, 182,
      183, 184, 186, 188, 190, 194...200:
      self.init(true, true, .ids(from: 3))
    default: return nil
    }
  }

  var resultPlace: Int? { hasResult ? (hasType ? 2 : 1) : nil }

  /// Returns the places of the ids that the instruction uses, its type included.
  func places(count: Int) -> [Int] {
    let type = hasType ? [1] : []
    switch operands {
    case .ids(let from): return type + (from..<max(from, count))
    case .some(let number, let from): return type + (from..<min(max(from, count), from + number))
    case .cases: return [1, 2] + stride(from: 4, to: count, by: 2)
    }
  }
}

extension Op {
  static let typeBool: UInt32 = 20, typeMatrix: UInt32 = 24, typeArray: UInt32 = 28, typeStruct: UInt32 = 30
  static let line: UInt32 = 8, noLine: UInt32 = 317, undef: UInt32 = 1
  static let constantTrue: UInt32 = 41, constantFalse: UInt32 = 42, constantComposite: UInt32 = 44
  static let accessChain: UInt32 = 65, vectorShuffle: UInt32 = 79, compositeConstruct: UInt32 = 80
  static let compositeExtract: UInt32 = 81, compositeInsert: UInt32 = 82
  static let any: UInt32 = 154, all: UInt32 = 155, select: UInt32 = 169, phi: UInt32 = 245
  static let loopMerge: UInt32 = 246, selectionMerge: UInt32 = 247
  static let branch: UInt32 = 249, branchConditional: UInt32 = 250, `switch`: UInt32 = 251
  static let unreachable: UInt32 = 255
}
