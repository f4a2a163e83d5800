import FileParts
import HDRCore
import ImageFiles
import TestSupport
import Testing

/// Deflate in chunks: streams that readers of others inflate to the same bytes, whatever these are.
@Suite struct DeflateChunkTests {
  enum Bytes: CaseIterable {
    case zeros, noise, halfNoise, runs, repeats, rareCodes
  }

  /// Makes so many bytes.
  static func bytes(_ kind: Bytes, _ count: Int) -> [UInt8] {
    var random = SplitMix(state: UInt64(count))
    // Symbols that occur as often as Fibonacci's numbers have the longest codes, of more than 15 bits if they may.
    var rare: [UInt8] = [], pair = (1, 1), symbol: UInt8 = 0
    while kind == .rareCodes, rare.count < count {
      rare += [UInt8](repeating: symbol, count: pair.0)
      pair = (pair.1, pair.0 + pair.1)
      symbol &+= 1
    }
    return (0..<count).map { index in
      switch kind {
      case .zeros: 0
      case .noise: UInt8(random.next() & 255)
      case .halfNoise: index & 1 == 0 ? 0 : UInt8(random.next() & 255)
      case .runs: UInt8(index / 700 & 255)
      case .repeats: UInt8(truncatingIfNeeded: index % 259 * (1 + index / 4100))
      // In an order without matches.
      case .rareCodes: rare[index * 7919 % count]
      }
    }
  }

  private static func stream(_ bytes: [UInt8], chunk: Int) -> [UInt8] {
    let coder = DeflateChunkCoder(chunkBytes: chunk)
    var made = ChunkedStream.head, sum = AdlerSum()
    bytes.withUnsafeBytes { all in
      for start in stride(from: 0, to: all.count, by: chunk) {
        let part = UnsafeRawBufferPointer(rebasing: all[start..<min(start + chunk, all.count)])
        let most = DeflateChunkCoder.mostBytes(part.count)
        let room = PixelBuffer(uninitializedByteCount: most + 64)
        let count = coder.code(part, into: room.base)
        #expect(count <= most)
        made += UnsafeRawBufferPointer(start: room.base, count: count)
        sum.append(AdlerSum(part))
      }
    }
    return made + ChunkedStream.tail(sum)
  }

  @Test("chunks come back as they were", arguments: Bytes.allCases)
  func chunksComeBack(_ kind: Bytes) throws {
    for count in [1, 2, 3, 4, 5, 257, 258, 262, 4095, 4096, 4097, 4100, 70_000] {
      let bytes = Self.bytes(kind, count)
      for chunk in [count, 4096, 30_001] where chunk <= count {
        #expect(try DeflateTests.inflate(Self.stream(bytes, chunk: chunk), count: count) == bytes, "\(count), \(chunk)")
      }
    }
  }

  @Test("codes have 15 bits at most and use all of them, however rare symbols are")
  func codesAreComplete() {
    var fibonacci = [UInt32](repeating: 0, count: DeflateCodes.count)
    var pair: (UInt32, UInt32) = (1, 1)
    for symbol in 0..<32 {
      fibonacci[symbol] = pair.0
      pair = (pair.1, pair.0 + pair.1)
    }
    let none = [UInt32](repeating: 0, count: DeflateCodes.count)
    let all = [UInt32](repeating: 1 << 22, count: DeflateCodes.count)
    for counts in [fibonacci, none, all] {
      let words = counts.withUnsafeBufferPointer { DeflateCodes(counts: $0).words }
      for tree in [words[..<DeflateCodes.literals], words[DeflateCodes.literals...]] {
        let lengths = tree.map { Int($0 >> 16) }
        #expect(lengths.allSatisfy { $0 <= 15 })
        let shares = lengths.filter { $0 > 0 }.map { length -> Int in 1 << (15 - length) }
        #expect(shares.reduce(0, +) == 1 << 15)
      }
      for (symbol, count) in counts.enumerated() {
        #expect((words[symbol] != 0) == (count > 0 || DeflateCodes.isForced(symbol)))
      }
    }
  }

