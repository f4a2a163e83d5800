import CodecService
import HDRCore
import HDRPlan
import HDRRecipe
import ImageFiles

/// What is to be made of one source.
package struct RenderTask: Sendable {
  package enum Source: Sendable {
    case file(InputItem)
    /// A file that is open, or bytes in memory.
    case open(InputFile)
    /// A black picture of the recipe's size.
    case canvas(Recipe.Size)
    /// A frame that has no file, with its samples.
    case picture(SourceImage)
  }

  /// A picture's place in a sequence.
  package struct Frame: Sendable, Hashable {
    package var number: Int
    /// From the first frame; `nil`: the rate is not known.
    package var seconds: Double?

    package init(_ number: Int, seconds: Double? = nil) {
      self.number = number
      self.seconds = seconds
    }
  }

  package var source: Source
  /// The HDR rendition, or the edited map, that belongs to the source.
  package var partner: InputItem?
  package var choice: OutputChoice
  /// Counts sources, for expressions.
  package var number = 0
  /// For expressions; `nil`: no sequence.
  package var frame: Frame?
  /// Bytes of the source when the task was planned.
  package var plannedBytes: Int?
  /// A gain map that cannot be used is an error.
  package var isStrict = false
  /// The result goes into a stream of frames, which says nothing of each.
  package var isStream = false

  package init(
    source: Source, partner: InputItem? = nil, choice: OutputChoice, number: Int = 0, plannedBytes: Int? = nil,
    isStrict: Bool = false
  ) {
    self.source = source
    self.partner = partner
    self.choice = choice
    self.number = number
    self.plannedBytes = plannedBytes
    self.isStrict = isStrict
  }

  /// The picture of its file, where it is not the main one.
  var picture: InputPicture? { if case .file(let item) = source { item.picture } else { nil } }
}

/// Where the result of a task goes.
package struct OutputPlace: Sendable {
  package var path: FilePath
  /// Its end below the folder that was named: folders are made. `nil`: its folder is there.
  package var relative: FilePath?
  /// For kinds with a sidecar.
  package var sidecar: FilePath?
  package var existing: ExistingFile

  package init(path: FilePath, relative: FilePath? = nil, sidecar: FilePath? = nil, existing: ExistingFile = .refuse) {
    self.path = path
    self.relative = relative
    self.sidecar = sidecar
    self.existing = existing
  }
}

/// Called while a task is carried out, on its thread.
package struct RenderHooks {
  /// Before a file is read: may wait for memory, or refuse.
  package var read: (_ fileBytes: Int) throws(CodecError) -> Void
  /// Before anything is decoded: may wait for memory, or refuse.
  package var admit: (DecodeHead, _ fileBytes: Int, OutputChoice) throws(CodecError) -> Void
  /// Before each step; `nil`: steps are not described.
  package var explain: ((Explanation) -> Void)?
  /// For every GPU that is given up.
  package var lost: (GPURings.Loss) -> Void
  /// Between phases: throws where the task is not wanted any more.
  package var check: () throws(HDRError) -> Void

  package init(
    read: @escaping (_ fileBytes: Int) throws(CodecError) -> Void = { _ throws(CodecError) in },
    admit: @escaping (DecodeHead, _ fileBytes: Int, OutputChoice) throws(CodecError) -> Void = {
      (_, _, _) throws(CodecError) in
    },
    explain: ((Explanation) -> Void)? = nil, lost: @escaping (GPURings.Loss) -> Void = { _ in },
    check: @escaping () throws(HDRError) -> Void = { () throws(HDRError) in }
  ) {
    self.read = read
    self.admit = admit
    self.explain = explain
    self.lost = lost
    self.check = check
  }
}

/// What is about to be done to a picture.
package struct Explanation: Sendable {
  /// Which picture of the output it is about; empty for the only one.
  package var title: String
  package var lines: [String]
  /// In the language of GraphViz; `nil` where no plan is run.
  package var graph: String?
}

/// What all tasks share.
package struct RenderTools: Sendable {
  package let codecs: any CodecBorder
  package let backends: RenderBackends
  package let writer: AtomicWriter
  package let limits: DecodeLimits
  /// Of the time of an item; `nil`: none.
  package let itemLimits: WorkerLimits?
  /// Threads that code one picture.
  package let codecThreads: Int
  /// Whether one task runs at a time.
  package let isAlone: Bool

  package init(
    codecs: any CodecBorder, backends: RenderBackends, writer: AtomicWriter, limits: DecodeLimits,
    itemLimits: WorkerLimits?, codecThreads: Int, isAlone: Bool
  ) {
    self.codecs = codecs
    self.backends = backends
    self.writer = writer
    self.limits = limits
    self.itemLimits = itemLimits
    self.codecThreads = codecThreads
    self.isAlone = isAlone
  }
}
