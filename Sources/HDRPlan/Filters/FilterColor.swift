import HDRCore
import PlainData

/// A colour with its space: `p3(1, 0, 0)`, `linear-bt2020(4, 4, 4, 0.5)`, `#ff8000`. Components are signals of the
/// space and may lie outside 0...1; alpha is 0...1.
public struct FilterColor: Sendable, Hashable {
  /// An error that says why a text is not a colour, to follow the parameter's name.
  public struct Fault: Error, Sendable, Hashable {
    public var message: String
  }

  /// The largest magnitude that a component of its light may have.
  static let largest = 65504.0

  public var space: ColorSpace
  /// The signals R, G, B.
  public var components: [Double]
  public var alpha: Double

  /// - Throws: `Fault` for light that is not finite or above 65504, and for alpha outside 0...1.
  public init(
    _ space: ColorSpace, _ red: Double, _ green: Double, _ blue: Double, alpha: Double = 1
  ) throws(Fault) {
    (self.space, components, self.alpha) = (space, [red, green, blue], alpha)
    // PQ's formula has a pole at 1.99 and no meaning beyond it.
    let isSignal = space.curve != .pq || components.allSatisfy { abs($0) < 1.9 }
    guard isSignal, light.prefix(3).allSatisfy({ abs($0) <= Self.largest }) else {
      throw Fault(message: "is light within \(short(Self.largest)) times white, which \(text) is not")
    }
    guard (0...1).contains(alpha) else { throw Fault(message: "has an alpha of 0...1, not \(short(alpha))") }
  }

  /// Linear BT.2020 R, G, B, not multiplied, and alpha.
  package var light: [Double] { space.light(components) + [alpha] }
}

extension FilterColor {
  /// Returns true if a text is meant as a colour and not as numbers.
  package static func isMeant(_ text: String) -> Bool { text.hasPrefix("#") || text.contains("(") }

  /// Reads `#rrggbb`, `#rrggbbaa`, `SPACE(r, g, b)` and `SPACE(r, g, b, a)`; slashes may stand for commas.
  ///
  /// - Throws: `Fault`.
  public init(parsing text: String) throws(Fault) {
    guard text.utf8.count <= 200 else { throw Fault(message: "is a colour of at most 200 bytes") }
    if text.hasPrefix("#") {
      try self.init(hex: text)
      return
    }
    guard let open = text.firstIndex(of: "("), text.hasSuffix(")") else {
      throw Fault(message: "is \(Self.form), not \"\(text)\"")
    }
    let name = text[..<open].lowercased(), inner = text[text.index(after: open)...].dropLast()
    guard let space = ColorSpace(name) else {
      let names = ColorSpace.all.map(\.name)
      throw Fault(message: "has no space \"\(name)\"\(Nearest.hint(name, among: names)); a space is \(ColorSpace.form)")
    }
    let parts = inner.split(omittingEmptySubsequences: false) { $0 == "," || $0 == "/" }
    var numbers: [Double] = []
    for part in parts {
      let word = part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
      guard let number = decimal(String(word)) else {
        throw Fault(message: "has no number \"\(String(word))\" in \(text)")
      }
      numbers.append(number)
    }
    guard numbers.count == 3 || numbers.count == 4 else {
      throw Fault(message: "has 3 or 4 numbers in \(space.name)(r, g, b, a), not \(numbers.count)")
    }
    try self.init(space, numbers[0], numbers[1], numbers[2], alpha: numbers.count == 4 ? numbers[3] : 1)
  }

  private init(hex text: String) throws(Fault) {
    let digits = Array(text.utf8.dropFirst())
    guard digits.count == 6 || digits.count == 8, text.dropFirst().allSatisfy({ $0.isASCII && $0.isHexDigit }),
      let number = UInt32(text.dropFirst(), radix: 16)
    else {
      throw Fault(message: "is #rrggbb or #rrggbbaa with hexadecimal digits, not \"\(text)\"")
    }
    let code = digits.count == 6 ? number << 8 | 0xff : number
    func byte(_ shift: UInt32) -> Double { Double(code >> shift & 0xff) / 255 }
    try self.init(.srgb, byte(24), byte(16), byte(8), alpha: byte(0))
  }

  /// The ways to write a colour, to follow "is".
  static var form: String { "3 or 4 numbers (R, G, B and A), #rrggbb or a colour as in p3(1, 0, 0)" }

  /// `p3(1, 0, 0)`; alpha only where it is not 1.
  package var text: String {
    "\(space.name)(" + (components + (alpha == 1 ? [] : [alpha])).map(shortest).joined(separator: ", ") + ")"
  }

  /// The colour as a filter's value, the same for all ways to write it: numbers if it is encoded sRGB.
  package var value: FilterValue {
    space == .srgb ? .numbers(components + (alpha == 1 ? [] : [alpha])) : .word(text)
  }
}

extension FilterValue {
  /// A colour in its canonical form, so that recipes of the same colours have the same bytes; other values unchanged.
  package var canonicalColor: FilterValue {
    switch self {
    case .numbers(let list) where list.count == 4 && list[3] == 1: .numbers(Array(list.prefix(3)))
    case .word(let text): (try? FilterColor(parsing: text))?.value ?? self
    default: self
    }
  }
}
