import BatchEngine
import HDRRender

/// Who progress is for.
enum ProgressMode: String {
  case none, human, jsonl, openjd

  /// Where none is asked for.
  static var standard: ProgressMode { Environment.value(OpenJDLines.sessionVariable) == nil ? .human : .openjd }
}
