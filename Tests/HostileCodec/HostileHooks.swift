import CForbidden
import CPlatform
import CSandbox
import CodecProcess
import CodecService
import Glibc
import HDRCore
import ImageFiles

/// Hooks that do what they are ordered.
struct HostileHooks: CodecProcessHooks {
  /// The misdeed of the whole process.
  let standing: Misdeed?

  init(_ arguments: [String]) { standing = Order(arguments: arguments)?.misdeed }

  func lockIn() -> hdr_lockdown {
    switch standing {
    case .stillborn: die(of: SIGKILL)
    case .late: sleep(21)
    case .unlocked: return hdr_lockdown()
    case .pretending:
      var said = hdr_lockdown()
      (said.landlock, said.seccomp) = (6, 1)
      return said
    default: break
    }
    return hdr_lock_down()
  }

  /// Returns for inputs that order nothing, and after misdeeds that leave the answer to the decoder.
  func beforeDecoding(_ bytes: [UInt8], _ order: DecodeOrder, _ loop: OrderLoop) {
    if Self.hasEncoded { return loop.answer("it has encoded", 1) }
    if standing == .picture, order.request == .pixels, order.limits.reading.number == 3 { die(of: SIGSEGV) }
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
    case .forbidden: loop.answer("forbidden", Int(try_forbidden(Int32(number))))
    case .close:
      close(CodecProtocol.socket)
      sleepForEver()
    case .quit: exit(Int32(number))
    case .descriptors:
      let many = [Int32](repeating: CodecProtocol.socket, count: 8)
      for _ in 0..<number / 8 { _ = sendRaw([0], many) }
    case .drip: drip()
    case .lie: lie(number, order)
    case .rows: rows(order)
    case .text: loop.answer(String(repeating: "\u{1B}[31m e\u{301} ", count: number << 16), number)
    case .warnings: warnings(number, order)
    case .emptyWarnings: emptyWarnings(number * 1_000_000, order)
    case .pictures:
      small(order) { $0.pictures = Array(repeating: FilePicture(name: "", width: 1, height: 1), count: number * 1000) }
    case .metadata: small(order) { $0.exif = Array(repeating: 0, count: number << 20) }
    case .fill: fill(number, order, loop)
    case .elsewhere: elsewhere(number, order)
    case .scan: scan(number, order, loop)
    case .half: half(loop)
    case .leftovers: leftovers(order, loop)
    case .spoil: spoil(number, order)
    case .picture, .stillborn, .late, .unlocked, .pretending, .rewriting, .shrinking: exit(99)
    }
  }

  /// True once the process has encoded: none may decode and encode.
  nonisolated(unsafe) private static var hasEncoded = false

  func afterEncoding(_ descriptors: [Int32], _ loop: OrderLoop) {
    Self.hasEncoded = true
    switch standing {
    case .rewriting:
      // From now on, as fast as it goes, also while the parent reads. fstat(3) of libc is no call that is allowed.
      let size = Int(lseek(descriptors[0], 0, SEEK_END))
      guard let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptors[0], 0), memory != MAP_FAILED
      else { exit(97) }
      for round in 0..<200 { memset(memory, Int32(round & 0xFF), size) }
    case .shrinking: ftruncate(descriptors[0], 1)
    default: break
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
    _ = sendRaw(head)
    while true {
      usleep(100_000)
      if sendRaw([0]) != 0 { exit(0) }
    }
  }

  /// Bytes that need not be a message.
  private func sendRaw(_ bytes: [UInt8], _ descriptors: [Int32] = []) -> Int32 {
    bytes.withUnsafeBytes {
      var piece = iovec(iov_base: UnsafeMutableRawPointer(mutating: $0.baseAddress), iov_len: $0.count)
      return hdr_send(CodecProtocol.socket, &piece, 1, descriptors, Int32(descriptors.count), 0)
    }
  }

  /// Declares a picture and waits until it is admitted.
  ///
  /// - Returns: bytes of the shared memory that may be used.
  private func admitted(width: Int, height: Int, bytes: Int) -> Int {
    let head = DecodeHead(
      width: width, height: height, pixels: width * height, bytes: bytes, mapPixels: 0, pixelBytes: 3)
    _ = CodecMessage(.head, head.bytes).send(to: CodecProtocol.socket)
    guard let (answer, _) = try? CodecMessage.receive(from: CodecProtocol.socket, maxBytes: 8), answer.kind == .go
    else {
      exit(96)
    }
    var reader = WireReader(answer.body)
    return (try? reader.take(Int.self)) ?? 0
  }

  private func source(_ image: SampleImage) -> SourceImage {
    SourceImage(
      format: .jpeg, image: image,
      color: SourceColor(
        matrix: CICP.Matrix.identity, fullRange: true,
        encoding: .cicp(primaries: CICP.Primaries.bt709, transfer: CICP.Transfer.sRGB)),
      geometry: Geometry(width: image.width, height: image.height))
  }

  private func answer(_ source: SourceImage, _ order: DecodeOrder) {
    var writer = WireWriter { _ in order.free.lowerBound }
    writer.put(AnswerMessage<SourceImage>(.success(source), [:], inputDigest: nil))
    _ = CodecMessage(.answer, writer.bytes).send(to: CodecProtocol.socket)
  }

  /// Never returns to what hdrbatch-codec does.
  private func spoil(_ number: Int, _ first: DecodeOrder) -> Never {
    let image = SampleImage.planar(width: 64, height: 48, model: .rgb, format: .uint8, bitDepth: 8)
    func answer(_ order: DecodeOrder, digest: Digest?) {
      _ = admitted(width: 64, height: 48, bytes: 64 * 48 * 3)
      var writer = WireWriter { _ in order.free.lowerBound }
      writer.put(AnswerMessage<SourceImage>(.success(source(image)), [:], inputDigest: digest))
      _ = CodecMessage(.answer, writer.bytes).send(to: CodecProtocol.socket)
    }
    answer(first, digest: nil)
    while let (message, _) = try? CodecMessage.receive(from: CodecProtocol.socket, maxBytes: 1 << 20, descriptors: 2) {
      var reader = WireReader(message.body)
      guard let order = try? reader.take(DecodeOrder.self) else { exit(95) }
      switch number {
      case 1: _ = sendRaw([UInt8](repeating: 7, count: 64))
      case 2:
        let error = CodecError.decode(.malformed(where: "it", what: "a lie"))
        let answer = AnswerMessage<SourceImage>(.failure(error), [:], inputDigest: nil)
        _ = CodecMessage(.answer, answer.bytes).send(to: CodecProtocol.socket)
      default: answer(order, digest: Digest(of: []))
      }
    }
    exit(0)
  }

  /// Answers with one row, and a distance to the next that overflows when it is multiplied.
  private func rows(_ order: DecodeOrder) {
    _ = admitted(width: 64, height: 1, bytes: 192)
    var image = SampleImage.planar(width: 64, height: 1, model: .rgb, format: .uint8, bitDepth: 8)
    for index in image.channels.indices { image.channels[index].rowBytes = 0x3fff_ffff_ffff_ff00 }
    answer(source(image), order)
  }

  /// Answers with a small picture, as changed.
  private func small(_ order: DecodeOrder, _ change: (inout SourceImage) -> Void) {
    if order.request == .pixels { _ = admitted(width: 64, height: 48, bytes: 64 * 48 * 3) }
    var source = source(SampleImage.planar(width: 64, height: 48, model: .rgb, format: .uint8, bitDepth: 8))
    change(&source)
    answer(source, order)
  }

  private func warnings(_ count: Int, _ order: DecodeOrder) {
    small(order) { source in
      source.warnings = (0..<count).map { Warning("hostile.\($0)", "\(String(repeating: "w", count: 1 << 16))") }
    }
  }

  /// Answers with zeros after the count of warnings: two empty texts each.
  private func emptyWarnings(_ count: Int, _ order: DecodeOrder) {
    if order.request == .pixels { _ = admitted(width: 64, height: 48, bytes: 64 * 48 * 3) }
    var writer = WireWriter { _ in order.free.lowerBound }
    var marked = source(SampleImage.planar(width: 64, height: 48, model: .rgb, format: .uint8, bitDepth: 8))
    marked.photoshop = Array("before the warnings".utf8)
    writer.put(AnswerMessage<SourceImage>(.success(marked), [:], inputDigest: nil))
    let bytes = writer.bytes, mark = Array("before the warnings".utf8)
    guard let place = bytes.indices.first(where: { bytes[$0...].starts(with: mark) }) else { exit(95) }
    let end = place + mark.count
    var head = Array(bytes[..<end])
    withUnsafeBytes(of: UInt64(count).littleEndian) { head.append(contentsOf: $0) }
    let message = CodecMessage(.answer, head + [UInt8](repeating: 0, count: 16 * count) + bytes[(end + 8)...])
    _ = message.send(to: CodecProtocol.socket)
  }

  /// Writes to the given place in the shared memory, then N MiB after that.
  private func fill(_ megabytes: Int, _ order: DecodeOrder, _ loop: OrderLoop) {
    let room = admitted(width: 64, height: 48, bytes: 64 * 48 * 3)
    memset(loop.memory + order.free.lowerBound, 1, room)
    memset(loop.memory + order.free.lowerBound + room, 1, megabytes << 20)
    loop.answer("filled", megabytes)
  }

  /// Answers an order to decode with a picture, any other with payloads.
  private func elsewhere(_ number: Int, _ order: DecodeOrder) {
    let places = [order.free.lowerBound - 64, order.free.upperBound - 64, 1 << 62]
    let bytes = [UInt8](repeating: 0, count: CodecProtocol.placedBytes)
    var writer = WireWriter(place: { _ in order.free.lowerBound }, placeData: { _ in places[number - 1] })
    if order.request == .pixels {
      _ = admitted(width: 64, height: 48, bytes: 64 * 48 * 3)
      var source = source(SampleImage.planar(width: 64, height: 48, model: .rgb, format: .uint8, bitDepth: 8))
      source.exif = bytes
      writer.put(AnswerMessage<SourceImage>(.success(source), [:], inputDigest: nil))
    } else {
      let coded = CodedRenditions(base: .jpegStream(bytes), map: nil)
      writer.put(AnswerMessage<CodedRenditions>(.success(coded), [:], inputDigest: nil))
    }
    _ = CodecMessage(.answer, writer.bytes).send(to: CodecProtocol.socket)
  }

  private func scan(_ number: Int, _ order: DecodeOrder, _ loop: OrderLoop) {
    _ = admitted(width: 64, height: 48, bytes: 64 * 48 * 3)
    let place = order.free.lowerBound, words = [UInt32](repeating: 0x1234_5678, count: 1 << 14)
    let codes = JPEGCodes.standard
    var scan = JPEGSourceScan(
      width: 64, height: 48, chroma: .none,
      tables: [
        JPEGSourceScan.Tables(
          quantisers: [UInt16](repeating: 1, count: 64), dc: codes[JPEGCodeTable.lumaDC.rawValue],
          ac: codes[JPEGCodeTable.lumaAC.rawValue])
      ], restartInterval: 0, starts: [0], bytes: 4 * words.count - JPEGSourceScan.padding, words: words)
    switch number {
    case 1: scan.starts = [1 << 20]
    case 2: scan.tables[0].dc.counts[0] = 3
    case 3: scan.bytes += 1
    default: break
    }
    var image = SampleImage(
      width: 64, height: 48, model: .grey, format: .uint8, bitDepth: 8, chroma: .none, siting: .center, channels: [])
    image.handover = .scan(scan)
    var writer = WireWriter(
      place: { _ in place },
      placeData: { bytes in
        memcpy(loop.memory + place, bytes, bytes.count)
        return number == 4 ? place - 64 : place
      })
    writer.put(AnswerMessage<SourceImage>(.success(source(image)), [:], inputDigest: nil))
    _ = CodecMessage(.answer, writer.bytes).send(to: CodecProtocol.socket)
    usleep(300_000)
    memset(loop.memory + place, 0xFF, 4 * words.count)
  }

  private func lie(_ seed: Int, _ order: DecodeOrder) {
    _ = admitted(width: 64, height: 48, bytes: 64 * 48 * 3)
    var state = UInt64(truncatingIfNeeded: seed) &* 0x9E37_79B9_7F4A_7C15 | 1
    func random() -> UInt64 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state
    }
    let source = source(SampleImage.planar(width: 64, height: 48, model: .rgb, format: .uint8, bitDepth: 8))
    var writer = WireWriter { _ in order.free.lowerBound }
    writer.put(AnswerMessage<SourceImage>(.success(source), [:], inputDigest: nil))
    var bytes = writer.bytes
    for _ in 0..<1 + random() % 4 {
      let place = Int(random() % UInt64(bytes.count))
      bytes[place] = random() % 3 == 0 ? 0xFF : UInt8(truncatingIfNeeded: random())
    }
    _ = CodecMessage(.answer, bytes).send(to: CodecProtocol.socket)
  }

  /// The sum of what was left in memory that a decoder gets would show pixels of other pictures.
  private func half(_ loop: OrderLoop) {
    var sum = 0
    for count in [4096, 1 << 20, 8 << 20] {
      let buffer = PixelBuffer(uninitializedByteCount: count)
      let bytes = buffer.base.assumingMemoryBound(to: UInt8.self)
      for index in 0..<count { sum += Int(bytes[index]) }
      memset(buffer.base, 0x5A, count / 2)
    }
    loop.answer("half", sum)
  }

  private func leftovers(_ order: DecodeOrder, _ loop: OrderLoop) {
    var sum = 0
    let room = admitted(width: 4096, height: 4096, bytes: 48 << 20)
    let bytes = loop.memory.assumingMemoryBound(to: UInt8.self)
    for index in order.free.lowerBound..<order.free.lowerBound + room {
      sum += Int(bytes[index])
    }
    loop.answer("leftovers", sum)
  }
}

extension OrderLoop {
  /// Answers with a number: `WORD: NUMBER`.
  fileprivate func answer(_ word: String, _ number: Int) {
    let error = CodecError.decode(.malformed(where: word, what: "\(number)"))
    send(.answer, AnswerMessage<SourceImage>(.failure(error), [:], inputDigest: nil))
  }
}
