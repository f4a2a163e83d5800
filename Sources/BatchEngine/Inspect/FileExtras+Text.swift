import HDRCore
import HDRRender
import PlainData

// The text and JSON of what a file holds beside its picture, for `info`.

extension FileExtras {
  /// The keys of `info --json`, in order.
  var json: [JSON.Field] {
    [
      JSON.Field("motion", motion.map(\.json) ?? .null),
      JSON.Field(
        "c2pa",
        [
          "present": .bool(credentials != nil), "bytes": .int(credentials?.byteCount ?? 0),
          "where": .maybe(credentials?.place),
        ]),
      JSON.Field(
        "auxiliaries",
        .array(
          auxiliaries.map {
            [
              "type": .string($0.kind), "urn": .string($0.type), "width": .int($0.width), "height": .int($0.height),
              "item": .int($0.item), "isPreview": .bool($0.isPreview),
            ]
          })),
      JSON.Field(
        "trailers",
        .array(
          trailers.map {
            [
              "kind": .string($0.kind.rawValue), "bytes": .int($0.byteCount),
              "names": .array($0.names.map(JSON.string)),
            ]
          })),
      JSON.Field("livePhoto", .maybe(liveIdentifier)),
    ]
  }

  var lines: [String] {
    var lines: [String] = []
    if let motion {
      let moment = motion.moment.map { ", the picture at \(short(Double($0) / 1e6, places: 3)) s" } ?? ""
      lines.append(
        "  motion    \(motion.isQuickTime ? "QuickTime" : "MP4") of \(motion.range.byteCount) bytes, by "
          + "\(motion.finder.rawValue)\(moment)")
    }
    if let liveIdentifier { lines.append("  live      of a Live Photo, \(printable(liveIdentifier))") }
    if let credentials {
      let size = credentials.byteCount == 0 ? "address" : "\(credentials.byteCount) bytes"
      lines.append("  C2PA      \(size) in \(credentials.place)")
    }
    for picture in auxiliaries {
      let size = picture.width > 0 ? " \(picture.width)x\(picture.height)" : ""
      lines.append("  beside    \(printable(picture.kind))\(size)\(picture.isPreview ? ", a preview" : "")")
    }
    for trailer in trailers {
      let names = trailer.names.isEmpty ? "" : ": \(trailer.names.map(printable).joined(separator: ", "))"
      lines.append("  trailer   \(trailer.kind.rawValue), \(trailer.byteCount) bytes\(names)")
    }
    return lines
  }
}

extension MotionVideo {
  fileprivate var json: JSON {
    [
      "bytes": .int(range.byteCount), "start": .int(range.start), "mime": .string(mimeType),
      "finder": .string(finder.rawValue), "moment": .maybe(moment),
    ]
  }
}
