import CodecService
import HDRCore
import HDRPlan
import HDRRecipe
import ImageFiles

/// What is to be made of one source.
struct RenderTask: Sendable {
  enum Source: Sendable {
    case file(FilePath)
    /// A black picture of the recipe's size.
    case canvas(Recipe.Size)
  }

  var source: Source
  /// The HDR rendition, or the edited map, that belongs to the source.
  var partner: FilePath?
  var choice: OutputChoice
  /// Counts sources, for expressions.
  var number = 0
  /// Bytes of the source when the task was planned.
  var plannedBytes: Int?
  /// A gain map that cannot be used is an error.
  var isStrict = false
}

/// Where the result of a task goes.
struct OutputPlace: Sendable {
  var path: FilePath
  /// Its end below the folder that was named; folders in it are made.
  var relative: FilePath
  /// For kinds with a sidecar.
  var sidecar: FilePath?
  var existing = ExistingFile.refuse
}

/// Called while a task is carried out, on its thread.
struct RenderHooks {
  /// Before anything is decoded: may wait for memory, or refuse.
  var admit: (DecodeHead, _ fileBytes: Int, OutputChoice) throws(CodecError) -> Void = {
    (_, _, _) throws(CodecError) in
  }
  /// Before each step; `nil`: steps are not described.
  var explain: ((Explanation) -> Void)?
  /// For every GPU that is given up.
  var lost: (GPURings.Loss) -> Void = { _ in }
}

/// What is about to be done to a picture.
public struct Explanation: Sendable {
  /// Which picture of the output it is about; empty for the only one.
  public var title: String
  public var lines: [String]
  /// In the language of GraphViz; `nil` where no plan is run.
  public var graph: String?
}

/// What all tasks share.
struct RenderTools: Sendable {
  let codecs: any CodecBorder
  let backends: RenderBackends
  let writer: AtomicWriter
  let limits: DecodeLimits
  /// Threads that code one picture.
  let codecThreads: Int
  /// Whether one task runs at a time.
  let isAlone: Bool
}
