import CodecService
import GPURender
import HDRCore

/// A source with its samples, and who has decoded them.
package struct DecodedSource: Sendable {
  /// The answer of codecs. Its seconds are those of all that was asked, and of the device.
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
  /// The error of a device whose samples were not the library's: what is made of the source fails.
  package var mismatch: GPUError?

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

extension CodecAnswer {
  /// Adds the time that was spent before, or elsewhere, on the same source.
  fileprivate mutating func add(_ other: [Phase: PhaseSeconds]) {
    seconds.merge(other) { PhaseSeconds(wall: $0.wall + $1.wall, cpu: $0.cpu + $1.cpu) }
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
    var handed = try ask(least)
    let scans = handed.value.scans
    if scans.isEmpty { return DecodedSource(answer: handed, facts: DecodeFacts(handed.value)) }
    let begin = monotonicSeconds(), result = decode(scans, notice: notice)
    // The device's processor time is this thread's.
    handed.add([.decode: PhaseSeconds(wall: min(monotonicSeconds() - begin, ItemTime.longestStep), cpu: 0)])
    func library(_ reason: String?) throws(CodecError) -> DecodedSource {
      var again = try ask(nil)
      again.inputDigest = again.inputDigest ?? handed.inputDigest
      again.add(handed.seconds)
      var facts = DecodeFacts(again.value)
      facts.fallback = reason
      return DecodedSource(answer: again, facts: facts)
    }
    switch result {
    case .failure(let fallback): return try library(fallback.reason)
    case .success(let made):
      var decoded = DecodedSource(answer: handed, facts: DecodeFacts(handed.value))
      decoded.answer.value = handed.value.with(made.images)
      guard made.isCompared else { return decoded }
      var expected = try library(nil)
      do throws(GPUError) {
        try bring(made.images.compactMap(\.devicePlanes))
      } catch {
        // The next that the device is asked for retires it.
        expected.facts.fallback = "\(error)"
        return expected
      }
      guard let error = mismatch(decoded.answer.value, expected.answer.value, on: made.ring) else {
        decoded.answer.seconds = expected.answer.seconds
        return decoded
      }
      // Of a device that another thread has retired nothing is used any more.
      if retire(made.ring, because: error, notice) { expected.facts.mismatch = error }
      expected.facts.fallback = "\(error)"
      return expected
    }
  }

  /// Returns the error of a device whose samples are not the library's.
  private func mismatch(_ made: SourceImage, _ library: SourceImage, on ring: GPURings.Ring) -> GPUError? {
    func error(_ words: Int, _ place: String) -> GPUError {
      .mismatch(device: ring.label, words: words, first: "a decoded JPEG, \(place)")
    }
    guard library.samples.count == made.samples.count else { return error(1, "another shape") }
    let comparison = zip(library.samples, made.samples).reduce(WordComparison()) { $0 + WordComparison($1.0, $1.1) }
    return comparison.place.map { error(comparison.differing, $0) }
  }
}
