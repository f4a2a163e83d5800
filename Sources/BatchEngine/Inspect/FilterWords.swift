import HDRPlan

/// Filters by the words of other programs, where no filter has them as its name.
package enum FilterWords {
  private static let overlay = "source-over lays a picture over another: --filter source-over=mark --input mark=FILE"

  private static let answers = [
    "brightness": (
      "color-controls", "color-controls=brightness:0.1 adds it, exposure=ev:0.5 makes brighter by stops"
    ),
    "contrast": ("color-controls", "color-controls=contrast:1.1 changes it"),
    "saturation": ("color-controls", "color-controls=saturation:1.2 changes it"),
    "watermark": ("source-over", overlay), "overlay": ("source-over", overlay),
    "text": ("source-over", "nothing draws text; " + overlay),
    "caption": ("source-over", "nothing draws text; " + overlay),
  ]

  /// Returns what to take for a word; `nil` for words that are not known here, and for names of filters.
  package static func answer(_ word: String) -> String? { row(word)?.1 }

  /// Returns the name of the filter that a word means.
  static func filter(_ word: String) -> String? { row(word)?.0 }

  private static func row(_ word: String) -> (String, String)? {
    Filters.named(word) == nil ? answers[word.lowercased()] : nil
  }
}
