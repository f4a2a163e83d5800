import LaneLoops
import SPIRV

extension FunctionCompiler {
  /// The instructions that compute each component by itself (SPIR-V 1.3, clauses 3.32.13 to 3.32.15).
  static let simple: [UInt32: LaneOperation] = [
    109: .unsignedOfFloat, 110: .signedOfFloat, 111: .floatOfSigned, 112: .floatOfUnsigned,
    126: .intNegate, 127: .floatNegate, 128: .intAdd, 129: .floatAdd, 130: .intSub, 131: .floatSub, 132: .intMul,
    133: .floatMul, 134: .intDivide, 135: .intDivideSigned, 137: .intRemainder,
    164: .intEqual, 165: .intNotEqual, 166: .intOr, 167: .intAnd, 168: .logicalNot,
    170: .intEqual, 171: .intNotEqual, 176: .intLess, 177: .intLessSigned, 178: .intLessEqual, 179: .intLessEqualSigned,
    180: .floatEqual, 182: .floatNotEqual, 183: .floatUnorderedNotEqual, 184: .floatLess, 188: .floatLessEqual,
    194: .intShiftRight, 195: .intShiftRightSigned, 196: .intShiftLeft, 197: .intOr, 198: .intXor, 199: .intAnd,
    200: .intNot,
  ]

  /// The instructions that equal another one with its operands exchanged.
  static let swapped: [UInt32: LaneOperation] = [
    172: .intLess, 173: .intLessSigned, 174: .intLessEqual, 175: .intLessEqualSigned, 186: .floatLess,
    190: .floatLessEqual,
  ]

  static let extendedNames: [UInt32: String] = [
    1: "round", 2: "roundEven", 6: "sign", 10: "fract", 11: "radians", 12: "degrees", 13: "sin", 14: "cos", 15: "tan",
    16: "asin", 17: "acos", 18: "atan", 19: "sinh", 20: "cosh", 21: "tanh", 25: "atan", 26: "pow", 27: "exp", 28: "log",
    29: "exp2", 30: "log2", 31: "sqrt", 32: "inversesqrt", 46: "mix", 48: "step", 49: "smoothstep", 50: "fma",
    53: "ldexp", 66: "length", 67: "distance", 68: "cross", 69: "normalize", 70: "faceforward", 71: "reflect",
    72: "refract",
  ]

  static func refusal(_ opcode: UInt32) -> String {
    switch opcode {
    case Op.fDiv: "/ between floats: not exact on every device"
    case Op.sRem, Op.sMod: "division of integers"
    case Op.fRem, Op.fMod: "mod: not exact on every device"
    case Op.dot: "dot: sums have no order of their own; write it out"
    case Op.vectorTimesMatrix, Op.matrixTimesVector, Op.matrixTimesMatrix, Op.matrixTimesScalar, Op.outerProduct:
      "matrices: write their sums out"
    case 207...215: "derivatives"
    case 86...97: "sampled images"
    case 224...242: "barriers and atomics"
    case Op.quantizeToF16: "quantizeToF16"
    case Op.fConvert: "conversions between floats of other sizes"
    case 63: "copies of memory"
    default: "instruction \(opcode)"
    }
  }
}
