import HDRCore
import PlainData

/// The warnings about what a file holds beside its picture and an output does not.
struct DroppedExtras {
  /// The parts that the output does not hold.
  var extras: FileExtras
  /// The reason why there is no video in the output.
  var reason = ""
  /// The file in words, if it is not the input alone.
  var file = ""

  var warnings: [Warning] {
    var found: [Warning] = []
    func add(_ code: String, _ text: String) { found.append(Warning(code, "\(file)\(text)")) }
    if let video = extras.motion {
      add(
        "motion.dropped",
        "a motion photo: the output holds the picture, not its video of \(video.range.byteCount) bytes")
    }
    if let credentials = extras.credentials {
      let what =
        credentials.place == "XMP"
        ? "the address of a C2PA manifest is" : "C2PA content credentials of \(credentials.byteCount) bytes are"
      add("c2pa.dropped", "\(what) left out: they are signed over the bytes of the input")
    }
    let kinds = extras.auxiliaries.filter { !$0.isPreview }.map { short($0.kind) }
    if !kinds.isEmpty {
      add("aux.dropped", "pictures beside the picture are left out: \(kinds.joined(separator: ", "))")
    }
    for trailer in extras.trailers {
      let names = trailer.names.isEmpty ? "" : " (\(trailer.names.map(short).joined(separator: ", ")))"
      switch trailer.kind {
      case .samsung: add("trailer.dropped", "Samsung's trailer of \(trailer.byteCount) bytes is left out\(names)")
      case .insta360: add("trailer.dropped", "Insta360's trailer of \(trailer.byteCount) bytes is left out")
      case .video:
        add("trailer.dropped", "\(trailer.byteCount) bytes of a video that is none of a motion photo are left out")
      case .parts: add("parts.dropped", "unknown parts of \(trailer.byteCount) bytes are left out\(names)")
      case .text: add("text.dropped", "texts of \(trailer.byteCount) bytes are left out\(names)")
      case .unknown: add("trailer.unknown", "\(trailer.byteCount) unknown bytes are left out\(names)")
      }
    }
    return found
  }

  private func short(_ text: String) -> String { printable(String(text.prefix(64))) }
}
