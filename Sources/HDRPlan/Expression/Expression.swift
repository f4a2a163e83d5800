import HDRCore
import PlainData

/// A number that is computed for each picture: `=min(headroom, 8)`.
package indirect enum Expression: Sendable, Hashable {
  /// A variable that an expression can use, by its name.
  package struct Variable: RawRepresentable, Sendable, Hashable {
    package var rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    /// The headroom of the display that the output is for, as a factor.
    package static let headroom = Variable(rawValue: "headroom")
    /// The headroom of the picture, as a factor.
    package static let contentHeadroom = Variable(rawValue: "contentHeadroom")
    /// The sides of the picture in pixels, as it is seen.
    package static let width = Variable(rawValue: "width"), height = Variable(rawValue: "height")
    /// The number of the picture in the batch, from 0.
    package static let index = Variable(rawValue: "index")
    /// The number of the frame in its sequence; 0 for still pictures.
    package static let frame = Variable(rawValue: "frame")
    /// The seconds from the first frame; 0 for still pictures.
    package static let time = Variable(rawValue: "time")

    /// The variables that expressions of recipes may use.
    package static let all = [headroom, contentHeadroom, width, height, index, frame, time]
  }

  package enum Operator: String, Sendable, Hashable, CaseIterable {
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"

    var rank: Int { self == .add || self == .subtract ? 1 : 2 }
  }

  package enum Function: String, Sendable, Hashable, CaseIterable {
    case min, max, clamp, pow

    var count: ClosedRange<Int> {
      switch self {
      case .min, .max: 2...16
      case .clamp: 3...3
      case .pow: 2...2
      }
    }
  }

  case number(Double)
  case variable(Variable)
  case negative(Expression)
  case binary(Operator, Expression, Expression)
  case call(Function, [Expression])
}

extension Expression {
  /// Computes the value for a picture.
  package func value(_ variables: [Variable: Double]) -> Double {
    switch self {
    case .number(let x): return x
    case .variable(let name): return variables[name] ?? .nan
    case .negative(let x): return -x.value(variables)
    case .binary(let op, let a, let b):
      let (x, y) = (a.value(variables), b.value(variables))
      return switch op {
      case .add: x + y
      case .subtract: x - y
      case .multiply: x * y
      case .divide: x / y
      }
    case .call(let function, let arguments):
      let x = arguments.map { $0.value(variables) }
      return switch function {
      case .min: x.dropFirst().reduce(x[0]) { Swift.min($0, $1) }
      case .max: x.dropFirst().reduce(x[0]) { Swift.max($0, $1) }
      case .clamp: Swift.min(Swift.max(x[0], x[1]), x[2])
      case .pow: Self.power(x[0], x[1])
      }
    }
  }

  /// Raises x to the power y by the project's own exponential, whose bits depend on no library.
  private static func power(_ x: Double, _ y: Double) -> Double {
    if y == 0 || x == 1 { return 1 }
    if x == 0 { return y > 0 ? 0 : .infinity }
    guard x < 0 else { return ExactMath.pow(x, y) }
    guard y == y.rounded(), abs(y) < 1e9 else { return .nan }
    return Int(y) % 2 == 0 ? ExactMath.pow(-x, y) : -ExactMath.pow(-x, y)
  }

  package var variables: Set<Variable> {
    switch self {
    case .number: []
    case .variable(let name): [name]
    case .negative(let x): x.variables
    case .binary(_, let a, let b): a.variables.union(b.variables)
    case .call(_, let arguments): arguments.reduce(into: []) { $0.formUnion($1.variables) }
    }
  }

  /// The canonical text of the expression, without `=`.
  package var text: String {
    switch self {
    case .number(let x): return x < 0 ? "(\(shortest(x)))" : shortest(x)
    case .variable(let name): return name.rawValue
    case .negative(let x): return "-" + x.operand(3)
    case .binary(let op, let a, let b): return "\(a.operand(op.rank)) \(op.rawValue) \(b.operand(op.rank + 1))"
    case .call(let function, let list): return "\(function)(\(list.map(\.text).joined(separator: ", ")))"
    }
  }

  private func operand(_ rank: Int) -> String {
    switch self {
    case .binary(let op, _, _) where op.rank < rank: "(\(text))"
    case .negative: "(\(text))"
    default: text
    }
  }
}
