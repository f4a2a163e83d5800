import HDRCore
import PlainData

extension KernelHead {
  /// Reads the lines that begin with `//!`.
  ///
  /// - Returns: the head, and the line of each parameter.
  /// - Throws: `KernelTextFault` at the line that is wrong.
  static func parse(_ lines: [Substring]) throws(KernelTextFault) -> (head: KernelHead, parameterLines: [Int]) {
    var head = KernelHead(name: ""), parameterLines: [Int] = [], seen: Set<String> = []
    for (index, line) in lines.enumerated() where line.hasPrefix("//!") {
      let number = index + 1
      func fault(_ message: String) -> KernelTextFault { KernelTextFault(message, line: number) }
      let words = line.dropFirst(3).split(separator: " ", maxSplits: 1).map { trimmed($0) }
      guard let key = words.first else { continue }
      let text = words.count > 1 ? words[1] : ""
      if key != "parameter" && key != "input" && !seen.insert(key).inserted { throw fault("\(key) is said twice") }
      switch key {
      case "name":
        guard isName(text, also: "-") else { throw fault("name is a word of small letters, digits and hyphens") }
        head.name = text
      case "summary": head.summary = text
      case "parameter":
        let parameter = try Parameter(text, line: number)
        if head.parameters.contains(where: { $0.name == parameter.name }) {
          throw fault("parameter \(parameter.name) is said twice")
        }
        head.parameters.append(parameter)
        parameterLines.append(number)
      case "radius":
        guard let radius = Int(text), (0...maxRadius).contains(radius) else {
          throw fault("radius is 0...\(maxRadius), not \"\(text)\"")
        }
        head.radius = radius
      case "input":
        guard isName(text, also: "") else { throw fault("an input's name is a word of letters and digits") }
        head.inputs.append(text)
        guard head.inputs.count <= maxInputs else { throw fault("a kernel has at most \(maxInputs) inputs") }
      case "hdr":
        guard text == "safe" || text == "clips" else { throw fault("hdr is safe or clips, not \"\(text)\"") }
        head.isHDRSafe = text == "safe"
      case "headroom":
        let parts = text.split(separator: " ", maxSplits: 1).map { trimmed($0) }
        switch (parts.first, parts.count) {
        case ("keeps", 1): head.headroom = .keeps
        case ("unknown", 1): head.headroom = .unknown
        case ("scales", 2): head.headroom = .scales(parts[1])
        default: throw fault("headroom is keeps, scales EXPRESSION, or unknown")
        }
      case "alpha":
        guard text == "keeps" || text == "makes" else { throw fault("alpha is keeps or makes, not \"\(text)\"") }
        head.makesAlpha = text == "makes"
      default:
        throw fault(
          "there is no \"\(key)\" in a head: name, summary, parameter, radius, input, hdr, headroom, alpha")
      }
    }
    guard !head.name.isEmpty else { throw KernelTextFault("the head has no name: //! name WORD", line: 1) }
    guard head.parameters.reduce(0, { $0 + $1.words }) <= maxWords else {
      throw KernelTextFault("the parameters are more than \(maxWords) numbers", line: parameterLines.last ?? 1)
    }
    return (head, parameterLines)
  }

  static func isName(_ text: String, also: String) -> Bool {
    guard let first = text.first, first.isASCII, first.isLetter, text.count <= 64 else { return false }
    return text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || also.contains($0) }
  }
}

extension KernelHead.Parameter {
  /// Reads `NAME TYPE = DEFAULT in LOW...HIGH: SUMMARY`.
  init(_ text: String, line: Int) throws(KernelTextFault) {
    func fault(_ message: String) -> KernelTextFault { KernelTextFault(message, line: line) }
    let halves = text.split(separator: ":", maxSplits: 1).map { trimmed($0) }
    let words = (halves.first ?? "").split(separator: " ").map(String.init)
    guard words.count >= 4, words[2] == "=" else {
      throw fault("a parameter is NAME TYPE = DEFAULT in LOW...HIGH: SUMMARY")
    }
    guard KernelHead.isName(words[0], also: "") else { throw fault("a parameter's name is letters and digits") }
    let value = words[3], kind: Kind
    func range() throws(KernelTextFault) -> ClosedRange<Double> {
      guard words.count == 6, words[4] == "in" else { throw fault("\(words[0]) has no range: in LOW...HIGH") }
      let ends = words[5].split(separator: ".", omittingEmptySubsequences: false).joined(separator: ".")
      guard let dots = ends.firstRange(of: "..."), let low = decimal(String(ends[..<dots.lowerBound])),
        let high = decimal(String(ends[dots.upperBound...])), low <= high, abs(low) <= 1e6, abs(high) <= 1e6
      else { throw fault("a range is LOW...HIGH, not \"\(words[5])\"") }
      return low...high
    }
    func numbers(_ count: ClosedRange<Int>) throws(KernelTextFault) -> [Double] {
      let list = value.split(separator: "/").map { decimal(String($0)) }
      guard count.contains(list.count), !list.contains(nil) else {
        throw fault("the default of \(words[0]) is \(count.lowerBound) numbers: 1/0.5/2")
      }
      return list.compactMap { $0 }
    }
    switch words[1] {
    case "float":
      let range = try range()
      guard let number = decimal(value), range.contains(number) else { throw fault("the default is not in the range") }
      kind = .number(number, range)
    case "int":
      let range = try range()
      guard let number = Int(value), range.contains(Double(number)), range.lowerBound == range.lowerBound.rounded(),
        range.upperBound == range.upperBound.rounded()
      else { throw fault("the default is not in the range") }
      kind = .count(number, Int(range.lowerBound)...Int(range.upperBound))
    case "bool":
      guard value == "true" || value == "false", words.count == 4 else { throw fault("a bool is = true or = false") }
      kind = .flag(value == "true")
    case "vec2", "vec3", "vec4":
      let size = words[1] == "vec2" ? 2 : words[1] == "vec3" ? 3 : 4
      let range = try range(), list = try numbers(size...size)
      guard list.allSatisfy({ range.contains($0) }) else { throw fault("the default is not in the range") }
      kind = .vector(list, range)
    case "color":
      guard words.count == 4 else { throw fault("a color has no range") }
      kind = .color(try numbers(3...3))
    default: throw fault("a parameter is float, int, bool, vec2, vec3, vec4 or color, not \"\(words[1])\"")
    }
    self.init(words[0], kind, halves.count > 1 ? halves[1] : "")
  }
}

/// Removes white space at both ends.
func trimmed(_ text: Substring) -> String {
  var part = text
  while let first = part.first, first.isWhitespace { part.removeFirst() }
  while let last = part.last, last.isWhitespace { part.removeLast() }
  return String(part)
}
