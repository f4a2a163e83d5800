import CodecService
import HDRCore
import HDRPlan
import ImageFiles

/// All that is found out about a picture on its way from a source to a file.
public struct RenderFacts: Sendable {
  /// The source's format, as in `SourceImage.format`: "heic", "jpeg", "exr" and so on.
  public var format: String?
  /// Which picture of a file with several was read: its number from 1, and its name.
  public var image: Int?
  public var imageName: String?
  /// Library and version that decoded it.
  public var decoder: String?
  /// What the plan decided; `nil` when none was made.
  public var report: PlanReport?
  /// Size of the output in pixels.
  public var width = 0
  public var height = 0
  /// What the output says of its light level and its mastering display, and where the latter comes from: "file",
  /// "setting", or "output" with the reason why it is not the file's.
  public var light: ContentLightLevel?
  public var mastering: MasteringDisplay?
  public var masteringSource: String?
  /// The largest component of what was rendered, as a factor of the output's white, and the share of pixels that were
  /// cut at the display's headroom or the signal's end; `nil` where samples are kept as they were coded.
  public var measuredPeak: Double?
  public var clippedShare: Double?
  /// Who rendered it.
  public var executor = ExecutorFacts()
  /// Where the codecs ran: "sandbox", "rlimit" or "none"; `nil` when nothing was tried.
  public var isolation: String?
  public var seconds: [Phase: PhaseSeconds] = [:]
  public var warnings: [Warning] = []
  /// SHA-256 of the input file and of the written file; `nil` where they were not read or not made.
  public var inputDigest: Digest?
  public var outputDigest: Digest?
  public var bytesIn = 0
  public var bytesOut = 0

  public init() {}

  public var pixels: Int { width * height }

  /// Adds warnings that are not there yet.
  package mutating func warn(_ more: [Warning]) {
    for warning in more where !warnings.contains(warning) { warnings.append(warning) }
  }
}

/// The executor that rendered a picture.
public struct ExecutorFacts: Sendable, Hashable {
  /// "gpu" or "cpu"; `nil`, and so is the device, where nothing had to be rendered.
  public var backend: String?
  public var device: String?
  /// For "gpu": whether the device promises round to nearest even, or only passed the self-test.
  public var rounding: String?
  /// Instruction set of the CPU build, for "cpu".
  public var isa: String?
  /// Why the picture was not rendered on the GPU although one was wanted.
  public var fallback: String?
  /// Strips of the picture that the CPU rendered too and found the same.
  public var sampledStrips = 0

  public init(
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
