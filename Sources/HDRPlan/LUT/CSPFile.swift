import HDRCore

/// A `.csp` file of Cinespace: metadata, three curves in front, then a 1D or a 3D table (docs/luts.md#formats).
enum CSPFile {
  /// The most points of a curve in front.
  static let maxPoints = 65_536

  static func read(_ bytes: [UInt8]) throws(LUTError) -> LUTChain {
    var lines = try LUTLines(bytes, comments: false, maxLine: LUTLines.maxCurveLine)
    guard try lines.need("CSPLUTV100")[0].uppercased() == "CSPLUTV100" else {
      throw LUTError(.format, line: lines.number, reason: "it does not begin with CSPLUTV100")
    }
    let kind = try lines.need("1D or 3D")[0].uppercased()
    guard kind == "1D" || kind == "3D" else {
      throw LUTError(.syntax, line: lines.number, reason: "the second line must be 1D or 3D")
    }
    var words = try lines.need("the curves")
    if words.map({ $0.uppercased() }) == ["BEGIN", "METADATA"] {
      repeat { words = try lines.need("END METADATA") } while words.map({ $0.uppercased() }) != ["END", "METADATA"]
      words = try lines.need("the curves")
    }
    var curves: [KnotCurve] = []
    for channel in 0..<3 {
      if channel > 0 { words = try lines.need("the curve of channel \(channel + 1)") }
      curves.append(try curve(words, &lines))
    }
    let table = try table(isCube: kind == "3D", &lines)
    try lines.end()
    let isIdentity = curves.allSatisfy { $0.isIdentityOverUnit }
    return LUTChain((isIdentity ? [] : [.knots(curves)]) + [table])
  }

  /// Reads the inputs and the outputs of a curve, whose number of points was read.
  private static func curve(_ words: [Substring], _ lines: inout LUTLines) throws(LUTError) -> KnotCurve {
    guard words.count == 1 else {
      throw LUTError(.count, line: lines.number, reason: "a curve begins with the number of its points alone")
    }
    let count = try LUTNumbers.count(words[0], 2...maxPoints, line: lines.number, "the number of points")
    let inputs = try LUTNumbers.finite(try lines.need("inputs"), count, line: lines.number, "the inputs")
    guard zip(inputs, inputs.dropFirst()).allSatisfy({ $1 - $0 > KnotCurve.leastGap }) else {
      throw LUTError(.prelut, line: lines.number, reason: "the inputs of a curve do not rise; sort them")
    }
    let outputs = try LUTNumbers.finite(try lines.need("outputs"), count, line: lines.number, "the outputs")
    guard let curve = KnotCurve.smooth(Array(zip(inputs, outputs)).map { (x: $0.0, y: $0.1) }) else {
      throw LUTError(.prelut, line: lines.number, reason: "the inputs of a curve do not rise; sort them")
    }
    return curve
  }

  private static func table(isCube: Bool, _ lines: inout LUTLines) throws(LUTError) -> LUTOperation {
    let sizes = try lines.need("the size of the table")
    if isCube {
      let size = try LUTNumbers.edge(sizes, line: lines.number, "the size of the table")
      let values = try lines.rows(size * size * size, of: 3, "the table")
      return .cube(CubeLUT.Table3D(size: size, domainMin: [0, 0, 0], domainMax: [1, 1, 1], values: values), nil)
    }
    let size = try LUTNumbers.count(sizes[0], 2...CubeLUT.max1D, line: lines.number, "the size of the table")
    let values = try lines.rows(size, of: 3, "the table")
    return .table(CubeLUT.Table1D(size: size, domainMin: [0, 0, 0], domainMax: [1, 1, 1], values: values))
  }
}

extension KnotCurve {
  /// True for the line from 0 to 1, which a table over 0 to 1 does not need in front: both end there.
  fileprivate var isIdentityOverUnit: Bool { pieces == [Piece(start: 0, a: 0, b: 1)] && end == 1 }
}
