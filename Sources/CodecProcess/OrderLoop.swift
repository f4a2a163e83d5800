import FileParts
import CPlatform
import CSandbox
import CodecService
import Glibc
import HDRCore
import ImageFiles
import Synchronization

/// The loop of a codec process: it handles one order after another, on one thread, until the parent closes the socket.
package final class OrderLoop {
  private let memoryBytes: Int
  private let isLockedIn: Bool
  private let hooks: any CodecProcessHooks
  /// The memory that it shares with its parent.
  package let memory: UnsafeMutableRawPointer
  /// The last input, kept because several operations may need it.
  private var input: (file: Int, bytes: [UInt8], digest: Digest?)?

  init(memoryBytes: Int, isLockedIn: Bool, hooks: any CodecProcessHooks) {
    self.memoryBytes = memoryBytes
    self.isLockedIn = isLockedIn
    self.hooks = hooks
    guard memoryBytes >= CodecProtocol.crashReportBytes,
      let memory = mmap(nil, memoryBytes, PROT_READ | PROT_WRITE, MAP_SHARED, CodecProtocol.memory, 0),
      memory != MAP_FAILED
    else { exit(71) }
    self.memory = memory
    // Only the parent enlarges the memory; the descriptor is not needed any more.
    close(CodecProtocol.memory)
  }

  /// Loads the libraries, locks the process in and reports the result to the parent.
  func start(parent: Int32, maxMemory: Int, libraries: RunTimeLibraries) {
    _ = hdr_die_with_parent(parent)
    _ = hdr_be_ended_first()
    // Freed blocks are kept: planes and scratch of large pictures too, as address space is bounded here.
    hdr_keep_memory(32 << 20, 256 << 20, 4)
    warmUp(libraries)
    let size = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    // Without /proc, an estimate: 1 GiB for libraries, stacks and the allocator.
    let addressSpace = size < 0 ? memoryBytes + 1 << 30 : Int(hdr_address_space_bytes(size))
    if size >= 0 { close(size) }
    var ready = ReadyMessage(landlock: 0, hasSeccomp: false, missing: "", addressSpace: addressSpace)
    let bound = hdr_bound_process(UInt64(addressSpace + maxMemory))
    if bound != 0 { ready.missing = "limits: error \(bound)" }
    if isLockedIn {
      let lockdown = hooks.lockIn()
      ready.landlock = Int(lockdown.landlock)
      ready.hasSeccomp = lockdown.seccomp == 1
      if lockdown.error != 0 {
        ready.missing += (bound == 0 ? "" : ", ") + String(cString: lockdown.what) + ": error \(lockdown.error)"
      }
    }
    let crashReport = memory.assumingMemoryBound(to: UInt64.self)
    hdr_report_refused_bytes(crashReport)
    hdr_report_refused_call(crashReport + 1)
    send(.ready, ready)
  }

  func work() -> Never {
    while true {
      do throws(CodecMessage.Failure) {
        let (message, descriptors) = try CodecMessage.receive(
          from: CodecProtocol.socket, maxBytes: Int.max >> 1, descriptors: 2)
        hdr_forget_refused_bytes()
        var reader = WireReader(
          message.body,
          WireReader.Pixels(
            limits: DecodeLimits(maxPixels: 1 << 46, maxSide: 1 << 31), isTrusted: true,
            data: { [self] offset, count throws(WireError) in
              Array(UnsafeRawBufferPointer(start: try place(offset, count), count: count))
            },
            buffer: { [self] offset, count throws(WireError) in
              PixelBuffer(adopting: try place(offset, count), byteCount: count) { _ in }
            }))
        do throws(WireError) {
          switch message.kind {
          case .decode: try decode(reader.take(), descriptors)
          case .codedRenditions: try codedRenditions(reader.take(), descriptors)
          case .deviceSpace: try deviceSpace(reader.take(), descriptors)
          case .kernel: try kernel(reader.take(), descriptors)
          case .encode: try encode(reader.take(), descriptors)
          default: exit(65)
          }
        } catch {
          // The parent sent an invalid message.
          exit(65)
        }
        for descriptor in descriptors { close(descriptor) }
      } catch {
        exit(error == .closed ? 0 : 65)
      }
    }
  }

  /// Returns the address of bytes of an order.
  private func place(_ offset: Int, _ count: Int) throws(WireError) -> UnsafeMutableRawPointer {
    guard offset >= 0, count >= 0, count < memoryBytes, offset < memoryBytes - count else {
      throw WireError("bytes outside the memory")
    }
    return memory + offset
  }

  package func send(
    _ kind: CodecMessage.Kind, _ value: some WireValue, place: @escaping (PixelBuffer) -> Int = { _ in 0 }
  ) {
    var writer = WireWriter(place: place)
    writer.put(value)
    if CodecMessage(kind, writer).send(to: CodecProtocol.socket) != 0 { exit(0) }
  }

  /// Sends the answer to an order, or an error if the answer is longer than the supervisor accepts.
  ///
  /// - Parameters:
  ///   - payloads: the number of bytes of the file that may be part of the answer.
  ///   - placeData: copies them to the shared memory.
  private func answer<Value: WireValue & Sendable>(
    _ result: Result<Value, CodecError>, _ clock: PhaseClock, _ limits: DecodeLimits, payloads: Int = 0,
    placeData: @escaping ([UInt8]) -> Int? = { _ in nil }, place: @escaping (PixelBuffer) -> Int = { _ in 0 }
  ) {
    var writer = WireWriter(place: place, placeData: placeData)
    writer.put(AnswerMessage(result, clock.seconds, inputDigest: input?.digest))
    let most = MemoryNeed.answer(limits) + payloads
    if writer.byteCount > most {
      let excess = CodecError.decode(
        .limit(what: "bytes of metadata and tables", found: writer.byteCount, allowed: most))
      writer = WireWriter()
      writer.put(AnswerMessage<Value>(.failure(excess), clock.seconds, inputDigest: input?.digest))
    }
    if CodecMessage(.answer, writer).send(to: CodecProtocol.socket) != 0 { exit(0) }
  }

  // MARK: Operations

  private func decode(_ order: DecodeOrder, _ descriptors: [Int32]) {
    var clock = PhaseClock(isAlone: true)
    var placed: [ObjectIdentifier: Int] = [:]
    let room = Room(memory, order.free)
    PixelBuffer.zeroesAll = true
    defer { PixelBuffer.zeroesAll = false }
    let result = read(order, descriptors, &clock) { bytes, clock throws(CodecError) in
      PixelBuffer.allocate(from: { room.take($0) })
      defer { PixelBuffer.allocate(from: nil) }
      return try clock.measure(.decode) { () throws(CodecError) in
        if order.request == .pixels {
          // Sizes are sent first: the parent checks them and provides memory.
          var limits = order.limits
          limits.evaluatesProfiles = false
          let head = try CodecJobs.decode(bytes, request: .metadata, limits: limits)
          send(.head, DecodeHead(head))
          guard case (let answer, _)? = try? CodecMessage.receive(from: CodecProtocol.socket, maxBytes: 8),
            answer.kind == .go
          else { exit(0) }
          var reader = WireReader(answer.body)
          room.byteCount = (try? reader.take(Int.self)) ?? 0
        }
        let source = try CodecJobs.decode(bytes, request: order.request, limits: order.limits)
        try place(source, room, &placed)
        return source
      }
    }
    let takesScans = order.limits.leastScan != nil
    answer(
      result, clock, order.limits, payloads: takesScans ? MemoryNeed.scans(fileBytes: order.byteCount) : 0,
      placeData: { [memory] bytes in
        guard takesScans, let base = room.take(bytes.count) else { return nil }
        bytes.withUnsafeBytes { base.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
        return base - memory
      }, place: { placed[ObjectIdentifier($0)] ?? 0 })
  }

  private func codedRenditions(_ order: DecodeOrder, _ descriptors: [Int32]) {
    var clock = PhaseClock(isAlone: true)
    let result = read(order, descriptors, &clock) { bytes, clock throws(CodecError) in
      try clock.measure(.decode) { () throws(CodecError) in
        try CodecJobs.codedRenditions(bytes, limits: order.limits)
      }
    }
    var next = order.free.lowerBound
    answer(
      result, clock, order.limits, payloads: order.byteCount,
      placeData: { [memory] bytes in
        guard bytes.count <= order.free.upperBound - next else { return nil }
        defer { next += bytes.count }
        bytes.withUnsafeBytes { (memory + next).copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
        return next
      })
  }

  private func deviceSpace(_ order: DecodeOrder, _ descriptors: [Int32]) {
    var clock = PhaseClock(isAlone: true)
    let result = read(order, descriptors, &clock) { bytes, clock throws(CodecError) in
      try clock.measure(.decode) { () throws(CodecError) in try CodecJobs.deviceSpace(bytes) }
    }
    send(.answer, AnswerMessage(result, clock.seconds, inputDigest: input?.digest))
  }

  private func kernel(_ order: DecodeOrder, _ descriptors: [Int32]) {
    var clock = PhaseClock(isAlone: true)
    let result = read(order, descriptors, &clock) { bytes, clock throws(CodecError) in
      clock.measure(.decode) { CodecJobs.kernel(bytes) }
    }
    send(.answer, AnswerMessage(result, clock.seconds, inputDigest: input?.digest))
  }

  private func encode(_ request: FileRequest, _ descriptors: [Int32]) {
    input = nil
    var clock = PhaseClock(isAlone: true)
    let result: Result<CodedFiles, CodecError>
    do throws(CodecError) {
      guard let main = descriptors.first else { exit(65) }
      result = .success(
        try CodecJobs.write(request, main: main, sidecar: descriptors.count > 1 ? descriptors[1] : nil, &clock))
    } catch {
      result = .failure(limited(error))
    }
    send(.answer, AnswerMessage(result, clock.seconds, inputDigest: nil))
    hooks.afterEncoding(descriptors, self)
  }

  /// Calls `body` with the input's bytes, read now or kept from the last operation.
  private func read<Value>(
    _ order: DecodeOrder, _ descriptors: [Int32], _ clock: inout PhaseClock,
    _ work: ([UInt8], inout PhaseClock) throws(CodecError) -> Value
  ) -> Result<Value, CodecError> {
    do throws(CodecError) {
      if input?.file != order.file {
        input = nil
        guard let descriptor = descriptors.first else { exit(65) }
        input = try clock.measure(.read) { () throws(CodecError) in
          let bytes = try CodecJobs.read(descriptor, byteCount: order.byteCount)
          return (order.file, bytes, order.wantsDigest ? Digest(of: bytes) : nil)
        }
      }
      let bytes = input?.bytes ?? []
      hooks.beforeDecoding(bytes, order, self)
      return .success(try work(bytes, &clock))
    } catch {
      return .failure(limited(error))
    }
  }

  /// A refused allocation is reported as the cause, whatever error a library returned.
  private func limited(_ error: CodecError) -> CodecError {
    let refused = hdr_refused_bytes()
    switch error {
    case .decode(.library), .decode(.malformed), .encode(.library):
      return refused == 0 ? error : .decode(.memory(block: Int(refused), allowed: 0))
    default: return error
    }
  }

  /// Sets `placed` to each buffer's offset in the shared memory, after copying buffers from other memory there.
  private func place(
    _ source: SourceImage, _ room: Room, _ placed: inout [ObjectIdentifier: Int]
  ) throws(CodecError) {
    for buffer in source.image.buffers + (source.gainMap?.image.buffers ?? []) {
      guard placed[ObjectIdentifier(buffer)] == nil else { continue }
      let own = buffer.base - memory
      if own >= 0 && own < memoryBytes {
        placed[ObjectIdentifier(buffer)] = own
        continue
      }
      guard let base = room.take(buffer.byteCount + CodecProtocol.alignment, least: 0) else {
        throw .decode(
          .limit(
            what: "memory of all pictures", found: buffer.byteCount, allowed: room.byteCount,
            raise: .setting("max-pixels")))
      }
      base.copyMemory(from: buffer.base, byteCount: buffer.byteCount)
      placed[ObjectIdentifier(buffer)] = base - memory
    }
  }

  /// Makes the first calls that read files or query the machine, which fail once the process is locked in.
  private func warmUp(_ libraries: RunTimeLibraries) {
    libraries.open()
    // For threads: libc looks up the number of processors once.
    _ = sysconf(Int32(_SC_NPROCESSORS_ONLN))
    tzset()
  }
}

/// The free part of the shared memory, given out from its start.
private final class Room: @unchecked Sendable {
  private let base: UnsafeMutableRawPointer
  private let start: Int
  /// The offset of the next block; decoders take blocks on several threads.
  private let next: Mutex<Int>
  /// The size of the free part; 0 before the parent has admitted the picture.
  var byteCount = 0

  init(_ base: UnsafeMutableRawPointer, _ free: Range<Int>) {
    self.base = base
    start = free.lowerBound
    let step = CodecProtocol.alignment
    next = Mutex((free.lowerBound + step - 1) & ~(step - 1))
  }

  /// Takes a block; `nil`: the allocator must give it.
  ///
  /// - Parameter least: smaller blocks come from the allocator, as few of them hold pictures.
  func take(_ count: Int, least: Int = 1 << 16) -> UnsafeMutableRawPointer? {
    let step = CodecProtocol.alignment
    let offset = next.withLock { next -> Int? in
      guard count >= least, count <= start + byteCount - next - 2 * step else { return nil }
      defer { next = (next + count + step - 1) & ~(step - 1) }
      return next
    }
    return offset.map { base + $0 }
  }
}
