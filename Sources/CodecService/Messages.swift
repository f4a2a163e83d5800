import CPlatform
import Glibc
import HDRCore
import ImageFiles

extension WireWriter {
  /// Writes the first warnings, and one that counts the rest.
  mutating func put(warnings all: [Warning]) {
    put(all.count > CodecProtocol.mostWarnings ? cut(all, of: all.count) : all)
  }
}

extension WireReader {
  /// Reads the first warnings, skips the rest and adds one warning that counts them.
  mutating func warnings() throws(WireError) -> [Warning] {
    let most = CodecProtocol.mostWarnings, count = try count(least: 16)
    var first: [Warning] = []
    // A list that the writer has cut is one longer than `mostWarnings`.
    let kept = count == most + 1 ? count : min(count, most)
    for _ in 0..<kept { first.append(try take()) }
    for _ in kept..<count {
      try skipData()
      try skipData()
    }
    return kept < count ? cut(first, of: count) : first
  }
}

private func cut(_ warnings: [Warning], of count: Int) -> [Warning] {
  let most = CodecProtocol.mostWarnings
  return warnings.prefix(most) + [Warning("warnings.more", "\(count - most) more warnings")]
}

/// The conventions of supervisor and worker beside the messages.
package enum CodecProtocol {
  /// The descriptor numbers that a worker has at its start.
  package static let socket: Int32 = 3
  package static let memory: Int32 = 4
  /// The size of the start of the shared memory, for facts that a crashing worker can no longer send.
  package static let lastWordsBytes = 4096
  /// The alignment of blocks in shared memory, and the number of readable bytes after each block.
  package static let alignment = 64
  /// The largest answer to an encoder's order, which is sizes and warnings.
  package static let mostEncodedBytes = 1 << 20
  /// The longest text from a worker; a longer one is cut.
  package static let mostTextBytes = 4096
  /// The largest number of warnings for a picture or a file; further ones are only counted.
  package static let mostWarnings = 64
}

