import FileParts
import CJXL
import HDRCore

/// The colour of a JPEG XL codestream by its enumerated fields (ISO/IEC 18181-1 annex E). It converts to libjxl's
/// `JxlColorEncoding` and to the bits of a `jhgm` box, least significant first.
package struct JXLColor: Sendable, Hashable {
  /// The codes of white points: table E.1.
  private enum White {
    static let d65 = 1, custom = 2, equalEnergy = 10, dci = 11
  }
  private static let whites = [
    White.d65: Primaries.d65, White.equalEnergy: Chromaticity(1.0 / 3, 1.0 / 3), White.dci: Chromaticity(0.314, 0.351),
  ]
  /// The codes of primaries and curves that differ from H.273.
  private static let customPrimaries = 2, p3 = 11
  private static let dciCurve = 17, unknownCurve = 2

  package var isGrey = false
  private var white = White.d65
  private var primaries = CICP.Primaries.bt709
  /// The custom white, red, green and blue.
  private var points: [Chromaticity] = Array(repeating: Primaries.d65, count: 4)
  package var transfer = CICP.Transfer.sRGB
  /// The exponent of the encoding; `nil`: `transfer` names the curve.
  private var gamma: Double?
  /// The rendering intent; relative colorimetric is what libjxl writes.
  private var intent = 1

  /// Makes the colour of code points; `nil` for those without fields in JPEG XL.
  package init?(primaries: Int, transfer: Int, isGrey: Bool = false) {
    self.isGrey = isGrey
    switch primaries {
    case CICP.Primaries.bt709, CICP.Primaries.bt2020: self.primaries = primaries
    case CICP.Primaries.p3: self.primaries = Self.p3
    case 11: (self.primaries, white) = (Self.p3, White.dci)
    default: return nil
    }
    // Grey has no primaries.
    if isGrey { self.primaries = CICP.Primaries.bt709 }
    guard
      [
        CICP.Transfer.bt709, CICP.Transfer.linear, CICP.Transfer.sRGB, CICP.Transfer.pq, Self.dciCurve,
        CICP.Transfer.hlg,
      ].contains(transfer)
    else { return nil }
    self.transfer = transfer
  }

  // MARK: libjxl's structure

  init(_ encoding: JxlColorEncoding) {
    isGrey = encoding.color_space == JXL_COLOR_SPACE_GRAY
    white = Int(encoding.white_point.rawValue)
    primaries = isGrey ? CICP.Primaries.bt709 : Int(encoding.primaries.rawValue)
    if Self.whites[white] == nil {
      points[0] = Chromaticity(encoding.white_point_xy.0, encoding.white_point_xy.1)
    }
    if primaries == Self.customPrimaries {
      points[1] = Chromaticity(encoding.primaries_red_xy.0, encoding.primaries_red_xy.1)
      points[2] = Chromaticity(encoding.primaries_green_xy.0, encoding.primaries_green_xy.1)
      points[3] = Chromaticity(encoding.primaries_blue_xy.0, encoding.primaries_blue_xy.1)
    }
    transfer = Int(encoding.transfer_function.rawValue)
    if encoding.transfer_function == JXL_TRANSFER_FUNCTION_GAMMA { gamma = encoding.gamma }
    intent = Int(encoding.rendering_intent.rawValue)
  }

  /// The colour as libjxl's structure; only colours of code points are supported.
  var encoding: JxlColorEncoding {
    var encoding = JxlColorEncoding()
    encoding.color_space = isGrey ? JXL_COLOR_SPACE_GRAY : JXL_COLOR_SPACE_RGB
    encoding.white_point = JxlWhitePoint(rawValue: UInt32(white))
    encoding.primaries = JxlPrimaries(rawValue: UInt32(primaries))
    encoding.transfer_function = JxlTransferFunction(rawValue: UInt32(transfer))
    encoding.rendering_intent = JxlRenderingIntent(rawValue: UInt32(intent))
    return encoding
  }

  // MARK: Bits

  /// The packed fields; only colours of code points are supported.
  package var bits: [UInt8] {
    var sink = Bits()
    let isDefault =
      !isGrey && white == White.d65 && primaries == CICP.Primaries.bt709 && transfer == CICP.Transfer.sRGB
      && intent == 1
    sink.put(isDefault ? 1 : 0, 1)
    guard !isDefault else { return sink.bytes }
    // No ICC profile.
    sink.put(0, 1)
    sink.put(enumeration: isGrey ? 1 : 0)
    sink.put(enumeration: white)
    if !isGrey { sink.put(enumeration: primaries) }
    sink.put(0, 1)
    sink.put(enumeration: transfer)
    sink.put(enumeration: intent)
    return sink.bytes
  }

  /// Reads packed fields; `nil` for bits that end too early or announce an ICC profile, and for XYB or unknown colour.
  package init?(bits bytes: [UInt8]) {
    var bits = BitSource(bytes)
    guard let isDefault = bits.take(1) else { return nil }
    if isDefault == 1 { return }
    guard bits.take(1) == 0, let space = bits.enumeration(), space <= 1 else { return nil }
    isGrey = space == 1
    guard let white = bits.enumeration() else { return nil }
    self.white = white
    if white == White.custom {
      guard let point = bits.point() else { return nil }
      points[0] = point
    }
    if !isGrey {
      guard let primaries = bits.enumeration() else { return nil }
      self.primaries = primaries
      if primaries == Self.customPrimaries {
        for index in 1...3 {
          guard let point = bits.point() else { return nil }
          points[index] = point
        }
      }
    }
    guard let hasGamma = bits.take(1) else { return nil }
    if hasGamma == 1 {
      guard let value = bits.take(24), value > 0 else { return nil }
      gamma = Double(value) / 1e7
    } else {
      guard let transfer = bits.enumeration() else { return nil }
      self.transfer = transfer
    }
    guard let intent = bits.enumeration(), intent <= 3 else { return nil }
    self.intent = intent
  }

  // MARK: Meaning

  /// The code point of the primaries; `nil` for others.
  private var primariesCode: Int? {
    switch (white, primaries) {
    case (White.d65, CICP.Primaries.bt709), (White.d65, CICP.Primaries.bt2020): primaries
    case (White.d65, Self.p3): CICP.Primaries.p3
    case (White.dci, Self.p3): 11
    default: chromaticities.code(within: 0.0006)
    }
  }

  private var chromaticities: Primaries {
    var found: Primaries
    switch primaries {
    case Self.customPrimaries: found = Primaries(red: points[1], green: points[2], blue: points[3], white: points[0])
    case CICP.Primaries.bt2020: found = .bt2020
    case Self.p3: found = .displayP3
    default: found = .bt709
    }
    found.white = Self.whites[white] ?? points[0]
    return found
  }

  /// Returns the conversion of samples to light.
  ///
  /// - Parameter scale: the light of a sample of 1, relative to reference white; not used for PQ and HLG.
  func color(scale: Double = 1, warnings: inout [Warning]) -> SourceColor {
    let code = primariesCode
    let isKnown = gamma == nil && isSupported(primaries: CICP.Primaries.bt709, transfer: transfer)
    if !isKnown, gamma == nil {
      warnings.append(Warning("jxl.transfer", "the curve is not stated (\(transfer)); sRGB is assumed"))
    }
    if isKnown, scale == 1 || CICP.Transfer.isHDR(transfer) {
      if code == nil, curve == nil {
        warnings.append(Warning("jxl.primaries", "primaries of their own with curve \(transfer); BT.2020 is assumed"))
      }
      if let code = code ?? (curve == nil ? CICP.Primaries.bt2020 : nil) {
        let cicp = CICP(code, transfer, CICP.Matrix.identity, full: true)
        return SourceColor(
          matrix: CICP.Matrix.identity, fullRange: true, encoding: .cicp(primaries: code, transfer: transfer),
          cicp: cicp)
      }
    }
    var matrix = code.flatMap { Primaries(code: $0) }?.checkedMatrixToBT2020 ?? chromaticities.checkedMatrixToBT2020
    if matrix == nil {
      warnings.append(Warning("jxl.primaries", "the primaries do not span a colour space; BT.709 is assumed"))
      matrix = Primaries.bt709.checkedMatrixToBT2020
    }
    let curve = curve ?? .sRGB
    return SourceColor(
      matrix: CICP.Matrix.identity, fullRange: true,
      encoding: .matrixTRC(
        curves: [curve, curve, curve], toBT2020: ((matrix ?? .identity) * scale).rows,
        // Scaled samples have no code points.
        primaries: scale == 1 ? code : nil))
  }

  /// The curve as a function; `nil` if only code points can express it.
  private var curve: ToneCurve? {
    if let gamma { return gamma == 1 ? .identity : .gamma(1 / gamma) }
    switch transfer {
    case CICP.Transfer.linear: return .identity
    case CICP.Transfer.sRGB: return .sRGB
    // The inverse of the OETF (BT.709-6 item 1.2).
    case CICP.Transfer.bt709:
      return .parametric(g: 1 / 0.45, a: 1 / 1.099, b: 0.099 / 1.099, c: 1 / 4.5, d: 0.081, e: 0, f: 0)
    case Self.unknownCurve: return .sRGB
    default: return nil
    }
  }
}

