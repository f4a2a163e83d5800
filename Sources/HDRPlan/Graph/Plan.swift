import HDRCore
import Kernels

/// The data that both executors run: made once, from an image's meaning and a recipe.
///
/// A plan is data. `CPUReference` walks its stages over strips, `GPURender` composes one kernel a pass; neither decides
/// anything that changes a pixel. Numbers reach both sides as the same 32-bit words (`constants`, `tables`).
package struct Plan: Sendable {
  /// The passes in order; a later pass may read the output of an earlier one.
  package var passes: [Pass]
  /// Parameters of all stages, word offsets in `Stage.constants`. Floats by bit pattern.
  package var constants: [UInt32]
  /// Curves and LUTs of all stages. Floats by bit pattern.
  package var tables: [UInt32]
  /// The decisions and their reasons, for `--explain` and records.
  package var report: PlanReport
  /// Planes of the source that may be encoded instead of the passes' result, which is the same picture converted to
  /// R'G'B' and rounded: then no pass needs to run.
  package var kept: SampleImage?
  /// The number of values of curves and tables that were computed for the plan.
  package var tableEvaluations = 0

  package init(passes: [Pass], constants: [UInt32], tables: [UInt32], report: PlanReport) {
    self.passes = passes
    self.constants = constants
    self.tables = tables
    self.report = report
  }
}

extension Plan {
  /// The last pass that reads each pass's picture, after which its memory is free; `nil` if no pass reads it.
  package var lastUses: [Int?] {
    var result = [Int?](repeating: nil, count: passes.count)
    for (index, pass) in passes.enumerated() {
      for case .earlier(let from, _) in pass.sources { result[from] = index }
    }
    return result
  }

}

extension [Pass] {
  /// Returns true if a source is a half-float picture that one of these passes hands on.
  package func areHalves(_ source: PassSource) -> Bool {
    if case .earlier(let from, _) = source { return self[from].sink.kind == .rgba16f }
    return false
  }
}

extension Plan {
  /// Returns a word whose bit s is set if source s of a pass is a half-float picture that an earlier one hands on.
  package func halfSources(of pass: Int) -> UInt32 {
    passes[pass].sources.enumerated().reduce(0) { $0 | (passes.areHalves($1.element) ? 1 << UInt32($1.offset) : 0) }
  }

  /// The number of different kernels; each is made once.
  package var kernelCount: Int { kernelKeys.count }

  /// The texts that decide the kernels of all passes.
  package var kernelKeys: Set<String> {
    Set(passes.indices.map { passes[$0].kernelKey + " \(halfSources(of: $0))" })
  }
}

