import FileParts
import CPlatform
import CodecService
import Glibc
import HDRCore
import ImageFiles

/// The supervisor's handle of a codec process.
final class CodecProcessHandle {
  let pid: Int32
  let ready: ReadyMessage
  /// The locks of the process; `lock` is their degree.
  let locks: ProcessLocks
  let lock: CodecLock
  /// The missing part of the requested isolation.
  let reduction: String?
  /// The libraries that it has opened.
  let libraries: RunTimeLibraries
  private let socket: OpenFile
  private var isOver = false
  /// The number of completed operations.
  private(set) var operations = 0
  /// The only input so far; `nil` after several inputs, and if an operation has none.
  private var onlyFile: Int?
  /// True if it will do no further operation.
  var isLast = false
  /// True if a library that damaged files make write anywhere has read its input: it reads no other.
  var readsNoOther = false
  /// The private memory after the first operation, for comparison.
  private var firstBytes = 0
  /// The exit code of a program that does not know its arguments.
  private static let wrongArguments: Int32 = 64
  /// Receives CPU seconds and peak memory after the process has ended.
  private let ended: (Double, Int) -> Void

  /// The end of a process.
  struct End {
    var exitCode: Int32 = -1
    var signal: Int32 = 0
    var cpuSeconds = 0.0
    var peakBytes: UInt64 = 0

    /// Waits for the process to exit, then kills it.
    init(of pid: Int32, within seconds: Double) {
      if hdr_wait_child(pid, seconds, &exitCode, &signal, &cpuSeconds, &peakBytes) == 0 {
        kill(pid, SIGKILL)
        _ = hdr_wait_child(pid, 60, &exitCode, &signal, &cpuSeconds, &peakBytes)
      }
    }

    /// Describes the end, e.g. "died of SIGSEGV".
    ///
    /// - Parameter call: the number of the system call that ended it, if known.
    func text(call: Int?) -> String {
      signal != 0 ? "died of \(signalName(signal, call))" : "ended by itself (exit code \(exitCode))"
    }
  }

  /// Starts a process and waits until it is locked in.
  ///
  /// - Throws: `StartFailure`.
  init(
    _ options: IsolationOptions, _ arena: CodecArena, _ libraries: RunTimeLibraries,
    ended: @escaping (_ cpuSeconds: Double, _ peakBytes: Int) -> Void
  ) throws(StartFailure) {
    let program = options.programPath
    func unusable(_ what: String) -> StartFailure {
      StartFailure(
        message: "the codec process \(program.display) cannot be used: \(what); \(options.advice)",
        isLasting: true)
    }
    var ends: [Int32] = [0, 0]
    let paired = hdr_socket_pair(&ends)
    guard paired == 0 else { throw StartFailure(message: "socketpair: \(errorText(paired))") }
    socket = OpenFile(ends[0])
    self.libraries = libraries
    self.ended = ended
    var arguments = [
      "hdrbatch-codec", "--parent=\(getpid())", "--memory=\(arena.byteCount)",
      "--most-memory=\(options.limits.maxMemoryBytes)", "--libraries=\(libraries.rawValue)",
    ]
    if options.isolation != .rlimit { arguments.append("--lock-in") }
    let spawned: SpawnedCodec
    do throws(SpawnedCodec.Failure) {
      defer {
        // Only the process has the other end now, so the stream ends when it does.
        close(ends[1])
      }
      spawned = try SpawnedCodec(
        program, arguments, [-1, -1, options.showsErrors ? STDERR_FILENO : -1, ends[1], arena.memory.descriptor])
    } catch {
      let isLasting = StartFailure.lasting.contains(error.number), text = errorText(error.number)
      guard let step = error.step else { throw isLasting ? unusable(text) : StartFailure(message: "\(text)") }
      throw StartFailure(
        message: (isLasting ? "no codec process can be started: " : "") + "\(step): \(text)", isLasting: isLasting)
    }
    let pid = spawned.pid
    self.pid = pid
    /// The object is not complete yet, so `deinit` does not run.
    func abandon(within seconds: Double) -> End { End(of: pid, within: seconds) }
    // A start that gets no processor time may take longer than one that computes.
    let startTimeout = options.limits.startSeconds
    _ = hdr_limit_process(pid, .max, UInt64(startTimeout), .max)
    do throws(CodecMessage.Failure) {
      let (message, _) = try CodecMessage.receive(
        from: socket.descriptor, maxBytes: 1 << 16, seconds: Double(4 * startTimeout))
      guard message.kind == .ready else { throw .malformed("it says something else than that it is ready") }
      var reader = WireReader(message.body)
      do throws(WireError) {
        ready = try reader.take()
      } catch {
        throw .malformed(error.description)
      }
    } catch {
      // A process that closes its socket is about to end, by itself or by a signal.
      let end = abandon(within: error == .closed ? 2 : 0)
      switch error {
      case .malformed(let what): throw unusable("it is of another version (\(what))")
      case .timeout:
        throw StartFailure(message: "it was not ready after \(4 * startTimeout) s", isLate: true)
      case .closed, .system:
        if end.exitCode == Self.wrongArguments { throw unusable("it is of another version") }
        throw StartFailure(
          message: "it \(end.text(call: nil)) before it was ready", exitCode: end.signal == 0 ? end.exitCode : nil)
      }
    }
    let memoryBytes = UInt64(ready.addressSpace + MemoryNeed.reading(fileBytes: 0))
    func check() -> Int32 { hdr_check_limits(pid, memoryBytes, UInt64(startTimeout), 0) }
    // A call that fails once is no reason to give up limits.
    let limitError = check() == 0 ? 0 : check()
    locks = ProcessLocks(of: pid, landlock: ready.landlock, limitError: limitError)
    lock = CodecLock(locks)
    reduction = CodecLock.reduction(locks, ready, wanted: options.isolation == .rlimit ? .limits : .sandbox)
    if options.requiresSandbox, lock != .sandbox {
      _ = abandon(within: 0)
      throw StartFailure(
        message: "\(setting: "require-sandbox"): "
          + (reduction.map { "\($0)" } ?? "\(setting: "isolation") rlimit is no sandbox") + " [codec.sandbox]",
        isLasting: true)
    }
  }

