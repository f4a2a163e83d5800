import FileParts
import HDRCore
import PlainData

/// Camera, moment and place of a photo, as Exif, XMP and IPTC state them.
package struct PhotoFacts: Sendable, Hashable {
  /// Make and model.
  package var camera: String?
  /// The model alone.
  package var model: String?
  /// The moment of the photo as `2023-05-01 12:30:05`, in the camera's time zone.
  package var date: String?
  /// The statements about a place, by their names.
  package var places: [String] = []
  /// The blocks that are there: Exif, XMP, IPTC.
  package var blocks: [String] = []
  /// The blocks that are there and cannot be read.
  package var unread: [String] = []
  /// True if the camera's maker has notes in Exif.
  package var hasMakerNote = false

  package init(_ source: SourceImage) {
    var texts: [String: String] = [:]
    func add(_ block: String, _ bytes: [UInt8]?, _ read: ([UInt8]) -> [MetadataStatement]?) {
      guard let bytes, !bytes.isEmpty else { return }
      blocks.append(block)
      guard let found = read(bytes) else { return unread.append(block) }
      for row in found {
        texts[row.name] = texts[row.name] ?? row.text
        // A version alone is no place.
        if row.isPlace, row.name != "gps GPSVersionID" { places.append(row.name) }
      }
    }
    add("Exif", source.exif, MetadataStatement.exif)
    add("XMP", source.xmp, MetadataStatement.xmp)
    add("IPTC", source.photoshop, MetadataStatement.iptc)
    func text(_ names: String...) -> String? {
      names.lazy.compactMap { texts[$0] }.map { $0.filter { !$0.isNewline }.trimmed }.first { !$0.isEmpty }
    }
    model = text("exif Model", "xmp tiff:Model")
    let make = text("exif Make", "xmp tiff:Make")
    camera = model.map { model in
      guard let make, !model.lowercased().hasPrefix(make.lowercased().prefix { $0 != " " }) else { return model }
      return make + " " + model
    }
    date = text(
      "exif DateTimeOriginal", "xmp exif:DateTimeOriginal", "xmp photoshop:DateCreated", "exif DateTime",
      "xmp xap:CreateDate"
    ).flatMap(Self.moment)
    hasMakerNote = texts["exif MakerNote"] != nil
  }

  /// Returns a date in the form of ISO 8601 from the forms of Exif and XMP; `nil` for one that is not set.
  static func moment(_ text: String) -> String? {
    let digits = text.matches(of: #/[0-9]+/#).prefix(6).map { String($0.output) }
    guard digits.count >= 3, digits[0].count == 4, digits[1].count == 2, digits[2].count == 2, digits[0] != "0000"
    else { return nil }
    let day = digits.prefix(3).joined(separator: "-")
    let time = digits.dropFirst(3).prefix(3)
    return time.count < 2 || time.contains { $0.count != 2 } ? day : day + " " + time.joined(separator: ":")
  }

  /// The keys of `info --json`, in order.
  var json: [JSON.Field] {
    [
      JSON.Field("camera", .maybe(camera)), JSON.Field("date", .maybe(date)),
      JSON.Field("hasLocation", .bool(!places.isEmpty)),
      JSON.Field("metadata", .array(blocks.map { .string($0) })),
    ]
  }

  /// The facts as a line: `Exif, XMP (Google Pixel 7, 2023-05-01 12:30:05); GPS or place: no`; `nil` if there are none.
  var line: String? {
    if blocks.isEmpty { return nil }
    let facts = [camera, date].compactMap(\.self).joined(separator: ", ")
    let names = blocks.joined(separator: ", ") + (facts.isEmpty ? "" : " (\(facts))")
    let lost = unread.isEmpty ? "" : "; \(unread.joined(separator: ", ")) cannot be read"
    return names + "; GPS or place: " + (places.first.map { "yes (\($0))" } ?? "no") + lost
  }
}

extension String {
  fileprivate var trimmed: String {
    let start = drop(while: \.isWhitespace)
    return String(start.prefix(start.count - start.reversed().prefix(while: \.isWhitespace).count))
  }
}