  @Test("lengths and distances have the symbols of RFC 1951")
  func symbols() {
    let lengths = [
      (3, 257, 0, 0), (10, 264, 0, 0), (11, 265, 0, 1), (12, 265, 1, 1), (13, 266, 0, 1), (18, 268, 1, 1),
      (19, 269, 0, 2), (115, 280, 0, 4), (131, 281, 0, 5), (257, 284, 30, 5), (258, 285, 0, 0),
    ]
    for (length, symbol, extra, bits) in lengths {
      #expect(DeflateSegment.symbol(length: length) == (symbol, extra, bits))
    }
    let distances = [(1, 0, 0, 0), (4, 3, 0, 0), (5, 4, 0, 1), (8, 5, 1, 1), (9, 6, 0, 2), (4096, 23, 1023, 10)]
    for (distance, symbol, extra, bits) in distances {
      #expect(DeflateSegment.symbol(distance: distance) == (DeflateCodes.literals + symbol, extra, bits))
    }
  }

  @Test("checksums of parts are joined to that of the whole")
  func checksums() {
    let bytes = Self.bytes(.noise, 20_000) + [UInt8](repeating: 255, count: 20_000)
    var sums = (a: 1, b: 0)
    for byte in bytes {
      sums.a = (sums.a + Int(byte)) % 65_521
      sums.b = (sums.b + sums.a) % 65_521
    }
    for part in [1, 4096, 5000, 40_000] {
      var sum = AdlerSum()
      for start in stride(from: 0, to: bytes.count, by: part) {
        bytes[start..<min(start + part, bytes.count)].withUnsafeBytes { sum.append(AdlerSum($0)) }
      }
      #expect(Int(sum.value) == sums.b << 16 | sums.a)
    }
    #expect(AdlerSum(sum: 65_521, sums: 0, count: 1) == nil && AdlerSum(sum: 0, sums: 65_521, count: 1) == nil)
  }

  @Test("samples of PNG and TIFF come back, and files do not depend on threads")
  func samplesComeBack() throws {
    // OpenEXR drops colour where alpha is 0; EXRWriterTests has other pictures.
    for (kind, bits) in Self.deflatedKinds where kind != .exr {
      for (width, height) in [(1, 1), (7, 5), (1, 40), (301, 200), (3000, 40)] {
        for hasAlpha in [false, true] {
          let image = Writer.picture(for: kind, width, height, bits: bits)
          var request = Writer.request(kind, image, hasAlpha: hasAlpha)
          (request.coding.deflatesInChunks, request.coding.exrCompression) = (true, .zipGPU)
          let files = try encodeImage(request)
          try verifyEncoded(files, request)
          let codes = TIFFTests.codes(image).enumerated().filter { hasAlpha || $0.offset % 4 < 3 }.map(\.element)
          #expect(TIFFTests.codes(try decodeImage(files.main).image) == codes, "\(kind) \(bits), \(width)x\(height)")
          request.threads = 3
          #expect(try encodeImage(request).main == files.main)
        }
      }
    }
  }

  /// Returns the line of a request's rows.
  private static func line(_ request: EncodeRequest) -> DeflateLine {
    let width = request.image.width, channels = request.hasAlpha ? 4 : 3
    switch (request.kind.format, request.image.format) {
    case (.png, let format): return .png(PNGLine(width: width, sampleBytes: format.bytes, keepsAlpha: channels == 4))
    case (.exr, _): return .exr(EXRLine(width: width, channels: channels))
    case (_, .float16): return .tiff(TIFFLine(.halves, width: width, channels: channels))
    case (_, .float32): return .tiff(TIFFLine(.floats, width: width, channels: channels))
    default: return .tiff(TIFFLine(.integers, width: width, channels: channels))
    }
  }

  /// Returns the streams that a device makes of a picture's rows.
  private static func deflated(_ image: SampleImage, _ line: DeflateLine) -> DeflatedRows {
    let planes = image.channels + [image.alpha].compactMap(\.self), layout = DeflateLayout(line, height: image.height)
    let places = planes.map { (base: UInt(bitPattern: $0.buffer.base) + UInt($0.offset), rowBytes: $0.rowBytes) }
    @Sendable func row(_ plane: Int, _ y: Int) -> UnsafeRawPointer {
      UnsafeRawPointer(bitPattern: places[plane].base + UInt(y * places[plane].rowBytes))!
    }
    return withExtendedLifetime(image) {
      if line.joinsChunks { return DeflatedRows(line, [chunkedStream(layout, threads: 2, row: row)]) }
      let coder = DeflateChunkCoder(chunkBytes: layout.chunkBytes)
      let streams = (0..<layout.chunkCount).map { chunk in
        let bytes = PixelBuffer(byteCount: layout.chunkBytes + 8), count = layout.bytes(ofChunk: chunk)
        layout.fill(chunk, into: bytes.base, row: row)
        return [UInt8](unsafeUninitializedCapacity: DeflateChunkCoder.mostStreamBytes(count)) { memory, size in
          size = coder.stream(UnsafeRawBufferPointer(start: bytes.base, count: count), into: memory.baseAddress!)
        }
      }
      return DeflatedRows(line, streams)
    }
  }

