import HDRCore

/// Kernels are given this to decode a scan; it knows the sizes of what they make.
///
/// The stream is cut into chunks of bits, one an invocation. A chunk's start state is that in which the chunk before it
/// ends; at first it is guessed. Huffman codes lose a wrong guess after some bits, so after some rounds all states are
/// those of a decoder that has read everything before (Weissenberger and Schmidt 2021, arXiv 2111.09219). Restarts have
/// known states.
package struct JPEGDecoding: Sendable {
  /// The bits of a chunk; an interval's last is shorter.
  package static let chunkBits = 1024
  /// The rounds after which a stream whose states still change is left to the library.
  package static let rounds = 32
  /// The chunks whose sums are added at once.
  package static let group = 64
  /// The words of a chunk's state: start (bit, place), end (bit, place), number of blocks that begin in it, and for each
  /// component the sum of their DC differences. A place is a block of the MCU, times 64, plus a coefficient.
  package static let stateWords = 8
  /// The words of a group of chunks: 1 if an interval begins in it, number of blocks, sums of DC differences.
  package static let groupWords = 5

  package let scan: JPEGSourceScan
  package let layout: JPEGLayout
  /// The words of source 1 (glsl/shared/jpeg_symbols.glsl): tables, then two words a chunk, first bit and interval, then
  /// the first bit of each interval and the end of the last.
  package let words: [UInt32]
  package let chunks: Int
  package let intervals: Int

  /// - Parameter scan: one without `fault`.
  package init(_ scan: JPEGSourceScan) {
    self.scan = scan
    layout = scan.layout
    intervals = scan.starts.count
    let ends = (scan.starts + [scan.bytes]).map { UInt32(8 * $0) }
    var chunks: [UInt32] = []
    for (interval, (start, end)) in zip(ends, ends.dropFirst()).enumerated() {
      for bit in stride(from: start, to: end, by: Self.chunkBits) { chunks += [bit, UInt32(interval)] }
    }
    self.chunks = chunks.count / 2
    words = Self.tableWords(scan) + chunks + ends
  }

  package var groups: Int { (chunks + Self.group - 1) / Self.group }
  /// The blocks of an interval but for the last.
  package var blocksOfInterval: Int { scan.mcusOfInterval * layout.blocksOfMCU }

  /// Returns the blocks of a component that have samples, and so the size of its plane: eight samples a block.
  package func blocks(_ component: JPEGComponent) -> (columns: Int, rows: Int) {
    let size = layout.samples(component)
    return ((size.width + 7) / 8, (size.height + 7) / 8)
  }

  /// Makes the picture that decoding fills: planes in rows of whole blocks, as they are coded.
  package func makeImage(memory: (Int) -> PixelBuffer = { PixelBuffer(uninitializedByteCount: $0) }) -> SampleImage {
    SampleImage(
      width: layout.width, height: layout.height, model: layout.chroma == .none ? .grey : .ycc, format: .uint8,
      bitDepth: 8, chroma: layout.chroma, siting: .center,
      channels: layout.components.map { component in
        let size = layout.samples(component), blocks = blocks(component)
        return SamplePlane(
          buffer: memory(64 * blocks.columns * blocks.rows), rowBytes: 8 * blocks.columns, stepBytes: 1,
          width: size.width, height: size.height)
      })
  }
}

/// Kernels report with these flags what is odd in a chunk: the library decodes the whole stream then.
package struct JPEGDecodeFlags: OptionSet, Sendable, Hashable {
  package let rawValue: UInt32
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// States still changed in the last round.
  package static let unsettled = JPEGDecodeFlags(rawValue: 1)
  /// A code that the table does not have.
  package static let unknownCode = JPEGDecodeFlags(rawValue: 2)
  /// A coefficient beyond the block's last.
  package static let beyondBlock = JPEGDecodeFlags(rawValue: 4)
  /// A DC value of more than 16 bits.
  package static let largeDC = JPEGDecodeFlags(rawValue: 8)
  /// An interval that ends before its last block.
  package static let short = JPEGDecodeFlags(rawValue: 16)
  /// A byte or more behind an interval's last block.
  package static let bytesLeft = JPEGDecodeFlags(rawValue: 32)

  /// The names of the flags that are set, in the order of their bits.
  package var names: [String] {
    let all: [(JPEGDecodeFlags, String)] = [
      (.unsettled, "unsettled"), (.unknownCode, "unknownCode"), (.beyondBlock, "beyondBlock"), (.largeDC, "largeDC"),
      (.short, "short"), (.bytesLeft, "bytesLeft"),
    ]
    return all.filter { contains($0.0) }.map(\.1)
  }
}

