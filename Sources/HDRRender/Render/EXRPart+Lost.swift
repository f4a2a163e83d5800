import HDRCore
import PlainData

extension EXRPart {
  /// Returns warnings about what a file of another format does not hold of an OpenEXR file.
  func lost(_ metadata: MetadataChoice, _ channels: EXRChannelChoice, into format: FileFormat) -> [Warning] {
    let names = attributes.filter {
      !Self.ofSamples.contains($0.name) && metadata.takes(attribute: $0.name) && !$0.isUsual
    }.map(\.name)
    let left = outline.channels.filter { !$0.isShown && channels.takes($0.name) }.map(\.name)
    let parts = others.map(\.label).filter { channels.takes($0) }.map { "part \($0)" }
    return [
      names.isEmpty
        ? nil
        : Warning(
          "exr.attributes-dropped", "attributes of OpenEXR have no place in \(format.rawValue): \(Self.list(names))"),
      left.isEmpty && parts.isEmpty
        ? nil
        : Warning(
          "exr.channels-dropped",
          "other channels of OpenEXR have no place in \(format.rawValue): \(Self.list(left + parts))"),
    ].compactMap(\.self)
  }

  /// The beginning of a list of names.
  static func list(_ names: [String]) -> String {
    names.prefix(12).map(streamSafe).joined(separator: ", ") + (names.count > 12 ? ", ... (\(names.count))" : "")
  }
}

extension EXRPart.Outline {
  /// The name, or the number of a part without one.
  var label: String { name ?? "\(number)" }
}
