import CodecService
import Glibc
import HDRCore
import ImageFiles

/// An operation that writes a file and perhaps its sidecar in a codec process.
struct EncodeOperation {
  let request: FileRequest
  /// The main file, and the sidecar if there is one.
  let targets: [OpenFile]
  let limits: CodecLimits

  /// Sends the request. The process encodes into the slot's output memory.
  ///
  /// - Throws: `OperationFailure.noRoom` if pictures that lie elsewhere have no place in the slot's memory.
  func run(_ conversation: CodecConversation) throws(OperationFailure) -> AnswerMessage<CodedFiles> {
    let slot = conversation.slot
    do throws(FileFault) {
      while slot.outputs.count < targets.count { slot.outputs.append(try EncodedMemory()) }
    } catch {
      throw .noMemory(error.number)
    }
    let outputs = slot.outputs.prefix(targets.count)
    for memory in outputs { memory.rewind() }
    let pixels = try SharedPixels(request.images.flatMap(\.buffers), in: slot.arena)
    var payloads: [ArenaRegion] = []
    defer { withExtendedLifetime((pixels, payloads)) {} }
    var writer = WireWriter(
      place: { pixels.places[ObjectIdentifier($0)] ?? 0 },
      placeData: { bytes in
        guard let region = slot.arena.take(bytes.count) else { return nil }
        payloads.append(region)
        return bytes.withUnsafeBytes { region.fill($0) }
      })
    // The filter of system calls leaves the process nothing but computing.
    writer.put(conversation.process.lock >= .seccomp ? request.withUnsafeCodecs : request)
    slot.file = nil
    // A process in which a library has read untrusted bytes writes no other output.
    if request.foreignBytes == .coded { conversation.process.isLast = true }
    let body = try conversation.ask(
      CodecMessage(.encode, writer), outputs.map(\.file.descriptor), bounds(pixels.byteCount, writer.byteCount)
    ) { _ throws(OperationFailure) in throw .malformed("it declares a picture that nobody asked for") }
    do throws(WireError) {
      var reader = WireReader(body)
      let coded = try reader.take(AnswerMessage<CodedFiles>.self)
      try reader.end()
      return coded
    } catch {
      throw .malformed(error.description)
    }
  }

  private func bounds(_ pixelBytes: Int, _ orderBytes: Int) -> CodecBounds {
    // A JPEG that is passed unchanged counts as if its pictures were passed.
    let jpegPixels =
      switch request {
      case .recompress(let jpeg): jpeg.pixels
      case .adaptive(let adaptive): adaptive.recodedPixels
      case .rendition, .copy: 0
      }
    let keptBytes = request.kept?.byteCount ?? 0
    let need = MemoryNeed.encoding(bytes: pixelBytes + 4 * jpegPixels + orderBytes + keptBytes)
    return CodecBounds(
      memoryBytes: limits.memory(need),
      seconds: limits.seconds(pixels: request.images.reduce(jpegPixels) { $0 + $1.pixelCount }),
      fileBytes: MemoryNeed.encoded(bytes: pixelBytes + orderBytes + keptBytes),
      answerBytes: CodecProtocol.maxEncodedBytes)
  }

  /// Copies an encoder's output into the files.
  ///
  /// - Returns: the main file's digest, and the seconds of the copy.
  func copy(_ written: CodedFiles, _ outputs: [EncodedMemory]) throws(OperationFailure) -> (
    digest: Digest, seconds: Double
  ) {
    let begin = monotonicSeconds()
    let counts = [written.mainBytes] + (written.sidecarBytes.map { [$0] } ?? [])
    guard counts.count == targets.count else { throw .malformed("it has written \(counts.count) files") }
    var digests: [Digest?] = []
    for (index, count) in counts.enumerated() {
      do throws(CodecError) {
        digests.append(try outputs[index].copy(count, to: targets[index], isSidecar: index > 0))
      } catch {
        throw .failed(error)
      }
    }
    guard let digest = digests[0], !digests.contains(nil) else {
      // Empties the targets for the next attempt.
      for target in targets where ftruncate(target.descriptor, 0) != 0 || lseek(target.descriptor, 0, SEEK_SET) != 0 {
        throw .failed(.write(errno, isSidecar: false))
      }
      throw .malformed("its file is shorter than it said")
    }
    return (digest, monotonicSeconds() - begin)
  }
}

extension FileRequest {
  /// The channels of an input that the file keeps.
  fileprivate var kept: EXRKept? { if case .rendition(let request) = self { request.carried?.kept } else { nil } }

  /// The request for a process that a library's hole leaves nothing but computing.
  fileprivate var withUnsafeCodecs: FileRequest {
    guard case .rendition(var request) = self, request.carried?.kept != nil else { return self }
    request.carried?.kept?.unsafeCodecs = true
    return .rendition(request)
  }
}

/// The places of pictures in memory that an encoder shares. Pictures that lie elsewhere are copied into it, for as long
/// as this value lives.
private struct SharedPixels {
  private(set) var places: [ObjectIdentifier: Int] = [:]
  /// The bytes of all pictures, each once.
  private(set) var byteCount = 0
  private var copies: [ArenaRegion] = []

  init(_ buffers: [PixelBuffer], in arena: CodecArena) throws(OperationFailure) {
    for buffer in buffers where places[ObjectIdentifier(buffer)] == nil {
      byteCount += buffer.byteCount
      if let place = arena.offset(of: buffer) {
        places[ObjectIdentifier(buffer)] = place
        continue
      }
      guard let region = arena.take(buffer.byteCount) else {
        throw .noRoom(buffers.reduce(0) { $0 + $1.byteCount })
      }
      places[ObjectIdentifier(buffer)] = region.fill(
        UnsafeRawBufferPointer(start: buffer.base, count: buffer.byteCount))
      copies.append(region)
    }
  }
}
