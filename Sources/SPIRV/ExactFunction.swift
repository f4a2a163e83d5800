/// A function of Shaders/glsl/shared/user_functions.glsl that replaces an operation which devices may round freely.
struct ExactFunction {
  var name: String
  /// True if it takes whole vectors instead of one component after the other; its name then ends with their size.
  var takesWhole = false

  /// Finds the replacement of a GLSL.std.450 function by its number.
  init?(extended number: UInt32) {
    guard let name = Self.names[number] else { return nil }
    switch number {
    case 66, 67, 68, 69, 71: (self.name, takesWhole) = ("exact_" + name, true)
    case 1, 2: self.name = "exact_round"
    case 5: self.name = "exact_int_abs"
    case 7: self.name = "exact_int_sign"
    case 25: self.name = "exact_atan2"
    case 38, 41, 44: self.name = "exact_uint_" + name
    case 39, 42, 45: self.name = "exact_int_" + name
    case 14...15, 3, 4, 6, 8...13, 18, 21, 26...32, 37, 40, 43, 46, 48...50: self.name = "exact_" + name
    default: return nil
    }
  }

  /// Finds the replacement of an instruction by its opcode.
  init?(opcode: UInt32) {
    switch opcode {
    case 109: name = "exact_uint"
    case 110: name = "exact_int"
    case 134: name = "exact_uint_div"
    case 135: name = "exact_int_div"
    case 137: name = "exact_uint_mod"
    case Op.sRem, Op.sMod: name = "exact_int_mod"
    case Op.fDiv: name = "exact_div"
    case Op.fMod: name = "exact_mod"
    case Op.dot: (name, takesWhole) = ("exact_dot", true)
    default: return nil
    }
  }

  private init(name: String) { self.name = name }

  /// The function that does the same for a single number.
  var scalar: ExactFunction {
    switch name {
    case "exact_length": ExactFunction(name: "exact_abs")
    case "exact_normalize": ExactFunction(name: "exact_sign")
    default: ExactFunction(name: name + "1")
    }
  }

  /// GLSL's names of the functions of GLSL.std.450.
  static let names: [UInt32: String] = [
    1: "round", 2: "roundEven", 3: "trunc", 4: "abs", 5: "abs", 6: "sign", 7: "sign", 8: "floor", 9: "ceil",
    10: "fract", 11: "radians", 12: "degrees", 13: "sin", 14: "cos", 15: "tan", 16: "asin", 17: "acos", 18: "atan",
    19: "sinh", 20: "cosh", 21: "tanh", 22: "asinh", 23: "acosh", 24: "atanh", 25: "atan", 26: "pow", 27: "exp",
    28: "log", 29: "exp2", 30: "log2", 31: "sqrt", 32: "inversesqrt", 33: "determinant", 34: "inverse", 35: "modf",
    36: "modf", 37: "min", 38: "min", 39: "min", 40: "max", 41: "max", 42: "max", 43: "clamp", 44: "clamp",
    45: "clamp", 46: "mix", 48: "step", 49: "smoothstep", 50: "fma", 51: "frexp", 52: "frexp", 53: "ldexp",
    54: "packSnorm4x8", 55: "packUnorm4x8", 56: "packSnorm2x16", 57: "packUnorm2x16", 58: "packHalf2x16",
    60: "unpackSnorm2x16", 61: "unpackUnorm2x16", 62: "unpackHalf2x16", 63: "unpackSnorm4x8", 64: "unpackUnorm4x8",
    66: "length", 67: "distance", 68: "cross", 69: "normalize", 70: "faceforward", 71: "reflect", 72: "refract",
    73: "findLSB", 74: "findMSB", 75: "findMSB",
  ]

  /// Reasons why some instructions are refused, by opcode.
  static let refusals: [UInt32: String] = [
    63: "copies of memory have no place in kernels", 61: "its module is damaged", 156: "isnan has no exact form",
    157: "isinf has no exact form", 252: "discard has no place in kernels",
    Op.matrixTimesScalar: "matrices: write their sums out", Op.matrixTimesVector: "matrices: write their sums out",
    Op.vectorTimesMatrix: "matrices: write their sums out", Op.matrixTimesMatrix: "matrices: write their sums out",
    84: "matrices: write their sums out", Op.outerProduct: "matrices: write their sums out",
    201: "bitfieldInsert has no place in kernels", 202: "bitfieldExtract has no place in kernels",
    203: "bitfieldExtract has no place in kernels", 204: "bitfieldReverse has no place in kernels",
    205: "bitCount has no place in kernels", 224: "barriers have no place in kernels",
    225: "barriers have no place in kernels",
  ]
}
