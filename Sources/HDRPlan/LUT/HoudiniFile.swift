import HDRCore

/// A `.lut` file of Houdini: a head of words, then blocks of numbers in braces (docs/luts.md#formats).
enum HoudiniFile {
  static func read(_ bytes: [UInt8]) throws(LUTError) -> LUTChain {
    var lines = try LUTLines(bytes)
    var type = "", from = [0.0, 1.0], lengths: [Int] = []
    guard let (_, first) = try lines.next() else { throw LUTError(.count, reason: "the file is empty") }
    if first[0].lowercased() == "lut:" {
      throw LUTError(.discreet, line: lines.number, reason: "LUTs of Discreet are not read; convert it to .cube")
    }
    guard first[0].lowercased() == "version" else {
      throw LUTError(.format, line: lines.number, reason: "it does not begin with Version, as LUTs of Houdini do")
    }
    head: while true {
      let words = try lines.need("LUT:"), number = lines.number
      switch words[0].lowercased() {
      case "type":
        type = words.dropFirst().first?.uppercased() ?? ""
        guard ["C", "3D", "3D+1D"].contains(type) else {
          throw LUTError(.syntax, line: number, reason: "Type must be C, 3D or 3D+1D")
        }
      case "from":
        from = try LUTNumbers.domain(words.dropFirst(), line: number, "From")
      case "to":
        guard try LUTNumbers.finite(words.dropFirst(), 2, line: number, "To") == [0, 1] else {
          throw LUTError(.domain, line: number, reason: "To must be 0 1; scale the numbers of the tables")
        }
      case "length":
        for (index, word) in words.dropFirst().enumerated() {
          let most = index == 0 && type != "C" ? CubeLUT.max3D : CubeLUT.max1D
          lengths.append(try LUTNumbers.count(word, 2...most, line: number, "Length"))
        }
      case "format", "black", "white": continue
      case "lut:": break head
      default: throw LUTError(.syntax, line: number, reason: "a word before LUT: that is none of Houdini's")
      }
    }
    guard !type.isEmpty, lengths.count == (type == "3D+1D" ? 2 : 1) else {
      throw LUTError(
        .count, line: lines.number, reason: "Type and Length must stand before LUT:, a length for each table")
    }
    var blocks: [String: [Float]] = [:]
    let cubeSize = type == "C" ? 0 : lengths[0]
    let allowed = [
      "pre": type == "3D+1D" ? lengths[1] : 0, "3d": 3 * cubeSize * cubeSize * cubeSize,
      "rgb": type == "C" ? lengths[0] : 0, "r": type == "C" ? lengths[0] : 0, "g": type == "C" ? lengths[0] : 0,
      "b": type == "C" ? lengths[0] : 0,
    ]
    while let block = try block(allowed, &lines) {
      guard blocks.updateValue(block.values, forKey: block.name) == nil else {
        throw LUTError(.count, line: lines.number, reason: "a block is given twice")
      }
    }
    return try chain(type, blocks, lengths, from, line: lines.number)
  }

  /// Reads `NAME {`, numbers and `}`; `nil` at the end of the file.
  private static func block(
    _ allowed: [String: Int], _ lines: inout LUTLines
  ) throws(LUTError) -> (name: String, values: [Float])? {
    guard let (_, head) = try lines.next() else { return nil }
    let name = head[0].lowercased()
    guard head.count == 2, head[1] == "{", let count = allowed[name], count > 0 else {
      throw LUTError(
        .syntax, line: lines.number, reason: "a block must be Pre {, 3D {, RGB {, R {, G { or B {, as Type says")
    }
    var values: [Float] = []
    var isOpen = true
    while isOpen {
      var words = try lines.need("}")
      if words.last == "}" {
        words.removeLast()
        isOpen = false
      }
      guard values.count + words.count <= count else {
        throw LUTError(.count, line: lines.number, reason: "more numbers than Length says")
      }
      for word in words { values.append(Float(try LUTNumbers.finite(word, line: lines.number, "a block"))) }
    }
    guard values.count == count else {
      throw LUTError(.count, line: lines.number, reason: "\(values.count) numbers, \(count) are needed")
    }
    return (name, values)
  }

  private static func chain(
    _ type: String, _ blocks: [String: [Float]], _ lengths: [Int], _ from: [Double], line: Int
  ) throws(LUTError) -> LUTChain {
    let low = [from[0], from[0], from[0]], high = [from[1], from[1], from[1]]
    func table(_ channels: [[Float]], _ low: [Double], _ high: [Double]) -> LUTOperation {
      let size = channels[0].count
      return .table(
        CubeLUT.Table1D(
          size: size, domainMin: low, domainMax: high, values: (0..<size).flatMap { i in channels.map { $0[i] } }))
    }
    let missing = LUTError(.count, line: line, reason: "a block that Type asks for is missing")
    if type == "C" {
      if let all = blocks["rgb"], blocks.count == 1 { return LUTChain([table([all, all, all], low, high)]) }
      guard let r = blocks["r"], let g = blocks["g"], let b = blocks["b"], blocks.count == 3 else { throw missing }
      return LUTChain([table([r, g, b], low, high)])
    }
    guard let values = blocks["3d"] else { throw missing }
    if type == "3D" {
      return LUTChain([.cube(CubeLUT.Table3D(size: lengths[0], domainMin: low, domainMax: high, values: values), nil)])
    }
    guard let pre = blocks["pre"] else { throw missing }
    return LUTChain([
      table([pre, pre, pre], low, high),
      .cube(CubeLUT.Table3D(size: lengths[0], domainMin: [0, 0, 0], domainMax: [1, 1, 1], values: values), nil),
    ])
  }
}
