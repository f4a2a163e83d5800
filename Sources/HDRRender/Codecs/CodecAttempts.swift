import CodecService
import FileParts
import Synchronization

/// The attempts at operations: the first, and the retry in a new process. It counts the operations that fail in a row.
final class CodecAttempts: Sendable {
  private let slots: CodecSlots
  /// The number of failed operations since the last successful one.
  private let failuresInARow = Mutex(0)

  init(_ slots: CodecSlots) { self.slots = slots }

  /// Runs an operation in a process. If it crashes, hangs or sends an invalid reply, it is retried once in a new
  /// process with twice the time. A failure in a process that has read other inputs is retried too: they may have
  /// caused it (docs/reliability.md#quarantine).
  func run<Value: WireValue & Sendable>(
    _ kind: CodecMessage.Kind, _ role: CodecRole, _ libraries: RunTimeLibraries, _ subject: CodecSubject,
    _ work: (CodecConversation) throws(OperationFailure) -> AnswerMessage<Value>
  ) throws(CodecError) -> CodecAnswer<Value> {
    var isRetry = false, room = 0
    while true {
      let slot: CodecSlot
      do throws(StartFailure) {
        slot = try slots.checkOut(role, subject, libraries, isRetry: isRetry, room: room)
      } catch {
        throw slots.notStarted(error)
      }
      defer { slots.checkIn(slot) }
      // With `fresh` a process reads one input only, and always after one that a fragile library has read.
      let readsOne = slots.options.isolation == .fresh || slot.process?.readsNoOther == true
      if readsOne, !slot.has(subject) { slot.retire() }
      let (result, isFresh) = attempt(slot, libraries, subject, isRetry: isRetry, work)
      switch result {
      case .success(let answer):
        if !isFresh, case .failure = answer.result {
          slot.retire()
          isRetry = true
        } else {
          return try accept(answer, slot, subject)
        }
      case .failure(.noRoom(let count)) where room == 0 && slots.room(holding: count) != nil:
        // Retries in a memory that has room.
        slot.retire()
        room = slots.room(holding: count) ?? 0
      case .failure(let failure):
        let facts = OperationFailureFacts(failure, ending: slot, kind)
        let (error, mayRetry) = facts.error(maxArenaBytes: slots.maxArenaBytes)
        if !isRetry, mayRetry || (!isFresh && role == .decode) {
          isRetry = true
        } else {
          throw counted(error)
        }
      }
    }
  }

  /// Works in a slot's process.
  ///
  /// - Returns: the answer, and true if no other input can have caused a failure.
  private func attempt<Value>(
    _ slot: CodecSlot, _ libraries: RunTimeLibraries, _ subject: CodecSubject, isRetry: Bool,
    _ work: (CodecConversation) throws(OperationFailure) -> AnswerMessage<Value>
  ) -> (result: Result<AnswerMessage<Value>, OperationFailure>, isFresh: Bool) {
    let process: CodecProcessHandle
    do throws(StartFailure) {
      process = try slots.process(of: slot, libraries, isFresh: isRetry)
    } catch {
      return (.failure(.failed(slots.notStarted(error))), true)
    }
    if !libraries.isDisjoint(with: .fragile) { process.readsNoOther = true }
    let isFresh = process.isFresh(for: subject.input)
    let conversation = CodecConversation(slot: slot, process: process, timeFactor: isRetry ? 2 : 1)
    do throws(OperationFailure) {
      let answer = try slots.starts.whileWorking { () throws(OperationFailure) in try work(conversation) }
      return (.success(answer), isFresh)
    } catch {
      return (.failure(error), isFresh)
    }
  }

  /// Accepts a valid reply of a process.
  private func accept<Value>(
    _ answer: AnswerMessage<Value>, _ slot: CodecSlot, _ subject: CodecSubject
  ) throws(CodecError) -> CodecAnswer<Value> {
    failuresInARow.withLock { $0 = 0 }
    switch answer.result {
    case .success(let value):
      slot.process?.note(subject.input)
      return CodecAnswer(value, answer.seconds, inputDigest: answer.inputDigest, isElsewhere: true)
    case .failure(let error):
      // A faulty file may have damaged more than its own result.
      slot.retire()
      if case .decode(.memory(let block, _)) = error {
        throw .decode(.memory(block: block, allowed: slot.bounds.memoryBytes))
      }
      throw error
    }
  }

  /// Counts failed operations in a row.
  private func counted(_ error: CodecError) -> CodecError {
    guard case .lost(let code, let message, let isLast) = error else { return error }
    let failuresInARow = failuresInARow.withLock { failuresInARow in
      failuresInARow += 1
      return failuresInARow
    }
    let most = slots.options.limits.crashes
    let isTooMany = most > 0 && failuresInARow >= most
    return .lost(code: code, message: message, isLast: isLast || isTooMany)
  }
}
