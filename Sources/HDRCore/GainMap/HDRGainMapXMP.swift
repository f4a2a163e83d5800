/// The `hdrgm` vocabulary of Adobe and Google: gain map metadata as XMP properties.
///
/// Source: the text "Ultra HDR Image Format 1.0"; docs/gain-map-maths.md#xmp.
package enum HDRGainMapXMP {
  package static let namespace = "http://ns.adobe.com/hdr-gain-map/1.0/"

  /// Turns the properties of the namespace into metadata.
  ///
  /// - Parameter properties: by local name, values in order (one for a simple property, more for rdf:Seq).
  /// - Returns: metadata with headrooms and gains in stops; `nil` when there is no `Version` (then the packet is not a
  ///   gain map's and nothing is added to `warnings`) or when a value is impossible (`gainmap.invalid`).
  ///   `BaseRenditionIsHDR` exchanges headrooms and offsets; gains keep their direction, HDR over SDR.
  package static func parse(_ properties: [String: [String]], warnings: inout [Warning]) -> GainMapMetadata? {
    guard let version = properties["Version"]?.first.map(trimmed), !version.isEmpty else { return nil }
    do throws(Fault) {
      guard version == "1.0" else { throw Fault("hdrgm version \"\(version.prefix(16))\" is not 1.0") }
      let isHDRBase = try flag(properties["BaseRenditionIsHDR"], name: "BaseRenditionIsHDR")
      let min = try rows(properties["GainMapMin"], default: 0, name: "GainMapMin")
      let max = try rows(properties["GainMapMax"], default: nil, name: "GainMapMax")
      let gamma = try rows(properties["Gamma"], default: 1, name: "Gamma")
      let sdrOffset = try rows(properties["OffsetSDR"], default: 1 / 64, name: "OffsetSDR")
      let hdrOffset = try rows(properties["OffsetHDR"], default: 1 / 64, name: "OffsetHDR")
      let capacityMin = try one(properties["HDRCapacityMin"], default: 0, name: "HDRCapacityMin")
      let capacityMax = try one(properties["HDRCapacityMax"], default: nil, name: "HDRCapacityMax")

      guard zip(min.values, max.values).allSatisfy({ $0 <= $1 }) else { throw Fault("GainMapMax is below GainMapMin") }
      guard max.values.allSatisfy({ $0 < largestUsableGain }) else { throw Fault("GainMapMax is not finite as a gain") }
      guard gamma.values.allSatisfy({ $0 > 0 }) else { throw Fault("Gamma is not above 0") }
      guard (sdrOffset.values + hdrOffset.values).allSatisfy({ $0 >= 0 }) else { throw Fault("an offset is negative") }
      guard capacityMin >= 0 else { throw Fault("HDRCapacityMin is negative") }
      guard capacityMax > capacityMin else { throw Fault("HDRCapacityMax is not above HDRCapacityMin") }

      let result = GainMapMetadata(
        kind: .hdrgm, baseHeadroom: isHDRBase ? capacityMax : capacityMin,
        alternateHeadroom: isHDRBase ? capacityMin : capacityMax, min: min.values, max: max.values,
        gamma: gamma.values, baseOffset: isHDRBase ? hdrOffset.values : sdrOffset.values,
        alternateOffset: isHDRBase ? sdrOffset.values : hdrOffset.values,
        isMultichannel: [min, max, gamma, sdrOffset, hdrOffset].contains(where: \.isTriple), usesBaseColorSpace: true)
      warnAboutOddValues(result, warnings: &warnings)
      return result
    } catch {
      warnings.append(Warning("gainmap.invalid", "gain map ignored: \(error.what)"))
      return nil
    }
  }

  private struct Fault: Error {
    var what: String
    init(_ what: String) { self.what = what }
  }

  private struct Rows {
    var values: [Double]
    var isTriple: Bool
  }

  private static func rows(_ texts: [String]?, default fallback: Double?, name: String) throws(Fault) -> Rows {
    guard let texts else {
      guard let fallback else { throw Fault("\(name) is missing") }
      return Rows(values: [fallback, fallback, fallback], isTriple: false)
    }
    // A value with commas is a list too: some writers put three numbers into one attribute.
    let items = texts.count == 1 ? texts[0].split(separator: ",").map(String.init) : texts
    guard items.count == 1 || items.count == 3 else { throw Fault("\(name) has \(items.count) values, not 1 or 3") }
    var values: [Double] = []
    for item in items { values.append(try number(item, name: name)) }
    return values.count == 3
      ? Rows(values: values, isTriple: true)
      : Rows(values: [values[0], values[0], values[0]], isTriple: false)
  }

  private static func one(_ texts: [String]?, default fallback: Double?, name: String) throws(Fault) -> Double {
    guard let texts else {
      guard let fallback else { throw Fault("\(name) is missing") }
      return fallback
    }
    guard texts.count == 1 else { throw Fault("\(name) has \(texts.count) values") }
    return try number(texts[0], name: name)
  }

  /// The bound of numbers, as for the fractions of ISO 21496-1.
  private static let largest = 0x1p32

  private static func number(_ text: String, name: String) throws(Fault) -> Double {
    let text = trimmed(text)
    // Decimal digits only: Double would also take "nan", "infinity" and hexadecimal.
    guard !text.isEmpty, text.utf8.count <= 64,
      text.utf8.allSatisfy({ (48...57).contains($0) || "+-.eE".utf8.contains($0) }),
      let value = Double(text), value.magnitude <= largest
    else { throw Fault("\(name) is \"\(text.prefix(16))\"") }
    return value
  }

  private static func flag(_ texts: [String]?, name: String) throws(Fault) -> Bool {
    guard let texts else { return false }
    switch texts.first.map(trimmed)?.lowercased() {
    case "true": return true
    case "false": return false
    default: throw Fault("\(name) is neither True nor False")
    }
  }

  private static func trimmed(_ text: String) -> String {
    var view = text[...]
    while let first = view.first, first.isWhitespace { view.removeFirst() }
    while let last = view.last, last.isWhitespace { view.removeLast() }
    return String(view)
  }
}
