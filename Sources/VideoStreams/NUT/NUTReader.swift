import FileParts
import HDRCore

/// A reader of NUT files from a pipe: headers first, then packets one after the other. It never looks back.
///
/// Version 3 is read, as FFmpeg writes it; checksums are compared. An index and info packets are passed over, and headers
/// that are repeated must be those of the start. Values are not copied while they are read: a reader has one owner.
///
/// Source: "NUT Open Container Format" (FFmpeg and MPlayer, nut.txt).
package struct NUTReader<Input: ByteStream>: Sendable {
  /// The streams, by their numbers.
  package private(set) var streams: [NUTStream] = []
  private var cursor: StreamCursor<Input>
  private let main: NUTMainHeader
  /// The bodies of all headers, which later ones are compared with.
  private let mainBody: [UInt8]
  private var streamBodies: [[UInt8]] = []
  /// The last time stamp of each stream; `nil` until there was a syncpoint.
  private var lastPTS: [Int]?
  /// The rest of the payload of the last packet: elided bytes, and those in the file.
  private var elided: [UInt8] = []
  private var stored = 0

  /// Reads up to the last header.
  ///
  /// - Throws: `DecodeError` for a stream that is no NUT file, or that ends in a header.
  package init(_ input: Input) throws(DecodeError) {
    cursor = StreamCursor(input)
    cursor.place = "NUT file"
    guard try cursor.take(NUTPacketCode.fileID.count) == NUTPacketCode.fileID else {
      throw .malformed(where: cursor.place, what: "it begins otherwise")
    }
    guard case .main = try Self.code(&cursor, behind: cursor.u8()) else {
      throw .malformed(where: cursor.place, what: "the main header is not the first")
    }
    mainBody = try Self.body(.main, &cursor)
    main = try NUTMainHeader(mainBody)
    for id in 0..<main.streamCount {
      guard case .stream = try Self.code(&cursor, behind: cursor.u8()) else {
        throw .malformed(where: "NUT file", what: "stream \(id) of \(main.streamCount) has no header")
      }
      let body = try Self.body(.stream, &cursor), stream = try NUTStream(body, main)
      guard stream.id == id else {
        throw .malformed(where: cursor.place, what: "stream \(stream.id) in the place of stream \(id)")
      }
      streams.append(stream)
      streamBodies.append(body)
    }
  }

  /// Goes on to the next packet. What is not read of the last payload is passed over.
  ///
  /// - Returns: `nil` at the end of the stream, between two packets.
  package mutating func next() throws(DecodeError) -> NUTPacket? {
    try skipPayload()
    while try !cursor.isAtEnd {
      cursor.place = "NUT frame"
      cursor.checksum = NUTChecksum()
      let first = try cursor.u8()
      if first == NUTPacketCode.firstByte {
        try readPacket(try Self.code(&cursor, behind: first))
      } else if let packet = try frame(first) {
        return packet
      }
    }
    return nil
  }

  /// Reads the payload of the packet that `next` returned, once, into memory of its size.
  package mutating func readPayload(into memory: UnsafeMutableRawBufferPointer) throws(DecodeError) {
    precondition(memory.count == elided.count + stored, "the memory has another size than the payload")
    memory.copyBytes(from: elided)
    let rest = UnsafeMutableRawBufferPointer(rebasing: memory[elided.count...])
    (elided, stored) = ([], 0)
    try cursor.fill(rest)
  }

  /// Returns the payload of the packet that `next` returned, once.
  ///
  /// - Parameter limit: the most bytes that are taken.
  package mutating func payload(atMost limit: Int) throws(DecodeError) -> [UInt8] {
    let count = elided.count + stored
    guard count <= limit else { throw .limit(what: "bytes of a packet", found: count, allowed: limit) }
    let head = elided, rest = stored
    (elided, stored) = ([], 0)
    return head + (try cursor.take(rest))
  }

  private mutating func skipPayload() throws(DecodeError) {
    let rest = stored
    (elided, stored) = ([], 0)
    try cursor.pieces(rest) { _ in }
  }
}

