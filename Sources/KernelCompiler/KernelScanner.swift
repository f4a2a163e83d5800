import HDRCore

/// A check of a kernel's text before a compiler sees it. It finds directives, declarations outside functions and
/// reserved names, which a kernel may not have.
struct KernelScanner {
  private struct Token {
    var text: String
    var line: Int
    /// True for the first token of its line.
    var isFirst: Bool
  }

  private let tokens: [Token]
  private let radius: Int

  /// - Parameter radius: the radius that the head states.
  init(_ text: String, radius: Int) throws(KernelTextFault) {
    tokens = try Self.tokens(text)
    self.radius = radius
  }

  private static func tokens(_ text: String) throws(KernelTextFault) -> [Token] {
    var tokens: [Token] = []
    let bytes = Array(text.utf8)
    var at = 0, line = 1, isFirst = true
    func byte(_ index: Int) -> UInt8 { index < bytes.count ? bytes[index] : 0 }
    func isWord(_ byte: UInt8) -> Bool {
      (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte) || byte == 0x5f
    }
    while at < bytes.count {
      let c = bytes[at]
      switch c {
      case 0x0a:
        (line, isFirst) = (line + 1, true)
        at += 1
      case 0x20, 0x09, 0x0d: at += 1
      case UInt8(ascii: "/") where byte(at + 1) == UInt8(ascii: "/"):
        while at < bytes.count && bytes[at] != 0x0a { at += 1 }
      case UInt8(ascii: "/") where byte(at + 1) == UInt8(ascii: "*"):
        let start = line
        at += 2
        while at < bytes.count && !(bytes[at] == UInt8(ascii: "*") && byte(at + 1) == UInt8(ascii: "/")) {
          if bytes[at] == 0x0a { line += 1 }
          at += 1
        }
        guard at < bytes.count else { throw KernelTextFault("a comment has no end", line: start) }
        at += 2
      case _ where isWord(c):
        let start = at
        while at < bytes.count && isWord(bytes[at]) { at += 1 }
        tokens.append(Token(text: String(decoding: bytes[start..<at], as: UTF8.self), line: line, isFirst: isFirst))
        isFirst = false
      case 0x21...0x7e where c != UInt8(ascii: "\\"):
        tokens.append(Token(text: String(decoding: [c], as: UTF8.self), line: line, isFirst: isFirst))
        isFirst = false
        at += 1
      default: throw KernelTextFault("a character that GLSL has not", line: line)
      }
    }
    return tokens
  }

  /// - Throws: `KernelTextFault` for the first thing that is not allowed.
  func check() throws(KernelTextFault) {
    var index = 0, depth = 0, statement: [Token] = []
    while index < tokens.count {
      let token = tokens[index]
      if token.text == "#" {
        index = try directive(at: index)
        continue
      }
      try checkName(token)
      index += 1
      if token.text == "[", index < tokens.count, let size = Int(tokens[index].text), size > 1024 {
        throw KernelTextFault("arrays have 1 to 1024 elements", line: token.line)
      }
      if token.text == "{" || token.text == "}" {
        if depth == 0 && token.text == "{" { try checkDeclaration(statement) }
        depth += token.text == "{" ? 1 : -1
        // A structure goes on to its semicolon.
        if depth == 0 { statement = statement.first?.text == "struct" ? statement : [] }
      } else if depth == 0 {
        if token.text == ";" {
          try checkDeclaration(statement)
          statement = []
        } else {
          statement.append(token)
        }
      }
    }
  }

  private func directive(at start: Int) throws(KernelTextFault) -> Int {
    let line = tokens[start].line
    guard tokens[start].isFirst else { throw KernelTextFault("# begins a line", line: line) }
    var end = start + 1
    while end < tokens.count && tokens[end].line == line { end += 1 }
    let words = tokens[start + 1..<end].map(\.text)
    guard let name = words.first else { return end }
    guard ["define", "undef", "if", "ifdef", "ifndef", "else", "elif", "endif"].contains(name) else {
      throw KernelTextFault("#\(name) has no place in kernels", line: line)
    }
    if name == "define" || name == "undef", words.count > 1, Self.reservedNames.contains(words[1]) {
      throw KernelTextFault("\(words[1]) cannot be defined anew", line: line)
    }
    for token in tokens[start + 1..<end] {
      if token.text == "#" { throw KernelTextFault("## has no place in kernels", line: line) }
      try checkName(token)
    }
    return end
  }

