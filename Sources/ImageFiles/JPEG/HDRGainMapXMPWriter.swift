import FileParts
import HDRCore

/// Gain map metadata as `hdrgm` properties, for the XMP of a gain map JPEG.
///
/// It writes all nine fields, also those equal to the published defaults: a common reader has other defaults
/// (docs/gain-map-maths.md#xmp). A field whose channels differ has three values.
struct HDRGainMapXMPWriter {
  /// The local names and values, in the order of the published text.
  let fields: [(name: String, values: [String])]

  /// Makes the fields; `nil` for metadata that the vocabulary cannot express: negative offsets, or an alternate
  /// headroom that is not above the base's.
  init?(_ metadata: GainMapMetadata) {
    func list(_ values: [Double]) -> [String] {
      let texts = values.map(plainDecimal)
      return texts.allSatisfy { $0 == texts[0] } ? [texts[0]] : texts
    }
    fields = [
      ("Version", ["1.0"]), ("BaseRenditionIsHDR", ["False"]),
      ("GainMapMin", list(metadata.min)), ("GainMapMax", list(metadata.max)), ("Gamma", list(metadata.gamma)),
      ("OffsetSDR", list(metadata.baseOffset)), ("OffsetHDR", list(metadata.alternateOffset)),
      ("HDRCapacityMin", [plainDecimal(metadata.baseHeadroom)]),
      ("HDRCapacityMax", [plainDecimal(metadata.alternateHeadroom)]),
    ]
    var ignored: [Warning] = []
    let properties = Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0.values) })
    guard HDRGainMapXMP.parse(properties, warnings: &ignored) != nil else { return nil }
  }

  /// A packet with only these properties, without wrapper.
  var packet: [UInt8] {
    let attributes = fields.filter { $0.values.count == 1 }.map { " hdrgm:\($0.name)=\"\($0.values[0])\"" }.joined()
    let lists = fields.filter { $0.values.count > 1 }.map { field in
      let items = field.values.map { "<rdf:li>\($0)</rdf:li>" }.joined()
      return "<hdrgm:\(field.name)><rdf:Seq>\(items)</rdf:Seq></hdrgm:\(field.name)>"
    }
    return XMPAssembly.packet([
      "<rdf:Description rdf:about=\"\" xmlns:hdrgm=\"\(HDRGainMapXMP.namespace)\"\(attributes)>\(lists.joined())"
        + "</rdf:Description>"
    ])
  }
}

/// Returns the shortest digits that read back as `value`, without an exponent, as old readers scan plain numbers only.
///
/// `value` is finite.
package func plainDecimal(_ value: Double) -> String {
  let text = value.description
  guard let mark = text.firstIndex(of: "e"), let exponent = Int(text[text.index(after: mark)...]) else { return text }
  let mantissa = text[..<mark], sign = mantissa.hasPrefix("-") ? "-" : ""
  let parts = mantissa.drop { $0 == "-" }.split(separator: ".", maxSplits: 1)
  let whole = String(parts[0]), fraction = parts.count > 1 && parts[1] != "0" ? String(parts[1]) : ""
  let digits = whole + fraction, point = whole.count + exponent
  if point <= 0 { return sign + "0." + String(repeating: "0", count: -point) + digits }
  if point >= digits.count { return sign + digits + String(repeating: "0", count: point - digits.count) + ".0" }
  return sign + digits.prefix(point) + "." + digits.dropFirst(point)
}