/// A dispatch on the GPU, or a strip loop on the CPU: a load, per-pixel stages, a sink.
package struct Pass: Sendable {
  package var name: String
  /// The pictures that the pass reads, at most `Pass.maxSources` and `Pass.maxHalfSources` half-float ones, by index.
  package var sources: [PassSource]
  /// The size of the pass's output in pixels.
  package var width: Int
  package var height: Int
  /// Maps an output pixel to the pixel of source 0; other sources are addressed by the same source-0 pixel.
  package var mapping: SourceMapping
  package var stages: [Stage]
  package var sink: Sink

  package static let maxSources = 4
  /// The largest number of stages that a file may put in a pass, its load included. Formats and recipes add others.
  package static let maxFileStages = 16
  /// The largest number of half-float sources: with the output, as many storage images as every device binds.
  package static let maxHalfSources = 3

  package init(
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
  package var kernelKey: String {
    stages.map { $0.kind.rawValue + ($0.kernel.map { " " + $0.digest } ?? "") }.joined(separator: "+")
      + ">" + sink.kind.rawValue
  }
}

/// A picture that a pass reads.
package enum PassSource: Sendable {
  /// The samples of a file.
  case image(SampleImage)
  /// The output of an earlier pass, halves (`rgba16f`) or binary32 planes (`floatPlanes`); `rows` gives the rows of it
  /// that mapped rows need.
  case earlier(pass: Int, rows: RowScale)
}

/// Rows of an earlier pass's planes that a pass needs: for mapped row y (`StageContext.source`) the rows
/// `firstRow[y] ... lastRow[y]`, both inclusive, in any order.
package struct RowScale: Sendable {
  package var firstRow: [Int32]
  package var lastRow: [Int32]
  package init(firstRow: [Int32], lastRow: [Int32]) {
    self.firstRow = firstRow
    self.lastRow = lastRow
  }

  /// Makes a scale in which row y needs row y.
  package static func same(height: Int) -> RowScale {
    let rows = (0..<Int32(height)).map { $0 }
    return RowScale(firstRow: rows, lastRow: rows)
  }

  /// Makes a scale in which each of `height` rows needs rows within `reach` of itself.
  package static func around(height: Int, reach: Int) -> RowScale {
    RowScale(
      firstRow: (0..<height).map { Int32(max($0 - reach, 0)) },
      lastRow: (0..<height).map { Int32(min($0 + reach, height - 1)) })
  }

  /// Makes a scale in which each of `height` rows needs all rows of a picture.
  package static func all(height: Int, of sourceHeight: Int) -> RowScale {
    RowScale(
      firstRow: [Int32](repeating: 0, count: height),
      lastRow: [Int32](repeating: Int32(sourceHeight - 1), count: height))
  }

  /// Returns the rows that mapped rows need together.
  package func rows(for mapped: Range<Int>) -> Range<Int> {
    let part = mapped.clamped(to: 0..<firstRow.count)
    let first = firstRow[part].min() ?? firstRow[firstRow.count - 1]
    let last = lastRow[part].max() ?? lastRow[lastRow.count - 1]
    return Int(first)..<Int(last) + 1
  }
}

/// A step of a pass on one pixel (R, G, B, A in binary32 registers).
package struct Stage: Sendable {
  package var kind: StageKind
  /// The place of the stage's first parameter word in `Plan.constants`.
  package var constants: Int
  /// The user's kernel that the stage `user` runs.
  package var kernel: UserKernel?
  package init(kind: StageKind, constants: Int, kernel: UserKernel? = nil) {
    self.kind = kind
    self.constants = constants
    self.kernel = kernel
  }
}

/// The output format of a pass.
package struct Sink: Sendable {
  package var kind: SinkKind
  /// The place of the sink's first parameter word in `Plan.constants`.
  package var constants: Int
  /// Channels of `floatPlanes`, and of `rgba16f` between passes: 1, 3, or 4 with alpha; of `planarYCC` 3 or 4.
  package var channels: Int
  /// True for `rgba16f` between passes that has a plane for each channel on the CPU, because loops over rows read one
  /// channel after the other. On a GPU it makes no difference.
  package var isPlanar = false
  /// Chroma of `planarYCC`.
  package var chroma: ChromaSubsampling
  /// Significant bits of `planarYCC` samples; the sink's parameters say how to reach them.
  package var bitDepth: Int

  package init(
    kind: SinkKind, constants: Int, channels: Int = 4, chroma: ChromaSubsampling = .s444, bitDepth: Int = 16
  ) {
    self.kind = kind
    self.constants = constants
    self.channels = channels
    self.chroma = chroma
    self.bitDepth = bitDepth
  }
}

/// The planner's decisions, for messages and records. Headrooms are factors of reference white.
package struct PlanReport: Sendable, Hashable {
  package var inputKind = ""
  package var operatorName = "none"
  package var operatorReason = ""
  /// The chains of a config that run, a line each.
  package var config: [String] = []
  /// The view through which scene light is shown; `nil`: none.
  package var view: SceneView?
  /// The parameters of the tone operator with their values, and its working space; empty if none ran.
  package var operatorParameters: [ToneParameter] = []
  package var operatorSpace = ""
  /// The camera look by which the picture was made from a sensor's samples; `nil` if it was not.
  package var cameraLook: String?
  /// A summary of the SMPTE ST 2094-50 metadata of the picture.
  package var toneMetadata: String?
  /// The treatment of colours outside the output's gamut.
  package var gamutRule = ""
  package var contentHeadroom = 1.0
  package var contentHeadroomSource = ""
  package var displayHeadroom = 1.0
  /// The luminance that headrooms are factors of, in cd/m²: that of reference white, or of a reference display's white.
  package var white = ReferenceWhite.nits
  /// True if an SDR display's rendition was made because the display shows little more.
  package var takesSDRPath = false
  /// True if HLG signals were read (`readsScene`) or are written (`writesScene`) as light of the scene.
  package var readsScene = false
  package var writesScene = false
  /// Headroom of the result.
  package var outputHeadroom = 1.0
  /// The light that no component of the result exceeds before the transfer curve; `nil` if nothing bounds it.
  package var bound: Double?
  /// True if there may have been light above the bound that was cut; false for SDR that is shown unchanged.
  package var mayExceed = false
  /// The code points of the output signal (matrix 0 for RGB layouts).
  package var outputCICP = CICP.sRGB
  /// The name of the ICC profile whose codes the output has instead.
  package var outputProfile: String?
  /// The name of the linear space of the list that the output is in.
  package var outputSpace: String?
  package var gainMapWeight: Double?
  /// The formula of the gain map: "iso" (ISO 21496-1, `hdrgm` too), or "apple bt709 capped" with the decoding of its
  /// map and the rule for partial headrooms.
  package var gainMapFormula: String?
  package var workingPrimaries = 9
  /// The rendition of a file with a gain map that filters get; `nil` without filters or map.
  package var editedRendition: EditedRendition?
  /// The filters that change nothing with their values, and did not run.
  package var idleEdits: [String] = []
  /// Headroom of the light that the first filter gets.
  package var editedFrom = 1.0
  /// A filter that ran, with the content headroom after it; `nil`: unknown.
  package struct Edit: Sendable, Hashable {
    package var name: String
    package var headroom: Double?
    /// The name of a user's kernel, and the digest of its text.
    package var kernel: Kernel?

    package struct Kernel: Sendable, Hashable {
      package var name: String
      package var digest: String
    }

    package init(name: String, headroom: Double?, kernel: Kernel? = nil) {
      self.name = name
      self.headroom = headroom
      self.kernel = kernel
    }
  }
  package var edits: [Edit] = []
  /// True if alpha can be other than 1.
  package var hasAlpha = false
  package var stageNames: [String] = []
  package var warnings: [Warning] = []
  package init() {}
}

/// The word layout of the parameters that the plan does not know: the places of pixels in memory for a dispatch. The
/// GPU executor fills it for each band, the CPU executor for the whole picture; GLSL reads it by these numbers.
package enum FrameLayout {
  /// First output row of the band (absolute), number of rows in it, output width, output height.
  package static let firstRow = 0, rowCount = 1, width = 2, height = 3
  /// `SourceMapping`: x0, y0, columnX, columnY, rowX, rowY (signed).
  package static let mapping = 4
  /// Sources: `Pass.maxSources` blocks of `sourceWords` words.
  package static let sources = 16
  package static let sourceWords = 32
  /// The words of a channel; a source block has four channels, of which the fourth is alpha.
  package static let channelWords = 8
  /// The words in a channel: byte of the first sample in the bound buffer, bytes a row, bytes a sample step, width and
  /// height of the channel in samples, first row that is in the buffer.
  package static let channelOffset = 0, channelRowBytes = 1, channelStepBytes = 2
  package static let channelWidth = 3, channelHeight = 4, channelFirstRow = 5
  /// Output: four planes of `planeWords` words: byte of the band's first row, bytes a row.
  package static let output = sources + Pass.maxSources * sourceWords
  package static let planeWords = 2
  package static let words = output + 4 * planeWords
}
