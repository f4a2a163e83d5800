import CodecService
import Glibc

/// The exchange of one operation with one process: request, perhaps a head and leave to go on, and the answer.
struct CodecConversation {
  let slot: CodecSlot
  let process: CodecProcessHandle
  /// The factor of all times: 1, or 2 for a retry.
  let timeFactor: Double

  /// Sends a request and waits for the answer's body.
  ///
  /// - Parameters:
  ///   - first: the limits until the head, or the answer if there is none.
  ///   - meanwhile: called once the process has its request.
  ///   - head: checks a file's declarations, waits for memory, and returns the limits for its pixels.
  func ask(
    _ order: CodecMessage, _ descriptors: [Int32], _ first: CodecBounds,
    meanwhile: () throws(OperationFailure) -> Void = { () throws(OperationFailure) in },
    head: (DecodeHead) throws(OperationFailure) -> CodecBounds
  ) throws(OperationFailure) -> [UInt8] {
    slot.arena.clearCrashReport()
    var end = try begin(first, isFirst: true)
    try send(order, descriptors, until: end)
    try meanwhile()
    var message = try receive(until: end)
    if message.kind == .head {
      let bounds = try head(try Self.declarations(message))
      end = try begin(bounds, isFirst: false)
      try send(CodecMessage(.go, bounds.sharedBytes.bytes), [], until: end)
      message = try receive(until: end)
      guard message.kind != .head else { throw .malformed("it declares a second picture") }
    }
    guard message.kind == .answer else { throw .malformed("it speaks out of turn") }
    return message.body
  }

  /// Sets the limits of a phase, and returns the time at which it is over.
  private func begin(_ bounds: CodecBounds, isFirst: Bool) throws(OperationFailure) -> Double {
    var bounds = bounds
    bounds.seconds *= timeFactor
    slot.bounds = bounds
    let number = process.limit(
      memoryBytes: bounds.memoryBytes, isFirst: isFirst, seconds: bounds.seconds, fileBytes: bounds.fileBytes)
    guard number == 0 else { throw .unlimited(number) }
    return monotonicSeconds() + bounds.seconds
  }

  private func left(until end: Double) -> Double { max(0.001, end - monotonicSeconds()) }

  private func send(_ message: CodecMessage, _ descriptors: [Int32], until end: Double) throws(OperationFailure) {
    switch process.send(message, descriptors, seconds: left(until: end)) {
    case 0: return
    case ETIMEDOUT: throw .timeout
    default: throw .closed
    }
  }

  private func receive(until end: Double) throws(OperationFailure) -> CodecMessage {
    do throws(CodecMessage.Failure) {
      return try process.receive(maxBytes: slot.bounds.answerBytes, seconds: left(until: end))
    } catch {
      throw OperationFailure(error)
    }
  }

  private static func declarations(_ message: CodecMessage) throws(OperationFailure) -> DecodeHead {
    do throws(WireError) {
      var reader = WireReader(message.body)
      return try reader.take()
    } catch {
      throw .malformed(error.description)
    }
  }
}
