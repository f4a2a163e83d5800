/// What an ICC profile says of the way from linear light to its device's codes (docs/colour-formulas.md#icc).
public struct DeviceSpace: Sendable, Hashable {
  public enum Coding: Sendable, Hashable {
    /// Three curves, device value to linear light of the device.
    case curves([ToneCurve])
    /// Light 0...1 of the device's own R, G, B, encoded by `tableCurve`, to device values, on a cube of `size`³ nodes:
    /// red fastest, three floats a node.
    case table(size: Int, values: [Float])
  }

  /// Steep in the dark, as devices are: with 65 nodes the sRGB curve is 3 codes of 255 off there.
  public static let tableCurve = TransferCurve.gamma(2.2)

  /// The profile's own name.
  public var description: String
  /// Linear device RGB to linear BT.2020 (D65), row-major.
  public var toBT2020: [Double]
  public var coding: Coding

  public init(description: String, toBT2020: [Double], coding: Coding) {
    self.description = description
    self.toBT2020 = toBT2020
    self.coding = coding
  }

  /// Linear BT.2020 to linear device RGB.
  public var fromBT2020: Matrix3 { Matrix3(toBT2020).inverse ?? .identity }

  /// Luminance weights of the device's linear R, G, B.
  public var luminance: [Double] {
    let weights = Primaries.bt2020.luminance
    return (0..<3).map { c in (0..<3).reduce(0) { $0 + weights[$1] * toBT2020[3 * $1 + c] } }
  }
}

/// An ICC profile as the space of an output, and its file as it is embedded.
public struct OutputProfile: Sendable, Hashable {
  public var bytes: [UInt8]
  public var space: DeviceSpace

  public init(bytes: [UInt8], space: DeviceSpace) {
    self.bytes = bytes
    self.space = space
  }
}
