import CodecService
import FileParts
import HDRCore
import ImageFiles

/// Codecs in separate processes: one item at a time in each, as many processes as items in flight. A process that
/// crashes, hangs, exceeds a limit or sends an invalid reply costs only its operation.
///
/// `CodecSlots` chooses a process, `CodecAttempts` tries an operation in it, twice if need be, and `CodecConversation`
/// is what they say to each other. Source: docs/isolation.md.
package final class IsolatedCodecs: CodecBorder {
  private let slots: CodecSlots
  private let attempts: CodecAttempts

  /// Starts a first process and checks its locks.
  ///
  /// - Parameter libraries: those that files are likely to need; for others, new processes are started.
  /// - Throws: `UnavailableError` if there is no program, if a required sandbox is incomplete, or if the machine cannot
  ///   start processes.
  package init(
    _ options: IsolationOptions, limits: DecodeLimits, libraries: RunTimeLibraries = []
  ) throws(UnavailableError) {
    slots = try CodecSlots(options, limits: limits, libraries: libraries)
    attempts = CodecAttempts(slots)
  }

  // MARK: Facts

  /// The isolation that the system gives: `sandbox` or `rlimit`.
  package var isolation: String { slots.lock.isolation }
  package var reduction: String? { slots.reduction }
  package var tightAddressSpace: Int? { slots.arenaBytes < slots.maxArenaBytes ? AddressSpace.limit : nil }
  package var locks: ProcessLocks? { slots.locks }

  /// Starts a process of each kind.
  ///
  /// - Returns: the kernel's statement about each.
  package func inspect() throws(UnavailableError) -> [(kind: String, locks: ProcessLocks)] {
    var found: [(kind: String, locks: ProcessLocks)] = []
    do throws(StartFailure) {
      for role in CodecRole.allCases {
        let slot = try slots.checkOut(role, .nothing)
        defer { slots.checkIn(slot) }
        found.append((role.rawValue, try slots.process(of: slot, [], isFresh: false).locks))
      }
    } catch {
      throw UnavailableError(error)
    }
    return found
  }

  /// Starts processes in the place of those that have ended, so that the next operations need not.
  ///
  /// - Throws: `UnavailableError`.
  package func startEnded() throws(UnavailableError) {
    do throws(StartFailure) {
      try slots.startEnded()
    } catch {
      throw UnavailableError(error)
    }
  }

  package func close() -> (cpuSeconds: Double, peakBytes: Int) { slots.close() }

  // MARK: Operations

  package func decode(
    _ file: InputFile, request: DecodeRequest, limits: DecodeLimits,
    admit: (DecodeHead) throws(CodecError) -> Void
  ) throws(CodecError) -> CodecAnswer<SourceImage> {
    let limits = try file.withSidecar(limits)
    return try answer(.decode, file, try Self.libraries(file, limits.reading), request, limits, admit)
  }

  package func codedRenditions(
    _ file: InputFile, limits: DecodeLimits
  ) throws(CodecError) -> CodecAnswer<CodedRenditions> {
    try answer(.codedRenditions, file, try Self.libraries(file, limits.reading), .metadata, limits)
  }

  package func deviceSpace(_ file: InputFile, limits: DecodeLimits) throws(CodecError) -> CodecAnswer<DeviceSpace> {
    try answer(.deviceSpace, file, [], .metadata, limits)
  }

  package func kernel(_ file: InputFile, limits: DecodeLimits) throws(CodecError) -> CodecAnswer<KernelAnswer> {
    try answer(.kernel, file, [], .metadata, limits)
  }

  /// Returns the libraries that the decoder of a file needs.
  static func libraries(_ file: InputFile, _ reading: ReadingOptions) throws(CodecError) -> RunTimeLibraries {
    do throws(DecodeError) {
      return try decoderLibraries(of: file.start(formatBytes), reading)
    } catch {
      throw .decode(error)
    }
  }

  private func answer<Value: WireValue & Sendable>(
    _ kind: CodecMessage.Kind, _ file: InputFile, _ libraries: RunTimeLibraries, _ request: DecodeRequest,
    _ limits: DecodeLimits, _ admit: (DecodeHead) throws(CodecError) -> Void = { _ throws(CodecError) in }
  ) throws(CodecError) -> CodecAnswer<Value> {
    let operation = DecodeOperation(kind: kind, file: file, request: request, limits: limits, slots: slots)
    return try attempts.run(kind, .decode, libraries, .input(file.identity)) { conversation throws(OperationFailure) in
      try operation.run(conversation, admit)
    }
  }

  package func encode(
    _ request: FileRequest, into files: OutputDescriptors
  ) throws(CodecError) -> CodecAnswer<WrittenFiles> {
    if let samples = SampleFiles(request) { return try samples.write(into: files) }
    let operation = EncodeOperation(
      request: request, targets: [files.main] + (files.sidecar.map { [$0] } ?? []), limits: slots.options.limits)
    // The base is the larger picture.
    let subject = request.images.first?.buffers.first.map { CodecSubject.pixels($0) } ?? .nothing
    var digest = Digest(of: []), copySeconds = 0.0
    let libraries = RunTimeLibraries(fileExtension: request.fileExtension)
    let answer = try attempts.run(.encode, CodecRole(request), libraries, subject) {
      conversation throws(OperationFailure) in
      let coded = try operation.run(conversation)
      if case .success(let written) = coded.result {
        (digest, copySeconds) = try operation.copy(written, conversation.slot.outputs)
      }
      return coded
    }
    var seconds = answer.seconds
    seconds[.write, default: PhaseSeconds(wall: 0, cpu: 0)].wall += copySeconds
    return CodecAnswer(WrittenFiles(answer.value, mainDigest: digest), seconds, isElsewhere: true)
  }

  package func pixelMemory(_ byteCount: Int, near: PixelBuffer?) -> PixelBuffer? {
    // It is faster to copy a small picture than to place it.
    byteCount >= 1 << 16 ? slots.pixelMemory(byteCount, near: near) : nil
  }
}
