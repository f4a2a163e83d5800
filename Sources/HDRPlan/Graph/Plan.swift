import HDRCore

/// What both executors run: made once, here, from an image's meaning and a recipe.
///
/// A plan is data. `CPUReference` walks its stages over strips, `GPURender` composes one kernel a pass; neither decides
/// anything that changes a pixel. Numbers reach both sides as the same 32-bit words (`constants`, `tables`).
public struct Plan: Sendable {
  /// In order; a later pass may read the output of an earlier one.
  public var passes: [Pass]
  /// Parameters of all stages, word offsets in `Stage.constants`. Floats by bit pattern.
  public var constants: [UInt32]
  /// Curves and LUTs of all stages. Floats by bit pattern.
  public var tables: [UInt32]
  /// What was decided and why, for `--explain` and records.
  public var report: PlanReport
  /// Planes of the source that may be coded instead of what the passes make, which is the same picture turned into
  /// R'G'B' and rounded: then no pass needs to run.
  public var kept: SampleImage?
  /// Values of curves and tables that were computed for it.
  public var tableEvaluations = 0

  public init(passes: [Pass], constants: [UInt32], tables: [UInt32], report: PlanReport) {
    self.passes = passes
    self.constants = constants
    self.tables = tables
    self.report = report
  }
}

extension Plan {
  /// For each pass the last one that reads its picture, after which its memory is free; `nil` if no pass reads it.
  public var lastUses: [Int?] {
    var result = [Int?](repeating: nil, count: passes.count)
    for (index, pass) in passes.enumerated() {
      for case .earlier(let from, _) in pass.sources { result[from] = index }
    }
    return result
  }

}

extension [Pass] {
  /// Whether a source is a picture of halves that one of these passes hands on.
  public func areHalves(_ source: PassSource) -> Bool {
    if case .earlier(let from, _) = source { return self[from].sink.kind == .rgba16f }
    return false
  }
}

extension Plan {
  /// Bit s: source s of a pass is a picture of halves that an earlier one hands on.
  public func halfSources(of pass: Int) -> UInt32 {
    passes[pass].sources.enumerated().reduce(0) { $0 | (passes.areHalves($1.element) ? 1 << UInt32($1.offset) : 0) }
  }

  /// Kernels that are different: each is made once.
  public var kernelCount: Int {
    Set(passes.indices.map { passes[$0].kernelKey + " \(halfSources(of: $0))" }).count
  }
}

/// One dispatch on the GPU, one strip loop on the CPU: a load, per-pixel stages, a sink.
public struct Pass: Sendable {
  public var name: String
  /// Pictures the pass reads, at most `Pass.maxSources` and of halves `Pass.maxHalfSources`; stages name them by index.
  public var sources: [PassSource]
  /// Size of the pass's output in pixels.
  public var width: Int
  public var height: Int
  /// From an output pixel to the pixel of source 0; other sources are addressed by the same source-0 pixel.
  public var mapping: SourceMapping
  public var stages: [Stage]
  public var sink: Sink

  public static let maxSources = 4
  /// Stages of a pass at most that a file asks for, its load included. Others follow from formats and recipes.
  package static let maxFileStages = 16
  /// With the output as many storage images as every device binds.
  public static let maxHalfSources = 3

  public init(
    name: String, sources: [PassSource], width: Int, height: Int, mapping: SourceMapping, stages: [Stage], sink: Sink
  ) {
    self.name = name
    self.sources = sources
    self.width = width
    self.height = height
    self.mapping = mapping
    self.stages = stages
    self.sink = sink
  }

  /// The text that decides the kernel: two passes with equal keys share a pipeline; constants are data.
  public var kernelKey: String {
    stages.map { $0.kind.rawValue + ($0.kernel.map { " " + $0.digest } ?? "") }.joined(separator: "+")
      + ">" + sink.kind.rawValue
  }
}

/// Where a pass reads from.
public enum PassSource: Sendable {
  /// Samples of a file.
  case image(SampleImage)
  /// The output of an earlier pass, halves (`rgba16f`) or binary32 planes (`floatPlanes`); `rows` tells which of its rows
  /// mapped rows need.
  case earlier(pass: Int, rows: RowScale)
}