/// A scan that kernels, or their twin, have decoded.
package struct DecodedScan: Sendable {
  /// Anything that was odd: then the samples mean nothing, and the library decodes the stream.
  package let flags: JPEGDecodeFlags
  /// The planes as they are coded.
  package let image: SampleImage

  package init(flags: JPEGDecodeFlags, image: SampleImage) {
    self.flags = flags
    self.image = image
  }

  /// Returns the number of samples that differ from another decoder's of the same scan, padding included; of other
  /// flags or planes of another shape 1.
  package func differing(from other: DecodedScan) -> Int {
    func shape(_ scan: DecodedScan) -> [[Int]] {
      scan.image.channels.map { [$0.width, $0.height, $0.rowBytes, $0.buffer.byteCount] }
    }
    if flags != other.flags { return 1 }
    if !flags.isEmpty { return 0 }
    if shape(self) != shape(other) { return 1 }
    return zip(image.channels, other.image.channels).reduce(0) { sum, planes in
      let bytes = [planes.0, planes.1].map { UnsafeRawBufferPointer(start: $0.buffer.base, count: $0.buffer.byteCount) }
      return zip(bytes[0], bytes[1]).reduce(sum) { $1.0 == $1.1 ? $0 : $0 + 1 }
    }
  }
}

// MARK: - Tables

extension JPEGDecoding {
  // Places of glsl/shared/jpeg_symbols.glsl, in words.
  package static let naturalPlace = 192, codesPlace = 208, codesWords = 336, chunksPlace = codesPlace + 6 * codesWords
  /// Codes of at most so many bits are looked up at once.
  static let fastBits = 9
  /// Places in the words of a code table: behind lengths and values of short codes, for 10 to 16 bits the first code
  /// that is longer, as 16 bits, then what leads from a code to the place of its value; then the values.
  static let limitsPlace = 256, offsetsPlace = 264, valuesPlace = 272

  /// Quantisers of each component; places in natural order, four in a word; the codes of each component, DC and AC.
  private static func tableWords(_ scan: JPEGSourceScan) -> [UInt32] {
    var words = [UInt32](repeating: 0, count: chunksPlace)
    for place in 0..<64 {
      words[naturalPlace + place / 4] |= UInt32(JPEGTables.zigzag[place]) << (8 * UInt32(place % 4))
    }
    for (component, tables) in scan.tables.enumerated() {
      for place in 0..<64 { words[64 * component + place] = UInt32(tables.quantisers[place]) }
      for (number, codes) in [tables.dc, tables.ac].enumerated() {
        let place = codesPlace + (2 * component + number) * codesWords
        words.replaceSubrange(place..<place + codesWords, with: codes.lookupWords)
      }
    }
    return words
  }
}

extension JPEGCodes {
  /// The words with which kernels find the code at the start of bits.
  fileprivate var lookupWords: [UInt32] {
    var words = [UInt32](repeating: 0, count: JPEGDecoding.codesWords)
    for (place, value) in values.enumerated() {
      words[JPEGDecoding.valuesPlace + place / 4] |= UInt32(value) << (8 * UInt32(place % 4))
    }
    let fast = JPEGDecoding.fastBits
    var code = 0, next = 0
    for length in 1...16 {
      if length > fast {
        words[JPEGDecoding.offsetsPlace + length - fast - 1] = UInt32(truncatingIfNeeded: next - code)
      }
      for _ in 0..<counts[length - 1] {
        if length <= fast {
          for place in code << (fast - length)..<(code + 1) << (fast - length) {
            words[place / 2] |= (UInt32(length) << 8 | UInt32(values[next])) << (16 * UInt32(place % 2))
          }
        }
        code += 1
        next += 1
      }
      if length > fast { words[JPEGDecoding.limitsPlace + length - fast - 1] = UInt32(code << (16 - length)) }
      code <<= 1
    }
    return words
  }
}
