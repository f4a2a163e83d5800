import CodecService
import Glibc
import Synchronization
import Testing
import Threads

/// Messages on a socket. Long data in them are pieces of their own on the sender's side.
@Suite struct CodecMessageTests {
  /// Sends a message through a socket whose buffer is far smaller, by a thread that waits for room.
  private func sent(_ message: CodecMessage, _ descriptors: [Int32] = [], seconds: Double) throws -> (
    CodecMessage, [Int32]
  ) {
    var ends: [Int32] = [0, 0]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    var room: Int32 = 4096
    setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &room, socklen_t(MemoryLayout<Int32>.size))
    let sender = ends[0], receiver = ends[1], result = Mutex<Int32>(-2)
    let thread = WorkerThread(name: "sender") {
      let code = message.send(to: sender, descriptors, seconds: seconds)
      result.withLock { $0 = code }
    }
    defer {
      thread.join()
      #expect(result.withLock { $0 } == 0)
      for end in ends { close(end) }
    }
    return try CodecMessage.receive(from: receiver, maxBytes: 1 << 24, seconds: seconds, descriptors: 8)
  }

  /// Lists of bytes below and above what is sent without a copy, with numbers between them; more than there are pieces.
  private static let lists: [[UInt8]] = (0..<24).map { index in
    (0..<[0, 1, 16_383, 16_384, 70_001][index % 5]).map { UInt8(truncatingIfNeeded: 31 * $0 + index) }
  }

  private static var writer: WireWriter {
    var writer = WireWriter()
    for (index, list) in lists.enumerated() {
      writer.put(list)
      writer.put(index)
    }
    return writer
  }

  @Test("what was put in pieces comes in one, byte for byte", arguments: [0.0, 30])
  func pieces(seconds: Double) throws {
    let writer = Self.writer
    #expect(writer.pieces.count > 10 && writer.byteCount == writer.bytes.count)
    let message = CodecMessage(.answer, writer)
    let (received, _) = try sent(message, seconds: seconds)
    #expect(received.kind == .answer && received.body == writer.bytes && message.body == writer.bytes)
    var reader = WireReader(received.body)
    for (index, list) in Self.lists.enumerated() {
      #expect(try reader.take([UInt8].self) == list)
      #expect(try reader.take(Int.self) == index)
    }
    try reader.end()
  }

  @Test("an empty body is a message, too, and descriptors come with the first bytes")
  func descriptors() throws {
    #expect(try sent(CodecMessage(.go, []), seconds: 5).0.body.isEmpty)
    let (message, found) = try sent(CodecMessage(.encode, Self.writer), [0, 1, 2], seconds: 5)
    #expect(found.count == 3 && message.body.count == Self.writer.byteCount)
    for descriptor in found { close(descriptor) }
  }

  @Test("a longer body than is allowed is refused before it is read")
  func tooLong() throws {
    var ends: [Int32] = [0, 0]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    defer { for end in ends { close(end) } }
    #expect(CodecMessage(.answer, [UInt8](repeating: 7, count: 101)).send(to: ends[0]) == 0)
    #expect(throws: CodecMessage.Failure.malformed("a message of 101 bytes")) {
      try CodecMessage.receive(from: ends[1], maxBytes: 100, seconds: 5)
    }
  }

  @Test("who does not read is given up when the time is over")
  func timeout() throws {
    var ends: [Int32] = [0, 0]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    defer { for end in ends { close(end) } }
    #expect(CodecMessage(.answer, [UInt8](repeating: 7, count: 1 << 22)).send(to: ends[0], seconds: 0.05) == ETIMEDOUT)
  }
}
