/// An operation over the lanes of a strip, on one component each.
enum Operation: UInt8, Sendable {
  case floatAdd, floatSub, floatMul, floatNegate
  case floatAbs, floatFloor, floatCeil, floatTrunc, floatMin, floatMax
  case floatEqual, floatNotEqual, floatLess, floatLessEqual, floatUnorderedNotEqual
  case intAdd, intSub, intMul, intNegate, intNot, intAnd, intOr, intXor
  case intShiftLeft, intShiftRight, intShiftRightSigned
  case intEqual, intNotEqual, intLess, intLessEqual, intLessSigned, intLessEqualSigned
  case intDivide, intDivideSigned, intRemainder
  case intMin, intMax, intMinSigned, intMaxSigned, intAbs
  case floatOfSigned, floatOfUnsigned, signedOfFloat, unsignedOfFloat
  case logicalNot
  case copy
}

/// A register: a component of a value, for all lanes of a strip.
typealias Register = Int

/// What the lanes of a strip do, in order; branches hold what is below them.
enum Step: Sendable {
  case compute(Operation, Register, Register, Register)
  /// result, condition, one, other
  case select(Register, Register, Register, Register)
  /// result, vector, index
  case extract(Register, [Register], Register)
  /// Writes registers of lanes that are on.
  case move([(to: Register, from: Register)])
  case load(Place, [Register])
  case store(Place, [Register], isMasked: Bool)
  case imageRead(binding: Int, x: Register, y: Register, [Register])
  case imageWrite(binding: Int, x: Register, y: Register, [Register])
  case call(Int, [(parameter: Int, place: Place)])
  /// A function that whoever runs the program has.
  case host(HostFunction, [Register], [Register])
  /// Lanes of a true condition do one thing, the others the other.
  case branch(Register, then: [Step], otherwise: [Step], masks: Int)
  /// Lanes of each value do its part; parts do not run into each other.
  case choose(Register, cases: [(values: [UInt32], steps: [Step])], otherwise: [Step], masks: Int, merge: Int)
  /// Body, then what leads to its next turn.
  case loop(body: [Step], next: [Step], leave: Int, again: Int)
  /// Lanes leave for the end of the construct whose mask this is.
  case park(Int)
}

/// Where something lies in memory.
struct Place: Sendable {
  enum Base: Sendable {
    /// First register of a variable.
    case register(Register)
    /// What a parameter of the running function points to.
    case parameter(Int)
    /// A buffer by its binding.
    case buffer(Int)
    /// The number of the invocation.
    case invocation
  }

  var base: Base
  /// Registers, or words of a buffer.
  var offset = 0
  /// Further ones by a register's value.
  var indices: [(register: Register, stride: Int, count: Int?)] = []
}

/// A function as its lanes run it.
struct FunctionCode: Sendable {
  var name = ""
  var parameters: [UInt32] = []
  /// Registers of parameters that are values; none for pointers.
  var inputs: [[Register]] = []
  var steps: [Step] = []
  /// Where its result goes.
  var result: [Register] = []
  /// Mask of the lanes that have returned.
  var returned = 0
  var entered = 0
  /// Places that its parameters stand for at this time.
  var firstParameter = 0
}
