import HDRCore
import PlainData

extension Expression {
  /// An error that says why a text is not an expression.
  package struct Fault: Error, Sendable, Hashable {
    package var message: String

    package init(message: String) { self.message = message }
  }

  static let maxLength = 1000
  static let maxDepth = 32

  /// Reads an expression without its `=`.
  ///
  /// - Parameter variables: the variables that it may use.
  /// - Throws: `Fault` with the expected text and its place.
  package init(parsing text: String, variables: [Variable] = Variable.all) throws(Fault) {
    guard text.utf8.count <= Self.maxLength else {
      throw Fault(message: "an expression has at most \(Self.maxLength) bytes")
    }
    var parser = Parser(text, variables)
    self = try parser.sum(0)
    if let rest = parser.peek { throw parser.fault("an operator was expected, not \"\(rest)\"") }
  }

  private struct Parser {
    private var rest: Substring
    private let whole: String
    private let variables: [String]

    init(_ text: String, _ variables: [Variable]) {
      whole = text
      self.variables = variables.map(\.rawValue)
      rest = text[...]
    }

    func fault(_ what: String) -> Fault { Fault(message: "in \"=\(whole)\": \(what)") }

    var peek: Character? {
      mutating get {
        while rest.first == " " { rest.removeFirst() }
        return rest.first
      }
    }

    private mutating func take(_ character: Character) -> Bool {
      guard peek == character else { return false }
      rest.removeFirst()
      return true
    }

    private mutating func expect(_ character: Character) throws(Fault) {
      guard take(character) else {
        throw fault("\"\(character)\" was expected\(peek.map { ", not \"\($0)\"" } ?? " at the end")")
      }
    }

    mutating func sum(_ depth: Int) throws(Fault) -> Expression {
      guard depth < Expression.maxDepth else { throw fault("it is nested deeper than \(Expression.maxDepth)") }
      var result = try product(depth)
      while let next = peek, let op = Operator(rawValue: String(next)), op.rank == 1 {
        rest.removeFirst()
        result = .binary(op, result, try product(depth))
      }
      return result
    }

    private mutating func product(_ depth: Int) throws(Fault) -> Expression {
      var result = try factor(depth)
      while let next = peek, let op = Operator(rawValue: String(next)), op.rank == 2 {
        rest.removeFirst()
        result = .binary(op, result, try factor(depth))
      }
      return result
    }

    private mutating func factor(_ depth: Int) throws(Fault) -> Expression {
      guard depth < Expression.maxDepth else { throw fault("it is nested deeper than \(Expression.maxDepth)") }
      if take("-") {
        let value = try factor(depth + 1)
        if case .number(let x) = value { return .number(-x) }
        return .negative(value)
      }
      if take("(") {
        let value = try sum(depth + 1)
        try expect(")")
        return value
      }
      guard let first = peek else { throw fault("a value was expected at the end") }
      if first.isASCII && first.isNumber || first == "." { return try number() }
      guard first.isASCII, first.isLetter else { throw fault("a value was expected, not \"\(first)\"") }
      let name = String(rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })
      let functions = Function.allCases.map(\.rawValue)
      // `width-2` is a difference, `content-headroom` a name.
      let word = Nearest.match(name, among: variables) != nil ? name : String(name.prefix { $0 != "-" })
      rest = rest.dropFirst(word.count)
      if let name = Nearest.match(word, among: variables) { return .variable(Variable(rawValue: name)) }
      guard let function = Function(rawValue: word) else {
        throw fault("there is no \"\(word)\"\(Nearest.hint(word, among: variables + functions))")
      }
      return try call(function, depth)
    }

    private mutating func number() throws(Fault) -> Expression {
      var text = String(rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") })
      let after = rest.dropFirst(text.count)
      if let e = after.first, e == "e" || e == "E" {
        let sign = after.dropFirst().prefix { $0 == "-" || $0 == "+" }.prefix(1)
        let digits = after.dropFirst(1 + sign.count).prefix { $0.isASCII && $0.isNumber }
        if !digits.isEmpty { text += "e" + sign + digits }
      }
      guard let value = decimal(text) else { throw fault("\"\(text)\" is no number") }
      rest = rest.dropFirst(text.count)
      return .number(value)
    }

    private mutating func call(_ function: Function, _ depth: Int) throws(Fault) -> Expression {
      try expect("(")
      var arguments: [Expression] = []
      repeat { arguments.append(try sum(depth + 1)) } while take(",")
      try expect(")")
      guard function.count.contains(arguments.count) else {
        throw fault("\(function) takes \(function == .clamp ? "3" : function == .pow ? "2" : "2 to 16") values")
      }
      return .call(function, arguments)
    }
  }
}
