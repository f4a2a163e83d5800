import CPlatform
import CSandbox
import CodecService
import Glibc
import HDRCore

// For tests of the main process: a worker that was started with --testing does what an input file names.

extension Worker {
  /// An input is `hdrbatch-codec test: WORD ARGUMENT`. Returns for words that only change the result.
  func misbehave(_ bytes: [UInt8], _ order: DecodeOrder) {
    let text = String(decoding: bytes.dropFirst(CodecProtocol.testPrefix.count), as: UTF8.self)
    let words = text.split { $0 == " " || $0 == "\n" }.map(String.init)
    let argument = words.count > 1 ? Int(words[1]) ?? 0 : 0
    switch words.first {
    case "signal":
      var set = sigset_t()
      sigemptyset(&set)
      sigaddset(&set, Int32(argument))
      signal(Int32(argument), SIG_DFL)
      sigprocmask(SIG_UNBLOCK, &set, nil)
      raise(Int32(argument))
    case "fault": UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1
    case "trap": fatalErrorWithoutMessage()
    case "sleep": while true { sleep(1000) }
    case "spin":
      while true { _ = hdr_own_cpu_seconds() }
    case "allocate":
      // MiB at once, written.
      let block = UnsafeMutableRawPointer.allocate(byteCount: argument << 20, alignment: 64)
      memset(block, 1, argument << 20)
      block.deallocate()
    case "forbidden": answer(.malformed(where: "forbidden", what: "\(hdr_try_forbidden(Int32(argument)))"))
    case "close":
      close(CodecProtocol.socket)
      while true { sleep(1000) }
    case "quit": exit(Int32(argument))
    case "descriptors":
      let many = [Int32](repeating: CodecProtocol.memory, count: 8)
      for _ in 0..<argument / 8 { _ = hdr_send(CodecProtocol.socket, [0], 1, many, 8, 0) }
    case "drip":
      // A message that never ends.
      let head: [UInt8] = [0x31, 0x48, 0x44, 0x43, 18, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]
      _ = hdr_send(CodecProtocol.socket, head, 16, nil, 0, 0)
      while true {
        usleep(100_000)
        if hdr_send(CodecProtocol.socket, [0], 1, nil, 0, 0) != 0 { exit(0) }
      }
    case "lie": lie(argument, order)
    case "half": half(order)
    case "leftovers": leftovers(order)
    default: answer(.malformed(where: "test", what: "no such word"))
    }
  }

  private func answer(_ error: DecodeError) {
    send(.answer, WorkerAnswer<SourceImage>(.failure(.decode(error)), [:], inputDigest: nil))
  }

  private func fatalErrorWithoutMessage() {
    let empty: [Int] = []
    var index = 0
    withUnsafeMutablePointer(to: &index) { $0.pointee = Int(getpid()) }
    _ = empty[index]
  }

  /// A picture with false statements, by number.
  private func lie(_ seed: Int, _ order: DecodeOrder) {
    var state = UInt64(truncatingIfNeeded: seed) &* 0x9E37_79B9_7F4A_7C15 | 1
    func random() -> UInt64 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state
    }
    let image = SampleImage.planar(width: 64, height: 48, model: .rgb, format: .uint8, bitDepth: 8)
    let source = SourceImage(
      format: "jpeg", image: image,
      color: SourceColor(
        matrix: CICP.Matrix.identity, fullRange: true,
        encoding: .cicp(primaries: CICP.Primaries.bt709, transfer: CICP.Transfer.sRGB)),
      geometry: Geometry(width: 64, height: 48))
    var writer = WireWriter { _ in order.free.lowerBound }
    writer.put(WorkerAnswer<SourceImage>(.success(source), [:], inputDigest: nil))
    var bytes = writer.bytes
    for _ in 0..<1 + random() % 4 {
      let place = Int(random() % UInt64(bytes.count))
      bytes[place] = random() % 3 == 0 ? 0xFF : UInt8(truncatingIfNeeded: random())
    }
    _ = Frame(.answer, bytes).send(to: CodecProtocol.socket)
  }

  /// A decoder that leaves half of its memory as it was: the sum of its old contents would show pixels of other
  /// pictures.
  private func half(_ order: DecodeOrder) {
    PixelBuffer.zeroesAll = true
    defer { PixelBuffer.zeroesAll = false }
    var sum = 0
    for count in [4096, 1 << 20, 8 << 20] {
      let buffer = PixelBuffer(uninitializedByteCount: count)
      let bytes = buffer.base.assumingMemoryBound(to: UInt8.self)
      for index in 0..<count { sum += Int(bytes[index]) }
      memset(buffer.base, 0x5A, count / 2)
    }
    answer(.malformed(where: "half", what: "\(sum)"))
  }

  /// The sum of the free part of the shared memory's first 64 MiB.
  private func leftovers(_ order: DecodeOrder) {
    var sum = 0
    let bytes = memory.assumingMemoryBound(to: UInt8.self)
    for index in order.free.lowerBound..<min(order.free.upperBound, order.free.lowerBound + 64 << 20) {
      sum += Int(bytes[index])
    }
    answer(.malformed(where: "leftovers", what: "\(sum)"))
  }
}