/// A writer of bits, least significant first.
private struct Bits {
  private(set) var bytes: [UInt8] = []
  private var count = 0

  mutating func put(_ value: Int, _ width: Int) {
    for bit in 0..<width {
      if count & 7 == 0 { bytes.append(0) }
      if value >> bit & 1 == 1 { bytes[count >> 3] |= 1 << UInt8(count & 7) }
      count += 1
    }
  }

  /// Writes U32(0, 1, 2 + u(4), 18 + u(6)).
  mutating func put(enumeration value: Int) {
    switch value {
    case 0, 1: put(value, 2)
    case 2..<18:
      put(2, 2)
      put(value - 2, 4)
    default:
      put(3, 2)
      put(value - 18, 6)
    }
  }
}

private struct BitSource {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func take(_ width: Int) -> Int? {
    guard position + width <= 8 * bytes.count else { return nil }
    var value = 0
    for bit in 0..<width { value |= Int(bytes[(position + bit) >> 3] >> UInt8((position + bit) & 7) & 1) << bit }
    position += width
    return value
  }

  mutating func enumeration() -> Int? {
    switch take(2) {
    case 0: 0
    case 1: 1
    case 2: take(4).map { $0 + 2 }
    case 3: take(6).map { $0 + 18 }
    default: nil
    }
  }

  /// Reads a coordinate in millionths; even codes are positive numbers.
  private mutating func coordinate() -> Double? {
    let widths = [19, 19, 20, 21], offsets = [0, 1 << 19, 1 << 20, 1 << 21]
    guard let selector = take(2), let value = take(widths[selector]) else { return nil }
    let packed = value + offsets[selector]
    return Double(packed & 1 == 0 ? packed >> 1 : -(packed >> 1) - 1) / 1e6
  }

  mutating func point() -> Chromaticity? {
    guard let x = coordinate(), let y = coordinate() else { return nil }
    return Chromaticity(x, y)
  }
}
