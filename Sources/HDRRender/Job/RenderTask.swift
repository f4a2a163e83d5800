import CodecService
import HDRCore
import HDRPlan
import HDRRecipe
import ImageFiles

/// The work on one source.
package struct RenderTask: Sendable {
  package enum Source: Sendable {
    case file(InputReference)
    /// A file that is open, or bytes in memory.
    case open(InputFile)
    /// A black picture of the recipe's size.
    case canvas(Recipe.Size)
    /// A frame without a file, with its samples.
    case picture(SourceImage)
  }

  /// A picture's place in a sequence.
  package struct Frame: Sendable, Hashable {
    package var number: Int
    /// The seconds since the first frame; `nil` if the rate is not known.
    package var seconds: Double?

    package init(_ number: Int, seconds: Double? = nil) {
      self.number = number
      self.seconds = seconds
    }
  }

  package var source: Source
  /// The HDR rendition, or the edited map, that belongs to the source.
  package var partner: InputReference?
  package var choice: ResolvedOutput
  /// The source's number, for expressions.
  package var number = 0
  /// The place in a sequence, for expressions; `nil` without a sequence.
  package var frame: Frame?
  /// The bytes of the source when the task was planned.
  package var plannedBytes: Int?
  /// True if a gain map that cannot be used is an error.
  package var isStrict = false
  /// True if the result goes into a stream of frames, which has no reports for single frames.
  package var isStream = false

  package init(
    source: Source, partner: InputReference? = nil, choice: ResolvedOutput, number: Int = 0, plannedBytes: Int? = nil,
    isStrict: Bool = false
  ) {
    self.source = source
    self.partner = partner
    self.choice = choice
    self.number = number
    self.plannedBytes = plannedBytes
    self.isStrict = isStrict
  }

  /// The picture of its file, if it is not the main one.
  var picture: InputPicture? { if case .file(let item) = source { item.picture } else { nil } }
}

/// The place for the result of a task.
package struct OutputDestination: Sendable {
  package var path: FilePath
  /// The path below the folder that was named: folders are made. `nil` if its folder exists.
  package var relative: FilePath?
  /// The path of the sidecar, for kinds that have one.
  package var sidecar: FilePath?
  package var existing: ExistingFile
  /// True to keep a file that is not accepted, under `OutputDestination.rejected`.
  package var keepsRejected = false

  /// The ending of files that were not accepted.
  package static let rejectedEnding = ".rejected"

  /// The path of the file if it is not accepted and kept.
  package var rejected: FilePath { FilePath(bytes: path.bytes + Array(Self.rejectedEnding.utf8)) }

  package init(path: FilePath, relative: FilePath? = nil, sidecar: FilePath? = nil, existing: ExistingFile = .refuse) {
    self.path = path
    self.relative = relative
    self.sidecar = sidecar
    self.existing = existing
  }
}

/// Functions that are called while a task is carried out, on its thread.
package struct RenderHooks {
  /// Called before a file is read: may wait for memory, or refuse.
  package var read: (_ fileBytes: Int) throws(CodecError) -> Void
  /// Called before anything is decoded: may wait for memory, or refuse.
  package var admit: (DecodeHead, _ fileBytes: Int, ResolvedOutput) throws(CodecError) -> Void
  /// Called before each step; `nil`: steps are not described.
  package var explain: ((Explanation) -> Void)?
  /// Called for every GPU that is retired.
  package var lost: (GPURings.LostDevice) -> Void
  /// Called between phases: throws if the task is not wanted any more.
  package var check: () throws(HDRError) -> Void

  package init(
    read: @escaping (_ fileBytes: Int) throws(CodecError) -> Void = { _ throws(CodecError) in },
    admit: @escaping (DecodeHead, _ fileBytes: Int, ResolvedOutput) throws(CodecError) -> Void = {
      (_, _, _) throws(CodecError) in
    },
    explain: ((Explanation) -> Void)? = nil, lost: @escaping (GPURings.LostDevice) -> Void = { _ in },
    check: @escaping () throws(HDRError) -> Void = { () throws(HDRError) in }
  ) {
    self.read = read
    self.admit = admit
    self.explain = explain
    self.lost = lost
    self.check = check
  }
}

/// A description of the next step on a picture.
package struct Explanation: Sendable {
  /// The picture of the output that it describes; empty for the only one.
  package var title: String
  package var lines: [String]
  /// The graph in GraphViz's language; `nil` if no plan runs.
  package var graph: String?
}

/// The tools that all tasks share.
package struct RenderTools: Sendable {
  package let codecs: any CodecBorder
  package let backends: RenderBackends
  package let writer: AtomicWriter
  package let limits: DecodeLimits
  /// The time limits of an item; `nil`: none.
  package let itemLimits: CodecLimits?
  /// The number of threads that encode or decode a picture.
  package let codecThreads: Int
  /// True if one task runs at a time.
  package let isAlone: Bool
  /// The judge of outputs; `nil`: none is judged.
  package let judge: (any OutputJudge)?
  /// False to make no digests of samples that need no codec.
  package let hashesSamples: Bool
  /// The plans of frames, where tasks make a stream.
  let plans = FramePlans()

  package init(
    codecs: any CodecBorder, backends: RenderBackends, writer: AtomicWriter, limits: DecodeLimits,
    itemLimits: CodecLimits?, codecThreads: Int, isAlone: Bool, judge: (any OutputJudge)? = nil,
    hashesSamples: Bool = true
  ) {
    self.codecs = codecs
    self.backends = backends
    self.writer = writer
    self.limits = limits
    self.itemLimits = itemLimits
    self.codecThreads = codecThreads
    self.isAlone = isAlone
    self.judge = judge
    self.hashesSamples = hashesSamples
  }
}
