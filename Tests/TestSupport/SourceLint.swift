import Foundation

/// Reads Swift and GLSL, as far as the rules about lanes and kernels need it.
package enum SourceLint {
  package struct Function {
    package var name: String
    package var signature: String
    package var body: String
    package var isInlinable: Bool
  }

  /// Divisions of integers in lane code: indices, not light.
  package static let integerDivisions: Set<String> = [
    "(count + skip + 1) / 2", "(width + 1) / 2", "UInt32(bitPattern: i) % n",
  ]

  package static func withoutComments(_ text: String) -> String { text.replacing(/\/\/[^\n]*/, with: "") }

  /// Returns the first lines of doc comments that do not stand alone.
  package static func dependentComments(_ text: String) -> [String] {
    var isInside = false
    return text.utf8.split(separator: 10, omittingEmptySubsequences: false).compactMap { line in
      let line = line.drop { $0 == 32 }, isFirst = !isInside
      isInside = line.starts(with: "///".utf8)
      guard isFirst && isInside else { return nil }
      let comment = String(Substring(line.dropFirst(4)))
      return comment.prefixMatch(of: /(?:What|Of|Whether|How|The same)\b/) == nil ? nil : comment
    }
  }

  /// Returns the texts in code that name options of a command line.
  package static func flags(_ code: String) -> [String] {
    code.matches(of: /"[^"\n]*--[a-z][^"\n]*"/).map { String($0.output) }
      .filter { $0.contains(" ") && !$0.contains("swift build") }
  }

  /// Functions, initialisers and computed properties with their bodies; those inside another body belong to it.
  package static func functions(_ code: String) -> [Function] {
    var found: [Function] = []
    var from = code.startIndex
    while let match = code[from...].firstMatch(of: /(?:func\s+(\w+)|\binit\b|\bvar\s+\w+\s*:[^={}\n]*(?=\{))[^{}]*\{/) {
      var depth = 1
      var end = match.range.upperBound
      while end < code.endIndex && depth > 0 {
        if code[end] == "{" { depth += 1 }
        if code[end] == "}" { depth -= 1 }
        end = code.index(after: end)
      }
      // Attributes stand on the declaration's own line.
      let lineStart =
        code[..<match.range.lowerBound].lastIndex(of: "\n").map { code.index(after: $0) } ?? code.startIndex
      let head = String(code[lineStart..<match.range.upperBound])
      found.append(
        Function(
          name: match.1.map(String.init) ?? "init or property", signature: head,
          body: String(code[match.range.upperBound..<end]), isInlinable: head.contains("@inlinable")))
      from = end
    }
    return found
  }

  /// Returns true if parameters or result are of the lanes' types.
  package static func takesLanes(_ signature: String) -> Bool {
    signature.contains(/\b(Strip|Float|SIMD\d+)\b/.wordBoundaryKind(.simple))
  }

  /// Returns true for an initialiser that only fills its properties.
  package static func onlyAssigns(_ function: Function) -> Bool {
    function.name == "init or property"
      && function.body.wholeMatch(of: /\s*(?:self\.\w+|\([\w.,\s]*\)) = (?:\w+|\([\w,\s]*\))\s*\}/) != nil
  }

  /// Everything inexact in lane code, and the integer divisions that were let pass. `min` and `max` of the standard
  /// library are compare and select.
  package static func laneFindings(_ body: String) -> (findings: [String], divisions: Set<String>) {
    var rest = body, divisions: Set<String> = []
    for division in integerDivisions where rest.contains(division) {
      divisions.insert(division)
      rest = rest.replacingOccurrences(of: division, with: "")
    }
    rest = rest.replacing(/(?:E32|Exact)\.\w+\(/, with: "(").replacing(/func \w+/, with: "")
    let forbidden =
      /[\/%]|\b(Double|Float16|Float80|squareRoot|formSquareRoot|addingProduct|addProduct|rounded?|remainder|truncatingRemainder)\b|\b(minimum|maximum|pow|exp|exp2|log|log2|log10|sqrt|sin|cos|tan|atan2?|fma|floor|ceil|trunc)\s*\(/
      .wordBoundaryKind(.simple)
    return (rest.matches(of: forbidden).map { String($0.0) }, divisions)
  }

  package static func kernelFunctions(_ code: String) -> [String] {
    code.matches(of: /(?m)^(?:float|uint|int|bool|vec\d|ivec\d|uvec\d|void) (\w+)\(/).map { String($0.1) }
  }

  /// Words before a bracket that are no function of the folder: constructors, bit casts, integer images, the language.
  private static let kernelWords: Set<String> = [
    "float", "int", "uint", "vec2", "vec3", "vec4", "ivec2", "ivec3", "uvec2", "uvec4", "floatBitsToUint",
    "floatBitsToInt", "uintBitsToFloat", "intBitsToFloat", "imageLoad", "imageStore", "if", "for", "while", "return",
    "layout",
  ]

  /// Divisions, remainders, and calls of anything but the folder's own functions, places of words (in capitals) and what
  /// is exact by definition.
  package static func kernelFindings(_ code: String, own: Set<String>) -> [String] {
    // Quotients of integers, by none that is 0.
    code.replacing(/x \/ \(y == 0u? \? 1u? : y\)/, with: "x").matches(of: /[\/%]/).map { String($0.0) }
      + code.matches(of: /(\w+)\s*\(/).map { String($0.1) }
      .filter { !own.contains($0) && !kernelWords.contains($0) && $0 != $0.uppercased() }
  }
}
