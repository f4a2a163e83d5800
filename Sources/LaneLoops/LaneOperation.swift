/// An operation over the lanes of a strip, on one component each.
package enum LaneOperation: UInt8, Sendable {
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

  /// True for operations that a device may flush to zero and whose zeros have a sign.
  package var isFloatArithmetic: Bool { rawValue <= LaneOperation.floatMul.rawValue }
  /// True for operations that read floating-point numbers, which a device may flush to zero.
  package var takesFloats: Bool {
    switch self {
    case .floatEqual, .floatNotEqual, .floatLess, .floatLessEqual, .floatUnorderedNotEqual, .floatMin, .floatMax,
      .floatFloor, .floatCeil, .floatTrunc, .signedOfFloat, .unsignedOfFloat:
      true
    default: false
    }
  }
}
