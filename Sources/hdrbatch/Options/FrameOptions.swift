import BatchEngine
import HDRRecipe

/// Options that choose frames of sequences.
struct FrameOptions: SettingGroup {
  var title: String { "Sequences" }

  let frames = SettingKey(
    "frames", .text("1001-1100x2"), assumed: "those that are there",
    "Frames of the sequences that are given by a pattern: numbers, ranges, ranges with a step.")

  static let all = FrameOptions()

  static func range(_ invocation: Invocation) throws(UsageError) -> ItemRange? {
    try invocation[all.frames].map { text throws(UsageError) in try ItemRange(frames: text) }
  }
}
