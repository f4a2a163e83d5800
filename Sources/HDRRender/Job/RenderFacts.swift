import CodecService
import HDRCore
import HDRPlan
import ImageFiles

/// All facts found about a picture on its way from a source to a file.
package struct RenderFacts: Sendable {
  package var format: FileFormat?
  /// The number, from 1, of the picture that was read from a file with several; `imageName` is its name.
  package var image: Int?
  package var imageName: String?
  /// The space that the caller states for its codes, and the colour that the file states, in words; else `nil`.
  package var inputSpace: String?
  package var replacedColor: String?
  /// The decisions of a config of OpenColorIO; `nil` where none was used.
  package var colors: ConfigFacts?
  /// The library and version that decoded it.
  package var decoder: String?
  /// The scale at which it was decoded, 1, 2, 4 or 8, if smaller ones were allowed; else `nil`.
  package var decodeScale: Int?
  package var decoding = DecodeFacts()
  /// The report of the plan; `nil` if there was no plan.
  package var report: PlanReport?
  /// The width of the output in pixels.
  package var width = 0
  package var height = 0
  /// The light level that the output states, then its mastering display and that one's source: "file", "setting", or
  /// "output" with the reason why it is not the file's.
  package var light: ContentLightLevel?
  package var mastering: MasteringDisplay?
  package var masteringSource: String?
  /// The curves for other displays in the output's profile; `nil` without any.
  package var profileTone: ProfileToneFacts?
  /// The largest rendered component, as a factor of the output's white, and the share of pixels that were clipped at
  /// the display's headroom or the signal's end; `nil` if samples are kept as coded.
  package var measuredPeak: Double?
  package var clippedShare: Double?
  /// The executor that rendered it.
  package var executor = ExecutorFacts()
  /// The judgement of the written file; `nil` if it was not judged.
  package var judgement: Judgement?
  /// The quality that was found, and what was tried for it; empty if the quality was stated.
  package var quality: Int?
  package var qualityTrials: [QualityTrial] = []
  /// The isolation of the codecs: "sandbox", "rlimit" or "none"; `nil` if nothing was tried.
  package var isolation: String?
  package var seconds: [Phase: PhaseSeconds] = [:]
  package var warnings: [Warning] = []
  /// The SHA-256 of the input file; `outputDigest` is the written file's. `nil` if it was not read or not made.
  package var inputDigest: Digest?
  package var outputDigest: Digest?
  /// The files that were written beside the output, of parts of the input.
  package var beside: [FilePath] = []
  package var bytesIn = 0
  package var bytesOut = 0

  package init() {}

  package var pixels: Int { width * height }

  /// Adds warnings that are not present yet.
  package mutating func warn(_ more: [Warning]) {
    for warning in more where !warnings.contains(warning) { warnings.append(warning) }
  }
}

/// The processor that made the codes of a JPEG or PNG, or samples of codes.
package enum JPEGProcessor: String, Sendable, Hashable {
  case cpu, gpu
  /// One the base, the other the gain map.
  case both

  func joined(with other: JPEGProcessor?) -> JPEGProcessor { other == nil || other == self ? self : .both }
}

/// The executor that rendered a picture.
package struct ExecutorFacts: Sendable, Hashable {
  /// The backend, "gpu" or "cpu"; it and the device are `nil` if nothing had to be rendered.
  package var backend: String?
  package var device: String?
  /// The rounding of a GPU: whether the device promises round to nearest even, or only passed the self-test.
  package var rounding: String?
  /// The instruction set of the CPU build, for "cpu".
  package var isa: String?
  /// The reason why the picture was not rendered on the GPU although one was wanted.
  package var fallback: String?
  /// The number of strips that the CPU rendered too, with equal results.
  package var sampledStrips = 0
  /// The processor that encoded what was rendered for a JPEG, or a PNG in chunks; `nil` for other files.
  package var encoder: JPEGProcessor?

  package init(
    backend: String? = nil, device: String? = nil, rounding: String? = nil, isa: String? = nil,
    fallback: String? = nil, sampledStrips: Int = 0
  ) {
    self.backend = backend
    self.device = device
    self.rounding = rounding
    self.isa = isa
    self.fallback = fallback
    self.sampledStrips = sampledStrips
  }
}
