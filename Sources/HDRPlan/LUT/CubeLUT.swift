import HDRCore

/// A colour lookup table: an optional 1D part (alone, or a shaper in front) and an optional 3D part.
public struct CubeLUT: Sendable, Hashable {
  /// Equally spaced nodes for each channel over a domain.
  public struct Table1D: Sendable, Hashable {
    public var size: Int
    public var domainMin: [Double]
    public var domainMax: [Double]
    /// `size` × (R, G, B).
    public var values: [Float]

    public init(size: Int, domainMin: [Double], domainMax: [Double], values: [Float]) {
      self.size = size
      self.domainMin = domainMin
      self.domainMax = domainMax
      self.values = values
    }
  }

  /// `size`³ nodes over a box, red fastest.
  public struct Table3D: Sendable, Hashable {
    public var size: Int
    public var domainMin: [Double]
    public var domainMax: [Double]
    /// `size`³ × (R, G, B).
    public var values: [Float]

    public init(size: Int, domainMin: [Double], domainMax: [Double], values: [Float]) {
      self.size = size
      self.domainMin = domainMin
      self.domainMax = domainMax
      self.values = values
    }
  }

  public var title: String
  public var shaper: Table1D?
  public var cube: Table3D?

  public init(title: String = "", shaper: Table1D?, cube: Table3D?) {
    self.title = title
    self.shaper = shaper
    self.cube = cube
  }
}

extension CubeLUT {
  /// Limits on untrusted files (docs/isolation.md#limits).
  static let max1D = 300_000, max3D = 129

  /// Reads a `.cube` file of the Iridas/Adobe or the Resolve dialect (docs/filter-formulas.md#luts).
  ///
  /// `.itx` files have the same form. Keywords may be in any case; `DOMAIN_MIN`/`DOMAIN_MAX` for each channel, or Resolve's scalar input ranges. With
  /// both parts the 1D rows come first and are a shaper whose output enters the cube.
  public init(parsing bytes: some Collection<UInt8>) throws(LUTError) {
    var lines = try LUTLines(bytes)
    var title = ""
    var size1D = 0, size3D = 0
    var domainMin = [0.0, 0, 0], domainMax = [1.0, 1, 1]
    var range1D: (Double, Double)?, range3D: (Double, Double)?
    var domainLine = 0
    var rows: [Float] = []
    var number = 0

    func count(_ text: Substring?, _ keyword: String, _ allowed: ClosedRange<Int>) throws(LUTError) -> Int {
      guard let text, let value = Int(text) else {
        throw LUTError(.number, line: number, reason: "\(keyword) needs a whole number")
      }
      guard allowed.contains(value) else {
        throw LUTError(
          .size, line: number,
          reason: "\(keyword) is \(value), allowed are \(allowed.lowerBound) to \(allowed.upperBound)")
      }
      return value
    }
    func finite(_ text: Substring, _ what: String) throws(LUTError) -> Double {
      guard let value = Double(text) else {
        throw LUTError(.number, line: number, reason: "\(what) has a word that is no number")
      }
      guard value.isFinite, Float(value).isFinite else {
        throw LUTError(.number, line: number, reason: "\(what) is not finite")
      }
      return value
    }

    while let (text, words) = try lines.next() {
      number = lines.number
      let first = words[0]
      switch first.uppercased() {
      case "TITLE":
        title = text.split(separator: "\"", omittingEmptySubsequences: false).dropFirst().first.map(String.init) ?? ""
      case "LUT_1D_SIZE": size1D = try count(words.dropFirst().first, "LUT_1D_SIZE", 2...Self.max1D)
      case "LUT_3D_SIZE": size3D = try count(words.dropFirst().first, "LUT_3D_SIZE", 2...Self.max3D)
      case "DOMAIN_MIN", "DOMAIN_MAX":
        guard words.count == 4 else { throw LUTError(.count, line: number, reason: "\(first) needs three numbers") }
        var values: [Double] = []
        for word in words.dropFirst() { values.append(try finite(word, String(first))) }
        if first.uppercased() == "DOMAIN_MIN" { domainMin = values } else { domainMax = values }
        domainLine = number
      case "LUT_1D_INPUT_RANGE", "LUT_3D_INPUT_RANGE":
        guard words.count == 3 else { throw LUTError(.count, line: number, reason: "\(first) needs two numbers") }
        let pair = (try finite(words[1], String(first)), try finite(words[2], String(first)))
        if first.uppercased().contains("1D") { range1D = pair } else { range3D = pair }
        guard pair.1 - pair.0 >= LUTNumbers.leastDomain else {
          throw LUTError(.domain, line: number, reason: "\(first): the minimum is not below the maximum")
        }
      default:
        guard first.first!.isNumber || "+-.nNiI".contains(first.first!) else {
          throw LUTError(.syntax, line: number, reason: Self.unknown(first))
        }
        guard words.count == 3 else {
          throw LUTError(.count, line: number, reason: "a row needs three numbers, this one has \(words.count)")
        }
        guard size1D > 0 || size3D > 0 else {
          throw LUTError(.syntax, line: number, reason: "rows before LUT_1D_SIZE or LUT_3D_SIZE")
        }
        guard rows.count / 3 < size1D + size3D * size3D * size3D else {
          throw LUTError(.count, line: number, reason: "more rows than the sizes say")
        }
        for word in words { rows.append(Float(try finite(word, "a row"))) }
      }
    }

    guard size1D > 0 || size3D > 0 else {
      throw LUTError(.syntax, line: 0, reason: "no LUT_1D_SIZE and no LUT_3D_SIZE")
    }
    let expected = size1D + size3D * size3D * size3D
    guard rows.count == 3 * expected else {
      throw LUTError(.count, line: number, reason: "\(rows.count / 3) rows, \(expected) are needed")
    }
    for channel in 0..<3 where domainMax[channel] - domainMin[channel] < LUTNumbers.leastDomain {
      throw LUTError(.domain, line: domainLine, reason: "DOMAIN_MIN is not below DOMAIN_MAX")
    }
    func box(_ range: (Double, Double)?) -> ([Double], [Double]) {
      guard let range else { return (domainMin, domainMax) }
      return ([range.0, range.0, range.0], [range.1, range.1, range.1])
    }
    var shaper: Table1D?, cube: Table3D?
    if size1D > 0 {
      let (low, high) = box(range1D)
      shaper = Table1D(size: size1D, domainMin: low, domainMax: high, values: Array(rows.prefix(3 * size1D)))
    }
    if size3D > 0 {
      let (low, high) = box(range3D)
      cube = Table3D(size: size3D, domainMin: low, domainMax: high, values: Array(rows.dropFirst(3 * size1D)))
    }
    self.init(title: title, shaper: shaper, cube: cube)
  }

  /// Returns the message for an unknown word. An untrusted recipe may name a file to learn its content, so only text
  /// that looks like a keyword is repeated.
  private static func unknown(_ word: Substring) -> String {
    let isKeyword =
      word.utf8.count <= 40
      && word.utf8.allSatisfy { byte in
        (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "_")
      }
    return isKeyword ? "unknown keyword \"\(word)\"" : "it begins with neither a keyword nor a number"
  }
}
