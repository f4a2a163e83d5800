import FileParts
import CPlatform
import CodecService
import Glibc
import HDRCore
import ImageFiles
import Synchronization

/// Codecs in separate processes: one item at a time in each, as many processes as items in flight. A process that
/// crashes, hangs, exceeds a limit or sends an invalid reply costs only its operation.
///
/// Source: docs/isolation.md.
package final class IsolatedCodecs: CodecBorder {
  /// The only task of a process: bytes of an input can only harm processes that get such bytes.
  private enum Role: String, CaseIterable {
    case decode
    /// Encodes pixels.
    case encode
    /// Writes files around payloads and profiles from inputs.
    case wrap

    init(_ request: FileRequest) { self = request.foreignBytes == .none ? .encode : .wrap }
  }

  /// A process and the memory that outlives it. Slots move between threads and have one owner at a time.
  private final class Slot: @unchecked Sendable {
    let role: Role
    let arena: CodecArena
    /// The memory of an encoder for the main file and the sidecar.
    var outputs: [OutputMemory] = []
    var worker: CodecWorker?
    /// The input that the process has read.
    var file: Int?
    /// The limits of its last request.
    var bounds = Bounds(memoryBytes: 0, seconds: 0, fileBytes: 0, answerBytes: 0)
    /// The memory of process and arena after the last operation. Pictures that are still in use count: their memory
    /// goes to the next ones.
    var keptBytes = 0
    init(_ role: Role, _ arena: CodecArena) {
      self.role = role
      self.arena = arena
    }
  }

  private struct State {
    var idle: [Slot] = []
    /// The memory that all slots keep, idle or not.
    var keptBytes = 0
    /// The number of failed operations since the last successful one.
    var losses = 0
    /// The libraries that processes open at their start: those that files have needed so far.
    var libraries: RunTimeLibraries
  }

  /// Sums over processes that have ended.
  private final class Totals: Sendable {
    private let sums = Mutex<(cpu: Double, peak: Int)>((0, 0))
    func add(_ cpuSeconds: Double, _ peakBytes: Int) {
      sums.withLock { $0 = ($0.cpu + cpuSeconds, max($0.peak, peakBytes)) }
    }
    var value: (cpu: Double, peak: Int) { sums.withLock { $0 } }
  }

  private let options: IsolationOptions
  /// The bytes that a slot shares; `mostArenaBytes` is the limit for the pictures of an item.
  private let arenaBytes: Int
  private let mostArenaBytes: Int
  private let state: Mutex<State>
  private let totals = Totals()
  private let starts: CodecStarts

  /// The isolation that the system gives: `sandbox` or `rlimit`.
  package let isolation: String
  package let reduction: String?

  package var tightAddressSpace: Int? { arenaBytes < mostArenaBytes ? AddressSpace.limit : nil }

  /// The locks of the first process. No later process has fewer.
  package let locks: ProcessLocks?
  private let lock: CodecLock

  /// Starts a first process and checks its locks.
  ///
  /// - Parameter libraries: those that files are likely to need; for others, new processes are started.
  /// - Throws: `UnavailableError` if there is no program, if a required sandbox is incomplete, or if the machine cannot
  ///   start processes.
  package init(
    _ options: IsolationOptions, limits: DecodeLimits, libraries: RunTimeLibraries = []
  ) throws(UnavailableError) {
    self.options = options
    let arenaBytes = MemoryNeed.arena(
      maxPixels: limits.maxPixels, addressSpace: AddressSpace.limit, jobs: options.jobs)
    let totals = totals
    self.arenaBytes = arenaBytes
    mostArenaBytes = MemoryNeed.arena(maxPixels: limits.maxPixels)
    starts = CodecStarts(mostSeconds: Double(options.limits.seconds))
    let slot: Slot, worker: CodecWorker
    do throws(StartFailure) {
      (slot, worker) = try starts.start(makeRoom: {}) { () throws(StartFailure) in
        let slot = try Self.makeSlot(.decode, arenaBytes)
        return (slot, try CodecWorker(options, slot.arena, libraries) { totals.add($0, $1) })
      }
    } catch {
      throw UnavailableError(error, isFirst: true)
    }
    slot.worker = worker
    state = Mutex(State(idle: [slot], libraries: libraries))
    locks = worker.locks
    lock = worker.lock
    isolation = lock.isolation
    reduction = worker.reduction
  }

  private static func makeSlot(_ role: Role, _ byteCount: Int) throws(StartFailure) -> Slot {
    do throws(FileFault) {
      return Slot(role, try CodecArena(byteCount: byteCount))
    } catch {
      throw StartFailure(message: "no memory can be shared with it (\(error.call): \(errorText(error.number)))")
    }
  }

  /// Ends the processes that wait for work.
  ///
  /// - Returns: CPU seconds of all processes that have ended, and the largest resident size of one.
  package func close() -> (cpuSeconds: Double, peakBytes: Int) {
    let idle = state.withLock { state in
      defer { state.idle = [] }
      return state.idle
    }
    for slot in idle { slot.worker = nil }
    let (cpuSeconds, peakBytes) = totals.value
    return (cpuSeconds, peakBytes)
  }

  /// Starts a process of each kind.
  ///
  /// - Returns: the kernel's statement about each.
  package func inspect() throws(UnavailableError) -> [(kind: String, locks: ProcessLocks)] {
    var found: [(kind: String, locks: ProcessLocks)] = []
    do throws(StartFailure) {
      for role in Role.allCases {
        let slot = try checkOut(role, nil)
        defer { checkIn(slot) }
        found.append((role.rawValue, try worker(of: slot, [], isFresh: false).locks))
      }
    } catch {
      throw UnavailableError(error)
    }
    return found
  }

  // MARK: Slots

  /// Takes a free slot of a role: the one that has read the file or has the pixels, else one without pictures, so that
  /// no process can reach the pictures of another item; else a new one.
  ///
  /// - Parameter room: bytes of shared memory that must all be free; 0: any.
  private func checkOut(
    _ role: Role, _ file: Int?, _ pixels: PixelBuffer? = nil, room: Int = 0
  ) throws(StartFailure) -> Slot {
    let found = state.withLock { state -> Slot? in
      let idle = state.idle
      func last(where fits: (Slot) -> Bool) -> Int? { idle.lastIndex { $0.role == role && fits($0) } }
      let known =
        room > 0
        ? nil
        : last { file != nil && $0.file == file }
          ?? last { slot in pixels.map { slot.arena.offset(of: $0) != nil } ?? false }
      let best = known ?? last { $0.arena.takenBytes == 0 && $0.arena.byteCount >= room }
      return best.map { state.idle.remove(at: $0) }
    }
    if let found { return found }
    let bytes = max(arenaBytes, room)
    // A lack of room for a large picture does not predict the next one.
    return try starts.start(makeRoom: makeRoom, isUsual: bytes == arenaBytes) { () throws(StartFailure) in
      try Self.makeSlot(role, bytes)
    }
  }

  /// Drops all slots that wait for work, with their processes. Pictures that are in use stay valid.
  private func makeRoom() {
    let idle = state.withLock { state in
      defer { state.idle = [] }
      for slot in state.idle { state.keptBytes -= slot.keptBytes }
      return state.idle
    }
    for slot in idle { retire(slot) }
  }

  package func outputMemory(_ byteCount: Int, near: PixelBuffer?) -> PixelBuffer? {
    // It is faster to copy a small picture than to place it.
    guard byteCount >= 1 << 16 else { return nil }
    return state.withLock { state -> PixelBuffer? in
      let encoders = state.idle.filter { $0.role == .encode }
      var slot =
        encoders.last { slot in near.map { slot.arena.offset(of: $0) != nil } ?? false }
        ?? encoders.last { $0.arena.takenBytes == 0 }
      if slot == nil, let new = try? Self.makeSlot(.encode, arenaBytes) {
        state.idle.append(new)
        slot = new
      }
      guard let slot, let region = slot.arena.take(byteCount) else { return nil }
      return try? region.buffer(region.range.lowerBound, byteCount)
    }
  }

  /// Returns a slot. Slots with enough items or much memory are not kept, as the next file may need little. If all
  /// together keep too much, those that keep most are dropped.
  private func checkIn(_ slot: Slot) {
    let privateBytes = slot.worker?.privateBytes ?? 0
    let isLarge = slot.arena.grownBytes > MemoryNeed.keptArena && slot.arena.takenBytes == 0
    if isLarge || slot.worker?.isWorn(options.limits, privateBytes) == true { retire(slot) }
    var bytes = slot.worker == nil ? 0 : privateBytes
    if !isLarge { bytes += slot.outputs.reduce(slot.arena.memory.touchedBytes) { $0 + $1.file.touchedBytes } }
    let dropped = state.withLock { state -> [Slot] in
      state.keptBytes += bytes - slot.keptBytes
      slot.keptBytes = bytes
      if !isLarge { state.idle.append(slot) }
      var dropped: [Slot] = []
      while state.keptBytes > options.limits.keptBytes,
        let largest = state.idle.indices.max(by: { state.idle[$0].keptBytes < state.idle[$1].keptBytes })
      {
        let slot = state.idle.remove(at: largest)
        state.keptBytes -= slot.keptBytes
        dropped.append(slot)
      }
      return dropped
    }
    for slot in dropped { retire(slot) }
  }

  private func worker(
    of slot: Slot, _ needed: RunTimeLibraries, isFresh: Bool
  ) throws(StartFailure) -> CodecWorker {
    if let worker = slot.worker, !isFresh, worker.libraries.isSuperset(of: needed) { return worker }
    retire(slot)
    let libraries = state.withLock { state in
      state.libraries.formUnion(needed)
      return state.libraries
    }
    // The memory that the process inherits is empty.
    slot.arena.forgetFree()
    for memory in slot.outputs { memory.clear() }
    let worker = try starts.start(makeRoom: makeRoom) { () throws(StartFailure) in
      try CodecWorker(options, slot.arena, libraries) { [totals] in totals.add($0, $1) }
    }
    starts.succeeded()
    guard worker.lock >= lock else {
      throw StartFailure(
        message: "\(worker.reduction ?? ""), less than the first one had [codec.sandbox]", isLasting: true)
    }
    slot.worker = worker
    return worker
  }

  private func retire(_ slot: Slot) {
    slot.worker = nil
    slot.file = nil
  }

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
    try answer(.codedRenditions, file, try Self.libraries(file, limits.reading), .metadata, limits) {
      _ throws(CodecError) in
    }
  }

  package func deviceSpace(_ file: InputFile, limits: DecodeLimits) throws(CodecError) -> CodecAnswer<DeviceSpace> {
    try answer(.deviceSpace, file, [], .metadata, limits) { _ throws(CodecError) in }
  }

  package func kernel(_ file: InputFile, limits: DecodeLimits) throws(CodecError) -> CodecAnswer<KernelAnswer> {
    try answer(.kernel, file, [], .metadata, limits) { _ throws(CodecError) in }
  }

  /// Returns the libraries that the decoder of a file needs.
  static func libraries(_ file: InputFile, _ reading: ReadingOptions) throws(CodecError) -> RunTimeLibraries {
    do throws(DecodeError) {
      return try decoder(of: file.start(formatBytes), reading).libraries
    } catch {
      throw .decode(error)
    }
  }

  private func answer<Value: WireValue & Sendable>(
    _ kind: Frame.Kind, _ file: InputFile, _ libraries: RunTimeLibraries, _ request: DecodeRequest,
    _ limits: DecodeLimits, _ admit: (DecodeHead) throws(CodecError) -> Void
  ) throws(CodecError) -> CodecAnswer<Value> {
    try withRetry(kind, .decode, libraries, file: file.identity) { (slot, worker, patience) throws(Loss) in
      guard let region = slot.arena.takeLargest() else { throw .noRoom(0) }
      slot.file = file.identity
      var limits = limits
      // The filter of system calls leaves the process nothing but computing.
      if worker.lock >= .seccomp { limits.unsafeCodecs = true }
      let isFresh = worker.isFresh(for: file.identity), version = file.version
      let order = DecodeOrder(
        file: file.identity, byteCount: file.byteCount, request: request, limits: limits, free: region.range,
        wantsDigest: isFresh)
      var digest: Digest?
      let answerBytes = MemoryNeed.answer(limits)
      // The bounds apply before the size is known: structure, metadata and profiles.
      let first = Bounds(
        memoryBytes: self.options.limits.memory(MemoryNeed.reading(fileBytes: file.byteCount)),
        seconds: patience * self.options.limits.seconds(pixels: 0), fileBytes: 0,
        answerBytes: answerBytes + (kind == .codedRenditions ? file.byteCount : 0))
      let body = try converse(
        slot, worker, Frame(kind, order.bytes), [file.descriptor], first,
        meanwhile: { () throws(Loss) in if !isFresh { digest = try Self.digest(of: file) } }
      ) { head throws(Loss) in
        let pixels = head.pixels
        guard request == .pixels else { throw .malformed("it declares a picture that nobody asked for") }
        guard head.answerBytes <= answerBytes else { throw .malformed("an answer of \(head.answerBytes) bytes") }
        guard head.width <= limits.maxSide, head.height <= limits.maxSide, pixels <= 2 * limits.maxPixels else {
          throw .malformed("a picture of \(head.width)x\(head.height) passed its limits")
        }
        do throws(CodecError) {
          try admit(head)
        } catch {
          throw .refused(error)
        }
        let wanted = MemoryNeed.shared(bytes: head.bytes, height: head.height)
        guard wanted <= region.range.count || self.room(holding: wanted) == nil else { throw .noRoom(wanted) }
        guard let opened = region.open(min(wanted, region.range.count)) else { throw .noMemory(errno) }
        return Bounds(
          memoryBytes: self.options.limits.memory(
            MemoryNeed.decoding(
              bytes: head.bytes, fileBytes: file.byteCount, threads: limits.threads, work: head.workBytes)),
          seconds: patience * self.options.limits.seconds(pixels: pixels),
          fileBytes: 0, answerBytes: head.answerBytes + MemoryNeed.computedTables, sharedBytes: opened)
      }
      // Both have read the same bytes, unless something wrote to the file meanwhile.
      if !isFresh, version == nil || file.version != version { throw .changed }
      var end = 0
      var reader = WireReader(
        body,
        WireReader.Pixels(limits: limits, isTrusted: false) { offset, count throws(WireError) in
          let buffer = try region.buffer(offset, count)
          end = max(end, offset + count + CodecProtocol.alignment)
          return buffer
        })
      do throws(WireError) {
        var answer = try reader.take(WorkerAnswer<Value>.self)
        try reader.end()
        region.shrink(to: end)
        if !isFresh { answer.inputDigest = digest }
        return answer
      } catch {
        throw .malformed(error.description)
      }
    }
  }

  private static func digest(of file: InputFile) throws(Loss) -> Digest {
    do throws(FileFault) {
      return try file.digest()
    } catch {
      throw .refused(.read(error.number))
    }
  }

  package func encode(
    _ request: FileRequest, into files: OutputFiles
  ) throws(CodecError) -> CodecAnswer<WrittenFiles> {
    // A JPEG that is passed unchanged counts as if its pictures were passed.
    let jpegPixels = if case .recompress(let jpeg) = request { jpeg.pixels } else { 0 }
    let pixelCount = request.images.reduce(jpegPixels) { $0 + $1.pixelCount }
    let targets = [files.main] + (files.sidecar.map { [$0] } ?? [])
    // The base is the larger picture.
    let pixels = request.images.first?.buffers.first
    var digest = Digest(of: []), copySeconds = 0.0
    let libraries = RunTimeLibraries(fileExtension: request.fileExtension)
    let answer = try withRetry(.encode, Role(request), libraries, file: nil, pixels: pixels) {
      (slot, worker, patience) throws(Loss) -> WorkerAnswer<CodedFiles> in
      do throws(FileFault) {
        while slot.outputs.count < targets.count { slot.outputs.append(try OutputMemory()) }
      } catch {
        throw .noMemory(error.number)
      }
      let outputs = slot.outputs.prefix(targets.count)
      for memory in outputs { memory.rewind() }
      var regions: [ArenaRegion] = [], places: [ObjectIdentifier: Int] = [:], bytes = 0
      for buffer in request.images.flatMap(\.buffers) where places[ObjectIdentifier(buffer)] == nil {
        bytes += buffer.byteCount
        if let place = slot.arena.offset(of: buffer) {
          places[ObjectIdentifier(buffer)] = place
          continue
        }
        guard let region = slot.arena.take(buffer.byteCount) else {
          throw .noRoom(request.images.flatMap(\.buffers).reduce(0) { $0 + $1.byteCount })
        }
        let start = region.range.lowerBound
        (region.base + start).copyMemory(from: buffer.base, byteCount: buffer.byteCount)
        places[ObjectIdentifier(buffer)] = start
        regions.append(region)
      }
      defer { withExtendedLifetime(regions) {} }
      var writer = WireWriter { places[ObjectIdentifier($0)] ?? 0 }
      writer.put(request)
      let bounds = Bounds(
        memoryBytes: self.options.limits.memory(
          MemoryNeed.encoding(bytes: bytes + 4 * jpegPixels + writer.byteCount)),
        seconds: patience * self.options.limits.seconds(pixels: pixelCount),
        fileBytes: MemoryNeed.encoded(bytes: bytes + writer.byteCount), answerBytes: CodecProtocol.mostEncodedBytes)
      slot.file = nil
      // A process in which a library has read untrusted bytes writes no other output.
      if request.foreignBytes == .coded { worker.isLast = true }
      let body = try self.converse(
        slot, worker, Frame(.encode, writer), outputs.map(\.file.descriptor), bounds
      ) { _ throws(Loss) in throw .malformed("it declares a picture that nobody asked for") }
      var reader = WireReader(body)
      let coded: WorkerAnswer<CodedFiles>
      do throws(WireError) {
        coded = try reader.take()
        try reader.end()
      } catch {
        throw .malformed(error.description)
      }
      if case .success(let written) = coded.result {
        (digest, copySeconds) = try Self.copy(written, slot.outputs, targets)
      }
      return coded
    }
    var seconds = answer.seconds
    seconds[.write, default: PhaseSeconds(wall: 0, cpu: 0)].wall += copySeconds
    return CodecAnswer(WrittenFiles(answer.value, mainDigest: digest), seconds, isElsewhere: true)
  }

  /// Copies an encoder's output into the files.
  ///
  /// - Returns: the main file's digest, and the seconds of the copy.
  private static func copy(
    _ written: CodedFiles, _ outputs: [OutputMemory], _ targets: [OpenFile]
  ) throws(Loss) -> (digest: Digest, seconds: Double) {
    let begin = monotonicSeconds()
    let counts = [written.mainBytes] + (written.sidecarBytes.map { [$0] } ?? [])
    guard counts.count == targets.count else { throw .malformed("it has written \(counts.count) files") }
    var digests: [Digest?] = []
    for (index, count) in counts.enumerated() {
      do throws(CodecError) {
        digests.append(try outputs[index].copy(count, to: targets[index], isSidecar: index > 0))
      } catch {
        throw .refused(error)
      }
    }
    guard let digest = digests[0], !digests.contains(nil) else {
      // Empties the targets for the next attempt.
      for target in targets where ftruncate(target.descriptor, 0) != 0 || lseek(target.descriptor, 0, SEEK_SET) != 0 {
        throw .refused(.write(errno, isSidecar: false))
      }
      throw .malformed("its file is shorter than it said")
    }
    return (digest, monotonicSeconds() - begin)
  }

  // MARK: Conversation

  private struct Bounds {
    var memoryBytes: Int
    var seconds: Double
    var fileBytes: Int
    var answerBytes: Int
    /// The bytes of the shared memory for decoded samples.
    var sharedBytes = 0
  }

  /// The reason why an operation has no answer.
  private enum Loss: Error {
    /// The process closed the socket, by crashing or otherwise.
    case closed
    case timeout
    /// The process sent an invalid reply.
    case malformed(String)
    /// The file's declarations were not admitted.
    case refused(CodecError)
    /// The input was written to while it was read, so that its digest may belong to other bytes.
    case changed
    /// The shared memory has no room for so many bytes.
    case noRoom(Int)
    /// The process's limits could not be set; the error number.
    case unlimited(Int32)
    /// The system gave no memory to share; the error number.
    case noMemory(Int32)
    case notStarted(StartFailure)

    init(_ failure: Frame.Failure) {
      switch failure {
      case .closed, .system: self = .closed
      case .timeout: self = .timeout
      case .malformed(let what): self = .malformed(what)
      }
    }
  }

  /// Sends a request and waits for the answer's body.
  ///
  /// - Parameters:
  ///   - meanwhile: called once the process has its request.
  ///   - head: checks a file's declarations, waits for memory, and returns the limits for its pixels.
  private func converse(
    _ slot: Slot, _ worker: CodecWorker, _ order: Frame, _ descriptors: [Int32], _ first: Bounds,
    meanwhile: () throws(Loss) -> Void = { () throws(Loss) in }, head: (DecodeHead) throws(Loss) -> Bounds
  ) throws(Loss) -> [UInt8] {
    var isBegun = false, end = 0.0
    func begin(_ bounds: Bounds) throws(Loss) {
      slot.bounds = bounds
      let number = worker.limit(
        memoryBytes: bounds.memoryBytes, isFirst: !isBegun, seconds: bounds.seconds, fileBytes: bounds.fileBytes)
      guard number == 0 else { throw .unlimited(number) }
      end = monotonicSeconds() + bounds.seconds
    }
    func left() -> Double { max(0.001, end - monotonicSeconds()) }
    func send(_ frame: Frame, _ descriptors: [Int32]) throws(Loss) {
      switch worker.send(frame, descriptors, seconds: left()) {
      case 0: return
      case ETIMEDOUT: throw .timeout
      default: throw .closed
      }
    }
    func receive() throws(Loss) -> Frame {
      do throws(Frame.Failure) {
        return try worker.receive(mostBytes: slot.bounds.answerBytes, seconds: left())
      } catch {
        throw Loss(error)
      }
    }
    slot.arena.forgetLastWords()
    try begin(first)
    try send(order, descriptors)
    try meanwhile()
    while true {
      let frame = try receive()
      switch frame.kind {
      case .answer: return frame.body
      case .head:
        guard !isBegun else { throw .malformed("it declares a second picture") }
        isBegun = true
        let declared: DecodeHead
        do throws(WireError) {
          var reader = WireReader(frame.body)
          declared = try reader.take()
        } catch {
          throw .malformed(error.description)
        }
        let bounds = try head(declared)
        try begin(bounds)
        try send(Frame(.go, bounds.sharedBytes.bytes), [])
      default: throw .malformed("it speaks out of turn")
      }
    }
  }

  /// Runs an operation in a process. If it crashes, hangs or sends an invalid reply, it is retried once in a new
  /// process with twice the time. A failure in a process that has read other inputs is retried too: they may have
  /// caused it (docs/reliability.md#quarantine).
  private func withRetry<Value: WireValue & Sendable>(
    _ kind: Frame.Kind, _ role: Role, _ libraries: RunTimeLibraries, file: Int?, pixels: PixelBuffer? = nil,
    _ work: (Slot, CodecWorker, _ patience: Double) throws(Loss) -> WorkerAnswer<Value>
  ) throws(CodecError) -> CodecAnswer<Value> {
    var isRetry = false, room = 0
    while true {
      let slot: Slot
      do throws(StartFailure) {
        slot = try checkOut(role, file, pixels, room: room)
      } catch {
        throw notStarted(error)
      }
      defer { checkIn(slot) }
      // With `fresh` a process reads one input only.
      let isOfOther = file.map { slot.file != $0 } ?? (pixels.map { slot.arena.offset(of: $0) == nil } ?? true)
      if options.isolation == .fresh && isOfOther { retire(slot) }
      let (result, isFresh) = attempt(slot, libraries, file, isRetry: isRetry, work)
      switch result {
      case .success(let answer):
        if !isFresh, case .failure = answer.result {
          retire(slot)
          isRetry = true
        } else {
          return try accept(answer, slot, file)
        }
      case .failure(.noRoom(let count)) where room == 0 && self.room(holding: count) != nil:
        // Retries in a memory that has room.
        retire(slot)
        room = self.room(holding: count) ?? 0
      case .failure(let loss):
        let (error, mayRetry) = retire(slot, after: loss, kind)
        if !isRetry, mayRetry || (!isFresh && role == .decode) {
          isRetry = true
        } else {
          throw counted(error)
        }
      }
    }
  }

  /// Returns the size of an arena for so many bytes of pictures; `nil` if it exceeds the maximum.
  private func room(holding bytes: Int) -> Int? {
    let room = MemoryNeed.arena(holding: bytes)
    return room <= mostArenaBytes ? max(room, arenaBytes) : nil
  }

  private func attempt<Value>(
    _ slot: Slot, _ libraries: RunTimeLibraries, _ file: Int?, isRetry: Bool,
    _ work: (Slot, CodecWorker, _ patience: Double) throws(Loss) -> WorkerAnswer<Value>
  ) -> (result: Result<WorkerAnswer<Value>, Loss>, isFresh: Bool) {
    let worker: CodecWorker
    do throws(StartFailure) {
      worker = try self.worker(of: slot, libraries, isFresh: isRetry)
    } catch {
      return (.failure(.notStarted(error)), true)
    }
    let isFresh = worker.isFresh(for: file)
    do throws(Loss) {
      return (.success(try starts.whileWorking { () throws(Loss) in try work(slot, worker, isRetry ? 2 : 1) }), isFresh)
    } catch {
      return (.failure(error), isFresh)
    }
  }

  /// Accepts a valid reply of a process.
  private func accept<Value>(
    _ answer: WorkerAnswer<Value>, _ slot: Slot, _ file: Int?
  ) throws(CodecError) -> CodecAnswer<Value> {
    state.withLock { $0.losses = 0 }
    switch answer.result {
    case .success(let value):
      slot.worker?.note(file)
      return CodecAnswer(value, answer.seconds, inputDigest: answer.inputDigest, isElsewhere: true)
    case .failure(let error):
      // A faulty file may have damaged more than its own result.
      retire(slot)
      if case .decode(.memory(let block, _)) = error {
        throw .decode(.memory(block: block, allowed: slot.bounds.memoryBytes))
      }
      throw error
    }
  }

  /// Ends a process that has not answered, and returns the error, and true if it may be retried.
  private func retire(_ slot: Slot, after loss: Loss, _ kind: Frame.Kind) -> (error: CodecError, mayRetry: Bool) {
    let doing = kind == .encode ? "encoding" : "decoding"
    func lost(_ code: String, _ message: Message) -> CodecError {
      .lost(code: "codec.\(code)", message: message, isLast: false)
    }
    let seconds = Int(slot.bounds.seconds.rounded())
    func late(_ what: String) -> (CodecError, Bool) {
      (lost("timeout", "\(doing) took more than \(what); \(setting: "max-seconds") allows more"), true)
    }
    var end: CodecWorker.End?
    if let worker = slot.worker {
      // A process that closes its socket is about to end.
      if case .closed = loss { end = worker.end(within: 2) } else { end = worker.end(within: 0) }
    }
    let refused = slot.arena.refusedBytes, call = slot.arena.refusedCall
    retire(slot)
    switch loss {
    case .notStarted(let failure): return (notStarted(failure), false)
    case .refused(let error): return (error, false)
    case .noRoom(let count):
      let limit = DecodeError.limit(
        what: "memory of all pictures", found: count, allowed: mostArenaBytes, raise: .setting("max-pixels"))
      return (.decode(limit), false)
    case .unlimited(let number):
      return (lost("limits", "the limits of the codec process could not be set: \(errorText(number))"), true)
    case .noMemory(let number):
      return (lost("memory", "no memory can be shared with the codec process: \(errorText(number))"), true)
    case .malformed(let what):
      return (lost("protocol", "while \(doing) the codec process sent an invalid reply: \(what)"), true)
    case .changed: return (lost("protocol", "the input was written to while it was read"), true)
    case .timeout: return late("\(seconds) s")
    case .closed: break
    }
    guard let end else { return (lost("crashed", "the codec process is gone"), true) }
    if end.signal == SIGXCPU { return late("\(2 * seconds) s of CPU time") }
    if end.signal == SIGXFSZ {
      let most = slot.bounds.fileBytes
      return (.decode(.limit(what: "the output file", found: most, allowed: most)), false)
    }
    if refused > 0 { return (.decode(.memory(block: refused, allowed: slot.bounds.memoryBytes)), false) }
    return (lost("crashed", "the codec process \(end.text(call: call)) while \(doing)"), true)
  }

  /// Returns the error of an operation without a process. It costs its item; if there is no program, or no process
  /// could be started for several items in a row, the next item would fail too.
  private func notStarted(_ failure: StartFailure) -> CodecError {
    .lost(
      code: UnavailableError(failure).code, message: failure.message, isLast: failure.isLasting || starts.areOver)
  }

  /// Counts failed operations in a row.
  private func counted(_ error: CodecError) -> CodecError {
    guard case .lost(let code, let message, let isLast) = error else { return error }
    let losses = state.withLock { state in
      state.losses += 1
      return state.losses
    }
    let isTooMany = options.limits.crashes > 0 && losses >= options.limits.crashes
    return .lost(code: code, message: message, isLast: isLast || isTooMany)
  }
}