// MARK: Packets with codes

extension NUTReader {
  /// Reads the rest of a packet's code.
  private static func code(
    _ cursor: inout StreamCursor<Input>, behind first: UInt8
  ) throws(DecodeError) -> NUTPacketCode {
    var code = UInt64(first)
    for _ in 0..<7 { code = code << 8 | UInt64(try cursor.u8()) }
    guard let known = NUTPacketCode(rawValue: code) else {
      throw .malformed(where: "NUT file", what: "no packet begins with 0x\(String(code, radix: 16))")
    }
    return known
  }

  /// Reads a packet behind its code and returns its body without the checksum; of an index and an info packet, which
  /// need not fit into memory, nothing.
  private static func body(_ code: NUTPacketCode, _ cursor: inout StreamCursor<Input>) throws(DecodeError) -> [UInt8] {
    cursor.place = code.name
    let isKept = code != .index && code != .info
    var head = NUTChecksum(code.bytes)
    cursor.checksum = head
    let count = try cursor.nutNumber(
      atMost: isKept ? NUTLimits.headerBytes + 4 : NUTLimits.skippedBytes, "forward_ptr")
    head = cursor.checksum
    func check(_ found: NUTChecksum) throws(DecodeError) {
      var stated: UInt32 = 0
      for _ in 0..<4 { stated = stated << 8 | UInt32(try cursor.u8()) }
      guard stated == found.value else { throw .malformed(where: code.name, what: "the checksum is wrong") }
    }
    // A long packet has a checksum of its head (NUT specification, "header_checksum").
    if count > 4096 { try check(head) }
    guard count >= 4 else { throw .malformed(where: code.name, what: "it has \(count) bytes") }
    var bytes: [UInt8] = [], sum = NUTChecksum()
    try cursor.pieces(count - 4) { piece in
      sum.add(piece)
      if isKept { bytes.append(contentsOf: piece) }
    }
    try check(sum)
    return bytes
  }

  private mutating func readPacket(_ code: NUTPacketCode) throws(DecodeError) {
    let body = try Self.body(code, &cursor)
    switch code {
    case .main:
      guard body == mainBody else { throw .malformed(where: code.name, what: "a later one differs from the first") }
    case .stream:
      let stream = try NUTStream(body, main)
      guard body == streamBodies[stream.id] else {
        throw .malformed(where: code.name, what: "a later one of stream \(stream.id) differs from the first")
      }
    case .syncpoint:
      var reader = ByteReader(body, place: code.name)
      let stamp = try reader.nutNumber(), count = main.timeBases.count
      let base = main.timeBases[stamp % count]
      lastPTS = try streams.map { stream throws(DecodeError) in
        try Self.converted(stamp / count, base, to: stream.timeBase)
      }
    case .index, .info: break
    }
  }

  /// Returns a stamp in units of another time base, rounded down (NUT specification, "convert_ts").
  private static func converted(_ stamp: Int, _ from: TimeBase, to: TimeBase) throws(DecodeError) -> Int {
    // Below 2^62 each: the parts of time bases are below 2^31.
    let factor = from.numerator * to.denominator, divisor = from.denominator * to.numerator
    let product = stamp.multipliedFullWidth(by: factor), limit = divisor.multipliedFullWidth(by: 1 << 61)
    guard (product.high, product.low) < (limit.high, limit.low) else {
      throw .malformed(where: NUTPacketCode.syncpoint.name, what: "its time is beyond all clocks")
    }
    return divisor.dividingFullWidth(product).quotient
  }
}

// MARK: Frames

