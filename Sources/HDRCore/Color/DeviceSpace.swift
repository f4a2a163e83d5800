/// The conversion from linear light to a device's codes by an ICC profile (docs/colour-formulas.md#icc).
package struct DeviceSpace: Sendable, Hashable {
  package enum Coding: Sendable, Hashable {
    /// Three curves from device value to linear light of the device.
    case curves([ToneCurve])
    /// A cube of `size`³ nodes, red fastest, three floats per node. It maps light 0...1 of the device's own R, G, B,
    /// encoded by `tableCurve`, to device values.
    case table(size: Int, values: [Float])
  }

  /// The curve of table inputs, steep in the dark as devices are: with 65 nodes sRGB's is 3 of 255 codes off there.
  package static let tableCurve = TransferCurve.gamma(2.2)

  /// The profile's own description.
  package var description: String
  /// The matrix from linear device RGB to linear BT.2020 (D65), row-major.
  package var toBT2020: [Double]
  package var coding: Coding

  package init(description: String, toBT2020: [Double], coding: Coding) {
    self.description = description
    self.toBT2020 = toBT2020
    self.coding = coding
  }

  /// The matrix from linear BT.2020 to linear device RGB.
  package var fromBT2020: Matrix3 { Matrix3(toBT2020).inverse ?? .identity }

  /// The luminance weights of the device's linear R, G, B.
  package var luminance: [Double] {
    let weights = Primaries.bt2020.luminance
    return (0..<3).map { c in (0..<3).reduce(0) { $0 + weights[$1] * toBT2020[3 * $1 + c] } }
  }
}

/// An ICC profile as the space of an output, with the file to embed.
package struct OutputProfile: Sendable, Hashable {
  package var bytes: [UInt8]
  package var space: DeviceSpace

  package init(bytes: [UInt8], space: DeviceSpace) {
    self.bytes = bytes
    self.space = space
  }
}
