import HDRCore
import PlainData

/// Answers to words that are no kind of output.
package enum KindHint {
  /// The families of kinds, with what each is for.
  private static let families = [
    ("adaptive", "SDR and HDR displays"), ("pq", "HDR"), ("hlg", "HDR"), ("sdr", "SDR"), ("linear", "grading"),
    ("extract", "parts of files with gain maps"),
  ]

  /// Formats that are not written, with the nearest that are.
  private static let foreign = [
    "webp": "WebP is read and not written: take sdr-avif, sdr-jpeg or adaptive-avif",
    "gif": "GIF is not written: take sdr-png or sdr-jpeg",
    "bmp": "BMP is read and not written: take sdr-png",
    "psd": "PSD is read and not written: take pq-tiff, sdr-tiff or exr",
    "jp2": "JPEG 2000 is read and not written: take adaptive-jxl, pq-jxl or sdr-jxl",
    "mp4": "clips are made by `hdrbatch video`", "mov": "clips are made by `hdrbatch video`",
    "mkv": "clips are made by `hdrbatch video`",
  ]

  /// Returns what follows the setting's name; `nil` for a word that is likely a misspelling of a kind.
  static func text(_ word: String) -> String? {
    let own = Nearest.folded(word)
    switch own {
    case "uhdr", "ultrahdr", "gainmap", "isogainmap", "hdrgm":
      return "has no value \"\(word)\": adaptive-jpeg is Ultra HDR; "
        + KindNames.adaptive.dropFirst().joined(separator: ", ") + " have gain maps, too"
    default: break
    }
    if let answer = foreign[own] { return "has no value \"\(word)\": \(answer)" }
    if let endings = EndingKinds(ending: own) {
      return "has no value \"\(word)\"; .\(endings.ending) files are \(list(endings.kinds))"
    }
    if let family = families.first(where: { $0.0 == own || $0.0.hasPrefix(own) && own.count > 1 }) {
      return "has no value \"\(word)\"; there are \(members(family.0))"
    }
    guard OutputKind(rawValue: own) == nil, Nearest.name(word, among: KindNames.all) == nil, !word.contains(":") else {
      return nil
    }
    let names = families.map { "\($0.0)-* (\($0.1))" } + ["exr", "hdr", "dpx", "rgba16f"]
    return "has no value \"\(word)\"; there are \(names.joined(separator: ", ")): "
      + "`hdrbatch options` lists all"
  }

  /// Returns what to take in place of an ending that no kind makes; `nil` where that is not known.
  package static func foreign(ending: String) -> String? { foreign[ending] }

  /// Returns kinds with what they are for, those for most uses first.
  package static func list(_ all: [String]) -> String {
    let kinds = all.filter { !KindNames.isPart($0) && $0 != KindNames.recompressed }
    var texts: [String] = []
    var uses: [String] = []
    for (_, use) in families where !uses.contains(use) { uses.append(use) }
    for use in uses {
      let members = kinds.filter { kind in
        families.contains { $0.1 == use && kind.hasPrefix($0.0 + "-") } && !kind.contains(":")
      }
      if !members.isEmpty { texts.append(members.joined(separator: " and ") + " (\(use))") }
    }
    let others = kinds.filter { kind in !families.contains { kind.hasPrefix($0.0 + "-") } }
    return (texts + others).joined(separator: ", ")
  }

  private static func members(_ family: String) -> String {
    KindNames.all.filter { $0.hasPrefix(family + "-") && !$0.contains(":") }.joined(separator: ", ")
  }
}
