import HDRCore
import HDRPlan
import PlainData

/// A guess at the meaning of an unknown word.
enum Suggestion {
  case none
  case name(String)
  /// Words for the option here that has another name in other programs.
  case words(String)

  /// Words of other programs, with the options here that do the same.
  private static let elsewhere = [
    "overwrite": "--on-existing replace", "force": "--on-existing replace", "format": "--to", "output": "--out",
    "parallel": "--jobs", "workers": "--jobs", "verbose": "--explain", "gpu": "--backend gpu", "cpu": "--backend cpu",
    "scale": "--resize SIZE", "size": "--resize SIZE", "thumbnail": "--resize SIZE", "width": "--resize WIDTHx",
    "height": "--resize xHEIGHT", "strip": "--metadata none", "exif": "--metadata none", "skip-existing": "--resume",
    "overwrite-existing": "--on-existing replace", "effort": "--png-effort", "type": "--to", "destination": "--out",
    "dest": "--out", "outdir": "--out", "tonemap": "--tone-map", "tone-mapping": "--tone-map", "nits": "--display",
    "peak": "--display", "exposure": "--filter exposure=STOPS", "crop": "--filter crop=aspect:4:5",
    "sharpen": "--filter sharpen", "blur": "--filter blur=RADIUS", "rotate": "--filter rotate90",
    "colorspace": "--primaries", "color-space": "--primaries", "bit-depth": "--depth", "bits": "--depth",
  ]

  static func of(_ word: String, among names: [String]) -> Suggestion {
    if let name = Nearest.name(word, among: names) { return .name(name) }
    if let words = elsewhere[word] {
      let option = words.dropFirst(2).prefix { $0 != " " }
      if names.contains(String(option)) { return .words(words) }
    }
    return .none
  }

  /// Returns `; did you mean NAME?`, or an empty text.
  func text(_ spelled: (String) -> String) -> String {
    switch self {
    case .none: ""
    case .name(let name): "; did you mean \(spelled(name))?"
    case .words(let words): "; did you mean \(words)?"
    }
  }
}
