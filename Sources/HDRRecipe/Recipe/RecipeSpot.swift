/// A part of a recipe that can be wrong, from a file or from options.
package enum RecipeSpot: Sendable, Hashable {
  case recipe
  /// A missing part, which has no place.
  case nowhere
  /// A setting of all outputs, or of one.
  case setting(String, output: Int?)
  case output(Int)
  case input(String)
  case override(Int)
  /// A step by its list and its number there.
  case step(StepList, Int)

  package enum StepList: Sendable, Hashable {
    case common(output: Int?)
    case sdr(output: Int?)
    case hdr(output: Int?)
  }
}