  static let deflatedKinds = [OutputKind.pqPNG, .sdrPNG, .pqTIFF, .linearTIFF, .exr].flatMap { kind in
    kind.bitDepths.map { (kind, $0) }
  }

  @Test("rows that a device has deflated are those of a file of the same layout", arguments: deflatedKinds)
  func deflatedRows(_ kind: OutputKind, bits: Int) throws {
    for (width, height) in [(1, 1), (5, 17), (300, 90), (131, 150)] {
      for hasAlpha in [false, true] {
        let image = Writer.picture(for: kind, width, height, bits: bits)
        var request = Writer.request(kind, image, hasAlpha: hasAlpha)
        (request.coding.deflatesInChunks, request.coding.exrCompression) = (true, .zipGPU)
        let file = try encodeImage(request).main, line = Self.line(request), rows = Self.deflated(image, line)
        request.image.deflated = rows
        request.image = request.image.forEncoder
        request.threads = 2
        let files = try encodeImage(request)
        #expect(files.main == file, "\(width)x\(height)")
        try verifyEncoded(files, request)
        // Rows of other layouts, streams that are missing, and a file that has other streams.
        for change: (inout EncodeRequest) -> Void in [
          { $0.hasAlpha.toggle() }, { $0.image.width += 1 },
          { $0.image.deflated?.line = .tiff(TIFFLine(.floats, width: width, channels: 5)) },
        ] {
          var other = request
          change(&other)
          #expect(throws: EncodeError.self) { try encodeImage(other) }
        }
        if !line.joinsChunks {
          request.image.deflated?.counts.append(0)
          #expect(throws: EncodeError.self) { try encodeImage(request) }
          request.image.deflated = rows
          (request.coding.deflatesInChunks, request.coding.exrCompression) = (false, .zip)
          #expect(throws: EncodeError.self) { try encodeImage(request) }
        }
      }
    }
  }

  @Test("chunks of OpenEXR that do not shrink are stored as they are, whoever has deflated them")
  func largeChunks() throws {
    let image = SampleImage.interleaved(width: 40, height: 40, channelCount: 4, format: .float16, bitDepth: 16)
    let words = image.channels[0].buffer.base.assumingMemoryBound(to: UInt16.self)
    var random = SplitMix(state: 5)
    for index in 0..<40 * 40 * 4 {
      // Noise, but for some rows.
      words[index] = (16..<32).contains(index / 160) ? 0x3555 : UInt16(truncatingIfNeeded: random.next())
    }
    var request = Writer.request(.exr, image)
    request.coding.exrCompression = .zipGPU
    let file = try encodeImage(request).main, rows = Self.deflated(image, Self.line(request))
    let chunk = 16 * 40 * 6
    #expect(rows.counts[0] > chunk && rows.counts[1] < chunk && rows.counts[2] > chunk / 2)
    request.image.deflated = rows
    request.image = request.image.forEncoder
    #expect(try encodeImage(request).main == file)
    // A stream that cannot be inflated.
    (rows.stream.base + 40).storeBytes(of: 0x5a, as: UInt8.self)
    #expect(throws: EncodeError.self) { try encodeImage(request) }
  }

  /// A picture of a gradient with noise in its low bytes.
  @Test("chunks are about as small as a stream of ISA-L")
  func sizes() throws {
    let image = SampleImage.interleaved(width: 640, height: 480, channelCount: 4, format: .uint16, bitDepth: 16)
    var random = SplitMix(state: 3)
    let samples = image.channels[0].buffer.base.assumingMemoryBound(to: UInt16.self)
    for index in 0..<640 * 480 * 4 {
      let x = index / 4 % 640, y = index / 2560
      samples[index] = UInt16(truncatingIfNeeded: 40 * x + 17 * y + Int(random.next() & 63))
    }
    var request = Writer.request(.pqPNG, image)
    let other = try encodeImage(request).main.count
    request.coding.deflatesInChunks = true
    let size = try encodeImage(request).main.count
    #expect(Double(size) < 1.1 * Double(other), "\(size), \(other)")
  }
}
