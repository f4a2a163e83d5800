import CPlatform
import Glibc
import HDRCore
import ImageFiles

/// The conventions of supervisor and codec process beside the messages.
package enum CodecProtocol {
  /// The descriptor numbers that a codec process has at its start.
  package static let socket: Int32 = 3
  package static let memory: Int32 = 4
  /// The size of the start of the shared memory, for facts that a crashing process can no longer send.
  package static let crashReportBytes = 4096
  /// The alignment of blocks in shared memory, and the number of readable bytes after each block.
  package static let alignment = 64
  /// The size from which bytes in messages go through shared memory, if there is room: a copy there and back takes a
  /// fraction of the time that the socket takes.
  package static let placedBytes = 1 << 15
  /// The most bytes of a message that do: the pages that they touch are kept for the next items.
  package static let maxPlacedBytes = 32 << 20
  /// The largest answer to an encoder's order, which is sizes and warnings.
  package static let maxEncodedBytes = 1 << 20
  /// The longest text from a codec process; a longer one is cut.
  package static let maxTextBytes = 4096
  /// The largest number of warnings for a picture or a file; further ones are only counted.
  package static let maxWarnings = 64
}

/// A message: 16 bytes with kind and size, then a body.
package struct CodecMessage: Sendable {
  package enum Kind: UInt8, Sendable {
    // From the supervisor.
    case decode = 1, codedRenditions, encode, go, deviceSpace, kernel
    // From the codec process.
    case ready = 16, head, answer
  }
  package let kind: Kind
  /// The body in pieces, in order; a received message has one piece.
  private let pieces: [[UInt8]]
  package var body: [UInt8] { pieces.count == 1 ? pieces[0] : Array(pieces.joined()) }

  private static let mark: UInt32 = 0x4344_4831

  package init(_ kind: Kind, _ body: [UInt8]) {
    self.kind = kind
    pieces = [body]
  }

  package init(_ kind: Kind, _ writer: WireWriter) {
    self.kind = kind
    pieces = writer.pieces
  }

  /// Sends the message.
  ///
  /// - Parameter seconds: the timeout; 0: none.
  /// - Returns: 0, or an error number.
  package func send(to socket: Int32, _ descriptors: [Int32] = [], seconds: Double = 0) -> Int32 {
    var header: [UInt8] = []
    withUnsafeBytes(of: Self.mark.littleEndian) { header.append(contentsOf: $0) }
    withUnsafeBytes(of: UInt32(kind.rawValue).littleEndian) { header.append(contentsOf: $0) }
    withUnsafeBytes(of: UInt64(pieces.reduce(0) { $0 + $1.count }).littleEndian) { header.append(contentsOf: $0) }
    return Self.withPlaces([header] + pieces) { places in
      hdr_send(socket, &places, Int32(places.count), descriptors, Int32(descriptors.count), seconds)
    }
  }

  /// Calls `body` with the address and size of each piece.
  private static func withPlaces(
    _ pieces: ArraySlice<[UInt8]>, _ places: [iovec] = [], _ body: (inout [iovec]) -> Int32
  ) -> Int32 {
    var places = places
    guard let first = pieces.first else { return body(&places) }
    return first.withUnsafeBytes { bytes in
      places.append(iovec(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count))
      return withPlaces(pieces.dropFirst(), places, body)
    }
  }

  /// The ways in which receiving may fail.
  package enum Failure: Error, Sendable, Equatable {
    /// The other process has closed the socket.
    case closed
    case timeout
    case system(Int32)
    case malformed(String)
  }

  /// Receives a message.
  ///
  /// - Parameters:
  ///   - maxBytes: the longest body; a longer message is malformed.
  ///   - seconds: the timeout; 0: none.
  ///   - descriptors: the largest number of descriptors; others are dropped.
  package static func receive(
    from socket: Int32, maxBytes: Int, seconds: Double = 0, descriptors capacity: Int = 0
  ) throws(Failure) -> (message: CodecMessage, descriptors: [Int32]) {
    let end = monotonicSeconds() + seconds
    var header = [UInt8](repeating: 0, count: 16)
    var held = [Int32](repeating: -1, count: max(1, capacity)), count: Int32 = 0
    try check(hdr_receive(socket, &header, 16, &held, Int32(capacity), &count, seconds))
    let descriptors = Array(held.prefix(Int(count)))
    do throws(Failure) {
      let (mark, number, size) = header.withUnsafeBytes {
        (
          UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self)),
          UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: 4, as: UInt32.self)),
          UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        )
      }
      guard mark == Self.mark, number < 256, let kind = Kind(rawValue: UInt8(number)) else {
        throw .malformed("no message begins with that")
      }
      guard size <= UInt64(maxBytes) else { throw .malformed("a message of \(size) bytes") }
      // In pieces, so that a false size allocates no more memory than bytes are received.
      var body: [UInt8] = []
      body.reserveCapacity(min(Int(size), 64 << 20))
      while body.count < Int(size) {
        let piece = min(Int(size) - body.count, 4 << 20), left = end - monotonicSeconds()
        if seconds > 0 && left <= 0 { throw .timeout }
        var result: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: piece) { buffer, count in
          result = hdr_receive(socket, buffer.baseAddress, UInt(piece), nil, 0, nil, seconds > 0 ? left : 0)
          count = result == 0 ? piece : 0
        }
        if body.isEmpty { body = bytes } else { body += bytes }
        try check(result)
      }
      return (CodecMessage(kind, body), descriptors)
    } catch {
      for descriptor in descriptors { close(descriptor) }
      throw error
    }
  }

  private static func check(_ result: Int32) throws(Failure) {
    switch result {
    case 0: return
    case -1, ECONNRESET, EPIPE: throw .closed
    case ETIMEDOUT: throw .timeout
    default: throw .system(result)
    }
  }
}

