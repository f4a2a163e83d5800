import BatchEngine
import HDRRender

/// The audience of progress messages.
enum ProgressMode: String {
  case none, human, jsonl, openjd

  /// The default mode.
  static var standard: ProgressMode { Environment.value(OpenJDLines.sessionVariable) == nil ? .human : .openjd }
}
