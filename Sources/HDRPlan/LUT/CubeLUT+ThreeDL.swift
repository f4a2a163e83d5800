import HDRCore

extension CubeLUT {
  /// Reads a `.3dl` file of Flame or Lustre (docs/filter-formulas.md#luts): rows of three whole numbers, blue fastest;
  /// a first line of more than three numbers is a shaper. `Mesh n m` states the size, 2^n + 1, and the bits of the
  /// rows, m. Without it the bits follow from the largest number, which may be up to twice too large.
  public init(parsing3DL bytes: some Collection<UInt8>) throws(LUTError) {
    var lines = try LUTLines(bytes)
    var shaper: [Int] = [], rows: [Int] = [], bits: Int?, size: Int?

    func whole(_ words: [Substring]) throws(LUTError) -> [Int] {
      var values: [Int] = []
      for word in words {
        guard let value = Int(word), value.magnitude <= 1 << 20 else {
          throw LUTError(.number, line: lines.number, reason: "a 3dl row has a word that is no whole number")
        }
        values.append(value)
      }
      return values
    }
    while let (_, words) = try lines.next() {
      switch words[0].lowercased() {
      case "3dmesh", "lut8", "gamma", "title": continue
      case "mesh":
        guard words.count == 3, let n = Int(words[1]), let m = Int(words[2]), (1...7).contains(n), (8...16).contains(m)
        else {
          throw LUTError(.size, line: lines.number, reason: "Mesh needs 1 to 7 for the size and 8 to 16 for the bits")
        }
        (size, bits) = ((1 << n) + 1, m)
      default:
        if words.count == 3 {
          guard rows.count < 3 * Self.max3D * Self.max3D * Self.max3D else {
            throw LUTError(.count, line: lines.number, reason: "more than \(Self.max3D)³ rows")
          }
          rows += try whole(words)
        } else {
          guard shaper.isEmpty, rows.isEmpty, words.count > 3 else {
            throw LUTError(.count, line: lines.number, reason: "a row needs three numbers, this one has \(words.count)")
          }
          shaper = try whole(words)
        }
      }
    }
    let count = rows.count / 3
    var edge = 0
    while edge * edge * edge < count { edge += 1 }
    guard edge >= 2, edge * edge * edge == count else {
      throw LUTError(
        .count, line: lines.number, reason: "\(count) rows are no cube of 2 to \(Self.max3D) nodes an edge")
    }
    if let size, size != edge {
      throw LUTError(.count, line: lines.number, reason: "\(count) rows, Mesh says \(size)³")
    }
    let largest = Double((1 << (bits ?? Self.likelyBits(rows))) - 1)
    var values = [Float](repeating: 0, count: rows.count)
    for r in 0..<edge {
      for g in 0..<edge {
        for b in 0..<edge {
          let from = 3 * ((r * edge + g) * edge + b), to = 3 * ((b * edge + g) * edge + r)
          for channel in 0..<3 { values[to + channel] = Float(Double(rows[from + channel]) / largest) }
        }
      }
    }
    var table: Table1D?
    if !shaper.isEmpty {
      let top = Double((1 << Self.likelyBits(shaper)) - 1), last = Double(shaper.count - 1)
      let nodes = shaper.map { Double($0) / top }
      // Most are the identity, rounded to whole numbers.
      if nodes.enumerated().contains(where: { abs(Double($0) / last - $1) > 1.5 / top }) {
        table = Table1D(
          size: nodes.count, domainMin: [0, 0, 0], domainMax: [1, 1, 1],
          values: nodes.flatMap { [Float($0), Float($0), Float($0)] })
      }
    }
    self.init(
      shaper: table, cube: Table3D(size: edge, domainMin: [0, 0, 0], domainMax: [1, 1, 1], values: values))
  }

  /// Returns the bits of the numbers: the smallest of 8, 10, 12, 14, 16 whose range, doubled, holds the largest.
  private static func likelyBits(_ values: [Int]) -> Int {
    let most = values.max() ?? 0
    return [8, 10, 12, 14].first { most < 2 << $0 } ?? 16
  }
}
