import CForbidden
import CPlatform
import CSandbox
import CodecProcess
import CodecService
import Glibc
import HDRCore

/// Steps that do what they are ordered.
struct HostileSteps: WorkerSteps {
  /// Of the whole process.
  let standing: Misdeed?

  init(_ arguments: [String]) { standing = Order(arguments: arguments)?.misdeed }

  func lockIn() -> hdr_lockdown { standing == .unlocked ? hdr_lockdown() : hdr_lock_down() }

  /// Returns for inputs that order nothing, and after misdeeds that leave the answer to the decoder.
  func beforeDecoding(_ bytes: [UInt8], _ order: DecodeOrder, _ worker: Worker) {
    guard let ordered = Order(input: bytes) else { return }
    let number = ordered.number
    switch ordered.misdeed {
    case .signal: die(of: Int32(number))
    case .fault: UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1
    case .trap: trap()
    case .sleep: sleepForEver()
    case .spin:
      while true { _ = hdr_own_cpu_seconds() }
    case .allocate:
      let block = UnsafeMutableRawPointer.allocate(byteCount: number << 20, alignment: 64)
      memset(block, 1, number << 20)
      block.deallocate()
    case .forbidden: worker.answer("forbidden", Int(try_forbidden(Int32(number))))
    case .close:
      close(CodecProtocol.socket)
      sleepForEver()
    case .quit: exit(Int32(number))
    case .descriptors:
      let many = [Int32](repeating: CodecProtocol.memory, count: 8)
      for _ in 0..<number / 8 { _ = hdr_send(CodecProtocol.socket, [0], 1, many, 8, 0) }
    case .drip: drip()
    case .lie: lie(number, order)
    case .half: half(worker)
    case .leftovers: leftovers(order, worker)
    case .unlocked: exit(99)
    }
  }

  private func die(of number: Int32) {
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, number)
    signal(number, SIG_DFL)
    sigprocmask(SIG_UNBLOCK, &set, nil)
    raise(number)
  }

  private func sleepForEver() -> Never {
    while true { sleep(1000) }
  }

  private func trap() {
    let empty: [Int] = []
    var index = 0
    withUnsafeMutablePointer(to: &index) { $0.pointee = Int(getpid()) }
    _ = empty[index]
  }

  private func drip() -> Never {
    let head: [UInt8] = [0x31, 0x48, 0x44, 0x43, 18, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]
    _ = hdr_send(CodecProtocol.socket, head, 16, nil, 0, 0)
    while true {
      usleep(100_000)
      if hdr_send(CodecProtocol.socket, [0], 1, nil, 0, 0) != 0 { exit(0) }
    }
  }

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

  /// The sum of the memory's old contents would show pixels of other pictures.
  private func half(_ worker: Worker) {
    PixelBuffer.zeroesAll = true
    defer { PixelBuffer.zeroesAll = false }
    var sum = 0
    for count in [4096, 1 << 20, 8 << 20] {
      let buffer = PixelBuffer(uninitializedByteCount: count)
      let bytes = buffer.base.assumingMemoryBound(to: UInt8.self)
      for index in 0..<count { sum += Int(bytes[index]) }
      memset(buffer.base, 0x5A, count / 2)
    }
    worker.answer("half", sum)
  }

  /// Of the free part's first 64 MiB.
  private func leftovers(_ order: DecodeOrder, _ worker: Worker) {
    var sum = 0
    let bytes = worker.memory.assumingMemoryBound(to: UInt8.self)
    for index in order.free.lowerBound..<min(order.free.upperBound, order.free.lowerBound + 64 << 20) {
      sum += Int(bytes[index])
    }
    worker.answer("leftovers", sum)
  }
}

extension Worker {
  /// Answers with a number: `WORD: NUMBER`.
  fileprivate func answer(_ word: String, _ number: Int) {
    let error = CodecError.decode(.malformed(where: word, what: "\(number)"))
    send(.answer, WorkerAnswer<SourceImage>(.failure(error), [:], inputDigest: nil))
  }
}
