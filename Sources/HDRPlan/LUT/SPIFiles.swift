import HDRCore

/// The three text formats of Sony Pictures Imageworks: `.spi1d`, `.spi3d`, `.spimtx` (docs/luts.md#formats).
enum SPIFiles {
  /// Reads `Version`, `From`, `Length`, `Components` and rows between braces. One component is for all channels; of two,
  /// blue becomes 0.
  static func curve(_ bytes: [UInt8]) throws(LUTError) -> LUTChain {
    var lines = try LUTLines(bytes)
    var from = [0.0, 1.0], length = 0, components = 0, isVersioned = false
    head: while true {
      let words = try lines.need("{"), number = lines.number
      switch words[0].lowercased() {
      case "version":
        guard words.count == 2, words[1] == "1" else {
          throw LUTError(.format, line: number, reason: "Version must be 1")
        }
        isVersioned = true
      case "from":
        from = try LUTNumbers.domain(words.dropFirst(), line: number, "From")
      case "length": length = try LUTNumbers.count(words.dropFirst().first, 2...CubeLUT.max1D, line: number, "Length")
      case "components": components = try LUTNumbers.count(words.dropFirst().first, 1...3, line: number, "Components")
      case "{": break head
      default:
        throw LUTError(.syntax, line: number, reason: "only Version, From, Length and Components may stand before {")
      }
    }
    guard isVersioned, length > 0, components > 0 else {
      throw LUTError(.syntax, line: lines.number, reason: "Version, Length and Components must stand before {")
    }
    let rows = try lines.rows(length, of: components, "the table")
    guard try lines.need("}")[0] == "}" else {
      throw LUTError(.count, line: lines.number, reason: "more rows than Length says")
    }
    try lines.end()
    let values = (0..<length).flatMap { row -> [Float] in
      (0..<3).map { channel in
        components == 1 ? rows[row] : channel < components ? rows[components * row + channel] : 0
      }
    }
    return LUTChain([
      .table(
        CubeLUT.Table1D(
          size: length, domainMin: [from[0], from[0], from[0]], domainMax: [from[1], from[1], from[1]], values: values))
    ])
  }

  /// Reads `SPILUT 1.0`, `3 3`, the edges and rows `r g b R G B` in any order, each node once.
  static func cube(_ bytes: [UInt8]) throws(LUTError) -> LUTChain {
    var lines = try LUTLines(bytes)
    guard try lines.need("SPILUT")[0].uppercased() == "SPILUT" else {
      throw LUTError(.format, line: lines.number, reason: "it does not begin with SPILUT 1.0")
    }
    guard try lines.need("3 3") == ["3", "3"] else {
      throw LUTError(.syntax, line: lines.number, reason: "the second line must be 3 3")
    }
    let edges = try lines.need("the edges"), size = try LUTNumbers.edge(edges, line: lines.number, "the third line")
    let count = size * size * size
    var values = [Float](repeating: .nan, count: 3 * count)
    for row in 0..<count {
      let words = try lines.need("row \(row + 1) of \(count)"), number = lines.number
      guard words.count == 6 else {
        throw LUTError(.count, line: number, reason: "a row needs six numbers, and has \(words.count)")
      }
      var node: [Int] = []
      for word in words.prefix(3) { node.append(try LUTNumbers.count(word, 0...size - 1, line: number, "an index")) }
      let at = 3 * ((node[2] * size + node[1]) * size + node[0])
      guard values[at].isNaN else {
        throw LUTError(.count, line: number, reason: "the node of this row was given before, so another one is missing")
      }
      let color = try LUTNumbers.finite(words.dropFirst(3), 3, line: number, "a row")
      for channel in 0..<3 { values[at + channel] = Float(color[channel]) }
    }
    try lines.end()
    return LUTChain([
      .cube(CubeLUT.Table3D(size: size, domainMin: [0, 0, 0], domainMax: [1, 1, 1], values: values), nil)
    ])
  }

  /// Reads twelve numbers by rows of four, the last of each an offset in 65535ths.
  static func matrix(_ bytes: [UInt8]) throws(LUTError) -> LUTChain {
    var lines = try LUTLines(bytes), values: [Double] = []
    while let (_, words) = try lines.next() {
      for word in words {
        guard values.count < 12 else {
          throw LUTError(.count, line: lines.number, reason: "a matrix has 12 numbers, and this one goes on")
        }
        values.append(try LUTNumbers.finite(word, line: lines.number, "the matrix"))
      }
    }
    guard values.count == 12 else {
      throw LUTError(.count, line: lines.number, reason: "a matrix needs 12 numbers, and has \(values.count)")
    }
    return LUTChain([
      .matrix(
        Matrix3((0..<9).map { values[$0 / 3 * 4 + $0 % 3] }), offset: (0..<3).map { values[4 * $0 + 3] / 65_535 })
    ])
  }
}
