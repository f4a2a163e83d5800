import HDRCore
import HDRPlan
import PlainData

/// A guess at the meaning of an unknown word.
enum Suggestion {
  case none
  case name(String)
  /// Words for the option here that has another name in other programs.
  case words(String)
  /// The sentence says what to do where no option does it.
  case answer(String)

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
    "no-gps": "--metadata no-location", "strip-gps": "--metadata no-location", "nogps": "--metadata no-location",
    "strip-metadata": "--metadata none", "no-metadata": "--metadata none", "quiet": "--progress none",
    "silent": "--progress none", "loglevel": "--progress none", "q": "--progress none", "v": "--explain",
    "f": "--on-existing replace", "y": "--on-existing replace", "brightness": "--filter color-controls=brightness:0.1",
    "contrast": "--filter color-controls=contrast:1.1", "saturation": "--filter color-controls=saturation:1.2",
    "watermark": "--filter source-over=mark --input mark=FILE", "size-limit": "--max-bytes BYTES",
    "interlace": "--progressive", "vf": "--filter NAME", "gravity": "--resize WIDTHxHEIGHT:fill",
    "extent": "--resize WIDTHxHEIGHT:fill", "smartcrop": "--resize WIDTHxHEIGHT:fill", "icc": "--primaries",
    "profile": "--primaries", "eprofile": "--primaries", "export-profile": "--primaries",
    "colorconvert": "--from-space",
    "ch": "--channels", "jpeg-quality": "--quality", "dst": "--out", "yes": "--on-existing replace",
    "max-size": "--max-bytes BYTES", "target-size": "--max-bytes BYTES",
  ]

  /// Words of other programs that no option is needed for, or that nothing here does; with an option of the commands
  /// that they are asked of.
  private static let answers = [
    "recursive": ("null", "folders are taken with all that is below them: leave it out"),
    "r": ("null", "folders are taken with all that is below them: leave it out"),
    "recurse": ("null", "folders are taken with all that is below them: leave it out"),
    "auto-orient": ("to", "pictures are turned upright without an option"),
    "auto-rotate": ("to", "pictures are turned upright without an option"),
    "autorot": ("to", "pictures are turned upright without an option"),
    "keep-metadata": ("to", "metadata are kept without an option"),
    "in": ("to", "inputs stand without an option"), "input-dir": ("to", "inputs stand without an option"),
    "watch": ("to", "`hdrbatch watch FOLDER` renders what arrives"),
    "i": ("to", "inputs stand without an option"),
    "text": ("to", "nothing draws text: --filter source-over lays a picture of it over another"),
  ]

  /// Commands of other programs, with those here.
  private static let commands = [
    "diff": "compare", "idiff": "compare", "psnr": "compare", "ssim": "compare", "metrics": "compare",
    "quality": "compare", "convert": "render", "magick": "render", "resize": "render", "thumbnail": "render",
    "export": "render", "identify": "info", "exif": "info", "exiftool": "info", "probe": "info", "iinfo": "info",
    "inspect": "info", "transcode": "video", "ffmpeg": "video", "devices": "doctor", "test": "verify",
    "benchmark": "bench", "list": "filters",
  ]

  /// Returns the guess at a command.
  static func ofCommand(_ word: String, among names: [String]) -> Suggestion {
    if let name = commands[word], names.contains(name) { return .name(name) }
    return of(word, among: names)
  }

  static func of(_ word: String, among names: [String]) -> Suggestion {
    if let (option, answer) = answers[word], names.contains(option) { return .answer(answer) }
    if let words = elsewhere[word] {
      let option = words.dropFirst(2).prefix { $0 != " " }
      if names.contains(String(option)) { return .words(words) }
    }
    // `named` knows the names of other programs, too.
    if names.contains("filter"), Nearest.match(word, among: names) == nil, Filters.named(word) != nil {
      return .words("--filter \(word)")
    }
    // A letter is near to every other.
    let nearest = word.count > 1 ? Nearest.name(word, among: names) : nil
    return nearest.map { .name($0) } ?? .none
  }

  /// Returns `; did you mean NAME?`, or an empty text.
  func text(_ spelled: (String) -> String) -> String {
    switch self {
    case .none: ""
    case .name(let name): "; did you mean \(spelled(name))?"
    case .words(let words): "; did you mean \(words)?"
    case .answer(let answer): ": \(answer)"
    }
  }
}