extension NUTReader {
  /// Reads the head of a frame; `nil` for one that only ends its stream.
  private mutating func frame(_ first: UInt8) throws(DecodeError) -> NUTPacket? {
    func malformed(_ what: String) -> DecodeError { .malformed(where: cursor.place, what: what) }
    guard lastPTS != nil else { throw malformed("it comes before the first syncpoint") }
    let row = main.frameCodes[Int(first)]
    var flags = NUTFrameFlags(rawValue: row.flags)
    if flags.contains(.coded) {
      flags.formSymmetricDifference(NUTFrameFlags(rawValue: try cursor.nutNumber(atMost: 1 << 20, "coded_flags")))
    }
    guard !flags.contains(.invalid) else { throw malformed("its code \(first) stands for none") }
    guard !flags.contains(.sideData) else { throw .unsupported(feature: "side data in NUT", found: "a frame with it") }
    let id = flags.contains(.streamID) ? try cursor.nutNumber(atMost: streams.count - 1, "stream_id") : row.stream
    let stream = streams[id], last = lastPTS?[id] ?? 0
    let pts = try flags.contains(.codedPTS) ? stamp(stream, behind: last) : sum(last, row.ptsDelta)
    var size = row.size
    if flags.contains(.sizeMSB) {
      let (product, overflows) = row.sizeFactor.multipliedReportingOverflow(by: try cursor.nutNumber())
      guard !overflows, product <= 1 << 60 else { throw malformed("its size is beyond all memory") }
      size += product
    }
    if flags.contains(.matchTime) { _ = try cursor.nutSigned() }
    var header = row.elisionHeader
    if flags.contains(.headerIndex) { header = try cursor.nutNumber(atMost: NUTLimits.elisionHeaders, "header_idx") }
    var reserved = row.reservedCount
    if flags.contains(.reserved) {
      reserved = try cursor.nutNumber(atMost: NUTLimits.reservedFields, "reserved_count")
    }
    for _ in 0..<reserved { _ = try cursor.nutNumber() }
    // Large frames leave nothing out (NUT specification, "header_idx").
    if size > 4096 { header = 0 }
    guard header < main.elisionHeaders.count, main.elisionHeaders[header].count <= size else {
      throw malformed("its elision header \(header) is none, or longer than the frame")
    }
    try checkHead(flags, size: size, distance: abs(pts - last), stream)
    lastPTS?[id] = pts
    elided = main.elisionHeaders[header]
    stored = size - elided.count
    if flags.contains(.endOfRelevance), size == 0 { return nil }
    return NUTPacket(stream: id, pts: pts, isKey: flags.contains(.key), byteCount: size)
  }

  /// Reads a frame's own time stamp: the low bits of one near the last, or a whole one (NUT specification,
  /// "coded_pts").
  private mutating func stamp(_ stream: NUTStream, behind last: Int) throws(DecodeError) -> Int {
    let coded = try cursor.nutNumber(), range = 1 << stream.ptsBits
    guard coded < range else { return try sum(coded, -range) }
    let mask = range - 1, lowest = try sum(last, -(mask / 2))
    return try sum((coded - lowest) & mask, lowest)
  }

  /// Adds two times; a sum beyond 2^61 ends the file.
  private func sum(_ a: Int, _ b: Int) throws(DecodeError) -> Int {
    let (sum, overflows) = a.addingReportingOverflow(b)
    guard !overflows, abs(sum) < 1 << 61 else {
      throw .malformed(where: cursor.place, what: "its time is beyond all clocks")
    }
    return sum
  }

  /// Compares the checksum of a frame's head. Frames that are large or far from the last must have one (NUT
  /// specification, "FLAG_CHECKSUM").
  private mutating func checkHead(
    _ flags: NUTFrameFlags, size: Int, distance: Int, _ stream: NUTStream
  ) throws(DecodeError) {
    let found = cursor.checksum.value
    guard flags.contains(.checksum) else {
      guard size <= 2 * main.maxDistance, distance <= stream.maxPTSDistance else {
        throw .malformed(where: cursor.place, what: "it is large, or far from the last, and has no checksum")
      }
      return
    }
    var stated: UInt32 = 0
    for _ in 0..<4 { stated = stated << 8 | UInt32(try cursor.u8()) }
    guard stated == found else { throw .malformed(where: cursor.place, what: "the checksum of its head is wrong") }
  }
}
