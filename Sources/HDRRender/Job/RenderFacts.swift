import CodecService
import HDRCore
import HDRPlan
import ImageFiles

/// All facts found about a picture on its way from a source to a file.
public struct RenderFacts: Sendable {
  public var format: FileFormat?
  /// The number, from 1, of the picture that was read from a file with several; `imageName` is its name.
  public var image: Int?
  public var imageName: String?
  /// The library and version that decoded it.
  public var decoder: String?
  /// The report of the plan; `nil` if there was no plan.
  public var report: PlanReport?
  /// The width of the output in pixels.
  public var width = 0
  public var height = 0
  /// The light level that the output states, then its mastering display and that one's source: "file", "setting", or
  /// "output" with the reason why it is not the file's.
  public var light: ContentLightLevel?
  public var mastering: MasteringDisplay?
  public var masteringSource: String?
  /// The largest rendered component, as a factor of the output's white, and the share of pixels that were clipped at
  /// the display's headroom or the signal's end; `nil` if samples are kept as coded.
  public var measuredPeak: Double?
  public var clippedShare: Double?
  /// The executor that rendered it.
  public var executor = ExecutorFacts()
  /// The isolation of the codecs: "sandbox", "rlimit" or "none"; `nil` if nothing was tried.
  public var isolation: String?
  public var seconds: [Phase: PhaseSeconds] = [:]
  public var warnings: [Warning] = []
  /// The SHA-256 of the input file; `outputDigest` is the written file's. `nil` if it was not read or not made.
  public var inputDigest: Digest?
  public var outputDigest: Digest?
  public var bytesIn = 0
  public var bytesOut = 0

  public init() {}

  public var pixels: Int { width * height }

  /// Adds warnings that are not present yet.
  package mutating func warn(_ more: [Warning]) {
    for warning in more where !warnings.contains(warning) { warnings.append(warning) }
  }
}

/// The executor that rendered a picture.
public struct ExecutorFacts: Sendable, Hashable {
  /// The backend, "gpu" or "cpu"; it and the device are `nil` if nothing had to be rendered.
  public var backend: String?
  public var device: String?
  /// The rounding of a GPU: whether the device promises round to nearest even, or only passed the self-test.
  public var rounding: String?
  /// The instruction set of the CPU build, for "cpu".
  public var isa: String?
  /// The reason why the picture was not rendered on the GPU although one was wanted.
  public var fallback: String?
  /// The number of strips that the CPU rendered too, with equal results.
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
