import HDRCore

extension CLFNode {
  /// The number of entries of a table over all halves.
  private static let halves = 65_536

  func table() throws(LUTError) -> [LUTOperation] {
    let (size, values, isHalfDomain) = try values(scale: 1 / to.most)
    let map = try indexMap(size: size, isHalfDomain: isHalfDomain)
    return map + [isHalfDomain ? try Self.halfDomain(values, element) : Self.table(size, values)]
  }

  /// Reads a table from output to input; its numbers are of the input's depth.
  func inverseTable() throws(LUTError) -> [LUTOperation] {
    let (size, values, isHalfDomain) = try values(scale: 1 / from.most)
    do throws(LUTError) {
      return try (isHalfDomain ? try Self.halfDomain(values, element) : Self.table(size, values)).inverse()
    } catch {
      throw element.error(error.code, error.reason)
    }
  }

  func cube() throws(LUTError) -> [LUTOperation] {
    let (dimensions, numbers) = try array { dimensions in
      guard dimensions.count == 4, dimensions[3] == 3, (2...CubeLUT.max3D).contains(dimensions[0]),
        dimensions[1] == dimensions[0], dimensions[2] == dimensions[0]
      else { return nil }
      return 3 * dimensions[0] * dimensions[0] * dimensions[0]
    }
    let interpolation: LUTChoice.Interpolation?
    switch element.attribute("interpolation")?.lowercased() {
    case nil, "default": interpolation = nil
    case "trilinear", "linear": interpolation = .trilinear
    case "tetrahedral", "4pt tetrahedral": interpolation = .tetrahedral
    default: throw element.error(.style, "interpolation must be trilinear or tetrahedral")
    }
    let map = try indexMap(size: dimensions[0], isHalfDomain: false)
    return map + [
      .cube(
        CubeLUT.Table3D(size: dimensions[0], blueFastest: numbers.map { Float($0 / to.most) }), interpolation)
    ]
  }

  /// Reads the numbers of a 1D table, three for each entry.
  private func values(scale: Double) throws(LUTError) -> (size: Int, values: [Double], isHalfDomain: Bool) {
    if let adjust = element.attribute("hueAdjust"), adjust.lowercased() != "none" {
      throw element.error(.hueAdjust, "hueAdjust is not supported; bake the file to a LUT")
    }
    func flag(_ name: String) throws(LUTError) -> Bool {
      guard let text = element.attribute(name) else { return false }
      guard text.lowercased() == "true" else { throw element.error(.value, "\(name) must be true, or not be there") }
      return true
    }
    let isHalfDomain = try flag("halfDomain"), areRaw = try flag("rawHalfs")
    let (dimensions, numbers) = try array { dimensions in
      guard dimensions.count == 2, dimensions[1] == 1 || dimensions[1] == 3,
        (2...CubeLUT.max1D).contains(dimensions[0]), !isHalfDomain || dimensions[0] == Self.halves
      else { return nil }
      return dimensions[0] * dimensions[1]
    }
    var values = numbers
    if areRaw {
      for (index, number) in numbers.enumerated() {
        guard number >= 0, number < Double(Self.halves), number == number.rounded() else {
          throw element.error(.number, "rawHalfs: a number is no bits of a half")
        }
        let half = Self.half(UInt16(number))
        guard half.isFinite else { throw element.error(.number, "rawHalfs: a half is not finite") }
        values[index] = half
      }
    }
    let columns = dimensions[1]
    let all = (0..<3 * dimensions[0]).map { values[columns == 1 ? $0 / 3 : $0] * scale }
    return (dimensions[0], all, isHalfDomain)
  }

  private static func table(_ size: Int, _ values: [Double]) -> LUTOperation {
    .table(
      CubeLUT.Table1D(size: size, domainMin: [0, 0, 0], domainMax: [1, 1, 1], values: values.map { Float($0) }))
  }

  /// Makes the curves of a table with an entry for every half; the entries of infinities, NaN and -0 are not used.
  private static func halfDomain(_ values: [Double], _ element: LUTElement) throws(LUTError) -> LUTOperation {
    // Halves by their value: negative ones from the largest magnitude, 0, positive ones.
    let order = Array((0x8001...0xfbff).reversed()) + Array(0...0x7bff)
    var curves: [KnotCurve] = []
    for channel in 0..<3 {
      guard
        let curve = KnotCurve.lines(
          order.map { (x: half(UInt16($0)), y: values[3 * $0 + channel]) })
      else { throw element.error(.domain, "a table of one value") }
      curves.append(curve)
    }
    return .knots(curves)
  }

  /// Returns the number of a half's bits.
  private static func half(_ bits: UInt16) -> Double {
    let sign = bits & 0x8000 == 0 ? 1.0 : -1.0, exponent = Int(bits >> 10 & 31), fraction = Double(bits & 1023) / 1024
    if exponent == 31 { return fraction == 0 ? sign * .infinity : .nan }
    return sign
      * (exponent == 0
        ? fraction * 0x1p-14 : (1 + fraction) * Double(sign: .plus, exponent: exponent - 15, significand: 1))
  }

  /// Reads `in@out in@out` of CLF 2: the numbers of the input that are two places of the table.
  private func indexMap(size: Int, isHalfDomain: Bool) throws(LUTError) -> [LUTOperation] {
    let maps = element.all("IndexMap")
    guard let map = maps.first else { return [] }
    guard version < 3, maps.count == 1, !isHalfDomain else {
      throw map.error(.indexMap, "an IndexMap belongs to CLF 2, one to a table; write a Range")
    }
    let sides = map.text.split(whereSeparator: { $0 == "@" || $0.isWhitespace })
    guard sides.count == 4, map.text.count(where: { $0 == "@" }) == 2 else {
      throw map.error(.indexMap, "only an IndexMap of two pairs IN@OUT is read; write a Range")
    }
    let numbers = try LUTNumbers.finite(sides, 4, line: map.line, "IndexMap")
    let last = Double(size - 1)
    let low = numbers[0] / from.most, high = numbers[2] / from.most
    let first = numbers[1] / last, second = numbers[3] / last
    guard low < high, first < second else {
      throw map.error(.indexMap, "an IndexMap's first pair must be below its second")
    }
    let scale = (second - first) / (high - low), offset = first - low * scale
    return [.affine([scale, scale, scale], [offset, offset, offset]), .clamp(low: first, high: second)]
  }
}
