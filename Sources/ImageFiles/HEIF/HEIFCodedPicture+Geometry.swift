import FileParts
import HDRCore

/// The geometry of a picture. Base and map share their transforms (docs/gain-map-maths.md#the-map-as-a-picture).
extension HEIFCodedPicture {
  /// Adds to a map the `clap`, `irot`, `imir` and `pasp` of its base that it lacks.
  ///
  /// A copied crop is scaled to the map's size, in exact fractions.
  /// - Throws: `.unsupported` when the map has another rotation or crop than its base.
  mutating func takeGeometry(of base: HEIFCodedPicture) throws(EncodeError) {
    let own = geometry, wanted = base.geometry
    let isForeign = own.contains { property in
      let sameType = wanted.filter { $0.type == property.type }
      return switch property.type {
      case "pasp": false
      // A crop's numbers depend on the picture's size, so only the presence is compared.
      case "clap": sameType.isEmpty
      default: !sameType.contains { $0.box == property.box }
      }
    }
    if isForeign { throw .unsupported(feature: "gain map", found: "turned or cropped otherwise than its base") }
    guard wanted.contains(where: { property in !own.contains { $0.type == property.type } }) else { return }
    properties.removeAll { property in own.contains(property) }
    for property in wanted {
      if property.type != "clap" {
        properties.append(property)
      } else if let crop = own.first(where: { $0.type == "clap" }) {
        properties.append(crop)
      } else {
        properties.append(try scaledCrop(property, of: base))
      }
    }
  }

  /// The transforms that a reader must apply before it shows the picture, and the shape of its pixels.
  private var geometry: [Property] { properties.filter { ["clap", "irot", "imir", "pasp"].contains($0.type) } }

  /// Scales `clap`, whose eight numbers are fractions of width, height, and the centre's offsets (ISO/IEC 14496-12,
  /// 12.1.4).
  private func scaledCrop(_ crop: Property, of base: HEIFCodedPicture) throws(EncodeError) -> Property {
    if base.width == width, base.height == height { return crop }
    let words = stride(from: 8, to: crop.box.count - 3, by: 4).map { at in
      crop.box[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
    }
    guard words.count == 8 else { throw .unsupported(feature: "clap box", found: "\(crop.box.count) bytes") }
    var result = ByteSink()
    result.append(crop.box.prefix(8))
    for index in 0..<4 {
      // 32 bits times 17 bits: no overflow.
      let (to, from) = index % 2 == 0 ? (width, base.width) : (height, base.height)
      let numerator = Int(Int32(truncatingIfNeeded: words[2 * index])) * to, denominator = words[2 * index + 1] * from
      let divisor = greatestCommonDivisor(numerator.magnitude, denominator.magnitude)
      guard divisor > 0, let n = Int32(exactly: numerator / Int(divisor)),
        let d = UInt32(exactly: denominator / Int(divisor))
      else { throw .unsupported(feature: "crop of the gain map", found: "fractions beyond 32 bits") }
      result.u32(Int(n))
      result.u32(Int(d))
    }
    return Property(box: result.bytes, isEssential: crop.isEssential)
  }
}

private func greatestCommonDivisor(_ a: UInt, _ b: UInt) -> UInt {
  var (a, b) = (a, b)
  while b != 0 { (a, b) = (b, a % b) }
  return a
}

extension HEIFCodedPicture.Property {
  /// The box type, four characters.
  var type: String { latin1(box.dropFirst(4).prefix(4)) }
}

extension HEIFCodedPicture {
  mutating func add(_ box: [UInt8]) { properties.append(Property(box: box, isEssential: false)) }

  /// True if there is a `colr` of this kind.
  func hasColor(_ kind: String) -> Bool {
    properties.contains { $0.type == "colr" && $0.box.dropFirst(8).starts(with: kind.utf8) }
  }
}