/// The first message of a codec process, sent once it is locked in.
package struct ReadyMessage: Fields, Sendable, Hashable {
  /// The version of Landlock that is in force; 0: none.
  package var landlock: Int
  package var hasSeccomp: Bool
  /// The reason why a part of the sandbox is missing; empty if none is.
  package var missing: String
  /// The bytes of address space that the process has at its start, shared memory included.
  package var addressSpace: Int

  package init(landlock: Int, hasSeccomp: Bool, missing: String, addressSpace: Int) {
    self.landlock = landlock
    self.hasSeccomp = hasSeccomp
    self.missing = missing
    self.addressSpace = addressSpace
  }

  package static var blank: ReadyMessage { ReadyMessage(landlock: 0, hasSeccomp: false, missing: "", addressSpace: 0) }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("landlock", &landlock, in: 0...1000)
    try coder("hasSeccomp", &hasSeccomp)
    try coder("missing", &missing)
    try coder("addressSpace", &addressSpace, in: 0...1 << 56)
  }
}

/// An order to read an input, with the place for its pixels.
package struct DecodeOrder: Fields, Sendable {
  /// A number that identifies the open file; the same number means the same file.
  package var file: Int
  package var byteCount: Int
  package var request: DecodeRequest
  package var limits: DecodeLimits
  /// The free bytes of the shared memory, as offsets.
  package var free: Range<Int>
  /// True if the codec process also hashes the input. Only one that has read no other input is asked, as no other is
  /// trusted with it.
  package var wantsDigest: Bool

  package init(
    file: Int, byteCount: Int, request: DecodeRequest, limits: DecodeLimits, free: Range<Int>, wantsDigest: Bool = true
  ) {
    self.file = file
    self.byteCount = byteCount
    self.request = request
    self.limits = limits
    self.free = free
    self.wantsDigest = wantsDigest
  }

  package static var blank: DecodeOrder {
    DecodeOrder(file: 0, byteCount: 0, request: .metadata, limits: .blank, free: 0..<0)
  }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    var (start, end) = (free.lowerBound, free.upperBound)
    try coder("file", &file)
    try coder("byteCount", &byteCount, in: 0...1 << 48)
    try coder("request", &request)
    try coder("limits", &limits)
    try coder("free", &start, in: 0...1 << 48)
    try coder("free", &end, in: start...1 << 48)
    free = start..<end
    try coder("wantsDigest", &wantsDigest)
  }
}

