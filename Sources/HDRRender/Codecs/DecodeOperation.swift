import CodecService
import Glibc
import HDRCore
import ImageFiles

/// An operation that reads an input in a codec process.
struct DecodeOperation {
  let kind: CodecMessage.Kind
  let file: InputFile
  let request: DecodeRequest
  /// The limits of the input; those of processes are `slots.options.limits`.
  let limits: DecodeLimits
  let slots: CodecSlots

  private var codecLimits: CodecLimits { slots.options.limits }

  /// Sends the request and reads the answer, with pictures that lie in the slot's memory.
  ///
  /// - Parameter admit: gets the file's declarations, and may wait or refuse.
  func run<Value: WireValue & Sendable>(
    _ conversation: CodecConversation, _ admit: (DecodeHead) throws(CodecError) -> Void
  ) throws(OperationFailure) -> AnswerMessage<Value> {
    let slot = conversation.slot, process = conversation.process
    guard let region = slot.arena.takeLargest() else { throw .noRoom(0) }
    slot.file = file.identity
    // An answer with payloads is about as long as the file.
    if hasPayloads, region.open(min(file.byteCount + 1 << 16, CodecProtocol.maxPlacedBytes)) == nil {
      throw .noMemory(errno)
    }
    var limits = limits
    // The filter of system calls leaves the process nothing but computing.
    if process.lock >= .seccomp { limits.unsafeCodecs = true }
    let isFresh = process.isFresh(for: file.identity), version = file.version
    let order = DecodeOrder(
      file: file.identity, byteCount: file.byteCount, request: request, limits: limits, free: region.range,
      wantsDigest: isFresh)
    var digest: Digest?
    let body = try conversation.ask(
      CodecMessage(kind, order.bytes), [file.descriptor], readingBounds,
      meanwhile: { () throws(OperationFailure) in if !isFresh { digest = try fileDigest() } }
    ) { head throws(OperationFailure) in
      try check(head)
      do throws(CodecError) {
        try admit(head)
      } catch {
        throw .failed(error)
      }
      return try decodingBounds(head, region)
    }
    // Both have read the same bytes, unless something wrote to the file meanwhile.
    if !isFresh, version == nil || file.version != version { throw .changed }
    var answer: AnswerMessage<Value> = try read(body, region, limits)
    if !isFresh { answer.inputDigest = digest }
    return answer
  }

  /// True if the answer holds payloads of the file, and no pictures.
  private var hasPayloads: Bool { kind == .codedRenditions }

  /// True if the answer may hold scans in the place of samples.
  private var takesScans: Bool { limits.leastScan != nil }

  private var answerBytes: Int { MemoryNeed.answer(limits) }

  /// The limits before the size is known: for structure, metadata and profiles.
  private var readingBounds: CodecBounds {
    CodecBounds(
      memoryBytes: codecLimits.memory(MemoryNeed.reading(fileBytes: file.byteCount)),
      seconds: codecLimits.seconds(pixels: 0),
      answerBytes: answerBytes + (hasPayloads ? file.byteCount : 0))
  }

  /// Checks declarations against the limits that the process has, too.
  private func check(_ head: DecodeHead) throws(OperationFailure) {
    guard request == .pixels else { throw .malformed("it declares a picture that nobody asked for") }
    guard head.answerBytes <= answerBytes else { throw .malformed("an answer of \(head.answerBytes) bytes") }
    guard head.width <= limits.maxSide, head.height <= limits.maxSide, head.pixels <= 2 * limits.maxPixels else {
      throw .malformed("a picture of \(head.width)x\(head.height) passed its limits")
    }
  }

  /// Opens the memory for the declared pictures, and returns the limits for them.
  private func decodingBounds(_ head: DecodeHead, _ region: ArenaRegion) throws(OperationFailure) -> CodecBounds {
    let wanted = MemoryNeed.shared(bytes: head.bytes, height: head.height)
    guard wanted <= region.range.count || slots.room(holding: wanted) == nil else { throw .noRoom(wanted) }
    guard let opened = region.open(min(wanted, region.range.count)) else { throw .noMemory(errno) }
    let need = MemoryNeed.decoding(
      bytes: head.bytes, fileBytes: file.byteCount, threads: limits.threads, work: head.workBytes)
    return CodecBounds(
      memoryBytes: codecLimits.memory(need), seconds: codecLimits.seconds(pixels: head.pixels),
      answerBytes: head.answerBytes + MemoryNeed.computedTables
        + (takesScans ? MemoryNeed.scans(fileBytes: file.byteCount) : 0), sharedBytes: opened)
  }

  /// Reads the answer, and gives back the memory after its last picture.
  private func read<Value: WireValue & Sendable>(
    _ body: [UInt8], _ region: ArenaRegion, _ limits: DecodeLimits
  ) throws(OperationFailure) -> AnswerMessage<Value> {
    var end = 0
    var pixels = WireReader.Pixels(limits: limits, isTrusted: false) { offset, count throws(WireError) in
      let buffer = try region.buffer(offset, count)
      end = max(end, offset + count + CodecProtocol.alignment)
      return buffer
    }
    if hasPayloads || takesScans {
      pixels.data = { offset, count throws(WireError) in try region.bytes(offset, count) }
    }
    var reader = WireReader(body, pixels)
    do throws(WireError) {
      let answer = try reader.take(AnswerMessage<Value>.self)
      try reader.end()
      region.shrink(to: end)
      return answer
    } catch {
      throw .malformed(error.description)
    }
  }

  private func fileDigest() throws(OperationFailure) -> Digest {
    do throws(FileFault) {
      return try file.digest()
    } catch {
      throw .failed(.read(error.number))
    }
  }
}
