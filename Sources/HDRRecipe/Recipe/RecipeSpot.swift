/// A thing of a recipe that can be wrong, whether it came from a file or from options.
public enum RecipeSpot: Sendable, Hashable {
  case recipe
  /// What is not there.
  case nowhere
  /// A setting of all outputs, or of one.
  case setting(String, output: Int?)
  case output(Int)
  case input(String)
  case override(Int)
  /// A step by its list and number, a parameter of it.
  case step(StepList, Int)

  public enum StepList: Sendable, Hashable {
    case common(output: Int?)
    case sdr(output: Int?)
    case hdr(output: Int?)
  }
}