  /// Returns the line on which a function begins.
  func line(of function: String) -> Int? {
    var depth = 0
    for (index, token) in tokens.enumerated() {
      if token.text == "{" || token.text == "}" { depth += token.text == "{" ? 1 : -1 }
      let next = index + 1 < tokens.count ? tokens[index + 1].text : ""
      guard depth == 0, token.text == function, next == "(" else { continue }
      // A declaration ends with a semicolon; a definition has a body.
      if tokens[index...].first(where: { $0.text == ";" || $0.text == "{" })?.text == "{" { return token.line }
    }
    return nil
  }

  private func checkName(_ token: Token) throws(KernelTextFault) {
    func fault(_ message: String) -> KernelTextFault { KernelTextFault(message, line: token.line) }
    for prefix in ["kernel_", "exact_", "e32_", "user_", "gl_"] where token.text.hasPrefix(prefix) {
      throw fault("names that begin with \(prefix) are taken: \(token.text)")
    }
    if token.text.contains("__") { throw fault("names with __ are taken: \(token.text)") }
    if Self.forbidden.contains(token.text) { throw fault("\(token.text) has no place in kernels") }
    if Self.matrices.contains(token.text) {
      throw fault("matrices: write their sums out")
    }
    if token.text == "main" { throw fault("a kernel has no main: write vec4 kernel(vec4 p, Parameters q)") }
    if token.text == "sample" && radius == 0 { throw fault("sample needs a radius in the head: //! radius 1") }
  }

  /// Allows only functions, structures and constants outside functions.
  private func checkDeclaration(_ statement: [Token]) throws(KernelTextFault) {
    guard let first = statement.first, first.text != "const", first.text != "struct" else { return }
    let words = statement.map(\.text)
    guard let open = words.firstIndex(of: "("), !words[..<open].contains("="), open >= 2 else {
      let name = words.count > 1 ? words[1] : words[0]
      throw KernelTextFault("variables outside functions are const: \(name) is not", line: first.line)
    }
    if Self.reservedNames.contains(words[open - 1]) {
      throw KernelTextFault("\(words[open - 1]) cannot be defined anew", line: statement[open - 1].line)
    }
  }

  private static let matrices: Set = [
    "mat2", "mat3", "mat4", "mat2x2", "mat2x3", "mat2x4", "mat3x2", "mat3x3", "mat3x4", "mat4x2", "mat4x3", "mat4x4",
  ]

  private static let forbidden: Set = [
    "layout", "uniform", "buffer", "shared", "attribute", "varying", "coherent", "volatile", "restrict", "readonly",
    "writeonly", "subroutine", "patch", "centroid", "flat", "smooth", "noperspective", "invariant", "lowp", "mediump",
    "double", "dvec2", "dvec3", "dvec4", "discard", "here",
  ]

  /// Names of GLSL's functions, and of the code around a kernel.
  private static let reservedNames: Set = [
    "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "pow", "exp", "log",
    "exp2", "log2", "sqrt", "inversesqrt", "abs", "sign", "floor", "trunc", "round", "roundEven", "ceil", "fract",
    "mod",
    "modf", "min", "max", "clamp", "mix", "step", "smoothstep", "isnan", "isinf", "floatBitsToInt", "floatBitsToUint",
    "intBitsToFloat", "uintBitsToFloat", "fma", "frexp", "ldexp", "length", "distance", "dot", "cross", "normalize",
    "faceforward", "reflect", "refract", "outerProduct", "transpose", "determinant", "inverse", "lessThan",
    "lessThanEqual", "greaterThan", "greaterThanEqual", "equal", "notEqual", "any", "all", "not", "radians", "degrees",
    "sample", "position", "pictureSize", "headroom", "contentHeadroom", "Parameters",
  ]
}
