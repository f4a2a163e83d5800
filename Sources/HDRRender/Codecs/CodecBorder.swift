import CodecService
import HDRCore
import ImageFiles

/// The interface to all readers and writers of picture formats: open descriptors in, planes and metadata out, and back.
/// It gets one item at a time and no paths (docs/isolation.md): the caller never touches a byte of the files.
package protocol CodecBorder: Sendable {
  /// Decodes a file. `admit` gets the file's declarations before anything is decoded, and may wait or refuse. It is
  /// called again for every attempt, and not for metadata alone.
  func decode(
    _ file: InputFile, request: DecodeRequest, limits: DecodeLimits,
    admit: (DecodeHead) throws(CodecError) -> Void
  ) throws(CodecError) -> CodecAnswer<SourceImage>
  /// Returns the payloads of base and gain map, not decoded.
  func codedRenditions(_ file: InputFile, limits: DecodeLimits) throws(CodecError) -> CodecAnswer<CodedRenditions>
  /// Returns the output space that an ICC profile describes.
  func deviceSpace(_ file: InputFile, limits: DecodeLimits) throws(CodecError) -> CodecAnswer<DeviceSpace>
  /// Compiles a user's kernel.
  func kernel(_ file: InputFile, limits: DecodeLimits) throws(CodecError) -> CodecAnswer<KernelAnswer>
  /// Encodes into empty files, reads them again and compares them with the request.
  func encode(_ request: FileRequest, into files: OutputDescriptors) throws(CodecError) -> CodecAnswer<WrittenFiles>

  /// Returns memory that an encoder can read without a copy, next to `near` if possible; `nil`: any memory is fine.
  func pixelMemory(_ byteCount: Int, near: PixelBuffer?) -> PixelBuffer?

  /// The isolation of codecs: `none`, `rlimit` or `sandbox`.
  var isolation: String { get }
  /// The reason why the isolation is less than requested.
  var reduction: String? { get }
  /// The bytes of this process's address space, if that leaves codec processes less memory than usual.
  var tightAddressSpace: Int? { get }
  /// The locks of the first codec process; `nil` without one.
  var locks: ProcessLocks? { get }
  /// Ends running codecs; returns CPU seconds that other processes used, and the largest resident size of one.
  func close() -> (cpuSeconds: Double, peakBytes: Int)
}

extension CodecBorder {
  package func decode(
    _ file: InputFile, request: DecodeRequest, limits: DecodeLimits
  ) throws(CodecError) -> CodecAnswer<SourceImage> {
    try decode(file, request: request, limits: limits) { _ throws(CodecError) in }
  }
  package func deviceSpace(_ file: InputFile, limits: DecodeLimits) throws(CodecError) -> CodecAnswer<DeviceSpace> {
    throw .decode(.unsupported(feature: "an ICC profile for outputs", found: "codecs that read none"))
  }
  package func kernel(_ file: InputFile, limits: DecodeLimits) throws(CodecError) -> CodecAnswer<KernelAnswer> {
    throw .decode(.unsupported(feature: "a kernel", found: "codecs that compile none"))
  }
  package func pixelMemory(_ byteCount: Int, near: PixelBuffer?) -> PixelBuffer? { nil }
  package var isolation: String { "none" }
  package var reduction: String? { nil }
  package var tightAddressSpace: Int? { nil }
  package var locks: ProcessLocks? { nil }
  package func close() -> (cpuSeconds: Double, peakBytes: Int) { (0, 0) }
}

/// Written and verified files.
package struct WrittenFiles: Sendable, Hashable {
  package var files: CodedFiles
  /// SHA-256 of the main file; `nil` for samples that nobody wants hashed.
  package var mainDigest: Digest?

  package init(_ files: CodedFiles, mainDigest: Digest?) {
    self.files = files
    self.mainDigest = mainDigest
  }
}

/// The descriptors of an output, open for reading and writing.
package struct OutputDescriptors: Sendable {
  package var main: OpenFile
  package var sidecar: OpenFile?
  /// False to leave samples unhashed, which takes longer than to write them.
  package var isHashed: Bool
  package init(main: OpenFile, sidecar: OpenFile? = nil, isHashed: Bool = true) {
    self.main = main
    self.sidecar = sidecar
    self.isHashed = isHashed
  }
}

/// The codecs in this process, on the calling thread.
package struct InProcessCodecs: CodecBorder {
  /// True if these codecs get one item at a time.
  private let isAlone: Bool

  package init(isAlone: Bool = false) { self.isAlone = isAlone }

  package func decode(
    _ file: InputFile, request: DecodeRequest, limits: DecodeLimits,
    admit: (DecodeHead) throws(CodecError) -> Void
  ) throws(CodecError) -> CodecAnswer<SourceImage> {
    let limits = try file.withSidecar(limits)
    return try answer(file) { bytes throws(CodecError) in
      if request == .pixels {
        try admit(DecodeHead(try CodecJobs.decode(bytes, request: .metadata, limits: limits)))
      }
      return try CodecJobs.decode(bytes, request: request, limits: limits)
    }
  }

  package func codedRenditions(
    _ file: InputFile, limits: DecodeLimits
  ) throws(CodecError) -> CodecAnswer<CodedRenditions> {
    try answer(file) { bytes throws(CodecError) in try CodecJobs.codedRenditions(bytes, limits: limits) }
  }

  package func deviceSpace(_ file: InputFile, limits: DecodeLimits) throws(CodecError) -> CodecAnswer<DeviceSpace> {
    try answer(file) { bytes throws(CodecError) in try CodecJobs.deviceSpace(bytes) }
  }

  package func kernel(_ file: InputFile, limits: DecodeLimits) throws(CodecError) -> CodecAnswer<KernelAnswer> {
    try answer(file) { bytes throws(CodecError) in CodecJobs.kernel(bytes) }
  }

  private func answer<Value>(
    _ file: InputFile, _ work: ([UInt8]) throws(CodecError) -> Value
  ) throws(CodecError) -> CodecAnswer<Value> {
    var clock = PhaseClock(isAlone: isAlone)
    let (bytes, digest) = try clock.measure(.read) { () throws(CodecError) in try file.content() }
    let value = try clock.measure(.decode) { () throws(CodecError) in try work(bytes) }
    return CodecAnswer(value, clock.seconds, inputDigest: digest)
  }

  package func encode(
    _ request: FileRequest, into files: OutputDescriptors
  ) throws(CodecError) -> CodecAnswer<WrittenFiles> {
    if let samples = SampleFiles(request) { return try samples.write(into: files) }
    var clock = PhaseClock(isAlone: isAlone)
    var digest = Digest(of: [])
    let written = try CodecJobs.write(
      request, main: files.main.descriptor, sidecar: files.sidecar?.descriptor, &clock
    ) { digest = Digest(of: $0) }
    return CodecAnswer(WrittenFiles(written, mainDigest: digest), clock.seconds)
  }
}
