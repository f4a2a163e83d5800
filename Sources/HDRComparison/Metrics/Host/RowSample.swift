import CPURender
import HDRPlan

/// The loops over rows in the best build for this machine.
let rowLoops: any RowLoops.Type = CPUBackend.best.loops

/// Numbers of rows that `RowLoops` has loops for.
protocol RowSample: BinaryFloatingPoint, Sendable {
  /// `RowLoops.filter` and `RowLoops.multiply`.
  static func filter(
    _ rows: UnsafePointer<UnsafePointer<Self>>, _ taps: UnsafeBufferPointer<Self>, isOdd: Bool,
    to result: UnsafeMutablePointer<Self>, count: Int)
  static func multiply(
    _ p: UnsafeMutablePointer<Self>, _ q: UnsafeMutablePointer<Self>, _ r: UnsafeMutablePointer<Self>, _ matrix: [Self],
    count: Int)
}

extension Float: RowSample {
  static func filter(
    _ rows: UnsafePointer<UnsafePointer<Float>>, _ taps: UnsafeBufferPointer<Float>, isOdd: Bool,
    to result: UnsafeMutablePointer<Float>, count: Int
  ) {
    rowLoops.filter(rows, taps, isOdd: isOdd, to: result, count: count)
  }

  static func multiply(
    _ p: UnsafeMutablePointer<Float>, _ q: UnsafeMutablePointer<Float>, _ r: UnsafeMutablePointer<Float>,
    _ matrix: [Float], count: Int
  ) {
    rowLoops.multiply(p, q, r, matrix, count: count)
  }
}

extension Double: RowSample {
  static func filter(
    _ rows: UnsafePointer<UnsafePointer<Double>>, _ taps: UnsafeBufferPointer<Double>, isOdd: Bool,
    to result: UnsafeMutablePointer<Double>, count: Int
  ) {
    rowLoops.filter(rows, taps, isOdd: isOdd, to: result, count: count)
  }

  static func multiply(
    _ p: UnsafeMutablePointer<Double>, _ q: UnsafeMutablePointer<Double>, _ r: UnsafeMutablePointer<Double>,
    _ matrix: [Double], count: Int
  ) {
    rowLoops.multiply(p, q, r, matrix, count: count)
  }
}
