import CPURender
import HDRPlan

/// The loops over rows in the best build for this machine.
let rowLoops: any RowLoops.Type = CPUBackend.best.loops

/// Numbers of rows that `RowLoops` has loops for.
protocol RowSample: BinaryFloatingPoint, Sendable {
  static var calls: RowCalls<Self> { get }
}

/// `RowLoops.filter` and `RowLoops.multiply` for one kind of numbers.
struct RowCalls<Sample>: Sendable {
  typealias Row = UnsafeMutablePointer<Sample>

  let filter:
    @Sendable (
      _ rows: UnsafePointer<UnsafePointer<Sample>>, _ taps: UnsafeBufferPointer<Sample>, _ isOdd: Bool, _ to: Row, Int
    ) -> Void
  let multiply: @Sendable (Row, Row, Row, _ matrix: [Sample], _ count: Int) -> Void
}

extension Float: RowSample {
  static let calls = RowCalls<Float>(filter: rowLoops.filter, multiply: rowLoops.multiply)
}

extension Double: RowSample {
  static let calls = RowCalls<Double>(filter: rowLoops.filter, multiply: rowLoops.multiply)
}
