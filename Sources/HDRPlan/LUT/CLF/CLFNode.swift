import HDRCore
import OCIOConfig

/// A node of a ProcessList with its bit depths.
struct CLFNode {
  let element: LUTElement
  let version: Double
  let from: CLFDepth
  let to: CLFDepth
  let refer: LUTChain.Refer?

  typealias Reader = @Sendable (CLFNode) throws(LUTError) -> [LUTOperation]

  /// The readers of nodes by the names of their elements.
  static let readers: [String: Reader] = [
    "Matrix": { (node) throws(LUTError) in try node.matrix() },
    "Range": { (node) throws(LUTError) in try node.range() },
    "LUT1D": { (node) throws(LUTError) in try node.table() },
    "InverseLUT1D": { (node) throws(LUTError) in try node.inverseTable() },
    "LUT3D": { (node) throws(LUTError) in try node.cube() },
    "InverseLUT3D": { (node) throws(LUTError) in
      throw node.element.error(.inverse, "a 3D table has no inverse; bake the other direction to a file")
    },
    "Log": { (node) throws(LUTError) in try node.log() },
    "Exponent": { (node) throws(LUTError) in try node.power("ExponentParams", "exponent") },
    "Gamma": { (node) throws(LUTError) in try node.power("GammaParams", "gamma") },
    "ASC_CDL": { (node) throws(LUTError) in try node.cdl() },
    "ExposureContrast": { (node) throws(LUTError) in try node.exposureContrast() },
    "FixedFunction": { (node) throws(LUTError) in try node.fixedFunction() },
    "Reference": { (node) throws(LUTError) in try node.reference() },
  ]

  /// The style in lower case; `nil` if none is stated.
  var style: String? { element.attribute("style")?.lowercased() }

  func unknownStyle() -> LUTError { element.error(.style, "this style of \(element.name) is not known") }

  /// Reads an `Array`: its dimensions and its numbers, as many as they say.
  ///
  /// - Parameter size: returns how many numbers dimensions mean; `nil` for dimensions that are not allowed.
  func array(_ size: ([Int]) -> Int?) throws(LUTError) -> (dimensions: [Int], numbers: [Double]) {
    guard let array = try element.one("Array") else { throw element.error(.arrayCount, "it has no Array") }
    let dimensions = (array.attribute("dim") ?? "").split(whereSeparator: \.isWhitespace).map { Int($0) ?? 0 }
    guard let count = size(dimensions) else {
      throw array.error(.arrayCount, "these dimensions are not those of a \(element.name), or are too large")
    }
    let numbers = try array.numbers("the Array")
    guard numbers.count == count else {
      throw array.error(.arrayCount, "\(numbers.count) numbers, \(count) are needed")
    }
    return (dimensions, numbers)
  }

  /// Reads the parameters of each channel: elements of a name, one for all channels or one each.
  ///
  /// - Returns: three parameters; `nil` for channels that have none.
  func channels<Value>(
    _ name: String, _ read: (LUTElement) throws(LUTError) -> Value
  ) throws(LUTError) -> [Value?] {
    var found: [Value?] = [nil, nil, nil]
    var isGiven = [false, false, false]
    for parameters in element.all(name) {
      let value = try read(parameters)
      let channel = parameters.attribute("channel")?.uppercased()
      let places =
        channel.map { word in ["R", "G", "B"].indices.filter { ["R", "G", "B"][$0] == word } } ?? [0, 1, 2]
      guard !places.isEmpty || channel == "A" else { throw parameters.error(.value, "channel must be R, G, B or A") }
      for place in places {
        guard !isGiven[place] else { throw parameters.error(.value, "a channel has two \(name)") }
        (found[place], isGiven[place]) = (value, true)
      }
    }
    return found
  }
}