  deinit { if !isOver { _ = end(within: 0) } }

  /// Sets the bounds of the next phase.
  ///
  /// - Parameter memoryBytes: memory beyond the process's memory at its start, or its present memory if that is more:
  ///   it reuses memory that it keeps.
  ///
  /// - Returns: 0, or the error number if limits held at its start and cannot be set now.
  func limit(memoryBytes: Int, isFirst: Bool, seconds: Double, fileBytes: Int) -> Int32 {
    let has = isFirst ? max(ready.addressSpace, Int(clamping: hdr_address_space_of(pid))) : ready.addressSpace
    let cpu = hdr_cpu_seconds_of(pid) + 2 * seconds + 1
    let number = hdr_limit_process(
      pid, UInt64(has + memoryBytes), UInt64(cpu.rounded(.up)), UInt64(fileBytes))
    return locks.hasLimits ? number : 0
  }

  func send(_ message: CodecMessage, _ descriptors: [Int32], seconds: Double) -> Int32 {
    message.send(to: socket.descriptor, descriptors, seconds: seconds)
  }

  func receive(maxBytes: Int, seconds: Double) throws(CodecMessage.Failure) -> CodecMessage {
    try CodecMessage.receive(from: socket.descriptor, maxBytes: maxBytes, seconds: max(0.001, seconds)).message
  }

  /// Waits for the process to exit, then kills it.
  func end(within seconds: Double) -> End {
    isOver = true
    let end = End(of: pid, within: seconds)
    ended(end.cpuSeconds, Int(clamping: end.peakBytes))
    return end
  }

  /// Records a completed operation.
  func note(_ file: Int?) {
    onlyFile = operations == 0 || onlyFile == file ? file : nil
    operations += 1
  }

  /// Returns true if the process has read only this input, so that no other input can have caused its errors.
  func isFresh(for file: Int?) -> Bool { operations == 0 || (file != nil && onlyFile == file) }

  /// The current private memory.
  var privateBytes: Int {
    var all: UInt64 = 0
    return Int(clamping: hdr_private_bytes_of(pid, &all))
  }

  /// Returns true if the process should be retired.
  ///
  /// - Parameter bytes: the private memory of the process.
  func shouldRetire(_ limits: CodecLimits, privateBytes bytes: Int) -> Bool {
    // An item is a decoding and an encoding.
    if isLast || operations >= 2 * limits.items { return true }
    if firstBytes == 0 { firstBytes = bytes }
    return bytes > MemoryNeed.retirement(first: firstBytes)
  }
}

/// Returns the name of a signal, e.g. "SIGSEGV (Segmentation fault)".
private func signalName(_ number: Int32, _ call: Int?) -> String {
  let names: [Int32: String] = [
    SIGSEGV: "SIGSEGV", SIGABRT: "SIGABRT", SIGILL: "SIGILL", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGKILL: "SIGKILL",
    SIGTRAP: "SIGTRAP", SIGSYS: "SIGSYS", SIGTERM: "SIGTERM",
  ]
  let name = names[number] ?? "signal \(number)"
  switch number {
  case SIGSYS: return "\(name), system call \(call.map { "\($0)" } ?? "unknown"), which the sandbox refuses,"
  case SIGKILL: return "\(name), perhaps for want of memory,"
  default: return name
  }
}
