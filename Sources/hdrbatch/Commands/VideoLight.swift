import HDRRecipe
import HDRRender
import PlainData
import Video

/// Options of `hdrbatch video` about the light of clips.
struct VideoLight: SettingGroup {
  var title: String { "Light of clips" }

  let measure = SettingKey(
    "measure",
    .read("clip|metadata|scenes|adaptive:s", ["clip", "metadata", "scenes", "adaptive:"], LightOptions.Measure.init) {
      $0.text
    },
    assumed: "clip where PQ is tone mapped, else metadata",
    """
    What tone mapping begins at: the peak of the whole clip, of each scene, or one that follows the light in about so many \
    seconds, measured in a first pass over all frames; metadata is what the clip says, without that pass.
    """)
  let peak = SettingKey(
    "peak", .read("p99.99|max|cd/m²", ["p99.99", "max"], LightOptions.Peak.init) { $0.text }, standard: .percentile,
    """
    The peak of a clip: what 99.99 % of the pixels of each frame do not exceed, the largest component of any pixel, or \
    this, in cd/m².
    """)
  let activeArea = SettingKey(
    "active-area", .read("auto|full|w:h:x:y", ["auto", "full"], LightOptions.Area.init) { $0.text }, standard: .auto,
    rare: true,
    """
    Pixels that count when light is measured: auto leaves out borders that are dark in all frames; an area is given as \
    ffmpeg's cropdetect prints it.
    """)
  let lightPercentile = SettingKey(
    "light-percentile", .one(of: ["100", "99.99"], "percent"), assumed: "100", rare: true,
    "MaxCLL as measured: of all pixels, or of 99.99 % of those of each frame, so that grain does not count.")
  let measureOnly = SettingKey(
    flag: "measure-only", rare: true,
    "Measures clips, leaves what was found in .measure below --out for a later run, and converts nothing.")

  /// Reads what is asked for.
  ///
  /// - Throws: `UsageError` for options that contradict each other.
  func options(_ invocation: Invocation) throws(UsageError) -> LightOptions {
    var light = LightOptions()
    light.measure = invocation[measure]
    (light.peak, light.area) = (invocation[peak], invocation[activeArea])
    light.levelIsPercentile = invocation[lightPercentile] == "99.99"
    light.measuresOnly = invocation[measureOnly]
    let headroom = invocation[Settings.light.contentHeadroom]
    try invocation.refuse(
      headroom?.measure != nil,
      "a clip has one headroom, and --content-headroom measured is of one picture: --peak max or --peak p99.99 measures all"
    )
    try invocation.refuse(
      headroom != nil && invocation.has(peak), "--peak and --content-headroom say the same: give one of them")
    try invocation.refuse(
      light.measure == .metadata && (light.measuresOnly || invocation.has(peak) && light.peak.nits == nil),
      "--measure metadata measures nothing: leave out --measure-only and --peak max")
    return light
  }
}

extension SettingType {
  /// Makes a type of words that a value is read from.
  ///
  /// - Parameter form: what words are, for messages; `nil`: the placeholder says it.
  static func read(
    _ placeholder: String, _ words: [String] = [], form: String? = nil,
    _ value: @escaping @Sendable (String) -> Value?, text: @escaping @Sendable (Value) -> String
  ) -> SettingType {
    SettingType(placeholder, words: words) { word throws(SettingFault) in
      guard let found = value(word) else { throw SettingFault("is \(form ?? placeholder), not \(word)") }
      return found
    } text: {
      text($0)
    }
  }
}