/// Rows of an earlier pass's planes that a pass needs: for mapped row y (`StageContext.source`) the rows
/// `firstRow[y] ... lastRow[y]`, both inclusive, in any order.
public struct RowScale: Sendable {
  public var firstRow: [Int32]
  public var lastRow: [Int32]
  public init(firstRow: [Int32], lastRow: [Int32]) {
    self.firstRow = firstRow
    self.lastRow = lastRow
  }

  /// Row y needs row y.
  public static func same(height: Int) -> RowScale {
    let rows = (0..<Int32(height)).map { $0 }
    return RowScale(firstRow: rows, lastRow: rows)
  }

  /// Each of `height` rows needs rows within `reach` of itself.
  public static func around(height: Int, reach: Int) -> RowScale {
    RowScale(
      firstRow: (0..<height).map { Int32(max($0 - reach, 0)) },
      lastRow: (0..<height).map { Int32(min($0 + reach, height - 1)) })
  }

  /// Each of `height` rows needs all rows of a picture.
  public static func all(height: Int, of sourceHeight: Int) -> RowScale {
    RowScale(
      firstRow: [Int32](repeating: 0, count: height),
      lastRow: [Int32](repeating: Int32(sourceHeight - 1), count: height))
  }

  /// Rows that mapped rows need together.
  public func rows(for mapped: Range<Int>) -> Range<Int> {
    let part = mapped.clamped(to: 0..<firstRow.count)
    let first = firstRow[part].min() ?? firstRow[firstRow.count - 1]
    let last = lastRow[part].max() ?? lastRow[lastRow.count - 1]
    return Int(first)..<Int(last) + 1
  }
}

/// One step of a pass on one pixel (R, G, B, A in binary32 registers).
public struct Stage: Sendable {
  public var kind: StageKind
  /// First word of the stage's parameters in `Plan.constants`.
  public var constants: Int
  /// What the stage `user` does.
  public var kernel: UserKernel?
  public init(kind: StageKind, constants: Int, kernel: UserKernel? = nil) {
    self.kind = kind
    self.constants = constants
    self.kernel = kernel
  }
}

/// What a pass writes.
public struct Sink: Sendable {
  public var kind: SinkKind
  /// First word of the sink's parameters in `Plan.constants`.
  public var constants: Int
  /// Channels of `floatPlanes`, and of `rgba16f` between passes: 1, 3, or 4 with alpha; of `planarYCC` 3 or 4.
  public var channels: Int
  /// `rgba16f` between passes: on the CPU a plane for each channel, because loops over rows read one channel after the
  /// other. On a GPU it is the same picture as without.
  public var isPlanar = false
  /// Chroma of `planarYCC`.
  public var chroma: ChromaSubsampling
  /// Significant bits of `planarYCC` samples; the sink's parameters say how to reach them.
  public var bitDepth: Int

  public init(
    kind: SinkKind, constants: Int, channels: Int = 4, chroma: ChromaSubsampling = .s444, bitDepth: Int = 16
  ) {
    self.kind = kind
    self.constants = constants
    self.channels = channels
    self.chroma = chroma
    self.bitDepth = bitDepth
  }
}

/// The list of sinks. The raw value names the GLSL function `void NAME(uvec2 block, uint k)`.
public enum SinkKind: String, Sendable, Hashable, CaseIterable {
  /// R G B A binary16, little endian, through an RGBA16F storage image on the GPU (seen as R16G16B16A16_UINT).
  case rgba16f = "store_rgba16f"
  /// R G B A unsigned 16 bit, little endian.
  case rgba16 = "store_rgba16"
  /// R G B A unsigned 8 bit.
  case rgba8 = "store_rgba8"
  /// Planes Y, Cb, Cr of 16-bit words, and alpha, value right-aligned, chroma subsampled as the sink says.
  case planarYCC = "store_planar_ycc"
  /// 1, 3 or 4 planes of binary32; the fourth is alpha.
  case floatPlanes = "store_float_planes"

  /// The sink's parameters; `nil`: it has none.
  public var words: (any StageWords.Type)? {
    switch self {
    case .rgba16f: nil
    case .rgba16: StoreRGBA16.Words.self
    case .rgba8: StoreRGBA8.Words.self
    case .planarYCC: StorePlanarYCC.Words.self
    case .floatPlanes: StoreFloatPlanes.Words.self
    }
  }
}