extension CLFNode {
  /// Reads a matrix of 3 × 3 or 3 × 4, in CTF also 4 × 4 or 4 × 5 that leave alpha alone.
  fileprivate func matrix() throws(LUTError) -> [LUTOperation] {
    let (dimensions, numbers) = try array { dimensions in
      guard dimensions.count == 2 || (dimensions.count == 3 && dimensions[2] == dimensions[0]),
        [[3, 3], [3, 4], [4, 4], [4, 5]].contains(Array(dimensions.prefix(2)))
      else { return nil }
      return dimensions[0] * dimensions[1]
    }
    let rows = dimensions[0], columns = dimensions[1]
    func at(_ row: Int, _ column: Int) -> Double { numbers[columns * row + column] }
    if rows == 4 {
      let mixes = (0..<3).contains { at($0, 3) != 0 || at(3, $0) != 0 }
      guard !mixes, at(3, 3) * from.most / to.most == 1, columns == 4 || at(3, 4) == 0 else {
        throw element.error(.alpha, "a matrix that changes alpha is not supported")
      }
    }
    let scale = from.most / to.most
    let offset = columns > rows ? (0..<3).map { at($0, columns - 1) / to.most } : [0, 0, 0]
    return [.matrix(Matrix3((0..<9).map { at($0 / 3, $0 % 3) * scale }), offset: offset)]
  }

  fileprivate func range() throws(LUTError) -> [LUTOperation] {
    func bound(_ name: String, _ depth: CLFDepth) throws(LUTError) -> Double? {
      guard let found = try element.one(name) else { return nil }
      let values = try found.numbers(name)
      guard values.count == 1 else { throw found.error(.value, "\(name) must be one number") }
      return values[0] / depth.most
    }
    let minIn = try bound("minInValue", from), maxIn = try bound("maxInValue", from)
    let minOut = try bound("minOutValue", to), maxOut = try bound("maxOutValue", to)
    guard (minIn == nil) == (minOut == nil), (maxIn == nil) == (maxOut == nil), minIn != nil || maxIn != nil else {
      throw element.error(.value, "a Range needs minInValue with minOutValue, maxInValue with maxOutValue, or all four")
    }
    let clamps: Bool
    switch style {
    case nil, "clamp": clamps = true
    case "noclamp": clamps = false
    default: throw unknownStyle()
    }
    func end(_ from: Double?, _ to: Double?) -> ConfigRange.End? {
      from.flatMap { from in to.map { ConfigRange.End(from: from, to: $0) } }
    }
    let range = ConfigRange(low: end(minIn, minOut), high: end(maxIn, maxOut), clamps: clamps)
    guard let low = range.low, let high = range.high else {
      guard clamps else { throw element.error(.value, "a Range that does not clamp needs all four values") }
      return LUTOperation.range(range)
    }
    guard low.from < high.from, low.to <= high.to else {
      throw element.error(.value, "a Range's minimum must be below its maximum")
    }
    return LUTOperation.range(range)
  }

  /// Reads the file of a `path`, as it is or undone.
  fileprivate func reference() throws(LUTError) -> [LUTOperation] {
    guard let path = element.attribute("path"), element.attribute("basePath") == nil,
      element.attribute("alias") == nil
    else { throw element.error(.reference, "a Reference must have a path, and neither basePath nor alias") }
    guard let refer else { throw element.error(.reference, "a reference is read from files alone; bake both to one") }
    do throws(LUTError) {
      let chain = try refer(path)
      return try element.attribute("inverted")?.lowercased() == "true" ? chain.inverse().operations : chain.operations
    } catch {
      let place = error.line > 0 ? "in line \(error.line) of that file: " : ""
      throw element.error(error.code, place + error.reason)
    }
  }

  fileprivate func cdl() throws(LUTError) -> [LUTOperation] {
    var cdl = try CDLFile.correction(element, needsAll: true)
    switch style {
    case nil, "fwd", "v1.2_fwd": cdl.clamps = true
    case "rev", "v1.2_rev": cdl = try reversed(cdl, clamps: true)
    case "fwdnoclamp", "noclampfwd": cdl.clamps = false
    case "revnoclamp", "noclamprev": cdl = try reversed(cdl, clamps: false)
    default: throw unknownStyle()
    }
    return [.cdl(cdl)]
  }

  private func reversed(_ cdl: CDL, clamps: Bool) throws(LUTError) -> CDL {
    do throws(LUTError) {
      var other = try cdl.inverse()
      other.clamps = clamps
      return other
    } catch {
      throw element.error(error.code, error.reason)
    }
  }
}
