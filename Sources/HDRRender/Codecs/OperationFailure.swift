import CodecService
import Glibc
import HDRCore

/// The reason why an operation has no answer.
enum OperationFailure: Error {
  /// The process closed the socket, by crashing or otherwise.
  case closed
  case timeout
  /// The process sent an invalid reply.
  case malformed(String)
  /// The operation failed outside of the process: no process, no admission of the declarations, no reading or writing.
  case failed(CodecError)
  /// The input was written to while it was read, so that its digest may belong to other bytes.
  case changed
  /// The shared memory has no room for so many bytes.
  case noRoom(Int)
  /// The process's limits could not be set; the error number.
  case unlimited(Int32)
  /// The system gave no memory to share; the error number.
  case noMemory(Int32)

  init(_ failure: CodecMessage.Failure) {
    switch failure {
    case .closed, .system: self = .closed
    case .timeout: self = .timeout
    case .malformed(let what): self = .malformed(what)
    }
  }
}

/// The end of a process that has not answered, as far as it can be known.
struct OperationFailureFacts {
  let failure: OperationFailure
  let isEncoding: Bool
  let bounds: CodecBounds
  /// The end of the process; `nil` if there was none any more.
  let end: CodecProcessHandle.End?
  /// The size of an allocation that the process was refused; 0: none.
  let refusedBytes: Int
  /// The number of a system call that ended the process, if known.
  let refusedCall: Int?
}

extension OperationFailureFacts {
  /// Ends the process of a slot.
  init(_ failure: OperationFailure, ending slot: CodecSlot, _ kind: CodecMessage.Kind) {
    // A process that closes its socket is about to end.
    let timeout: Double = if case .closed = failure { 2 } else { 0 }
    let end = slot.process?.end(within: timeout)
    self.init(
      failure: failure, isEncoding: kind == .encode, bounds: slot.bounds, end: end,
      refusedBytes: slot.arena.refusedBytes,
      refusedCall: slot.arena.refusedCall)
    slot.retire()
  }

  /// Returns the error, and true if the operation may be retried.
  ///
  /// - Parameter maxArenaBytes: the limit for the pictures of an item.
  func error(maxArenaBytes: Int) -> (error: CodecError, mayRetry: Bool) {
    let doing = isEncoding ? "encoding" : "decoding"
    switch failure {
    case .failed(let error): return (error, false)
    case .noRoom(let count):
      let limit = DecodeError.limit(
        what: "memory of all pictures", found: count, allowed: maxArenaBytes, raise: .setting("max-pixels"))
      return (.decode(limit), false)
    case .unlimited(let number):
      return (lost("limits", "the limits of the codec process could not be set: \(errorText(number))"), true)
    case .noMemory(let number):
      return (lost("memory", "no memory can be shared with the codec process: \(errorText(number))"), true)
    case .malformed(let what):
      return (lost("protocol", "while \(doing) the codec process sent an invalid reply: \(what)"), true)
    case .changed: return (lost("protocol", "the input was written to while it was read"), true)
    case .timeout: return (late(doing, "\(seconds) s"), true)
    case .closed: break
    }
    guard let end else { return (lost("crashed", "the codec process is gone"), true) }
    if end.signal == SIGXCPU { return (late(doing, "\(2 * seconds) s of CPU time"), true) }
    if end.signal == SIGXFSZ {
      let most = bounds.fileBytes
      return (.decode(.limit(what: "the output file", found: most, allowed: most)), false)
    }
    if refusedBytes > 0 { return (.decode(.memory(block: refusedBytes, allowed: bounds.memoryBytes)), false) }
    return (lost("crashed", "the codec process \(end.text(call: refusedCall)) while \(doing)"), true)
  }

  private var seconds: Int { Int(bounds.seconds.rounded()) }

  private func lost(_ code: String, _ message: Message) -> CodecError {
    .lost(code: "codec.\(code)", message: message, isLast: false)
  }

  private func late(_ doing: String, _ what: String) -> CodecError {
    lost("timeout", "\(doing) took more than \(what); \(setting: "max-seconds") allows more")
  }
}