/// What the planner decided, for messages and records. Headrooms are factors of reference white.
public struct PlanReport: Sendable, Hashable {
  public var inputKind = ""
  public var operatorName = "none"
  public var operatorReason = ""
  /// Parameters of the tone operator with the values it ran with, and its working space; empty where none ran.
  public var operatorParameters: [ToneParameter] = []
  public var operatorSpace = ""
  /// How the picture was made of a sensor's samples; `nil`: it was not.
  public var cameraLook: String?
  /// Summary of the SMPTE ST 2094-50 metadata of the picture.
  public var toneMetadata: String?
  /// How colours outside the output's gamut were treated.
  public var gamutRule = ""
  public var contentHeadroom = 1.0
  public var contentHeadroomSource = ""
  public var displayHeadroom = 1.0
  /// Luminance that headrooms are factors of, cd/m²: that of reference white, or of a reference display's.
  public var white = ReferenceWhite.nits
  /// An SDR display's rendition was made because the display shows little more.
  public var takesSDRPath = false
  /// HLG signals were read, and are written, as light of the scene.
  public var readsScene = false
  public var writesScene = false
  /// Headroom of the result.
  public var outputHeadroom = 1.0
  /// What no component of the result exceeds before the transfer curve; `nil`: nothing bounds it.
  public var bound: Double?
  /// Whether there may be light above the bound that was cut: not in SDR that is shown as it is.
  public var mayExceed = false
  /// Code points of the output signal (matrix 0 for RGB layouts).
  public var outputCICP = CICP.sRGB
  /// Name of the ICC profile whose codes the output has instead.
  public var outputProfile: String?
  public var gainMapWeight: Double?
  /// Which formula the gain map goes by: "iso" (ISO 21496-1, `hdrgm` too), or "apple bt709 capped" with the decoding of
  /// its map and the rule for partial headrooms.
  public var gainMapFormula: String?
  public var workingPrimaries = 9
  /// Which rendition of a file with a gain map filters get; `nil` without either.
  public var editedRendition: EditedRendition?
  /// Filters that change nothing with their values, and did not run.
  public var idleEdits: [String] = []
  /// Headroom of the light that the first filter gets.
  public var editedFrom = 1.0
  /// Filters that ran, each with the content headroom behind it; `nil`: unknown.
  public struct Edit: Sendable, Hashable {
    public var name: String
    public var headroom: Double?
    /// A user's: its name, and the digest of its text.
    public var kernel: Kernel?

    public struct Kernel: Sendable, Hashable {
      public var name: String
      public var digest: String
    }

    public init(name: String, headroom: Double?, kernel: Kernel? = nil) {
      self.name = name
      self.headroom = headroom
      self.kernel = kernel
    }
  }
  public var edits: [Edit] = []
  /// Whether alpha can be other than 1.
  public var hasAlpha = false
  public var stageNames: [String] = []
  public var warnings: [Warning] = []
  public init() {}
}

/// Word layout of the parameter block that is not known to the plan: where pixels lie in memory for this dispatch. The
/// GPU executor fills it for each band, the CPU executor for the whole picture; GLSL reads it by these numbers.
public enum FrameLayout {
  /// First output row of the band (absolute), number of rows in it, output width, output height.
  public static let firstRow = 0, rowCount = 1, width = 2, height = 3
  /// `SourceMapping`: x0, y0, columnX, columnY, rowX, rowY (signed).
  public static let mapping = 4
  /// Sources: `Pass.maxSources` blocks of `sourceWords` words.
  public static let sources = 16
  public static let sourceWords = 32
  /// In a source block: four channels (the fourth is alpha) of `channelWords` words.
  public static let channelWords = 8
  /// In a channel: byte of the first sample in the bound buffer, bytes a row, bytes a sample step, width and height of
  /// the channel in samples, first row that is in the buffer.
  public static let channelOffset = 0, channelRowBytes = 1, channelStepBytes = 2
  public static let channelWidth = 3, channelHeight = 4, channelFirstRow = 5
  /// Output: four planes of `planeWords` words: byte of the band's first row, bytes a row.
  public static let output = sources + Pass.maxSources * sourceWords
  public static let planeWords = 2
  public static let words = output + 4 * planeWords
}