/// The sizes of a file's pictures, sent before pixels are decoded.
package struct DecodeHead: Fields, Sendable, Hashable {
  package var width: Int
  package var height: Int
  /// The coded pixels of all pictures, and the bytes that their samples will take.
  package var pixels: Int
  package var bytes: Int
  /// The part of `pixels` that is the gain map's.
  package var mapPixels: Int
  /// The bytes of the main picture's samples for one pixel, counted as if chroma were not subsampled.
  package var pixelBytes: Int
  /// The bytes of the answer that are known now: metadata, profiles and tables.
  package var answerBytes: Int
  /// The bytes that the decoders of all pictures take, samples included (`MemoryNeed.decoder`).
  package var workBytes: Int

  package init(
    width: Int, height: Int, pixels: Int, bytes: Int, mapPixels: Int, pixelBytes: Int, answerBytes: Int = 0,
    workBytes: Int = 0
  ) {
    self.width = width
    self.height = height
    self.pixels = pixels
    self.bytes = bytes
    self.mapPixels = mapPixels
    self.pixelBytes = pixelBytes
    self.answerBytes = answerBytes
    self.workBytes = workBytes
  }

  /// Takes the sizes from a picture with or without its pixels.
  package init(_ source: SourceImage) {
    let image = source.image, map = source.gainMap?.image
    self.init(
      width: image.width, height: image.height, pixels: image.codedPixelCount + (map?.codedPixelCount ?? 0),
      bytes: MemoryNeed.samples(of: image) + (map.map { MemoryNeed.samples(of: $0) } ?? 0),
      mapPixels: map?.codedPixelCount ?? 0, pixelBytes: MemoryNeed.pixel(of: image), answerBytes: source.bytes.count,
      workBytes: MemoryNeed.decoder(of: source))
  }

  package static var blank: DecodeHead {
    DecodeHead(width: 0, height: 0, pixels: 0, bytes: 0, mapPixels: 0, pixelBytes: 0)
  }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    let sizes = 0...1 << 48
    try coder("width", &width, in: sizes)
    try coder("height", &height, in: sizes)
    try coder("pixels", &pixels, in: sizes)
    try coder("bytes", &bytes, in: sizes)
    try coder("mapPixels", &mapPixels, in: sizes)
    try coder("pixelBytes", &pixelBytes, in: 0...32)
    try coder("answerBytes", &answerBytes, in: sizes)
    try coder("workBytes", &workBytes, in: sizes)
    try coder.demand(mapPixels <= pixels, "a map of more pixels than there are")
    try coder.demand(workBytes <= MemoryNeed.maxDecoder(pixels: pixels), "a decoder that takes too much")
  }
}

/// The answer at the end of an operation.
package struct AnswerMessage<Value: WireValue & Sendable>: Fields {
  package var result: Result<Value, CodecError>
  package var seconds: [Phase: PhaseSeconds]
  package var inputDigest: Digest?

  package init(_ result: Result<Value, CodecError>, _ seconds: [Phase: PhaseSeconds], inputDigest: Digest?) {
    self.result = result
    self.seconds = seconds
    self.inputDigest = inputDigest
  }

  package static var blank: AnswerMessage { AnswerMessage(.failure(.blank), [:], inputDigest: nil) }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("result", &result)
    try coder("seconds", &seconds)
    try coder("inputDigest", &inputDigest)
  }
}

extension PhaseSeconds: Fields {
  package static var blank: PhaseSeconds { PhaseSeconds(wall: 0, cpu: 0) }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("wall", &wall, in: 0...999_999_999)
    try coder("cpu", &cpu, in: 0...999_999_999)
  }
}

extension Digest: Fields {
  package static let blank = Digest(of: [])
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    var bytes = bytes
    try coder("bytes", &bytes)
    guard let digest = Digest(bytes: bytes) else { return try coder.refuse("a digest of \(bytes.count) bytes") }
    self = digest
  }
}

extension CodedFiles: Fields {
  package static var blank: CodedFiles { CodedFiles(mainBytes: 0) }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("mainBytes", &mainBytes, in: 0...1 << 48)
    try coder("sidecarBytes", &sidecarBytes, in: 0...1 << 48)
    try coder("warnings", &warnings)
  }
}
