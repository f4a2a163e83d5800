import CodecService
import GPURender
import HDRCore

/// A source with its samples, and who has decoded them.
package struct DecodedSource: Sendable {
  package var answer: CodecAnswer<SourceImage>
  package var facts: DecodeFacts
}

/// The processor that decoded a source, and why it was not a device.
package struct DecodeFacts: Sendable, Hashable {
  /// `nil` if no samples were decoded.
  package var device: JPEGProcessor?
  /// The reason why the library decoded a JPEG that a device might have decoded: the name of a `JPEGRefusal`, those of
  /// `JPEGDecodeFlags`, or a device's error.
  package var fallback: String?

  package init() {}

  /// Takes the facts from an answer of codecs: what is handed over a device decodes.
  init(_ source: SourceImage) {
    for image in source.samples where image.holdsPixels {
      switch image.handover {
      case .scan: device = JPEGProcessor.gpu.joined(with: device)
      case .refused(let reason):
        device = JPEGProcessor.cpu.joined(with: device)
        fallback = fallback ?? reason.rawValue
      case nil: device = JPEGProcessor.cpu.joined(with: device)
      }
    }
  }

  /// Adds the facts of another source of the same item.
  mutating func add(_ other: DecodeFacts) {
    if let more = other.device { device = more.joined(with: device) }
    fallback = fallback ?? other.fallback
  }
}

extension SourceImage {
  /// The base, then the gain map if there is one.
  var samples: [SampleImage] {
    get { [image] + (gainMap.map { [$0.image] } ?? []) }
    set {
      image = newValue[0]
      if newValue.count > 1 { gainMap?.image = newValue[1] }
    }
  }

  /// The scans that are handed over in the place of samples.
  fileprivate var scans: [JPEGSourceScan] {
    samples.compactMap { if case .scan(let scan) = $0.handover { scan } else { nil } }
  }

  /// Returns the source with samples in the place of its scans.
  fileprivate func with(_ decoded: [SampleImage]) -> SourceImage {
    var rest = decoded[...], source = self
    source.samples = samples.map { image in
      guard case .scan = image.handover, let samples = rest.popFirst() else { return image }
      return samples
    }
    return source
  }
}

extension RenderBackends {
  /// Gets a source from codecs, and lets a device decode the scans that they hand over. What a device does not decode
  /// the codecs do, when they are asked again.
  ///
  /// - Parameters:
  ///   - least: `DecodeLimits.leastScan` for the codecs; `nil`: no scans are wanted.
  ///   - notice: called for every device that is retired.
  ///   - ask: asks the codecs.
  package func decoded(
    _ least: Int?, notice: (GPURings.LostDevice) -> Void, ask: (Int?) throws(CodecError) -> CodecAnswer<SourceImage>
  ) throws(CodecError) -> DecodedSource {
    var answer = try ask(least), facts = DecodeFacts(answer.value)
    let handed = answer.value, scans = handed.scans
    if scans.isEmpty { return DecodedSource(answer: answer, facts: facts) }
    func askAgain() throws(CodecError) -> CodecAnswer<SourceImage> {
      var again = try ask(nil)
      again.inputDigest = again.inputDigest ?? answer.inputDigest
      return again
    }
    switch decode(scans, notice: notice) {
    case .failure(let fallback):
      answer = try askAgain()
      facts = DecodeFacts(answer.value)
      facts.fallback = fallback.reason
    case .success(let made):
      answer.value = handed.with(made.images)
      guard made.isCompared else { break }
      let library = try askAgain()
      if let error = mismatch(answer.value, library.value, made.ring, notice) {
        (answer, facts) = (library, DecodeFacts(library.value))
        facts.fallback = "\(error)"
      }
    }
    return DecodedSource(answer: answer, facts: facts)
  }

  /// Compares what a device has decoded with the library's samples, and retires the device if they differ.
  private func mismatch(
    _ made: SourceImage, _ library: SourceImage, _ ring: GPURings.Ring, _ notice: (GPURings.LostDevice) -> Void
  ) -> GPUError? {
    let pairs = zip(library.samples, made.samples)
    guard let first = pairs.lazy.compactMap({ WordComparison($0, $1).first }).first else { return nil }
    let error = GPUError.mismatch(device: ring.label, words: 1, first: "a decoded JPEG, \(first.description)")
    _ = retire(ring, because: error, notice)
    return error
  }
}