/// A message: 16 bytes with kind and size, then a body.
package struct Frame: Sendable {
  package enum Kind: UInt8, Sendable {
    // From the supervisor.
    case decode = 1, codedRenditions, encode, go, deviceSpace, kernel
    // From the worker.
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
  ///   - mostBytes: the longest body; a longer message is malformed.
  ///   - seconds: the timeout; 0: none.
  ///   - descriptors: the largest number of descriptors; others are dropped.
  package static func receive(
    from socket: Int32, mostBytes: Int, seconds: Double = 0, descriptors capacity: Int = 0
  ) throws(Failure) -> (frame: Frame, descriptors: [Int32]) {
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
      guard size <= UInt64(mostBytes) else { throw .malformed("a message of \(size) bytes") }
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
      return (Frame(kind, body), descriptors)
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

/// The first message of a worker, sent once it is locked in.
package struct WorkerReady: WireValue, Sendable, Hashable {
  /// The version of Landlock that is in force; 0: none.
  package var landlock: Int
  package var hasSeccomp: Bool
  /// The reason why a part of the sandbox is missing; empty if none is.
  package var missing: String
  /// The bytes of address space that the worker has at its start, shared memory included.
  package var addressSpace: Int

  package init(landlock: Int, hasSeccomp: Bool, missing: String, addressSpace: Int) {
    self.landlock = landlock
    self.hasSeccomp = hasSeccomp
    self.missing = missing
    self.addressSpace = addressSpace
  }
  package func write(to wire: inout WireWriter) {
    wire.put(landlock)
    wire.put(hasSeccomp)
    wire.put(missing)
    wire.put(addressSpace)
  }
  package init(from wire: inout WireReader) throws(WireError) {
    self.init(
      landlock: try wire.int(0...1000, "Landlock's version"), hasSeccomp: try wire.take(), missing: try wire.take(),
      addressSpace: try wire.int(0...1 << 56, "address space"))
  }
}

/// An order to read an input, with the place for its pixels.
package struct DecodeOrder: WireValue, Sendable {
  /// A number that identifies the open file; the same number means the same file.
  package var file: Int
  package var byteCount: Int
  package var request: DecodeRequest
  package var limits: DecodeLimits
  /// The free bytes of the shared memory, as offsets.
  package var free: Range<Int>
  /// True if the worker also hashes the input. Only a process that has read no other input is asked, as no other is
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
  package func write(to wire: inout WireWriter) {
    wire.put(file)
    wire.put(byteCount)
    wire.put(request)
    wire.put(limits)
    wire.put(free.lowerBound)
    wire.put(free.upperBound)
    wire.put(wantsDigest)
  }
  package init(from wire: inout WireReader) throws(WireError) {
    let file = try wire.take(Int.self), byteCount = try wire.int(0...1 << 48, "a file's size")
    let request = try wire.take(DecodeRequest.self), limits = try wire.take(DecodeLimits.self)
    let start = try wire.int(0...1 << 48, "an offset"), end = try wire.int(start...1 << 48, "an offset")
    self.init(
      file: file, byteCount: byteCount, request: request, limits: limits, free: start..<end,
      wantsDigest: try wire.take())
  }
}

/// The sizes of a file's pictures, sent before pixels are decoded.
package struct DecodeHead: WireValue, Sendable, Hashable {
  package var width: Int
  package var height: Int
  /// The pixels of all pictures, and the bytes that they will take.
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
      width: image.width, height: image.height, pixels: image.pixelCount + (map?.pixelCount ?? 0),
      bytes: MemoryNeed.samples(of: image) + (map.map { MemoryNeed.samples(of: $0) } ?? 0),
      mapPixels: map?.pixelCount ?? 0, pixelBytes: MemoryNeed.pixel(of: image), answerBytes: source.bytes.count,
      workBytes: MemoryNeed.decoder(of: source))
  }

  package func write(to wire: inout WireWriter) {
    for value in [width, height, pixels, bytes, mapPixels, pixelBytes, answerBytes, workBytes] { wire.put(value) }
  }
  package init(from wire: inout WireReader) throws(WireError) {
    let sizes = 0...1 << 48
    self.init(
      width: try wire.int(sizes, "a width"), height: try wire.int(sizes, "a height"),
      pixels: try wire.int(sizes, "a pixel count"), bytes: try wire.int(sizes, "a size"),
      mapPixels: try wire.int(sizes, "a pixel count"), pixelBytes: try wire.int(0...32, "a sample's size"),
      answerBytes: try wire.int(sizes, "a size"), workBytes: try wire.int(sizes, "a size"))
    guard mapPixels <= pixels else { throw WireError("a map of more pixels than there are") }
    guard workBytes <= MemoryNeed.mostDecoder(pixels: pixels) else { throw WireError("a decoder that takes too much") }
  }
}

/// The answer at the end of an operation.
package struct WorkerAnswer<Value: WireValue & Sendable>: WireValue {
  package var result: Result<Value, CodecError>
  package var seconds: [Phase: PhaseSeconds]
  package var inputDigest: Digest?

  package init(_ result: Result<Value, CodecError>, _ seconds: [Phase: PhaseSeconds], inputDigest: Digest?) {
    self.result = result
    self.seconds = seconds
    self.inputDigest = inputDigest
  }
  package func write(to wire: inout WireWriter) {
    switch result {
    case .success(let value):
      wire.byte(0)
      wire.put(value)
    case .failure(let error):
      wire.byte(1)
      wire.put(error)
    }
    wire.put(seconds.count)
    for (phase, value) in seconds {
      wire.put(phase)
      wire.put(value.wall)
      wire.put(value.cpu)
    }
    wire.put(inputDigest?.bytes)
  }
  package init(from wire: inout WireReader) throws(WireError) {
    switch try wire.byte() {
    case 0: result = .success(try wire.take())
    case 1: result = .failure(try wire.take())
    case let other: throw WireError("outcome \(other)")
    }
    seconds = [:]
    for _ in 0..<(try wire.int(0...Phase.allCases.count, "a count of phases")) {
      let phase = try wire.take(Phase.self), wall = try wire.take(Double.self), cpu = try wire.take(Double.self)
      guard wall >= 0, cpu >= 0, wall < 1e9, cpu < 1e9 else { throw WireError("a phase of \(wall) s") }
      seconds[phase] = PhaseSeconds(wall: wall, cpu: cpu)
    }
    inputDigest = nil
    if let bytes = try wire.take([UInt8]?.self) {
      guard let digest = Digest(bytes: bytes) else { throw WireError("a digest of \(bytes.count) bytes") }
      inputDigest = digest
    }
  }
}

extension CodedFiles: WireValue {
  package func write(to wire: inout WireWriter) {
    wire.put(mainBytes)
    wire.put(sidecarBytes)
    wire.put(warnings: warnings)
  }
  package init(from wire: inout WireReader) throws(WireError) {
    let count = try wire.int(0...1 << 48, "a file's size")
    let sidecar = try wire.take(Int?.self)
    guard (0...1 << 48).contains(sidecar ?? 0) else { throw WireError("a file's size is \(sidecar ?? 0)") }
    self.init(mainBytes: count, sidecarBytes: sidecar, warnings: try wire.warnings())
  }
}

extension DecodeError {
  /// Makes the error for an allocation that was refused.
  ///
  /// - Parameter allowed: a codec process does not know it and sends 0.
  package static func refused(_ bytes: Int, allowed: Int = 0) -> DecodeError {
    .memory(block: bytes, allowed: allowed, setting: "max-worker-memory")
  }
}
